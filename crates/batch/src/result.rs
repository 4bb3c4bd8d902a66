//! What a step of all worlds leaves.

use kinetree_model::StepError;

/// What came of a step of all worlds, with an entry for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchResult {
    /// States, a row of [`columns`](Self::columns) numbers for each world: `qpos`, then `qvel`. Rows of
    /// worlds with smaller models end in zeros.
    pub states: Vec<f64>,
    /// Numbers in a row of `states`.
    pub columns: usize,
    /// Rewards; zero without a reward function, and for worlds that failed.
    pub rewards: Vec<f64>,
    /// Whether the episode ended with this step. Worlds that failed are among them.
    pub terminated: Vec<bool>,
    /// Whether the episode reached its time limit with this step.
    pub truncated: Vec<bool>,
    /// Why a world failed; it is reset before its next step.
    pub errors: Vec<Option<StepError>>,
}

impl BatchResult {
    /// State of one world: `qpos`, then `qvel`.
    ///
    /// # Panics
    /// When there is no such world.
    #[must_use]
    pub fn state(&self, world: usize) -> &[f64] {
        &self.states[world * self.columns..(world + 1) * self.columns]
    }
}
