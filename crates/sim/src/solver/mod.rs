//! Constraint solvers: from rows and smooth forces to constraint forces and accelerations.
//!
//! [`mj_fwd_constraint`] chooses a start (the previous acceleration or the unconstrained one, whichever costs
//! less), runs the model's solver over the islands or over everything, and ends with noslip iterations if
//! asked to. The solver `CgPgs` is conjugate gradients that hands over to projected Gauss–Seidel when it runs
//! out of iterations; that a solver ran out is counted in `solver_unconverged`.

mod coupled;
mod dual;
mod factor;
mod island_problem;
mod primal;
mod problem;
mod rounds;
mod stats;

use crate::constraint::{ProjectScratch, RowBlocks, RowScratch, project, set_joint_forces};
use crate::evaluation::SharedWork;
use crate::row_blocks::BlockBuf;
use coupled::solve::CoupledScratch;
pub(crate) use coupled::solve::coupled_constraint;
use dual::scratch::DualScratch;
use dual::start::start_dual;
use dual::{matrix, noslip, pgs};
pub(crate) use factor::hessian::{Hessian, Weights};
pub(crate) use factor::pattern::TooLarge;
use island_problem::{DofSlices, IslandProblems};
use kinetree_math::sparse::Csr;
use kinetree_model::consts::NISLAND;
use kinetree_model::enums::{DisableBit, Solver};
use kinetree_model::{Data, Model, StepError};
use primal::descent::PrimalScratch;
use primal::start::PrimalStart;
use problem::{Problem, Settings, Start};
use stats::IterationLog;

/// Working memory of the solvers.
#[derive(Default)]
pub(crate) struct SolverScratch {
    problems: IslandProblems,
    start: PrimalStart,
    primal: PrimalScratch,
    pub(crate) dual: DualScratch,
    pub(crate) coupled: CoupledScratch,
}

impl SolverScratch {
    /// Where a primal solve finds `M qacc_warmstart`, if [`SharedWork`] says that it is there.
    pub(crate) fn warm_product(&mut self, nv: usize) -> &mut [f64] {
        self.start.ma.resize(nv, 0.0);
        &mut self.start.ma
    }
}

impl From<TooLarge> for StepError {
    fn from(_: TooLarge) -> Self {
        Self::Unsupported(
            "a factor for Newton's method that needs gigabytes, or minutes: solver=\"CG\" needs none",
        )
    }
}

/// Computes constraint forces: `efc_force`, `efc_state`, `qfrc_constraint` and `qacc`.
///
/// # Errors
/// When the factor for Newton's method would be too large.
pub(crate) fn mj_fwd_constraint(
    model: &Model,
    data: &mut Data,
    scratch: &mut SolverScratch,
    rows: &mut RowScratch,
    projection: &mut ProjectScratch,
) -> Result<(), StepError> {
    Ok(fwd_constraint(model, data, scratch, rows, projection, &mut None, SharedWork::default())?)
}

/// As [`mj_fwd_constraint`]; a primal solver takes the rows in blocks, when there are any, and makes them
/// otherwise.
pub(crate) fn fwd_constraint(
    model: &Model,
    data: &mut Data,
    scratch: &mut SolverScratch,
    rows: &mut RowScratch,
    projection: &mut ProjectScratch,
    blocks: &mut Option<RowBlocks>,
    shared: SharedWork,
) -> Result<(), TooLarge> {
    data.qfrc_constraint.fill(0.0);
    data.solver_niter = [0; NISLAND];
    if data.nefc == 0 {
        data.qacc.copy_from_slice(&data.qacc_smooth);
        return Ok(());
    }
    let unconverged = data.solver_unconverged.number;
    if data.nA == 0 && (model.opt.solver == Solver::Pgs || model.opt.noslip_iterations > 0) {
        // the solver was chosen after the rows were made
        project(model, data, projection);
    }
    if model.opt.solver == Solver::Pgs {
        start_dual(model, data, &mut scratch.dual);
        pgs::sweep(model, data, &mut scratch.dual, model.opt.iterations);
        if shared.accelerations {
            set_joint_forces(model, data);
        } else {
            matrix::map_forces_to_joints(model, data);
        }
    } else {
        let blocks = blocks.take().unwrap_or_else(|| rows.blocks_of_arrays(model, data));
        let (buffer, result) = solve_primal(model, data, scratch, blocks, shared);
        rows.reuse_buffer(buffer);
        result?;
    }
    if model.opt.solver == Solver::CgPgs && data.solver_unconverged.number > unconverged {
        // forces of a primal solver lie in their cones: a start that projected Gauss–Seidel can only improve
        project(model, data, projection);
        pgs::solve(model, data, &mut scratch.dual, model.opt.iterations);
    }
    if model.opt.noslip_iterations > 0 {
        noslip::solve(model, data, &mut scratch.dual, model.opt.noslip_iterations);
    }
    Ok(())
}

/// Newton or conjugate gradients, for each island or for everything at once. Returns the memory of the
/// blocks, and whether all factors could be made.
fn solve_primal(
    model: &Model,
    data: &mut Data,
    scratch: &mut SolverScratch,
    blocks: RowBlocks,
    shared: SharedWork,
) -> (BlockBuf, Result<(), TooLarge>) {
    let by_island =
        !model.disabled(DisableBit::Island) && data.nisland > 0 && model.opt.noslip_iterations == 0;
    let settings = Settings::new(model, by_island);
    let SolverScratch { problems, start, primal, .. } = scratch;
    problems.lend_rows(model, data, blocks, by_island);
    start.choose(model, data, problems, settings.newton && settings.elliptic, shared.warm_product);
    problems.lend_dofs(model, data);
    let result = (0..problems.list.len())
        .try_for_each(|island| solve_island_problem(model, data, problems, start, primal, &settings, island));
    (problems.give_back(data), result)
}

fn solve_island_problem(
    model: &Model,
    data: &mut Data,
    problems: &mut IslandProblems,
    start: &PrimalStart,
    scratch: &mut PrimalScratch,
    settings: &Settings,
    island: usize,
) -> Result<(), TooLarge> {
    let moved = problems.dofs_moved();
    let IslandProblems { list, blocks, rows, dofs, .. } = problems;
    let island_problem = &list[island];
    let (row_range, dof_range) = (island_problem.rows.clone(), island_problem.dofs.clone());
    let mut force = std::mem::take(&mut rows.force);
    let mut state = std::mem::take(&mut rows.state);
    let Data { qfrc_smooth, qacc_smooth, qacc, qfrc_constraint, M, qLD, qLDiagInv, contact, solver, .. } =
        &mut *data;
    let of_data =
        DofSlices { qfrc_smooth, qacc_smooth, qacc, qfrc_constraint, ld: qLD, diag_inv: qLDiagInv, mass: M };
    let (dofs, pattern) = dofs.select(model, of_data, moved, island_problem);
    let mut problem = Problem {
        rows: rows.view(island_problem),
        aref: &rows.aref[row_range.clone()],
        jac: blocks.view(island_problem.blocks.clone()),
        mass: Csr::new(pattern, dofs.mass),
        mass_ld: dofs.ld,
        mass_diag_inv: &dofs.diag_inv[dof_range.clone()],
        qfrc_smooth: &dofs.qfrc_smooth[dof_range.clone()],
        qacc_smooth: &dofs.qacc_smooth[dof_range.clone()],
        start: Start {
            jaref: &start.jaref[row_range.clone()],
            smooth: &start.smooth[row_range.clone()],
            ma: &start.ma[dof_range.clone()],
            rows_cost: start.rows_cost(island),
        },
        contact,
        qacc: &mut dofs.qacc[dof_range.clone()],
        qfrc_constraint: &mut dofs.qfrc_constraint[dof_range],
        force: &mut force[row_range.clone()],
        state: &mut state[row_range],
    };
    let mut log = IterationLog::new(solver, island, 0);
    let outcome = scratch.solve(&mut problem, settings, island, &mut log);
    rows.force = force;
    rows.state = state;
    let outcome = outcome?;
    if !outcome.converged {
        data.solver_unconverged.number += 1;
        data.solver_unconverged.lastinfo = island as i32;
    }
    if island < NISLAND {
        data.solver_niter[island] += outcome.iterations;
        data.solver_nnz[island] = outcome.nnz;
    }
    Ok(())
}
