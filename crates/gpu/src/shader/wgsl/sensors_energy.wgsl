//#import cluster_dof
//#import common
//#import sensors

// Energy of a spring whose stiffness is a polynomial.
fn spring_energy(at: u32, x: f32) -> f32 {
    return x * x * (0.5 * number(at) + x * (number(at + 1u) / 3.0 + x * 0.25 * number(at + 2u)));
}

fn kept_qpos(i: u32) -> f32 { return get_scratch(4u * SCRATCH_QPOS + i); }
fn kept_qpos3(i: u32) -> vec3<f32> { return vec3<f32>(kept_qpos(i), kept_qpos(i + 1u), kept_qpos(i + 2u)); }

// Energy of gravity and of the springs of joints and tendons.
fn potential_energy() -> f32 {
    var sum = 0.0;
    for (var b = 1u; b < NBODY; b++) { sum -= number(BODY_MASS + b) * dot(number3(GRAVITY), inertial_pos(b)); }
    for (var i = 0u; i < NV; i++) {
        let adr = ints[DOF_SPRINGADR + i];
        if (adr >= 0) { sum += spring_energy(DOF_STIFFNESS + 3u * i, kept_qpos(u32(adr)) - number(QPOS_SPRING + u32(adr))); }
    }
    if (HAS_ROTATION_SPRINGS) {
        for (var j = 0u; j < NJNT; j++) { sum += rotation_energy(j); }
    }
    for (var transmission = NU; transmission < NTRANSMISSION; transmission++) {
        let rest = number2(TENDON_LENGTHSPRING + 2u * (transmission - NU));
        let x = scratch[scratch_base + SCRATCH_TRANSMISSION + transmission].x;
        sum += spring_energy(TENDON_STIFFNESS + 3u * (transmission - NU), max(x - rest.y, 0.0) + min(x - rest.x, 0.0));
    }
    return sum;
}

// Energy of the spring of a free or ball joint.
fn rotation_energy(j: u32) -> f32 {
    let kind = ints[JNT_TYPE + j];
    if (kind >= 2) { return 0.0; }
    let stiffness = DOF_STIFFNESS + 3u * index(JNT_DOFADR + j);
    var adr = index(JNT_QPOSADR + j);
    var sum = 0.0;
    if (kind == 0) {
        sum = spring_energy(stiffness, length(kept_qpos3(adr) - number3(QPOS_SPRING + adr)));
        adr += 3u;
    }
    let rest = number4(QPOS_SPRING + adr);
    let quat = unit_quat(vec4<f32>(kept_qpos(adr), kept_qpos3(adr + 1u)));
    return sum + spring_energy(stiffness, length(rotation_vector(quat_mul(inverse(rest), quat))));
}

// ½ vᵀ M v.
fn kinetic_energy() -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < NV; i++) {
        let first = cluster_dof(i);
        var momentum = 0.0;
        for (var c = 0u; c < MASS4; c++) {
            let row = scratch[scratch_base + SCRATCH_MASS + c * SOLVE_LANES + i];
            for (var k = 0u; k < 4u; k++) {
                let j = first + 4u * c + k;
                if (j < NV) { momentum += row[k] * get_scratch(4u * SCRATCH_QVEL + j); }
            }
        }
        sum += 0.5 * momentum * get_scratch(4u * SCRATCH_QVEL + i);
    }
    return sum;
}
