//! Small scalar functions: muscle curves, contact pyramids, polynomials of springs, quasi-random numbers.
//!
//! ```
//! use kinetree_math::misc::{clip, muscle_dynamics};
//!
//! assert_eq!(clip(1.5, 0.0, 1.0), 1.0);
//! assert!(muscle_dynamics(1.0, 0.0, &[0.01, 0.04, 0.0]) > 0.0, "activation rises towards the control");
//! ```

mod muscle;
mod polynomial;
mod pyramid;
mod scalar;

pub use muscle::{
    MuscleParams, muscle_bias, muscle_bias_length_derivative, muscle_dynamics, muscle_dynamics_derivatives,
    muscle_dynamics_timescale, muscle_gain, muscle_gain_length, muscle_gain_length_derivative,
    muscle_gain_second_derivatives, muscle_gain_velocity_derivative,
};
pub use polynomial::{PolyKind, poly_force, poly_force_deriv, poly_potential};
pub use pyramid::{decode_pyramid, encode_pyramid};
pub use scalar::{MAXVAL, clip, halton, is_bad, is_zero, round, sigmoid, sign, spring_damper, stribeck};
