//! What a task adds to the physics: rewards, ends of episodes and first states. Closures will do.

use crate::random::Random;
use kinetree_model::{Data, Model};

/// The reward of a step.
pub trait RewardFn: Send + Sync {
    /// Reward of a world after its step.
    fn compute(&self, model: &Model, data: &Data) -> f64;
}

impl<F: Fn(&Model, &Data) -> f64 + Send + Sync> RewardFn for F {
    fn compute(&self, model: &Model, data: &Data) -> f64 {
        self(model, data)
    }
}

/// The end of an episode.
pub trait TerminationFn: Send + Sync {
    /// Whether the episode of a world has ended with this step.
    fn terminated(&self, model: &Model, data: &Data) -> bool;
}

impl<F: Fn(&Model, &Data) -> bool + Send + Sync> TerminationFn for F {
    fn terminated(&self, model: &Model, data: &Data) -> bool {
        self(model, data)
    }
}

/// The first state of an episode.
pub trait ResetFn: Send + Sync {
    /// Changes the state of a world that has just been reset to that of the model. Each world has random
    /// numbers of its own.
    fn reset(&self, model: &Model, data: &mut Data, random: &mut Random);
}

impl<F: Fn(&Model, &mut Data, &mut Random) + Send + Sync> ResetFn for F {
    fn reset(&self, model: &Model, data: &mut Data, random: &mut Random) {
        self(model, data, random);
    }
}
