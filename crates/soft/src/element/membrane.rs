//! Strain of a triangle.

use wide::{CmpGt, f64x4};

use super::rows3::Rows3;
use super::{Block, Substep};
use crate::displacement::{Motion, Positions};
use crate::lane::{Indices, Lane3, WIDTH};

/// Sum and difference of the normal strains and the shear strain of a triangle, `E₁₁ + E₂₂`, `E₁₁ − E₂₂` and
/// `2 E₁₂` of its Green strain: the three eigenvectors of the elasticity of an isotropic membrane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Membrane {
    pub(crate) vertices: [u32; 3],
    /// Gradients of the shape functions in material coordinates (1/m).
    pub(crate) shape: [[f64; 2]; 3],
    /// Of the sum, and of the other two.
    pub(crate) compliance: [f64; 2],
}

/// Four triangles. With the tangents `u = Σ b₁ x` and `v = Σ b₂ x` over the vertices, the gradients of the
/// strains at a vertex are `b₁ u`, `b₂ v` and `b₂ u + b₁ v`.
#[derive(Debug, Clone)]
pub(crate) struct MembraneBlock {
    vertices: [Indices; 3],
    shape: [[f64x4; 2]; 3],
    compliance: [f64x4; 2],
    stiffness: [f64x4; 2],
    tangent: [Lane3; 2],
    rows: Rows3,
}

impl MembraneBlock {
    /// Up to four triangles; the others belong to the vertex `fixed`, which does not move.
    pub(crate) fn new(triangles: &[&Membrane], fixed: u32) -> Self {
        let lane = |get: &dyn Fn(&Membrane) -> f64| {
            f64x4::new(std::array::from_fn::<_, WIDTH, _>(|k| triangles.get(k).map_or(0.0, |t| get(t))))
        };
        let compliance = [lane(&|t| t.compliance[0]), lane(&|t| t.compliance[1])];
        let vertex =
            |corner: usize| std::array::from_fn(|k| triangles.get(k).map_or(fixed, |t| t.vertices[corner]));
        Self {
            vertices: std::array::from_fn(vertex),
            shape: std::array::from_fn(|corner| std::array::from_fn(|axis| lane(&|t| t.shape[corner][axis]))),
            compliance,
            stiffness: compliance.map(|c| c.cmp_gt(f64x4::ZERO) & (f64x4::ONE / c)),
            tangent: [Lane3::ZERO; 2],
            rows: Rows3::ZERO,
        }
    }

    /// Sums over the vertices, weighted by the gradients of their shape functions.
    #[inline(always)]
    fn tangents(&self, x: &[Lane3; 3]) -> [Lane3; 2] {
        let sum = |axis: usize| {
            self.shape[0][axis] * x[0] + self.shape[1][axis] * x[1] + self.shape[2][axis] * x[2]
        };
        [sum(0), sum(1)]
    }

    /// Forces at unit shape gradients, by the multipliers of sum, difference and shear.
    #[inline(always)]
    fn stress(&self, [sum, difference, shear]: [f64x4; 3]) -> [Lane3; 2] {
        let [u, v] = self.tangent;
        [(sum + difference) * u + shear * v, (sum - difference) * v + shear * u]
    }

    /// `M⁻¹ Σ ∇C λ` at a vertex.
    #[inline(always)]
    fn displacement(&self, corner: usize, inverse_mass: f64x4, stress: &[Lane3; 2]) -> Lane3 {
        let [along, across] = self.shape[corner];
        (inverse_mass * along) * stress[0] + (inverse_mass * across) * stress[1]
    }
}

impl Block for MembraneBlock {
    #[inline(always)]
    fn begin(&mut self, position: &Positions, start: f64, motion: &mut impl Motion) {
        let (x, inverse_mass) = position.gather_all(&self.vertices);
        let [u, v] = self.tangents(&x);
        let (uu, vv, uv) = (u.norm_squared(), v.norm_squared(), u.dot(&v));
        // Σ b bᵀ / m
        let mut mobility = [f64x4::ZERO; 3];
        for corner in 0..3 {
            let [along, across] = self.shape[corner];
            mobility[0] += inverse_mass[corner] * along * along;
            mobility[1] += inverse_mass[corner] * across * across;
            mobility[2] += inverse_mass[corner] * along * across;
        }
        let [m11, m22, m12] = mobility;
        // coupling of the strains 11, 22 and 2·12, and from it that of sum, difference and shear
        let (g11, g22, g12) = (m11 * uu, m22 * vv, m12 * uv);
        let (g13, g23) = (m12 * uu + m11 * uv, m22 * uv + m12 * vv);
        let g33 = m22 * uu + m11 * vv + m12 * uv * 2.0;
        let normal = [(uu - f64x4::ONE) * 0.5, (vv - f64x4::ONE) * 0.5];
        let value = [normal[0] + normal[1], normal[0] - normal[1], uv];
        let (of_sum, of_rest) = (self.stiffness[0] * -start, self.stiffness[1] * -start);
        let multiplier = [value[0] * of_sum, value[1] * of_rest, value[2] * of_rest];
        self.tangent = [u, v];
        self.rows = Rows3 {
            value,
            multiplier,
            diagonal: [g11 + g22 + g12 * 2.0, g11 + g22 - g12 * 2.0, g33],
            mixed: [g11 - g22, g13 + g23, g13 - g23],
        };
        let stress = self.stress(multiplier);
        for corner in 0..3 {
            motion.add(&self.vertices[corner], &self.displacement(corner, inverse_mass[corner], &stress));
        }
    }

    #[inline(always)]
    fn correct(&mut self, step: &Substep, motion: &mut impl Motion) {
        let (displacement, inverse_mass) = motion.gather_all(&self.vertices);
        let ([du, dv], [u, v]) = (self.tangents(&displacement), self.tangent);
        let normal = [u.dot(&du), v.dot(&dv)];
        let rate = [normal[0] + normal[1], normal[0] - normal[1], u.dot(&dv) + v.dot(&du)];
        let [of_sum, of_rest] = self.compliance;
        let stress = self.rows.correct(rate, [of_sum, of_rest, of_rest], step);
        let stress = self.stress(stress);
        for corner in 0..3 {
            let change = self.displacement(corner, inverse_mass[corner], &stress);
            motion.scatter(&self.vertices[corner], &(displacement[corner] + change), inverse_mass[corner]);
        }
    }

    fn energy(&self) -> f64 {
        let [sum, difference, shear] = self.rows.value;
        let rest = (difference * difference + shear * shear) * self.stiffness[1];
        ((sum * sum * self.stiffness[0] + rest) * 0.5).to_array().iter().sum()
    }
}
