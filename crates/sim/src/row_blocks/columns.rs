//! The columns of constraint rows, found anew where blocks do not come with the rows.
//!
//! Which dofs a contact, a limit or a friction loss can touch follows from its object alone, so that a dense
//! row need not be searched: only rows of the other kinds are.

use super::BlockBuf;
use crate::flex::contact_bodies::touches_flex;
use crate::kinematics::chain::merge_chain;
use kinetree_math::lanes::Lane;
use kinetree_model::enums::{ConstraintType, EqType, JointType};
use kinetree_model::{Data, Model};

/// A Jacobian as the constraint arrays hold it.
pub(crate) struct RawJacobian<'a> {
    model: &'a Model,
    data: &'a Data,
    sparse: bool,
}

/// Working memory of the search for columns.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    cols: Vec<i32>,
    used: Vec<u64>,
}

impl<'a> RawJacobian<'a> {
    /// The Jacobian in `data`.
    pub(crate) fn new(model: &'a Model, data: &'a Data) -> Self {
        Self { model, data, sparse: model.is_sparse() }
    }

    /// Makes the blocks of all rows.
    pub(crate) fn make_blocks(&self, columns: &mut Columns, blocks: &mut BlockBuf) {
        blocks.clear();
        let mut row = 0;
        while row < self.data.nefc {
            let mut end = row + 1;
            while end < self.data.nefc && self.same_object(row, end) {
                end += 1;
            }
            columns.find(self, row, end - row);
            self.copy_values(blocks.add(&columns.cols, end - row), row, &columns.cols);
            row = end;
        }
        blocks.find_runs();
    }

    /// Whether two rows belong to the same object and have the same columns.
    fn same_object(&self, a: usize, b: usize) -> bool {
        let data = self.data;
        data.efc_type[a] == data.efc_type[b]
            && data.efc_id[a] == data.efc_id[b]
            && !self.varies(a)
            && (!self.sparse || data.efc_J_rownnz[a] == data.efc_J_rownnz[b])
    }

    /// Whether the rows of an object have columns of their own: those of edges and vertices of a flex.
    fn varies(&self, row: usize) -> bool {
        let id = self.data.efc_id[row] as usize;
        self.data.efc_type[row] == ConstraintType::Equality
            && (self.model.eq_type[id] == EqType::Flex || self.model.eq_type[id] == EqType::Flexvert)
    }

    /// Copies the values of rows in the given columns, padded to lanes with zeros.
    fn copy_values(&self, out: &mut [Lane], row: usize, cols: &[i32]) {
        let (n, nv) = (cols.len(), self.model.nv);
        if n == 0 {
            return;
        }
        out.fill([0.0; 4]);
        for (r, lanes) in (row..).zip(out.chunks_exact_mut(n.div_ceil(4))) {
            let target = &mut lanes.as_flattened_mut()[..n];
            if self.sparse {
                let adr = self.data.efc_J_rowadr[r] as usize;
                target.copy_from_slice(&self.data.efc_J[adr..adr + n]);
                continue;
            }
            let dense = &self.data.efc_J[r * nv..(r + 1) * nv];
            for (x, &c) in target.iter_mut().zip(cols) {
                *x = dense[c as usize];
            }
        }
    }
}

impl Columns {
    /// Finds the columns of `count` rows of one object.
    fn find(&mut self, jac: &RawJacobian<'_>, row: usize, count: usize) {
        let (model, data) = (jac.model, jac.data);
        let id = data.efc_id[row] as usize;
        self.cols.clear();
        if jac.sparse {
            let adr = data.efc_J_rowadr[row] as usize;
            self.cols.extend_from_slice(&data.efc_J_colind[adr..adr + data.efc_J_rownnz[row] as usize]);
            return;
        }
        match ConstraintType::try_from(data.efc_type[row]) {
            Ok(
                ConstraintType::ContactFrictionless
                | ConstraintType::ContactPyramidal
                | ConstraintType::ContactElliptic,
            ) if !touches_flex(&data.contact[id]) => {
                let [a, b] = data.contact[id].geom.map(|g| model.geom_bodyid[g as usize] as usize);
                merge_chain(model, a, b, true, &mut self.cols);
            }
            Ok(ConstraintType::FrictionDof) => self.cols.push(id as i32),
            Ok(ConstraintType::LimitJoint) if model.jnt_type[id] != JointType::Ball => {
                self.cols.push(model.jnt_dofadr[id]);
            }
            _ => self.search(&data.efc_J[row * model.nv..(row + count) * model.nv], model.nv),
        }
        // a geom may have been moved to a body of another island since the rows were made
        if data.nisland > 0
            && let Some(&island) = data.efc_island.get(row)
        {
            self.cols.retain(|&column| data.dof_island[column as usize] == island);
        }
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
        self.cols.extend((0..nv as i32).filter(|&c| self.used[c as usize] != 0));
    }
}
