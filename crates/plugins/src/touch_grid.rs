//! `mujoco.sensor.touch_grid`: contact forces on a body, as a picture on a sphere around a site.
//!
//! The site looks along its negative z axis. Each contact of its body falls into a cell of azimuth and
//! elevation; values are sums of forces in each cell, one picture for each channel: normal force, two
//! tangential ones, and the torques about them.

use kinetree_math::rot::{axis_angle_to_quat, mat_to_quat, mat3, mat3_row, quat_mul, quat_to_mat};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::{GeomType, ObjType, SensorType};
use kinetree_model::plugin::{
    Attribute, AttributeKind, Capabilities, Plugin, PluginCanvas, PluginConfig, PluginInstance, PluginResult,
    PluginView, PluginWorld,
};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_contact_force;
use std::f64::consts::PI;

/// The touch grid sensor.
#[derive(Clone, Copy, Debug, Default)]
pub struct TouchGrid;

static ATTRIBUTES: [Attribute; 4] = [
    Attribute::new("nchannel", AttributeKind::Number, "1", "Channels, 1 to 6: normal, tangents, torques."),
    Attribute::new("size", AttributeKind::Numbers, "", "Cells across and up; required."),
    Attribute::new(
        "fov",
        AttributeKind::Numbers,
        "",
        "Half field of view across and up (degrees); required.",
    ),
    Attribute::new("gamma", AttributeKind::Number, "0", "How much finer cells are in the middle, 0 to 1."),
];

/// Most cells in each direction.
const MAX_CELLS: f64 = 4096.0;
/// Thickness of a cell that is drawn, in distances from the site.
const THICKNESS: f64 = 0.02;

impl Plugin for TouchGrid {
    fn name(&self) -> &str {
        "mujoco.sensor.touch_grid"
    }

    fn attributes(&self) -> &[Attribute] {
        &ATTRIBUTES
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::SENSOR
    }

    fn sensor_size(&self, config: &PluginConfig) -> PluginResult<usize> {
        let grid = Grid::read(config)?;
        Ok(grid.channels * grid.cells())
    }

    fn instance(
        &self,
        model: &Model,
        id: usize,
        config: &PluginConfig,
    ) -> PluginResult<Box<dyn PluginInstance>> {
        let own = |&sensor: &usize| {
            model.sensor_type[sensor] == SensorType::Plugin && model.sensor_plugin[sensor] == id as i32
        };
        if (0..model.nsensor).filter(own).any(|sensor| model.sensor_objtype[sensor] != ObjType::Site) {
            return Err("a touch grid must be attached to a site".into());
        }
        Ok(Box::new(Grid::read(config)?))
    }

    fn visualize(&self, view: &PluginView<'_>, config: &PluginConfig, canvas: &mut dyn PluginCanvas) {
        if let Ok(grid) = Grid::read(config) {
            grid.draw(view, canvas);
        }
    }
}

/// The grid of an instance.
#[derive(Clone, Debug)]
struct Grid {
    channels: usize,
    size: [usize; 2],
    /// Borders of the cells in azimuth and elevation, increasing (rad).
    edges: [Vec<f64>; 2],
}

impl Grid {
    fn read(config: &PluginConfig) -> PluginResult<Self> {
        let channels = config.number("nchannel")?;
        if !(1.0..=6.0).contains(&channels) {
            return Err(format!("'nchannel' must be between 1 and 6, not {channels}"));
        }
        let pair = |name: &str| match config.numbers(name)?[..] {
            [across, up] => Ok([across, up]),
            ref other => Err(format!("'{name}' needs two numbers, across and up, not {}", other.len())),
        };
        let (size, fov) = (pair("size")?, pair("fov")?);
        if size.iter().any(|n| !(1.0..=MAX_CELLS).contains(n)) {
            return Err(format!("'size' must be between 1 and {MAX_CELLS} cells in each direction"));
        }
        for (angle, largest) in fov.into_iter().zip([180.0, 90.0]) {
            if angle <= 0.0 || angle > largest {
                return Err(format!("'fov' must be positive and at most 180 across and 90 up, not {angle}"));
            }
        }
        let gamma = config.number("gamma")?;
        if !(0.0..=1.0).contains(&gamma) {
            return Err(format!("'gamma' must be between 0 and 1, not {gamma}"));
        }
        let size = size.map(|n| n as usize);
        let edges = [0, 1].map(|k| edges(size[k], fov[k] * PI / 180.0, gamma));
        Ok(Self { channels: channels as usize, size, edges })
    }

    fn cells(&self) -> usize {
        self.size[0] * self.size[1]
    }

    /// The cell of a direction; `None` outside of the field of view.
    fn cell(&self, azimuth: f64, elevation: f64) -> Option<usize> {
        let interval = |edges: &[f64], x: f64| {
            let above = edges.partition_point(|&edge| edge < x);
            (above > 0 && above < edges.len()).then(|| above - 1)
        };
        Some(interval(&self.edges[1], elevation)? * self.size[0] + interval(&self.edges[0], azimuth)?)
    }

    /// Calls `f` with the cell, the distance and the force and torque of each contact of the body of a site,
    /// normal first.
    fn for_each_contact(
        &self,
        model: &Model,
        data: &Data,
        site: usize,
        mut f: impl FnMut(usize, f64, [f64; 6]),
    ) {
        let (origin, axes) = (Vec3::from(data.site_xpos[site]), mat3(&data.site_xmat[site]));
        let parent = model.body_weldid[model.site_bodyid[site] as usize];
        let weld = model.body_weldid[parent as usize];
        for (id, contact) in data.contact[..data.ncon].iter().enumerate() {
            let [Ok(geom1), Ok(geom2)] = contact.geom.map(usize::try_from) else { continue };
            let bodies = [model.geom_bodyid[geom1], model.geom_bodyid[geom2]];
            if !bodies.iter().any(|&body| model.body_weldid[body as usize] == weld) {
                continue;
            }
            let local = axes.tr_mul(&(Vec3::from(contact.pos) - origin));
            let across = (local.x * local.x + local.z * local.z).sqrt();
            let (azimuth, elevation) = (libm::atan2(local.x, -local.z), libm::atan2(local.y, across));
            let Some(cell) = self.cell(azimuth, elevation) else { continue };
            let force = mj_contact_force(model, data, id).unwrap_or_default();
            // contact forces act on the body of the higher number
            let sign = if parent < bodies[0].max(bodies[1]) { -1.0 } else { 1.0 };
            let frame = mat3(&contact.frame);
            let rotated =
                |k: usize| axes.tr_mul(&frame.tr_mul(&Vec3::new(force[k], force[k + 1], force[k + 2])));
            let (force, torque) = (rotated(0) * sign, rotated(3) * sign);
            f(cell, local.norm(), [force.z, force.x, force.y, torque.z, torque.x, torque.y]);
        }
    }

    /// Draws a box for each cell that is touched, at the mean distance of its contacts.
    fn draw(&self, view: &PluginView<'_>, canvas: &mut dyn PluginCanvas) {
        let PluginView { model, data, instance, .. } = *view;
        let own = |&sensor: &usize| {
            model.sensor_type[sensor] == SensorType::Plugin && model.sensor_plugin[sensor] == instance as i32
        };
        let Some(sensor) = (0..model.nsensor).find(own) else { return };
        let Ok(site) = usize::try_from(model.sensor_objid[sensor]) else { return };
        let values = &data.sensordata[model.sensor_adr[sensor] as usize..][..self.channels * self.cells()];
        let largest = values[..self.cells()].iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        if largest == 0.0 {
            return;
        }
        let mut distances = vec![(0.0, 0.0); self.cells()];
        self.for_each_contact(model, data, site, |cell, distance, _| {
            let (sum, count) = &mut distances[cell];
            (*sum, *count) = (*sum + distance, *count + 1.0);
        });
        let axes = mat3(&data.site_xmat[site]);
        for (cell, (sum, count)) in distances.into_iter().enumerate().filter(|(_, (sum, _))| *sum != 0.0) {
            let channel = |k: usize| (values[k * self.cells() + cell].abs() / largest) as f32;
            let color = [0, 1, 2].map(|k| if k < self.channels { channel(k) } else { 1.0 });
            let (size, pos, mat) = self.taxel(cell, sum / count, &axes);
            let pos = axes * pos + Vec3::from(data.site_xpos[site]);
            let rgba = [color[0], color[1], color[2], 1.0];
            canvas.shape(GeomType::Box as i32, size, pos.into(), mat3_row(&mat), rgba);
        }
    }

    /// Half sizes, position in the frame of the site, and orientation in the world of the box of a cell.
    fn taxel(&self, cell: usize, distance: f64, axes: &Mat3) -> ([f64; 3], Vec3, Mat3) {
        let intervals = [cell % self.size[0], cell / self.size[0]];
        let span = |k: usize| self.edges[k][intervals[k] + 1] - self.edges[k][intervals[k]];
        let [azimuth, elevation] =
            [0, 1].map(|k| 0.5 * (self.edges[k][intervals[k] + 1] + self.edges[k][intervals[k]]));
        let size = [distance * 0.5 * span(0), distance * 0.5 * span(1), distance * THICKNESS];
        let radius = distance * (1.0 - THICKNESS);
        let pos = Vec3::new(
            radius * libm::cos(elevation) * libm::sin(azimuth),
            radius * libm::sin(elevation),
            -radius * libm::cos(elevation) * libm::cos(azimuth),
        );
        let about_y = axis_angle_to_quat(&-axes.column(1).into_owned(), azimuth);
        let about_x = axis_angle_to_quat(&axes.column(0).into_owned(), elevation);
        let quat = quat_mul(&about_y, &quat_mul(&about_x, &mat_to_quat(axes)));
        (size, pos, quat_to_mat(&quat))
    }
}

/// Borders of `count` cells within an angle to both sides, drawn together in the middle by `gamma`.
fn edges(count: usize, angle: f64, gamma: f64) -> Vec<f64> {
    let step = 2.0 / count as f64;
    let mut at = -1.0;
    (0..=count)
        .map(|_| {
            let x: f64 = at;
            at += step;
            let bent = if gamma == 0.0 { x } else { gamma * libm::pow(x, 5.0) + (1.0 - gamma) * x };
            bent * angle
        })
        .collect()
}

impl PluginInstance for Grid {
    fn sense(&mut self, world: PluginWorld<'_>, sensor: usize, values: &mut [f64]) -> PluginResult<()> {
        let PluginWorld { model, data, .. } = world;
        let site = usize::try_from(model.sensor_objid[sensor]).map_err(|_| "it has no site".to_owned())?;
        values.fill(0.0);
        let cells = self.cells();
        self.for_each_contact(model, data, site, |cell, _, forces| {
            for (channel, force) in forces[..self.channels].iter().enumerate() {
                values[channel * cells + cell] += force;
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_cover_the_field_of_view() {
        let pairs = [("size", "4 2"), ("fov", "40 30"), ("gamma", "0.5")];
        let grid = Grid::read(&PluginConfig::new(&ATTRIBUTES, pairs).unwrap()).unwrap();
        assert_eq!((grid.channels, grid.cells()), (1, 8));
        assert!((grid.edges[0][0] + 40.0 * PI / 180.0).abs() < 1e-12);
        assert!((grid.edges[0][4] - 40.0 * PI / 180.0).abs() < 1e-12);
        assert_eq!(grid.cell(-0.5, -0.4), Some(0));
        assert_eq!(grid.cell(0.6, 0.4), Some(7));
        assert_eq!(grid.cell(0.8, 0.0), None);
        assert_eq!(grid.cell(0.0, -0.6), None);
    }

    #[test]
    fn mistakes_are_named() {
        let message = |pairs: &[(&str, &str)]| {
            let config = PluginConfig::new(&ATTRIBUTES, pairs.iter().copied()).unwrap();
            Grid::read(&config).unwrap_err()
        };
        assert!(message(&[("fov", "1 1")]).contains("'size' needs two numbers"));
        assert!(message(&[("size", "3 3")]).contains("'fov' needs two numbers"));
        assert!(message(&[("size", "3 0"), ("fov", "1 1")]).contains("'size' must be"));
        assert!(message(&[("size", "3 1e9"), ("fov", "1 1")]).contains("'size' must be"));
        assert!(message(&[("size", "3 3"), ("fov", "1 100")]).contains("'fov' must be"));
        assert!(message(&[("size", "3 3"), ("fov", "1 1"), ("gamma", "2")]).contains("'gamma' must be"));
        assert!(
            message(&[("size", "3 3"), ("fov", "1 1"), ("nchannel", "9")]).contains("'nchannel' must be")
        );
    }
}
