//! What batches have in common, whatever steps their worlds.

use crate::error::BatchError;
use kinetree_model::{Model, StepError};
use std::sync::Arc;

/// Numbers in a row of states: positions, velocities, activations, and the accelerations that the solver
/// starts from.
#[must_use]
pub fn state_size(model: &Model) -> usize {
    model.nq + 2 * model.nv + model.na
}

/// Worlds of one model that are stepped together, on threads or on another device.
///
/// Everything that goes in or out is a row for each world, in double precision whatever the device computes
/// in. A world that fails is reported by [`take_failures`](Self::take_failures) and begins anew, while others
/// go on.
///
/// ```
/// use kinetree_batch::{BatchSim, Worlds, state_size};
/// use std::sync::Arc;
///
/// /// Ten steps of worlds on any device, with the same controls.
/// fn push<W: Worlds>(model: &Arc<kinetree_model::Model>) -> Result<Vec<f64>, kinetree_batch::BatchError> {
///     let mut worlds = W::create(Arc::clone(model), 4)?;
///     worlds.set_controls(&[0.0, 0.1, 0.2, 0.3])?;
///     worlds.steps(10)?;
///     let mut states = vec![0.0; 4 * state_size(model)];
///     worlds.read_states(&mut states)?;
///     Ok(states)
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let xml = "<mujoco>
///     <worldbody><body><joint name='hinge' axis='0 0 1'/><geom size='0.1' pos='0.3 0 0'/></body></worldbody>
///     <actuator><motor joint='hinge'/></actuator></mujoco>";
/// let states = push::<BatchSim>(&Arc::new(kinetree_spec::load_model_str(xml)?))?;
/// assert!(states[0] == 0.0 && states[3] > 0.0, "the hinges of the first two worlds");
/// # Ok(())
/// # }
/// ```
pub trait Worlds: Send + Sync {
    /// So many worlds of a model, in its first state.
    ///
    /// # Errors
    /// When there is no such device, or it cannot hold or simulate them.
    fn create(model: Arc<Model>, worlds: usize) -> Result<Self, BatchError>
    where
        Self: Sized;

    /// Number of worlds.
    fn count(&self) -> usize;

    /// The model, without varied fields.
    fn common_model(&self) -> &Arc<Model>;

    /// Sets the controls of all worlds, a row of `nu` for each.
    ///
    /// # Errors
    /// When the number of values is wrong.
    fn set_controls(&mut self, controls: &[f64]) -> Result<(), BatchError>;

    /// Makes so many steps of all worlds with the same controls; on a GPU in few submissions.
    ///
    /// # Errors
    /// When the device fails.
    fn steps(&mut self, count: usize) -> Result<(), BatchError>;

    /// Makes a step of all worlds.
    ///
    /// # Errors
    /// When the device fails.
    fn step(&mut self) -> Result<(), BatchError> {
        self.steps(1)
    }

    /// Puts worlds into their first states where the mask is true.
    ///
    /// # Errors
    /// When the mask does not have an entry for each world, or the device fails.
    fn reset(&mut self, mask: &[bool]) -> Result<(), BatchError>;

    /// Reads the states of all worlds, a row of [`state_size`] for each.
    ///
    /// # Errors
    /// When the length is wrong, or the device fails.
    fn read_states(&mut self, states: &mut [f64]) -> Result<(), BatchError>;

    /// Makes so many steps, at least one, and reads the states before the last of them and after it.
    ///
    /// # Errors
    /// As [`steps`](Self::steps) and [`read_states`](Self::read_states).
    fn steps_with_last(
        &mut self,
        count: usize,
        before: &mut [f64],
        after: &mut [f64],
    ) -> Result<(), BatchError> {
        if count > 1 {
            self.steps(count - 1)?;
        }
        self.read_states(before)?;
        self.steps(1)?;
        self.read_states(after)
    }

    /// Writes the states of worlds where the mask is true; there are rows for all of them.
    ///
    /// # Errors
    /// When a length is wrong, or the device fails.
    fn write_states(&mut self, mask: &[bool], states: &[f64]) -> Result<(), BatchError>;

    /// Reads the sensors of all worlds at the beginning of their last step, a row of `nsensordata` for each.
    ///
    /// # Errors
    /// When the device does not compute one of them, or fails.
    fn read_sensors(&mut self, sensordata: &mut [f64]) -> Result<(), BatchError>;

    /// Reads the rewards of the last step; zero where nothing computes them.
    ///
    /// # Errors
    /// When the length is wrong, or the device fails.
    fn read_rewards(&mut self, rewards: &mut [f64]) -> Result<(), BatchError>;

    /// Tells why worlds failed since this was asked last.
    ///
    /// # Errors
    /// When the length is wrong, or the device fails.
    fn take_failures(&mut self, failures: &mut [Option<StepError>]) -> Result<(), BatchError>;

    /// Activates and deactivates equalities, a row of `neq` for each world, until a reset brings those of the
    /// model back.
    ///
    /// # Errors
    /// When the number of values is wrong, or the device fails.
    fn set_equalities(&mut self, active: &[bool]) -> Result<(), BatchError>;

    /// Tells which equalities are active, a row of `neq` for each world.
    ///
    /// # Errors
    /// When the length is wrong, or the device fails.
    fn read_equalities(&mut self, active: &mut [bool]) -> Result<(), BatchError>;

    /// Sets the poses of mocap bodies, position and quaternion of each, a row of `7 nmocap` for each world,
    /// until a reset brings those of the model back.
    ///
    /// # Errors
    /// When the number of values is wrong, or the device fails.
    fn set_mocap(&mut self, poses: &[f64]) -> Result<(), BatchError>;

    /// Reads the poses of mocap bodies, a row of `7 nmocap` for each world.
    ///
    /// # Errors
    /// When the length is wrong, or the device fails.
    fn read_mocap(&mut self, poses: &mut [f64]) -> Result<(), BatchError>;

    /// Gives each world values of its own for an array of the model.
    ///
    /// # Errors
    /// When the model has no such array, the number of values is wrong, or the device fails.
    fn vary(&mut self, field: &str, values: &[f64]) -> Result<(), BatchError>;

    /// Gives all worlds the arrays of the model again.
    ///
    /// # Errors
    /// When the device fails.
    fn end_variations(&mut self) -> Result<(), BatchError>;
}

/// An error unless a list has a row of `width` for each of `worlds` worlds.
pub(crate) fn check_rows(
    what: &'static str,
    got: usize,
    worlds: usize,
    width: usize,
) -> Result<(), BatchError> {
    let expected = worlds * width;
    if got == expected {
        return Ok(());
    }
    let explanation = format!("{width} for each of {worlds} worlds");
    Err(BatchError::Length { what, expected, got, explanation })
}
