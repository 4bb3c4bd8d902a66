//! Point masses that are fixed to bodies of the model.
//!
//! A point that moves with `J v` has the kinetic term `½ m |J a − a₀|²`, with the acceleration `a₀` that it
//! would have by itself. That is the cost of three equality rows, one for each axis, with the regularizer
//! `1/m` and the reference acceleration `a₀`: their force is what the point pulls with. The rows come before
//! all others, and are part of the data for the time of a coupled solve only.

use crate::inertia::mass_matrix::mj_solve_m;
use crate::kinematics::chain::chain_dofs;
use crate::kinematics::jacobian::{offset_from_com, point_column};
use crate::point_masses::{Attachment, Carrier, PointContacts, PointMotion};
use crate::row_blocks::{BlockBuf, BlockJacobian};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::ConstraintType;
use kinetree_model::{Data, Model};
use std::iter::repeat_n;
use std::ops::Range;

/// The points of a step.
#[derive(Default)]
pub(crate) struct AttachedPoints {
    list: Vec<AttachedPoint>,
    /// Dofs in increasing order and columns of all Jacobians, one point after the other.
    dofs: Vec<i32>,
    columns: Vec<Vec3>,
    /// A vector over all dofs.
    solved: Vec<f64>,
}

struct AttachedPoint {
    point: usize,
    mass: f64,
    columns: Range<usize>,
    /// Root of the tree of its body.
    root: i32,
    mobility: Mat3,
    /// In the substep before.
    acceleration: Vec3,
}

impl AttachedPoints {
    /// Number of their rows.
    pub(crate) fn rows(&self) -> usize {
        3 * self.list.len()
    }

    /// Takes in the points, and puts their rows before those of the data.
    pub(crate) fn begin(&mut self, model: &Model, data: &mut Data, contacts: &PointContacts) {
        self.list.clear();
        self.dofs.clear();
        self.columns.clear();
        for &Attachment { point, body, position, mass, .. } in contacts.attachments() {
            let (first, offset) = (self.dofs.len(), offset_from_com(model, data, &position, body));
            for dof in chain_dofs(model, body) {
                self.dofs.push(dof as i32);
                self.columns.push(point_column(&data.cdof[dof], &offset));
            }
            self.dofs[first..].reverse();
            self.columns[first..].reverse();
            let (columns, root) = (first..self.dofs.len(), model.body_rootid[body]);
            let (mobility, acceleration) = (Mat3::zeros(), Vec3::zeros());
            self.list.push(AttachedPoint { point, mass, columns, root, mobility, acceleration });
        }
        for index in 0..self.list.len() {
            let root = self.list[index].root;
            let sharing = self.list.iter().filter(|other| other.root == root).count();
            self.list[index].mobility = sharing as f64 * self.mobility(model, data, index);
        }
        self.note_accelerations(&data.qacc_warmstart);
        if !self.list.is_empty() {
            self.insert_jacobian(model, data);
            self.insert_rows(data);
        }
    }

    /// The Jacobian of these rows and, behind them, of all others.
    pub(crate) fn prepend_to(&self, others: BlockJacobian<'_>, blocks: &mut BlockBuf) {
        blocks.clear();
        for point in &self.list {
            let columns = &self.columns[point.columns.clone()];
            let rows = blocks.add(&self.dofs[point.columns.clone()], 3);
            let width = rows.len() / 3;
            for axis in 0..3 {
                let row = rows[axis * width..(axis + 1) * width].as_flattened_mut();
                row.fill(0.0);
                row.iter_mut().zip(columns).for_each(|(entry, column)| *entry = column[axis]);
            }
        }
        for block in others.blocks {
            blocks.add(others.cols(block), block.rows).copy_from_slice(others.rows(block));
        }
        blocks.find_runs();
    }

    fn insert_jacobian(&self, model: &Model, data: &mut Data) {
        if !model.is_sparse() {
            let (nv, count) = (model.nv, self.rows());
            data.efc_J.splice(0..0, repeat_n(0.0, count * nv));
            for (rows, point) in data.efc_J.chunks_exact_mut(3 * nv).zip(&self.list) {
                for k in point.columns.clone() {
                    for axis in 0..3 {
                        rows[axis * nv + self.dofs[k] as usize] = self.columns[k][axis];
                    }
                }
            }
            return;
        }
        // rows may lie anywhere: those of points are the last ones in memory
        data.efc_J_rownnz.splice(0..0, repeat_n(0, self.rows()));
        data.efc_J_rowadr.splice(0..0, repeat_n(0, self.rows()));
        for (index, point) in self.list.iter().enumerate() {
            for axis in 0..3 {
                let row = 3 * index + axis;
                data.efc_J_rownnz[row] = point.columns.len() as i32;
                data.efc_J_rowadr[row] = data.efc_J.len() as i32;
                data.efc_J_colind.extend_from_slice(&self.dofs[point.columns.clone()]);
                data.efc_J.extend(self.columns[point.columns.clone()].iter().map(|column| column[axis]));
            }
        }
    }

    fn insert_rows(&self, data: &mut Data) {
        let count = self.rows();
        data.nefc += count;
        data.ne += count;
        for v in [&mut data.efc_pos, &mut data.efc_margin, &mut data.efc_frictionloss, &mut data.efc_aref] {
            v.splice(0..0, repeat_n(0.0, count));
        }
        for v in [&mut data.efc_force, &mut data.efc_b] {
            v.splice(0..0, repeat_n(0.0, count));
        }
        data.efc_state.splice(0..0, repeat_n(0, count));
        data.efc_type.splice(0..0, repeat_n(ConstraintType::Equality as i32, count));
        data.efc_id.splice(0..0, repeat_n(0, count));
        data.efc_KBIP.splice(0..0, repeat_n([0.0; 4], count));
        let mass = || self.list.iter().flat_map(|point| [point.mass; 3]);
        data.efc_D.splice(0..0, mass());
        data.efc_R.splice(0..0, mass().map(|mass| 1.0 / mass));
        for contact in data.contact.iter_mut().filter(|contact| contact.efc_address >= 0) {
            contact.efc_address += count as i32;
        }
    }

    /// Takes the rows from the data.
    pub(crate) fn finish(&mut self, model: &Model, data: &mut Data) {
        let count = self.rows();
        if count == 0 {
            return;
        }
        if model.is_sparse() {
            let kept = data.efc_J.len() - 3 * self.dofs.len();
            data.efc_J.truncate(kept);
            data.efc_J_colind.truncate(kept);
            data.efc_J_rownnz.drain(..count);
            data.efc_J_rowadr.drain(..count);
        } else {
            data.efc_J.drain(..count * model.nv);
        }
        data.nefc -= count;
        data.ne -= count;
        for v in [&mut data.efc_pos, &mut data.efc_margin, &mut data.efc_frictionloss, &mut data.efc_aref] {
            v.drain(..count);
        }
        for v in [&mut data.efc_force, &mut data.efc_b, &mut data.efc_D, &mut data.efc_R] {
            v.drain(..count);
        }
        for v in [&mut data.efc_state, &mut data.efc_type, &mut data.efc_id] {
            v.drain(..count);
        }
        data.efc_KBIP.drain(..count);
        for contact in data.contact.iter_mut().filter(|contact| contact.efc_address >= 0) {
            contact.efc_address -= count as i32;
        }
    }

    /// `J M⁻¹ Jᵀ` of a point (1/kg).
    fn mobility(&mut self, model: &Model, data: &Data, index: usize) -> Mat3 {
        let range = self.list[index].columns.clone();
        let mut mobility = Mat3::zeros();
        for axis in 0..3 {
            self.solved.clear();
            self.solved.resize(model.nv, 0.0);
            for (&dof, column) in self.dofs[range.clone()].iter().zip(&self.columns[range.clone()]) {
                self.solved[dof as usize] = column[axis];
            }
            mj_solve_m(model, data, &mut self.solved);
            mobility.set_column(axis, &self.along(&self.list[index], |dof| self.solved[dof]));
        }
        0.5 * (mobility + mobility.transpose())
    }

    /// `J x` of a point, for a vector over all dofs.
    fn along(&self, point: &AttachedPoint, x: impl Fn(usize) -> f64) -> Vec3 {
        let columns = self.dofs[point.columns.clone()].iter().zip(&self.columns[point.columns.clone()]);
        columns.fold(Vec3::zeros(), |sum, (&dof, column)| sum + x(dof as usize) * column)
    }

    /// Keeps the accelerations of the points by those of the joints.
    pub(crate) fn note_accelerations(&mut self, qacc: &[f64]) {
        for index in 0..self.list.len() {
            self.list[index].acceleration = self.along(&self.list[index], |dof| qacc[dof]);
        }
    }

    /// Tells the points what carries them.
    pub(crate) fn set_carriers(&self, data: &Data, change: &[f64], motion: &mut [PointMotion]) {
        for point in &self.list {
            let velocity = self.velocity(point, &data.qvel, change);
            let AttachedPoint { mobility, acceleration, .. } = *point;
            motion[point.point].carrier = Some(Carrier { mobility, velocity, acceleration });
        }
    }

    /// Velocity of an attached point for joint velocities `start + change` (m/s).
    fn velocity(&self, point: &AttachedPoint, start: &[f64], change: &[f64]) -> Vec3 {
        self.along(point, |dof| start[dof] + change[dof])
    }

    /// Reference accelerations of the rows: from the velocity of the body to that of the point by itself.
    pub(crate) fn set_reference(
        &self,
        aref: &mut [f64],
        data: &Data,
        change: &[f64],
        motion: &[PointMotion],
        h: f64,
    ) {
        for (aref, point) in aref.chunks_exact_mut(3).zip(&self.list) {
            let free = &motion[point.point];
            let body = self.velocity(point, &data.qvel, change);
            let wanted = (free.velocity - body) / h + free.acceleration;
            aref.copy_from_slice(wanted.as_slice());
        }
    }

    /// Sets the accelerations of the points to those that take them to the velocity of their bodies.
    pub(crate) fn follow(&self, data: &Data, change: &[f64], motion: &mut [PointMotion], h: f64) {
        for point in &self.list {
            let motion = &mut motion[point.point];
            motion.acceleration = (self.velocity(point, &data.qvel, change) - motion.velocity) / h;
        }
    }
}
