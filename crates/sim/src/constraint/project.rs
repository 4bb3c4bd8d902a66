//! Inverse inertia in constraint space, `A + R = J M⁻¹ Jᵀ + R`, for the dual solvers.
//!
//! With `M = Lᵀ D L`, the rows `B = J L⁻¹ D^(−1/2)` give `A = B Bᵀ`. The sparse form keeps, for each row, its
//! dofs and all their ancestors; two rows meet in `A` when they touch a common tree.

use crate::inertia::mass_matrix::m_pattern;
use kinetree_math::sparse::{CsrBuf, DelassusBuilder, SquareBuilder, add_scaled_common, transpose};
use kinetree_model::enums::Solver;
use kinetree_model::{Data, Model};

/// Whether the model's solver works on forces: PGS, or any solver followed by noslip iterations.
#[must_use]
pub fn mj_is_dual(model: &Model) -> bool {
    model.opt.solver == Solver::Pgs || model.opt.noslip_iterations > 0
}

/// Working memory of the projection.
#[derive(Default)]
pub(crate) struct ProjectScratch {
    /// `D^(−1/2)` of the inertia matrix.
    sqrt_inv_d: Vec<f64>,
    dense: DelassusBuilder,
    rows: CsrBuf,
    columns: CsrBuf,
    square: SquareBuilder,
    ones: Vec<f64>,
    cols: Vec<i32>,
    vals: Vec<f64>,
    cursor: Vec<i32>,
}

/// Computes `efc_AR` when the solver needs it; otherwise there is none.
pub(crate) fn mj_project_constraint(model: &Model, data: &mut Data, scratch: &mut ProjectScratch) {
    if data.nefc > 0 && mj_is_dual(model) {
        project(model, data, scratch);
    } else {
        data.nA = 0;
        data.efc_AR.clear();
        data.efc_AR_rownnz.clear();
        data.efc_AR_rowadr.clear();
        data.efc_AR_colind.clear();
    }
}

/// Computes `efc_AR`, whatever the solver.
pub(crate) fn project(model: &Model, data: &mut Data, scratch: &mut ProjectScratch) {
    let rows = model.M_rowadr.iter().zip(&model.M_rownnz);
    scratch.sqrt_inv_d.clear();
    scratch.sqrt_inv_d.extend(rows.map(|(&start, &count)| data.qLD[(start + count - 1) as usize]));
    // in lanes, once they are gathered
    scratch.sqrt_inv_d.iter_mut().for_each(|d| *d = 1.0 / d.sqrt());
    if model.is_sparse() {
        project_sparse(model, data, scratch);
    } else {
        project_dense(model, data, scratch);
    }
    data.nA = data.efc_AR.len();
}

fn project_dense(model: &Model, data: &mut Data, scratch: &mut ProjectScratch) {
    let n = data.nefc;
    let ProjectScratch { dense, sqrt_inv_d, .. } = scratch;
    data.efc_AR.resize(n * n, 0.0);
    dense.build(&mut data.efc_AR, &data.efc_J, &data.qLD, sqrt_inv_d, m_pattern(model));
    for (diagonal, r) in data.efc_AR.iter_mut().step_by(n + 1).zip(&data.efc_R) {
        *diagonal += r;
    }
    data.efc_AR_rownnz.clear();
    data.efc_AR_rowadr.clear();
    data.efc_AR_colind.clear();
}

fn project_sparse(model: &Model, data: &mut Data, s: &mut ProjectScratch) {
    s.rows.clear();
    for row in 0..data.nefc {
        half_solved_row(model, data, s, row);
    }
    transpose(&mut s.columns, s.rows.view(), model.nv);
    s.square.symbolic(s.columns.pattern(), data.nefc, None);
    s.ones.clear();
    s.ones.resize(model.nv, 1.0);
    s.square.numeric(s.columns.view(), &s.ones, None);
    mirror(data, &s.square.result, &mut s.cursor);
}

/// Appends one row of `B`: the Jacobian row on its dofs and all their ancestors, half solved.
fn half_solved_row(model: &Model, data: &Data, s: &mut ProjectScratch, row: usize) {
    let adr = data.efc_J_rowadr[row] as usize;
    let mut left = data.efc_J_rownnz[row] as usize;
    s.cols.clear();
    s.vals.clear();
    // from the last dof to the first: the next is the parent of the one just added or the next of the
    // Jacobian row
    loop {
        let own = if left > 0 { data.efc_J_colind[adr + left - 1] } else { -1 };
        let parent = s.cols.last().map_or(-1, |&dof| model.dof_parentid[dof as usize]);
        if own < 0 && parent < 0 {
            break;
        }
        if own >= parent {
            left -= 1;
            s.cols.push(own);
            s.vals.push(data.efc_J[adr + left]);
        } else {
            s.cols.push(parent);
            s.vals.push(0.0);
        }
    }
    s.cols.reverse();
    s.vals.reverse();
    for i in (0..s.cols.len()).rev() {
        let b = s.vals[i];
        if b == 0.0 {
            continue;
        }
        let dof = s.cols[i] as usize;
        let start = model.M_rowadr[dof] as usize;
        let end = start + model.M_rownnz[dof] as usize - 1;
        add_scaled_common(&mut s.vals, &s.cols, &data.qLD[start..end], &model.M_colind[start..end], -b);
    }
    for (x, &dof) in s.vals.iter_mut().zip(&s.cols) {
        *x *= s.sqrt_inv_d[dof as usize];
    }
    s.rows.push_row(&s.cols, &s.vals);
}

/// Stores the symmetric matrix given by its lower triangle, with `R` added to the diagonal.
fn mirror(data: &mut Data, lower: &CsrBuf, cursor: &mut Vec<i32>) {
    let n = data.nefc;
    let view = lower.view();
    cursor.clear();
    cursor.extend_from_slice(&lower.rownnz);
    for r in 0..n {
        let cols = view.row(r).0;
        for &c in &cols[..cols.len() - 1] {
            cursor[c as usize] += 1;
        }
    }
    data.efc_AR_rownnz.clear();
    data.efc_AR_rownnz.extend_from_slice(cursor);
    data.efc_AR_rowadr.clear();
    let mut total = 0;
    for nnz in &data.efc_AR_rownnz {
        data.efc_AR_rowadr.push(total);
        total += nnz;
    }
    data.efc_AR_colind.clear();
    data.efc_AR_colind.resize(total as usize, 0);
    data.efc_AR.clear();
    data.efc_AR.resize(total as usize, 0.0);
    cursor.copy_from_slice(&data.efc_AR_rowadr);
    for r in 0..n {
        let (cols, vals) = view.row(r);
        for (&c, &v) in cols.iter().zip(vals) {
            let at = cursor[r] as usize;
            cursor[r] += 1;
            data.efc_AR_colind[at] = c;
            data.efc_AR[at] = if c as usize == r { v + data.efc_R[r] } else { v };
        }
    }
    // rows come in increasing order, so the upper parts fill up sorted
    for r in 0..n {
        let (cols, vals) = view.row(r);
        for (&c, &v) in cols[..cols.len() - 1].iter().zip(vals) {
            let at = cursor[c as usize] as usize;
            cursor[c as usize] += 1;
            data.efc_AR_colind[at] = r as i32;
            data.efc_AR[at] = v;
        }
    }
}
