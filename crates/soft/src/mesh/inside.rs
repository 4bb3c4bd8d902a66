//! Where a point is relative to a closed surface.

use kinetree_math::Vec3;

use super::triangle::TriangleMesh;
use crate::nearest::nearest_in_triangle;

/// Winding number of the surface around a point: one inside, zero outside (van Oosterom and Strackee 1983).
pub(super) fn winding_number(surface: &TriangleMesh, point: &Vec3) -> f64 {
    let solid_angle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| surface.position()[v as usize] - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let denominator = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        2.0 * libm::atan2(a.dot(&b.cross(&c)), denominator)
    };
    surface.triangles().iter().map(solid_angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// The point of the surface that is nearest to a point.
pub(super) fn nearest_point(surface: &TriangleMesh, point: &Vec3) -> Vec3 {
    let mut best = (f64::INFINITY, *point);
    for triangle in surface.triangles() {
        let corners = triangle.map(|v| surface.position()[v as usize]);
        let weights = nearest_in_triangle(&corners, point);
        let candidate = corners.iter().zip(weights).fold(Vec3::zeros(), |sum, (x, w)| sum + w * x);
        let distance2 = (candidate - point).norm_squared();
        if distance2 < best.0 {
            best = (distance2, candidate);
        }
    }
    best.1
}
