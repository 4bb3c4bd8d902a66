//! A plan: a trajectory from a time on, with feedback along it.

use crate::tangent::{State, difference, dimension};
use crate::trajectory::{Trajectory, state_of};
use kinetree_math::dense::dot;
use kinetree_model::{Data, Model};
use std::time::Duration;

/// A planned trajectory.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    time: f64,
    timestep: f64,
    trajectory: Trajectory,
    /// Gains of each step, or none.
    gains: Vec<f64>,
    iterations: usize,
    took: Duration,
}

impl Plan {
    pub(super) fn new(
        model: &Model,
        time: f64,
        trajectory: Trajectory,
        gains: Vec<f64>,
        iterations: usize,
        took: Duration,
    ) -> Self {
        Self { time, timestep: model.opt.timestep, trajectory, gains, iterations, took }
    }

    /// Time of the world that it begins with.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Seconds that a world is ahead of the state that it was planned from.
    #[must_use]
    pub fn age(&self, time: f64) -> f64 {
        time - self.time
    }

    /// Its cost.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.trajectory.cost
    }

    /// The trajectory.
    #[must_use]
    pub fn trajectory(&self) -> &Trajectory {
        &self.trajectory
    }

    /// Iterations that it took.
    #[must_use]
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Time that it took.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.took
    }

    /// Whole steps until a time.
    pub(super) fn steps_until(&self, time: f64) -> f64 {
        // times are sums of steps, with their rounding
        libm::floor(self.age(time) / self.timestep + 1e-6).max(0.0)
    }

    /// Controls from some steps later on, with the last ones held.
    pub(super) fn shifted(&self, steps: f64, out: &mut [f64]) {
        let last = self.trajectory.steps() - 1;
        let nu = out.len() / self.trajectory.steps();
        for (step, row) in out.chunks_exact_mut(nu).enumerate() {
            // a horizon has far fewer steps than there are whole numbers
            let at = (step as f64 + steps).min(last as f64) as usize;
            row.copy_from_slice(self.trajectory.control(at));
        }
    }

    /// Writes the controls for a world at its present time and state: those planned, with feedback where the
    /// planner has gains, within the model's ranges. After the end of the plan its last controls hold.
    pub fn control(&self, model: &Model, data: &Data, out: &mut [f64]) {
        let (steps, nx) = (self.trajectory.steps(), dimension(model));
        let step = self.steps_until(data.time);
        let is_over = step >= steps as f64;
        let step = if is_over { steps - 1 } else { step as usize };
        out.copy_from_slice(self.trajectory.control(step));
        if !is_over && !self.gains.is_empty() {
            let mut change = vec![0.0; nx];
            let state = State { qpos: &data.qpos, qvel: &data.qvel, act: &data.act };
            difference(model, state_of(model, self.trajectory.state(step)), state, &mut change);
            let rows = self.gains[step * model.nu * nx..].chunks_exact(nx);
            out.iter_mut().zip(rows).for_each(|(control, row)| *control -= dot(row, &change));
        }
        for (i, control) in out.iter_mut().enumerate().filter(|(i, _)| model.actuator_ctrllimited[*i] != 0) {
            let [low, high] = model.actuator_ctrlrange[i];
            *control = control.max(low).min(high);
        }
    }
}
