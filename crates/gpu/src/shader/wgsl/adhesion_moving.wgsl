// Adhesion whose force depends on its velocity, which is known when contacts are: the sum of arms times velocities.
//#import adhesion
//#import branches
//#import common
//#import solve

// Force at the velocity that there is, and its derivative, which a force at its limit does not have.
fn adhesion_pull(k: u32) -> vec2<f32> {
    var speed = 0.0;
    for (var i = 0u; i < NV; i++) { speed += adhesion_arm(k, i) * qvel(i); }
    let u = index(ADHESION_ACTUATOR + k);
    let at = 4u * SCRATCH_PULL + 3u * u;
    let force = get_scratch(at) + get_scratch(at + 1u) * speed;
    let range = number2(ACTUATOR_RANGES + 6u * u + 2u);
    let derivative = select(0.0, get_scratch(at + 2u), force > range.x && force < range.y);
    return vec2<f32>(clamp(force, range.x, range.y), derivative);
}

// M −= h Σ derivative armᵀ arm, between dofs of one branch.
fn add_adhesion_derivatives() {
    for (var k = 0u; k < NADHESION; k++) {
        let x = -TIMESTEP * adhesion_pull(k).y * adhesion_arm(k, dof);
        if (x == 0.0) { continue; }
        for (var j = 0u; j < NV; j++) {
            if (is_one_branch(dof, j)) { add_entry(lane_of(j), x * adhesion_arm(k, j)); }
        }
    }
}
