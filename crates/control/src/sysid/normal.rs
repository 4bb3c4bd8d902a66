//! Residuals of recordings, and the normal equations `JᵀJ δ = −Jᵀr` of all of them.

use super::recording::Recording;
use super::sensitivity::Rollout;
use crate::error::ControlError;
use kinetree_model::is_interrupted;
use std::ops::Range;

/// Rows of a long recording between two looks whether the caller has ended the work.
const ROWS: usize = 1024;

/// Differences of simulated from measured channels.
pub(crate) struct Residuals<'a> {
    recordings: &'a [Recording],
    rollouts: &'a [Rollout],
    noise: &'a [Vec<f64>],
}

impl<'a> Residuals<'a> {
    pub(crate) fn new(recordings: &'a [Recording], rollouts: &'a [Rollout], noise: &'a [Vec<f64>]) -> Self {
        Self { recordings, rollouts, noise }
    }

    /// Those of a recording, in its units; not a number where nothing was measured.
    pub(crate) fn of(&self, index: usize) -> Vec<f64> {
        let pairs = self.rollouts[index].predicted.iter().zip(&self.recordings[index].measured);
        pairs.map(|(predicted, measured)| predicted - measured).collect()
    }

    /// Calls `f` with the channel and the residual of each measured number, row by row.
    fn for_each(&self, index: usize, mut f: impl FnMut(usize, f64)) -> Result<(), ControlError> {
        let recording = &self.recordings[index];
        let width = recording.channels.len().max(1);
        let rows = self.rollouts[index].predicted.chunks(width).zip(recording.measured.chunks(width));
        for (at, (predicted, measured)) in rows.enumerate() {
            if at.is_multiple_of(ROWS) && is_interrupted() {
                return Err(ControlError::Interrupted);
            }
            let residuals = predicted.iter().zip(measured).map(|(predicted, measured)| predicted - measured);
            residuals
                .enumerate()
                .filter(|(_, residual)| !residual.is_nan())
                .for_each(|(channel, residual)| f(channel, residual));
        }
        Ok(())
    }

    /// Sum of squares in units of the noise.
    ///
    /// # Errors
    /// [`ControlError::Interrupted`] when the caller has ended the work.
    pub(crate) fn squares(&self) -> Result<f64, ControlError> {
        let mut total = 0.0;
        for (index, noise) in self.noise.iter().enumerate() {
            let mut sum = 0.0;
            self.for_each(index, |channel, residual| {
                sum += (residual / noise[channel]) * (residual / noise[channel]);
            })?;
            total += sum;
        }
        Ok(total)
    }

    /// Measured numbers of a recording.
    pub(crate) fn count(&self, index: usize) -> usize {
        self.recordings[index].measured.iter().filter(|value| !value.is_nan()).count()
    }

    /// Mean square of each channel, in its units.
    ///
    /// # Errors
    /// As [`Self::squares`].
    pub(crate) fn mean_squares(&self, index: usize) -> Result<Vec<f64>, ControlError> {
        let mut sums = vec![(0.0, 0_usize); self.recordings[index].channels.len()];
        self.for_each(index, |channel, residual| {
            let (sum, count) = &mut sums[channel];
            *sum += residual * residual;
            *count += 1;
        })?;
        Ok(sums.into_iter().map(|(sum, count)| sum / count.max(1) as f64).collect())
    }
}

/// `JᵀJ` and `Jᵀr` over coordinates of parameters and of starts, of the data alone, and priors beside them.
#[derive(Clone, Debug)]
pub(crate) struct NormalEquations {
    pub(crate) parameters: usize,
    pub(crate) size: usize,
    pub(crate) hessian: Vec<f64>,
    pub(crate) gradient: Vec<f64>,
    /// Diagonal of the Hessian of the priors.
    pub(crate) priors: Vec<f64>,
}

impl NormalEquations {
    pub(crate) fn new(parameters: usize, size: usize) -> Self {
        let (hessian, gradient, priors) = (vec![0.0; size * size], vec![0.0; size], vec![0.0; size]);
        Self { parameters, size, hessian, gradient, priors }
    }

    /// Adds the rows of a recording, whose columns are the parameters and then `start`.
    ///
    /// # Errors
    /// [`ControlError::Interrupted`] when the caller has ended the work.
    pub(crate) fn add(
        &mut self,
        rows: &[f64],
        residuals: &[f64],
        noise: &[f64],
        start: Range<usize>,
    ) -> Result<(), ControlError> {
        let (n, width) = (self.size, self.parameters + start.len());
        let target = |column: usize| {
            if column < self.parameters { column } else { start.start + column - self.parameters }
        };
        for (at, (row, residual)) in rows.chunks_exact(width.max(1)).zip(residuals).enumerate() {
            if at.is_multiple_of(ROWS) && is_interrupted() {
                return Err(ControlError::Interrupted);
            }
            if residual.is_nan() {
                continue;
            }
            let noise = noise[at % noise.len()];
            let weight = 1.0 / (noise * noise);
            for (i, a) in row.iter().enumerate().filter(|(_, a)| **a != 0.0) {
                let line = target(i);
                self.gradient[line] += weight * a * residual;
                for (j, b) in row.iter().enumerate() {
                    self.hessian[line * n + target(j)] += weight * a * b;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn add_priors(&mut self, priors: impl Iterator<Item = Option<[f64; 2]>>, values: &[f64]) {
        for (i, prior) in priors.enumerate() {
            if let Some([mean, deviation]) = prior {
                self.priors[i] = 1.0 / (deviation * deviation);
                self.gradient[i] += self.priors[i] * (values[i] - mean);
            }
        }
    }

    /// Hessian with priors and gradient in coordinates where its diagonal is one, and the factors that lead
    /// to these coordinates.
    pub(crate) fn scaled(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let n = self.size;
        let factor = |i: usize| {
            let diagonal = self.hessian[i * n + i] + self.priors[i];
            if diagonal > 0.0 { diagonal.sqrt() } else { 1.0 }
        };
        let factors: Vec<f64> = (0..n).map(factor).collect();
        let mut hessian = self.hessian.clone();
        for i in 0..n {
            hessian[i * n + i] += self.priors[i];
            (0..n).for_each(|j| hessian[i * n + j] /= factors[i] * factors[j]);
        }
        let gradient = self.gradient.iter().zip(&factors).map(|(g, factor)| g / factor).collect();
        (hessian, gradient, factors)
    }
}
