//! Interruptions: somebody who is asked now and then whether a long call shall go on.

/// Asks whether to go on.
pub(crate) struct Watch<'a>(Option<&'a mut dyn FnMut() -> bool>);

impl<'a> Watch<'a> {
    /// Nobody is asked.
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Asks `go_on`.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn new(go_on: &'a mut dyn FnMut() -> bool) -> Self {
        Self(Some(go_on))
    }

    /// Whether anybody is asked.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn is_set(&self) -> bool {
        self.0.is_some()
    }

    /// Whether to go on.
    pub(crate) fn go_on(&mut self) -> bool {
        self.0.as_mut().is_none_or(|go_on| go_on())
    }
}
