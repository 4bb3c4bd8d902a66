//! Contacts of analytic pairs against reference values made by `golden/make_pairs.py`.
//!
//! `KINETREE_PAIR_CASES` may name another folder with files of the same format, for example a larger set.

use std::path::PathBuf;

use kinetree_collide::{ContactPoint, Pose, pairs};
use kinetree_math::{Mat3, Vec3};

/// Largest accepted difference in any number of a contact.
const TOLERANCE: f64 = 1e-9;

/// One shape of a case as stored in the file.
struct Placed {
    size: Vec3,
    pose: Pose,
}

struct Expected {
    dist: f64,
    pos: Vec3,
    normal: Vec3,
}

struct Case {
    margin: f64,
    first: Placed,
    second: Placed,
    contacts: Vec<Expected>,
}

fn read_vec3(numbers: &mut impl Iterator<Item = f64>) -> Vec3 {
    Vec3::from_fn(|_, _| numbers.next().expect("number"))
}

fn read_placed(numbers: &mut impl Iterator<Item = f64>) -> Placed {
    let size = read_vec3(numbers);
    let pos = read_vec3(numbers);
    let mat = Mat3::from_row_iterator(numbers.take(9));
    Placed { size, pose: Pose { pos, mat } }
}

fn parse_case(line: &str) -> Case {
    let mut numbers = line.split_ascii_whitespace().map(|word| word.parse::<f64>().expect("number"));
    let margin = numbers.next().expect("margin");
    let first = read_placed(&mut numbers);
    let second = read_placed(&mut numbers);
    let count = numbers.next().expect("count") as usize;
    let contacts = (0..count)
        .map(|_| Expected {
            dist: numbers.next().expect("dist"),
            pos: read_vec3(&mut numbers),
            normal: read_vec3(&mut numbers),
        })
        .collect();
    Case { margin, first, second, contacts }
}

fn golden_lines(kind: &str) -> Vec<String> {
    let folder = std::env::var_os("KINETREE_PAIR_CASES")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden"), PathBuf::from);
    let path = folder.join(format!("{kind}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(str::to_owned).collect()
}

fn mismatch(case: &Case, found: &[ContactPoint]) -> Option<String> {
    if found.len() != case.contacts.len() {
        return Some(format!("{} contacts instead of {}", found.len(), case.contacts.len()));
    }
    for (i, (got, want)) in found.iter().zip(&case.contacts).enumerate() {
        let offset = got.pos - want.pos;
        let turn = got.normal - want.normal;
        let close = |error: &f64| error.abs() <= TOLERANCE;
        if !offset.iter().chain(turn.iter()).all(close) || !close(&(got.dist - want.dist)) {
            return Some(format!("contact {i} is {got:?}"));
        }
    }
    None
}

/// Runs `test` over all cases of a kind and reports every one that differs.
fn check(kind: &str, test: impl Fn(&Placed, &Placed, f64, &mut Vec<ContactPoint>)) {
    let mut found = Vec::new();
    let mut failures = Vec::new();
    let lines = golden_lines(kind);
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let case = parse_case(line);
        found.clear();
        test(&case.first, &case.second, case.margin, &mut found);
        if let Some(what) = mismatch(&case, &found) {
            failures.push(format!("line {}: {what}", number + 1));
        }
    }
    assert!(
        failures.is_empty(),
        "{kind}: {} of {} cases differ\n{}",
        failures.len(),
        lines.len(),
        failures[..failures.len().min(20)].join("\n")
    );
}

#[test]
fn plane_sphere() {
    check("plane_sphere", |a, b, margin, out| {
        pairs::plane_sphere(&a.pose, &b.pose, b.size.x, margin, out);
    });
}

#[test]
fn plane_capsule() {
    check("plane_capsule", |a, b, margin, out| {
        pairs::plane_capsule(&a.pose, &b.pose, b.size.x, b.size.y, margin, out);
    });
}

#[test]
fn plane_cylinder() {
    check("plane_cylinder", |a, b, margin, out| {
        pairs::plane_cylinder(&a.pose, &b.pose, b.size.x, b.size.y, margin, out);
    });
}

#[test]
fn plane_box() {
    check("plane_box", |a, b, margin, out| {
        pairs::plane_box(&a.pose, &b.pose, &b.size, margin, out);
    });
}

#[test]
fn sphere_sphere() {
    check("sphere_sphere", |a, b, margin, out| {
        pairs::sphere_sphere(&a.pose, a.size.x, &b.pose, b.size.x, margin, out);
    });
}

#[test]
fn sphere_capsule() {
    check("sphere_capsule", |a, b, margin, out| {
        pairs::sphere_capsule(&a.pose, a.size.x, &b.pose, b.size.x, b.size.y, margin, out);
    });
}

#[test]
fn sphere_cylinder() {
    check("sphere_cylinder", |a, b, margin, out| {
        pairs::sphere_cylinder(&a.pose, a.size.x, &b.pose, b.size.x, b.size.y, margin, out);
    });
}

#[test]
fn sphere_box() {
    check("sphere_box", |a, b, margin, out| {
        pairs::sphere_box(&a.pose, a.size.x, &b.pose, &b.size, margin, out);
    });
}

#[test]
fn capsule_capsule() {
    check("capsule_capsule", |a, b, margin, out| {
        pairs::capsule_capsule(&a.pose, a.size.x, a.size.y, &b.pose, b.size.x, b.size.y, margin, out);
    });
}

#[test]
fn capsule_box() {
    check("capsule_box", |a, b, margin, out| {
        pairs::capsule_box(&a.pose, a.size.x, a.size.y, &b.pose, &b.size, margin, out);
    });
}
