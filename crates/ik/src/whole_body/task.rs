//! What all tasks have in common.

use super::{ComTask, DampingTask, EqualityConstraintTask, FrameTask, LookAtTask, PostureTask};
use crate::error::{IkError, check_setting};
use kinetree_model::{Data, Model};

/// Settings that every task has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskOptions {
    /// Fraction of the error that one step shall remove, in (0, 1].
    pub gain: f64,
    /// Damping in proportion to the squared weighted error, for targets out of reach.
    pub lm_damping: f64,
    /// Tasks of priority 0 count before those of priority 1, and so on; tasks of the same priority are
    /// weighted.
    pub priority: usize,
}

impl Default for TaskOptions {
    fn default() -> Self {
        Self { gain: 1.0, lm_damping: 0.0, priority: 0 }
    }
}

impl TaskOptions {
    fn check(&self) -> Result<(), IkError> {
        check_setting("lm_damping", self.lm_damping, 0.0)?;
        if self.gain > 0.0 && self.gain <= 1.0 {
            Ok(())
        } else {
            Err(IkError::Setting { what: "gain", must: "above zero and at most one", value: self.gain })
        }
    }
}

/// Rows of a task: errors, costs and a row-major Jacobian. The memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub(super) error: Vec<f64>,
    /// Weight of each row, to be squared.
    pub(super) cost: Vec<f64>,
    pub(super) jacobian: Vec<f64>,
    /// Space for Jacobians of frames.
    pub(super) scratch: Vec<f64>,
}

impl Rows {
    /// Makes room for `count` rows of `nv` zeros.
    pub(super) fn resize(&mut self, count: usize, nv: usize) {
        for (v, len) in [(&mut self.error, count), (&mut self.cost, count), (&mut self.jacobian, count * nv)]
        {
            v.clear();
            v.resize(len, 0.0);
        }
    }
}

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

/// Fails unless costs are numbers of at least zero.
pub(super) fn check_costs(costs: &[f64]) -> Result<(), IkError> {
    costs.iter().try_for_each(|&cost| check_setting("a cost", cost, 0.0))
}
