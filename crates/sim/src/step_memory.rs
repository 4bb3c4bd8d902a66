//! The working memory of a step.

use crate::integrate::{ImplicitScratch, RungeKuttaScratch};
use crate::inverse::{ComparisonScratch, InverseScratch};
use crate::point_masses::PointContacts;
use crate::stage_memory::StageMemory;

/// Buffers of evaluations, of the integrators and of inverse dynamics.
#[derive(Default)]
pub(crate) struct StepMemory {
    /// Of the stages of an evaluation.
    pub stages: StageMemory,
    /// Acceleration that an integrator advances with.
    pub qacc: Vec<f64>,
    pub implicit: ImplicitScratch,
    pub runge_kutta: RungeKuttaScratch,
    pub inverse: InverseScratch,
    /// Comparison of forward and inverse dynamics.
    pub comparison: ComparisonScratch,
    /// Contacts of point masses.
    pub points: PointContacts,
    /// What substeps have moved the dofs beyond the motion by the last velocity.
    pub lag: Vec<f64>,
}
