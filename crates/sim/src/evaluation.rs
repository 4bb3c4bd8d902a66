//! What the stages of one evaluation leave for its later stages.

use crate::constraint::RowBlocks;
use crate::damped_inertia::DampedInertia;
use crate::forces::bias::VelocityTerms;
use crate::point_masses::{PointContacts, PointMasses};
use kinetree_model::Model;

/// Intermediate results of an evaluation of the dynamics that are not part of the data.
///
/// To have one of them means that it is valid: an evaluation begins without any, a stage that makes one puts
/// it here, and the value goes out of scope with the evaluation, however that ends. Nothing outlives a call,
/// between two of which anything may change. While callbacks may write to the data, nothing is cached, and
/// each stage computes what it needs from the data.
pub(crate) struct Evaluation<'p> {
    /// Nobody else writes to the data before the evaluation ends; asked once, since the answer may change.
    undisturbed: bool,
    /// The constraint rows in blocks.
    pub rows: Option<RowBlocks>,
    /// The velocity-dependent terms of the bias forces.
    pub velocity_terms: Option<VelocityTerms>,
    /// The factor of the inertia with dampers.
    pub damped_inertia: Option<DampedInertia>,
    /// Stages that have been made before the evaluation began.
    pub smooth: Option<SmoothStages>,
    /// Point masses that are no part of the model, and take part in the solution.
    pub points: Option<Points<'p>>,
}

/// Says that kinematics, inertia and bias forces are in the data already.
///
/// Invariant: they are those of the positions and velocities in the data. [`crate::lockstep`] makes them for
/// several worlds at once, right before the evaluation of each goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmoothStages {
    /// Whether the factor of the inertia with dampers is there, too.
    pub damped_inertia: bool,
    pub extent: Extent,
}

/// How much the smooth stages have left in the data.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// All of their results.
    Complete,
    /// What the later stages of the evaluation read: another one follows before anybody looks at the data.
    Followed,
    /// As `Followed`, with the sum of all forces but those of constraints, and the accelerations that it
    /// would cause. Tendons, transmissions, passive and actuator forces, which nothing else reads then, are
    /// left out.
    Forces(SharedWork),
}

/// Which work of a solve is made in lockstep with other worlds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SharedWork {
    /// `M qacc_warmstart` is in the memory of primal solvers.
    pub warm_product: bool,
    /// The accelerations of the forces that a dual solver finds are made later.
    pub accelerations: bool,
}

/// Point masses with their contacts in this evaluation.
pub(crate) struct Points<'p> {
    pub owner: &'p mut dyn PointMasses,
    pub contacts: &'p mut PointContacts,
    /// What their substeps have moved the dofs beyond the motion by the last velocity; a result.
    pub lag: &'p mut Vec<f64>,
}

impl Points<'_> {
    /// The same for a part of the call.
    pub(crate) fn reborrow(&mut self) -> Points<'_> {
        Points { owner: self.owner, contacts: self.contacts, lag: self.lag }
    }
}

impl<'p> Evaluation<'p> {
    /// Begins an evaluation, in which the callbacks of the model may be called.
    pub(crate) fn begin(model: &Model) -> Self {
        Self {
            undisturbed: !model.callbacks.may_write_data(),
            rows: None,
            velocity_terms: None,
            damped_inertia: None,
            smooth: None,
            points: None,
        }
    }

    /// Whether all forces but those of constraints were summed before the evaluation began.
    pub(crate) fn has_forces(&self) -> bool {
        self.shared_work().is_some()
    }

    /// Which work of the solve is made in lockstep, where that is possible.
    pub(crate) fn shared_work(&self) -> Option<SharedWork> {
        match self.smooth?.extent {
            Extent::Forces(shared) => Some(shared),
            Extent::Complete | Extent::Followed => None,
        }
    }

    /// Whether point masses touch what can move.
    pub(crate) fn has_point_contacts(&self) -> bool {
        self.points.as_ref().is_some_and(|points| !points.contacts.is_empty())
    }

    /// Whether nobody else writes to the data, so that results may be cached.
    pub(crate) fn is_undisturbed(&self) -> bool {
        self.undisturbed
    }
}
