//! Whether sensors read what there is, and write as many numbers as they have room for.

use crate::Model;
use crate::enums::{ObjType, SensorType};
use crate::indices::{IndexError, one_of};
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
            for (field, object, id_field, id) in [
                ("sensor_objtype", self.sensor_objtype[i], "sensor_objid", self.sensor_objid[i]),
                ("sensor_reftype", self.sensor_reftype[i], "sensor_refid", self.sensor_refid[i]),
            ] {
                let least = if object == ObjType::Unknown { -1 } else { 0 };
                one_of(id_field, i, id, least, self.count(object))?;
                let known = if field == "sensor_objtype" { objects(kind) } else { references(kind) };
                if known.is_some_and(|known| !known.iter().any(|&k| object == k)) {
                    let rule = "one that this sensor can read, not";
                    return Err(IndexError::other(field, i, object, rule, object.into()));
                }
            }
            let dim = self.sensor_dim[i];
            if self.outputs(kind, i).is_some_and(|outputs| outputs != i64::from(dim)) {
                let wanted = self.outputs(kind, i).unwrap_or_default();
                return Err(IndexError::other("sensor_dim", i, dim, "exactly", wanted));
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
