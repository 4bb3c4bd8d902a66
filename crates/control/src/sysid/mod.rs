//! System identification: quantities of a model from recorded trajectories.
//!
//! The residuals of all recordings are minimized by Levenberg–Marquardt with bounds and priors; Jacobians
//! are sensitivities of the rollouts, from analytic derivatives of each step. The covariance at the solution
//! gives intervals, and its large directions what the data cannot tell.
//!
//! ```
//! use kinetree_control::state_size;
//! use kinetree_control::sysid::{Channel, IdentifySettings, Quantity, Recording, Unknown, identify};
//! use kinetree_model::{Data, STATE_INTEGRATION, mj_get_state};
//! use kinetree_sim::mj_step;
//!
//! let model = kinetree_spec::load_model_str(
//!     "<mujoco>
//!        <option timestep='0.01'/>
//!        <worldbody>
//!          <body><joint axis='0 1 0' damping='0.1'/><geom size='0.1' pos='0.3 0 0' mass='1'/></body>
//!        </worldbody>
//!      </mujoco>",
//! )?;
//! // a recording of the angle, here of a simulation
//! let (mut data, mut start) = (Data::new(&model), vec![0.0; state_size(&model)?]);
//! mj_get_state(&model, &data, &mut start, STATE_INTEGRATION)?;
//! let mut measured = Vec::new();
//! for _ in 0..100 {
//!     mj_step(&model, &mut data)?;
//!     measured.push(data.qpos[0]);
//! }
//! let recording = Recording {
//!     start,
//!     free_start: false,
//!     controls: Vec::new(),
//!     channels: vec![Channel::Position(0)],
//!     measured,
//!     noise: Some(vec![1e-3]),
//! };
//! let damping = Unknown { initial: Some(vec![0.3]), ..Unknown::new(Quantity::Damping(0)) };
//! let found = identify(&model, &[damping], &[recording], &IdentifySettings::default())?;
//! assert!((found.estimates[0].value - 0.1).abs() < 1e-4 && found.undetermined.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
