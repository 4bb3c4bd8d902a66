//! The simulation pipeline: from `qpos`, `qvel` and `ctrl` to accelerations, constraint forces, sensors and the next state.
#![forbid(unsafe_code)]

mod actuation;
mod awake;
mod bias;
mod camlight;
mod chain;
mod composite;
mod constraint;
mod contact;
mod derivative;
mod energy;
mod entry;
mod fluid;
mod forward;
mod history;
mod inertia;
mod inputs;
mod integrate;
mod inverse;
mod island;
mod jacobian;
mod kinematics;
mod length_range;
mod passive;
mod ray;
mod sensor;
mod set_const;
mod shape;
mod sleep;
mod solver;
mod start;
mod step;
mod support;
mod tendon;
mod transmission;
mod velocity;
mod wake;
mod wrap;

pub use entry::*;

pub use chain::{JacDifference, body_chain, merge_chain};
pub use constraint::mj_is_dual;
pub use derivative::{DerivativeError, InverseJacobians};
pub use history::{HistoryError, Interpolation, history_insert, history_read};
pub use inertia::mj_full_m;
pub use jacobian::{
    mj_angmom_mat, mj_jac, mj_jac_body, mj_jac_body_com, mj_jac_dot, mj_jac_geom, mj_jac_point,
    mj_jac_point_axis, mj_jac_site, mj_jac_subtree_com,
};
pub use length_range::{LengthRangeError, LengthRangeOptions, needs_length_range, undisturb};
pub use ray::{GeomHit, RayFilter, ray_primitive_shape};
pub use sensor::SensorError;
pub use set_const::SetConstError;
pub use start::install_reset;
pub use step::StepError;
pub use support::{
    FrameError, NoFrame, mj_differentiate_pos, mj_get_totalmass, mj_integrate_pos, mj_normalize_quat,
    mj_set_totalmass,
};
pub use wake::InitialSleepError;
pub use wrap::{WrapPath, WrapShape, wrap};
