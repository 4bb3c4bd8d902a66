//! `kinetree deps`: the files that a model is made of.

use crate::failure::Failure;
use crate::output::Output;
use crate::source;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// List the files that a model names, one a line: includes, other models, meshes, textures, height fields and
/// skins, and the file itself. They need not be there.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree deps my_robot.xml\n  kinetree deps my_robot.xml | tar -czf robot.tar.gz -T -\n  kinetree deps --missing my_robot.urdf"
)]
pub(crate) struct Args {
    /// File: MJCF, URDF or a binary model.
    #[arg(value_name = "FILE")]
    file: String,
    /// List only the files that are not there.
    #[arg(long)]
    missing: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    let mut found: Vec<(String, bool)> = Vec::new();
    for file in source::files(&args.file)? {
        let exists = Path::new(&file).exists();
        found.push((file, exists));
    }
    found.retain(|(_, exists)| !(args.missing && *exists));
    if out.json {
        let files: Value =
            found.iter().map(|(file, exists)| json!({ "file": file, "exists": exists })).collect();
        return Ok(out.value(&json!({ "files": files }))?);
    }
    for (file, _) in &found {
        writeln!(out, "{file}")?;
    }
    Ok(())
}
