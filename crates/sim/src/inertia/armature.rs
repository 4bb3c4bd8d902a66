//! What actuators lend to the joints and tendons that they drive: armature and damping.

use kinetree_model::Model;
use kinetree_model::enums::TrnType;

/// Which kind of object an actuator may lend its armature and damping to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Driven {
    /// A joint, by its id.
    Joint(usize),
    /// A tendon, by its id.
    Tendon(usize),
}

/// Calls `visit` with each actuator that lends armature and damping to `driven`, in order, and its squared
/// gear ratio.
#[inline]
pub(crate) fn for_each_driver(model: &Model, driven: Driven, mut visit: impl FnMut(usize, f64)) {
    let (source, id) = match driven {
        Driven::Joint(id) => (model.jnt_actuatorid[id], id),
        Driven::Tendon(id) => (model.tendon_actuatorid[id], id),
    };
    if source == -1 {
        return;
    }
    let mut call = |actuator: usize| {
        let gear = model.actuator_gear[actuator][0];
        visit(actuator, gear * gear);
    };
    if source >= 0 {
        call(source as usize);
        return;
    }
    // several actuators drive the same object
    for actuator in 0..model.nu {
        let kind = model.actuator_trntype[actuator];
        let matches = match driven {
            Driven::Joint(_) => kind == TrnType::Joint || kind == TrnType::Jointinparent,
            Driven::Tendon(_) => kind == TrnType::Tendon,
        };
        if matches && model.actuator_trnid[actuator][0] == id as i32 {
            call(actuator);
        }
    }
}

/// Armature that actuators lend to a joint.
#[inline(always)]
pub(crate) fn joint_armature(model: &Model, joint: usize) -> f64 {
    match model.jnt_actuatorid[joint] {
        -1 => 0.0,
        actuator @ 0.. => {
            let actuator = actuator as usize;
            let gear = model.actuator_gear[actuator][0];
            model.actuator_armature[actuator] * (gear * gear)
        }
        _ => actuator_armature(model, Driven::Joint(joint)),
    }
}

/// Armature that actuators lend to a joint or tendon.
#[inline(never)]
pub(crate) fn actuator_armature(model: &Model, driven: Driven) -> f64 {
    let mut armature = 0.0;
    for_each_driver(model, driven, |actuator, gear2| {
        armature += model.actuator_armature[actuator] * gear2;
    });
    armature
}
