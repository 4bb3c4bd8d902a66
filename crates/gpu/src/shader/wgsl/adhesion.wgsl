//#import common
//#import solve

// Actuators that pull a body towards what it touches.

// Arm of a dof: minus the mean of the normals of the contacts of a body along its motion, also of those that are too far
// away to push, which are at the end of the list.
fn adhesion_arm(k: u32, i: u32) -> f32 {
    let motion = scratch_base + SCRATCH_CDOF + 2u * i;
    let com = scratch[scratch_base + SCRATCH_COM + index(BODY_ROOT + index(DOF_BODYID + i))].xyz;
    let all = contacts + u32(get_scratch(4u * SCRATCH_ADHESION + NADHESION));
    let body = index(ADHESION_BODY + k);
    var arm = 0.0;
    var count = 0.0;
    for (var n = 0u; n < all; n++) {
        let record = contact_record(select(MAX_CONTACTS - 1u - (n - contacts), n, n < contacts));
        let pair = bitcast<u32>(scratch[record + 1u].w);
        let b1 = index(PAIR_BODIES + 2u * pair);
        let b2 = index(PAIR_BODIES + 2u * pair + 1u);
        if (b1 != body && b2 != body) { continue; }
        count += 1.0;
        let side = moved_by(i, b2) - moved_by(i, b1);
        let shift = scratch[motion + 1u].xyz + cross(scratch[motion].xyz, scratch[record].xyz - com);
        arm += side * dot(scratch[record + 1u].xyz, shift);
    }
    return select(0.0, -arm / max(count, 1.0), count > 0.0);
}

// One if a dof moves a body, zero otherwise.
fn moved_by(i: u32, body: u32) -> f32 {
    return f32((index(BODY_DOFS + body * NWORD + (i >> 5u)) >> (i & 31u)) & 1u);
}

// Forces of actuators on this lane's dof, with those that pull a body towards what it touches.
fn adhesion_force() -> f32 {
    var driven = get_scratch(4u * SCRATCH_DRIVEN + dof);
    for (var k = 0u; k < NADHESION; k++) {
        let pull = adhesion_pull(k);
        driven += pull.x * adhesion_arm(k, dof);
//#if SENSORS && MOVING_ADHESION
        // Leaves the force of an actuator that adheres for sensors.
        if (lane == 0u) { scratch[scratch_base + SCRATCH_TRANSMISSION + index(ADHESION_ACTUATOR + k)].z = pull.x; }
//#end
    }
    let range = number2(DOF_ACTFRCRANGE + 2u * dof);
    let total = clamp(driven, range.x, range.y);
    put_scratch(4u * SCRATCH_DRIVEN + dof, total);
    return total;
}

//#if MOVING_ADHESION
//#import adhesion_moving
//#else
// Force of an actuator that adheres, where it does not depend on its velocity.
fn adhesion_pull(k: u32) -> vec2<f32> { return vec2<f32>(get_scratch(4u * SCRATCH_ADHESION + k), 0.0); }
//#end
