//! Evaluates the dynamics at states that have analytic derivatives.

use super::refuse::{check_dynamics, check_model, check_state};
use crate::actuation::mj_fwd_actuation;
use crate::derivative::error::DerivativeError;
use crate::forward::mj_forward_skip;
use crate::inverse::mj_inverse_skip;
use crate::stage_memory::StageMemory;
use crate::step_memory::StepMemory;
use kinetree_model::enums::Stage;
use kinetree_model::{Data, Model};
use std::ops::{Deref, DerefMut};

/// A data whose dynamics have been evaluated, at a state that has derivatives.
///
/// Invariant: its results are those of its state. [`evaluate`] and [`evaluate_inverse`] alone make it; later
/// phases write states, forces and curvatures of constraint rows and matrices of integrators only.
pub(super) struct Evaluated<'a>(&'a mut Data);

impl Deref for Evaluated<'_> {
    type Target = Data;

    fn deref(&self) -> &Data {
        self.0
    }
}

impl DerefMut for Evaluated<'_> {
    fn deref_mut(&mut self) -> &mut Data {
        self.0
    }
}

/// Evaluates forward dynamics, with the values of sensors if they are wanted.
///
/// # Errors
/// When something has no analytic derivative, or the dynamics cannot be evaluated.
pub(super) fn evaluate<'a>(
    model: &Model,
    data: &'a mut Data,
    stages: &mut StageMemory,
    sensors: bool,
) -> Result<Evaluated<'a>, DerivativeError> {
    check_model(model)?;
    mj_forward_skip(model, data, stages, Stage::None, !sensors)?;
    check_state(model, data)?;
    Ok(Evaluated(data))
}

/// Evaluates inverse dynamics, with actuators and the values of sensors if these are wanted.
///
/// # Errors
/// As [`evaluate`].
pub(super) fn evaluate_inverse<'a>(
    model: &Model,
    data: &'a mut Data,
    work: &mut StepMemory,
    actuation: bool,
    sensors: bool,
) -> Result<Evaluated<'a>, DerivativeError> {
    check_dynamics(model)?;
    let StepMemory { inverse, stages, .. } = work;
    mj_inverse_skip(model, data, inverse, stages, Stage::None, !sensors)?;
    if actuation {
        mj_fwd_actuation(model, data, &mut stages.actuation, &mut stages.nested);
    }
    check_state(model, data)?;
    Ok(Evaluated(data))
}
