// Forces of the actuators of a tendon, scaled so that their sum is within its range.
//#import common
//#import smooth

// Forces of the actuators of a tendon, scaled so that their sum is within its range.
fn limit_tendons() {
    for (var t = lane; t < NTENDON; t += LANES) {
        let range = number2(TENDON_ACTFRCRANGE + 2u * t);
        var total = 0.0;
        for (var u = 0u; u < NU; u++) {
            if (ints[ACTUATOR_TENDON + u] == i32(t)) { total += transmission_force[u]; }
        }
        if (total == 0.0 || (total >= range.x && total <= range.y)) { continue; }
        let share_of = clamp(total, range.x, range.y) / total;
        for (var u = 0u; u < NU; u++) {
            if (ints[ACTUATOR_TENDON + u] == i32(t)) { transmission_force[u] *= share_of; }
        }
    }
    barrier();
}
