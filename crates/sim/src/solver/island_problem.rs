//! The problems of a primal solve: everything at once, or one island after another.
//!
//! Rows and dofs of an island must lie side by side. Where they do already, as for bodies that touch nothing
//! but the world, the solve works on the arrays of the step as they are; otherwise what the solver reads is
//! copied in island order and its results are copied back.

use crate::constraint::{RowBlocks, RowsView, has_cones};
use crate::row_blocks::{BlockBuf, IslandOrder};
use kinetree_math::sparse::Pattern;
use kinetree_model::{Data, Model};
use std::mem::swap;
use std::ops::Range;

/// One problem: its rows and dofs in the order of the solve, and its blocks of the Jacobian.
#[derive(Clone, Debug)]
pub(crate) struct IslandProblem {
    pub rows: Range<usize>,
    pub dofs: Range<usize>,
    pub blocks: Range<usize>,
    ne: usize,
    nf: usize,
    /// Whether rows of elliptic contacts are among its rows.
    has_cones: bool,
}

/// All problems and their arrays.
#[derive(Debug, Default)]
pub(crate) struct IslandProblems {
    pub list: Vec<IslandProblem>,
    pub blocks: BlockBuf,
    pub rows: RowArrays,
    pub dofs: DofArrays,
    order: IslandOrder,
    rows_moved: bool,
    dofs_moved: bool,
}

/// What the solver reads and writes of each row.
#[derive(Debug, Default)]
pub(crate) struct RowArrays {
    d: Vec<f64>,
    r: Vec<f64>,
    floss: Vec<f64>,
    kind: Vec<i32>,
    id: Vec<i32>,
    pub aref: Vec<f64>,
    pub force: Vec<f64>,
    pub state: Vec<i32>,
}

/// Copies in island order of what the solver reads and writes of each dof, and of the inertia matrix with its
/// factor. Columns of its pattern count from the problem's first dof; where nothing had to move, only they
/// differ from the model's, and are only filled if they do.
#[derive(Debug, Default)]
pub(crate) struct DofArrays {
    qfrc_smooth: Vec<f64>,
    qacc_smooth: Vec<f64>,
    qacc: Vec<f64>,
    qfrc_constraint: Vec<f64>,
    ld: Vec<f64>,
    diag_inv: Vec<f64>,
    mass: Vec<f64>,
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
}

/// What the solver reads and writes of each dof: the arrays of the data, or copies of them in island order.
pub(super) struct DofSlices<'a> {
    pub qfrc_smooth: &'a [f64],
    pub qacc_smooth: &'a [f64],
    pub qacc: &'a mut [f64],
    pub qfrc_constraint: &'a mut [f64],
    pub ld: &'a [f64],
    pub diag_inv: &'a [f64],
    pub mass: &'a [f64],
}

impl IslandProblems {
    /// Splits the problem and takes in its blocks and rows. Columns of blocks are dofs of the model.
    pub(super) fn lend_rows(&mut self, model: &Model, data: &mut Data, blocks: RowBlocks, by_island: bool) {
        self.rows_moved = false;
        self.dofs_moved = false;
        self.list.clear();
        // one island of all dofs is everything at once, in the same order
        if by_island && (data.nisland, data.nidof) != (1, model.nv) {
            self.list.extend((0..data.nisland).map(|island| island_problem(data, island)));
            self.rows_moved =
                !ranges_in_step_order(&mut self.list, &data.map_iefc2efc, |problem| &mut problem.rows);
            self.dofs_moved =
                !ranges_in_step_order(&mut self.list, &data.map_idof2dof, |problem| &mut problem.dofs);
        } else {
            let (rows, dofs) = (0..data.nefc, 0..model.nv);
            let (ne, nf) = (data.ne, data.nf);
            self.list.push(IslandProblem { rows, dofs, blocks: 0..0, ne, nf, has_cones: false });
        }
        self.take_blocks(data, blocks);
        if self.rows_moved {
            self.rows.copy_from(data);
        } else {
            self.rows.swap_with(data);
        }
        for problem in &mut self.list {
            problem.has_cones = has_cones(&self.rows.kind[problem.rows.clone()]);
        }
    }

    /// Takes the blocks in, and finds those of each problem.
    fn take_blocks(&mut self, data: &Data, blocks: RowBlocks) {
        self.blocks = blocks.into_buffer();
        if self.rows_moved {
            self.blocks.sort_by_island(data, &mut self.order);
            for (problem, ends) in self.list.iter_mut().zip(self.order.starts.windows(2)) {
                problem.blocks = ends[0]..ends[1];
            }
        } else if let [problem] = &mut self.list[..] {
            problem.blocks = 0..self.blocks.count();
        } else {
            for problem in &mut self.list {
                problem.blocks = self.blocks.of_rows(&problem.rows);
            }
            for problem in &self.list {
                self.blocks.count_rows_from(problem.blocks.clone(), problem.rows.start);
            }
        }
    }

    /// Takes in what depends on dofs; columns of blocks now count from the problem's first dof.
    pub(super) fn lend_dofs(&mut self, model: &Model, data: &Data) {
        self.dofs.clear_matrix();
        if !self.dofs_moved {
            for problem in &self.list {
                self.blocks.shift_columns(problem.blocks.clone(), problem.dofs.start as i32);
            }
            self.dofs.shift_columns(model, &self.list);
            return;
        }
        for problem in &self.list {
            let first = problem.dofs.start as i32;
            self.blocks.rename_columns(problem.blocks.clone(), &data.map_dof2idof, first);
            // trees keep their dofs side by side, and the rows of these dofs in the inertia matrix
            for run in data.map_idof2dof[problem.dofs.clone()].chunk_by(|a, b| *b == *a + 1) {
                self.dofs.copy_rows(model, data, run, first);
            }
        }
        self.dofs.copy_from(data);
    }

    /// Brings a vector over dofs into the order of the solve; `buf` is scratch.
    pub(super) fn order_dofs(&self, data: &Data, v: &mut Vec<f64>, buf: &mut Vec<f64>) {
        if self.dofs_moved {
            copy_in_order(buf, v, &data.map_idof2dof[..data.nidof]);
            v.clone_from(buf);
        }
    }

    /// Copies a vector over rows from the order of the solve to that of the step.
    pub(super) fn restore_rows(&self, data: &Data, to: &mut [f64], from: &[f64]) {
        if self.rows_moved {
            copy_back(to, from, &data.map_iefc2efc);
        } else {
            to.copy_from_slice(from);
        }
    }

    /// Gives arrays and results back, and returns the memory of the blocks.
    pub(super) fn give_back(&mut self, data: &mut Data) -> BlockBuf {
        if self.rows_moved {
            self.blocks.exchange(&mut self.order);
        }
        if self.dofs_moved {
            let dofs = &data.map_idof2dof[..data.nidof];
            copy_back(&mut data.qacc, &self.dofs.qacc, dofs);
            copy_back(&mut data.qfrc_constraint, &self.dofs.qfrc_constraint, dofs);
        }
        if self.rows_moved {
            copy_back(&mut data.efc_force, &self.rows.force, &data.map_iefc2efc);
            copy_back(&mut data.efc_state, &self.rows.state, &data.map_iefc2efc);
        } else {
            self.rows.swap_with(data);
        }
        std::mem::take(&mut self.blocks)
    }

    /// Whether dofs had to move.
    pub(super) fn dofs_moved(&self) -> bool {
        self.dofs_moved
    }
}

fn island_problem(data: &Data, island: usize) -> IslandProblem {
    let row = data.island_iefcadr[island] as usize;
    let dof = data.island_idofadr[island] as usize;
    IslandProblem {
        rows: row..row + data.island_nefc[island] as usize,
        dofs: dof..dof + data.island_nv[island] as usize,
        blocks: 0..0,
        ne: data.island_ne[island] as usize,
        nf: data.island_nf[island] as usize,
        has_cones: false,
    }
}

/// Replaces ranges in the order of islands by ranges in the order of the step, if items that are neighbours
/// in one are neighbours in the other; returns whether they are. Inside an island, items keep their order.
fn ranges_in_step_order(
    problems: &mut [IslandProblem],
    order: &[i32],
    range: impl Fn(&mut IslandProblem) -> &mut Range<usize>,
) -> bool {
    let in_step = |range: &Range<usize>| match &order[range.clone()] {
        [] => Some(range.clone()),
        [only] => Some(*only as usize..*only as usize + 1),
        [first, .., last] => {
            (last - first == range.len() as i32 - 1).then_some(*first as usize..*last as usize + 1)
        }
    };
    if !problems.iter_mut().all(|problem| in_step(range(problem)).is_some()) {
        return false;
    }
    for problem in problems {
        let range = range(problem);
        if let Some(found) = in_step(range) {
            *range = found;
        }
    }
    true
}

fn copy_in_order<T: Copy>(to: &mut Vec<T>, from: &[T], order: &[i32]) {
    to.clear();
    to.extend(order.iter().map(|&i| from[i as usize]));
}

fn copy_back<T: Copy>(to: &mut [T], from: &[T], order: &[i32]) {
    for (&x, &i) in from.iter().zip(order) {
        to[i as usize] = x;
    }
}

impl RowArrays {
    fn copy_from(&mut self, data: &Data) {
        let order = &data.map_iefc2efc;
        copy_in_order(&mut self.d, &data.efc_D, order);
        copy_in_order(&mut self.r, &data.efc_R, order);
        copy_in_order(&mut self.floss, &data.efc_frictionloss, order);
        copy_in_order(&mut self.aref, &data.efc_aref, order);
        copy_in_order(&mut self.kind, &data.efc_type, order);
        copy_in_order(&mut self.id, &data.efc_id, order);
        self.force.resize(order.len(), 0.0);
        self.state.resize(order.len(), 0);
    }

    fn swap_with(&mut self, data: &mut Data) {
        swap(&mut self.d, &mut data.efc_D);
        swap(&mut self.r, &mut data.efc_R);
        swap(&mut self.floss, &mut data.efc_frictionloss);
        swap(&mut self.aref, &mut data.efc_aref);
        swap(&mut self.kind, &mut data.efc_type);
        swap(&mut self.id, &mut data.efc_id);
        swap(&mut self.force, &mut data.efc_force);
        swap(&mut self.state, &mut data.efc_state);
    }

    /// The rows of a problem.
    pub(super) fn view(&self, problem: &IslandProblem) -> RowsView<'_> {
        let rows = problem.rows.clone();
        RowsView {
            ne: problem.ne,
            nf: problem.nf,
            d: &self.d[rows.clone()],
            r: &self.r[rows.clone()],
            floss: &self.floss[rows.clone()],
            kind: &self.kind[rows.clone()],
            id: &self.id[rows],
            has_cones: problem.has_cones,
        }
    }
}

impl DofArrays {
    fn copy_from(&mut self, data: &Data) {
        let order = &data.map_idof2dof[..data.nidof];
        copy_in_order(&mut self.qfrc_smooth, &data.qfrc_smooth, order);
        copy_in_order(&mut self.qacc_smooth, &data.qacc_smooth, order);
        copy_in_order(&mut self.qacc, &data.qacc, order);
        self.qfrc_constraint.resize(order.len(), 0.0);
    }

    fn clear_matrix(&mut self) {
        for v in [&mut self.mass, &mut self.ld, &mut self.diag_inv] {
            v.clear();
        }
        for v in [&mut self.rownnz, &mut self.rowadr, &mut self.colind] {
            v.clear();
        }
    }

    /// Makes the columns of problems whose dofs stay where they are.
    fn shift_columns(&mut self, model: &Model, problems: &[IslandProblem]) {
        if problems.iter().all(|problem| problem.dofs.start == 0) {
            return;
        }
        self.colind.clear();
        self.colind.extend_from_slice(&model.M_colind);
        for problem in problems {
            let Some(last) = problem.dofs.clone().last() else { continue };
            let entries = model.M_rowadr[problem.dofs.start]..model.M_rowadr[last] + model.M_rownnz[last];
            for c in &mut self.colind[entries.start as usize..entries.end as usize] {
                *c -= problem.dofs.start as i32;
            }
        }
    }

    /// Appends the rows of consecutive dofs in the inertia matrix, with columns counted from `first`.
    fn copy_rows(&mut self, model: &Model, data: &Data, dofs: &[i32], first: i32) {
        let start = dofs.first().map_or(0, |&dof| dof as usize);
        let dofs = start..start + dofs.len();
        if dofs.is_empty() {
            return;
        }
        let adr = model.M_rowadr[dofs.start];
        let end = model.M_rowadr[dofs.end - 1] + model.M_rownnz[dofs.end - 1];
        let values = adr as usize..end as usize;
        let moved = self.colind.len() as i32 - adr;
        self.rownnz.extend_from_slice(&model.M_rownnz[dofs.clone()]);
        self.rowadr.extend(model.M_rowadr[dofs.clone()].iter().map(|a| a + moved));
        self.colind
            .extend(model.M_colind[values.clone()].iter().map(|&c| data.map_dof2idof[c as usize] - first));
        self.mass.extend_from_slice(&data.M[values.clone()]);
        self.ld.extend_from_slice(&data.qLD[values]);
        self.diag_inv.extend_from_slice(&data.qLDiagInv[dofs]);
    }

    /// Either the copies, or what the data has, and the pattern of the inertia matrix of a problem.
    pub(super) fn select<'a>(
        &'a mut self,
        model: &'a Model,
        of_data: DofSlices<'a>,
        moved: bool,
        problem: &IslandProblem,
    ) -> (DofSlices<'a>, Pattern<'a>) {
        let (rownnz, rowadr): (&[i32], &[i32]) =
            if moved { (&self.rownnz, &self.rowadr) } else { (&model.M_rownnz, &model.M_rowadr) };
        let colind: &[i32] = if self.colind.is_empty() { &model.M_colind } else { &self.colind };
        let range = problem.dofs.clone();
        let pattern = Pattern::new(&rownnz[range.clone()], &rowadr[range], colind);
        if !moved {
            return (of_data, pattern);
        }
        let copies = DofSlices {
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
            qacc: &mut self.qacc,
            qfrc_constraint: &mut self.qfrc_constraint,
            ld: &self.ld,
            diag_inv: &self.diag_inv,
            mass: &self.mass,
        };
        (copies, pattern)
    }
}
