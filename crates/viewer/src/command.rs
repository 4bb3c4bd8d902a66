//! What the window asks of the simulation.

use crate::noise::ControlNoise;
use kinetree_model::{Data, Model, Opt};
use kinetree_render::scene::MjvPerturb;
use std::sync::Arc;

/// A request to the simulation. Those that name what does not exist do nothing: the model may have changed
/// since they were sent.
#[derive(Clone, Debug)]
pub enum Command {
    /// Run or pause.
    Play(bool),
    /// Pause and take this many steps.
    Step(u32),
    /// Simulated seconds per second.
    Speed(f64),
    /// Back to the initial state.
    Reset,
    /// Back to a keyframe.
    Keyframe(usize),
    /// Make a keyframe of the model what the state is now.
    KeepKeyframe(usize),
    /// Add noise to the controls of each step.
    Noise(ControlNoise),
    /// Pause and show a recorded state, counted from the oldest.
    Seek(usize),
    /// Set the control of an actuator.
    Control {
        /// The actuator.
        actuator: usize,
        /// The value.
        value: f64,
    },
    /// Set all controls to zero.
    ClearControls,
    /// Set a joint coordinate.
    Position {
        /// Index in `qpos`.
        index: usize,
        /// The value.
        value: f64,
    },
    /// Switch an equality constraint.
    Equality {
        /// The constraint.
        id: usize,
        /// Whether it is active.
        active: bool,
    },
    /// Pull at a body, or let it go.
    Perturb(MjvPerturb),
    /// Change the physics options.
    Options(Box<Opt>),
    /// Go on with another model.
    Replace {
        /// The model.
        model: Arc<Model>,
        /// Whether what has the same name keeps its state.
        keep_state: bool,
    },
}

impl Command {
    /// Carries out a command that sets numbers of a data; whether it is such a command.
    pub(crate) fn edit(&self, data: &mut Data) -> bool {
        let slot = match *self {
            Command::Control { actuator, value } => data.ctrl.get_mut(actuator).map(|slot| (slot, value)),
            Command::Position { index, value } => data.qpos.get_mut(index).map(|slot| (slot, value)),
            Command::Equality { id, active } => {
                if let Some(slot) = data.eq_active.get_mut(id) {
                    *slot = active.into();
                }
                return true;
            }
            Command::ClearControls => {
                data.ctrl.fill(0.0);
                return true;
            }
            _ => return false,
        };
        if let Some((slot, value)) = slot {
            *slot = value;
        }
        true
    }
}
