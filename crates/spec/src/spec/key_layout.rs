//! Which elements the numbers of keyframes belong to.

use kinetree_model::enums::{DynType, JointType};

use super::*;

/// Number of positions and velocities of a joint.
fn joint_widths(kind: JointType) -> (usize, usize) {
    match kind {
        JointType::Free => (7, 6),
        JointType::Ball => (4, 3),
        JointType::Slide | JointType::Hinge => (1, 1),
    }
}

/// The elements that keyframes speak about, in the order of their numbers.
pub(crate) struct Layout {
    /// With numbers of positions and velocities.
    pub(super) joints: Vec<(JointId, (usize, usize))>,
    pub(super) mocap: Vec<BodyId>,
    /// With the number of activations.
    pub(super) actuators: Vec<(ActuatorId, usize)>,
}

impl Layout {
    pub(crate) fn of(spec: &Spec) -> Self {
        let bodies = spec.subtree(spec.world());
        let joints = bodies.iter().flat_map(|&b| &spec.bodies[b].joints);
        let width = |a: &Actuator| {
            if a.actdim > 0 { a.actdim as usize } else { usize::from(a.dyntype != DynType::None) }
        };
        Layout {
            joints: joints.map(|&j| (j, joint_widths(spec.joints[j].r#type))).collect(),
            mocap: bodies.iter().copied().filter(|&b| spec.bodies[b].mocap).collect(),
            actuators: spec.actuators.iter().map(|(id, a)| (id, width(a))).collect(),
        }
    }
}

impl Layout {
    /// Takes what belongs to elements that are gone out of the keyframes of a description that had this
    /// layout. Lists that did not fit are left as they are, for the compiler to refuse.
    pub(crate) fn prune_keys(&self, spec: &mut Spec) {
        let Spec { joints, bodies, actuators, keys, .. } = spec;
        let position = || self.joints.iter().map(|(id, (nq, _))| (joints.get(*id).is_some(), *nq));
        let velocity = || self.joints.iter().map(|(id, (_, nv))| (joints.get(*id).is_some(), *nv));
        let activation = || self.actuators.iter().map(|(id, na)| (actuators.get(*id).is_some(), *na));
        let control = || self.actuators.iter().map(|(id, _)| (actuators.get(*id).is_some(), 1));
        let mocap = |width| self.mocap.iter().map(move |id| (*id, width));
        for key in keys.values_mut() {
            retain(&mut key.qpos, position());
            retain(&mut key.qvel, velocity());
            retain(&mut key.act, activation());
            retain(&mut key.ctrl, control());
            retain(&mut key.mpos, mocap(3).map(|(id, width)| (bodies.get(id).is_some(), width)));
            retain(&mut key.mquat, mocap(4).map(|(id, width)| (bodies.get(id).is_some(), width)));
        }
    }
}

/// Retains the numbers of some elements, each with the number of its values.
fn retain(values: &mut Vec<f64>, elements: impl Iterator<Item = (bool, usize)> + Clone) {
    let total: usize = elements.clone().map(|(_, width)| width).sum();
    if values.len() == total {
        let mut stays = elements.flat_map(|(stays, width)| std::iter::repeat_n(stays, width));
        values.retain(|_| stays.next().unwrap_or(true));
    }
}
