//! Rollouts of a recording and their Jacobian: the derivative of each step, forward along the trajectory.
//!
//! With `x' = f(x, u, θ)` and measurements `h(x, u, θ)` the sensitivity `S = ∂x/∂θ` goes on as `S' = A S +
//! F`, and a row of the Jacobian is `C S + G`. `A`, `C` and what fields with gradients do (`F`) are
//! analytic, from one linearization of the step; where a column has no analytic derivative, or constants
//! that follow from masses count (of constraint rows that push), it is a centred difference of that one
//! step.

use super::parameters::{Parameters, Versions};
use super::recording::{Channel, Recording, delayed};
use crate::error::ControlError;
use crate::tangent::dimension;
use crate::trajectory::{check_stable, row_of, set_row};
use crate::workers::Workers;
use kinetree_model::enums::ConstraintState;
use kinetree_model::{Data, Model, STATE_INTEGRATION, is_interrupted, mj_get_state};
use kinetree_sim::{
    FieldGradient, field_gradient_size, mj_differentiate_pos, mj_integrate_pos, mj_step, mjd_transition,
    mjd_transition_fields,
};

/// Perturbation of finite differences of the state.
const STATE_EPS: f64 = 1e-6;

/// A simulated recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rollout {
    /// Rows of the integration state before each step.
    states: Vec<f64>,
    /// Rows of the controls that the steps had.
    controls: Vec<f64>,
    /// Rows of the channels.
    pub(crate) predicted: Vec<f64>,
}

/// Moves the state of a data by a change in the tangent space, which may be empty.
fn move_start(model: &Model, data: &mut Data, change: &[f64]) {
    if change.is_empty() {
        return;
    }
    let (position, rest) = change.split_at(model.nv);
    mj_integrate_pos(model, &mut data.qpos, position, 1.0);
    let (velocity, activation) = rest.split_at(model.nv);
    data.qvel.iter_mut().zip(velocity).for_each(|(value, by)| *value += by);
    data.act.iter_mut().zip(activation).for_each(|(value, by)| *value += by);
}

/// A state row moved by a change in the tangent space.
pub(crate) fn moved_start(
    model: &Model,
    data: &mut Data,
    row: &[f64],
    change: &[f64],
) -> Result<Vec<f64>, ControlError> {
    set_row(model, data, row)?;
    move_start(model, data, change);
    row_of(model, data)
}

/// Simulates a recording with the present values of parameters, and a change of its start.
pub(crate) fn simulate(
    model: &Model,
    data: &mut Data,
    recording: &Recording,
    delays: &[f64],
    start: &[f64],
    out: &mut Rollout,
) -> Result<(), ControlError> {
    let (size, nu, width) = (recording.start.len(), model.nu, recording.channels.len());
    let steps = recording.steps();
    out.states.resize(steps * size, 0.0);
    out.controls.resize(steps * nu, 0.0);
    out.predicted.resize(steps * width, 0.0);
    set_row(model, data, &recording.start)?;
    move_start(model, data, start);
    data.warning.iter_mut().for_each(|warning| warning.number = 0);
    let mut unused = vec![0.0; nu];
    for step in 0..steps {
        if is_interrupted() {
            return Err(ControlError::Interrupted);
        }
        let controls = &mut out.controls[step * nu..(step + 1) * nu];
        delayed(&recording.controls, nu, step, model.opt.timestep, delays, controls, &mut unused);
        data.ctrl.copy_from_slice(controls);
        mj_get_state(model, data, &mut out.states[step * size..(step + 1) * size], STATE_INTEGRATION)?;
        mj_step(model, data).map_err(|cause| ControlError::Step { step, cause })?;
        check_stable(data, step)?;
        let row = &mut out.predicted[step * width..(step + 1) * width];
        for (value, channel) in row.iter_mut().zip(&recording.channels) {
            *value = match *channel {
                Channel::Position(joint) => data.qpos[model.jnt_qposadr[joint] as usize],
                Channel::Velocity(dof) => data.qvel[dof],
                Channel::Sensor(at) => data.sensordata[at],
            };
        }
    }
    Ok(())
}

/// Derivatives of a step: `A`, `C`, and columns of parameters of the next state (`F`) and sensors (`G`).
#[derive(Clone, Debug, Default)]
struct StepJacobian {
    a: Vec<f64>,
    c: Vec<f64>,
    f: Vec<f64>,
    g: Vec<f64>,
    /// Whether the derivatives by the state are analytic, and all columns of parameters.
    is_analytic: [bool; 2],
}

/// What all steps of a recording have in common.
struct Problem<'a> {
    model: &'a Model,
    recording: &'a Recording,
    parameters: &'a Parameters,
    versions: &'a Versions,
    rollout: &'a Rollout,
    delays: &'a [f64],
    with_sensors: bool,
    /// Whether a sensor sees more than the motion.
    has_dynamic_sensors: bool,
}

/// The Jacobian of a recording: rows of parameters (and of the start, when that is free) for each measured
/// number; and the share of steps whose derivatives were analytic, by the state and by parameters.
pub(crate) fn jacobian(
    workers: &mut Workers,
    versions: &Versions,
    parameters: &Parameters,
    recording: &Recording,
    rollout: &Rollout,
) -> Result<(Vec<f64>, [f64; 2]), ControlError> {
    let model = &versions.model;
    let (with_sensors, has_dynamic_sensors) = recording.sensors(model);
    let delays = &versions.delays;
    let problem = Problem {
        model,
        recording,
        parameters,
        versions,
        rollout,
        delays,
        with_sensors,
        has_dynamic_sensors,
    };
    let (nx, count, steps) = (dimension(model), parameters.count(), recording.steps());
    let start = if recording.free_start { nx } else { 0 };
    let width = count + start;
    let mut sensitivity = vec![0.0; nx * width];
    (0..start).for_each(|i| sensitivity[i * width + count + i] = 1.0);
    let mut rows = Vec::with_capacity(steps * recording.channels.len() * width);
    let mut analytic = [0.0; 2];
    // as many steps at a time as fill the threads; memory does not grow with the recording
    let mut steps_left = vec![StepJacobian::default(); steps.min(256)];
    for first in (0..steps).step_by(256) {
        let chunk = &mut steps_left[..(steps - first).min(256)];
        workers.for_each(chunk, |data, offset, out| problem.step(data, first + offset, out))?;
        for step in &*chunk {
            for (total, is_analytic) in analytic.iter_mut().zip(step.is_analytic) {
                *total += f64::from(u8::from(is_analytic));
            }
            problem.advance(step, &mut sensitivity, width, &mut rows);
        }
    }
    Ok((rows, analytic.map(|count| count / steps as f64)))
}

impl Problem<'_> {
    /// Appends the rows of a step, and moves the sensitivity on.
    fn advance(&self, step: &StepJacobian, sensitivity: &mut Vec<f64>, width: usize, rows: &mut Vec<f64>) {
        let (nx, count) = (dimension(self.model), self.parameters.count());
        let product = |matrix: &[f64], own: &[f64], row: usize| {
            let mut out = vec![0.0; width];
            out[..count].copy_from_slice(&own[row * count..(row + 1) * count]);
            for (k, value) in matrix[row * nx..(row + 1) * nx].iter().enumerate().filter(|(_, v)| **v != 0.0)
            {
                for (out, s) in out.iter_mut().zip(&sensitivity[k * width..(k + 1) * width]) {
                    *out += value * s;
                }
            }
            out
        };
        let next: Vec<f64> = (0..nx).flat_map(|row| product(&step.a, &step.f, row)).collect();
        for channel in &self.recording.channels {
            let of_state = |row: usize| next[row * width..(row + 1) * width].to_vec();
            rows.extend(match *channel {
                Channel::Position(joint) => of_state(self.model.jnt_dofadr[joint] as usize),
                Channel::Velocity(dof) => of_state(self.model.nv + dof),
                Channel::Sensor(at) => product(&step.c, &step.g, at),
            });
        }
        *sensitivity = next;
    }

    /// Derivatives of a step.
    fn step(&self, data: &mut Data, step: usize, out: &mut StepJacobian) -> Result<(), ControlError> {
        let (model, count) = (self.model, self.parameters.count());
        let (nx, nu, ns) = (dimension(model), model.nu, model.nsensordata);
        let sensors = if self.with_sensors { ns } else { 0 };
        let StepJacobian { a, c, f, g, is_analytic } = out;
        for (list, size) in
            [(&mut *a, nx * nx), (&mut *c, sensors * nx), (&mut *f, nx * count), (&mut *g, sensors * count)]
        {
            list.clear();
            list.resize(size, 0.0);
        }
        let (mut b, mut d) = (vec![0.0; nx * nu], vec![0.0; sensors * nu]);
        let fields = &self.parameters.fields;
        let mut values = Vec::new();
        for field in fields {
            let size = field_gradient_size(model, field)
                .map_err(|cause| ControlError::Derivative { step, cause })?;
            values.push(vec![0.0; nx * size]);
        }
        let gradients = fields.iter().zip(&mut values);
        let mut gradients: Vec<FieldGradient<'_>> =
            gradients.map(|(field, values)| FieldGradient { field, values }).collect();
        let mut has_fields = !self.has_dynamic_sensors;
        self.set(model, data, step)?;
        let (by_state, by_control) =
            ((!c.is_empty()).then_some(&mut **c), (!d.is_empty()).then_some(&mut *d));
        let found = if has_fields {
            mjd_transition_fields(model, data, a, &mut b, by_state, by_control, &mut gradients)
        } else {
            mjd_transition(model, data, Some(&mut a[..]), Some(&mut b), by_state, by_control)
        };
        is_analytic[0] = true;
        if found.is_err() {
            has_fields = false;
            self.set(model, data, step)?;
            let (by_state, by_control) =
                ((!c.is_empty()).then_some(&mut **c), (!d.is_empty()).then_some(&mut *d));
            if mjd_transition(model, data, Some(&mut a[..]), Some(&mut b), by_state, by_control).is_err() {
                is_analytic[0] = false;
                self.difference_inputs(data, step, a, &mut b, c, &mut d)?;
            }
        }
        // inverse weights, which follow from masses, count in rows that push as far as they are violated
        let has_soft_rows = data.efc_state[..data.nefc]
            .iter()
            .any(|state| *state == ConstraintState::Quadratic || *state == ConstraintState::Cone);
        is_analytic[1] = true;
        for column in 0..count {
            let parameter = &self.parameters.columns[column];
            if let Some(actuator) = parameter.delay {
                let (mut unused, mut by_delay) = (vec![0.0; nu], vec![0.0; nu]);
                let h = model.opt.timestep;
                delayed(&self.recording.controls, nu, step, h, self.delays, &mut unused, &mut by_delay);
                (0..nx).for_each(|row| f[row * count + column] = b[row * nu + actuator] * by_delay[actuator]);
                (0..sensors)
                    .for_each(|row| g[row * count + column] = d[row * nu + actuator] * by_delay[actuator]);
                continue;
            }
            let changes = &self.versions.changes[column];
            match changes {
                Some(changes) if has_fields && !(has_soft_rows && parameter.moves_constants) => {
                    for change in changes {
                        let Some(at) = fields.iter().position(|field| *field == change.field) else {
                            continue;
                        };
                        let size = values[at].len() / nx.max(1);
                        for row in 0..nx {
                            f[row * count + column] +=
                                change.derivative * values[at][row * size + change.index];
                        }
                    }
                }
                _ => {
                    is_analytic[1] = false;
                    self.difference(data, step, column, f, g)?;
                }
            }
        }
        Ok(())
    }

    fn set(&self, model: &Model, data: &mut Data, step: usize) -> Result<(), ControlError> {
        let size = self.recording.start.len();
        set_row(model, data, &self.rollout.states[step * size..(step + 1) * size])?;
        data.ctrl.copy_from_slice(&self.rollout.controls[step * model.nu..(step + 1) * model.nu]);
        Ok(())
    }

    /// Derivatives by state and controls by centred differences of the step.
    fn difference_inputs(
        &self,
        data: &mut Data,
        step: usize,
        a: &mut [f64],
        b: &mut [f64],
        c: &mut [f64],
        d: &mut [f64],
    ) -> Result<(), ControlError> {
        let (model, nx, nu) = (self.model, dimension(self.model), self.model.nu);
        for input in 0..nx + nu {
            let mut ends = Vec::new();
            for by in [-STATE_EPS, STATE_EPS] {
                self.set(model, data, step)?;
                if input < nx {
                    let mut change = vec![0.0; nx];
                    change[input] = by;
                    move_start(model, data, &change);
                } else {
                    data.ctrl[input - nx] += by;
                }
                ends.push(stepped(model, data, step)?);
            }
            let (column, width, by_state, by_sensors) =
                if input < nx { (input, nx, &mut *a, &mut *c) } else { (input - nx, nu, &mut *b, &mut *d) };
            write_difference(model, &ends, 2.0 * STATE_EPS, (column, width), by_state, by_sensors);
        }
        Ok(())
    }

    /// A column by a centred difference of the step.
    fn difference(
        &self,
        data: &mut Data,
        step: usize,
        column: usize,
        f: &mut [f64],
        g: &mut [f64],
    ) -> Result<(), ControlError> {
        let pair = &self.versions.moved[column];
        let mut ends = Vec::new();
        for moved in &pair.models {
            self.set(moved, data, step)?;
            ends.push(stepped(moved, data, step)?);
        }
        write_difference(self.model, &ends, pair.distance, (column, self.parameters.count()), f, g);
        Ok(())
    }
}

/// Positions, the rest of the state, and sensors after a step.
type End = [Vec<f64>; 3];

/// Makes a step.
fn stepped(model: &Model, data: &mut Data, step: usize) -> Result<End, ControlError> {
    mj_step(model, data).map_err(|cause| ControlError::Step { step, cause })?;
    Ok([data.qpos.to_vec(), [&data.qvel[..], &data.act[..]].concat(), data.sensordata.to_vec()])
}

/// Writes the difference of two ends to a column of matrices with so many columns.
fn write_difference(
    model: &Model,
    ends: &[End],
    distance: f64,
    (column, width): (usize, usize),
    by_state: &mut [f64],
    by_sensors: &mut [f64],
) {
    let [[qpos0, rest0, sensors0], [qpos1, rest1, sensors1]] = ends else { return };
    let mut change = vec![0.0; model.nv];
    mj_differentiate_pos(model, &mut change, distance, qpos0, qpos1);
    change.extend(rest0.iter().zip(rest1).map(|(from, to)| (to - from) / distance));
    for (row, change) in change.iter().enumerate() {
        by_state[row * width + column] = *change;
    }
    if !by_sensors.is_empty() {
        for (row, (from, to)) in sensors0.iter().zip(sensors1).enumerate() {
            by_sensors[row * width + column] = (to - from) / distance;
        }
    }
}
