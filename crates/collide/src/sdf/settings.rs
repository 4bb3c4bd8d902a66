//! How long searches by descent may take.

/// How many descents, and how long.
#[derive(Clone, Copy, Debug)]
pub struct DescentSettings {
    /// Starting points.
    pub points: usize,
    /// Iterations of each descent.
    pub iterations: usize,
    /// Whether the caller wants the search to end with what it has.
    pub is_over: fn() -> bool,
}

/// Descents, or iterations of one, between two questions whether the search is over.
const ROUND: usize = 16;

impl DescentSettings {
    /// Whether the search is to end before this descent, or this iteration of one.
    #[inline]
    pub(super) fn ends_at(&self, number: usize) -> bool {
        number % ROUND == ROUND - 1 && (self.is_over)()
    }
}
