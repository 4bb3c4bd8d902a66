//! The comfortable form of the pipeline: methods on `Data` instead of free functions.

use kinetree_model::{Data, Model, StateError, mj_reset_data, mj_reset_data_keyframe};
use kinetree_sim::{StepError, mj_forward, mj_inverse, mj_step};

/// Methods that carry a world through the pipeline. Each is the free function of `kinetree::sim` with the
/// same meaning.
pub trait Simulate {
    /// Advances the world by one time step, like [`mj_step`].
    ///
    /// # Errors
    /// When the data belongs to another model or the model asks for what is not supported.
    fn step(&mut self, model: &Model) -> Result<(), StepError>;

    /// Advances the world by `count` time steps.
    ///
    /// # Errors
    /// As [`Simulate::step`]; steps already made are kept.
    fn steps(&mut self, model: &Model, count: usize) -> Result<(), StepError> {
        (0..count).try_for_each(|_| self.step(model))
    }

    /// Computes everything that follows from the state and the inputs without advancing time, like
    /// [`mj_forward`].
    ///
    /// # Errors
    /// As [`Simulate::step`].
    fn forward(&mut self, model: &Model) -> Result<(), StepError>;

    /// Computes the forces that would cause the accelerations `qacc`, like [`mj_inverse`].
    ///
    /// # Errors
    /// As [`Simulate::step`].
    fn inverse(&mut self, model: &Model) -> Result<(), StepError>;

    /// Returns to the model's initial state.
    fn reset(&mut self, model: &Model);

    /// Returns to the state of keyframe `key`.
    ///
    /// # Errors
    /// When the model has no such keyframe.
    fn reset_to_keyframe(&mut self, model: &Model, key: usize) -> Result<(), StateError>;
}

impl Simulate for Data {
    fn step(&mut self, model: &Model) -> Result<(), StepError> {
        mj_step(model, self)
    }

    fn forward(&mut self, model: &Model) -> Result<(), StepError> {
        mj_forward(model, self)
    }

    fn inverse(&mut self, model: &Model) -> Result<(), StepError> {
        mj_inverse(model, self)
    }

    fn reset(&mut self, model: &Model) {
        mj_reset_data(model, self);
    }

    fn reset_to_keyframe(&mut self, model: &Model, key: usize) -> Result<(), StateError> {
        mj_reset_data_keyframe(model, self, key)
    }
}
