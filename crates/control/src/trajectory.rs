//! Trajectories: the state before each step and after the last one, controls and sensors.

use crate::cost::{Cost, Point};
use crate::error::{ControlError, expect};
use crate::tangent::State;
use kinetree_model::enums::{ObjType, Warning};
use kinetree_model::{
    Data, Model, STATE_INTEGRATION, StateError, is_interrupted, mj_get_state, mj_id2name, mj_set_state,
    mj_state_size,
};
use kinetree_sim::{mj_forward, mj_step};

/// Warnings of an unstable simulation, which begins anew after them, or takes controls as zero.
const UNSTABLE: [Warning; 5] =
    [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc, Warning::Inertia, Warning::Badctrl];
/// Positions follow the time in a row of the integration state.
const QPOS: usize = 1;

/// Numbers of a row of states: everything that decides the next step (`STATE_INTEGRATION`).
///
/// # Errors
/// Never for a model that was compiled.
pub fn state_size(model: &Model) -> Result<usize, ControlError> {
    Ok(mj_state_size(model, STATE_INTEGRATION)?)
}

/// The integration state of a data, as a row.
pub(crate) fn row_of(model: &Model, data: &Data) -> Result<Vec<f64>, ControlError> {
    let mut row = vec![0.0; state_size(model)?];
    mj_get_state(model, data, &mut row, STATE_INTEGRATION)?;
    Ok(row)
}

/// Sets a data to a row.
pub(crate) fn set_row(model: &Model, data: &mut Data, row: &[f64]) -> Result<(), StateError> {
    mj_set_state(model, data, row, STATE_INTEGRATION)
}

/// Positions, velocities and activations of a row.
pub(crate) fn state_of<'a>(model: &Model, row: &'a [f64]) -> State<'a> {
    let (qpos, rest) = row[QPOS..].split_at(model.nq);
    let (qvel, rest) = rest.split_at(model.nv);
    State { qpos, qvel, act: &rest[..model.na] }
}

/// A trajectory of `steps` steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    steps: usize,
    size: usize,
    nq: usize,
    nv: usize,
    nu: usize,
    ns: usize,
    /// Rows of the integration state, one more than there are steps.
    pub states: Vec<f64>,
    /// Rows of controls, one for each step.
    pub controls: Vec<f64>,
    /// Rows of sensor values at the states.
    pub sensors: Vec<f64>,
    /// Sum of the costs of all steps and of the end.
    pub cost: f64,
}

impl Trajectory {
    /// Memory for a trajectory.
    pub(crate) fn new(model: &Model, steps: usize) -> Result<Self, ControlError> {
        let (size, nu, ns) = (state_size(model)?, model.nu, model.nsensordata);
        Ok(Self {
            steps,
            size,
            nq: model.nq,
            nv: model.nv,
            nu,
            ns,
            states: vec![0.0; (steps + 1) * size],
            controls: vec![0.0; steps * nu],
            sensors: vec![0.0; (steps + 1) * ns],
            cost: f64::INFINITY,
        })
    }

    /// Number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Row of the integration state before a step; that after the last one for `step` equal to
    /// [`steps`](Self::steps).
    #[must_use]
    pub fn state(&self, step: usize) -> &[f64] {
        &self.states[step * self.size..][..self.size]
    }

    /// Positions before a step.
    #[must_use]
    pub fn qpos(&self, step: usize) -> &[f64] {
        &self.state(step)[QPOS..][..self.nq]
    }

    /// Velocities before a step.
    #[must_use]
    pub fn qvel(&self, step: usize) -> &[f64] {
        &self.state(step)[QPOS + self.nq..][..self.nv]
    }

    /// Controls of a step.
    #[must_use]
    pub fn control(&self, step: usize) -> &[f64] {
        &self.controls[step * self.nu..][..self.nu]
    }

    /// Sensor values at the state before a step.
    #[must_use]
    pub fn sensordata(&self, step: usize) -> &[f64] {
        &self.sensors[step * self.ns..][..self.ns]
    }

    /// What a cost sees of a step, or of the end.
    pub(crate) fn point<'a>(&'a self, model: &'a Model, step: usize) -> Point<'a> {
        let State { qpos, qvel, act } = state_of(model, self.state(step));
        let ctrl = if step < self.steps { self.control(step) } else { &[] };
        Point { model, qpos, qvel, act, ctrl, sensordata: self.sensordata(step) }
    }

    /// Simulates the trajectory from a state, with controls that `policy` writes for each step from its
    /// state, and adds up its cost.
    ///
    /// # Errors
    /// When a step fails or the simulation is unstable: such a trajectory has no cost.
    pub(crate) fn simulate(
        &mut self,
        model: &Model,
        data: &mut Data,
        start: &[f64],
        cost: &dyn Cost,
        mut policy: impl FnMut(usize, State<'_>, &mut [f64]),
    ) -> Result<(), ControlError> {
        self.cost = f64::INFINITY;
        set_row(model, data, start)?;
        // what another trajectory was warned of
        data.warning.iter_mut().for_each(|warning| warning.number = 0);
        let mut total = 0.0;
        for step in 0..self.steps {
            if is_interrupted() {
                return Err(ControlError::Interrupted);
            }
            let row = step * self.size..(step + 1) * self.size;
            let controls = &mut self.controls[step * self.nu..(step + 1) * self.nu];
            policy(step, State { qpos: &data.qpos, qvel: &data.qvel, act: &data.act }, controls);
            data.ctrl.copy_from_slice(controls);
            mj_get_state(model, data, &mut self.states[row], STATE_INTEGRATION)?;
            mj_step(model, data).map_err(|cause| ControlError::Step { step, cause })?;
            check_stable(data, step)?;
            self.sensors[step * self.ns..(step + 1) * self.ns].copy_from_slice(&data.sensordata);
            total += self.checked(step, cost.running(step, &self.point(model, step)))?;
        }
        total += self.end(model, data, cost)?;
        self.cost = total;
        Ok(())
    }

    /// The state after the last step, without controls, and its cost.
    fn end(&mut self, model: &Model, data: &mut Data, cost: &dyn Cost) -> Result<f64, ControlError> {
        let step = self.steps;
        data.ctrl.fill(0.0);
        mj_get_state(model, data, &mut self.states[step * self.size..], STATE_INTEGRATION)?;
        if self.ns > 0 {
            mj_forward(model, data).map_err(|cause| ControlError::Step { step, cause })?;
            check_stable(data, step)?;
            self.sensors[step * self.ns..].copy_from_slice(&data.sensordata);
        }
        self.checked(step, cost.terminal(&self.point(model, step)))
    }

    fn checked(&self, step: usize, value: f64) -> Result<f64, ControlError> {
        if value.is_finite() { Ok(value) } else { Err(ControlError::Cost { step, part: "its value" }) }
    }
}

/// An error when the simulation has warned that it is unstable, since the warnings were cleared.
pub(crate) fn check_stable(data: &Data, step: usize) -> Result<(), ControlError> {
    match UNSTABLE.iter().find(|kind| data.warning[**kind as usize].number != 0) {
        Some(kind) => {
            let warning = kind.text(data.warning[*kind as usize].lastinfo);
            Err(ControlError::Unstable { step, warning })
        }
        None => Ok(()),
    }
}

/// The name of an actuator, or its number.
pub(crate) fn actuator(model: &Model, index: usize) -> String {
    match mj_id2name(model, ObjType::Actuator, index) {
        Some(name) => format!("actuator '{name}'"),
        None => format!("actuator {index}"),
    }
}

/// An error when a control acts later than in its step: what happens in between is no part of the tangent
/// space, and derivatives by such a control are zero.
pub(crate) fn expect_no_delay(model: &Model) -> Result<(), ControlError> {
    let is_delayed = |i: &usize| model.actuator_delay[*i] != 0.0 && model.actuator_history[*i][0] > 0;
    match (0..model.nu).find(is_delayed) {
        Some(index) => Err(ControlError::Delay { actuator: actuator(model, index) }),
        None => Ok(()),
    }
}

/// Checks rows of controls.
pub(crate) fn expect_controls(model: &Model, controls: &[f64], steps: usize) -> Result<(), ControlError> {
    expect("the list of controls", controls, steps * model.nu)
}
