//! Steps worlds of a model on a GPU: `gpu check model.xml` compares accelerations with the processor's in
//! double precision, `gpu corpus folder` does so for all models of a folder, `gpu bench model.xml` measures
//! steps per second, `gpu kernels model.xml` prints what runs, `gpu drift` tells how far energy and momentum
//! drift, `gpu replay model.xml` measures from a keyframe on, `gpu fuzz` makes random models with hostile
//! states. `--f64` chooses double precision.

mod check;
mod corpus;
mod drift;
mod fuzz;
mod replay;

use check::{Random, check};
use corpus::corpus;
use kinetree_gpu::{Gpu, GpuOptions, GpuSim, Precision};
use kinetree_model::Model;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let all = arguments.len();
    arguments.retain(|argument| argument != "--f64");
    let precision = if arguments.len() < all { Precision::Double } else { Precision::Single };
    let options = GpuOptions { precision, ..GpuOptions::default() };
    if let [command, paths @ ..] = &arguments[..]
        && command == "drift"
    {
        return drift::drift(paths);
    }
    let [command, path, rest @ ..] = &arguments[..] else {
        return Err(
            "usage: gpu [--f64] check|bench|kernels MODEL [WORLDS…], gpu [--f64] corpus FOLDER [STATES [FIRST [COUNT]]], \
                    gpu replay MODEL [WORLDS [CONTROLS]], gpu drift [MODEL…], gpu fuzz SEED [CASES]"
                .into(),
        );
    };
    if command == "fuzz" {
        let cases = rest.first().map_or(Ok(10), |text| text.parse())?;
        return fuzz_cases(path.parse()?, cases);
    }
    if command == "replay" {
        return replay::replay(path, rest, options);
    }
    let counts = rest.iter().map(|text| text.parse()).collect::<Result<Vec<usize>, _>>()?;
    if command == "corpus" {
        return corpus(Path::new(path), &counts, precision);
    }
    let model = Arc::new(kinetree_spec::load_model(Path::new(path))?);
    match command.as_str() {
        "check" => check(&model, counts.first().copied().unwrap_or(64), precision),
        "bench" => {
            bench(&model, path, if counts.is_empty() { &[1024, 8192, 32768] } else { &counts }, options)
        }
        "kernels" => {
            let sim = GpuSim::with_options(Gpu::new(None)?, model, 1, options)?;
            sim.kernel_texts().iter().for_each(|text| println!("{text}"));
            Ok(())
        }
        _ => Err(format!("there is no command '{command}'").into()),
    }
}

/// Random models with hostile states, from a seed on: every fourth one has geoms of all shapes.
fn fuzz_cases(first: u64, cases: u64) -> Result<(), Box<dyn Error>> {
    let gpu = Gpu::new(None)?;
    let mut all = fuzz::Found::default();
    let mut wrong = 0;
    for seed in first..first + cases {
        let start = Instant::now();
        match fuzz::case(&gpu, seed, seed % 4 == 0) {
            Ok(found) => {
                println!("{seed}: {found:?} ({:.1} s)", start.elapsed().as_secs_f64());
                all.failed += found.failed;
                all.compared += found.compared;
                all.contacts += found.contacts;
            }
            Err(text) => {
                println!("{text}");
                wrong += 1;
            }
        }
    }
    println!("{cases} cases on {}: {wrong} wrong, {all:?}", gpu.adapter());
    if wrong > 0 { Err("something is wrong".into()) } else { Ok(()) }
}

/// Steps per second for some numbers of worlds, with new random controls every ten steps.
fn bench(
    model: &Arc<Model>,
    path: &str,
    counts: &[usize],
    options: GpuOptions,
) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let gpu = Gpu::new(None)?;
    println!(
        "{path} on {}, opened in {:?}, {:?} precision",
        gpu.adapter(),
        start.elapsed(),
        options.precision
    );
    for &worlds in counts {
        let start = Instant::now();
        let mut sim = GpuSim::with_options(gpu.clone(), Arc::clone(model), worlds, options)?;
        sim.step_all()?;
        println!(
            "{worlds} worlds: {:?} to the first step, {:?} of it compilation",
            start.elapsed(),
            sim.compilation()
        );
        let mut random = Random(1);
        let mut draw = |sim: &mut GpuSim| -> Result<(), Box<dyn Error>> {
            let controls: Vec<f32> = (0..worlds)
                .flat_map(|_| (0..model.nu).map(|u| random.control(model, u) as f32).collect::<Vec<_>>())
                .collect();
            Ok(sim.set_controls(&controls)?)
        };
        // bring the worlds to the ground and the device up to speed
        let warm = Instant::now();
        while warm.elapsed() < Duration::from_secs(1) || sim.solver_totals()?.steps < 300 * worlds as u64 {
            draw(&mut sim)?;
            sim.steps(20)?;
        }
        let before = sim.solver_totals()?;
        let mut times = Vec::new();
        const STEPS: usize = 100;
        for _ in 0..10 {
            draw(&mut sim)?;
            sim.positions()?;
            let start = Instant::now();
            sim.steps(STEPS)?;
            times.push(start.elapsed().as_secs_f64() / (STEPS * worlds) as f64);
        }
        // a round in which capacities grow compiles kernels
        times.sort_by(f64::total_cmp);
        let (best, median) = (times[0], times[times.len() / 2]);
        let after = sim.solver_totals()?;
        let steps = (after.steps - before.steps) as f64;
        let per = |a: u64, b: u64| (b - a) as f64 / steps;
        println!(
            "{worlds} worlds: {:.0} steps/s in the middle, {:.0} best, {:.1} ns a step; iterations {:.2}, rows {:.1}, contacts {:.1}, capacity {:?}",
            1.0 / median,
            1.0 / best,
            1e9 * median,
            per(before.iterations, after.iterations),
            per(before.rows, after.rows),
            per(before.contacts, after.contacts),
            sim.capacity(),
        );
        let profiled = 50;
        for stage in sim.profile(profiled)? {
            println!(
                "  {}: {:.2} ns a step",
                stage.stage,
                stage.time.as_nanos() as f64 / (profiled * worlds) as f64
            );
        }
        println!("  errors: {}", sim.take_errors()?.into_iter().flatten().count());
    }
    Ok(())
}
