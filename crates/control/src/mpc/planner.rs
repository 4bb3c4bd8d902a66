//! Model predictive control on the calling thread: plans that begin with the last one, moved on by the time
//! that has passed.

use super::plan::Plan;
use crate::cost::Cost;
use crate::error::ControlError;
use crate::ilqr::{Ilqr, Settings, Status};
use crate::sampling::{Sampler, SamplerSettings};
use kinetree_model::{Data, Model};
use std::time::{Duration, Instant};

/// How a controller plans.
#[derive(Clone, Debug, PartialEq)]
pub enum Planner {
    /// Iterative LQR.
    Ilqr(Settings),
    /// Samples.
    Sampler(SamplerSettings),
}

/// When a plan has been improved enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Most iterations; one is made in any case.
    pub iterations: usize,
    /// Time after which no further iteration begins. Without it plans are the same in every run.
    pub time: Option<Duration>,
}

/// The search behind a controller.
#[derive(Debug)]
enum Search<'m> {
    Ilqr(Box<Ilqr<'m>>),
    Sampler(Box<Sampler<'m>>),
}

/// A controller that plans again and again from where its world is.
#[derive(Debug)]
pub struct Mpc<'m> {
    model: &'m Model,
    horizon: usize,
    search: Search<'m>,
    plan: Option<Plan>,
}

impl<'m> Mpc<'m> {
    /// A controller whose plans have `horizon` steps.
    ///
    /// # Errors
    /// As [`Ilqr::new`] or [`Sampler::new`]: when there are no steps or controls, or a setting makes no
    /// sense.
    pub fn new(model: &'m Model, horizon: usize, planner: Planner) -> Result<Self, ControlError> {
        let search = match planner {
            Planner::Ilqr(settings) => Search::Ilqr(Box::new(Ilqr::new(model, horizon, settings)?)),
            Planner::Sampler(settings) => Search::Sampler(Box::new(Sampler::new(model, horizon, settings)?)),
        };
        Ok(Self { model, horizon, search, plan: None })
    }

    /// The plan; none before the first [`replan`](Self::replan).
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// Forgets the plan, as for a world that begins anew.
    pub fn reset(&mut self) {
        self.plan = None;
        if let Search::Sampler(sampler) = &mut self.search {
            // as many zeros as there are knots
            let zeros = vec![0.0; sampler.plan().knots().len()];
            let _same_size = sampler.set_knots(&zeros);
        }
    }

    /// Plans from the state of a data, beginning with the last plan from the data's time on.
    ///
    /// # Errors
    /// As [`Ilqr::begin`] and [`Ilqr::iterate`], or [`Sampler::improve`]; the last plan remains then. When
    /// the last plan, moved on, is unstable from here, the search begins with controls of zero.
    pub fn replan(&mut self, cost: &dyn Cost, start: &Data, budget: Budget) -> Result<&Plan, ControlError> {
        let begin = now();
        let elapsed = || begin.map_or(Duration::ZERO, |begin| begin.elapsed());
        let goes_on = |done: usize| {
            done < budget.iterations.max(1) && budget.time.is_none_or(|time| done == 0 || elapsed() < time)
        };
        let passed = match &self.plan {
            // a world that was set back begins anew
            Some(plan) if plan.time() <= start.time => plan.steps_until(start.time),
            Some(_) => {
                self.reset();
                0.0
            }
            None => 0.0,
        };
        let (mut iterations, horizon, nu) = (0, self.horizon, self.model.nu);
        let trajectory;
        let mut gains = Vec::new();
        match &mut self.search {
            Search::Ilqr(ilqr) => {
                let mut guess = vec![0.0; horizon * nu];
                if let Some(plan) = &self.plan {
                    plan.shifted(passed, &mut guess);
                }
                match ilqr.begin(cost, start, &guess) {
                    Err(ControlError::Unstable { .. } | ControlError::Step { .. }) if self.plan.is_some() => {
                        guess.fill(0.0);
                        ilqr.begin(cost, start, &guess)?;
                    }
                    begun => {
                        begun?;
                    }
                }
                while goes_on(iterations) {
                    iterations += 1;
                    if matches!(ilqr.iterate(cost)?, Status::Converged | Status::Stuck) {
                        break;
                    }
                }
                trajectory = ilqr.trajectory().clone();
                gains.extend_from_slice(ilqr.gains());
            }
            Search::Sampler(sampler) => {
                sampler.shift(passed)?;
                let mut best = sampler.improve(cost, start)?.clone();
                iterations = 1;
                while goes_on(iterations) {
                    iterations += 1;
                    let tried = sampler.improve(cost, start)?;
                    if tried.cost < best.cost {
                        best = tried.clone();
                    }
                }
                trajectory = best;
            }
        }
        let plan = Plan::new(self.model, start.time, trajectory, gains, iterations, elapsed());
        Ok(self.plan.insert(plan))
    }
}

/// The time, where there is a clock.
fn now() -> Option<Instant> {
    // `Instant` panics in a browser
    if cfg!(target_family = "wasm") { None } else { Some(Instant::now()) }
}
