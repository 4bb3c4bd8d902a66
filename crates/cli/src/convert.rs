//! `kinetree convert`: compiles a model into a binary file that loads without its sources.

use crate::failure::Failure;
use crate::output::Output;
use crate::source;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Compile a model into a binary file that loads at once and needs no meshes or textures.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree convert my_robot.urdf my_robot.ktb\n  kinetree bench my_robot.ktb"
)]
pub(crate) struct Args {
    /// File or embedded model.
    #[arg(value_name = "IN")]
    input: String,
    /// Binary file to write; `.ktb` is the usual ending.
    #[arg(value_name = "OUT")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    refuse_other_formats(&args.output)?;
    let model = source::load(&args.input)?.model;
    let bytes = model.to_bytes();
    std::fs::write(&args.output, &bytes).map_err(|error| Failure::file("write", &args.output, &error))?;
    if out.json {
        out.value(&json!({ "output": args.output.display().to_string(), "bytes": bytes.len() }))?;
    } else {
        writeln!(out, "wrote {} ({} bytes)", args.output.display(), bytes.len())?;
    }
    Ok(())
}

/// Endings that promise a format which is not written.
fn refuse_other_formats(path: &Path) -> Result<(), Failure> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    if ["xml", "mjcf", "urdf", "mjb"].contains(&ending.as_str()) {
        return Err(Failure::WithHelp(
            format!("unsupported: writing .{ending} files"),
            "only binary models can be written; use the ending .ktb".into(),
        ));
    }
    Ok(())
}
