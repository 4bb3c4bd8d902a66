// The acceleration of the last step, where the solver begins.
//#import common
//#import solve

fn last_acceleration() -> f32 { return state[state_base + STATE_WARM + dof]; }

// New velocities, then positions with these.
fn integrate(velocity: f32, step_acc: f32) {
    let next = velocity + TIMESTEP * step_acc;
    if (any_lane(has_dof && (is_bad(acc) || is_bad(next)))) {
        give_up();
        return;
    }
//#if SINGLE_FREE_BODIES
    // The step of free bodies that stand alone, from the forces of all dofs.
    share(total_force);
    var free = FreeBodyStep();
    if (lane < NSINGLE_FREE) { free = free_body_step(index(SINGLE_FREE_JNT + lane), index(SINGLE_FREE_BODY + lane)); }
//#end
    share(next);
    if (has_dof) {
        state[state_base + STATE_QVEL + dof] = next;
        state[state_base + STATE_WARM + dof] = acc;
    }
    if (NA > 0u && moves_activations()) {
        for (var a = lane; a < NA; a += LANES) {
            state[state_base + STATE_ACT + a] = get_scratch(4u * SCRATCH_ACT + a);
        }
    }
//#if SINGLE_FREE_BODIES
    put_free_body_velocity(free);
//#end
    for (var j = first_joint() + lane; j < joint_end(); j += LANES) { move_joint(j); }
}
