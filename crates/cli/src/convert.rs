//! `kinetree convert`: writes a model in another format: MJCF text, a compiled binary file, or the compiled
//! model as text to read and compare; or at another reference level, with the same physics.

use crate::failure::Failure;
use crate::output::Output;
use crate::source;
use kinetree::model::{FloatFormat, model_text};
use kinetree::spec::{MigrateError, Migration, NoteKind};
use kinetree::{Model, Reference, Spec};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a model as MJCF text (.xml), as a compiled binary model (.mjb) that loads at once and needs no
/// meshes or textures, or as a listing of what was compiled (.txt): sizes, options and the fields of each
/// element, in the layout of `mj_printModel`.
///
/// `--reference` is the level of what is written, `--from` that of what is read. Where they differ, the model
/// is changed so that its physics stay, and each change is told; what would move otherwise is an error.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree convert my_robot.xml my_robot_4.xml --reference 4.0\n  kinetree convert my_robot.urdf my_robot.xml\n  kinetree convert my_robot.xml my_robot.mjb\n  kinetree bench my_robot.mjb\n  kinetree convert my_robot.xml my_robot.txt"
)]
pub(crate) struct Args {
    /// File or embedded model.
    #[arg(value_name = "IN")]
    input: String,
    /// File to write; its ending, .xml, .mjb or .txt, says in which format.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The version of MuJoCo whose meaning IN has: 3.8 or 4.0.
    #[arg(long, value_name = "LEVEL", default_value = "3.8")]
    from: Reference,
    /// Write the model even if it moves otherwise at the level of OUT.
    #[arg(long)]
    allow_differences: bool,
}

impl Args {
    /// The level of the file that is read.
    pub(crate) fn from(&self) -> Reference {
        self.from
    }
}

/// Converts to a file of a reference level.
pub(crate) fn run(args: &Args, to: Reference, out: &mut Output) -> Result<(), Failure> {
    let ending = args.output.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !["mjb", "txt", "xml", "mjcf"].contains(&ending.as_str()) {
        return Err(Failure::WithHelp(
            format!("unsupported: writing '{}' files", args.output.display()),
            "use the ending .xml for MJCF text, .mjb for a binary model or .txt for a listing".into(),
        ));
    }
    let migration = if args.from == to { None } else { Some(migrate(args, to)?) };
    let compiled = || -> Result<Model, Failure> {
        match &migration {
            Some(migration) => Ok(migration.spec.compile()?),
            None => Ok(source::load(&args.input)?.model),
        }
    };
    let bytes = match (ending.as_str(), &migration) {
        ("mjb", _) => compiled()?.to_bytes(),
        ("txt", _) => model_text(&compiled()?, &FloatFormat::default()).into_bytes(),
        (_, Some(migration)) => text_of(&migration.spec, &args.output)?.into_bytes(),
        (_, None) => to_text(&args.input, &args.output)?.into_bytes(),
    };
    std::fs::write(&args.output, &bytes).map_err(|error| Failure::file("write", &args.output, &error))?;
    let notes = migration.map_or_else(Vec::new, |migration| migration.notes);
    if out.json {
        let note = |kind: NoteKind, element: &str, text: &str| json!({ "kind": kind.to_string(), "element": element, "text": text });
        let notes: Vec<_> = notes.iter().map(|n| note(n.kind, &n.element, &n.text)).collect();
        let mut value = json!({ "output": args.output.display().to_string(), "bytes": bytes.len() });
        if args.from != to {
            value["notes"] = json!(notes);
        }
        out.value(&value)?;
    } else {
        for note in &notes {
            writeln!(out, "{}: {note}", note.kind)?;
        }
        writeln!(out, "wrote {} ({} bytes)", args.output.display(), bytes.len())?;
    }
    Ok(())
}

/// The description at another level.
fn migrate(args: &Args, to: Reference) -> Result<Migration, Failure> {
    match source::describe(&args.input)?.migrate(to) {
        Ok(migration) => Ok(migration),
        Err(MigrateError::Differs(migration)) if args.allow_differences => Ok(*migration),
        Err(MigrateError::Compile(errors)) => Err(errors.into()),
        Err(error) => {
            let help = "--allow-differences writes the model nevertheless";
            Err(Failure::WithHelp(error.to_string(), help.into()))
        }
    }
}

/// The model as MJCF text that finds its assets from where it will lie.
pub(crate) fn to_text(input: &str, output: &Path) -> Result<String, Failure> {
    text_of(&source::describe(input)?, output)
}

/// A description as MJCF text that finds its assets from where it will lie.
fn text_of(spec: &Spec, output: &Path) -> Result<String, Failure> {
    let folder = output.parent().unwrap_or(Path::new(""));
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let text = spec.to_xml_in(&folder.to_string_lossy(), None);
    text.map_err(|error| Failure::Message(error.to_string()))
}
