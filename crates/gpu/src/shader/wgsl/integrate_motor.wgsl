// Activations of a motor in a step of the Runge–Kutta method: like all others up to the last evaluation, and then
// by their own solutions for the current and the bristles, whose velocity is that of the last evaluation.
//#import common
//#import integrate_rk4

fn integrate_motor(u: u32, m: u32, phase: u32) {
    let first = index(ACTUATOR_ACTADR + u);
    let at = MOTOR_NUMBERS + MOTOR_WIDTH * m;
    let slots = MOTOR_SLOTS + 5u * m;
    for (var a = first; a < first + index(MOTOR_ACTNUM + m); a++) {
        let rate = stage_rate(2u * NV + a, get_scratch(4u * SCRATCH_ACT + a), phase);
        let start = get_scratch(4u * SCRATCH_START + NQ + NV + a);
        var end = start + TIMESTEP * rate;
        if (phase == 3u) {
            if (i32(a) == ints[slots + 1u]) {
                let bound = number(at + MOTOR_MAX_INTEGRAL);
                end = clamp(end, -bound, bound);
            } else if (i32(a) == ints[slots + 3u]) {
                let change = get_scratch(4u * SCRATCH_MOTOR + 2u * m);
                end = start + change * start + get_scratch(4u * SCRATCH_MOTOR + 2u * m + 1u);
            } else if (i32(a) == ints[slots + 4u]) {
                end = start + number(at + MOTOR_CURRENT_STEP) * rate;
            }
        }
        state[state_base + STATE_ACT + a] = end;
    }
}
