//! Sensors.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_model::enums::{ObjType, SensorType};
//! use kinetree_spec::spec::Sensor;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! spec.add_sensor(Sensor {
//!     r#type: SensorType::Gyro, objtype: ObjType::Site, objname: "s".into(), ..Sensor::default()
//! });
//! assert_eq!(spec.compile()?.nsensordata, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::{DataType, ObjType, SensorType, Stage};

use super::common::PluginRef;
use super::element::{Origin, impl_element};

/// A sensor.
///
/// Of `datatype`, `needstage` and `dim` the reader fills only those of user sensors; the others follow from
/// the kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Kind of sensor.
    pub r#type: SensorType,
    /// Kind of the sensed object.
    pub objtype: ObjType,
    /// Name of the sensed object.
    pub objname: String,
    /// Kind of the reference object.
    pub reftype: ObjType,
    /// Name of the reference object.
    pub refname: String,
    /// Integer parameters: requested data bits, reduction, number of contacts.
    pub intprm: [i32; 3],
    /// What the numbers are.
    pub datatype: DataType,
    /// Stage after which the sensor can be evaluated.
    pub needstage: Stage,
    /// Number of outputs.
    pub dim: i32,
    /// Bound on the output; 0: none.
    pub cutoff: f64,
    /// Standard deviation of the noise.
    pub noise: f64,
    /// Samples in the history.
    pub nsample: i32,
    /// Interpolation of the history: 0 hold, 1 linear, 2 cubic.
    pub interp: i32,
    /// Delay of the output (s).
    pub delay: f64,
    /// Sampling period and phase (s).
    pub interval: [f64; 2],
    /// User data.
    pub userdata: Vec<f64>,
    /// Sensor plugin.
    pub plugin: PluginRef,
}

impl Default for Sensor {
    fn default() -> Self {
        Sensor {
            name: String::new(),
            origin: Origin::default(),
            r#type: SensorType::Touch,
            objtype: ObjType::Unknown,
            objname: String::new(),
            reftype: ObjType::Unknown,
            refname: String::new(),
            intprm: [0; 3],
            datatype: DataType::Real,
            needstage: Stage::Acc,
            dim: 0,
            cutoff: 0.0,
            noise: 0.0,
            nsample: 0,
            interp: 0,
            delay: 0.0,
            interval: [0.0; 2],
            userdata: Vec::new(),
            plugin: PluginRef::default(),
        }
    }
}

impl_element!(Sensor => "sensor");
