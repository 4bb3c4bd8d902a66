//! What every task of this crate is: a task with settings, made for a model.

use crate::error::TaskError;
use crate::settings::Settings;
use kinetree_batch::Task;
use kinetree_model::Model;

/// A task whose settings can be changed by name.
pub trait Definition: Task + Settings {}

impl<T: Task + Settings> Definition for T {}

/// Makes a task for a model.
pub(crate) type Maker = fn(&Model) -> Result<Box<dyn Definition>, TaskError>;

/// Boxes a task.
pub(crate) fn boxed<T: Definition + 'static>(
    task: Result<T, TaskError>,
) -> Result<Box<dyn Definition>, TaskError> {
    task.map(|task| Box::new(task) as Box<dyn Definition>)
}
