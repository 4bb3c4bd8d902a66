//! Constants of a model that follow from its other fields: `mj_set_const`.
//!
//! Some need no pose (subtree masses, tree addresses, sleep policies), some are taken in the reference pose `qpos0`
//! (weights of bodies, dofs and tendons, lengths, relative poses of constraints), some in the spring pose. To be called
//! after anything they depend on has been changed.

mod fixed;
mod reference;
mod statistics;

use kinetree_model::{Data, Mismatch, Model};

use crate::actuation::transmission::mj_transmission;
use crate::kinematics::poses::{mj_com_pos, mj_kinematics};
use crate::tendon::lengths::mj_tendon;

/// Why constants could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetConstError {
    /// The data does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// A tree that the user allows to sleep is coupled to others in a way that forbids it.
    #[error("tree {tree} may not sleep: tendon {tendon} {}", if *many { "spans more than two trees" } else { "has stiffness, damping or an actuator" })]
    Sleep {
        /// The tree.
        tree: usize,
        /// The tendon.
        tendon: usize,
        /// The tendon spans more than two trees.
        many: bool,
    },
}

/// Sets all constants of the model except actuator length ranges. `data` is working memory: its positions and everything
/// computed from them are overwritten.
///
/// # Errors
/// When sleep policies contradict the tendons of the model.
pub(crate) fn mj_set_const(model: &mut Model, data: &mut Data) -> Result<(), SetConstError> {
    fixed::set(model)?;
    reference::set(model, data);
    statistics::set(model, data);
    set_spring(model, data);
    Ok(())
}

/// Spring lengths that are not given are the lengths in the spring pose.
fn set_spring(model: &mut Model, data: &mut Data) {
    data.qpos.copy_from_slice(&model.qpos_spring);
    mj_kinematics(model, data);
    mj_com_pos(model, data);
    mj_tendon(model, data);
    mj_transmission(model, data);
    for tendon in 0..model.ntendon {
        if model.tendon_lengthspring[tendon] == [-1.0, -1.0] {
            model.tendon_lengthspring[tendon] = [data.ten_length[tendon]; 2];
        }
    }
}
