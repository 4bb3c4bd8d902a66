//! The linear equations of motion: `H ∂a = −∂g`.

use super::actuation::actuator::{self, ActuatorDerivatives};
use super::actuation::motor::MotorDerivatives;
use super::actuation::transmission::{Push, subtract_push};
use super::body_forces::BodyForces;
use super::contact::adhesion::add_adhesion;
use super::contact::force::{ContactScratch, add_contacts};
use super::contact::product::pull_contacts;
use super::evaluated::Evaluated;
use super::gradient::Gradient;
use super::inverse_dynamics::{SubtreeTerms, add_inverse_dynamics, pull_inverse_dynamics};
use super::motion::MotionField;
use super::point_motion::Fields;
use super::tendon::armature::ArmatureDerivatives;
use super::tendon::force::{TendonForce, passive_force, subtract_tendon};
use super::{dense_ltdl, equality, passive, rows};
use crate::constraint::{mj_mul_jac_vec, update_all_rows};
use crate::derivative::error::DerivativeError;
use kinetree_math::Vec3;
use kinetree_math::spatial::vec6;
use kinetree_model::enums::{ConstraintType, DisableBit};
use kinetree_model::{Data, Model};

/// Which forces the residual `g` has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Residual {
    /// All: its root is the acceleration of forward dynamics.
    Forward,
    /// Of inverse dynamics: without applied forces, and actuators only if they are subtracted.
    Inverse {
        /// Whether actuators are.
        actuation: bool,
    },
}

/// The derivative of the acceleration, and what it was made from.
#[derive(Default)]
pub(super) struct Linearization {
    pub(super) velocity: MotionField,
    qacc: MotionField,
    acceleration: MotionField,
    pub(super) terms: SubtreeTerms,
    pub(super) armature: ArmatureDerivatives,
    pub(super) forces: BodyForces,
    pub(super) gradient: Gradient,
    pub(super) actuators: Vec<ActuatorDerivatives>,
    pub(super) motors: Vec<MotorDerivatives>,
    pub(super) tendons: Vec<TendonForce>,
    /// `∂a/∂(q, v, act, ctrl)`, row by row.
    pub(super) derivative: Vec<f64>,
    contacts: ContactScratch,
    anchor_rows: Vec<(usize, [Vec3; 2])>,
    rate_derivative: Vec<f64>,
    /// `J a − aref` of all rows.
    pub(super) residual: Vec<f64>,
    coupling: rows::CouplingScratch,
    /// Gravity compensation is in the gradient already.
    gravcomp_separate: bool,
}

/// Says that states of rows, motion fields and derivatives of actuators are those of an evaluated data:
/// [`Linearization::prepare`] alone makes it.
pub(super) struct Prepared(());

impl Linearization {
    /// Sets `∂g` and `H` at the state of the data.
    ///
    /// # Errors
    /// When there is a contact whose motion is not known.
    pub(super) fn set(
        &mut self,
        model: &Model,
        data: &mut Evaluated<'_>,
        residual: Residual,
    ) -> Result<(), DerivativeError> {
        self.prepare(model, data);
        self.gradient.clear_coupled(model, data);
        self.forces.end_product();
        self.forces.clear(model);
        self.assemble(model, data, residual)?;
        add_inertia(model, data, &mut self.gradient.hessian);
        Ok(())
    }

    /// Sets the product `μᵀ ∂g` with weights `μ` of forward dynamics.
    ///
    /// # Errors
    /// When there is a contact whose motion is not known.
    pub(super) fn set_product(
        &mut self,
        model: &Model,
        data: &mut Evaluated<'_>,
        _: Prepared,
        weights: &[f64],
    ) -> Result<(), DerivativeError> {
        self.gradient.begin_product(model, weights);
        self.forces.begin_product(model, data, weights);
        self.assemble(model, data, Residual::Forward)
    }

    /// Sets states of rows, motion fields and derivatives of actuators.
    pub(super) fn prepare(&mut self, model: &Model, data: &mut Evaluated<'_>) -> Prepared {
        settle_rows(model, data, &mut self.residual);
        self.velocity.set(model, &data.cdof, &data.qvel);
        self.qacc.set(model, &data.cdof, &data.qacc);
        let gravity = if model.disabled(DisableBit::Gravity) { [0.0; 3] } else { model.opt.gravity };
        let world = vec6(&Vec3::zeros(), &-Vec3::from(gravity));
        self.acceleration.set_acceleration(model, data, world, &data.qacc);
        actuator::set_derivatives(model, data, &mut self.actuators, &mut self.motors);
        Prepared(())
    }

    /// Adds all parts of `∂g`.
    fn assemble(
        &mut self,
        model: &Model,
        data: &mut Data,
        residual: Residual,
    ) -> Result<(), DerivativeError> {
        self.contacts.probe.begin();
        self.tendons.clear();
        self.tendons.resize(model.ntendon, TendonForce::default());
        self.subtract_actuators(model, data, residual != Residual::Inverse { actuation: false })?;
        let mut gradient = std::mem::take(&mut self.gradient);
        self.add_inverse_dynamics(model, data, &mut gradient);
        self.gradient = gradient;
        let Self { velocity, gradient, .. } = self;
        passive::subtract_joint_forces(model, data, gradient);
        if residual == Residual::Forward {
            passive::add_applied_forces(model, data, &mut self.forces);
        }
        if !self.gravcomp_separate {
            passive::add_gravity_compensation(model, data, &mut self.forces);
        }
        passive::add_fluid(model, data, &velocity.base, &mut self.forces, gradient);
        self.add_constraints(model, data)?;
        let kinks = self.contacts.probe.kinks;
        if kinks > 0 {
            data.derivative_kinks.number += 1;
            data.derivative_kinks.lastinfo = i32::try_from(kinks).unwrap_or(i32::MAX);
        }
        self.subtract_tendons(model, data, true);
        let Self { velocity, qacc, acceleration, forces, gradient, .. } = self;
        let fields = Fields { velocity, qacc, acceleration };
        forces.subtract_from(model, data, &fields, gradient);
        Ok(())
    }

    /// Factors `H`, of which the lower triangle is complete.
    ///
    /// # Errors
    /// When it is singular.
    pub(super) fn factor(&mut self) -> Result<(), DerivativeError> {
        let Gradient { hessian, nv, coupling, .. } = &mut self.gradient;
        if dense_ltdl::factor(hessian, *nv, coupling) {
            Ok(())
        } else {
            Err(DerivativeError::Unsupported(
                "an inertia matrix that is singular, or lost to rounding beside far heavier constraints,",
            ))
        }
    }

    /// True accelerations, with gravity.
    pub(super) fn accelerations(&self) -> &MotionField {
        &self.acceleration
    }

    /// The motion fields.
    pub(super) fn fields(&self) -> Fields<'_> {
        Fields { velocity: &self.velocity, qacc: &self.qacc, acceleration: &self.acceleration }
    }

    /// Adds the derivative of inverse dynamics.
    pub(super) fn add_inverse_dynamics(&mut self, model: &Model, data: &Data, gradient: &mut Gradient) {
        let Self { velocity, acceleration, terms, armature, forces, .. } = self;
        if gradient.pulled {
            let fields = [&*velocity, &*acceleration, forces.weight_field()];
            pull_inverse_dynamics(model, data, &data.qvel, terms, fields, |j, p, v| {
                gradient.add_product(j, p, v);
            });
            return;
        }
        add_inverse_dynamics(model, data, &data.qvel, terms, velocity, acceleration, |k, j, p, v| {
            gradient.add_motion(k, j, p, v);
        });
        let width = gradient.width;
        armature.add(model, data, &data.qacc, Some(velocity), &mut gradient.values, width);
    }

    /// Actuators come first: where the force on a joint is clamped, nothing of them counts.
    fn subtract_actuators(
        &mut self,
        model: &Model,
        data: &Data,
        wanted: bool,
    ) -> Result<(), DerivativeError> {
        let idle = !wanted || model.nu == 0 || model.disabled(DisableBit::Actuation);
        self.gravcomp_separate = false;
        if idle && self.gradient.pulled {
            // no joint carries weights as actuation
            return Ok(());
        }
        if idle {
            // gravity compensation as actuation is not there at all
            let dropped = |dof: usize| model.jnt_actgravcomp[model.dof_jntid[dof] as usize] != 0;
            self.subtract_gravity_compensation(model, data, |dof| !dropped(dof));
            return Ok(());
        }
        let Self { velocity, actuators, motors, tendons, contacts, forces, gradient, .. } = &mut *self;
        for (i, derivatives) in actuators.iter().enumerate() {
            let push = Push {
                actuator: i,
                force: data.actuator_force[i],
                by_length: derivatives.length,
                by_rate: derivatives.velocity,
                field: velocity,
                values: &data.qvel,
            };
            subtract_push(model, data, &push, tendons, forces, gradient);
            actuator::subtract_inputs(model, data, i, derivatives, gradient);
        }
        motors.iter().for_each(|motor| motor.subtract_activations(data, gradient));
        add_adhesion(model, data, &mut contacts.probe, forces)?;
        let clamped = |joint: usize| is_clamped(model, data, joint);
        if !(0..model.njnt).any(clamped) {
            return Ok(());
        }
        self.subtract_tendons(model, data, false);
        let width = self.gradient.width;
        self.forces.project(model, data, -1.0, &mut self.gradient.values, width, |_| true);
        self.forces.clear(model);
        self.tendons.fill(TendonForce::default());
        for joint in (0..model.njnt).filter(|&joint| clamped(joint)) {
            let dof = model.jnt_dofadr[joint] as usize;
            self.gradient.values[dof * width..(dof + 1) * width].fill(0.0);
        }
        // weights that joints carry as actuation are clamped with it
        self.subtract_gravity_compensation(model, data, |dof| {
            let joint = model.dof_jntid[dof] as usize;
            model.jnt_actgravcomp[joint] == 0 || !clamped(joint)
        });
        Ok(())
    }

    /// Gravity compensation by itself, on the dofs that are to be kept.
    fn subtract_gravity_compensation(&mut self, model: &Model, data: &Data, keep: impl Fn(usize) -> bool) {
        self.gravcomp_separate = true;
        let width = self.gradient.width;
        passive::add_gravity_compensation(model, data, &mut self.forces);
        self.forces.project(model, data, -1.0, &mut self.gradient.values, width, keep);
        self.forces.clear(model);
    }

    /// All forces that were gathered along tendons, their springs and dampers included if `passive`.
    fn subtract_tendons(&mut self, model: &Model, data: &Data, passive: bool) {
        let Self { velocity, qacc, tendons, rate_derivative, forces, gradient, .. } = self;
        for (tendon, total) in tendons.iter_mut().enumerate() {
            if passive {
                total.add(&passive_force(model, data, tendon));
            }
            subtract_tendon(model, data, tendon, total, [velocity, qacc], rate_derivative, forces, gradient);
        }
    }

    fn add_constraints(&mut self, model: &Model, data: &Data) -> Result<(), DerivativeError> {
        let Self { velocity, qacc, acceleration, tendons, forces, gradient, .. } = self;
        let fields = Fields { velocity, qacc, acceleration };
        let mut row = 0;
        while row < data.nefc && data.efc_type[row] < ConstraintType::ContactFrictionless as i32 {
            if rows::add_row(model, data, row, &fields, tendons, &mut self.coupling, gradient) {
                row += 1;
            } else {
                row += equality::add_rows(model, data, row, &fields, &mut self.anchor_rows, forces, gradient);
            }
        }
        if gradient.pulled {
            pull_contacts(model, data, &fields, &mut self.contacts.probe, forces)
        } else {
            add_contacts(model, data, &fields, &mut self.contacts, forces, gradient)
        }
    }

    /// `∂a = −H⁻¹ ∂g`.
    pub(super) fn solve(&mut self) {
        let Gradient { values, hessian, width, nv, coupling, .. } = &self.gradient;
        self.derivative.clear();
        self.derivative.extend(values.iter().map(|x| -x));
        dense_ltdl::solve(hessian, *nv, coupling, &mut self.derivative, *width);
    }
}

/// Whether the force of actuators on a joint is at its limit.
pub(super) fn is_clamped(model: &Model, data: &Data, joint: usize) -> bool {
    let force = data.qfrc_actuator[model.jnt_dofadr[joint] as usize];
    let [low, high] = model.jnt_actfrcrange[joint];
    model.jnt_actfrclimited[joint] != 0 && (force <= low || force >= high)
}

/// Adds the lower triangle of the inertia matrix.
pub(super) fn add_inertia(model: &Model, data: &Data, matrix: &mut [f64]) {
    for dof in 0..model.nv {
        let start = model.M_rowadr[dof] as usize;
        for at in start..start + model.M_rownnz[dof] as usize {
            matrix[dof * model.nv + model.M_colind[at] as usize] += data.M[at];
        }
    }
}

/// States, forces and cone Hessians of all rows at the acceleration of the data.
fn settle_rows(model: &Model, data: &mut Data, residual: &mut Vec<f64>) {
    residual.clear();
    residual.resize(data.nefc, 0.0);
    if data.nefc == 0 {
        return;
    }
    mj_mul_jac_vec(model, data, residual, &data.qacc);
    for (r, aref) in residual.iter_mut().zip(&data.efc_aref) {
        *r -= aref;
    }
    update_all_rows(data, residual, true);
}
