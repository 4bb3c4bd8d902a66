// The classical Runge–Kutta method of fourth order. All kernels run four times in a step; what the world has come to
// in between is its phase. The state at the start, with the acceleration of the last step, and the weighted sums of
// rates are in scratch memory.
//#import common
//#import solve
//#if DC_MOTORS
//#import integrate_motor
//#end

// The acceleration of the last step, where the solver begins in all evaluations of this one.
fn last_acceleration() -> f32 {
    if (status[status_base + STATUS_PHASE] == 0u) { return state[state_base + STATE_WARM + dof]; }
    return get_scratch(4u * SCRATCH_START + STATE_WARM + dof);
}

fn integrate(velocity: f32, step_acc: f32) {
    if (lane == 0u) { go_on = status[status_base + STATUS_PHASE]; }
    let phase = workgroupUniformLoad(&go_on);
    if (any_lane(lane < NV && (is_bad(acc) || is_bad(velocity + TIMESTEP * step_acc)))) {
        give_up();
        if (lane == 0u) { status[status_base + STATUS_PHASE] = 0u; }
        return;
    }
    if (phase == 0u) {
        for (var i = lane; i < STATE_SIZE; i += LANES) { put_scratch(4u * SCRATCH_START + i, state[state_base + i]); }
    }
    storageBarrier();
    barrier();
    // rates of positions and velocities: those of this phase by a part of the step, or in the end the sums
    var rates = vec2<f32>(0.0);
    if (lane < NV) {
        rates = vec2<f32>(stage_rate(lane, velocity, phase), stage_rate(NV + lane, acc, phase));
        state[state_base + STATE_QVEL + lane] = get_scratch(4u * SCRATCH_START + NQ + lane) + TIMESTEP * rates.y;
        state[state_base + STATE_WARM + lane] = acc;
    }
    for (var i = lane; i < NQ; i += LANES) { state[state_base + i] = get_scratch(4u * SCRATCH_START + i); }
    if (NA > 0u) {
        for (var u = lane; u < NU; u += LANES) { integrate_activation(u, phase); }
    }
    storageBarrier();
    share(rates.x);
    for (var j = lane; j < NJNT; j += LANES) { move_joint(j); }
    if (lane == 0u) { status[status_base + STATUS_PHASE] = (phase + 1u) & 3u; }
}

// Takes a rate into its sum; returns the rate to go on with from the start of the step.
fn stage_rate(at: u32, rate: f32, phase: u32) -> f32 {
    let weight = select(1.0 / 6.0, 1.0 / 3.0, phase == 1u || phase == 2u);
    var sum = weight * rate;
    if (phase > 0u) { sum += get_scratch(4u * SCRATCH_SUM + at); }
    put_scratch(4u * SCRATCH_SUM + at, sum);
    if (phase == 3u) { return sum; }
    return select(0.5, 1.0, phase == 2u) * rate;
}

fn integrate_activation(u: u32, phase: u32) {
    let adr = ints[ACTUATOR_ACTADR + u];
    if (adr < 0) { return; }
//#if DC_MOTORS
    // Motors have activations of several kinds.
    let motor = ints[MOTOR + u];
    if (motor >= 0) {
        integrate_motor(u, u32(motor), phase);
        return;
    }
//#end
    let a = u32(adr);
    let rate = stage_rate(2u * NV + a, get_scratch(4u * SCRATCH_ACT + a), phase);
    let start = get_scratch(4u * SCRATCH_START + NQ + NV + a);
    let at = ACTUATOR_RANGES + 6u * u;
    let end = clamp(start + number(ACTUATOR_STEP + u) * rate, number(at + 4u), number(at + 5u));
    state[state_base + STATE_ACT + a] = select(start + TIMESTEP * rate, end, phase == 3u);
}
