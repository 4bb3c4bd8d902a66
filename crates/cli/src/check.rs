//! `kinetree check`: reads and compiles models and reports everything that is wrong with them.

use crate::advice::advice;
use crate::failure::{Failure, count_errors};
use crate::output::{BOLD, GOOD, Output, colored, diagnostic_value};
use crate::source;
use kinetree::prelude::*;
use kinetree::soft::SoftWorld;
use kinetree::spec::Diagnostic;
use kinetree::spec::diagnostics::Severity;
use serde_json::{Value, json};
use std::io::Write;

/// Check models and explain every fault, with the place in the text.
///
/// Besides what is wrong, it warns of what is rarely meant: ranges in the wrong unit of angle, geoms that
/// overlap violently in the first state, extreme ratios of masses, robots of which nothing collides, time
/// steps that are too long for a stiffness, actuators without limits.
///
/// Exits with 1 when a model has an error; warnings alone are accepted.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree check my_robot.xml\n  kinetree check --json models/*.xml | jq '.models[] | select(.ok | not)'"
)]
pub(crate) struct Args {
    /// Files or embedded models.
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    let mut values = Vec::new();
    let mut refused = 0;
    for name in &args.models {
        let findings = findings(name)?;
        let ok = findings.iter().all(|finding| finding.severity != Severity::Error);
        refused += usize::from(!ok);
        if out.json {
            let list: Value = findings.iter().map(diagnostic_value).collect();
            values.push(json!({ "model": name, "ok": ok, "diagnostics": list }));
        } else {
            print(name, ok, &findings, out)?;
        }
    }
    if out.json {
        out.value(&json!({ "ok": refused == 0, "models": values }))?;
    } else if args.models.len() > 1 {
        writeln!(out, "{BOLD}{} models, {refused} refused{BOLD:#}", args.models.len())?;
    }
    out.finish()?;
    if refused == 0 { Ok(()) } else { Err(Failure::Reported) }
}

/// Everything worth saying about a model. A model that cannot be found or read is a finding as well, so that
/// the other models are still checked.
fn findings(name: &str) -> Result<Vec<Diagnostic>, Failure> {
    match source::load(name) {
        Ok(mut loaded) => {
            let mut data = Data::new(&loaded.model);
            let remarks = match mj_forward(&loaded.model, &mut data) {
                Ok(()) => advice(&loaded.model, &data),
                Err(error) => vec![format!("the model is valid but cannot be simulated yet: {error}")],
            };
            let warning = |text| Diagnostic { severity: Severity::Warning, ..Diagnostic::error(text) };
            loaded.warnings.extend(remarks.into_iter().map(warning));
            // what only making the bodies finds, such as a surface that is open
            if let Err(error) = SoftWorld::from_model(&loaded.model) {
                loaded.warnings.push(Diagnostic::error(error.to_string()));
            }
            Ok(loaded.warnings)
        }
        Err(failure) => failure.into_findings(),
    }
}

fn print(name: &str, ok: bool, findings: &[Diagnostic], out: &mut Output) -> Result<(), Failure> {
    for finding in findings {
        writeln!(out, "{}\n", colored(finding))?;
    }
    if ok {
        writeln!(out, "{GOOD}ok{GOOD:#} {name}")?;
    } else {
        writeln!(out, "{BOLD}{name}: {}{BOLD:#}", count_errors(findings))?;
    }
    Ok(())
}
