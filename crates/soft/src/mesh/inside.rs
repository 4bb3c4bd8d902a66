//! Where a point is relative to a closed surface.

use kinetree_math::Vec3;

use super::triangle::TriangleMesh;

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
        let candidate = nearest_in_triangle(triangle.map(|v| surface.position()[v as usize]), point);
        let distance2 = (candidate - point).norm_squared();
        if distance2 < best.0 {
            best = (distance2, candidate);
        }
    }
    best.1
}

/// The nearest point of a triangle: its projection if that is inside, else the nearest point of an edge.
fn nearest_in_triangle([a, b, c]: [Vec3; 3], point: &Vec3) -> Vec3 {
    let normal = (b - a).cross(&(c - a));
    let inner = |from: &Vec3, to: &Vec3| (to - from).cross(&(point - from)).dot(&normal) >= 0.0;
    if inner(&a, &b) && inner(&b, &c) && inner(&c, &a) {
        return point - normal * (normal.dot(&(point - a)) / normal.norm_squared());
    }
    let on_edge = |from: &Vec3, to: &Vec3| {
        let edge = to - from;
        let along = (point - from).dot(&edge) / edge.norm_squared();
        from + along.clamp(0.0, 1.0) * edge
    };
    let mut best = on_edge(&a, &b);
    for other in [on_edge(&b, &c), on_edge(&c, &a)] {
        if (other - point).norm_squared() < (best - point).norm_squared() {
            best = other;
        }
    }
    best
}
