//#import common
//#import fluid
//#import smooth

// Derivatives of fluid forces by velocities, for an integrator that is implicit in them: symmetric matrices of angular
// and linear velocity, summed over subtrees like inertias.

// Blocks of a symmetric matrix: angular with angular, angular with linear, linear with linear.
struct FluidJacobian { aa: mat3x3<f32>, al: mat3x3<f32>, ll: mat3x3<f32> }

// v ↦ a × v.
fn cross_matrix(a: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(vec3<f32>(0.0, a.z, -a.y), vec3<f32>(-a.z, 0.0, a.x), vec3<f32>(a.y, -a.x, 0.0));
}

fn diagonal(d: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(vec3<f32>(d.x, 0.0, 0.0), vec3<f32>(0.0, d.y, 0.0), vec3<f32>(0.0, 0.0, d.z));
}

// a bᵀ.
fn outer(a: vec3<f32>, b: vec3<f32>) -> mat3x3<f32> { return mat3x3<f32>(a * b.x, a * b.y, a * b.z); }

fn symmetric(m: mat3x3<f32>) -> mat3x3<f32> { return 0.5 * (m + transpose(m)); }

// Leaves the sum over what the fluid acts on of each body, about the centre of mass of its tree.
fn body_fluid_jacobians() {
    for (var b = lane; b < NBODY; b += LANES) {
        let velocity = spatial(MEM_VELOCITY + 2u * b);
        var total = FluidJacobian();
        let end = index(FLUID_START + b + 1u);
        for (var e = index(FLUID_START + b); e < end; e++) {
            let shape = immersed(b, e, velocity);
            var own = FluidJacobian();
            if (ints[FLUID_KIND + e] == 0) {
                own = box_jacobian(number3(shape.at), shape.ang, shape.lin);
            } else {
                own = ellipsoid_jacobian(shape.at, shape.ang, shape.lin);
            }
            let axes = quat_axes(shape.quat);
            let aa = axes * own.aa * transpose(axes);
            let al = axes * own.al * transpose(axes);
            let ll = axes * own.ll * transpose(axes);
            // the velocity of the point is v − S ω
            let s = cross_matrix(shape.arm);
            total.aa += aa + s * transpose(al) - al * s - s * ll * s;
            total.al += al + s * ll;
            total.ll += ll;
        }
        let to = scratch_base + SCRATCH_DRAG + 9u * b;
        for (var k = 0u; k < 3u; k++) {
            scratch[to + k] = vec4<f32>(total.aa[k], 0.0);
            scratch[to + 3u + k] = vec4<f32>(total.al[k], 0.0);
            scratch[to + 6u + k] = vec4<f32>(total.ll[k], 0.0);
        }
    }
    storageBarrier();
    barrier();
    for (var i = lane; i < NV; i += LANES) {
        let b = index(DOF_BODYID + i);
        let end = index(BODY_END + b);
        let motion = spatial(MEM_CDOF + 2u * i);
        var force = Spatial();
        for (var k = b; k < end; k++) {
            let from_body = scratch_base + SCRATCH_DRAG + 9u * k;
            for (var c = 0u; c < 3u; c++) {
                let across = scratch[from_body + 3u + c].xyz;
                force.angular += motion.angular[c] * scratch[from_body + c].xyz + motion.linear[c] * across;
                force.linear[c] += dot(across, motion.angular);
                force.linear += motion.linear[c] * scratch[from_body + 6u + c].xyz;
            }
        }
        let to = scratch_base + SCRATCH_DRAG + 9u * NBODY + 2u * i;
        scratch[to] = vec4<f32>(force.angular, 0.0);
        scratch[to + 1u] = vec4<f32>(force.linear, 0.0);
    }
}

// Each component of force depends on its own component of velocity.
fn box_jacobian(side: vec3<f32>, ang: vec3<f32>, lin: vec3<f32>) -> FluidJacobian {
    let diameter = (side.x + side.y + side.z) / 3.0;
    let b = side.yzx;
    let c = side.zxy;
    let fourth = b * b * b * b + c * c * c * c;
    let rotational = PI * diameter * diameter * diameter * VISCOSITY + DENSITY / 32.0 * side * fourth * abs(ang);
    let moving = 3.0 * PI * diameter * VISCOSITY + DENSITY * b * c * abs(lin);
    return FluidJacobian(diagonal(-rotational), mat3x3<f32>(), diagonal(-moving));
}

// The symmetric part for an ellipsoid; the numbers are those of its forces.
fn ellipsoid_jacobian(at: u32, w: vec3<f32>, v: vec3<f32>) -> FluidJacobian {
    let size = number3(at);
    let blunt = number(at + 4u);
    let slender = number(at + 5u);
    let largest = max(size.x, max(size.y, size.z));
    let smallest = min(size.x, min(size.y, size.z));
    let middle = size.x + size.y + size.z - largest - smallest;
    let diameter = 2.0 / 3.0 * (size.x + size.y + size.z);
    let magnus = number(at + 8u) * DENSITY * 4.0 / 3.0 * PI * size.x * size.y * size.z;

    // the fluid that moves along
    let mass = diagonal(DENSITY * number3(at + 9u));
    let inertia = diagonal(DENSITY * number3(at + 12u));
    let spin = cross_matrix(w);
    let momentum_rotation = cross_matrix(mass * v);

    // lift and drag of the area across the velocity
    let section = size.yzx * size.zxy;
    let k = section * section;
    let n = k * v;
    let numerator = dot(n, v);
    let denominator = dot(n, n);
    let speed2 = dot(v, v);
    let speed = sqrt(speed2);
    let roots = sqrt(denominator) * sqrt(numerator);
    let factor = PI * numerator / max(roots * speed, 1e-15);
    let factor_derivative = n / max(numerator, 1e-15) - k * n / max(denominator, 1e-15) - v / max(speed2, 1e-15);
    let direction_derivative = diagonal(numerator - speed2 * k) + 2.0 * outer(v, n) - 2.0 * outer(n, v);
    let lift = factor * (outer(v * numerator - n * speed2, factor_derivative) + direction_derivative);
    let area = PI * sqrt(denominator / max(numerator, 1e-15));
    let area_derivative = (k * n * numerator - n * denominator) * (PI / max(numerator * roots, 1e-15));
    let resistance = DENSITY * (area * blunt + slender * (PI * largest * middle - area));
    let derivative = v / max(speed, 1e-15) * resistance + area_derivative * (DENSITY * speed * (blunt - slender));
    let drag = diagonal(vec3<f32>(VISCOSITY * 3.0 * PI * diameter + resistance * speed)) + outer(v, derivative);

    // drag of rotation
    let across = max(size.yzx, size.zxy);
    let own = 8.0 / 15.0 * PI * size * across * across * across * across;
    let most = 8.0 / 15.0 * PI * middle * largest * largest * largest * largest;
    let coefficient = number(at + 6u) * own + slender * (most - own);
    let moment = w * coefficient;
    let norm = length(moment);
    let rotational = diagonal(vec3<f32>(VISCOSITY * PI * diameter * diameter * diameter + DENSITY * norm))
        + outer(w, moment * coefficient * (DENSITY / max(norm, 1e-15)));

    let aa = cross_matrix(inertia * w) - spin * inertia - rotational;
    let al = momentum_rotation - cross_matrix(v) * mass;
    let la = momentum_rotation - magnus * cross_matrix(v);
    let ll = magnus * spin + (number(at + 7u) * DENSITY) * lift - drag - spin * mass;
    return FluidJacobian(symmetric(aa), 0.5 * (al + transpose(la)), symmetric(ll));
}
