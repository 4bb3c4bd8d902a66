//! Threads that share work: the one that asks for it takes part, and others come to its help.

use crate::error::BatchError;
use kinetree_model::SharedWatch;
use kinetree_threads::{MAX_THREADS, Pool};
use rayon::{Scope, ThreadPool, Yield};
use std::cell::Cell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long the calling thread stays awake for the others when nothing is left for it to do: waking up takes
/// about as long.
const PATIENCE: Duration = Duration::from_micros(100);

/// How many items at the end of its part a thread may leave something of: what is left of them is enough to
/// make up for what threads differ by, and it stays in the caches of a processor meanwhile.
const LATE: usize = 3;

/// The threads that help.
pub(crate) enum Helpers {
    /// Threads of the whole program, one for each processor but that of the calling thread.
    Shared,
    /// Threads of this batch alone.
    Own(Pool),
    /// Nobody.
    None,
}

impl Helpers {
    /// Helpers for a number of threads that includes the calling one; zero for one per processor.
    pub(crate) fn new(threads: usize) -> Result<Self, BatchError> {
        match threads {
            0 => Ok(Self::Shared),
            1 => Ok(Self::None),
            // the calling thread is one of them
            _ if threads > MAX_THREADS => Err(BatchError::Threads(format!(
                "{threads} are too many, at most {MAX_THREADS} are possible"
            ))),
            _ => Pool::new(threads - 1).map(Self::Own).map_err(BatchError::Threads),
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Shared => kinetree_threads::count() - 1,
            // nobody in a child process that gets no threads
            Self::Own(pool) => pool.get().map_or(0, ThreadPool::current_num_threads),
            Self::None => 0,
        }
    }

    /// Gives each of the items to a thread that is free for it (see [`Queue`]). Each thread has one of the
    /// memories meanwhile, the same in each step. Nothing that others need is locked while an item is worked
    /// on.
    pub(crate) fn share<T: Send, M: Default + Send>(
        &self,
        items: impl Iterator<Item = T>,
        watch: Option<&Watch<'_>>,
        memories: &[Mutex<M>],
        work: impl Fn(&mut M, T, Stop<'_>) + Sync,
    ) {
        let begin = |memory: &mut M, item, _, stop: Stop<'_>| {
            work(memory, item, stop);
            None
        };
        self.share_in_two(items, watch, memories, begin, |_, rest: Infallible, _| match rest {});
    }

    /// Like [`share`](Self::share), where something of the last items may be left for the end, when threads
    /// have nothing else to do any more: `begin` is told whether it may, and returns what it leaves.
    pub(crate) fn share_in_two<T: Send, R: Send, M: Default + Send>(
        &self,
        mut items: impl Iterator<Item = T>,
        watch: Option<&Watch<'_>>,
        memories: &[Mutex<M>],
        begin: impl Fn(&mut M, T, bool, Stop<'_>) -> Option<R> + Sync,
        finish: impl Fn(&mut M, R, Stop<'_>) + Sync,
    ) {
        let asked = AtomicBool::new(false);
        let interrupts = SharedWatch::of_this_thread();
        let own = Stop { asked: &asked, watch, interrupts: &interrupts };
        let alone = |items: &mut dyn Iterator<Item = T>| {
            with_memory(memories, 0, |memory| {
                for item in items {
                    let rest = begin(memory, item, false, own);
                    rest.into_iter().for_each(|rest| finish(memory, rest, own));
                }
            });
        };
        if self.count() == 0 {
            return alone(&mut items);
        }
        // room for all at once, also where some are filtered out
        let mut list = Vec::with_capacity(items.size_hint().1.unwrap_or(0));
        list.extend(items.map(Some));
        let helpers = self.count().min(list.len().saturating_sub(1));
        if helpers == 0 {
            return alone(&mut list.into_iter().flatten());
        }
        let queue = Mutex::new(Queue::new(list, helpers + 1));
        let queue = || queue.lock().unwrap_or_else(PoisonError::into_inner);
        let take = |part| queue().take(part);
        let work = |part, stop| {
            with_memory(memories, part, |memory| {
                while let Some(work_item) = take(part) {
                    match work_item {
                        Work::Begin(item, is_late) => {
                            let rest = begin(memory, item, is_late, stop);
                            rest.into_iter().for_each(|rest| queue().leave(part, rest));
                        }
                        Work::Finish(rest) => finish(memory, rest, stop),
                    }
                }
            });
        };
        let (busy, caller) = (AtomicUsize::new(helpers), thread::current());
        let help = || {
            let _leave = Leave { busy: &busy, caller: &caller };
            // the same part in each step
            let part = 1 + rayon::current_thread_index().unwrap_or(0) % helpers;
            let stop = Stop { asked: &asked, watch: None, interrupts: &interrupts };
            // what is left of the items when it is interrupted is nobody's business
            let _ = interrupts.continued(|| work(part, stop));
        };
        self.in_scope(|scope| {
            call(scope, helpers, &help);
            work(0, own);
            wait(&busy, own);
        });
    }

    /// Calls a function on this thread that may call helpers, and waits for them.
    fn in_scope<'scope>(&self, work: impl FnOnce(&Scope<'scope>)) {
        let pool = match self {
            Self::Own(pool) => pool.get().ok(),
            _ => kinetree_threads::shared().ok().flatten(),
        };
        match pool {
            Some(pool) => pool.in_place_scope(work),
            None => rayon::in_place_scope(work),
        }
    }
}

/// Calls a function with the memory at an index, with another one when somebody has that, and with a new one
/// when there is none.
fn with_memory<M: Default>(memories: &[Mutex<M>], index: usize, work: impl FnOnce(&mut M)) {
    let (before, after) = memories.split_at(index.min(memories.len()));
    let free = after.iter().chain(before).find_map(|memory| match memory.try_lock() {
        Ok(memory) => Some(memory),
        Err(TryLockError::Poisoned(memory)) => Some(memory.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    });
    match free {
        Some(mut memory) => work(&mut memory),
        None => work(&mut M::default()),
    }
}

/// Items to be taken, in as many parts as there are threads. A thread takes those of its own part from front
/// to back, so that they stay in the caches of its processor from step to step; when none are left there, it
/// takes the last of the fullest part. When there are none any more, what was left of items follows in the
/// same way, of its own the latest first.
struct Queue<T, R> {
    items: Vec<Option<T>>,
    parts: Vec<Part<R>>,
}

/// Indices of items that no thread has taken yet, and what is left of others.
struct Part<R> {
    untaken: Range<usize>,
    rests: VecDeque<R>,
}

/// What a thread is to do next.
enum Work<T, R> {
    /// An item, and whether something of it may be left for the end.
    Begin(T, bool),
    /// What was left of one.
    Finish(R),
}

impl<T, R> Queue<T, R> {
    fn new(items: Vec<Option<T>>, parts: usize) -> Self {
        let count = items.len();
        let untaken = |part| part * count / parts..(part + 1) * count / parts;
        let part = |part| Part { untaken: untaken(part), rests: VecDeque::new() };
        Self { items, parts: (0..parts).map(part).collect() }
    }

    fn take(&mut self, part: usize) -> Option<Work<T, R>> {
        let Self { items, parts } = self;
        let own = parts[part].untaken.next();
        let index =
            own.or_else(|| parts.iter_mut().max_by_key(|part| part.untaken.len())?.untaken.next_back());
        if let Some(item) = index.and_then(|index| items[index].take()) {
            return Some(Work::Begin(item, parts[part].untaken.len() < LATE));
        }
        let own = parts[part].rests.pop_back();
        let rest = own.or_else(|| parts.iter_mut().max_by_key(|part| part.rests.len())?.rests.pop_front());
        rest.map(Work::Finish)
    }

    /// Leaves something of an item for the end.
    fn leave(&mut self, part: usize, rest: R) {
        self.parts[part].rests.push_back(rest);
    }
}

/// Calls helpers, the first of whom call the others.
fn call<'scope>(scope: &Scope<'scope>, helpers: usize, help: &'scope (impl Fn() + Sync)) {
    let Some(others) = helpers.checked_sub(1) else { return };
    scope.spawn(move |scope| {
        call(scope, others / 2, help);
        call(scope, others - others / 2, help);
        help();
    });
}

/// Waits until no helper is busy.
fn wait(busy: &AtomicUsize, stop: Stop<'_>) {
    let begin = Instant::now();
    while busy.load(Ordering::Acquire) > 0 {
        stop.is_asked();
        match rayon::yield_now() {
            // a thread of a pool, whose own jobs may be the helpers that have not come yet
            Some(Yield::Executed) => {}
            Some(Yield::Idle) => thread::yield_now(),
            None if begin.elapsed() < PATIENCE => std::hint::spin_loop(),
            None => thread::park_timeout(stop.watch.map_or(Duration::MAX, |watch| watch.interval)),
        }
    }
}

/// A helper that tells when it is done, even when it panics.
struct Leave<'a> {
    busy: &'a AtomicUsize,
    caller: &'a Thread,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        if self.busy.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.caller.unpark();
        }
    }
}

/// What the calling thread asks every so often while steps are made: whether to go on.
pub(crate) struct Watch<'a> {
    interval: Duration,
    last: Cell<Instant>,
    go_on: &'a dyn Fn() -> bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(interval: Duration, go_on: &'a dyn Fn() -> bool) -> Self {
        Self { interval, last: Cell::new(Instant::now()), go_on }
    }

    /// Whether it is time to ask, and the answer is no.
    fn ends(&self) -> bool {
        let now = Instant::now();
        if now - self.last.get() < self.interval {
            return false;
        }
        self.last.set(now);
        !(self.go_on)()
    }
}

/// Whether steps are to end early; asked before each step of physics.
#[derive(Clone, Copy)]
pub(crate) struct Stop<'a> {
    asked: &'a AtomicBool,
    /// There on the calling thread only.
    watch: Option<&'a Watch<'a>>,
    /// By which steps of helpers are ended that take long by themselves.
    interrupts: &'a SharedWatch,
}

impl Stop<'_> {
    pub(crate) fn is_asked(self) -> bool {
        if self.watch.is_some_and(Watch::ends) {
            self.asked.store(true, Ordering::Relaxed);
            self.interrupts.tell();
        }
        self.asked.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Shares items out to threads without memories.
    fn share<T: Send>(
        helpers: &Helpers,
        items: impl Iterator<Item = T>,
        watch: Option<&Watch<'_>>,
        work: impl Fn(T, Stop<'_>) + Sync,
    ) {
        helpers.share(items, watch, &[], |(): &mut (), item, stop| work(item, stop));
    }

    /// Each item goes to one thread, on any number of threads, also to threads of a pool who ask each other.
    #[test]
    fn items_are_shared() {
        for threads in 0..5 {
            let helpers = Helpers::new(threads).unwrap();
            for count in [0, 1, 2, 100] {
                let mut items = vec![0_usize; count];
                share(&helpers, items.iter_mut().enumerate(), None, |(i, item), _| *item += i + 1);
                assert!(items.iter().enumerate().all(|(i, item)| *item == i + 1));
            }
        }
        (0..64).into_par_iter().for_each(|_| {
            let mut items = [false; 8];
            share(&Helpers::Shared, items.iter_mut(), None, |item, _| {
                thread::sleep(Duration::from_micros(50));
                *item = true;
            });
            assert_eq!(items, [true; 8]);
        });
    }

    /// What is left of items is done once, too: some of the last of each thread, and nothing where there is
    /// one thread only.
    #[test]
    fn what_is_left_is_done() {
        for threads in 1..5 {
            let helpers = Helpers::new(threads).unwrap();
            let mut items = vec![[0; 2]; 100];
            let left = AtomicUsize::new(0);
            let counts: Vec<Mutex<usize>> = (0..threads).map(Mutex::new).collect();
            helpers.share_in_two(
                items.iter_mut(),
                None,
                &counts,
                |count, item, leaves, _| {
                    *count += 1;
                    item[0] += 1;
                    if leaves {
                        left.fetch_add(1, Ordering::Relaxed);
                        return Some(item);
                    }
                    item[1] += 1;
                    None
                },
                |_, item, _| item[1] += 1,
            );
            assert_eq!(items, [[1; 2]; 100]);
            let counts = counts.into_iter().map(|count| count.into_inner().unwrap());
            assert_eq!(counts.sum::<usize>(), 100 + threads * (threads - 1) / 2);
            let left = left.into_inner();
            assert!(if threads == 1 { left == 0 } else { (LATE..100).contains(&left) }, "{left}");
        }
    }

    /// The calling thread asks while it works and while it waits for others.
    #[test]
    fn work_ends_when_asked_to() {
        for threads in 1..4 {
            let (helpers, begin) = (Helpers::new(threads).unwrap(), Instant::now());
            let caller = thread::current().id();
            let go_on = || begin.elapsed() < Duration::from_millis(20);
            for busy in [true, false] {
                let watch = Watch::new(Duration::from_millis(1), &go_on);
                share(&helpers, [(); 8].iter(), Some(&watch), |(), stop| {
                    // on one thread there is nobody else to be busy
                    let works = threads == 1 || busy == (thread::current().id() == caller);
                    while works && !stop.is_asked() {
                        thread::yield_now();
                    }
                });
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_when_all_are_done() {
        let helpers = Helpers::new(3).unwrap();
        for bad in 0..4 {
            let done = AtomicUsize::new(0);
            let work = AssertUnwindSafe(|| {
                share(&helpers, 0..4, None, |i, _| {
                    assert_ne!(i, bad);
                    done.fetch_add(1, Ordering::Relaxed);
                });
            });
            assert!(catch_unwind(work).is_err());
            assert!(done.into_inner() <= 3);
        }
    }
}
