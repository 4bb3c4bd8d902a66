// Sensors of contacts: some of those that a sensor sees, in the order of the processor's list, by distance or by force,
// or all of them as one force.
//#import common
//#import sensors
//#import sensors_region

const CONTACT = 36;
const CONTACT_FOUND = 1u;
const CONTACT_FORCE = 2u;
const CONTACT_TORQUE = 4u;
const CONTACT_DIST = 8u;
const CONTACT_POS = 16u;
const CONTACT_NORMAL = 32u;
const CONTACT_TANGENT = 64u;

const BY_DISTANCE = 1u;
const BY_FORCE = 2u;
const AS_ONE = 3u;

fn contact_at(c: u32) -> u32 { return scratch_base + SCRATCH_CONTACT + 3u * c; }
fn contact_of_pair(c: u32) -> u32 { return bitcast<u32>(scratch[contact_at(c) + 1u].w); }

// How a sensor sees a contact: 0 not at all, 1 as it is, 2 reversed.
fn contact_way(s: u32, k: u32, c: u32) -> u32 {
    let way = index(CONTACT_WAYS + k * NPAIR + contact_of_pair(c));
    let site = ints[SENSOR_IDS + 3u * s + 2u];
    if (way == 0u || site < 0) { return way; }
    let frame = frame_at(index(SENSOR_IDS + 3u * s), SENSOR_FRAMES + 14u * s);
    let p = rotate(inverse(frame.quat), scratch[contact_at(c)].xyz - frame.pos);
    return select(0u, way, is_inside(ints[REGION_SHAPE + u32(site)], number3(REGION_SIZE + 3u * u32(site)), p));
}

// Whether one contact comes before another, by a criterion and then by its index in the list.
fn comes_before(x: f32, c: u32, y: f32, d: u32) -> bool {
    if (x != y) { return x < y; }
    let a = index(PAIR_RANK + contact_of_pair(c));
    let b = index(PAIR_RANK + contact_of_pair(d));
    return a < b || (a == b && c < d);
}

fn contact_criterion(reduce: u32, c: u32) -> f32 {
    let force = scratch[wrench_at(c)].xyz;
    return select(select(0.0, scratch[contact_at(c)].w, reduce == BY_DISTANCE), -dot(force, force), reduce == BY_FORCE);
}

// Writes a field and returns where the next one begins.
fn put_field(s: u32, at: u32, v: vec3<f32>) -> u32 {
    put(s, at, v.x);
    put(s, at + 1u, v.y);
    put(s, at + 2u, v.z);
    return at + 3u;
}

fn read_contacts(s: u32) {
    let k = index(SENSOR_IDS + 3u * s + 1u);
    let spec = index(CONTACT_SETTINGS + 3u * k);
    let reduce = index(CONTACT_SETTINGS + 3u * k + 1u);
    let slots = index(CONTACT_SETTINGS + 3u * k + 2u);
    let contacts = min(status[status_base + STATUS_CONTACTS], submission.contacts);
    var seen = 0u;
    for (var c = 0u; c < contacts; c++) { seen += select(0u, 1u, contact_way(s, k, c) != 0u); }
    var at = 0u;
    if (reduce == AS_ONE) {
        if (slots > 0u) { at = put_net_force(s, k, spec, seen, contacts); }
        slots_left(s, at, spec, select(0u, slots - 1u, slots > 0u));
        return;
    }
    var last = contacts;
    var last_x = 0.0;
    for (var n = 0u; n < slots; n++) {
        // the first behind the one before
        var best = contacts;
        var best_x = 0.0;
        for (var c = 0u; c < contacts; c++) {
            if (contact_way(s, k, c) == 0u) { continue; }
            let x = contact_criterion(reduce, c);
            if (last < contacts && !comes_before(last_x, last, x, c)) { continue; }
            if (best < contacts && !comes_before(x, c, best_x, best)) { continue; }
            best = c;
            best_x = x;
        }
        if (best == contacts) {
            slots_left(s, at, spec, slots - n);
            return;
        }
        at = put_contact(s, at, spec, seen, best, contact_way(s, k, best) == 2u);
        last = best;
        last_x = best_x;
    }
}

// Slots that have no contact.
fn slots_left(s: u32, first: u32, spec: u32, count: u32) {
    let size = countOneBits(spec & (CONTACT_FOUND | CONTACT_DIST))
        + 3u * countOneBits(spec & ~(CONTACT_FOUND | CONTACT_DIST));
    for (var at = first; at < first + count * size; at++) { put(s, at, 0.0); }
}

// One contact, with its wrench in its own frame. A frame that is reversed is rotated by half a turn about its
// third axis, and forces change their sign.
fn put_contact(s: u32, first: u32, spec: u32, seen: u32, c: u32, is_reversed: bool) -> u32 {
    let record = contact_at(c);
    let normal = scratch[record + 1u].xyz;
    let tangent = scratch[record + 2u].xyz;
    let across = cross(normal, tangent);
    let sign = select(1.0, -1.0, is_reversed);
    let force = scratch[wrench_at(c)].xyz;
    let torque = scratch[wrench_at(c) + 1u].xyz;
    var at = first;
    if ((spec & CONTACT_FOUND) != 0u) {
        put(s, at, f32(seen));
        at += 1u;
    }
    if ((spec & CONTACT_FORCE) != 0u) {
        at = put_field(s, at, vec3<f32>(dot(normal, force), dot(tangent, force), sign * dot(across, force)));
    }
    if ((spec & CONTACT_TORQUE) != 0u) {
        at = put_field(s, at, vec3<f32>(dot(normal, torque), dot(tangent, torque), sign * dot(across, torque)));
    }
    if ((spec & CONTACT_DIST) != 0u) {
        put(s, at, scratch[record].w);
        at += 1u;
    }
    if ((spec & CONTACT_POS) != 0u) { at = put_field(s, at, scratch[record].xyz); }
    if ((spec & CONTACT_NORMAL) != 0u) { at = put_field(s, at, sign * normal); }
    if ((spec & CONTACT_TANGENT) != 0u) { at = put_field(s, at, sign * tangent); }
    return at;
}

// Force and torque of all contacts in the world's axes, about the mean of their points weighted by their forces.
fn put_net_force(s: u32, k: u32, spec: u32, seen: u32, contacts: u32) -> u32 {
    var point = vec3<f32>(0.0);
    var weight = 0.0;
    for (var c = 0u; c < contacts; c++) {
        if (contact_way(s, k, c) == 0u) { continue; }
        let size = length(scratch[wrench_at(c)].xyz);
        point += size * scratch[contact_at(c)].xyz;
        weight += size;
    }
    point /= max(weight, 1e-15);
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    for (var c = 0u; c < contacts; c++) {
        let way = contact_way(s, k, c);
        if (way == 0u) { continue; }
        let sign = select(1.0, -1.0, way == 2u);
        let push = sign * scratch[wrench_at(c)].xyz;
        force += push;
        torque += sign * scratch[wrench_at(c) + 1u].xyz + cross(scratch[contact_at(c)].xyz - point, push);
    }
    var at = 0u;
    if ((spec & CONTACT_FOUND) != 0u) {
        put(s, at, f32(seen));
        at += 1u;
    }
    if ((spec & CONTACT_FORCE) != 0u) { at = put_field(s, at, force); }
    if ((spec & CONTACT_TORQUE) != 0u) { at = put_field(s, at, torque); }
    if ((spec & CONTACT_DIST) != 0u) {
        put(s, at, 0.0);
        at += 1u;
    }
    if ((spec & CONTACT_POS) != 0u) { at = put_field(s, at, point); }
    if ((spec & CONTACT_NORMAL) != 0u) { at = put_field(s, at, vec3<f32>(1.0, 0.0, 0.0)); }
    if ((spec & CONTACT_TANGENT) != 0u) { at = put_field(s, at, vec3<f32>(0.0, 1.0, 0.0)); }
    return at;
}
