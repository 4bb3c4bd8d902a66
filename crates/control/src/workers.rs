//! One `Data` for each thread: work on many items whose results do not depend on the number of threads.

use crate::error::ControlError;
use kinetree_model::{Data, Model, is_interrupted};
#[cfg(feature = "parallel")]
use std::sync::atomic::{AtomicUsize, Ordering};

/// The data that threads work on.
#[derive(Debug)]
pub(crate) struct Workers {
    data: Vec<Data>,
}

impl Workers {
    /// A data for each thread of the process, but for no more than `items`.
    pub(crate) fn new(model: &Model, items: usize) -> Self {
        #[cfg(feature = "parallel")]
        let threads = kinetree_threads::count();
        #[cfg(not(feature = "parallel"))]
        let threads = 1;
        Self { data: (0..threads.min(items).max(1)).map(|_| Data::new(model)).collect() }
    }

    /// The first data, for work of one thread.
    pub(crate) fn first(&mut self) -> &mut Data {
        &mut self.data[0]
    }

    /// Calls `work` for each item with its index, on all threads. Each thread takes a run of neighbours.
    ///
    /// # Errors
    /// That of the first item that has one; [`ControlError::Interrupted`] when the caller has ended the work.
    pub(crate) fn for_each<T: Send>(
        &mut self,
        items: &mut [T],
        work: impl Fn(&mut Data, usize, &mut T) -> Result<(), ControlError> + Sync,
    ) -> Result<(), ControlError> {
        if is_interrupted() {
            return Err(ControlError::Interrupted);
        }
        let length = items.len().div_ceil(self.data.len()).max(1);
        let runs = self.data.iter_mut().zip(items.chunks_mut(length)).enumerate();
        let run = |(part, (data, items)): (usize, (&mut Data, &mut [T]))| {
            items.iter_mut().enumerate().try_for_each(|(offset, item)| {
                if is_interrupted() {
                    return Err(ControlError::Interrupted);
                }
                work(data, part * length + offset, item)
            })
        };
        #[cfg(feature = "parallel")]
        if runs.len() > 1
            && rayon::current_thread_index().is_none()
            && let Ok(pool) = kinetree_threads::shared()
        {
            return on_threads(pool, runs.collect(), &run);
        }
        let mut runs = runs;
        runs.try_for_each(run)
    }
}

/// Calls `run` for each part on threads of a pool, or of the global one, while this thread looks whether its
/// caller wants the work to end.
#[cfg(feature = "parallel")]
fn on_threads<P: Send>(
    pool: Option<&rayon::ThreadPool>,
    parts: Vec<P>,
    run: &(impl Fn(P) -> Result<(), ControlError> + Sync),
) -> Result<(), ControlError> {
    use kinetree_model::SharedWatch;
    let (watch, caller) = (&SharedWatch::of_this_thread(), &std::thread::current());
    let left = &AtomicUsize::new(parts.len());
    let mut results: Vec<Result<(), ControlError>> = parts.iter().map(|_| Ok(())).collect();
    let each = results.iter_mut().zip(parts).map(|(result, part)| {
        move || {
            let _leave = Leave { left, caller };
            *result = watch.continued(|| run(part)).unwrap_or(Err(ControlError::Interrupted));
        }
    });
    // the scope raises a panic of a part when all of them are done
    let wait = || watch.wait(|| left.load(Ordering::Acquire) == 0);
    match pool {
        Some(pool) => pool.in_place_scope(|scope| {
            each.for_each(|job| scope.spawn(move |_| job()));
            wait();
        }),
        None => rayon::in_place_scope(|scope| {
            each.for_each(|job| scope.spawn(move |_| job()));
            wait();
        }),
    }
    results.into_iter().collect()
}

/// A part of the work that tells when it is done, even when it panics.
#[cfg(feature = "parallel")]
struct Leave<'a> {
    left: &'a AtomicUsize,
    caller: &'a std::thread::Thread,
}

#[cfg(feature = "parallel")]
impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.left.fetch_sub(1, Ordering::Release);
        self.caller.unpark();
    }
}
