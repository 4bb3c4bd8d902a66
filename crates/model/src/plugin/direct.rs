//! Instances that work on a data itself, such as those that are written in another language.
//!
//! What they remember is theirs, and they are told when it is made, copied and given back. They belong to the
//! data, not to the working memory of a call: a call inside a call of a plugin finds the same instances, and
//! a call that is left in the middle loses none.

use super::PluginResult;
use crate::{Data, Model};

/// What an instance that works on the data itself is asked to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// The forces of its actuators.
    Actuator,
    /// The values of its sensors.
    Sensor,
    /// Passive forces, added to `Data::qfrc_passive`.
    Passive,
}

/// An instance that works on the data itself. What it writes is not checked, and stays when it fails. A
/// method may be called while another one of the same instance runs, since plugins may call the engine.
///
/// A reset of the data leaves its state and its `plugin_data` as they are, and a copy its `plugin_data`.
pub trait DirectInstance: Send + Sync {
    /// Makes what the instance remembers, unless it is there.
    ///
    /// # Errors
    /// What went wrong; the other methods fail with it, too.
    fn make(&self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()>;

    /// Resets the state, after a reset of the data.
    ///
    /// # Errors
    /// What went wrong.
    fn reset(&self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()>;

    /// Sets the derivatives of the activations of its actuators.
    ///
    /// # Errors
    /// What went wrong; the step fails with it.
    fn act_dot(&self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()>;

    /// Computes what it is asked for.
    ///
    /// # Errors
    /// What went wrong; the step fails with it.
    fn compute(&self, model: &Model, data: &mut Data, id: usize, what: Request) -> PluginResult<()>;

    /// Ends a step.
    ///
    /// # Errors
    /// What went wrong; the step fails with it.
    fn advance(&self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()>;

    /// Takes over what it remembers for another data, whose arrays `data` has already.
    ///
    /// # Errors
    /// What went wrong.
    fn copy_from(&self, model: &Model, data: &mut Data, source: &Data, id: usize) -> PluginResult<()>;

    /// Gives back what it remembers: it is not used any more.
    fn destroy(&self, data: &mut Data, id: usize);
}
