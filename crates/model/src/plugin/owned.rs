//! The instances of a data that work on it: made when they are asked for, left alone by resets, and given
//! back with the data.

use super::{DirectInstance, Plugin};
use crate::{Data, Model};
use std::ops::Range;
use std::sync::Arc;

/// An instance and the plugin that has made it.
type Owned = (Arc<dyn Plugin>, Arc<dyn DirectInstance>);

/// The instances of a data that work on it, by their number.
#[derive(Default)]
pub(crate) struct DirectInstances(Vec<Option<Owned>>);

/// What a reset leaves to an instance: its number, its `plugin_data` and its state.
struct Kept {
    id: usize,
    memory: u64,
    range: Range<usize>,
    state: Vec<f64>,
}

impl std::fmt::Debug for DirectInstances {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DirectInstances").field("count", &self.ids().count()).finish()
    }
}

impl DirectInstances {
    /// Numbers of the instances that are there.
    fn ids(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().filter_map(|(id, owned)| owned.is_some().then_some(id))
    }

    /// Those of another data are its own: what they remember there is no memory of this one.
    pub(crate) fn memories(&self, plugin_data: &[u64]) -> Vec<(usize, u64)> {
        self.ids().filter_map(|id| plugin_data.get(id).map(|&memory| (id, memory))).collect()
    }
}

impl Data {
    /// Instance `id` as one that works on this data itself; it is made when there is none yet. `None` for an
    /// instance of a plugin that has no such instances.
    #[doc(hidden)]
    pub fn direct_instance(&mut self, model: &Model, id: usize) -> Option<Arc<dyn DirectInstance>> {
        let plugin = model.plugins.plugin(id)?;
        let known = self.direct.0.get(id).and_then(Option::as_ref);
        if let Some((_, instance)) = known.filter(|(by, _)| Arc::ptr_eq(by, plugin)) {
            return Some(Arc::clone(instance));
        }
        let made = plugin.direct_instance();
        if known.is_some() {
            // the model has another plugin now
            self.release_direct_instance(id);
        }
        let made = made?;
        if self.direct.0.len() <= id {
            self.direct.0.resize_with(id + 1, || None);
        }
        self.direct.0[id] = Some((Arc::clone(plugin), Arc::clone(&made)));
        Some(made)
    }

    /// Gives all instances back that work on this data itself.
    #[doc(hidden)]
    pub fn release_direct_instances(&mut self) {
        for id in 0..self.direct.0.len() {
            self.release_direct_instance(id);
        }
    }

    fn release_direct_instance(&mut self, id: usize) {
        // off the list first: what a plugin does meanwhile must not find it
        if let Some((_, instance)) = self.direct.0.get_mut(id).and_then(Option::take) {
            // nobody could be told about a panic
            let _ = super::guard(|| {
                instance.destroy(self, id);
                Ok(())
            });
        }
    }

    /// Calls `reset`, which clears this data, and puts back what instances keep that work on it.
    pub(crate) fn keep_direct(&mut self, model: &Model, reset: impl FnOnce(&mut Self)) {
        let kept: Vec<Kept> = self
            .direct
            .memories(&self.plugin_data)
            .into_iter()
            .map(|(id, memory)| {
                let first = usize::try_from(model.plugin_stateadr[id]).unwrap_or(0);
                let range = first..first + usize::try_from(model.plugin_statenum[id]).unwrap_or(0);
                let state = self.plugin_state.get(range.clone()).unwrap_or_default().to_vec();
                Kept { id, memory, range, state }
            })
            .collect();
        reset(self);
        for Kept { id, memory, range, state } in kept {
            self.plugin_data[id] = memory;
            if let Some(own) = self.plugin_state.get_mut(range) {
                own.copy_from_slice(&state);
            }
        }
    }
}
