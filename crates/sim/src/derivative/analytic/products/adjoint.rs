//! Reverse mode of one step: a gradient with respect to the next state pulled back to state and controls.
//!
//! A loss with gradient `w` with respect to the acceleration `ã` of a step changes by `wᵀ ∂ã`. From
//! `M̂ ∂ã = M ∂a + R` and `H ∂a = −∂g` follows `wᵀ ∂ã = νᵀ R − μᵀ ∂g` with `M̂ᵀ ν = w` and `H μ = M ν`: two
//! solves with one right-hand side each, whatever the number of inputs.

use super::solver::ProductSolver;
use crate::derivative::analytic::actuation::actuator;
use crate::derivative::analytic::dense_ltdl;
use crate::derivative::analytic::evaluated::{Evaluated, evaluate};
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::analytic::integrator::implicit::{self, for_each_free_inertia};
use crate::derivative::analytic::integrator::step::solve_damped;
use crate::derivative::analytic::transition::{
    LinearStep, TransitionScratch, has_full_damping, linearize, split_dofs,
};
use crate::derivative::error::DerivativeError;
use crate::inertia::mass_matrix::m_pattern;
use crate::kinematics::poses::vec3_at;
use crate::stage_memory::StageMemory;
use kinetree_math::dense::{add_scaled, add_to};
use kinetree_math::rot::quat_integrate_deriv;
use kinetree_math::sparse::{Csr, mul_sym_vec};
use kinetree_model::enums::Integrator;
use kinetree_model::{Data, Model};

/// Working memory.
#[derive(Default)]
pub(crate) struct AdjointScratch {
    /// `ν`; zero where `ã = a`.
    pub(crate) nu: Vec<f64>,
    /// `μ`.
    pub(crate) mu: Vec<f64>,
    /// Gradient with respect to the velocity that moves positions.
    moving: Vec<f64>,
    /// `M ν`.
    inertial: Vec<f64>,
    /// Gradient with respect to `(q, v, act, ctrl)`.
    inputs: Vec<f64>,
    /// Reverse mode without matrices.
    product: ProductSolver,
}

/// A step whose gradients have been pulled back: made by [`pull_step`] alone.
pub(crate) struct PulledStep<'a> {
    /// The step, linearized.
    pub(super) step: &'a TransitionScratch,
    pub(super) adjoint: &'a AdjointScratch,
}

impl PulledStep<'_> {
    /// Gradients with respect to the state and the controls.
    pub(crate) fn gradients(&self, model: &Model) -> (&[f64], &[f64]) {
        self.adjoint.inputs.split_at(2 * model.nv + model.na)
    }
}

/// Evaluates the dynamics and pulls a gradient with respect to the next state back to all inputs of the step:
/// without matrices where nothing needs them, and otherwise from the linearized step.
///
/// # Errors
/// As [`mjd_transition`](crate::mjd_transition).
pub(crate) fn pull_step<'a>(
    model: &Model,
    data: &mut Data,
    stages: &mut StageMemory,
    transition: &'a mut TransitionScratch,
    memory: &'a mut AdjointScratch,
    adjoint: &[f64],
) -> Result<PulledStep<'a>, DerivativeError> {
    let mut data = evaluate(model, data, stages, false)?;
    let applies = ProductSolver::applies(model, &data);
    if !applies || !memory.pull_product(model, &mut data, stages, transition, adjoint)? {
        let mut step = linearize(model, &mut data, stages, transition)?;
        memory.pull(model, &data, &mut step, adjoint)?;
    }
    Ok(PulledStep { step: transition, adjoint: memory })
}

impl AdjointScratch {
    /// Pulls a gradient with respect to the next state of a linearized step back to all its inputs.
    pub(super) fn pull(
        &mut self,
        model: &Model,
        data: &Data,
        step: &mut LinearStep<'_>,
        adjoint: &[f64],
    ) -> Result<(), DerivativeError> {
        self.begin(model, data, step.0, adjoint);
        self.pull_acceleration(model, data, step)
    }

    /// As [`pull_step`], without matrices; returns whether the linear system could be solved.
    fn pull_product(
        &mut self,
        model: &Model,
        data: &mut Evaluated<'_>,
        stages: &mut StageMemory,
        transition: &mut TransitionScratch,
        adjoint: &[f64],
    ) -> Result<bool, DerivativeError> {
        let is_euler = model.opt.integrator == Integrator::Euler;
        let prepared = transition.linear.prepare(model, data);
        if is_euler {
            transition.implicit.clear();
            transition.step.set_advance(model, data, &mut stages.factorizer);
        } else {
            // the matrices of the integrator are its own
            transition.linear.gradient.clear_coupled(model, data);
            transition.set_integrator(model, data, &mut stages.derivative)?;
        }
        self.begin(model, data, transition, adjoint);
        if is_euler && transition.step.damped {
            solve_damped(model, data, &mut self.nu);
            self.add_inertial(model, data);
        } else {
            self.pull_integrator(model, data, transition)?;
        }
        let TransitionScratch { linear, step, .. } = transition;
        let Self { nu, mu, product, inputs, .. } = self;
        if !product.solve(model, data, &mut stages.rows, mu) {
            return Ok(false);
        }
        linear.set_product(model, data, prepared, mu)?;
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

    /// What does not pass through the acceleration of the dynamics, and `w` in `nu`.
    fn begin(&mut self, model: &Model, data: &Data, derivatives: &TransitionScratch, adjoint: &[f64]) {
        let (nv, width) = (model.nv, 2 * model.nv + model.na + model.nu);
        for (vector, size) in
            [(&mut self.inputs, width), (&mut self.moving, nv), (&mut self.nu, nv), (&mut self.mu, nv)]
        {
            vector.clear();
            vector.resize(size, 0.0);
        }
        self.pull_activations(model, derivatives, &adjoint[2 * nv..]);
        self.pull_positions(model, data, derivatives, &adjoint[..nv]);
        self.pull_motors(model, data, derivatives, &adjoint[2 * nv..]);
        self.pull_free_bodies(model, data, derivatives, &adjoint[nv..]);
        // v' = v + h ã, which moves positions
        let free = derivatives.implicit.free_bodies();
        for dof in (0..nv).filter(|&dof| !free.iter().any(|step| step.moves(dof))) {
            let gradient = adjoint[nv + dof] + self.moving[dof];
            self.inputs[nv + dof] += gradient;
            self.nu[dof] = model.opt.timestep * gradient;
        }
    }

    fn pull_activations(&mut self, model: &Model, derivatives: &TransitionScratch, adjoint: &[f64]) {
        let (first, controls) = (2 * model.nv, 2 * model.nv + model.na);
        self.inputs[first..controls].copy_from_slice(adjoint);
        for (i, derivatives) in derivatives.linear.actuators.iter().enumerate() {
            if let Some(at) = actuator::activation(model, i) {
                self.inputs[first + at] = adjoint[at] * derivatives.next_activation;
                self.inputs[controls + i] = adjoint[at] * derivatives.next_control;
            }
        }
    }

    /// Activations of DC motors, which depend on positions and velocities as well.
    fn pull_motors(&mut self, model: &Model, data: &Data, derivatives: &TransitionScratch, adjoint: &[f64]) {
        let linear = &derivatives.linear;
        for motor in &linear.motors {
            let first = 2 * model.nv;
            for at in motor.activations() {
                self.inputs[first + at] = 0.0;
            }
            for at in motor.activations() {
                let weight = adjoint[at];
                motor.add_next_derivative(model, data, &linear.velocity, at, weight, &mut self.inputs);
            }
        }
    }

    /// Positions after the step, to positions before and the velocity that moves them.
    fn pull_positions(
        &mut self,
        model: &Model,
        data: &Data,
        derivatives: &TransitionScratch,
        adjoint: &[f64],
    ) {
        let h = model.opt.timestep;
        for joint in 0..model.njnt {
            let (straight, rotated) = split_dofs(model, joint);
            for d in straight {
                self.inputs[d] = adjoint[d];
                self.moving[d] = h * adjoint[d];
            }
            if rotated.is_empty() {
                continue;
            }
            let rotation = quat_integrate_deriv(&derivatives.moving_spin(data, rotated.start, h), h);
            let gradient = vec3_at(adjoint, rotated.start);
            let (position, velocity) = (rotation.quat.tr_mul(&gradient), rotation.vel.tr_mul(&gradient) * h);
            for (k, d) in rotated.enumerate() {
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
        derivatives: &TransitionScratch,
        velocity_adjoint: &[f64],
    ) {
        let (nv, width) = (model.nv, derivatives.linear.gradient.width);
        let force_derivative = derivatives.implicit.free_force_derivative();
        for step in derivatives.implicit.free_bodies() {
            let dof = step.dof;
            let mut after = [0.0; 6];
            for k in step.first..6 {
                let half = 0.5 * self.moving[dof + k];
                after[k] = velocity_adjoint[dof + k] + half;
                self.inputs[nv + dof + k] += half;
            }
            let along =
                |derivative: &[f64; 6]| derivative.iter().zip(&after).map(|(a, b)| a * b).sum::<f64>();
            for k in 0..3 {
                self.inputs[dof + 3 + k] += along(&step.by_rotation[k]);
            }
            let force = step.by_force.map(|derivative| along(&derivative));
            for k in 0..6 {
                self.inputs[nv + dof + k] += along(&step.by_velocity[k]);
                add_scaled(
                    &mut self.inputs,
                    &force_derivative[(dof + k) * width..(dof + k + 1) * width],
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
        step: &mut LinearStep<'_>,
    ) -> Result<(), DerivativeError> {
        self.pull_integrator(model, data, step.0)?;
        let TransitionScratch { linear, step, .. } = &*step.0;
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
        derivatives: &mut TransitionScratch,
    ) -> Result<(), DerivativeError> {
        let TransitionScratch { step, implicit, .. } = derivatives;
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
}
