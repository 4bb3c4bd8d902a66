//! Sensors of the acceleration stage.

use super::context::SensorScratch;
use super::description::Sensor;
use super::position::{limit_row, sensor_frame};
use super::{contact, tactile};
use crate::constraint::mj_contact_force;
use crate::ray::ray_primitive;
use crate::support::frame_acceleration;
use kinetree_collide::Pose;
use kinetree_collide::ray::Ray;
use kinetree_math::Vec3;
use kinetree_math::rot::{mat3, normalize3};
use kinetree_math::spatial::{SpatialKind, transform_spatial};
use kinetree_model::SensorError;
use kinetree_model::enums::{SensorType, TrnType};
use kinetree_model::{Data, Model};

/// Computes one sensor.
pub(super) fn compute(
    model: &Model,
    data: &Data,
    scratch: &mut SensorScratch,
    sensor: &Sensor,
    out: &mut [f64],
) -> Result<(), SensorError> {
    let (kind, id) = (sensor.kind, sensor.id());
    match kind {
        SensorType::Touch => out[0] = touch(model, data, id),
        SensorType::Contact => contact::compute(model, data, &mut scratch.matches, sensor, out),
        SensorType::Tactile => {
            tactile::compute(model, data, &mut scratch.touching, sensor, out)?;
        }
        SensorType::Accelerometer => {
            let acceleration = frame_acceleration(model, data, &sensor_frame(model, data, sensor)?, true);
            out.copy_from_slice(&acceleration[3..]);
        }
        SensorType::Force | SensorType::Torque => {
            // interaction between the body and its parent, in the frame of the site
            let body = model.site_bodyid[id] as usize;
            let com = Vec3::from(data.subtree_com[model.body_rootid[body] as usize]);
            let site = Vec3::from(data.site_xpos[id]);
            let axes = mat3(&data.site_xmat[id]);
            let wrench =
                transform_spatial(&data.cfrc_int[body], SpatialKind::Force, &site, &com, Some(&axes));
            let first = if kind == SensorType::Torque { 0 } else { 3 };
            out.copy_from_slice(&wrench[first..first + 3]);
        }
        SensorType::Actuatorfrc => out[0] = data.actuator_force[id],
        SensorType::Jointactfrc => out[0] = data.qfrc_actuator[model.jnt_dofadr[id] as usize],
        SensorType::Tendonactfrc => {
            let drives = |actuator: &usize| {
                model.actuator_trntype[*actuator] == TrnType::Tendon
                    && model.actuator_trnid[*actuator][0] == id as i32
            };
            out[0] = (0..model.nu).filter(drives).fold(0.0, |sum, a| sum + data.actuator_force[a]);
        }
        SensorType::Jointlimitfrc | SensorType::Tendonlimitfrc => {
            out[0] = limit_row(data, sensor).map_or(0.0, |row| data.efc_force[row]);
        }
        SensorType::Framelinacc | SensorType::Frameangacc => {
            let acceleration = frame_acceleration(model, data, &sensor_frame(model, data, sensor)?, false);
            let first = if kind == SensorType::Frameangacc { 0 } else { 3 };
            out.copy_from_slice(&acceleration[first..first + 3]);
        }
        _ => return Err(sensor.unsupported()),
    }
    Ok(())
}

/// Sum of the normal forces of all contacts of the site's body whose normal, drawn from the contact, meets
/// the site.
fn touch(model: &Model, data: &Data, site: usize) -> f64 {
    (0..data.ncon).filter_map(|id| touch_force(model, data, site, id)).fold(0.0, |sum, force| sum + force)
}

/// Normal force of a contact, if a touch sensor at the site feels it.
pub(crate) fn touch_force(model: &Model, data: &Data, site: usize, id: usize) -> Option<f64> {
    let body = model.site_bodyid[site];
    let contact = &data.contact[id];
    let bodies = contact.geom.map(|geom| usize::try_from(geom).map_or(-1, |g| model.geom_bodyid[g]));
    if contact.efc_address < 0 || !bodies.contains(&body) {
        return None;
    }
    let force = mj_contact_force(model, data, id)[0];
    if force <= 0.0 {
        return None;
    }
    let mut direction = Vec3::new(contact.frame[0], contact.frame[1], contact.frame[2]) * force;
    normalize3(&mut direction);
    if bodies[1] == body {
        direction = -direction;
    }
    let pose = Pose { pos: Vec3::from(data.site_xpos[site]), mat: mat3(&data.site_xmat[site]) };
    let ray = Ray { origin: Vec3::from(contact.pos), direction };
    ray_primitive(model.site_type[site], &model.site_size[site], &pose, &ray).map(|_| force)
}
