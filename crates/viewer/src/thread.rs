//! Physics on a thread of its own: a slow model drops frames, not input.

use crate::clock::Clock;
use crate::command::Command;
use crate::driver::Driver;
use crate::simulation::Simulation;
use crate::snapshot::Snapshot;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Snapshots are published this often at most (s).
const PUBLISH_EVERY: f64 = 1.0 / 120.0;
/// Longest time that the thread simulates before it looks for commands (s).
const BUDGET: f64 = 0.01;
/// How long a paused thread sleeps at most.
const IDLE: Duration = Duration::from_millis(200);

/// The time since the first call.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

/// Snapshots on their way between the threads.
#[derive(Default)]
struct Exchange {
    ready: Option<Box<Snapshot>>,
    spare: Option<Box<Snapshot>>,
    failure: Option<String>,
}

/// Runs the simulation on a thread.
pub struct Threaded {
    commands: Option<Sender<Command>>,
    exchange: Arc<Mutex<Exchange>>,
    thread: Option<JoinHandle<Simulation>>,
}

impl Threaded {
    /// Starts the thread; it calls `wake` after each snapshot.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(simulation: Simulation, wake: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        let (commands, received) = channel();
        let exchange = Arc::new(Mutex::new(Exchange::default()));
        let shared = exchange.clone();
        let thread = std::thread::Builder::new()
            .name("physics".into())
            .spawn(move || run(simulation, &received, &shared, &wake))?;
        Ok(Self { commands: Some(commands), exchange, thread: Some(thread) })
    }

    /// Ends the thread and returns the simulation as it is then, unless it has panicked.
    pub fn finish(mut self) -> Option<Simulation> {
        self.commands = None;
        self.thread.take()?.join().ok()
    }
}

fn lock(exchange: &Mutex<Exchange>) -> MutexGuard<'_, Exchange> {
    exchange.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run(
    mut simulation: Simulation,
    commands: &Receiver<Command>,
    exchange: &Mutex<Exchange>,
    wake: &dyn Fn(),
) -> Simulation {
    let clock = SystemClock::default();
    let (mut changed, mut published) = (true, f64::NEG_INFINITY);
    loop {
        let pause = match simulation.next_due() {
            Some(due) => Duration::from_secs_f64(due.min(IDLE.as_secs_f64())),
            None if changed => Duration::from_secs_f64(PUBLISH_EVERY),
            None => IDLE,
        };
        let received = match commands.recv_timeout(pause) {
            Ok(command) => Some(command),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return simulation,
        };
        let work = || {
            let mut any = false;
            for command in received.into_iter().chain(commands.try_iter()) {
                simulation.apply(command);
                any = true;
            }
            simulation.advance(&clock, BUDGET) || any
        };
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(any) => changed |= any,
            Err(panic) => {
                simulation = simulation.emptied();
                lock(exchange).failure = Some(panic_text(&*panic));
                wake();
            }
        }
        if changed && clock.now() >= published + PUBLISH_EVERY {
            let mut spare = {
                let mut slots = lock(exchange);
                slots.spare.take().or_else(|| slots.ready.take())
            };
            let snapshot = simulation.snapshot(&mut spare);
            lock(exchange).ready = snapshot;
            (changed, published) = (false, clock.now());
            wake();
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the simulation failed: {}. Open the model again to go on", text.unwrap_or_default())
}

impl Driver for Threaded {
    fn send(&mut self, command: Command) {
        if let Some(commands) = &self.commands {
            // a thread that has failed says so in its last snapshot
            let _ = commands.send(command);
        }
    }

    fn poll(&mut self) -> Option<Box<Snapshot>> {
        lock(&self.exchange).ready.take()
    }

    fn failure(&mut self) -> Option<String> {
        lock(&self.exchange).failure.take()
    }

    fn recycle(&mut self, snapshot: Box<Snapshot>) {
        lock(&self.exchange).spare = Some(snapshot);
    }
}
