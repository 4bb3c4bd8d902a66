//! Sensors of the position stage.

use super::context::SensorScratch;
use super::description::Sensor;
use super::geometry::{inside_site, project_to_pixels};
use super::rangefinder;
use crate::contact::distance::{DistanceScratch, nearest_geoms};
use crate::kinematics::poses::unit_quat;
use crate::support::{ObjectFrame, object_frame};
use kinetree_math::rot::{mat3, normalize3, quat_conj, quat_mul};
use kinetree_math::{Quat, Vec3};
use kinetree_model::SensorError;
use kinetree_model::enums::{ConstraintType, ObjType, SensorType};
use kinetree_model::{Data, Model};

/// Frame of the object that a sensor is attached to.
pub(super) fn sensor_frame<'a>(
    model: &Model,
    data: &'a Data,
    sensor: &Sensor,
) -> Result<ObjectFrame<'a>, SensorError> {
    object_frame(model, data, sensor.object.0, sensor.object.1)
        .map_err(|source| SensorError::NoFrame { sensor: sensor.index, source })
}

/// Reference frame of a sensor, when it has one.
pub(super) fn reference_frame<'a>(
    model: &Model,
    data: &'a Data,
    sensor: &Sensor,
) -> Result<Option<ObjectFrame<'a>>, SensorError> {
    if sensor.reference.1 < 0 {
        return Ok(None);
    }
    object_frame(model, data, sensor.reference.0, sensor.reference.1)
        .map(Some)
        .map_err(|source| SensorError::NoFrame { sensor: sensor.index, source })
}

/// Row of the limit that a sensor watches, if it is active.
pub(super) fn limit_row(data: &Data, sensor: &Sensor) -> Option<usize> {
    let kind = match sensor.kind {
        SensorType::Jointlimitpos | SensorType::Jointlimitvel | SensorType::Jointlimitfrc => {
            ConstraintType::LimitJoint
        }
        _ => ConstraintType::LimitTendon,
    };
    let id = sensor.object.1;
    (data.ne + data.nf..data.nefc).find(|&row| data.efc_type[row] == kind && data.efc_id[row] == id)
}

/// Global orientation of an object as a quaternion.
pub(crate) fn object_quat(model: &Model, data: &Data, (objtype, id): (i32, i32)) -> Option<Quat> {
    let i = usize::try_from(id).ok()?;
    let (body, local) = match ObjType::try_from(objtype).ok()? {
        ObjType::Xbody => return data.xquat.get(i).copied(),
        ObjType::Body => (i, model.body_iquat.get(i)?),
        ObjType::Geom => (*model.geom_bodyid.get(i)? as usize, &model.geom_quat[i]),
        ObjType::Site => (*model.site_bodyid.get(i)? as usize, &model.site_quat[i]),
        ObjType::Camera => (*model.cam_bodyid.get(i)? as usize, &model.cam_quat[i]),
        _ => return None,
    };
    Some(quat_mul(data.xquat.get(body)?, local))
}

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
        SensorType::Magnetometer => {
            let field = mat3(&data.site_xmat[id]).tr_mul(&Vec3::from(model.opt.magnetic));
            out.copy_from_slice(field.as_slice());
        }
        SensorType::Camprojection => {
            let camera = sensor.reference.1 as usize;
            out.copy_from_slice(&project_to_pixels(model, data, camera, &data.site_xpos[id]));
        }
        SensorType::Rangefinder => rangefinder::compute(model, data, sensor, out),
        SensorType::Jointpos => out[0] = data.qpos[model.jnt_qposadr[id] as usize],
        SensorType::Tendonpos => out[0] = data.ten_length[id],
        SensorType::Actuatorpos => out[0] = data.actuator_length[id],
        SensorType::Ballquat => {
            out.copy_from_slice(&unit_quat(&data.qpos, model.jnt_qposadr[id] as usize));
        }
        SensorType::Jointlimitpos | SensorType::Tendonlimitpos => {
            out[0] = limit_row(data, sensor).map_or(0.0, |row| data.efc_pos[row] - data.efc_margin[row]);
        }
        SensorType::Framepos | SensorType::Framexaxis | SensorType::Frameyaxis | SensorType::Framezaxis => {
            frame(model, data, sensor, out)?;
        }
        SensorType::Framequat => {
            let quat_of = |object| object_quat(model, data, object).ok_or_else(|| sensor.unsupported());
            let quat = quat_of(sensor.object)?;
            let quat = if sensor.reference.1 < 0 {
                quat
            } else {
                let reference = quat_of(sensor.reference)?;
                quat_mul(&quat_conj(&reference), &quat)
            };
            out.copy_from_slice(&quat);
        }
        SensorType::Subtreecom => out.copy_from_slice(&data.subtree_com[id]),
        SensorType::Insidesite => {
            let point = sensor_frame(model, data, sensor)?.pos;
            let site = sensor.reference.1 as usize;
            out[0] = f64::from(u8::from(inside_site(model, data, site, point)));
        }
        SensorType::Geomdist | SensorType::Geomnormal | SensorType::Geomfromto => {
            geom_pair(model, data, &mut scratch.distance, sensor, out);
        }
        SensorType::EPotential => out[0] = data.energy[0],
        SensorType::EKinetic => out[0] = data.energy[1],
        SensorType::Clock => out[0] = data.time,
        _ => return Err(sensor.unsupported()),
    }
    Ok(())
}

/// Position or axis of a frame, in global coordinates or in those of the reference.
fn frame(model: &Model, data: &Data, sensor: &Sensor, out: &mut [f64]) -> Result<(), SensorError> {
    let object = sensor_frame(model, data, sensor)?;
    let reference = reference_frame(model, data, sensor)?;
    let value = if sensor.kind == SensorType::Framepos {
        let pos = Vec3::from(*object.pos);
        reference.as_ref().map_or(pos, |reference| pos - Vec3::from(*reference.pos))
    } else {
        let column = (sensor.kind as i32 - SensorType::Framexaxis as i32) as usize;
        Vec3::new(object.mat[column], object.mat[column + 3], object.mat[column + 6])
    };
    let value = reference.map_or(value, |reference| mat3(reference.mat).tr_mul(&value));
    out.copy_from_slice(value.as_slice());
    Ok(())
}

/// Geoms of an object that is a body or a geom.
pub(crate) fn geoms_of(model: &Model, (objtype, id): (i32, i32)) -> std::ops::Range<usize> {
    let id = id as usize;
    if objtype != ObjType::Body {
        return id..id + 1;
    }
    let first = model.body_geomadr[id] as usize;
    first..first + model.body_geomnum[id] as usize
}

/// Distance, direction or segment between the nearest geoms of two objects, within the cutoff.
fn geom_pair(model: &Model, data: &Data, scratch: &mut DistanceScratch, sensor: &Sensor, out: &mut [f64]) {
    let (geoms1, geoms2) = (geoms_of(model, sensor.object), geoms_of(model, sensor.reference));
    let (distance, from, to) = nearest_geoms(model, data, scratch, geoms1, geoms2, sensor.cutoff);
    match sensor.kind {
        SensorType::Geomdist => out[0] = distance,
        SensorType::Geomnormal => {
            let mut normal = to - from;
            if normal != Vec3::zeros() {
                normalize3(&mut normal);
            }
            out.copy_from_slice(normal.as_slice());
        }
        _ => {
            out[..3].copy_from_slice(from.as_slice());
            out[3..].copy_from_slice(to.as_slice());
        }
    }
}
