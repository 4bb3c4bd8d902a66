//! `kinetree models`: the embedded models.

use crate::embedded::MODELS;
use crate::failure::Failure;
use crate::output::{BOLD, Output};
use serde_json::{Value, json};
use std::io::Write;

/// List the embedded models, or print one.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  kinetree models\n  kinetree models arm > arm.xml")]
pub(crate) struct Args {
    /// Print the MJCF text of this model.
    name: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    if let Some(name) = &args.name {
        let Some(model) = crate::embedded::find(name) else {
            return Err(Failure::WithHelp(
                format!("there is no embedded model called '{name}'"),
                "`kinetree models` lists them".into(),
            ));
        };
        if out.json {
            out.value(&json!({ "name": model.name, "about": model.about, "xml": model.xml }))?;
        } else {
            out.write_all(model.xml.as_bytes())?;
        }
        return Ok(());
    }
    if out.json {
        let list: Value =
            MODELS.iter().map(|model| json!({ "name": model.name, "about": model.about })).collect();
        return Ok(out.value(&json!({ "models": list }))?);
    }
    for model in MODELS {
        writeln!(out, "{BOLD}{:<10}{BOLD:#} {}", model.name, model.about)?;
    }
    Ok(())
}
