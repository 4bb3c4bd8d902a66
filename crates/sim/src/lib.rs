//! The simulation pipeline: from `qpos`, `qvel` and `ctrl` to accelerations, constraint forces, sensors and the next state.
#![forbid(unsafe_code)]

pub mod actuation;
mod awake;
pub mod bias;
pub mod camlight;
pub mod chain;
pub mod composite;
pub mod constraint;
pub mod contact;
pub mod derivative;
pub mod energy;
mod fluid;
pub mod forward;
pub mod frame;
pub mod history;
pub mod inertia;
mod inputs;
pub mod integrate;
pub mod inverse;
pub mod island;
pub mod jacobian;
pub mod kinematics;
pub mod length_range;
pub mod passive;
pub mod ray;
pub mod sensor;
pub mod set_const;
pub mod shape;
pub mod sleep;
pub mod solver;
pub mod start;
pub mod step;
pub mod support;
pub mod tendon;
pub mod transmission;
pub mod velocity;
pub mod wake;
pub mod wrap;

pub use actuation::{mj_actuator_disabled, mj_fwd_actuation, mj_next_activation};
pub use bias::{mj_rne, mj_rne_post_constraint, mj_tendon_bias};
pub use camlight::mj_camlight;
pub use composite::mj_crb;
pub use constraint::{
    mj_constraint_update, mj_contact_force, mj_is_dual, mj_make_constraint, mj_mul_jac_t_vec, mj_mul_jac_vec,
    mj_project_constraint, mj_reference_constraint,
};
pub use contact::mj_collision;
pub use derivative::{DerivativeError, InverseJacobians, mjd_inverse_fd, mjd_smooth_vel, mjd_transition_fd};
pub use energy::{mj_energy_pos, mj_energy_vel};
pub use forward::{mj_fwd_acceleration, mj_fwd_kinematics};
pub use history::{mj_init_ctrl_history, mj_init_sensor_history, mj_read_ctrl, mj_read_sensor};
pub use inertia::{
    mj_add_m, mj_factor_m, mj_factor_sparse, mj_full_m, mj_make_m, mj_mul_m, mj_mul_m2, mj_solve_m,
    mj_solve_m2, mj_solve_sparse,
};
pub use integrate::{implicit_spring_damper, mj_euler, mj_implicit, mj_runge_kutta4};
pub use inverse::{
    mj_compare_fwd_inv, mj_inv_constraint, mj_inv_position, mj_inv_velocity, mj_inverse, mj_inverse_skip,
};
pub use island::mj_island;
pub use jacobian::{
    mj_angmom_mat, mj_jac, mj_jac_body, mj_jac_body_com, mj_jac_dot, mj_jac_geom, mj_jac_into, mj_jac_point,
    mj_jac_point_axis, mj_jac_site, mj_jac_subtree_com,
};
pub use kinematics::{mj_com_pos, mj_kinematics, mj_local_to_global};
pub use length_range::{LengthRangeError, LengthRangeOptions, mj_set_length_range, mj_set_length_ranges};
pub use passive::mj_passive;
pub use ray::{mj_multi_ray, mj_ray};
pub use sensor::{mj_compute_sensor, mj_sensor_acc, mj_sensor_pos, mj_sensor_vel};
pub use set_const::{SetConstError, mj_set_const};
pub use shape::mj_geom_distance;
pub use sleep::{mj_update_sleep, mj_wake};
pub use solver::mj_fwd_constraint;
pub use start::{initial_sleep_fault, install_reset};
pub use step::{
    StepError, mj_check_acc, mj_check_pos, mj_check_vel, mj_forward, mj_forward_skip, mj_fwd_position,
    mj_fwd_velocity, mj_step, mj_step1, mj_step2,
};
pub use support::{
    mj_apply_ft, mj_differentiate_pos, mj_get_totalmass, mj_integrate_pos, mj_normalize_quat,
    mj_object_acceleration, mj_object_velocity, mj_set_totalmass, mj_xfrc_accumulate,
};
pub use tendon::{mj_tendon, mj_tendon_dot};
pub use transmission::mj_transmission;
pub use velocity::{mj_com_vel, mj_fwd_velocity_smooth, mj_subtree_vel};
pub use wake::{
    InitialSleepError, mj_sleep, mj_sleep_cycle, mj_sleep_init, mj_wake_collision, mj_wake_equality,
    mj_wake_tendon,
};
