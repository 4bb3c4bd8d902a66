//! Elements of up to three scalar constraints, whose gradients are stored for the length of a substep.

use kinetree_math::Vec3;

use super::dihedral::{angle_difference, dihedral};
use super::{Class, Substep, TriangleBending};
use crate::displacement::Displacements;

/// What the constraints of an element measure.
#[derive(Debug, Clone)]
pub(crate) enum RowKind {
    /// Distance between two vertices less the length (m).
    Distance {
        /// Length at rest (m).
        length: f64,
    },
    /// Angle between two triangles less the angle at rest (rad).
    Dihedral {
        /// Angle at rest (rad).
        angle: f64,
    },
    /// Volume of a tetrahedron less the volume at rest (m³).
    Volume {
        /// Volume at rest (m³).
        volume: f64,
    },
    /// Sum and difference of the normal strains and the shear strain of a triangle: the three eigenvectors of
    /// the elasticity of an isotropic membrane.
    Membrane {
        /// Gradients of the shape functions in material coordinates (1/m).
        shape: [[f64; 2]; 3],
    },
    /// Curvature of a triangle.
    Bending(Box<TriangleBending>),
    /// Mean relative change of volume around a vertex.
    NodalVolume(NodalVolume),
}

/// Tetrahedra around a vertex.
#[derive(Debug, Clone)]
pub(crate) struct NodalVolume {
    /// Vertices of each tetrahedron, as positions in the list of the element.
    pub(crate) tetrahedra: Box<[[u32; 4]]>,
    /// Volume at rest that belongs to the vertex (m³): a quarter of that of the tetrahedra.
    pub(crate) volume: f64,
}

/// Constraints over a few vertices.
#[derive(Debug, Clone)]
pub(crate) struct RowElement {
    kind: RowKind,
    pub(crate) vertices: Box<[u32]>,
    rows: usize,
    compliance: [f64; 3],
    value: [f64; 3],
    /// `∇C M⁻¹ ∇Cᵀ`.
    diagonal: [f64; 3],
    multiplier: [f64; 3],
    /// `∇C`, vertex by vertex for each constraint.
    gradient: Box<[Vec3]>,
}

impl RowElement {
    /// An element whose constraints have these compliances.
    pub(crate) fn new(kind: RowKind, vertices: Box<[u32]>, compliances: &[f64]) -> Self {
        let rows = compliances.len();
        let mut compliance = [0.0; 3];
        compliance[..rows].copy_from_slice(compliances);
        let gradient = vec![Vec3::zeros(); rows * vertices.len()].into();
        let zero = [0.0; 3];
        Self { kind, vertices, rows, compliance, value: zero, diagonal: zero, multiplier: zero, gradient }
    }

    pub(super) fn class(&self) -> Class {
        match self.kind {
            RowKind::Dihedral { .. } | RowKind::Bending(_) => Class::Bending,
            _ => Class::Strain,
        }
    }

    pub(super) fn linearize(&mut self, position: &[Vec3], inverse_mass: &[f64]) {
        let count = self.vertices.len();
        self.evaluate(position);
        for row in 0..self.rows {
            let gradient = &self.gradient[row * count..(row + 1) * count];
            let terms = self.vertices.iter().zip(gradient);
            self.diagonal[row] = terms.map(|(&v, g)| inverse_mass[v as usize] * g.norm_squared()).sum();
        }
    }

    /// Values and gradients of the constraints.
    fn evaluate(&mut self, position: &[Vec3]) {
        let x = |k: usize| &position[self.vertices[k] as usize];
        let gradient = &mut self.gradient;
        match &self.kind {
            RowKind::Distance { length } => {
                let between = x(0) - x(1);
                let distance = between.norm();
                let direction = if distance > 0.0 { between / distance } else { Vec3::zeros() };
                self.value[0] = distance - length;
                gradient.copy_from_slice(&[direction, -direction]);
            }
            RowKind::Dihedral { angle } => {
                let (value, slopes) = dihedral([x(0), x(1), x(2), x(3)]);
                self.value[0] = angle_difference(value, *angle);
                gradient.copy_from_slice(&slopes);
            }
            RowKind::Volume { volume } => {
                let (value, slopes) = tetrahedron_volume([x(0), x(1), x(2), x(3)]);
                self.value[0] = value - volume;
                gradient.copy_from_slice(&slopes);
            }
            RowKind::Membrane { shape } => self.value = membrane(shape, [x(0), x(1), x(2)], gradient),
            RowKind::Bending(bending) => self.value = bending.evaluate(x, gradient),
            RowKind::NodalVolume(patch) => self.value[0] = patch.evaluate(x, gradient),
        }
    }

    #[inline]
    pub(super) fn start(&mut self, start: f64, inverse_mass: &[f64], displacement: &Displacements) {
        for row in 0..self.rows {
            let compliance = self.compliance[row];
            // a rigid constraint has no elastic force to start with
            let multiplier = if compliance > 0.0 { -start * self.value[row] / compliance } else { 0.0 };
            self.multiplier[row] = multiplier;
            self.apply(row, multiplier, inverse_mass, displacement);
        }
    }

    #[inline]
    pub(super) fn correct(&mut self, step: &Substep, inverse_mass: &[f64], displacement: &Displacements) {
        let count = self.vertices.len();
        for row in 0..self.rows {
            let compliance = step.inverse_h2 * self.compliance[row];
            let denominator = step.damped * self.diagonal[row] + compliance;
            // all vertices are pinned, or the element has collapsed to a point
            if denominator == 0.0 {
                continue;
            }
            let gradient = &self.gradient[row * count..(row + 1) * count];
            let rate: f64 =
                self.vertices.iter().zip(gradient).map(|(&v, g)| g.dot(&displacement.get(v))).sum();
            let residual = self.value[row] + step.damped * rate + compliance * self.multiplier[row];
            let correction = -residual / denominator;
            self.multiplier[row] += correction;
            self.apply(row, correction, inverse_mass, displacement);
        }
    }

    /// `d += M⁻¹ ∇C λ` at every vertex.
    #[inline]
    fn apply(&self, row: usize, multiplier: f64, inverse_mass: &[f64], displacement: &Displacements) {
        let gradient = &self.gradient[row * self.vertices.len()..];
        for (&vertex, slope) in self.vertices.iter().zip(gradient) {
            displacement.add(vertex, &((inverse_mass[vertex as usize] * multiplier) * slope));
        }
    }

    /// Rigid constraints have no elastic force.
    pub(super) fn add_force(&self, force: &mut [Vec3]) {
        for row in (0..self.rows).filter(|&row| self.compliance[row] > 0.0) {
            let tension = -self.value[row] / self.compliance[row];
            let gradient = &self.gradient[row * self.vertices.len()..];
            for (&vertex, slope) in self.vertices.iter().zip(gradient) {
                force[vertex as usize] += tension * slope;
            }
        }
    }

    pub(super) fn energy(&self) -> f64 {
        let elastic = (0..self.rows).filter(|&row| self.compliance[row] > 0.0);
        elastic.map(|row| 0.5 * self.value[row] * self.value[row] / self.compliance[row]).sum()
    }
}

/// `E₁₁ + E₂₂`, `E₁₁ − E₂₂` and `2 E₁₂` of the Green strain, with their gradients.
fn membrane(shape: &[[f64; 2]; 3], x: [&Vec3; 3], gradient: &mut [Vec3]) -> [f64; 3] {
    let column = |k: usize| shape[0][k] * x[0] + shape[1][k] * x[1] + shape[2][k] * x[2];
    let (warp, weft) = (column(0), column(1));
    for (vertex, &[along, across]) in shape.iter().enumerate() {
        let (normal1, normal2) = (along * warp, across * weft);
        gradient[vertex] = normal1 + normal2;
        gradient[3 + vertex] = normal1 - normal2;
        gradient[6 + vertex] = across * warp + along * weft;
    }
    let (strain1, strain2) = (0.5 * (warp.norm_squared() - 1.0), 0.5 * (weft.norm_squared() - 1.0));
    [strain1 + strain2, strain1 - strain2, warp.dot(&weft)]
}

/// Signed volume of a tetrahedron (m³), positive when the last vertex lies on the side of the normal of the
/// first three, and its gradient.
pub(crate) fn tetrahedron_volume([a, b, c, d]: [&Vec3; 4]) -> (f64, [Vec3; 4]) {
    let (u, v, w) = (b - a, c - a, d - a);
    let slopes = [v.cross(&w) / 6.0, w.cross(&u) / 6.0, u.cross(&v) / 6.0];
    (slopes[0].dot(&u), [-(slopes[0] + slopes[1] + slopes[2]), slopes[0], slopes[1], slopes[2]])
}

impl NodalVolume {
    fn evaluate<'a>(&self, x: impl Fn(usize) -> &'a Vec3, gradient: &mut [Vec3]) -> f64 {
        gradient.fill(Vec3::zeros());
        let scale = 0.25 / self.volume;
        let mut sum = 0.0;
        for tetrahedron in &self.tetrahedra {
            let corner = tetrahedron.map(|k| k as usize);
            let (volume, slopes) = tetrahedron_volume(corner.map(&x));
            sum += volume;
            for k in 0..4 {
                gradient[corner[k]] += scale * slopes[k];
            }
        }
        scale * sum - 1.0
    }
}
