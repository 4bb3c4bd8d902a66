//! Projected Gauss–Seidel: minimizes the dual cost one constraint at a time, projecting each on its allowed set.

use super::dual::{DualMatrix, DualScratch, cost_change, dual_state, finish, friction_minimum, model_scale};
use super::stats::IterationLog;
use kinetree_math::MINVAL;
use kinetree_math::dense::{dot, mul_mat_vec};
use kinetree_model::enums::ConstraintType;
use kinetree_model::{Data, Model, SolverStat};

/// Improves `efc_force` until a sweep brings less than the tolerance.
pub(super) fn solve(model: &Model, data: &mut Data, scratch: &mut DualScratch, max_iterations: i32) {
    let matrix = DualMatrix::new(model, false);
    let scale = model_scale(model);
    let diag_inv = &mut scratch.diag_inv;
    matrix.inverse_diagonal(data, diag_inv);
    dual_state(data);
    let mut iteration = 0;
    while iteration < max_iterations {
        let mut improvement = 0.0;
        let mut row = 0;
        while row < data.nefc {
            if data.efc_type[row] == ConstraintType::ContactElliptic {
                improvement += sweep_contact(data, matrix, row, diag_inv[row]);
                row += data.contact[data.efc_id[row] as usize].dim as usize;
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
        if improvement < model.opt.tolerance {
            break;
        }
    }
    data.solver_niter[0] += iteration;
    data.solver_nnz[0] = matrix.nnz(data);
    finish(model, data);
}

/// Minimizes over one row; returns the improvement.
fn sweep_row(data: &mut Data, matrix: DualMatrix, row: usize, diag_inv: f64) -> f64 {
    let mut res = [0.0];
    matrix.residual(data, &mut res, row);
    let old = [data.efc_force[row]];
    let mut force = old[0] - res[0] * diag_inv;
    if row >= data.ne + data.nf {
        force = force.max(0.0);
    } else if row >= data.ne {
        let loss = data.efc_frictionloss[row];
        force = force.clamp(-loss, loss);
    }
    data.efc_force[row] = force;
    -cost_change(&[1.0 / diag_inv], &mut data.efc_force[row..=row], &old, &res)
}

/// Minimizes over an elliptic contact: along the current force, then over friction; returns the improvement.
fn sweep_contact(data: &mut Data, matrix: DualMatrix, row: usize, diag_inv: f64) -> f64 {
    let contact = &data.contact[data.efc_id[row] as usize];
    let dim = contact.dim as usize;
    let friction = contact.friction;
    let (mut res, mut old, mut block) = ([0.0; 6], [0.0; 6], [0.0; 36]);
    let (res, old) = (&mut res[..dim], &mut old[..dim]);
    matrix.residual(data, res, row);
    old.copy_from_slice(&data.efc_force[row..row + dim]);
    matrix.block(data, &mut block, row, dim);
    let force = &mut data.efc_force[row..row + dim];

    if force[0] < MINVAL {
        // no normal force yet: the normal alone
        force[0] = (force[0] - res[0] * diag_inv).max(0.0);
        force[1..].fill(0.0);
    } else {
        // along the ray of the current force
        let mut product = [0.0; 6];
        mul_mat_vec(&mut product[..dim], &block[..dim * dim], old);
        let denominator = dot(old, &product[..dim]);
        if denominator >= MINVAL {
            let mut x = -dot(old, res) / denominator;
            if force[0] + x * old[0] < 0.0 {
                x = -old[0] / force[0];
            }
            for j in 0..dim {
                force[j] += x * old[j];
            }
        }
    }

    let n = dim - 1;
    if force[0] < MINVAL {
        force[1..].fill(0.0);
    } else {
        let (mut a, mut b) = ([0.0; 25], [0.0; 5]);
        for j in 0..n {
            let from = &block[(j + 1) * dim..(j + 2) * dim];
            a[j * n..(j + 1) * n].copy_from_slice(&from[1..]);
            b[j] = res[j + 1] - dot(&from[1..], &old[1..]) + from[0] * (force[0] - old[0]);
        }
        let normal = force[0];
        friction_minimum(&a, &b, &friction, normal, &mut force[1..]);
    }
    -cost_change(&block, force, old, res)
}
