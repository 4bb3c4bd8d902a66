//! Steps of a batch of four worlds at once, whose steps of physics are made in lockstep.

use crate::tables::WorldRows;
use crate::threads::Stop;
use crate::world::{Departure, Setup, Steps, World};
use kinetree_model::{Model, StepError, Workspace};
use kinetree_sim::{LOCKSTEP_WORLDS, Lockstep, LockstepWorld};
use std::slice;

/// One in so many steps of physics is left for later where some are.
const LEFT: usize = 5;

/// What a thread needs to step worlds. It carries no results from one world to another.
#[derive(Default)]
pub(crate) struct Memory {
    lockstep: Lockstep,
    /// Working memories of the engine. Worlds of one model have them in turn while a thread works on them, so
    /// that they stay in the caches of its processor.
    workspaces: [Workspace; LOCKSTEP_WORLDS],
}

impl Memory {
    /// Exchanges the working memories of up to four worlds with those of the thread.
    fn exchange(&mut self, worlds: &mut [World]) {
        for (world, workspace) in worlds.iter_mut().zip(&mut self.workspaces) {
            world.data.swap_workspace(workspace);
        }
    }

    /// Calls a function with a world that has a working memory of the thread meanwhile.
    pub(crate) fn lend(&mut self, world: &mut World, work: impl FnOnce(&mut World)) {
        self.exchange(slice::from_mut(world));
        work(world);
        self.exchange(slice::from_mut(world));
    }
}

/// Makes steps of one world, or begins an episode with the state in the table.
pub(crate) fn advance_one(
    world: &mut World,
    fresh: bool,
    steps: Steps<'_>,
    model: &Model,
    setup: &Setup,
    rows: &mut WorldRows<'_>,
) {
    if fresh {
        world.begin(true, model, setup, rows);
    } else {
        world.advance(steps, model, setup, rows);
    }
}

/// What worlds that follow each other are to do.
#[derive(Clone, Copy)]
pub(crate) struct Group<'a> {
    /// Steps of the batch.
    pub(crate) count: usize,
    /// The model of all.
    pub(crate) model: &'a Model,
    pub(crate) setup: &'a Setup,
    /// Which of them begin an episode instead; those without an entry do not.
    pub(crate) fresh: &'a [bool],
}

impl<'a> Group<'a> {
    /// Makes steps of worlds, four at a time; those that are left over one by one. If `leaves`, the last
    /// steps of the last four are left for later.
    pub(crate) fn advance(
        self,
        memory: &mut Memory,
        worlds: &'a mut [World],
        mut rows: impl Iterator<Item = WorldRows<'a>>,
        leaves: bool,
        stop: Stop<'_>,
    ) -> Option<Underway<'a>> {
        let (fours, rest) = worlds.as_chunks_mut::<LOCKSTEP_WORLDS>();
        let (last, mut left) = (fours.len(), None);
        let mut fresh = self.fresh.iter().copied().chain(std::iter::repeat(false));
        for (number, worlds) in (1..).zip(fours) {
            let rows = std::array::from_fn(|_| rows.next());
            let fresh = std::array::from_fn(|_| fresh.next() == Some(true));
            memory.exchange(worlds);
            let mut four = self.set_out(worlds, rows, fresh);
            if leaves && number == last && four.count > 1 {
                four.go_on(four.count - four.count.div_ceil(LEFT), memory, stop);
                memory.exchange(four.worlds);
                left = Some(four);
            } else {
                four.finish(memory, stop);
            }
        }
        for ((world, mut rows), fresh) in rest.iter_mut().zip(rows).zip(fresh) {
            let steps = Steps { count: self.count, stop };
            memory.lend(world, |world| {
                advance_one(world, fresh, steps, self.model, self.setup, &mut rows);
            });
        }
        left
    }

    /// Lets four worlds depart, or begin an episode.
    fn set_out(
        self,
        worlds: &'a mut [World; LOCKSTEP_WORLDS],
        mut rows: [Option<WorldRows<'a>>; LOCKSTEP_WORLDS],
        fresh: [bool; LOCKSTEP_WORLDS],
    ) -> Underway<'a> {
        let Self { count, model, setup, .. } = self;
        let mut departures = [None; LOCKSTEP_WORLDS];
        let mut outcomes = [const { Ok(()) }; LOCKSTEP_WORLDS];
        for (i, (world, rows)) in worlds.iter_mut().zip(rows.iter_mut().flatten()).enumerate() {
            if fresh[i] {
                world.begin(true, model, setup, rows);
                continue;
            }
            match world.set_out(count, model, setup, rows) {
                Ok(departure) => departures[i] = Some(departure),
                Err(error) => world.report(Err(error), model, setup, rows),
            }
            if departures[i].is_some_and(|departure| departure.halves) {
                outcomes[i] = StepError::catch(|| kinetree_sim::mj_step2(model, &mut world.data));
            }
        }
        let count = departures.iter().flatten().map(|departure| departure.count).max().unwrap_or(0);
        Underway { model, setup, worlds, rows, departures, outcomes, made: 0, count }
    }
}

/// Four worlds between the steps of physics of a step of the batch.
///
/// Threads leave the last steps of their last worlds for the end. These are short, so that threads that take
/// them from each other end at nearly the same time.
pub(crate) struct Underway<'a> {
    model: &'a Model,
    setup: &'a Setup,
    worlds: &'a mut [World; LOCKSTEP_WORLDS],
    rows: [Option<WorldRows<'a>>; LOCKSTEP_WORLDS],
    /// Those that make steps.
    departures: [Option<Departure>; LOCKSTEP_WORLDS],
    /// Which of them have failed.
    outcomes: [Result<(), StepError>; LOCKSTEP_WORLDS],
    /// Steps of physics that are made, of so many.
    made: usize,
    count: usize,
}

impl Underway<'_> {
    /// Makes steps until so many are made. Worlds that are told to stop before their first step stay where
    /// they are; those that are told later make one more step, whose results are seen.
    fn go_on(&mut self, until: usize, memory: &mut Memory, stop: Stop<'_>) {
        let Self { model, departures, outcomes, .. } = self;
        let mut lanes = self.worlds.each_mut().map(|world| LockstepWorld::new(&mut world.data));
        while self.made < until.min(self.count) {
            if stop.is_asked() {
                if self.made == 0 {
                    self.count = 0;
                    break;
                }
                self.count = self.made + 1;
            }
            for ((lane, departure), outcome) in lanes.iter_mut().zip(&*departures).zip(&*outcomes) {
                // the first step of those that were ahead is made
                let steps = departure.is_some_and(|departure| self.made > 0 || !departure.halves);
                lane.set_resting(!steps || outcome.is_err());
            }
            self.made += 1;
            if self.made < self.count {
                memory.lockstep.step_unseen(model, &mut lanes);
            } else {
                memory.lockstep.step(model, &mut lanes);
            }
        }
        for (outcome, lane) in outcomes.iter_mut().zip(lanes) {
            let ended = lane.finish();
            if outcome.is_ok() {
                *outcome = ended;
            }
        }
    }

    /// Makes the steps that were left for later.
    pub(crate) fn resume(self, memory: &mut Memory, stop: Stop<'_>) {
        memory.exchange(self.worlds);
        self.finish(memory, stop);
    }

    /// Makes the steps that are left, and reports what came of all.
    fn finish(mut self, memory: &mut Memory, stop: Stop<'_>) {
        self.go_on(self.count, memory, stop);
        let Self { model, setup, worlds, mut rows, departures, outcomes, .. } = self;
        let rows = rows.iter_mut().flatten().zip(departures);
        for ((world, outcome), (rows, departure)) in worlds.iter_mut().zip(outcomes).zip(rows) {
            let Some(departure) = departure else { continue };
            let outcome = outcome.and_then(|()| world.conclude(&departure, model, setup, rows));
            world.report(outcome, model, setup, rows);
        }
        memory.exchange(worlds);
    }
}
