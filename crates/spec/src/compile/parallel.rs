//! Independent pieces of work on all cores, with results in a fixed order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::spec::Compiler;

/// Threads that the model allows.
pub(crate) fn thread_count(compiler: &Compiler) -> usize {
    if compiler.usethread { std::thread::available_parallelism().map_or(1, usize::from) } else { 1 }
}

/// Results of `job` for `0..count`, in order.
pub(crate) fn parallel_map<T: Send>(count: usize, threads: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if threads.min(count) < 2 {
        return (0..count).map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    let result = job(i);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
