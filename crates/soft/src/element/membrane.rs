//! Strain of a triangle.

use wide::f64x4;

use super::rows3::Coupling3;
use super::{Block, Class, Substep};
use crate::displacement::{LocalMotion, LocalPositions};
use crate::lane::{Indices, Lane3, WIDTH, scaled};

/// Sum and difference of the normal strains and the shear strain of a triangle, `E₁₁ + E₂₂`, `E₁₁ − E₂₂` and
/// `2 E₁₂` of its Green strain: the three eigenvectors of the elasticity of an isotropic membrane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Membrane {
    pub(crate) vertices: [u32; 3],
    /// Gradients of the shape functions of the second and third corner in material coordinates (1/m); that of
    /// the first one balances them.
    pub(crate) shape: [[f64; 2]; 2],
    /// Of the sum, and of the other two (J).
    pub(crate) stiffness: [f64; 2],
}

/// Four triangles. With the tangents `u = Σ b₁ x` and `v = Σ b₂ x` over the vertices, the gradients of the
/// strains at a vertex are `b₁ u`, `b₂ v` and `b₂ u + b₁ v`.
#[derive(Debug, Clone)]
pub(crate) struct MembraneBlock {
    vertices: [Indices; 3],
    shape: [[f64x4; 2]; 2],
    stiffness: [f64x4; 2],
    tangent: [Lane3; 2],
    /// Between two sweeps of a substep.
    residual: [f64x4; 3],
}

impl MembraneBlock {
    /// Up to four triangles; the others belong to the vertex `fixed`, which does not move.
    pub(crate) fn new(triangles: &[&Membrane], fixed: u32) -> Self {
        let lane = |get: &dyn Fn(&Membrane) -> f64| {
            f64x4::new(std::array::from_fn::<_, WIDTH, _>(|k| triangles.get(k).map_or(0.0, |t| get(t))))
        };
        let vertex =
            |corner: usize| std::array::from_fn(|k| triangles.get(k).map_or(fixed, |t| t.vertices[corner]));
        Self {
            vertices: std::array::from_fn(vertex),
            shape: std::array::from_fn(|corner| std::array::from_fn(|axis| lane(&|t| t.shape[corner][axis]))),
            stiffness: [lane(&|t| t.stiffness[0]), lane(&|t| t.stiffness[1])],
            tangent: [Lane3::ZERO; 2],
            residual: [f64x4::ZERO; 3],
        }
    }

    /// Sums over the vertices, weighted by the gradients of their shape functions.
    #[inline(always)]
    fn tangents(&self, x: &[Lane3; 3]) -> [Lane3; 2] {
        let edges = [x[1] - x[0], x[2] - x[0]];
        let sum = |axis: usize| self.shape[0][axis] * edges[0] + self.shape[1][axis] * edges[1];
        [sum(0), sum(1)]
    }

    /// Forces at unit shape gradients, by the multipliers of sum, difference and shear.
    #[inline(always)]
    fn stress(&self, [sum, difference, shear]: [f64x4; 3]) -> [Lane3; 2] {
        let [u, v] = self.tangent;
        [(sum + difference) * u + shear * v, (sum - difference) * v + shear * u]
    }

    /// Forces `Σ ∇C λ` at the vertices.
    #[inline(always)]
    fn forces(&self, stress: [Lane3; 2]) -> [Lane3; 3] {
        let force = |corner: usize| self.shape[corner][0] * stress[0] + self.shape[corner][1] * stress[1];
        let (second, third) = (force(0), force(1));
        [-(second + third), second, third]
    }

    /// `u·u`, `v·v` and `u·v`.
    #[inline(always)]
    fn metric(&self) -> [f64x4; 3] {
        let [u, v] = &self.tangent;
        [u.norm_squared(), v.norm_squared(), u.dot(v)]
    }

    /// Sum, difference and shear.
    #[inline(always)]
    fn strain(&self, [uu, vv, uv]: [f64x4; 3]) -> [f64x4; 3] {
        [(uu + vv) * 0.5 - f64x4::ONE, (uu - vv) * 0.5, uv]
    }

    /// Coupling of sum, difference and shear.
    #[inline(always)]
    fn coupling(&self, [uu, vv, uv]: [f64x4; 3], inverse_mass: &[f64x4; 3]) -> Coupling3 {
        // Σ b bᵀ / m
        let [[b1, b2], [c1, c2]] = self.shape;
        let [a1, a2] = [b1 + c1, b2 + c2];
        let [a, b, c] = *inverse_mass;
        let m11 = a * a1 * a1 + b * b1 * b1 + c * c1 * c1;
        let m22 = a * a2 * a2 + b * b2 * b2 + c * c2 * c2;
        let m12 = a * a1 * a2 + b * b1 * b2 + c * c1 * c2;
        // of the strains 11, 22 and 2·12
        let (g11, g22, g12) = (m11 * uu, m22 * vv, m12 * uv);
        let (g13, g23) = (m12 * uu + m11 * uv, m22 * uv + m12 * vv);
        let g33 = m22 * uu + m11 * vv + g12 * 2.0;
        Coupling3 {
            diagonal: [g11 + g22 + g12 * 2.0, g11 + g22 - g12 * 2.0, g33],
            mixed: [g11 - g22, g13 + g23, g13 - g23],
        }
    }
}

impl Block for MembraneBlock {
    #[inline(always)]
    fn begin(&mut self, position: &LocalPositions, step: &Substep, motion: &mut LocalMotion) {
        self.tangent = self.tangents(&position.gather_all(&self.vertices).0);
        let [sum, difference, shear] = self.strain(self.metric());
        let (start, _) = step.start_of(Class::Strain);
        let (of_sum, of_rest) = (self.stiffness[0] * -start, self.stiffness[1] * -start);
        let forces = self.forces(self.stress([sum * of_sum, difference * of_rest, shear * of_rest]));
        for (vertices, force) in self.vertices.iter().zip(&forces) {
            motion.push(vertices, force);
        }
    }

    #[inline(always)]
    fn correct(&mut self, step: &Substep, motion: &mut LocalMotion) {
        let (displacement, inverse_mass) = motion.gather_all(&self.vertices);
        let ([du, dv], [u, v]) = (self.tangents(&displacement), self.tangent);
        let normal = [u.dot(&du), v.dot(&dv)];
        let rate = [normal[0] + normal[1], normal[0] - normal[1], u.dot(&dv) + v.dot(&du)];
        let metric = self.metric();
        let (_, implicit_share) = step.start_of(Class::Strain);
        let mut residual = self.residual;
        if step.first {
            residual = scaled(self.strain(metric), implicit_share.into());
        }
        let [of_sum, of_rest] = self.stiffness;
        let coupling = self.coupling(metric, &inverse_mass);
        let change = coupling.correct(&mut residual, rate, [of_sum, of_rest, of_rest], step);
        if !step.last {
            self.residual = residual;
        }
        let forces = self.forces(self.stress(change));
        for corner in 0..3 {
            let moved = displacement[corner] + inverse_mass[corner] * forces[corner];
            motion.scatter(&self.vertices[corner], &moved, inverse_mass[corner]);
        }
    }

    fn energy(&self) -> f64 {
        let [sum, difference, shear] = self.strain(self.metric());
        let rest = (difference * difference + shear * shear) * self.stiffness[1];
        ((sum * sum * self.stiffness[0] + rest) * 0.5).to_array().iter().sum()
    }
}
