//! Every field of the models in `models/` against digests made by the reference (`golden/models/make.py`).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use kinetree_model::{Field, FieldSlice, Model};

/// Largest error, relative to the largest magnitude of the array.
const TOLERANCE: f64 = 1e-7;

/// Count, sum, sum of magnitudes, weighted sum and largest magnitude of a field.
type Digest = (usize, [f64; 4]);

fn digest(values: impl Iterator<Item = f64>) -> Digest {
    let mut sums = [0.0f64; 4];
    let mut count = 0;
    for (i, x) in values.enumerate() {
        sums[0] += x;
        sums[1] += x.abs();
        sums[2] += x * (1.0 + (i % 97) as f64 / 97.0);
        sums[3] = sums[3].max(x.abs());
        count += 1;
    }
    (count, sums)
}

fn digest_field(field: &Field<'_>) -> Digest {
    match field.data {
        FieldSlice::F64(s) => digest(s.iter().copied()),
        FieldSlice::F32(s) => digest(s.iter().map(|x| f64::from(*x))),
        FieldSlice::I32(s) => digest(s.iter().map(|x| f64::from(*x))),
        FieldSlice::I64(s) => digest(s.iter().map(|x| *x as f64)),
        FieldSlice::U64(s) => digest(s.iter().map(|x| *x as f64)),
        FieldSlice::U8(s) => digest(s.iter().map(|x| f64::from(*x))),
    }
}

fn digests(model: &Model) -> HashMap<String, Digest> {
    let mut all = HashMap::new();
    for (name, value) in model.sizes().iter() {
        all.insert(name.to_owned(), digest(std::iter::once(value as f64)));
    }
    for field in model.fields() {
        all.insert(field.name.to_owned(), digest_field(&field));
    }
    for field in model.opt.fields() {
        all.insert(format!("opt.{}", field.name), digest_field(&field));
    }
    for field in model.stat.fields() {
        all.insert(format!("stat.{}", field.name), digest_field(&field));
    }
    all
}

fn parse(line: &str) -> Option<(&str, Digest)> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let count = words.next()?.parse().ok()?;
    let mut sums = [0.0; 4];
    for sum in &mut sums {
        *sum = words.next()?.parse().ok()?;
    }
    Some((name, (count, sums)))
}

/// Fields of one model that differ from the reference.
fn differences(golden: &Path) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let stem = golden.file_stem().unwrap().to_string_lossy().replace("__", "/");
    let model = match kinetree_spec::load_model(root.join(format!("{stem}.xml"))) {
        Ok(model) => model,
        Err(diagnostics) => return vec![format!("{stem}: {diagnostics}")],
    };
    let ours = digests(&model);
    let mut wrong = Vec::new();
    for (name, (count, sums)) in std::fs::read_to_string(golden).unwrap().lines().filter_map(parse) {
        let Some((our_count, our_sums)) = ours.get(name) else { continue };
        let scale = TOLERANCE * sums[3].max(1.0) * count.max(1) as f64;
        if *our_count != count || sums.iter().zip(our_sums).any(|(a, b)| (a - b).abs() > scale) {
            wrong.push(format!("{stem}: {name} is {our_count} {our_sums:?}, should be {count} {sums:?}"));
        }
    }
    wrong
}

#[test]
fn all_fields_agree_with_the_reference() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/models");
    let mut goldens: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    goldens.retain(|path| path.extension().is_some_and(|e| e == "txt"));
    goldens.sort();
    assert!(!goldens.is_empty());
    let wrong: Vec<String> = goldens.iter().flat_map(|golden| differences(golden)).collect();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}
