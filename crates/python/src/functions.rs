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
/// Each has a text on what it computes, one on the fields that it reads and one on those that it writes.
macro_rules! stages {
    ($( $path:path => $name:ident: $what:literal, $reads:literal, $writes:literal; )*) => {
        $(
            #[doc = concat!(
                $what, "\n\nReads ", $reads, ".\nWrites ", $writes,
                ".\n\nArgs:\n    m: the model, an `MjModel`.\n    d: its data, an `MjData`, whose fields are read and written.",
            )]
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
    sim::mj_kinematics => mj_kinematics:
        "Forward kinematics: poses of bodies, inertial frames, geoms and sites, and anchors and axes of joints.",
        "`qpos`, `mocap_pos`, `mocap_quat`",
        "`xpos`, `xquat`, `xmat`, `xipos`, `ximat`, `xanchor`, `xaxis`, `geom_xpos`, `geom_xmat`, `site_xpos`, `site_xmat`";
    sim::mj_com_pos => mj_comPos:
        "Centres of mass of subtrees, and inertias and dof axes about them.",
        "the results of `mj_kinematics`",
        "`subtree_com`, `cinert`, `cdof`";
    sim::mj_camlight => mj_camlight:
        "Poses of cameras and lights.",
        "the results of `mj_kinematics` and `mj_comPos`",
        "`cam_xpos`, `cam_xmat`, `light_xpos`, `light_xdir`";
    sim::mj_flex => mj_flex:
        "Vertices, bounding boxes and edges of flexes.",
        "the results of `mj_kinematics`",
        "`flexvert_xpos`, `flexelem_aabb`, `flexedge_length`, `flexedge_J` and the like";
    sim::mj_tendon => mj_tendon:
        "Lengths, paths and Jacobians of tendons.",
        "the results of `mj_kinematics` and `mj_comPos`",
        "`ten_length`, `ten_J`, `ten_wrapadr`, `ten_wrapnum`, `wrap_obj`, `wrap_xpos`";
    sim::mj_transmission => mj_transmission:
        "Lengths and moment arms of actuators.",
        "the results of `mj_kinematics`, `mj_comPos` and `mj_tendon`; for adhesion also contacts and constraints",
        "`actuator_length`, `actuator_moment`";
    sim::mj_crb => mj_crb:
        "Composite rigid body algorithm: the joint-space inertia matrix, without tendon armature.",
        "`cinert`, `cdof`",
        "`crb`, `M`";
    sim::mj_make_m => mj_makeM:
        "The joint-space inertia matrix, with the armature of joints and tendons.",
        "`cinert`, `cdof`, `ten_J`",
        "`crb`, `M`, `qM`";
    sim::mj_factor_m => mj_factorM:
        "Factors the inertia matrix: `M = Lᵀ D L`, sparse.",
        "`M`",
        "`qLD`, `qLDiagInv`";
    sim::mj_fwd_kinematics => mj_fwdKinematics:
        "The kinematic part of the position stage: `mj_kinematics`, `mj_comPos`, `mj_camlight`, `mj_flex` and `mj_tendon`.",
        "`qpos`, `mocap_pos`, `mocap_quat`",
        "what these write";
    sim::mj_com_vel => mj_comVel:
        "Spatial velocities of bodies, and time derivatives of the dof axes.",
        "`qvel`, `cdof`",
        "`cvel`, `cdof_dot`";
    sim::mj_subtree_vel => mj_subtreeVel:
        "Linear velocity of the centre of mass and angular momentum about it, of each subtree.",
        "`cvel`, `subtree_com`, `xipos`",
        "`subtree_linvel`, `subtree_angmom`";
    sim::mj_passive => mj_passive:
        "Passive forces: springs, dampers, gravity compensation, fluid forces, and those of plugins and callbacks.",
        "`qpos`, `qvel`, and the results of the position and velocity stages",
        "`qfrc_spring`, `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid`, `qfrc_passive`";
    sim::mj_fwd_velocity_smooth => mj_fwdVelocitySmooth:
        "The velocity stage without constraints: velocities of tendons, actuators and bodies, passive and bias forces.",
        "`qvel` and the results of the position stage",
        "`ten_velocity`, `actuator_velocity`, `cvel`, `cdof_dot`, `qfrc_passive` and its parts, `qfrc_bias`";
    sim::mj_fwd_actuation => mj_fwdActuation:
        "Actuator dynamics and forces.",
        "`ctrl`, `act`, `actuator_length`, `actuator_velocity`, `actuator_moment`",
        "`act_dot`, `actuator_force`, `qfrc_actuator`";
    sim::mj_fwd_acceleration => mj_fwdAcceleration:
        "Sums all forces that are not constraint forces, and the acceleration that they alone would cause.",
        "`qfrc_passive`, `qfrc_bias`, `qfrc_applied`, `xfrc_applied`, `qfrc_actuator`, `qLD`",
        "`qfrc_smooth`, `qacc_smooth`";
    sim::mj_rne_post_constraint => mj_rnePostConstraint:
        "Recursive Newton-Euler after the solver: accelerations of bodies, external forces and forces between bodies. Sensors that need it run it by themselves.",
        "`qacc`, `cvel`, `cdof`, `cinert`, `efc_force`, `xfrc_applied`",
        "`cacc`, `cfrc_ext`, `cfrc_int`";
    sim::mj_sensor_pos => mj_sensorPos:
        "Sensors that depend on positions only.",
        "the results of the position stage",
        "their part of `sensordata`";
    sim::mj_sensor_vel => mj_sensorVel:
        "Sensors that depend on velocities.",
        "the results of the velocity stage",
        "their part of `sensordata`";
    sim::mj_sensor_acc => mj_sensorAcc:
        "Sensors that depend on accelerations and forces.",
        "the results of all stages",
        "their part of `sensordata`";
    sim::mj_energy_pos => mj_energyPos:
        "Potential energy of gravity and springs, in joules.",
        "`xipos`, `qpos`, `ten_length`",
        "`energy[0]`";
    sim::mj_energy_vel => mj_energyVel:
        "Kinetic energy, in joules.",
        "`qvel`, `M`",
        "`energy[1]`";
    sim::mj_collision => mj_collision:
        "Detects collisions: broad phase, filters, narrow phase.",
        "`geom_xpos`, `geom_xmat`, `flexvert_xpos`",
        "`contact`, `ncon`; the constraints of before are dropped";
    sim::mj_make_constraint => mj_makeConstraint:
        "Makes the rows of all active constraints: equalities, dry friction, limits, contacts.",
        "`contact`, `eq_active` and the results of the position stage",
        "`nefc` and its parts, `efc_J`, `efc_pos`, `efc_margin`, `efc_D`, `efc_R`, `efc_KBIP` and the other `efc_…` fields of positions";
    sim::mj_project_constraint => mj_projectConstraint:
        "Inverse inertia in constraint space, for solvers that need it.",
        "`efc_J`, `efc_R`, `qLD`",
        "`efc_AR`";
    sim::mj_reference_constraint => mj_referenceConstraint:
        "Velocities and reference accelerations of the constraint rows.",
        "`qvel`, `efc_J`, `efc_KBIP`, `efc_pos`",
        "`efc_vel`, `efc_aref`";
    sim::mj_island => mj_island:
        "Finds constraint islands: groups of trees that constraints couple.",
        "`efc_J`, `efc_type`, `efc_id`",
        "`nisland`, `efc_island`, `dof_island` and the other fields of islands";
    sim::mj_fwd_constraint => mj_fwdConstraint:
        "Solves for the constraint forces and the acceleration.",
        "`qacc_smooth`, `qacc_warmstart`, `efc_aref` and the results of `mj_makeConstraint`",
        "`qacc`, `efc_force`, `efc_state`, `qfrc_constraint`, `solver_niter`";
    sim::mj_fwd_position => mj_fwdPosition:
        "The position stage: all that follows from positions, from kinematics to contacts and constraints.",
        "`qpos`, `mocap_pos`, `mocap_quat`, `eq_active`",
        "poses, `M` and its factor, `contact`, `efc_…` fields, `actuator_length`";
    sim::mj_fwd_velocity => mj_fwdVelocity:
        "The velocity stage: all that follows from velocities.",
        "`qvel` and the results of `mj_fwdPosition`",
        "`cvel`, `qfrc_passive`, `qfrc_bias`, `efc_vel`, `efc_aref`";
    sim::mj_inv_position => mj_invPosition:
        "The position stage of inverse dynamics.",
        "`qpos`, `mocap_pos`, `mocap_quat`, `eq_active`",
        "what `mj_fwdPosition` writes, without islands";
    sim::mj_inv_velocity => mj_invVelocity:
        "The velocity stage of inverse dynamics.",
        "`qvel` and the results of `mj_invPosition`",
        "what `mj_fwdVelocity` writes";
    sim::mj_inv_constraint => mj_invConstraint:
        "Constraint forces for a given acceleration, in closed form.",
        "`qacc` and the results of the position and velocity stages",
        "`efc_force`, `qfrc_constraint`";
    sim::mj_compare_fwd_inv => mj_compareFwdInv:
        "Runs inverse dynamics on the result of forward dynamics and measures the difference of both.",
        "the results of `mj_forward`",
        "`solver_fwdinv`: norms of the differences of constraint forces and of applied forces";
    sim::mj_check_pos => mj_checkPos:
        "Looks for positions that are not finite or too large; counts a warning and resets the world when it finds one.",
        "`qpos`",
        "`warning`, and everything after a reset";
    sim::mj_check_vel => mj_checkVel:
        "Looks for velocities that are not finite or too large; counts a warning and resets the world when it finds one.",
        "`qvel`",
        "`warning`, and everything after a reset";
    sim::mj_check_acc => mj_checkAcc:
        "Looks for accelerations that are not finite or too large; counts a warning, resets and runs `mj_forward` when it finds one.",
        "`qacc`",
        "`warning`, and everything after a reset";
    sim::mj_euler => mj_Euler:
        "Integrates one step with the semi-implicit Euler method; joint damping is implicit.",
        "the results of `mj_forward`",
        "`qpos`, `qvel`, `act`, `time`, `qacc_warmstart`";
    sim::mj_implicit => mj_implicit:
        "Integrates one step with the implicit or the fast implicit method, as `m.opt.integrator` says.",
        "the results of `mj_forward`",
        "`qpos`, `qvel`, `act`, `time`, `qacc_warmstart`";
}
