//! `kinetree rollout`: steps many worlds of a model at once.

use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output};
use crate::{controls, interrupt, npz, source};
use indicatif::{ProgressBar, ProgressStyle};
use kinetree::batch::{BatchSim, Random};
use kinetree::prelude::*;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Step many worlds of a model, with random or recorded controls.
///
/// Random controls are drawn for each world and step, uniformly within the range of each actuator, and do
/// not depend on the number of threads. The file has time (rows), and qpos, qvel, ctrl and sensordata (rows ×
/// worlds × numbers). A world that diverges is counted and reset. Ctrl-C stops and keeps what was
/// recorded.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree rollout humanoid --worlds 256 --steps 1000\n  kinetree rollout arm --controls moves.csv --out swarm.npz --every 10\n  kinetree rollout quadruped --scaling"
)]
pub(crate) struct Args {
    /// File or embedded model.
    model: String,
    /// Number of worlds.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    worlds: u32,
    /// Steps of each world.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// A trajectory with columns time and ctrl.NAME, which all worlds follow; random controls without it.
    #[arg(long, value_name = "FILE.csv")]
    controls: Option<PathBuf>,
    /// Controls of actuators without a range are within plus and minus this.
    #[arg(long, default_value_t = 1.0, value_name = "LIMIT")]
    amplitude: f64,
    /// Seed of random controls.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Keyframe to start from, by name or number.
    #[arg(long)]
    key: Option<String>,
    /// Number of threads; zero for one per processor.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    /// Trajectories to write: an .npz file.
    #[arg(long, value_name = "FILE.npz")]
    out: Option<PathBuf>,
    /// Steps from one recorded row to the next.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Also measure how throughput grows with the number of threads.
    #[arg(long)]
    scaling: bool,
}

/// Where controls come from.
enum Drive {
    Random { streams: Vec<Random>, ranges: Vec<[f64; 2]> },
    Recorded(controls::Schedule),
}

impl Drive {
    fn new(args: &Args, model: &Model) -> Result<Self, Failure> {
        if let Some(path) = &args.controls {
            return Ok(Self::Recorded(controls::Schedule::read(model, path)?));
        }
        let range = |i: usize| match model.actuator_ctrllimited[i] {
            0 => [-args.amplitude, args.amplitude],
            _ => model.actuator_ctrlrange[i],
        };
        let streams = (0..args.worlds as usize).map(|world| Random::of_world(args.seed, world)).collect();
        Ok(Self::Random { streams, ranges: (0..model.nu).map(range).collect() })
    }

    /// Sets the controls of all worlds.
    fn apply(&mut self, time: f64, batch: &mut BatchSim) {
        let columns = batch.control_columns().max(1);
        for (world, row) in batch.controls_mut().chunks_exact_mut(columns).enumerate() {
            match self {
                Self::Random { streams, ranges } => {
                    for (control, [low, high]) in row.iter_mut().zip(ranges) {
                        *control = streams[world].uniform(*low, *high);
                    }
                }
                Self::Recorded(schedule) => {
                    for (actuator, value) in schedule.at(time) {
                        row[actuator] = value;
                    }
                }
            }
        }
    }
}

/// Tables of all recorded rows.
#[derive(Default)]
struct Trajectories {
    time: Vec<f64>,
    states: Vec<f64>,
    controls: Vec<f64>,
    sensors: Vec<f64>,
}

/// What came of a run.
struct Run {
    /// Steps of each world.
    steps: u64,
    wall: Duration,
    failures: u64,
}

impl Run {
    /// Steps of single worlds per second.
    fn throughput(&self, worlds: u32) -> f64 {
        self.steps as f64 * f64::from(worlds) / self.wall.as_secs_f64().max(1e-9)
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    if !(args.amplitude >= 0.0 && args.amplitude.is_finite()) {
        return Err(Failure::Message("--amplitude must be a number that is not negative".into()));
    }
    let model = Arc::new(source::load(&args.model)?.model);
    // opened first: a folder that cannot be written to is better known before the work than after it
    let file = args.out.as_deref().map(create).transpose()?;
    interrupt::watch();
    let mut rows = Trajectories::default();
    let run = roll(args, &model, args.threads, file.is_some().then_some(&mut rows))?;
    if let (Some(file), Some(path)) = (file, &args.out) {
        rows.write(&model, args.worlds as usize, file)
            .map_err(|error| Failure::file("write", path, &error))?;
    }
    let scaling = if args.scaling { scale(args, &model)? } else { Vec::new() };
    summarize(args, &run, &scaling, rows.time.len(), out)?;
    if interrupt::pressed() { Err(Failure::Interrupted) } else { Ok(()) }
}

fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    if path.extension().and_then(|ending| ending.to_str()) != Some("npz") {
        return Err(Failure::Message(format!("'{}' should end in .npz", path.display())));
    }
    let file = File::create(path).map_err(|error| Failure::file("write", path, &error))?;
    Ok(BufWriter::new(file))
}

/// Steps all worlds to the end or to Ctrl-C.
fn roll(
    args: &Args,
    model: &Arc<Model>,
    threads: u32,
    mut rows: Option<&mut Trajectories>,
) -> Result<Run, Failure> {
    let mut batch = BatchSim::new(Arc::clone(model), args.worlds as usize);
    batch.set_threads(threads as usize).map_err(|error| Failure::Message(error.to_string()))?;
    let first = controls::start(model, args.key.as_deref())?;
    batch.set_reset(move |_: &Model, data: &mut Data, _: &mut Random| *data = first.clone());
    batch.reset_all();
    let mut drive = Drive::new(args, model)?;
    let bar = progress_bar(args.steps);
    let mut run = Run { steps: 0, wall: Duration::ZERO, failures: 0 };
    while run.steps < args.steps && !interrupt::pressed() {
        let start = Instant::now();
        let time = run.steps as f64 * model.opt.timestep;
        drive.apply(time, &mut batch);
        batch.advance();
        run.steps += 1;
        run.failures += batch.errors().iter().flatten().count() as u64;
        run.wall += start.elapsed();
        if let Some(rows) = rows.as_deref_mut().filter(|_| run.steps.is_multiple_of(args.every)) {
            rows.push(time + model.opt.timestep, &batch);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(run)
}

fn progress_bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:40} {percent:>3}%  {per_sec} of all worlds, {eta} left")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// The same run on one thread, two, four, and so on up to the number of processors.
fn scale(args: &Args, model: &Arc<Model>) -> Result<Vec<(u32, f64)>, Failure> {
    let all = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, |count| count.get() as u32),
        threads => threads,
    };
    let mut table = Vec::new();
    let mut threads = 1;
    while threads <= all && !interrupt::pressed() {
        table.push((threads, roll(args, model, threads, None)?.throughput(args.worlds)));
        threads = if threads < all { (2 * threads).min(all) } else { all + 1 };
    }
    Ok(table)
}

impl Trajectories {
    fn push(&mut self, time: f64, batch: &BatchSim) {
        self.time.push(time);
        self.states.extend_from_slice(batch.states());
        self.controls.extend_from_slice(batch.controls());
        self.sensors.extend_from_slice(batch.sensors());
    }

    fn write(&self, model: &Model, worlds: usize, file: BufWriter<File>) -> std::io::Result<()> {
        let (rows, width) = (self.time.len(), model.nq + model.nv);
        let part = |first: usize, count: usize| {
            let states = self.states.chunks_exact(width.max(1));
            states.flat_map(move |state| state[first..first + count].iter().copied())
        };
        let mut writer = npz::Writer::new(file);
        writer.add("time", &[rows], self.time.iter().copied())?;
        writer.add("qpos", &[rows, worlds, model.nq], part(0, model.nq))?;
        writer.add("qvel", &[rows, worlds, model.nv], part(model.nq, model.nv))?;
        writer.add("ctrl", &[rows, worlds, model.nu], self.controls.iter().copied())?;
        writer.add("sensordata", &[rows, worlds, model.nsensordata], self.sensors.iter().copied())?;
        writer.finish()
    }
}

fn summarize(
    args: &Args,
    run: &Run,
    scaling: &[(u32, f64)],
    rows: usize,
    out: &mut Output,
) -> Result<(), Failure> {
    let throughput = run.throughput(args.worlds);
    let file = args.out.as_ref().map(|path| path.display().to_string());
    let one = scaling.first().map_or(f64::NAN, |(_, speed)| *speed);
    let efficiency = |threads: u32, speed: f64| speed / one / f64::from(threads);
    if out.json {
        let table: Vec<_> = scaling
            .iter()
            .map(|&(threads, speed)| {
                json!({ "threads": threads, "steps_per_second": speed, "efficiency": efficiency(threads, speed) })
            })
            .collect();
        return Ok(out.value(&json!({
            "worlds": args.worlds, "steps": run.steps, "wall_seconds": run.wall.as_secs_f64(),
            "steps_per_second": throughput, "failures": run.failures, "rows": rows, "file": file, "scaling": table,
        }))?);
    }
    let seconds = run.wall.as_secs_f64();
    writeln!(
        out,
        "{} steps of {} worlds in {seconds:.3} s: {BOLD}{throughput:.0} steps/s{BOLD:#}",
        run.steps, args.worlds
    )?;
    if run.failures > 0 {
        writeln!(out, "{BOLD}{} worlds diverged and were reset{BOLD:#}", run.failures)?;
    }
    if let Some(file) = file {
        writeln!(out, "wrote {rows} rows of {} worlds to {file}", args.worlds)?;
    }
    if !scaling.is_empty() {
        writeln!(out, "{BOLD}{:>8} {:>12} {:>11}{BOLD:#}", "threads", "steps/s", "efficiency")?;
        for &(threads, speed) in scaling {
            writeln!(out, "{threads:>8} {speed:>12.0} {:>11.2}", efficiency(threads, speed))?;
        }
        writeln!(out, "{DIM}efficiency: throughput of a thread, of that of one thread alone{DIM:#}")?;
    }
    Ok(())
}
