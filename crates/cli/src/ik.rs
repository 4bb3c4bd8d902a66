//! `kinetree ik`: joint values that bring the end of a chain to a target.

use crate::failure::Failure;
use crate::output::{BOLD, DIM, GOOD, Output, print_warnings};
use crate::source;
use kinetree::ik::{Chain, IkError, JointKind, Settings, Solution, Solver, Target};
use serde_json::{Value, json};
use std::io::Write;

/// Inverse kinematics: joint values that bring a link, body, site or geom to a target.
///
/// The target is a position (3 numbers, m) or a position and a unit quaternion (7 numbers, w first), in the
/// frame of the base. The command fails with the nearest pose when the target cannot be reached.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree ik robot.urdf --end tool0 --target 0.4 0.1 0.3\n  kinetree ik robot.urdf --base base_link --end tool0 --target 0.4 0.1 0.3 0 1 0 0 --all --json"
)]
pub(crate) struct Args {
    /// File or embedded model.
    model: String,

    /// Link, body, site or geom that shall reach the target.
    #[arg(long)]
    end: String,

    /// Link, body, site or geom in whose frame the target is given.
    #[arg(long, default_value = "world")]
    base: String,

    /// Position, or position and quaternion.
    #[arg(long, num_args = 3..=7, required = true, allow_negative_numbers = true, value_names = ["X", "Y", "Z", "W", "QX", "QY", "QZ"])]
    target: Vec<f64>,

    /// Joint values to start from, those of the chain in order; the middle of the limits without it.
    #[arg(long, num_args = 1.., allow_negative_numbers = true)]
    seed: Option<Vec<f64>>,

    /// Show all distinct solutions that a search finds, nearest to the seed first.
    #[arg(long)]
    all: bool,

    /// Largest distance from the target (m).
    #[arg(long, default_value_t = Settings::default().position_tolerance)]
    position_tolerance: f64,

    /// Largest angle from the target (rad).
    #[arg(long, default_value_t = Settings::default().rotation_tolerance)]
    rotation_tolerance: f64,
}

impl From<IkError> for Failure {
    fn from(error: IkError) -> Self {
        Failure::Message(error.to_string())
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    let target = target(&args.target)?;
    let loaded = source::load_with_all_links(&args.model)?;
    print_warnings(&loaded.warnings)?;
    let model = loaded.model;
    let chain = Chain::new(&model, &args.base, &args.end)?;
    let settings = Settings {
        position_tolerance: args.position_tolerance,
        rotation_tolerance: args.rotation_tolerance,
        ..Settings::default()
    };
    let mut solver = Solver::new(chain.clone(), settings)?;
    let seed = args.seed.as_deref();
    let mut solutions = if args.all { solver.solve_all(&target, seed, usize::MAX)? } else { Vec::new() };
    if solutions.is_empty() {
        solutions.push(solver.solve(&target, seed)?);
    }
    if out.json {
        out.value(&as_json(&chain, &solutions))?;
    } else {
        print_table(&chain, &solutions, out)?;
    }
    if solutions[0].converged { Ok(()) } else { Err(Failure::Reported) }
}

fn target(numbers: &[f64]) -> Result<Target, Failure> {
    match *numbers {
        [x, y, z] => Ok(Target::position(&[x, y, z])?),
        [x, y, z, w, a, b, c] => Ok(Target::new(&[x, y, z], &[w, a, b, c])?),
        _ => Err(Failure::WithHelp(
            format!("a target has 3 or 7 numbers, not {}", numbers.len()),
            "give a position, or a position and a quaternion (w first)".into(),
        )),
    }
}

fn as_json(chain: &Chain, solutions: &[Solution]) -> Value {
    let solutions: Vec<Value> = solutions
        .iter()
        .map(|s| {
            json!({
                "q": s.q, "converged": s.converged, "position_error": s.position_error,
                "rotation_error": s.rotation_error, "iterations": s.iterations, "restarts": s.restarts,
                "active_limits": s.active_limits,
            })
        })
        .collect();
    let names: Vec<&str> = chain.variables().iter().map(|v| v.name.as_str()).collect();
    json!({ "joints": names, "solutions": solutions })
}

fn print_table(chain: &Chain, solutions: &[Solution], out: &mut Output) -> Result<(), Failure> {
    for (i, solution) in solutions.iter().enumerate() {
        if solutions.len() > 1 {
            writeln!(out, "{BOLD}solution {}{BOLD:#}", i + 1)?;
        }
        let width = chain.variables().iter().map(|v| v.name.len()).max().unwrap_or(0).max(5);
        writeln!(out, "{DIM}{:width$}  {:>12}  {:>12}  {:>12}{DIM:#}", "joint", "value", "lower", "upper")?;
        for (variable, side) in chain.variables().iter().zip(&solution.active_limits) {
            let values: Vec<String> = solution.q[variable.q_index..][..variable.kind.nq()]
                .iter()
                .map(|q| format!("{q:12.6}"))
                .collect();
            let limit = match side {
                -1 => "  at its lower limit",
                1 => "  at its upper limit",
                _ => "",
            };
            let range = match variable.kind {
                JointKind::Revolute | JointKind::Prismatic => {
                    format!("  {:12.6}  {:12.6}", variable.range[0], variable.range[1])
                }
                JointKind::Ball | JointKind::Free => String::new(),
            };
            writeln!(out, "{:width$}  {}{range}{limit}", variable.name, values.join(" "))?;
        }
        let errors = format!(
            "{:.1e} m and {:.1e} rad from the target after {} steps, {} restarts",
            solution.position_error, solution.rotation_error, solution.iterations, solution.restarts
        );
        if solution.converged {
            writeln!(out, "{GOOD}reached{GOOD:#}: {errors}\n")?;
        } else {
            writeln!(out, "{BOLD}not reached{BOLD:#}: the nearest pose is {errors}\n")?;
        }
    }
    Ok(())
}
