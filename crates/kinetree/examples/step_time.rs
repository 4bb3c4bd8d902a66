//! Times steps from a given state, for `python -m bench.flexes`, which lets it take turns with MuJoCo.
//!
//! `step_time MODEL STATE STEPS` reads the integration state (`mjSTATE_INTEGRATION`, numbers of eight bytes)
//! from a file. For each line on the standard input it makes that many steps from there and prints the
//! seconds that they took.

use kinetree::model::{STATE_INTEGRATION, mj_set_state};
use kinetree::prelude::*;
use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, state, steps] = &arguments[..] else {
        return Err("usage: step_time MODEL STATE STEPS".into());
    };
    let (model, steps) = (load_model(model)?, steps.parse::<usize>()?);
    let bytes = std::fs::read(state)?;
    let state: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|number| f64::from_le_bytes(*number)).collect();
    let mut data = Data::new(&model);
    for line in stdin().lock().lines() {
        line?;
        mj_set_state(&model, &mut data, &state, STATE_INTEGRATION)?;
        // buffers grow in the first step
        mj_step(&model, &mut data)?;
        let start = Instant::now();
        for _ in 0..steps {
            mj_step(&model, &mut data)?;
        }
        println!("{:e}", start.elapsed().as_secs_f64());
        stdout().flush()?;
    }
    Ok(())
}
