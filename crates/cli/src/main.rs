//! The `kinetree` command: look at models, check, simulate (one world or many), time, convert, plot, draw and
//! view them, list their files, solve their inverse kinematics, control them, and read the manual.
//!
//! One file per subcommand, each with its arguments and a `run` function. What they share: where a model
//! comes from (`source.rs`), how text and JSON leave the program (`output.rs`) and how it fails
//! (`failure.rs`).
#![forbid(unsafe_code)]

mod advice;
mod bench;
#[cfg(feature = "gpu")]
mod bench_gpu;
mod check;
mod controls;
mod convert;
mod deps;
mod docs;
mod embedded;
mod failure;
mod ik;
mod info;
mod interrupt;
mod labels;
mod models;
mod mpc;
mod npz;
mod output;
mod plot;
mod plugins;
mod profile;
mod recording;
#[cfg(feature = "render")]
mod render;
mod rollout;
mod serve;
mod source;
mod step;
mod trajectory_file;
#[cfg(feature = "view")]
mod view;

use clap::{Parser, Subcommand};
use failure::Failure;
use output::Output;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// A MuJoCo-compatible physics engine in pure Rust.
///
/// MODEL is a file (MJCF, URDF or a binary model) or the name of an embedded model: see `kinetree models`.
#[derive(Parser)]
#[command(
    name = "kinetree",
    version,
    after_help = "Examples:\n  kinetree bench\n  kinetree view humanoid\n  kinetree check my_robot.xml\n  kinetree step humanoid --seconds 2 --out fall.csv && kinetree plot fall.csv"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Print JSON for programs instead of text for people.
    #[arg(long, global = true)]
    json: bool,

    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value = "auto")]
    color: clap::ColorChoice,

    /// The version of MuJoCo whose meaning model files have: 3.8 or 4.0.
    #[arg(long, global = true, value_name = "LEVEL", default_value = "3.8")]
    reference: kinetree::Reference,
}

#[derive(Subcommand)]
enum Command {
    Info(info::Args),
    Check(check::Args),
    Step(step::Args),
    Bench(bench::Args),
    Convert(convert::Args),
    Deps(deps::Args),
    Docs(docs::Args),
    Ik(ik::Args),
    Mpc(mpc::Args),
    Plot(plot::Args),
    #[cfg(feature = "render")]
    Render(render::Args),
    Rollout(rollout::Args),
    Serve(serve::Args),
    #[cfg(feature = "view")]
    View(view::Args),
    Models(models::Args),
}

fn main() -> ExitCode {
    if let Err(unsupported) = kinetree::math::check_cpu() {
        return refuse_cpu(unsupported.message());
    }
    run()
}

/// A negative number without a digit before the point gets one: `-.1` would be taken for options.
fn with_leading_zero(arg: OsString) -> OsString {
    match arg.to_str().and_then(|text| text.strip_prefix("-.")) {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => format!("-0.{rest}").into(),
        _ => arg,
    }
}

/// Says that the program cannot run here, by nothing but calls into the standard library, which is compiled
/// for any CPU.
#[cold]
#[inline(never)]
fn refuse_cpu(message: &str) -> ExitCode {
    let mut stderr = std::io::stderr();
    let _ = stderr.write_all(message.as_bytes());
    let _ = stderr.write_all(b"\n");
    ExitCode::FAILURE
}

#[inline(never)]
fn run() -> ExitCode {
    let cli = Cli::parse_from(std::env::args_os().map(with_leading_zero));
    output::set_colors(cli.color);
    let read = match &cli.command {
        Command::Convert(args) => args.from(),
        _ => cli.reference,
    };
    source::set_reference(read);
    let mut out = Output::new(cli.json);
    let result = match &cli.command {
        Command::Info(args) => info::run(args, &mut out),
        Command::Check(args) => check::run(args, &mut out),
        Command::Step(args) => step::run(args, &mut out),
        Command::Bench(args) => bench::run(args, &mut out),
        Command::Convert(args) => convert::run(args, cli.reference, &mut out),
        Command::Deps(args) => deps::run(args, &mut out),
        Command::Docs(args) => docs::run(args, &mut out),
        Command::Ik(args) => ik::run(args, &mut out),
        Command::Mpc(args) => mpc::run(args, &mut out),
        Command::Plot(args) => plot::run(args, &mut out),
        #[cfg(feature = "render")]
        Command::Render(args) => render::run(args, &mut out),
        Command::Rollout(args) => rollout::run(args, &mut out),
        Command::Serve(args) => serve::run(args, &mut out),
        #[cfg(feature = "view")]
        Command::View(args) => view::run(args),
        Command::Models(args) => models::run(args, &mut out),
    };
    // text still in the buffer may be what meets the closed pipe
    match result.and_then(|()| Ok(out.finish()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(&failure, cli.json),
    }
}

/// Tells the user why the command failed and chooses the exit code.
fn report(failure: &Failure, json: bool) -> ExitCode {
    if !failure.is_silent() {
        // nothing more can be done when even this cannot be written
        let _ = output::print_failure(failure, json);
    }
    failure.exit_code()
}
