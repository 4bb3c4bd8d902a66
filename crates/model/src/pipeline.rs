//! The methods that carry a world through time.
//!
//! How that is done is not known here. The crate that knows leaves a table of its functions in each model
//! that is loaded, so that `data.step(&model)` needs nothing but the two.

use crate::{Data, Mismatch, Model, StateError, StepError, mj_reset_data, mj_reset_data_keyframe};

/// The functions of an engine. `kinetree::sim::install_pipeline` puts them into a model.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline {
    /// Ends every reset: poses and flags that must hold before the first step.
    pub after_reset: fn(&Model, &mut Data),
    /// Advances by one time step.
    pub step: fn(&Model, &mut Data) -> Result<(), StepError>,
    /// Forward dynamics.
    pub forward: fn(&Model, &mut Data) -> Result<(), StepError>,
    /// Inverse dynamics.
    pub inverse: fn(&Model, &mut Data) -> Result<(), StepError>,
}

impl Model {
    fn functions(&self) -> Result<&'static Pipeline, StepError> {
        self.pipeline.ok_or(StepError::NoPipeline)
    }
}

impl Data {
    /// Advances the world by one time step, like `mj_step`.
    ///
    /// # Errors
    /// When the data belongs to another model or the model asks for what is not supported.
    pub fn step(&mut self, model: &Model) -> Result<(), StepError> {
        (model.functions()?.step)(model, self)
    }

    /// Advances the world by `count` time steps.
    ///
    /// # Errors
    /// As [`Data::step`]; steps already made are kept.
    pub fn steps(&mut self, model: &Model, count: usize) -> Result<(), StepError> {
        (0..count).try_for_each(|_| self.step(model))
    }

    /// Computes everything that follows from the state and the inputs without advancing time, like
    /// `mj_forward`.
    ///
    /// # Errors
    /// As [`Data::step`].
    pub fn forward(&mut self, model: &Model) -> Result<(), StepError> {
        (model.functions()?.forward)(model, self)
    }

    /// Computes the forces that would cause the accelerations `qacc`, like `mj_inverse`.
    ///
    /// # Errors
    /// As [`Data::step`].
    pub fn inverse(&mut self, model: &Model) -> Result<(), StepError> {
        (model.functions()?.inverse)(model, self)
    }

    /// Returns to the model's initial state.
    ///
    /// # Errors
    /// When the data belongs to another model.
    pub fn reset(&mut self, model: &Model) -> Result<(), Mismatch> {
        mj_reset_data(model, self)
    }

    /// Returns to the state of keyframe `key`.
    ///
    /// # Errors
    /// When the data belongs to another model, or the model has no such keyframe.
    pub fn reset_to_keyframe(&mut self, model: &Model, key: usize) -> Result<(), StateError> {
        mj_reset_data_keyframe(model, self, key)
    }
}
