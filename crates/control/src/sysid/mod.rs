//! System identification: quantities of a model from recorded trajectories.
//!
//! The residuals of all recordings are minimized by Levenberg–Marquardt with bounds and priors; Jacobians are
//! sensitivities of the rollouts, from analytic derivatives of each step. The covariance at the solution gives
//! intervals, and its large directions what the data cannot tell.

mod fit;
mod inertia;
mod normal;
mod parameters;
mod quantity;
mod recording;
mod report;
mod sensitivity;

pub use fit::{Identification, IdentifySettings, IdentifyStatus, Sensitivity, identify, sensitivity};
pub use parameters::Unknown;
pub use quantity::Quantity;
pub use recording::{Channel, Recording};
pub use report::Estimate;
