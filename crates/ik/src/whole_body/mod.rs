//! Whole-body inverse kinematics: several tasks at once under limits, each step a quadratic program.
//!
//! A task has an error `e(q)` with Jacobian `J`, and asks for the displacement `Δq` with `J Δq = −gain · e`.
//! The program minimizes the weighted squares of what the tasks miss, within the limits:
//!
//! `min ½ Σ ‖W (J Δq + gain e)‖² + ½ μ ‖Δq‖²`  subject to  `G Δq ≤ h`.
//!
//! Names follow those of differential inverse kinematics tools: [`FrameTask`], [`ComTask`], [`PostureTask`],
//! [`DampingTask`], [`EqualityConstraintTask`]; [`ConfigurationLimit`], [`VelocityLimit`],
//! [`CollisionAvoidanceLimit`].
//!
//! ```
//! use kinetree_ik::whole_body::{ComTask, Configuration, Task, WholeBodySolver};
//!
//! let model = kinetree_spec::load_model_str(
//!     "<mujoco><worldbody><body><joint axis='0 1 0' range='-170 170'/><geom size='0.1'/>
//!        <site name='hand' pos='0.5 0 0'/></body></worldbody></mujoco>",
//! )?;
//! let mut configuration = Configuration::new(&model)?;
//! let mut task = ComTask::new([1.0; 3])?;
//! task.set_target_from_configuration(&configuration);
//! let (mut solver, mut velocity) = (WholeBodySolver::new(), vec![0.0; model.nv]);
//! let tasks = [Task::Com(task)];
//! solver.solve_ik(&model, &mut configuration, &tasks, 0.01, 1e-6, &[], &[], &mut velocity)?;
//! assert!(velocity[0].abs() < 1e-9, "the task is reached");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collision;
mod configuration;
mod equality;
mod frame_task;
mod global;
mod joint_tasks;
mod limits;
mod point_tasks;
mod qp;
mod solve;
mod task;
mod task_rows;

pub use collision::CollisionAvoidanceLimit;
pub use configuration::Configuration;
pub use equality::EqualityConstraintTask;
pub use frame_task::FrameTask;
pub use global::{GlobalSettings, GlobalSolution};
pub use joint_tasks::{DampingTask, PostureTask};
pub use limits::{ConfigurationLimit, Limit, VelocityLimit};
pub use point_tasks::{ComTask, LookAtTask};
pub use solve::WholeBodySolver;
pub use task::Task;
pub use task_rows::TaskOptions;
