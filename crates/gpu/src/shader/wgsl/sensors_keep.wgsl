// Keeps what sensors read of the beginning of a step: positions, velocities, motions of bodies, and lengths,
// velocities and forces of actuators and tendons.
//#import common
//#import smooth

fn keep_for_sensors() {
    for (var i = lane; i < NQ; i += LANES) { put_scratch(4u * SCRATCH_QPOS + i, qpos(i)); }
    for (var i = lane; i < NV; i += LANES) { put_scratch(4u * SCRATCH_QVEL + i, qvel(i)); }
    for (var b = lane; b < NBODY; b += LANES) {
        let velocity = spatial(MEM_VELOCITY + 2u * b);
        let acceleration = chain_sum(ints[BODY_LASTDOF + b], MEM_DOF);
        let at = scratch_base + SCRATCH_BODY + 4u * b;
        scratch[at] = vec4<f32>(velocity.angular, 0.0);
        scratch[at + 1u] = vec4<f32>(velocity.linear, 0.0);
        scratch[at + 2u] = vec4<f32>(acceleration.angular, 0.0);
        scratch[at + 3u] = vec4<f32>(acceleration.linear, 0.0);
    }
    for (var transmission = lane; transmission < NTRANSMISSION; transmission += LANES) {
        scratch[scratch_base + SCRATCH_TRANSMISSION + transmission] = vec4<f32>(transmission_length(transmission), transmission_velocity(transmission), transmission_force[transmission], 0.0);
    }
}
