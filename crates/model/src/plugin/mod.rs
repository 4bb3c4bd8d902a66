//! Plugins: actuators, sensors, passive forces and signed distance fields that a program brings along.
//!
//! A [`Plugin`] is a kind: it has a name, attributes with types, and capabilities, and it makes instances. A
//! [`PluginRegistry`] is a set of kinds that the caller hands over to load a model; a loaded [`Model`] holds
//! what it uses of it ([`PluginSet`]). Nothing is global, so that two threads can load models with different
//! plugins of the same name.
//!
//! What an instance remembers from step to step is in `Data::plugin_state`, which is saved, restored, copied
//! and reset with the data. The [`PluginInstance`] object of a data holds only what follows from the model,
//! and working memory: it is made anew whenever a data has none.
//!
//! ```
//! use kinetree_model::plugin::PluginRegistry;
//!
//! // a loader takes such a set; `kinetree_plugins::registry()` has those that come with the engine
//! let registry = PluginRegistry::new();
//! assert!(registry.iter().next().is_none());
//! ```

mod attribute;
mod config;
mod direct;
mod error;
mod owned;
mod registry;
mod set;

pub use attribute::{Attribute, AttributeKind};
pub use config::PluginConfig;
pub use direct::{DirectInstance, Request};
pub use error::{PluginError, PluginResult, RegistryError, guard};
pub(crate) use owned::DirectInstances;
pub use registry::PluginRegistry;
pub use set::PluginSet;

use crate::enums::Stage;
use crate::{Data, Model};
use kinetree_math::field::SignedDistance;
use std::sync::Arc;

/// What a kind of plugin can be used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Forces of actuators, and the dynamics of their activations.
    pub actuator: bool,
    /// Values of sensors.
    pub sensor: bool,
    /// Passive forces of bodies.
    pub passive: bool,
    /// Shapes of geoms as signed distance fields.
    pub sdf: bool,
}

impl Capabilities {
    /// Actuators only.
    pub const ACTUATOR: Self = Self { actuator: true, ..Self::NONE };
    /// Sensors only.
    pub const SENSOR: Self = Self { sensor: true, ..Self::NONE };
    /// Passive forces only.
    pub const PASSIVE: Self = Self { passive: true, ..Self::NONE };
    /// Signed distance fields only.
    pub const SDF: Self = Self { sdf: true, ..Self::NONE };
    /// Nothing.
    pub const NONE: Self = Self { actuator: false, sensor: false, passive: false, sdf: false };

    /// Names of the capabilities that are there, as the documentation calls them.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let all = [
            (self.actuator, "actuator"),
            (self.sensor, "sensor"),
            (self.passive, "passive"),
            (self.sdf, "sdf"),
        ];
        all.into_iter().filter_map(|(there, name)| there.then_some(name))
    }
}

/// The shape of a signed distance field and the box that holds it.
#[derive(Clone)]
pub struct Field {
    /// The distance from the surface.
    pub distance: Arc<dyn SignedDistance>,
    /// Box around the surface: centre and half sizes (m).
    pub aabb: [f64; 6],
}

/// A kind of plugin.
pub trait Plugin: Send + Sync {
    /// The name that model files use, such as `mujoco.pid`.
    fn name(&self) -> &str;

    /// What can be configured.
    fn attributes(&self) -> &[Attribute] {
        &[]
    }

    /// What it can be used for.
    fn capabilities(&self) -> Capabilities;

    /// The stage after which its sensors can be computed.
    fn sensor_stage(&self) -> Stage {
        Stage::Acc
    }

    /// Numbers of state that an instance of this configuration has.
    ///
    /// # Errors
    /// When the configuration is wrong.
    fn state_size(&self, _config: &PluginConfig) -> PluginResult<usize> {
        Ok(0)
    }

    /// Numbers that a sensor of this configuration reads.
    ///
    /// # Errors
    /// When the configuration is wrong.
    fn sensor_size(&self, _config: &PluginConfig) -> PluginResult<usize> {
        Err("it does not say how many numbers its sensors read".into())
    }

    /// As [`Plugin::state_size`] for instance `id` of a model that is complete but for the sizes that plugins
    /// tell, for plugins that must see the model.
    ///
    /// # Errors
    /// As [`Plugin::state_size`].
    fn state_size_in(&self, _model: &Model, _id: usize, config: &PluginConfig) -> PluginResult<usize> {
        self.state_size(config)
    }

    /// As [`Plugin::sensor_size`] for a sensor of instance `id` of a model, for plugins that must see the
    /// model.
    ///
    /// # Errors
    /// As [`Plugin::sensor_size`].
    fn sensor_size_in(
        &self,
        _model: &Model,
        _id: usize,
        _sensor: usize,
        config: &PluginConfig,
    ) -> PluginResult<usize> {
        self.sensor_size(config)
    }

    /// The field of instance `id` in a world, for plugins whose fields depend on it; `None` where
    /// [`Plugin::field`] says all.
    fn field_in<'a>(
        &'a self,
        _model: &'a Model,
        _data: &'a Data,
        _id: usize,
    ) -> Option<Box<dyn SignedDistance + 'a>> {
        None
    }

    /// The signed distance field of this configuration.
    ///
    /// # Errors
    /// When the configuration is wrong.
    fn field(&self, _config: &PluginConfig) -> PluginResult<Field> {
        Err("it has no signed distance field".into())
    }

    /// Makes instance `id` of a model.
    ///
    /// # Errors
    /// When the configuration or the elements that use it are wrong.
    fn instance(
        &self,
        _model: &Model,
        _id: usize,
        _config: &PluginConfig,
    ) -> PluginResult<Box<dyn PluginInstance>> {
        Ok(Box::new(Idle))
    }

    /// The field of this configuration as a model keeps it; `None` for a plugin that has one in a world only
    /// ([`Plugin::field_in`]).
    ///
    /// # Errors
    /// As [`Plugin::field`].
    fn kept_field(&self, config: &PluginConfig) -> PluginResult<Option<Field>> {
        self.field(config).map(Some)
    }

    /// An instance for a data that works on the data itself, for plugins whose instances do; those of
    /// [`Plugin::instance`] are not used then.
    fn direct_instance(&self) -> Option<Arc<dyn DirectInstance>> {
        None
    }

    /// Adds what is to be seen of instance `id` to a picture.
    fn visualize(&self, _world: &PluginView<'_>, _config: &PluginConfig, _canvas: &mut dyn PluginCanvas) {}
}

/// A world as a plugin sees it: it may read everything and write its own state.
pub struct PluginWorld<'a> {
    /// The model.
    pub model: &'a Model,
    /// The data, as the stages before have left it.
    pub data: &'a Data,
    /// Number of the instance.
    pub instance: usize,
    /// The state of the instance.
    pub state: &'a mut [f64],
}

/// Descents that a search for contacts of a field has made: the points of each, in the frame of its geom.
pub type Descents = Vec<Vec<[f64; 3]>>;

/// A world that a plugin draws.
pub struct PluginView<'a> {
    /// The model.
    pub model: &'a Model,
    /// The data.
    pub data: &'a Data,
    /// Number of the instance.
    pub instance: usize,
    /// The descents of its field, when they are to be seen.
    pub descents: &'a [Vec<[f64; 3]>],
}

/// Where a plugin draws.
pub trait PluginCanvas {
    /// Adds a shape: its geom type, size, position, row-major orientation and colour.
    fn shape(&mut self, kind: i32, size: [f64; 3], pos: [f64; 3], mat: [f64; 9], rgba: [f32; 4]);

    /// Adds a line between two points, the number of what it belongs to, and its colour.
    fn line(&mut self, from: [f64; 3], to: [f64; 3], id: usize, rgba: [f32; 4]);

    /// Gives a geom of the model another colour.
    fn color_geom(&mut self, geom: usize, rgba: [f32; 4]);
}

/// An instance of a plugin in one data. Only the methods of its capabilities are called.
///
/// Each method gets exactly what it may write. What it writes counts only when it returns well, and nothing
/// but finite numbers are taken over.
pub trait PluginInstance: Send + Sync {
    /// Sets the state for time zero; it is all zeros before.
    fn reset(&mut self, _model: &Model, _state: &mut [f64]) {}

    /// Computes the derivative of the activations of an actuator. `act_dot` holds that of the actuator's own
    /// dynamics, which drive the last one.
    ///
    /// # Errors
    /// What went wrong; the step fails with it.
    fn act_dot(
        &mut self,
        _world: PluginWorld<'_>,
        _actuator: usize,
        _act_dot: &mut [f64],
    ) -> PluginResult<()> {
        Ok(())
    }

    /// The force of an actuator. `Data::act_dot` is complete; controls are those of the user, neither
    /// delayed nor clamped.
    ///
    /// # Errors
    /// What went wrong; the step fails with it.
    fn actuator_force(&mut self, _world: PluginWorld<'_>, _actuator: usize) -> PluginResult<f64> {
        Ok(0.0)
    }

    /// Adds passive forces to `qfrc`, which has a number for each dof.
    ///
    /// # Errors
    /// What went wrong; the step fails with it.
    fn passive_force(&mut self, _world: PluginWorld<'_>, _qfrc: &mut [f64]) -> PluginResult<()> {
        Ok(())
    }

    /// Computes the values of a sensor.
    ///
    /// # Errors
    /// What went wrong; the step fails with it.
    fn sense(&mut self, _world: PluginWorld<'_>, _sensor: usize, _values: &mut [f64]) -> PluginResult<()> {
        Ok(())
    }

    /// Ends a step: advances the state.
    ///
    /// # Errors
    /// What went wrong; the step fails with it.
    fn advance(&mut self, _world: PluginWorld<'_>) -> PluginResult<()> {
        Ok(())
    }
}

/// An instance that does nothing, such as those of distance fields.
struct Idle;

impl PluginInstance for Idle {}
