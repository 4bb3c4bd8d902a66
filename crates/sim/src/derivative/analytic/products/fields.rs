//! Gradients of a step with respect to fields of the model, in reverse mode.
//!
//! With `μ` and `ν` of the adjoint of a step (`adjoint.rs`), a loss changes with a parameter `θ` by
//! `−μᵀ ∂g/∂θ + νᵀ (∂M/∂θ (a − ã) + h ∂D/∂θ ã)`, whatever the number of parameters. Derivatives are partial:
//! fields that a compiler would derive from the parameter (inverse weights, subtree masses) stay as they are.

use super::adjoint::{AdjointScratch, PulledStep};
use crate::actuation::dcmotor::has_motor_part;
use crate::actuation::mj_next_activation;
use crate::actuation::transmission::moment_arms;
use crate::derivative::analytic::actuation::actuator::{activation, effective_control};
use crate::derivative::analytic::contact::friction;
use crate::derivative::analytic::integrator::damping::related_rate;
use crate::derivative::analytic::motion::{MotionField, Point};
use crate::derivative::analytic::transition::{TransitionScratch, has_full_damping};
use crate::derivative::error::{DerivativeError, expect};
use crate::derivative::velocity::actuator::input as damping_input;
use crate::integrate::spring_derivative;
use crate::kinematics::chain::last_dof;
use crate::kinematics::poses::{unit_quat, vec3_at};
use kinetree_math::rot::{mat3, quat_sub};
use kinetree_math::spatial::{Inertia, add6, cross_force, dot6, mul_inert_vec, sub6};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::{
    BiasType, ConstraintState, ConstraintType, DisableBit, GainType, Integrator, JointType,
};
use kinetree_model::{Data, Model};

/// Fields that have gradients.
const FIELDS: &str = "body_mass, body_inertia, body_inertial (mass, first moments and inertia about the body's frame, in its axes), dof_armature, dof_M0, dof_damping, dof_frictionloss, geom_friction, jnt_stiffness, actuator_gainprm, actuator_biasprm";

/// Working memory: motion fields of `μ`, `ν` and `a − ã`.
#[derive(Default)]
pub(crate) struct FieldScratch {
    mu_field: MotionField,
    nu_field: MotionField,
    difference_field: MotionField,
}

/// The gradient of a loss with respect to a field of the model.
#[derive(Debug)]
pub struct FieldGradient<'a> {
    /// Name of the field.
    pub field: &'a str,
    /// As many values as the field has.
    pub values: &'a mut [f64],
}

/// Checks a field and its gradient, and begins with zeros.
///
/// # Errors
/// When the field has no gradients, or the gradient another number of values.
pub(crate) fn begin_field(model: &Model, gradient: &mut FieldGradient<'_>) -> Result<(), DerivativeError> {
    expect("gradient of the field", Some(gradient.values), field_gradient_size(model, gradient.field)?)?;
    check_field(model, gradient.field)?;
    gradient.values.fill(0.0);
    Ok(())
}

/// Adds what a field does to a loss in a step that has been pulled back.
///
/// # Errors
/// When the step has a part that has no gradient with respect to the field.
pub(crate) fn add_field_gradient(
    model: &Model,
    data: &Data,
    pulled: &PulledStep<'_>,
    scratch: &mut FieldScratch,
    gradient: &mut FieldGradient<'_>,
) -> Result<(), DerivativeError> {
    let (field, out) = (gradient.field, &mut *gradient.values);
    let weighs = WEIGHING.contains(&field) || field == "dof_armature" || field == "dof_M0";
    let PulledStep { step: TransitionScratch { linear, step, implicit, .. }, adjoint } = pulled;
    if weighs && !implicit.free_bodies().is_empty() {
        return Err(DerivativeError::Unsupported("a gradient of masses of free bodies with this integrator"));
    }
    scratch.set(model, data, adjoint, &step.difference);
    let parts = FieldGradients {
        model,
        data,
        fields: scratch,
        mu: &adjoint.mu,
        nu: &adjoint.nu,
        qacc: &step.qacc,
        velocity: &linear.velocity,
        motion: linear.fields().qacc,
        acceleration: linear.accelerations(),
    };
    match field {
        "body_mass" => parts.masses(out),
        "body_inertia" => parts.inertias(out),
        "body_inertial" => parts.inertials(out),
        "dof_armature" => parts.diagonal(&step.difference, false, out),
        "dof_M0" => parts.diagonal(&step.difference, true, out),
        "dof_damping" => parts.damping(out),
        "dof_frictionloss" => parts.friction_loss(out),
        "geom_friction" => {
            friction::add_gradient(model, data, &linear.residual, &scratch.mu_field, out);
        }
        "jnt_stiffness" => parts.stiffness(out),
        _ => parts.actuators(field == "actuator_gainprm", out),
    }
    Ok(())
}

/// Fields that say what bodies weigh.
const WEIGHING: [&str; 3] = ["body_mass", "body_inertia", "body_inertial"];

/// Number of values of the gradient with respect to a field of the model.
///
/// # Errors
/// When the field has no gradients; the error lists those that have.
pub fn field_gradient_size(model: &Model, field: &str) -> Result<usize, DerivativeError> {
    Ok(match field {
        "body_mass" => model.nbody,
        "body_inertia" => 3 * model.nbody,
        "body_inertial" => 10 * model.nbody,
        "dof_armature" | "dof_M0" | "dof_damping" | "dof_frictionloss" => model.nv,
        "geom_friction" => 3 * model.ngeom,
        "jnt_stiffness" => model.njnt,
        "actuator_gainprm" | "actuator_biasprm" => 10 * model.nu,
        _ => return Err(DerivativeError::Field { name: field.to_owned(), known: FIELDS }),
    })
}

/// Refuses fields on which something depends that has no derivative.
pub(super) fn check_field(model: &Model, field: &str) -> Result<(), DerivativeError> {
    let refuse = |what| Err(DerivativeError::Unsupported(what));
    if model.opt.integrator == Integrator::Implicit && WEIGHING.contains(&field) {
        // they change the Coriolis forces in the matrix of that integrator
        return refuse("a gradient of masses with the integrator implicit");
    }
    let fluid = model.opt.density != 0.0 || model.opt.viscosity != 0.0;
    if WEIGHING.contains(&field) && (model.ngravcomp > 0 || fluid) {
        return refuse("a gradient of masses with gravity compensation or a fluid");
    }
    if field == "actuator_gainprm" && (0..model.nu).any(|i| model.actuator_gaintype[i] == GainType::Muscle) {
        return refuse("a gradient of the gains of a muscle");
    }
    if field.starts_with("actuator") && (0..model.nu).any(|i| has_motor_part(model, i)) {
        return refuse("a gradient of the parameters of a DC motor");
    }
    Ok(())
}

/// What gradients are made from.
struct FieldGradients<'a> {
    model: &'a Model,
    data: &'a Data,
    fields: &'a FieldScratch,
    mu: &'a [f64],
    nu: &'a [f64],
    /// `ã`.
    qacc: &'a [f64],
    velocity: &'a MotionField,
    /// Of `qacc` alone, and true accelerations.
    motion: &'a MotionField,
    acceleration: &'a MotionField,
}

/// Whether the inertia of a dof is a constant of the model, `dof_M0`: of bodies that only slide, or that are
/// free with their frame at their centre of mass.
fn is_simple(model: &Model, dof: usize) -> bool {
    model.dof_simplenum[dof] > 0
}

impl FieldScratch {
    /// Sets the motion fields of `μ`, `ν` and `a − ã`.
    fn set(&mut self, model: &Model, data: &Data, adjoint: &AdjointScratch, difference: &[f64]) {
        self.nu_field.set(model, &data.cdof, &adjoint.nu);
        self.mu_field.set(model, &data.cdof, &adjoint.mu);
        self.difference_field.set(model, &data.cdof, difference);
    }
}

impl FieldGradients<'_> {
    /// What a change of a body's inertia does to the loss.
    fn by_inertia(&self, body: usize, change: &Inertia) -> f64 {
        let (v, mut a) = (&self.velocity.body[body], self.acceleration.body[body]);
        let simple = usize::try_from(last_dof(self.model, body)).is_ok_and(|dof| is_simple(self.model, dof));
        if simple {
            // the inertia matrix has constants there: only gravity and velocities count
            a = sub6(&a, &self.motion.body[body]);
        }
        let force = add6(&mul_inert_vec(change, &a), &cross_force(v, &mul_inert_vec(change, v)));
        if simple {
            return -dot6(&self.fields.mu_field.body[body], &force);
        }
        let difference = mul_inert_vec(change, &self.fields.difference_field.body[body]);
        dot6(&self.fields.nu_field.body[body], &difference) - dot6(&self.fields.mu_field.body[body], &force)
    }

    fn masses(&self, out: &mut [f64]) {
        let Self { model, data, .. } = self;
        for body in 1..model.nbody {
            let c = Point::new(model, data, body, &Vec3::from(data.xipos[body])).offset;
            let square = c.norm_squared();
            let change = [
                square - c.x * c.x,
                square - c.y * c.y,
                square - c.z * c.z,
                -c.x * c.y,
                -c.x * c.z,
                -c.y * c.z,
                c.x,
                c.y,
                c.z,
                1.0,
            ];
            out[body] += self.by_inertia(body, &change);
        }
    }

    fn inertias(&self, out: &mut [f64]) {
        let Self { model, data, .. } = self;
        for body in 1..model.nbody {
            let axes = mat3(&data.ximat[body]);
            for k in 0..3 {
                let axis = axes.column(k);
                let m: Mat3 = axis * axis.transpose();
                let change =
                    [m[(0, 0)], m[(1, 1)], m[(2, 2)], m[(0, 1)], m[(0, 2)], m[(1, 2)], 0.0, 0.0, 0.0, 0.0];
                out[3 * body + k] += self.by_inertia(body, &change);
            }
        }
    }

    /// The ten inertial parameters, in which dynamics are linear (Atkeson, An and Hollerbach 1986): mass,
    /// first moments, and inertia (xx, yy, zz, xy, xz, yz) about the frame of the body, in its axes.
    fn inertials(&self, out: &mut [f64]) {
        let Self { model, data, .. } = self;
        for body in 1..model.nbody {
            let p = Point::new(model, data, body, &Vec3::from(data.xpos[body])).offset;
            let axes = mat3(&data.xmat[body]);
            let inertia = |m: &Mat3, moment: Vec3, mass: f64| {
                let [x, y, z] = moment.into();
                [m[(0, 0)], m[(1, 1)], m[(2, 2)], m[(0, 1)], m[(0, 2)], m[(1, 2)], x, y, z, mass]
            };
            let out = &mut out[10 * body..10 * body + 10];
            let point = Mat3::identity() * p.norm_squared() - p * p.transpose();
            out[0] += self.by_inertia(body, &inertia(&point, p, 1.0));
            for k in 0..3 {
                let axis: Vec3 = axes.column(k).into();
                let moved =
                    Mat3::identity() * (2.0 * p.dot(&axis)) - p * axis.transpose() - axis * p.transpose();
                out[1 + k] += self.by_inertia(body, &inertia(&moved, axis, 0.0));
            }
            for (k, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
                let (a, b): (Vec3, Vec3) = (axes.column(i).into(), axes.column(j).into());
                let half = a * b.transpose();
                let entry = if i == j { half } else { half + b * a.transpose() };
                out[4 + k] += self.by_inertia(body, &inertia(&entry, Vec3::zeros(), 0.0));
            }
        }
    }

    /// Diagonal of the inertia matrix: armature, or, where that is a constant, the constant itself.
    fn diagonal(&self, difference: &[f64], simple: bool, out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate().filter(|(k, _)| is_simple(self.model, *k) == simple) {
            *out += self.nu[k] * difference[k] - self.mu[k] * self.data.qacc[k];
        }
    }

    fn damping(&self, out: &mut [f64]) {
        let Self { model, data, qacc, .. } = self;
        if model.disabled(DisableBit::Damper) {
            return;
        }
        for (k, out) in out.iter_mut().enumerate() {
            *out += -self.mu[k] * data.qvel[k] - model.opt.timestep * self.nu[k] * qacc[k];
        }
    }

    /// Only where a dof slips does its force follow the loss.
    fn friction_loss(&self, out: &mut [f64]) {
        let data = self.data;
        for row in 0..data.nefc {
            if data.efc_type[row] == ConstraintType::FrictionDof {
                let dof = data.efc_id[row] as usize;
                out[dof] += match data.efc_state[row] {
                    s if s == ConstraintState::Linearneg => self.mu[dof],
                    s if s == ConstraintState::Linearpos => -self.mu[dof],
                    _ => 0.0,
                };
            }
        }
    }

    fn stiffness(&self, out: &mut [f64]) {
        let Self { model, data, .. } = self;
        if model.disabled(DisableBit::Spring) {
            return;
        }
        for (joint, out) in out.iter_mut().enumerate() {
            let (mut address, mut dof) =
                (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
            let kind = model.jnt_type[joint];
            if kind == JointType::Hinge || kind == JointType::Slide {
                *out -= self.mu[dof] * (data.qpos[address] - model.qpos_spring[address])
                    + self.implicit_spring(dof);
                continue;
            }
            if kind == JointType::Free {
                let d = vec3_at(&data.qpos, address) - vec3_at(&model.qpos_spring, address);
                *out -= d.dot(&vec3_at(self.mu, dof));
                *out -= (dof..dof + 3).map(|dof| self.implicit_spring(dof)).sum::<f64>();
                address += 3;
                dof += 3;
            }
            let d = quat_sub(&unit_quat(&data.qpos, address), &unit_quat(&model.qpos_spring, address));
            *out -= d.dot(&vec3_at(self.mu, dof));
            *out -= (dof..dof + 3).map(|dof| self.implicit_spring(dof)).sum::<f64>();
        }
    }

    /// What an integrator that takes springs implicitly adds, without its sign.
    fn implicit_spring(&self, dof: usize) -> f64 {
        let Self { model, data, .. } = self;
        let h = model.opt.timestep;
        let implicit = matches!(
            Integrator::try_from(model.opt.integrator),
            Ok(Integrator::ImplicitSpringDamper | Integrator::ImplicitEuler)
        );
        // a derivative that was negative has been set to zero; where there is no spring, the side with one
        // counts
        let joint = model.dof_jntid[dof] as usize;
        let none = model.jnt_stiffness[joint] == 0.0 && model.jnt_stiffnesspoly[joint] == [0.0; 2];
        if implicit && (none || spring_derivative(model, data, dof) > 0.0) {
            h * self.nu[dof] * (data.qvel[dof] + h * self.qacc[dof])
        } else {
            0.0
        }
    }

    /// Parameters of gains (with the input) or biases. A force at its limit does not follow. Implicit
    /// integrators take the derivative with velocity into `D`.
    fn actuators(&self, gains: bool, out: &mut [f64]) {
        let Self { model, data, .. } = self;
        let implicit = has_full_damping(model);
        for i in (0..model.nu).filter(|&i| follows(model, data, i)) {
            let (columns, arms) = moment_arms(data, i);
            let along =
                |x: &[f64]| columns.iter().zip(arms).map(|(&k, arm)| arm * x[k as usize]).sum::<f64>();
            let (input, affine) = if gains {
                (input(model, data, i), model.actuator_gaintype[i] == GainType::Affine)
            } else {
                (1.0, model.actuator_biastype[i] == BiasType::Affine)
            };
            let used = if affine { 3 } else { usize::from(gains) };
            let terms = [1.0, data.actuator_length[i], data.actuator_velocity[i]];
            let weight = along(self.mu) * input;
            for (out, term) in out[10 * i..].iter_mut().zip(&terms[..used]) {
                *out += weight * term;
            }
            if implicit && affine {
                let rate = |k: i32| related_rate(model, (columns, arms), k, self.qacc);
                let damped = columns.iter().zip(arms).map(|(&k, arm)| self.nu[k as usize] * arm * rate(k));
                let input = if gains { damping_input(model, data, i) } else { 1.0 };
                out[10 * i + 2] += model.opt.timestep * damped.sum::<f64>() * input;
            }
        }
    }
}

/// Whether the force of an actuator reaches its joints as it is.
fn follows(model: &Model, data: &Data, i: usize) -> bool {
    let [low, high] = model.actuator_forcerange[i];
    let force = data.actuator_force[i];
    let limited = model.actuator_forcelimited[i] != 0 && (force <= low || force >= high);
    !limited && !model.disabled(DisableBit::Actuation) && !crate::actuation::mj_actuator_disabled(model, i)
}

/// What a gain multiplies.
fn input(model: &Model, data: &Data, i: usize) -> f64 {
    match activation(model, i) {
        Some(at) if model.actuator_actearly[i] != 0 => {
            mj_next_activation(model, data, i, at, data.act_dot[at])
        }
        Some(at) => data.act[at],
        None => effective_control(model, data, i).0,
    }
}
