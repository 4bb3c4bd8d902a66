//! Ctrl-C: the first press asks a running loop to stop and keep what it has, the second one ends the program
//! at once.

use std::sync::atomic::{AtomicBool, Ordering};

static PRESSED: AtomicBool = AtomicBool::new(false);

/// Watches for Ctrl-C from now on. Where that is not possible, Ctrl-C ends the program as usual.
pub(crate) fn watch() {
    let _ = ctrlc::set_handler(|| {
        if PRESSED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether the user asked to stop.
pub(crate) fn pressed() -> bool {
    PRESSED.load(Ordering::Relaxed)
}
