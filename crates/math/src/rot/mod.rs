//! Rotations and poses.
//!
//! Quaternions are `[w, x, y, z]` and active: `q` maps local to global coordinates, `v_global = q v_local
//! q*`. Angular velocities are local (right-multiplied): `q(t + dt) = q(t) exp(ω dt)`. Functions that take a
//! quaternion expect unit length and never renormalize unless they say so.
//!
//! ```
//! use kinetree_math::Vec3;
//! use kinetree_math::rot::{axis_angle_to_quat, quat_rotate};
//!
//! let quarter = axis_angle_to_quat(&Vec3::z(), std::f64::consts::FRAC_PI_2);
//! assert!((quat_rotate(&quarter, &Vec3::x()) - Vec3::y()).norm() < 1e-15);
//! ```

mod convert;
mod derivative;
mod euler;
mod frame;
mod pose;
mod quat;

pub use convert::{
    ROWS_IDENTITY, mat_to_quat, mat_to_rot, mat3, mat3_row, point_in_frame, quat_to_mat, quat_to_rows,
};
pub use derivative::{QuatIntegrateDeriv, quat_integrate_deriv, quat_sub_deriv};
pub use euler::{EulerError, euler_to_quat};
pub use frame::{UndefinedAxis, make_frame, normalize3};
pub use pose::{pose_apply, pose_mul, pose_neg};
pub use quat::{
    QUAT_IDENTITY, axis_angle_to_quat, quat_conj, quat_deriv, quat_integrate, quat_mul, quat_mul_axis,
    quat_normalize, quat_rotate, quat_rotate_inv, quat_rotate3, quat_sub, quat_to_vel, quat_z_to_vec,
};
