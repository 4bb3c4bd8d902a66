//! Convex routines against a slow and simple one, and on shapes that are barely shapes.
//!
//! The signed distance of two convex shapes is the largest gap between them over all directions,
//! `max_n (min_b n·b - max_a n·a)`: the distance if they are apart, minus the penetration depth if they
//! overlap. The gap along the normal that was found must therefore be the distance that was found, and no
//! other direction may have a larger gap; the second is checked on a dense set of directions, refined around
//! the best ones. Both need support functions only.

use crate::convex_cases::Golden;
use kinetree_collide::{CcdScratch, CcdSettings, MeshShape, Pose, Shape, convex_convex, geom_distance};
use kinetree_math::{Mat3, Vec3, rot};
use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;

static MESHES: LazyLock<Golden> = LazyLock::new(|| {
    Golden::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/convex_mesh_mesh.txt"))
});

/// Largest `n·x` over the shape.
fn reach(shape: &Shape, pose: &Pose, n: &Vec3) -> f64 {
    let d = pose.mat.tr_mul(n);
    let local = match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Capsule { radius, half_length } => radius + half_length * d.z.abs(),
        Shape::Ellipsoid { semi_axes } => semi_axes.component_mul(&d).norm(),
        Shape::Cylinder { radius, half_length } => radius * d.xy().norm() + half_length * d.z.abs(),
        Shape::Box { half } => half.dot(&d.abs()),
        Shape::Mesh(mesh) => {
            let along = |v: &[f32; 3]| d.x * f64::from(v[0]) + d.y * f64::from(v[1]) + d.z * f64::from(v[2]);
            mesh.vert.iter().map(along).fold(f64::NEG_INFINITY, f64::max)
        }
        Shape::Plane | Shape::HeightField(_) => unreachable!(),
    };
    n.dot(&pose.pos) + local
}

fn gap(s1: &Shape, p1: &Pose, s2: &Shape, p2: &Pose, n: &Vec3) -> f64 {
    -reach(s2, p2, &-n) - reach(s1, p1, n)
}

/// Largest gap found by brute force, never more than the signed distance.
fn largest_gap(s1: &Shape, p1: &Pose, s2: &Shape, p2: &Pose) -> f64 {
    const COUNT: usize = 3000;
    let mut samples: Vec<(f64, Vec3)> = (0..COUNT)
        .map(|k| {
            let z = 1.0 - (2.0 * k as f64 + 1.0) / COUNT as f64;
            let (sin, cos) = libm::sincos(k as f64 * 2.399963229728653);
            let r = (1.0 - z * z).sqrt();
            let n = Vec3::new(r * cos, r * sin, z);
            (gap(s1, p1, s2, p2, &n), n)
        })
        .collect();
    samples.sort_by(|a, b| b.0.total_cmp(&a.0));
    samples
        .iter()
        .take(4)
        .map(|&(value, n)| climb(s1, p1, s2, p2, value, n))
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Walk uphill from one direction with steps that shrink when none of many helps. Along a ridge only few
/// directions lead up, so the set of directions rotates from round to round.
fn climb(s1: &Shape, p1: &Pose, s2: &Shape, p2: &Pose, mut value: f64, mut n: Vec3) -> f64 {
    let (mut step, mut phase, mut failures) = (0.05, 0.0, 0);
    while step > 1e-8 {
        let side = if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
        let u = n.cross(&side).normalize();
        let v = n.cross(&u);
        let mut moved = false;
        phase += 0.13;
        for k in 0..16 {
            let (sin, cos) = libm::sincos(phase + f64::from(k) * std::f64::consts::PI / 8.0);
            let candidate = (n + (u * cos + v * sin) * step).normalize();
            let new = gap(s1, p1, s2, p2, &candidate);
            if new > value {
                (value, n, moved) = (new, candidate, true);
            }
        }
        failures = if moved { 0 } else { failures + 1 };
        if failures == 4 {
            (step, failures) = (step * 0.6, 0);
        }
    }
    value
}

fn shape() -> impl Strategy<Value = Shape<'static>> {
    (0..6usize, 0..MESHES.mesh_count(), prop::array::uniform3(0.05..0.5f64)).prop_map(
        |(kind, mesh, [a, b, c])| match kind {
            0 => Shape::Sphere { radius: a },
            1 => Shape::Capsule { radius: a, half_length: b },
            2 => Shape::Ellipsoid { semi_axes: Vec3::new(a, b, c) },
            3 => Shape::Cylinder { radius: a, half_length: b },
            4 => Shape::Box { half: Vec3::new(a, b, c) },
            _ => MESHES.mesh_shape(mesh),
        },
    )
}

fn pose() -> impl Strategy<Value = Pose> {
    (prop::array::uniform3(-0.6..0.6f64), prop::array::uniform4(-1.0..1.0f64)).prop_map(|(pos, mut q)| {
        rot::quat_normalize(&mut q);
        Pose { pos: Vec3::from(pos), mat: rot::quat_to_mat(&q) }
    })
}

/// Error allowed in a penetration depth (m). In one case of several thousand, thin faces end EPA early.
const DEPTH_TOLERANCE: f64 = 1e-2;

/// Error allowed in a signed distance (m).
fn tolerance(dist: f64) -> f64 {
    if dist > 0.0 { 1e-5 } else { DEPTH_TOLERANCE }
}

/// Enough iterations to converge, so that only the tolerance is left as an error.
fn converged() -> CcdSettings {
    CcdSettings { max_iterations: 300, ..CcdSettings::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Distance and points, on shapes of about 0.3 m.
    #[test]
    fn distance_is_right(s1 in shape(), p1 in pose(), s2 in shape(), p2 in pose()) {
        prop_assume!(!has_formula(&s1, &s2));
        let mut scratch = CcdScratch::default();
        let (dist, from, to) =
            geom_distance(&s1, &p1, &s2, &p2, 10.0, &converged(), &mut scratch, &mut Vec::new());
        prop_assert!(((to - from).norm() - dist.abs()).abs() < 1e-6, "{dist} {from} {to}");
        let normal = (to - from) / dist;
        prop_assert!((gap(&s1, &p1, &s2, &p2, &normal) - dist).abs() < tolerance(dist), "{dist}");
        let expected = largest_gap(&s1, &p1, &s2, &p2);
        prop_assert!(expected < dist + tolerance(dist), "{dist} {expected}");
    }

    /// Contacts exist exactly where the gap is below the margin, and have the right depth.
    #[test]
    fn contact_is_right(
        s1 in shape(), p1 in pose(), s2 in shape(), p2 in pose(), margin in prop_oneof![Just(0.0), 0.0..0.1f64]
    ) {
        let mut scratch = CcdScratch::default();
        let mut out = Vec::new();
        convex_convex(&s1, &p1, &s2, &p2, margin, &converged(), &mut scratch, &mut out);
        let expected = largest_gap(&s1, &p1, &s2, &p2);
        match out.first() {
            None => prop_assert!(expected > margin - 1e-3, "{expected}"),
            Some(contact) => {
                prop_assert!(contact.dist < margin && expected < contact.dist + DEPTH_TOLERANCE, "{} {expected}", contact.dist);
                prop_assert!((contact.normal.norm() - 1.0).abs() < 1e-12);
                let along = gap(&s1, &p1, &s2, &p2, &contact.normal);
                prop_assert!((along - contact.dist).abs() < DEPTH_TOLERANCE, "{} {along}", contact.dist);
            }
        }
    }
}

/// Round pairs whose distance comes from a formula, which is exact only as long as they do not overlap
/// deeply.
fn has_formula(s1: &Shape, s2: &Shape) -> bool {
    let round = |s: &Shape| matches!(s, Shape::Sphere { .. } | Shape::Capsule { .. });
    let simple = |s: &Shape| round(s) || matches!(s, Shape::Cylinder { .. } | Shape::Box { .. });
    (round(s1) && simple(s2)) || (simple(s1) && round(s2))
}

/// Numbers that no model should have.
fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => 0.05..0.5f64,
        2 => Just(0.0),
        1 => Just(1e-14),
        1 => Just(1e-160),
        1 => Just(1e9),
        1 => Just(1e200),
        1 => Just(-0.1),
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
    ]
}

/// Meshes with all vertices in a plane, on a line or in a point, or with none at all.
fn odd_mesh(which: usize) -> Shape<'static> {
    const FLAT: [[f32; 3]; 5] =
        [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.3, 0.3, 0.0], [0.1, 0.1, 0.0]];
    const LINE: [[f32; 3]; 3] = [[-0.2, 0.0, 0.0], [0.1, 0.0, 0.0], [0.3, 0.0, 0.0]];
    const NEEDLE: [[f32; 3]; 4] = [[-0.3, 0.0, 0.0], [0.3, 0.0, 0.0], [0.3, 1e-7, 0.0], [0.3, 0.0, 1e-7]];
    const POINT: [[f32; 3]; 12] = [[0.1, 0.1, 0.1]; 12];
    // a graph that points nowhere
    const BROKEN: [i32; 6] = [3, 2, 900, -7, 3, 99];
    let vert: &'static [[f32; 3]] = match which % 5 {
        0 => &FLAT,
        1 => &LINE,
        2 => &NEEDLE,
        3 => &POINT,
        _ => &[],
    };
    Shape::Mesh(MeshShape {
        vert,
        graph: if which >= 5 { &BROKEN } else { &[] },
        poly_normal: &[[0.0, 0.0, 1.0]],
        poly_vert_adr: &[0],
        poly_vert_num: &[4],
        poly_vert: &[0, 1, 3],
        poly_map_adr: &[0, 5],
        poly_map_num: &[1, 1],
        poly_map: &[0],
        bound_radius: 0.5,
    })
}

fn odd_shape() -> impl Strategy<Value = Shape<'static>> {
    (0..7usize, 0..10usize, (odd(), odd(), odd())).prop_map(|(kind, mesh, (a, b, c))| match kind {
        0 => Shape::Sphere { radius: a },
        1 => Shape::Capsule { radius: a, half_length: b },
        2 => Shape::Ellipsoid { semi_axes: Vec3::new(a, b, c) },
        3 => Shape::Cylinder { radius: a, half_length: b },
        4 => Shape::Box { half: Vec3::new(a, b, c) },
        5 => odd_mesh(mesh),
        _ => MESHES.mesh_shape(mesh % MESHES.mesh_count()),
    })
}

fn odd_pose() -> impl Strategy<Value = Pose> {
    let orientation = prop_oneof![Just([1.0, 0.0, 0.0, 0.0]), prop::array::uniform4(-1.0..1.0f64)];
    let pos = prop_oneof![
        3 => Just(Vec3::zeros()),
        3 => prop::array::uniform3(-0.3..0.3f64).prop_map(Vec3::from),
        1 => (odd(), odd(), odd()).prop_map(|(x, y, z)| Vec3::new(x, y, z)),
    ];
    (pos, orientation).prop_map(|(pos, mut q)| {
        rot::quat_normalize(&mut q);
        Pose { pos, mat: rot::quat_to_mat(&q) }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the input: no panic, no hang, at most eight contacts, a distance no larger than asked for.
    #[test]
    fn anything_goes(
        s1 in odd_shape(), p1 in odd_pose(), s2 in odd_shape(), p2 in odd_pose(), margin in odd(), distmax in odd()
    ) {
        let mut scratch = CcdScratch::default();
        let mut out = Vec::new();
        convex_convex(&s1, &p1, &s2, &p2, margin, &CcdSettings::default(), &mut scratch, &mut out);
        prop_assert!(out.len() <= 8);
        let (dist, ..) =
            geom_distance(&s1, &p1, &s2, &p2, distmax, &CcdSettings::default(), &mut scratch, &mut out);
        prop_assert!(distmax.is_nan() || dist <= distmax, "{dist} {distmax}");
    }
}

#[test]
fn coincident_shapes_touch() {
    let pose = Pose { pos: Vec3::new(0.1, -0.2, 0.3), mat: Mat3::identity() };
    let (ellipsoid, cylinder) = (
        Shape::Ellipsoid { semi_axes: Vec3::new(0.1, 0.2, 0.3) },
        Shape::Cylinder { radius: 0.2, half_length: 0.3 },
    );
    for (s1, s2) in [(ellipsoid, ellipsoid), (ellipsoid, cylinder), (cylinder, cylinder)] {
        let mut out = Vec::new();
        convex_convex(
            &s1,
            &pose,
            &s2,
            &pose,
            0.0,
            &CcdSettings::default(),
            &mut CcdScratch::default(),
            &mut out,
        );
        assert!(out.iter().all(|contact| contact.dist < 0.0));
    }
}

/// A search that ends in a nearly flat tetrahedron, from which EPA cannot start, says nothing about a
/// distance.
#[test]
fn boxes_are_separated_though_the_search_ends_in_a_flat_tetrahedron() {
    let (s1, s2) = (
        Shape::Box { half: Vec3::new(0.4705365190937555, 0.3558081971974343, 0.060243477521734) },
        Shape::Box { half: Vec3::new(0.3496182910591252, 0.3402703733190632, 0.17373525591563418) },
    );
    let p1 = Pose {
        pos: Vec3::new(0.2888206493641799, 0.11098635284377421, 0.09775394335969025),
        mat: Mat3::from_column_slice(&[
            -0.6156167574452046,
            0.7232154098263661,
            0.3130103495770282,
            0.493262177662315,
            0.6633996295680242,
            -0.5626662914879822,
            -0.6145798825543208,
            -0.19199063122634255,
            -0.765134736814914,
        ]),
    };
    let p2 = Pose {
        pos: Vec3::new(-0.3532864068648917, -0.5035980277086989, 0.0021889932465690835),
        mat: Mat3::from_column_slice(&[
            -0.2733823660753371,
            -0.9604995920274033,
            0.05198668708661902,
            -0.08339778514779511,
            -0.03017423918219142,
            -0.9960593981897956,
            0.9582833043268011,
            -0.27664064958889817,
            -0.07185443370829558,
        ]),
    };
    let (dist, from, to) =
        geom_distance(&s1, &p1, &s2, &p2, 10.0, &converged(), &mut CcdScratch::default(), &mut Vec::new());
    assert!((dist - largest_gap(&s1, &p1, &s2, &p2)).abs() < 1e-6, "{dist}");
    assert!(((to - from).norm() - dist).abs() < 1e-12);
}
