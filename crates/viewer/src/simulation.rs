//! A world that belongs to the viewer.

use crate::clock::Clock;
use crate::command::Command;
use crate::runner::Runner;
use crate::snapshot::{Snapshot, Status};
use kinetree_model::{Data, Model, mj_set_keyframe};
use kinetree_spec::carry_state_by_name;
use std::sync::Arc;

/// A world with what runs it; none before the first model has come.
pub struct Simulation {
    world: Option<World>,
    generation: u64,
    /// Whether a new model runs at once.
    plays_new: bool,
}

struct World {
    model: Arc<Model>,
    data: Data,
    runner: Runner,
}

impl Default for Simulation {
    /// A simulation without a world, which waits for [`Command::Replace`].
    fn default() -> Self {
        Self { world: None, generation: 0, plays_new: true }
    }
}

impl Simulation {
    /// A paused simulation that begins with the given state.
    #[must_use]
    pub fn new(model: Arc<Model>, mut data: Data) -> Self {
        let runner = Runner::new(&model, &mut data);
        Self { world: Some(World { model, data, runner }), generation: 1, plays_new: true }
    }

    /// The same simulation, in which new models wait to be played.
    #[must_use]
    pub fn paused_at_first(self) -> Self {
        Self { plays_new: false, ..self }
    }

    /// A simulation without a world whose models are told from those of this one.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self { world: None, ..*self }
    }

    /// The data, once there is a model.
    #[must_use]
    pub fn data(&self) -> Option<&Data> {
        self.world.as_ref().map(|world| &world.data)
    }

    /// How it runs, once there is a model.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        self.world.as_ref().map(|world| world.runner.status())
    }

    /// Carries out a command.
    pub fn apply(&mut self, command: Command) {
        if let Command::Replace { model, keep_state } = command {
            return self.replace(model, keep_state);
        }
        let Some(World { model, data, runner }) = &mut self.world else { return };
        match runner.apply(command, model, data) {
            Some(Command::Options(options)) if options.timestep > 0.0 => {
                Arc::make_mut(model).opt = *options;
                runner.edited(model, data);
            }
            Some(Command::KeepKeyframe(key)) => {
                // the keyframe exists, and the data was made for the model
                let _ = mj_set_keyframe(Arc::make_mut(model), data, key);
            }
            _ => {}
        }
    }

    fn replace(&mut self, model: Arc<Model>, keep_state: bool) {
        let mut data = Data::new(&model);
        self.generation += 1;
        if let Some(old) = self.world.as_mut().filter(|_| keep_state) {
            carry_state_by_name(&old.model, &old.data, &model, &mut data);
            old.runner.replace(&model, &mut data);
            (old.model, old.data) = (model, data);
        } else {
            let mut runner = Runner::new(&model, &mut data);
            runner.play(self.plays_new, &data);
            self.world = Some(World { model, data, runner });
        }
    }

    /// Lets time go on; see [`Runner::advance`].
    pub fn advance(&mut self, clock: &dyn Clock, budget: f64) -> bool {
        let advance = |World { model, data, runner }: &mut World| runner.advance(model, data, clock, budget);
        self.world.as_mut().is_some_and(advance)
    }

    /// When the next step is due; see [`Runner::next_due`].
    #[must_use]
    pub fn next_due(&self) -> Option<f64> {
        self.world.as_ref().and_then(|world| world.runner.next_due(&world.model))
    }

    /// The present moment, in the memory of a spare snapshot when there is one.
    pub fn snapshot(&self, spare: &mut Option<Box<Snapshot>>) -> Option<Box<Snapshot>> {
        let World { model, data, runner } = self.world.as_ref()?;
        let mut snapshot =
            Snapshot::take(spare.take(), model.clone(), data, self.generation, runner.status().clone());
        snapshot.soft.update(runner.soft());
        Some(snapshot)
    }
}
