//! `kinetree step`: simulates a model and records its trajectory.

use crate::failure::Failure;
use crate::output::{BOLD, Output};
use crate::recording::Recording;
use crate::{controls, interrupt, source};
use indicatif::{ProgressBar, ProgressStyle};
use kinetree::model::enums::{EnableBit, Warning};
use kinetree::prelude::*;
use kinetree::soft::SoftWorld;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Simulate a model with constant controls and record the trajectory.
///
/// The file has time, qpos, qvel, ctrl, sensors, energies and the number of contacts: `.csv` with one named
/// column each, `.npz` with one array each under MuJoCo's names. Ctrl-C stops and keeps what was recorded.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree step humanoid --seconds 2 --out fall.csv\n  kinetree step arm --key home --ctrl joint1=0.5,gripper=0 --out grasp.npz\n  kinetree step car --out - | head"
)]
pub(crate) struct Args {
    /// File or embedded model.
    model: String,
    /// Simulated time.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Controls: one value for each actuator, or name=value for some.
    #[arg(long, value_delimiter = ',', value_name = "VALUE|NAME=VALUE", allow_hyphen_values = true)]
    ctrl: Vec<String>,
    /// Keyframe to start from, by name or number.
    #[arg(long)]
    key: Option<String>,
    /// Trajectory to write: a .csv or .npz file, or - for CSV on standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Recorded rows per simulated second.
    #[arg(long, default_value_t = 100.0)]
    rate: f64,
}

/// Where the trajectory goes.
enum Target {
    Nowhere,
    Standard,
    Csv(PathBuf, BufWriter<File>),
    Npz(PathBuf, BufWriter<File>),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    if !(args.seconds >= 0.0 && args.seconds.is_finite() && args.rate > 0.0) {
        return Err(Failure::Message("--seconds and --rate must be positive numbers".into()));
    }
    let mut model = source::load(&args.model)?.model;
    model.opt.enableflags |= EnableBit::Energy as i32;
    let mut data = controls::start(&model, args.key.as_deref())?;
    controls::set(&model, &mut data, &args.ctrl)?;
    // opened first: a folder that cannot be written to is better known before the work than after it
    let target = open(args.out.as_deref())?;

    interrupt::watch();
    let start = Instant::now();
    let mut recording = Recording::new(&model);
    let steps = simulate(args, &model, &mut data, &mut recording)?;
    let spent = start.elapsed();
    write(target, &recording, out)?;
    if args.out.as_deref() != Some(Path::new("-")) {
        summarize(args, &model, &data, steps, &recording, spent, out)?;
    }
    if interrupt::pressed() { Err(Failure::Interrupted) } else { Ok(()) }
}

fn open(path: Option<&Path>) -> Result<Target, Failure> {
    let Some(path) = path else { return Ok(Target::Nowhere) };
    if path == Path::new("-") {
        return Ok(Target::Standard);
    }
    let make = |kind: fn(PathBuf, BufWriter<File>) -> Target| {
        let file = File::create(path).map_err(|error| Failure::file("write", path, &error))?;
        Ok(kind(path.to_owned(), BufWriter::new(file)))
    };
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => make(Target::Csv),
        Some("npz") => make(Target::Npz),
        _ => Err(Failure::Message(format!("'{}' should end in .csv or .npz", path.display()))),
    }
}

/// Steps to the end or to Ctrl-C and returns the number of steps made.
fn simulate(args: &Args, model: &Model, data: &mut Data, recording: &mut Recording) -> Result<u64, Failure> {
    let total = (args.seconds / model.opt.timestep).round() as u64;
    let every = ((1.0 / (args.rate * model.opt.timestep)).round() as u64).max(1);
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3}%  {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    let mut soft = SoftWorld::from_model(model).map_err(|error| Failure::Message(error.to_string()))?;
    // rows are evaluated in a copy, so that recording does not change what is simulated
    let mut probe = Data::new(model);
    let mut step = 0;
    loop {
        if step % every == 0 || step == total {
            probe.copy_from(data).map_err(StepError::from)?;
            mj_forward(model, &mut probe)?;
            recording.push(&probe);
            bar.set_position(step);
        }
        if step == total || interrupt::pressed() {
            bar.finish_and_clear();
            return Ok(step);
        }
        soft.step(model, data).map_err(|error| Failure::Message(error.to_string()))?;
        step += 1;
    }
}

fn write(target: Target, recording: &Recording, out: &mut Output) -> Result<(), Failure> {
    match target {
        Target::Nowhere => Ok(()),
        Target::Standard => Ok(recording.write_csv(out)?),
        Target::Csv(path, mut file) => recording
            .write_csv(&mut file)
            .and_then(|()| file.flush())
            .map_err(|error| Failure::file("write", &path, &error)),
        Target::Npz(path, mut file) => recording.write_npz(&mut file).map_err(|failure| match failure {
            Failure::Output(error) => Failure::file("write", &path, &error),
            other => other,
        }),
    }
}

fn summarize(
    args: &Args,
    model: &Model,
    data: &Data,
    steps: u64,
    recording: &Recording,
    spent: Duration,
    out: &mut Output,
) -> Result<(), Failure> {
    let resets: i32 = [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc]
        .iter()
        .map(|&w| data.warning[w as usize].number)
        .sum();
    let file = args.out.as_ref().map(|path| path.display().to_string());
    let seconds = spent.as_secs_f64();
    if out.json {
        return Ok(out.value(&json!({
            "steps": steps, "time": data.time, "wall_seconds": seconds, "rows": recording.len(), "file": file,
            "unstable": resets > 0, "solver_unconverged": data.solver_unconverged.number, "qpos": data.qpos[..], "qvel": data.qvel[..], "contacts": data.ncon,
        }))?);
    }
    writeln!(
        out,
        "{steps} steps to t = {:.4} s in {seconds:.3} s, {} contacts at the end",
        data.time, data.ncon
    )?;
    if resets > 0 {
        writeln!(
            out,
            "{BOLD}the simulation became unstable and was reset{BOLD:#}; a smaller time step may help"
        )?;
    }
    if let Some(text) = data.solver_text(model) {
        writeln!(out, "{BOLD}{text}{BOLD:#}")?;
    }
    if let Some(file) = file {
        writeln!(out, "wrote {} rows to {file}", recording.len())?;
    }
    Ok(())
}
