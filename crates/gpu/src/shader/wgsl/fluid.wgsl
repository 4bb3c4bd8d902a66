// Forces of the surrounding fluid. Bodies are boxes with their inertia, or sums of ellipsoids in the place of geoms
// (Andersen, Pesavento and Wang 2005).
//#import common
//#import smooth

// A shape in the fluid: offset of its parameters, orientation, way from the centre of mass of its tree, and velocities in
// its own axes, relative to the wind.
struct Immersed { at: u32, quat: vec4<f32>, arm: vec3<f32>, ang: vec3<f32>, lin: vec3<f32> }

// A shape of a body whose pose was written by this lane.
fn immersed(b: u32, e: u32, velocity: Spatial) -> Immersed {
    let at = FLUID_NUMBERS + FLUID_SIZE * e;
    let rotation = scratch[scratch_base + SCRATCH_POSE + 2u * b + 1u];
    let point = scratch[scratch_base + SCRATCH_POSE + 2u * b].xyz + rotate(rotation, number3(at));
    let quat = quat_mul(rotation, number4(at + 3u));
    let back = vec4<f32>(quat.x, -quat.yzw);
    let arm = point - mem[MEM_COM + index(BODY_ROOT + b)].xyz;
    let moves = velocity.linear + cross(velocity.angular, arm) - number3(WIND);
    return Immersed(at + 7u, quat, arm, rotate(back, velocity.angular), rotate(back, moves));
}

// Force of the fluid on a body, about the centre of mass of its tree.
fn fluid_force(b: u32, velocity: Spatial) -> Spatial {
    var total = Spatial();
    let end = index(FLUID_START + b + 1u);
    for (var e = index(FLUID_START + b); e < end; e++) {
        let s = immersed(b, e, velocity);
        var wrench = Spatial();
        if (ints[FLUID_KIND + e] == 0) {
            wrench = box_drag(number3(s.at), s.ang, s.lin);
        } else {
            wrench = ellipsoid_forces(s.at, s.ang, s.lin);
        }
        let force = rotate(s.quat, wrench.linear);
        total = add_scaled(total, Spatial(rotate(s.quat, wrench.angular) + cross(s.arm, force), force), 1.0);
    }
    return total;
}

// Stokes drag of a sphere of the mean diameter, and quadratic drag of the faces.
fn box_drag(side: vec3<f32>, ang: vec3<f32>, lin: vec3<f32>) -> Spatial {
    let diameter = (side.x + side.y + side.z) / 3.0;
    let b = side.yzx;
    let c = side.zxy;
    let fourth = b * b * b * b + c * c * c * c;
    return Spatial(
        -PI * diameter * diameter * diameter * VISCOSITY * ang - DENSITY / 64.0 * side * fourth * abs(ang) * ang,
        -3.0 * PI * diameter * VISCOSITY * lin - 0.5 * DENSITY * b * c * abs(lin) * lin,
    );
}

const PI = 3.14159265;

// Added mass, lift and drag; the numbers are semi-axes, then coefficients as the model has them.
fn ellipsoid_forces(at: u32, ang: vec3<f32>, lin: vec3<f32>) -> Spatial {
    let size = number3(at);
    let blunt = number(at + 4u);
    let slender = number(at + 5u);
    let angular_drag = number(at + 6u);
    let kutta_lift = number(at + 7u);
    let magnus_lift = number(at + 8u);
    // the fluid that moves along
    let linear_momentum = DENSITY * number3(at + 9u) * lin;
    let angular_momentum = DENSITY * number3(at + 12u) * ang;
    var torque = cross(linear_momentum, lin) + cross(angular_momentum, ang);
    var force = cross(linear_momentum, ang);

    let volume = 4.0 / 3.0 * PI * size.x * size.y * size.z;
    let largest = max(size.x, max(size.y, size.z));
    let smallest = min(size.x, min(size.y, size.z));
    let middle = size.x + size.y + size.z - largest - smallest;
    let most_area = PI * largest * middle;
    let speed = length(lin);
    // area across the velocity, and cosine between velocity and normal
    let section = size.yzx * size.zxy;
    let s2 = section * section;
    let numerator = dot(s2, lin * lin);
    let denominator = dot(s2 * s2, lin * lin);
    let area = PI * sqrt(denominator / max(numerator, 1e-15));
    let cosine = numerator / max(speed * denominator, 1e-15);
    let circulation = kutta_lift * DENSITY * cosine * area * cross(s2 * lin, lin);
    force += magnus_lift * DENSITY * volume * cross(ang, lin) + cross(circulation, lin);

    let diameter = 2.0 / 3.0 * (size.x + size.y + size.z);
    let across = max(size.yzx, size.zxy);
    let own = 8.0 / 15.0 * PI * size * across * across * across * across;
    let most_moment = 8.0 / 15.0 * PI * middle * largest * largest * largest * largest;
    let moment = ang * (angular_drag * own + slender * (most_moment - own));
    let drag = VISCOSITY * 3.0 * PI * diameter + DENSITY * speed * (area * blunt + slender * (most_area - area));
    force -= drag * lin;
    torque -= (VISCOSITY * PI * diameter * diameter * diameter + DENSITY * length(moment)) * ang;
    return Spatial(number(at + 3u) * torque, number(at + 3u) * force);
}
