//! Single facts of compiled models where a rule has an edge; the reference has the same numbers.

use kinetree_model::enums::SameFrame;
use kinetree_model::{Data, mj_reset_data_keyframe};
use kinetree_spec::spec::{Camera, Sizes};
use kinetree_spec::{Spec, Vfs, load_model_str, load_model_str_with};

/// A geom shares the inertial frame if both quaternions are the same rotation, of either sign; the inverse
/// rotation is another one.
#[test]
fn a_frame_is_shared_by_equal_rotations_only() {
    let model = load_model_str(
        r#"<mujoco><worldbody><body><freejoint/><inertial pos="0.1 0.2 0.3" mass="1" diaginertia="1 1.1 1.2" quat="0.8 0.6 0 0"/>
           <geom type="box" size="1 1 1" pos="0.1 0.2 0.3" quat="0.8 -0.6 0 0"/>
           <geom type="box" size="1 1 1" pos="0.1 0.2 0.3" quat="-0.8 -0.6 0 0"/></body></worldbody></mujoco>"#,
    )
    .unwrap();
    assert_eq!(model.geom_sameframe[..], [SameFrame::None as u8, SameFrame::Inertia as u8]);
}

#[test]
fn fusing_massless_bodies_leaves_no_mass() {
    let model = load_model_str(
        r#"<mujoco><compiler fusestatic="true"/><worldbody><body mocap="true"><body pos="1 0 0"><site/></body></body>
           <body><joint/><geom size="1"/></body></worldbody></mujoco>"#,
    )
    .unwrap();
    assert_eq!((model.nbody, model.nmocap), (3, 1));
    assert_eq!((&model.body_mass[..2], &model.body_inertia[..2]), (&[0.0; 2][..], &[[0.0; 3]; 2][..]));
}

/// Without a sensor size the focal length is that of the near plane, and the principal point is as it was
/// set.
#[test]
fn a_camera_without_a_sensor_keeps_its_principal_point() {
    let mut spec = Spec::new();
    spec.visual.map.znear = 0.05;
    let world = spec.world();
    spec.add_camera(world, Camera { intrinsic: [0.1, 0.2, 0.3, 0.4], ..Camera::default() });
    assert_eq!(spec.compile().unwrap().cam_intrinsic[0], [0.05, 0.05, 0.3, 0.4]);
}

#[test]
fn sizes_that_are_not_given_are_found_by_the_compiler() {
    let sizes = Sizes::default();
    let found = [
        sizes.nuser_body,
        sizes.nuser_jnt,
        sizes.nuser_geom,
        sizes.nuser_site,
        sizes.nuser_cam,
        sizes.nuser_tendon,
        sizes.nuser_actuator,
        sizes.nuser_sensor,
        sizes.njmax,
        sizes.nconmax,
    ];
    assert_eq!((found, sizes.memory, sizes.nstack), ([-1; 10], -1, -1));
    assert_eq!((sizes.nuserdata, sizes.nkey), (0, 0));
}

#[test]
fn a_supertorus_is_no_fatter_than_its_ring() {
    let load = |radius: f64| {
        load_model_str(&format!(
            r#"<mujoco><asset><mesh name="m" builtin="supertorus" params="8 {radius} 1 1"/></asset></mujoco>"#
        ))
    };
    assert!(load(1.0).is_ok());
    assert!(load(1.5).unwrap_err().to_string().contains("radius must be in (0, 1]"));
}

#[test]
fn a_texture_may_be_one_pixel_high() {
    let load = |height: i32| {
        load_model_str(&format!(
            r#"<mujoco><asset><texture name="t" type="2d" builtin="flat" width="3" height="{height}" rgb1="0.2 0.3 0.4"/></asset></mujoco>"#
        ))
    };
    let model = load(1).unwrap();
    assert_eq!((model.tex_height[0], &model.tex_data[..]), (1, &[51, 76, 102].repeat(3)[..]));
    assert!(load(0).is_err());
}

/// Normals of the model complete a file that has none.
#[test]
fn normals_beside_a_file() {
    const SOLID: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n";
    let load = |normal: &str| {
        let mut files = Vfs::new();
        files.add_buffer("m.obj", SOLID.as_bytes().to_vec()).unwrap();
        let xml = format!(r#"<mujoco><asset><mesh file="m.obj" normal="{normal}"/></asset></mujoco>"#);
        load_model_str_with(&xml, &files)
    };
    let model = load("0 0 1 0 0 1 0 0 1 1 0 0").unwrap();
    let expected = [[0.57735026, 0.4082483, std::f32::consts::FRAC_1_SQRT_2], [0.57735026, -0.8164966, 0.0]];
    for (found, expected) in [(model.mesh_normal[0], expected[0]), (model.mesh_normal[3], expected[1])] {
        for k in 0..3 {
            assert!((found[k] - expected[k]).abs() < 1e-6, "{found:?} {expected:?}");
        }
    }
}

/// User data belong to the state of a world, and no keyframe holds them: a reset to one clears them.
#[test]
fn keyframes_clear_user_data() {
    let model = load_model_str(
        "<mujoco><size nuserdata='3'/><worldbody><body><joint/><geom size='0.1'/></body></worldbody>
           <keyframe><key qpos='0.5'/></keyframe></mujoco>",
    )
    .unwrap();
    let mut data = Data::new(&model);
    data.userdata.copy_from_slice(&[1.0, 2.0, 3.0]);
    mj_reset_data_keyframe(&model, &mut data, 0).unwrap();
    assert_eq!((data.qpos[0], &data.userdata[..]), (0.5, &[0.0; 3][..]));
}

/// Two hinges about one axis make the inertia singular: no weight is a number, that of a tendon over one of
/// them neither, nor that of a tendon over another body.
#[test]
fn a_singular_inertia_leaves_no_weight_of_a_tendon() {
    let model = load_model_str(
        "<mujoco><worldbody><body><joint name='a'/><joint name='b'/>
             <inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>
           <body pos='0 1 0'><joint name='c'/><geom size='0.1' pos='0.2 0 0'/></body></worldbody>
           <tendon><fixed name='t'><joint joint='a' coef='1'/></fixed><fixed name='u'><joint joint='c' coef='1'/></fixed></tendon>
           <equality><tendon tendon1='t' tendon2='u'/></equality></mujoco>",
    )
    .unwrap();
    assert!(model.tendon_invweight0.iter().all(|weight| weight.is_nan()), "{:?}", model.tendon_invweight0);
}
