//! The thread of the windows. A process has one event loop for windows, which stays on one thread: windows
//! are opened there one after the other.

use crate::lock::Brief;
use kinetree_threads::Process;
use kinetree_viewer::{Setup, WindowError, WindowOptions, open_window};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// What the thread does: shows one window until it is closed.
type Job = Box<dyn FnOnce() + Send>;
/// Wakes a window from any thread.
pub(super) type Wake = Arc<dyn Fn() + Send + Sync>;

/// Whether a window is open.
static OPEN: AtomicBool = AtomicBool::new(false);
static HOST: Brief<Option<(Sender<Job>, Process)>> = Brief::new(None);

/// How often a call that waits for a window looks whether it has closed.
const PATIENCE: Duration = Duration::from_millis(1);

/// Why a window did not open.
#[derive(Debug, thiserror::Error)]
pub(super) enum HostError {
    #[error(
        "unsupported: on macOS windows belong to the main thread, where Python runs; use `kinetree view`, or kinetree.Renderer for pictures"
    )]
    MainThread,
    #[error("another viewer is open: close it first")]
    Busy,
    #[error(transparent)]
    Window(#[from] WindowError),
    #[error("the viewer failed: {0}")]
    Failed(String),
    #[error("a window cannot be opened in a forked process whose parent has opened one")]
    Forked,
    /// What the thread of the windows has told.
    #[error("{0}")]
    Told(String),
}

/// Holds the one window until it is dropped.
struct Reservation;

impl Reservation {
    fn new() -> Result<Self, HostError> {
        if OPEN.swap(true, Ordering::AcqRel) { Err(HostError::Busy) } else { Ok(Self) }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        OPEN.store(false, Ordering::Release);
    }
}

/// A window that was asked for, and what its thread says when it has closed. To a child process it is
/// closed.
pub(super) struct OpenWindow {
    outcome: Arc<OnceLock<Result<(), String>>>,
    process: Process,
}

/// Opens a window on its thread and returns once it is there.
pub(super) fn open(
    title: String,
    setup: impl FnOnce(Wake) -> Setup + Send + 'static,
) -> Result<OpenWindow, HostError> {
    if cfg!(target_os = "macos") {
        return Err(HostError::MainThread);
    }
    let is_inherited =
        |host: &mut Option<(_, Process)>| host.as_ref().is_some_and(|host| !host.1.is_current());
    if HOST.with(is_inherited) {
        return Err(HostError::Forked);
    }
    let reservation = Reservation::new()?;
    let (opened, is_open) = channel();
    let window = OpenWindow { outcome: Arc::default(), process: Process::current() };
    let outcome = Arc::clone(&window.outcome);
    let job = move || {
        let options = WindowOptions { title, any_thread: true };
        let make = |wake: Wake| {
            let setup = setup(wake);
            // the thread that asked may have gone away
            let _ = opened.send(());
            Ok::<_, Infallible>(setup)
        };
        let shown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| open_window(&options, make)));
        let result = match shown {
            Ok(result) => result.map_err(HostError::from),
            Err(_) => Err(HostError::Failed("internal error".into())),
        };
        drop(reservation);
        // told once
        let _ = outcome.set(result.map_err(|error| error.to_string()));
    };
    enqueue(Box::new(job))?;
    // the sender is dropped without a word when the window cannot be opened
    match is_open.recv() {
        Ok(()) => Ok(window),
        Err(_) => loop {
            if let Some(outcome) = window.wait(PATIENCE) {
                return Err(HostError::Told(outcome.err().unwrap_or_else(|| "no window".into())));
            }
        },
    }
}

/// Hands a job to the thread, which is started with the first one.
fn enqueue(job: Job) -> Result<(), HostError> {
    let start = |jobs: Receiver<Job>| {
        let run = move || jobs.into_iter().for_each(|job| job());
        std::thread::Builder::new().name("windows".into()).spawn(run)
    };
    let sent = HOST.with(|host| {
        if host.is_none() {
            let (sender, jobs) = channel();
            start(jobs).map_err(|error| HostError::Failed(error.to_string()))?;
            *host = Some((sender, Process::current()));
        }
        Ok::<_, HostError>(host.as_ref().map(|(sender, _)| sender.send(job)))
    })?;
    match sent {
        Some(Ok(())) => Ok(()),
        _ => Err(HostError::Failed("the thread of the windows has ended".into())),
    }
}

impl OpenWindow {
    /// Waits for some time until the window is closed; none if it is still open then.
    pub(super) fn wait(&self, time: Duration) -> Option<Result<(), String>> {
        let begin = Instant::now();
        while !self.is_closed() && begin.elapsed() < time {
            std::thread::sleep(PATIENCE);
        }
        if self.process.is_current() { self.outcome.get().cloned() } else { Some(Ok(())) }
    }

    /// Whether the window has closed.
    pub(super) fn is_closed(&self) -> bool {
        self.outcome.get().is_some() || !self.process.is_current()
    }
}
