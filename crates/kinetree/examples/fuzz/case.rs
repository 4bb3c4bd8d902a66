//! One case: what a model that loads is taken through.

use crate::clock::computed;
use crate::damage::Random;
use crate::seeds::Seed;
use kinetree::batch::BatchSim;
use kinetree::prelude::*;
use kinetree::soft::SoftWorld;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps from the initial state.
const STEPS: usize = 20;
/// Steps end early when they have taken this long together.
const PATIENCE: Duration = Duration::from_millis(100);
/// A step that computes longer than this is a finding, and so is a model that takes longer to load, save or
/// write.
const SLOW: Duration = Duration::from_secs(5);
/// Larger models are not written as text.
const TEXT: usize = 1 << 20;
/// Worlds of a batch: one more than go in lockstep.
const WORLDS: usize = 5;
/// A deformable body with a larger number of cells, segments, substeps or sweeps is not made: a caller who
/// asks for so much waits for it.
const MUCH: f64 = 1e4;
/// Most substeps times vertices of a step of deformable bodies.
const WORK: f64 = 1e5;

/// What is wrong.
pub(crate) struct Finding(pub(crate) String);

/// What became of a case.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) loaded: bool,
    pub(crate) steps: u64,
    pub(crate) slowest_step: Duration,
    pub(crate) finding: Option<Finding>,
}

/// Counts characters and keeps none.
struct Sink(usize);

impl Write for Sink {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Runs a case; `enter` hears of each stage before it begins.
pub(crate) fn run(
    file: &Seed,
    content: &[u8],
    random: &mut Random,
    enter: &mut dyn FnMut(&'static str),
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut stage_now = "loading";
    let mut slow = None;
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut since = computed();
        let mut stage = |name: &'static str| {
            let now = computed();
            if now > since + SLOW {
                slow = Some(format!("{:?} while {stage_now}", now - since));
            }
            (stage_now, since) = (name, now);
            enter(name);
        };
        stage("loading");
        let Some(model) = file.load(content) else {
            stage("done");
            return Ok(());
        };
        outcome.loaded = true;
        walk_through(&model, random, &mut outcome, &mut stage)?;
        stage("done");
        Ok(())
    }));
    outcome.finding = match result {
        Err(_) => Some(Finding(format!("panic while {stage_now}"))),
        Ok(Err(finding)) => Some(finding),
        Ok(Ok(())) => slow.map(Finding),
    };
    outcome
}

fn walk_through(
    model: &Model,
    random: &mut Random,
    outcome: &mut Outcome,
    stage: &mut dyn FnMut(&'static str),
) -> Result<(), Finding> {
    stage("making data");
    let mut data = Data::new(model);
    stage("making deformable bodies");
    let soft = &mut soft_world(model);
    step(model, &mut data, soft, random, outcome, STEPS, stage);
    // the acceleration of the last step, and one that nothing has made
    stage("inverting");
    let _ = data.inverse(model);
    for value in &mut data.qacc {
        *value = 10.0 * random.signed();
    }
    let _ = data.inverse(model);
    for key in 0..model.nkey.min(2) {
        stage("resetting");
        let _ = data.reset_to_keyframe(model, key);
        step(model, &mut data, soft, random, outcome, 2, stage);
    }
    stage("resetting deformable bodies");
    let _ = soft.state(model, &data).and_then(|state| soft.set_state(model, &mut data, &state));
    let _ = soft.reset(model, &mut data);
    if model.sizes().model_bytes() < TEXT {
        stage("writing text");
        let mut sink = Sink(0);
        let _ = write!(sink, "{model:?} {data:?}");
        if outcome.slowest_step < PATIENCE / 10 {
            stage("stepping worlds");
            step_worlds(model, random)?;
        }
    }
    save_and_load(model, &mut data, stage)
}

/// The deformable bodies of a model, unless they take too long to step or cannot be made.
fn soft_world(model: &Model) -> SoftWorld {
    let much = |line: &str| {
        let (attr, value) = line.split_once(' ').unwrap_or_default();
        let product: f64 = value.split_whitespace().map(|word| word.parse().unwrap_or(0.0)).product();
        matches!(attr, "cells" | "segments" | "substeps" | "iterations") && product > MUCH
    };
    if model.deformable_bodies().any(|(_, lines)| lines.lines().any(much)) {
        return SoftWorld::default();
    }
    let world = SoftWorld::from_model(model).unwrap_or_default();
    let work =
        world.bodies().map(|body| body.coupled_substeps(model.opt.timestep) * body.particles().len() as f64);
    if work.sum::<f64>() < WORK { world } else { SoftWorld::default() }
}

fn step(
    model: &Model,
    data: &mut Data,
    soft: &mut SoftWorld,
    random: &mut Random,
    outcome: &mut Outcome,
    count: usize,
    stage: &mut dyn FnMut(&'static str),
) {
    let begin = Instant::now();
    for _ in 0..count {
        for control in &mut data.ctrl {
            *control = random.signed();
        }
        stage("stepping");
        let start = Instant::now();
        let done = soft.step(model, data);
        outcome.slowest_step = outcome.slowest_step.max(start.elapsed());
        outcome.steps += u64::from(done.is_ok());
        if done.is_err() || begin.elapsed() > PATIENCE {
            return;
        }
    }
}

/// Worlds of a batch must move in lockstep as they do one by one, whatever becomes of each.
fn step_worlds(model: &Model, random: &mut Random) -> Result<(), Finding> {
    let model = Arc::new(model.clone());
    let mut batches = [true, false].map(|lockstep| {
        let mut batch = BatchSim::new(Arc::clone(&model), WORLDS);
        batch.set_lockstep(lockstep);
        batch.reset_all();
        batch
    });
    for step in 0..WORLDS {
        let seed = random.below(1 << 30) as u64;
        for batch in &mut batches {
            let mut random = kinetree::batch::Random::of_world(seed, step);
            batch.controls_mut().fill_with(|| random.uniform(-1.0, 1.0));
            let (columns, at) = (batch.state_columns(), step * batch.state_columns());
            // another world each time begins somewhere else, now and then far away
            let reach = if seed.is_multiple_of(8) { 1e9 } else { 1e-2 };
            for value in &mut batch.states_mut()[at..at + columns] {
                *value += random.uniform(-reach, reach);
            }
            batch.advance();
        }
        let [lockstep, apart] = &batches;
        let bits = |batch: &BatchSim| batch.states().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        if bits(lockstep) != bits(apart) {
            return Err(Finding("worlds in lockstep move otherwise".into()));
        }
        let failures = |batch: &BatchSim| format!("{:?}", batch.errors());
        if failures(lockstep) != failures(apart) {
            return Err(Finding("worlds in lockstep fail otherwise".into()));
        }
    }
    Ok(())
}

/// A model that was saved and loaded must have the same bytes and make the same step.
fn save_and_load(model: &Model, data: &mut Data, stage: &mut dyn FnMut(&'static str)) -> Result<(), Finding> {
    stage("saving");
    let bytes = model.to_bytes();
    stage("loading the saved model");
    let copy = kinetree::spec::load_binary(&bytes)
        .map_err(|problem| Finding(format!("a saved model: {problem}")))?;
    if copy.to_bytes() != bytes {
        return Err(Finding("a saved model has other bytes".into()));
    }
    stage("stepping after a reset");
    data.reset(model).map_err(|problem| Finding(format!("a reset: {problem}")))?;
    let done = data.step(model).is_ok();
    stage("stepping the saved model");
    let mut other = Data::new(&copy);
    if done != other.step(&copy).is_ok() {
        return Err(Finding("a saved model steps otherwise".into()));
    }
    let bits =
        |data: &Data| data.qpos.iter().chain(data.qvel.iter()).map(|x| x.to_bits()).collect::<Vec<_>>();
    if bits(data) != bits(&other) {
        return Err(Finding("a saved model moves otherwise".into()));
    }
    Ok(())
}
