//! Sensors of the position stage.

use super::geometry::{inside_shape, project_to_pixels};
use super::rangefinder;
use crate::contact::distance::nearest_geoms;
use crate::forces::energy::{mj_energy_pos, mj_energy_vel};
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
    sensor: usize,
) -> Result<ObjectFrame<'a>, SensorError> {
    object_frame(model, data, model.sensor_objtype[sensor], model.sensor_objid[sensor])
        .map_err(|source| SensorError::NoFrame { sensor, source })
}

/// Reference frame of a sensor, when it has one.
pub(super) fn reference_frame<'a>(
    model: &Model,
    data: &'a Data,
    sensor: usize,
) -> Result<Option<ObjectFrame<'a>>, SensorError> {
    if model.sensor_refid[sensor] < 0 {
        return Ok(None);
    }
    object_frame(model, data, model.sensor_reftype[sensor], model.sensor_refid[sensor])
        .map(Some)
        .map_err(|source| SensorError::NoFrame { sensor, source })
}

/// Row of the first limit constraint of kind `kind` on object `id`, if it is active.
pub(super) fn limit_row(data: &Data, kind: ConstraintType, id: i32) -> Option<usize> {
    (data.ne + data.nf..data.nefc).find(|&row| data.efc_type[row] == kind as i32 && data.efc_id[row] == id)
}

/// Global orientation of an object as a quaternion.
fn object_quat(model: &Model, data: &Data, objtype: i32, id: i32) -> Option<Quat> {
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
    data: &mut Data,
    sensor: usize,
    out: &mut [f64],
) -> Result<(), SensorError> {
    let unsupported = || super::unsupported(model, sensor);
    let kind = SensorType::try_from(model.sensor_type[sensor]).map_err(|_| unsupported())?;
    let id = model.sensor_objid[sensor] as usize;
    match kind {
        SensorType::Magnetometer => {
            let field = mat3(&data.site_xmat[id]).tr_mul(&Vec3::from(model.opt.magnetic));
            out.copy_from_slice(field.as_slice());
        }
        SensorType::Camprojection => {
            let camera = model.sensor_refid[sensor] as usize;
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
            let limit = if kind == SensorType::Jointlimitpos {
                ConstraintType::LimitJoint
            } else {
                ConstraintType::LimitTendon
            };
            let row = limit_row(data, limit, model.sensor_objid[sensor]);
            out[0] = row.map_or(0.0, |row| data.efc_pos[row] - data.efc_margin[row]);
        }
        SensorType::Framepos | SensorType::Framexaxis | SensorType::Frameyaxis | SensorType::Framezaxis => {
            frame(model, data, sensor, kind, out)?;
        }
        SensorType::Framequat => {
            let quat = object_quat(model, data, model.sensor_objtype[sensor], model.sensor_objid[sensor])
                .ok_or_else(unsupported)?;
            let quat = if model.sensor_refid[sensor] < 0 {
                quat
            } else {
                let (reftype, refid) = (model.sensor_reftype[sensor], model.sensor_refid[sensor]);
                let reference = object_quat(model, data, reftype, refid).ok_or_else(unsupported)?;
                quat_mul(&quat_conj(&reference), &quat)
            };
            out.copy_from_slice(&quat);
        }
        SensorType::Subtreecom => out.copy_from_slice(&data.subtree_com[id]),
        SensorType::Insidesite => {
            let point = sensor_frame(model, data, sensor)?.pos;
            let site = model.sensor_refid[sensor] as usize;
            out[0] = f64::from(u8::from(inside_site(model, data, site, point)));
        }
        SensorType::Geomdist | SensorType::Geomnormal | SensorType::Geomfromto => {
            geom_pair(model, data, sensor, kind, out);
        }
        SensorType::EPotential => {
            if !data.flg_energypos {
                mj_energy_pos(model, data);
            }
            out[0] = data.energy[0];
        }
        SensorType::EKinetic => {
            if !data.flg_energyvel {
                mj_energy_vel(model, data);
            }
            out[0] = data.energy[1];
        }
        SensorType::Clock => out[0] = data.time,
        _ => return Err(unsupported()),
    }
    Ok(())
}

/// Whether a global point is inside a site.
pub(super) fn inside_site(model: &Model, data: &Data, site: usize, point: &[f64; 3]) -> bool {
    let local = mat3(&data.site_xmat[site]).tr_mul(&(Vec3::from(*point) - Vec3::from(data.site_xpos[site])));
    inside_shape(model.site_type[site], &model.site_size[site], &local)
}

/// Position or axis of a frame, in global coordinates or in those of the reference.
fn frame(
    model: &Model,
    data: &Data,
    sensor: usize,
    kind: SensorType,
    out: &mut [f64],
) -> Result<(), SensorError> {
    let object = sensor_frame(model, data, sensor)?;
    let reference = reference_frame(model, data, sensor)?;
    let value = if kind == SensorType::Framepos {
        let pos = Vec3::from(*object.pos);
        reference.as_ref().map_or(pos, |reference| pos - Vec3::from(*reference.pos))
    } else {
        let column = (kind as i32 - SensorType::Framexaxis as i32) as usize;
        Vec3::new(object.mat[column], object.mat[column + 3], object.mat[column + 6])
    };
    let value = reference.map_or(value, |reference| mat3(reference.mat).tr_mul(&value));
    out.copy_from_slice(value.as_slice());
    Ok(())
}

/// Geoms of an object that is a body or a geom.
fn geoms_of(model: &Model, objtype: i32, id: i32) -> std::ops::Range<usize> {
    let id = id as usize;
    if objtype != ObjType::Body {
        return id..id + 1;
    }
    let first = model.body_geomadr[id] as usize;
    first..first + model.body_geomnum[id] as usize
}

/// Distance, direction or segment between the nearest geoms of two objects, within the cutoff.
fn geom_pair(model: &Model, data: &mut Data, sensor: usize, kind: SensorType, out: &mut [f64]) {
    let geoms1 = geoms_of(model, model.sensor_objtype[sensor], model.sensor_objid[sensor]);
    let geoms2 = geoms_of(model, model.sensor_reftype[sensor], model.sensor_refid[sensor]);
    let (distance, from, to) = nearest_geoms(model, data, geoms1, geoms2, model.sensor_cutoff[sensor]);
    match kind {
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
