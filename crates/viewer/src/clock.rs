//! The time that a simulation follows.

/// Seconds since some moment that does not change.
pub trait Clock {
    /// The time (s).
    fn now(&self) -> f64;
}

impl<F: Fn() -> f64> Clock for F {
    fn now(&self) -> f64 {
        self()
    }
}
