//! One step from random states on the device beside the same step on the processor in double precision.

use kinetree_gpu::{Gpu, GpuOptions, GpuSim, Precision};
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_forward, mj_step};
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
    pub(crate) sim: GpuSim,
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn apart(a: &[f64], b: &[f64], scale: f64) -> f64 {
    let difference: Vec<_> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    length(&difference) / scale.max(1e-3)
}

/// Contacts that are not inside of a gap.
fn pushing_contacts(data: &Data) -> usize {
    data.contact.iter().filter(|contact| contact.exclude == 0).count()
}

/// Whether the number of contacts changes when coordinates move by some roundings of single precision.
fn is_at_margin(model: &Model, start: &[f64]) -> Result<bool, Box<dyn Error>> {
    const MOTION: f64 = 1e-6;
    let mut random = Random(11);
    let mut data = Data::new(model);
    let mut numbers = Vec::new();
    for _ in 0..8 {
        for (q, start) in data.qpos.iter_mut().zip(start) {
            *q = start + MOTION * random.next();
        }
        mj_forward(model, &mut data)?;
        numbers.push(pushing_contacts(&data));
    }
    Ok(numbers.iter().any(|number| *number != numbers[0]))
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
    let mut random = Random(7);
    let mut data = (0..worlds)
        .map(|k| wander(model, &mut random, 10 + stride * k, precision))
        .collect::<Result<Vec<_>, _>>()?;
    sim.set_states(&data.iter().flat_map(state).collect::<Vec<_>>())?;
    let controls: Vec<f64> = data.iter().flat_map(|d| d.ctrl.iter().copied()).collect();
    sim.set_controls(&controls)?;
    sim.step_all()?;
    let (states, size) = (sim.states_as::<f64>()?, sim.state_size());
    let (contacts, errors) = (sim.contacts()?, sim.take_errors()?);
    let mut outcome =
        Outcome { same: Vec::new(), other_contacts: 0, at_margin: 0, contacts: [0; 2], failed: 0, sim };
    for (w, data) in data.iter_mut().enumerate() {
        let start = data.qpos.to_vec();
        mj_step(model, data)?;
        let pushing = pushing_contacts(data);
        if errors[w].is_some() || data.warning.iter().any(|warning| warning.number > 0) {
            outcome.failed += 1;
            continue;
        }
        if contacts[w] != pushing && is_at_margin(model, &start)? {
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
            acceleration: apart(acc, &data.qacc_warmstart, acceleration),
            velocity: apart(vel, &data.qvel, length(&data.qvel)),
            position: apart(pos, &data.qpos, length(&data.qpos)),
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
    let Outcome { other_contacts, at_margin, failed, .. } = outcome;
    println!(
        "{other_contacts} of {worlds} worlds have other contacts, {at_margin} more at a margin, {failed} failed; {:?}",
        sim.solver_totals()?
    );
    Ok(())
}
