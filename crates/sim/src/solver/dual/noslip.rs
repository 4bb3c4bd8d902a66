//! Noslip: a second pass over friction alone, without regularization, that takes away the residual creep.
//!
//! Normal forces stay as the main solver left them; dry friction and contact friction are minimized again
//! with `R = 0`.

use super::matrix::{DualMatrix, cost_change, dual_state, friction_minimum, map_forces_to_joints};
use super::scratch::DualScratch;
use crate::solver::problem::model_scale;
use crate::solver::rounds::ends_early;
use crate::solver::stats::IterationLog;
use kinetree_math::MINVAL;
use kinetree_math::dense::dot;
use kinetree_model::enums::ConstraintType;
use kinetree_model::{Data, Model, SolverStat};

/// Improves the friction forces in `efc_force`.
pub(crate) fn solve(model: &Model, data: &mut Data, scratch: &mut DualScratch, max_iterations: i32) {
    let matrix = DualMatrix::new(model, true);
    let scale = model_scale(model);
    let diag_inv = &mut scratch.diag_inv;
    matrix.inverse_diagonal(data, diag_inv);
    dual_state(data);
    let mut iteration = 0;
    while iteration < max_iterations {
        let mut improvement = 0.0;
        // the first sweep also drops the cost of regularization
        if iteration == 0 {
            for i in 0..data.nefc {
                improvement += 0.5 * data.efc_force[i] * data.efc_force[i] * data.efc_R[i];
            }
        }
        for row in data.ne..data.ne + data.nf {
            improvement += sweep_dry_friction(data, matrix, row, diag_inv[row]);
        }
        let mut row = data.ne + data.nf;
        while row < data.nefc {
            let kind = data.efc_type[row];
            if kind == ConstraintType::ContactPyramidal {
                let edges = 2 * (data.contact[data.efc_id[row] as usize].dim as usize - 1);
                for pair in (row..row + edges).step_by(2) {
                    improvement += sweep_edges(data, matrix, pair);
                }
                row += edges;
            } else if kind == ConstraintType::ContactElliptic {
                improvement += sweep_contact(data, matrix, row);
                row += data.contact[data.efc_id[row] as usize].dim as usize;
            } else {
                row += 1;
            }
        }
        let (nactive, nchange) = dual_state(data);
        improvement *= scale;
        let stat = SolverStat { improvement, nactive, nchange, ..SolverStat::default() };
        let first = data.solver_niter[0];
        IterationLog::new(&mut data.solver, 0, first).record(iteration, stat);
        iteration += 1;
        if improvement < model.opt.noslip_tolerance || ends_early(iteration) {
            break;
        }
    }
    data.solver_niter[0] += iteration;
    map_forces_to_joints(model, data);
}

fn sweep_dry_friction(data: &mut Data, matrix: DualMatrix, row: usize, diag_inv: f64) -> f64 {
    let mut res = [0.0];
    matrix.residual(data, &mut res, row);
    let loss = data.efc_frictionloss[row];
    let old = data.efc_force[row];
    let force = (old - res[0] * diag_inv).max(-loss).min(loss);
    data.efc_force[row] = force;
    let delta = force - old;
    -(0.5 * delta * delta / diag_inv + delta * res[0])
}

/// A pair of opposing pyramid edges: their sum, the normal force, stays.
fn sweep_edges(data: &mut Data, matrix: DualMatrix, row: usize) -> f64 {
    let (mut res, mut a) = ([0.0; 2], [0.0; 4]);
    matrix.residual(data, &mut res, row);
    matrix.block(data, &mut a, row, 2);
    let old = [data.efc_force[row], data.efc_force[row + 1]];
    let b: [f64; 2] = std::array::from_fn(|k| res[k] - dot(&a[2 * k..2 * k + 2], &old));
    let force = &mut data.efc_force[row..row + 2];
    let middle = 0.5 * (force[0] + force[1]);
    let curvature = a[0] + a[3] - a[1] - a[2];
    if curvature < MINVAL {
        force.fill(middle);
    } else {
        let derivative = middle * (a[0] - a[3]) + b[0] - b[1];
        let y = -derivative / curvature;
        let new = if y < -middle {
            [0.0, 2.0 * middle]
        } else if y > middle {
            [2.0 * middle, 0.0]
        } else {
            [middle + y, middle - y]
        };
        force.copy_from_slice(&new);
    }
    -cost_change(&a, force, &old, &res)
}

/// The friction of an elliptic contact, with its normal force fixed.
fn sweep_contact(data: &mut Data, matrix: DualMatrix, row: usize) -> f64 {
    let contact = &data.contact[data.efc_id[row] as usize];
    let n = contact.dim as usize - 1;
    let friction = contact.friction;
    let (mut res, mut old, mut a, mut b) = ([0.0; 5], [0.0; 5], [0.0; 25], [0.0; 5]);
    matrix.residual(data, &mut res[..n], row + 1);
    old[..n].copy_from_slice(&data.efc_force[row + 1..row + 1 + n]);
    matrix.block(data, &mut a, row + 1, n);
    for j in 0..n {
        b[j] = res[j] - dot(&a[j * n..(j + 1) * n], &old[..n]);
    }
    let normal = data.efc_force[row];
    let force = &mut data.efc_force[row + 1..row + 1 + n];
    if normal < MINVAL {
        force.fill(0.0);
    } else {
        friction_minimum(&a, &b, &friction, normal, force);
    }
    -cost_change(&a, force, &old, &res)
}
