//! Instances of plugins made once, as a new data makes them.

use crate::plugin::PluginMemory;
use crate::workspace::with_workspace;
use kinetree_model::plugin::PluginError;
use kinetree_model::{Data, Model};

/// Makes every instance of a model once, so that mistakes in their configuration are found early.
///
/// # Errors
/// When a plugin refuses its configuration or the elements that use it.
pub fn check_plugins(model: &Model) -> Result<(), PluginError> {
    let mut memory = PluginMemory::default();
    memory.make(model);
    if let Some(failure) = memory.take_failure() {
        return Err(failure);
    }
    // a plugin whose instances work on a data itself wants one
    let direct = |id| model.plugins.plugin(id).is_some_and(|plugin| plugin.direct_instance().is_some());
    if !(0..model.plugins.len()).any(direct) {
        return Ok(());
    }
    let mut data = Data::new(model);
    with_workspace(&mut data, |_, work| work.step.stages.nested.plugins.take_failure()).map_or(Ok(()), Err)
}
