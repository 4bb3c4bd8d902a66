// What all kernels share: buffers, small vector algebra, and access to the tables of the model.
//
// A world is one workgroup. `lane` is the invocation within it; lanes stand for bodies, joints, dofs, geom
// pairs or constraint rows, whatever a stage works on.

struct Submission {
    // number of steps that each world is to have made
    goal: u32,
    worlds: u32,
    // workgroups in a row of the dispatch grid
    per_row: u32,
    // groups of four numbers in the scratch memory of a world, and contacts that there is room for
    scratch: u32,
    contacts: u32,
    // pairs of a world that may be searched
    candidates: u32,
}

@group(0) @binding(0) var<storage, read> floats: array<f32>;
@group(0) @binding(1) var<storage, read> ints: array<i32>;
@group(0) @binding(2) var<storage, read_write> state: array<f32>;
// worlds that begin anew have the equalities of the model
//#if EQUALITY_ACTIVATION
@group(0) @binding(3) var<storage, read_write> inputs: array<f32>;
//#else
@group(0) @binding(3) var<storage, read> inputs: array<f32>;
//#end
@group(0) @binding(4) var<storage, read_write> scratch: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> status: array<u32>;
// capacities that worlds need, how many worlds have begun anew, lengths of lists, steps of crowded worlds
@group(0) @binding(6) var<storage, read_write> needed: array<atomic<u32>, 12>;
@group(0) @binding(7) var<uniform> submission: Submission;

const FAILURES = 3u;
const CROWDED_STEPS = 8u;

var<private> lane: u32;
var<private> world: u32;
// where the rows of this world begin
var<private> float_base: u32;
var<private> state_base: u32;
var<private> input_base: u32;
var<private> scratch_base: u32;
var<private> status_base: u32;

var<workgroup> go_on: u32;

// Finds this world; false where it has nothing to do in this dispatch.
fn enter(group: vec3<u32>, local: u32) -> bool { return enter_world(group.y * submission.per_row + group.x, local); }

fn enter_world(number_of_world: u32, local: u32) -> bool {
    lane = local;
    world = number_of_world;
    float_base = world * FLOATS_STRIDE;
    state_base = world * STATE_SIZE;
    input_base = world * INPUT_SIZE;
    scratch_base = world * submission.scratch;
    status_base = world * STATUS_SIZE;
    if (lane == 0u) {
        var busy = world < submission.worlds;
        if (busy) {
            busy = status[status_base + STATUS_STEPS] < submission.goal;
        }
        go_on = select(0u, 1u, busy);
    }
    return workgroupUniformLoad(&go_on) != 0u;
}

// Numbers of the model.
fn number(i: u32) -> f32 { return floats[float_base + i]; }
fn number2(i: u32) -> vec2<f32> { return vec2<f32>(number(i), number(i + 1u)); }
fn number3(i: u32) -> vec3<f32> { return vec3<f32>(number(i), number(i + 1u), number(i + 2u)); }
fn number4(i: u32) -> vec4<f32> { return vec4<f32>(number2(i), number2(i + 2u)); }
fn index(i: u32) -> u32 { return u32(ints[i]); }

// Positions and velocities.
fn qpos(i: u32) -> f32 { return state[state_base + STATE_QPOS + i]; }
fn qpos3(i: u32) -> vec3<f32> { return vec3<f32>(qpos(i), qpos(i + 1u), qpos(i + 2u)); }
fn qpos_quat(i: u32) -> vec4<f32> {
    return unit_quat(vec4<f32>(qpos(i), qpos(i + 1u), qpos(i + 2u), qpos(i + 3u)));
}
fn qvel(i: u32) -> f32 { return state[state_base + STATE_QVEL + i]; }

// One number of the scratch memory, by its offset among numbers.
fn put_scratch(i: u32, x: f32) { scratch[scratch_base + (i >> 2u)][i & 3u] = x; }
fn get_scratch(i: u32) -> f32 { return scratch[scratch_base + (i >> 2u)][i & 3u]; }

// Where force and torque of a contact lie in scratch memory, for sensors: behind all contacts.
fn wrench_at(c: u32) -> u32 { return scratch_base + SCRATCH_CONTACT + 3u * submission.contacts + 2u * c; }

// Whether a number is not finite or too large to be believed.
fn is_bad(x: f32) -> bool { return !(abs(x) < 1e10); }

// Sine and cosine: reduction by quarter turns in three parts, then polynomials. The built-in functions
// promise less than single precision.
//#if DOUBLE
fn sine_cosine(x: f32) -> vec2<f32> { return double_sine_cosine(x); }
//#else
fn sine_cosine(x: f32) -> vec2<f32> {
    let quarters = round(x * 0.63661977);
    var r = fma(-quarters, 1.5703125, x);
    r = fma(-quarters, 4.8375129e-4, r);
    r = fma(-quarters, 7.549790e-8, r);
    let r2 = r * r;
    let s = fma(r * r2, fma(r2, fma(r2, -1.9515296e-4, 8.3321609e-3), -1.6666655e-1), r);
    let c = fma(r2 * r2, fma(r2, fma(r2, 2.4433157e-5, -1.3887316e-3), 4.1666646e-2), fma(r2, -0.5, 1.0));
    let quarter = i32(quarters) & 3;
    let swapped = select(vec2<f32>(s, c), vec2<f32>(c, s), (quarter & 1) == 1);
    return vec2<f32>(
        select(swapped.x, -swapped.x, quarter >= 2),
        select(swapped.y, -swapped.y, quarter == 1 || quarter == 2),
    );
}
//#end

// Angle of the point (c, s), with the accuracy of single precision.
//#if DOUBLE
fn angle_of(s: f32, c: f32) -> f32 { return double_atan2(s, c); }
//#else
fn angle_of(s: f32, c: f32) -> f32 {
    let a = abs(s);
    let b = abs(c);
    let high = max(a, b);
    if (high == 0.0) { return 0.0; }
    let swapped = a > b;
    var t = min(a, b) / high;
    var offset = 0.0;
    if (t > 0.41421356) {
        t = (t - 1.0) / (t + 1.0);
        offset = 0.78539816;
    }
    let t2 = t * t;
    let p = fma(fma(fma(8.05374449538e-2, t2, -1.38776856032e-1), t2, 1.99777106478e-1), t2, -3.33329491539e-1);
    var angle = offset + fma(p * t2, t, t);
    if (swapped) { angle = 1.57079633 - angle; }
    if (c < 0.0) { angle = 3.14159265 - angle; }
    return select(angle, -angle, s < 0.0);
}
//#end

// Quaternions have their real part first, in x.
fn unit_quat(q: vec4<f32>) -> vec4<f32> {
    let norm = length(q);
    if (!(norm > 1e-15)) { return vec4<f32>(1.0, 0.0, 0.0, 0.0); }
    return q / norm;
}

fn quat_mul(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.x * b.x - dot(a.yzw, b.yzw), a.x * b.yzw + b.x * a.yzw + cross(a.yzw, b.yzw));
}

fn rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v);
}

fn axis_angle(axis: vec3<f32>, angle: f32) -> vec4<f32> {
    let sc = sine_cosine(0.5 * angle);
    return vec4<f32>(sc.y, sc.x * axis);
}

// Axis times angle of the shorter rotation.
fn rotation_vector(q: vec4<f32>) -> vec3<f32> {
    let s = length(q.yzw);
    if (s < 1e-15) { return vec3<f32>(0.0); }
    var angle = 2.0 * angle_of(s, q.x);
    if (angle > 3.14159265) { angle -= 6.28318531; }
    return q.yzw * (angle / s);
}

// Columns are the axes of the rotated frame.
fn quat_axes(q: vec4<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(
        rotate(q, vec3<f32>(1.0, 0.0, 0.0)),
        rotate(q, vec3<f32>(0.0, 1.0, 0.0)),
        rotate(q, vec3<f32>(0.0, 0.0, 1.0)),
    );
}
