//! A task of any kind.

use super::configuration::Configuration;
use super::equality::EqualityConstraintTask;
use super::frame_task::FrameTask;
use super::joint_tasks::{DampingTask, PostureTask};
use super::point_tasks::{ComTask, LookAtTask};
use super::task_rows::{Rows, TaskOptions};
use crate::error::IkError;
use crate::pose::Pose;
use kinetree_model::{Data, Model};

/// A task of whole-body inverse kinematics.
#[derive(Clone, Debug)]
pub enum Task {
    /// Pose of a frame, in the world or in another frame.
    Frame(FrameTask),
    /// Centre of mass.
    Com(ComTask),
    /// Joint positions.
    Posture(PostureTask),
    /// Small velocities.
    Damping(DampingTask),
    /// An axis of a frame towards a point.
    LookAt(LookAtTask),
    /// Equality constraints of the model, such as closed loops.
    Equality(EqualityConstraintTask),
}

impl Task {
    /// The settings that every task has.
    #[must_use]
    pub fn options(&self) -> &TaskOptions {
        match self {
            Self::Frame(task) => &task.options,
            Self::Com(task) => &task.options,
            Self::Posture(task) => &task.options,
            Self::Damping(task) => &task.options,
            Self::LookAt(task) => &task.options,
            Self::Equality(task) => &task.options,
        }
    }

    /// Sets what every task has: gain, damping and priority.
    pub fn set_options(&mut self, options: TaskOptions) {
        *match self {
            Self::Frame(task) => &mut task.options,
            Self::Com(task) => &mut task.options,
            Self::Posture(task) => &mut task.options,
            Self::Damping(task) => &mut task.options,
            Self::LookAt(task) => &mut task.options,
            Self::Equality(task) => &mut task.options,
        } = options;
    }

    /// Sets the pose that a frame shall have.
    ///
    /// # Errors
    /// When the task has none.
    pub fn set_pose(&mut self, target: &Pose) -> Result<(), IkError> {
        let Self::Frame(task) = self else { return Err(no_target("pose")) };
        task.set_target(target);
        Ok(())
    }

    /// Sets the point where the centre of mass shall be, or that an axis shall point to.
    ///
    /// # Errors
    /// When the task has none, or a number is not finite.
    pub fn set_point(&mut self, target: &[f64; 3]) -> Result<(), IkError> {
        match self {
            Self::Com(task) => task.set_target(target),
            Self::LookAt(task) => task.set_target(target),
            _ => Err(no_target("point")),
        }
    }

    /// Sets the joint positions that a posture task shall keep to.
    ///
    /// # Errors
    /// When the task has none, or they are not those of the model.
    pub fn set_posture(&mut self, model: &Model, qpos: &[f64]) -> Result<(), IkError> {
        let Self::Posture(task) = self else { return Err(no_target("posture")) };
        task.set_target(model, qpos)
    }

    /// Takes the target from where the model is now.
    ///
    /// # Errors
    /// When the task takes none from a configuration.
    pub fn set_target_from_configuration(&mut self, configuration: &Configuration) -> Result<(), IkError> {
        match self {
            Self::Frame(task) => task.set_target_from_configuration(configuration),
            Self::Com(task) => task.set_target_from_configuration(configuration),
            Self::Posture(task) => task.set_target_from_configuration(configuration),
            _ => return Err(no_target("target that a configuration gives")),
        }
        Ok(())
    }

    /// Writes the rows of the task at a configuration.
    pub(super) fn rows(&self, model: &Model, data: &Data, rows: &mut Rows) -> Result<(), IkError> {
        self.options().check()?;
        match self {
            Self::Frame(task) => task.rows(model, data, rows),
            Self::Com(task) => task.rows(model, data, rows),
            Self::Posture(task) => task.rows(model, data, rows),
            Self::Damping(task) => task.rows(model, rows),
            Self::LookAt(task) => task.rows(model, data, rows),
            Self::Equality(task) => task.rows(model, data, rows),
        }
    }
}

fn no_target(what: &str) -> IkError {
    IkError::Unsupported(format!("this task has no {what}"))
}

macro_rules! into_task {
    ($($variant:ident($task:ty)),* $(,)?) => {
        $(impl From<$task> for Task {
            fn from(task: $task) -> Self {
                Self::$variant(task)
            }
        })*
    };
}
into_task!(
    Frame(FrameTask),
    Com(ComTask),
    Posture(PostureTask),
    Damping(DampingTask),
    LookAt(LookAtTask),
    Equality(EqualityConstraintTask),
);
