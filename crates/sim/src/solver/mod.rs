//! Constraint solvers: from rows and smooth forces to constraint forces and accelerations.
//!
//! [`mj_fwd_constraint`] chooses a start (the previous acceleration or the unconstrained one, whichever costs
//! less), runs the model's solver over the islands or over everything, and ends with noslip iterations if
//! asked to. The solver `CgPgs` is conjugate gradients that hands over to projected Gauss–Seidel when it runs
//! out of iterations; that a solver ran out is counted in `solver_unconverged`.

mod attached;
mod coupled;
mod dual;
mod factor;
mod hessian;
mod island_problem;
mod line_search;
mod noslip;
mod packed_triangle;
mod panel;
mod pattern;
mod pgs;
mod pgs_push;
mod primal;
mod row_space;
mod stats;
mod vectors;
mod warmstart;

use crate::constraint::{ProjectScratch, RowBlocks, RowScratch, project};
use crate::evaluation::SmoothStages;
use crate::row_blocks::BlockBuf;
use coupled::CoupledScratch;
pub(crate) use coupled::coupled_constraint;
use dual::{DualScratch, model_scale};
pub(crate) use hessian::{Hessian, Weights};
use island_problem::{DofSlices, IslandProblems};
use kinetree_math::sparse::Csr;
use kinetree_model::consts::NISLAND;
use kinetree_model::enums::{DisableBit, Solver};
use kinetree_model::{Data, Model, StepError};
use primal::{PrimalScratch, Problem, Settings, Start};
use stats::IterationLog;
use warmstart::PrimalStart;

/// Working memory of the solvers.
#[derive(Default)]
pub(crate) struct SolverScratch {
    problems: IslandProblems,
    start: PrimalStart,
    primal: PrimalScratch,
    dual: DualScratch,
    coupled: CoupledScratch,
}

impl SolverScratch {
    /// A factor that would be too large, as an error.
    pub(crate) fn report(&mut self) -> Result<(), StepError> {
        if self.primal.take_refusal() || self.coupled.take_refusal() {
            return Err(StepError::Unsupported(
                "a factor for Newton's method that needs gigabytes, or minutes: solver=\"CG\" needs none",
            ));
        }
        Ok(())
    }

    /// Says which work of the solve that follows is made in lockstep with other worlds.
    pub(crate) fn share_work(&mut self, stages: Option<SmoothStages>) {
        self.start.has_warm_product = stages.is_some_and(|stages| stages.warm_product);
        self.dual.defers = stages.is_some_and(|stages| stages.defers);
        self.dual.deferred = false;
    }

    /// Says that solves are made by a world alone again.
    pub(crate) fn share_no_work(&mut self) {
        self.start.has_warm_product = false;
        self.dual.defers = false;
    }

    /// Where primal solvers find `M qacc_warmstart`, if they are told that it is there.
    pub(crate) fn warm_product(&mut self, nv: usize) -> &mut [f64] {
        self.start.ma.resize(nv, 0.0);
        &mut self.start.ma
    }

    /// Whether the accelerations of the forces that were found last are still to be made.
    pub(crate) fn has_deferred(&self) -> bool {
        self.dual.deferred
    }

    /// Forgets the substeps of the last coupled step.
    pub(crate) fn begin_coupled_step(&mut self) {
        self.coupled.begin_step();
    }

    /// Corrects positions that an integrator has moved with the velocity of the end of a coupled step: they
    /// are to move as the substeps did, so that bodies stay where attached points are.
    pub(crate) fn move_as_substeps(&self, model: &Model, data: &mut Data) {
        self.coupled.move_as_substeps(model, data);
    }
}

/// Computes constraint forces: `efc_force`, `efc_state`, `qfrc_constraint` and `qacc`.
pub(crate) fn mj_fwd_constraint(
    model: &Model,
    data: &mut Data,
    scratch: &mut SolverScratch,
    rows: &mut RowScratch,
    projection: &mut ProjectScratch,
) {
    fwd_constraint(model, data, scratch, rows, projection, &mut None);
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
) {
    data.qfrc_constraint.fill(0.0);
    data.solver_niter = [0; NISLAND];
    if data.nefc == 0 {
        data.qacc.copy_from_slice(&data.qacc_smooth);
        return;
    }
    let unconverged = data.solver_unconverged.number;
    if data.nA == 0 && (model.opt.solver == Solver::Pgs || model.opt.noslip_iterations > 0) {
        // the solver was chosen after the rows were made
        project(model, data, projection);
    }
    if model.opt.solver == Solver::Pgs {
        warmstart::start_dual(model, data, &mut scratch.dual);
        pgs::solve(model, data, &mut scratch.dual, model.opt.iterations);
    } else {
        let blocks = blocks.take().unwrap_or_else(|| rows.blocks_of_arrays(model, data));
        let buffer = solve_primal(model, data, scratch, blocks);
        rows.reuse_buffer(buffer);
    }
    if model.opt.solver == Solver::CgPgs && data.solver_unconverged.number > unconverged {
        // forces of a primal solver lie in their cones: a start that projected Gauss–Seidel can only improve
        project(model, data, projection);
        pgs::solve(model, data, &mut scratch.dual, model.opt.iterations);
    }
    if model.opt.noslip_iterations > 0 {
        noslip::solve(model, data, &mut scratch.dual, model.opt.noslip_iterations);
    }
}

fn settings(model: &Model, by_island: bool) -> Settings {
    Settings {
        newton: model.opt.solver != Solver::Cg && model.opt.solver != Solver::CgPgs,
        elliptic: model.is_elliptic(),
        iterations: model.opt.iterations,
        tolerance: model.opt.tolerance,
        ls_tolerance: model.opt.ls_tolerance,
        ls_iterations: model.opt.ls_iterations,
        scale: (!by_island).then(|| model_scale(model)),
    }
}

/// Newton or conjugate gradients, for each island or for everything at once. Returns the memory of the
/// blocks.
fn solve_primal(model: &Model, data: &mut Data, scratch: &mut SolverScratch, blocks: RowBlocks) -> BlockBuf {
    let by_island =
        !model.disabled(DisableBit::Island) && data.nisland > 0 && model.opt.noslip_iterations == 0;
    let settings = settings(model, by_island);
    let SolverScratch { problems, start, primal, .. } = scratch;
    problems.lend_rows(model, data, blocks, by_island);
    start.choose(model, data, problems, settings.newton && settings.elliptic);
    problems.lend_dofs(model, data);
    for island in 0..problems.list.len() {
        solve_island_problem(model, data, problems, start, primal, &settings, island);
    }
    problems.give_back(data)
}

fn solve_island_problem(
    model: &Model,
    data: &mut Data,
    problems: &mut IslandProblems,
    start: &PrimalStart,
    scratch: &mut PrimalScratch,
    settings: &Settings,
    island: usize,
) {
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
    if !outcome.converged {
        data.solver_unconverged.number += 1;
        data.solver_unconverged.lastinfo = island as i32;
    }
    if island < NISLAND {
        data.solver_niter[island] += outcome.iterations;
        data.solver_nnz[island] = outcome.nnz;
    }
    rows.force = force;
    rows.state = state;
}
