//! Independent pieces of work on all cores, with results in a fixed order.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use kinetree_model::{SharedWatch, checkpoint};

use crate::nesting;
use crate::spec::Compiler;

/// Threads that the model allows.
pub(crate) fn thread_count(compiler: &Compiler) -> usize {
    if compiler.usethread { thread::available_parallelism().map_or(1, usize::from) } else { 1 }
}

/// Results of `job` for `0..count`, in order.
pub(crate) fn parallel_map<T: Send>(count: usize, threads: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if threads.min(count) < 2 {
        return (0..count).inspect(|_| checkpoint()).map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    let depth = nesting::depth();
    let work = || {
        nesting::continue_at(depth);
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                break;
            }
            checkpoint();
            let result = job(i);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
        }
    };
    let (watch, caller) = (SharedWatch::of_this_thread(), thread::current());
    let help = || {
        let ended = watch.continued(work);
        caller.unpark();
        ended
    };
    let ended: Result<Vec<()>, _> = thread::scope(|scope| {
        let helpers: Vec<_> = (0..threads.min(count)).map(|_| scope.spawn(help)).collect();
        watch.wait(|| helpers.iter().all(ScopedJoinHandle::is_finished));
        helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    if ended.is_err() {
        // what the others were told, this thread is
        checkpoint();
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
