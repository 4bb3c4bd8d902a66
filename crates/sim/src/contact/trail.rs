//! What the search for contacts of fields does, for pictures: where descents have been (`mjVIS_SDFITER`), and
//! which bounding volumes of triangles it visits.

use kinetree_math::Vec3;
use kinetree_model::plugin::Descents;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most points of an instance.
const MAX_POINTS: usize = 10 * 51 * 51;

/// What a search has recorded.
#[derive(Clone, Debug, Default)]
pub struct FieldSearch {
    /// Descents by instance of a plugin, in the frames of their geoms.
    pub descents: Vec<Descents>,
    /// Visited bounding volumes of meshes and flexes, by their index in `bvh_child`.
    pub volumes: Vec<usize>,
}

/// Records a search. Fields are shared between threads by their type, so a lock guards what a search on one
/// thread writes.
#[derive(Default)]
pub(super) struct SearchRecorder(Mutex<FieldSearch>);

impl SearchRecorder {
    fn record(&self) -> MutexGuard<'_, FieldSearch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was recorded.
    pub(super) fn take(&self) -> FieldSearch {
        std::mem::take(&mut self.record())
    }

    /// Adds a bounding volume.
    pub(super) fn mark(&self, volume: usize) {
        self.record().volumes.push(volume);
    }

    fn with(&self, instance: usize, change: impl FnOnce(&mut Descents)) {
        let all = &mut self.record().descents;
        if all.len() <= instance {
            all.resize_with(instance + 1, Descents::new);
        }
        change(&mut all[instance]);
    }

    /// Forgets what the instance has recorded.
    pub(super) fn reset(&self, instance: usize) {
        self.with(instance, Descents::clear);
    }

    /// Begins a descent.
    pub(super) fn begin(&self, instance: usize) {
        self.with(instance, |descents| descents.push(Vec::new()));
    }

    /// Adds a point whose gradient is asked for to the last descent of the instance.
    pub(super) fn add(&self, instance: usize, point: &Vec3) {
        self.with(instance, |descents| {
            if descents.iter().map(Vec::len).sum::<usize>() < MAX_POINTS
                && let Some(last) = descents.last_mut()
            {
                last.push((*point).into());
            }
        });
    }
}
