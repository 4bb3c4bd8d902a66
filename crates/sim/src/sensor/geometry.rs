//! Small geometry of sensors: points inside shapes, and camera projection.

use kinetree_math::misc::clip;
use kinetree_math::rot::mat3;
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{GeomType, Projection};
use kinetree_model::{Data, Model};
use std::f64::consts::PI;

/// Whether a local point is inside a primitive shape.
fn inside_shape(kind: i32, size: &[f64; 3], p: &Vec3) -> bool {
    let radial = p.x * p.x + p.y * p.y;
    match GeomType::try_from(kind) {
        Ok(GeomType::Sphere) => p.dot(p) < size[0] * size[0],
        Ok(GeomType::Capsule) => {
            let beyond = p.z - clip(p.z, -size[1], size[1]);
            radial + beyond * beyond < size[0] * size[0]
        }
        Ok(GeomType::Ellipsoid) => {
            let [a, b, c] = *size;
            p.x * p.x / (a * a) + p.y * p.y / (b * b) + p.z * p.z / (c * c) < 1.0
        }
        Ok(GeomType::Cylinder) => p.z.abs() < size[1] && radial < size[0] * size[0],
        Ok(GeomType::Box) => p.x.abs() < size[0] && p.y.abs() < size[1] && p.z.abs() < size[2],
        Ok(GeomType::Plane) => p.z < 0.0,
        _ => false,
    }
}

/// Whether a global point is inside a site.
pub(super) fn inside_site(model: &Model, data: &Data, site: usize, point: &[f64; 3]) -> bool {
    let local = mat3(&data.site_xmat[site]).tr_mul(&(Vec3::from(*point) - Vec3::from(data.site_xpos[site])));
    inside_shape(model.site_type[site], &model.site_size[site], &local)
}

/// Focal length in pixels along both axes of a perspective camera.
#[must_use]
pub fn focal_pixels(model: &Model, camera: usize) -> (f64, f64) {
    let [width, height] = model.cam_resolution[camera];
    let sensor = model.cam_sensorsize[camera];
    if sensor[0] != 0.0 && sensor[1] != 0.0 {
        let intrinsic = model.cam_intrinsic[camera];
        // single precision, as the parameters are stored
        let fx = intrinsic[0] / sensor[0] * width as f32;
        let fy = intrinsic[1] / sensor[1] * height as f32;
        (f64::from(fx), f64::from(fy))
    } else {
        let f = 0.5 / libm::tan(model.cam_fovy[camera] * PI / 360.0) * f64::from(height);
        (f, f)
    }
}

/// Pixel coordinates of a global point in the image of a camera.
pub(super) fn project_to_pixels(model: &Model, data: &Data, camera: usize, point: &[f64; 3]) -> [f64; 2] {
    let local =
        mat3(&data.cam_xmat[camera]).tr_mul(&(Vec3::from(*point) - Vec3::from(data.cam_xpos[camera])));
    let (fx, fy) = focal_pixels(model, camera);
    let [width, height] = model.cam_resolution[camera].map(f64::from);
    let mut depth = local.z;
    if depth.abs() < MINVAL {
        depth = if depth < 0.0 { -MINVAL } else { MINVAL };
    }
    [(-fx * local.x + width / 2.0 * local.z) / depth, (fy * local.y + height / 2.0 * local.z) / depth]
}

/// How the pixels of a camera map to rays.
#[derive(Clone, Copy, Debug)]
pub struct PixelRays {
    focal: (f64, f64),
    center: (f64, f64),
    /// Half the height of the image in metres, for parallel rays.
    parallel: Option<f64>,
}

impl PixelRays {
    /// Of a camera.
    #[must_use]
    pub fn new(model: &Model, camera: usize) -> Self {
        let [width, height] = model.cam_resolution[camera].map(f64::from);
        let half = (width / 2.0, height / 2.0);
        if model.cam_projection[camera] == Projection::Orthographic {
            return Self { focal: half, center: half, parallel: Some(model.cam_fovy[camera] / 2.0) };
        }
        let sensor = model.cam_sensorsize[camera];
        let center = if sensor[0] != 0.0 && sensor[1] != 0.0 {
            let intrinsic = model.cam_intrinsic[camera];
            let [width, height] = model.cam_resolution[camera];
            (
                f64::from(intrinsic[2] / sensor[0] * width as f32),
                f64::from(intrinsic[3] / sensor[1] * height as f32),
            )
        } else {
            half
        };
        Self { focal: focal_pixels(model, camera), center, parallel: None }
    }

    /// Origin and unit direction of the ray through the centre of a pixel; row 0 is at the top.
    #[must_use]
    pub fn ray(&self, data: &Data, camera: usize, column: usize, row: usize) -> ([f64; 3], [f64; 3]) {
        let mat = mat3(&data.cam_xmat[camera]);
        let pos = data.cam_xpos[camera];
        let x = (column as f64 + 0.5 - self.center.0) / self.focal.0;
        let y = -(row as f64 + 0.5 - self.center.1) / self.focal.1;
        match self.parallel {
            None => {
                let mut direction = mat * Vec3::new(x, y, -1.0);
                kinetree_math::rot::normalize3(&mut direction);
                (pos, direction.into())
            }
            Some(half) => {
                let origin = Vec3::from(pos) + mat * Vec3::new(x * half, y * half, 0.0);
                (origin.into(), (-mat.column(2)).into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Along every axis, shapes end where their sizes say.
    #[test]
    fn points_are_inside_up_to_the_surface() {
        let size = [0.3, 0.5, 0.7];
        for (kind, reach) in [
            (GeomType::Sphere, [0.3, 0.3, 0.3]),
            (GeomType::Capsule, [0.3, 0.3, 0.8]),
            (GeomType::Ellipsoid, [0.3, 0.5, 0.7]),
            (GeomType::Cylinder, [0.3, 0.3, 0.5]),
            (GeomType::Box, [0.3, 0.5, 0.7]),
        ] {
            for axis in 0..3 {
                for sign in [-1.0, 1.0] {
                    let at = |share: f64| {
                        let mut p = Vec3::zeros();
                        p[axis] = sign * share * reach[axis];
                        inside_shape(kind as i32, &size, &p)
                    };
                    assert!(at(0.99) && !at(1.01), "{kind:?}, axis {axis}");
                }
            }
            // off the axes: a box has corners, a cylinder a rim, the others are rounder
            let corner = Vec3::from(reach) * 0.9;
            assert_eq!(inside_shape(kind as i32, &size, &corner), kind == GeomType::Box, "{kind:?}");
            let rim = Vec3::new(0.2, 0.2, 0.95 * reach[2]);
            let flat = matches!(kind, GeomType::Box | GeomType::Cylinder);
            assert_eq!(inside_shape(kind as i32, &size, &rim), flat, "{kind:?}");
        }
        let below = |z: f64| inside_shape(GeomType::Plane as i32, &size, &Vec3::new(9.0, 9.0, z));
        assert!(below(-1.0) && !below(1.0));
        assert!(!inside_shape(GeomType::Mesh as i32, &size, &Vec3::zeros()));
    }
}
