//! Work that its caller may end early: cooperative cancellation on the thread that does it.
//!
//! A face that can be interrupted, as Python is by Ctrl-C, calls the engine in [`interruptible`] with a
//! function that is asked now and then whether to go on. What takes long looks at [`is_interrupted`] once a
//! round, and ends in one of two ways. A loop that has something consistent to show, such as a solver, stops
//! and keeps it. Work whose result nobody needs any more, such as a model that is half compiled, calls
//! [`checkpoint`], which unwinds to the caller without a panic being reported.
//!
//! Without a caller that asks, both cost a look at a thread-local flag.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a caller is asked whether to go on.
const INTERVAL: Duration = Duration::from_millis(10);

/// The caller does not want the result any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Who is asked whether to go on.
enum Asked {
    /// The caller.
    Caller(fn() -> bool),
    /// The thread that shares its work with this one.
    Thread(Arc<AtomicBool>),
}

/// What is watched on this thread.
struct Watch {
    asked: Asked,
    /// When that was done last.
    last: Option<Instant>,
    is_interrupted: bool,
}

thread_local! {
    /// Whether there is a watch, to be read at once.
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// Puts the watch of the caller back, also when the work unwinds.
struct Restore(Option<Watch>);

impl Drop for Restore {
    fn drop(&mut self) {
        let before = self.0.take();
        IS_WATCHED.set(before.is_some());
        WATCH.set(before);
    }
}

fn watched<R>(asked: Asked, work: impl FnOnce() -> R) -> Result<R, Interrupted> {
    let watch = Watch { asked, last: None, is_interrupted: false };
    let _restore = Restore(WATCH.replace(Some(watch)));
    IS_WATCHED.set(true);
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast() {
        Ok(interrupted) => *interrupted,
        Err(panic) => resume_unwind(panic),
    })
}

/// Calls `work`, which asks `go_on` every ten milliseconds whether to go on. After it has said no, it is not
/// asked again.
///
/// # Errors
/// When the work has ended without a result. Loops that keep what they have return as usual.
pub fn interruptible<R>(go_on: fn() -> bool, work: impl FnOnce() -> R) -> Result<R, Interrupted> {
    watched(Asked::Caller(go_on), work)
}

/// Whether the caller of the work on this thread wants it to end.
#[must_use]
#[inline]
pub fn is_interrupted() -> bool {
    IS_WATCHED.get() && ask()
}

/// Ends the work on this thread when its caller wants that.
#[inline]
pub fn checkpoint() {
    if is_interrupted() {
        resume_unwind(Box::new(Interrupted));
    }
}

/// Asks whether to go on when it is time; whether the answer was no, now or before.
fn ask() -> bool {
    let caller = WATCH.with_borrow_mut(|watch| {
        let Watch { asked, last, is_interrupted } = watch.as_mut()?;
        match asked {
            Asked::Thread(flag) => *is_interrupted |= flag.load(Ordering::Relaxed),
            Asked::Caller(go_on) if !*is_interrupted => {
                let now = Instant::now();
                if now.duration_since(*last.get_or_insert(now)) >= INTERVAL {
                    *last = Some(now);
                    return Some(*go_on);
                }
            }
            Asked::Caller(_) => {}
        }
        None
    });
    // nothing is borrowed meanwhile: who is asked may run a program that works with the engine, too
    let is_over = caller.is_some_and(|go_on| !go_on());
    WATCH.with_borrow_mut(|watch| {
        watch.as_mut().is_some_and(|watch| {
            watch.is_interrupted |= is_over;
            watch.is_interrupted
        })
    })
}

/// The watch of a thread, for threads that share its work.
pub struct SharedWatch(Option<Arc<AtomicBool>>);

impl SharedWatch {
    /// The watch of this thread.
    #[must_use]
    pub fn of_this_thread() -> Self {
        Self(WATCH.with_borrow(|watch| match &watch.as_ref()?.asked {
            Asked::Caller(_) => Some(Arc::default()),
            Asked::Thread(flag) => Some(Arc::clone(flag)),
        }))
    }

    /// Calls work of the other thread on this one.
    ///
    /// # Errors
    /// As [`interruptible`].
    pub fn continued<R>(&self, work: impl FnOnce() -> R) -> Result<R, Interrupted> {
        match &self.0 {
            Some(flag) => watched(Asked::Thread(Arc::clone(flag)), work),
            None => Ok(work()),
        }
    }

    /// Tells the others when the caller of the first thread, which is this one, wants the work to end.
    pub fn tell(&self) {
        if let Some(flag) = &self.0
            && is_interrupted()
        {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Waits on the first thread until `is_done`, and tells the others when they are to end. Without a caller
    /// that asks it does not wait.
    pub fn wait(&self, mut is_done: impl FnMut() -> bool) {
        while self.0.is_some() && !is_done() {
            self.tell();
            std::thread::park_timeout(INTERVAL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static ASKED: Cell<usize> = const { Cell::new(0) };
    }

    /// Says no when it is asked for the third time.
    fn twice() -> bool {
        ASKED.set(ASKED.get() + 1);
        assert!(ASKED.get() <= 3, "a caller that has said no is not asked again");
        ASKED.get() < 3
    }

    fn endless() {
        loop {
            checkpoint();
        }
    }

    #[test]
    fn loops_stop_and_pure_work_unwinds() {
        assert!(!is_interrupted());
        let rounds = interruptible(twice, || (0_u64..).find(|_| is_interrupted()));
        assert!(rounds.unwrap().is_some_and(|rounds| rounds > 2));
        ASKED.set(0);
        assert_eq!(interruptible(twice, endless), Err(Interrupted));
        assert!(!is_interrupted());
        // another call inside has a watch of its own
        ASKED.set(0);
        let inside = interruptible(twice, || interruptible(|| true, is_interrupted));
        assert_eq!(inside, Ok(Ok(false)));
    }

    #[test]
    fn panics_stay_panics() {
        let work = || interruptible(|| true, || assert!(is_interrupted(), "as asked"));
        let panic = catch_unwind(AssertUnwindSafe(work)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"as asked"));
        assert!(!IS_WATCHED.get());
    }

    #[test]
    fn threads_that_share_work_end_too() {
        ASKED.set(0);
        let work = || {
            let watch = SharedWatch::of_this_thread();
            std::thread::scope(|scope| {
                let threads = [(); 2].map(|()| scope.spawn(|| watch.continued(endless)));
                watch.wait(|| threads.iter().all(std::thread::ScopedJoinHandle::is_finished));
                threads.map(|thread| thread.join().unwrap())
            })
        };
        assert_eq!(interruptible(twice, work), Ok([Err(Interrupted); 2]));
    }
}
