//! Pictures leave no memory behind.
//!
//! Mesa's software renderer compiles a shader anew, and keeps it, whenever a uniform that decides about its
//! course is bound: shaders must have no such uniforms. Code that is compiled shows in the size of the
//! process.
#![cfg(target_os = "linux")]

#[path = "it/common/mod.rs"]
mod common;

use kinetree_render::gpu::{RenderError, Renderer, Sensed};
use kinetree_render::scene::{
    CAT_ALL, MjvCamera, MjvOption, MjvScene, mjv_default_free_camera, mjv_update_scene,
};
use std::io::Write;

const SIDE: u32 = 48;
/// Pictures after which everything has been compiled and allocated.
const WARM_UP: usize = 100;
const PICTURES: usize = 200;
/// Most growth afterwards (KiB): what allocators need, less than one more shader for each picture.
const MOST: i64 = 5 << 10;

/// Memory that this process occupies (KiB).
fn occupied() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse().unwrap()
}

/// A light with shadows, a mirror and textures, while bodies move.
#[test]
fn pictures_leave_no_memory_behind() {
    let (model, mut data) = common::world("showcase/humanoid.xml", 0);
    let mut renderer = match Renderer::new(&model) {
        Err(error @ RenderError::NoAdapter { .. }) => {
            let _ = writeln!(std::io::stderr(), "skipped: {}", error.to_string().trim());
            return;
        }
        other => other.unwrap(),
    };
    let (mut camera, mut scene) = (MjvCamera::default(), MjvScene::new(&model, 1000));
    mjv_default_free_camera(&model, &mut camera);
    let mut before = 0;
    for i in 0..WARM_UP + PICTURES {
        if i == WARM_UP {
            before = occupied();
        }
        kinetree_sim::mj_step(&model, &mut data).unwrap();
        mjv_update_scene(&model, &data, &MjvOption::default(), None, &mut camera, CAT_ALL, &mut scene)
            .unwrap();
        renderer.color(&scene, SIDE, SIDE).unwrap();
        renderer.sense(&scene, SIDE, SIDE, Sensed::Segmented).unwrap();
    }
    let growth = occupied() - before;
    assert!(growth < MOST, "{PICTURES} pictures left {growth} KiB behind");
}
