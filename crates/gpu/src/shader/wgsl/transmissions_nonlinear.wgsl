// Lengths and moment arms that depend on positions: spatial tendons, sites, slider-cranks, ball and free joints.
//
// What is not linear in joint coordinates is a sum of pieces. A piece is a pair of wrenches, one on each of two
// bodies, about the centre of mass of their trees; a dof that moves exactly one of them has an arm. Lanes are
// pieces first, then dofs. A model that has one such transmission has the arms of all transmissions in scratch memory.
//#import common
//#import moment_arms
//#import smooth
//#if WRAPPING
//#import wrap
//#end

struct Frame { pos: vec3<f32>, quat: vec4<f32> }

const STRAIGHT = 0;
const AROUND_SPHERE = 1;
const AROUND_CYLINDER = 2;
const AT_SITE = 3;
const BETWEEN_SITES = 4;
const CRANK = 5;

fn attached(b: u32, pos: u32, quat: u32) -> Frame {
    let quat_of_body = mem[POSE_AT + NBODY + b];
    return Frame(mem[POSE_AT + b].xyz + rotate(quat_of_body, number3(pos)), quat_mul(quat_of_body, number4(quat)));
}

fn site_frame(s: u32) -> Frame {
    return attached(index(SITE_BODYID + s), SITE_POS + 3u * s, SITE_QUAT + 4u * s);
}

// Stores the wrench of a piece on one of its bodies: a force at a point, and a torque.
fn put_wrench(piece: u32, side: u32, point: vec3<f32>, force: vec3<f32>, torque: vec3<f32>) {
    let at = scratch_base + SCRATCH_PIECE + 4u * piece + 2u * side;
    let com = mem[MEM_COM + index(BODY_ROOT + index(PIECE_BODIES + 2u * piece + side))].xyz;
    scratch[at] = vec4<f32>(torque + cross(point - com, force), 0.0);
    scratch[at + 1u] = vec4<f32>(force, 0.0);
}

fn put_length(piece: u32, x: f32) { scratch[scratch_base + SCRATCH_PIECE + 4u * piece].w = x; }

// A piece of a path that is not there.
fn put_nothing(piece: u32) {
    for (var k = 0u; k < 4u; k++) { scratch[scratch_base + SCRATCH_PIECE + 4u * piece + k] = vec4<f32>(0.0); }
}

// A straight piece of a path; `more` is added to its length.
fn put_straight(piece: u32, from_point: vec3<f32>, to_point: vec3<f32>, scale: f32, more: f32) {
    let d = to_point - from_point;
    let far = length(d);
    let force = scale * select(vec3<f32>(1.0, 0.0, 0.0), d / far, far > 1e-15);
    put_wrench(piece, 0u, from_point, -force, vec3<f32>(0.0));
    put_wrench(piece, 1u, to_point, force, vec3<f32>(0.0));
    put_length(piece, scale * (far + more));
}

fn make_pieces() {
    for (var k = lane; k < NITEM; k += LANES) {
        let piece = index(ITEM_PIECE + k);
        let a = index(ITEM_IDS + 4u * k);
        let b = index(ITEM_IDS + 4u * k + 1u);
        let at = ITEM_NUMBERS + 6u * k;
        let first = site_frame(a);
        let second = site_frame(b);
        switch (ints[ITEM_KIND + k]) {
            case STRAIGHT: { put_straight(piece, first.pos, second.pos, number(at), 0.0); }
//#if WRAPPING
            case AROUND_SPHERE: { put_wrapped(k, piece, first.pos, second.pos, number(at), false); }
            case AROUND_CYLINDER: { put_wrapped(k, piece, first.pos, second.pos, number(at), true); }
//#end
            case AT_SITE: {
                put_nothing(piece);
                put_wrench(piece, 1u, first.pos, rotate(first.quat, number3(at)), rotate(first.quat, number3(at + 3u)));
            }
            case BETWEEN_SITES: { put_relative(piece, a, b, first, second, at); }
            default: { put_crank(piece, first, second, number(at), number(at + 1u)); }
        }
    }
}

// A wrench that is fixed to a reference site; the length is the relative position and rotation along it.
fn put_relative(piece: u32, a: u32, b: u32, site: Frame, reference: Frame, at: u32) {
    let push = number3(at);
    let rotation_gear = number3(at + 3u);
    let force = rotate(reference.quat, push);
    let torque = rotate(reference.quat, rotation_gear);
    // the reference multiplies rotations of sites and bodies in this order
    let quat = quat_mul(number4(SITE_QUAT + 4u * a), mem[POSE_AT + NBODY + index(SITE_BODYID + a)]);
    let back = quat_mul(number4(SITE_QUAT + 4u * b), mem[POSE_AT + NBODY + index(SITE_BODYID + b)]);
    let relative = rotation_vector(quat_mul(vec4<f32>(back.x, -back.yzw), quat));
    put_wrench(piece, 0u, reference.pos, -force, -torque);
    put_wrench(piece, 1u, site.pos, force, torque);
    put_length(piece, dot(force, site.pos - reference.pos) + dot(rotation_gear, relative));
}

// A rod from a crank pin to a slider on the z axis of its site: with v from the slider to the pin and a the axis,
// the slider is at a·v − sqrt((a·v)² + rod² − v·v).
fn put_crank(piece: u32, pin: Frame, slider: Frame, gear: f32, rod: f32) {
    let axis = rotate(slider.quat, vec3<f32>(0.0, 0.0, 1.0));
    let v = pin.pos - slider.pos;
    let along = dot(v, axis);
    let det = along * along + rod * rod - dot(v, v);
    // out of reach, the pin is projected on the axis
    var far = along;
    var force = axis;
    var bend = v;
    if (det > 0.0) {
        let root = sqrt(det);
        let factor = 1.0 - along / root;
        far = along - root;
        force = factor * axis + v / root;
        bend = factor * v;
    }
    put_wrench(piece, 0u, slider.pos, -gear * force, gear * cross(axis, bend));
    put_wrench(piece, 1u, pin.pos, gear * force, vec3<f32>(0.0));
    put_length(piece, gear * far);
}

// Gear axis of an actuator on a ball or free joint, in the frame of the body.
fn rotation_axis(transmission: u32, joint: u32) -> vec3<f32> {
    let is_free = ints[JNT_TYPE + joint] == FREE;
    let axis = number3(TRANSMISSION_GEAR + 6u * transmission + select(0u, 3u, is_free));
    if (ints[TRANSMISSION_IN_PARENT + transmission] == 0) { return axis; }
    let q = qpos_quat(index(JNT_QPOSADR + joint) + select(0u, 3u, is_free));
    return rotate(vec4<f32>(q.x, -q.yzw), axis);
}

fn rotation_arm(transmission: u32, i: u32) -> f32 {
    let joint = ints[TRANSMISSION_BALL + transmission];
    if (joint < 0 || joint != ints[DOF_JNTID + i]) { return 0.0; }
    let k = i - index(JNT_DOFADR + u32(joint));
    if (ints[JNT_TYPE + u32(joint)] == BALL) { return rotation_axis(transmission, u32(joint))[k]; }
    if (k < 3u) { return number(TRANSMISSION_GEAR + 6u * transmission + k); }
    return rotation_axis(transmission, u32(joint))[k - 3u];
}

// Rotation vector of a ball joint along the gear; a free joint has no length.
fn rotation_length(transmission: u32) -> f32 {
    let joint = ints[TRANSMISSION_BALL + transmission];
    if (joint < 0) { return 0.0; }
    if (ints[JNT_TYPE + u32(joint)] != BALL) { return 0.0; }
    let q = qpos_quat(index(JNT_QPOSADR + u32(joint)));
    return dot(rotation_vector(q), rotation_axis(transmission, u32(joint)));
}

fn moves(body: u32, i: u32) -> bool {
    return ((index(BODY_DOFS + body * NWORD + (i >> 5u)) >> (i & 31u)) & 1u) == 1u;
}

// Lengths and arms of all transmissions.
fn nonlinear_transmissions() {
    make_pieces();
    storageBarrier();
    barrier();
    for (var i = lane; i < NV; i += LANES) {
        for (var transmission = 0u; transmission < NTRANSMISSION; transmission++) { put_scratch(arm_offset(transmission, i), nonlinear_arm(transmission, i)); }
        let last = index(DOF_TRANSMISSION_START + i + 1u);
        for (var k = index(DOF_TRANSMISSION_START + i); k < last; k++) {
            let at = arm_offset(index(DOF_TRANSMISSION + k), i);
            put_scratch(at, get_scratch(at) + number(DOF_TRANSMISSION_COEF + k));
        }
    }
    for (var transmission = lane; transmission < NTRANSMISSION; transmission += LANES) {
        var far = rotation_length(transmission);
        let end = index(TRANSMISSION_START + transmission + 1u);
        for (var k = index(TRANSMISSION_START + transmission); k < end; k++) {
            far += number(TRANSMISSION_COEF + k) * qpos(index(TRANSMISSION_QPOSADR + k));
        }
        let last = index(TRANSMISSION_PIECES + 2u * transmission + 1u);
        for (var p = index(TRANSMISSION_PIECES + 2u * transmission); p < last; p++) {
            far += number(TRANSMISSION_SCALE + transmission) * scratch[scratch_base + SCRATCH_PIECE + 4u * p].w;
        }
        put_scratch(4u * SCRATCH_LENGTH + transmission, far);
    }
    storageBarrier();
    barrier();
}

fn nonlinear_arm(transmission: u32, i: u32) -> f32 {
    let motion = spatial(MEM_CDOF + 2u * i);
    var arm = 0.0;
    let last = index(TRANSMISSION_PIECES + 2u * transmission + 1u);
    for (var p = index(TRANSMISSION_PIECES + 2u * transmission); p < last; p++) {
        let second = moves(index(PIECE_BODIES + 2u * p + 1u), i);
        if (second == moves(index(PIECE_BODIES + 2u * p), i)) { continue; }
        let at = scratch_base + SCRATCH_PIECE + 4u * p + select(0u, 2u, second);
        arm += dot(motion.angular, scratch[at].xyz) + dot(motion.linear, scratch[at + 1u].xyz);
    }
    return number(TRANSMISSION_SCALE + transmission) * arm + rotation_arm(transmission, i);
}

fn transmission_length(transmission: u32) -> f32 { return get_scratch(4u * SCRATCH_LENGTH + transmission); }

fn transmission_velocity(transmission: u32) -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < NV; i++) { sum += transmission_arm(transmission, i) * qvel(i); }
    return sum;
}
