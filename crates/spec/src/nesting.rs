//! How deep providers and decoders call each other.
//!
//! A decoder may load a model, whose files another decoder reads. One that loads the file which it is asked
//! to decode would never come back: beyond a depth that nobody needs it gets an error.

use std::cell::Cell;

/// Most providers and decoders that may be at work inside each other.
pub(crate) const MOST: usize = 16;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// How many are at work on this thread.
pub(crate) fn depth() -> usize {
    DEPTH.get()
}

/// Says on a thread that works for another one how many are at work there.
pub(crate) fn continue_at(depth: usize) {
    DEPTH.set(depth);
}

/// Calls a provider or a decoder, unless too many are at work already.
pub(crate) fn enter<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            DEPTH.set(DEPTH.get() - 1);
        }
    }
    if depth() >= MOST {
        return Err(format!(
            "providers and decoders call each other more than {MOST} deep; does one load its own file?"
        ));
    }
    DEPTH.set(depth() + 1);
    let _leave = Leave;
    Ok(call())
}
