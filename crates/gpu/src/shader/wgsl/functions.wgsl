// What functions of the user see: one invocation is one world.

struct KinetreeCall {
    worlds: u32,
    // invocations in a row of the dispatch grid
    per_row: u32,
    seed: u32,
    unused: u32,
}

@group(0) @binding(0) var<storage, read_write> state: array<f32>;
// worlds that begin anew have the equalities of the model
//#if EQUALITY_ACTIVATION
@group(0) @binding(1) var<storage, read_write> inputs: array<f32>;
//#else
@group(0) @binding(1) var<storage, read> inputs: array<f32>;
//#end
@group(0) @binding(2) var<storage, read> scratch: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> sensordata: array<f32>;
@group(0) @binding(4) var<storage, read_write> status: array<u32>;
@group(0) @binding(5) var<storage, read> fields: array<f32>;
@group(0) @binding(6) var<storage, read_write> results: array<f32>;
@group(0) @binding(7) var<storage, read_write> marks: array<u32>;
@group(0) @binding(8) var<uniform> kinetree_call: KinetreeCall;

// The state of a world, which functions that begin episodes may set.
fn qpos(world: u32, i: u32) -> f32 { return state[world * STATE_SIZE + STATE_QPOS + i]; }
fn qvel(world: u32, i: u32) -> f32 { return state[world * STATE_SIZE + STATE_QVEL + i]; }
fn act(world: u32, i: u32) -> f32 { return state[world * STATE_SIZE + STATE_ACT + i]; }
fn set_qpos(world: u32, i: u32, x: f32) { state[world * STATE_SIZE + STATE_QPOS + i] = x; }
fn set_qvel(world: u32, i: u32, x: f32) { state[world * STATE_SIZE + STATE_QVEL + i] = x; }
fn set_act(world: u32, i: u32, x: f32) { state[world * STATE_SIZE + STATE_ACT + i] = x; }

// Controls, and numbers of the user for each world.
fn ctrl(world: u32, i: u32) -> f32 { return inputs[world * INPUT_SIZE + INPUT_CTRL + i]; }
fn field(world: u32, i: u32) -> f32 { return fields[STATE_SIZE + world * NFIELDS + i]; }

// What the last step has left: as on the processor, poses, accelerations, contacts and sensor values are those of its
// beginning.
fn qacc(world: u32, i: u32) -> f32 { return state[world * STATE_SIZE + STATE_WARM + i]; }
fn xpos(world: u32, body: u32) -> vec3<f32> { return scratch[world * SCRATCH_SIZE + SCRATCH_POSE + 2u * body].xyz; }
fn xquat(world: u32, body: u32) -> vec4<f32> { return scratch[world * SCRATCH_SIZE + SCRATCH_POSE + 2u * body + 1u]; }
fn ncon(world: u32) -> u32 { return status[world * STATUS_SIZE + STATUS_CONTACTS]; }

fn set_observation(world: u32, i: u32, x: f32) { results[world * RESULT_SIZE + 2u + i] = x; }

// A number from 0 to 1 (O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for
// random number generation", 2014), each time another one.
fn random(world: u32) -> f32 {
    let draw = marks[kinetree_call.worlds + world];
    marks[kinetree_call.worlds + world] = draw + 1u;
    let bits = kinetree_hash(kinetree_hash(kinetree_hash(kinetree_call.seed) ^ world) ^ draw);
    return f32(bits >> 8u) / 16777216.0;
}

fn kinetree_hash(x: u32) -> u32 {
    let mixed = x * 747796405u + 2891336453u;
    let word = ((mixed >> ((mixed >> 28u) + 4u)) ^ mixed) * 277803737u;
    return (word >> 22u) ^ word;
}
//#if SENSORS
fn sensor(world: u32, i: u32) -> f32 { return sensordata[world * NSENSORDATA + i]; }
//#end
