//! Reads models, writes them as MJCF, reads that again, and compares the compiled arrays:
//! `cargo run --example round_trip -- [--save FOLDER] FILE…`.
//!
//! Integers must agree exactly, floats within 1e-12 of the largest value of their array, and writing what was written must
//! give the same text. With `--save` the text is also written beside each model into a copy of its folder.

use std::path::Path;

use kinetree_model::{Field, FieldSlice, Model};
use kinetree_spec::Spec;

/// Largest difference of a float, relative to the largest value of its array.
const TOLERANCE: f64 = 1e-12;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let (mut loaded, mut equal) = (0, 0);
    for file in &files {
        let Ok(spec) = Spec::from_xml_file(file) else { continue };
        let Ok(model) = spec.compile() else { continue };
        loaded += 1;
        match round_trip(file, &spec, &model) {
            Ok(()) => equal += 1,
            Err(message) => println!("{file}: {message}"),
        }
    }
    println!("{equal} of {loaded} models that load survive the round trip");
}

fn round_trip(file: &str, spec: &Spec, model: &Model) -> Result<(), String> {
    let text = spec.to_xml().map_err(|error| format!("not written: {error}"))?;
    let folder = &spec.compiler().modelfiledir;
    let again = Spec::from_xml_string_at(&text, folder, None).map_err(|error| format!("not read back: {error}"))?;
    let copy = again.compile().map_err(|error| format!("not compiled again: {error}"))?;
    compare(model, &copy)?;
    let second = again.to_xml().map_err(|error| format!("not written again: {error}"))?;
    if let Some((a, b)) = text.lines().zip(second.lines()).find(|(a, b)| a != b) {
        return Err(format!("no fixed point: '{}' became '{}'", shorten(a), shorten(b)));
    }
    if let Ok(folder) = std::env::var("ROUND_TRIP_SAVE") {
        let name = file.replace('/', "+");
        std::fs::write(Path::new(&folder).join(name), &text).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn shorten(line: &str) -> String {
    line.trim().chars().take(200).collect()
}

fn compare(a: &Model, b: &Model) -> Result<(), String> {
    if a.sizes != b.sizes {
        let differ = |(x, y): &((&'static str, i64), (&'static str, i64))| x != y;
        let list: Vec<_> = a.sizes.iter().into_iter().zip(b.sizes.iter()).filter(differ).collect();
        return Err(format!("sizes differ: {list:?}"));
    }
    let groups = |m: &Model| m.vis.groups().into_iter().flat_map(|(_, fields)| fields).count();
    debug_assert_eq!(groups(a), groups(b));
    for (x, y) in a.opt.fields().iter().zip(&b.opt.fields()).chain(a.stat.fields().iter().zip(&b.stat.fields())) {
        compare_field(x, y)?;
    }
    for (x, y) in a.fields().iter().zip(&b.fields()) {
        compare_field(x, y)?;
    }
    if a.vis == b.vis { Ok(()) } else { Err("'vis' differs".to_owned()) }
}

fn compare_field(a: &Field<'_>, b: &Field<'_>) -> Result<(), String> {
    let floats = |x: &[f64], y: &[f64]| {
        let scale = x.iter().fold(1.0f64, |scale, value| scale.max(value.abs()));
        x.iter().zip(y).all(|(x, y)| x == y || (x - y).abs() <= TOLERANCE * scale || (x.is_nan() && y.is_nan()))
    };
    let wide = |x: &[f32]| x.iter().map(|&v| f64::from(v)).collect::<Vec<_>>();
    let same = match (a.data, b.data) {
        (FieldSlice::F64(x), FieldSlice::F64(y)) => floats(x, y),
        (FieldSlice::F32(x), FieldSlice::F32(y)) => floats(&wide(x), &wide(y)),
        (x, y) => x == y,
    };
    if same { Ok(()) } else { Err(format!("'{}' differs", a.name)) }
}
