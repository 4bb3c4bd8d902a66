//! Forces and accelerations of four worlds: [`crate::forces::passive`], [`crate::actuation`]
//! and [`crate::smooth`] with a world a lane, for models whose forces are plain (see [`super::plan`]).

use super::memory::{Lanes, gather, resize, scatter_to};
use super::plan::{has_actuation, has_warm_start};
use super::world::LockstepWorld as World;
use crate::forces::passive::{damper_force, for_all_dampers};
use crate::inertia::mass_matrix::m_pattern;
use kinetree_math::misc::{MAXVAL, PolyKind, clip, poly_force};
use kinetree_math::real::Real;
use kinetree_math::sparse::{ltdl_solve_lockstep, mul_sym_vec_lockstep};
use kinetree_model::Model;
use kinetree_model::enums::{BiasType, DisableBit};
use wide::{CmpLe, f64x4};

/// Reads controls and applied forces, which stay the same for a step. Whether forces can be made from them in
/// lockstep: no world has bad controls, or forces on bodies.
pub(super) fn read_inputs(model: &Model, lanes: &mut Lanes, worlds: &[World<'_>]) -> bool {
    let is_pushed = |world: &World<'_>| {
        world.data.xfrc_applied.as_flattened().iter().fold(false, |any, &x| any | (x != 0.0))
    };
    if worlds.iter().any(is_pushed) {
        return false;
    }
    for list in
        [&mut lanes.qfrc_applied, &mut lanes.qfrc_actuator, &mut lanes.qfrc_smooth, &mut lanes.qacc_smooth]
    {
        resize(list, model.nv);
    }
    gather(&mut lanes.qfrc_applied, worlds, |data| &data.qfrc_applied);
    if has_warm_start(model) {
        resize(&mut lanes.qacc_warmstart, model.nv);
        gather(&mut lanes.qacc_warmstart, worlds, |data| &data.qacc_warmstart);
    }
    if !has_actuation(model) {
        lanes.qfrc_actuator.fill(f64x4::ZERO);
        return true;
    }
    resize(&mut lanes.ctrl, model.nu);
    gather(&mut lanes.ctrl, worlds, |data| &data.ctrl);
    if !clamp_controls(model, &mut lanes.ctrl) {
        return false;
    }
    if !has_servos(model) {
        // forces of motors stay the same, too
        actuator_forces(model, lanes);
    }
    true
}

/// Moves controls into their ranges; whether none is bad.
fn clamp_controls(model: &Model, ctrl: &mut [f64x4]) -> bool {
    let clamps = !model.disabled(DisableBit::Clampctrl);
    let mut sound = f64x4::ZERO.cmp_le(f64x4::ZERO);
    let ranges = model.actuator_ctrllimited.iter().zip(&model.actuator_ctrlrange);
    for (control, (&limited, &range)) in ctrl.iter_mut().zip(ranges) {
        if clamps && limited != 0 {
            *control = clip(*control, range[0], range[1]);
        }
        sound &= control.abs().cmp_le(f64x4::splat(MAXVAL));
    }
    sound.move_mask() == 0b1111
}

/// Whether forces of some actuators depend on positions or velocities.
fn has_servos(model: &Model) -> bool {
    model.actuator_biastype.iter().fold(false, |any, &kind| any | (kind != BiasType::None as i32))
}

/// Generalized forces of actuators.
fn actuator_forces(model: &Model, lanes: &mut Lanes) {
    let Lanes { qpos, qvel, ctrl, qfrc_actuator, .. } = lanes;
    qfrc_actuator.fill(f64x4::ZERO);
    for (actuator, &input) in ctrl.iter().enumerate() {
        let joint = model.actuator_trnid[actuator][0] as usize;
        let dof = model.jnt_dofadr[joint] as usize;
        let gear = f64x4::splat(model.actuator_gear[actuator][0]);
        let bias = if model.actuator_biastype[actuator] == BiasType::Affine {
            let [constant, stiffness, damping, ..] = model.actuator_biasprm[actuator].map(f64x4::splat);
            let length = qpos[model.jnt_qposadr[joint] as usize] * gear;
            constant + stiffness * length + damping * (gear * qvel[dof])
        } else {
            f64x4::ZERO
        };
        let mut force = f64x4::splat(model.actuator_gainprm[actuator][0]) * input + bias;
        if model.actuator_forcelimited[actuator] != 0 {
            let [low, high] = model.actuator_forcerange[actuator];
            force = clip(force, low, high);
        }
        qfrc_actuator[dof] += gear * force;
    }
}

/// Sums all forces that are not constraint forces, and solves for the accelerations they would cause.
pub(super) fn smooth_accelerations(model: &Model, lanes: &mut Lanes) {
    if has_actuation(model) && has_servos(model) {
        actuator_forces(model, lanes);
    }
    joint_springs(model, lanes);
    let Lanes { qvel, qfrc_bias, qfrc_applied, qfrc_actuator, qfrc_smooth, qacc_smooth, .. } = lanes;
    if model.disabled(DisableBit::Damper) {
        qacc_smooth.fill(f64x4::ZERO);
    } else {
        for_all_dampers(model, qvel, qacc_smooth, damper_force);
    }
    let others = qfrc_bias.iter().zip(&*qfrc_applied).zip(&*qfrc_actuator);
    // springs and dampers are where their sum, and what they accelerate, is to be
    for ((smooth, acceleration), ((bias, applied), actuator)) in
        qfrc_smooth.iter_mut().zip(&mut *qacc_smooth).zip(others)
    {
        *smooth = *smooth + *acceleration - *bias + *applied + *actuator;
        *acceleration = *smooth;
    }
    ltdl_solve_lockstep(qacc_smooth, &lanes.qLD, &lanes.qLDiagInv, m_pattern(model));
}

/// The product of the inertia matrix with the acceleration that a primal solver may start from.
pub(super) fn warm_product(model: &Model, lanes: &mut Lanes) {
    resize(&mut lanes.warm_product, model.nv);
    mul_sym_vec_lockstep(&mut lanes.warm_product, &lanes.M, m_pattern(model), &lanes.qacc_warmstart);
}

/// Makes the accelerations of constraint forces in those worlds whose solver has left them.
pub(super) fn constrained_accelerations(model: &Model, lanes: &mut Lanes, worlds: &mut [World<'_>]) {
    let has_deferred = |world: &World<'_>| world.is_active() && world.data.nefc > 0;
    if !worlds.iter().any(has_deferred) {
        return;
    }
    let Lanes { qacc, qacc_smooth, qLD, qLDiagInv, .. } = lanes;
    resize(qacc, model.nv);
    gather(qacc, worlds, |data| &data.qfrc_constraint);
    ltdl_solve_lockstep(qacc, qLD, qLDiagInv, m_pattern(model));
    for (acceleration, smooth) in qacc.iter_mut().zip(&*qacc_smooth) {
        *acceleration += *smooth;
    }
    scatter_to(qacc, worlds, has_deferred, |world| &mut world.data.qacc);
}

/// Sets forces to those of springs of hinge and slide joints.
fn joint_springs(model: &Model, lanes: &mut Lanes) {
    lanes.qfrc_smooth.fill(f64x4::ZERO);
    if model.disabled(DisableBit::Spring) {
        return;
    }
    for (joint, (&stiffness, poly)) in model.jnt_stiffness.iter().zip(&model.jnt_stiffnesspoly).enumerate() {
        if stiffness == 0.0 && *poly == [0.0; 2] {
            continue;
        }
        let address = model.jnt_qposadr[joint] as usize;
        let x = lanes.qpos[address] - f64x4::splat(model.qpos_spring[address]);
        let factor = poly_force(stiffness, poly, x, PolyKind::Signed);
        lanes.qfrc_smooth[model.jnt_dofadr[joint] as usize] = x.negated() * factor;
    }
}
