//! Finite differences of a step: how the next state and the sensors change with the state and the controls.
//!
//! `dx' = A dx + B du`, `ds = C dx + D du`. The state `x` lives in the tangent space: positions change by
//! velocities, so that it has `2 nv + na` components. Each input is nudged by `eps`, the step is made again
//! from the first stage that depends on the input, and the outputs are differenced, on one side or centred. A
//! control that sits at the end of its range is nudged to the inner side only.

use crate::derivative::error::{DerivativeError, expect_transition};
use crate::step::{StepFactor, step_skip};
use crate::step_memory::StepMemory;
use crate::support::{mj_differentiate_pos, mj_integrate_pos};
use kinetree_model::enums::{DisableBit, Integrator, Stage, StateBit};
use kinetree_model::{
    Data, Model, STATE_FULLPHYSICS, STATE_PHYSICS, StateError, StepError, mj_get_state, mj_set_state,
    mj_state_size, point,
};

/// What is nudged.
#[derive(Clone, Copy)]
enum Input {
    Control(usize),
    Activation(usize),
    Velocity(usize),
    Position(usize),
}

impl Input {
    /// The last stage that does not depend on the input.
    fn skip(self) -> Stage {
        match self {
            Self::Control(_) | Self::Activation(_) => Stage::Vel,
            Self::Velocity(_) => Stage::Pos,
            Self::Position(_) => Stage::None,
        }
    }

    fn nudge(self, model: &Model, data: &mut Data, by: f64) {
        match self {
            Self::Control(i) => data.ctrl[i] += by,
            Self::Activation(i) => data.act[i] += by,
            Self::Velocity(i) => data.qvel[i] += by,
            Self::Position(i) => {
                let mut direction = vec![0.0; model.nv];
                direction[i] = 1.0;
                mj_integrate_pos(model, &mut data.qpos, &direction, by);
            }
        }
    }

    /// Whether it can be nudged by a signed amount without leaving the range of a control.
    fn has_room(self, model: &Model, data: &Data, by: f64) -> bool {
        let Self::Control(i) = self else { return true };
        let [low, high] = model.actuator_ctrlrange[i];
        let inside = |u: f64| low <= u && u <= high;
        model.actuator_ctrllimited[i] == 0 || (inside(data.ctrl[i]) && inside(data.ctrl[i] + by))
    }
}

/// State and sensors after a step.
#[derive(Clone)]
struct Outputs {
    state: Vec<f64>,
    sensors: Vec<f64>,
}

impl Outputs {
    /// Columns of the derivatives of state and sensors: the difference to `other` over `h`.
    fn minus(&self, model: &Model, other: &Self, h: f64, state: &mut [f64], sensors: &mut [f64]) {
        let (nq, nv) = (model.nq, model.nv);
        mj_differentiate_pos(model, &mut state[..nv], h, &other.state[..nq], &self.state[..nq]);
        let rest = self.state[nq..].iter().zip(&other.state[nq..]);
        for (out, (a, b)) in state[nv..].iter_mut().zip(rest) {
            *out = (a - b) / h;
        }
        for (out, (a, b)) in sensors.iter_mut().zip(self.sensors.iter().zip(&other.sensors)) {
            *out = (a - b) / h;
        }
    }
}

/// Settings, the state to come back to and buffers.
struct Differencer {
    eps: f64,
    centered: bool,
    skip_sensors: bool,
    signature: u32,
    origin: Vec<f64>,
    base: Outputs,
    plus: Outputs,
    minus: Outputs,
    state_column: Vec<f64>,
    sensor_column: Vec<f64>,
    /// Of the last step.
    factor: StepFactor,
}

impl Differencer {
    fn new(
        model: &Model,
        data: &mut Data,
        work: &mut StepMemory,
        eps: f64,
        centered: bool,
        skip_sensors: bool,
    ) -> Result<Self, DerivativeError> {
        if centered && !skip_sensors && model.nu > 0 && model.reference().control_derivative() {
            return Err(StepError::Reference(&point::control_derivative).into());
        }
        let mut signature = STATE_FULLPHYSICS | StateBit::Ctrl as u32;
        if !model.disabled(DisableBit::Warmstart) {
            signature |= StateBit::Warmstart as u32;
        }
        let mut origin = vec![0.0; mj_state_size(model, signature)?];
        mj_get_state(model, data, &mut origin, signature)?;
        let base = Outputs {
            state: vec![0.0; mj_state_size(model, STATE_PHYSICS)?],
            sensors: vec![0.0; if skip_sensors { 0 } else { model.nsensordata }],
        };
        let mut this = Self {
            eps,
            centered,
            skip_sensors,
            signature,
            origin,
            plus: base.clone(),
            minus: base.clone(),
            state_column: vec![0.0; 2 * model.nv + model.na],
            sensor_column: vec![0.0; base.sensors.len()],
            base,
            factor: StepFactor::default(),
        };
        this.factor = step_skip(model, data, work, Stage::None, skip_sensors, StepFactor::default())?;
        read(model, data, &mut this.base)?;
        mj_set_state(model, data, &this.origin, signature)?;
        Ok(this)
    }

    /// Steps with one input nudged and comes back.
    fn step(
        &mut self,
        model: &Model,
        data: &mut Data,
        work: &mut StepMemory,
        input: Input,
        by: f64,
    ) -> Result<(), DerivativeError> {
        input.nudge(model, data, by);
        let last = std::mem::take(&mut self.factor);
        self.factor = step_skip(model, data, work, input.skip(), self.skip_sensors, last)?;
        let out = if by > 0.0 { &mut self.plus } else { &mut self.minus };
        read(model, data, out)?;
        mj_set_state(model, data, &self.origin, self.signature)?;
        Ok(())
    }

    /// Derivatives with respect to one input, in the two columns.
    fn differentiate(
        &mut self,
        model: &Model,
        data: &mut Data,
        work: &mut StepMemory,
        input: Input,
    ) -> Result<(), DerivativeError> {
        let h = self.eps;
        let forward = input.has_room(model, data, h);
        if forward {
            self.step(model, data, work, input, h)?;
        }
        let backward = (self.centered || !forward) && input.has_room(model, data, -h);
        if backward {
            self.step(model, data, work, input, -h)?;
        }
        let (to, from, h) = match (forward, backward) {
            (true, true) => (&self.plus, &self.minus, 2.0 * h),
            (true, false) => (&self.plus, &self.base, h),
            (false, true) => (&self.base, &self.minus, h),
            (false, false) => {
                self.state_column.fill(0.0);
                self.sensor_column.fill(0.0);
                return Ok(());
            }
        };
        to.minus(model, from, h, &mut self.state_column, &mut self.sensor_column);
        Ok(())
    }
}

fn read(model: &Model, data: &Data, out: &mut Outputs) -> Result<(), StateError> {
    mj_get_state(model, data, &mut out.state, STATE_PHYSICS)?;
    let n = out.sensors.len();
    out.sensors.copy_from_slice(&data.sensordata[..n]);
    Ok(())
}

/// Writes a column of a matrix of `width` columns that may be left out.
fn write_column(matrix: Option<&mut [f64]>, column: &[f64], at: usize, width: usize) {
    if let Some(matrix) = matrix {
        for (row, value) in matrix.chunks_exact_mut(width).zip(column) {
            row[at] = *value;
        }
    }
}

/// Derivatives of one step by finite differences: `A`, of the next state with respect to the state, `B`, with
/// respect to the controls, and `C` and `D`, the same of the sensors. All are dense, row by row, and may be
/// left out. The state remains as it was.
///
/// # Errors
/// When a step fails, a matrix has the wrong size, or the model uses the Runge–Kutta integrator or delays.
pub(crate) fn mjd_transition_fd(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    eps: f64,
    centered: bool,
    mut a: Option<&mut [f64]>,
    mut b: Option<&mut [f64]>,
    mut c: Option<&mut [f64]>,
    mut d: Option<&mut [f64]>,
) -> Result<(), DerivativeError> {
    if model.opt.integrator == Integrator::Rk4 {
        return Err(DerivativeError::Unsupported("the RK4 integrator"));
    }
    if model.nhistory != 0 {
        return Err(DerivativeError::Unsupported("delay"));
    }
    crate::plugin::check_bound(model)?;
    let (nv, na, nu) = (model.nv, model.na, model.nu);
    let nx = 2 * nv + na;
    expect_transition(model, [a.as_deref(), b.as_deref(), c.as_deref(), d.as_deref()])?;

    let skip_sensors = c.is_none() && d.is_none();
    let mut fd = Differencer::new(model, data, work, eps, centered, skip_sensors)?;
    if b.is_some() || d.is_some() {
        for i in 0..nu {
            fd.differentiate(model, data, work, Input::Control(i))?;
            write_column(b.as_deref_mut(), &fd.state_column, i, nu);
            write_column(d.as_deref_mut(), &fd.sensor_column, i, nu);
        }
    }
    if a.is_some() || c.is_some() {
        // inputs that leave most stages as they are come first
        let activations = (0..na).map(|i| (Input::Activation(i), 2 * nv + i));
        let velocities = (0..nv).map(|i| (Input::Velocity(i), nv + i));
        let positions = (0..nv).map(|i| (Input::Position(i), i));
        for (input, column) in activations.chain(velocities).chain(positions) {
            fd.differentiate(model, data, work, input)?;
            write_column(a.as_deref_mut(), &fd.state_column, column, nx);
            write_column(c.as_deref_mut(), &fd.sensor_column, column, nx);
        }
    }
    Ok(())
}
