// New velocities, then positions with these.
fn integrate(velocity: f32, step_acc: f32) {
    let next = velocity + TIMESTEP * step_acc;
    // no row is needed any more: a world whose acceleration is bad begins anew
    if (any_lane(lane < NV && (is_bad(acc) || is_bad(next)))) {
        for (var i = lane; i < STATE_SIZE; i += LANES) { state[state_base + i] = number(INITIAL_STATE + i); }
        if (lane == 0u) { status[status_base + STATUS_FLAGS] |= FLAG_BAD_ACCELERATION; }
        return;
    }
    share(next);
    if (lane < NV) {
        state[state_base + STATE_QVEL + lane] = next;
        state[state_base + STATE_WARM + lane] = acc;
    }
    if (NA > 0u) {
        for (var a = lane; a < NA; a += LANES) {
            state[state_base + STATE_ACT + a] = get_scratch(4u * SCRATCH_ACT + a);
        }
    }
    for (var j = lane; j < NJNT; j += LANES) { move_joint(j); }
}

