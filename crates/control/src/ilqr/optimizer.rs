//! The optimizer: derivatives, backward pass, line search, until the cost does not fall any more.

use super::backward::{Backward, Gains};
use super::settings::Settings;
use crate::cost::{Cost, Expansion, SensorJacobian};
use crate::error::{ControlError, expect};
use crate::limits::{clamp, limits_of};
use crate::tangent::{State, difference, dimension};
use crate::trajectory::{Trajectory, expect_controls, expect_no_delay, row_of, state_of};
use crate::transitions::Transitions;
use crate::workers::Workers;
use kinetree_math::dense::dot;
use kinetree_model::{Data, Model};

/// Least regularization that is not zero, and by what it changes.
const MIN_REGULARIZATION: f64 = 1e-10;
const FACTOR: f64 = 6.0;
/// The greatest regularization with which the cost is seen to fall no more: more of it hides where it would.
const PLAIN_REGULARIZATION: f64 = 1e-6;

/// How a search stands or has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The last iteration has found a better trajectory.
    Improved,
    /// The last iteration has found none, and the next one takes shorter steps.
    Rejected,
    /// The cost does not fall any more by more than the tolerance.
    Converged,
    /// The cost does not fall by more than the tolerance with the regularization that is needed here, which
    /// is so large that it may hide a better trajectory.
    Stuck,
    /// The limit of iterations was reached.
    IterationLimit,
    /// The caller has ended the search; the trajectory is the best so far.
    Interrupted,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The trajectory.
    pub trajectory: Trajectory,
    /// Gains of its regulator, `nu × nx` for each step: `u = ū − K (x ⊖ x̄)`. Rows of controls at a limit are
    /// zero, and all are when the cost has no minimum near the trajectory.
    pub gains: Vec<f64>,
    /// The cost at the beginning and after each iteration that improved it.
    pub costs: Vec<f64>,
    /// Iterations.
    pub iterations: usize,
    /// How the search has ended.
    pub status: Status,
}

/// Iterative LQR of one model and horizon. Its memory is used again from one problem to the next.
#[derive(Debug)]
pub struct Ilqr<'m> {
    model: &'m Model,
    settings: Settings,
    limits: Vec<[f64; 2]>,
    workers: Workers,
    best: Trajectory,
    candidates: Vec<Trajectory>,
    transitions: Transitions,
    expansions: Vec<Expansion>,
    backward: Backward,
    gains: Gains,
    regularization: f64,
    /// Whether derivatives are those of the best trajectory.
    is_expanded: bool,
    /// Whether a trajectory was found that is better than the first one.
    has_improved: bool,
    /// Whether some regularization was too small since the cost last fell by more than the tolerance.
    has_failed: bool,
}

impl<'m> Ilqr<'m> {
    /// A search over trajectories of so many steps.
    ///
    /// # Errors
    /// When there are no steps or controls, nothing moves, a control is delayed or its range is empty, or a
    /// setting makes no sense.
    pub fn new(model: &'m Model, steps: usize, settings: Settings) -> Result<Self, ControlError> {
        settings.check()?;
        if steps == 0 {
            return Err(ControlError::Nothing("the horizon has no steps"));
        }
        if model.nu == 0 {
            return Err(ControlError::Nothing("the model has no actuators"));
        }
        let (nx, nu) = (dimension(model), model.nu);
        if nx == 0 {
            return Err(ControlError::Nothing("nothing in the model moves"));
        }
        expect_no_delay(model)?;
        let limits = if settings.limits { limits_of(model)? } else { Vec::new() };
        let candidates: Result<Vec<_>, _> =
            settings.step_lengths.iter().map(|_| Trajectory::new(model, steps)).collect();
        Ok(Self {
            workers: Workers::new(model, steps),
            best: Trajectory::new(model, steps)?,
            candidates: candidates?,
            transitions: Transitions::default(),
            expansions: vec![Expansion::default(); steps + 1],
            backward: Backward::default(),
            gains: Gains {
                feedforward: vec![0.0; steps * nu],
                feedback: vec![0.0; steps * nu * nx],
                ..Gains::default()
            },
            regularization: settings.regularization,
            is_expanded: false,
            has_improved: false,
            has_failed: false,
            model,
            settings,
            limits,
        })
    }

    /// Begins with the trajectory of some controls (`steps × nu`) from the state of a data. Returns its cost.
    ///
    /// # Errors
    /// When the list of controls has the wrong length or values, the data was made for another model, or the
    /// trajectory is unstable.
    pub fn begin(&mut self, cost: &dyn Cost, start: &Data, controls: &[f64]) -> Result<f64, ControlError> {
        expect_controls(self.model, controls, self.best.steps())?;
        let (row, nu, limits) = (row_of(self.model, start)?, self.model.nu, &self.limits);
        expect("the state", &row, row.len())?;
        self.regularization = self.settings.regularization;
        (self.is_expanded, self.has_improved, self.has_failed) = (false, false, false);
        self.gains.feedforward.fill(0.0);
        self.gains.feedback.fill(0.0);
        self.best.simulate(self.model, self.workers.first(), &row, cost, |step, _, out| {
            out.copy_from_slice(&controls[step * nu..][..nu]);
            clamp(out, limits);
        })?;
        Ok(self.best.cost)
    }

    /// The best trajectory so far.
    #[must_use]
    pub fn trajectory(&self) -> &Trajectory {
        &self.best
    }

    /// Gains of the last backward pass, `nu × nx` for each step; zeros before the first.
    #[must_use]
    pub fn gains(&self) -> &[f64] {
        &self.gains.feedback
    }

    /// One iteration, after [`begin`](Self::begin).
    ///
    /// # Errors
    /// When a step of the trajectory has no derivatives, the cost's expansion is not finite, or some controls
    /// cost nothing, so that there is no minimum.
    pub fn iterate(&mut self, cost: &dyn Cost) -> Result<Status, ControlError> {
        if !self.is_expanded {
            self.expand(cost)?;
            self.is_expanded = true;
        }
        let before = self.best.cost;
        let least = self.settings.tolerance * before.abs();
        loop {
            match self.go_back(self.regularization) {
                Ok(()) if -(self.gains.linear + self.gains.quadratic) > least => break,
                Ok(()) => match self.end() {
                    Some(status) => return Ok(status),
                    None => self.lower(),
                },
                Err(_) if self.raise() => {}
                Err(Some(step)) if !self.has_improved => return Err(ControlError::ControlWeights { step }),
                Err(_) => return Ok(Status::Stuck),
            }
        }
        if !self.search(cost)? {
            return Ok(if self.raise() { Status::Rejected } else { Status::Stuck });
        }
        (self.is_expanded, self.has_improved) = (false, true);
        let has_ended = before - self.best.cost <= least;
        let status = if has_ended { self.end() } else { None };
        self.has_failed &= has_ended;
        self.lower();
        Ok(status.unwrap_or(Status::Improved))
    }

    /// The gains around the best trajectory.
    fn go_back(&mut self, regularization: f64) -> Result<(), Option<usize>> {
        let limits = (!self.limits.is_empty()).then_some(&*self.limits);
        let (steps, controls) = (&self.transitions, &self.best.controls);
        self.backward.run(steps, &self.expansions, controls, limits, regularization, &mut self.gains)
    }

    /// What it means that the cost falls no more; nothing as long as less regularization may help.
    fn end(&self) -> Option<Status> {
        if self.regularization <= PLAIN_REGULARIZATION {
            return Some(Status::Converged);
        }
        self.has_failed.then_some(Status::Stuck)
    }

    fn lower(&mut self) {
        self.regularization = (self.regularization / FACTOR).max(MIN_REGULARIZATION);
    }

    /// Raises the regularization, which was too small; whether it is not too great now.
    fn raise(&mut self) -> bool {
        self.has_failed = true;
        self.regularization = (self.regularization * FACTOR).max(MIN_REGULARIZATION * FACTOR);
        self.regularization <= self.settings.max_regularization
    }

    /// Minimizes a cost from the state of a data and a first guess of the controls (`steps × nu`).
    ///
    /// # Errors
    /// As [`begin`](Self::begin) and [`iterate`](Self::iterate).
    pub fn solve(
        &mut self,
        cost: &dyn Cost,
        start: &Data,
        controls: &[f64],
    ) -> Result<Solution, ControlError> {
        let mut costs = vec![self.begin(cost, start, controls)?];
        let (mut status, mut iterations) = (Status::IterationLimit, 0);
        while iterations < self.settings.iterations {
            iterations += 1;
            let now = match self.iterate(cost) {
                Err(ControlError::Interrupted) => Status::Interrupted,
                now => now?,
            };
            if costs.last().is_none_or(|last| self.best.cost < *last) {
                costs.push(self.best.cost);
            }
            if matches!(now, Status::Converged | Status::Stuck | Status::Interrupted) {
                status = now;
                break;
            }
        }
        // who interrupts does not wait: the gains of the last iteration are near
        if status != Status::Interrupted {
            match self.refresh_gains(cost) {
                Err(ControlError::Interrupted) => status = Status::Interrupted,
                refreshed => refreshed?,
            }
        }
        Ok(Solution {
            trajectory: self.best.clone(),
            gains: self.gains.feedback.clone(),
            costs,
            iterations,
            status,
        })
    }

    /// Computes the gains along the best trajectory, with as much regularization as that needs.
    fn refresh_gains(&mut self, cost: &dyn Cost) -> Result<(), ControlError> {
        if !self.is_expanded {
            self.expand(cost)?;
            self.is_expanded = true;
        }
        let mut regularization = 0.0;
        while self.go_back(regularization).is_err() {
            if regularization > self.settings.max_regularization {
                self.gains.feedback.fill(0.0);
                break;
            }
            regularization = (regularization * FACTOR).max(MIN_REGULARIZATION);
        }
        Ok(())
    }

    /// Derivatives of the steps and expansions of the costs along the best trajectory.
    fn expand(&mut self, cost: &dyn Cost) -> Result<(), ControlError> {
        let (model, best, steps) = (self.model, &self.best, self.best.steps());
        let with_sensors = cost.uses_sensors();
        // the end has derivatives of sensors only, and no controls
        let rows = if with_sensors { best.states.len() } else { best.states.len() / (steps + 1) * steps };
        let mut controls = best.controls.clone();
        controls.resize(controls.len() + model.nu, 0.0);
        self.transitions.compute(model, &mut self.workers, &best.states[..rows], &controls, with_sensors)?;
        let (nx, nu) = (self.transitions.nx, model.nu);
        for (step, expansion) in self.expansions.iter_mut().enumerate() {
            expansion.clear(nx, nu);
            let point = best.point(model, step);
            if step < steps {
                let sensors = SensorJacobian { c: self.transitions.c(step), d: self.transitions.d(step) };
                cost.expand_running(step, &point, sensors, expansion);
            } else {
                let c = if with_sensors { self.transitions.c(step) } else { &[] };
                cost.expand_terminal(&point, SensorJacobian { c, d: &[] }, expansion);
            }
            if !expansion.is_finite() {
                return Err(ControlError::Cost { step, part: "its expansion" });
            }
        }
        Ok(())
    }

    /// Tries all step lengths, and takes the best trajectory if it is better than the present one.
    fn search(&mut self, cost: &dyn Cost) -> Result<bool, ControlError> {
        let (model, best, gains, limits) = (self.model, &self.best, &self.gains, &self.limits);
        let (nx, nu, lengths) = (self.transitions.nx, model.nu, &self.settings.step_lengths);
        let start = best.state(0);
        self.workers.for_each(&mut self.candidates, |data, index, candidate| {
            let mut change = vec![0.0; nx];
            let tried = candidate.simulate(model, data, start, cost, |step, state: State<'_>, out| {
                difference(model, state_of(model, best.state(step)), state, &mut change);
                let planned = best.control(step).iter().zip(&gains.feedforward[step * nu..][..nu]);
                let rows = gains.feedback[step * nu * nx..][..nu * nx].chunks_exact(nx);
                for ((out, (control, k)), row) in out.iter_mut().zip(planned).zip(rows) {
                    *out = control + lengths[index] * k - dot(row, &change);
                }
                clamp(out, limits);
            });
            match tried {
                // what is unstable has no cost and is not taken
                Ok(())
                | Err(
                    ControlError::Step { .. } | ControlError::Unstable { .. } | ControlError::Cost { .. },
                ) => Ok(()),
                Err(problem) => Err(problem),
            }
        })?;
        let least = self.candidates.iter_mut().reduce(|a, b| if b.cost < a.cost { b } else { a });
        match least {
            Some(least) if least.cost < self.best.cost => {
                std::mem::swap(least, &mut self.best);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
