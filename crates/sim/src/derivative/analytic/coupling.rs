//! Which entries of the linear equations of motion may differ from zero.
//!
//! Dofs of one tree are neighbours. Trees that a constraint, a tendon or an actuator ties together make a
//! block with all trees between them; everything outside of the blocks is zero and is neither cleared nor
//! read.

use crate::actuation::transmission::moment_arms;
use kinetree_model::enums::TrnType;
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Blocks of coupled dofs, with the inputs that act on them.
#[derive(Debug, Default)]
pub(super) struct Coupling {
    /// The block of each dof.
    blocks: Vec<Range<usize>>,
    /// Activations and controls that act on the block of each dof.
    activations: Vec<Range<usize>>,
    controls: Vec<Range<usize>>,
    na: usize,
    /// Where blocks begin and end: how many more spans of coupled dofs begin than end at a dof.
    spans: Vec<i32>,
}

impl Coupling {
    /// One block of all dofs.
    pub(super) fn set_whole(&mut self, model: &Model) {
        let Self { blocks, activations, controls, na, .. } = self;
        *na = model.na;
        for (ranges, all) in [(blocks, model.nv), (activations, model.na), (controls, model.nu)] {
            ranges.clear();
            ranges.resize(model.nv, 0..all);
        }
    }

    /// One block of dofs without inputs.
    #[cfg(test)]
    pub(super) fn of_one_block(nv: usize) -> Self {
        Self { blocks: vec![0..nv; nv], ..Self::default() }
    }

    /// The blocks at the state of the data, whose constraint rows have been made.
    pub(super) fn set(&mut self, model: &Model, data: &Data) {
        self.set_whole(model);
        if !model.is_sparse() {
            return;
        }
        self.spans.clear();
        self.spans.resize(model.nv, 0);
        let Self { spans, .. } = self;
        for tree in 0..model.ntree {
            let first = model.tree_dofadr[tree] as usize;
            tie(spans, first..first + model.tree_dofnum[tree] as usize);
        }
        let mut rows = |columns: &[i32], starts: &[i32], counts: &[i32]| {
            for (&start, &count) in starts.iter().zip(counts) {
                tie(spans, hull(&columns[start as usize..(start + count) as usize]));
            }
        };
        rows(&data.efc_J_colind, &data.efc_J_rowadr[..data.nefc], &data.efc_J_rownnz);
        rows(&model.ten_J_colind, &model.ten_J_rowadr, &model.ten_J_rownnz);
        rows(&data.moment_colind, &data.moment_rowadr, &data.moment_rownnz);
        tie_ends_of_actuators(model, data, spans);
        self.find_blocks();
        self.find_inputs(model, data);
    }

    /// The same blocks as another, in the memory that there is.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.blocks.clone_from(&other.blocks);
        self.activations.clone_from(&other.activations);
        self.controls.clone_from(&other.controls);
        self.na = other.na;
    }

    fn find_blocks(&mut self) {
        let (mut first, mut open) = (0, 0);
        for dof in 0..self.spans.len() {
            open += self.spans[dof];
            // no span goes on to the next dof
            if open == 0 {
                self.blocks[first..=dof].fill(first..dof + 1);
                first = dof + 1;
            }
        }
    }

    fn find_inputs(&mut self, model: &Model, data: &Data) {
        self.activations.fill(0..0);
        self.controls.fill(0..0);
        for i in 0..model.nu {
            let Some(&dof) = moment_arms(data, i).0.first() else { continue };
            let first = self.blocks[dof as usize].start;
            extend_range(&mut self.controls[first], &(i..i + 1));
            if let Ok(act) = usize::try_from(model.actuator_actadr[i]) {
                extend_range(&mut self.activations[first], &(act..act + model.actuator_actnum[i] as usize));
            }
        }
        for dof in 0..self.blocks.len() {
            let first = self.blocks[dof].start;
            self.controls[dof] = self.controls[first].clone();
            self.activations[dof] = self.activations[first].clone();
        }
    }

    /// The dofs that a dof is coupled with, itself included.
    #[inline]
    pub(super) fn block(&self, dof: usize) -> Range<usize> {
        self.blocks[dof].clone()
    }

    /// Columns of the row of a dof that may differ from zero: positions, velocities, activations, controls.
    #[inline]
    pub(super) fn columns(&self, dof: usize) -> [Range<usize>; 4] {
        let nv = self.blocks.len();
        let from = |range: &Range<usize>, start: usize| start + range.start..start + range.end;
        let block = &self.blocks[dof];
        [
            block.clone(),
            from(block, nv),
            from(&self.activations[dof], 2 * nv),
            from(&self.controls[dof], 2 * nv + self.na),
        ]
    }

    /// Clears a matrix with a row of inputs for each dof that is zero outside of these blocks.
    pub(super) fn clear_inputs(&self, matrix: &mut [f64], width: usize) {
        for dof in 0..self.blocks.len() {
            for columns in self.columns(dof) {
                matrix[dof * width..][columns].fill(0.0);
            }
        }
    }

    /// Clears a matrix of dofs that is zero outside of these blocks.
    pub(super) fn clear_dofs(&self, matrix: &mut [f64]) {
        let nv = self.blocks.len();
        for dof in 0..nv {
            matrix[dof * nv..][self.block(dof)].fill(0.0);
        }
    }
}

/// Couples the dofs of a range: its end closes what its beginning opens.
fn tie(spans: &mut [i32], range: Range<usize>) {
    if !range.is_empty() {
        spans[range.start] += 1;
        spans[range.end - 1] -= 1;
    }
}

/// Couples what actuators act between: moment arms that are zero here may have derivatives.
fn tie_ends_of_actuators(model: &Model, data: &Data, spans: &mut [i32]) {
    let site_body = |site: i32| model.site_bodyid[site as usize];
    for i in 0..model.nu {
        let [first, second] = model.actuator_trnid[i];
        match TrnType::try_from(model.actuator_trntype[i]) {
            Ok(TrnType::Site | TrnType::Slidercrank) if second >= 0 => {
                tie_bodies(model, [site_body(first), site_body(second)], spans);
            }
            Ok(TrnType::Body) => {
                for contact in &data.contact[..data.ncon] {
                    if let [Ok(g1), Ok(g2)] = contact.geom.map(usize::try_from) {
                        tie_bodies(model, [model.geom_bodyid[g1], model.geom_bodyid[g2]], spans);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Couples the trees of two bodies.
fn tie_bodies(model: &Model, bodies: [i32; 2], spans: &mut [i32]) {
    let mut range = 0..0;
    for body in bodies {
        if let Ok(tree) = usize::try_from(model.body_treeid[body as usize]) {
            let start = model.tree_dofadr[tree] as usize;
            extend_range(&mut range, &(start..start + model.tree_dofnum[tree] as usize));
        }
    }
    tie(spans, range);
}

/// The range that covers some columns.
fn hull(columns: &[i32]) -> Range<usize> {
    let (first, last) = (columns.iter().min(), columns.iter().max());
    first.zip(last).map_or(0..0, |(&first, &last)| first as usize..last as usize + 1)
}

/// Widens a range, which may be empty, to cover another.
#[inline]
pub(super) fn extend_range(range: &mut Range<usize>, other: &Range<usize>) {
    *range = if range.start >= range.end {
        other.clone()
    } else {
        range.start.min(other.start)..range.end.max(other.end)
    };
}
