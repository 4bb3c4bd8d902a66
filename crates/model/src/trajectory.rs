//! The start of a trajectory that depends on nothing but what is given.

use crate::enums::StateBit;
use crate::state::{STATE_FULLPHYSICS, StateError, mj_set_state};
use crate::{Data, Model};

/// Sets the full physics state from which a trajectory starts. Inputs that are not among `driven`, components
/// that the caller sets before each step, return to what the model says; without a warm start the solver
/// starts at zero acceleration, and warnings are forgotten. So the trajectory does not depend on what the
/// data was used for before.
///
/// # Errors
/// When the data was made for another model, or a vector has the wrong length.
pub fn begin_trajectory(
    model: &Model,
    data: &mut Data,
    first: &[f64],
    warmstart: Option<&[f64]>,
    driven: u32,
) -> Result<(), StateError> {
    data.check_sizes(model)?;
    let free = |bit: StateBit| driven & bit as u32 == 0;
    if free(StateBit::Ctrl) {
        data.ctrl.fill(0.0);
    }
    if free(StateBit::QfrcApplied) {
        data.qfrc_applied.fill(0.0);
    }
    if free(StateBit::XfrcApplied) {
        data.xfrc_applied.fill([0.0; 6]);
    }
    if free(StateBit::EqActive) {
        data.eq_active.copy_from_slice(&model.eq_active0);
    }
    for body in 0..model.nbody {
        let Ok(id) = usize::try_from(model.body_mocapid[body]) else { continue };
        if free(StateBit::MocapPos) {
            data.mocap_pos[id] = model.body_pos[body];
        }
        if free(StateBit::MocapQuat) {
            data.mocap_quat[id] = model.body_quat[body];
        }
    }
    mj_set_state(model, data, first, STATE_FULLPHYSICS)?;
    match warmstart {
        Some(values) => mj_set_state(model, data, values, StateBit::Warmstart as u32)?,
        None => data.qacc_warmstart.fill(0.0),
    }
    data.warning.iter_mut().for_each(|warning| warning.number = 0);
    Ok(())
}
