//! A ring of recorded states, through which the timeline moves.

use std::collections::VecDeque;

/// Most memory of a history (bytes).
const MEMORY: usize = 64 << 20;
/// Most states.
const STATES: usize = 3600;

/// The states of the last seconds, oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    states: VecDeque<Box<[f64]>>,
    capacity: usize,
}

impl History {
    /// An empty history of states with so many numbers.
    #[must_use]
    pub fn new(state_size: usize) -> Self {
        let capacity = (MEMORY / (8 * state_size.max(1))).clamp(2, STATES);
        Self { states: VecDeque::new(), capacity }
    }

    /// Number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether nothing is recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// A state, counted from the oldest.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&[f64]> {
        self.states.get(index).map(AsRef::as_ref)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.states.clear();
    }

    /// Forgets what comes after a state.
    pub fn truncate_after(&mut self, index: usize) {
        self.states.truncate(index + 1);
    }

    /// Records a state in the memory of the oldest one when the ring is full; `write` fills it.
    pub fn push_with(&mut self, size: usize, write: impl FnOnce(&mut [f64])) {
        let oldest = if self.states.len() >= self.capacity { self.states.pop_front() } else { None };
        let mut state = oldest.filter(|s| s.len() == size).unwrap_or_else(|| vec![0.0; size].into());
        write(&mut state);
        self.states.push_back(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_states_make_room() {
        let size = MEMORY / 8 / 4;
        let mut history = History::new(size);
        for i in 0..6 {
            history.push_with(size, |state| state[0] = f64::from(i));
        }
        assert_eq!(history.len(), 4);
        assert_eq!(history.get(0).map(|s| s[0]), Some(2.0));
        history.truncate_after(1);
        assert_eq!((history.len(), history.get(1).map(|s| s[0]), history.get(2)), (2, Some(3.0), None));
    }
}
