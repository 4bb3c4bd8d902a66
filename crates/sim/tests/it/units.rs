//! Small pieces with exact answers: wrapping and delay lines.

use kinetree_math::{Mat3, Vec3};
use kinetree_sim::{Interpolation, WrapShape, history_insert, history_read, wrap};
use std::f64::consts::PI;

#[test]
fn tendon_around_a_sphere_takes_tangents_and_an_arc() {
    let (x0, x1) = (Vec3::new(-2.0, 0.5, 0.0), Vec3::new(2.0, 0.5, 0.0));
    let path = wrap(&x0, &x1, &Vec3::zeros(), &Mat3::identity(), 1.0, WrapShape::Sphere, None).unwrap();
    let distance = x0.norm();
    let tangent = (distance * distance - 1.0).sqrt();
    // angle between the end points, less those between each end point and its tangent point
    let between = (x0.dot(&x1) / (distance * distance)).acos();
    let arc = between - 2.0 * (1.0 / distance).acos();
    assert!((path.length - arc).abs() < 1e-12);
    for (point, end) in path.points.iter().zip([x0, x1]) {
        assert!((point.norm() - 1.0).abs() < 1e-12);
        assert!(((end - point).norm() - tangent).abs() < 1e-12);
        assert!((end - point).dot(point).abs() < 1e-12, "the straight part is a tangent");
    }
}

#[test]
fn tendon_passes_a_free_object_straight() {
    let (x0, x1) = (Vec3::new(-2.0, 1.5, 0.0), Vec3::new(2.0, 1.5, 0.0));
    let none = wrap(&x0, &x1, &Vec3::zeros(), &Mat3::identity(), 1.0, WrapShape::Sphere, None);
    assert!(none.is_none());
    // a side point below pulls it around all the same
    let below = Vec3::new(0.0, -3.0, 0.0);
    let around = wrap(&x0, &x1, &Vec3::zeros(), &Mat3::identity(), 1.0, WrapShape::Sphere, Some(&below));
    assert!(around.is_some_and(|path| path.length > PI / 2.0));
}

#[test]
fn tendon_around_a_cylinder_climbs_evenly() {
    let (x0, x1) = (Vec3::new(-2.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 1.0));
    let side = Vec3::new(0.0, 2.0, 0.0);
    let path =
        wrap(&x0, &x1, &Vec3::zeros(), &Mat3::identity(), 1.0, WrapShape::Cylinder, Some(&side)).unwrap();
    let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
    let (first, last) = (path.points[0], path.points[1]);
    let before = flat(first - x0).norm();
    let arc = (path.length * path.length - (last.z - first.z) * (last.z - first.z)).sqrt();
    let slope = 1.0 / (2.0 * before + arc);
    assert!((first.z - before * slope).abs() < 1e-12);
    assert!((last.z - (before + arc) * slope).abs() < 1e-12);
}

#[test]
fn inside_wrap_reflects() {
    let (x0, x1) = (Vec3::new(-2.0, 1.2, 0.0), Vec3::new(2.0, 1.5, 0.0));
    let side = Vec3::new(0.0, 0.1, 0.0);
    let path =
        wrap(&x0, &x1, &Vec3::zeros(), &Mat3::identity(), 1.0, WrapShape::Cylinder, Some(&side)).unwrap();
    assert_eq!(path.length, 0.0);
    let point = path.points[0];
    assert_eq!(point, path.points[1]);
    assert!((point.norm() - 1.0).abs() < 1e-12);
    let angle = |end: Vec3| (end - point).normalize().dot(&point);
    assert!((angle(x0) - angle(x1)).abs() < 1e-5, "incidence equals reflection");
}

/// A buffer of four samples of dimension one, at times 0, 1, 2, 3 with squares as values.
fn squares() -> Vec<f64> {
    let mut buffer = vec![0.0, 3.0];
    buffer.extend([0.0, 1.0, 2.0, 3.0]);
    buffer.extend([0.0, 1.0, 4.0, 9.0]);
    buffer
}

fn read(buffer: &[f64], t: f64, interpolation: Interpolation) -> f64 {
    let mut value = [f64::NAN];
    history_read(buffer, 4, 1, &mut value, t, interpolation);
    value[0]
}

#[test]
fn history_interpolates_and_stays_constant_outside() {
    let buffer = squares();
    assert_eq!(read(&buffer, -1.0, Interpolation::Linear), 0.0);
    assert_eq!(read(&buffer, 7.0, Interpolation::Cubic), 9.0);
    assert_eq!(read(&buffer, 2.0, Interpolation::ZeroOrderHold), 4.0);
    assert_eq!(read(&buffer, 2.5, Interpolation::ZeroOrderHold), 4.0);
    assert_eq!(read(&buffer, 2.5, Interpolation::Linear), 6.5);
    // between inner samples, tangents by central differences are exact for a parabola
    assert!((read(&buffer, 1.5, Interpolation::Cubic) - 2.25).abs() < 1e-15);
}

#[test]
fn history_drops_the_oldest_and_sorts_late_samples_in() {
    let mut buffer = squares();
    history_insert(&mut buffer, 4, 1, 4.0)[0] = 16.0;
    assert_eq!(read(&buffer, 0.5, Interpolation::ZeroOrderHold), 1.0, "the sample at 0 is gone");
    assert_eq!(read(&buffer, 4.0, Interpolation::Linear), 16.0);
    history_insert(&mut buffer, 4, 1, 2.5)[0] = 6.0;
    assert_eq!(read(&buffer, 2.5, Interpolation::Linear), 6.0);
    assert_eq!(read(&buffer, 2.0, Interpolation::Linear), 4.0);
    assert_eq!(read(&buffer, 4.0, Interpolation::Linear), 16.0);
    history_insert(&mut buffer, 4, 1, 2.5)[0] = 7.0;
    assert_eq!(read(&buffer, 2.5, Interpolation::Linear), 7.0, "same time: overwritten");
    assert_eq!(read(&buffer, 3.0, Interpolation::Linear), 9.0);
}
