//! Transmissions, linearized: how the length of an actuator, its velocity and the forces that it exerts
//! change with positions.
//!
//! A force `φ` along an actuator gives `τ = Jᵀ φ`, so that `∂τ/∂q = Jᵀ ∂φ/∂q + φ ∂Jᵀ/∂q`. The force changes
//! with the length and with the rate `J x` of velocities `x`; moment arms that are wrenches on bodies go with
//! the other forces on bodies.

use super::reference_site::SitePair;
use super::slider_crank::Crank;
use crate::actuation::transmission::moment_arms;
use crate::derivative::analytic::body_forces::{BodyForces, wrench};
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::analytic::motion::{MotionField, Point};
use crate::derivative::analytic::tendon::force::{
    TendonForce, add_rate_derivative as add_tendon_rate, is_fixed,
};
use crate::kinematics::chain::chain_dofs;
use crate::kinematics::poses::{unit_quat, vec3_at};
use kinetree_math::Vec3;
use kinetree_math::rot::{QUAT_IDENTITY, mat3, quat_rotate_inv, quat_sub_deriv};
use kinetree_math::spatial::{Vec6, cross_force, cross_motion, dot6};
use kinetree_model::enums::{JointType, TrnType};
use kinetree_model::{Data, Model};

/// What a force along an actuator adds to the residual: the actuator's own, or a virtual one.
pub(crate) struct Push<'a> {
    pub(crate) actuator: usize,
    /// The force.
    pub(crate) force: f64,
    /// Its derivative with the actuator's length.
    pub(crate) by_length: f64,
    /// Its derivative with the rate of `field` along the actuator.
    pub(crate) by_rate: f64,
    /// Motion field of the rate: of velocities, or of what else is multiplied with the moment arms.
    pub(crate) field: &'a MotionField,
    /// The joint-space values of the field.
    pub(crate) values: &'a [f64],
}

/// Subtracts the position derivative of a push from `∂g`. Tendons gather theirs in `tendons`.
pub(crate) fn subtract_push(
    model: &Model,
    data: &Data,
    push: &Push<'_>,
    tendons: &mut [TendonForce],
    forces: &mut BodyForces,
    gradient: &mut Gradient,
) {
    let i = push.actuator;
    if model.actuator_trntype[i] == TrnType::Tendon {
        let gear = model.actuator_gear[i][0];
        let total = &mut tendons[model.actuator_trnid[i][0] as usize];
        total.force += gear * push.force;
        total.by_length += gear * gear * push.by_length;
        total.by_rate += gear * gear * push.by_rate;
        return;
    }
    if let Some(dof) = straight_dof(model, i) {
        let gear = model.actuator_gear[i][0];
        gradient.add_position(dof, dof, -gear * gear * push.by_length);
        return;
    }
    let (columns, arms) = moment_arms(data, i);
    let mut follow = |j: usize, derivative: f64| {
        for (&k, arm) in columns.iter().zip(arms) {
            gradient.add_position(k as usize, j, -arm * derivative);
        }
    };
    if push.by_length != 0.0 {
        for_each_length_derivative(model, data, i, |j, derivative| follow(j, push.by_length * derivative));
    }
    if push.by_rate != 0.0 {
        for_each_rate_derivative(model, data, i, (push.field, push.values), |j, derivative| {
            follow(j, push.by_rate * derivative);
        });
    }
    subtract_rotated_force(model, data, i, push.force, forces, gradient);
}

/// The dof of an actuator whose moment arm is a constant.
pub(crate) fn straight_dof(model: &Model, i: usize) -> Option<usize> {
    let kind = model.actuator_trntype[i];
    if kind != TrnType::Joint && kind != TrnType::Jointinparent {
        return None;
    }
    let joint = model.actuator_trnid[i][0] as usize;
    let straight = model.jnt_type[joint] == JointType::Hinge || model.jnt_type[joint] == JointType::Slide;
    straight.then_some(model.jnt_dofadr[joint] as usize)
}

/// Adds `scale ∂L/∂q` of an actuator's length `L`.
pub(crate) fn add_length_derivative(model: &Model, data: &Data, i: usize, scale: f64, out: &mut [f64]) {
    for_each_length_derivative(model, data, i, |j, derivative| out[j] += scale * derivative);
}

/// Adds `scale ∂(J x)/∂q` of an actuator's moment arms `J` and joint-space values `x` with their field.
pub(crate) fn add_rate_derivative(
    model: &Model,
    data: &Data,
    i: usize,
    x: (&MotionField, &[f64]),
    scale: f64,
    out: &mut [f64],
) {
    if model.actuator_trntype[i] == TrnType::Tendon {
        let tendon = model.actuator_trnid[i][0] as usize;
        if !is_fixed(model, tendon) {
            add_tendon_rate(model, data, tendon, x.0, scale * model.actuator_gear[i][0], out);
        }
        return;
    }
    for_each_rate_derivative(model, data, i, x, |j, derivative| out[j] += scale * derivative);
}

/// Calls `visit` with the derivative of an actuator's length with each dof that changes it.
fn for_each_length_derivative(model: &Model, data: &Data, i: usize, mut visit: impl FnMut(usize, f64)) {
    let [id, reference] = model.actuator_trnid[i];
    match TrnType::try_from(model.actuator_trntype[i]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) if straight_dof(model, i).is_none() => {
            if model.jnt_type[id as usize] != JointType::Ball {
                // a free joint has no length
                return;
            }
            let (address, dof) = (model.jnt_qposadr[id as usize], model.jnt_dofadr[id as usize]);
            let quat = unit_quat(&data.qpos, address as usize);
            // rotation vector along the gear axis, which is the same in the parent
            let derivative =
                quat_sub_deriv(&quat, &QUAT_IDENTITY).0.tr_mul(&vec3_at(&model.actuator_gear[i], 0));
            (0..3).for_each(|k| visit(dof as usize + k, derivative[k]));
        }
        Ok(TrnType::Joint | TrnType::Jointinparent | TrnType::Tendon | TrnType::Slidercrank) => {
            let (columns, arms) = moment_arms(data, i);
            columns.iter().zip(arms).for_each(|(&j, arm)| visit(j as usize, *arm));
        }
        Ok(TrnType::Site) if reference >= 0 => {
            SitePair::new(model, data, i).for_each_length_derivative(visit);
        }
        _ => {}
    }
}

/// Calls `visit` with the derivative of the rate `J x` of an actuator with each dof that changes its moment
/// arms. Tendons are not among them.
fn for_each_rate_derivative(
    model: &Model,
    data: &Data,
    i: usize,
    (field, values): (&MotionField, &[f64]),
    mut visit: impl FnMut(usize, f64),
) {
    match TrnType::try_from(model.actuator_trntype[i]) {
        Ok(TrnType::Jointinparent) => {
            if let Some(rotating) = RotatingAxis::new(model, data, i) {
                let rate = vec3_at(values, rotating.dof);
                (0..3).for_each(|j| visit(rotating.dof + j, rotating.derivative(j).dot(&rate)));
            }
        }
        Ok(TrnType::Site) if model.actuator_trnid[i][1] >= 0 => {
            SitePair::new(model, data, i)
                .for_each_arm_derivative(|k, j, derivative| visit(j, derivative * values[k]));
        }
        Ok(TrnType::Site) => {
            let (body, unit) = site_wrench(model, data, i);
            for j in chain_dofs(model, body) {
                // the wrench rotates along, the frame before the joint does not
                visit(j, -dot6(&cross_motion(&data.cdof[j], &field.base[j]), &unit));
            }
        }
        Ok(TrnType::Slidercrank) => {
            Crank::new(model, data, i).for_each_rate_derivative(model, data, field, visit);
        }
        _ => {}
    }
}

/// Subtracts `φ ∂Jᵀ/∂q` from `∂g`, or gathers it with the forces on bodies.
fn subtract_rotated_force(
    model: &Model,
    data: &Data,
    i: usize,
    force: f64,
    forces: &mut BodyForces,
    gradient: &mut Gradient,
) {
    match TrnType::try_from(model.actuator_trntype[i]) {
        Ok(TrnType::Jointinparent) => {
            if let Some(rotating) = RotatingAxis::new(model, data, i) {
                for j in 0..3 {
                    let derivative = rotating.derivative(j);
                    for k in 0..3 {
                        gradient.add_position(rotating.dof + k, rotating.dof + j, -force * derivative[k]);
                    }
                }
            }
        }
        Ok(TrnType::Site) if model.actuator_trnid[i][1] >= 0 => {
            SitePair::new(model, data, i)
                .for_each_arm_derivative(|k, j, derivative| gradient.add_position(k, j, -force * derivative));
        }
        Ok(TrnType::Site) => {
            let (body, unit) = site_wrench(model, data, i);
            let force = unit.map(|x| x * force);
            forces.add(body, &force);
            for j in chain_dofs(model, body) {
                forces.add_derivative(body, j, &cross_force(&data.cdof[j], &force));
            }
        }
        Ok(TrnType::Slidercrank) => Crank::new(model, data, i).add_force(model, data, force, forces),
        _ => {}
    }
}

/// The wrench of a unit force of a site without reference, and the body that it acts on.
fn site_wrench(model: &Model, data: &Data, i: usize) -> (usize, Vec6) {
    let site = model.actuator_trnid[i][0] as usize;
    let gear = &model.actuator_gear[i];
    let mat = mat3(&data.site_xmat[site]);
    let body = model.site_bodyid[site] as usize;
    let at = Point::new(model, data, body, &Vec3::from(data.site_xpos[site]));
    (body, wrench(&at.offset, &(mat * vec3_at(gear, 0)), &(mat * vec3_at(gear, 3))))
}

/// A gear axis that is fixed to the parent of a ball or free joint: it rotates backwards in the joint's own
/// frame.
struct RotatingAxis {
    /// First rotation of the joint.
    dof: usize,
    axis: Vec3,
}

impl RotatingAxis {
    fn new(model: &Model, data: &Data, i: usize) -> Option<Self> {
        let joint = model.actuator_trnid[i][0] as usize;
        let (address, dof) = (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
        let skipped = match model.jnt_type[joint] {
            kind if kind == JointType::Ball => 0,
            kind if kind == JointType::Free => 3,
            _ => return None,
        };
        let gear = vec3_at(&model.actuator_gear[i], skipped);
        let axis = quat_rotate_inv(&unit_quat(&data.qpos, address + skipped), &gear);
        Some(Self { dof: dof + skipped, axis })
    }

    /// Change with rotation `j`.
    fn derivative(&self, j: usize) -> Vec3 {
        let mut unit = Vec3::zeros();
        unit[j] = 1.0;
        self.axis.cross(&unit)
    }
}
