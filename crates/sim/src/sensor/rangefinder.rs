//! Rangefinder: one ray along the z axis of a site, or one per pixel of a camera.

use super::description::Sensor;
use super::geometry::PixelRays;
use crate::ray::{GeomHit, RayFilter, mj_ray};
use kinetree_math::Vec3;
use kinetree_model::enums::{ObjType, RayDataField};
use kinetree_model::{Data, Model};

/// What is written for each ray.
struct Spec(i32);

impl Spec {
    fn has(&self, field: RayDataField) -> bool {
        self.0 & (1 << field as i32) != 0
    }

    /// Writes the fields of one ray and returns the rest of `out`. `depth_axis` is the camera's position and
    /// z axis; without it, depth is distance.
    fn write<'a>(
        &self,
        out: &'a mut [f64],
        (origin, direction): (&[f64; 3], &[f64; 3]),
        hit: Option<&GeomHit>,
        depth_axis: Option<(&Vec3, &Vec3)>,
    ) -> &'a mut [f64] {
        let mut used = 0;
        let mut put = |values: &[f64]| {
            if let Some(slot) = out.get_mut(used..used + values.len()) {
                slot.copy_from_slice(values);
            }
            used += values.len();
        };
        let point = hit.map(|hit| Vec3::from(*origin) + Vec3::from(*direction) * hit.distance);
        if self.has(RayDataField::Dist) {
            put(&[hit.map_or(-1.0, |hit| hit.distance)]);
        }
        if self.has(RayDataField::Dir) {
            put(&hit.map_or([0.0; 3], |_| *direction));
        }
        if self.has(RayDataField::Origin) {
            put(origin);
        }
        if self.has(RayDataField::Point) {
            put(&point.map_or([0.0; 3], Into::into));
        }
        if self.has(RayDataField::Normal) {
            put(&hit.map_or([0.0; 3], |hit| hit.normal));
        }
        if self.has(RayDataField::Depth) {
            put(&[match (hit, point, depth_axis) {
                (Some(_), Some(point), Some((position, axis))) => -(point - position).dot(axis),
                (Some(hit), _, _) => hit.distance,
                _ => -1.0,
            }]);
        }
        let used = used.min(out.len());
        &mut out[used..]
    }
}

/// Computes one rangefinder.
pub(super) fn compute(model: &Model, data: &Data, sensor: &Sensor, out: &mut [f64]) {
    let id = sensor.id();
    let spec = Spec(model.sensor_intprm[sensor.index][0]);
    if sensor.object.0 == ObjType::Site {
        let filter = RayFilter { exclude_body: Some(model.site_bodyid[id] as usize), ..RayFilter::default() };
        let (origin, mat) = (&data.site_xpos[id], &data.site_xmat[id]);
        let direction = [mat[2], mat[5], mat[8]];
        let hit = mj_ray(model, data, origin, &direction, &filter);
        spec.write(out, (origin, &direction), hit.as_ref(), None);
        return;
    }
    let filter = RayFilter { exclude_body: Some(model.cam_bodyid[id] as usize), ..RayFilter::default() };
    // a program may have written anything here since the model was compiled
    let [width, height] = model.cam_resolution[id].map(|n| n.max(0));
    let mat = &data.cam_xmat[id];
    let (position, axis) = (Vec3::from(data.cam_xpos[id]), Vec3::new(mat[2], mat[5], mat[8]));
    let pixels = PixelRays::new(model, id);
    let mut rest = out;
    for row in 0..height {
        for column in 0..width {
            if rest.is_empty() {
                return;
            }
            let (origin, direction) = pixels.ray(data, id, column as usize, row as usize);
            let hit = mj_ray(model, data, &origin, &direction, &filter);
            rest = spec.write(rest, (&origin, &direction), hit.as_ref(), Some((&position, &axis)));
        }
    }
}
