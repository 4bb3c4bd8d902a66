//! What the stages of one evaluation leave for its later stages.

use crate::constraint::RowBlocks;
use crate::damped_inertia::DampedInertia;
use crate::forces::bias::VelocityTerms;
use kinetree_model::Model;

/// Intermediate results of an evaluation of the dynamics that are not part of the data.
///
/// To have one of them means that it is valid: an evaluation begins without any, a stage that makes one puts
/// it here, and the value goes out of scope with the evaluation, however that ends. Nothing outlives a call,
/// between two of which anything may change. While callbacks may write to the data, nothing is kept, and each
/// stage computes what it needs from the data.
pub(crate) struct Evaluation {
    /// Nobody else writes to the data before the evaluation ends; asked once, since the answer may change.
    undisturbed: bool,
    /// The constraint rows in blocks.
    pub rows: Option<RowBlocks>,
    /// The velocity-dependent terms of the bias forces.
    pub velocity_terms: Option<VelocityTerms>,
    /// The factor of the inertia with dampers.
    pub damped_inertia: Option<DampedInertia>,
}

impl Evaluation {
    /// Begins an evaluation, in which the callbacks of the model may be called.
    pub(crate) fn begin(model: &Model) -> Self {
        Self {
            undisturbed: !model.callbacks.may_write_data(),
            rows: None,
            velocity_terms: None,
            damped_inertia: None,
        }
    }

    /// Whether nobody else writes to the data, so that results may be kept.
    pub(crate) fn is_undisturbed(&self) -> bool {
        self.undisturbed
    }
}
