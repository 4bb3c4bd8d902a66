// Smooth and constraint force of this lane's dof.
//#import common
//#import solve

var<private> total_force: f32;

// Velocity of a free body after a step, and the one that its pose follows; `is_aligned` where the centre of mass
// is at the joint, so that its translation is that of any other dof.
struct FreeBodyStep {
    linear: vec3<f32>,
    angular: vec3<f32>,
    mid_linear: vec3<f32>,
    mid_angular: vec3<f32>,
    is_aligned: bool,
}

// Single free bodies rotate by the implicit midpoint rule, and their poses follow the mean of the old and the
// new velocity, in place of those that the integrator has shared.
fn put_free_body_velocity(free: FreeBodyStep) {
    storageBarrier();
    barrier();
    if (lane < NSINGLE_FREE) {
        let first = index(JNT_DOFADR + index(SINGLE_FREE_JNT + lane));
        for (var k = 0u; k < 3u; k++) {
            if (!free.is_aligned) { put_free_dof(first + k, free.linear[k], free.mid_linear[k]); }
            put_free_dof(first + 3u + k, free.angular[k], free.mid_angular[k]);
        }
    }
    barrier();
}

fn put_free_dof(i: u32, velocity: f32, mean: f32) {
    state[state_base + STATE_QVEL + i] = velocity;
    dofs[i >> 2u][i & 3u] = mean;
}

fn shared3(i: u32) -> vec3<f32> { return vec3<f32>(new_velocity(i), new_velocity(i + 1u), new_velocity(i + 2u)); }

// Everything in the principal axes of the body. The shared vector is that of forces.
fn free_body_step(joint: u32, b: u32) -> FreeBodyStep {
    let first = index(JNT_DOFADR + joint);
    let quat = qpos_quat(index(JNT_QPOSADR + joint) + 3u);
    let iquat = number4(BODY_IQUAT + 4u * b);
    let to_principal = vec4<f32>(iquat.x, -iquat.yzw);
    let from_world = quat_mul(to_principal, vec4<f32>(quat.x, -quat.yzw));
    let mass = number(BODY_MASS + b);
    let inertia = number3(BODY_INERTIA + 3u * b);
    let offset = number3(BODY_IPOS + 3u * b);
    let arm = rotate(to_principal, offset);
    let old_linear = vec3<f32>(qvel(first), qvel(first + 1u), qvel(first + 2u));
    let old_angular = vec3<f32>(qvel(first + 3u), qvel(first + 4u), qvel(first + 5u));
    let spin = rotate(to_principal, old_angular);
    let gravity = rotate(from_world, number3(GRAVITY));
    // the bias, which the midpoint equations have, is taken out of the forces
    let bias = mass * (cross(spin, cross(spin, arm)) - gravity);
    let push = rotate(from_world, shared3(first)) + bias;
    let torque = rotate(to_principal, shared3(first + 3u)) + cross(spin, inertia * spin) + cross(arm, bias - push);

    let middle = midpoint_spin(inertia, spin, torque);
    var free = FreeBodyStep();
    free.is_aligned = all(offset == vec3<f32>(0.0));
    free.angular = rotate(iquat, 2.0 * middle - spin);
    free.mid_angular = 0.5 * (free.angular + old_angular);
    if (free.is_aligned) { return free; }

    // the velocity of the centre of mass has a closed solution
    let linear = rotate(from_world, old_linear);
    let rate = 2.0 / TIMESTEP;
    let rhs = push / mass + rate * (linear + cross(spin, arm)) + gravity;
    let centre = (rate * rhs + dot(middle, rhs) / rate * middle - cross(middle, rhs)) / (rate * rate + dot(middle, middle));
    let new_linear = 2.0 * (centre - cross(middle, arm)) - linear;
    // back to world axes through the new orientation
    let speed = length(middle);
    let axis = select(vec3<f32>(1.0, 0.0, 0.0), rotate(iquat, middle) / speed, speed > 1e-15);
    let rotated = quat_mul(quat, axis_angle(axis, TIMESTEP * speed));
    free.linear = rotate(rotated, rotate(iquat, new_linear));
    free.mid_linear = 0.5 * (free.linear + old_linear);
    return free;
}

fn spin_residual(w: vec3<f32>, inertia: vec3<f32>, spin: vec3<f32>, torque: vec3<f32>) -> vec3<f32> {
    return 2.0 / TIMESTEP * inertia * (w - spin) + cross(w, inertia * w) - torque;
}

// Root of 2/h I (w − ω) + w × I w = τ by Newton's method with backtracking.
fn midpoint_spin(inertia: vec3<f32>, spin: vec3<f32>, torque: vec3<f32>) -> vec3<f32> {
    let d = inertia.zxy - inertia.yzx;
    let scaled = 2.0 / TIMESTEP * inertia;
    var w = spin;
    var f = spin_residual(w, inertia, spin, torque);
    for (var k = 0u; k < 20u; k++) {
//#if DOUBLE
        if (length(f) <= 1e-15 * length(scaled * w)) { break; }
//#else
        if (length(f) <= 1e-7 * length(scaled * w)) { break; }
//#end
        let c0 = vec3<f32>(scaled.x, w.z * d.y, w.y * d.z);
        let c1 = vec3<f32>(w.z * d.x, scaled.y, w.x * d.z);
        let c2 = vec3<f32>(w.y * d.x, w.x * d.y, scaled.z);
        let det = dot(c0, cross(c1, c2));
        let step = vec3<f32>(dot(f, cross(c1, c2)), dot(c0, cross(f, c2)), dot(c0, cross(c1, f))) / det;
        var part = 1.0;
        var found = false;
        for (var n = 0u; n < 12u; n++) {
            let candidate = w - part * step;
            let g = spin_residual(candidate, inertia, spin, torque);
            if (length(g) < length(f)) {
                w = candidate;
                f = g;
                found = true;
                break;
            }
            part *= 0.5;
        }
        // single precision cannot come nearer
        if (!found) { break; }
    }
    return w;
}
