//! Cameras and lights of the model as objects in the scene.

use crate::scene::camera::sensor_frustum;
use crate::scene::enums::{FrameMode, LabelMode, VisFlag};
use crate::scene::painter::{Painter, decor, label_of, shifted};
use kinetree_math::Vec3;
use kinetree_math::rot::{quat_to_rows, quat_z_to_vec};
use kinetree_model::enums::{GeomType, ObjType, Projection};
use std::f64::consts::PI;

/// Opacity of a camera whose frustum is shown.
const TRANSLUCENT: f32 = 0.3;
/// Lights are drawn this much behind their position, so that they do not shadow themselves (m).
const BEHIND: f64 = 0.0001;

impl Painter<'_> {
    /// Cameras: a box with a lens, and the frustum where the camera has a resolution.
    pub(in crate::scene) fn add_cameras(&mut self) {
        if !self.opt.shows(VisFlag::Camera) {
            return;
        }
        let (model, data) = (self.model, self.data);
        let size = self.meansize() * f64::from(model.vis.scale.camera);
        for camera in 0..model.ncam {
            let (pos, mat) = (&data.cam_xpos[camera], &data.cam_xmat[camera]);
            let mut rgba = model.vis.rgba.camera;
            if model.cam_resolution[camera].iter().any(|&pixels| pixels > 1) {
                rgba[3] = TRANSLUCENT;
                self.add_frustum(camera);
            }
            let mut geom = decor(ObjType::Camera, camera);
            geom.shape(GeomType::Box, &[size, 0.8 * size, 0.4 * size], pos, mat, &rgba);
            if self.opt.labels(LabelMode::Camera) {
                geom.label = label_of(model, ObjType::Camera, camera);
            }
            self.add(geom);

            let lens = shifted(pos, &[mat[2], mat[5], mat[8]], -0.6 * size);
            let dark = [0.5 * rgba[0], 0.5 * rgba[1], 0.5 * rgba[2], rgba[3]];
            let mut geom = decor(ObjType::Camera, camera);
            geom.shape(GeomType::Cylinder, &[0.4 * size, 0.3 * size, 0.0], &lens, mat, &dark);
            self.add(geom);

            if self.opt.frames(FrameMode::Camera) {
                self.add_frame(camera, pos, mat, self.frame_size());
            }
        }
    }

    /// Distances from the axis to the left, right, lower and upper side of the near plane of a camera, and
    /// that of the near plane.
    fn near_plane(&self, camera: usize) -> ([f32; 4], f64) {
        let model = self.model;
        let near = f64::from(model.vis.map.znear) * model.stat.extent;
        let [width, height] = model.cam_resolution[camera].map(|pixels| pixels as f32);
        let (aspect, fovy) = (width / height, model.cam_fovy[camera]);
        let sensor = model.cam_sensorsize[camera];
        let sides = if model.cam_projection[camera] == Projection::Orthographic {
            let half = (fovy / 2.0) as f32;
            let across = (fovy * f64::from(aspect) / 2.0) as f32;
            [across, across, half, half]
        } else if sensor[0] != 0.0 && sensor[1] != 0.0 {
            let ([lower, upper], [left, right]) =
                sensor_frustum(near as f32, &model.cam_intrinsic[camera], &sensor);
            [left, right, lower, upper]
        } else {
            let half = (near * libm::tan(fovy * PI / 360.0)) as f32;
            [half * aspect, half * aspect, half, half]
        };
        (sides, near)
    }

    /// The frustum of a camera: its sides as triangles, its edges as lines.
    fn add_frustum(&mut self, camera: usize) {
        let (model, data) = (self.model, self.data);
        let (sides, near) = self.near_plane(camera);
        let mut far = f64::from(model.vis.scale.frustum) * self.meansize();
        let far_sides = if model.cam_projection[camera] == Projection::Orthographic {
            far = f64::from((sides[0] + sides[2]) / 2.0);
            sides
        } else {
            sides.map(|side| (f64::from(side) * (far / near)) as f32)
        };
        let mat = kinetree_math::rot::mat3(&data.cam_xmat[camera]);
        let corners = |[left, right, lower, upper]: [f32; 4], depth: f64| -> [[f64; 3]; 4] {
            let [left, right, lower, upper] = [-left, right, -lower, upper].map(f64::from);
            [(left, lower), (right, lower), (right, upper), (left, upper)]
                .map(|(x, y)| (Vec3::from(data.cam_xpos[camera]) + mat * Vec3::new(x, y, -depth)).into())
        };
        let (front, back) = (corners(sides, near), corners(far_sides, far));
        let rgba = &model.vis.rgba.frustum;
        let object = (ObjType::Camera, camera);
        for e in 0..4 {
            let n = (e + 1) % 4;
            self.add_triangle(object, [&front[e], &back[e], &front[n]], rgba);
            self.add_triangle(object, [&back[e], &back[n], &front[n]], rgba);
            for ends in [[&front[e], &front[n]], [&back[e], &back[n]], [&front[e], &back[e]]] {
                self.add_connector(object, (GeomType::Line, 3.0), ends, rgba);
            }
        }
    }

    /// Lights: cylinders along their direction.
    pub(in crate::scene) fn add_lights(&mut self) {
        if !self.opt.shows(VisFlag::Light) {
            return;
        }
        let (model, data) = (self.model, self.data);
        let size = self.meansize() * f64::from(model.vis.scale.light);
        for light in 0..model.nlight {
            let (pos, dir) = (&data.light_xpos[light], &data.light_xdir[light]);
            let mat = quat_to_rows(&quat_z_to_vec(&Vec3::from(*dir)));
            let mut geom = decor(ObjType::Light, light);
            let behind = shifted(pos, dir, -size - BEHIND);
            geom.shape(GeomType::Cylinder, &[0.8 * size, size, 0.0], &behind, &mat, &model.vis.rgba.light);
            if self.opt.labels(LabelMode::Light) {
                geom.label = label_of(model, ObjType::Light, light);
            }
            self.add(geom);
            if self.opt.frames(FrameMode::Light) {
                self.add_frame(light, pos, &mat, self.frame_size());
            }
        }
    }
}
