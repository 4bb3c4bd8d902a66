// Equalities of bodies: `connect` holds two points together, `weld` also two orientations. Their rows hold from
// both sides and follow those that are linear in joint coordinates.
//#import common
//#import solve

// Position and velocity of a point fixed to a body, and its acceleration when no dof accelerates.
struct BodyPoint { pos: vec3<f32>, offset: vec3<f32>, velocity: vec3<f32>, spin: vec3<f32>, drift: vec3<f32>, rotation_drift: vec3<f32> }

fn body_point(b: u32, local: vec3<f32>) -> BodyPoint {
    let pose = scratch_base + SCRATCH_POSE + 2u * b;
    let motion = scratch_base + SCRATCH_MOTION + 4u * b;
    let pos = scratch[pose].xyz + rotate(scratch[pose + 1u], local);
    let offset = pos - scratch[scratch_base + SCRATCH_COM + index(BODY_ROOT + b)].xyz;
    let spin = scratch[motion].xyz;
    let velocity = scratch[motion + 1u].xyz + cross(spin, offset);
    let rotation_drift = scratch[motion + 2u].xyz;
    let drift = scratch[motion + 3u].xyz + cross(rotation_drift, offset) + cross(spin, velocity);
    return BodyPoint(pos, offset, velocity, spin, drift, rotation_drift);
}

// One if this lane's dof moves a body, zero otherwise.
fn moves(body: u32) -> f32 {
    if (lane >= NV) { return 0.0; }
    return f32((index(BODY_DOFS + body * NWORD + (lane >> 5u)) >> (lane & 31u)) & 1u);
}

// Vector part of q₂⁻¹ ω q₁, times a half and the scale of torques.
fn rotated(inverse2: vec4<f32>, spin: vec3<f32>, q1: vec4<f32>, scale: f32) -> vec3<f32> {
    return 0.5 * scale * quat_mul(quat_mul(inverse2, vec4<f32>(0.0, spin)), q1).yzw;
}

fn conjugate(q: vec4<f32>) -> vec4<f32> { return vec4<f32>(q.x, -q.yzw); }

fn body_equalities() {
    var angular = vec3<f32>(0.0);
    var linear = vec3<f32>(0.0);
    if (lane < NV) {
        angular = scratch[scratch_base + SCRATCH_CDOF + 2u * lane].xyz;
        linear = scratch[scratch_base + SCRATCH_CDOF + 2u * lane + 1u].xyz;
    }
    for (var e = 0u; e < NBODYEQ; e++) {
        let b1 = index(EQUALITY_BODIES + 2u * e);
        let b2 = index(EQUALITY_BODIES + 2u * e + 1u);
        let at = EQUALITY_NUMBERS + EQUALITY_SIZE * e;
        let row = NLINEAR + index(EQUALITY_ROW + e);
        let is_weld = index(EQUALITY_ROW + e + 1u) - index(EQUALITY_ROW + e) == 6u;
        let p1 = body_point(b1, number3(at));
        let p2 = body_point(b2, number3(at + 3u));
        let m1 = moves(b1);
        let m2 = moves(b2);
        let shift = m1 * (linear + cross(angular, p1.offset)) - m2 * (linear + cross(angular, p2.offset));
        for (var k = 0u; k < 3u; k++) { put_jacobian(row + k, shift[k]); }
        var pos = p1.pos - p2.pos;
        var rotation = vec3<f32>(0.0);
        var rotation_velocity = vec3<f32>(0.0);
        var rotation_drift = vec3<f32>(0.0);
        if (is_weld) {
            let scale = number(at + 14u);
            let q1 = quat_mul(scratch[scratch_base + SCRATCH_POSE + 2u * b1 + 1u], number4(at + 6u));
            let q2 = quat_mul(scratch[scratch_base + SCRATCH_POSE + 2u * b2 + 1u], number4(at + 10u));
            let inverse2 = conjugate(q2);
            let column = rotated(inverse2, (m1 - m2) * angular, q1, scale);
            for (var k = 0u; k < 3u; k++) { put_jacobian(row + 3u + k, column[k]); }
            rotation = scale * quat_mul(inverse2, q1).yzw;
            let spin = p1.spin - p2.spin;
            rotation_velocity = rotated(inverse2, spin, q1, scale);
            // product rule, with the rates of both orientations
            let rate1 = 0.5 * quat_mul(vec4<f32>(0.0, p1.spin), q1);
            let rate2 = conjugate(0.5 * quat_mul(vec4<f32>(0.0, p2.spin), q2));
            rotation_drift = rotated(rate2, spin, q1, scale)
                + rotated(inverse2, p1.rotation_drift - p2.rotation_drift, q1, scale)
                + rotated(inverse2, spin, rate1, scale);
        }
        if (lane == 0u) {
            let gains = number2(at + 17u);
            let imp = impedance(at + 19u, sqrt(dot(pos, pos) + dot(rotation, rotation)));
            for (var k = 0u; k < select(3u, 6u, is_weld); k++) {
                let r = row + k;
                let first = k < 3u;
                let j = k % 3u;
                block_info[r] = r | (1u << 16u) | (HOLDS << 24u);
                block_d[r] = 1.0 / regularizer(imp, number(select(at + 16u, at + 15u, first)));
//#if EQUALITY_ACTIVATION
                if (!is_active(EQUALITY_ID + e)) { block_d[r] = 0.0; }
//#end
                let violation = select(rotation[j], pos[j], first);
                let velocity = select(rotation_velocity[j], p1.velocity[j] - p2.velocity[j], first);
                let drift = select(rotation_drift[j], p1.drift[j] - p2.drift[j], first);
                row_f[r] = -gains.y * velocity - gains.x * imp * violation - drift;
            }
        }
    }
    storageBarrier();
    barrier();
}
