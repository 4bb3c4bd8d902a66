//! The implicit integrators, linearized.
//!
//! `M̂ = M − h D` with `D = ∂τ/∂v` of actuators, dampers and, in the full method, of Coriolis forces. What
//! `D` itself changes by is multiplied with the acceleration `ã` of the step: a term `J b Jᵀ` of `D` acts
//! like a virtual force `b (J·ã)` along `J`, and since Coriolis forces are quadratic in velocity, `∂c/∂v ã`
//! is half the difference of those at `v + ã` and `v − ã`.

use super::actuator::{self, Push};
use super::body_forces::BodyForces;
use super::dense_ltdl;
use super::gradient::Gradient;
use super::inverse_dynamics::{SubtreeTerms, add_inverse_dynamics};
use super::linearize::{Linearization, add_inertia};
use super::midpoint::{FreeChange, FreeStep};
use super::motion::MotionField;
use super::tendon::{TendonForce, passive_force, subtract_tendon};
use super::transition::{StepSlope, damping_curvature};
use crate::derivative::{DerivativeError, DerivativeScratch, mjd_smooth_vel};
use crate::integrate::is_standalone;
use kinetree_math::Vec3;
use kinetree_math::sparse::{Pattern, lu_factor, lu_solve};
use kinetree_model::enums::{DisableBit, EnableBit, GainType, Integrator};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Working memory of the implicit integrators.
#[derive(Default)]
pub(super) struct ImplicitSlopes {
    field: MotionField,
    no_field: MotionField,
    forces: BodyForces,
    gradient: Gradient,
    terms: SubtreeTerms,
    tendons: Vec<TendonForce>,
    rate_slope: Vec<f64>,
    velocity: Vec<f64>,
    shifted: [MotionField; 2],
    coriolis: Vec<f64>,
    remaining: Vec<i32>,
    lu: Vec<f64>,
    column: Vec<f64>,
    /// Free bodies that stand alone, and six rows for each: the slope of their next velocity.
    free: Vec<FreeStep>,
    free_rows: Vec<f64>,
}

/// Says what the implicit integrators have no derivatives for.
fn check(model: &Model, data: &Data, linear: &Linearization) -> Result<(), DerivativeError> {
    let refuse = |what| Err(DerivativeError::Unsupported(what));
    if model.opt.viscosity != 0.0 || model.opt.density != 0.0 {
        return refuse("a fluid with an implicit integrator");
    }
    for (i, slopes) in linear.actuators.iter().enumerate() {
        if slopes.velocity == 0.0 {
            continue;
        }
        if model.actuator_gaintype[i] == GainType::Muscle {
            return refuse("a muscle with an implicit integrator");
        }
        if !is_chain(model, actuator::moment(data, i).0) {
            return refuse("damping across branches with an implicit integrator");
        }
    }
    for tendon in 0..model.ntendon {
        if passive_force(model, data, tendon).by_rate == 0.0 {
            continue;
        }
        if model.tendon_dampingpoly[tendon] != [0.0; 2] {
            return refuse("nonlinear damping of a tendon with an implicit integrator");
        }
        if !is_chain(model, super::tendon::tendon_row(model, data, tendon).0) {
            return refuse("damping across branches with an implicit integrator");
        }
    }
    Ok(())
}

/// Whether each of some dofs moves the next: the pattern of `D` then has all their pairs.
fn is_chain(model: &Model, columns: &[i32]) -> bool {
    let Some(&last) = columns.last() else { return true };
    let mut next = last;
    columns.iter().rev().all(|&dof| {
        while next > dof {
            next = model.dof_parentid[next as usize];
        }
        next == dof
    })
}

/// Sets the slope of the acceleration of an implicit step.
pub(super) fn advance(
    step: &mut StepSlope,
    model: &Model,
    data: &mut Data,
    linear: &mut Linearization,
    derivative: &mut DerivativeScratch,
) -> Result<(), DerivativeError> {
    check(model, data, linear)?;
    let full = model.opt.integrator == Integrator::Implicit;
    mjd_smooth_vel(model, data, derivative, full);
    let (nv, h, width) = (model.nv, model.opt.timestep, linear.gradient.width);

    // M̂, dense for the symmetric method and sparse for the full one
    step.matrix.clear();
    step.matrix.resize(nv * nv, 0.0);
    add_inertia(model, data, &mut step.matrix);
    if full {
        symmetrize(&mut step.matrix, nv);
    }
    step.slope.fill(0.0);
    for k in 0..nv {
        let start = model.D_rowadr[k] as usize;
        for at in start..start + model.D_rownnz[k] as usize {
            let (j, value) = (model.D_colind[at] as usize, h * data.qDeriv[at]);
            step.matrix[k * nv + j] -= value;
            // h D ∂a
            let (from, to) = (&linear.slope[j * width..(j + 1) * width], &mut step.slope[k * width..]);
            for (out, x) in to.iter_mut().zip(from) {
                *out += value * x;
            }
        }
        step.qacc[k] = data.qfrc_smooth[k] + data.qfrc_constraint[k];
    }
    let mut memory = std::mem::take(&mut step.implicit);
    let result = memory.solve_and_add(step, model, data, linear, full);
    step.implicit = memory;
    result
}

/// Copies the lower triangle to the upper one.
fn symmetrize(matrix: &mut [f64], n: usize) {
    for k in 0..n {
        for j in 0..k {
            matrix[j * n + k] = matrix[k * n + j];
        }
    }
}

impl ImplicitSlopes {
    fn solve_and_add(
        &mut self,
        step: &mut StepSlope,
        model: &Model,
        data: &mut Data,
        linear: &mut Linearization,
        full: bool,
    ) -> Result<(), DerivativeError> {
        let nv = model.nv;
        if full {
            self.factor_full(model, &step.matrix)?;
            self.solve_full(model, &mut step.qacc, 1);
        } else {
            dense_ltdl::factor(&mut step.matrix, nv);
            dense_ltdl::solve(&step.matrix, nv, &mut step.qacc, 1);
        }
        self.add_damping_slope(step, model, data, linear);
        if full {
            self.add_coriolis_slope(step, model, data, linear.gradient.width);
        }
        step.add_inertia_difference(model, data, linear);
        if full {
            self.solve_full(model, &mut step.slope, linear.gradient.width);
        } else {
            dense_ltdl::solve(&step.matrix, nv, &mut step.slope, linear.gradient.width);
        }
        for (total, own) in step.slope.iter_mut().zip(&linear.slope) {
            *total += own;
        }
        self.step_free_bodies(model, data, linear);
        Ok(())
    }

    /// Steps of free bodies that stand alone.
    fn step_free_bodies(&mut self, model: &Model, data: &Data, linear: &mut Linearization) {
        self.free.clear();
        self.free_rows.clear();
        let free = |joint: &usize| is_standalone(model, *joint);
        if model.enabled(EnableBit::Invdiscrete) || !(0..model.njnt).any(|joint| free(&joint)) {
            return;
        }
        let (nv, width) = (model.nv, linear.gradient.width);
        // the external force is that of inverse dynamics
        self.gradient.clear(model);
        linear.add_inverse_dynamics(model, data, &mut self.gradient);
        for joint in (0..model.njnt).filter(free) {
            let dof = model.jnt_dofadr[joint] as usize;
            let force = std::array::from_fn(|k| {
                data.qfrc_smooth[dof + k] + data.qfrc_constraint[dof + k] + data.qfrc_bias[dof + k]
            });
            let step = FreeStep::new(model, data, joint, &force);
            let start = self.free_rows.len();
            self.free_rows.resize(start + 6 * width, 0.0);
            for c in 0..width {
                let unit = |input: usize| f64::from(u8::from(c == input));
                let mut change = FreeChange {
                    turn: Vec3::from_fn(|k, _| unit(dof + 3 + k)),
                    velocity: std::array::from_fn(|k| unit(nv + dof + k)),
                    force: std::array::from_fn(|k| self.gradient.values[(dof + k) * width + c]),
                };
                // M ∂a, of which the lower triangle is stored
                for row in dof..dof + 6 {
                    let start = model.M_rowadr[row] as usize;
                    for at in start..start + model.M_rownnz[row] as usize {
                        let column = model.M_colind[at] as usize;
                        change.force[row - dof] += data.M[at] * linear.slope[column * width + c];
                        if column != row {
                            change.force[column - dof] += data.M[at] * linear.slope[row * width + c];
                        }
                    }
                }
                for (k, value) in step.change(&change).into_iter().enumerate() {
                    self.free_rows[start + k * width + c] = value;
                }
            }
            self.free.push(step);
        }
    }

    /// Replaces the rows of free bodies in the next velocity; those of the velocity that moves positions are
    /// the mean of both ends.
    pub(super) fn replace_rows(
        &self,
        nv: usize,
        width: usize,
        inputs: &Range<usize>,
        next: &mut [f64],
        moving: &mut [f64],
    ) {
        let n = inputs.len();
        for (b, step) in self.free.iter().enumerate() {
            for k in step.first..6 {
                let dof = step.dof + k;
                let row = &self.free_rows[(6 * b + k) * width..(6 * b + k + 1) * width][inputs.clone()];
                next[dof * n..(dof + 1) * n].copy_from_slice(row);
                let moving = &mut moving[dof * n..(dof + 1) * n];
                for (c, (out, value)) in moving.iter_mut().zip(row).enumerate() {
                    let old = f64::from(u8::from(inputs.start + c == nv + dof));
                    *out = 0.5 * (value + old);
                }
            }
        }
    }

    /// The velocity that moves a dof, where the midpoint rule gives it.
    pub(super) fn moving_velocity(&self, dof: usize) -> Option<f64> {
        let step = self.free.iter().find(|s| (s.dof + s.first..s.dof + 6).contains(&dof))?;
        let k = dof - step.dof;
        Some(0.5 * (step.old[k] + step.new[k]))
    }

    /// Forgets the free bodies of another step.
    pub(super) fn clear(&mut self) {
        self.free.clear();
    }

    /// Factors the full matrix on the pattern of `D`.
    fn factor_full(&mut self, model: &Model, matrix: &[f64]) -> Result<(), DerivativeError> {
        self.lu.clear();
        for k in 0..model.nv {
            let start = model.D_rowadr[k] as usize;
            let columns = &model.D_colind[start..start + model.D_rownnz[k] as usize];
            self.lu.extend(columns.iter().map(|&j| matrix[k * model.nv + j as usize]));
        }
        self.remaining.clear();
        self.remaining.resize(model.nv, 0);
        let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
        lu_factor(&mut self.lu, &mut self.remaining, pattern, None)
            .map_err(|error| DerivativeError::Step(error.into()))
    }

    /// Solves with the full matrix for all columns.
    fn solve_full(&mut self, model: &Model, x: &mut [f64], width: usize) {
        let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
        for c in 0..width {
            self.column.clear();
            self.column.extend((0..model.nv).map(|k| x[k * width + c]));
            lu_solve(&mut self.column, &self.lu, pattern, &model.D_diag, None);
            for (k, value) in self.column.iter().enumerate() {
                x[k * width + c] = *value;
            }
        }
    }

    /// Adds `h ∂D ã` of actuators and dampers.
    fn add_damping_slope(
        &mut self,
        step: &mut StepSlope,
        model: &Model,
        data: &Data,
        linear: &Linearization,
    ) {
        let (nv, na, h, width) = (model.nv, model.na, model.opt.timestep, linear.gradient.width);
        if !model.disabled(DisableBit::Damper) {
            for dof in 0..nv {
                step.slope[dof * width + nv + dof] -=
                    h * damping_curvature(model, data, dof) * step.qacc[dof];
            }
        }
        self.field.set(model, &data.cdof, &step.qacc);
        self.gradient.clear(model);
        self.forces.clear(model);
        self.tendons.clear();
        self.tendons.resize(model.ntendon, TendonForce::default());
        let Self { field, tendons, forces, gradient, .. } = &mut *self;
        for (i, slopes) in linear.actuators.iter().enumerate() {
            let (columns, arms) = actuator::moment(data, i);
            let rate: f64 = columns.iter().zip(arms).map(|(&k, arm)| arm * step.qacc[k as usize]).sum();
            let push = Push {
                actuator: i,
                force: slopes.velocity * rate,
                by_length: 0.0,
                by_rate: slopes.velocity,
                field,
                values: &step.qacc,
            };
            actuator::subtract_push(model, data, &push, tendons, forces, gradient);
            // a gain that changes with velocity is multiplied with the input
            if model.actuator_gaintype[i] == GainType::Affine && slopes.velocity != 0.0 {
                let gain = model.actuator_gainprm[i][2] * rate;
                let input = actuator::input_slopes(model, i, slopes);
                for (&k, arm) in columns.iter().zip(arms) {
                    let row = &mut step.slope[k as usize * width..];
                    row[2 * nv + na + i] += h * arm * gain * input.control;
                    if let Some(at) = actuator::activation(model, i) {
                        row[2 * nv + at] += h * arm * gain * input.activation;
                    }
                }
            }
        }
        self.no_field.set(model, &data.cdof, &data.qvel);
        let Self { tendons, forces, gradient, rate_slope, field, no_field, .. } = &mut *self;
        for (tendon, total) in tendons.iter_mut().enumerate() {
            let own = passive_force(model, data, tendon).by_rate;
            let (columns, jacobian) = super::tendon::tendon_row(model, data, tendon);
            let rate: f64 = columns.iter().zip(jacobian).map(|(&k, j)| j * step.qacc[k as usize]).sum();
            total.force += own * rate;
            total.by_rate += own;
            subtract_tendon(model, data, tendon, total, [field, no_field], rate_slope, forces, gradient);
        }
        forces.project(model, data, -1.0, &mut gradient.values, width, |_| true);
        // only positions: the virtual forces depend on nothing else
        for k in 0..nv {
            for j in 0..nv {
                step.slope[k * width + j] -= h * gradient.values[k * width + j];
            }
        }
    }

    /// Adds `h ∂D ã` of Coriolis and centrifugal forces, which enter `D` with a minus.
    fn add_coriolis_slope(&mut self, step: &mut StepSlope, model: &Model, data: &mut Data, width: usize) {
        let (nv, h) = (model.nv, model.opt.timestep);
        self.coriolis.clear();
        self.coriolis.resize(nv * 2 * nv, 0.0);
        for sign in [1.0, -1.0] {
            self.velocity.clear();
            self.velocity.extend(data.qvel.iter().zip(&step.qacc).map(|(v, a)| v + sign * a));
            let [moved, accelerated] = &mut self.shifted;
            moved.set(model, &data.cdof, &self.velocity);
            accelerated.set_velocity_products(model, &data.cdof, moved, &self.velocity);
            self.gradient.clear(model);
            let velocity = &self.velocity;
            add_inverse_dynamics(
                model,
                data,
                velocity,
                &mut self.terms,
                moved,
                accelerated,
                &mut self.gradient.values,
                width,
            );
            for k in 0..nv {
                for j in 0..2 * nv {
                    self.coriolis[k * 2 * nv + j] += 0.5 * sign * self.gradient.values[k * width + j];
                }
            }
        }
        for k in 0..nv {
            for j in 0..2 * nv {
                step.slope[k * width + j] -= h * self.coriolis[k * 2 * nv + j];
            }
        }
    }
}
