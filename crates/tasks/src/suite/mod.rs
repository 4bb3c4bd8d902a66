//! Tasks of the `dm_control` suite. Observations have the parts of the originals, in their order.
//!
//! Steps end with the first half of the next one, so that observations and rewards are those of the new
//! state.
//!
//! ```
//! use kinetree_tasks::suite::Pendulum;
//!
//! let model = kinetree_spec::load_model_str(
//!     "<mujoco><worldbody><body name='pole'><joint name='hinge'/><geom size='0.1' pos='0 0 1'/></body>
//!      </worldbody><actuator><motor joint='hinge'/></actuator></mujoco>",
//! )?;
//! assert!(Pendulum::new(&model).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cheetah;
mod hopper;
mod humanoid;
mod poles;
mod reach;
mod swim;
mod terms;
mod walker;

pub use cheetah::Cheetah;
pub use hopper::Hopper;
pub use humanoid::Humanoid;
pub use poles::{Acrobot, Cartpole, Pendulum};
pub use reach::{BallInCup, PointMass, Reacher};
pub use swim::Fish;
pub use walker::Walker;

use crate::definition::{Definition, Maker, boxed};
use crate::error::TaskError;

/// Tasks by name.
pub(crate) const TASKS: &[(&str, Maker)] = &[
    ("acrobot-swingup", |model| boxed(Acrobot::new(model))),
    ("acrobot-swingup_sparse", |model| variant(Acrobot::new(model), |task| task.sparse = true)),
    ("ball_in_cup-catch", |model| boxed(BallInCup::new(model))),
    ("cartpole-balance", |model| boxed(Cartpole::new(model))),
    ("cartpole-balance_sparse", |model| variant(Cartpole::new(model), |task| task.sparse = true)),
    ("cartpole-swingup", |model| boxed(Cartpole::new(model))),
    ("cartpole-swingup_sparse", |model| variant(Cartpole::new(model), |task| task.sparse = true)),
    ("cheetah-run", |model| boxed(Cheetah::new(model))),
    ("fish-upright", |model| boxed(Fish::new(model))),
    ("hopper-hop", |model| variant(Hopper::new(model), |task| task.hopping = true)),
    ("hopper-stand", |model| boxed(Hopper::new(model))),
    ("humanoid-run", |model| variant(Humanoid::new(model), |task| task.move_speed = 10.0)),
    ("humanoid-stand", |model| boxed(Humanoid::new(model))),
    ("humanoid-walk", |model| variant(Humanoid::new(model), |task| task.move_speed = 1.0)),
    ("pendulum-swingup", |model| boxed(Pendulum::new(model))),
    ("point_mass-easy", |model| boxed(PointMass::new(model))),
    ("reacher-easy", |model| boxed(Reacher::new(model))),
    ("reacher-hard", |model| boxed(Reacher::new(model))),
    ("walker-run", |model| variant(Walker::new(model), |task| task.move_speed = 8.0)),
    ("walker-stand", |model| boxed(Walker::new(model))),
    ("walker-walk", |model| variant(Walker::new(model), |task| task.move_speed = 1.0)),
];

/// A task with other settings.
fn variant<T: Definition + 'static>(
    task: Result<T, TaskError>,
    change: impl FnOnce(&mut T),
) -> Result<Box<dyn Definition>, TaskError> {
    boxed(task.map(|mut task| {
        change(&mut task);
        task
    }))
}
