//! The columns of constraint rows.
//!
//! Which dofs a contact, a limit or a friction loss can touch follows from its object alone, so that a dense row need not be searched:
//! only rows of the other kinds are. Consecutive contacts between the same two bodies have the same columns.

use crate::constraint::merge_chain;
use kinetree_math::lanes::{Lane, lanes};
use kinetree_model::enums::{ConstraintType, JointType};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// A Jacobian as the constraint arrays hold it.
pub(crate) struct RawJacobian<'a> {
    model: &'a Model,
    data: &'a Data,
    sparse: bool,
}

/// Columns of the last rows that were looked at.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub cols: Vec<i32>,
    /// Stretches of columns without gaps, for a dense Jacobian.
    runs: Vec<Range<usize>>,
    last: Vec<i32>,
    /// The bodies of the last contact.
    bodies: Option<[i32; 2]>,
    used: Vec<u64>,
}

impl<'a> RawJacobian<'a> {
    /// The Jacobian in `data`.
    pub(super) fn new(model: &'a Model, data: &'a Data) -> Self {
        Self { model, data, sparse: model.is_sparse() }
    }

    /// Whether two rows belong to the same object and have the same columns.
    #[inline]
    pub(super) fn same_object(&self, a: usize, b: usize) -> bool {
        let data = self.data;
        data.efc_type[a] == data.efc_type[b]
            && data.efc_id[a] == data.efc_id[b]
            && (!self.sparse || data.efc_J_rownnz[a] == data.efc_J_rownnz[b])
    }

    /// Appends the values of `count` rows in the given columns, padded to lanes with zeros.
    pub(super) fn push_values(&self, out: &mut Vec<Lane>, row: usize, count: usize, columns: &Columns) {
        let ncol = columns.cols.len();
        let width = lanes(ncol);
        let start = out.len();
        out.resize(start + count * width, [0.0; 4]);
        if width == 0 {
            return;
        }
        for (r, lanes) in (row..).zip(out[start..].chunks_exact_mut(width)) {
            let target = &mut lanes.as_flattened_mut()[..ncol];
            if self.sparse {
                let adr = self.data.efc_J_rowadr[r] as usize;
                target.copy_from_slice(&self.data.efc_J[adr..adr + ncol]);
                continue;
            }
            let dense = &self.data.efc_J[r * self.model.nv..(r + 1) * self.model.nv];
            let mut rest = target;
            for run in &columns.runs {
                let (part, tail) = rest.split_at_mut(run.len());
                part.copy_from_slice(&dense[run.clone()]);
                rest = tail;
            }
        }
    }
}

impl Columns {
    /// Forgets the last rows.
    pub(super) fn forget(&mut self) {
        self.bodies = None;
        self.cols.clear();
        self.runs.clear();
    }

    /// Finds the columns of `count` rows of one object; returns whether they differ from those of the rows before.
    pub(super) fn find(&mut self, jac: &RawJacobian<'_>, row: usize, count: usize) -> bool {
        let (model, data) = (jac.model, jac.data);
        let id = data.efc_id[row] as usize;
        let kind = ConstraintType::try_from(data.efc_type[row]);
        let bodies = match kind {
            Ok(
                ConstraintType::ContactFrictionless
                | ConstraintType::ContactPyramidal
                | ConstraintType::ContactElliptic,
            ) => Some(data.contact[id].geom.map(|g| model.geom_bodyid[g as usize])),
            _ => None,
        };
        if bodies.is_some() && bodies == self.bodies {
            return false;
        }
        self.bodies = bodies;
        self.last.clone_from(&self.cols);
        if jac.sparse {
            let adr = data.efc_J_rowadr[row] as usize;
            self.cols.clear();
            self.cols.extend_from_slice(&data.efc_J_colind[adr..adr + data.efc_J_rownnz[row] as usize]);
        } else {
            match (kind, bodies) {
                (_, Some([a, b])) => merge_chain(model, &mut self.cols, a as usize, b as usize, true),
                (Ok(ConstraintType::FrictionDof), _) => self.one(id as i32),
                (Ok(ConstraintType::LimitJoint), _) if model.jnt_type[id] != JointType::Ball as i32 => {
                    self.one(model.jnt_dofadr[id]);
                }
                _ => self.search(&data.efc_J[row * model.nv..(row + count) * model.nv], model.nv),
            }
        }
        let changed = self.cols != self.last;
        if changed && !jac.sparse {
            self.find_runs();
        }
        changed
    }

    fn find_runs(&mut self) {
        self.runs.clear();
        for &c in &self.cols {
            let c = c as usize;
            match self.runs.last_mut() {
                Some(run) if run.end == c => run.end += 1,
                _ => self.runs.push(c..c + 1),
            }
        }
    }

    fn one(&mut self, col: i32) {
        self.cols.clear();
        self.cols.push(col);
    }

    /// Columns of dense rows that are not zero everywhere.
    fn search(&mut self, jac: &[f64], nv: usize) {
        self.used.clear();
        self.used.resize(nv, 0);
        for r in jac.chunks_exact(nv) {
            for (used, x) in self.used.iter_mut().zip(r) {
                // any bit but the sign
                *used |= x.to_bits() << 1;
            }
        }
        self.cols.clear();
        self.cols.extend((0..nv as i32).filter(|&c| self.used[c as usize] != 0));
    }
}
