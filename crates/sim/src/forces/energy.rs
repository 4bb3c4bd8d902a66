//! Mechanical energy: potential energy of gravity and springs, and kinetic energy.
//!
//! Both are computed on demand, at most once a step: flags in `Data` tell whether they are up to date.

use crate::forces::passive::tendon_elongation;
use crate::inertia::mass_matrix::mj_mul_m;
use crate::kinematics::poses::{unit_quat, vec3_at};
use crate::sleep::awake_lists::{AWAKE, Visit};
use crate::sleep::tendon_sleep_state;
use kinetree_math::Vec3;
use kinetree_math::dense::dot;
use kinetree_math::misc::{PolyKind, poly_potential};
use kinetree_math::rot::quat_sub;
use kinetree_model::enums::{DisableBit, JointType};
use kinetree_model::{Data, Model};

/// Computes potential energy into `energy[0]`: gravity, and springs of joints, tendons and one-dimensional
/// flexes.
pub(crate) fn mj_energy_pos(model: &Model, data: &mut Data) {
    let mut energy = 0.0;
    if !model.disabled(DisableBit::Gravity) {
        let gravity = Vec3::from(model.opt.gravity);
        for body in 1..model.nbody {
            energy -= model.body_mass[body] * gravity.dot(&Vec3::from(data.xipos[body]));
        }
    }
    if !model.disabled(DisableBit::Spring) {
        energy = add_spring_energy(model, data, energy);
    }
    data.energy[0] = energy;
    data.flg_energypos = true;
}

/// Adds the energy of all springs to `energy`.
fn add_spring_energy(model: &Model, data: &Data, mut energy: f64) -> f64 {
    let filtered = Visit::bodies(model, data).filtered;
    for joint in 0..model.njnt {
        if filtered && data.body_awake[model.jnt_bodyid[joint] as usize] != AWAKE {
            continue;
        }
        energy = add_joint_energy(model, data, joint, energy);
    }
    for tendon in 0..model.ntendon {
        if filtered && tendon_sleep_state(model, data, tendon) != AWAKE {
            continue;
        }
        energy += poly_potential(
            model.tendon_stiffness[tendon],
            &model.tendon_stiffnesspoly[tendon],
            tendon_elongation(model, data, tendon),
            PolyKind::Signed,
        );
    }
    for flex in 0..model.nflex {
        let stiffness = model.flex_edgestiffness[flex];
        if model.flex_rigid[flex] != 0 || stiffness == 0.0 || model.flex_dim[flex] > 1 {
            continue;
        }
        let first = model.flex_edgeadr[flex] as usize;
        for edge in first..first + model.flex_edgenum[flex] as usize {
            if model.flexedge_rigid[edge] == 0 {
                let x = model.flexedge_length0[edge] - data.flexedge_length[edge];
                energy += 0.5 * stiffness * x * x;
            }
        }
    }
    energy
}

/// Adds the energy of the spring of one joint.
fn add_joint_energy(model: &Model, data: &Data, joint: usize, mut energy: f64) -> f64 {
    let (stiffness, poly) = (model.jnt_stiffness[joint], &model.jnt_stiffnesspoly[joint]);
    if stiffness == 0.0 && *poly == [0.0; 2] {
        return energy;
    }
    let mut address = model.jnt_qposadr[joint] as usize;
    let kind = model.jnt_type[joint];
    if kind == JointType::Hinge || kind == JointType::Slide {
        return energy
            + poly_potential(
                stiffness,
                poly,
                data.qpos[address] - model.qpos_spring[address],
                PolyKind::Signed,
            );
    }
    if kind == JointType::Free {
        let displacement = vec3_at(&data.qpos, address) - vec3_at(&model.qpos_spring, address);
        energy += poly_potential(stiffness, poly, displacement.norm(), PolyKind::Signed);
        address += 3;
    }
    let reference = &model.qpos_spring[address..];
    let reference = [reference[0], reference[1], reference[2], reference[3]];
    let rotation = quat_sub(&unit_quat(&data.qpos, address), &reference);
    energy + poly_potential(stiffness, poly, rotation.norm(), PolyKind::Signed)
}

/// Computes kinetic energy `½ q̇ᵀ M q̇` into `energy[1]`.
pub(crate) fn mj_energy_vel(model: &Model, data: &mut Data, momentum: &mut Vec<f64>) {
    momentum.resize(model.nv, 0.0);
    mj_mul_m(model, data, momentum, &data.qvel);
    data.energy[1] = 0.5 * dot(momentum, &data.qvel);
    data.flg_energyvel = true;
}
