//! Times steps of a task with random actions, on one thread, for work on the engine: what a vector
//! environment computes, without Python.
//!
//! `task_time TASK MODEL WORLDS STEPS [ROUNDS [apart]]` prints the microseconds of a step of one world in
//! each round, and a checksum of all observations and rewards, which tells whether a change keeps the bits.
//! With `apart`, worlds are not stepped in lockstep.

use kinetree::batch::{BatchSim, Random, Task};
use kinetree::prelude::*;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, model, worlds, steps, rest @ ..] = &arguments[..] else {
        return Err("usage: task_time TASK MODEL WORLDS STEPS [ROUNDS [apart]]".into());
    };
    let (worlds, steps) = (worlds.parse::<usize>()?, steps.parse::<usize>()?);
    let rounds = rest.first().map_or(Ok(5), |rounds| rounds.parse::<usize>())?;
    let model = Arc::new(load_model(model)?);
    let definition: Arc<dyn Task> = Arc::from(kinetree::tasks::make(task, &model)? as Box<dyn Task>);
    let mut batch = BatchSim::with_task(Arc::clone(&model), worlds, definition)?;
    batch.set_threads(1)?;
    batch.set_lockstep(rest.get(1).is_none_or(|how| how != "apart"));
    batch.set_frame_skip(5);
    batch.set_time_limit(Some(1000));
    // as wide as the noise of the original's first states
    let noise = if task == "Humanoid" { 0.01 } else { 0.1 };
    batch.set_reset(move |_: &Model, data: &mut Data, random: &mut Random| {
        let Data { qpos, qvel, .. } = data;
        qpos.iter_mut().chain(qvel.iter_mut()).for_each(|x| *x += random.uniform(-noise, noise));
    });
    batch.reset_all();
    let mut random = Random::of_world(1, 0);
    let mut checksum = 0_u64;
    for _ in 0..rounds {
        let mut seconds = 0.0;
        for _ in 0..steps.div_ceil(worlds) {
            for row in batch.controls_mut().chunks_exact_mut(model.nu) {
                for (control, [low, high]) in row.iter_mut().zip(&model.actuator_ctrlrange[..]) {
                    *control = random.uniform(*low, *high);
                }
            }
            let start = Instant::now();
            batch.advance();
            let ended: Vec<bool> =
                batch.terminated().iter().zip(batch.truncated()).map(|(a, b)| a | b).collect();
            batch.reset_where(&ended)?;
            seconds += start.elapsed().as_secs_f64();
            for number in batch.observations().iter().chain(batch.rewards()) {
                checksum = checksum.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.to_bits();
            }
        }
        println!("{:.2} µs", 1e6 * seconds / (steps.div_ceil(worlds) * worlds) as f64);
    }
    println!("checksum {checksum:016x}");
    Ok(())
}
