// Inertia of tendons between two dofs: the sum of armature times both moment arms.
//#import common

//#if NONLINEAR_TRANSMISSIONS
//#import moment_arms

// moment arms depend on positions
fn tendon_inertia(i: u32, j: u32) -> f32 {
    var sum = 0.0;
    for (var t = 0u; t < NARMED; t++) {
        sum += number(TENDON_ARMATURE + t) * transmission_arm(NU + t, i) * transmission_arm(NU + t, j);
    }
    return sum;
}
//#else

// Σ armature arm arm, by constant arms.
fn tendon_inertia(i: u32, j: u32) -> f32 {
    var sum = 0.0;
    for (var k = index(DOF_TRANSMISSION_START + i); k < index(DOF_TRANSMISSION_START + i + 1u); k++) {
        let transmission = index(DOF_TRANSMISSION + k);
        if (transmission < NU) { continue; }
        let x = number(TENDON_ARMATURE + transmission - NU) * number(DOF_TRANSMISSION_COEF + k);
        for (var n = index(DOF_TRANSMISSION_START + j); n < index(DOF_TRANSMISSION_START + j + 1u); n++) {
            if (index(DOF_TRANSMISSION + n) == transmission) { sum += x * number(DOF_TRANSMISSION_COEF + n); }
        }
    }
    return sum;
}
//#end
