//! Constraint solvers: from rows and smooth forces to constraint forces and accelerations.
//!
//! [`mj_fwd_constraint`] chooses a start (the previous acceleration or the unconstrained one, whichever costs less), runs the
//! model's solver over the islands or over everything, and ends with noslip iterations if asked to. The solver `CgPgs` is
//! conjugate gradients that hands over to projected Gauss–Seidel when it runs out of iterations; that a solver ran out is counted
//! in `solver_unconverged`.

mod blocks;
mod dual;
mod hessian;
mod line_search;
mod noslip;
mod pgs;
mod primal;
mod stats;
mod warmstart;

use crate::constraint::{RowsView, mj_mul_jac_vec, project};
use blocks::BlockBuf;
use kinetree_math::dense::sub_from;
use kinetree_math::sparse::{Csr, Pattern, gather, scatter};
use kinetree_model::consts::NISLAND;
use kinetree_model::enums::{Cone, DisableBit, Solver};
use kinetree_model::{Data, Model};
use primal::{Outcome, PrimalScratch, Problem, Settings};
use stats::IterationLog;

/// Computes constraint forces: `efc_force`, `efc_state`, `qfrc_constraint` and `qacc`.
pub fn mj_fwd_constraint(model: &Model, data: &mut Data) {
    data.qfrc_constraint.fill(0.0);
    if data.nefc == 0 {
        data.qacc.copy_from_slice(&data.qacc_smooth);
        data.solver_niter = [0; NISLAND];
        return;
    }
    let mut b = std::mem::take(&mut data.efc_b);
    mj_mul_jac_vec(model, data, &mut b, &data.qacc_smooth);
    sub_from(&mut b, &data.efc_aref);
    data.efc_b = b;
    warmstart::warmstart(model, data);
    data.solver_niter = [0; NISLAND];

    let unconverged = data.solver_unconverged.number;
    let pgs = model.opt.solver == Solver::Pgs as i32;
    let by_island =
        !model.disabled(DisableBit::Island) && data.nisland > 0 && model.opt.noslip_iterations == 0 && !pgs;
    if pgs {
        pgs::solve(model, data, model.opt.iterations);
    } else if by_island {
        solve_islands(model, data);
    } else {
        solve_all(model, data);
    }
    if model.opt.solver == Solver::CgPgs as i32 && data.solver_unconverged.number > unconverged {
        // forces of a primal solver lie in their cones: a start that projected Gauss–Seidel can only improve
        project(model, data);
        pgs::solve(model, data, model.opt.iterations);
    }
    if model.opt.noslip_iterations > 0 {
        noslip::solve(model, data, model.opt.noslip_iterations);
    }
}

fn settings(model: &Model) -> Settings {
    Settings {
        newton: ![Solver::Cg as i32, Solver::CgPgs as i32].contains(&model.opt.solver),
        elliptic: model.opt.cone == Cone::Elliptic as i32,
        iterations: model.opt.iterations,
        tolerance: model.opt.tolerance,
        ls_tolerance: model.opt.ls_tolerance,
        ls_iterations: model.opt.ls_iterations,
        scale: None,
    }
}

/// Scale of costs for a solve over the whole model.
fn model_scale(model: &Model) -> f64 {
    1.0 / (model.stat.meaninertia * model.nv.max(1) as f64)
}

/// Counts a solve that ran out of iterations.
fn note_end(data: &mut Data, outcome: &Outcome, island: usize) {
    if !outcome.converged {
        data.solver_unconverged.number += 1;
        data.solver_unconverged.lastinfo = island as i32;
    }
}

/// One solve over all constraints.
fn solve_all(model: &Model, data: &mut Data) {
    let settings = Settings { scale: Some(model_scale(model)), ..settings(model) };
    let mut blocks = data.scratch.take::<BlockBuf>();
    let mut scratch = data.scratch.take::<PrimalScratch>();
    let jac = if model.is_sparse() {
        blocks.set_sparse(&data.efc_J_rownnz, &data.efc_J_rowadr, &data.efc_J_colind, &data.efc_J)
    } else {
        blocks.set_dense(&data.efc_J, model.nv, &data.efc_type, &data.efc_id)
    };
    let mut problem = Problem {
        rows: RowsView {
            ne: data.ne,
            nf: data.nf,
            d: &data.efc_D,
            r: &data.efc_R,
            floss: &data.efc_frictionloss,
            kind: &data.efc_type,
            id: &data.efc_id,
        },
        aref: &data.efc_aref,
        jac,
        mass: Csr::new(Pattern::new(&model.M_rownnz, &model.M_rowadr, &model.M_colind), &data.M),
        mass_ld: &data.qLD,
        mass_diag_inv: &data.qLDiagInv,
        qfrc_smooth: &data.qfrc_smooth,
        qacc_smooth: &data.qacc_smooth,
        contact: &mut data.contact,
        qacc: &mut data.qacc,
        qfrc_constraint: &mut data.qfrc_constraint,
        force: &mut data.efc_force,
        state: &mut data.efc_state,
    };
    let mut log = IterationLog::new(&mut data.solver, 0, 0);
    let outcome = scratch.solve(&mut problem, &settings, 0, &mut log);
    note_end(data, &outcome, 0);
    data.solver_niter[0] += outcome.iterations;
    data.solver_nnz[0] = outcome.nnz;
    data.scratch.give(scratch);
    data.scratch.give(blocks);
}

/// One solve per island.
fn solve_islands(model: &Model, data: &mut Data) {
    let (nidof, nefc) = (data.nidof, data.nefc);
    let dofs = &data.map_idof2dof[..nidof];
    for (to, from) in [
        (&mut data.ifrc_smooth, &data.qfrc_smooth),
        (&mut data.ifrc_constraint, &data.qfrc_constraint),
        (&mut data.iacc_smooth, &data.qacc_smooth),
        (&mut data.iacc, &data.qacc),
    ] {
        to.resize(nidof, 0.0);
        gather(to, from, dofs);
    }
    for (to, from) in [(&mut data.iefc_force, &data.efc_force), (&mut data.iefc_aref, &data.efc_aref)] {
        to.resize(nefc, 0.0);
        gather(to, from, &data.map_iefc2efc);
    }
    data.iefc_state.resize(nefc, 0);
    for island in 0..data.nisland {
        solve_island(model, data, island);
    }
    scatter(&mut data.qacc, &data.iacc, &data.map_idof2dof[..nidof]);
    scatter(&mut data.qfrc_constraint, &data.ifrc_constraint, &data.map_idof2dof[..nidof]);
    gather(&mut data.efc_force, &data.iefc_force, &data.map_efc2iefc);
    for (state, &i) in data.efc_state.iter_mut().zip(&data.map_efc2iefc) {
        *state = data.iefc_state[i as usize];
    }
}

fn solve_island(model: &Model, data: &mut Data, island: usize) {
    let mut blocks = data.scratch.take::<BlockBuf>();
    let mut scratch = data.scratch.take::<PrimalScratch>();
    let nv = data.island_nv[island] as usize;
    let n = data.island_nefc[island] as usize;
    let dof = data.island_idofadr[island] as usize;
    let efc = data.island_iefcadr[island] as usize;
    let (dofs, rows) = (dof..dof + nv, efc..efc + n);
    let (kind, id) = (&data.iefc_type[rows.clone()], &data.iefc_id[rows.clone()]);
    let jac = if model.is_sparse() {
        blocks.set_sparse(
            &data.iefc_J_rownnz[rows.clone()],
            &data.iefc_J_rowadr[rows.clone()],
            &data.iefc_J_colind,
            &data.iefc_J,
        )
    } else {
        blocks.set_dense(&data.iefc_J[data.nidof * efc..], nv, kind, id)
    };
    let pattern = Pattern::new(&data.iM_rownnz[dofs.clone()], &data.iM_rowadr[dofs.clone()], &data.iM_colind);
    let mut problem = Problem {
        rows: RowsView {
            ne: data.island_ne[island] as usize,
            nf: data.island_nf[island] as usize,
            d: &data.iefc_D[rows.clone()],
            r: &data.iefc_R[rows.clone()],
            floss: &data.iefc_frictionloss[rows.clone()],
            kind,
            id,
        },
        aref: &data.iefc_aref[rows.clone()],
        jac,
        mass: Csr::new(pattern, &data.iM),
        mass_ld: &data.iLD,
        mass_diag_inv: &data.iLDiagInv[dofs.clone()],
        qfrc_smooth: &data.ifrc_smooth[dofs.clone()],
        qacc_smooth: &data.iacc_smooth[dofs.clone()],
        contact: &mut data.contact,
        qacc: &mut data.iacc[dofs.clone()],
        qfrc_constraint: &mut data.ifrc_constraint[dofs],
        force: &mut data.iefc_force[rows.clone()],
        state: &mut data.iefc_state[rows],
    };
    let mut log = IterationLog::new(&mut data.solver, island, 0);
    let outcome = scratch.solve(&mut problem, &settings(model), island, &mut log);
    note_end(data, &outcome, island);
    if island < NISLAND {
        data.solver_niter[island] += outcome.iterations;
        data.solver_nnz[island] = outcome.nnz;
    }
    data.scratch.give(scratch);
    data.scratch.give(blocks);
}
