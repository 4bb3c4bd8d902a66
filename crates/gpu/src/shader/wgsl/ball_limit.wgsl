// Limits of ball joints: the angle of the rotation has an upper bound, and its gradient is the axis. Their rows
// only push and are the last of those that the model always has.
//#import common
//#import solve

fn ball_limits(velocity: f32) {
    share(velocity);
    for (var s = 0u; s < NBALL; s++) {
        let row = NFIXED - NBALL + s;
        let joint = index(BALL_JNT + s);
        let first = index(JNT_DOFADR + joint);
        let rotation = rotation_vector(qpos_quat(index(JNT_QPOSADR + joint)));
        let angle = length(rotation);
        let axis = select(vec3<f32>(1.0, 0.0, 0.0), rotation / angle, angle > 1e-15);
        let k = lane - first;
        put_jacobian(row, select(0.0, -axis[min(k, 2u)], k < 3u));
        if (lane == 0u) {
            let at = BALL_NUMBERS + BALL_SIZE * s;
            let spin = vec3<f32>(new_velocity(first), new_velocity(first + 1u), new_velocity(first + 2u));
            let limit = limit_row(number(at) - angle, number(at + 1u), -dot(axis, spin), at + 3u, number(at + 2u));
            block_info[row] = row | (1u << 16u) | (PUSHES << 24u);
            block_d[row] = limit.d;
            row_f[row] = limit.aref;
        }
    }
    storageBarrier();
    barrier();
}
