//! Actuators, in the general form that all shortcuts resolve to.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_model::enums::TrnType;
//! use kinetree_spec::spec::Actuator;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let mut motor = Actuator { trntype: TrnType::Joint, target: "j".into(), ..Actuator::default() };
//! motor.set_to_motor();
//! spec.add_actuator(motor);
//! assert_eq!(spec.compile()?.nu, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::{BiasType, DynType, GainType, TrnType};

use super::common::{Limited, PluginRef};
use super::element::{Origin, impl_element};

/// An actuator: force = gain(length, velocity) · input + bias(length, velocity).
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Kind of gain.
    pub gaintype: GainType,
    /// Gain parameters.
    pub gainprm: [f64; 10],
    /// Kind of bias.
    pub biastype: BiasType,
    /// Bias parameters.
    pub biasprm: [f64; 10],
    /// Kind of activation dynamics.
    pub dyntype: DynType,
    /// Dynamics parameters.
    pub dynprm: [f64; 10],
    /// Number of activation variables; -1: as the dynamics need.
    pub actdim: i32,
    /// The force uses the activation of the next step.
    pub actearly: bool,
    /// Kind of transmission.
    pub trntype: TrnType,
    /// Scaling of length and force, or a wrench.
    pub gear: [f64; 6],
    /// What is actuated.
    pub target: String,
    /// Reference site of a site transmission.
    pub refsite: String,
    /// Slider site of a slider-crank.
    pub slidersite: String,
    /// Rod length of a slider-crank (m).
    pub cranklength: f64,
    /// Range of the transmission length.
    pub lengthrange: [f64; 2],
    /// Take the control or activation range from the target's range, scaled by this; 0: do not.
    pub inheritrange: f64,
    /// Damping of the transmission: linear coefficient and the higher orders.
    pub damping: [f64; 3],
    /// Rotor inertia.
    pub armature: f64,
    /// Whether `ctrlrange` is enforced.
    pub ctrllimited: Limited,
    /// Control range.
    pub ctrlrange: [f64; 2],
    /// Whether `forcerange` is enforced.
    pub forcelimited: Limited,
    /// Force range.
    pub forcerange: [f64; 2],
    /// Whether `actrange` is enforced.
    pub actlimited: Limited,
    /// Activation range.
    pub actrange: [f64; 2],
    /// Group, for disabling.
    pub group: i32,
    /// Samples in the control history.
    pub nsample: i32,
    /// Interpolation of the history: 0 hold, 1 linear, 2 cubic.
    pub interp: i32,
    /// Delay of the control (s).
    pub delay: f64,
    /// User data.
    pub userdata: Vec<f64>,
    /// Actuator plugin.
    pub plugin: PluginRef,
}

impl Default for Actuator {
    fn default() -> Self {
        let mut unit = [0.0; 10];
        unit[0] = 1.0;
        Actuator {
            name: String::new(),
            origin: Origin::default(),
            gaintype: GainType::Fixed,
            gainprm: unit,
            biastype: BiasType::None,
            biasprm: [0.0; 10],
            dyntype: DynType::None,
            dynprm: unit,
            actdim: -1,
            actearly: false,
            trntype: TrnType::Undefined,
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            target: String::new(),
            refsite: String::new(),
            slidersite: String::new(),
            cranklength: 0.0,
            lengthrange: [0.0; 2],
            inheritrange: 0.0,
            damping: [0.0; 3],
            armature: 0.0,
            ctrllimited: Limited::Auto,
            ctrlrange: [0.0; 2],
            forcelimited: Limited::Auto,
            forcerange: [0.0; 2],
            actlimited: Limited::Auto,
            actrange: [0.0; 2],
            group: 0,
            nsample: 0,
            interp: 0,
            delay: 0.0,
            userdata: Vec::new(),
            plugin: PluginRef::default(),
        }
    }
}

impl_element!(Actuator => "actuator");
