//! Pairs and rays whose answer can be written down.

use kinetree_collide::ray::{Ray, ray_hfield};
use kinetree_collide::{CcdScratch, CcdSettings, HeightField, Pose, Shape, collide};
use kinetree_math::{Mat3, Vec3};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { pos: Vec3::new(x, y, z), mat: Mat3::identity() }
}

/// A short capsule beside a long one touches it with both of its ends, although the ends of the long one are
/// far away.
#[test]
fn a_short_capsule_touches_a_parallel_long_one_at_its_own_ends() {
    let long = Shape::Capsule { radius: 0.1, half_length: 1.0 };
    let short = Shape::Capsule { radius: 0.1, half_length: 0.2 };
    for z in [0.0, 0.3] {
        let mut out = Vec::new();
        let (settings, mut scratch) = (CcdSettings::default(), CcdScratch::default());
        collide(&long, &at(0.0, 0.0, 0.0), &short, &at(0.19, 0.0, z), 0.0, &settings, &mut scratch, &mut out);
        let heights: Vec<f64> = out.iter().map(|contact| contact.pos.z).collect();
        assert_eq!(heights.len(), 2, "{out:?}");
        assert!(
            (heights[0] - (z + 0.2)).abs() < 1e-12 && (heights[1] - (z - 0.2)).abs() < 1e-12,
            "{heights:?}"
        );
        assert!(out.iter().all(|contact| (contact.dist + 0.01).abs() < 1e-12 && contact.normal.x > 0.999));
    }
}

/// A tall, narrow field: a ray near its top and one through its base, from the side.
#[test]
fn a_ray_hits_the_side_of_a_tall_field_and_of_its_base() {
    let data = [1.0_f32; 9];
    let field = HeightField { nrow: 3, ncol: 3, size: [0.1, 0.1, 2.0, 3.0], data: &data };
    for height in [1.9, 0.5, -2.9] {
        let ray = Ray { origin: Vec3::new(-1.0, 0.01, height), direction: Vec3::new(1.0, 0.0, 0.0) };
        let hit = ray_hfield(&at(0.0, 0.0, 0.0), &field, &ray).expect("it is in the way");
        assert!((hit.distance - 0.9).abs() < 1e-9, "{height}: {}", hit.distance);
        assert!((hit.normal + Vec3::x()).norm() < 1e-9);
    }
    let over = Ray { origin: Vec3::new(-1.0, 0.01, 2.1), direction: Vec3::new(1.0, 0.0, 0.0) };
    assert!(ray_hfield(&at(0.0, 0.0, 0.0), &field, &over).is_none());
}
