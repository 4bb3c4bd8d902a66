//! A world that takes part in steps in lockstep.

use crate::step_memory::StepMemory;
use crate::workspace::Workspace;
use kinetree_model::{Data, StepError};

/// One of the worlds that are stepped in lockstep.
pub struct LockstepWorld<'a> {
    pub(super) data: &'a mut Data,
    pub(super) work: Box<Workspace>,
    outcome: Result<(), StepError>,
    resting: bool,
}

impl std::fmt::Debug for LockstepWorld<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LockstepWorld").field("outcome", &self.outcome).finish_non_exhaustive()
    }
}

impl<'a> LockstepWorld<'a> {
    /// A world that takes part in steps until [`finish`](Self::finish).
    #[must_use]
    pub fn new(data: &'a mut Data) -> Self {
        let mut carried = kinetree_model::Workspace::default();
        data.swap_workspace(&mut carried);
        Self { data, work: carried.take(), outcome: Ok(()), resting: false }
    }

    /// What came of the steps.
    ///
    /// # Errors
    /// Why the world has failed; after that it took no part in any steps.
    pub fn finish(self) -> Result<(), StepError> {
        let mut carried = kinetree_model::Workspace::default();
        carried.put(self.work);
        self.data.swap_workspace(&mut carried);
        self.outcome
    }

    /// Lets the world rest while others make steps, or take part again.
    pub fn set_resting(&mut self, resting: bool) {
        self.resting = resting;
    }

    /// Whether the world takes part in steps: it neither rests nor has failed.
    #[must_use]
    pub fn is_active(&self) -> bool {
        !self.resting && self.outcome.is_ok()
    }

    /// Runs a part of a step, if the world takes part.
    #[inline(always)]
    pub(super) fn run(&mut self, part: impl FnOnce(&mut Data, &mut StepMemory) -> Result<(), StepError>) {
        if !self.is_active() {
            return;
        }
        let Self { data, work, outcome, .. } = self;
        *outcome = StepError::catch(|| part(data, &mut work.step));
        if outcome.is_err() {
            // nobody knows what a panic has left there
            **work = Workspace::default();
        }
    }
}
