//! Panics of the engine, which become exceptions: whatever goes wrong, the process lives.

use crate::errors::UnexpectedError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// What the last panic of this thread said, with its place in the source.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics from being printed: they become exceptions.
pub(crate) fn silence_panics() {
    std::panic::set_hook(Box::new(|info| PANIC.with_borrow_mut(|text| *text = info.to_string())));
}

/// Turns a panic into an exception.
pub(crate) fn guarded<R>(f: impl FnOnce() -> R) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        let mut text = PANIC.with_borrow_mut(std::mem::take);
        if text.is_empty() {
            // it came from another thread
            let said = payload.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| payload.downcast_ref::<&str>().copied());
            text = said.unwrap_or("unknown cause").to_owned();
        }
        UnexpectedError::new_err(format!("internal error: {text}"))
    })
}
