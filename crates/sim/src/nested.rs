//! Calls that a callback makes to the engine in the middle of an evaluation.

use kinetree_model::{Data, Workspace};

/// Working memory for such calls: that of the evaluation is in use.
#[derive(Debug, Default)]
pub(crate) struct NestedCalls(Workspace);

impl NestedCalls {
    /// Calls `f`, which may call the engine with the same data.
    #[inline]
    pub(crate) fn allow<R>(&mut self, data: &mut Data, f: impl FnOnce(&mut Data) -> R) -> R {
        data.swap_workspace(&mut self.0);
        let result = f(data);
        data.swap_workspace(&mut self.0);
        result
    }
}
