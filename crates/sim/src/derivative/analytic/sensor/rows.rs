//! Derivatives of the components of one sensor.

use crate::contact::distance::DistanceScratch;
use crate::derivative::analytic::contact::narrow::NarrowProbe;
use crate::derivative::analytic::linearize::Linearization;
use crate::derivative::error::DerivativeError;
use kinetree_math::spatial::Vec6;

/// Derivatives of the components of one sensor. Working memory.
#[derive(Default)]
pub(crate) struct SensorDerivatives {
    /// With `(q, v, act, ctrl)`, row by row.
    pub(crate) inputs: Vec<f64>,
    /// With the acceleration.
    pub(crate) acceleration: Vec<f64>,
    pub(crate) rate_derivative: Vec<f64>,
    pub(crate) momentum: Vec<f64>,
    /// Changes of a force with position, velocity and acceleration of each dof.
    pub(crate) force_changes: Vec<[Vec6; 3]>,
    pub(crate) probe: NarrowProbe,
    pub(crate) search: DistanceScratch,
    pub(crate) nv: usize,
    pub(crate) width: usize,
}

/// Which of the inputs changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Position,
    Velocity,
    Acceleration,
}

pub(crate) fn refusal(what: &'static str) -> DerivativeError {
    DerivativeError::Unsupported(what)
}

impl SensorDerivatives {
    /// Adds what comes through the acceleration to component `k`.
    pub(crate) fn complete(&mut self, linear: &Linearization, k: usize) {
        let row = &mut self.inputs[k * self.width..(k + 1) * self.width];
        for (dof, &by) in self.acceleration[k * self.nv..(k + 1) * self.nv].iter().enumerate() {
            if by != 0.0 {
                kinetree_math::dense::add_scaled(row, &linear.derivative[dof * self.width..], by);
            }
        }
    }

    /// Adds to the derivative of component `k` with the position, velocity or acceleration of a dof.
    pub(crate) fn add(&mut self, change: Change, k: usize, dof: usize, value: f64) {
        match change {
            Change::Position => self.inputs[k * self.width + dof] += value,
            Change::Velocity => self.inputs[k * self.width + self.nv + dof] += value,
            Change::Acceleration => self.acceleration[k * self.nv + dof] += value,
        }
    }

    pub(crate) fn add_vector(&mut self, change: Change, dof: usize, value: &[f64]) {
        for (k, x) in value.iter().enumerate() {
            self.add(change, k, dof, *x);
        }
    }

    /// Derivatives of the first component with positions.
    pub(crate) fn positions(&mut self) -> &mut [f64] {
        &mut self.inputs[..self.nv]
    }
}
