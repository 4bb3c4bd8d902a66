//! The thread of the windows. A process has one event loop for windows, which stays on one thread: windows
//! are opened there one after the other.

use kinetree_viewer::{Setup, WindowError, WindowOptions, open_window};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// What the thread does: shows one window until it is closed.
type Job = Box<dyn FnOnce() + Send>;
/// Wakes a window from any thread.
pub(super) type Wake = Arc<dyn Fn() + Send + Sync>;

/// Whether a window is open.
static OPEN: AtomicBool = AtomicBool::new(false);
static HOST: Mutex<Option<Sender<Job>>> = Mutex::new(None);

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

/// A window that was asked for. Closed when the channel closes.
pub(super) struct OpenWindow {
    outcome: Receiver<Result<(), HostError>>,
}

/// Opens a window on its thread and returns once it is there.
pub(super) fn open(
    title: String,
    setup: impl FnOnce(Wake) -> Setup + Send + 'static,
) -> Result<OpenWindow, HostError> {
    if cfg!(target_os = "macos") {
        return Err(HostError::MainThread);
    }
    let reservation = Reservation::new()?;
    let (opened, is_open) = channel();
    let (finished, outcome) = channel();
    let job = move || {
        let options = WindowOptions { title, any_thread: true };
        let make = |wake: Wake| {
            let setup = setup(wake);
            // whoever asked may have gone away
            let _ = opened.send(());
            Ok::<_, Infallible>(setup)
        };
        let shown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| open_window(&options, make)));
        let result = match shown {
            Ok(result) => result.map_err(HostError::from),
            Err(_) => Err(HostError::Failed("internal error".into())),
        };
        drop(reservation);
        let _ = finished.send(result);
    };
    enqueue(Box::new(job))?;
    let window = OpenWindow { outcome };
    // the sender is dropped without a word when the window cannot be opened
    match is_open.recv() {
        Ok(()) => Ok(window),
        Err(_) => Err(window.wait().err().unwrap_or_else(|| HostError::Failed("no window".into()))),
    }
}

/// Hands a job to the thread, which is started with the first one.
fn enqueue(job: Job) -> Result<(), HostError> {
    let mut host = HOST.lock().unwrap_or_else(PoisonError::into_inner);
    let start = |jobs: Receiver<Job>| {
        let run = move || jobs.into_iter().for_each(|job| job());
        std::thread::Builder::new().name("windows".into()).spawn(run)
    };
    if host.is_none() {
        let (sender, jobs) = channel();
        start(jobs).map_err(|error| HostError::Failed(error.to_string()))?;
        *host = Some(sender);
    }
    let sent = host.as_ref().map(|sender| sender.send(job));
    match sent {
        Some(Ok(())) => Ok(()),
        _ => Err(HostError::Failed("the thread of the windows has ended".into())),
    }
}

impl OpenWindow {
    /// Waits until the window is closed.
    pub(super) fn wait(&self) -> Result<(), HostError> {
        self.outcome.recv().unwrap_or(Ok(()))
    }

    /// Whether the window has closed.
    pub(super) fn is_closed(&self) -> bool {
        !matches!(self.outcome.try_recv(), Err(std::sync::mpsc::TryRecvError::Empty))
    }
}
