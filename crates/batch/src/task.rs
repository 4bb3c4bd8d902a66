//! Tasks of reinforcement learning: observations, rewards and ends of episodes.

use crate::record::Record;
use kinetree_model::{Data, Model, StepError};

/// What the worlds of a batch observe, how their steps are rewarded and when their episodes end.
///
/// ```
/// use kinetree_batch::{BatchSim, Outcome, Record, Task, Transition};
/// use kinetree_model::{Data, Model};
/// use std::sync::Arc;
///
/// /// Keep a pole upright.
/// struct Upright;
///
/// impl Task for Upright {
///     fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
///         observation.each("orientation", [data.qpos[0].cos(), data.qpos[0].sin()]);
///         observation.put("velocity", &data.qvel);
///     }
///
///     fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
///         let height = step.data.qpos[0].cos();
///         metrics.number("height", height);
///         Outcome { reward: height, terminated: height < 0.0 }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let xml = "<mujoco>
///     <worldbody><body><joint name='hinge' axis='0 1 0'/><geom size='0.1' pos='0 0 1'/></body></worldbody>
///     <actuator><motor joint='hinge'/></actuator></mujoco>";
/// let model = Arc::new(kinetree_spec::load_model_str(xml)?);
/// let mut batch = BatchSim::with_task(model, 8, Arc::new(Upright))?;
/// batch.states_mut()[0] = 0.1;
/// batch.begin_where(&[true; 8])?;
/// batch.advance();
/// assert!(batch.rewards()[0] < 1.0 && batch.rewards()[1] == 1.0);
/// assert_eq!(batch.observations().len(), 8 * 3);
/// # Ok(())
/// # }
/// ```
pub trait Task: Send + Sync {
    /// Writes the observation of a state.
    fn observe(&self, model: &Model, data: &Data, observation: &mut Record<'_>);

    /// Reward of a step, and whether it ended the episode. `metrics` takes what is to be told besides.
    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome;

    /// Writes metrics that any state has, also the first one of an episode. They come before those of steps.
    fn describe(&self, _model: &Model, _data: &Data, _metrics: &mut Record<'_>) {}

    /// Writes down what [`evaluate`](Self::evaluate) needs to know about the state before a step.
    fn remember(&self, _model: &Model, _data: &Data, _before: &mut Record<'_>) {}

    /// Completes the first state of an episode, whose positions and velocities are set and evaluated.
    ///
    /// # Errors
    /// When that takes steps, and one of them fails.
    fn begin(&self, _model: &Model, _data: &mut Data) -> Result<(), StepError> {
        Ok(())
    }

    /// What is computed after the steps of physics.
    fn completion(&self) -> Completion {
        Completion::None
    }

    /// What the other functions read of a world. It matters where a device steps the worlds: only there does
    /// the last evaluation cost a step on the processor.
    fn reads(&self) -> Reads {
        Reads::LastEvaluation
    }
}

/// A step that was made.
#[derive(Clone, Copy, Debug)]
pub struct Transition<'a> {
    /// The model of the world.
    pub model: &'a Model,
    /// The world after the step; its `ctrl` are the controls of the step.
    pub data: &'a Data,
    /// What [`Task::remember`] wrote before the step.
    pub before: &'a [f64],
    /// Time of the step, in seconds.
    pub duration: f64,
    /// Whether controls were given in single precision: tasks that sum their squares may do so in the
    /// precision of the caller.
    pub single_precision: bool,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The reward.
    pub reward: f64,
    /// Whether the episode has ended.
    pub terminated: bool,
}

/// What a task reads of a world after a step, besides what its [`Completion`] computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reads {
    /// Positions, velocities, activations and controls alone.
    State,
    /// Anything that the last evaluation of the dynamics leaves: poses, forces, contacts, sensors.
    #[default]
    LastEvaluation,
}

/// What a step of the batch computes after its steps of physics, which leave arrays such as `xpos` as they
/// were at the last evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Completion {
    /// Nothing.
    #[default]
    None,
    /// Accelerations and forces of bodies (`mj_rne_post_constraint`), as Gymnasium has it.
    BodyForces,
    /// All that follows from positions and velocities of the new state (`mj_step1`), as `dm_control` has it.
    /// The next step does not compute that again.
    NextState,
}
