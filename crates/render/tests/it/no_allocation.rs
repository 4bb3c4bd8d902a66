//! After the first updates of a scene, none allocates, with everything on and off.

use crate::common;
use crate::counting_allocator::allocation_count;
use kinetree_render::scene::{
    CAT_ALL, FrameMode, LabelMode, MjvCamera, MjvOption, MjvPerturb, MjvScene, mjv_update_scene,
};

#[test]
fn updates_do_not_allocate() {
    for path in ["showcase/humanoid.xml", "tendons.xml", "sensors.xml", "skin.xml", "tactile.xml"] {
        let (model, data) = common::world(path, 20);
        let (mut all, pert) = common::everything(&model);
        all.label = LabelMode::Contactpoint as i32;
        all.frame = FrameMode::Body as i32;
        let mut camera = MjvCamera::default();
        let mut scene = MjvScene::new(&model, 2000);
        let mut update = |opt: &MjvOption, pert: &MjvPerturb| {
            mjv_update_scene(&model, &data, opt, Some(pert), &mut camera, CAT_ALL, &mut scene).unwrap();
        };
        for _ in 0..2 {
            update(&MjvOption::default(), &MjvPerturb::default());
            update(&all, &pert);
        }
        let before = allocation_count();
        for _ in 0..3 {
            update(&MjvOption::default(), &MjvPerturb::default());
            update(&all, &pert);
        }
        assert_eq!(allocation_count(), before, "{path}");
    }
}
