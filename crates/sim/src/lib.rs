//! The simulation pipeline: from `qpos`, `qvel` and `ctrl` to accelerations, constraint forces, sensors and
//! the next state.
//!
//! ```
//! use kinetree_model::Data;
//! use kinetree_sim::{RayFilter, mj_forward, mj_ray, mj_step};
//!
//! let model = kinetree_spec::load_model_str(
//!     "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
//! )?;
//! let mut data = Data::new(&model);
//! mj_step(&model, &mut data)?;
//! assert!(data.qvel[2] < 0.0, "the ball falls");
//!
//! mj_forward(&model, &mut data)?;
//! let hit = mj_ray(&model, &data, &[0.0, 0.0, 3.0], &[0.0, 0.0, -1.0], &RayFilter::default())?;
//! assert_eq!(hit.map(|hit| hit.geom), Some(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod actuation;
mod arguments;
mod cache_key;
mod constraint;
mod contact;
mod damped_inertia;
mod derivative;
mod entry;
mod evaluation;
mod flex;
mod forces;
mod forward;
mod history;
mod inertia;
mod integrate;
mod inverse;
mod island;
mod jacobian_matrices;
mod kinematics;
mod lockstep;
mod nested;
mod on_demand;
mod parts;
mod pipeline;
mod plugin;
mod plugin_check;
mod point_masses;
mod ray;
mod ray_flex;
mod reset;
mod row_blocks;
mod sensor;
mod set_const;
mod sleep;
mod smooth;
mod solver;
mod stage_memory;
mod step;
mod step_memory;
mod support;
mod tendon;
mod unsupported;
mod workspace;

pub use arguments::ArgumentError;
pub use entry::*;

pub use actuation::length_range::{LengthRangeError, LengthRangeOptions, needs_length_range, undisturb};
pub use actuation::mj_actuator_disabled;
pub use constraint::{RowGains, contact_gains, mj_is_dual, row_gains};
pub use contact::{
    FieldSearch, StaticPair, VisitedVolumes, ccd_settings, geom_pose, geom_shape, static_pairs,
};
pub use derivative::{
    DerivativeError, FieldGradient, InverseJacobians, field_gradient_size, smooth_contacts,
};
pub use forces::passive::{dof_constants, tendon_constants};
pub use history::{HistoryError, Interpolation, history_insert, history_read};
pub use inertia::mass_matrix::mj_full_m;
pub use integrate::{FreeBody, free_body_step};
pub use jacobian_matrices::{
    mj_angmom_mat, mj_jac, mj_jac_body, mj_jac_body_com, mj_jac_dot, mj_jac_geom, mj_jac_point,
    mj_jac_point_axis, mj_jac_site, mj_jac_subtree_com,
};
pub use kinematics::chain::{body_chain, merge_chain};
pub use kinematics::chain_jacobian::JacDifference;
pub use kinetree_model::{NoFrame, SensorError, StepError};
pub use lockstep::{LOCKSTEP_WORLDS, Lockstep, LockstepWorld};
pub use parts::{ConstraintRows, VelocityPart, update_rows};
pub use pipeline::install_pipeline;
pub use plugin_check::check_plugins;
pub use point_masses::{Carrier, PointContacts, PointMasses, PointMotion, Share, point_contact};
pub use ray::{GeomHit, RayFilter, ray_primitive_shape};
pub use ray_flex::{FlexHit, FlexParts, mju_ray_skin};
pub use sensor::{PixelRays, contact_sight, focal_pixels};
pub use set_const::SetConstError;
pub use sleep::wake::{InitialSleepError, mj_sleep_cycle};
pub use support::{
    FrameError, mj_differentiate_pos, mj_get_totalmass, mj_integrate_pos, mj_normalize_quat, mj_set_totalmass,
};
pub use tendon::wrap::{WrapPath, WrapShape, wrap};
pub use unsupported::refused_difference;
