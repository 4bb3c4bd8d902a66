//! Thread pools that belong to a process.
//!
//! The child of a `fork` has the memory of its parent, but of its threads only the one that forked. A thread
//! pool that it inherits has no workers, and a call that waits for one never returns; the same holds for
//! graphics devices, whose drivers have threads and handles of their own. So what has threads remembers the
//! process that it was made in ([`Process`]): pools are made anew in a child ([`Pool`], [`count`],
//! [`install`]), other things are neither used nor dropped there ([`OfProcess`]).
//!
//! A program that forks tells the child so by [`note_fork`]; the Python package does with a hook of the
//! interpreter. Rust programs, for which the standard library has no `fork`, need not care.

#![forbid(unsafe_code)]

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most threads of a pool: more than any machine has processors, and few enough to start at once.
pub const MAX_THREADS: usize = 1024;

/// How many forks lie between the first process and this one.
static FORKS: AtomicUsize = AtomicUsize::new(0);

/// The pool that calls without a choice of their own share.
static SHARED: OnceLock<Made> = OnceLock::new();

/// Says that this process is the child of a fork: to be called once in the child, before anything else of
/// this crate.
pub fn note_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// A process, told apart from the processes that it was forked from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(usize);

impl Process {
    /// The process that runs now.
    #[must_use]
    pub fn current() -> Self {
        Self(FORKS.load(Ordering::Relaxed))
    }

    /// Whether this is the process that runs now.
    #[must_use]
    pub fn is_current(self) -> bool {
        self == Self::current()
    }
}

/// A value that only the process may use in which it was made. In a child of that process it is not even
/// dropped, since that would wait for threads that are not there.
#[derive(Debug)]
pub struct OfProcess<T> {
    /// Some until it is dropped.
    value: Option<T>,
    process: Process,
}

impl<T> OfProcess<T> {
    /// A value of the process that runs now.
    pub fn new(value: T) -> Self {
        Self { value: Some(value), process: Process::current() }
    }

    /// The value; none in a child of its process.
    pub fn get(&self) -> Option<&T> {
        self.value.as_ref().filter(|_| self.process.is_current())
    }

    /// The value, to change it; none in a child of its process.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        let is_current = self.process.is_current();
        self.value.as_mut().filter(|_| is_current)
    }
}

impl<T> Drop for OfProcess<T> {
    fn drop(&mut self) {
        if !self.process.is_current() {
            std::mem::forget(self.value.take());
        }
    }
}

/// A pool and, where a process was forked since, those of its children.
struct Made {
    process: Process,
    /// None for the global pool of rayon.
    pool: Option<OfProcess<ThreadPool>>,
    child: OnceLock<Box<Self>>,
}

impl Made {
    fn global() -> Self {
        Self { process: Process::current(), pool: None, child: OnceLock::new() }
    }

    /// A pool with a number of threads; zero for one per processor.
    fn own(threads: usize) -> Result<Self, String> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = OfProcess::new(pool.map_err(|problem| problem.to_string())?);
        Ok(Self { process: Process::current(), pool: Some(pool), child: OnceLock::new() })
    }

    /// The pool of this process, which is made when there is none. Nothing is locked but while it is made, so
    /// that no fork leaves a lock behind.
    fn current(&self, threads: usize) -> Result<&Self, String> {
        let mut made = self;
        while !made.process.is_current() {
            if made.child.get().is_none() {
                let child = Box::new(Self::own(threads)?);
                // another thread may have been quicker
                let _ = made.child.set(child);
            }
            let Some(child) = made.child.get() else { return Err("no pool".into()) };
            made = child;
        }
        Ok(made)
    }
}

/// A pool with a number of threads of its own, in whatever process it is used.
pub struct Pool {
    threads: usize,
    first: Made,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool of that many threads; zero for one per processor.
    ///
    /// # Errors
    /// When there are more than [`MAX_THREADS`], or the system gives no more.
    pub fn new(threads: usize) -> Result<Self, String> {
        if threads > MAX_THREADS {
            return Err(format!("{threads} threads are too many: at most {MAX_THREADS} are possible"));
        }
        Ok(Self { threads, first: Made::own(threads)? })
    }

    /// Number of threads.
    #[must_use]
    pub fn count(&self) -> usize {
        self.get().map_or(1, ThreadPool::current_num_threads)
    }

    /// The pool of this process.
    ///
    /// # Errors
    /// In a child of the process in which it was made, when the system gives no more threads.
    pub fn get(&self) -> Result<&ThreadPool, String> {
        let pool = self.first.current(self.threads)?.pool.as_ref();
        pool.and_then(OfProcess::get).ok_or_else(|| "no pool".to_owned())
    }
}

/// The pool that calls share in this process: none where that is the global one of rayon, or the one that
/// the calling thread belongs to; an error where the system gives no threads.
pub fn shared() -> Result<Option<&'static ThreadPool>, String> {
    if rayon::current_thread_index().is_some() {
        return Ok(None);
    }
    let made = SHARED.get_or_init(Made::global).current(0)?;
    Ok(made.pool.as_ref().and_then(OfProcess::get))
}

/// Threads that [`install`] would use.
#[must_use]
pub fn count() -> usize {
    match shared() {
        Ok(None) => rayon::current_num_threads(),
        Ok(Some(pool)) => pool.current_num_threads(),
        Err(_) => 1,
    }
}

/// Calls `f` where parallel iterators find threads of this process.
pub fn install<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    match shared() {
        Ok(Some(pool)) => pool.install(f),
        _ => f(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::sync::Mutex;

    /// Tests that change the process must not run at once.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    /// Notes when it is dropped.
    struct Noting<'a>(&'a AtomicUsize);

    impl Drop for Noting<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_child_neither_uses_nor_drops_what_it_inherits() {
        let _guard = ONE_AT_A_TIME.lock().unwrap();
        let drops = AtomicUsize::new(0);
        let (mut kept, dropped) = (OfProcess::new(Noting(&drops)), OfProcess::new(Noting(&drops)));
        assert!(kept.get().is_some() && kept.get_mut().is_some());
        drop(dropped);
        assert_eq!(drops.load(Ordering::Relaxed), 1);
        note_fork();
        assert!(kept.get().is_none() && kept.get_mut().is_none());
        drop(kept);
        assert_eq!(drops.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn pools_are_made_anew_after_a_fork() {
        let _guard = ONE_AT_A_TIME.lock().unwrap();
        let pool = Pool::new(3).unwrap();
        let first: *const ThreadPool = pool.get().unwrap();
        assert!(std::ptr::eq(first, pool.get().unwrap()));
        let sum = || install(|| (0..1000_u64).into_par_iter().sum::<u64>());
        assert_eq!(sum(), 499_500);
        for _ in 0..2 {
            note_fork();
            let other: *const ThreadPool = pool.get().unwrap();
            assert!(!std::ptr::eq(first, other) && std::ptr::eq(other, pool.get().unwrap()));
            assert_eq!((pool.count(), pool.get().unwrap().install(rayon::current_num_threads)), (3, 3));
            assert!(shared().unwrap().is_some() && count() >= 1);
            assert_eq!(sum(), 499_500);
            // a thread of a pool stays there
            assert!(pool.get().unwrap().install(|| shared().unwrap().is_none()));
        }
    }

    #[test]
    fn too_many_threads_are_refused() {
        let text = Pool::new(100_000).unwrap_err();
        assert_eq!(text, "100000 threads are too many: at most 1024 are possible");
    }
}
