//! `kinetree step`: simulates a model and records its trajectory.

use crate::failure::Failure;
use crate::output::{BOLD, Output};
use crate::recording::Recording;
use crate::trajectory_file::TrajectoryFile;
use crate::{controls, interrupt, source};
use indicatif::{ProgressBar, ProgressStyle};
use kinetree::model::enums::{EnableBit, Warning};
use kinetree::prelude::*;
use kinetree::soft::SoftWorld;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
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

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    if !(args.seconds >= 0.0 && args.seconds.is_finite() && args.rate > 0.0) {
        return Err(Failure::Message("--seconds and --rate must be positive numbers".into()));
    }
    let mut model = source::load(&args.model)?.model;
    model.opt.enableflags |= EnableBit::Energy as i32;
    let mut data = controls::start(&model, args.key.as_deref())?;
    controls::set(&model, &mut data, &args.ctrl)?;
    let file = TrajectoryFile::open(args.out.as_deref())?;

    interrupt::watch();
    let start = Instant::now();
    let mut recording = Recording::new(&model);
    let steps = simulate(args, &model, &mut data, &mut recording)?;
    let spent = start.elapsed();
    let is_standard = file.is_standard();
    file.write(&recording, out)?;
    if !is_standard {
        summarize(args, &model, &data, steps, &recording, spent, out)?;
    }
    if interrupt::pressed() { Err(Failure::Interrupted) } else { Ok(()) }
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
