//! Identification: Levenberg–Marquardt on the Jacobians of all recordings, with bounds and priors.

use super::normal::{NormalEquations, Residuals};
use super::parameters::{Parameters, Unknown};
use super::recording::Recording;
use super::report::{Estimate, Report, report};
use super::sensitivity::{Rollout, jacobian, moved_start, simulate};
use crate::error::{ControlError, expect_positive};
use crate::tangent::dimension;
use crate::workers::Workers;
use kinetree_math::boxqp::BoxQp;
use kinetree_model::Model;

/// Damping of the first iteration, by what it changes, and where the search gives up.
const DAMPING: f64 = 1e-3;
const RAISE: f64 = 8.0;
const LOWER: f64 = 0.1;
const MAX_DAMPING: f64 = 1e12;
/// How often the noise of channels is estimated anew.
const NOISE_PASSES: usize = 3;
/// Change of the noise below which it counts as known.
const NOISE_CHANGE: f64 = 0.02;

/// Settings of an identification.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentifySettings {
    /// Most iterations, for each estimate of the noise.
    pub iterations: usize,
    /// Relative decrease of the cost, and length of a step in units of deviations, below which the search
    /// ends.
    pub tolerance: f64,
    /// Probability that an interval contains the true value.
    pub confidence: f64,
    /// A direction of parameter space is undetermined when its relative deviation is above this.
    pub undetermined: f64,
}

impl Default for IdentifySettings {
    fn default() -> Self {
        Self { iterations: 50, tolerance: 1e-8, confidence: 0.95, undetermined: 1.0 }
    }
}

/// How an identification has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentifyStatus {
    /// The cost does not fall any more.
    Converged,
    /// The limit of iterations was reached.
    IterationLimit,
    /// The caller has ended the search; values are the best so far.
    Interrupted,
}

/// What was identified.
#[derive(Clone, Debug)]
pub struct Identification {
    /// Values of all coordinates, in the order of the quantities, with what is known of them.
    pub estimates: Vec<Estimate>,
    /// Covariance of the coordinates, a square matrix; infinite where the data cannot tell, zero for those at
    /// a bound.
    pub covariance: Vec<f64>,
    /// Directions of parameter space that the data cannot tell: for each the coordinates and their shares.
    pub undetermined: Vec<Vec<(usize, f64)>>,
    /// The model with these values.
    pub model: Model,
    /// Integration states that the recordings begin with.
    pub starts: Vec<Vec<f64>>,
    /// Simulated rows of the channels, of each recording.
    pub predicted: Vec<Vec<f64>>,
    /// Standard deviations of the noise of the channels, of each recording: given or estimated.
    pub noise: Vec<Vec<f64>>,
    /// Half the sum of squared residuals in units of the noise, with priors: at the beginning and after each
    /// iteration.
    pub costs: Vec<f64>,
    /// How the search has ended.
    pub status: IdentifyStatus,
    /// Shares of steps whose derivatives were analytic: by the state, and by all parameters.
    pub analytic: [f64; 2],
}

/// The search: present values and what is simulated with them.
struct Search<'a> {
    nominal: &'a Model,
    parameters: Parameters,
    recordings: Vec<Recording>,
    workers: Workers,
    values: Vec<f64>,
    noise: Vec<Vec<f64>>,
    rollouts: Vec<Rollout>,
    cost: f64,
    analytic: [f64; 2],
    /// The latest normal equations.
    equations: Option<NormalEquations>,
}

/// What a recording is predicted to be, and how that changes with quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// Rows of the channels for each step.
    pub predicted: Vec<f64>,
    /// Derivatives of these numbers, a row for each: by all coordinates of the quantities, and by the state
    /// that the recording begins with, where that is free.
    pub jacobian: Vec<f64>,
    /// Shares of steps whose derivatives are analytic: by the state, and by all parameters.
    pub analytic: [f64; 2],
}

/// Simulates a recording with the initial values of quantities, and differentiates it by them.
///
/// # Errors
/// As [`identify`].
pub fn sensitivity(
    model: &Model,
    unknowns: &[Unknown],
    recording: &Recording,
) -> Result<Sensitivity, ControlError> {
    recording.check(model)?;
    crate::trajectory::expect_no_delay(model)?;
    let parameters = Parameters::new(model, unknowns)?;
    let versions = parameters.versions(model, &parameters.initial)?;
    let (mut workers, mut rollout) = (Workers::new(model, recording.steps()), Rollout::default());
    simulate(&versions.model, workers.first(), recording, &versions.delays, &[], &mut rollout)?;
    let (jacobian, analytic) = jacobian(&mut workers, &versions, &parameters, recording, &rollout)?;
    Ok(Sensitivity { predicted: rollout.predicted, jacobian, analytic })
}

/// Identifies quantities of a model from recordings.
///
/// # Errors
/// When a quantity, a bound or a recording makes no sense for the model, the simulation is unstable with the
/// values to begin with, or a step has no derivatives even by differences.
pub fn identify(
    model: &Model,
    unknowns: &[Unknown],
    recordings: &[Recording],
    settings: &IdentifySettings,
) -> Result<Identification, ControlError> {
    expect_positive("confidence", settings.confidence)?;
    if settings.confidence >= 1.0 {
        let (what, should, value) = ("confidence", "below 1", settings.confidence);
        return Err(ControlError::Setting { what, should, value });
    }
    expect_positive("undetermined", settings.undetermined)?;
    if settings.tolerance.is_nan() || settings.tolerance < 0.0 {
        let (what, should, value) = ("tolerance", "zero or more", settings.tolerance);
        return Err(ControlError::Setting { what, should, value });
    }
    if recordings.is_empty() {
        return Err(ControlError::Unidentified("there are no recordings"));
    }
    recordings.iter().try_for_each(|recording| recording.check(model))?;
    crate::trajectory::expect_no_delay(model)?;
    let parameters = Parameters::new(model, unknowns)?;
    let mut search = Search {
        nominal: model,
        values: parameters.initial.clone(),
        parameters,
        recordings: recordings.to_vec(),
        workers: Workers::new(model, recordings.iter().map(Recording::steps).max().unwrap_or(1)),
        noise: recordings.iter().map(first_noise).collect(),
        rollouts: vec![Rollout::default(); recordings.len()],
        cost: f64::INFINITY,
        analytic: [0.0; 2],
        equations: None,
    };
    search.run(settings)
}

/// Deviations of channels to begin with: those given, or the spread of what was measured, so that all
/// channels count.
fn first_noise(recording: &Recording) -> Vec<f64> {
    if let Some(noise) = &recording.noise {
        return noise.clone();
    }
    let means = channel_means(recording, |_, value| value);
    let variances =
        channel_means(recording, |channel, value| (value - means[channel]) * (value - means[channel]));
    variances.into_iter().map(|variance| if variance > 0.0 { variance.sqrt() } else { 1.0 }).collect()
}

/// Means of a function of the measured values of each channel, in one pass over the recording.
fn channel_means(recording: &Recording, of: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    let width = recording.channels.len();
    let mut sums = vec![(0.0, 0_usize); width];
    for row in recording.measured.chunks_exact(width.max(1)) {
        for (channel, (value, (sum, count))) in row.iter().zip(&mut sums).enumerate() {
            if !value.is_nan() {
                *sum += of(channel, *value);
                *count += 1;
            }
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count.max(1) as f64).collect()
}

impl Search<'_> {
    fn run(&mut self, settings: &IdentifySettings) -> Result<Identification, ControlError> {
        let (model, delays) = self.parameters.model(self.nominal, &self.values)?;
        (self.cost, self.rollouts) = self.simulate(&model, &delays, &self.values.clone(), &[])?;
        let mut costs = vec![self.cost];
        let estimates_noise = self.recordings.iter().any(|recording| recording.noise.is_none());
        let mut status = IdentifyStatus::Converged;
        for pass in 0..if estimates_noise { NOISE_PASSES } else { 1 } {
            status = match self.minimize(settings, &mut costs) {
                Err(ControlError::Interrupted) if self.equations.is_some() => IdentifyStatus::Interrupted,
                found => found?,
            };
            if status == IdentifyStatus::Interrupted || !estimates_noise {
                break;
            }
            let refined = self.estimate_noise().and_then(|change| {
                let is_last = pass + 1 == NOISE_PASSES || change < NOISE_CHANGE;
                // what has been estimated last is what the report goes by
                if is_last {
                    self.equations = Some(self.linearize()?);
                }
                Ok(is_last)
            });
            let is_last = match refined {
                Err(ControlError::Interrupted) if self.equations.is_some() => {
                    status = IdentifyStatus::Interrupted;
                    true
                }
                refined => refined?,
            };
            if is_last {
                break;
            }
            costs.clear();
            costs.push(self.cost);
        }
        let equations = match self.equations.take() {
            Some(equations) => equations,
            // without iterations
            None => self.linearize()?,
        };
        self.finish(settings, &equations, costs, status)
    }

    /// Simulates all recordings with values; the cost.
    fn simulate(
        &mut self,
        model: &Model,
        delays: &[f64],
        values: &[f64],
        starts: &[f64],
    ) -> Result<(f64, Vec<Rollout>), ControlError> {
        let (recordings, nx) = (&self.recordings, dimension(model));
        let mut first = 0;
        let mut items: Vec<(usize, usize, Rollout)> = Vec::new();
        for (index, recording) in recordings.iter().enumerate() {
            items.push((index, first, Rollout::default()));
            first += if recording.free_start && !starts.is_empty() { nx } else { 0 };
        }
        self.workers.for_each(&mut items, |data, _, (index, first, rollout)| {
            let recording = &recordings[*index];
            let is_moved = recording.free_start && !starts.is_empty();
            let start = if is_moved { &starts[*first..*first + nx] } else { &[] };
            simulate(model, data, recording, delays, start, rollout)
        })?;
        let rollouts: Vec<Rollout> = items.into_iter().map(|(_, _, rollout)| rollout).collect();
        let squares = Residuals::new(recordings, &rollouts, &self.noise).squares()?;
        Ok((0.5 * squares + self.priors(values), rollouts))
    }

    /// Half the sum of squares of the priors.
    fn priors(&self, values: &[f64]) -> f64 {
        let term = |(column, value): (&super::parameters::Column, &f64)| {
            column.prior.map_or(0.0, |[mean, deviation]| {
                let residual = (value - mean) / deviation;
                0.5 * residual * residual
            })
        };
        self.parameters.columns.iter().zip(values).map(term).sum()
    }

    /// The normal equations at the present values.
    fn linearize(&mut self) -> Result<NormalEquations, ControlError> {
        let versions = self.parameters.versions(self.nominal, &self.values)?;
        let (count, nx) = (self.parameters.count(), dimension(self.nominal));
        let free = self.recordings.iter().filter(|recording| recording.free_start).count();
        let mut equations = NormalEquations::new(count, count + free * nx);
        let residuals = Residuals::new(&self.recordings, &self.rollouts, &self.noise);
        let (mut first, mut analytic) = (count, [0.0; 2]);
        for (index, recording) in self.recordings.iter().enumerate() {
            let rollout = &self.rollouts[index];
            let (rows, shares) =
                jacobian(&mut self.workers, &versions, &self.parameters, recording, rollout)?;
            let start = if recording.free_start { first..first + nx } else { first..first };
            equations.add(&rows, &residuals.of(index), &self.noise[index], start.clone())?;
            first = start.end;
            let share = 1.0 / self.recordings.len() as f64;
            analytic.iter_mut().zip(shares).for_each(|(total, one)| *total += share * one);
        }
        self.analytic = analytic;
        equations.add_priors(self.parameters.columns.iter().map(|column| column.prior), &self.values);
        Ok(equations)
    }

    /// Levenberg–Marquardt with the present noise.
    fn minimize(
        &mut self,
        settings: &IdentifySettings,
        costs: &mut Vec<f64>,
    ) -> Result<IdentifyStatus, ControlError> {
        let mut damping = DAMPING;
        for _ in 0..settings.iterations {
            let equations = self.linearize()?;
            let before = self.cost;
            let length = self.step(&equations, &mut damping);
            self.equations = Some(equations);
            let Some(length) = length? else { return Ok(IdentifyStatus::Converged) };
            costs.push(self.cost);
            if before - self.cost <= settings.tolerance * before || length <= settings.tolerance {
                return Ok(IdentifyStatus::Converged);
            }
        }
        Ok(IdentifyStatus::IterationLimit)
    }

    /// A step that lowers the cost; its length in units of deviations, or nothing when there is none.
    fn step(&mut self, equations: &NormalEquations, damping: &mut f64) -> Result<Option<f64>, ControlError> {
        let count = self.parameters.count();
        let (hessian, gradient, scales) = equations.scaled();
        let n = gradient.len();
        let bound = |side: usize| -> Vec<f64> {
            let limit = |i: usize| match self.parameters.columns.get(i) {
                Some(column) => (column.bounds[side] - self.values[i]) * scales[i],
                None => [f64::NEG_INFINITY, f64::INFINITY][side],
            };
            (0..n).map(limit).collect()
        };
        let (lower, upper) = (bound(0), bound(1));
        while *damping <= MAX_DAMPING {
            let mut damped = hessian.clone();
            (0..n).for_each(|i| damped[i * n + i] += *damping);
            let mut change = vec![0.0; n];
            let solved = BoxQp::default().solve(&mut change, &damped, &gradient, Some(&lower), Some(&upper));
            let length = change.iter().map(|y| y * y).sum::<f64>().sqrt();
            if solved.is_ok() && length == 0.0 {
                return Ok(None);
            }
            if solved.is_ok() {
                let moved: Vec<f64> = change.iter().zip(&scales).map(|(y, scale)| y / scale).collect();
                let values: Vec<f64> = (0..count)
                    .map(|i| {
                        let [low, high] = self.parameters.columns[i].bounds;
                        (self.values[i] + moved[i]).clamp(low, high)
                    })
                    .collect();
                match self.try_values(&values, &moved[count..]) {
                    Err(ControlError::Interrupted) => return Err(ControlError::Interrupted),
                    Ok(true) => {
                        *damping = (*damping * LOWER).max(1e-12);
                        return Ok(Some(length));
                    }
                    // worse, or unstable, or no model
                    _ => {}
                }
            }
            *damping *= RAISE;
        }
        *damping = DAMPING;
        Ok(None)
    }

    /// Takes values and changes of the starts when they are better.
    fn try_values(&mut self, values: &[f64], starts: &[f64]) -> Result<bool, ControlError> {
        let (model, delays) = self.parameters.model(self.nominal, values)?;
        let (cost, rollouts) = self.simulate(&model, &delays, values, starts)?;
        if cost.is_nan() || cost >= self.cost {
            return Ok(false);
        }
        let (nx, mut first) = (dimension(&model), 0);
        for recording in self.recordings.iter_mut().filter(|recording| recording.free_start) {
            let change = &starts[first..first + nx];
            recording.start = moved_start(&model, self.workers.first(), &recording.start, change)?;
            first += nx;
        }
        (self.cost, self.rollouts) = (cost, rollouts);
        self.values.copy_from_slice(values);
        Ok(true)
    }

    /// Sets the noise of channels that was not given by their residuals, and the cost that follows; the
    /// largest relative change.
    fn estimate_noise(&mut self) -> Result<f64, ControlError> {
        let residuals = Residuals::new(&self.recordings, &self.rollouts, &self.noise);
        let free = self.parameters.count();
        let total: usize = (0..self.recordings.len()).map(|index| residuals.count(index)).sum();
        let lost = 1.0 - (free as f64 / total.max(1) as f64).min(0.9);
        let mut change: f64 = 0.0;
        let mut estimated = self.noise.clone();
        for (index, recording) in self.recordings.iter().enumerate() {
            if recording.noise.is_some() {
                continue;
            }
            let (size, squares) = (first_noise(recording), residuals.mean_squares(index)?);
            for (channel, noise) in estimated[index].iter_mut().enumerate() {
                // no less than rounding leaves
                let new = (squares[channel] / lost).sqrt().max(1e-9 * size[channel]);
                change = change.max((new / *noise - 1.0).abs());
                *noise = new;
            }
        }
        let squares = Residuals::new(&self.recordings, &self.rollouts, &estimated).squares()?;
        (self.noise, self.cost) = (estimated, 0.5 * squares + self.priors(&self.values));
        Ok(change)
    }

    fn finish(
        &mut self,
        settings: &IdentifySettings,
        equations: &NormalEquations,
        costs: Vec<f64>,
        status: IdentifyStatus,
    ) -> Result<Identification, ControlError> {
        let scales = self.parameters.scales(self.nominal, &self.values);
        let Report { estimates, covariance, undetermined } = report(
            &self.parameters.columns,
            &self.values,
            &scales,
            equations,
            settings.confidence,
            settings.undetermined,
        );
        Ok(Identification {
            estimates,
            covariance,
            undetermined,
            model: self.parameters.model(self.nominal, &self.values)?.0,
            starts: self.recordings.iter().map(|recording| recording.start.clone()).collect(),
            predicted: self
                .rollouts
                .iter_mut()
                .map(|rollout| std::mem::take(&mut rollout.predicted))
                .collect(),
            noise: self.noise.clone(),
            costs,
            status,
            analytic: self.analytic,
        })
    }
}
