//! Projected Gauss–Seidel: minimizes the dual cost one constraint at a time, projecting each on its allowed
//! set. Where all rows push and the matrix is dense, there is a faster way (`pgs_push.rs`).

use super::matrix::{
    DualMatrix, MAX_INCREASE, cost_change, dual_state, friction_minimum, map_forces_to_joints,
};
use super::pgs_push::{Limits, all_push, sweep_all};
use super::scratch::DualScratch;
use crate::solver::problem::model_scale;
use crate::solver::rounds::ends_early;
use crate::solver::stats::IterationLog;
use kinetree_math::MINVAL;
use kinetree_math::dense::dot;
use kinetree_model::enums::ConstraintType;
use kinetree_model::{Data, Model, SolverStat};
use std::ops::Range;

/// Most rows that are swept as one block.
const BLOCK: usize = 4;

/// Improves `efc_force` until a sweep brings less than the tolerance. Accelerations are left to the caller.
pub(crate) fn sweep(model: &Model, data: &mut Data, scratch: &mut DualScratch, max_iterations: i32) {
    let matrix = DualMatrix::new(model, false);
    let scale = model_scale(model);
    matrix.inverse_diagonal(data, &mut scratch.diag_inv);
    dual_state(data);
    let iterations = if all_push(model, data) {
        let limits = Limits { max_iterations, scale, tolerance: model.opt.tolerance };
        sweep_all(data, &scratch.diag_inv, &mut scratch.push, &limits)
    } else {
        matrix.diagonal_addresses(data, &mut scratch.diag_adr);
        matrix.cone_blocks(data, &mut scratch.cone_blocks);
        sweep_mixed(model, data, scratch, matrix, scale, max_iterations)
    };
    data.solver_niter[0] += iterations;
    data.solver_nnz[0] = matrix.nnz(data);
}

/// As [`sweep`], with the accelerations that belong to the forces.
pub(crate) fn solve(model: &Model, data: &mut Data, scratch: &mut DualScratch, max_iterations: i32) {
    sweep(model, data, scratch, max_iterations);
    map_forces_to_joints(model, data);
}

/// Sweeps over rows of all kinds; returns the number of sweeps.
fn sweep_mixed(
    model: &Model,
    data: &mut Data,
    scratch: &DualScratch,
    matrix: DualMatrix,
    scale: f64,
    max_iterations: i32,
) -> i32 {
    let DualScratch { diag_inv, diag_adr, cone_blocks, .. } = scratch;
    let mut iteration = 0;
    while iteration < max_iterations {
        let mut improvement = 0.0;
        let (mut row, mut blocks) = (0, &cone_blocks[..]);
        while row < data.nefc {
            let kind = data.efc_type[row];
            if kind == ConstraintType::ContactElliptic {
                let contact = &data.contact[data.efc_id[row] as usize];
                let (dim, friction) = (contact.dim as usize, contact.friction);
                let (block, rest) = blocks.split_at(dim * dim);
                let cone = Cone { row, block, friction: &friction, diag_inv: diag_inv[row] };
                improvement += match dim {
                    2 => sweep_cone::<2>(data, matrix, &cone),
                    3 => sweep_cone::<3>(data, matrix, &cone),
                    4 => sweep_cone::<4>(data, matrix, &cone),
                    5 => sweep_cone::<5>(data, matrix, &cone),
                    _ => sweep_cone::<6>(data, matrix, &cone),
                };
                (row, blocks) = (row + dim, rest);
            } else if kind == ConstraintType::ContactPyramidal {
                let edges = block_size(data, row);
                improvement += sweep_edges(data, matrix, row..row + edges, diag_inv, diag_adr);
                row += edges;
            } else {
                improvement += sweep_row(data, matrix, row, diag_inv[row]);
                row += 1;
            }
        }
        let (nactive, nchange) = dual_state(data);
        improvement *= scale;
        let stat = SolverStat { improvement, nactive, nchange, ..SolverStat::default() };
        IterationLog::new(&mut data.solver, 0, 0).record(iteration, stat);
        iteration += 1;
        if improvement < model.opt.tolerance || ends_early(iteration) {
            break;
        }
    }
    iteration
}

/// Minimizes over one row; returns the improvement.
fn sweep_row(data: &mut Data, matrix: DualMatrix, row: usize, diag_inv: f64) -> f64 {
    let mut res = [0.0];
    matrix.residual(data, &mut res, row);
    let (friction, unilateral) = (data.ne, data.ne + data.nf);
    let loss = if row < unilateral { data.efc_frictionloss[row] } else { 0.0 };
    let project = |force: f64| {
        if row >= unilateral {
            force.max(0.0)
        } else if row >= friction {
            force.max(-loss).min(loss)
        } else {
            force
        }
    };
    minimize(&mut data.efc_force[row], res[0], diag_inv, project).1
}

/// Minimizes over the edges of a friction pyramid one after the other; returns the improvement.
///
/// The gradients of several edges are computed at once, and corrected for what the edges before have changed,
/// `r_j += A_jk δ_k`.
fn sweep_edges(
    data: &mut Data,
    matrix: DualMatrix,
    rows: Range<usize>,
    diag_inv: &[f64],
    diag_adr: &[usize],
) -> f64 {
    let (mut res, mut change) = ([0.0; BLOCK], [0.0; BLOCK]);
    matrix.residual(data, &mut res[..rows.len()], rows.start);
    let mut improvement = 0.0;
    for (j, row) in rows.enumerate() {
        // entries of the diagonal block left of the diagonal
        let before = &data.efc_AR[diag_adr[row] - j..][..j];
        let gradient = before.iter().zip(&change).fold(res[j], |sum, (a, delta)| sum + a * delta);
        let force = &mut data.efc_force[row];
        let (delta, gain) = minimize(force, gradient, diag_inv[row], |force| force.max(0.0));
        change[j] = delta;
        improvement += gain;
    }
    improvement
}

/// How many rows from this one on are edges of the same pyramid, at most a block.
fn block_size(data: &Data, row: usize) -> usize {
    let end = data.nefc.min(row + BLOCK);
    let same = |&other: &usize| {
        data.efc_type[other] == ConstraintType::ContactPyramidal && data.efc_id[other] == data.efc_id[row]
    };
    (row..end).take_while(same).count().max(1)
}

/// Minimizes the dual cost over one force, from its gradient; returns by how much the force changes, and the
/// improvement.
#[inline]
fn minimize(force: &mut f64, gradient: f64, diag_inv: f64, project: impl Fn(f64) -> f64) -> (f64, f64) {
    let new = project(*force - gradient * diag_inv);
    let delta = new - *force;
    // ½ A δ² + δ r; an increase is undone and counts as none
    let change = 0.5 * (delta * (delta / diag_inv)) + delta * gradient;
    if change > MAX_INCREASE {
        return (0.0, 0.0);
    }
    *force = new;
    (delta, -change)
}

/// An elliptic contact and what does not change from sweep to sweep.
struct Cone<'a> {
    /// Its first row.
    row: usize,
    /// Its diagonal block of the matrix, row by row.
    block: &'a [f64],
    friction: &'a [f64; 5],
    diag_inv: f64,
}

/// Minimizes over an elliptic contact of `D` rows: along the current force, then over friction; returns the
/// improvement.
#[inline]
fn sweep_cone<const D: usize>(data: &mut Data, matrix: DualMatrix, cone: &Cone<'_>) -> f64 {
    let Cone { row, block, friction, diag_inv } = *cone;
    let Some(rows) = block.as_chunks::<D>().0.first_chunk::<D>() else { return 0.0 };
    let mut res = [0.0; D];
    matrix.residual(data, &mut res, row);
    let Some(force) = data.efc_force[row..].first_chunk_mut::<D>() else { return 0.0 };
    let old = *force;

    if force[0] < MINVAL {
        // no normal force yet: the normal alone
        force[0] = (force[0] - res[0] * diag_inv).max(0.0);
        force[1..].fill(0.0);
    } else {
        // along the ray of the current force
        let mut product = [0.0; D];
        for (product, row) in product.iter_mut().zip(rows) {
            *product = dot(row, &old);
        }
        let denominator = dot(&old, &product);
        if denominator >= MINVAL {
            let mut x = -dot(&old, &res) / denominator;
            if force[0] + x * old[0] < 0.0 {
                x = -old[0] / force[0];
            }
            for j in 0..D {
                force[j] += x * old[j];
            }
        }
    }

    if force[0] < MINVAL {
        force[1..].fill(0.0);
    } else {
        let n = D - 1;
        let (mut a, mut b) = ([0.0; 25], [0.0; 5]);
        for j in 0..n {
            let from = &rows[j + 1];
            for k in 0..n {
                a[j * n + k] = from[k + 1];
            }
            b[j] = res[j + 1] - dot(&from[1..], &old[1..]) + from[0] * (force[0] - old[0]);
        }
        let normal = force[0];
        friction_minimum(&a, &b, friction, normal, &mut force[1..]);
    }
    -cost_change(block, force, &old, &res)
}
