//! One step from random states on the device beside the same step on the processor in double precision.

use kinetree_gpu::{Gpu, GpuOptions, GpuSim, Precision};
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_forward, mj_step, static_pairs};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::Arc;

/// Numbers in −1..1 that are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// A control within its range.
    pub(crate) fn control(&mut self, model: &Model, u: usize) -> f64 {
        let [low, high] =
            if model.actuator_ctrllimited[u] != 0 { model.actuator_ctrlrange[u] } else { [-1.0, 1.0] };
        0.5 * (low + high) + 0.5 * (high - low) * self.next()
    }
}

/// State of a world, as the device has it.
pub(crate) fn state(data: &Data) -> Vec<f64> {
    let parts = [&data.qpos[..], &data.qvel, &data.act, &data.qacc_warmstart];
    parts.into_iter().flatten().copied().collect()
}

/// The rounding of single precision on the processor.
pub(crate) fn round(values: &mut [f64]) {
    values.iter_mut().for_each(|x| *x = f64::from(*x as f32));
}

/// A world on its way: after some random steps, in the precision of the device.
pub(crate) fn wander(
    model: &Model,
    random: &mut Random,
    steps: usize,
    precision: Precision,
) -> Result<Data, Box<dyn Error>> {
    let mut data = Data::new(model);
    for step in 0..steps {
        if step % 8 == 0 {
            (0..model.nu).for_each(|u| data.ctrl[u] = random.control(model, u));
            data.qvel.iter_mut().for_each(|v| *v += 0.05 * random.next());
        }
        mj_step(model, &mut data)?;
    }
    if precision == Precision::Single {
        round(&mut data.qpos);
        round(&mut data.qvel);
        round(&mut data.act);
        round(&mut data.ctrl);
        round(&mut data.qacc_warmstart);
    }
    Ok(data)
}

/// How a state fared; differences are relative to lengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difference {
    pub(crate) acceleration: f64,
    velocity: f64,
    position: f64,
    world: usize,
    contacts: usize,
}

/// Geom pairs of states.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pairs {
    /// Pairs that may touch: those that pass the filters of the model.
    pub(crate) all: usize,
    /// Pairs with a contact on either side.
    pub(crate) touching: usize,
    /// Pairs with other numbers of contacts, which change on the processor, too, when coordinates move by
    /// [`MOTION`].
    pub(crate) at_margin: usize,
    /// All others with other numbers of contacts.
    pub(crate) different: usize,
}

impl Pairs {
    pub(crate) fn add(&mut self, other: Self) {
        self.all += other.all;
        self.touching += other.touching;
        self.at_margin += other.at_margin;
        self.different += other.different;
    }

    /// The shares of pairs with the same contacts, of those that are away from a margin: of all that may
    /// touch, most of which do so on neither side, and of those with a contact on either side.
    pub(crate) fn shares(&self) -> [f64; 2] {
        [self.all, self.touching].map(|pairs| {
            let counted = pairs - self.at_margin;
            (counted - self.different) as f64 / counted.max(1) as f64
        })
    }
}

/// What a comparison found.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// States with the same number of contacts, the worst acceleration last.
    pub(crate) same: Vec<Difference>,
    /// States with another number of contacts, but for those at a margin.
    pub(crate) other_contacts: usize,
    /// States with another number of contacts that a small motion changes on the processor, too.
    pub(crate) at_margin: usize,
    /// Contacts of the processor in all states that are not at a margin, and how many more or fewer the
    /// device has.
    pub(crate) contacts: [usize; 2],
    /// States in which the processor or the device gave up.
    pub(crate) failed: usize,
    pub(crate) pairs: Pairs,
    pub(crate) sim: GpuSim,
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn relative_distance(a: &[f64], b: &[f64], scale: f64) -> f64 {
    let difference: Vec<_> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    length(&difference) / scale.max(1e-3)
}

/// Contacts that are not inside of a gap.
fn pushing_contacts(data: &Data) -> usize {
    data.contact.iter().filter(|contact| contact.exclude == 0).count()
}

/// By how much coordinates move to see whether something is at a margin (m or rad): some roundings of single
/// precision at the size of a robot.
const MOTION: f64 = 1e-6;

/// Number of pushing contacts of each geom pair.
type PairCounts = BTreeMap<[usize; 2], usize>;

fn count_pairs(contacts: impl Iterator<Item = [usize; 2]>) -> PairCounts {
    let mut counts = PairCounts::new();
    contacts.for_each(|[a, b]| *counts.entry([a.min(b), a.max(b)]).or_default() += 1);
    counts
}

fn pushing_pairs(data: &Data) -> PairCounts {
    let pushing = data.contact.iter().filter(|contact| contact.exclude == 0);
    count_pairs(pushing.map(|contact| contact.geom.map(|g| usize::try_from(g).unwrap_or(usize::MAX))))
}

/// Contacts of pairs when coordinates move by some roundings of single precision, each time another way.
fn moved_pairs(model: &Model, start: &[f64]) -> Result<Vec<PairCounts>, Box<dyn Error>> {
    let mut random = Random(11);
    let mut data = Data::new(model);
    let mut moved = Vec::new();
    for _ in 0..8 {
        for (q, start) in data.qpos.iter_mut().zip(start) {
            *q = start + MOTION * random.next();
        }
        mj_forward(model, &mut data)?;
        moved.push(pushing_pairs(&data));
    }
    Ok(moved)
}

/// Compares the pairs of a state; `moved` are those of the processor after small motions, and `listed` is the
/// number of those that may touch.
fn compare_pairs(listed: usize, ours: &PairCounts, theirs: &PairCounts, moved: &[PairCounts]) -> Pairs {
    let of = |counts: &PairCounts, pair: &[usize; 2]| counts.get(pair).copied().unwrap_or(0);
    let all: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
    let mut pairs = Pairs { all: listed.max(all.len()), touching: all.len(), ..Pairs::default() };
    for pair in all.into_iter().filter(|pair| of(ours, pair) != of(theirs, pair)) {
        let changes = moved.iter().any(|counts| of(counts, pair) != of(&moved[0], pair));
        *if changes { &mut pairs.at_margin } else { &mut pairs.different } += 1;
    }
    pairs
}

/// Makes one step from `worlds` random states, each `stride` steps later than the one before.
pub(crate) fn compare(
    gpu: Gpu,
    model: &Arc<Model>,
    worlds: usize,
    stride: usize,
    precision: Precision,
) -> Result<Outcome, Box<dyn Error>> {
    let options = GpuOptions { precision, ..GpuOptions::default() };
    let mut sim = GpuSim::with_options(gpu, Arc::clone(model), worlds, options)?;
    let listed = static_pairs(model, &Data::new(model)).len();
    let mut random = Random(7);
    let mut data = (0..worlds)
        .map(|k| wander(model, &mut random, 10 + stride * k, precision))
        .collect::<Result<Vec<_>, _>>()?;
    let start: Vec<f64> = data.iter().flat_map(state).collect();
    sim.set_states(&start)?;
    let controls: Vec<f64> = data.iter().flat_map(|d| d.ctrl.iter().copied()).collect();
    sim.set_controls(&controls)?;
    // where capacities grow, contacts of worlds that had room are gone
    loop {
        let capacity = sim.capacity();
        sim.step_all()?;
        if sim.capacity() == capacity {
            break;
        }
        sim.take_errors()?;
        sim.set_states(&start)?;
    }
    let (states, size) = (sim.states_as::<f64>()?, sim.state_size());
    let (contacts, errors, geoms) = (sim.contacts()?, sim.take_errors()?, sim.contact_geoms()?);
    let mut outcome = Outcome {
        same: Vec::new(),
        other_contacts: 0,
        at_margin: 0,
        contacts: [0; 2],
        failed: 0,
        pairs: Pairs::default(),
        sim,
    };
    for (w, data) in data.iter_mut().enumerate() {
        let start = data.qpos.to_vec();
        mj_step(model, data)?;
        let pushing = pushing_contacts(data);
        if errors[w].is_some() || data.warning.iter().any(|warning| warning.number > 0) {
            outcome.failed += 1;
            continue;
        }
        let (ours, theirs) = (count_pairs(geoms[w].iter().copied()), pushing_pairs(data));
        let moved = if ours == theirs { Vec::new() } else { moved_pairs(model, &start)? };
        outcome.pairs.add(compare_pairs(listed, &ours, &theirs, &moved));
        let total = |counts: &PairCounts| counts.values().sum::<usize>();
        let is_at_margin = moved.iter().any(|counts| total(counts) != total(&moved[0]));
        if contacts[w] != pushing && is_at_margin {
            outcome.at_margin += 1;
            continue;
        }
        outcome.contacts[0] += pushing;
        outcome.contacts[1] += contacts[w].abs_diff(pushing);
        if contacts[w] != pushing {
            outcome.other_contacts += 1;
            continue;
        }
        let (pos, rest) = states[w * size..(w + 1) * size].split_at(model.nq);
        let (vel, rest) = rest.split_at(model.nv);
        let acc = &rest[model.na..];
        // at rest, constraints cancel what would accelerate
        let acceleration = length(&data.qacc).max(length(&data.qacc_smooth));
        outcome.same.push(Difference {
            // what the solver found: the midpoint rule gives free bodies another one
            acceleration: relative_distance(acc, &data.qacc_warmstart, acceleration),
            velocity: relative_distance(vel, &data.qvel, length(&data.qvel)),
            position: relative_distance(pos, &data.qpos, length(&data.qpos)),
            world: w,
            contacts: pushing,
        });
    }
    outcome.same.sort_by(|a, b| a.acceleration.total_cmp(&b.acceleration));
    Ok(outcome)
}

/// Compares one model and says how it fared.
pub(crate) fn check(model: &Arc<Model>, worlds: usize, precision: Precision) -> Result<(), Box<dyn Error>> {
    let outcome = compare(Gpu::new(None)?, model, worlds, 12, precision)?;
    let sim = &outcome.sim;
    println!("{}, compiled in {:?}, capacity {:?}", sim.gpu().adapter(), sim.compilation(), sim.capacity());
    let shown = |d: &Difference| {
        let Difference { acceleration, velocity, position, world, contacts } = d;
        format!(
            "acc {acceleration:.1e} vel {velocity:.1e} pos {position:.1e} (world {world}, {contacts} contacts)"
        )
    };
    let same = &outcome.same;
    if let Some(worst) = same.last() {
        println!("median: {}", shown(&same[same.len() / 2]));
        println!("worst:  {}", shown(worst));
    }
    let Outcome { other_contacts, at_margin, failed, pairs, .. } = outcome;
    let [of_all, of_touching] = pairs.shares().map(|share| 100.0 * share);
    println!("{pairs:?}: {of_all:.3} % of all and {of_touching:.3} % of those that touch are the same");
    println!(
        "{other_contacts} of {worlds} worlds have other contacts, {at_margin} more at a margin, {failed} failed; {:?}",
        sim.solver_totals()?
    );
    Ok(())
}
