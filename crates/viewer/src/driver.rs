//! Who runs the simulation: the one interface between the window and physics.

use crate::clock::Clock;
use crate::command::Command;
use crate::overlay::Overlays;
use crate::simulation::Simulation;
use crate::snapshot::Snapshot;
use crate::view::View;
use kinetree_render::scene::MjvGeom;

/// What the window shows, for a program that changes it.
pub struct Shown<'a> {
    /// What is shown of the world, and from where.
    pub view: &'a mut View,
    /// Geoms that are drawn besides those of the model.
    pub geoms: &'a mut Vec<MjvGeom>,
    /// What is drawn over the picture.
    pub overlays: &'a mut Overlays,
    /// Columns and rows of the picture (pixels).
    pub size: [u32; 2],
}

/// Runs a simulation, takes commands and hands out snapshots.
pub trait Driver {
    /// Passes a command on; it takes effect in one of the next snapshots.
    fn send(&mut self, command: Command);

    /// The newest snapshot, if there is one that was not handed out before.
    fn poll(&mut self) -> Option<Box<Snapshot>>;

    /// Takes back a snapshot that is shown no more, for its memory.
    fn recycle(&mut self, snapshot: Box<Snapshot>);

    /// Lets a program see and change what is shown; whether it has.
    fn exchange(&mut self, shown: Shown<'_>) -> bool {
        let _ = shown;
        false
    }

    /// A key that was pressed, for a program that listens.
    fn key(&mut self, key: egui::Key) {
        let _ = key;
    }

    /// Whether a program wants the window to close.
    fn closes(&self) -> bool {
        false
    }

    /// What went wrong in the driver itself since the last call.
    fn failure(&mut self) -> Option<String> {
        None
    }

    /// Whether the window may run, pause and reset the simulation; otherwise a program does.
    fn is_active(&self) -> bool {
        true
    }
}

/// Runs the simulation between two frames of the window, for a limited time.
pub struct Inline {
    simulation: Simulation,
    clock: Box<dyn Clock>,
    budget: f64,
    changed: bool,
    spare: Option<Box<Snapshot>>,
}

impl Inline {
    /// A driver that simulates for at most `budget` seconds of the clock per frame.
    #[must_use]
    pub fn new(simulation: Simulation, clock: Box<dyn Clock>, budget: f64) -> Self {
        Self { simulation, clock, budget, changed: true, spare: None }
    }
}

impl Driver for Inline {
    fn send(&mut self, command: Command) {
        self.simulation.apply(command);
        self.changed = true;
    }

    fn poll(&mut self) -> Option<Box<Snapshot>> {
        self.changed |= self.simulation.advance(&*self.clock, self.budget);
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        self.simulation.snapshot(&mut self.spare)
    }

    fn recycle(&mut self, snapshot: Box<Snapshot>) {
        self.spare = Some(snapshot);
    }
}
