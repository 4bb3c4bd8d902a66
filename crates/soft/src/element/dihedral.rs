//! The angle between two triangles.

use std::f64::consts::{PI, TAU};

use wide::{CmpGe, CmpLe, CmpNe, f64x4};

use crate::lane::{Lane3, atan2, quotient};

/// Angle (rad) by which the triangles `a b c` and `b a d` are folded at their common edge `a b`, and its
/// gradient at the four vertices; zero for flat ones. The angle is positive when `c` and `d` lie on the side
/// that the normals `(b − a) × (c − a)` point to. Degenerate triangles have no angle and a zero gradient.
#[inline(always)]
pub(crate) fn dihedral([a, b, c, d]: [&Lane3; 4]) -> (f64x4, [Lane3; 4]) {
    let left = (*b - *a).cross(&(*c - *a));
    let fold = Fold::new([a, b, c, d], &left, left.norm_squared());
    let Fold { angle, height, beyond_gradient: to_d, share: [c_share, d_share] } = fold;
    let (one, to_c) = (f64x4::ONE, height * left);
    let at_a = -((one - c_share) * to_c) - (one - d_share) * to_d;
    let at_b = -(c_share * to_c) - d_share * to_d;
    (angle, [at_a, at_b, to_c, to_d])
}

/// A fold at the edge `a b`. Each opposite vertex moves the angle by its height above the edge, and the ends
/// take what balances that.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fold {
    pub(crate) angle: f64x4,
    /// The gradient at `c` is this times the normal `(b − a) × (c − a)` (1/m³).
    pub(crate) height: f64x4,
    /// The gradient at `d` (1/m).
    pub(crate) beyond_gradient: Lane3,
    /// How far along the edge `c` and `d` lie: that share of their gradients is taken by `b`, the rest by
    /// `a`.
    pub(crate) share: [f64x4; 2],
}

impl Fold {
    /// The fold of four vertices, with the normal of the triangle `a b c` and its square.
    #[inline(always)]
    pub(crate) fn new([a, b, c, d]: [&Lane3; 4], left: &Lane3, left2: f64x4) -> Self {
        let (zero, edge, to_c, to_d) = (f64x4::ZERO, *b - *a, *c - *a, *d - *a);
        let (length2, right) = (edge.norm_squared(), to_d.cross(&edge));
        let (length, right2) = (length2.sqrt(), right.norm_squared());
        let sound = length2.cmp_ne(zero) & left2.cmp_ne(zero) & right2.cmp_ne(zero);
        let angle = atan2(right.cross(left).dot(&edge), length * left.dot(&right));
        let inverse = quotient(f64x4::ONE, length2);
        Self {
            angle: sound & angle,
            height: sound & (length / left2),
            beyond_gradient: (sound & (length / right2)) * right,
            share: [to_c.dot(&edge) * inverse, to_d.dot(&edge) * inverse],
        }
    }
}

/// Difference of two angles in `[−π, π]` on the shorter way around.
#[inline(always)]
pub(crate) fn angle_difference(angle: f64x4, rest: f64x4) -> f64x4 {
    let difference = angle - rest;
    let (over, under) = (difference.cmp_ge(f64x4::splat(PI)), difference.cmp_le(f64x4::splat(-PI)));
    difference - (over & f64x4::splat(TAU)) + (under & f64x4::splat(TAU))
}

/// An angle brought into `[−π, π]` by whole turns.
pub(crate) fn wrapped(angle: f64) -> f64 {
    angle - libm::round(angle / TAU) * TAU
}

#[cfg(test)]
mod tests {
    use super::{Lane3, dihedral};
    use kinetree_math::Vec3;

    #[test]
    fn gradient_is_that_of_differences_and_momentum_is_kept() {
        let mut x = [
            Vec3::new(0.1, -0.2, 0.3),
            Vec3::new(0.4, 1.1, -0.1),
            Vec3::new(-0.9, 0.6, 0.5),
            Vec3::new(1.2, 0.3, 0.8),
        ];
        let at = |x: &[Vec3; 4]| {
            let lanes = x.map(|v| Lane3::new([v; 4]));
            let (angle, gradient) = dihedral([&lanes[0], &lanes[1], &lanes[2], &lanes[3]]);
            let first = |g: Lane3| Vec3::new(g.x.to_array()[0], g.y.to_array()[0], g.z.to_array()[0]);
            (angle.to_array()[0], gradient.map(first))
        };
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
                let derivative = (side(1.0) - side(-1.0)) / 2e-6;
                assert!((derivative - gradient[vertex][axis]).abs() < 1e-8, "vertex {vertex}, axis {axis}");
            }
        }
        let force = gradient.iter().sum::<Vec3>();
        let torque = (0..4).map(|v| x[v].cross(&gradient[v])).sum::<Vec3>();
        assert!(force.norm() < 1e-14 && torque.norm() < 1e-14);
    }
}
