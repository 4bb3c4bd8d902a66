//! Constants taken in the reference pose `qpos0`.
//!
//! The inverse weight of a body, dof or tendon is the mean diagonal of `J M⁻¹ Jᵀ`, with `J` the Jacobian of
//! the body's centre of mass, the dofs of the joint, or the tendon. With `M = LᵀDL` a diagonal entry is
//! `|D^(−1/2) L⁻ᵀ j|²`, and for a row `j` that lives on one chain of dofs the solve never leaves that chain,
//! so its cost does not grow with the model.

use std::ops::Range;

use kinetree_math::rot::{mat3, quat_conj, quat_mul, quat_normalize};
use kinetree_math::spatial::{dot6, mul_inert_vec};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{CamLight, EqType, JointType, ObjType};
use kinetree_model::{Data, Model};

use super::compilation::checkpoint_of_compilation;
use crate::actuation::transmission::{mj_transmission, moment_arms};
use crate::flex::{Edges, flex_positions};
use crate::inertia::armature::{Driven, actuator_armature};
use crate::inertia::mass_matrix::{mj_factor_m, mj_make_m};
use crate::kinematics::camlight::mj_camlight;
use crate::kinematics::centers::mj_com_pos;
use crate::kinematics::chain::last_dof;
use crate::kinematics::jacobian::{Halves, chain_columns};
use crate::kinematics::poses::{local_point_to_global, mj_kinematics};
use crate::stage_memory::StageMemory;
use crate::tendon::lengths::mj_tendon;

pub(super) fn set(model: &mut Model, data: &mut Data, memory: &mut StageMemory) {
    run_pipeline(model, data, memory);
    model.tendon_length0.copy_from_slice(&data.ten_length);
    model.actuator_length0.copy_from_slice(&data.actuator_length);
    let mut work = vec![0.0; 6 * model.nv];
    set_body_weights(model, data, &mut work);
    checkpoint_of_compilation(model);
    set_dof_weights(model, data, &mut work);
    let regular = data.qLDiagInv.iter().all(|d| d.is_finite());
    if !regular {
        undefine_weights(model);
    }
    if model.nflex > 0 {
        work.fill(0.0);
        super::flex::set_reference(model, data, |model, columns, entries| {
            row_weight(model, data, (columns, entries), &mut work, regular)
        });
    }
    set_tendon_weights(model, data, &mut work, regular);
    set_actuator_accelerations(model, data, regular);
    set_constraint_poses(model, data);
    set_cameras_and_lights(model, data);
    set_damping_ratios(model, data, &mut work, regular);
}

/// Everything that follows from the position, with cameras and lights fixed to their bodies.
fn run_pipeline(model: &mut Model, data: &mut Data, memory: &mut StageMemory) {
    let camera_modes = model.cam_mode.to_vec();
    let light_modes = model.light_mode.to_vec();
    model.cam_mode.fill(CamLight::Fixed as i32);
    model.light_mode.fill(CamLight::Fixed as i32);
    data.qpos.copy_from_slice(&model.qpos0);
    mj_kinematics(model, data);
    checkpoint_of_compilation(model);
    mj_com_pos(model, data);
    mj_camlight(model, data);
    checkpoint_of_compilation(model);
    set_diagonal_inertia(model, data);
    mj_tendon(model, data, &mut memory.wrap_paths);
    checkpoint_of_compilation(model);
    mj_make_m(model, data, &mut memory.dof_path);
    checkpoint_of_compilation(model);
    mj_factor_m(model, data, &mut memory.factorizer);
    checkpoint_of_compilation(model);
    flex_positions(model, data, &mut memory.flex, Edges::All);
    mj_transmission(model, data, &mut memory.moment_row);
    model.cam_mode.copy_from_slice(&camera_modes);
    model.light_mode.copy_from_slice(&light_modes);
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
        checkpoint_of_compilation(model);
        model.body_invweight0[body] = if model.is_fixed(body) {
            [0.0; 2]
        } else if model.body_simple[body] == 2 {
            [1.0 / model.body_mass[body].max(MINVAL), 0.0]
        } else {
            let (jacp, jacr) = work.split_at_mut(3 * nv);
            // the rows are clear, and `chain_weight` clears them again
            let mut jacobian = Halves { translation: Some(jacp), rotation: Some(jacr), n: nv };
            chain_columns(model, data, &mut jacobian, &data.xipos[body], body);
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
        checkpoint_of_compilation(model);
        let first = model.jnt_dofadr[joint] as usize;
        let body = model.jnt_bodyid[joint] as usize;
        if model.body_simple[body] == 2 {
            model.dof_invweight0[first] = 1.0 / model.body_mass[body].max(MINVAL);
            continue;
        }
        let groups: &[std::ops::Range<usize>] = match model.jnt_type[joint] {
            t if t == JointType::Free => &[0..3, 3..6],
            t if t == JointType::Ball => std::slice::from_ref(&(0..3)),
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
        if !model.is_fixed(body) && model.body_simple[body] != 2 {
            model.body_invweight0[body] = [f64::NAN; 2];
        }
    }
    for dof in 0..model.nv {
        if model.body_simple[model.dof_bodyid[dof] as usize] != 2 {
            model.dof_invweight0[dof] = f64::NAN;
        }
    }
}

/// Dofs of the kinematic trees that the columns of a sparse row belong to, each tree once. Where the inertia
/// has no inverse, all of them: then no solution is defined anywhere.
fn touched_trees(model: &Model, columns: &[i32], regular: bool) -> Vec<Range<usize>> {
    if !regular {
        return std::iter::once(0..model.nv).collect();
    }
    let mut trees: Vec<i32> = columns.iter().map(|&dof| model.dof_treeid[dof as usize]).collect();
    trees.sort_unstable();
    trees.dedup();
    let dofs = |tree: i32| {
        let start = model.tree_dofadr[tree as usize] as usize;
        start..start + model.tree_dofnum[tree as usize] as usize
    };
    trees.into_iter().map(dofs).collect()
}

/// Solves `M x = b` in place where `b` is zero outside some trees: `M` couples no two of them, so each is
/// solved on its own.
fn solve_trees(model: &Model, data: &Data, trees: &[Range<usize>], x: &mut [f64]) {
    let below = |dof: usize| {
        let start = model.M_rowadr[dof] as usize;
        start..start + model.M_rownnz[dof] as usize - 1
    };
    for tree in trees {
        // x ← L⁻ᵀ x
        for dof in tree.clone().rev().filter(|&dof| model.M_rownnz[dof] > 1) {
            let value = x[dof];
            for (&col, l) in model.M_colind[below(dof)].iter().zip(&data.qLD[below(dof)]) {
                x[col as usize] -= l * value;
            }
        }
        for dof in tree.clone() {
            x[dof] *= data.qLDiagInv[dof];
        }
        // x ← L⁻¹ x
        for dof in tree.clone() {
            for (&col, l) in model.M_colind[below(dof)].iter().zip(&data.qLD[below(dof)]) {
                x[dof] -= l * x[col as usize];
            }
        }
    }
}

fn set_tendon_weights(model: &mut Model, data: &Data, work: &mut [f64], regular: bool) {
    work.fill(0.0);
    for tendon in 0..model.ntendon {
        let start = model.ten_J_rowadr[tendon] as usize;
        let row = start..start + model.ten_J_rownnz[tendon] as usize;
        let (columns, entries) = (&model.ten_J_colind[row.clone()], &data.ten_J[row]);
        model.tendon_invweight0[tendon] = row_weight(model, data, (columns, entries), work, regular);
    }
}

/// `jᵀ M⁻¹ j` for a sparse row; `work` is clear before and after.
fn row_weight(
    model: &Model,
    data: &Data,
    (columns, entries): (&[i32], &[f64]),
    work: &mut [f64],
    regular: bool,
) -> f64 {
    let trees = touched_trees(model, columns, regular);
    columns.iter().zip(entries).for_each(|(&dof, j)| work[dof as usize] = *j);
    solve_trees(model, data, &trees, work);
    let entries = columns.iter().zip(entries);
    let weight = if regular {
        entries.map(|(&dof, j)| j * work[dof as usize]).sum()
    } else {
        // the product is of all dofs: what is undefined beside the row undefines its weight
        let others = |dof: &usize| !columns.contains(&(*dof as i32));
        let beside: f64 = (0..model.nv).filter(others).map(|dof| 0.0 * work[dof]).sum();
        entries.map(|(&dof, j)| j * work[dof as usize]).sum::<f64>() + beside
    };
    trees.into_iter().for_each(|tree| work[tree].fill(0.0));
    weight
}

/// `actuator_acc0`: size of the acceleration that a unit force causes.
fn set_actuator_accelerations(model: &mut Model, data: &Data, regular: bool) {
    let mut acceleration = vec![0.0; model.nv];
    for actuator in 0..model.nu {
        let (columns, arms) = moment_arms(data, actuator);
        let trees = touched_trees(model, columns, regular);
        columns.iter().zip(arms).for_each(|(&dof, m)| acceleration[dof as usize] = *m);
        solve_trees(model, data, &trees, &mut acceleration);
        let squared: f64 = trees.iter().flat_map(|tree| &acceleration[tree.clone()]).map(|a| a * a).sum();
        trees.into_iter().for_each(|tree| acceleration[tree].fill(0.0));
        model.actuator_acc0[actuator] = squared.sqrt();
    }
}

/// A global point in the frame of a body.
fn to_body(data: &Data, point: &[f64; 3], body: usize) -> [f64; 3] {
    (mat3(&data.xmat[body]).transpose() * (Vec3::from(*point) - Vec3::from(data.xpos[body]))).into()
}

/// Completes the data of connect and weld constraints between bodies: the anchor in the second frame and the
/// relative orientation, as they are in the reference pose.
fn set_constraint_poses(model: &mut Model, data: &Data) {
    for equality in 0..model.neq {
        let kind = model.eq_type[equality];
        let between_bodies = model.eq_objtype[equality] == ObjType::Body;
        let [body1, body2] =
            [model.eq_obj1id[equality], model.eq_obj2id[equality]].map(|id| id.max(0) as usize);
        let values = &mut model.eq_data[equality];
        let anchor = [values[0], values[1], values[2]];
        if kind == EqType::Connect {
            if between_bodies {
                let point = local_point_to_global(data, &anchor, body1);
                values[3..6].copy_from_slice(&to_body(data, &point, body2));
            } else {
                values.fill(0.0);
            }
        } else if kind == EqType::Weld && between_bodies {
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

/// Offsets of cameras and lights from their body and from the centre of mass they follow, and their
/// orientation.
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

/// A position actuator with a positive third bias parameter gives it as a damping ratio `ζ`; it becomes the
/// damping `−2 ζ √(kp m)` with `m` the inertia seen through the transmission: `1 / (J M⁻¹ Jᵀ)`, or at level
/// 3.8 the diagonal of `M` over the squares of the moment arms.
fn set_damping_ratios(model: &mut Model, data: &Data, work: &mut [f64], regular: bool) {
    let whole_inertia = model.reference().dampratio();
    if whole_inertia {
        work.fill(0.0);
    }
    for actuator in 0..model.nu {
        let stiffness = model.actuator_gainprm[actuator][0];
        let [_, bias1, ratio, ..] = model.actuator_biasprm[actuator];
        if stiffness != -bias1 || ratio <= 0.0 {
            continue;
        }
        let mut mass = 0.0;
        let (columns, arms) = moment_arms(data, actuator);
        if whole_inertia {
            mass = 1.0 / row_weight(model, data, (columns, arms), work, regular).max(MINVAL);
        }
        for (&dof, arm) in columns.iter().zip(arms) {
            let squared = arm * arm;
            if squared > MINVAL && !whole_inertia {
                mass += model.dof_M0[dof as usize] / squared;
            }
        }
        model.actuator_biasprm[actuator][2] = -(ratio * 2.0 * (stiffness * mass).sqrt());
    }
}
