//! Free bodies that carry all the mass of their tree: implicit integrators rotate them by the midpoint rule.

use crate::features::parameters::Table;
use kinetree_model::Model;
use kinetree_model::enums::{EnableBit, Integrator, JointType};

/// Their joints.
#[derive(Clone, Debug)]
pub(crate) struct SingleFreeBodies(Vec<usize>);

impl SingleFreeBodies {
    /// The free bodies that stand alone; none where the integrator does not treat them in a way of their own.
    pub(crate) fn new(model: &Model) -> Self {
        let on =
            model.opt.integrator == Integrator::Implicitfast as i32 && !model.enabled(EnableBit::Invdiscrete);
        let alone = |&joint: &usize| {
            let body = model.jnt_bodyid[joint] as usize;
            let tree = model.dof_treeid[model.jnt_dofadr[joint] as usize] as usize;
            model.jnt_type[joint] == JointType::Free as i32
                && model.tree_dofnum[tree] == 6
                && model.body_subtreemass[body] == model.body_mass[body]
        };
        Self((0..model.njnt).filter(|joint| on && alone(joint)).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes joints and bodies; nothing where there are none.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        if self.is_empty() {
            return;
        }
        table.size("NSINGLE_FREE", self.0.len());
        table.ints("SINGLE_FREE_JNT", self.0.iter().map(|&joint| joint as i32));
        table.ints("SINGLE_FREE_BODY", self.0.iter().map(|&joint| model.jnt_bodyid[joint]));
    }
}
