//! State vectors, reset, keyframes and names.

use crate::common;
use kinetree_model::enums::{ObjType, StateBit};
use kinetree_model::{
    Data, STATE_FULLPHYSICS, STATE_INTEGRATION, StateError, mj_extract_state, mj_get_state, mj_id2name,
    mj_name2id, mj_reset_data, mj_reset_data_keyframe, mj_set_keyframe, mj_set_state, mj_state_size,
};
use proptest::prelude::*;

#[test]
fn sizes_follow_the_signature() {
    let model = common::small_model();
    assert_eq!(mj_state_size(&model, 0), Ok(0));
    assert_eq!(mj_state_size(&model, StateBit::Time as u32), Ok(1));
    assert_eq!(mj_state_size(&model, STATE_FULLPHYSICS), Ok(1 + 7 + 6 + 2));
    // time, qpos, qvel, act, warm start, ctrl, two applied forces, equality, mocap, user data
    assert_eq!(mj_state_size(&model, STATE_INTEGRATION), Ok(1 + 7 + 6 + 2 + 6 + 2 + 6 + 18 + 1 + 7 + 3));
    assert_eq!(mj_state_size(&model, 1 << 14), Err(StateError::InvalidSignature { signature: 1 << 14 }));
}

proptest! {
    #[test]
    fn get_inverts_set(signature in 0u32..1 << 14, seed in any::<u64>()) {
        let model = common::small_model();
        let mut data = Data::new(&model);
        let n = mj_state_size(&model, signature).unwrap();
        let mut state: Vec<f64> = (0..n).map(|i| ((seed >> 8) as f64).sin() * i as f64 + 0.5).collect();
        mj_set_state(&model, &mut data, &state, signature).unwrap();
        let mut back = vec![0.0; n];
        mj_get_state(&model, &data, &mut back, signature).unwrap();
        if signature & StateBit::EqActive as u32 != 0 {
            // flags come back as zero or one
            let at = mj_state_size(&model, signature & ((1 << 9) - 1)).unwrap();
            state[at] = f64::from(u8::from(state[at] != 0.0));
        }
        prop_assert_eq!(back, state);
    }

    #[test]
    fn extraction_equals_reading_the_part(part in 0u32..1 << 14) {
        let model = common::small_model();
        let mut data = Data::new(&model);
        mj_reset_data_keyframe(&model, &mut data, 0).unwrap();
        let mut whole = vec![0.0; mj_state_size(&model, STATE_INTEGRATION).unwrap()];
        mj_get_state(&model, &data, &mut whole, STATE_INTEGRATION).unwrap();
        let part = part & STATE_INTEGRATION;
        let n = mj_state_size(&model, part).unwrap();
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        mj_extract_state(&model, &whole, STATE_INTEGRATION, &mut a, part).unwrap();
        mj_get_state(&model, &data, &mut b, part).unwrap();
        prop_assert_eq!(a, b);
    }
}

#[test]
fn wrong_lengths_and_supersets_are_errors() {
    let model = common::small_model();
    let mut data = Data::new(&model);
    let qpos = StateBit::Qpos as u32;
    let wrong = StateError::WrongSize { expected: 7, found: 3 };
    assert_eq!(mj_get_state(&model, &data, &mut [0.0; 3], qpos), Err(wrong.clone()));
    assert_eq!(mj_set_state(&model, &mut data, &[0.0; 3], qpos), Err(wrong));
    let time = StateBit::Time as u32;
    assert_eq!(
        mj_extract_state(&model, &[0.0; 7], qpos, &mut [0.0], time),
        Err(StateError::NotContained { wanted: time, available: qpos })
    );
}

#[test]
fn reset_restores_the_initial_state() {
    let model = common::small_model();
    let mut data = Data::new(&model);
    data.qpos.fill(9.0);
    data.qvel.fill(9.0);
    data.time = 3.0;
    data.eq_active[0] = 0;
    data.mocap_pos[0] = [0.0; 3];
    data.efc_force.resize(5, 1.0);
    mj_reset_data(&model, &mut data).unwrap();
    assert_eq!(data.qpos, model.qpos0);
    assert_eq!(data.qvel, [0.0; 6]);
    assert_eq!(data.time, 0.0);
    assert_eq!(data.eq_active, [1]);
    assert_eq!(data.mocap_pos, [[1.0, 2.0, 3.0]]);
    assert!(data.efc_force.is_empty());
}

/// As in the reference, keyframes have no user data: a reset clears it, and a state vector keeps it.
#[test]
fn user_data_is_part_of_states_and_not_of_keyframes() {
    let mut model = common::small_model();
    let mut data = Data::new(&model);
    data.userdata.copy_from_slice(&[1.0, 2.0, 3.0]);
    mj_set_keyframe(&mut model, &data, 0).unwrap();
    let mut state = vec![0.0; 3];
    mj_get_state(&model, &data, &mut state, StateBit::Userdata as u32).unwrap();
    mj_reset_data_keyframe(&model, &mut data, 0).unwrap();
    assert_eq!(data.userdata[..], [0.0; 3]);
    mj_set_state(&model, &mut data, &state, StateBit::Userdata as u32).unwrap();
    assert_eq!(data.userdata[..], [1.0, 2.0, 3.0]);
}

#[test]
fn keyframes_load_and_store() {
    let mut model = common::small_model();
    let mut data = Data::new(&model);
    mj_reset_data_keyframe(&model, &mut data, 0).unwrap();
    assert_eq!(data.time, 2.5);
    assert_eq!(data.ctrl, [4.0, 5.0]);
    assert_eq!(data.mocap_pos, [[7.0, 8.0, 9.0]]);
    data.qvel[2] = -1.5;
    mj_set_keyframe(&mut model, &data, 0).unwrap();
    assert_eq!(model.key_qvel[2], -1.5);

    let missing = StateError::NoKeyframe { key: 1, nkey: 1 };
    assert_eq!(mj_reset_data_keyframe(&model, &mut data, 1), Err(missing.clone()));
    assert_eq!(data.time, 2.5, "a failed reset leaves the data as it was");
    assert_eq!(mj_set_keyframe(&mut model, &data, 1), Err(missing));
}

#[test]
fn names_are_found_both_ways() {
    let model = common::small_model();
    for (kind, names) in [
        (ObjType::Body, &["world", "box", "hand"][..]),
        (ObjType::Xbody, &["world", "box", "hand"]),
        (ObjType::Joint, &["root"]),
        (ObjType::Actuator, &["motor", "left"]),
    ] {
        for (id, name) in names.iter().enumerate() {
            assert_eq!(mj_name2id(&model, kind, name), Some(id));
            assert_eq!(mj_id2name(&model, kind, id), Some(*name));
        }
        assert_eq!(mj_id2name(&model, kind, names.len()), None);
    }
    assert_eq!(mj_name2id(&model, ObjType::Body, "motor"), None);
    assert_eq!(mj_name2id(&model, ObjType::Geom, "box"), None);
    assert_eq!(mj_name2id(&model, ObjType::Body, ""), None);
    assert_eq!(mj_name2id(&model, ObjType::Dof, "root"), None);
    assert_eq!(mj_id2name(&model, ObjType::Equality, 0), None);
}

#[test]
fn copies_are_complete_and_independent() {
    let model = common::small_model();
    let mut source = Data::new(&model);
    mj_reset_data_keyframe(&model, &mut source, 0).unwrap();
    source.efc_force.resize(3, 2.0);
    source.nefc = 3;
    let mut copy = Data::new(&model);
    copy.copy_from(&source).unwrap();
    assert_eq!((copy.time, copy.nefc), (2.5, 3));
    for (a, b) in source.fields().iter().zip(copy.fields()) {
        assert_eq!(a.data, b.data, "{}", a.name);
    }
    copy.qpos[0] = 42.0;
    assert_eq!(source.qpos[0], 0.1);
}
