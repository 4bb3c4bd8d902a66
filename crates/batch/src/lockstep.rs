//! Steps of a batch of four worlds at once, whose steps of physics are made in lockstep.

use crate::tables::Places;
use crate::world::{Departure, Setup, Steps, World};
use kinetree_model::{Model, StepError};
use kinetree_sim::{LOCKSTEP_WORLDS, Lockstep, LockstepWorld};

/// Makes steps of one world, or begins an episode with the state in the table.
pub(crate) fn advance_one(
    world: &mut World,
    fresh: bool,
    steps: Steps<'_>,
    model: &Model,
    setup: &Setup,
    places: &mut Places<'_>,
) {
    if fresh {
        world.begin(true, model, setup, places);
    } else {
        world.advance(steps, model, setup, places);
    }
}

/// What worlds that follow each other are to do.
#[derive(Clone, Copy)]
pub(crate) struct Group<'a> {
    pub(crate) steps: Steps<'a>,
    /// The model of all.
    pub(crate) model: &'a Model,
    pub(crate) setup: &'a Setup,
    /// Which of them begin an episode instead; those without an entry do not.
    pub(crate) fresh: &'a [bool],
}

impl Group<'_> {
    /// Makes steps of worlds, four at a time; those that are left over one by one.
    pub(crate) fn advance<'p>(
        self,
        lockstep: &mut Lockstep,
        worlds: &mut [World],
        mut places: impl Iterator<Item = Places<'p>>,
    ) {
        let (fours, rest) = worlds.as_chunks_mut::<LOCKSTEP_WORLDS>();
        let mut first = 0;
        for four in fours {
            let places = std::array::from_fn(|_| places.next());
            let fresh = self.fresh.get(first..).unwrap_or_default();
            Group { fresh, ..self }.advance_four(lockstep, four, places);
            first += LOCKSTEP_WORLDS;
        }
        for (i, (world, mut places)) in rest.iter_mut().zip(places).enumerate() {
            let fresh = self.fresh.get(first + i) == Some(&true);
            advance_one(world, fresh, self.steps, self.model, self.setup, &mut places);
        }
    }

    /// Makes steps of four worlds.
    fn advance_four(
        self,
        lockstep: &mut Lockstep,
        worlds: &mut [World; LOCKSTEP_WORLDS],
        mut places: [Option<Places<'_>>; LOCKSTEP_WORLDS],
    ) {
        let Self { steps, model, setup, fresh } = self;
        let mut departures = [None; LOCKSTEP_WORLDS];
        for (i, (world, places)) in worlds.iter_mut().zip(places.iter_mut().flatten()).enumerate() {
            if fresh.get(i) == Some(&true) {
                world.begin(true, model, setup, places);
                continue;
            }
            match world.set_out(steps, model, setup, places) {
                Ok(departure) => departures[i] = Some(departure),
                Err(error) => world.report(Err(error), model, setup, places),
            }
        }
        let outcomes = self.make_steps(lockstep, worlds, &departures);
        let places = places.iter_mut().flatten().zip(departures);
        for ((world, outcome), (places, departure)) in worlds.iter_mut().zip(outcomes).zip(places) {
            let Some(departure) = departure else { continue };
            let outcome = outcome.and_then(|()| world.conclude(&departure, model, setup, places));
            world.report(outcome, model, setup, places);
        }
    }

    /// Makes the steps of physics of those worlds that have departed.
    fn make_steps(
        self,
        lockstep: &mut Lockstep,
        worlds: &mut [World; LOCKSTEP_WORLDS],
        departures: &[Option<Departure>; LOCKSTEP_WORLDS],
    ) -> [Result<(), StepError>; LOCKSTEP_WORLDS] {
        let mut begun = [const { Ok(()) }; LOCKSTEP_WORLDS];
        for ((world, departure), begun) in worlds.iter_mut().zip(departures).zip(&mut begun) {
            if departure.is_some_and(|departure| departure.halves) {
                *begun = StepError::catch(|| kinetree_sim::mj_step2(self.model, &mut world.data));
            }
        }
        let mut lanes = worlds.each_mut().map(|world| LockstepWorld::new(&mut world.data));
        let count = departures.iter().flatten().map(|departure| departure.count).max().unwrap_or(0);
        for step in 0..count {
            let stops = self.steps.stop.is_asked();
            if stops && step == 0 {
                break;
            }
            for ((lane, departure), begun) in lanes.iter_mut().zip(departures).zip(&begun) {
                // the first step of those that were ahead is made
                let steps = departure.is_some_and(|departure| step > 0 || !departure.halves);
                lane.set_resting(!steps || begun.is_err());
            }
            if step + 1 < count && !stops {
                lockstep.step_unseen(self.model, &mut lanes);
                continue;
            }
            // worlds that are told to stop make one more step, whose results are seen
            lockstep.step(self.model, &mut lanes);
            break;
        }
        let mut ended = lanes.map(LockstepWorld::finish);
        for (ended, begun) in ended.iter_mut().zip(begun) {
            if begun.is_err() {
                *ended = begun;
            }
        }
        ended
    }
}
