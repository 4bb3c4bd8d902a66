//! The constraints of a rod, and their direct solution.
//!
//! In the order joint 0, segment 0, joint 1, segment 1, … a constraint shares bodies with the two before it
//! and the two after it. `∇C M⁻¹ ∇Cᵀ + α̃` is therefore a band, factored in time linear in the length (Deul
//! et al. 2018). Joints 0 and `n` exist where an end is clamped.

use kinetree_math::band::Band;
use kinetree_math::rot::quat_to_mat;
use kinetree_math::{Mat3, Quat, Vec3};

use super::frames::relative_rotation;
use super::preset::ChainSection;
use crate::material::Material;

/// Entries left of the diagonal: those of two blocks of three.
const BAND: usize = 9;

/// Shear correction factor of a round section, for Poisson's ratio zero (Cowper 1966).
const SHEAR_FACTOR: f64 = 6.0 / 7.0;

/// Three constraints: of a segment, or of a joint between two.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    /// Violation: in the frame of the segment, or in that of the segment before the joint.
    value: Vec3,
    /// Inverse stiffness of each row; `None` where nothing resists.
    compliance: Option<Vec3>,
    /// Jacobian: by the difference of the positions of a segment's ends, or of the rotations of a joint's
    /// sides.
    difference: Mat3,
    /// Jacobian of a segment by its rotation.
    rotation: Mat3,
    /// Whether there is such a joint now.
    present: bool,
}

impl Rows {
    /// Elastic energy (J).
    pub(super) fn energy(&self) -> f64 {
        match self.compliance {
            Some(compliance) if self.present => 0.5 * self.value.component_div(&compliance).dot(&self.value),
            _ => 0.0,
        }
    }

    fn is_active(&self) -> bool {
        self.present && self.compliance.is_some()
    }
}

/// Lengths and compliances of a rod, and the memory of its solution.
#[derive(Debug, Clone)]
pub(super) struct Rod {
    length: Vec<f64>,
    /// Bending and twist of inner joints at rest; none for the ends.
    rest: Vec<Vec3>,
    /// Inverse moments of inertia of the segments (1/(kg m²)).
    pub(super) inverse_inertia: Vec<f64>,
    /// Joints and segments in turn.
    pub(super) rows: Vec<Rows>,
    /// Displacement of each vertex and rotation of each segment in a substep.
    pub(super) moved: Vec<Vec3>,
    pub(super) rotated: Vec<Vec3>,
    /// Inverse inertia of each vertex (1/kg): that of its mass, or of what carries it.
    pub(super) mobility: Vec<Mat3>,
    /// Sum of the multipliers at each vertex (kg m).
    pub(super) pull: Vec<Vec3>,
    band: Band,
    matrix: Vec<f64>,
    multiplier: Vec<f64>,
}

impl Rod {
    pub(super) fn new(frame: &[Quat], length: Vec<f64>, section: &ChainSection, material: &Material) -> Self {
        let segments = length.len();
        let (area, moment) = (section.area(), section.second_moment());
        let shear = SHEAR_FACTOR * material.shear_modulus() * area;
        let stretch = Vec3::new(1.0 / shear, 1.0 / shear, 1.0 / (material.young * area));
        let bend = 1.0 / (section.solidity * material.young * moment);
        let twist = 1.0 / (section.solidity * 2.0 * material.shear_modulus() * moment);
        let curvature = Vec3::new(bend, bend, twist);
        let half = |k: usize| 0.5 * length.get(k).copied().unwrap_or_default();
        let rows = (0..=2 * segments).map(|block| {
            let k = block / 2;
            let compliance = if block % 2 == 1 {
                Some(length[k] * stretch)
            } else {
                let reach = half(k) + if k > 0 { half(k - 1) } else { 0.0 };
                Some(reach * curvature).filter(|c| c.iter().all(|x| x.is_finite()))
            };
            let zero = Mat3::zeros();
            Rows { value: Vec3::zeros(), compliance, difference: zero, rotation: zero, present: true }
        });
        let rest = |k: usize| match (k.checked_sub(1).and_then(|before| frame.get(before)), frame.get(k)) {
            (Some(before), Some(after)) => 2.0 * relative_rotation(before, after).1,
            _ => Vec3::zeros(),
        };
        let band = Band::new(3 * (2 * segments + 1), BAND, 0);
        Self {
            rows: rows.collect(),
            rest: (0..=segments).map(rest).collect(),
            // of the section about the tangent: vertices carry the inertia across it
            inverse_inertia: length.iter().map(|l| 1.0 / (material.density * 2.0 * moment * l)).collect(),
            moved: vec![Vec3::zeros(); segments + 1],
            rotated: vec![Vec3::zeros(); segments],
            mobility: vec![Mat3::zeros(); segments + 1],
            pull: vec![Vec3::zeros(); segments + 1],
            matrix: vec![0.0; band.len()],
            multiplier: vec![0.0; band.ntotal],
            band,
            length,
        }
    }

    /// Violations and Jacobians of all constraints.
    pub(super) fn linearize(&mut self, position: &[Vec3], frame: &[Quat], clamp: &[Option<Quat>; 2]) {
        let segments = frame.len();
        for k in 0..segments {
            let rows = &mut self.rows[2 * k + 1];
            let axes = quat_to_mat(&frame[k]).transpose();
            let edge = position[k + 1] - position[k];
            rows.value = axes * edge - Vec3::new(0.0, 0.0, self.length[k]);
            rows.difference = axes;
            rows.rotation = axes * edge.cross_matrix();
        }
        for k in 0..=segments {
            let rows = &mut self.rows[2 * k];
            let before = if k == 0 { clamp[0].as_ref() } else { frame.get(k - 1) };
            let after = if k == segments { clamp[1].as_ref() } else { frame.get(k) };
            rows.present = before.is_some() && after.is_some();
            let (Some(before), Some(after)) = (before, after) else { continue };
            let (scalar, vector) = relative_rotation(before, after);
            rows.value = 2.0 * vector - self.rest[k];
            rows.difference = (Mat3::from_diagonal_element(scalar) - vector.cross_matrix())
                * quat_to_mat(before).transpose();
        }
    }

    /// One implicit step: adds what the constraint forces make of the displacements.
    pub(super) fn solve(&mut self, inverse_h2: f64, damped: f64) {
        self.assemble(inverse_h2, damped);
        for block in 0..self.rows.len() {
            let rows = &self.rows[block];
            let force =
                if rows.is_active() { -(rows.value + damped * self.rate(block)) } else { Vec3::zeros() };
            self.multiplier[3 * block..3 * block + 3].copy_from_slice(force.as_slice());
        }
        // the matrix is positive definite unless a number is not finite, which the caller notices
        self.band.chol_factor(&mut self.matrix, 0.0, 0.0);
        self.band.chol_solve(&mut self.multiplier, &self.matrix);
        self.apply();
    }

    /// Change of the violation by the displacements, to first order.
    fn rate(&self, block: usize) -> Vec3 {
        let (rows, k) = (&self.rows[block], block / 2);
        if block % 2 == 1 {
            return rows.difference * (self.moved[k + 1] - self.moved[k]) + rows.rotation * self.rotated[k];
        }
        let after = self.rotated.get(k).copied().unwrap_or_default();
        let before = k.checked_sub(1).map_or_else(Vec3::zeros, |before| self.rotated[before]);
        rows.difference * (after - before)
    }

    fn assemble(&mut self, inverse_h2: f64, damped: f64) {
        self.matrix.fill(0.0);
        let segments = self.length.len();
        let inertia = |k: usize| self.inverse_inertia.get(k).copied().unwrap_or_default();
        let Self { rows, matrix, band, mobility, .. } = self;
        let mut put = |row: usize, column: usize, block: Mat3| {
            // a constraint that does not resist has the equation λ = 0
            let active = rows[row].is_active() && rows[column].is_active();
            put_block(matrix, band, row, column, if active { block * damped } else { Mat3::zeros() });
        };
        for k in 0..=segments {
            let (joint, segment) = (2 * k, 2 * k + 1);
            let bend = &rows[joint].difference;
            let before = k.checked_sub(1).map_or(0.0, inertia);
            put(joint, joint, (before + inertia(k)) * bend * bend.transpose());
            if k > 0 {
                put(joint, joint - 1, -before * bend * rows[joint - 1].rotation.transpose());
                put(joint, joint - 2, -before * bend * rows[joint - 2].difference.transpose());
            }
            if k < segments {
                let Rows { difference: stretch, rotation: shear, .. } = &rows[segment];
                let ends = mobility[k] + mobility[k + 1];
                put(
                    segment,
                    segment,
                    stretch * ends * stretch.transpose() + inertia(k) * shear * shear.transpose(),
                );
                put(segment, joint, inertia(k) * shear * bend.transpose());
                if k > 0 {
                    put(
                        segment,
                        segment - 2,
                        -stretch * mobility[k] * rows[segment - 2].difference.transpose(),
                    );
                }
            }
        }
        for (block, rows) in rows.iter().enumerate() {
            let added = match rows.compliance {
                Some(compliance) if rows.present => inverse_h2 * compliance,
                _ => Vec3::repeat(1.0),
            };
            for i in 0..3 {
                matrix[band.diag(3 * block + i)] += added[i];
            }
        }
    }

    /// `d += M⁻¹ ∇C λ`.
    fn apply(&mut self) {
        self.pull.fill(Vec3::zeros());
        for (block, rows) in self.rows.iter().enumerate().filter(|(_, rows)| rows.is_active()) {
            let multiplier = Vec3::from_column_slice(&self.multiplier[3 * block..3 * block + 3]);
            let (push, k) = (rows.difference.tr_mul(&multiplier), block / 2);
            if block % 2 == 1 {
                self.pull[k] -= push;
                self.pull[k + 1] += push;
                self.rotated[k] += self.inverse_inertia[k] * rows.rotation.tr_mul(&multiplier);
                continue;
            }
            if let Some(rotated) = self.rotated.get_mut(k) {
                *rotated += self.inverse_inertia[k] * push;
            }
            if let Some(before) = k.checked_sub(1) {
                self.rotated[before] -= self.inverse_inertia[before] * push;
            }
        }
        for (moved, (mobility, pull)) in self.moved.iter_mut().zip(self.mobility.iter().zip(&self.pull)) {
            *moved += mobility * pull;
        }
    }
}

/// Writes the lower triangle of a block of three rows and columns.
fn put_block(matrix: &mut [f64], band: &Band, row: usize, column: usize, block: Mat3) {
    for i in 0..3 {
        for j in 0..3 {
            let (i_all, j_all) = (3 * row + i, 3 * column + j);
            if j_all <= i_all {
                matrix[band.diag(i_all) - (i_all - j_all)] = block[(i, j)];
            }
        }
    }
}
