//! Steps of physics on a device.
//!
//! Worlds are on the processor, too: they hold what the device has made of them, for tasks, rewards and
//! outputs, which are computed on threads. A step of the batch is three passes: worlds take over what the
//! caller has written, the device steps them, and they take over its states.

use crate::error::BatchError;
use crate::pool::Pool;
use crate::tables::Tables;
use crate::task::Reads;
use crate::world::{Arrival, Setup, read_state};
use crate::worlds::{Worlds, state_size};
use kinetree_model::{Model, StepError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Most steps of physics between looks at whether to go on, and the time that they may take.
const PIECE: usize = 64;
const LOOK: Duration = Duration::from_millis(100);

/// What steps the worlds, and rows for what goes to it and comes back.
pub(crate) struct Device {
    worlds: Box<dyn Worlds>,
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
    /// Steps between looks, by how long they took lately.
    piece: usize,
}

impl Device {
    /// A device with as many worlds of the same model as the pool, whose varied fields it gets.
    ///
    /// # Errors
    /// When the pool has several models, or the device has other worlds.
    pub(crate) fn new(worlds: Box<dyn Worlds>, pool: &Pool) -> Result<Self, BatchError> {
        if pool.models.len() > 1 {
            return Err(BatchError::SeveralModels(pool.models.len()));
        }
        if worlds.count() != pool.count {
            return Err(BatchError::Length {
                what: "the device",
                expected: pool.count,
                got: worlds.count(),
                explanation: "a world for each of the batch".to_owned(),
            });
        }
        if pool.count > 0 && !Arc::ptr_eq(worlds.common_model(), pool.model(0)) {
            let reason = "the device simulates another model: make it with the model of the batch";
            return Err(BatchError::Device(reason.to_owned()));
        }
        let mut device = Self::with_rows(worlds);
        for variation in pool.variations.iter().filter(|variation| variation.name() != "meaninertia") {
            device.worlds.vary(variation.name(), variation.values())?;
        }
        Ok(device)
    }

    fn with_rows(worlds: Box<dyn Worlds>) -> Self {
        let count = worlds.count();
        let rows = || vec![0.0; count * state_size(worlds.common_model())].into_boxed_slice();
        Self {
            moved: (vec![false; count].into(), rows()),
            after: rows(),
            before: rows(),
            failures: vec![None; count].into(),
            mocap: [Vec::new(), Vec::new()],
            piece: 1,
            equalities: [Vec::new(), active_at_start(worlds.common_model()).repeat(count)],
            worlds,
        }
    }

    /// Gives each world values of its own for an array of the model.
    pub(crate) fn vary(&mut self, field: &str, values: &[f64]) -> Result<(), BatchError> {
        self.worlds.vary(field, values)
    }

    /// Gives all worlds the arrays of the model again.
    pub(crate) fn end_variations(&mut self) -> Result<(), BatchError> {
        self.worlds.end_variations()
    }

    /// Makes steps of the batch; worlds in `fresh` begin an episode with the state in the table instead.
    pub(crate) fn advance(
        &mut self,
        pool: &mut Pool,
        (tables, setup): (&mut Tables, &Setup),
        count: usize,
        fresh: &[bool],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), BatchError> {
        let is_fresh = |i: usize| fresh.get(i) == Some(&true);
        pool.each((tables, setup), |i, world, rows, (model, setup)| {
            if is_fresh(i) {
                world.begin(true, model, setup, rows);
            } else {
                *rows.error = world.depart(count, model, setup, rows).err();
            }
        });
        if pool.count == 0 {
            return Ok(());
        }
        self.gather(pool, &is_fresh);
        let steps = setup.frame_skip.saturating_mul(count);
        let reads = if steps == 0 { Reads::State } else { setup.reads(pool.model(0)) };
        let made = self.run(tables.controls.all(), steps, reads, go_on);
        if made.is_err() {
            // wherever the device has stopped, worlds are where they were, and it gets their states again
            for (i, world) in pool.worlds_mut().enumerate() {
                world.moved = true;
                if !is_fresh(i) {
                    world.steps = world.steps.saturating_sub(count as u64);
                }
            }
        }
        let count = made?;
        let width = state_size(pool.model(0));
        let lands = |i| !is_fresh(i);
        pool.each_where((tables, setup), lands, |i, world, rows, (model, setup)| {
            let row = i * width..(i + 1) * width;
            let before_last = (reads == Reads::LastEvaluation).then(|| &self.before[row.clone()]);
            let failure = self.failures[i].clone();
            world.land(Arrival { count, before_last, state: &self.after[row], failure }, model, setup, rows);
        });
        Ok(())
    }

    /// Gathers states that the device does not have, active equalities and poses of mocap bodies.
    fn gather(&mut self, pool: &mut Pool, is_fresh: &dyn Fn(usize) -> bool) {
        let width = state_size(pool.model(0));
        let (mask, rows) = &mut self.moved;
        for (i, world) in pool.worlds_mut().enumerate() {
            // the device makes steps of fresh worlds, too, which do not count: it gets their states later
            mask[i] = world.moved && !is_fresh(i);
            if mask[i] {
                read_state(&world.data, &mut rows[i * width..][..width]);
                world.moved = false;
            }
        }
        pool.read_equalities_into(&mut self.equalities[0]);
        pool.read_mocap_into(&mut self.mocap[0]);
    }

    /// Sends states and controls, makes steps, and reads what came of them. Returns how many steps were made.
    fn run(
        &mut self,
        controls: &[f64],
        count: usize,
        reads: Reads,
        go_on: &mut dyn FnMut() -> bool,
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
        while count - done > self.piece && go_on() {
            let (piece, start) = (self.piece, Instant::now());
            self.worlds.steps(piece)?;
            self.measured(piece, start.elapsed());
            done += piece;
        }
        let (rest, start) = ((count - done).min(self.piece), Instant::now());
        if reads == Reads::State {
            self.worlds.steps(rest)?;
            self.worlds.read_states(&mut self.after)?;
        } else {
            self.worlds.steps_with_last(rest, &mut self.before, &mut self.after)?;
        }
        self.worlds.take_failures(&mut self.failures)?;
        self.forget_equalities();
        self.measured(rest, start.elapsed());
        Ok(done + rest)
    }

    /// Chooses how many steps fit between two looks, when so many took some time.
    fn measured(&mut self, steps: usize, time: Duration) {
        if steps > 0 {
            let fitting = LOOK.as_nanos() * steps as u128 / time.as_nanos().max(1);
            self.piece = usize::try_from(fitting).unwrap_or(PIECE).clamp(1, PIECE);
        }
    }

    /// The device has put worlds that failed back into their first states, with the equalities of the model.
    fn forget_equalities(&mut self) {
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
