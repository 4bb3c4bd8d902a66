//! Constants of a model that follow from its other fields: `mj_set_const`.
//!
//! Some need no pose (subtree masses, tree addresses, sleep policies), some are taken in the reference pose
//! `qpos0` (weights of bodies, dofs and tendons, lengths, relative poses of constraints), some in the spring
//! pose. To be called after anything they depend on has been changed.

mod compilation;
mod fixed;
mod flex;
mod reference;
mod statistics;

pub use fixed::SetConstError;

use kinetree_model::{Data, Model, point};

use self::compilation::checkpoint_of_compilation;
use crate::actuation::transmission::mj_transmission;
use crate::kinematics::centers::mj_com_pos;
use crate::kinematics::poses::mj_kinematics;
use crate::stage_memory::StageMemory;
use crate::tendon::lengths::mj_tendon;

/// Sets all constants of the model except actuator length ranges. `data` is working memory: its positions and
/// everything computed from them are overwritten.
///
/// # Errors
/// When the model is of reference level 4.0 and compiled already, when sleep policies contradict the tendons
/// of the model, or a surface with constrained strains at its vertices is not flat.
pub(crate) fn mj_set_const(
    model: &mut Model,
    data: &mut Data,
    memory: &mut StageMemory,
) -> Result<(), SetConstError> {
    // the compiler installs the pipeline last
    if model.pipeline.is_some() && model.reference().set_const() {
        return Err(SetConstError::Reference(&point::set_const));
    }
    fixed::set(model)?;
    flex::set_fixed(model)?;
    checkpoint_of_compilation(model);
    reference::set(model, data, memory);
    checkpoint_of_compilation(model);
    statistics::set(model, data);
    checkpoint_of_compilation(model);
    set_spring(model, data, memory);
    Ok(())
}

/// Spring lengths that are not given are the lengths in the spring pose.
fn set_spring(model: &mut Model, data: &mut Data, memory: &mut StageMemory) {
    data.qpos.copy_from_slice(&model.qpos_spring);
    mj_kinematics(model, data);
    mj_com_pos(model, data);
    mj_tendon(model, data, &mut memory.wrap_paths);
    mj_transmission(model, data, &mut memory.moment_row);
    for tendon in 0..model.ntendon {
        if model.tendon_lengthspring[tendon] == [-1.0, -1.0] {
            model.tendon_lengthspring[tendon] = [data.ten_length[tendon]; 2];
        }
    }
}
