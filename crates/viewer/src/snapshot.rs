//! A moment of a simulation, as the window shows it.

use crate::noise::ControlNoise;
use crate::soft::SoftShapes;
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_energy_pos, mj_energy_vel};
use std::sync::Arc;

/// The world at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The model.
    pub model: Arc<Model>,
    /// Changes whenever another model takes its place; options alone do not count.
    pub generation: u64,
    /// A copy of the data.
    pub data: Data,
    /// Deformable bodies that share its world.
    pub soft: SoftShapes,
    /// How the simulation runs.
    pub status: Status,
}

impl Snapshot {
    /// What the simulation warns of: states that are not finite, too little room, a solver that stopped
    /// before it had converged.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.data.warning_texts().chain(self.data.solver_text(&self.model))
    }

    /// The present moment, in the memory of a snapshot that is shown no more when there is one. The
    /// deformable bodies are those of that snapshot, for the caller to renew.
    pub(crate) fn take(
        spare: Option<Box<Self>>,
        model: Arc<Model>,
        data: &Data,
        generation: u64,
        status: Status,
    ) -> Box<Self> {
        let mut snapshot = match spare {
            Some(mut old) => {
                old.data.clone_from(data);
                (old.model, old.generation, old.status) = (model, generation, status);
                old
            }
            None => {
                let soft = SoftShapes::default();
                Box::new(Self { model, generation, data: data.clone(), soft, status })
            }
        };
        // energies are shown whether or not the model asks for them; the copy belongs to its model
        let _ = mj_energy_pos(&snapshot.model, &mut snapshot.data);
        let _ = mj_energy_vel(&snapshot.model, &mut snapshot.data);
        snapshot
    }
}

/// How a simulation runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// Whether time goes on.
    pub playing: bool,
    /// Speed that was asked for (simulated seconds per second).
    pub speed: f64,
    /// Speed that was reached.
    pub reached: f64,
    /// Mean time of a step (s).
    pub step_seconds: f64,
    /// Number of recorded states.
    pub recorded: usize,
    /// Noise on the controls.
    pub noise: ControlNoise,
    /// Keyframes of the model that were replaced by states.
    pub kept_keyframes: Vec<usize>,
    /// Which recorded state is shown; none while time goes on.
    pub shown: Option<usize>,
    /// Why the simulation stopped.
    pub failure: Option<String>,
}
