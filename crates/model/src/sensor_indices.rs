//! Whether sensors read what there is, and write as many numbers as they have room for.

use crate::Model;
use crate::enums::{ObjType, SensorType};
use crate::indices::{IndexError, known_type, one_of};
use ObjType as O;
use SensorType as S;

/// Kinds of objects with a pose.
const FRAMES: [ObjType; 5] = [O::Body, O::Xbody, O::Geom, O::Site, O::Camera];

impl Model {
    /// An error unless each sensor has an object that it can read, and the numbers of its type.
    pub(crate) fn check_sensors(&self) -> Result<(), IndexError> {
        for i in 0..self.nsensor {
            let Ok(kind) = SensorType::try_from(self.sensor_type[i]) else {
                return Err(IndexError::other(
                    "sensor_type",
                    i,
                    self.sensor_type[i],
                    "at most",
                    S::User as i64,
                ));
            };
            let (object, reference) = (self.sensor_objtype[i], self.sensor_reftype[i]);
            check_kind("sensor_objtype", i, object, objects(kind))?;
            known_type("sensor_reftype", i, reference)?;
            check_kind("sensor_reftype", i, reference, references(kind))?;
            let least = |kind: i32| if kind == ObjType::Unknown { -1 } else { 0 };
            one_of("sensor_objid", i, self.sensor_objid[i], least(object), self.count(object))?;
            one_of("sensor_refid", i, self.sensor_refid[i], least(reference), self.count(reference))?;
            let dim = self.sensor_dim[i];
            if let Some(outputs) = self.outputs(kind, i).filter(|&outputs| outputs != i64::from(dim)) {
                return Err(IndexError::other("sensor_dim", i, dim, "exactly", outputs));
            }
        }
        Ok(())
    }

    /// How many numbers a sensor has, unless its compiler or a program decides.
    fn outputs(&self, kind: SensorType, sensor: usize) -> Option<i64> {
        Some(match kind {
            S::Rangefinder | S::Contact | S::Plugin | S::User => return None,
            S::Tactile => {
                let mesh = usize::try_from(self.sensor_objid[sensor]).ok()?;
                3 * i64::from(self.mesh_vertnum[mesh])
            }
            S::Camprojection => 2,
            S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque | S::Magnetometer => 3,
            S::Ballangvel | S::Framepos | S::Framexaxis | S::Frameyaxis | S::Framezaxis => 3,
            S::Framelinvel | S::Frameangvel | S::Framelinacc | S::Frameangacc => 3,
            S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom | S::Geomnormal => 3,
            S::Ballquat | S::Framequat => 4,
            S::Geomfromto => 6,
            _ => 1,
        })
    }
}

/// An error unless the kind of an object is one of those that a sensor can read.
fn check_kind(
    field: &'static str,
    at: usize,
    kind: i32,
    readable: Option<&[ObjType]>,
) -> Result<(), IndexError> {
    match readable {
        Some(kinds) if !kinds.iter().any(|&known| kind == known) => {
            let rule = "a kind of object that this sensor can read, not";
            Err(IndexError::other(field, at, kind, rule, kind.into()))
        }
        _ => Ok(()),
    }
}

/// What a sensor can be attached to; anything where a program decides.
fn objects(kind: SensorType) -> Option<&'static [ObjType]> {
    Some(match kind {
        S::Touch | S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque => &[O::Site],
        S::Magnetometer | S::Camprojection => &[O::Site],
        S::Rangefinder => &[O::Site, O::Camera],
        S::Jointpos | S::Jointvel | S::Jointactfrc | S::Ballquat | S::Ballangvel => &[O::Joint],
        S::Jointlimitpos | S::Jointlimitvel | S::Jointlimitfrc => &[O::Joint],
        S::Tendonpos | S::Tendonvel | S::Tendonactfrc => &[O::Tendon],
        S::Tendonlimitpos | S::Tendonlimitvel | S::Tendonlimitfrc => &[O::Tendon],
        S::Actuatorpos | S::Actuatorvel | S::Actuatorfrc => &[O::Actuator],
        S::Framepos | S::Framequat | S::Framexaxis | S::Frameyaxis | S::Framezaxis => &FRAMES,
        S::Framelinvel | S::Frameangvel | S::Framelinacc | S::Frameangacc | S::Insidesite => &FRAMES,
        S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => &[O::Body],
        S::Geomdist | S::Geomnormal | S::Geomfromto => &[O::Body, O::Geom],
        S::Contact => &[O::Site, O::Body, O::Xbody, O::Geom, O::Unknown],
        S::Tactile => &[O::Mesh],
        S::EPotential | S::EKinetic | S::Clock | S::Plugin | S::User => return None,
    })
}

/// What a sensor can refer to besides.
fn references(kind: SensorType) -> Option<&'static [ObjType]> {
    Some(match kind {
        S::Camprojection => &[O::Camera],
        S::Insidesite => &[O::Site],
        S::Geomdist | S::Geomnormal | S::Geomfromto => &[O::Body, O::Geom],
        S::Contact => &[O::Body, O::Xbody, O::Geom, O::Unknown],
        S::Tactile => &[O::Geom],
        _ => return None,
    })
}
