//! Iteration of differential steps until the tasks are satisfied as well as the limits allow.

use super::{Configuration, Limit, Task, WholeBodySolver};
use crate::error::{IkError, check_setting};
use kinetree_model::{Model, is_interrupted};

/// Settings of [`WholeBodySolver::solve_global`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlobalSettings {
    /// Most steps.
    pub max_iterations: usize,
    /// The search ends when no dof moves by more than this (rad or m).
    pub step_tolerance: f64,
    /// Weighted error of all tasks below which they count as reached.
    pub error_tolerance: f64,
    /// Damping of the first step; it adapts.
    pub damping: f64,
}

impl Default for GlobalSettings {
    fn default() -> Self {
        Self { max_iterations: 200, step_tolerance: 1e-9, error_tolerance: 1e-5, damping: 1e-6 }
    }
}

/// How [`WholeBodySolver::solve_global`] ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlobalSolution {
    /// Whether the weighted error of all tasks is below the tolerance.
    pub converged: bool,
    /// Norm of the weighted errors.
    pub error: f64,
    /// Steps taken.
    pub iterations: usize,
}

/// Range of the damping.
const DAMPING_RANGE: [f64; 2] = [1e-10, 1e3];

impl WholeBodySolver {
    /// Moves the configuration until the tasks are reached or no step makes them better. Velocity limits
    /// count for each step with `dt = 1`.
    ///
    /// # Errors
    /// As [`solve_ik`](Self::solve_ik).
    pub fn solve_global(
        &mut self,
        model: &Model,
        configuration: &mut Configuration,
        tasks: &[Task],
        limits: &[Limit],
        constraints: &[Task],
        settings: &GlobalSettings,
    ) -> Result<GlobalSolution, IkError> {
        check_setting("damping", settings.damping, 0.0)?;
        let mut damping = settings.damping.clamp(DAMPING_RANGE[0], DAMPING_RANGE[1]);
        let mut error = self.total_error(model, configuration, tasks, constraints)?;
        let mut start = configuration.q().to_vec();
        for iterations in 0..settings.max_iterations {
            let done = |converged: bool| Ok(GlobalSolution { converged, error, iterations });
            if error < settings.error_tolerance {
                return done(true);
            }
            if is_interrupted() {
                // the configuration is the best so far
                return done(false);
            }
            start.copy_from_slice(configuration.q());
            self.displacement(model, configuration, tasks, 1.0, damping, limits, constraints)?;
            let largest = self.step.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            if largest < settings.step_tolerance {
                return done(false);
            }
            let step = std::mem::take(&mut self.step);
            configuration.integrate_inplace(model, &step, 1.0)?;
            self.step = step;
            let next = self.total_error(model, configuration, tasks, constraints)?;
            if next < error {
                (damping, error) = (damping * 0.3, next);
            } else {
                configuration.update(model, &start)?;
                damping *= 10.0;
                if damping > DAMPING_RANGE[1] {
                    return done(false);
                }
            }
            damping = damping.max(DAMPING_RANGE[0]);
        }
        Ok(GlobalSolution {
            converged: error < settings.error_tolerance,
            error,
            iterations: settings.max_iterations,
        })
    }

    /// Norm of the weighted errors of all tasks; constraints count once.
    fn total_error(
        &mut self,
        model: &Model,
        configuration: &Configuration,
        tasks: &[Task],
        constraints: &[Task],
    ) -> Result<f64, IkError> {
        let mut sum = 0.0;
        for task in tasks.iter().chain(constraints) {
            sum += self.task_error(model, configuration, task)?;
        }
        Ok(sum.sqrt())
    }
}
