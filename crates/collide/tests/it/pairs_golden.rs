//! Contacts of analytic pairs against reference values made by `golden/make_pairs.py`.

use crate::common;
use kinetree_collide::{CcdScratch, ContactPoint, MeshShape, Pose, pairs};
use kinetree_math::Vec3;

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

fn read_placed(numbers: &mut impl Iterator<Item = f64>) -> Placed {
    let size = common::read_vec3(numbers);
    let pose = common::read_pose(numbers);
    Placed { size, pose }
}

fn parse_case(line: &str) -> Case {
    let mut numbers = common::numbers(line);
    let margin = numbers.next().expect("margin");
    let first = read_placed(&mut numbers);
    let second = read_placed(&mut numbers);
    let count = numbers.next().expect("count") as usize;
    let contacts = (0..count)
        .map(|_| Expected {
            dist: numbers.next().expect("dist"),
            pos: common::read_vec3(&mut numbers),
            normal: common::read_vec3(&mut numbers),
        })
        .collect();
    Case { margin, first, second, contacts }
}

fn mismatch(case: &Case, found: &[ContactPoint]) -> Option<String> {
    if found.len() != case.contacts.len() {
        return Some(format!("{} contacts instead of {}", found.len(), case.contacts.len()));
    }
    for (i, (got, want)) in found.iter().zip(&case.contacts).enumerate() {
        let offset = got.pos - want.pos;
        let rotation = got.normal - want.normal;
        let close = |error: &f64| error.abs() <= TOLERANCE;
        if !offset.iter().chain(rotation.iter()).all(close) || !close(&(got.dist - want.dist)) {
            return Some(format!("contact {i} is {got:?}"));
        }
    }
    None
}

/// Runs `test` over all cases of a kind and reports every one that differs.
fn check(kind: &str, test: impl Fn(&Placed, &Placed, f64, &mut Vec<ContactPoint>)) {
    let mut found = Vec::new();
    let mut failures = Vec::new();
    let lines = common::golden_lines(kind);
    for (number, line) in lines.iter().enumerate() {
        if common::header(line).is_some() {
            continue;
        }
        let case = parse_case(line);
        found.clear();
        test(&case.first, &case.second, case.margin, &mut found);
        if let Some(what) = mismatch(&case, &found) {
            failures.push(format!("line {}: {what}", number + 1));
        }
    }
    common::report(kind, lines.len(), &failures);
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

#[test]
fn box_box() {
    check("box_box", |a, b, margin, out| {
        pairs::box_box(&a.pose, &a.size, &b.pose, &b.size, margin, out);
    });
}

#[test]
fn plane_ellipsoid() {
    check("plane_ellipsoid", |a, b, margin, out| {
        pairs::plane_ellipsoid(&a.pose, &b.pose, &b.size, margin, out);
    });
}

/// Meshes are described by the header of their file.
fn check_plane_mesh(kind: &str) {
    let lines = common::golden_lines(kind);
    let values = |name: &str| -> Vec<f64> {
        let mut found = lines.iter().filter_map(|line| common::header(line));
        let (_, rest) = found.find(|(key, _)| *key == name).expect("header");
        common::numbers(rest).collect()
    };
    let vert: Vec<[f32; 3]> =
        values("vert").chunks_exact(3).map(|v| [v[0] as f32, v[1] as f32, v[2] as f32]).collect();
    let graph: Vec<i32> = values("graph").iter().map(|&x| x as i32).collect();
    let mesh = MeshShape { vert: &vert, graph: &graph, bound_radius: values("bound")[0], ..MeshShape::EMPTY };
    check(kind, |a, b, margin, out| {
        pairs::plane_mesh(&a.pose, &b.pose, &mesh, margin, &mut CcdScratch::default(), out);
    });
}

#[test]
fn plane_mesh_with_hull() {
    check_plane_mesh("plane_mesh");
}

#[test]
fn plane_mesh_too_small_to_climb() {
    check_plane_mesh("plane_cube");
}
