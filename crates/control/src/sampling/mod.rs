//! Control by samples: many trajectories with random controls, of which the good ones decide the next
//! controls.

mod sampler;
mod spline;

pub(crate) use sampler::most_knots;
pub use sampler::{Method, SampledSolution, Sampler, SamplerSettings};
pub use spline::{Interpolation, Spline};
