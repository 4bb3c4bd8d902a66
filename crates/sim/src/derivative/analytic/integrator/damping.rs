//! How the damping matrix of the implicit integrators changes: `∂D ã` at fixed acceleration `ã` of the step.
//!
//! An element that damps motion along a row `J` of moment arms with derivative `b` adds `Jᵀ b J` to `D`,
//! where the pattern of `D` has the entry. Where it has all of them, the dofs of `J` being a chain, the
//! element acts like a virtual force `b (J·ã)` along `J`; across branches each dof feels the rate of the dofs
//! that it is related to, and the derivatives of `J` are taken one by one. The derivative itself changes with
//! the length and the rate of what is damped, with activations and controls. Fluids damp the motion of bodies
//! in the same way.

use super::step::{StepDerivative, damper_curvature, damping_curvature};
use crate::actuation::muscle_prm;
use crate::actuation::transmission::moment_arms;
use crate::derivative::analytic::actuation::actuator;
use crate::derivative::analytic::actuation::transmission::{Push, add_length_derivative, subtract_push};
use crate::derivative::analytic::body_forces::{BodyForces, wrench};
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::analytic::linearize::Linearization;
use crate::derivative::analytic::motion::{MotionField, Point, at_point, rotates};
use crate::derivative::analytic::tendon::force::{TendonForce, is_fixed, subtract_tendon, tendon_row};
use crate::derivative::velocity::passive::damper_derivative;
use crate::derivative::velocity::{actuator as damping, fluid};
use crate::forces::fluid::fluid_elements;
use crate::forces::passive::total_damping;
use crate::inertia::armature::Driven;
use crate::kinematics::chain::chain_dofs;
use kinetree_math::misc::{muscle_gain_second_derivatives, muscle_gain_velocity_derivative};
use kinetree_math::rot::mat3;
use kinetree_math::spatial::{Vec6, add_to6, angular, cross_force, cross_motion, dot6, sub6, vec6};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::{DisableBit, DynType, GainType, Integrator, TrnType};
use kinetree_model::{Data, Model};
use nalgebra::{Matrix6, Vector6};

/// The derivative `b` of a damper, and its own derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Damper {
    derivative: f64,
    by_length: f64,
    by_rate: f64,
    by_activation: f64,
    by_control: f64,
}

/// Working memory.
#[derive(Default)]
pub(crate) struct DampingDerivatives {
    /// Motion field of `ã`.
    field: MotionField,
    forces: BodyForces,
    gradient: Gradient,
    dampers: Vec<Damper>,
    rate_derivative: Vec<f64>,
    rates: Vec<f64>,
    /// Of what is damped across branches.
    length_derivative: Vec<f64>,
    /// For the derivatives of moment arms.
    arm_forces: BodyForces,
    arm_gradient: Gradient,
    no_tendons: Vec<TendonForce>,
}

/// Whether the matrix of the integrator takes what `D` has for two dofs: the fast method has the pattern of
/// the inertia matrix, in which simple dofs, whose bodies stand alone, have none but the diagonal.
pub(crate) fn is_taken(model: &Model, k: usize, j: usize) -> bool {
    k == j || !is_fast(model) || (model.dof_simplenum[k] == 0 && model.dof_simplenum[j] == 0)
}

/// Whether the matrix of the integrator has an entry of `D`: where dofs are related in the tree.
fn related(model: &Model, k: i32, j: i32) -> bool {
    let start = model.D_rowadr[k as usize] as usize;
    is_taken(model, k as usize, j as usize)
        && model.D_colind[start..start + model.D_rownnz[k as usize] as usize].binary_search(&j).is_ok()
}

fn is_fast(model: &Model) -> bool {
    model.opt.integrator == Integrator::Implicitfast
}

/// Whether the pattern of `D` has all pairs of some dofs.
fn is_chain(model: &Model, columns: &[i32]) -> bool {
    columns.iter().all(|&k| columns.iter().all(|&j| related(model, k, j)))
}

/// The rate `Σ J_j x_j` over the dofs `j` of a row of moment arms that dof `k` is related to.
pub(crate) fn related_rate(model: &Model, (columns, arms): (&[i32], &[f64]), k: i32, x: &[f64]) -> f64 {
    let counted = columns.iter().zip(arms).filter(|&(&j, _)| related(model, k, j));
    counted.map(|(&j, arm)| arm * x[j as usize]).sum()
}

/// The related rates of all dofs of a row of moment arms.
fn set_related_rates(model: &Model, row: (&[i32], &[f64]), x: &[f64], rates: &mut Vec<f64>) {
    rates.clear();
    rates.extend(row.0.iter().map(|&k| related_rate(model, row, k, x)));
}

/// The damper of an actuator; needs the derivatives of its activation.
fn actuator_damper(
    model: &Model,
    data: &Data,
    i: usize,
    derivatives: &actuator::ActuatorDerivatives,
) -> Damper {
    let mut damper = Damper { derivative: damping::actuator_damping(model, data, i), ..Damper::default() };
    if crate::actuation::mj_actuator_disabled(model, i) || damping::is_saturated(model, data, i) {
        return damper;
    }
    let prm = &model.actuator_gainprm[i];
    let by_input = match GainType::try_from(model.actuator_gaintype[i]) {
        Ok(GainType::Affine) => prm[2],
        Ok(GainType::Muscle) => {
            let (prm, input) = (muscle_prm(prm), damping::input(model, data, i));
            let (length, velocity) = (data.actuator_length[i], data.actuator_velocity[i]);
            let (range, acc0) = (&model.actuator_lengthrange[i], model.actuator_acc0[i]);
            let derivatives = muscle_gain_second_derivatives(length, velocity, range, acc0, &prm);
            [damper.by_length, damper.by_rate] = derivatives.map(|derivative| derivative * input);
            muscle_gain_velocity_derivative(length, velocity, range, acc0, &prm)
        }
        _ => 0.0,
    };
    // the control of an actuator without dynamics is taken as it is, beyond its range too
    if model.actuator_dyntype[i] == DynType::None || actuator::activation(model, i).is_none() {
        damper.by_control = by_input;
    } else {
        let input = actuator::input_derivatives(model, i, derivatives);
        (damper.by_activation, damper.by_control) = (by_input * input.activation, by_input * input.control);
    }
    damper
}

/// The damper of a tendon by itself.
fn tendon_damper(model: &Model, data: &Data, tendon: usize) -> Damper {
    if model.disabled(DisableBit::Damper) {
        return Damper::default();
    }
    let (damping, poly) = (model.tendon_damping[tendon], &model.tendon_dampingpoly[tendon]);
    let (linear, poly) = total_damping(model, Driven::Tendon(tendon), damping, poly);
    let v = data.ten_velocity[tendon];
    Damper {
        derivative: -damper_derivative(v, linear, &poly),
        by_rate: -damper_curvature(v, &poly),
        ..Damper::default()
    }
}

/// Whether an actuator acts between two sites, whose dofs need not be a chain.
fn joins_two_sites(model: &Model, i: usize) -> bool {
    let kind = model.actuator_trntype[i];
    kind == TrnType::Slidercrank || (kind == TrnType::Site && model.actuator_trnid[i][1] >= 0)
}

impl DampingDerivatives {
    /// Adds `h ∂D ã` of actuators, dampers and fluids to `R`.
    pub(crate) fn add(
        &mut self,
        step: &mut StepDerivative,
        model: &Model,
        data: &Data,
        linear: &Linearization,
    ) {
        let (nv, h, width) = (model.nv, model.opt.timestep, linear.gradient.width);
        if !model.disabled(DisableBit::Damper) {
            for dof in 0..nv {
                step.explicit[dof * width + nv + dof] -=
                    h * damping_curvature(model, data, dof) * step.qacc[dof];
            }
        }
        self.field.set(model, &data.cdof, &step.qacc);
        self.gradient.clear(model);
        self.forces.clear(model);
        self.dampers.clear();
        self.dampers.extend((0..model.ntendon).map(|tendon| tendon_damper(model, data, tendon)));
        if !model.disabled(DisableBit::Actuation) {
            for (i, derivatives) in linear.actuators.iter().enumerate() {
                let damper = actuator_damper(model, data, i, derivatives);
                if damper != Damper::default() {
                    self.add_actuator(step, model, data, linear, i, &damper);
                }
            }
        }
        for tendon in 0..model.ntendon {
            if self.dampers[tendon] != Damper::default() {
                self.add_tendon(step, model, data, linear, tendon);
            }
        }
        self.add_fluid(step, model, data, linear);
        let Self { forces, gradient, .. } = self;
        forces.project(model, data, -1.0, &mut gradient.values, width, |_| true);
        // only positions: the other columns of virtual forces are no derivatives of D
        for k in 0..nv {
            for j in 0..nv {
                step.explicit[k * width + j] -= h * gradient.values[k * width + j];
            }
        }
    }

    fn add_actuator(
        &mut self,
        step: &mut StepDerivative,
        model: &Model,
        data: &Data,
        linear: &Linearization,
        i: usize,
        damper: &Damper,
    ) {
        let (nv, na, h, width) = (model.nv, model.na, model.opt.timestep, linear.gradient.width);
        let (columns, arms) = moment_arms(data, i);
        set_related_rates(model, (columns, arms), &step.qacc, &mut self.rates);
        for ((&k, arm), rate) in columns.iter().zip(arms).zip(&self.rates) {
            let row = &mut step.explicit[k as usize * width..];
            row[2 * nv + na + i] += h * arm * rate * damper.by_control;
            if let Some(at) = actuator::activation(model, i) {
                row[2 * nv + at] += h * arm * rate * damper.by_activation;
            }
        }
        if model.actuator_trntype[i] == TrnType::Tendon {
            // gathered with all that damps the tendon
            let gear = model.actuator_gear[i][0];
            let total = &mut self.dampers[model.actuator_trnid[i][0] as usize];
            total.derivative += gear * gear * damper.derivative;
            total.by_length += gear * gear * gear * damper.by_length;
            total.by_rate += gear * gear * gear * damper.by_rate;
            return;
        }
        let curved = damper.by_length != 0.0 || damper.by_rate != 0.0;
        self.add_rate_curvature(step, model, (columns, arms), damper.by_rate, width);
        if !joins_two_sites(model, i) && is_chain(model, columns) {
            let rate = self.rates.first().copied().unwrap_or(0.0);
            let Self { field, forces, gradient, no_tendons, .. } = &mut *self;
            let along = |force, by_length, by_rate, field, values| Push {
                actuator: i,
                force,
                by_length,
                by_rate,
                field,
                values,
            };
            let virtual_force = along(damper.derivative * rate, 0.0, damper.derivative, &*field, &step.qacc);
            subtract_push(model, data, &virtual_force, no_tendons, forces, gradient);
            if curved {
                let (by_length, by_rate) = (rate * damper.by_length, rate * damper.by_rate);
                let change = along(0.0, by_length, by_rate, &linear.velocity, &data.qvel);
                subtract_push(model, data, &change, no_tendons, forces, gradient);
            }
            return;
        }
        let unit = Push {
            actuator: i,
            force: 1.0,
            by_length: 0.0,
            by_rate: 0.0,
            field: &self.field,
            values: &step.qacc,
        };
        self.arm_gradient.clear(model);
        self.arm_forces.clear(model);
        let (forces, gradient) = (&mut self.arm_forces, &mut self.arm_gradient);
        subtract_push(model, data, &unit, &mut self.no_tendons, forces, gradient);
        forces.project(model, data, -1.0, &mut gradient.values, width, |_| true);
        // moment arms need not be the gradient of the length
        self.length_derivative.clear();
        self.length_derivative.resize(nv, 0.0);
        add_length_derivative(model, data, i, 1.0, &mut self.length_derivative);
        self.add_across(step, model, data, (columns, arms), damper, width, true);
    }

    /// All that damps one tendon.
    fn add_tendon(
        &mut self,
        step: &mut StepDerivative,
        model: &Model,
        data: &Data,
        linear: &Linearization,
        tendon: usize,
    ) {
        let width = linear.gradient.width;
        let damper = self.dampers[tendon];
        let (columns, arms) = tendon_row(model, data, tendon);
        set_related_rates(model, (columns, arms), &step.qacc, &mut self.rates);
        self.add_rate_curvature(step, model, (columns, arms), damper.by_rate, width);
        let Self {
            field,
            forces,
            gradient,
            rate_derivative,
            length_derivative,
            rates,
            arm_forces,
            arm_gradient,
            ..
        } = &mut *self;
        let fields = [&*field, &linear.velocity];
        if is_chain(model, columns) {
            let rate = rates.first().copied().unwrap_or(0.0);
            let total = TendonForce {
                force: damper.derivative * rate,
                by_length: damper.by_length * rate,
                by_rate: damper.derivative,
                by_acceleration: damper.by_rate * rate,
            };
            subtract_tendon(model, data, tendon, &total, fields, rate_derivative, forces, gradient);
            return;
        }
        length_derivative.clear();
        length_derivative.resize(model.nv, 0.0);
        for (&j, arm) in columns.iter().zip(arms) {
            length_derivative[j as usize] = *arm;
        }
        let bent = !is_fixed(model, tendon);
        if bent {
            arm_gradient.clear(model);
            arm_forces.clear(model);
            let unit = TendonForce { force: 1.0, ..TendonForce::default() };
            subtract_tendon(model, data, tendon, &unit, fields, rate_derivative, arm_forces, arm_gradient);
            arm_forces.project(model, data, -1.0, &mut arm_gradient.values, width, |_| true);
        }
        self.add_across(step, model, data, (columns, arms), &damper, width, bent);
    }

    /// Adds what a derivative that changes with its rate adds to the columns of velocities.
    fn add_rate_curvature(
        &self,
        step: &mut StepDerivative,
        model: &Model,
        (columns, arms): (&[i32], &[f64]),
        by_rate: f64,
        width: usize,
    ) {
        if by_rate == 0.0 {
            return;
        }
        for ((&k, arm), rate) in columns.iter().zip(arms).zip(&self.rates) {
            for (&j, other) in columns.iter().zip(arms) {
                step.explicit[k as usize * width + model.nv + j as usize] +=
                    model.opt.timestep * arm * rate * by_rate * other;
            }
        }
    }

    /// Adds the columns of positions of a damper across branches, whose length has the derivatives
    /// `length_derivative`. If it is `bent`, minus the derivatives of its moment arms are in `arm_gradient`:
    /// dofs whose arm is zero here may have derivatives too.
    fn add_across(
        &self,
        step: &mut StepDerivative,
        model: &Model,
        data: &Data,
        (columns, arms): (&[i32], &[f64]),
        damper: &Damper,
        width: usize,
        bent: bool,
    ) {
        let h = model.opt.timestep;
        for ((&k, arm), rate) in columns.iter().zip(arms).zip(&self.rates) {
            let row = &mut step.explicit[k as usize * width..][..model.nv];
            for (out, derivative) in row.iter_mut().zip(&self.length_derivative) {
                *out += h * arm * rate * damper.by_length * derivative;
            }
        }
        if !bent {
            return;
        }
        for k in 0..model.nv {
            let arm = columns.iter().position(|&column| column as usize == k).map_or(0.0, |at| arms[at]);
            let rate = related_rate(model, (columns, arms), k as i32, &step.qacc);
            for j in 0..model.nv {
                let arm_derivative = |i: usize| -self.arm_gradient.values[i * width + j];
                let mut change = damper.derivative * arm_derivative(k) * rate;
                if arm != 0.0 {
                    for i in 0..model.nv {
                        let derivative = arm_derivative(i);
                        if derivative != 0.0 {
                            let taken = related(model, k as i32, i as i32);
                            let related = if taken { step.qacc[i] } else { 0.0 };
                            let moving = rate * damper.by_rate * data.qvel[i];
                            change += arm * derivative * (damper.derivative * related + moving);
                        }
                    }
                }
                step.explicit[k * width + j] += h * change;
            }
        }
    }

    /// Fluids: a virtual force `B x` on each body, where `x` is its motion under `ã`.
    fn add_fluid(&mut self, step: &mut StepDerivative, model: &Model, data: &Data, linear: &Linearization) {
        if !fluid::has_fluid(model) {
            return;
        }
        let (nv, h, width) = (model.nv, model.opt.timestep, linear.gradient.width);
        for body in 1..model.nbody {
            let mut chain = chain_dofs(model, body);
            let alone = is_fast(model) && chain.next().is_some_and(|dof| model.dof_simplenum[dof] > 0);
            for element in fluid_elements(model, body) {
                let drag = Drag::new(model, data, linear, body, element);
                if alone {
                    drag.add_to_single_dofs(step, width);
                    continue;
                }
                let virtual_force = drag.along(&self.field.body[body]);
                self.forces.add(body, &virtual_force.force);
                for j in chain_dofs(model, body) {
                    let change = drag.by_position(&virtual_force, j, &self.field.base[j]);
                    self.forces.add_derivative(body, j, &change);
                    let by_velocity = drag.respond(&virtual_force.curvature, &data.cdof[j]);
                    for k in chain_dofs(model, body) {
                        step.explicit[k * width + nv + j] += h * dot6(&data.cdof[k], &by_velocity);
                    }
                }
            }
        }
    }
}

/// The damping of one element of a body in a fluid.
struct Drag<'a> {
    model: &'a Model,
    data: &'a Data,
    velocity: &'a MotionField,
    body: usize,
    element: Option<usize>,
    at: Point,
    axes: Mat3,
    damping: Matrix6<f64>,
}

/// The force `B x` for a motion `x`, and how it changes with the velocity in the fluid.
struct DragForce {
    force: Vec6,
    curvature: Matrix6<f64>,
}

impl<'a> Drag<'a> {
    fn new(
        model: &'a Model,
        data: &'a Data,
        linear: &'a Linearization,
        body: usize,
        element: Option<usize>,
    ) -> Self {
        let (frame, damping) = fluid::element_damping(model, data, body, element);
        let at = Point::new(model, data, body, &Vec3::from(*frame.pos));
        Self { model, data, velocity: &linear.velocity, body, element, at, axes: mat3(frame.mat), damping }
    }

    fn along(&self, x: &Vec6) -> DragForce {
        let Self { model, data, body, element, at, axes, damping, .. } = self;
        let motion = local(axes, at, x);
        DragForce {
            force: world_force(axes, at, &(damping * motion)),
            curvature: fluid::element_curvature(model, data, *body, *element, &motion),
        }
    }

    /// The force that a matrix in the element's axes makes of a motion.
    fn respond(&self, matrix: &Matrix6<f64>, x: &Vec6) -> Vec6 {
        world_force(&self.axes, &self.at, &(matrix * local(&self.axes, &self.at, x)))
    }

    /// Change of a force with the position of a dof, where `base` is the part of its motion that does not
    /// rotate along.
    fn by_position(&self, of: &DragForce, j: usize, base: &Vec6) -> Vec6 {
        let axis = &self.data.cdof[j];
        let wind = vec6(&Vec3::zeros(), &Vec3::from(self.model.opt.wind));
        let mut change = cross_force(axis, &of.force);
        add_to6(&mut change, &self.respond(&self.damping, &cross_motion(base, axis)));
        let still = sub6(&wind, &self.velocity.base[j]);
        add_to6(&mut change, &self.respond(&of.curvature, &cross_motion(axis, &still)));
        change
    }

    /// Dofs that stand alone feel only the drag of their own motion.
    fn add_to_single_dofs(&self, step: &mut StepDerivative, width: usize) {
        let Self { model, data, body, .. } = self;
        let (nv, h) = (model.nv, model.opt.timestep);
        for k in chain_dofs(model, *body) {
            let own = data.cdof[k].map(|x| x * step.qacc[k]);
            let drag = self.along(&own);
            let row = &mut step.explicit[k * width..];
            for j in chain_dofs(model, *body) {
                let axis = &data.cdof[j];
                let rotated = rotates(model, j, k);
                let base = if rotated { [0.0; 6] } else { own };
                let mut derivative = dot6(&data.cdof[k], &self.by_position(&drag, j, &base));
                if rotated {
                    derivative += dot6(&cross_motion(axis, &data.cdof[k]), &drag.force);
                }
                row[j] += h * derivative;
                row[nv + j] += h * dot6(&data.cdof[k], &self.respond(&drag.curvature, axis));
            }
        }
    }
}

/// A motion in the axes of a frame, at its origin, angular part first.
fn local(axes: &Mat3, at: &Point, x: &Vec6) -> Vector6<f64> {
    let (ang, lin) = (axes.tr_mul(&angular(x)), axes.tr_mul(&at_point(x, &at.offset)));
    Vector6::new(ang.x, ang.y, ang.z, lin.x, lin.y, lin.z)
}

/// A force in the axes of a frame, at its origin, as a spatial force.
fn world_force(axes: &Mat3, at: &Point, force: &Vector6<f64>) -> Vec6 {
    let torque = axes * Vec3::new(force[0], force[1], force[2]);
    wrench(&at.offset, &(axes * Vec3::new(force[3], force[4], force[5])), &torque)
}
