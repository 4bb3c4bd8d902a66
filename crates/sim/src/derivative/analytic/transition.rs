//! Analytic derivatives of a step: `A` and `B` of `x' = f(x, u)`, and `C` and `D` of sensors.

use super::actuation::actuator;
use super::evaluated::{Evaluated, evaluate};
use super::integrator::implicit::{self, ImplicitDerivatives};
use super::integrator::step::StepDerivative;
use super::linearize::{Linearization, Residual};
use super::sensor::rows::SensorDerivatives;
use crate::damped_inertia::has_implicit_damping;
use crate::derivative::error::{DerivativeError, expect_transition};
use crate::derivative::velocity::DerivativeScratch;
use crate::stage_memory::StageMemory;
use kinetree_math::Vec3;
use kinetree_math::rot::quat_integrate_deriv;
use kinetree_model::enums::{Integrator, JointType};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Working memory: a step, linearized.
#[derive(Default)]
pub(crate) struct TransitionScratch {
    pub(super) linear: Linearization,
    pub(super) step: StepDerivative,
    pub(super) implicit: ImplicitDerivatives,
    pub(super) sensors: SensorDerivatives,
    /// Rows of the velocity that moves positions.
    velocity_rows: Vec<f64>,
    /// Row of an activation of a DC motor.
    motor_row: Vec<f64>,
}

/// Analytic derivatives of one step: `A`, of the next state with respect to the state, `B`, with respect to
/// the controls, `C` and `D`, the same of the sensors, laid out as those of
/// [`mjd_transition_fd`](crate::mjd_transition_fd). Each may be left out. The state remains as it was; what
/// follows from it is evaluated.
///
/// # Errors
/// When a matrix has the wrong size, the dynamics cannot be evaluated, or something has no analytic
/// derivative, which the error names.
pub(crate) fn mjd_transition(
    model: &Model,
    data: &mut Data,
    stages: &mut StageMemory,
    derivatives: &mut TransitionScratch,
    a: Option<&mut [f64]>,
    b: Option<&mut [f64]>,
    c: Option<&mut [f64]>,
    d: Option<&mut [f64]>,
) -> Result<(), DerivativeError> {
    let (nv, na, nu, ns) = (model.nv, model.na, model.nu, model.nsensordata);
    let nx = 2 * nv + na;
    expect_transition(model, [a.as_deref(), b.as_deref(), c.as_deref(), d.as_deref()])?;
    let sensors = ns > 0 && (c.is_some() || d.is_some());
    let mut data = evaluate(model, data, stages, sensors)?;
    let mut step = linearize(model, &mut data, stages, derivatives)?.solve(model, &data);
    if sensors {
        let TransitionScratch { sensors, linear, .. } = &mut *step.0;
        sensors.write(model, &data, linear, c, d)?;
    }
    if let Some(a) = a {
        step.write(model, &data, a, 0..nx);
    }
    if let Some(b) = b {
        step.write(model, &data, b, nx..nx + nu);
    }
    Ok(())
}

/// A linearized step, with `H` factored: made by [`linearize`] alone.
pub(super) struct LinearStep<'a>(pub(super) &'a mut TransitionScratch);

/// A linearized step with the derivative of its acceleration: made by [`LinearStep::solve`] alone.
pub(super) struct SolvedStep<'a>(pub(super) &'a mut TransitionScratch);

/// Linearizes a step, up to the solution for the derivative of the acceleration.
pub(super) fn linearize<'a>(
    model: &Model,
    data: &mut Evaluated<'_>,
    stages: &mut StageMemory,
    derivatives: &'a mut TransitionScratch,
) -> Result<LinearStep<'a>, DerivativeError> {
    derivatives.linear.set(model, data, Residual::Forward)?;
    derivatives.linear.factor()?;
    derivatives.set_integrator(model, data, &mut stages.derivative)?;
    Ok(LinearStep(derivatives))
}

impl<'a> LinearStep<'a> {
    /// Solves for the derivative of the acceleration.
    pub(super) fn solve(self, model: &Model, data: &Data) -> SolvedStep<'a> {
        let TransitionScratch { linear, step, implicit, .. } = &mut *self.0;
        linear.solve();
        if !step.damped {
            step.derivative.clone_from(&linear.derivative);
        } else if has_full_damping(model) {
            implicit::solve(step, implicit, model, data, linear);
        } else {
            step.solve_diagonal(model, linear);
        }
        SolvedStep(self.0)
    }
}

impl TransitionScratch {
    /// Sets `ã`, `M̂` and `R` of the integrator; motion fields, derivatives of actuators and what is coupled
    /// are there.
    pub(super) fn set_integrator(
        &mut self,
        model: &Model,
        data: &mut Data,
        derivative: &mut DerivativeScratch,
    ) -> Result<(), DerivativeError> {
        let Self { linear, step, implicit, .. } = self;
        implicit.clear();
        match Integrator::try_from(model.opt.integrator) {
            Ok(Integrator::Euler) if has_implicit_damping(model, data) => step.set_euler(model, data, linear),
            Ok(Integrator::Euler) => step.set_plain(data),
            Ok(Integrator::Implicitfast | Integrator::Implicit) => {
                implicit::linearize(step, implicit, model, data, linear, derivative)?;
            }
            Ok(Integrator::ImplicitSpringDamper | Integrator::ImplicitEuler) => {
                step.set_spring_damper(model, data, linear);
            }
            _ => return Err(DerivativeError::Unsupported("this integrator")),
        }
        Ok(())
    }

    /// The angular velocity that rotates a ball or free joint with first rotation `dof`.
    pub(super) fn moving_spin(&self, data: &Data, dof: usize, h: f64) -> Vec3 {
        Vec3::from_fn(|k, _| {
            let dof = dof + k;
            self.implicit.moving_velocity(dof).unwrap_or(data.qvel[dof] + h * self.step.qacc[dof])
        })
    }
}

impl SolvedStep<'_> {
    /// Writes the derivative of the next state with respect to a range of inputs.
    fn write(&mut self, model: &Model, data: &Data, out: &mut [f64], inputs: Range<usize>) {
        let (nv, h, n, width) = (model.nv, model.opt.timestep, inputs.len(), self.0.linear.gradient.width);
        if n == 0 {
            return;
        }
        let (positions, rest) = out.split_at_mut(nv * n);
        let (velocities, activations) = rest.split_at_mut(nv * n);
        for dof in 0..nv {
            let row = &mut velocities[dof * n..(dof + 1) * n];
            let derivative = &self.0.step.derivative[dof * width..(dof + 1) * width][inputs.clone()];
            for (out, derivative) in row.iter_mut().zip(derivative) {
                *out = h * derivative;
            }
            if inputs.contains(&(nv + dof)) {
                row[nv + dof - inputs.start] += 1.0;
            }
        }
        self.0.velocity_rows.clear();
        self.0.velocity_rows.extend_from_slice(velocities);
        let TransitionScratch { implicit, velocity_rows, .. } = &mut *self.0;
        implicit.replace_rows(nv, width, &inputs, velocities, velocity_rows);
        self.write_positions(model, data, positions, &inputs);
        self.write_activations(model, data, activations, &inputs);
    }

    fn write_activations(&mut self, model: &Model, data: &Data, out: &mut [f64], inputs: &Range<usize>) {
        let (nv, na, n) = (model.nv, model.na, inputs.len());
        out.fill(0.0);
        for i in 0..na {
            if inputs.contains(&(2 * nv + i)) {
                out[i * n + 2 * nv + i - inputs.start] = 1.0;
            }
        }
        for (i, derivatives) in self.0.linear.actuators.iter().enumerate() {
            let Some(at) = actuator::activation(model, i) else { continue };
            for (input, value) in
                [(2 * nv + at, derivatives.next_activation), (2 * nv + na + i, derivatives.next_control)]
            {
                if inputs.contains(&input) {
                    out[at * n + input - inputs.start] = value;
                }
            }
        }
        let TransitionScratch { linear, motor_row, .. } = &mut *self.0;
        for motor in &linear.motors {
            for at in motor.activations() {
                motor_row.clear();
                motor_row.resize(linear.gradient.width, 0.0);
                motor.add_next_derivative(model, data, &linear.velocity, at, 1.0, motor_row);
                out[at * n..(at + 1) * n].copy_from_slice(&motor_row[inputs.clone()]);
            }
        }
    }

    /// Rows of the next positions from those of the velocity that moves them.
    fn write_positions(&self, model: &Model, data: &Data, out: &mut [f64], inputs: &Range<usize>) {
        let (h, n) = (model.opt.timestep, inputs.len());
        for joint in 0..model.njnt {
            let (straight, rotated) = split_dofs(model, joint);
            for d in straight {
                let row = &mut out[d * n..(d + 1) * n];
                for (out, moving) in row.iter_mut().zip(&self.0.velocity_rows[d * n..]) {
                    *out = h * moving;
                }
                if inputs.contains(&d) {
                    row[d - inputs.start] += 1.0;
                }
            }
            if rotated.is_empty() {
                continue;
            }
            let dof = rotated.start;
            let rotation = quat_integrate_deriv(&self.0.moving_spin(data, dof, h), h);
            for c in 0..n {
                let by_velocity = Vec3::from_fn(|k, _| h * self.0.velocity_rows[(dof + k) * n + c]);
                let mut total = rotation.vel * by_velocity;
                if rotated.contains(&(inputs.start + c)) {
                    total += rotation.quat.column(inputs.start + c - dof);
                }
                for k in 0..3 {
                    out[(dof + k) * n + c] = total[k];
                }
            }
        }
    }
}

/// Whether the integrator takes all dampers implicitly, not only those of joints.
pub(super) fn has_full_damping(model: &Model) -> bool {
    matches!(Integrator::try_from(model.opt.integrator), Ok(Integrator::Implicit | Integrator::Implicitfast))
}

/// Dofs of a joint whose positions are numbers, and those that rotate a quaternion.
pub(super) fn split_dofs(model: &Model, joint: usize) -> (Range<usize>, Range<usize>) {
    let dof = model.jnt_dofadr[joint] as usize;
    match model.jnt_type[joint] {
        kind if kind == JointType::Ball => (dof..dof, dof..dof + 3),
        kind if kind == JointType::Free => (dof..dof + 3, dof + 3..dof + 6),
        _ => (dof..dof + 1, dof + 1..dof + 1),
    }
}
