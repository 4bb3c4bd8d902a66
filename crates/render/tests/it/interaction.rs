//! Cameras, mouse motions, selection and perturbations; and what happens when arguments are wrong.

use crate::common;
use kinetree_math::Vec3;
use kinetree_model::enums::GeomType;
use kinetree_render::scene::{
    CAT_ALL, CameraType, MjvCamera, MjvGeom, MjvOption, MjvPerturb, MjvScene, Mouse, PertBit, SceneError,
    mjv_add_geoms, mjv_apply_perturb_force, mjv_apply_perturb_pose, mjv_average_camera, mjv_camera_frame,
    mjv_camera_frustum, mjv_camera_in_model, mjv_camera_in_room, mjv_connector, mjv_default_free_camera,
    mjv_frustum_height, mjv_init_perturb, mjv_model2room, mjv_move_camera, mjv_move_model, mjv_move_perturb,
    mjv_room2model, mjv_select, mjv_update_camera, mjv_update_scene,
};

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

#[test]
fn a_click_at_the_centre_hits_what_the_camera_looks_at() {
    let (model, data) = common::world("showcase/humanoid.xml", 1);
    let mut scene = MjvScene::new(&model, 1000);
    let target = (1..model.nbody).find(|&body| model.body_geomnum[body] > 0).unwrap();
    let geom = model.body_geomadr[target] as usize;
    let mut camera = MjvCamera { lookat: data.geom_xpos[geom], distance: 3.0, ..MjvCamera::default() };
    mjv_update_scene(&model, &data, &MjvOption::default(), None, &mut camera, CAT_ALL, &mut scene).unwrap();
    let hit = mjv_select(&model, &data, &MjvOption::default(), 1.5, 0.5, 0.5, &scene).unwrap().unwrap();
    let distance = (Vec3::from(hit.point) - Vec3::from(data.geom_xpos[geom])).norm();
    assert!(distance <= model.geom_rbound[geom] + 0.3, "{hit:?}");
    let hidden = MjvOption { geomgroup: [0; 6], ..MjvOption::default() };
    assert_eq!(mjv_select(&model, &data, &hidden, 1.5, 0.5, 0.5, &scene).unwrap(), None);
}

#[test]
fn a_tracking_camera_follows_its_body() {
    let (model, data) = common::world("showcase/humanoid.xml", 10);
    let mut scene = MjvScene::new(&model, 10);
    let mut camera = MjvCamera { type_: CameraType::Tracking as i32, trackbodyid: 1, ..MjvCamera::default() };
    mjv_update_camera(&model, &data, &mut camera, &mut scene).unwrap();
    assert_eq!(camera.lookat, data.subtree_com[1]);
    let frame = mjv_camera_frame(&data, &camera).unwrap();
    let head = mjv_camera_in_model(&scene).unwrap();
    assert!(close(&frame.headpos, &head.headpos) && close(&frame.forward, &head.forward));
    let room = mjv_camera_in_room(&scene).unwrap();
    assert!(
        close(&room.headpos, &head.headpos)
            && close(&room.forward, &head.forward)
            && close(&room.up, &head.up)
    );
}

#[test]
fn poses_go_to_the_room_and_back() {
    let mut scene = MjvScene::default();
    scene.enabletransform = true;
    scene.translate = [0.5, -1.0, 2.0];
    scene.rotate = [0.6, 0.0, 0.8, 0.0];
    scene.scale = 2.5;
    let (pos, quat) = ([0.1, 0.2, 0.3], [0.8, 0.6, 0.0, 0.0]);
    let (room, rotated) = mjv_model2room(&pos, &quat, &scene).unwrap();
    let (again, _) = mjv_room2model(&room, &rotated, &scene).unwrap();
    // the reference scales after it translates, so that only positions of equal scale come back
    scene.scale = 1.0;
    let (room, rotated) = mjv_model2room(&pos, &quat, &scene).unwrap();
    let back = mjv_room2model(&room, &rotated, &scene).unwrap();
    assert!(close(&back.0, &pos) && close(&back.1, &quat));
    assert!(!close(&again, &pos));
    scene.scale = 0.0;
    assert_eq!(mjv_room2model(&pos, &quat, &scene), Err(SceneError::Scale(0.0)));
}

#[test]
fn the_mouse_moves_cameras_within_limits() {
    let (model, data) = common::world("showcase/arm.xml", 1);
    let mut scene = MjvScene::new(&model, 100);
    let mut camera = MjvCamera::default();
    mjv_default_free_camera(&model, &mut camera);
    mjv_update_camera(&model, &data, &mut camera, &mut scene).unwrap();
    let start = camera;
    mjv_move_camera(&model, Mouse::RotateV as i32, 0.25, 5.0, &scene, &mut camera).unwrap();
    assert_eq!((camera.azimuth, camera.elevation), (start.azimuth - 45.0, -89.0));
    for _ in 0..100 {
        mjv_move_camera(&model, Mouse::Zoom as i32, 0.0, 1.0, &scene, &mut camera).unwrap();
    }
    assert!((camera.distance - 0.01 * model.stat.extent).abs() < 1e-12);
    // to the right on the screen is opposite to where the point goes
    let mut moved = start;
    mjv_move_camera(&model, Mouse::MoveV as i32, 0.1, 0.0, &scene, &mut moved).unwrap();
    let right = mjv_camera_frame(&data, &start).unwrap().right;
    let shift = Vec3::from(moved.lookat) - Vec3::from(start.lookat);
    let expected = -0.1 * mjv_frustum_height(&scene).unwrap() * start.distance;
    assert!((shift.dot(&Vec3::from(right)) - expected).abs() < 1e-5);
    let mut fixed = MjvCamera { type_: CameraType::Fixed as i32, ..start };
    mjv_move_camera(&model, Mouse::Zoom as i32, 0.0, 1.0, &scene, &mut fixed).unwrap();
    assert_eq!(fixed.distance, start.distance);
}

#[test]
fn a_perturbation_pulls_the_selected_point() {
    let (model, mut data) = common::world("showcase/humanoid.xml", 1);
    let mut scene = MjvScene::new(&model, 1000);
    let mut camera = MjvCamera::default();
    mjv_update_scene(&model, &data, &MjvOption::default(), None, &mut camera, CAT_ALL, &mut scene).unwrap();
    let mut pert = MjvPerturb { select: 1, active: PertBit::Translate as i32, ..MjvPerturb::default() };
    mjv_init_perturb(&model, &data, &scene, &mut pert).unwrap();
    assert!(pert.localmass > 0.0 && pert.scale > 0.0);
    assert_eq!(pert.refpos, data.xipos[1]);
    mjv_move_perturb(&model, &data, Mouse::MoveV as i32, 0.0, -0.2, &scene, &mut pert).unwrap();
    assert!(pert.refselpos[2] > data.xpos[1][2]);
    mjv_apply_perturb_force(&model, &mut data, &pert).unwrap();
    assert!(data.xfrc_applied[1][2] > 0.0);
    // a paused floating body is put there
    let height = data.qpos[2];
    mjv_apply_perturb_pose(&model, &mut data, &pert, true).unwrap();
    assert!(data.qpos[2] > height);
}

#[test]
fn wrong_arguments_are_errors() {
    let (model, data) = common::world("showcase/arm.xml", 1);
    let mut scene = MjvScene::new(&model, 100);
    let opt = MjvOption::default();
    let mut camera = MjvCamera { type_: CameraType::Fixed as i32, fixedcamid: 77, ..MjvCamera::default() };
    let update = |camera: &mut MjvCamera, scene: &mut MjvScene| {
        mjv_update_scene(&model, &data, &opt, None, camera, CAT_ALL, scene)
    };
    assert_eq!(update(&mut camera, &mut scene), Err(SceneError::FixedCamera { id: 77, count: model.ncam }));
    camera = MjvCamera { type_: CameraType::Tracking as i32, trackbodyid: -1, ..camera };
    assert_eq!(update(&mut camera, &mut scene), Err(SceneError::TrackedBody { id: -1, count: model.nbody }));
    camera.type_ = 9;
    assert_eq!(update(&mut camera, &mut scene), Err(SceneError::CameraType(9)));
    assert_eq!(mjv_camera_frustum(&model, &camera), Err(SceneError::CameraType(9)));
    camera.type_ = CameraType::User as i32;
    assert_eq!(update(&mut camera, &mut scene), Err(SceneError::NearPlane));
    assert_eq!(mjv_select(&model, &data, &opt, 1.0, 0.5, 0.5, &scene), Err(SceneError::NearPlane));
    let free = &mut MjvCamera::default();
    assert_eq!(mjv_move_camera(&model, 0, 0.1, 0.1, &scene, free), Err(SceneError::Mouse(0)));
    assert_eq!(mjv_move_camera(&model, 99, 0.1, 0.1, &scene, free), Err(SceneError::Mouse(99)));
    update(free, &mut scene).unwrap();
    let mut pert = MjvPerturb { select: 1000, ..MjvPerturb::default() };
    let moved = mjv_move_perturb(&model, &data, Mouse::MoveV as i32, 0.1, 0.1, &scene, &mut pert);
    assert_eq!(moved, Err(SceneError::SelectedBody { id: 1000, count: model.nbody }));
    let kind = GeomType::Sphere as i32;
    let connected = mjv_connector(&mut MjvGeom::default(), kind, 0.1, &[0.0; 3], &[1.0; 3]);
    assert_eq!(connected, Err(SceneError::Connector(kind)));
    scene.camera[1].orthographic = 1;
    assert_eq!(mjv_average_camera(&scene.camera[0], &scene.camera[1]), Err(SceneError::MixedProjections));
    assert_eq!(mjv_frustum_height(&scene), Err(SceneError::MixedProjections));
    scene.enabletransform = true;
    assert_eq!(mjv_move_model(&model, 0, 0.1, 0.1, &[0.0, 0.0, 1.0], &mut scene), Err(SceneError::Mouse(0)));
}

#[test]
fn strange_options_and_full_scenes_do_no_harm() {
    let (model, data) = common::world("showcase/humanoid.xml", 5);
    let (mut opt, mut pert) = common::everything(&model);
    opt.label = -7;
    opt.frame = 1000;
    opt.bvh_depth = -3;
    pert.select = 100_000;
    let mut camera = MjvCamera { lookat: [f64::NAN; 3], distance: f64::INFINITY, ..MjvCamera::default() };
    let mut scene = MjvScene::new(&model, 7);
    mjv_update_scene(&model, &data, &opt, Some(&pert), &mut camera, -1, &mut scene).unwrap();
    assert_eq!((scene.geoms.len(), scene.status), (7, 1));
    mjv_add_geoms(&model, &data, &opt, Some(&pert), CAT_ALL, &mut scene).unwrap();
    assert_eq!(scene.geoms.len(), 7);
    let selected = mjv_select(&model, &data, &opt, f64::NAN, 0.5, 0.5, &scene);
    assert!(selected.is_ok());
    let other = MjvScene::default();
    let (skinned, data) = common::world("skin.xml", 1);
    assert_eq!(
        mjv_select(&skinned, &data, &MjvOption::default(), 1.0, 0.5, 0.5, &other),
        Err(SceneError::OtherModel)
    );
}
