//! Elements of one scalar constraint.

use std::fmt::Debug;

use kinetree_math::Vec3;
use wide::{CmpGt, f64x4};

use super::dihedral::{angle_difference, dihedral, wrapped};
use super::{Block, Class, Substep};
use crate::displacement::{LocalMotion, LocalPositions};
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
    /// Gradients at all vertices but the first one, at which it balances them.
    type Partials: Copy + Debug + Default;
    /// What kind of stiffness a constraint adds.
    const CLASS: Class;

    /// The rest value as the block keeps it.
    fn rest(value: f64) -> f64 {
        value
    }

    /// Value and gradient.
    fn evaluate(x: &[Lane3; N], rest: f64x4) -> (f64x4, Self::Partials);

    /// The gradient at all vertices.
    fn gradient(partials: &Self::Partials) -> [Lane3; N];
}

/// Distance between two vertices less the length (m).
#[derive(Debug, Clone)]
pub(crate) struct Distance;

impl Measure<2> for Distance {
    type Partials = Lane3;
    const CLASS: Class = Class::Strain;

    #[inline(always)]
    fn evaluate([a, b]: &[Lane3; 2], length: f64x4) -> (f64x4, Lane3) {
        let between = *b - *a;
        let distance = between.norm_squared().sqrt();
        (distance - length, quotient(f64x4::ONE, distance) * between)
    }

    #[inline(always)]
    fn gradient(&direction: &Lane3) -> [Lane3; 2] {
        [-direction, direction]
    }
}

/// Angle between two triangles less the angle at rest (rad).
#[derive(Debug, Clone)]
pub(crate) struct Dihedral;

impl Measure<4> for Dihedral {
    type Partials = [Lane3; 3];
    const CLASS: Class = Class::Bending;

    fn rest(value: f64) -> f64 {
        wrapped(value)
    }

    #[inline(always)]
    fn evaluate([a, b, c, d]: &[Lane3; 4], rest: f64x4) -> (f64x4, [Lane3; 3]) {
        let (angle, [_, at_b, at_c, at_d]) = dihedral([a, b, c, d]);
        (angle_difference(angle, rest), [at_b, at_c, at_d])
    }

    #[inline(always)]
    fn gradient(partials: &[Lane3; 3]) -> [Lane3; 4] {
        balanced(partials)
    }
}

/// Volume of a tetrahedron less the volume at rest (m³).
#[derive(Debug, Clone)]
pub(crate) struct Volume;

impl Measure<4> for Volume {
    type Partials = [Lane3; 3];
    const CLASS: Class = Class::Strain;

    #[inline(always)]
    fn evaluate([a, b, c, d]: &[Lane3; 4], rest: f64x4) -> (f64x4, [Lane3; 3]) {
        let (u, v, w) = (*b - *a, *c - *a, *d - *a);
        let sixth = f64x4::splat(1.0 / 6.0);
        let partials = [sixth * v.cross(&w), sixth * w.cross(&u), sixth * u.cross(&v)];
        (partials[0].dot(&u) - rest, partials)
    }

    #[inline(always)]
    fn gradient(partials: &[Lane3; 3]) -> [Lane3; 4] {
        balanced(partials)
    }
}

/// Gradients at four vertices whose sum is zero.
#[inline(always)]
fn balanced(&[b, c, d]: &[Lane3; 3]) -> [Lane3; 4] {
    [-(b + c + d), b, c, d]
}

/// Four constraints, with gradients that are stored for the length of a substep.
#[derive(Debug, Clone)]
pub(crate) struct RowBlock<M: Measure<N>, const N: usize> {
    vertices: [Indices; N],
    rest: f64x4,
    compliance: f64x4,
    residual: f64x4,
    partials: M::Partials,
}

impl<M: Measure<N>, const N: usize> RowBlock<M, N> {
    /// Up to four constraints; the others belong to the vertex `fixed`, which does not move.
    pub(crate) fn new(rows: &[&Row<N>], fixed: u32) -> Self {
        let lane = |get: &dyn Fn(&Row<N>) -> f64| {
            f64x4::new(std::array::from_fn::<_, WIDTH, _>(|k| rows.get(k).map_or(0.0, |row| get(row))))
        };
        let vertex =
            |corner: usize| std::array::from_fn(|k| rows.get(k).map_or(fixed, |row| row.vertices[corner]));
        Self {
            vertices: std::array::from_fn(vertex),
            rest: lane(&|row| M::rest(row.rest)),
            compliance: lane(&|row| row.compliance),
            residual: f64x4::ZERO,
            partials: M::Partials::default(),
        }
    }

    /// Inverse of the compliance; a rigid constraint has zero, since it has no elastic force.
    #[inline(always)]
    fn stiffness(&self) -> f64x4 {
        quotient(f64x4::ONE, self.compliance)
    }
}

impl<M: Measure<N>, const N: usize> Block for RowBlock<M, N> {
    #[inline(always)]
    fn begin(&mut self, position: &LocalPositions, step: &Substep, motion: &mut LocalMotion) {
        let x = position.gather_all(&self.vertices).0;
        let (value, partials) = M::evaluate(&x, self.rest);
        let (start, implicit_share) = step.start_of(M::CLASS);
        let multiplier = self.stiffness() * value * -start;
        for (vertices, partial) in self.vertices.iter().zip(M::gradient(&partials)) {
            motion.push(vertices, &(multiplier * partial));
        }
        let elastic = self.compliance.cmp_gt(f64x4::ZERO);
        self.residual = elastic.blend(value * implicit_share, value);
        self.partials = partials;
    }

    #[inline(always)]
    fn correct(&mut self, step: &Substep, motion: &mut LocalMotion) {
        let (displacement, inverse_mass) = motion.gather_all(&self.vertices);
        let gradient = M::gradient(&self.partials);
        let (mut rate, mut diagonal) = (f64x4::ZERO, f64x4::ZERO);
        for k in 0..N {
            rate += gradient[k].dot(&displacement[k]);
            diagonal += inverse_mass[k] * gradient[k].norm_squared();
        }
        let compliance = self.compliance * step.inverse_h2;
        // zero where all vertices are pinned, or the element has collapsed to a point
        let correction = quotient(-(self.residual + rate * step.damped), diagonal * step.damped + compliance);
        if !step.last {
            self.residual += compliance * correction;
        }
        for k in 0..N {
            let moved = displacement[k] + (inverse_mass[k] * correction) * gradient[k];
            motion.scatter(&self.vertices[k], &moved, inverse_mass[k]);
        }
    }

    fn energy(&self) -> f64 {
        (self.residual * self.residual * self.stiffness() * 0.5).to_array().iter().sum()
    }
}

/// Signed volume of a tetrahedron (m³), positive when the last vertex lies on the side of the normal of the
/// first three, and its gradient.
pub(crate) fn tetrahedron_volume([a, b, c, d]: [&Vec3; 4]) -> (f64, [Vec3; 4]) {
    let (u, v, w) = (b - a, c - a, d - a);
    let partials = [v.cross(&w) / 6.0, w.cross(&u) / 6.0, u.cross(&v) / 6.0];
    (partials[0].dot(&u), [-(partials[0] + partials[1] + partials[2]), partials[0], partials[1], partials[2]])
}
