//! A batch whose steps of physics are made by a device.
//!
//! Worlds are here, too: they hold what the device has made of them, for tasks, rewards and outputs, which
//! are computed on threads as ever. A step of the batch is three passes: worlds take over what the caller has
//! written, the device steps them, and they take over what it leaves.

use crate::error::BatchError;
use crate::sim::BatchSim;
use crate::task::Reads;
use crate::world::{Arrival, read_state};
use crate::worlds::{Worlds, state_size};
use kinetree_model::{Model, StepError};
use std::sync::Arc;

/// Most steps of physics between looks at whether to go on.
const PIECE: usize = 64;

/// What steps the worlds, and rows for what goes to it and comes back.
pub(crate) struct Device {
    pub(crate) worlds: Box<dyn Worlds>,
    /// States that the device does not have, and where they are.
    moved: (Box<[bool]>, Box<[f64]>),
    /// States after the steps, and before the last of them.
    after: Box<[f64]>,
    before: Box<[f64]>,
    failures: Box<[Option<StepError>]>,
    /// Active equalities of the worlds here, and what the device has of them.
    equalities: [Vec<bool>; 2],
    /// The same of poses of mocap bodies.
    mocap: [Vec<f64>; 2],
}

impl Device {
    fn new(worlds: Box<dyn Worlds>) -> Self {
        let count = worlds.count();
        let rows = || vec![0.0; count * state_size(worlds.common_model())].into_boxed_slice();
        Self {
            moved: (vec![false; count].into(), rows()),
            after: rows(),
            before: rows(),
            failures: vec![None; count].into(),
            mocap: [Vec::new(), Vec::new()],
            equalities: [Vec::new(), active_at_start(worlds.common_model()).repeat(count)],
            worlds,
        }
    }

    /// Sends states and controls, makes steps, and reads what came of them. Returns how many steps were made.
    fn run(
        &mut self,
        controls: &[f64],
        count: usize,
        reads: Reads,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<usize, BatchError> {
        let (mask, rows) = &self.moved;
        if mask.contains(&true) {
            self.worlds.write_states(mask, rows)?;
        }
        let [wanted, known] = &mut self.equalities;
        if wanted != known {
            self.worlds.set_equalities(wanted)?;
            known.clone_from(wanted);
        }
        let [wanted, known] = &mut self.mocap;
        if wanted != known {
            self.worlds.set_mocap(wanted)?;
            known.clone_from(wanted);
        }
        self.worlds.set_controls(controls)?;
        let mut done = 0;
        while count - done > PIECE && go_on() {
            self.worlds.steps(PIECE)?;
            done += PIECE;
        }
        let rest = (count - done).min(PIECE);
        if reads == Reads::State {
            self.worlds.steps(rest)?;
            self.worlds.read_states(&mut self.after)?;
        } else {
            self.worlds.steps_with_last(rest, &mut self.before, &mut self.after)?;
        }
        self.worlds.take_failures(&mut self.failures)?;
        self.forget_switches();
        Ok(done + rest)
    }

    /// The device has put worlds that failed back into their first states, with the equalities of the model.
    fn forget_switches(&mut self) {
        if self.failures.iter().all(Option::is_none) {
            return;
        }
        let first = active_at_start(self.worlds.common_model());
        for (w, _) in self.failures.iter().enumerate().filter(|(_, failure)| failure.is_some()) {
            self.equalities[1][w * first.len()..][..first.len()].copy_from_slice(&first);
        }
    }
}

/// Which equalities of a model are active at the start.
fn active_at_start(model: &Model) -> Vec<bool> {
    model.eq_active0.iter().map(|&active| active != 0).collect()
}

impl BatchSim {
    /// Lets a device make the steps of physics, such as `kinetree_gpu::GpuSim` with this model and as many
    /// worlds. Tasks, rewards, ends of episodes, outputs and sensors are computed here as before, from states
    /// that are read back.
    ///
    /// What they read decides what a step costs here ([`Reads`]): where that is more than states, worlds make
    /// the last step of physics on the processor as well, to have what its evaluation leaves. Otherwise
    /// readings of sensors that nobody has computed are not numbers.
    ///
    /// # Errors
    /// When the worlds have several models, or the device has other worlds.
    pub fn set_device(&mut self, worlds: impl Worlds + 'static) -> Result<(), BatchError> {
        if self.model_count() > 1 {
            return Err(BatchError::SeveralModels(self.model_count()));
        }
        if worlds.count() != self.len() {
            return Err(BatchError::Length {
                what: "the device",
                expected: self.len(),
                got: worlds.count(),
                explanation: "a world for each of the batch".to_owned(),
            });
        }
        if !self.is_empty() && !Arc::ptr_eq(worlds.common_model(), self.model(0)) {
            let reason = "the device simulates another model: make it with the model of the batch";
            return Err(BatchError::Device(reason.to_owned()));
        }
        let mut device = Device::new(Box::new(worlds));
        for variation in self.variations() {
            let name = self.model(0).fields()[variation.field()].name;
            device.worlds.vary(name, variation.values())?;
        }
        self.device = Some(device);
        self.worlds_mut().for_each(|world| world.moved = true);
        Ok(())
    }

    /// Makes steps of the batch on the device; worlds in `fresh` begin an episode with the state in the table
    /// instead.
    pub(crate) fn advance_on_device(
        &mut self,
        count: usize,
        fresh: &[bool],
        go_on: impl FnMut() -> bool,
    ) -> Result<(), BatchError> {
        let is_fresh = |i: usize| fresh.get(i) == Some(&true);
        self.each(|i, world, places, (model, setup)| {
            if is_fresh(i) {
                world.begin(true, model, setup, places);
            } else {
                *places.error = world.depart(count, model, setup, places).err();
            }
        });
        let Some(mut device) = self.device.take() else { return Ok(()) };
        let result = self.step_device(&mut device, count, &is_fresh, go_on);
        self.device = Some(device);
        result
    }

    fn step_device(
        &mut self,
        device: &mut Device,
        count: usize,
        is_fresh: &(impl Fn(usize) -> bool + Sync),
        go_on: impl FnMut() -> bool,
    ) -> Result<(), BatchError> {
        if self.is_empty() {
            return Ok(());
        }
        let width = state_size(self.model(0));
        let (mask, rows) = &mut device.moved;
        for (i, world) in self.worlds_mut().enumerate() {
            // the device makes steps of fresh worlds, too, which do not count: it gets their states later
            mask[i] = world.moved && !is_fresh(i);
            if mask[i] {
                read_state(&world.data, &mut rows[i * width..][..width]);
                world.moved = false;
            }
        }
        self.read_equalities_into(&mut device.equalities[0]);
        self.read_mocap_into(&mut device.mocap[0]);
        let steps = self.setup.frame_skip.saturating_mul(count);
        let reads = if steps == 0 { Reads::State } else { self.setup.reads(self.model(0)) };
        let count = device.run(self.tables.controls.all(), steps, reads, go_on)?;
        let lands = |i| !is_fresh(i);
        self.each_where(lands, |i, world, places, (model, setup)| {
            let row = i * width..(i + 1) * width;
            let before_last = (reads == Reads::LastEvaluation).then(|| &device.before[row.clone()]);
            let failure = device.failures[i].clone();
            world.land(
                Arrival { count, before_last, state: &device.after[row], failure },
                model,
                setup,
                places,
            );
        });
        Ok(())
    }

    /// Marks all worlds as failed.
    pub(crate) fn fail_all(&mut self, error: &StepError) {
        self.worlds_mut().for_each(|world| world.failed = true);
        self.tables.rewards.fill(0.0);
        self.tables.terminated.fill(true);
        self.tables.truncated.fill(false);
        self.tables.errors.fill(Some(error.clone()));
    }
}
