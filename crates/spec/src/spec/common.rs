//! Small types used by several element families: orientation forms, limit switches, plugin references, solver
//! defaults.
//!
//! ```
//! use kinetree_spec::spec::{Geom, Orientation};
//!
//! let tilted = Geom { alt: Orientation::Euler([0.0, 45.0, 0.0]), ..Geom::default() };
//! assert_ne!(tilted.alt, Orientation::Quat);
//! ```

use super::custom::Plugin;
use super::element::Origin;
use crate::diagnostics::SourcePos;

/// Default solver reference: time constant (s) and damping ratio.
pub const SOLREF: [f64; 2] = [0.02, 1.0];
/// Default solver impedance: dmin, dmax, width (m or rad), midpoint, power.
pub const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
/// Identity quaternion.
pub const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
/// Color of elements that name neither a color nor a material.
pub const GREY: [f32; 4] = [0.5, 0.5, 0.5, 1.0];

/// Whether a range is enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Limited {
    /// The range is ignored.
    False,
    /// The range is enforced.
    True,
    /// Enforced exactly when a range was given (needs `autolimits`).
    #[default]
    Auto,
}

/// Whether a free joint is moved to the body's inertial frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AlignFree {
    /// Never.
    False,
    /// Always.
    True,
    /// As the compiler setting `alignfree` says.
    #[default]
    Auto,
}

/// An orientation that is not (yet) a quaternion. Angles are in the unit of the element's compiler settings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Orientation {
    /// No alternative: the quaternion field holds.
    #[default]
    Quat,
    /// Axis and angle.
    AxisAngle([f64; 4]),
    /// The x and y axes; z follows.
    XyAxes([f64; 6]),
    /// The z axis, reached by the smallest rotation.
    ZAxis([f64; 3]),
    /// Three angles about the axes of the Euler sequence.
    Euler([f64; 3]),
}

/// Use of a plugin by an element.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginRef {
    /// The element uses a plugin.
    pub active: bool,
    /// Name of the plugin itself; may be left out when an instance is named.
    pub plugin_name: String,
    /// Name of a predefined instance; empty: the element owns its instance.
    pub instance: String,
    /// Configuration of an owned instance, in the order of the text.
    pub config: Vec<(String, String)>,
}

impl PluginRef {
    /// Makes an instance of its own name from the configuration, which is the instance's from now on.
    pub(crate) fn take_instance(&mut self, pos: SourcePos) -> Plugin {
        Plugin {
            name: self.instance.clone(),
            origin: Origin { pos, ..Origin::default() },
            plugin_name: self.plugin_name.clone(),
            active: true,
            composite: true,
            config: std::mem::take(&mut self.config),
        }
    }
}
