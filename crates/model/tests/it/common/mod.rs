//! A small model with something in every kind of state.

use kinetree_model::enums::{ObjType, TrnType};
use kinetree_model::{Model, Sizes, build_names_map};

/// Two bodies (one mocap), a free joint, two actuators with an activation each, one equality, one keyframe,
/// user data.
pub(crate) fn small_model() -> Model {
    let names = b"toy\0world\0box\0hand\0root\0motor\0left\0";
    let sizes = Sizes {
        nq: 7,
        nv: 6,
        nu: 2,
        na: 2,
        nbody: 3,
        njnt: 1,
        ntree: 1,
        nM: 21,
        nJmom: 12,
        nC: 6,
        nD: 6,
        neq: 1,
        nkey: 1,
        nmocap: 1,
        nuserdata: 3,
        nnames: names.len(),
        nnames_map: 2 * (3 + 1 + 2 + 1 + 1),
        njmax: -1,
        nconmax: -1,
        ..Sizes::default()
    };
    let mut model = Model::with_sizes(sizes);
    model.modelname = "toy".into();
    model.names.copy_from_slice(names);
    model.name_bodyadr.copy_from_slice(&[4, 10, 14]);
    model.name_jntadr[0] = 19;
    model.name_actuatoradr.copy_from_slice(&[24, 30]);
    // the equality and the keyframe have no name: they point at an empty one
    model.name_eqadr[0] = 3;
    model.name_keyadr[0] = 3;
    build_names_map(&mut model);
    model.body_mocapid.copy_from_slice(&[-1, -1, 0]);
    model.body_pos[2] = [1.0, 2.0, 3.0];
    model.body_quat.fill([1.0, 0.0, 0.0, 0.0]);
    model.qpos0.copy_from_slice(&[0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0]);
    model.body_treeid.copy_from_slice(&[-1, 0, -1]);
    model.dof_bodyid.fill(1);
    model.jnt_bodyid[0] = 1;
    model.body_weldid[1] = 1;
    (model.body_jntnum[1], model.body_dofnum[1]) = (1, 6);
    (model.tree_bodyadr[0], model.tree_bodynum[0], model.tree_dofnum[0]) = (1, 1, 6);
    // a free body whose inertia matrix is diagonal
    for dof in 0..6 {
        let diagonal =
            [&mut model.M_colind[..], &mut model.M_rowadr, &mut model.D_colind, &mut model.D_rowadr];
        diagonal.into_iter().for_each(|list| list[dof] = dof as i32);
        model.dof_parentid[dof] = dof as i32 - 1;
        model.dof_Madr[dof] = (dof * (dof + 1) / 2) as i32;
        model.dof_simplenum[dof] = 6 - dof as i32;
        (model.M_rownnz[dof], model.D_rownnz[dof]) = (1, 1);
    }
    model.eq_obj2id[0] = 0;
    model.eq_objtype[0] = ObjType::Body as i32;
    model.actuator_trntype.fill(TrnType::Joint as i32);
    let none = [&mut model.body_plugin[..], &mut model.actuator_plugin, &mut model.jnt_actuatorid];
    none.into_iter().for_each(|list| list.fill(-1));
    model.eq_active0[0] = 1;
    model.key_time[0] = 2.5;
    model.key_qpos.copy_from_slice(&[0.1, 0.2, 0.3, 0.0, 1.0, 0.0, 0.0]);
    model.key_ctrl.copy_from_slice(&[4.0, 5.0]);
    model.key_mpos[0] = [7.0, 8.0, 9.0];
    model
}
