//! What sensors have in common: their description, their working memory, and what they may use of the evaluation that they belong to.

use super::contact::Match;
use crate::contact::geom_shape::DistanceScratch;
use crate::forces::bias::{RneScratch, VelocityTerms, rne_post_constraint};
use crate::kinematics::velocity::{Momenta, mj_subtree_vel};
use crate::nested::NestedCalls;
use kinetree_model::enums::SensorType;
use kinetree_model::{Data, Model, SensorError};

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

/// Working memory of sensors.
#[derive(Default)]
pub(crate) struct SensorScratch {
    pub(super) reading: Vec<f64>,
    /// Geoms that touch a tactile sensor.
    pub(super) touching: Vec<i32>,
    /// Contacts that a contact sensor sees.
    pub(super) matches: Vec<Match>,
    pub(super) distance: DistanceScratch,
    /// Generalized momenta, for the kinetic energy.
    pub(super) momentum: Vec<f64>,
    momenta: Momenta,
}

/// What sensors may use besides the data.
pub(crate) struct SensorContext<'a> {
    pub scratch: &'a mut SensorScratch,
    pub rne: &'a mut RneScratch,
    /// Velocity-dependent terms of the evaluation, until they are used.
    pub velocity_terms: &'a mut Option<VelocityTerms>,
    pub nested: &'a mut NestedCalls,
}

impl SensorContext<'_> {
    /// Makes sure that velocities and momenta of subtrees are there.
    pub(super) fn need_subtree_velocities(&mut self, model: &Model, data: &mut Data) {
        if !data.flg_subtreevel {
            mj_subtree_vel(model, data, &mut self.scratch.momenta);
        }
    }

    /// Makes sure that accelerations of bodies and forces between them are there.
    pub(super) fn need_body_forces(&mut self, model: &Model, data: &mut Data) {
        if !data.flg_rnepost {
            rne_post_constraint(model, data, self.rne, self.velocity_terms.take());
        }
    }
}
