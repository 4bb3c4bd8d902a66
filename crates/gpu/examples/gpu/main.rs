//! Steps worlds of a model on a GPU: `gpu check model.xml` compares accelerations with the processor's in
//! double precision, `gpu bench model.xml` measures steps per second, `gpu kernels model.xml` prints what
//! runs, `gpu drift` tells how far energy and momentum drift.

mod drift;

use kinetree_gpu::{Gpu, GpuSim};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, paths @ ..] = &arguments[..]
        && command == "drift"
    {
        return drift::drift(paths);
    }
    let [command, path, rest @ ..] = &arguments[..] else {
        return Err("usage: gpu check|bench|kernels MODEL [WORLDS…], gpu drift [MODEL…]".into());
    };
    let model = Arc::new(kinetree_spec::load_model(Path::new(path))?);
    let counts = rest.iter().map(|text| text.parse()).collect::<Result<Vec<usize>, _>>()?;
    match command.as_str() {
        "check" => check(&model, counts.first().copied().unwrap_or(64)),
        "bench" => bench(&model, path, if counts.is_empty() { &[1024, 8192, 32768] } else { &counts }),
        "kernels" => {
            let sim = GpuSim::new(model, 1)?;
            sim.kernel_texts().iter().for_each(|text| println!("{text}"));
            Ok(())
        }
        _ => Err(format!("there is no command '{command}'").into()),
    }
}

/// Numbers in −1..1 that are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// A control within its range.
    fn control(&mut self, model: &Model, u: usize) -> f64 {
        let [low, high] =
            if model.actuator_ctrllimited[u] != 0 { model.actuator_ctrlrange[u] } else { [-1.0, 1.0] };
        0.5 * (low + high) + 0.5 * (high - low) * self.next()
    }
}

/// State of a world in single precision, as the device has it.
pub(crate) fn state(data: &Data) -> Vec<f32> {
    let parts = [&data.qpos[..], &data.qvel, &data.act, &data.qacc_warmstart];
    parts.into_iter().flatten().map(|&x| x as f32).collect()
}

/// The same rounding on the processor.
fn round(values: &mut [f64]) {
    values.iter_mut().for_each(|x| *x = f64::from(*x as f32));
}

/// A world on its way: after some random steps, in single precision.
fn wander(model: &Model, random: &mut Random, steps: usize) -> Result<Data, Box<dyn Error>> {
    let mut data = Data::new(model);
    for step in 0..steps {
        if step % 8 == 0 {
            (0..model.nu).for_each(|u| data.ctrl[u] = random.control(model, u));
            data.qvel.iter_mut().for_each(|v| *v += 0.05 * random.next());
        }
        mj_step(model, &mut data)?;
    }
    round(&mut data.qpos);
    round(&mut data.qvel);
    round(&mut data.act);
    round(&mut data.ctrl);
    round(&mut data.qacc_warmstart);
    Ok(data)
}

/// Compares one step from random states.
fn check(model: &Arc<Model>, worlds: usize) -> Result<(), Box<dyn Error>> {
    let mut random = Random(7);
    let mut data =
        (0..worlds).map(|k| wander(model, &mut random, 10 + 12 * k)).collect::<Result<Vec<_>, _>>()?;
    let mut sim = GpuSim::new(Arc::clone(model), worlds)?;
    println!("{}, compiled in {:?}, capacity {:?}", sim.gpu().adapter(), sim.compilation(), sim.capacity());
    sim.set_states(&data.iter().flat_map(state).collect::<Vec<_>>())?;
    sim.set_controls(
        &data.iter().flat_map(|d| d.ctrl.iter().map(|&x| x as f32).collect::<Vec<_>>()).collect::<Vec<_>>(),
    )?;
    sim.step_all()?;
    let (acc, vel, pos) = (sim.accelerations()?, sim.velocities()?, sim.positions()?);
    let contacts = sim.contacts()?;
    let mut errors = Vec::new();
    let mut different = 0;
    for (w, data) in data.iter_mut().enumerate() {
        mj_step(model, data)?;
        let pushing = data.contact.iter().filter(|c| c.exclude == 0).count();
        if contacts[w] != pushing {
            different += 1;
            continue;
        }
        let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let error = |a: &[f32], b: &[f64], scale: f64| {
            let apart: Vec<_> = a.iter().zip(b).map(|(a, b)| f64::from(*a) - b).collect();
            length(&apart) / scale.max(1e-3)
        };
        let row = |all: &[f32], n: usize| all[w * n..(w + 1) * n].to_vec();
        // at rest, constraints cancel what would accelerate
        let acceleration = length(&data.qacc).max(length(&data.qacc_smooth));
        errors.push([
            error(&row(&acc, model.nv), &data.qacc, acceleration),
            error(&row(&vel, model.nv), &data.qvel, length(&data.qvel)),
            error(&row(&pos, model.nq), &data.qpos, length(&data.qpos)),
            w as f64,
            pushing as f64,
        ]);
    }
    errors.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let shown = |k: usize| {
        let [a, v, p, w, n] = errors[k];
        format!("acc {a:.1e} vel {v:.1e} pos {p:.1e} (world {w}, {n} contacts)")
    };
    if !errors.is_empty() {
        println!("median: {}", shown(errors.len() / 2));
        println!("worst:  {}", shown(errors.len() - 1));
    }
    println!("{different} of {worlds} worlds have other contacts; solver {:?}", sim.solver_totals()?);
    println!("errors: {:?}", sim.take_errors()?.into_iter().flatten().collect::<Vec<_>>());
    Ok(())
}

/// Steps per second for some numbers of worlds, with new random controls every ten steps.
fn bench(model: &Arc<Model>, path: &str, counts: &[usize]) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let gpu = Gpu::new(None)?;
    println!("{path} on {}, opened in {:?}", gpu.adapter(), start.elapsed());
    for &worlds in counts {
        let start = Instant::now();
        let mut sim = GpuSim::on(gpu.clone(), Arc::clone(model), worlds)?;
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
