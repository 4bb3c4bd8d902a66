//! Elements of one scalar constraint.

use std::marker::PhantomData;

use kinetree_math::Vec3;
use wide::{CmpGt, f64x4};

use super::dihedral::{angle_difference, dihedral, wrapped};
use super::{Block, Substep};
use crate::displacement::{Motion, Positions};
use crate::lane::{Indices, Lane3, WIDTH, quotient};

/// A scalar constraint over a few vertices.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<const N: usize> {
    pub(crate) vertices: [u32; N],
    /// What is measured, at rest.
    pub(crate) rest: f64,
    /// Zero is rigid.
    pub(crate) compliance: f64,
}

/// What a constraint measures.
pub(crate) trait Measure<const N: usize> {
    /// The rest value as the block keeps it.
    fn rest(value: f64) -> f64 {
        value
    }

    /// Value and gradient.
    fn evaluate(x: &[Lane3; N], rest: f64x4) -> (f64x4, [Lane3; N]);
}

/// Distance between two vertices less the length (m).
#[derive(Debug, Clone)]
pub(crate) struct Distance;

impl Measure<2> for Distance {
    #[inline(always)]
    fn evaluate([a, b]: &[Lane3; 2], length: f64x4) -> (f64x4, [Lane3; 2]) {
        let between = *a - *b;
        let distance = between.norm_squared().sqrt();
        let direction = quotient(f64x4::ONE, distance) * between;
        (distance - length, [direction, -direction])
    }
}

/// Angle between two triangles less the angle at rest (rad).
#[derive(Debug, Clone)]
pub(crate) struct Dihedral;

impl Measure<4> for Dihedral {
    fn rest(value: f64) -> f64 {
        wrapped(value)
    }

    #[inline(always)]
    fn evaluate([a, b, c, d]: &[Lane3; 4], rest: f64x4) -> (f64x4, [Lane3; 4]) {
        let (angle, gradient) = dihedral([a, b, c, d]);
        (angle_difference(angle, rest), gradient)
    }
}

/// Volume of a tetrahedron less the volume at rest (m³).
#[derive(Debug, Clone)]
pub(crate) struct Volume;

impl Measure<4> for Volume {
    #[inline(always)]
    fn evaluate([a, b, c, d]: &[Lane3; 4], rest: f64x4) -> (f64x4, [Lane3; 4]) {
        let (u, v, w) = (*b - *a, *c - *a, *d - *a);
        let sixth = f64x4::splat(1.0 / 6.0);
        let slopes = [sixth * v.cross(&w), sixth * w.cross(&u), sixth * u.cross(&v)];
        (slopes[0].dot(&u) - rest, [-(slopes[0] + slopes[1] + slopes[2]), slopes[0], slopes[1], slopes[2]])
    }
}

/// Four constraints, with gradients that are stored for the length of a substep.
#[derive(Debug, Clone)]
pub(crate) struct RowBlock<M, const N: usize> {
    vertices: [Indices; N],
    rest: f64x4,
    compliance: f64x4,
    /// Inverse of the compliance; a rigid constraint has zero, since it has no elastic force.
    stiffness: f64x4,
    value: f64x4,
    /// `∇C M⁻¹ ∇Cᵀ`.
    diagonal: f64x4,
    multiplier: f64x4,
    gradient: [Lane3; N],
    measure: PhantomData<M>,
}

impl<M: Measure<N>, const N: usize> RowBlock<M, N> {
    /// Up to four constraints; the others belong to the vertex `fixed`, which does not move.
    pub(crate) fn new(rows: &[&Row<N>], fixed: u32) -> Self {
        let lane = |get: &dyn Fn(&Row<N>) -> f64| {
            f64x4::new(std::array::from_fn::<_, WIDTH, _>(|k| rows.get(k).map_or(0.0, |row| get(row))))
        };
        let compliance = lane(&|row| row.compliance);
        let vertex =
            |corner: usize| std::array::from_fn(|k| rows.get(k).map_or(fixed, |row| row.vertices[corner]));
        Self {
            vertices: std::array::from_fn(vertex),
            rest: lane(&|row| M::rest(row.rest)),
            compliance,
            stiffness: compliance.cmp_gt(f64x4::ZERO) & (f64x4::ONE / compliance),
            value: f64x4::ZERO,
            diagonal: f64x4::ZERO,
            multiplier: f64x4::ZERO,
            gradient: [Lane3::ZERO; N],
            measure: PhantomData,
        }
    }
}

impl<M: Measure<N>, const N: usize> Block for RowBlock<M, N> {
    #[inline(always)]
    fn begin(&mut self, position: &Positions, start: f64, motion: &mut impl Motion) {
        let (x, inverse_mass) = position.gather_all(&self.vertices);
        let (value, gradient) = M::evaluate(&x, self.rest);
        let multiplier = self.stiffness * value * -start;
        let mut diagonal = f64x4::ZERO;
        for k in 0..N {
            diagonal += inverse_mass[k] * gradient[k].norm_squared();
            motion.add(&self.vertices[k], &((inverse_mass[k] * multiplier) * gradient[k]));
        }
        (self.value, self.gradient, self.multiplier, self.diagonal) = (value, gradient, multiplier, diagonal);
    }

    #[inline(always)]
    fn correct(&mut self, step: &Substep, motion: &mut impl Motion) {
        let (displacement, inverse_mass) = motion.gather_all(&self.vertices);
        let mut rate = f64x4::ZERO;
        for k in 0..N {
            rate += self.gradient[k].dot(&displacement[k]);
        }
        let compliance = self.compliance * step.inverse_h2;
        let residual = self.value + rate * step.damped + compliance * self.multiplier;
        // zero where all vertices are pinned, or the element has collapsed to a point
        let correction = quotient(-residual, self.diagonal * step.damped + compliance);
        self.multiplier += correction;
        for k in 0..N {
            let moved = displacement[k] + (inverse_mass[k] * correction) * self.gradient[k];
            motion.scatter(&self.vertices[k], &moved, inverse_mass[k]);
        }
    }

    fn energy(&self) -> f64 {
        (self.value * self.value * self.stiffness * 0.5).to_array().iter().sum()
    }
}

/// Signed volume of a tetrahedron (m³), positive when the last vertex lies on the side of the normal of the
/// first three, and its gradient.
pub(crate) fn tetrahedron_volume([a, b, c, d]: [&Vec3; 4]) -> (f64, [Vec3; 4]) {
    let (u, v, w) = (b - a, c - a, d - a);
    let slopes = [v.cross(&w) / 6.0, w.cross(&u) / 6.0, u.cross(&v) / 6.0];
    (slopes[0].dot(&u), [-(slopes[0] + slopes[1] + slopes[2]), slopes[0], slopes[1], slopes[2]])
}
