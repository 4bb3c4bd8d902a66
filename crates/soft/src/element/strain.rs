//! Green strain of a patch of tetrahedra: the part of the elastic energy that belongs to the shear modulus.

use kinetree_math::Vec3;
use wide::{CmpGt, f64x4};

use super::{Block, Substep};
use crate::displacement::{Motion, Positions};
use crate::lane::{Indices, Lane3, quotient};

/// Energy `μ V E:E` of the Green strain `E = ½ (FᵀF − 1)` of a patch with volume `V`, whose deformation
/// gradient is `F = Σ x bᵀ` over its vertices.
///
/// As constraints these are the components of `E` with the compliance `1 / (2 μ V)`. All are corrected at
/// once, with a bound on their coupling in the place of its matrix.
#[derive(Debug, Clone)]
pub(crate) struct StrainPatch {
    pub(crate) vertices: Box<[u32]>,
    /// Mean gradient of the shape function of each vertex (1/m).
    pub(crate) shape: Box<[Vec3]>,
    /// `2 μ V` (J).
    pub(crate) stiffness: f64,
}

/// A matrix by its columns.
type Columns = [Lane3; 3];

/// A symmetric matrix: entries `00`, `11`, `22`, `01`, `02` and `12`.
type Symmetric = [f64x4; 6];

/// Four patches with equally many vertices.
#[derive(Debug, Clone)]
pub(crate) struct StrainBlock {
    /// Vertices and the gradients of their shape functions.
    corners: Box<[(Indices, Lane3)]>,
    stiffness: f64x4,
    compliance: f64x4,
    /// `F` at the beginning of the substep.
    gradient: Columns,
    strain: Symmetric,
    /// Upper bound of `∇C M⁻¹ ∇Cᵀ` (1/kg).
    coupling: f64x4,
    multiplier: Symmetric,
}

impl StrainBlock {
    /// Up to four patches; the others belong to the vertex `fixed`, which does not move.
    pub(crate) fn new(patches: &[&StrainPatch], fixed: u32) -> Self {
        let count = patches.first().map_or(0, |patch| patch.vertices.len());
        let corner = |corner: usize| {
            let vertices = std::array::from_fn(|k| patches.get(k).map_or(fixed, |p| p.vertices[corner]));
            let shape = std::array::from_fn(|k| patches.get(k).map_or(Vec3::zeros(), |p| p.shape[corner]));
            (vertices, Lane3::new(shape))
        };
        let stiffness = f64x4::new(std::array::from_fn(|k| patches.get(k).map_or(0.0, |p| p.stiffness)));
        Self {
            corners: (0..count).map(corner).collect(),
            stiffness,
            compliance: stiffness.cmp_gt(f64x4::ZERO) & (f64x4::ONE / stiffness),
            gradient: [Lane3::ZERO; 3],
            strain: [f64x4::ZERO; 6],
            coupling: f64x4::ZERO,
            multiplier: [f64x4::ZERO; 6],
        }
    }

    /// `F S` for a symmetric matrix.
    #[inline(always)]
    fn stress(&self, [s00, s11, s22, s01, s02, s12]: Symmetric) -> Columns {
        let [a, b, c] = self.gradient;
        [s00 * a + s01 * b + s02 * c, s01 * a + s11 * b + s12 * c, s02 * a + s12 * b + s22 * c]
    }
}

/// `M b`, scaled.
#[inline(always)]
fn times(matrix: &Columns, shape: &Lane3, scale: f64x4) -> Lane3 {
    (scale * shape.x) * matrix[0] + (scale * shape.y) * matrix[1] + (scale * shape.z) * matrix[2]
}

/// `M += v bᵀ`.
#[inline(always)]
fn add_outer(matrix: &mut Columns, v: &Lane3, shape: &Lane3) {
    matrix[0] += shape.x * *v;
    matrix[1] += shape.y * *v;
    matrix[2] += shape.z * *v;
}

/// Largest sum of absolute values of a row: an upper bound of the eigenvalues of a symmetric matrix.
#[inline(always)]
fn largest_row_sum([m00, m11, m22, m01, m02, m12]: Symmetric) -> f64x4 {
    let (a01, a02, a12) = (m01.abs(), m02.abs(), m12.abs());
    let larger = |a: f64x4, b: f64x4| a.cmp_gt(b).blend(a, b);
    larger(larger(m00.abs() + a01 + a02, a01 + m11.abs() + a12), a02 + a12 + m22.abs())
}

impl Block for StrainBlock {
    #[inline(always)]
    fn begin(&mut self, position: &Positions, start: f64, motion: &mut impl Motion) {
        let (mut gradient, mut mobility) = ([Lane3::ZERO; 3], [f64x4::ZERO; 6]);
        for (vertices, shape) in &self.corners {
            let (x, inverse_mass) = position.gather(vertices);
            add_outer(&mut gradient, &x, shape);
            let scaled = inverse_mass * *shape;
            mobility[0] += scaled.x * shape.x;
            mobility[1] += scaled.y * shape.y;
            mobility[2] += scaled.z * shape.z;
            mobility[3] += scaled.x * shape.y;
            mobility[4] += scaled.x * shape.z;
            mobility[5] += scaled.y * shape.z;
        }
        let [a, b, c] = &gradient;
        let metric = [a.dot(a), b.dot(b), c.dot(c), a.dot(b), a.dot(c), b.dot(c)];
        let one = f64x4::ONE;
        let stretch = [metric[0] - one, metric[1] - one, metric[2] - one, metric[3], metric[4], metric[5]];
        self.gradient = gradient;
        let scale = self.stiffness * -start;
        for k in 0..6 {
            self.strain[k] = stretch[k] * 0.5;
            self.multiplier[k] = self.strain[k] * scale;
        }
        self.coupling = largest_row_sum(metric) * largest_row_sum(mobility);
        let stress = self.stress(self.multiplier);
        for (vertices, shape) in &self.corners {
            motion.push(vertices, |inverse_mass| times(&stress, shape, inverse_mass));
        }
    }

    #[inline(always)]
    fn correct(&mut self, step: &Substep, motion: &mut impl Motion) {
        let mut change = [Lane3::ZERO; 3];
        for (vertices, shape) in &self.corners {
            let (moved, _) = motion.gather(vertices);
            add_outer(&mut change, &moved, shape);
        }
        // δE = sym(Fᵀ δF)
        let ([a, b, c], [da, db, dc]) = (&self.gradient, &change);
        let half = |sum: f64x4| sum * 0.5;
        let rate = [
            a.dot(da),
            b.dot(db),
            c.dot(dc),
            half(a.dot(db) + b.dot(da)),
            half(a.dot(dc) + c.dot(da)),
            half(b.dot(dc) + c.dot(db)),
        ];
        let compliance = self.compliance * step.inverse_h2;
        let scale = quotient(f64x4::splat(-1.0), self.coupling * step.damped + compliance);
        let mut correction = [f64x4::ZERO; 6];
        for k in 0..6 {
            let residual = self.strain[k] + rate[k] * step.damped + compliance * self.multiplier[k];
            correction[k] = residual * scale;
            self.multiplier[k] += correction[k];
        }
        let stress = self.stress(correction);
        for (vertices, shape) in &self.corners {
            motion.push(vertices, |inverse_mass| times(&stress, shape, inverse_mass));
        }
    }

    fn energy(&self) -> f64 {
        let [s00, s11, s22, s01, s02, s12] = self.strain.map(|strain| strain * strain);
        let norm2 = s00 + s11 + s22 + (s01 + s02 + s12) * 2.0;
        (norm2 * self.stiffness * 0.5).to_array().iter().sum()
    }
}
