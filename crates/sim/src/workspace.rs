//! The working memory of the engine, which a `Data` carries from call to call.

use crate::contact::distance::DistanceScratch;
use crate::derivative::DerivativeMemory;
use crate::step_memory::StepMemory;
use kinetree_model::Data;

/// All working memory. After a panic in the middle of a call it is gone, and the next call begins with new
/// memory.
#[derive(Default)]
pub(crate) struct Workspace {
    pub step: StepMemory,
    /// Distances between geoms.
    pub distance: DistanceScratch,
    pub derivative: DerivativeMemory,
}

/// Calls `f` with the working memory of the data: taken out once a call, and put back at its end.
#[inline]
pub(crate) fn with_workspace<R>(data: &mut Data, f: impl FnOnce(&mut Data, &mut Workspace) -> R) -> R {
    let mut carried = kinetree_model::Workspace::default();
    data.swap_workspace(&mut carried);
    let mut work = carried.take::<Workspace>();
    let result = f(data, &mut work);
    carried.put(work);
    data.swap_workspace(&mut carried);
    result
}
