//! Actuator forces and activations, linearized.
//!
//! `f = gain(l, v) u + bias(l, v)` with input `u`, the control or the activation. The slopes of `f` go to the
//! joints along the moment arms; where these change with positions, so does the force on bodies.

use super::Point;
use super::body_forces::{BodyForces, wrench};
use super::gradient::Gradient;
use super::motion::MotionField;
use super::tendon::TendonForce;
use crate::actuation::{mj_actuator_disabled, muscle_prm};
use crate::derivative::DerivativeError;
use crate::kinematics::chain::chain_dofs;
use crate::kinematics::poses::{unit_quat, vec3_at};
use kinetree_math::misc::{muscle_bias_length_slope, muscle_dynamics_slopes, muscle_gain};
use kinetree_math::misc::{muscle_gain_length_slope, muscle_gain_slope};
use kinetree_math::rot::{QUAT_IDENTITY, mat3, quat_rotate_inv, quat_sub_deriv};
use kinetree_math::spatial::{cross_force, cross_motion, dot6};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{BiasType, DisableBit, DynType, GainType, JointType, TrnType};
use kinetree_model::{Data, Model};

/// Slopes of one actuator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ActuatorSlopes {
    /// Of the force with length.
    pub(super) length: f64,
    /// Of the force with velocity.
    pub(super) velocity: f64,
    /// Of the force with the activation.
    pub(super) activation: f64,
    /// Of the force with the control.
    pub(super) control: f64,
    /// Of the next activation with the activation.
    pub(super) next_activation: f64,
    /// Of the next activation with the control.
    pub(super) next_control: f64,
    /// Of the clamped control with the control: one inside its range, zero outside.
    pub(super) clamped_control: f64,
}

/// Slopes of all actuators.
pub(super) fn set_slopes(model: &Model, data: &Data, slopes: &mut Vec<ActuatorSlopes>) {
    slopes.clear();
    slopes.resize(model.nu, ActuatorSlopes::default());
    let idle = model.disabled(DisableBit::Actuation);
    for (i, slopes) in slopes.iter_mut().enumerate() {
        // an activation that nothing drives stays
        slopes.next_activation = 1.0;
        if idle {
            continue;
        }
        let [low, high] = model.actuator_ctrlrange[i];
        let limited = model.actuator_ctrllimited[i] != 0 && !model.disabled(DisableBit::Clampctrl);
        let followed = !limited || (low <= data.ctrl[i] && data.ctrl[i] <= high);
        let ctrl = if limited { data.ctrl[i].clamp(low.min(high), high.max(low)) } else { data.ctrl[i] };
        set_activation(model, data, i, ctrl, slopes);
        if !mj_actuator_disabled(model, i) {
            set_force(model, data, i, ctrl, slopes);
        }
        if followed {
            slopes.clamped_control = 1.0;
        } else {
            (slopes.control, slopes.next_control) = (0.0, 0.0);
        }
    }
}

/// Slopes of the next activation.
fn set_activation(model: &Model, data: &Data, i: usize, ctrl: f64, slopes: &mut ActuatorSlopes) {
    let Some(at) = activation(model, i) else { return };
    let (prm, act) = (&model.actuator_dynprm[i], data.act[at]);
    let kind = DynType::try_from(model.actuator_dyntype[i]);
    // slopes of act_dot with control and activation
    let (by_ctrl, by_act) = match kind {
        Ok(DynType::Integrator) => (1.0, 0.0),
        Ok(DynType::Filter | DynType::Filterexact) => {
            let tau = prm[0].max(MINVAL);
            (1.0 / tau, -1.0 / tau)
        }
        Ok(DynType::Muscle) => muscle_dynamics_slopes(ctrl, act, &[prm[0], prm[1], prm[2]]),
        _ => (0.0, 0.0),
    };
    let dt = model.opt.timestep;
    let time = if kind == Ok(DynType::Filterexact) {
        let tau = prm[0].max(MINVAL);
        tau * (1.0 - libm::exp(-dt / tau))
    } else {
        dt
    };
    let driven = if mj_actuator_disabled(model, i) { 0.0 } else { 1.0 };
    let next = act + driven * data.act_dot[at] * time;
    let [low, high] = model.actuator_actrange[i];
    let clamped = model.actuator_actlimited[i] != 0 && (next < low || next > high);
    let free = if clamped { 0.0 } else { 1.0 };
    slopes.next_activation = free * (1.0 + driven * by_act * time);
    slopes.next_control = free * driven * by_ctrl * time;
}

/// Address of the activation that drives an actuator.
pub(super) fn activation(model: &Model, i: usize) -> Option<usize> {
    let first = usize::try_from(model.actuator_actadr[i]).ok()?;
    (first + model.actuator_actnum[i] as usize).checked_sub(1)
}

/// Slopes of the force; needs those of the activation.
fn set_force(model: &Model, data: &Data, i: usize, ctrl: f64, slopes: &mut ActuatorSlopes) {
    let [low, high] = model.actuator_forcerange[i];
    let force = data.actuator_force[i];
    if model.actuator_forcelimited[i] != 0 && (force <= low || force >= high) {
        return;
    }
    let (length, velocity) = (data.actuator_length[i], data.actuator_velocity[i]);
    let (range, acc0) = (&model.actuator_lengthrange[i], model.actuator_acc0[i]);
    let (prm, bias) = (&model.actuator_gainprm[i], &model.actuator_biasprm[i]);
    let (gain, by_length, by_velocity) = match GainType::try_from(model.actuator_gaintype[i]) {
        Ok(GainType::Affine) => (prm[0] + prm[1] * length + prm[2] * velocity, prm[1], prm[2]),
        Ok(GainType::Muscle) => {
            let prm = muscle_prm(prm);
            (
                muscle_gain(length, velocity, range, acc0, &prm),
                muscle_gain_length_slope(length, velocity, range, acc0, &prm),
                muscle_gain_slope(length, velocity, range, acc0, &prm),
            )
        }
        _ => (prm[0], 0.0, 0.0),
    };
    let input = match activation(model, i) {
        None => {
            slopes.control = gain;
            ctrl
        }
        Some(at) if model.actuator_actearly[i] != 0 => {
            slopes.control = gain * slopes.next_control;
            slopes.activation = gain * slopes.next_activation;
            crate::actuation::mj_next_activation(model, data, i, at, data.act_dot[at])
        }
        Some(at) => {
            slopes.activation = gain;
            data.act[at]
        }
    };
    (slopes.length, slopes.velocity) = (by_length * input, by_velocity * input);
    match BiasType::try_from(model.actuator_biastype[i]) {
        Ok(BiasType::Affine) => {
            slopes.length += bias[1];
            slopes.velocity += bias[2];
        }
        Ok(BiasType::Muscle) => {
            slopes.length += muscle_bias_length_slope(length, range, acc0, &muscle_prm(bias));
        }
        _ => {}
    }
}

/// Says what of an actuator has no derivatives.
pub(super) fn check(model: &Model, i: usize) -> Result<(), DerivativeError> {
    let refuse = |what| Err(DerivativeError::Unsupported(what));
    if model.actuator_biastype[i] == BiasType::Dcmotor
        || model.actuator_gaintype[i] == GainType::Dcmotor
        || model.actuator_dyntype[i] == DynType::Dcmotor
    {
        return refuse("a DC motor");
    }
    if model.actuator_biastype[i] == BiasType::User
        || model.actuator_gaintype[i] == GainType::User
        || model.actuator_dyntype[i] == DynType::User
    {
        return refuse("an actuator of type user");
    }
    match TrnType::try_from(model.actuator_trntype[i]) {
        Ok(TrnType::Slidercrank) => refuse("a slider-crank transmission"),
        Ok(TrnType::Body) => refuse("adhesion"),
        Ok(TrnType::Site) if model.actuator_trnid[i][1] >= 0 => {
            refuse("a site transmission with a reference site")
        }
        _ => Ok(()),
    }
}

/// Slopes of the input of a gain with activation and control, in these fields.
pub(super) fn input_slopes(model: &Model, i: usize, slopes: &ActuatorSlopes) -> ActuatorSlopes {
    let (activation, control) = match activation(model, i) {
        None => (0.0, slopes.clamped_control),
        Some(_) if model.actuator_actearly[i] != 0 => (slopes.next_activation, slopes.next_control),
        Some(_) => (1.0, 0.0),
    };
    ActuatorSlopes { activation, control, ..ActuatorSlopes::default() }
}

/// What a force along an actuator adds to the residual: the actuator's own, or a virtual one.
pub(super) struct Push<'a> {
    pub(super) actuator: usize,
    /// The force.
    pub(super) force: f64,
    /// Its slope with the actuator's length.
    pub(super) by_length: f64,
    /// Its slope with the rate of `field` along the actuator.
    pub(super) by_rate: f64,
    /// Motion field of the rate: of velocities, or of what else is multiplied with the moment arms.
    pub(super) field: &'a MotionField,
    /// The joint-space values of the field.
    pub(super) values: &'a [f64],
}

/// Moment arms of an actuator.
pub(super) fn moment(data: &Data, i: usize) -> (&[i32], &[f64]) {
    let start = data.moment_rowadr[i] as usize;
    let range = start..start + data.moment_rownnz[i] as usize;
    (&data.moment_colind[range.clone()], &data.actuator_moment[range])
}

/// Subtracts the position derivative of a push from `∂g`. Tendons gather theirs in `tendons`.
pub(super) fn subtract_push(
    model: &Model,
    data: &Data,
    push: &Push<'_>,
    tendons: &mut [TendonForce],
    forces: &mut BodyForces,
    gradient: &mut Gradient,
) {
    let i = push.actuator;
    let id = model.actuator_trnid[i][0] as usize;
    match TrnType::try_from(model.actuator_trntype[i]) {
        Ok(TrnType::Joint) => joint_push(model, data, push, false, gradient),
        Ok(TrnType::Jointinparent) => joint_push(model, data, push, true, gradient),
        Ok(TrnType::Tendon) => {
            let gear = model.actuator_gear[i][0];
            let total = &mut tendons[id];
            total.force += gear * push.force;
            total.by_length += gear * gear * push.by_length;
            total.by_rate += gear * gear * push.by_rate;
        }
        Ok(TrnType::Site) => site_push(model, data, push, id, forces, gradient),
        _ => {}
    }
}

/// Joints: constant moment arms, except where a gear axis is fixed to the parent of a ball or free joint.
fn joint_push(model: &Model, data: &Data, push: &Push<'_>, in_parent: bool, gradient: &mut Gradient) {
    let i = push.actuator;
    let joint = model.actuator_trnid[i][0] as usize;
    let (address, dof) = (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
    let gear = &model.actuator_gear[i];
    let kind = model.jnt_type[joint];
    if kind == JointType::Hinge || kind == JointType::Slide {
        gradient.add_position(dof, dof, -gear[0] * gear[0] * push.by_length);
        return;
    }
    let ball = kind == JointType::Ball;
    let (quat, turn, first) = if ball {
        (unit_quat(&data.qpos, address), vec3_at(gear, 0), dof)
    } else {
        (unit_quat(&data.qpos, address + 3), vec3_at(gear, 3), dof + 3)
    };
    let axis = if in_parent { quat_rotate_inv(&quat, &turn) } else { turn };
    // the rotation vector along the axis; a free joint has no length
    let mut slope = Vec3::zeros();
    if ball {
        slope = quat_sub_deriv(&quat, &QUAT_IDENTITY).0.tr_mul(&turn) * push.by_length;
    }
    let rate = Vec3::new(push.values[first], push.values[first + 1], push.values[first + 2]);
    for j in 0..3 {
        let mut unit = Vec3::zeros();
        unit[j] = 1.0;
        // an axis fixed to the parent turns backwards in the joint's own frame
        let turned = if in_parent { axis.cross(&unit) } else { Vec3::zeros() };
        let change = slope[j] + push.by_rate * turned.dot(&rate);
        let (columns, arms) = moment(data, i);
        for (&k, arm) in columns.iter().zip(arms) {
            gradient.add_position(k as usize, first + j, -arm * change);
        }
        for k in 0..3 {
            gradient.add_position(first + k, first + j, -push.force * turned[k]);
        }
    }
}

/// A site carries a wrench along.
fn site_push(
    model: &Model,
    data: &Data,
    push: &Push<'_>,
    site: usize,
    forces: &mut BodyForces,
    gradient: &mut Gradient,
) {
    let gear = &model.actuator_gear[push.actuator];
    let mat = mat3(&data.site_xmat[site]);
    let body = model.site_bodyid[site] as usize;
    let at = Point::new(model, data, body, &Vec3::from(data.site_xpos[site]));
    let unit = wrench(&at.offset, &(mat * vec3_at(gear, 0)), &(mat * vec3_at(gear, 3)));
    let force = unit.map(|x| x * push.force);
    forces.add(body, &force);
    let (columns, arms) = moment(data, push.actuator);
    for j in chain_dofs(model, body) {
        let axis = &data.cdof[j];
        forces.add_slope(body, j, &cross_force(axis, &force));
        if push.by_rate != 0.0 {
            // the wrench turns along, the frame before the joint does not
            let rate = -dot6(&cross_motion(axis, &push.field.base[j]), &unit);
            for (&k, arm) in columns.iter().zip(arms) {
                gradient.add_position(k as usize, j, -arm * push.by_rate * rate);
            }
        }
    }
}

/// Subtracts the derivatives with respect to velocities, activations and controls from `∂g`; velocities of
/// tendons are gathered with their other forces.
pub(super) fn subtract_inputs(
    model: &Model,
    data: &Data,
    i: usize,
    slopes: &ActuatorSlopes,
    gradient: &mut Gradient,
) {
    let (columns, arms) = moment(data, i);
    let on_tendon = model.actuator_trntype[i] == TrnType::Tendon;
    for (&k, arm) in columns.iter().zip(arms) {
        let k = k as usize;
        gradient.add_control(k, i, -arm * slopes.control);
        if let Some(at) = activation(model, i) {
            gradient.add_activation(k, at, -arm * slopes.activation);
        }
        if slopes.velocity != 0.0 && !on_tendon {
            for (&j, other) in columns.iter().zip(arms) {
                gradient.add_velocity(k, j as usize, -arm * slopes.velocity * other);
            }
        }
    }
}
