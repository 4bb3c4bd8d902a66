//! After the first updates of a scene, none allocates, with everything on and off.
// a counting allocator has to implement an unsafe trait
#![allow(unsafe_code)]

mod common;

use kinetree_render::scene::{
    CAT_ALL, FrameMode, LabelMode, MjvCamera, MjvOption, MjvPerturb, MjvScene, mjv_update_scene,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
        let before = COUNT.with(Cell::get);
        for _ in 0..3 {
            update(&MjvOption::default(), &MjvPerturb::default());
            update(&all, &pert);
        }
        assert_eq!(COUNT.with(Cell::get), before, "{path}");
    }
}
