//! Tasks over batches: observations, rewards, first states, and steps that end with the next state.

use kinetree_batch::{BatchError, BatchSim, Completion, Outcome, Record, Task, Transition};
use kinetree_model::{Data, Model};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn load(name: &str) -> Arc<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    Arc::new(kinetree_spec::load_model(&path).unwrap())
}

/// Observes positions of bodies, rewards height, ends when it is low.
struct Probe(Completion);

impl Task for Probe {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        observation.put("xpos", data.xpos.as_flattened());
        observation.put("cfrc_ext", data.cfrc_ext.as_flattened());
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        metrics.number("rise", step.data.qpos[2] - step.before[0]);
        metrics.number("duration", step.duration);
        Outcome { reward: step.data.qpos[2], terminated: step.data.qpos[2] < 0.2 }
    }

    fn describe(&self, _: &Model, data: &Data, metrics: &mut Record<'_>) {
        metrics.number("height", data.qpos[2]);
    }

    fn remember(&self, _: &Model, data: &Data, before: &mut Record<'_>) {
        before.number("height", data.qpos[2]);
    }

    fn completion(&self) -> Completion {
        self.0
    }
}

/// Observation of a world, bit by bit.
fn observation(batch: &BatchSim, world: usize) -> Vec<u64> {
    let width = batch.observations().len() / batch.len();
    batch.observations()[world * width..(world + 1) * width].iter().map(|x| x.to_bits()).collect()
}

/// What the task observes of a data.
fn expected(data: &Data) -> Vec<u64> {
    let arrays = [data.xpos.as_flattened(), data.cfrc_ext.as_flattened()];
    arrays.concat().iter().map(|x| x.to_bits()).collect()
}

fn compare(completion: Completion, complete: impl Fn(&Model, &mut Data)) {
    let model = load("showcase/quadruped.xml");
    let mut batch = BatchSim::with_task(Arc::clone(&model), 3, Arc::new(Probe(completion))).unwrap();
    batch.set_threads(2).unwrap();
    batch.set_frame_skip(4);
    let columns = batch.state_columns();
    batch.states_mut()[columns] = 0.5;
    batch.begin_where(&[false, true, false]).unwrap();
    let mut single = Data::new(&model);
    single.qpos[0] = 0.5;
    single.forward(&model).unwrap();
    assert_eq!(observation(&batch, 1), expected(&single));
    for step in 0..100 {
        let before = single.qpos[2];
        batch.controls_mut().fill(0.1);
        if step == 40 {
            // a state that the caller writes is where a step begins
            batch.states_mut()[columns + 1] += 0.25;
            single.qpos[1] += 0.25;
        }
        batch.advance();
        single.ctrl.fill(0.1);
        single.steps(&model, 4).unwrap();
        complete(&model, &mut single);
        assert_eq!(observation(&batch, 1), expected(&single), "step {step}");
        assert_eq!(batch.rewards()[1], single.qpos[2]);
        let metrics = &batch.metrics()[3..6];
        assert_eq!(metrics, [single.qpos[2], single.qpos[2] - before, 4.0 * model.opt.timestep]);
    }
    assert_eq!(batch.metric_parts()[1][0].name, "rise");
}

#[test]
fn steps_leave_arrays_as_they_were_evaluated() {
    compare(Completion::None, |_, _| {});
}

#[test]
fn steps_end_with_forces_of_bodies() {
    compare(Completion::BodyForces, |model, data| {
        kinetree_sim::mj_rne_post_constraint(model, data).unwrap();
    });
}

/// Halves of steps are made where they can be, with the same bits as whole steps.
#[test]
fn steps_end_with_what_follows_from_the_new_state() {
    compare(Completion::NextState, |model, data| kinetree_sim::mj_step1(model, data).unwrap());
}

#[test]
fn worlds_begin_while_others_step_and_stop_when_asked_to() {
    let model = load("showcase/quadruped.xml");
    let mut batch = BatchSim::with_task(Arc::clone(&model), 4, Arc::new(Probe(Completion::None))).unwrap();
    batch.set_time_limit(Some(3));
    let interval = Duration::from_millis(10);
    for _ in 0..3 {
        batch.advance_watched(1, &[], interval, || true).unwrap();
    }
    assert_eq!(batch.truncated(), [true; 4]);
    batch.advance_watched(1, &[false, true, false, false], interval, || true).unwrap();
    assert_eq!(batch.truncated(), [true, false, true, true]);
    assert_eq!(batch.rewards()[1], 0.0);
    assert_eq!(batch.world(1).unwrap().time, 0.0);
    assert!(batch.advance_watched(1, &[true], interval, || true).is_err());
    stop_early(&mut batch);
    // four at a time, on two threads
    let mut batch = BatchSim::new(model, 40);
    batch.set_threads(2).unwrap();
    stop_early(&mut batch);
}

/// Begins far more steps than there is time for; worlds go on where they stopped.
fn stop_early(batch: &mut BatchSim) {
    batch.advance_watched(usize::MAX / 8, &[], Duration::from_millis(10), || false).unwrap();
    let begun: Vec<f64> = (0..batch.len()).map(|world| batch.world(world).unwrap().time).collect();
    assert!(begun[0] > 0.0);
    batch.advance();
    assert!(batch.errors().iter().all(Option::is_none));
    assert!((0..batch.len()).all(|world| batch.world(world).unwrap().time > begun[world]));
}

#[test]
fn a_task_that_does_not_fit_the_model_is_refused() {
    let model = load("sleep.xml");
    struct Wrong;
    impl Task for Wrong {
        fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
            observation.number("q", data.qpos[1_000_000]);
        }
        fn evaluate(&self, _: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
            Outcome::default()
        }
    }
    assert!(matches!(BatchSim::with_task(model, 2, Arc::new(Wrong)), Err(BatchError::Task(_))));
}
