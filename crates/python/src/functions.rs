//! Module functions. Each pipeline stage is one line in a list; functions with arguments are in the modules
//! below.

#![allow(non_snake_case)] // the functions carry the names that Python users know
#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

mod derivatives;
mod files;
mod jacobian;
mod math;
mod rays;
mod state;
mod step;
mod support;

use crate::call::{PyData, PyModel, stage};
use kinetree_sim as sim;
use pyo3::prelude::*;

/// Registers functions of this module in the extension module.
macro_rules! functions {
    ($module:expr; $( $name:ident )*) => {
        $( $module.add_function(wrap_pyfunction!($name, $module)?)?; )*
    };
}
pub(crate) use functions;

/// Defines one Python function for each stage of the form `fn(&Model, &mut Data)` and registers them all.
macro_rules! stages {
    ($( $path:path => $name:ident; )*) => {
        $(
            #[doc = concat!("Runs the stage `", stringify!($name), "` of the pipeline.")]
            #[pyfunction]
            fn $name(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
                stage(m, d, $path)
            }
        )*

        /// Adds all functions to the module.
        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $( module.add_function(wrap_pyfunction!($name, module)?)?; )*
            derivatives::register(module)?;
            files::register(module)?;
            jacobian::register(module)?;
            math::register(module)?;
            rays::register(module)?;
            state::register(module)?;
            step::register(module)?;
            support::register(module)
        }
    };
}

stages! {
    sim::mj_kinematics => mj_kinematics;
    sim::mj_com_pos => mj_comPos;
    sim::mj_camlight => mj_camlight;
    sim::mj_flex => mj_flex;
    sim::mj_tendon => mj_tendon;
    sim::mj_transmission => mj_transmission;
    sim::mj_crb => mj_crb;
    sim::mj_make_m => mj_makeM;
    sim::mj_factor_m => mj_factorM;
    sim::mj_fwd_kinematics => mj_fwdKinematics;
    sim::mj_com_vel => mj_comVel;
    sim::mj_subtree_vel => mj_subtreeVel;
    sim::mj_passive => mj_passive;
    sim::mj_fwd_velocity_smooth => mj_fwdVelocitySmooth;
    sim::mj_fwd_actuation => mj_fwdActuation;
    sim::mj_fwd_acceleration => mj_fwdAcceleration;
    sim::mj_rne_post_constraint => mj_rnePostConstraint;
    sim::mj_sensor_pos => mj_sensorPos;
    sim::mj_sensor_vel => mj_sensorVel;
    sim::mj_sensor_acc => mj_sensorAcc;
    sim::mj_energy_pos => mj_energyPos;
    sim::mj_energy_vel => mj_energyVel;
    sim::mj_collision => mj_collision;
    sim::mj_make_constraint => mj_makeConstraint;
    sim::mj_project_constraint => mj_projectConstraint;
    sim::mj_reference_constraint => mj_referenceConstraint;
    sim::mj_island => mj_island;
    sim::mj_fwd_constraint => mj_fwdConstraint;
    sim::mj_fwd_position => mj_fwdPosition;
    sim::mj_fwd_velocity => mj_fwdVelocity;
    sim::mj_inv_position => mj_invPosition;
    sim::mj_inv_velocity => mj_invVelocity;
    sim::mj_inv_constraint => mj_invConstraint;
    sim::mj_compare_fwd_inv => mj_compareFwdInv;
    sim::mj_check_pos => mj_checkPos;
    sim::mj_check_vel => mj_checkVel;
    sim::mj_check_acc => mj_checkAcc;
    sim::mj_euler => mj_Euler;
    sim::mj_implicit => mj_implicit;
}
