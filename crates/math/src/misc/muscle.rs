//! Muscle model: force–length–velocity curves and activation dynamics.
//!
//! Lengths are in units of the optimal length and velocities in units of the maximal shortening velocity. The
//! active force is `−F FL(L) FV(V)`, the passive one `−F FP(L)`, all pieces quadratic, and activation follows
//! control with the time constants of Millard et al. 2013.

use super::scalar::{clip, sigmoid};
use crate::MINVAL;

/// The nine parameters of a muscle in the order in which models store them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MuscleParams {
    /// Operating range of lengths, in units of the optimal length.
    pub range: [f64; 2],
    /// Peak active force; negative: derived from `scale`.
    pub force: f64,
    /// Peak force is `scale / acc0` when `force` is negative.
    pub scale: f64,
    /// Shortest length with active force.
    pub lmin: f64,
    /// Longest length with active force.
    pub lmax: f64,
    /// Shortening velocity at which active force vanishes.
    pub vmax: f64,
    /// Passive force at `lmax`, relative to peak.
    pub fpmax: f64,
    /// Active force at the largest lengthening velocity, relative to peak.
    pub fvmax: f64,
}

impl MuscleParams {
    /// Parameters from the array `(range, force, scale, lmin, lmax, vmax, fpmax, fvmax)`.
    #[must_use]
    pub fn new(prm: &[f64; 9]) -> Self {
        let [r0, r1, force, scale, lmin, lmax, vmax, fpmax, fvmax] = *prm;
        Self { range: [r0, r1], force, scale, lmin, lmax, vmax, fpmax, fvmax }
    }

    fn peak_force(&self, acc0: f64) -> f64 {
        if self.force < 0.0 { self.scale / acc0.max(MINVAL) } else { self.force }
    }

    /// Velocity at which a muscle of this optimal length shortens without force.
    fn velocity_scale(&self, optimal: f64) -> f64 {
        (optimal * self.vmax).max(MINVAL)
    }

    /// Active force at normalized velocity.
    fn force_velocity(&self, velocity: f64) -> f64 {
        let y = self.fvmax - 1.0;
        if velocity <= -1.0 {
            0.0
        } else if velocity <= 0.0 {
            (velocity + 1.0) * (velocity + 1.0)
        } else if velocity <= y {
            self.fvmax - (y - velocity) * (y - velocity) / y.max(MINVAL)
        } else {
            self.fvmax
        }
    }

    /// Derivative of [`Self::force_velocity`].
    fn force_velocity_derivative(&self, velocity: f64) -> f64 {
        let y = self.fvmax - 1.0;
        if velocity <= -1.0 {
            0.0
        } else if velocity <= 0.0 {
            2.0 * velocity + 2.0
        } else if velocity <= y {
            2.0 * (y - velocity) / y.max(MINVAL)
        } else {
            0.0
        }
    }

    /// Optimal length, and `len` in units of it.
    fn normalized(&self, len: f64, lengthrange: &[f64; 2]) -> (f64, f64) {
        let optimal = (lengthrange[1] - lengthrange[0]) / (self.range[1] - self.range[0]).max(MINVAL);
        (optimal, self.range[0] + (len - lengthrange[0]) / optimal.max(MINVAL))
    }
}

/// Active force at normalized length: a bump over `[lmin, lmax]` of four parabolas with its top at one.
#[must_use]
pub fn muscle_gain_length(length: f64, lmin: f64, lmax: f64) -> f64 {
    // written so that a NaN length has no force
    if !(lmin <= length && length <= lmax) {
        return 0.0;
    }
    let (a, b) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let ratio = |distance: f64, width: f64| distance / width.max(MINVAL);
    if length <= a {
        let x = ratio(length - lmin, a - lmin);
        0.5 * x * x
    } else if length <= 1.0 {
        let x = ratio(1.0 - length, 1.0 - a);
        1.0 - 0.5 * x * x
    } else if length <= b {
        let x = ratio(length - 1.0, b - 1.0);
        1.0 - 0.5 * x * x
    } else {
        let x = ratio(lmax - length, lmax - b);
        0.5 * x * x
    }
}

/// A muscle at a length and velocity.
struct MuscleState {
    p: MuscleParams,
    /// Peak active force.
    force: f64,
    /// Optimal length, and the length in units of it.
    optimal: f64,
    length: f64,
    /// Velocity at which the muscle shortens without force, and the velocity in units of it.
    scale: f64,
    velocity: f64,
}

impl MuscleState {
    fn new(len: f64, vel: f64, lengthrange: &[f64; 2], acc0: f64, prm: &[f64; 9]) -> Self {
        let p = MuscleParams::new(prm);
        let (optimal, length) = p.normalized(len, lengthrange);
        let scale = p.velocity_scale(optimal);
        Self { p, force: p.peak_force(acc0), optimal, length, scale, velocity: vel / scale }
    }

    /// Active force at this length, relative to peak.
    fn gain_length(&self) -> f64 {
        muscle_gain_length(self.length, self.p.lmin, self.p.lmax)
    }

    /// Derivative of [`Self::gain_length`] with respect to the normalized length.
    fn gain_length_derivative(&self) -> f64 {
        gain_length_derivative(self.length, self.p.lmin, self.p.lmax)
    }
}

/// Active force per unit of activation, never positive.
#[must_use]
pub fn muscle_gain(len: f64, vel: f64, lengthrange: &[f64; 2], acc0: f64, prm: &[f64; 9]) -> f64 {
    let s = MuscleState::new(len, vel, lengthrange, acc0, prm);
    -s.force * s.gain_length() * s.p.force_velocity(s.velocity)
}

/// Derivative of [`muscle_gain`] with respect to velocity: the derivative of the force–velocity curve.
#[must_use]
pub fn muscle_gain_velocity_derivative(
    len: f64,
    vel: f64,
    lengthrange: &[f64; 2],
    acc0: f64,
    prm: &[f64; 9],
) -> f64 {
    let s = MuscleState::new(len, vel, lengthrange, acc0, prm);
    -s.force * s.gain_length() * s.p.force_velocity_derivative(s.velocity) / s.scale
}

/// Derivatives of [`muscle_gain_velocity_derivative`] with respect to length and velocity. At the joints of
/// the force–velocity curve, where its curvature jumps, that of the slower side.
#[must_use]
pub fn muscle_gain_second_derivatives(
    len: f64,
    vel: f64,
    lengthrange: &[f64; 2],
    acc0: f64,
    prm: &[f64; 9],
) -> [f64; 2] {
    let s = MuscleState::new(len, vel, lengthrange, acc0, prm);
    let by_length = s.gain_length_derivative() / s.optimal.max(MINVAL);
    let y = s.p.fvmax - 1.0;
    let curvature = if s.velocity <= -1.0 || s.velocity > y {
        0.0
    } else if s.velocity <= 0.0 {
        2.0
    } else {
        -2.0 / y.max(MINVAL)
    };
    [
        -s.force * by_length * s.p.force_velocity_derivative(s.velocity) / s.scale,
        -s.force * s.gain_length() * curvature / (s.scale * s.scale),
    ]
}

/// Derivative of [`muscle_gain_length`].
#[must_use]
fn gain_length_derivative(length: f64, lmin: f64, lmax: f64) -> f64 {
    if !(lmin <= length && length <= lmax) {
        return 0.0;
    }
    let (a, b) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let derivative = |distance: f64, width: f64| distance / (width.max(MINVAL) * width.max(MINVAL));
    if length <= a {
        derivative(length - lmin, a - lmin)
    } else if length <= 1.0 {
        derivative(1.0 - length, 1.0 - a)
    } else if length <= b {
        -derivative(length - 1.0, b - 1.0)
    } else {
        -derivative(lmax - length, lmax - b)
    }
}

/// Derivative of [`muscle_gain`] with respect to length.
#[must_use]
pub fn muscle_gain_length_derivative(
    len: f64,
    vel: f64,
    lengthrange: &[f64; 2],
    acc0: f64,
    prm: &[f64; 9],
) -> f64 {
    let s = MuscleState::new(len, vel, lengthrange, acc0, prm);
    -s.force * s.gain_length_derivative() * s.p.force_velocity(s.velocity) / s.optimal.max(MINVAL)
}

/// Derivative of [`muscle_bias`] with respect to length.
#[must_use]
pub fn muscle_bias_length_derivative(len: f64, lengthrange: &[f64; 2], acc0: f64, prm: &[f64; 9]) -> f64 {
    let p = MuscleParams::new(prm);
    let (optimal, length) = p.normalized(len, lengthrange);
    let width = (0.5 * (p.lmax - 1.0)).max(MINVAL);
    let derivative = ((length - 1.0) / width).clamp(0.0, 1.0) / width;
    -p.peak_force(acc0) * p.fpmax * derivative / optimal.max(MINVAL)
}

/// Passive force, never positive: quadratic from the optimal length to halfway to `lmax`, linear beyond.
#[must_use]
pub fn muscle_bias(len: f64, lengthrange: &[f64; 2], acc0: f64, prm: &[f64; 9]) -> f64 {
    let p = MuscleParams::new(prm);
    let force = p.peak_force(acc0);
    let (_, length) = p.normalized(len, lengthrange);
    let b = 0.5 * (1.0 + p.lmax);
    if length <= 1.0 {
        0.0
    } else if length <= b {
        let x = (length - 1.0) / (b - 1.0).max(MINVAL);
        -force * p.fpmax * 0.5 * x * x
    } else {
        let x = (length - b) / (b - 1.0).max(MINVAL);
        -force * p.fpmax * (0.5 + x)
    }
}

/// Time constant that applies when control exceeds activation by `dctrl`: one of two, with a smooth
/// transition of the given width around zero.
#[must_use]
pub fn muscle_dynamics_timescale(dctrl: f64, tau_act: f64, tau_deact: f64, smoothing_width: f64) -> f64 {
    if smoothing_width < MINVAL {
        if dctrl > 0.0 { tau_act } else { tau_deact }
    } else {
        tau_deact + (tau_act - tau_deact) * sigmoid(dctrl / smoothing_width + 0.5)
    }
}

/// Time derivative of activation; `prm` is `(tau_act, tau_deact, smoothing_width)`.
#[must_use]
pub fn muscle_dynamics(ctrl: f64, act: f64, prm: &[f64; 3]) -> f64 {
    let slowdown = 0.5 + 1.5 * clip(act, 0.0, 1.0);
    let dctrl = clip(ctrl, 0.0, 1.0) - act;
    let tau = muscle_dynamics_timescale(dctrl, prm[0] * slowdown, prm[1] / slowdown, prm[2]);
    dctrl / tau.max(MINVAL)
}

/// Derivatives of [`muscle_dynamics`] with respect to control and activation.
#[must_use]
pub fn muscle_dynamics_derivatives(ctrl: f64, act: f64, prm: &[f64; 3]) -> (f64, f64) {
    let inside = |x: f64| if (0.0..=1.0).contains(&x) { 1.0 } else { 0.0 };
    let (slowdown, slowdown_derivative) = (0.5 + 1.5 * clip(act, 0.0, 1.0), 1.5 * inside(act));
    let dctrl = clip(ctrl, 0.0, 1.0) - act;
    let [activate, deactivate, width] = *prm;
    let tau = muscle_dynamics_timescale(dctrl, activate * slowdown, deactivate / slowdown, width);
    // the time constant changes with the activation through the slowdown, and with dctrl where it is smoothed
    let (share, share_derivative) = if width < MINVAL {
        (f64::from(u8::from(dctrl > 0.0)), 0.0)
    } else {
        let x = dctrl / width + 0.5;
        let derivative = if x <= 0.0 || x >= 1.0 { 0.0 } else { 30.0 * x * x * (1.0 - x) * (1.0 - x) };
        (sigmoid(x), derivative / width)
    };
    let by_slowdown = activate * share - deactivate / (slowdown * slowdown) * (1.0 - share);
    let by_dctrl = (activate * slowdown - deactivate / slowdown) * share_derivative;
    let safe = tau.max(MINVAL);
    let derivative = |ddctrl: f64, dslowdown: f64| {
        let dtau = if tau > MINVAL { by_slowdown * dslowdown + by_dctrl * ddctrl } else { 0.0 };
        (ddctrl - dctrl / safe * dtau) / safe
    };
    (derivative(inside(ctrl), 0.0), derivative(-1.0, slowdown_derivative))
}
