//! Analytic derivatives of a step: `A` and `B` of `x' = f(x, u)`, and `C` and `D` of sensors.

use super::actuator;
use super::implicit::{self, ImplicitSlopes};
use super::linearize::{Linearization, Residual};
use super::refuse::{check_model, check_state};
use super::sensor::SensorSlopes;
use super::step_slope::StepSlope;
use crate::damped_inertia::has_implicit_damping;
use crate::derivative::transition::expect;
use crate::derivative::{DerivativeError, DerivativeScratch};
use crate::forward::{Purpose, forward};
use crate::workspace::Workspace;
use kinetree_math::Vec3;
use kinetree_math::rot::quat_integrate_deriv;
use kinetree_model::enums::{Integrator, JointType, Stage};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Working memory: a step, linearized.
#[derive(Default)]
pub(crate) struct TransitionScratch {
    pub(super) linear: Linearization,
    pub(super) step: StepSlope,
    pub(super) implicit: ImplicitSlopes,
    pub(super) sensors: SensorSlopes,
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
    work: &mut Workspace,
    a: Option<&mut [f64]>,
    b: Option<&mut [f64]>,
    c: Option<&mut [f64]>,
    d: Option<&mut [f64]>,
) -> Result<(), DerivativeError> {
    let (nv, na, nu, ns) = (model.nv, model.na, model.nu, model.nsensordata);
    let nx = 2 * nv + na;
    expect("A", a.as_deref(), nx * nx)?;
    expect("B", b.as_deref(), nx * nu)?;
    expect("C", c.as_deref(), ns * nx)?;
    expect("D", d.as_deref(), ns * nu)?;
    let sensors = ns > 0 && (c.is_some() || d.is_some());
    evaluate(model, data, work, sensors)?;
    linearize(model, data, work)?;
    let slopes = &mut work.transition;
    slopes.solve(model, data);
    if sensors {
        slopes.sensors.write(model, data, &slopes.linear, c, d)?;
    }
    if let Some(a) = a {
        slopes.write(model, data, a, 0..nx);
    }
    if let Some(b) = b {
        slopes.write(model, data, b, nx..nx + nu);
    }
    Ok(())
}

/// Evaluates the dynamics at a state that has derivatives, with the readings of sensors if they are wanted.
pub(super) fn evaluate(
    model: &Model,
    data: &mut Data,
    work: &mut Workspace,
    sensors: bool,
) -> Result<(), DerivativeError> {
    check_model(model)?;
    forward(model, data, &mut work.stages, Stage::None, !sensors, Purpose::Evaluation, (None, None))?;
    check_state(model, data)
}

/// Linearizes a step whose dynamics have been evaluated, up to the solution for the slope of the
/// acceleration.
pub(super) fn linearize(model: &Model, data: &mut Data, work: &mut Workspace) -> Result<(), DerivativeError> {
    let linear = &mut work.transition.linear;
    linear.set(model, data, Residual::Forward)?;
    linear.factor()?;
    work.transition.set_integrator(model, data, &mut work.stages.derivative)
}

impl TransitionScratch {
    /// Sets `ã`, `M̂` and `R` of the integrator; motion fields, slopes of actuators and what is coupled are
    /// there.
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

    /// The slope of the acceleration.
    fn solve(&mut self, model: &Model, data: &Data) {
        let Self { linear, step, implicit, .. } = self;
        linear.solve();
        if !step.damped {
            step.slope.clone_from(&linear.slope);
        } else if has_full_damping(model) {
            implicit::solve(step, implicit, model, data, linear);
        } else {
            step.solve_diagonal(model, linear);
        }
    }

    /// Writes the derivative of the next state with respect to a range of inputs.
    fn write(&mut self, model: &Model, data: &Data, out: &mut [f64], inputs: Range<usize>) {
        let (nv, h, n, width) = (model.nv, model.opt.timestep, inputs.len(), self.linear.gradient.width);
        if n == 0 {
            return;
        }
        let (positions, rest) = out.split_at_mut(nv * n);
        let (velocities, activations) = rest.split_at_mut(nv * n);
        for dof in 0..nv {
            let row = &mut velocities[dof * n..(dof + 1) * n];
            let slope = &self.step.slope[dof * width..(dof + 1) * width][inputs.clone()];
            for (out, slope) in row.iter_mut().zip(slope) {
                *out = h * slope;
            }
            if inputs.contains(&(nv + dof)) {
                row[nv + dof - inputs.start] += 1.0;
            }
        }
        self.velocity_rows.clear();
        self.velocity_rows.extend_from_slice(velocities);
        self.implicit.replace_rows(nv, width, &inputs, velocities, &mut self.velocity_rows);
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
        for (i, slopes) in self.linear.actuators.iter().enumerate() {
            let Some(at) = actuator::activation(model, i) else { continue };
            for (input, value) in
                [(2 * nv + at, slopes.next_activation), (2 * nv + na + i, slopes.next_control)]
            {
                if inputs.contains(&input) {
                    out[at * n + input - inputs.start] = value;
                }
            }
        }
        let Self { linear, motor_row, .. } = self;
        for motor in &linear.motors {
            for at in motor.activations() {
                motor_row.clear();
                motor_row.resize(linear.gradient.width, 0.0);
                motor.add_next_slope(model, data, &linear.velocity, at, 1.0, motor_row);
                out[at * n..(at + 1) * n].copy_from_slice(&motor_row[inputs.clone()]);
            }
        }
    }

    /// Rows of the next positions from those of the velocity that moves them.
    fn write_positions(&self, model: &Model, data: &Data, out: &mut [f64], inputs: &Range<usize>) {
        let (h, n) = (model.opt.timestep, inputs.len());
        for joint in 0..model.njnt {
            let (straight, turned) = split_dofs(model, joint);
            for d in straight {
                let row = &mut out[d * n..(d + 1) * n];
                for (out, moving) in row.iter_mut().zip(&self.velocity_rows[d * n..]) {
                    *out = h * moving;
                }
                if inputs.contains(&d) {
                    row[d - inputs.start] += 1.0;
                }
            }
            if turned.is_empty() {
                continue;
            }
            let dof = turned.start;
            let turn = quat_integrate_deriv(&self.moving_spin(data, dof, h), h);
            for c in 0..n {
                let by_velocity = Vec3::from_fn(|k, _| h * self.velocity_rows[(dof + k) * n + c]);
                let mut total = turn.vel * by_velocity;
                if turned.contains(&(inputs.start + c)) {
                    total += turn.quat.column(inputs.start + c - dof);
                }
                for k in 0..3 {
                    out[(dof + k) * n + c] = total[k];
                }
            }
        }
    }

    /// The angular velocity that turns a ball or free joint with first rotation `dof`.
    pub(super) fn moving_spin(&self, data: &Data, dof: usize, h: f64) -> Vec3 {
        Vec3::from_fn(|k, _| {
            let dof = dof + k;
            self.implicit.moving_velocity(dof).unwrap_or(data.qvel[dof] + h * self.step.qacc[dof])
        })
    }
}

/// Whether the integrator takes all dampers implicitly, not only those of joints.
pub(super) fn has_full_damping(model: &Model) -> bool {
    matches!(Integrator::try_from(model.opt.integrator), Ok(Integrator::Implicit | Integrator::Implicitfast))
}

/// Dofs of a joint whose positions are numbers, and those that turn a quaternion.
pub(super) fn split_dofs(model: &Model, joint: usize) -> (Range<usize>, Range<usize>) {
    let dof = model.jnt_dofadr[joint] as usize;
    match model.jnt_type[joint] {
        kind if kind == JointType::Ball => (dof..dof, dof..dof + 3),
        kind if kind == JointType::Free => (dof..dof + 3, dof + 3..dof + 6),
        _ => (dof..dof + 1, dof + 1..dof + 1),
    }
}
