//! The convex problem of a primal solver, what a solve may spend, and what came of it.

use super::factor::hessian::Weights;
use crate::constraint::RowsView;
use crate::row_blocks::BlockJacobian;
use kinetree_math::sparse::Csr;
use kinetree_model::enums::Solver;
use kinetree_model::{Contact, Model};

/// One convex problem: all constraints, or those of one island.
pub(crate) struct Problem<'a> {
    pub rows: RowsView<'a>,
    pub aref: &'a [f64],
    pub jac: BlockJacobian<'a>,
    pub mass: Csr<'a>,
    pub mass_ld: &'a [f64],
    pub mass_diag_inv: &'a [f64],
    pub qfrc_smooth: &'a [f64],
    pub qacc_smooth: &'a [f64],
    pub start: Start<'a>,
    pub contact: &'a mut [Contact],
    pub qacc: &'a mut [f64],
    pub qfrc_constraint: &'a mut [f64],
    pub force: &'a mut [f64],
    pub state: &'a mut [i32],
}

impl Problem<'_> {
    /// Weights of the rows in their present states.
    pub(super) fn weights(&self) -> Weights<'_> {
        Weights { d: self.rows.d, state: self.state, id: self.rows.id, contact: self.contact }
    }
}

/// What is known at the initial acceleration.
pub(crate) struct Start<'a> {
    /// `J qacc − aref`.
    pub jaref: &'a [f64],
    /// The same for the unconstrained acceleration; empty where that is not known.
    pub smooth: &'a [f64],
    /// `M qacc`.
    pub ma: &'a [f64],
    /// Cost of the rows, if their states and forces are those of `jaref` already.
    pub rows_cost: Option<f64>,
}

/// What a solve may spend.
pub(crate) struct Settings {
    pub newton: bool,
    pub elliptic: bool,
    pub iterations: i32,
    pub tolerance: f64,
    pub ls_tolerance: f64,
    pub ls_iterations: i32,
    /// Scale of improvement and gradient; the inverse of the total inertia when not given.
    pub scale: Option<f64>,
    /// Whether conjugate directions are those of Hager and Zhang; else they are those of Polak and Ribière.
    pub hager_zhang: bool,
    /// Whether the decrement can end the search, also before its first step, and rounding cannot.
    pub by_decrement: bool,
}

/// What a solve did.
pub(crate) struct Outcome {
    pub iterations: i32,
    /// Whether the tolerance was met, or no direction brought any improvement.
    pub converged: bool,
    /// Entries of the factor; zero for conjugate gradients.
    pub nnz: i32,
}

impl Settings {
    /// The settings of a model, for a solve over one island or over everything.
    pub(super) fn new(model: &Model, by_island: bool) -> Self {
        let level = model.reference();
        let newton = model.opt.solver != Solver::Cg && model.opt.solver != Solver::CgPgs;
        let hager_zhang = model.opt.solver == Solver::Cg && level.conjugate_gradient();
        let by_decrement = hager_zhang || newton && level.solver_stop();
        Self {
            newton,
            elliptic: model.is_elliptic(),
            iterations: model.opt.iterations,
            tolerance: model.opt.tolerance,
            ls_tolerance: model.opt.ls_tolerance,
            ls_iterations: model.opt.ls_iterations,
            scale: (!by_island && !by_decrement).then(|| model_scale(model)),
            hager_zhang,
            by_decrement,
        }
    }
}

/// Scale of costs for a solve over the whole model.
pub(super) fn model_scale(model: &Model) -> f64 {
    1.0 / (model.stat.meaninertia * model.nv.max(1) as f64)
}
