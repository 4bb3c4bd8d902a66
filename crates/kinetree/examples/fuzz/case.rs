//! One case: what a model that loads is taken through.

use crate::clock::computed;
use crate::damage::Random;
use crate::seeds::Seed;
use kinetree::prelude::*;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
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
    step(model, &mut data, random, outcome, STEPS, stage);
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
        step(model, &mut data, random, outcome, 2, stage);
    }
    if model.sizes().model_bytes() < TEXT {
        stage("writing text");
        let mut sink = Sink(0);
        let _ = write!(sink, "{model:?} {data:?}");
    }
    save_and_load(model, &mut data, stage)
}

fn step(
    model: &Model,
    data: &mut Data,
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
        let done = data.step(model);
        outcome.slowest_step = outcome.slowest_step.max(start.elapsed());
        outcome.steps += u64::from(done.is_ok());
        if done.is_err() || begin.elapsed() > PATIENCE {
            return;
        }
    }
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
