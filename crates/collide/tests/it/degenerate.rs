//! Every pair of shapes, every ray: whatever the numbers, the result is finite and nothing panics or hangs.

use kinetree_collide::ray::{self, Ray, RayHit};
use kinetree_collide::{CcdScratch, CcdSettings, ContactPoint, HeightField, MeshShape, Pose, Shape, collide};
use kinetree_math::{Mat3, Vec3, rot};
use proptest::prelude::*;

/// Corners of a small box, enough for a mesh without a hull graph.
const CORNERS: [[f32; 3]; 8] = [
    [-0.2, -0.1, -0.3],
    [0.2, -0.1, -0.3],
    [-0.2, 0.1, -0.3],
    [0.2, 0.1, -0.3],
    [-0.2, -0.1, 0.3],
    [0.2, -0.1, 0.3],
    [-0.2, 0.1, 0.3],
    [0.2, 0.1, 0.3],
];
const ELEVATIONS: [f32; 6] = [0.0, 0.3, 1.0, 0.2, 0.2, 0.7];

fn mesh() -> MeshShape<'static> {
    MeshShape { vert: &CORNERS, bound_radius: 0.4, ..MeshShape::EMPTY }
}

/// Ordinary lengths, with an occasional value that no model should have.
fn length() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => 0.05..0.6f64,
        1 => Just(0.0),
        1 => Just(1e-12),
        1 => Just(1e8),
    ]
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        20 => -0.7..0.7f64,
        3 => Just(0.0),
        1 => Just(0.1),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-1e300), Just(1e-300)],
    ]
}

fn shape() -> impl Strategy<Value = Shape<'static>> {
    let lengths = (length(), length(), length());
    (0..8, lengths).prop_map(|(kind, (a, b, c))| match kind {
        0 => Shape::Plane,
        1 => Shape::Sphere { radius: a },
        2 => Shape::Capsule { radius: a, half_length: b },
        3 => Shape::Ellipsoid { semi_axes: Vec3::new(a, b, c) },
        4 => Shape::Cylinder { radius: a, half_length: b },
        5 => Shape::Box { half: Vec3::new(a, b, c) },
        6 => Shape::Mesh(mesh()),
        _ => Shape::HeightField(HeightField { nrow: 2, ncol: 3, size: [0.5, 0.5, b, c], data: &ELEVATIONS }),
    })
}

fn rotation() -> impl Strategy<Value = Mat3> {
    prop_oneof![
        3 => Just(Mat3::identity()),
        2 => Just(Mat3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)),
        8 => prop::array::uniform4(-1.0..1.0f64).prop_map(|mut q| {
            rot::quat_normalize(&mut q);
            rot::quat_to_mat(&q)
        }),
        1 => Just(Mat3::from_element(f64::NAN)),
    ]
}

fn pose() -> impl Strategy<Value = Pose> {
    (coordinate(), coordinate(), coordinate(), rotation())
        .prop_map(|(x, y, z, mat)| Pose { pos: Vec3::new(x, y, z), mat })
}

fn finite(v: &Vec3) -> bool {
    v.iter().all(|x| x.is_finite())
}

fn contacts(s1: &Shape<'_>, p1: &Pose, s2: &Shape<'_>, p2: &Pose, margin: f64) -> Vec<ContactPoint> {
    let mut out = Vec::new();
    let mut scratch = CcdScratch::default();
    collide(s1, p1, s2, p2, margin, &CcdSettings::default(), &mut scratch, &mut out);
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn contacts_are_finite(
        s1 in shape(), p1 in pose(), s2 in shape(), p2 in pose(), margin in prop_oneof![Just(0.0), 0.0..0.3f64]
    ) {
        let found = contacts(&s1, &p1, &s2, &p2, margin);
        prop_assert!(found.len() <= 50);
        for contact in &found {
            prop_assert!(contact.dist.is_finite() && finite(&contact.pos));
            prop_assert!((contact.normal.norm() - 1.0).abs() < 1e-6, "{contact:?}");
        }
    }

    #[test]
    fn exchanging_the_shapes_reverses_the_normals(
        s1 in shape(), p1 in pose(), s2 in shape(), p2 in pose()
    ) {
        if s1.kind() == s2.kind() {
            return Ok(());
        }
        let forward = contacts(&s1, &p1, &s2, &p2, 0.0);
        let backward = contacts(&s2, &p2, &s1, &p1, 0.0);
        prop_assert_eq!(forward.len(), backward.len());
        for (a, b) in forward.iter().zip(&backward) {
            prop_assert_eq!(a.normal, -b.normal);
            prop_assert_eq!(a.pos, b.pos);
        }
    }

    #[test]
    fn rays_are_finite(
        shape in shape(),
        pose in pose(),
        origin in (coordinate(), coordinate(), coordinate()),
        direction in (coordinate(), coordinate(), coordinate()),
    ) {
        let ray = Ray {
            origin: Vec3::new(origin.0, origin.1, origin.2),
            direction: Vec3::new(direction.0, direction.1, direction.2),
        };
        let hit: Option<RayHit> = match &shape {
            Shape::Plane => ray::ray_plane(&pose, [0.0, 1.0], &ray),
            Shape::Sphere { radius } => ray::ray_sphere(&pose.pos, *radius, &ray),
            Shape::Capsule { radius, half_length } => ray::ray_capsule(&pose, *radius, *half_length, &ray),
            Shape::Ellipsoid { semi_axes } => ray::ray_ellipsoid(&pose, semi_axes, &ray),
            Shape::Cylinder { radius, half_length } => ray::ray_cylinder(&pose, *radius, *half_length, &ray),
            Shape::Box { half } => ray::ray_box(&pose, half, &ray),
            Shape::HeightField(field) => ray::ray_hfield(&pose, field, &ray),
            Shape::Mesh(_) => None,
        };
        if let Some(hit) = hit {
            prop_assert!(hit.distance >= 0.0, "{hit:?}");
        }
    }
}
