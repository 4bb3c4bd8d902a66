//! Interruptions: somebody who is asked now and then whether a long call shall go on.

use kinetree_model::is_interrupted;

/// Asks whether to go on.
pub(crate) struct Watch<'a>(Option<&'a mut dyn FnMut() -> bool>);

impl<'a> Watch<'a> {
    /// Nobody is asked but the caller of the thread's work ([`kinetree_model::interruptible`]).
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Asks `go_on`, too.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn new(go_on: &'a mut dyn FnMut() -> bool) -> Self {
        Self(Some(go_on))
    }

    /// Whether to go on.
    pub(crate) fn go_on(&mut self) -> bool {
        !is_interrupted() && self.0.as_mut().is_none_or(|go_on| go_on())
    }
}
