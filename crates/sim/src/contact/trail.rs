//! Where the descents of fields have been, for pictures (`mjVIS_SDFITER`).

use kinetree_math::Vec3;
use kinetree_model::plugin::Descents;
use std::sync::{Mutex, PoisonError};

/// Most points of an instance.
const MAX_POINTS: usize = 10 * 51 * 51;

/// The descents of each instance that is a field. Fields are shared between threads by their type, so a lock
/// guards what a search on one thread writes.
#[derive(Default)]
pub(super) struct TrailRecorder(Mutex<Vec<Descents>>);

impl TrailRecorder {
    /// What was recorded, by instance.
    pub(super) fn take(&self) -> Vec<Descents> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn with(&self, instance: usize, change: impl FnOnce(&mut Descents)) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
