//! What of an evaluation can be made in lockstep besides kinematics, inertia and bias, and which results the
//! rest of it reads: decided once for each step, since the model stays the same.

use super::memory::Shows;
use crate::forces::passive::has_gravity;
use kinetree_model::Model;
use kinetree_model::enums::{
    BiasType, DisableBit, EnableBit, GainType, Integrator, JointType, Solver, TrnType,
};

/// How a step of several worlds is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// With the method of Runge and Kutta.
    pub(super) runge_kutta: bool,
    /// Positions and velocities of its stages, too, are made in lockstep.
    pub(super) moves_together: bool,
    /// Evaluations that are followed by another one need not show their results.
    pub(super) followed: bool,
    /// Another step follows the whole one.
    pub(super) unseen: bool,
    /// Evaluations that are followed by another one sum forces and solve for unconstrained accelerations in
    /// lockstep.
    pub(super) forces: bool,
    /// They also make the accelerations of forces that a dual solver finds.
    pub(super) defers: bool,
}

impl Plan {
    /// The plan of a step; `unseen` if another one follows before anybody looks at the data.
    pub(super) fn new(model: &Model, unseen: bool) -> Self {
        let runge_kutta = model.opt.integrator == Integrator::Rk4 as i32;
        // other integrators read more of the results
        let euler = model.opt.integrator == Integrator::Euler as i32 && model.nflex == 0;
        // callbacks of actuators, sensors and the comparison with inverse dynamics may look at anything
        let user = |&kind: &i32| kind == GainType::User as i32;
        let user_bias = |&kind: &i32| kind == BiasType::User as i32;
        let followed = (runge_kutta || euler && unseen)
            && model.nsensor == 0
            && !model.enabled(EnableBit::Fwdinv)
            && !model.actuator_gaintype.iter().any(user)
            && !model.actuator_biastype.iter().any(user_bias);
        let moves_together = runge_kutta && model.na == 0 && model.nhistory == 0;
        let dual = model.opt.solver == Solver::Pgs as i32 && model.opt.noslip_iterations <= 0;
        Self {
            runge_kutta,
            moves_together,
            defers: moves_together && dual,
            followed,
            unseen,
            forces: followed && has_plain_forces(model),
        }
    }

    /// The results that the rest of an evaluation reads which is followed by another one. Nothing reads
    /// anchors and axes of joints, inertias of bodies or the legacy order of the inertia matrix; velocities
    /// of bodies are read by drift of equality constraints, by fluid and by flexes.
    pub(super) fn shows_of_followed(&self, model: &Model) -> Shows {
        let fluid = has_fluid(model);
        let shows = Shows {
            everything: false,
            velocities: fluid || model.neq > 0 || model.nflex > 0,
            bias: !self.forces,
            ..Shows::ALL
        };
        if !self.forces {
            return shows;
        }
        // what is left are contacts, of which bodies with several geoms have trees in their inertial frames,
        // limits, dry friction and equality constraints, the solver, and the integrator
        Shows {
            frames: model.neq > 0,
            inertial_frames: model.neq > 0 || model.body_geomnum.iter().any(|&n| n > 1),
            inertia: model.opt.solver != Solver::Pgs as i32 || !self.runge_kutta,
            ..shows
        }
    }
}

/// Whether the medium has forces on bodies.
fn has_fluid(model: &Model) -> bool {
    model.opt.density != 0.0 || model.opt.viscosity != 0.0
}

/// Whether all forces but those of constraints are springs and dampers of hinge and slide joints, dampers of
/// others, bias forces, and motors and servos at hinge and slide joints; whether forces are applied to bodies
/// is asked later.
fn has_plain_forces(model: &Model) -> bool {
    let moves_straight =
        |joint: usize| model.jnt_type[joint] == JointType::Hinge || model.jnt_type[joint] == JointType::Slide;
    let has_spring =
        |joint: usize| model.jnt_stiffness[joint] != 0.0 || model.jnt_stiffnesspoly[joint] != [0.0; 2];
    let is_plain_actuator = |actuator: usize| {
        let (transmission, bias) = (model.actuator_trntype[actuator], model.actuator_biastype[actuator]);
        (transmission == TrnType::Joint || transmission == TrnType::Jointinparent)
            && moves_straight(model.actuator_trnid[actuator][0] as usize)
            && model.actuator_gaintype[actuator] == GainType::Fixed
            && (bias == BiasType::None || bias == BiasType::Affine)
            && model.actuator_actnum[actuator] == 0
            && model.actuator_delay[actuator] == 0.0
    };
    // neither forces nor constraints ask for the lengths of such a tendon
    let is_idle_tendon = |tendon: usize| {
        model.tendon_limited[tendon] == 0
            && model.tendon_frictionloss[tendon] <= 0.0
            && model.tendon_stiffness[tendon] == 0.0
            && model.tendon_stiffnesspoly[tendon] == [0.0; 2]
            && model.tendon_damping[tendon] == 0.0
            && model.tendon_dampingpoly[tendon] == [0.0; 2]
            && model.tendon_actuatorid[tendon] == -1
    };
    model.nflex == 0
        && !has_fluid(model)
        && (model.ngravcomp == 0 || !has_gravity(model))
        && !model.enabled(EnableBit::Energy)
        && model.opt.disableactuator == 0
        && model.nu <= model.nJmom
        && (0..model.njnt).all(|joint| moves_straight(joint) || !has_spring(joint))
        && model.jnt_actfrclimited.iter().all(|&limited| limited == 0)
        && (0..model.nu).all(is_plain_actuator)
        && (model.ntendon == 0 || model.neq == 0 && (0..model.ntendon).all(is_idle_tendon))
}

/// Whether a primal solver may start from the previous acceleration.
pub(super) fn has_warm_start(model: &Model) -> bool {
    model.opt.solver != Solver::Pgs as i32 && !model.disabled(DisableBit::Warmstart)
}

/// Whether actuators act at all.
pub(super) fn has_actuation(model: &Model) -> bool {
    model.nu > 0 && !model.disabled(DisableBit::Actuation)
}
