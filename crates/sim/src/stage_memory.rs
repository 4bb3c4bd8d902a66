//! The working memory of the stages of an evaluation.

use crate::actuation::ActuationScratch;
use crate::constraint::{ProjectScratch, RowScratch};
use crate::contact::CollisionScratch;
use crate::derivative::velocity::DerivativeScratch;
use crate::evaluation::Evaluation;
use crate::flex::FlexScratch;
use crate::forces::bias::{RneScratch, VelocityTerms};
use crate::inertia::composite::DofPath;
use crate::island::IslandScratch;
use crate::kinematics::velocity::Momenta;
use crate::nested::NestedCalls;
use crate::sensor::{SensorContext, SensorScratch};
use crate::solver::SolverScratch;
use crate::tendon::lengths::WrapPaths;
use kinetree_math::sparse::LtdlFactorizer;
use kinetree_model::StepError;

/// Buffers of the stages, each used by one stage or family of stages, and caches that know what they were
/// made from.
///
/// It holds no results: what a stage leaves for a later one is in the [`Evaluation`] or in the data.
#[derive(Default)]
pub(crate) struct StageMemory {
    /// Paths of tendons around geoms.
    pub wrap_paths: WrapPaths,
    /// Motions of the ancestors of a dof.
    pub dof_path: DofPath,
    /// Factorization of the inertia matrix and of those that integrators solve with.
    pub factorizer: LtdlFactorizer,
    /// Derivatives of dampers, times the time step.
    pub damper_derivatives: Vec<f64>,
    pub flex: FlexScratch,
    pub collision: CollisionScratch,
    pub rows: RowScratch,
    pub islands: IslandScratch,
    /// Moment arms of one actuator over all dofs.
    pub moment_row: Vec<f64>,
    pub projection: ProjectScratch,
    /// Recursive Newton–Euler.
    pub rne: RneScratch,
    /// Generalized momenta, for the kinetic energy.
    pub momentum: Vec<f64>,
    /// Momenta of subtrees.
    pub momenta: Momenta,
    pub actuation: ActuationScratch,
    pub solver: SolverScratch,
    pub sensors: SensorScratch,
    /// Velocity derivatives of forces.
    pub derivative: DerivativeScratch,
    /// Callbacks and plugins.
    pub nested: NestedCalls,
}

impl StageMemory {
    /// What sensors need of it, with the velocity-dependent terms of the evaluation that they belong to.
    pub(crate) fn sensor_context<'a>(
        &'a mut self,
        velocity_terms: &'a mut Option<VelocityTerms>,
    ) -> SensorContext<'a> {
        SensorContext {
            scratch: &mut self.sensors,
            rne: &mut self.rne,
            velocity_terms,
            nested: &mut self.nested,
        }
    }

    /// Says that the model cannot change from now on, so that caches need to compare what they were made from
    /// only once, or that it can again.
    pub(crate) fn hold_model(&mut self, held: bool) {
        self.collision.hold_model(held);
        self.rows.motion.chains.hold_model(held);
    }

    /// What one of the stages could not do, or the failure of a plugin in it, as an error.
    #[inline]
    pub(crate) fn report_failure(&mut self) -> Result<(), StepError> {
        self.collision.report()?;
        self.rows.report()?;
        self.nested.plugins.report()
    }

    /// Uses the memory of what an evaluation has left over for the next one.
    pub(crate) fn reuse(&mut self, evaluation: Evaluation<'_>) {
        let Evaluation { rows, velocity_terms, .. } = evaluation;
        if let Some(blocks) = rows {
            self.rows.reuse(blocks);
        }
        if let Some(terms) = velocity_terms {
            self.rne.reuse(terms);
        }
    }
}
