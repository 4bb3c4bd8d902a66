//! Gradients of a step with respect to fields of the model, in reverse mode.
//!
//! A loss with gradient `w` with respect to the acceleration `ã` of a step (Euler, `M̂ ã = M a`) changes with
//! a parameter `θ` by `−μᵀ ∂g/∂θ + νᵀ (∂M/∂θ (a − ã) − h ∂B/∂θ ã)`, with `M̂ ν = w` and `H μ = M ν`: two
//! solves, whatever the number of parameters. Derivatives are partial: fields that a compiler would derive
//! from the parameter (inverse weights, subtree masses) stay as they are.

use super::actuator::{activation, moment};
use super::motion::MotionField;
use super::transition::{TransitionScratch, evaluate};
use super::{Point, dense_ltdl};
use crate::actuation::mj_next_activation;
use crate::damped_inertia::has_implicit_damping;
use crate::derivative::DerivativeError;
use crate::derivative::transition::expect;
use crate::kinematics::poses::{unit_quat, vec3_at};
use crate::workspace::Workspace;
use kinetree_math::rot::{mat3, quat_integrate_deriv, quat_sub};
use kinetree_math::sparse::{Csr, mul_sym_vec};
use kinetree_math::spatial::{Inertia, add6, cross_force, dot6, mul_inert_vec};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::{BiasType, ConstraintState, ConstraintType, DisableBit, GainType};
use kinetree_model::enums::{Integrator, JointType};
use kinetree_model::{Data, Model};

/// Fields that have gradients.
const FIELDS: &str = "body_mass, body_inertia, dof_armature, dof_damping, dof_frictionloss, jnt_stiffness, actuator_gainprm, actuator_biasprm";

/// Working memory.
#[derive(Default)]
pub(crate) struct FieldScratch {
    /// `w`, then `ν`.
    nu: Vec<f64>,
    /// `μ`.
    mu: Vec<f64>,
    difference: Vec<f64>,
    nu_field: MotionField,
    mu_field: MotionField,
    difference_field: MotionField,
}

/// Gradient of a loss with respect to a field of the model, where `adjoint` is its gradient with respect to
/// the next state. `out` has the size of the field.
///
/// # Errors
/// As [`mjd_transition`](super::mjd_transition); also when the field has no gradients or the integrator is
/// not Euler.
pub(crate) fn step_field_vjp(
    model: &Model,
    data: &mut Data,
    work: &mut Workspace,
    adjoint: &[f64],
    field: &str,
    out: &mut [f64],
) -> Result<(), DerivativeError> {
    let nx = 2 * model.nv + model.na;
    expect("adjoint", Some(adjoint), nx)?;
    if model.opt.integrator != Integrator::Euler {
        return Err(DerivativeError::Unsupported("a gradient of a field with an implicit integrator"));
    }
    let size = match field {
        "body_mass" => model.nbody,
        "body_inertia" => 3 * model.nbody,
        "dof_armature" | "dof_damping" | "dof_frictionloss" => model.nv,
        "jnt_stiffness" => model.njnt,
        "actuator_gainprm" | "actuator_biasprm" => 10 * model.nu,
        _ => return Err(DerivativeError::Field { name: field.to_owned(), known: FIELDS }),
    };
    expect("gradient of the field", Some(out), size)?;
    let weighs = field == "body_mass" || field == "body_inertia";
    if weighs && (model.ngravcomp > 0 || model.opt.density != 0.0 || model.opt.viscosity != 0.0) {
        return Err(DerivativeError::Unsupported("a gradient of masses with carried weights or a fluid"));
    }
    if field == "actuator_gainprm" && (0..model.nu).any(|i| model.actuator_gaintype[i] == GainType::Muscle) {
        return Err(DerivativeError::Unsupported("a gradient of the gains of a muscle"));
    }
    evaluate(model, data, work)?;
    let TransitionScratch { linear, step, fields } = &mut work.transition;
    fields.solve(model, data, adjoint, &linear.gradient.hessian, &step.matrix, &step.qacc);
    out.fill(0.0);
    match field {
        "body_mass" => fields.masses(model, data, (&linear.velocity, linear.accelerations()), out),
        "body_inertia" => fields.inertias(model, data, (&linear.velocity, linear.accelerations()), out),
        "dof_armature" => {
            for (k, out) in out.iter_mut().enumerate() {
                *out = fields.nu[k] * fields.difference[k] - fields.mu[k] * data.qacc[k];
            }
        }
        "dof_damping" => fields.damping(model, data, &step.qacc, out),
        "dof_frictionloss" => fields.friction_loss(data, out),
        "jnt_stiffness" => fields.stiffness(model, data, out),
        _ => fields.actuators(model, data, field == "actuator_gainprm", out),
    }
    Ok(())
}

impl FieldScratch {
    /// Sets `μ`, `ν` and `a − ã`.
    fn solve(
        &mut self,
        model: &Model,
        data: &Data,
        adjoint: &[f64],
        hessian: &[f64],
        damped: &[f64],
        qacc: &[f64],
    ) {
        let nv = model.nv;
        self.nu.clear();
        self.nu.resize(nv, 0.0);
        pull_to_acceleration(model, data, adjoint, qacc, &mut self.nu);
        self.mu.clear();
        self.difference.clear();
        self.difference.extend(data.qacc.iter().zip(qacc).map(|(a, b)| a - b));
        if has_implicit_damping(model, data) {
            dense_ltdl::solve(damped, nv, &mut self.nu, 1);
            self.mu.resize(nv, 0.0);
            let pattern = crate::inertia::mass_matrix::m_pattern(model);
            mul_sym_vec(&mut self.mu, Csr::new(pattern, &data.M), &self.nu);
        } else {
            self.mu.extend_from_slice(&self.nu);
            // ã is a: nothing else depends on the parameter
            self.nu.fill(0.0);
        }
        dense_ltdl::solve(hessian, nv, &mut self.mu, 1);
        self.nu_field.set(model, &data.cdof, &self.nu);
        self.mu_field.set(model, &data.cdof, &self.mu);
        self.difference_field.set(model, &data.cdof, &self.difference);
    }

    /// What a change of a body's inertia does to the loss.
    fn by_inertia(&self, body: usize, change: &Inertia, motion: (&MotionField, &MotionField)) -> f64 {
        let (v, a) = (&motion.0.body[body], &motion.1.body[body]);
        let force = add6(&mul_inert_vec(change, a), &cross_force(v, &mul_inert_vec(change, v)));
        let difference = mul_inert_vec(change, &self.difference_field.body[body]);
        dot6(&self.nu_field.body[body], &difference) - dot6(&self.mu_field.body[body], &force)
    }

    fn masses(&self, model: &Model, data: &Data, motion: (&MotionField, &MotionField), out: &mut [f64]) {
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
            out[body] = self.by_inertia(body, &change, motion);
        }
    }

    fn inertias(&self, model: &Model, data: &Data, motion: (&MotionField, &MotionField), out: &mut [f64]) {
        for body in 1..model.nbody {
            let axes = mat3(&data.ximat[body]);
            for k in 0..3 {
                let axis = axes.column(k);
                let m: Mat3 = axis * axis.transpose();
                let change =
                    [m[(0, 0)], m[(1, 1)], m[(2, 2)], m[(0, 1)], m[(0, 2)], m[(1, 2)], 0.0, 0.0, 0.0, 0.0];
                out[3 * body + k] = self.by_inertia(body, &change, motion);
            }
        }
    }

    fn damping(&self, model: &Model, data: &Data, qacc: &[f64], out: &mut [f64]) {
        if model.disabled(DisableBit::Damper) {
            return;
        }
        for (k, out) in out.iter_mut().enumerate() {
            *out = -self.mu[k] * data.qvel[k] - model.opt.timestep * self.nu[k] * qacc[k];
        }
    }

    /// Only where a dof slips does its force follow the loss.
    fn friction_loss(&self, data: &Data, out: &mut [f64]) {
        for row in 0..data.nefc {
            if data.efc_type[row] == ConstraintType::FrictionDof {
                let dof = data.efc_id[row] as usize;
                out[dof] = match data.efc_state[row] {
                    s if s == ConstraintState::Linearneg => self.mu[dof],
                    s if s == ConstraintState::Linearpos => -self.mu[dof],
                    _ => 0.0,
                };
            }
        }
    }

    fn stiffness(&self, model: &Model, data: &Data, out: &mut [f64]) {
        if model.disabled(DisableBit::Spring) {
            return;
        }
        for (joint, out) in out.iter_mut().enumerate() {
            let (mut address, mut dof) =
                (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
            let kind = model.jnt_type[joint];
            if kind == JointType::Hinge || kind == JointType::Slide {
                *out = -self.mu[dof] * (data.qpos[address] - model.qpos_spring[address]);
                continue;
            }
            if kind == JointType::Free {
                let d = vec3_at(&data.qpos, address) - vec3_at(&model.qpos_spring, address);
                *out -= d.dot(&vec3_at(&self.mu, dof));
                address += 3;
                dof += 3;
            }
            let d = quat_sub(&unit_quat(&data.qpos, address), &unit_quat(&model.qpos_spring, address));
            *out -= d.dot(&vec3_at(&self.mu, dof));
        }
    }

    /// Parameters of gains (with the input) or biases. A force at its limit does not follow.
    fn actuators(&self, model: &Model, data: &Data, gains: bool, out: &mut [f64]) {
        for i in (0..model.nu).filter(|&i| follows(model, data, i)) {
            let (columns, arms) = moment(data, i);
            let along: f64 = columns.iter().zip(arms).map(|(&k, arm)| arm * self.mu[k as usize]).sum();
            let terms = [1.0, data.actuator_length[i], data.actuator_velocity[i]];
            let (weight, used) = if gains {
                let used = if model.actuator_gaintype[i] == GainType::Affine { 3 } else { 1 };
                (along * input(model, data, i), used)
            } else {
                (along, if model.actuator_biastype[i] == BiasType::Affine { 3 } else { 0 })
            };
            for (out, term) in out[10 * i..].iter_mut().zip(&terms[..used]) {
                *out = weight * term;
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
        None if model.actuator_ctrllimited[i] != 0 && !model.disabled(DisableBit::Clampctrl) => {
            let [low, high] = model.actuator_ctrlrange[i];
            kinetree_math::misc::clip(data.ctrl[i], low, high)
        }
        None => data.ctrl[i],
    }
}

/// Gradient with respect to the acceleration of the step, from that with respect to the next state.
fn pull_to_acceleration(model: &Model, data: &Data, adjoint: &[f64], qacc: &[f64], out: &mut [f64]) {
    let (nv, h) = (model.nv, model.opt.timestep);
    for joint in 0..model.njnt {
        let mut dof = model.jnt_dofadr[joint] as usize;
        let kind = model.jnt_type[joint];
        let rotates = kind == JointType::Ball || kind == JointType::Free;
        let straight = if kind == JointType::Free { 3 } else { usize::from(!rotates) };
        for d in dof..dof + straight {
            out[d] = h * (adjoint[nv + d] + h * adjoint[d]);
        }
        dof += straight;
        if rotates {
            let omega = Vec3::from_fn(|k, _| data.qvel[dof + k] + h * qacc[dof + k]);
            let turned = quat_integrate_deriv(&omega, h).vel.tr_mul(&vec3_at(adjoint, dof));
            for k in 0..3 {
                out[dof + k] = h * (adjoint[nv + dof + k] + h * turned[k]);
            }
        }
    }
}
