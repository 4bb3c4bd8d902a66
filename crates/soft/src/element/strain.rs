//! Green strain of a patch of tetrahedra: the part of the elastic energy that belongs to the shear modulus.

use kinetree_math::Vec3;
use wide::{CmpGt, f64x4};

use super::{Class, Substep};
use crate::displacement::{LocalMotion, LocalPositions};
use crate::lane::{Indices, Lane3, scaled};

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

/// Four patches with equally many vertices: what does not belong to a single vertex.
#[derive(Debug, Clone)]
struct StrainBlock {
    /// Number of vertices.
    len: usize,
    stiffness: f64x4,
    /// `F` at the beginning of the substep.
    gradient: Columns,
    /// Upper bound of `∇C M⁻¹ ∇Cᵀ` (1/kg).
    coupling: f64x4,
}

impl StrainBlock {
    /// `F S` for a symmetric matrix.
    #[inline(always)]
    fn stress(&self, [s00, s11, s22, s01, s02, s12]: Symmetric) -> Columns {
        let [a, b, c] = self.gradient;
        [s00 * a + s01 * b + s02 * c, s01 * a + s11 * b + s12 * c, s02 * a + s12 * b + s22 * c]
    }

    /// `FᵀF`.
    #[inline(always)]
    fn metric(&self) -> Symmetric {
        let [a, b, c] = &self.gradient;
        [a.dot(a), b.dot(b), c.dot(c), a.dot(b), a.dot(c), b.dot(c)]
    }
}

/// `½ (FᵀF − 1)`.
#[inline(always)]
fn strain([m00, m11, m22, m01, m02, m12]: Symmetric) -> Symmetric {
    let one = f64x4::ONE;
    [(m00 - one) * 0.5, (m11 - one) * 0.5, (m22 - one) * 0.5, m01 * 0.5, m02 * 0.5, m12 * 0.5]
}

/// `M b`.
#[inline(always)]
fn times(matrix: &Columns, shape: &Lane3) -> Lane3 {
    shape.x * matrix[0] + shape.y * matrix[1] + shape.z * matrix[2]
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

/// `M += b bᵀ / m`.
#[inline(always)]
fn add_mobility(matrix: &mut Symmetric, inverse_mass: f64x4, shape: &Lane3) {
    let scaled = inverse_mass * *shape;
    matrix[0] += scaled.x * shape.x;
    matrix[1] += scaled.y * shape.y;
    matrix[2] += scaled.z * shape.z;
    matrix[3] += scaled.x * shape.y;
    matrix[4] += scaled.x * shape.z;
    matrix[5] += scaled.y * shape.z;
}

/// The patches of a cluster, in blocks of four with equally many vertices each.
///
/// The gradients of the shape functions of a patch add up to zero: with vectors from its first vertex, that
/// of the first one is not needed.
#[derive(Debug, Clone, Default)]
pub(crate) struct StrainBlocks {
    blocks: Vec<StrainBlock>,
    /// Of all blocks, one after the other.
    vertices: Vec<Indices>,
    /// Gradients of the shape functions of all vertices but the first one of each block.
    shape: Vec<Lane3>,
    /// Of each block between two sweeps of a substep.
    residual: Vec<Symmetric>,
}

/// Does the same with every block: `$vertices` and `$shape` are its own.
macro_rules! for_each_block {
    ($blocks:expr, |$block:ident, $vertices:ident, $shape:ident, $residual:ident| $action:expr) => {
        let (mut all_vertices, mut all_shapes) = (&$blocks.vertices[..], &$blocks.shape[..]);
        for ($block, $residual) in $blocks.blocks.iter_mut().zip(&mut $blocks.residual) {
            let ($vertices, rest) = all_vertices.split_at($block.len);
            let ($shape, more) = all_shapes.split_at($block.len - 1);
            (all_vertices, all_shapes) = (rest, more);
            $action
        }
    };
}

impl StrainBlocks {
    /// Appends up to four patches; the others belong to the vertex `fixed`, which does not move.
    pub(crate) fn push(&mut self, patches: &[&StrainPatch], fixed: u32) {
        let Some(len) = patches.first().map(|patch| patch.vertices.len()).filter(|&len| len > 0) else {
            return;
        };
        for corner in 0..len {
            let vertex = |k: usize| patches.get(k).map_or(fixed, |p| p.vertices[corner]);
            let shape = |k: usize| patches.get(k).map_or(Vec3::zeros(), |p| p.shape[corner]);
            self.vertices.push(std::array::from_fn(vertex));
            if corner > 0 {
                self.shape.push(Lane3::new(std::array::from_fn(shape)));
            }
        }
        let stiffness = f64x4::new(std::array::from_fn(|k| patches.get(k).map_or(0.0, |p| p.stiffness)));
        let (gradient, coupling) = ([Lane3::ZERO; 3], f64x4::ZERO);
        self.blocks.push(StrainBlock { len, stiffness, gradient, coupling });
        self.residual.push([f64x4::ZERO; 6]);
    }

    /// Begins a substep as [`Block::begin`](super::Block::begin) does.
    #[inline(always)]
    pub(crate) fn begin(&mut self, position: &LocalPositions, step: &Substep, motion: &mut LocalMotion) {
        let (start, _) = step.start_of(Class::Strain);
        for_each_block!(self, |block, vertices, shape, _residual| {
            let (mut gradient, mut mobility, mut sum) = ([Lane3::ZERO; 3], [f64x4::ZERO; 6], Lane3::ZERO);
            let (origin, inverse_mass) = position.gather(&vertices[0]);
            for (vertices, shape) in vertices[1..].iter().zip(shape) {
                let (x, inverse_mass) = position.gather(vertices);
                add_outer(&mut gradient, &(x - origin), shape);
                add_mobility(&mut mobility, inverse_mass, shape);
                sum += *shape;
            }
            add_mobility(&mut mobility, inverse_mass, &sum);
            block.gradient = gradient;
            let metric = block.metric();
            block.coupling = largest_row_sum(metric) * largest_row_sum(mobility);
            let multiplier = scaled(strain(metric), block.stiffness * -start);
            push(&block.stress(multiplier), vertices, shape, motion);
        });
    }

    /// One update of the multipliers.
    #[inline(always)]
    pub(crate) fn correct(&mut self, step: &Substep, motion: &mut LocalMotion) {
        let (_, implicit_share) = step.start_of(Class::Strain);
        for_each_block!(self, |block, vertices, shape, stored| {
            let mut change = [Lane3::ZERO; 3];
            let origin = motion.gather(&vertices[0]).0;
            for (vertices, shape) in vertices[1..].iter().zip(shape) {
                add_outer(&mut change, &(motion.gather(vertices).0 - origin), shape);
            }
            // δE = sym(Fᵀ δF)
            let ([a, b, c], [da, db, dc]) = (&block.gradient, &change);
            let half = |sum: f64x4| sum * 0.5;
            let rate = [
                a.dot(da),
                b.dot(db),
                c.dot(dc),
                half(a.dot(db) + b.dot(da)),
                half(a.dot(dc) + c.dot(da)),
                half(b.dot(dc) + c.dot(db)),
            ];
            let residual =
                if step.first { scaled(strain(block.metric()), implicit_share.into()) } else { *stored };
            let resistance = block.stiffness * block.coupling * step.damped + step.inverse_h2;
            let scale = f64x4::splat(-1.0) / resistance;
            let mut correction = [f64x4::ZERO; 6];
            for k in 0..6 {
                correction[k] = (residual[k] + rate[k] * step.damped) * scale;
            }
            if !step.last {
                (0..6).for_each(|k| stored[k] = residual[k] + correction[k] * step.inverse_h2);
            }
            push(&block.stress(scaled(correction, block.stiffness)), vertices, shape, motion);
        });
    }

    /// Elastic energy (J) at the positions of the last beginning.
    pub(crate) fn energy(&self) -> f64 {
        let energy = |block: &StrainBlock| {
            let [s00, s11, s22, s01, s02, s12] = strain(block.metric()).map(|strain| strain * strain);
            let norm2 = s00 + s11 + s22 + (s01 + s02 + s12) * 2.0;
            (norm2 * block.stiffness * 0.5).to_array().iter().sum::<f64>()
        };
        self.blocks.iter().map(energy).sum()
    }
}

/// Adds what a stress makes of the displacements of the vertices of a block.
#[inline(always)]
fn push(stress: &Columns, vertices: &[Indices], shape: &[Lane3], motion: &mut LocalMotion) {
    let mut sum = Lane3::ZERO;
    for (vertices, shape) in vertices[1..].iter().zip(shape) {
        let force = times(stress, shape);
        motion.push(vertices, &force);
        sum += force;
    }
    motion.push(&vertices[0], &-sum);
}
