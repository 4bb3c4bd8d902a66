//! Products with the derivatives of steps: forward (Jacobian–vector), reverse (vector–Jacobian), and reverse
//! along whole trajectories with checkpoints.
//!
//! A gradient lives in the tangent space: `nv` numbers for positions, `nv` for velocities, `na` for
//! activations. Along a trajectory `x_{t+1} = f(x_t, u_t)` the adjoint is `λ_t = ∂L/∂x_t + A_tᵀ λ_{t+1}`, and
//! `∂L/∂u_t = B_tᵀ λ_{t+1}`. Of `T` states only about `√T` are kept; the others are computed again, segment
//! by segment, so that memory grows with `√T` and time by one more simulation.

use super::analytic::{FieldGradient, add_field_gradient, begin_field, mjd_transition, step_vjp};
use super::transition::{DerivativeError, expect};
use crate::step::mj_step;
use crate::workspace::Workspace;
use kinetree_model::enums::StateBit;
use kinetree_model::{Data, Model, STATE_FULLPHYSICS, mj_get_state, mj_set_state, mj_state_size};

/// `A` and `B` of the step at the state of the data, kept as working memory.
#[derive(Default)]
pub(crate) struct StepMatrices {
    a: Vec<f64>,
    b: Vec<f64>,
    nx: usize,
    nu: usize,
}

impl StepMatrices {
    /// Takes the memory out of the workspace, for the time of a call.
    fn take(model: &Model, work: &mut Workspace) -> Self {
        let mut this = std::mem::take(&mut work.step_matrices);
        (this.nx, this.nu) = (2 * model.nv + model.na, model.nu);
        this.a.resize(this.nx * this.nx, 0.0);
        this.b.resize(this.nx * this.nu, 0.0);
        this
    }

    fn set(&mut self, model: &Model, data: &mut Data, work: &mut Workspace) -> Result<(), DerivativeError> {
        mjd_transition(model, data, work, Some(&mut self.a), Some(&mut self.b), None, None)
    }
}

/// Forward product: the change of the next state when state and controls change by `dx` and `du`.
///
/// # Errors
/// As [`mjd_transition`](crate::mjd_transition); also when a vector has the wrong length.
pub(crate) fn step_jvp(
    model: &Model,
    data: &mut Data,
    work: &mut Workspace,
    dx: &[f64],
    du: &[f64],
    dnext: &mut [f64],
) -> Result<(), DerivativeError> {
    let (nx, nu) = (2 * model.nv + model.na, model.nu);
    expect("dx", Some(dx), nx)?;
    expect("du", Some(du), nu)?;
    expect("dnext", Some(dnext), nx)?;
    let mut matrices = StepMatrices::take(model, work);
    matrices.set(model, data, work)?;
    for (row, out) in dnext.iter_mut().enumerate() {
        let by_state = kinetree_math::dense::dot(&matrices.a[row * nx..(row + 1) * nx], dx);
        *out = by_state + kinetree_math::dense::dot(&matrices.b[row * nu..(row + 1) * nu], du);
    }
    work.step_matrices = matrices;
    Ok(())
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
    fn run(&mut self, model: &Model, data: &mut Data, work: &mut Workspace) -> Result<(), DerivativeError> {
        for t in 0..self.steps {
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
        work: &mut Workspace,
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
    work: &mut Workspace,
    controls: &[f64],
    state_gradients: &[f64],
    dx: &mut [f64],
    du: &mut [f64],
    fields: &mut [FieldGradient<'_>],
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
    trajectory.run(model, data, work)?;
    let mut last = vec![0.0; trajectory.size];
    mj_get_state(model, data, &mut last, trajectory.signature)?;

    let mut adjoint = vec![0.0; nx];
    dx.fill(0.0);
    for segment in (0..steps.div_ceil(trajectory.stride)).rev() {
        for t in trajectory.replay(model, data, work, segment)?.rev() {
            for ((out, own), gradient) in adjoint.iter_mut().zip(&*dx).zip(&state_gradients[t * nx..]) {
                *out = own + gradient;
            }
            trajectory.restore(model, data, t)?;
            step_vjp(model, data, work, &adjoint, dx, &mut du[t * nu..(t + 1) * nu])?;
            for field in &mut *fields {
                add_field_gradient(model, data, work, field)?;
            }
        }
    }
    mj_set_state(model, data, &last, trajectory.signature)?;
    Ok(())
}
