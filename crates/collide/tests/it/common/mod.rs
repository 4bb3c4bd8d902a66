//! Reading of golden files.

use std::path::PathBuf;

use kinetree_collide::Pose;
use kinetree_math::{Mat3, Vec3};

/// Lines of a golden file. `KINETREE_GOLDEN` may name another folder with files of the same format, for
/// example a larger set.
pub(crate) fn golden_lines(name: &str) -> Vec<String> {
    let folder = std::env::var_os("KINETREE_GOLDEN")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden"), PathBuf::from);
    let path = folder.join(format!("{name}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(str::to_owned).collect()
}

/// The numbers of a line.
pub(crate) fn numbers(line: &str) -> impl Iterator<Item = f64> {
    line.split_ascii_whitespace().map(|word| word.parse().expect("number"))
}

/// Splits a header line into its name and the rest; `None` for a line of numbers.
pub(crate) fn header(line: &str) -> Option<(&str, &str)> {
    line.split_once(' ').filter(|(name, _)| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Reads three numbers.
pub(crate) fn read_vec3(numbers: &mut impl Iterator<Item = f64>) -> Vec3 {
    Vec3::from_fn(|_, _| numbers.next().expect("number"))
}

/// Reads a position and a row-major matrix.
pub(crate) fn read_pose(numbers: &mut impl Iterator<Item = f64>) -> Pose {
    let pos = read_vec3(numbers);
    let mat = Mat3::from_row_iterator(numbers.take(9));
    Pose { pos, mat }
}

/// Panics with a summary if there are failures.
pub(crate) fn report(name: &str, total: usize, failures: &[String]) {
    assert!(
        failures.is_empty(),
        "{name}: {} of {total} cases differ\n{}",
        failures.len(),
        failures[..failures.len().min(20)].join("\n")
    );
}
