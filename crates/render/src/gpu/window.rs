//! Windows of a picture: where each eye, or each region with more samples, draws.

use super::detail::Lens;
use super::regions::Region;
use super::view::Eye;
use crate::scene::{MjvGLCamera, MjvScene};

/// One eye of a picture, with where it draws.
pub(super) struct Window {
    pub(super) eye: Eye,
    pub(super) rect: [f32; 4],
    pub(super) view: u32,
    /// 0 for the picture, more for its regions.
    pub(super) region: usize,
}

impl Window {
    /// Width and height (pixels).
    pub(super) fn viewport(&self) -> [f32; 2] {
        [self.rect[2], self.rect[3]]
    }

    /// Window `index` of a picture, onto one of its regions; this is the first.
    pub(super) fn part(&self, region: &Region, picture: [u32; 2], index: usize) -> Self {
        let [w, h] = region.size.map(|s| s as f32);
        let eye = region.eye(&self.eye, picture);
        Self { eye, rect: [0.0, 0.0, w, h], view: self.view + 2 * index as u32, region: index }
    }
}

/// One window, or two side by side for two eyes; their views follow those of the lights.
pub(super) fn windows(scene: &MjvScene, cam: &MjvGLCamera, size: [u32; 2], lights: u32) -> Vec<Window> {
    let [w, h] = size.map(|s| s as f32);
    if scene.stereo == 0 {
        let eye = Eye::camera(scene, cam, w, h);
        return vec![Window { eye, rect: [0.0, 0.0, w, h], view: lights, region: 0 }];
    }
    let half = (0.5 * w).floor().max(1.0);
    let window = |(i, cam): (usize, &MjvGLCamera)| Window {
        eye: Eye::camera(scene, cam, half, h),
        rect: [half * i as f32, 0.0, half, h],
        view: lights + 2 * i as u32,
        region: 0,
    };
    scene.camera.iter().enumerate().map(window).collect()
}

/// How large things are seen, unless there are two eyes.
pub(super) fn lens(windows: &[Window]) -> Option<Lens> {
    match windows {
        [window] => Some(Lens::new(&window.eye, window.rect[3])),
        _ => None,
    }
}
