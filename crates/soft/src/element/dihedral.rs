//! The angle between two triangles.

use kinetree_math::Vec3;

/// Angle (rad) by which the triangles `a b c` and `b a d` are folded at their common edge `a b`, and its
/// gradient at the four vertices; zero for flat ones. The angle is positive when `c` and `d` lie on the side
/// that the normals `(b − a) × (c − a)` point to. Degenerate triangles give a zero gradient.
pub(crate) fn dihedral([a, b, c, d]: [&Vec3; 4]) -> (f64, [Vec3; 4]) {
    let edge = b - a;
    let length = edge.norm();
    let (left, right) = (edge.cross(&(c - a)), (d - a).cross(&edge));
    let (left2, right2) = (left.norm_squared(), right.norm_squared());
    if length == 0.0 || left2 == 0.0 || right2 == 0.0 {
        return (0.0, [Vec3::zeros(); 4]);
    }
    let angle = libm::atan2(right.cross(&left).dot(&edge) / length, left.dot(&right));
    // each opposite vertex moves the angle by its height above the edge, the ends take what balances that
    let (to_c, to_d) = (left * (length / left2), right * (length / right2));
    let along = |vertex: &Vec3| (vertex - a).dot(&edge) / (length * length);
    let (c_share, d_share) = (along(c), along(d));
    let at_a = -(1.0 - c_share) * to_c - (1.0 - d_share) * to_d;
    let at_b = -c_share * to_c - d_share * to_d;
    (angle, [at_a, at_b, to_c, to_d])
}

/// Difference of two angles on the shorter way around.
pub(crate) fn angle_difference(angle: f64, rest: f64) -> f64 {
    let difference = angle - rest;
    let turns = libm::round(difference / std::f64::consts::TAU);
    difference - turns * std::f64::consts::TAU
}

#[cfg(test)]
mod tests {
    use super::dihedral;
    use kinetree_math::Vec3;

    #[test]
    fn gradient_is_that_of_differences_and_momentum_is_kept() {
        let mut x = [
            Vec3::new(0.1, -0.2, 0.3),
            Vec3::new(0.4, 1.1, -0.1),
            Vec3::new(-0.9, 0.6, 0.5),
            Vec3::new(1.2, 0.3, 0.8),
        ];
        let at = |x: &[Vec3; 4]| dihedral([&x[0], &x[1], &x[2], &x[3]]);
        let (angle, gradient) = at(&x);
        assert!(angle > 0.1, "both are on the side of the normals");
        for vertex in 0..4 {
            for axis in 0..3 {
                let start = x[vertex][axis];
                let mut side = |sign: f64| {
                    x[vertex][axis] = start + sign * 1e-6;
                    let angle = at(&x).0;
                    x[vertex][axis] = start;
                    angle
                };
                let slope = (side(1.0) - side(-1.0)) / 2e-6;
                assert!((slope - gradient[vertex][axis]).abs() < 1e-8, "vertex {vertex}, axis {axis}");
            }
        }
        let force = gradient.iter().sum::<Vec3>();
        let torque = (0..4).map(|v| x[v].cross(&gradient[v])).sum::<Vec3>();
        assert!(force.norm() < 1e-14 && torque.norm() < 1e-14);
    }
}
