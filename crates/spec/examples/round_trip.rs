//! Reads models, writes them as MJCF, reads that again, and compares the compiled arrays:
//! `cargo run --example round_trip -- [--save FOLDER] FILE…`.
//!
//! Integers must agree exactly, floats within 1e-12, and writing what was written must give the same text.
//! With `--save` the text of each model goes into a folder under a name made of its path, so that another
//! engine can load it too.

use std::path::Path;

use kinetree_model::Model;
use kinetree_spec::Spec;

/// Largest difference of a float, relative to the largest value of its array.
const TOLERANCE: f64 = 1e-12;

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let save =
        (files.first().map(String::as_str) == Some("--save")).then(|| files.drain(..2).next_back()).flatten();
    let (mut loaded, mut equal) = (0, 0);
    for file in &files {
        let Ok(spec) = Spec::from_xml_file(file) else { continue };
        let Ok(model) = spec.compile() else { continue };
        loaded += 1;
        match round_trip(&spec, &model) {
            Ok(text) => {
                equal += 1;
                if let Some(folder) = &save
                    && let Err(error) = std::fs::write(Path::new(folder).join(file.replace('/', "+")), text)
                {
                    println!("{file}: not saved: {error}");
                }
            }
            Err(message) => println!("{file}: {message}"),
        }
    }
    println!("{equal} of {loaded} models that load survive the round trip");
}

/// The text of a model that reads back to the same model and the same text.
fn round_trip(spec: &Spec, model: &Model) -> Result<String, String> {
    let text = spec.to_xml().map_err(|error| format!("not written: {error}"))?;
    let folder = &spec.compiler().modelfiledir;
    let again =
        Spec::from_xml_string_at(&text, folder, None).map_err(|error| format!("not read back: {error}"))?;
    let copy = again.compile().map_err(|error| format!("not compiled again: {error}"))?;
    if let Some(what) = model.difference(&copy, TOLERANCE) {
        return Err(format!("differs in {what}"));
    }
    let second = again.to_xml().map_err(|error| format!("not written again: {error}"))?;
    match text.lines().zip(second.lines()).find(|(a, b)| a != b) {
        Some((a, b)) => Err(format!("no fixed point: '{}' became '{}'", shorten(a), shorten(b))),
        None => Ok(text),
    }
}

fn shorten(line: &str) -> String {
    line.trim().chars().take(200).collect()
}
