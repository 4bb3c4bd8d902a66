//! Adhesion: actuators that pull a body towards what it touches, along the mean of the normals of its
//! contacts.

use crate::features::parameters::{ScratchSizes, Table};
use kinetree_model::Model;
use kinetree_model::enums::{BiasType, GainType, TrnType};

/// Actuators that adhere, by their indices.
#[derive(Clone, Debug)]
pub(crate) struct Adhesion {
    pub(crate) actuators: Vec<usize>,
    /// Whether the force of one of them depends on its velocity, which is known when contacts are.
    pub(crate) is_moving: bool,
}

impl Adhesion {
    pub(crate) fn new(model: &Model) -> Self {
        Self { actuators: adhesive(model), is_moving: has_moving_adhesion(model) }
    }

    /// Whether there are some.
    pub(crate) fn is_present(&self) -> bool {
        !self.actuators.is_empty()
    }

    /// Forces, and the number of contacts that do not push; then forces without limits and their derivatives.
    pub(crate) fn scratch_sizes(&self, model: &Model) -> ScratchSizes {
        let mut sizes = ScratchSizes::new();
        if self.is_present() {
            sizes.push(("SCRATCH_ADHESION", (self.actuators.len() + 1).div_ceil(4)));
        }
        if self.is_moving {
            sizes.push(("SCRATCH_PULL", (3 * model.nu).div_ceil(4)));
        }
        sizes
    }

    /// Writes actuators and bodies; nothing where there are none.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        if !self.is_present() {
            return;
        }
        // a varied field may not make a force depend on what the kernels do not look at
        table.flag("HAS_MOVING_ADHESION", self.is_moving);
        table.size("NADHESION", self.actuators.len());
        table.ints("ADHESION_BODY", self.actuators.iter().map(|&u| model.actuator_trnid[u][0]));
        table.ints("ADHESION_ACTUATOR", self.actuators.iter().map(|&u| u as i32));
    }
}

/// Actuators that adhere.
fn adhesive(model: &Model) -> Vec<usize> {
    (0..model.nu).filter(|&u| model.actuator_trntype[u] == TrnType::Body as i32).collect()
}

/// Whether the force of one of them depends on its velocity, which is known when contacts are.
fn has_moving_adhesion(model: &Model) -> bool {
    adhesive(model).into_iter().any(|u| {
        let gain =
            model.actuator_gaintype[u] == GainType::Affine as i32 && model.actuator_gainprm[u][2] != 0.0;
        let bias =
            model.actuator_biastype[u] == BiasType::Affine as i32 && model.actuator_biasprm[u][2] != 0.0;
        gain || bias
    })
}
