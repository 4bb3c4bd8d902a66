//! Constants taken in the reference pose `qpos0`.
//!
//! The inverse weight of a body, dof or tendon is the mean diagonal of `J M⁻¹ Jᵀ`, with `J` the Jacobian of the body's
//! centre of mass, the dofs of the joint, or the tendon. With `M = LᵀDL` a diagonal entry is `|D^(−1/2) L⁻ᵀ j|²`, and for a
//! row `j` that lives on one chain of dofs the solve never leaves that chain, so its cost does not grow with the model.

use kinetree_math::rot::{mat3, quat_conj, quat_mul, quat_normalize};
use kinetree_math::spatial::{dot6, mul_inert_vec};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{CamLight, EqType, JointType, ObjType};
use kinetree_model::{Data, Model};

use crate::inertia::{Driven, actuator_armature};
use crate::jacobian::{chain_columns, last_dof};
use crate::kinematics::local_point_to_global;
use crate::{
    mj_camlight, mj_com_pos, mj_factor_m, mj_kinematics, mj_make_m, mj_solve_m, mj_tendon, mj_transmission,
};

pub(super) fn set(model: &mut Model, data: &mut Data) {
    run_pipeline(model, data);
    model.tendon_length0.copy_from_slice(&data.ten_length);
    model.actuator_length0.copy_from_slice(&data.actuator_length);
    let mut work = vec![0.0; 6 * model.nv];
    set_body_weights(model, data, &mut work);
    set_dof_weights(model, data, &mut work);
    if data.qLDiagInv.iter().any(|d| !d.is_finite()) {
        undefine_weights(model);
    }
    set_tendon_weights(model, data, &mut work);
    set_actuator_accelerations(model, data);
    set_constraint_poses(model, data);
    set_cameras_and_lights(model, data);
    set_damping_ratios(model, data);
}

/// Everything that follows from the position, with cameras and lights fixed to their bodies.
fn run_pipeline(model: &mut Model, data: &mut Data) {
    let camera_modes = model.cam_mode.clone();
    let light_modes = model.light_mode.clone();
    model.cam_mode.fill(CamLight::Fixed as i32);
    model.light_mode.fill(CamLight::Fixed as i32);
    data.qpos.copy_from_slice(&model.qpos0);
    mj_kinematics(model, data);
    mj_com_pos(model, data);
    mj_camlight(model, data);
    set_diagonal_inertia(model, data);
    mj_tendon(model, data);
    mj_make_m(model, data);
    mj_factor_m(model, data);
    mj_transmission(model, data);
    model.cam_mode = camera_modes;
    model.light_mode = light_modes;
}

/// `dof_M0`: diagonal of the inertia matrix without tendon armature.
fn set_diagonal_inertia(model: &mut Model, data: &mut Data) {
    data.crb.copy_from_slice(&data.cinert);
    for body in (1..model.nbody).rev() {
        let parent = model.body_parentid[body] as usize;
        if parent > 0 {
            let child = data.crb[body];
            data.crb[parent].iter_mut().zip(child).for_each(|(sum, x)| *sum += x);
        }
    }
    for dof in 0..model.nv {
        let cdof = &data.cdof[dof];
        let force = mul_inert_vec(&data.crb[model.dof_bodyid[dof] as usize], cdof);
        let lent = actuator_armature(model, Driven::Joint(model.dof_jntid[dof] as usize));
        model.dof_M0[dof] = model.dof_armature[dof] + lent + dot6(cdof, &force);
    }
}

/// `jᵀ M⁻¹ j` for a row that is zero outside the chain that ends at `dof`; the row is cleared.
fn chain_weight(model: &Model, data: &Data, row: &mut [f64], mut dof: i32) -> f64 {
    let mut sum = 0.0;
    while let Ok(i) = usize::try_from(dof) {
        let x = row[i];
        row[i] = 0.0;
        if x != 0.0 {
            let start = model.M_rowadr[i] as usize;
            let below = start..start + model.M_rownnz[i] as usize - 1;
            for (&col, l) in model.M_colind[below.clone()].iter().zip(&data.qLD[below]) {
                row[col as usize] -= l * x;
            }
        }
        sum += x * x * data.qLDiagInv[i];
        dof = model.dof_parentid[i];
    }
    sum
}

/// Mean inverse inertia of translation and rotation at the centre of mass of each body.
fn set_body_weights(model: &mut Model, data: &Data, work: &mut [f64]) {
    let nv = model.nv;
    for body in 0..model.nbody {
        model.body_invweight0[body] = if model.body_weldid[body] == 0 {
            [0.0; 2]
        } else if model.body_simple[body] == 2 {
            [1.0 / model.body_mass[body].max(MINVAL), 0.0]
        } else {
            let (jacp, jacr) = work.split_at_mut(3 * nv);
            // the rows are clear, and `chain_weight` clears them again
            chain_columns(model, data, Some(jacp), Some(jacr), &data.xipos[body], body);
            let last = last_dof(model, body);
            let mut mean = |first: usize| {
                let rows = work[first * nv..(first + 3) * nv].chunks_exact_mut(nv);
                rows.map(|row| chain_weight(model, data, row, last)).sum::<f64>() / 3.0
            };
            [mean(0), mean(3)]
        };
    }
}

/// Mean inverse inertia of each joint; translation and rotation of a free joint are averaged separately.
fn set_dof_weights(model: &mut Model, data: &Data, work: &mut [f64]) {
    for joint in 0..model.njnt {
        let first = model.jnt_dofadr[joint] as usize;
        let body = model.jnt_bodyid[joint] as usize;
        if model.body_simple[body] == 2 {
            model.dof_invweight0[first] = 1.0 / model.body_mass[body].max(MINVAL);
            continue;
        }
        let groups: &[std::ops::Range<usize>] = match model.jnt_type[joint] {
            t if t == JointType::Free as i32 => &[0..3, 3..6],
            t if t == JointType::Ball as i32 => std::slice::from_ref(&(0..3)),
            _ => std::slice::from_ref(&(0..1)),
        };
        for group in groups {
            let mut sum = 0.0;
            for dof in first + group.start..first + group.end {
                work[dof] = 1.0;
                sum += chain_weight(model, data, work, dof as i32);
            }
            model.dof_invweight0[first + group.start..first + group.end].fill(sum / group.len() as f64);
        }
    }
}

/// With a singular inertia anywhere in the model no weight is defined, except where it is the mass alone.
fn undefine_weights(model: &mut Model) {
    for body in 0..model.nbody {
        if model.body_weldid[body] != 0 && model.body_simple[body] != 2 {
            model.body_invweight0[body] = [f64::NAN; 2];
        }
    }
    for dof in 0..model.nv {
        if model.body_simple[model.dof_bodyid[dof] as usize] != 2 {
            model.dof_invweight0[dof] = f64::NAN;
        }
    }
}

fn set_tendon_weights(model: &mut Model, data: &Data, work: &mut [f64]) {
    let nv = model.nv;
    for tendon in 0..model.ntendon {
        if nv == 0 {
            model.tendon_invweight0[tendon] = 0.0;
            continue;
        }
        let (row, solution) = work[..2 * nv].split_at_mut(nv);
        row.fill(0.0);
        let start = model.ten_J_rowadr[tendon] as usize;
        for k in start..start + model.ten_J_rownnz[tendon] as usize {
            row[model.ten_J_colind[k] as usize] = data.ten_J[k];
        }
        solution.copy_from_slice(row);
        mj_solve_m(model, data, solution);
        model.tendon_invweight0[tendon] = row.iter().zip(&*solution).map(|(a, b)| a * b).sum();
    }
    work.fill(0.0);
}

/// `actuator_acc0`: size of the acceleration that a unit force causes.
fn set_actuator_accelerations(model: &mut Model, data: &Data) {
    let mut acceleration = vec![0.0; model.nv];
    for actuator in 0..model.nu {
        if model.nv == 0 {
            model.actuator_acc0[actuator] = 0.0;
            continue;
        }
        acceleration.fill(0.0);
        let start = data.moment_rowadr[actuator] as usize;
        for k in start..start + data.moment_rownnz[actuator] as usize {
            acceleration[data.moment_colind[k] as usize] = data.actuator_moment[k];
        }
        mj_solve_m(model, data, &mut acceleration);
        model.actuator_acc0[actuator] = acceleration.iter().map(|a| a * a).sum::<f64>().sqrt();
    }
}

/// A global point in the frame of a body.
fn to_body(data: &Data, point: &[f64; 3], body: usize) -> [f64; 3] {
    (mat3(&data.xmat[body]).transpose() * (Vec3::from(*point) - Vec3::from(data.xpos[body]))).into()
}

/// Completes the data of connect and weld constraints between bodies: the anchor in the second frame and the relative
/// orientation, as they are in the reference pose.
fn set_constraint_poses(model: &mut Model, data: &Data) {
    for equality in 0..model.neq {
        let kind = model.eq_type[equality];
        let between_bodies = model.eq_objtype[equality] == ObjType::Body as i32;
        let [body1, body2] =
            [model.eq_obj1id[equality], model.eq_obj2id[equality]].map(|id| id.max(0) as usize);
        let values = &mut model.eq_data[equality];
        let anchor = [values[0], values[1], values[2]];
        if kind == EqType::Connect as i32 {
            if between_bodies {
                let point = local_point_to_global(data, &anchor, body1);
                values[3..6].copy_from_slice(&to_body(data, &point, body2));
            } else {
                values.fill(0.0);
            }
        } else if kind == EqType::Weld as i32 && between_bodies {
            let mut quat = [values[6], values[7], values[8], values[9]];
            if quat == [0.0; 4] {
                let point = local_point_to_global(data, &anchor, body2);
                values[3..6].copy_from_slice(&to_body(data, &point, body1));
                quat = quat_mul(&quat_conj(&data.xquat[body1]), &data.xquat[body2]);
            } else {
                quat_normalize(&mut quat);
            }
            values[6..10].copy_from_slice(&quat);
        }
    }
}

/// Offsets of cameras and lights from their body and from the centre of mass they follow, and their orientation.
fn set_cameras_and_lights(model: &mut Model, data: &Data) {
    let difference = |a: &[f64; 3], b: &[f64; 3]| std::array::from_fn(|i| a[i] - b[i]);
    for camera in 0..model.ncam {
        let body = model.cam_bodyid[camera] as usize;
        let followed = usize::try_from(model.cam_targetbodyid[camera]).unwrap_or(body);
        let pos = &data.cam_xpos[camera];
        model.cam_pos0[camera] = difference(pos, &data.xpos[body]);
        model.cam_poscom0[camera] = difference(pos, &data.subtree_com[followed]);
        model.cam_mat0[camera] = data.cam_xmat[camera];
    }
    for light in 0..model.nlight {
        let body = model.light_bodyid[light] as usize;
        let followed = usize::try_from(model.light_targetbodyid[light]).unwrap_or(body);
        let pos = &data.light_xpos[light];
        model.light_pos0[light] = difference(pos, &data.xpos[body]);
        model.light_poscom0[light] = difference(pos, &data.subtree_com[followed]);
        model.light_dir0[light] = data.light_xdir[light];
    }
}

/// A position actuator with a positive third bias parameter gives it as a damping ratio `ζ`; it becomes the damping
/// `−2 ζ √(kp m)` with `m` the inertia seen through the transmission.
fn set_damping_ratios(model: &mut Model, data: &Data) {
    for actuator in 0..model.nu {
        let stiffness = model.actuator_gainprm[actuator][0];
        let [_, bias1, ratio, ..] = model.actuator_biasprm[actuator];
        if stiffness != -bias1 || ratio <= 0.0 {
            continue;
        }
        let start = data.moment_rowadr[actuator] as usize;
        let mut mass = 0.0;
        for k in start..start + data.moment_rownnz[actuator] as usize {
            let squared = data.actuator_moment[k] * data.actuator_moment[k];
            if squared > MINVAL {
                mass += model.dof_M0[data.moment_colind[k] as usize] / squared;
            }
        }
        model.actuator_biasprm[actuator][2] = -(ratio * 2.0 * (stiffness * mass).sqrt());
    }
}
