//! `kinetree convert`: writes a model in another format: MJCF text, a compiled binary file, or the compiled
//! model as text to read and compare.

use crate::failure::Failure;
use crate::output::Output;
use crate::source;
use kinetree::model::{FloatFormat, model_text};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a model as MJCF text (.xml), as a compiled binary model (.mjb) that loads at once and needs no
/// meshes or textures, or as a listing of what was compiled (.txt): sizes, options and the fields of each
/// element, in the layout of `mj_printModel`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree convert my_robot.urdf my_robot.xml\n  kinetree convert my_robot.xml my_robot.mjb\n  kinetree bench my_robot.mjb\n  kinetree convert my_robot.xml my_robot.txt"
)]
pub(crate) struct Args {
    /// File or embedded model.
    #[arg(value_name = "IN")]
    input: String,
    /// File to write; its ending, .xml, .mjb or .txt, says in which format.
    #[arg(value_name = "OUT")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    let ending = args.output.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let bytes = match ending.as_str() {
        "mjb" => source::load(&args.input)?.model.to_bytes(),
        "txt" => model_text(&source::load(&args.input)?.model, &FloatFormat::default()).into_bytes(),
        "xml" | "mjcf" => to_text(&args.input, &args.output)?.into_bytes(),
        _ => {
            return Err(Failure::WithHelp(
                format!("unsupported: writing '{}' files", args.output.display()),
                "use the ending .xml for MJCF text, .mjb for a binary model or .txt for a listing".into(),
            ));
        }
    };
    std::fs::write(&args.output, &bytes).map_err(|error| Failure::file("write", &args.output, &error))?;
    if out.json {
        out.value(&json!({ "output": args.output.display().to_string(), "bytes": bytes.len() }))?;
    } else {
        writeln!(out, "wrote {} ({} bytes)", args.output.display(), bytes.len())?;
    }
    Ok(())
}

/// The model as MJCF text that finds its assets from where it will lie.
pub(crate) fn to_text(input: &str, output: &Path) -> Result<String, Failure> {
    let spec = source::describe(input)?;
    let folder = output.parent().unwrap_or(Path::new(""));
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let text = spec.to_xml_in(&folder.to_string_lossy(), None);
    text.map_err(|error| Failure::Message(error.to_string()))
}
