//! Sensors of the velocity stage.

use super::description::Sensor;
use super::position::{limit_row, reference_frame, sensor_frame};
use crate::support::frame_velocity;
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_math::spatial::{angular, linear};
use kinetree_model::SensorError;
use kinetree_model::enums::SensorType;
use kinetree_model::{Data, Model};

/// Computes one sensor.
pub(super) fn compute(
    model: &Model,
    data: &Data,
    sensor: &Sensor,
    out: &mut [f64],
) -> Result<(), SensorError> {
    let (kind, id) = (sensor.kind, sensor.id());
    match kind {
        SensorType::Velocimeter | SensorType::Gyro => {
            let velocity = frame_velocity(model, data, &sensor_frame(model, data, sensor)?, true);
            let first = if kind == SensorType::Gyro { 0 } else { 3 };
            out.copy_from_slice(&velocity[first..first + 3]);
        }
        SensorType::Jointvel => out[0] = data.qvel[model.jnt_dofadr[id] as usize],
        SensorType::Tendonvel => out[0] = data.ten_velocity[id],
        SensorType::Actuatorvel => out[0] = data.actuator_velocity[id],
        SensorType::Ballangvel => {
            out.copy_from_slice(&data.qvel[model.jnt_dofadr[id] as usize..][..3]);
        }
        SensorType::Jointlimitvel | SensorType::Tendonlimitvel => {
            out[0] = limit_row(data, sensor).map_or(0.0, |row| data.efc_vel[row]);
        }
        SensorType::Framelinvel | SensorType::Frameangvel => {
            let (angular_velocity, motion) = relative_velocity(model, data, sensor)?;
            let value = if kind == SensorType::Frameangvel { angular_velocity } else { motion };
            out.copy_from_slice(value.as_slice());
        }
        SensorType::Subtreelinvel => out.copy_from_slice(&data.subtree_linvel[id]),
        SensorType::Subtreeangmom => out.copy_from_slice(&data.subtree_angmom[id]),
        _ => return Err(sensor.unsupported()),
    }
    Ok(())
}

/// Angular and linear velocity of a sensor's object: global, or as seen from its moving reference frame.
fn relative_velocity(model: &Model, data: &Data, sensor: &Sensor) -> Result<(Vec3, Vec3), SensorError> {
    let object = sensor_frame(model, data, sensor)?;
    let velocity = frame_velocity(model, data, &object, false);
    let (angular_velocity, motion) = (angular(&velocity), linear(&velocity));
    let Some(reference) = reference_frame(model, data, sensor)? else {
        return Ok((angular_velocity, motion));
    };
    let of_reference = frame_velocity(model, data, &reference, false);
    let offset = Vec3::from(*object.pos) - Vec3::from(*reference.pos);
    let axes = mat3(reference.mat);
    let angular_velocity = angular_velocity - angular(&of_reference);
    // the reference frame sweeps past the object as it rotates
    let motion = motion - linear(&of_reference) + offset.cross(&angular(&of_reference));
    Ok((axes.tr_mul(&angular_velocity), axes.tr_mul(&motion)))
}
