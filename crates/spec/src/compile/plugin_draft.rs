//! Instances of plugins while a model is compiled.

use kinetree_model::plugin::{Field, Plugin as PluginKind, PluginConfig, PluginResult, guard};
use std::sync::Arc;

use crate::diagnostics::SourcePos;

/// Most numbers of state of an instance, and of a sensor.
const MAX_NUMBERS: usize = 1 << 28;

/// An instance of a plugin.
pub(crate) struct InstanceDraft<'s> {
    pub(crate) name: &'s str,
    pub(super) slot: usize,
    pub(super) plugin: Arc<dyn PluginKind>,
    pub(super) config: PluginConfig,
    pub(super) nstate: usize,
    /// Where it is configured, for messages.
    pub(super) pos: SourcePos,
    pub(super) owner: String,
}

impl std::fmt::Debug for InstanceDraft<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InstanceDraft").field("plugin", &self.plugin.name()).finish_non_exhaustive()
    }
}

/// All instances, and the numbers of those that elements use; meshes, actuators and sensors are listed in the
/// order of the description.
#[derive(Debug, Default)]
pub(crate) struct PluginDrafts<'s> {
    pub(crate) instances: Vec<InstanceDraft<'s>>,
    pub(crate) meshes: Vec<Option<usize>>,
    pub(crate) actuators: Vec<Option<usize>>,
    pub(crate) sensors: Vec<Option<usize>>,
}

impl PluginDrafts<'_> {
    /// The distance field that a mesh is the surface of.
    pub(crate) fn mesh_field(&self, mesh: usize) -> Option<Result<Field, String>> {
        let instance = &self.instances[(*self.meshes.get(mesh)?)?];
        let made = guard(|| instance.plugin.field(&instance.config));
        Some(made.map_err(|message| format!("plugin '{}': {message}", instance.plugin.name())))
    }

    /// Stage and number of values of a sensor of a plugin.
    pub(crate) fn sensor(&self, sensor: usize) -> Result<(kinetree_model::enums::Stage, usize), String> {
        let Some(instance) = self.sensors.get(sensor).copied().flatten().map(|i| &self.instances[i]) else {
            return Err("needs a plugin".into());
        };
        let plugin = &instance.plugin;
        let fail = |message| format!("plugin '{}': {message}", plugin.name());
        let size = guard(|| bounded(plugin.sensor_size(&instance.config)?)).map_err(fail)?;
        // a sensor that needs nothing is computed with the positions
        let stage = guard(|| Ok(plugin.sensor_stage())).map_err(fail)?;
        let none = stage == kinetree_model::enums::Stage::None;
        Ok((if none { kinetree_model::enums::Stage::Pos } else { stage }, size))
    }
}

/// A number of numbers, unless it is absurd.
pub(super) fn bounded(size: usize) -> PluginResult<usize> {
    if size <= MAX_NUMBERS {
        Ok(size)
    } else {
        Err(format!("it asks for {size} numbers, at most {MAX_NUMBERS} are possible"))
    }
}
