//! Actuators: what a damping ratio stood for, ranges that follow from the target, setpoints on a circle.

use kinetree_model::enums::{BiasType, DynType, GainType, JointType, TrnType};
use kinetree_model::{Model, point};

use super::task::{Task, label, short};
use crate::spec::{Actuator, ActuatorId};

pub(super) fn migrate(task: &mut Task<'_>) {
    for class in &mut task.spec.defaults {
        class.actuator.inheritrange = 0.0;
    }
    for (number, id) in task.spec.actuators.ids().into_iter().enumerate().take(task.model.nu) {
        write_range(task, id, number);
        write_damping(task, id, number);
        keep_setpoint(task, id, number);
        let is_motor = task.model.actuator_gaintype[number] == GainType::Dcmotor as i32;
        if is_motor && task.model.actuator_gainprm[number][4..9].iter().any(|&gain| gain != 0.0) {
            let element = label(&task.spec.actuators[id], number);
            task.differs(element, format!("{}: {}", point::dcmotor_input.subject, point::dcmotor_input.what));
        }
    }
}

/// Force = kp (control − length) + …
fn is_servo(actuator: &Actuator) -> bool {
    actuator.gaintype == GainType::Fixed
        && actuator.biastype == BiasType::Affine
        && actuator.gainprm[0] == -actuator.biasprm[1]
}

/// A range that follows from the target is only known to shortcuts, which inherit other defaults.
fn write_range(task: &mut Task<'_>, id: ActuatorId, number: usize) {
    let actuator = &mut task.spec.actuators[id];
    let share = std::mem::take(&mut actuator.inheritrange);
    if share <= 0.0 || !is_servo(actuator) {
        return;
    }
    let (name, range) = if actuator.dyntype == DynType::Integrator {
        actuator.actrange = task.model.actuator_actrange[number];
        ("actrange", actuator.actrange)
    } else {
        actuator.ctrlrange = task.model.actuator_ctrlrange[number];
        ("ctrlrange", actuator.ctrlrange)
    };
    let element = label(actuator, number);
    let [low, high] = range.map(short);
    task.changed(element, format!("inheritrange {share} is written out as {name} {low} {high}"));
}

/// A damping ratio becomes the damping that it stood for.
fn write_damping(task: &mut Task<'_>, id: ActuatorId, number: usize) {
    let actuator = &mut task.spec.actuators[id];
    let ratio = actuator.biasprm[2];
    if actuator.gainprm[0] != -actuator.biasprm[1] || ratio <= 0.0 {
        return;
    }
    actuator.biasprm[2] = task.model.actuator_biasprm[number][2];
    let damping = short(-actuator.biasprm[2]);
    let element = label(actuator, number);
    task.changed(element, format!("dampratio {ratio} is written out as the damping kv {damping}"));
}

/// Setpoints of rotations in space are wrapped around the circle at level 4.0, when gain and bias belong
/// together to the last digit: the last digit of the bias is changed.
fn keep_setpoint(task: &mut Task<'_>, id: ActuatorId, number: usize) {
    let actuator = &mut task.spec.actuators[id];
    if !is_servo(actuator) || actuator.gainprm[0] == 0.0 || !is_circular(task.model, number) {
        return;
    }
    let element = label(actuator, number);
    if task.to.circular_setpoints() {
        let bias = &mut actuator.biasprm[1];
        *bias = f64::from_bits(bias.to_bits() ^ 1);
        let text = "the last digit of biasprm differs from gainprm, so that setpoints are not wrapped around the circle";
        task.changed(element, text);
    } else {
        task.differs(
            element,
            format!("{}: {}", point::circular_setpoints.subject, point::circular_setpoints.what),
        );
    }
}

/// Whether the length of a transmission is a rotation in space.
fn is_circular(model: &Model, actuator: usize) -> bool {
    let [target, second] = model.actuator_trnid[actuator];
    match TrnType::try_from(model.actuator_trntype[actuator]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) => {
            usize::try_from(target).is_ok_and(|joint| model.jnt_type[joint] == JointType::Ball as i32)
        }
        Ok(TrnType::Site) => second >= 0 && model.actuator_gear[actuator][3..] != [0.0; 3],
        _ => false,
    }
}
