//! Products with the derivatives of steps: forward (Jacobian–vector), reverse (vector–Jacobian), and reverse
//! along whole trajectories with checkpoints.
//!
//! A gradient lives in the tangent space: `nv` numbers for positions, `nv` for velocities, `na` for
//! activations. Along a trajectory `x_{t+1} = f(x_t, u_t)` the adjoint is `λ_t = ∂L/∂x_t + A_tᵀ λ_{t+1}`, and
//! `∂L/∂u_t = B_tᵀ λ_{t+1}`. Of `T` states only about `√T` are kept; the others are computed again, segment
//! by segment, so that memory grows with `√T` and time by one more simulation.

use super::analytic::{
    FieldGradient, PulledStep, add_field_gradient, begin_field, mjd_transition, pull_step,
};
use super::error::{DerivativeError, expect};
use super::memory::DerivativeMemory;
use crate::stage_memory::StageMemory;
use crate::step::mj_step;
use crate::step_memory::StepMemory;
use kinetree_math::dense::dot;
use kinetree_model::enums::StateBit;
use kinetree_model::{Data, Model, STATE_FULLPHYSICS, mj_get_state, mj_set_state, mj_state_size};

/// Forward product: the change of the next state when state and controls change by `dx` and `du`.
///
/// # Errors
/// As [`mjd_transition`](crate::mjd_transition); also when a vector has the wrong length.
pub(crate) fn step_jvp(
    model: &Model,
    data: &mut Data,
    stages: &mut StageMemory,
    memory: &mut DerivativeMemory,
    dx: &[f64],
    du: &[f64],
    dnext: &mut [f64],
) -> Result<(), DerivativeError> {
    let (nx, nu) = (2 * model.nv + model.na, model.nu);
    expect("dx", Some(dx), nx)?;
    expect("du", Some(du), nu)?;
    expect("dnext", Some(dnext), nx)?;
    let DerivativeMemory { transition, matrices: [a, b], .. } = memory;
    a.resize(nx * nx, 0.0);
    b.resize(nx * nu, 0.0);
    mjd_transition(model, data, stages, transition, Some(a), Some(b), None, None)?;
    for (row, out) in dnext.iter_mut().enumerate() {
        *out = dot(&a[row * nx..(row + 1) * nx], dx) + dot(&b[row * nu..(row + 1) * nu], du);
    }
    Ok(())
}

/// Reverse product: the gradients `dx` and `du` with respect to state and controls of a loss whose gradient
/// with respect to the next state is `adjoint`.
///
/// # Errors
/// As [`mjd_transition`](crate::mjd_transition); also when a vector has the wrong length.
pub(crate) fn step_vjp(
    model: &Model,
    data: &mut Data,
    stages: &mut StageMemory,
    memory: &mut DerivativeMemory,
    adjoint: &[f64],
    dx: &mut [f64],
    du: &mut [f64],
) -> Result<(), DerivativeError> {
    let nx = 2 * model.nv + model.na;
    expect("adjoint", Some(adjoint), nx)?;
    expect("dx", Some(dx), nx)?;
    expect("du", Some(du), model.nu)?;
    let pulled = pull_step(model, data, stages, &mut memory.transition, &mut memory.adjoint, adjoint)?;
    write_gradients(model, &pulled, dx, du);
    Ok(())
}

/// Gradient of a loss with respect to a field of the model, where `adjoint` is its gradient with respect to
/// the next state. `out` has the size of the field.
///
/// # Errors
/// As [`mjd_transition`](crate::mjd_transition); also when the field has no gradients, which the error says.
pub(crate) fn step_field_vjp(
    model: &Model,
    data: &mut Data,
    stages: &mut StageMemory,
    memory: &mut DerivativeMemory,
    adjoint: &[f64],
    field: &str,
    out: &mut [f64],
) -> Result<(), DerivativeError> {
    expect("adjoint", Some(adjoint), 2 * model.nv + model.na)?;
    let mut gradient = FieldGradient { field, values: out };
    begin_field(model, &mut gradient)?;
    let DerivativeMemory { transition, adjoint: scratch, fields, .. } = memory;
    let pulled = pull_step(model, data, stages, transition, scratch, adjoint)?;
    add_field_gradient(model, data, &pulled, fields, &mut gradient)
}

/// Writes the gradients with respect to state and controls of a step.
fn write_gradients(model: &Model, pulled: &PulledStep<'_>, dx: &mut [f64], du: &mut [f64]) {
    let (by_state, by_controls) = pulled.gradients(model);
    dx.copy_from_slice(by_state);
    du.copy_from_slice(by_controls);
}

/// A trajectory that can be gone through backwards.
struct Trajectory<'a> {
    controls: &'a [f64],
    steps: usize,
    /// Steps between checkpoints.
    stride: usize,
    signature: u32,
    size: usize,
    checkpoints: Vec<f64>,
    segment: Vec<f64>,
}

impl<'a> Trajectory<'a> {
    fn new(model: &Model, controls: &'a [f64], steps: usize) -> Result<Self, DerivativeError> {
        let signature = STATE_FULLPHYSICS | StateBit::Warmstart as u32 | StateBit::Ctrl as u32;
        let size = mj_state_size(model, signature)?;
        let stride = (steps as f64).sqrt().ceil().max(1.0) as usize;
        Ok(Self {
            controls,
            steps,
            stride,
            signature,
            size,
            checkpoints: vec![0.0; steps.div_ceil(stride) * size],
            segment: vec![0.0; stride * size],
        })
    }

    /// Sets the controls of step `t`.
    fn set_controls(&self, model: &Model, data: &mut Data, t: usize) {
        if model.nu > 0 {
            data.ctrl.copy_from_slice(&self.controls[t * model.nu..(t + 1) * model.nu]);
        }
    }

    /// Simulates all steps and keeps the checkpoints.
    fn run(
        &mut self,
        model: &Model,
        data: &mut Data,
        work: &mut StepMemory,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), DerivativeError> {
        for t in 0..self.steps {
            go_on().then_some(()).ok_or(DerivativeError::Interrupted)?;
            self.set_controls(model, data, t);
            if t % self.stride == 0 {
                let at = t / self.stride * self.size;
                mj_get_state(model, data, &mut self.checkpoints[at..at + self.size], self.signature)?;
            }
            mj_step(model, data, work)?;
        }
        Ok(())
    }

    /// Simulates a segment again and keeps all its states; returns its steps.
    fn replay(
        &mut self,
        model: &Model,
        data: &mut Data,
        work: &mut StepMemory,
        segment: usize,
    ) -> Result<std::ops::Range<usize>, DerivativeError> {
        let first = segment * self.stride;
        let range = first..(first + self.stride).min(self.steps);
        let at = segment * self.size;
        mj_set_state(model, data, &self.checkpoints[at..at + self.size], self.signature)?;
        for t in range.clone() {
            self.set_controls(model, data, t);
            let at = (t - first) * self.size;
            mj_get_state(model, data, &mut self.segment[at..at + self.size], self.signature)?;
            if t + 1 < range.end {
                mj_step(model, data, work)?;
            }
        }
        Ok(range)
    }

    /// Puts the data before step `t` of the segment that was replayed last.
    fn restore(&self, model: &Model, data: &mut Data, t: usize) -> Result<(), DerivativeError> {
        let at = t % self.stride * self.size;
        Ok(mj_set_state(model, data, &self.segment[at..at + self.size], self.signature)?)
    }
}

/// Reverse mode along a trajectory from the state of the data. `controls` holds a row for each step,
/// `state_gradients` the gradient of the loss with respect to the state after each step. Writes the gradient
/// with respect to the first state to `dx`, to the controls of each step to `du`, and to fields of the model
/// to `fields`. The data ends in the last state.
///
/// # Errors
/// As [`mjd_transition`](crate::mjd_transition); also when a step fails or a matrix has the wrong size.
pub(crate) fn rollout_vjp(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    memory: &mut DerivativeMemory,
    controls: &[f64],
    state_gradients: &[f64],
    dx: &mut [f64],
    du: &mut [f64],
    fields: &mut [FieldGradient<'_>],
) -> Result<(), DerivativeError> {
    rollout_vjp_watched(model, data, work, memory, controls, state_gradients, dx, du, fields, &mut || true)
}

/// Like [`rollout_vjp`], but asks `go_on` before each step of the trajectory and each product.
pub(crate) fn rollout_vjp_watched(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    memory: &mut DerivativeMemory,
    controls: &[f64],
    state_gradients: &[f64],
    dx: &mut [f64],
    du: &mut [f64],
    fields: &mut [FieldGradient<'_>],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), DerivativeError> {
    if model.nhistory != 0 {
        // what is delayed is a state of the trajectory that gradients do not have
        return Err(DerivativeError::Unsupported("a gradient along a trajectory with delays"));
    }
    let (nx, nu) = (2 * model.nv + model.na, model.nu);
    fields.iter_mut().try_for_each(|field| begin_field(model, field))?;
    let steps = state_gradients.len().checked_div(nx).unwrap_or(0);
    expect("state_gradients", Some(state_gradients), steps * nx)?;
    expect("controls", Some(controls), steps * nu)?;
    expect("dx", Some(dx), nx)?;
    expect("du", Some(du), steps * nu)?;
    let mut trajectory = Trajectory::new(model, controls, steps)?;
    trajectory.run(model, data, work, go_on)?;
    let mut last = vec![0.0; trajectory.size];
    mj_get_state(model, data, &mut last, trajectory.signature)?;

    let mut adjoint = vec![0.0; nx];
    dx.fill(0.0);
    for segment in (0..steps.div_ceil(trajectory.stride)).rev() {
        for t in trajectory.replay(model, data, work, segment)?.rev() {
            if !go_on() {
                mj_set_state(model, data, &last, trajectory.signature)?;
                return Err(DerivativeError::Interrupted);
            }
            for ((out, own), gradient) in adjoint.iter_mut().zip(&*dx).zip(&state_gradients[t * nx..]) {
                *out = own + gradient;
            }
            trajectory.restore(model, data, t)?;
            let DerivativeMemory { transition, adjoint: scratch, fields: motions, .. } = &mut *memory;
            let pulled = pull_step(model, data, &mut work.stages, transition, scratch, &adjoint)?;
            write_gradients(model, &pulled, dx, &mut du[t * nu..(t + 1) * nu]);
            for field in &mut *fields {
                add_field_gradient(model, data, &pulled, motions, field)?;
            }
        }
    }
    mj_set_state(model, data, &last, trajectory.signature)?;
    Ok(())
}
