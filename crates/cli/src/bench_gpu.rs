//! `kinetree bench --gpu`: how fast thousands of worlds of a model are simulated on a GPU.

use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output};
use crate::{interrupt, source};
use kinetree::gpu::{Gpu, GpuError, GpuOptions, GpuSim, Precision, SolverTotals};
use kinetree::prelude::*;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps between looks for Ctrl-C.
const PIECE: usize = 64;

/// Precision of numbers on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Bits {
    /// Single precision.
    F32,
    /// Double precision, where the device has it.
    F64,
}

impl Bits {
    fn precision(self) -> Precision {
        match self {
            Self::F32 => Precision::Single,
            Self::F64 => Precision::Double,
        }
    }
}

/// What is timed.
pub(crate) struct Request<'a> {
    pub(crate) worlds: usize,
    pub(crate) steps: u64,
    pub(crate) adapter: Option<&'a str>,
    pub(crate) precision: Option<Bits>,
}

/// All worlds of one model together.
struct Summary {
    name: String,
    model: Arc<Model>,
    worlds: usize,
    compilation: Duration,
    time: Duration,
    totals: SolverTotals,
    resets: usize,
}

/// Times models; those of `names` that the user did not choose may be refused.
pub(crate) fn run(
    names: &[String],
    chosen: bool,
    request: &Request<'_>,
    out: &mut Output,
) -> Result<(), Failure> {
    let gpu = Gpu::new(request.adapter)?;
    if !out.json {
        header(&gpu, request, out)?;
    }
    let mut values = Vec::new();
    for name in names {
        let model = Arc::new(source::load(name)?.model);
        match measure(name, &gpu, model, request) {
            Err(GpuError::Unsupported(_)) if !chosen && !out.json => {
                writeln!(out, "{name:<20} {DIM}has elements that a GPU does not simulate{DIM:#}")?;
            }
            Err(GpuError::Unsupported(_)) if !chosen => (),
            Err(problem) => return Err(problem.into()),
            Ok(summary) if out.json => values.push(summary.value()),
            Ok(summary) => summary.print(out)?,
        }
        if interrupt::pressed() {
            return Err(Failure::Interrupted);
        }
        out.finish()?;
    }
    if out.json {
        let version = env!("CARGO_PKG_VERSION");
        out.value(&json!({ "version": version, "adapter": gpu.adapter(), "results": values }))?;
    }
    Ok(())
}

fn header(gpu: &Gpu, request: &Request<'_>, out: &mut Output) -> Result<(), Failure> {
    writeln!(out, "{DIM}{}: {} steps of {} worlds{DIM:#}", gpu.adapter(), request.steps, request.worlds)?;
    writeln!(
        out,
        "{BOLD}{:<20} {:>5} {:>10} {:>8} {:>11} {:>12} {:>12} {:>10}{BOLD:#}",
        "model", "dofs", "contacts", "rows", "iterations", "steps/s", "× real time", "compiled"
    )?;
    out.finish()?;
    Ok(())
}

fn measure(name: &str, gpu: &Gpu, model: Arc<Model>, request: &Request<'_>) -> Result<Summary, GpuError> {
    let precision = request.precision.map_or(Precision::Single, Bits::precision);
    let options = GpuOptions { precision, ..GpuOptions::default() };
    let mut sim = GpuSim::with_options(gpu.clone(), model.clone(), request.worlds, options)?;
    advance(&mut sim, (request.steps / 10).max(1))?;
    let before = sim.solver_totals()?;
    sim.take_errors()?;
    let start = Instant::now();
    advance(&mut sim, request.steps)?;
    let after = sim.solver_totals()?;
    let time = start.elapsed();
    let resets = sim.take_errors()?.iter().flatten().count();
    let totals = SolverTotals {
        steps: after.steps - before.steps,
        iterations: after.iterations - before.iterations,
        rows: after.rows - before.rows,
        contacts: after.contacts - before.contacts,
    };
    let (compilation, worlds) = (sim.compilation(), request.worlds);
    Ok(Summary { name: name.to_owned(), model, worlds, compilation, time, totals, resets })
}

fn advance(sim: &mut GpuSim, steps: u64) -> Result<(), GpuError> {
    let mut left = steps as usize;
    while left > 0 && !interrupt::pressed() {
        sim.steps(left.min(PIECE))?;
        left = left.saturating_sub(PIECE);
    }
    Ok(())
}

impl Summary {
    fn steps_per_second(&self) -> f64 {
        self.totals.steps as f64 / self.time.as_secs_f64().max(1e-9)
    }

    fn per_step(&self, count: u64) -> f64 {
        count as f64 / self.totals.steps.max(1) as f64
    }

    fn real_time_factor(&self) -> f64 {
        self.steps_per_second() * self.model.opt.timestep
    }

    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        writeln!(
            out,
            "{:<20} {:>5} {:>10.1} {:>8.1} {:>11.2} {:>12.0} {:>12.1} {:>8.1} s",
            self.name,
            self.model.nv,
            self.per_step(self.totals.contacts),
            self.per_step(self.totals.rows),
            self.per_step(self.totals.iterations),
            self.steps_per_second(),
            self.real_time_factor(),
            self.compilation.as_secs_f64(),
        )?;
        if self.resets > 0 {
            writeln!(out, "  {BOLD}unstable: {} worlds were reset{BOLD:#}", self.resets)?;
        }
        Ok(())
    }

    fn value(&self) -> Value {
        json!({
            "model": self.name,
            "dofs": self.model.nv,
            "timestep": self.model.opt.timestep,
            "worlds": self.worlds,
            "steps": self.totals.steps,
            "seconds": self.time.as_secs_f64(),
            "steps_per_second": self.steps_per_second(),
            "real_time_factor": self.real_time_factor(),
            "contacts_per_step": self.per_step(self.totals.contacts),
            "rows_per_step": self.per_step(self.totals.rows),
            "iterations_per_step": self.per_step(self.totals.iterations),
            "compilation_seconds": self.compilation.as_secs_f64(),
            "resets": self.resets,
        })
    }
}
