//! Every entry point of the pipeline refuses the data of another model, counts that are wrong and arguments
//! that do not fit.

use crate::common::Tree;
use kinetree_model::enums::JointType;
use kinetree_model::{Data, Mismatch, Model, StateError, mj_get_state, mj_reset_data};
use kinetree_sim::{
    ArgumentError, DerivativeError, FrameError, RayFilter, SensorError, SetConstError, StepError,
    mj_apply_ft, mj_collision, mj_contact_force, mj_forward, mj_inverse, mj_jac_body, mj_jac_into,
    mj_jac_site, mj_kinematics, mj_mul_m, mj_object_velocity, mj_ray, mj_rne_post_constraint, mj_sensor_pos,
    mj_set_const, mj_step, mj_step1, mj_step2, mjd_transition_fd,
};

fn pair() -> (Model, Model) {
    let mut other = Tree::arm(3);
    other.add(0, &[JointType::Free]);
    (Tree::arm(3).build(), other.build())
}

#[test]
fn the_data_of_another_model_is_a_mismatch() {
    let (model, mut other) = pair();
    let data = &mut Data::new(&model);
    let sizes = Mismatch::Sizes { array: Some("qpos") };
    assert_eq!(data.check(&other), Err(sizes));
    for step in [mj_step, mj_step1, mj_step2, mj_forward, mj_inverse] {
        assert_eq!(step(&other, data), Err(StepError::Mismatch(sizes)));
    }
    for stage in [mj_kinematics, mj_collision, mj_rne_post_constraint, mj_reset_data] {
        assert_eq!(stage(&other, data), Err(sizes));
    }
    assert_eq!(mj_sensor_pos(&other, data), Err(SensorError::Mismatch(sizes)));
    assert_eq!(mj_set_const(&mut other, data), Err(SetConstError::Mismatch(sizes)));
    let derivative = mjd_transition_fd(&other, data, 1e-6, false, None, None, None, None);
    assert!(matches!(derivative, Err(DerivativeError::Mismatch(_))));
    assert_eq!(mj_ray(&other, data, &[0.0; 3], &[1.0; 3], &RayFilter::default()), Err(sizes));
    assert_eq!(mj_contact_force(&other, data, 0), Err(sizes));
    assert_eq!(mj_object_velocity(&other, data, 1, 1, false), Err(FrameError::Mismatch(sizes)));
    assert_eq!(mj_get_state(&other, data, &mut [0.0; 3], 1), Err(StateError::Mismatch(sizes)));
    assert!(data.copy_from(&Data::new(&other)).is_err());
}

#[test]
fn matrices_of_a_mismatch_hold_no_numbers() {
    let (model, other) = pair();
    let data = Data::new(&model);
    let (jacp, jacr) = mj_jac_body(&other, &data, 1);
    assert_eq!(jacp.shape(), (3, other.nv));
    assert!(jacp.iter().chain(&jacr).all(|x| x.is_nan()));
    // objects that do not exist
    for id in [model.nbody, usize::MAX] {
        assert!(mj_jac_body(&model, &data, id).0.iter().all(|x| x.is_nan()));
        assert!(mj_jac_site(&model, &data, id).0.iter().all(|x| x.is_nan()));
    }
    assert!(mj_jac_body(&model, &data, 1).0.iter().all(|x| x.is_finite()));
}

#[test]
fn wrong_counts_are_named_and_a_reset_sets_them_right() {
    let (model, _) = pair();
    let mut data = Data::new(&model);
    data.ncon = 1000;
    let wrong = Mismatch::Count { count: "ncon", value: 1000, found: 0 };
    assert_eq!(mj_rne_post_constraint(&model, &mut data), Err(wrong));
    assert_eq!(mj_step(&model, &mut data), Err(StepError::Mismatch(wrong)));
    mj_reset_data(&model, &mut data).unwrap();
    data.nv_awake = usize::MAX;
    assert!(matches!(data.check(&model), Err(Mismatch::Count { count: "nv_awake", .. })));
    mj_reset_data(&model, &mut data).unwrap();
    assert_eq!(data.check(&model), Ok(()));
}

#[test]
fn ids_and_lengths_that_do_not_fit_are_errors() {
    let (model, _) = pair();
    let data = Data::new(&model);
    let missing = mj_jac_into(&model, &data, None, None, &[0.0; 3], 9);
    assert_eq!(missing, Err(ArgumentError::NoObject { kind: "body", id: 9, count: model.nbody }));
    let short = mj_jac_into(&model, &data, Some(&mut [0.0; 3]), None, &[0.0; 3], 1);
    assert_eq!(short, Err(ArgumentError::Length { name: "jacp", expected: 3 * model.nv, found: 3 }));
    assert!(mj_mul_m(&model, &data, &mut [0.0; 3], &[0.0; 2]).is_err());
    assert!(mj_apply_ft(&model, &data, &[0.0; 3], &[0.0; 3], &[0.0; 3], 1, &mut []).is_err());
}
