//! What a model says about a sensor.

use kinetree_model::enums::SensorType;
use kinetree_model::{Model, SensorError};

/// A sensor of a model.
#[derive(Clone, Copy)]
pub(super) struct Sensor {
    /// Its number.
    pub index: usize,
    pub kind: SensorType,
    /// Type and number of the object that it is attached to.
    pub object: (i32, i32),
    /// Type and number of its reference object; the number is negative when there is none.
    pub reference: (i32, i32),
    /// Distance within which it looks for something, or most that it reads.
    pub cutoff: f64,
}

impl Sensor {
    /// Sensor `index` of the model.
    ///
    /// # Errors
    /// When there is no such kind of sensor.
    pub(super) fn new(model: &Model, index: usize) -> Result<Self, SensorError> {
        Ok(Self {
            index,
            kind: SensorType::try_from(model.sensor_type[index]).map_err(|_| unsupported(model, index))?,
            object: (model.sensor_objtype[index], model.sensor_objid[index]),
            reference: (model.sensor_reftype[index], model.sensor_refid[index]),
            cutoff: model.sensor_cutoff[index],
        })
    }

    /// Number of the object, for kinds that always have one.
    pub(super) fn id(&self) -> usize {
        self.object.1 as usize
    }

    /// The error that this kind of sensor is not available.
    pub(super) fn unsupported(&self) -> SensorError {
        SensorError::Unsupported { sensor: self.index, kind: self.kind as i32 }
    }
}

/// The error of a sensor whose kind is not available at the stage it belongs to.
pub(super) fn unsupported(model: &Model, sensor: usize) -> SensorError {
    SensorError::Unsupported { sensor, kind: model.sensor_type[sensor] }
}
