//! `kinetree bench`: how fast models are simulated.

#[cfg(feature = "gpu")]
use crate::bench_gpu;
use crate::embedded::MODELS;
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output};
use crate::profile::{Clock, STAGES, timed_step};
use crate::{controls, interrupt, source};
use kinetree::batch::Random;
use kinetree::model::consts::NISLAND;
use kinetree::model::enums::Warning;
use kinetree::prelude::*;
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Time the simulation of models; without a model, of all embedded ones.
///
/// Each thread steps its own world. A tenth of the steps is made before timing starts, so that working memory
/// has grown to its size. Worlds start from the first keyframe, if there is one, with the controls it holds.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree bench\n  kinetree bench humanoid --profile\n  kinetree bench my_robot.xml --threads 8 --steps 10000 --json\n  kinetree bench humanoid --gpu 8192"
)]
pub(crate) struct Args {
    /// Files or embedded models.
    #[arg(value_name = "MODEL")]
    models: Vec<String>,
    /// Number of threads, each with its own world.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Steps per thread.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Keyframe to start from, by name or number; the first one without it.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Add noise to the controls of each step: so much of half the range of an actuator, of 1 where it has
    /// none.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    noise: f64,
    /// Show the time spent in each stage. The clock itself costs a little.
    #[arg(long)]
    profile: bool,
    /// Step so many worlds at a time on a GPU.
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "WORLDS", num_args = 0..=1, default_missing_value = "4096",
          conflicts_with_all = ["threads", "profile", "key", "noise"], value_parser = clap::value_parser!(u32).range(1..))]
    gpu: Option<u32>,
    /// Part of the name of the GPU; the fastest one without it.
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NAME", requires = "gpu")]
    adapter: Option<String>,
    /// Precision of numbers on the GPU; single without it.
    #[cfg(feature = "gpu")]
    #[arg(long, requires = "gpu")]
    precision: Option<bench_gpu::Bits>,
}

/// What one world did while it was timed.
struct Run {
    steps: u64,
    time: Duration,
    contacts: u64,
    rows: u64,
    iterations: u64,
    resets: u64,
    unconverged: u64,
    stages: [Duration; STAGES.len()],
}

/// All worlds of one model together.
struct Summary {
    name: String,
    model: Model,
    threads: u32,
    total: Run,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    interrupt::watch();
    let names: Vec<String> = if args.models.is_empty() {
        MODELS.iter().map(|model| model.name.to_owned()).collect()
    } else {
        args.models.clone()
    };
    #[cfg(feature = "gpu")]
    if let Some(worlds) = args.gpu {
        let request = bench_gpu::Request {
            worlds: worlds as usize,
            steps: args.steps,
            adapter: args.adapter.as_deref(),
            precision: args.precision,
        };
        return bench_gpu::run(&names, !args.models.is_empty(), &request, out);
    }
    if !out.json {
        header(args, out)?;
    }
    let mut values = Vec::new();
    for name in &names {
        let summary = measure(name, args)?;
        if interrupt::pressed() {
            return Err(Failure::Interrupted);
        }
        if out.json {
            values.push(summary.value(args.profile));
        } else {
            summary.print(args.profile, out)?;
            out.finish()?;
        }
    }
    if out.json {
        out.value(&json!({ "version": env!("CARGO_PKG_VERSION"), "results": values }))?;
    }
    Ok(())
}

fn header(args: &Args, out: &mut Output) -> Result<(), Failure> {
    if cfg!(debug_assertions) {
        writeln!(out, "{BOLD}this is a debug build: times mean little, use cargo run --release{BOLD:#}")?;
    }
    writeln!(
        out,
        "{DIM}{} steps on each of {} thread{}{DIM:#}",
        args.steps,
        args.threads,
        if args.threads == 1 { "" } else { "s" }
    )?;
    writeln!(
        out,
        "{BOLD}{:<20} {:>5} {:>10} {:>8} {:>11} {:>12} {:>12}{BOLD:#}",
        "model", "dofs", "contacts", "rows", "iterations", "steps/s", "× real time"
    )?;
    out.finish()?;
    Ok(())
}

fn measure(name: &str, args: &Args) -> Result<Summary, Failure> {
    let model = source::load(name)?.model;
    let first_key = (model.nkey > 0).then_some("0");
    let first = controls::start(&model, args.key.as_deref().or(first_key))?;
    let runs: Vec<Result<Run, StepError>> = std::thread::scope(|scope| {
        let (model, first) = (&model, &first);
        let spawn = |world: u32| scope.spawn(move || run_world(model, first.clone(), args, world as usize));
        let workers: Vec<_> = (0..args.threads).map(spawn).collect();
        // a panic in a worker is a bug and is passed on as one
        workers.into_iter().map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p))).collect()
    });
    let mut total = Run::new();
    for run in runs {
        total.add(&run?);
    }
    Ok(Summary { name: name.to_owned(), model, threads: args.threads, total })
}

fn run_world(model: &Model, mut data: Data, args: &Args, world: usize) -> Result<Run, StepError> {
    let mut noise = Noise::new(model, &data, args.noise, world);
    for _ in 0..(args.steps / 10).max(1) {
        noise.apply(&mut data);
        mj_step(model, &mut data)?;
        if interrupt::pressed() {
            break;
        }
    }
    let mut run = Run::new();
    let mut clock = Clock::new();
    let start = Instant::now();
    while run.steps < args.steps && !interrupt::pressed() {
        noise.apply(&mut data);
        if args.profile {
            timed_step(model, &mut data, &mut clock)?;
        } else {
            mj_step(model, &mut data)?;
        }
        run.steps += 1;
        run.contacts += data.ncon as u64;
        run.rows += data.nefc as u64;
        let islands = data.nisland.clamp(1, NISLAND);
        run.iterations += data.solver_niter[..islands].iter().map(|&n| n.max(0) as u64).sum::<u64>();
    }
    run.time = start.elapsed();
    run.stages = clock.spent;
    let bad = [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc];
    run.unconverged = data.solver_unconverged.number.max(0) as u64;
    run.resets = bad.iter().map(|&w| data.warning[w as usize].number.max(0) as u64).sum();
    Ok(run)
}

/// Controls that change by chance around those of the first state.
struct Noise {
    random: Random,
    /// Middle and half width of each actuator's controls; empty without noise.
    around: Vec<[f64; 2]>,
}

impl Noise {
    fn new(model: &Model, data: &Data, share: f64, world: usize) -> Self {
        let width = |id: usize| match model.actuator_ctrllimited[id] {
            0 => 1.0,
            _ => 0.5 * (model.actuator_ctrlrange[id][1] - model.actuator_ctrlrange[id][0]),
        };
        let actuators = if share == 0.0 { 0 } else { model.nu };
        let around = (0..actuators).map(|id| [data.ctrl[id], share * width(id)]).collect();
        Self { random: Random::of_world(0, world), around }
    }

    fn apply(&mut self, data: &mut Data) {
        for (control, [middle, width]) in data.ctrl.iter_mut().zip(&self.around) {
            *control = middle + width * self.random.uniform(-1.0, 1.0);
        }
    }
}

impl Run {
    fn new() -> Self {
        Run {
            steps: 0,
            time: Duration::ZERO,
            contacts: 0,
            rows: 0,
            iterations: 0,
            resets: 0,
            unconverged: 0,
            stages: [Duration::ZERO; STAGES.len()],
        }
    }

    /// Joins worlds that ran side by side: the slowest one decides the time.
    fn add(&mut self, other: &Run) {
        self.steps += other.steps;
        self.time = self.time.max(other.time);
        self.contacts += other.contacts;
        self.rows += other.rows;
        self.iterations += other.iterations;
        self.resets += other.resets;
        self.unconverged += other.unconverged;
        for (sum, stage) in self.stages.iter_mut().zip(other.stages) {
            *sum += stage;
        }
    }

    fn per_step(&self, count: u64) -> f64 {
        count as f64 / self.steps.max(1) as f64
    }
}

impl Summary {
    fn steps_per_second(&self) -> f64 {
        self.total.steps as f64 / self.total.time.as_secs_f64().max(1e-9)
    }

    fn real_time_factor(&self) -> f64 {
        self.steps_per_second() * self.model.opt.timestep
    }

    /// Name, microseconds per step and share of each stage.
    fn stages(&self) -> Vec<(&'static str, f64, f64)> {
        let all: f64 = self.total.stages.iter().map(Duration::as_secs_f64).sum();
        let steps = self.total.steps.max(1) as f64;
        let stage = |(&name, time): (&&'static str, &Duration)| {
            let seconds = time.as_secs_f64();
            (name, 1e6 * seconds / steps, if all > 0.0 { seconds / all } else { 0.0 })
        };
        STAGES.iter().zip(&self.total.stages).map(stage).collect()
    }

    fn print(&self, profile: bool, out: &mut Output) -> Result<(), Failure> {
        let total = &self.total;
        writeln!(
            out,
            "{:<20} {:>5} {:>10.1} {:>8.1} {:>11.2} {:>12.0} {:>12.1}",
            self.name,
            self.model.nv,
            total.per_step(total.contacts),
            total.per_step(total.rows),
            total.per_step(total.iterations),
            self.steps_per_second(),
            self.real_time_factor()
        )?;
        if total.resets > 0 {
            writeln!(out, "  {BOLD}unstable: reset {} times{BOLD:#}", total.resets)?;
        }
        if total.unconverged > 0 {
            let iterations = self.model.opt.iterations;
            writeln!(
                out,
                "  {BOLD}the solver ran out of its {iterations} iterations {} times{BOLD:#}",
                total.unconverged
            )?;
        }
        if profile {
            for (name, micros, share) in self.stages() {
                let bar = "█".repeat((share * 40.0).round() as usize);
                writeln!(out, "  {name:<28} {micros:>9.2} µs {:>5.1} % {DIM}{bar}{DIM:#}", 100.0 * share)?;
            }
        }
        Ok(())
    }

    fn value(&self, profile: bool) -> Value {
        let total = &self.total;
        let mut value = json!({
            "model": self.name,
            "dofs": self.model.nv,
            "timestep": self.model.opt.timestep,
            "threads": self.threads,
            "steps": total.steps,
            "seconds": total.time.as_secs_f64(),
            "steps_per_second": self.steps_per_second(),
            "real_time_factor": self.real_time_factor(),
            "contacts_per_step": total.per_step(total.contacts),
            "rows_per_step": total.per_step(total.rows),
            "iterations_per_step": total.per_step(total.iterations),
            "resets": total.resets,
            "solver_unconverged": total.unconverged,
        });
        if profile {
            let stage =
                |(name, micros, share)| json!({ "stage": name, "microseconds": micros, "share": share });
            value["stages"] = self.stages().into_iter().map(stage).collect();
        }
        value
    }
}
