//! Constraint rows other than connects, welds and contacts, linearized.
//!
//! A row has residual `r = J a + B J v + K d(x) x` with violation `x`, impedance `d` and force `f = −s'(r)`,
//! where the cost `s` is scaled by `D(x)`. Where the row is on its quadratic part, `∂f/∂r = −D`; elsewhere
//! its force does not follow, which at a kink is the one-sided derivative of the active set.

use super::gradient::Gradient;
use super::point_motion::Fields;
use super::tendon::force::{TendonForce, add_rate_derivative, is_fixed, tendon_row};
use crate::constraint::coupling_polynomial;
use crate::kinematics::poses::unit_quat;
use kinetree_math::rot::{QUAT_IDENTITY, normalize3, quat_sub_deriv, quat_to_vel};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::{ConstraintState, ConstraintType, EqType, JointType};
use kinetree_model::{Data, Model};

/// Working memory: the row of a coupling of two tendons, and the change of its residual with positions.
#[derive(Default)]
pub(super) struct CouplingScratch {
    jacobian: Vec<f64>,
    change: Vec<f64>,
}

/// Derivatives of a row's force.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowDerivatives {
    pub(super) force: f64,
    /// With the residual, without its sign: the curvature of the cost.
    pub(super) curvature: f64,
    /// `B`.
    pub(super) damping: f64,
    /// Derivative of the residual with the violation.
    pub(super) stiffness: f64,
    /// `D'/D`, the relative derivative of the regularizer with the violation.
    pub(super) scaling: f64,
}

impl RowDerivatives {
    /// Derivatives of row `i`.
    pub(super) fn new(data: &Data, i: usize) -> Self {
        let [k, b, imp, derivative] = data.efc_KBIP[i];
        let x = data.efc_pos[i] - data.efc_margin[i];
        let active = data.efc_state[i] == ConstraintState::Quadratic;
        Self {
            force: data.efc_force[i],
            curvature: if active { data.efc_D[i] } else { 0.0 },
            damping: b,
            stiffness: k * (imp + derivative * x),
            scaling: derivative / (imp * (1.0 - imp)),
        }
    }

    /// Derivative of the force with the violation.
    pub(super) fn by_violation(&self) -> f64 {
        self.scaling * self.force - self.curvature * self.stiffness
    }

    /// The row as a force along a length whose Jacobian is `sign` times that of the row.
    fn along(&self, sign: f64) -> TendonForce {
        TendonForce {
            force: sign * self.force,
            by_length: self.by_violation(),
            by_rate: -self.curvature * self.damping,
            by_acceleration: -self.curvature,
        }
    }

    /// Adds a constant Jacobian of one entry, whose violation has the same derivative.
    fn add_single(&self, dof: usize, jacobian: f64, gradient: &mut Gradient) {
        let square = jacobian * jacobian;
        gradient.add_position(dof, dof, -square * self.by_violation());
        gradient.add_velocity(dof, dof, square * self.curvature * self.damping);
        gradient.add_hessian(dof, dof, square * self.curvature);
    }
}

/// Adds row `i`; returns `false` when its kind is not one of this file. Tendons gather theirs in `tendons`.
pub(super) fn add_row(
    model: &Model,
    data: &Data,
    i: usize,
    fields: &Fields<'_>,
    tendons: &mut [TendonForce],
    coupling: &mut CouplingScratch,
    gradient: &mut Gradient,
) -> bool {
    let (id, derivatives) = (data.efc_id[i] as usize, RowDerivatives::new(data, i));
    match ConstraintType::try_from(data.efc_type[i]) {
        Ok(ConstraintType::FrictionDof) => derivatives.add_single(id, 1.0, gradient),
        Ok(ConstraintType::LimitJoint) if model.jnt_type[id] == JointType::Ball => {
            ball_limit(model, data, id, &derivatives, gradient);
        }
        Ok(ConstraintType::LimitJoint) => {
            derivatives.add_single(model.jnt_dofadr[id] as usize, 1.0, gradient);
        }
        Ok(ConstraintType::FrictionTendon) => tendons[id].add(&derivatives.along(1.0)),
        Ok(ConstraintType::LimitTendon) => {
            // which side of the range: the sign of the row's Jacobian
            let [low, high] = model.tendon_range[id];
            let length = data.ten_length[id];
            let lower = (length - low - data.efc_pos[i]).abs() <= (high - length - data.efc_pos[i]).abs();
            tendons[id].add(&derivatives.along(if lower { 1.0 } else { -1.0 }));
        }
        Ok(ConstraintType::Equality) if model.eq_type[id] == EqType::Joint => {
            joint_coupling(model, data, id, &derivatives, gradient);
        }
        Ok(ConstraintType::Equality) if model.eq_type[id] == EqType::Tendon => {
            tendon_coupling(model, data, id, &derivatives, fields, tendons, coupling, gradient);
        }
        _ => return false,
    }
    true
}

impl TendonForce {
    /// Adds another force along the same tendon.
    pub(super) fn add(&mut self, other: &Self) {
        self.force += other.force;
        self.by_length += other.by_length;
        self.by_rate += other.by_rate;
        self.by_acceleration += other.by_acceleration;
    }
}

/// The rotation angle of a ball joint: `J = −axisᵀ`, and the axis rotates.
fn ball_limit(
    model: &Model,
    data: &Data,
    joint: usize,
    derivatives: &RowDerivatives,
    gradient: &mut Gradient,
) {
    let quat = unit_quat(&data.qpos, model.jnt_qposadr[joint] as usize);
    let dof = model.jnt_dofadr[joint] as usize;
    let mut axis: Vec3 = quat_to_vel(&quat, 1.0);
    let angle = normalize3(&mut axis);
    let log_derivative = quat_sub_deriv(&quat, &QUAT_IDENTITY).0;
    let across = Mat3::identity() - axis * axis.transpose();
    let rotation = if angle > 0.0 { across * log_derivative / angle } else { Mat3::zeros() };
    let at = |x: &[f64]| Vec3::new(x[dof], x[dof + 1], x[dof + 2]);
    let motion = at(&data.qacc) + at(&data.qvel) * derivatives.damping;
    let change = rotation.tr_mul(&motion) * derivatives.curvature - axis * derivatives.by_violation();
    for k in 0..3 {
        for j in 0..3 {
            let product = axis[k] * axis[j] * derivatives.curvature;
            gradient.add_position(
                dof + k,
                dof + j,
                axis[k] * change[j] + derivatives.force * rotation[(k, j)],
            );
            gradient.add_velocity(dof + k, dof + j, product * derivatives.damping);
            gradient.add_hessian(dof + k, dof + j, product);
        }
    }
}

/// `y = polynomial(x)` between two joints, or `y` constant.
fn joint_coupling(
    model: &Model,
    data: &Data,
    eq: usize,
    derivatives: &RowDerivatives,
    gradient: &mut Gradient,
) {
    let dof = |joint: i32| model.jnt_dofadr[joint as usize] as usize;
    let first = dof(model.eq_obj1id[eq]);
    if model.eq_obj2id[eq] < 0 {
        return derivatives.add_single(first, 1.0, gradient);
    }
    let address = model.jnt_qposadr[model.eq_obj2id[eq] as usize] as usize;
    let second = dof(model.eq_obj2id[eq]);
    let x = data.qpos[address] - model.qpos0[address];
    let (_, derivative, curvature) = coupling_polynomial(&model.eq_data[eq], x);
    let entries = [(first, 1.0), (second, -derivative)];
    let bend = -curvature * (data.qacc[second] + derivatives.damping * data.qvel[second]);
    for (k, jk) in entries {
        for (j, jj) in entries {
            gradient.add_position(k, j, -jk * jj * derivatives.by_violation());
            gradient.add_velocity(k, j, jk * jj * derivatives.curvature * derivatives.damping);
            gradient.add_hessian(k, j, jk * jj * derivatives.curvature);
        }
        gradient.add_position(k, second, jk * derivatives.curvature * bend);
    }
    gradient.add_position(second, second, derivatives.force * curvature);
}

/// `y = polynomial(x)` between the lengths of two tendons, or `y` constant.
fn tendon_coupling(
    model: &Model,
    data: &Data,
    eq: usize,
    derivatives: &RowDerivatives,
    fields: &Fields<'_>,
    tendons: &mut [TendonForce],
    scratch: &mut CouplingScratch,
    gradient: &mut Gradient,
) {
    let first = model.eq_obj1id[eq] as usize;
    let Ok(second) = usize::try_from(model.eq_obj2id[eq]) else {
        return tendons[first].add(&derivatives.along(1.0));
    };
    let x = data.ten_length[second] - model.tendon_length0[second];
    let (_, derivative, bend) = coupling_polynomial(&model.eq_data[eq], x);
    // the pull of the row on both tendons, whose directions change
    tendons[first].force += derivatives.force;
    tendons[second].force -= derivative * derivatives.force;

    let nv = model.nv;
    let CouplingScratch { jacobian, change } = scratch;
    for row in [&mut *jacobian, &mut *change] {
        row.clear();
        row.resize(nv, 0.0);
    }
    let mut along = 0.0;
    for (tendon, weight) in [(first, 1.0), (second, -derivative)] {
        let (columns, values) = tendon_row(model, data, tendon);
        for (&j, value) in columns.iter().zip(values) {
            jacobian[j as usize] += weight * value;
            if tendon == second {
                let j = j as usize;
                along += value * (data.qacc[j] + derivatives.damping * data.qvel[j]);
            }
        }
        if !is_fixed(model, tendon) {
            add_rate_derivative(model, data, tendon, fields.qacc, weight, change);
            add_rate_derivative(model, data, tendon, fields.velocity, weight * derivatives.damping, change);
        }
    }
    let (columns, values) = tendon_row(model, data, second);
    for (&j, value) in columns.iter().zip(values) {
        change[j as usize] -= bend * along * value;
        for (&k, other) in columns.iter().zip(values) {
            gradient.add_position(k as usize, j as usize, derivatives.force * bend * value * other);
        }
    }
    for k in (0..nv).filter(|&k| jacobian[k] != 0.0) {
        for j in 0..nv {
            let force = derivatives.by_violation() * jacobian[j] - derivatives.curvature * change[j];
            gradient.add_position(k, j, -jacobian[k] * force);
            let product = jacobian[k] * jacobian[j] * derivatives.curvature;
            gradient.add_velocity(k, j, product * derivatives.damping);
            gradient.add_hessian(k, j, product);
        }
    }
}
