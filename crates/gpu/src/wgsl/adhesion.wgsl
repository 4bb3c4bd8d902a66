
// Forces of actuators on this lane's dof, with those that pull a body towards what it touches: along the mean of the
// normals of its contacts, also of those that are too far away to push, which are at the end of the list.
fn adhesion_force() -> f32 {
    let motion = scratch_base + SCRATCH_CDOF + 2u * dof;
    let com = scratch[scratch_base + SCRATCH_COM + index(BODY_ROOT + index(DOF_BODYID + dof))].xyz;
    let all = contacts + u32(get_scratch(4u * SCRATCH_ADHESION + NADHESION));
    var driven = get_scratch(4u * SCRATCH_DRIVEN + dof);
    for (var k = 0u; k < NADHESION; k++) {
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
            let side = dof_moves(b2) - dof_moves(b1);
            let shift = scratch[motion + 1u].xyz + cross(scratch[motion].xyz, scratch[record].xyz - com);
            arm += side * dot(scratch[record + 1u].xyz, shift);
        }
        if (count > 0.0) { driven -= get_scratch(4u * SCRATCH_ADHESION + k) * arm / count; }
    }
    let range = number2(DOF_ACTFRCRANGE + 2u * dof);
    let total = clamp(driven, range.x, range.y);
    put_scratch(4u * SCRATCH_DRIVEN + dof, total);
    return total;
}

// One if this lane's dof moves a body, zero otherwise.
fn dof_moves(body: u32) -> f32 {
    return f32((index(BODY_DOFS + body * NWORD + (dof >> 5u)) >> (dof & 31u)) & 1u);
}
