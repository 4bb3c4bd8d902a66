//! Searches over splines of controls by samples: predictive sampling (Howell et al., "Predictive sampling:
//! real-time behaviour synthesis with MuJoCo", 2022), the cross-entropy method (Rubinstein 1999) and model
//! predictive path integrals (Williams et al., "Information theoretic MPC", 2017).

use super::spline::{Interpolation, Spline};
use crate::cost::Cost;
use crate::error::{ControlError, expect, expect_positive, unknown};
use crate::limits::{clamp, limits_of};
use crate::trajectory::{Trajectory, row_of};
use crate::workers::Workers;
use kinetree_batch::Random;
use kinetree_model::{Data, Model};
use std::str::FromStr;

/// How samples decide the next controls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// The best sample is taken.
    Predictive,
    /// Mean and spread are those of the best samples.
    CrossEntropy {
        /// How many of the samples count.
        elites: usize,
        /// Least spread, as a share of the noise.
        least_spread: f64,
    },
    /// The mean of all samples, weighted by `exp(−(cost − least cost)/temperature)`.
    PathIntegral {
        /// The temperature, in units of the cost.
        temperature: f64,
    },
}

impl Method {
    /// The names of all methods.
    pub const NAMES: &[&str] = &["predictive", "cem", "mppi"];
}

/// The method of a name, with settings that serve most tasks.
impl FromStr for Method {
    type Err = ControlError;

    fn from_str(name: &str) -> Result<Self, ControlError> {
        match name {
            "predictive" => Ok(Self::Predictive),
            "cem" => Ok(Self::CrossEntropy { elites: 8, least_spread: 0.1 }),
            "mppi" => Ok(Self::PathIntegral { temperature: 1.0 }),
            other => Err(unknown("method", other, Self::NAMES)),
        }
    }
}

/// More knots than steps decide nothing more; a short horizon may still have this many.
const MOST_KNOTS: usize = 1024;

/// The most knots of a spline over so many steps.
pub(crate) fn most_knots(steps: usize) -> usize {
    steps.max(MOST_KNOTS)
}

/// Settings of a sampler.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplerSettings {
    /// How samples decide.
    pub method: Method,
    /// Number of trajectories in each iteration; the first one has no noise.
    pub samples: usize,
    /// Number of knots of the spline.
    pub knots: usize,
    /// How controls follow from knots.
    pub interpolation: Interpolation,
    /// Standard deviation of the noise of a knot, as a share of half the control's range; for a control
    /// without limits the deviation itself.
    pub noise: f64,
    /// Seed of the noise: the same seed gives the same controls.
    pub seed: u64,
}

impl Default for SamplerSettings {
    fn default() -> Self {
        Self {
            method: Method::Predictive,
            samples: 32,
            knots: 8,
            interpolation: Interpolation::Cubic,
            noise: 0.2,
            seed: 0,
        }
    }
}

impl SamplerSettings {
    /// Checks all of them, for trajectories of so many steps.
    fn check(&self, steps: usize) -> Result<(), ControlError> {
        let setting =
            |what, should, value: usize| Err(ControlError::Setting { what, should, value: value as f64 });
        if self.samples < 2 {
            return setting("samples", "at least 2", self.samples);
        }
        if self.knots == 0 {
            return setting("knots", "at least 1", self.knots);
        }
        if self.knots > most_knots(steps) {
            return setting("knots", "at most 1024, or the number of steps if that is more", self.knots);
        }
        expect_positive("noise", self.noise)?;
        match self.method {
            Method::Predictive => Ok(()),
            Method::CrossEntropy { elites, least_spread } => {
                if elites == 0 || elites > self.samples {
                    return setting("elites", "from 1 to the number of samples", elites);
                }
                expect_positive("least_spread", least_spread)
            }
            Method::PathIntegral { temperature } => expect_positive("temperature", temperature),
        }
    }
}

/// What a search by samples has found.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledSolution {
    /// The best trajectory of all samples.
    pub trajectory: Trajectory,
    /// Knots of the plan, rows of `nu`, which the next search may begin with.
    pub knots: Vec<f64>,
    /// The least cost until after each iteration.
    pub costs: Vec<f64>,
    /// Whether the caller has ended the search early.
    pub is_interrupted: bool,
}

/// A search over splines of controls. The same seed and calls give the same bits on any number of threads.
#[derive(Debug)]
pub struct Sampler<'m> {
    model: &'m Model,
    settings: SamplerSettings,
    limits: Vec<[f64; 2]>,
    workers: Workers,
    plan: Spline,
    /// Standard deviation of each number of the knots.
    spread: Vec<f64>,
    /// That at the beginning.
    noise: Vec<f64>,
    candidates: Vec<(Spline, Trajectory)>,
    iteration: u64,
}

impl<'m> Sampler<'m> {
    /// A search over trajectories of so many steps, which begins with controls of zero, or what is nearest to
    /// it within their ranges.
    ///
    /// # Errors
    /// When there are no steps or controls, the range of a control is empty, or a setting makes no sense.
    pub fn new(model: &'m Model, steps: usize, settings: SamplerSettings) -> Result<Self, ControlError> {
        settings.check(steps)?;
        if model.nu == 0 {
            return Err(ControlError::Nothing("the model has no actuators"));
        }
        let zeros = vec![0.0; settings.knots * model.nu];
        let mut plan = Spline::new(model.nu, steps, settings.interpolation, &zeros)?;
        let limits = limits_of(model)?;
        clamp(plan.knots_mut(), &limits);
        let deviation = |i: usize| {
            let [low, high] = limits[i];
            settings.noise * if low.is_finite() { 0.5 * (high - low) } else { 1.0 }
        };
        let noise: Vec<f64> = (0..zeros.len()).map(|knot| deviation(knot % model.nu)).collect();
        let candidate = |_| Ok((plan.clone(), Trajectory::new(model, steps)?));
        let candidates: Result<Vec<_>, ControlError> = (0..settings.samples).map(candidate).collect();
        Ok(Self {
            workers: Workers::new(model, settings.samples),
            spread: noise.clone(),
            candidates: candidates?,
            iteration: 0,
            limits,
            model,
            settings,
            plan,
            noise,
        })
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Spline {
        &self.plan
    }

    /// Replaces the knots of the plan, and begins with the full noise again.
    ///
    /// # Errors
    /// When the list has the wrong length, or a number is not finite.
    pub fn set_knots(&mut self, knots: &[f64]) -> Result<(), ControlError> {
        expect("the list of knots", knots, self.plan.knots().len())?;
        self.plan.restart(knots);
        clamp(self.plan.knots_mut(), &self.limits);
        self.spread.copy_from_slice(&self.noise);
        Ok(())
    }

    /// Moves the plan on by some steps, as a controller does that plans again while its world goes on, and
    /// begins with the full noise again.
    ///
    /// # Errors
    /// As [`Spline::shift`].
    pub fn shift(&mut self, steps: f64) -> Result<(), ControlError> {
        self.plan.shift(steps)?;
        self.spread.copy_from_slice(&self.noise);
        Ok(())
    }

    /// Draws samples around the plan from the state of a data and improves the plan by them. Returns the best
    /// trajectory; that of the plan is among the samples, so that it is never worse.
    ///
    /// # Errors
    /// When the data was made for another model, or no sample is stable.
    pub fn improve(&mut self, cost: &dyn Cost, start: &Data) -> Result<&Trajectory, ControlError> {
        let (model, row) = (self.model, row_of(self.model, start)?);
        expect("the state", &row, row.len())?;
        let (plan, spread, limits) = (&self.plan, &self.spread, &self.limits);
        let seed = self.settings.seed ^ self.iteration.rotate_left(32);
        self.workers.for_each(&mut self.candidates, |data, index, (spline, trajectory)| {
            spline.copy_from(plan);
            if index > 0 {
                let mut random = Random::of_world(seed, index);
                for (knot, deviation) in spline.knots_mut().iter_mut().zip(spread) {
                    *knot += deviation * normal(&mut random);
                }
                clamp(spline.knots_mut(), limits);
            }
            let tried = trajectory.simulate(model, data, &row, cost, |step, _, out| {
                spline.controls(step as f64, out);
                clamp(out, limits);
            });
            match tried {
                Err(
                    problem
                    @ (ControlError::State(_) | ControlError::Mismatch(_) | ControlError::Interrupted),
                ) => Err(problem),
                // what is unstable has an infinite cost
                _ => Ok(()),
            }
        })?;
        self.iteration += 1;
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|&a, &b| self.candidates[a].1.cost.total_cmp(&self.candidates[b].1.cost));
        let best = order[0];
        if !self.candidates[best].1.cost.is_finite() {
            return Err(ControlError::Nothing(
                "no sample has a finite cost: each is unstable, or its cost is not a number; take less noise or a \
                 smaller time step",
            ));
        }
        self.decide(&order);
        Ok(&self.candidates[best].1)
    }

    /// Improves the plan a number of times from the state of a data, and keeps the best trajectory of all.
    ///
    /// # Errors
    /// As [`improve`](Self::improve), and when there are no iterations. A caller that ends the search gets
    /// the best trajectory until then, if there is one.
    pub fn solve(
        &mut self,
        cost: &dyn Cost,
        start: &Data,
        iterations: usize,
    ) -> Result<SampledSolution, ControlError> {
        if iterations == 0 {
            return Err(ControlError::Nothing("the number of iterations is zero"));
        }
        let mut best: Option<Trajectory> = None;
        let (mut costs, mut is_interrupted) = (Vec::new(), false);
        for _ in 0..iterations {
            let tried = match self.improve(cost, start) {
                Err(ControlError::Interrupted) if best.is_some() => {
                    is_interrupted = true;
                    break;
                }
                tried => tried?,
            };
            if best.as_ref().is_none_or(|best| tried.cost < best.cost) {
                best = Some(tried.clone());
            }
            costs.extend(best.as_ref().map(|best| best.cost));
        }
        let trajectory = best.ok_or(ControlError::Interrupted)?;
        Ok(SampledSolution { trajectory, knots: self.plan.knots().to_vec(), costs, is_interrupted })
    }

    /// Sets plan and spread by the samples, whose indices are ordered by cost.
    fn decide(&mut self, order: &[usize]) {
        let cost = |index: usize| self.candidates[index].1.cost;
        let least = cost(order[0]);
        let weights: Vec<(usize, f64)> = match self.settings.method {
            Method::Predictive => vec![(order[0], 1.0)],
            Method::CrossEntropy { elites, .. } => order[..elites]
                .iter()
                .filter(|&&index| cost(index).is_finite())
                .map(|&index| (index, 1.0))
                .collect(),
            Method::PathIntegral { temperature } => {
                let weight = |&index: &usize| (index, libm::exp(-(cost(index) - least) / temperature));
                order.iter().map(weight).collect()
            }
        };
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let least_spread = match self.settings.method {
            Method::CrossEntropy { least_spread, .. } => Some(least_spread),
            _ => None,
        };
        for (i, knot) in self.plan.knots_mut().iter_mut().enumerate() {
            let mean = |value: &dyn Fn(f64) -> f64| {
                let terms = weights
                    .iter()
                    .map(|(index, weight)| weight * value(self.candidates[*index].0.knots()[i]));
                terms.sum::<f64>() / total
            };
            *knot = mean(&|value| value);
            if let Some(least_spread) = least_spread {
                let variance = mean(&|value| (value - *knot) * (value - *knot));
                self.spread[i] = variance.sqrt().max(least_spread * self.noise[i]);
            }
        }
    }
}

/// A number of the standard normal distribution (Box and Muller 1958).
fn normal(random: &mut Random) -> f64 {
    // the first one is not zero, whose logarithm there is none of
    let (a, b) = (1.0 - random.uniform(0.0, 1.0), random.uniform(0.0, 1.0));
    (-2.0 * libm::log(a)).sqrt() * libm::cos(core::f64::consts::TAU * b)
}
