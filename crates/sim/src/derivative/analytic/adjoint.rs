//! Reverse mode of one step: a gradient with respect to the next state pulled back to state and controls.
//!
//! A loss with gradient `w` with respect to the acceleration `ã` of a step changes by `wᵀ ∂ã`. From
//! `M̂ ∂ã = M ∂a + R` and `H ∂a = −∂g` follows `wᵀ ∂ã = νᵀ R − μᵀ ∂g` with `M̂ᵀ ν = w` and `H μ = M ν`: two
//! solves with one right-hand side each, whatever the number of inputs.

use super::gradient::Gradient;
use super::implicit::{self, for_each_free_inertia};
use super::product_solver::ProductSolver;
use super::step_slope::solve_damped;
use super::transition::{TransitionScratch, evaluate, has_full_damping, linearize, split_dofs};
use super::{actuator, dense_ltdl};
use crate::derivative::DerivativeError;
use crate::derivative::transition::expect;
use crate::inertia::mass_matrix::m_pattern;
use crate::kinematics::poses::vec3_at;
use crate::workspace::Workspace;
use kinetree_math::dense::{add_scaled, add_to};
use kinetree_math::rot::quat_integrate_deriv;
use kinetree_math::sparse::{Csr, mul_sym_vec};
use kinetree_model::enums::Integrator;
use kinetree_model::{Data, Model};

/// Working memory.
#[derive(Default)]
pub(crate) struct AdjointScratch {
    /// `ν`; zero where `ã = a`.
    pub(super) nu: Vec<f64>,
    /// `μ`.
    pub(super) mu: Vec<f64>,
    /// Gradient with respect to the velocity that moves positions.
    moving: Vec<f64>,
    /// `M ν`.
    inertial: Vec<f64>,
    /// Gradient with respect to `(q, v, act, ctrl)`.
    inputs: Vec<f64>,
    /// Reverse mode without matrices.
    product: ProductSolver,
}

/// Reverse product: the gradients `dx` and `du` with respect to state and controls of a loss whose gradient
/// with respect to the next state is `adjoint`.
///
/// # Errors
/// As [`mjd_transition`](crate::mjd_transition); also when a vector has the wrong length.
pub(crate) fn step_vjp(
    model: &Model,
    data: &mut Data,
    work: &mut Workspace,
    adjoint: &[f64],
    dx: &mut [f64],
    du: &mut [f64],
) -> Result<(), DerivativeError> {
    let nx = 2 * model.nv + model.na;
    expect("adjoint", Some(adjoint), nx)?;
    expect("dx", Some(dx), nx)?;
    expect("du", Some(du), model.nu)?;
    pull_step(model, data, work, adjoint)?;
    let (by_state, by_controls) = work.adjoint.gradients(model);
    dx.copy_from_slice(by_state);
    du.copy_from_slice(by_controls);
    Ok(())
}

/// Evaluates the dynamics and sets the gradient with respect to all inputs of a step, in the adjoint of the
/// working memory: without matrices where nothing needs them, and otherwise from the linearized step.
///
/// # Errors
/// As [`mjd_transition`](crate::mjd_transition).
pub(super) fn pull_step(
    model: &Model,
    data: &mut Data,
    work: &mut Workspace,
    adjoint: &[f64],
) -> Result<(), DerivativeError> {
    evaluate(model, data, work, false)?;
    if ProductSolver::applies(model, data) && pull_product(model, data, work, adjoint)? {
        return Ok(());
    }
    linearize(model, data, work)?;
    work.adjoint.pull_back(model, data, &mut work.transition, adjoint)
}

/// As [`pull_step`], without matrices; returns whether the linear system could be solved.
fn pull_product(
    model: &Model,
    data: &mut Data,
    work: &mut Workspace,
    adjoint: &[f64],
) -> Result<bool, DerivativeError> {
    let Workspace { transition, adjoint: memory, stages, .. } = work;
    let is_euler = model.opt.integrator == Integrator::Euler;
    transition.linear.begin(model, data);
    if is_euler {
        transition.implicit.clear();
        transition.step.set_advance(model, data, &mut stages.factorizer);
    } else {
        // the matrices of the integrator are its own
        transition.linear.gradient.clear_coupled(model, data);
        transition.set_integrator(model, data, &mut stages.derivative)?;
    }
    memory.begin(model, data, transition, adjoint);
    if is_euler && transition.step.damped {
        solve_damped(model, data, &mut memory.nu);
        memory.add_inertial(model, data);
    } else {
        memory.pull_integrator(model, data, transition)?;
    }
    let TransitionScratch { linear, step, .. } = transition;
    let AdjointScratch { nu, mu, product, inputs, .. } = memory;
    if !product.solve(model, data, &mut stages.rows, mu) {
        return Ok(false);
    }
    linear.set_product(model, data, mu)?;
    add_scaled(inputs, &linear.gradient.product, -1.0);
    if !step.damped {
        return Ok(true);
    }
    if is_euler {
        step.pull_explicit(model, data, &mut linear.terms, nu, inputs);
    } else {
        step.add_explicit(nu, linear.gradient.width, inputs);
    }
    Ok(true)
}

impl AdjointScratch {
    /// Sets the gradient with respect to all inputs of a step that has been linearized.
    fn pull_back(
        &mut self,
        model: &Model,
        data: &Data,
        slopes: &mut TransitionScratch,
        adjoint: &[f64],
    ) -> Result<(), DerivativeError> {
        self.begin(model, data, slopes, adjoint);
        self.pull_acceleration(model, data, slopes)
    }

    /// What does not pass through the acceleration of the dynamics, and `w` in `nu`.
    fn begin(&mut self, model: &Model, data: &Data, slopes: &TransitionScratch, adjoint: &[f64]) {
        let (nv, width) = (model.nv, 2 * model.nv + model.na + model.nu);
        for (vector, size) in
            [(&mut self.inputs, width), (&mut self.moving, nv), (&mut self.nu, nv), (&mut self.mu, nv)]
        {
            vector.clear();
            vector.resize(size, 0.0);
        }
        self.pull_activations(model, slopes, &adjoint[2 * nv..]);
        self.pull_positions(model, data, slopes, &adjoint[..nv]);
        self.pull_motors(model, data, slopes, &adjoint[2 * nv..]);
        self.pull_free_bodies(model, data, slopes, &adjoint[nv..]);
        // v' = v + h ã, which moves positions
        let free = slopes.implicit.free_bodies();
        for dof in (0..nv).filter(|&dof| !free.iter().any(|step| step.moves(dof))) {
            let gradient = adjoint[nv + dof] + self.moving[dof];
            self.inputs[nv + dof] += gradient;
            self.nu[dof] = model.opt.timestep * gradient;
        }
    }

    fn pull_activations(&mut self, model: &Model, slopes: &TransitionScratch, adjoint: &[f64]) {
        let (first, controls) = (2 * model.nv, 2 * model.nv + model.na);
        self.inputs[first..controls].copy_from_slice(adjoint);
        for (i, slopes) in slopes.linear.actuators.iter().enumerate() {
            if let Some(at) = actuator::activation(model, i) {
                self.inputs[first + at] = adjoint[at] * slopes.next_activation;
                self.inputs[controls + i] = adjoint[at] * slopes.next_control;
            }
        }
    }

    /// Activations of DC motors, which depend on positions and velocities as well.
    fn pull_motors(&mut self, model: &Model, data: &Data, slopes: &TransitionScratch, adjoint: &[f64]) {
        let linear = &slopes.linear;
        for motor in &linear.motors {
            let first = 2 * model.nv;
            for at in motor.activations() {
                self.inputs[first + at] = 0.0;
            }
            for at in motor.activations() {
                let weight = adjoint[at];
                motor.add_next_slope(model, data, &linear.velocity, at, weight, &mut self.inputs);
            }
        }
    }

    /// Positions after the step, to positions before and the velocity that moves them.
    fn pull_positions(&mut self, model: &Model, data: &Data, slopes: &TransitionScratch, adjoint: &[f64]) {
        let h = model.opt.timestep;
        for joint in 0..model.njnt {
            let (straight, turned) = split_dofs(model, joint);
            for d in straight {
                self.inputs[d] = adjoint[d];
                self.moving[d] = h * adjoint[d];
            }
            if turned.is_empty() {
                continue;
            }
            let turn = quat_integrate_deriv(&slopes.moving_spin(data, turned.start, h), h);
            let gradient = vec3_at(adjoint, turned.start);
            let (position, velocity) = (turn.quat.tr_mul(&gradient), turn.vel.tr_mul(&gradient) * h);
            for (k, d) in turned.enumerate() {
                self.inputs[d] = position[k];
                self.moving[d] = velocity[k];
            }
        }
    }

    /// Free bodies that the midpoint rule moves: half of the velocity that moves them is that before the
    /// step, and that after it follows from their rotation, velocity and external force `M a + c`.
    fn pull_free_bodies(
        &mut self,
        model: &Model,
        data: &Data,
        slopes: &TransitionScratch,
        velocity_adjoint: &[f64],
    ) {
        let (nv, width) = (model.nv, slopes.linear.gradient.width);
        let force_slope = slopes.implicit.free_force_slope();
        for step in slopes.implicit.free_bodies() {
            let dof = step.dof;
            let mut after = [0.0; 6];
            for k in step.first..6 {
                let half = 0.5 * self.moving[dof + k];
                after[k] = velocity_adjoint[dof + k] + half;
                self.inputs[nv + dof + k] += half;
            }
            let along = |slope: &[f64; 6]| slope.iter().zip(&after).map(|(a, b)| a * b).sum::<f64>();
            for k in 0..3 {
                self.inputs[dof + 3 + k] += along(&step.by_turn[k]);
            }
            let force = step.by_force.map(|slope| along(&slope));
            for k in 0..6 {
                self.inputs[nv + dof + k] += along(&step.by_velocity[k]);
                add_scaled(
                    &mut self.inputs,
                    &force_slope[(dof + k) * width..(dof + k + 1) * width],
                    force[k],
                );
            }
            for_each_free_inertia(model, data, dof, |row, column, value| {
                self.mu[column] += value * force[row - dof];
            });
        }
    }

    /// From `w` in `nu` to `ν` and `μ`, and on to the inputs; `mu` holds what else depends on `a`.
    fn pull_acceleration(
        &mut self,
        model: &Model,
        data: &Data,
        slopes: &mut TransitionScratch,
    ) -> Result<(), DerivativeError> {
        self.pull_integrator(model, data, slopes)?;
        let TransitionScratch { linear, step, .. } = slopes;
        let (nv, width) = (model.nv, linear.gradient.width);
        let Gradient { hessian, values, coupling, .. } = &linear.gradient;
        dense_ltdl::solve_vector(hessian, nv, coupling, &mut self.mu);
        for dof in 0..nv {
            let row = dof * width..(dof + 1) * width;
            for columns in coupling.columns(dof) {
                add_scaled(&mut self.inputs[columns.clone()], &values[row.clone()][columns], -self.mu[dof]);
            }
        }
        if step.damped {
            step.add_explicit(&self.nu, width, &mut self.inputs);
        }
        Ok(())
    }

    /// From `w` to `ν`, by the matrices of the integrator, and on to the right-hand side of `μ`.
    fn pull_integrator(
        &mut self,
        model: &Model,
        data: &Data,
        slopes: &mut TransitionScratch,
    ) -> Result<(), DerivativeError> {
        let TransitionScratch { step, implicit, .. } = slopes;
        if !step.damped {
            add_to(&mut self.mu, &self.nu);
            self.nu.fill(0.0);
            return Ok(());
        }
        if has_full_damping(model) {
            implicit::solve_transposed(step, implicit, model, &mut self.nu)?;
        } else {
            dense_ltdl::solve_vector(&step.matrix, model.nv, &step.coupling, &mut self.nu);
        }
        self.add_inertial(model, data);
        Ok(())
    }

    /// Adds `M ν` to the right-hand side of `μ`.
    fn add_inertial(&mut self, model: &Model, data: &Data) {
        self.inertial.clear();
        self.inertial.resize(model.nv, 0.0);
        mul_sym_vec(&mut self.inertial, Csr::new(m_pattern(model), &data.M), &self.nu);
        add_to(&mut self.mu, &self.inertial);
    }

    /// Gradients with respect to the state and the controls.
    pub(super) fn gradients(&self, model: &Model) -> (&[f64], &[f64]) {
        self.inputs.split_at(2 * model.nv + model.na)
    }
}
