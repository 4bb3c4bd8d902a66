//! Sensors: rays of range finders, segments between geoms, and values of tactile sensors on their meshes.

use crate::scene::enums::VisFlag;
use crate::scene::painter::{Painter, decor, point_of, shifted};
use kinetree_math::MINVAL;
use kinetree_math::misc::is_zero;
use kinetree_model::enums::{GeomType, ObjType, RayDataField, SensorType};
use kinetree_sim::PixelRays;

/// Number of values of each field of a ray (`mjtRayDataField`).
const FIELD_SIZES: [usize; 6] = [1, 3, 3, 3, 3, 1];
/// Width of rays (pixels).
const RAY_WIDTH: f64 = 3.0;

/// Where the fields of a ray are among its values.
struct RayLayout {
    offsets: [Option<usize>; 6],
    size: usize,
}

impl RayLayout {
    /// Of the fields whose bits are set.
    fn new(dataspec: i32) -> Self {
        let mut size = 0;
        let offsets = std::array::from_fn(|field| {
            let offset = (dataspec & (1 << field) != 0).then_some(size);
            size += if offset.is_some() { FIELD_SIZES[field] } else { 0 };
            offset
        });
        Self { offsets, size }
    }

    /// Distance; `None` when the ray hits nothing or there is no such field.
    fn distance(&self, values: &[f64]) -> Option<f64> {
        let offset = self.offsets[RayDataField::Dist as usize]?;
        values.get(offset).copied().filter(|&distance| distance >= 0.0)
    }

    /// A vector.
    fn vector(&self, values: &[f64], field: RayDataField) -> Option<[f64; 3]> {
        values.get(self.offsets[field as usize]?..)?.first_chunk().copied()
    }
}

impl Painter<'_> {
    /// Range finders and segments between geoms.
    pub(in crate::scene) fn add_rangefinders(&mut self) {
        if !self.opt.shows(VisFlag::Rangefinder) {
            return;
        }
        for sensor in 0..self.model.nsensor {
            match SensorType::try_from(self.model.sensor_type[sensor]) {
                Ok(SensorType::Rangefinder) => self.add_rangefinder(sensor),
                Ok(SensorType::Geomfromto) => self.add_segment(sensor),
                _ => {}
            }
        }
    }

    /// Values of a sensor.
    fn sensor_values(&self, sensor: usize) -> &[f64] {
        let first = self.model.sensor_adr[sensor] as usize;
        &self.data.sensordata[first..first + self.model.sensor_dim[sensor] as usize]
    }

    fn add_segment(&mut self, sensor: usize) {
        let Some(&[a, b, c, d, e, f]) = self.sensor_values(sensor).first_chunk::<6>() else { return };
        if !is_zero(&[a, b, c, d, e, f]) {
            let rgba = &self.model.vis.rgba.rangefinder;
            let ends = [&[a, b, c], &[d, e, f]];
            self.add_connector((ObjType::Sensor, sensor), (GeomType::Line, RAY_WIDTH), ends, rgba);
        }
    }

    fn add_rangefinder(&mut self, sensor: usize) {
        let (model, data) = (self.model, self.data);
        let layout = RayLayout::new(model.sensor_intprm[sensor][0]);
        let id = model.sensor_objid[sensor] as usize;
        if model.sensor_objtype[sensor] == ObjType::Site {
            let mat = &data.site_xmat[id];
            let ray = (data.site_xpos[id], [mat[2], mat[5], mat[8]]);
            self.add_ray(sensor, 0, &layout, ray, 1.5);
        } else if model.sensor_objtype[sensor] == ObjType::Camera {
            let [width, height] = model.cam_resolution[id].map(|pixels| pixels as usize);
            let pixels = PixelRays::new(model, id);
            for row in 0..height {
                for column in 0..width {
                    let ray = pixels.ray(data, id, column, row);
                    self.add_ray(sensor, (row * width + column) * layout.size, &layout, ray, 1.3);
                }
            }
        }
    }

    /// One ray, its end point and the normal there, as far as the sensor measures them.
    fn add_ray(
        &mut self,
        sensor: usize,
        first: usize,
        layout: &RayLayout,
        (origin, direction): ([f64; 3], [f64; 3]),
        radius: f64,
    ) {
        let Some(values) = self.sensor_values(sensor).get(first..) else { return };
        let distance = layout.distance(values);
        let measured = layout.vector(values, RayDataField::Point).filter(|point| *point != [0.0; 3]);
        let normal = layout.vector(values, RayDataField::Normal);
        let [length, width] = self.frame_size();
        let object = (ObjType::Sensor, sensor);
        let rgba = &self.model.vis.rgba.rangefinder;
        let end = distance.map(|distance| shifted(&origin, &direction, distance));
        if let Some(end) = &end {
            self.add_connector(object, (GeomType::Line, RAY_WIDTH), [&origin, end], rgba);
        }
        if let Some(point) = &measured {
            let mut geom = decor(ObjType::Sensor, sensor);
            geom.ball(radius * width, point, rgba);
            self.add(geom);
        }
        if let (Some(point), Some(normal)) = (measured.or(end), normal) {
            let tip = shifted(&point, &normal, 2.0 * length);
            self.add_connector(object, (GeomType::Arrow1, width), [&point, &tip], rgba);
        }
    }

    /// Meshes of tactile sensors, in the colours of their values.
    pub(in crate::scene) fn add_tactile_sensors(&mut self) {
        if !self.opt.shows(VisFlag::Contactpoint) {
            return;
        }
        for sensor in 0..self.model.nsensor {
            if self.model.sensor_type[sensor] == SensorType::Tactile {
                self.add_tactile(sensor);
            }
        }
    }

    fn add_tactile(&mut self, sensor: usize) {
        let (model, data) = (self.model, self.data);
        let mesh = model.sensor_objid[sensor] as usize;
        let geom = model.sensor_refid[sensor] as usize;
        let vertices = model.mesh_vertnum[mesh] as usize;
        let largest =
            self.sensor_values(sensor)[..vertices].iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        if largest == 0.0 || model.geom_rbound[geom] < MINVAL {
            return;
        }
        let first_vertex = model.mesh_vertadr[mesh] as usize;
        let first_face = model.mesh_faceadr[mesh] as usize;
        for face in first_face..first_face + model.mesh_facenum[mesh] as usize {
            let corners = model.mesh_face[face].map(|v| v as usize);
            let points = corners.map(|v| {
                let local = model.mesh_vert[first_vertex + v].map(f64::from);
                point_of(&data.geom_xpos[geom], &data.geom_xmat[geom], &local)
            });
            let rgba = self.tactile_color(sensor, corners, vertices, largest);
            self.add_triangle((ObjType::Sensor, sensor), points.each_ref(), &rgba);
        }
    }

    /// Mean of the non-zero values at the corners, one colour for each of the first three channels.
    fn tactile_color(&self, sensor: usize, corners: [usize; 3], vertices: usize, largest: f64) -> [f32; 4] {
        let values = self.sensor_values(sensor);
        let channels = (values.len() / vertices).min(3);
        let mut rgba = [0.0_f32, 0.0, 0.0, 1.0];
        for channel in 0..channels {
            let mut touched = 0;
            for corner in corners {
                let value = values[channel * vertices + corner];
                rgba[channel] = (f64::from(rgba[channel]) + value.abs() / largest) as f32;
                touched += i32::from(value != 0.0);
            }
            if touched > 0 {
                rgba[channel] /= touched as f32;
            }
        }
        if rgba[..3] == [0.0; 3] {
            rgba[3] = 0.1;
        }
        rgba
    }
}
