//#import common
//#import sensors

// Force and torque that a body passes on to its parent, at a site and in its axes: what accelerates the bodies of
// its subtree, without the forces of contacts and of equalities of bodies.
fn interaction(s: u32, kind: i32, site: Frame) {
    let b = site.body;
    let end = index(BODY_END + b);
    var total = Motion();
    for (var k = b; k < end; k++) {
        let point = inertial_pos(k);
        let acceleration = full_acceleration(k, point);
        let spin = velocity_at(k, point).angular;
        let quat = quat_mul(body_quat(k), number4(BODY_IQUAT + 4u * k));
        let back = inverse(quat);
        let moments = number3(BODY_INERTIA + 3u * k);
        let local = rotate(back, spin);
        let torque = moments * rotate(back, acceleration.angular) + cross(local, moments * local);
        total = add_wrench(total, site.pos, point, number(BODY_MASS + k) * acceleration.linear, rotate(quat, torque));
    }
    let contacts = min(status[status_base + STATUS_CONTACTS], submission.contacts);
    for (var c = 0u; c < contacts; c++) {
        let record = scratch_base + SCRATCH_CONTACT + 3u * c;
        let pair = bitcast<u32>(scratch[record + 1u].w);
        let sign = side_of(PAIR_BODIES + 2u * pair, b, end);
        if (sign == 0.0) { continue; }
        let at = wrench_at(c);
        total = add_wrench(total, site.pos, scratch[record].xyz, -sign * scratch[at].xyz, -sign * scratch[at + 1u].xyz);
    }
//#if BODY_EQUALITIES
    // Wrenches of equalities of bodies, as their rows have them.
    for (var e = 0u; e < NBODYEQ; e++) {
        // rows push the first body
        for (var side = 0u; side < 2u; side++) {
            let own = index(EQUALITY_BODIES + 2u * e + side);
            if (own < b || own >= end) { continue; }
            let at = EQUALITY_NUMBERS + EQUALITY_SIZE * e;
            let row = 4u * SCRATCH_ROW + NLINEAR + index(EQUALITY_ROW + e);
            let is_weld = index(EQUALITY_ROW + e + 1u) - index(EQUALITY_ROW + e) == 6u;
            let away = select(-1.0, 1.0, side == 1u);
            let force = away * vec3<f32>(get_scratch(row), get_scratch(row + 1u), get_scratch(row + 2u));
            var torque = vec3<f32>(0.0);
            if (is_weld) { torque = away * vec3<f32>(get_scratch(row + 3u), get_scratch(row + 4u), get_scratch(row + 5u)); }
            let point = body_pos(own) + rotate(body_quat(own), number3(at + 3u * side));
            total = add_wrench(total, site.pos, point, force, torque);
        }
    }
//#end
    put3(s, rotate(inverse(site.quat), select(total.linear, total.angular, kind == TORQUE)));
}

// One if only the second of two bodies is in a range, minus one if only the first is.
fn side_of(at: u32, first: u32, end: u32) -> f32 {
    let b1 = index(at);
    let b2 = index(at + 1u);
    return select(0.0, 1.0, b2 >= first && b2 < end) - select(0.0, 1.0, b1 >= first && b1 < end);
}

// Adds a force at a point and a torque to a wrench about another point.
fn add_wrench(sum: Motion, centre: vec3<f32>, point: vec3<f32>, force: vec3<f32>, torque: vec3<f32>) -> Motion {
    return Motion(sum.angular + torque + cross(point - centre, force), sum.linear + force);
}
