//! Time per call of each analytic pair over the golden cases: `cargo bench -p kinetree-collide --bench pairs
//! [-- KIND ...]`.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

use kinetree_collide::{CcdScratch, CcdSettings, Pose, Shape, collide};
use kinetree_math::Vec3;

#[path = "../tests/it/common/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod common;

const KINDS: [&str; 12] = [
    "plane_sphere",
    "plane_capsule",
    "plane_cylinder",
    "plane_box",
    "plane_ellipsoid",
    "sphere_sphere",
    "sphere_capsule",
    "sphere_cylinder",
    "sphere_box",
    "capsule_capsule",
    "capsule_box",
    "box_box",
];

struct Case {
    margin: f64,
    shapes: [Shape<'static>; 2],
    poses: [Pose; 2],
}

fn shape_of(name: &str, size: &Vec3) -> Shape<'static> {
    match name {
        "plane" => Shape::Plane,
        "sphere" => Shape::Sphere { radius: size.x },
        "capsule" => Shape::Capsule { radius: size.x, half_length: size.y },
        "ellipsoid" => Shape::Ellipsoid { semi_axes: *size },
        "cylinder" => Shape::Cylinder { radius: size.x, half_length: size.y },
        _ => Shape::Box { half: *size },
    }
}

fn read_cases(kind: &str) -> Vec<Case> {
    let (name1, name2) = kind.split_once('_').expect("two shapes");
    let lines = common::golden_lines(kind);
    let cases = lines.iter().map(|line| {
        let mut numbers = common::numbers(line);
        let margin = numbers.next().expect("margin");
        let size1 = common::read_vec3(&mut numbers);
        let pose1 = common::read_pose(&mut numbers);
        let size2 = common::read_vec3(&mut numbers);
        let pose2 = common::read_pose(&mut numbers);
        Case { margin, shapes: [shape_of(name1, &size1), shape_of(name2, &size2)], poses: [pose1, pose2] }
    });
    cases.collect()
}

/// Seconds of processor time used so far where the system tells it, wall-clock time elsewhere.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_ascii_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

fn main() {
    let settings = CcdSettings::default();
    let mut scratch = CcdScratch::default();
    let mut out = Vec::new();
    println!("{:>16} {:>12}", "pair", "ns per call");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    for kind in KINDS {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == kind) {
            continue;
        }
        let cases = read_cases(kind);
        let repeats = (400_000 / cases.len()).max(1);
        // the best of several rounds is least disturbed by the rest of the machine
        let mut best = f64::INFINITY;
        for _ in 0..7 {
            let start = seconds();
            for _ in 0..repeats {
                for case in &cases {
                    out.clear();
                    let [s1, s2] = &case.shapes;
                    let [p1, p2] = &case.poses;
                    collide(black_box(s1), p1, s2, p2, case.margin, &settings, &mut scratch, &mut out);
                    black_box(&out);
                }
            }
            best = best.min((seconds() - start) / (repeats * cases.len()) as f64);
        }
        println!("{kind:>16} {:>12.1}", best * 1e9);
    }
}
