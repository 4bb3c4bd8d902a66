//! Code of the user in the middle of an evaluation: callbacks, which may call the engine, and plugins.

use crate::plugin::PluginMemory;
use kinetree_model::{Data, Workspace};

/// Working memory for such calls: that of the evaluation is in use.
#[derive(Default)]
pub(crate) struct NestedCalls {
    /// For calls that callbacks make.
    calls: Workspace,
    /// Instances of plugins.
    pub plugins: PluginMemory,
}

impl NestedCalls {
    /// Calls `f`, which may call the engine with the same data.
    #[inline]
    pub(crate) fn allow<R>(&mut self, data: &mut Data, f: impl FnOnce(&mut Data) -> R) -> R {
        data.swap_workspace(&mut self.calls);
        let result = f(data);
        data.swap_workspace(&mut self.calls);
        result
    }
}
