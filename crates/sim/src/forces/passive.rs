//! Passive forces: springs and dampers of joints and tendons, elasticity of flexes, gravity compensation,
//! fluid, and what callbacks and plugins add.
//!
//! Stiffness and damping are polynomials: a spring pulls with `−x (k + k₁ x + k₂ x²)`, a damper with
//! `−v (b + b₁ |v| + b₂ v²)`. Ball and free rotations use the rotation vector from the spring reference, free
//! translations the displacement, each with its length as `x`.

use crate::flex::FlexScratch;
use crate::flex::elasticity::{self, Wanted};
use crate::flex::passive_contact;
use crate::forces::fluid::add_fluid_forces;
use crate::inertia::armature::{Driven, actuator_armature, for_each_driver, joint_armature};
use crate::kinematics::poses::{unit_quat, vec3_at};
use crate::nested::NestedCalls;
use crate::sleep::awake_lists::{AWAKE, Visit, some_asleep};
use crate::sleep::tendon_sleep_state;
use crate::support::apply_ft;
use kinetree_math::Vec3;
use kinetree_math::misc::{PolyKind, poly_force};
use kinetree_math::real::Real;
use kinetree_math::rot::quat_sub;
use kinetree_model::enums::{DisableBit, JointType};
use kinetree_model::{Data, Model};

/// Calls `f` with the damping of a dof and what actuators lend its joint.
#[inline(always)]
pub(crate) fn with_dof_damping<T>(model: &Model, dof: usize, f: impl Fn(f64, &[f64; 2]) -> T) -> T {
    let (joint, linear, poly) = (model.dof_jntid[dof], model.dof_damping[dof], &model.dof_dampingpoly[dof]);
    // most joints have no such actuator
    if model.jnt_actuatorid[joint as usize] == -1 {
        f(linear, poly)
    } else {
        let (linear, poly) = total_damping(model, Driven::Joint(joint as usize), linear, poly);
        f(linear, &poly)
    }
}

/// Damping of a dof or tendon with what actuators lend it.
#[inline(never)]
pub(crate) fn total_damping(model: &Model, driven: Driven, linear: f64, poly: &[f64; 2]) -> (f64, [f64; 2]) {
    let (mut linear, mut poly) = (linear, *poly);
    for_each_driver(model, driven, |actuator, gear2| {
        linear += model.actuator_damping[actuator] * gear2;
        for (p, extra) in poly.iter_mut().zip(&model.actuator_dampingpoly[actuator]) {
            *p += extra * gear2;
        }
    });
    (linear, poly)
}

/// Armature of a dof, and its linear and higher-order damping, each with what actuators lend its joint.
#[must_use]
pub fn dof_constants(model: &Model, dof: usize) -> (f64, [f64; 3]) {
    let joint = model.dof_jntid[dof] as usize;
    let armature = model.dof_armature[dof] + joint_armature(model, joint);
    let driven = Driven::Joint(joint);
    let (b, [b1, b2]) = total_damping(model, driven, model.dof_damping[dof], &model.dof_dampingpoly[dof]);
    (armature, [b, b1, b2])
}

/// Armature of a tendon, and its linear and higher-order damping, each with what actuators lend it.
#[must_use]
pub fn tendon_constants(model: &Model, tendon: usize) -> (f64, [f64; 3]) {
    let driven = Driven::Tendon(tendon);
    let armature = model.tendon_armature[tendon] + actuator_armature(model, driven);
    let (b, [b1, b2]) =
        total_damping(model, driven, model.tendon_damping[tendon], &model.tendon_dampingpoly[tendon]);
    (armature, [b, b1, b2])
}

/// Signed elongation of a tendon spring beyond its dead band.
#[inline]
pub(crate) fn tendon_elongation(model: &Model, data: &Data, tendon: usize) -> f64 {
    let length = data.ten_length[tendon];
    let [lower, upper] = model.tendon_lengthspring[tendon];
    if length > upper {
        length - upper
    } else if length < lower {
        length - lower
    } else {
        0.0
    }
}

/// Computes all passive forces and their sum `qfrc_passive`.
pub(crate) fn mj_passive(model: &Model, data: &mut Data, flex: &mut FlexScratch, nested: &mut NestedCalls) {
    let dofs = Visit::dofs(model, data);
    let Data { qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_passive, dof_awake_ind, .. } =
        &mut *data;
    let forces: [&mut [f64]; 4] = [qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid];
    let clear = |force: &mut [f64]| {
        if dofs.filtered {
            dof_awake_ind[..dofs.count].iter().for_each(|&dof| force[dof as usize] = 0.0);
        } else {
            force.fill(0.0);
        }
    };
    forces.into_iter().for_each(clear);
    let springs = !model.disabled(DisableBit::Spring);
    let dampers = !model.disabled(DisableBit::Damper);
    if !springs && !dampers {
        clear(qfrc_passive);
        return;
    }
    if springs {
        joint_springs(model, data);
    }
    if dampers {
        dof_dampers(model, data, &dofs);
    }
    elasticity::add_forces(model, data, flex, Wanted { springs, dampers });
    tendon_forces(model, data, springs, dampers);
    let gravcomp = gravity_compensation(model, data);
    let fluid = add_fluid_forces(model, data);
    passive_contact::add_forces(model, data, &mut flex.contact_bodies);

    if !(dofs.filtered || fluid || gravcomp) {
        let parts = data.qfrc_spring.iter().zip(&data.qfrc_damper);
        data.qfrc_passive
            .iter_mut()
            .zip(parts)
            .for_each(|(force, (spring, damper))| *force = spring + damper);
    } else {
        sum_forces(model, data, &dofs, fluid, gravcomp);
    }
    if let Some(callback) = &model.callbacks.passive {
        nested.allow(data, |data| (callback.0)(model, data));
    }
    if model.nplugin > 0 {
        nested.plugins.add_passive_forces(model, data);
    }
}

/// Sums the parts of the passive forces.
fn sum_forces(model: &Model, data: &mut Data, dofs: &Visit, fluid: bool, gravcomp: bool) {
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        let mut force = data.qfrc_spring[dof] + data.qfrc_damper[dof];
        if fluid {
            force += data.qfrc_fluid[dof];
        }
        // joints may ask for gravity compensation as an actuator force instead
        if gravcomp && model.jnt_actgravcomp[model.dof_jntid[dof] as usize] == 0 {
            force += data.qfrc_gravcomp[dof];
        }
        data.qfrc_passive[dof] = force;
    }
}

/// Springs of joints.
fn joint_springs(model: &Model, data: &mut Data) {
    let visit = Visit::bodies(model, data);
    let spring = &mut data.qfrc_spring[..];
    if !visit.filtered {
        let (n, nq) = (model.njnt, model.nq);
        let (stiffness, poly) = (&model.jnt_stiffness[..n], &model.jnt_stiffnesspoly[..n]);
        let (types, addresses, dofs) =
            (&model.jnt_type[..n], &model.jnt_qposadr[..n], &model.jnt_dofadr[..n]);
        let (qpos, reference) = (&data.qpos[..nq], &model.qpos_spring[..nq]);
        for joint in 0..n {
            if stiffness[joint] == 0.0 && poly[joint] == [0.0; 2] {
                continue;
            }
            if types[joint] == JointType::Hinge || types[joint] == JointType::Slide {
                let address = addresses[joint] as usize;
                let x = qpos[address] - reference[address];
                spring[dofs[joint] as usize] = spring_force(x, stiffness[joint], &poly[joint]);
            } else {
                joint_spring(model, qpos, joint, spring);
            }
        }
        return;
    }
    for &body in &data.body_awake_ind[..visit.count] {
        let first = model.body_jntadr[body as usize] as usize;
        for joint in first..first + model.body_jntnum[body as usize] as usize {
            joint_spring(model, &data.qpos, joint, spring);
        }
    }
}

/// Force of a spring that is longer by `x`.
#[inline(always)]
fn spring_force(x: f64, stiffness: f64, poly: &[f64; 2]) -> f64 {
    -x * poly_force(stiffness, poly, x, PolyKind::Signed)
}

/// Spring of one joint.
#[inline(never)]
fn joint_spring(model: &Model, qpos: &[f64], joint: usize, qfrc: &mut [f64]) {
    let (stiffness, poly) = (model.jnt_stiffness[joint], &model.jnt_stiffnesspoly[joint]);
    if stiffness == 0.0 && *poly == [0.0; 2] {
        return;
    }
    let mut address = model.jnt_qposadr[joint] as usize;
    let mut dof = model.jnt_dofadr[joint] as usize;
    let kind = model.jnt_type[joint];
    if kind == JointType::Hinge || kind == JointType::Slide {
        qfrc[dof] = spring_force(qpos[address] - model.qpos_spring[address], stiffness, poly);
        return;
    }
    let mut pull = |dof: usize, displacement: &Vec3| {
        let factor = poly_force(stiffness, poly, displacement.norm(), PolyKind::Signed);
        for k in 0..3 {
            qfrc[dof + k] += displacement[k] * -factor;
        }
    };
    if kind == JointType::Free {
        pull(dof, &(vec3_at(qpos, address) - vec3_at(&model.qpos_spring, address)));
        address += 3;
        dof += 3;
    }
    let reference = &model.qpos_spring[address..];
    let reference = [reference[0], reference[1], reference[2], reference[3]];
    pull(dof, &quat_sub(&unit_quat(qpos, address), &reference));
}

/// Dampers of dofs.
fn dof_dampers(model: &Model, data: &mut Data, dofs: &Visit) {
    let (qvel, damper) = (&data.qvel[..model.nv], &mut data.qfrc_damper[..model.nv]);
    if !dofs.filtered {
        return for_all_dampers(model, qvel, damper, damper_force);
    }
    for &dof in &data.dof_awake_ind[..dofs.count] {
        let dof = dof as usize;
        damper[dof] = with_dof_damping(model, dof, |linear, poly| damper_force(qvel[dof], linear, poly));
    }
}

/// Sets an item for each dof to what `f` makes of its velocity and its damping, with what actuators lend it;
/// of one world or of several in lockstep.
#[inline(always)]
pub(crate) fn for_all_dampers<T: Copy>(
    model: &Model,
    qvel: &[T],
    items: &mut [T],
    f: impl Fn(T, f64, &[f64; 2]) -> T,
) {
    let lent = model.jnt_actuatorid.iter().fold(false, |any, &actuator| any | (actuator != -1));
    if lent {
        for (dof, (item, &v)) in items.iter_mut().zip(qvel).enumerate() {
            *item = with_dof_damping(model, dof, |linear, poly| f(v, linear, poly));
        }
        return;
    }
    let damping = model.dof_damping.iter().zip(&model.dof_dampingpoly);
    for ((item, &v), (&linear, poly)) in items.iter_mut().zip(qvel).zip(damping) {
        *item = f(v, linear, poly);
    }
}

/// Force of a damper, of one world or of four in lockstep.
#[inline(always)]
pub(crate) fn damper_force<T: Real>(v: T, linear: f64, poly: &[f64; 2]) -> T {
    let force = v.negated() * poly_force(linear, poly, v, PolyKind::Odd);
    let none = (linear == 0.0) & (poly[0] == 0.0) & (poly[1] == 0.0);
    if none { T::ZERO } else { force }
}

/// Springs and dampers of tendons.
fn tendon_forces(model: &Model, data: &mut Data, springs: bool, dampers: bool) {
    let filtered = some_asleep(model, data);
    for tendon in 0..model.ntendon {
        if filtered && tendon_sleep_state(model, data, tendon) != AWAKE {
            continue;
        }
        let (mut spring, mut damper) = (0.0, 0.0);
        if springs {
            let x = tendon_elongation(model, data, tendon);
            let (stiffness, poly) = (model.tendon_stiffness[tendon], &model.tendon_stiffnesspoly[tendon]);
            spring = spring_force(x, stiffness, poly);
        }
        if dampers {
            let v = data.ten_velocity[tendon];
            let (linear, poly) = total_damping(
                model,
                Driven::Tendon(tendon),
                model.tendon_damping[tendon],
                &model.tendon_dampingpoly[tendon],
            );
            damper = -v * poly_force(linear, &poly, v, PolyKind::Odd);
        }
        if spring == 0.0 && damper == 0.0 {
            continue;
        }
        let start = model.ten_J_rowadr[tendon] as usize;
        let count = model.ten_J_rownnz[tendon] as usize;
        for (&dof, j) in model.ten_J_colind[start..][..count].iter().zip(&data.ten_J[start..]) {
            data.qfrc_spring[dof as usize] += j * spring;
            data.qfrc_damper[dof as usize] += j * damper;
        }
    }
}

/// Whether gravity acts at all.
pub(crate) fn has_gravity(model: &Model) -> bool {
    !model.disabled(DisableBit::Gravity) && model.opt.gravity != [0.0; 3]
}

/// Forces that carry part of the weight of bodies; whether there are any.
fn gravity_compensation(model: &Model, data: &mut Data) -> bool {
    if model.ngravcomp == 0 || !has_gravity(model) {
        return false;
    }
    let mut any = false;
    let visit = Visit::bodies(model, data);
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        if body > 0 && model.body_gravcomp[body] != 0.0 {
            any = true;
            let scale = -(model.body_mass[body] * model.body_gravcomp[body]);
            let force = model.opt.gravity.map(|g| g * scale);
            let Data { cdof, subtree_com, xipos, qfrc_gravcomp, .. } = &mut *data;
            let motions = (&cdof[..], &subtree_com[..]);
            apply_ft(model, motions, &force, &[0.0; 3], &xipos[body], body, qfrc_gravcomp);
        }
    }
    any
}
