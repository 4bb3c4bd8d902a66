//! The working memory of the engine, which a `Data` carries from call to call.

use crate::contact::distance::DistanceScratch;
use crate::derivative::{AdjointScratch, FieldScratch, StepMatrices, TransitionScratch};
use crate::integrate::{ImplicitScratch, RungeKuttaScratch};
use crate::inverse::{ComparisonScratch, InverseScratch};
use crate::point_masses::PointContacts;
use crate::stage_memory::StageMemory;
use kinetree_model::Data;

/// All working memory. After a panic in the middle of a call it is gone, and the next call begins with new
/// memory.
#[derive(Default)]
pub(crate) struct Workspace {
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
    /// Distances between geoms.
    pub distance: DistanceScratch,
    /// Analytic derivatives.
    pub transition: TransitionScratch,
    /// Reverse mode of one step.
    pub adjoint: AdjointScratch,
    /// Gradients with respect to fields of the model.
    pub field_gradients: FieldScratch,
    /// Derivatives of one step, for products with them.
    pub step_matrices: StepMatrices,
}

/// Calls `f` with the working memory of the data: taken out once a call, and put back at its end.
#[inline]
pub(crate) fn with_workspace<R>(data: &mut Data, f: impl FnOnce(&mut Data, &mut Workspace) -> R) -> R {
    let mut carried = kinetree_model::Workspace::default();
    data.swap_workspace(&mut carried);
    let mut work = carried.take::<Workspace>();
    let result = f(data, &mut work);
    carried.put(work);
    data.swap_workspace(&mut carried);
    result
}
