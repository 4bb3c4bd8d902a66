//! A hash of every bit of the compiled model and of a driven trajectory, for each model file given: two
//! builds that print the same lines compute the same numbers. `.ci/same_bits` compares builds with and
//! without AVX2, `crates/wasm/tests/same_bits.mjs` WebAssembly with the native build.
//!
//! `cargo run --release -p kinetree-spec --example trajectory_bits -- [--steps N] models/*.xml`

use kinetree_model::{Data, Model};
use kinetree_sim::{StepError, mj_step};
use kinetree_spec::load_model;

/// Fowler–Noll–Vo hash (FNV-1a) of a stream of bytes.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|x| self.add(&x.to_bits().to_le_bytes()));
    }
}

/// Hash of the model and of steps in which each control swings at its own rate.
fn trajectory_hash(model: &Model, steps: u32) -> Result<u64, StepError> {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    hash.add(&model.to_bytes());
    let mut data = Data::new(model);
    for step in 0..steps {
        for (i, ctrl) in data.ctrl.iter_mut().enumerate() {
            let phase = (step * (3 + i as u32)) % 64;
            *ctrl = f64::from(phase) / 32.0 - 1.0;
        }
        mj_step(model, &mut data)?;
        let Data { qpos, qvel, act, qacc, qfrc_constraint, sensordata, efc_force, .. } = &data;
        let arrays: [&[f64]; 7] = [qpos, qvel, act, qacc, qfrc_constraint, sensordata, efc_force];
        arrays.into_iter().for_each(|array| hash.add_numbers(array));
        data.contact[..data.ncon].iter().for_each(|contact| hash.add_numbers(&contact.pos));
    }
    Ok(hash.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut steps = 200;
    if arguments.first().is_some_and(|first| first == "--steps") {
        steps = arguments.get(1).ok_or("--steps needs a number")?.parse()?;
        arguments.drain(..2);
    }
    for path in arguments {
        let model = load_model(&path)?;
        println!("{:016x} {path}", trajectory_hash(&model, steps)?);
    }
    Ok(())
}
