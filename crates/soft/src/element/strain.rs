//! Green strain of a patch of tetrahedra: the part of the elastic energy that belongs to the shear modulus.

use kinetree_math::{Mat3, Vec3};

use super::Substep;
use crate::displacement::Displacements;

/// Energy `μ V E:E` of the Green strain `E = ½ (FᵀF − 1)` of a patch with volume `V`, whose deformation
/// gradient is `F = Σ x bᵀ` over its vertices.
///
/// As constraints these are the components of `E` with the compliance `1 / (2 μ V)`. All are corrected at
/// once, with a bound on their coupling in the place of its matrix.
#[derive(Debug, Clone)]
pub(crate) struct StrainElement {
    pub(crate) vertices: Box<[u32]>,
    /// Mean gradient of the shape function of each vertex (1/m).
    shape: Box<[Vec3]>,
    /// `2 μ V` (J).
    stiffness: f64,
    /// `F` at the beginning of the substep.
    gradient: Mat3,
    strain: Mat3,
    /// Upper bound of `∇C M⁻¹ ∇Cᵀ` (1/kg).
    coupling: f64,
    multiplier: Mat3,
}

impl StrainElement {
    pub(crate) fn new(vertices: Box<[u32]>, shape: Box<[Vec3]>, shear_modulus: f64, volume: f64) -> Self {
        Self {
            vertices,
            shape,
            stiffness: 2.0 * shear_modulus * volume,
            gradient: Mat3::identity(),
            strain: Mat3::zeros(),
            coupling: 0.0,
            multiplier: Mat3::zeros(),
        }
    }

    pub(super) fn linearize(&mut self, position: &[Vec3], inverse_mass: &[f64]) {
        let (mut gradient, mut mobility) = (Mat3::zeros(), Mat3::zeros());
        for (&vertex, shape) in self.vertices.iter().zip(&self.shape) {
            let vertex = vertex as usize;
            add_outer(&mut gradient, &position[vertex], shape);
            add_outer(&mut mobility, &(inverse_mass[vertex] * shape), shape);
        }
        let metric = gradient.tr_mul(&gradient);
        self.strain = 0.5 * (metric - Mat3::identity());
        self.coupling = largest_row_sum(&metric) * largest_row_sum(&mobility);
        self.gradient = gradient;
    }

    #[inline]
    pub(super) fn start(&mut self, start: f64, inverse_mass: &[f64], displacement: &Displacements) {
        self.multiplier = self.strain * (-start * self.stiffness);
        self.apply(&self.multiplier, inverse_mass, displacement);
    }

    #[inline]
    pub(super) fn correct(&mut self, step: &Substep, inverse_mass: &[f64], displacement: &Displacements) {
        let mut change = Mat3::zeros();
        for (&vertex, shape) in self.vertices.iter().zip(&self.shape) {
            add_outer(&mut change, &displacement.get(vertex), shape);
        }
        // δE = sym(Fᵀ δF)
        let change = self.gradient.tr_mul(&change);
        let rate = 0.5 * (change + change.transpose());
        let compliance = step.inverse_h2 / self.stiffness;
        let residual = self.strain + step.damped * rate + compliance * self.multiplier;
        let correction = residual * (-1.0 / (step.damped * self.coupling + compliance));
        self.multiplier += correction;
        self.apply(&correction, inverse_mass, displacement);
    }

    /// `d += M⁻¹ F λ b` at every vertex.
    #[inline]
    fn apply(&self, multiplier: &Mat3, inverse_mass: &[f64], displacement: &Displacements) {
        let stress = self.gradient * multiplier;
        for (&vertex, shape) in self.vertices.iter().zip(&self.shape) {
            displacement.add(vertex, &(stress * (inverse_mass[vertex as usize] * shape)));
        }
    }

    pub(super) fn add_force(&self, force: &mut [Vec3]) {
        let stress = self.gradient * self.strain * -self.stiffness;
        for (&vertex, shape) in self.vertices.iter().zip(&self.shape) {
            force[vertex as usize] += stress * shape;
        }
    }

    pub(super) fn energy(&self) -> f64 {
        0.5 * self.stiffness * self.strain.norm_squared()
    }
}

#[inline]
fn add_outer(sum: &mut Mat3, a: &Vec3, b: &Vec3) {
    for column in 0..3 {
        for row in 0..3 {
            sum[(row, column)] += a[row] * b[column];
        }
    }
}

/// Largest sum of absolute values of a row: an upper bound of the eigenvalues of a symmetric matrix.
fn largest_row_sum(m: &Mat3) -> f64 {
    (0..3).fold(0.0, |most: f64, i| most.max(m[(i, 0)].abs() + m[(i, 1)].abs() + m[(i, 2)].abs()))
}
