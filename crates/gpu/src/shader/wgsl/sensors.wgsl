// Sensors, a lane each: from what the other kernels have left of the beginning of the step, and from the
// accelerations and contact forces that the solver has found.
//#import common
//#import lanes
//#if JOINT_LIMIT_SENSORS || ROW_LIMIT_SENSORS
//#import sensors_limit
//#end
//#if REGION_SENSORS
//#import sensors_region
//#end
//#if CONTACT_SENSORS
//#import sensors_contact
//#end
//#if WRENCH_SENSORS
//#import sensors_wrench
//#end
//#if ENERGY_SENSORS
//#import cluster_dof
//#import sensors_energy
//#end
//#if RANGE_SENSORS
//#import sensors_ray
//#end

@group(0) @binding(8) var<storage, read_write> sensordata: array<f32>;

const JOINT_POS = 0;
const JOINT_VEL = 1;
const TRANSMISSION_POS = 2;
const TRANSMISSION_VEL = 3;
const TRANSMISSION_FRC = 4;
const BALL_QUAT = 5;
const BALL_ANGVEL = 6;
const FRAME_POS = 7;
const FRAME_AXIS = 8;
const FRAME_QUAT = 9;
const FRAME_LINVEL = 10;
const FRAME_ANGVEL = 11;
const FRAME_LINACC = 12;
const FRAME_ANGACC = 13;
const GYRO = 14;
const VELOCIMETER = 15;
const ACCELEROMETER = 16;
const MAGNETOMETER = 17;
const SUBTREE_COM = 18;
const SUBTREE_LINVEL = 19;
const SUBTREE_ANGMOM = 20;
const TOUCH = 21;
const JOINT_ACTFRC = 22;
const CLOCK = 23;
const FORCE = 24;
const TORQUE = 25;
const JOINT_LIMIT = 26;
const BALL_LIMIT = 27;
const TENDON_LIMIT = 28;
const E_POTENTIAL = 29;
const E_KINETIC = 30;
const RANGE = 31;
const TENDON_ACTFRC = 32;
const INSIDE_SITE = 33;
const CAM_PROJECTION = 34;
const NOTHING = 35;

// steps that this world has made since it began
var<private> age: u32;

struct Frame { body: u32, pos: vec3<f32>, quat: vec4<f32> }
struct Motion { angular: vec3<f32>, linear: vec3<f32> }

@compute @workgroup_size(LANES)
fn read_sensors(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    _ = enter(group, local);
    // once for each step that the solver has made; the lower bits count those since the last reset
    if (lane == 0u) {
        go_on = 0u;
        if (world < submission.worlds) {
            go_on = status[status_base + STATUS_FRESH];
            if ((go_on & FRESH) != 0u) { status[status_base + STATUS_FRESH] = (go_on + 1u) & ~FRESH; }
        }
    }
    let mark = workgroupUniformLoad(&go_on);
    if ((mark & FRESH) == 0u) { return; }
    age = mark & ~FRESH;
    for (var s = lane; s < NSENSOR; s += LANES) { read_sensor(s); }
}

fn put(s: u32, k: u32, x: f32) {
    let bounds = number2(SENSOR_BOUNDS + 2u * s);
    // a world that has failed reads nothing
    let value = select(clamp(x, bounds.x, bounds.y), 0.0, is_bad(x));
    sensordata[world * NSENSORDATA + index(SENSOR_ADR + s) + k] = value;
}

fn put3(s: u32, v: vec3<f32>) {
    put(s, 0u, v.x);
    put(s, 1u, v.y);
    put(s, 2u, v.z);
}

fn put_quat(s: u32, q: vec4<f32>) {
    put(s, 0u, q.x);
    put3_from(s, q.yzw);
}

fn put3_from(s: u32, v: vec3<f32>) {
    put(s, 1u, v.x);
    put(s, 2u, v.y);
    put(s, 3u, v.z);
}

fn inverse(q: vec4<f32>) -> vec4<f32> { return vec4<f32>(q.x, -q.yzw); }

fn body_pos(b: u32) -> vec3<f32> { return scratch[scratch_base + SCRATCH_POSE + 2u * b].xyz; }
fn body_quat(b: u32) -> vec4<f32> { return scratch[scratch_base + SCRATCH_POSE + 2u * b + 1u]; }
fn tree_com(b: u32) -> vec3<f32> { return scratch[scratch_base + SCRATCH_COM + index(BODY_ROOT + b)].xyz; }

fn frame_at(b: u32, at: u32) -> Frame {
    let quat = body_quat(b);
    return Frame(b, body_pos(b) + rotate(quat, number3(at)), quat_mul(quat, number4(at + 3u)));
}

// Velocity of a point of a body.
fn velocity_at(b: u32, point: vec3<f32>) -> Motion {
    let at = scratch_base + SCRATCH_BODY + 4u * b;
    let angular = scratch[at].xyz;
    return Motion(angular, scratch[at + 1u].xyz + cross(angular, point - tree_com(b)));
}

// Acceleration of a point of a body, with gravity taken as acceleration of the world; bodies that cannot move
// have none.
fn acceleration_at(b: u32, point: vec3<f32>) -> Motion {
    if (ints[BODY_LASTDOF + b] < 0) { return Motion(); }
    return full_acceleration(b, point);
}

// The same for all bodies.
fn full_acceleration(b: u32, point: vec3<f32>) -> Motion {
    var k = ints[BODY_LASTDOF + b];
    let at = scratch_base + SCRATCH_BODY + 4u * b;
    var angular = scratch[at + 2u].xyz;
    var shift = scratch[at + 3u].xyz - number3(GRAVITY);
    while (k >= 0) {
        let x = state[state_base + STATE_WARM + u32(k)];
        let motion = scratch_base + SCRATCH_CDOF + 2u * u32(k);
        angular += x * scratch[motion].xyz;
        shift += x * scratch[motion + 1u].xyz;
        k = ints[DOF_PARENTID + u32(k)];
    }
    let velocity = velocity_at(b, point);
    return Motion(angular, shift + cross(angular, point - tree_com(b)) + cross(velocity.angular, velocity.linear));
}

fn read_sensor(s: u32) {
    let a = index(SENSOR_IDS + 3u * s);
    let kind = ints[SENSOR_KIND + s];
    switch (kind) {
        case JOINT_POS: { put(s, 0u, get_scratch(4u * SCRATCH_QPOS + a)); }
        case JOINT_VEL: { put(s, 0u, get_scratch(4u * SCRATCH_QVEL + a)); }
        case TRANSMISSION_POS, TRANSMISSION_VEL, TRANSMISSION_FRC: { put(s, 0u, scratch[scratch_base + SCRATCH_TRANSMISSION + a][kind - TRANSMISSION_POS]); }
        case BALL_QUAT: {
            let at = 4u * SCRATCH_QPOS + a;
            put_quat(s, unit_quat(vec4<f32>(get_scratch(at), get_scratch(at + 1u), get_scratch(at + 2u), get_scratch(at + 3u))));
        }
        case BALL_ANGVEL: {
            let at = 4u * SCRATCH_QVEL + a;
            put3(s, vec3<f32>(get_scratch(at), get_scratch(at + 1u), get_scratch(at + 2u)));
        }
        case JOINT_ACTFRC: { put(s, 0u, get_scratch(4u * SCRATCH_DRIVEN + a)); }
        case SUBTREE_COM: { put3(s, subtree_com(a)); }
        case SUBTREE_LINVEL: { put3(s, subtree_velocity(a)); }
        case SUBTREE_ANGMOM: { put3(s, subtree_momentum(a)); }
        case TOUCH: { put(s, 0u, touch_force(s, a)); }
        case CLOCK: { put(s, 0u, f32(age) * TIMESTEP); }
        case NOTHING: { put(s, 0u, 0.0); }
        case TENDON_ACTFRC: {
            var sum = 0.0;
            for (var u = 0u; u < NU; u++) {
                if (ints[SENSOR_TENDON + u] == i32(a)) { sum += scratch[scratch_base + SCRATCH_TRANSMISSION + u].z; }
            }
            put(s, 0u, sum);
        }
//#if JOINT_LIMIT_SENSORS
        case JOINT_LIMIT: {
            let adr = ints[DOF_LIMITADR + a];
            var limit = vec3<f32>(0.0);
            if (adr >= 0) {
                let at = 4u * SCRATCH_LIMIT + 2u * a;
                let forces = vec2<f32>(get_scratch(at), get_scratch(at + 1u));
                let x = get_scratch(4u * SCRATCH_QPOS + u32(adr));
                limit = limit_sensor(x, get_scratch(4u * SCRATCH_QVEL + a), number3(DOF_RANGE + 3u * a), forces);
            }
            put(s, 0u, limit[index(SENSOR_IDS + 3u * s + 2u)]);
        }
//#end
//#if ROW_LIMIT_SENSORS
        case TENDON_LIMIT: {
            let row = 4u * SCRATCH_ROW + index(SENSOR_IDS + 3u * s + 1u);
            let forces = vec2<f32>(get_scratch(row), get_scratch(row + 1u));
            let transmission = scratch[scratch_base + SCRATCH_TRANSMISSION + a];
            let limit = limit_sensor(transmission.x, transmission.y, number3(SENSOR_FRAMES + 14u * s), forces);
            put(s, 0u, limit[index(SENSOR_IDS + 3u * s + 2u)]);
        }
        case BALL_LIMIT: {
            let joint = index(BALL_JNT + a);
            let q = 4u * SCRATCH_QPOS + index(JNT_QPOSADR + joint);
            let v = 4u * SCRATCH_QVEL + index(JNT_DOFADR + joint);
            let rotation = rotation_vector(unit_quat(vec4<f32>(get_scratch(q), get_scratch(q + 1u), get_scratch(q + 2u), get_scratch(q + 3u))));
            let angle = length(rotation);
            let axis = select(vec3<f32>(1.0, 0.0, 0.0), rotation / angle, angle > 1e-15);
            let spin = dot(axis, vec3<f32>(get_scratch(v), get_scratch(v + 1u), get_scratch(v + 2u)));
            let force = get_scratch(4u * SCRATCH_ROW + NFIXED - NBALL + a);
            let bound = number2(BALL_NUMBERS + BALL_SIZE * a);
            let limit = limit_sensor(angle, spin, vec3<f32>(-1e30, bound), vec2<f32>(0.0, force));
            put(s, 0u, limit[index(SENSOR_IDS + 3u * s + 2u)]);
        }
//#end
//#if ENERGY_SENSORS
        case E_POTENTIAL: { put(s, 0u, potential_energy()); }
        case E_KINETIC: { put(s, 0u, kinetic_energy()); }
//#end
//#if RANGE_SENSORS
        case RANGE: { read_range(s, a); }
//#end
//#if CONTACT_SENSORS
        case CONTACT: { read_contacts(s); }
//#end
        default: { read_frame(s, kind, frame_at(a, SENSOR_FRAMES + 14u * s)); }
    }
}

fn read_frame(s: u32, kind: i32, frame: Frame) {
    let back = inverse(frame.quat);
    switch (kind) {
        case GYRO: { put3(s, rotate(back, velocity_at(frame.body, frame.pos).angular)); }
        case VELOCIMETER: { put3(s, rotate(back, velocity_at(frame.body, frame.pos).linear)); }
        case ACCELEROMETER: { put3(s, rotate(back, acceleration_at(frame.body, frame.pos).linear)); }
        case FRAME_LINACC: { put3(s, acceleration_at(frame.body, frame.pos).linear); }
        case FRAME_ANGACC: { put3(s, acceleration_at(frame.body, frame.pos).angular); }
        case MAGNETOMETER: { put3(s, rotate(back, number3(MAGNETIC))); }
//#if WRENCH_SENSORS
        case FORCE, TORQUE: { interaction(s, kind, frame); }
//#end
//#if REGION_SENSORS
        case INSIDE_SITE: { read_inside(s, frame); }
        case CAM_PROJECTION: { read_projection(s, frame); }
//#end
        default: { read_relative(s, kind, frame); }
    }
}

// Poses and velocities in the world, or as seen from a frame that moves itself.
fn read_relative(s: u32, kind: i32, frame: Frame) {
    let reference = ints[SENSOR_IDS + 3u * s + 1u];
    var base = Frame(0u, vec3<f32>(0.0), vec4<f32>(1.0, 0.0, 0.0, 0.0));
    var carried = Motion();
    if (reference >= 0) {
        base = frame_at(u32(reference), SENSOR_FRAMES + 14u * s + 7u);
        carried = velocity_at(base.body, base.pos);
    }
    let back = inverse(base.quat);
    let offset = frame.pos - base.pos;
    switch (kind) {
        case FRAME_POS: { put3(s, rotate(back, offset)); }
        case FRAME_QUAT: { put_quat(s, quat_mul(back, frame.quat)); }
        case FRAME_AXIS: {
            var axis = vec3<f32>(0.0);
            axis[index(SENSOR_IDS + 3u * s + 2u)] = 1.0;
            put3(s, rotate(back, rotate(frame.quat, axis)));
        }
        case FRAME_ANGVEL: { put3(s, rotate(back, velocity_at(frame.body, frame.pos).angular - carried.angular)); }
        default: {
            let relative = velocity_at(frame.body, frame.pos).linear - carried.linear + cross(offset, carried.angular);
            put3(s, rotate(back, relative));
        }
    }
}

fn inertial_pos(b: u32) -> vec3<f32> { return body_pos(b) + rotate(body_quat(b), number3(BODY_IPOS + 3u * b)); }

fn subtree_com(b: u32) -> vec3<f32> {
    let mass = number(BODY_SUBTREEMASS + b);
    if (mass < 1e-15) { return inertial_pos(b); }
    var sum = vec3<f32>(0.0);
    let end = index(BODY_END + b);
    for (var k = b; k < end; k++) { sum += number(BODY_MASS + k) * inertial_pos(k); }
    return sum / mass;
}

fn subtree_velocity(b: u32) -> vec3<f32> {
    var sum = vec3<f32>(0.0);
    let end = index(BODY_END + b);
    for (var k = b; k < end; k++) { sum += number(BODY_MASS + k) * velocity_at(k, inertial_pos(k)).linear; }
    return sum / max(number(BODY_SUBTREEMASS + b), 1e-15);
}

// Angular momentum about the centre of mass of the subtree.
fn subtree_momentum(b: u32) -> vec3<f32> {
    let com = subtree_com(b);
    let drift = subtree_velocity(b);
    var sum = vec3<f32>(0.0);
    let end = index(BODY_END + b);
    for (var k = b; k < end; k++) {
        let point = inertial_pos(k);
        let motion = velocity_at(k, point);
        let quat = quat_mul(body_quat(k), number4(BODY_IQUAT + 4u * k));
        let spin = number3(BODY_INERTIA + 3u * k) * rotate(inverse(quat), motion.angular);
        sum += rotate(quat, spin) + number(BODY_MASS + k) * cross(point - com, motion.linear - drift);
    }
    return sum;
}

// Sum of the normal forces of contacts of the site's body whose normal, drawn from the contact, meets the site.
fn touch_force(s: u32, b: u32) -> f32 {
    let site = frame_at(b, SENSOR_FRAMES + 14u * s);
    let back = inverse(site.quat);
    let contacts = min(status[status_base + STATUS_CONTACTS], submission.contacts);
    var total = 0.0;
    for (var c = 0u; c < contacts; c++) {
        let record = scratch_base + SCRATCH_CONTACT + 3u * c;
        let pair = bitcast<u32>(scratch[record + 1u].w);
        let is_second = index(PAIR_BODIES + 2u * pair + 1u) == b;
        let force = scratch[record + 2u].w;
        if (!(is_second || index(PAIR_BODIES + 2u * pair) == b) || !(force > 0.0)) { continue; }
        let direction = rotate(back, scratch[record + 1u].xyz) * select(1.0, -1.0, is_second);
        let origin = rotate(back, scratch[record].xyz - site.pos);
        if (ray_meets(ints[SENSOR_IDS + 3u * s + 2u], number3(SENSOR_FRAMES + 14u * s + 7u), origin, direction)) {
            total += force;
        }
    }
    return total;
}

const SHAPE_SPHERE = 2;
const SHAPE_CAPSULE = 3;
const SHAPE_ELLIPSOID = 4;
const SHAPE_CYLINDER = 5;

// Whether a ray meets a shape about the origin. All are convex, so that it is enough to know whether some point
// of the ray is inside.
fn ray_meets(shape: i32, size: vec3<f32>, origin: vec3<f32>, direction: vec3<f32>) -> bool {
    if (shape == SHAPE_SPHERE || shape == SHAPE_ELLIPSOID) {
        let scale = select(size, vec3<f32>(size.x), shape == SHAPE_SPHERE);
        let o = origin / scale;
        let d = direction / scale;
        let t = max(-dot(o, d) / max(dot(d, d), 1e-30), 0.0);
        return dot(o + t * d, o + t * d) <= 1.0;
    }
    if (shape == SHAPE_CAPSULE) {
        return ball_meets(vec3<f32>(0.0, 0.0, size.y), size.x, origin, direction)
            || ball_meets(vec3<f32>(0.0, 0.0, -size.y), size.x, origin, direction)
            || tube_meets(size.x, size.y, origin, direction);
    }
    if (shape == SHAPE_CYLINDER) { return tube_meets(size.x, size.y, origin, direction); }
    var span = vec2<f32>(0.0, 1e30);
    for (var k = 0u; k < 3u; k++) { span = within(span, origin[k], direction[k], size[k]); }
    return span.x <= span.y;
}

fn ball_meets(centre: vec3<f32>, radius: f32, origin: vec3<f32>, direction: vec3<f32>) -> bool {
    let t = max(dot(centre - origin, direction), 0.0);
    return distance(origin + t * direction, centre) <= radius;
}

// The part of a span of a line in which a coordinate is at most `reach` from zero.
fn within(span: vec2<f32>, x: f32, rate: f32, reach: f32) -> vec2<f32> {
    if (abs(rate) < 1e-15) { return select(vec2<f32>(1.0, 0.0), span, abs(x) <= reach); }
    let a = (-reach - x) / rate;
    let b = (reach - x) / rate;
    return vec2<f32>(max(span.x, min(a, b)), min(span.y, max(a, b)));
}

fn tube_meets(radius: f32, half: f32, origin: vec3<f32>, direction: vec3<f32>) -> bool {
    var span = within(vec2<f32>(0.0, 1e30), origin.z, direction.z, half);
    let a = dot(direction.xy, direction.xy);
    let b = dot(origin.xy, direction.xy);
    let c = dot(origin.xy, origin.xy) - radius * radius;
    if (a < 1e-15) { return c <= 0.0 && span.x <= span.y; }
    let det = b * b - a * c;
    if (det < 0.0) { return false; }
    span = vec2<f32>(max(span.x, (-b - sqrt(det)) / a), min(span.y, (-b + sqrt(det)) / a));
    return span.x <= span.y;
}
