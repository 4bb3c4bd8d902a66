//! Worlds of a batch make the same steps, bit for bit, as worlds of their own.

use kinetree_batch::{BatchError, BatchSim, Random};
use kinetree_model::enums::Warning;
use kinetree_model::{Data, Model, StepError};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

fn load(name: &str) -> Arc<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    Arc::new(kinetree_spec::load_model(&path).unwrap())
}

fn text(xml: &str) -> Arc<Model> {
    Arc::new(kinetree_spec::load_model_str(xml).unwrap())
}

/// The bits of a world's state.
fn bits(data: &Data) -> Vec<u64> {
    data.qpos.iter().chain(data.qvel.iter()).map(|x| x.to_bits()).collect()
}

/// Models of several kinds, with contacts and without, with actuators and without, and one that fails.
fn mixed() -> Vec<Arc<Model>> {
    let names = ["joint_types.xml", "showcase/boxes.xml", "showcase/quadruped.xml"];
    let mut models: Vec<_> = names.iter().map(|name| load(name)).collect();
    models.push(text(FRAGILE));
    (0..8).map(|i| Arc::clone(&models[i % models.len()])).collect()
}

/// A world of its own that does what a world of a batch does.
struct Single {
    data: Data,
    failed: bool,
}

impl Single {
    fn step(&mut self, model: &Model) {
        if self.failed {
            let controls = self.data.ctrl.to_vec();
            self.data = Data::new(model);
            self.data.ctrl.copy_from_slice(&controls);
        }
        let outcome = self.data.step(model);
        let warned = [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc]
            .iter()
            .any(|kind| self.data.warning[*kind as usize].number > 0);
        let finite = self.data.qpos.iter().chain(self.data.qvel.iter()).all(|x| x.is_finite());
        self.failed = outcome.is_err() || warned || !finite;
    }
}

/// Steps batches on one and two threads and single worlds side by side, with random controls, of which few
/// are so large that worlds fail, and random resets, and compares them after each step.
#[test]
fn mixed_models_on_one_thread_and_on_two() {
    let models = mixed();
    let mut batches = [1, 2].map(|threads| {
        let mut batch = BatchSim::with_models(&models);
        batch.set_threads(threads).unwrap();
        batch
    });
    let mut singles: Vec<_> =
        models.iter().map(|model| Single { data: Data::new(model), failed: false }).collect();
    let (mut random, columns) = (Random::of_world(3, 0), batches[0].control_columns());
    let (mut failures, mut resets) = (0, 0);
    for step in 0..10_000 {
        for (world, single) in singles.iter_mut().enumerate() {
            let fragile = single.data.ctrl.len() == 1 && random.uniform(0.0, 1.0) < 0.003;
            for k in 0..columns {
                let control = if fragile { 1e9 } else { random.uniform(-1.0, 1.0) };
                batches.iter_mut().for_each(|batch| batch.controls_mut()[world * columns + k] = control);
                if let Some(own) = single.data.ctrl.get_mut(k) {
                    *own = control;
                }
            }
        }
        batches.iter_mut().for_each(BatchSim::advance);
        for (world, (single, model)) in singles.iter_mut().zip(&models).enumerate() {
            single.step(model);
            failures += usize::from(single.failed);
            for batch in &batches {
                assert_eq!(batch.errors()[world].is_some(), single.failed, "world {world}, step {step}");
                assert_eq!(
                    bits(&single.data),
                    bits(batch.world(world).unwrap()),
                    "world {world}, step {step}"
                );
                let state = &batch.states()[world * batch.state_columns()..];
                let same = state.iter().zip(single.data.qpos.iter()).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "world {world}, step {step}");
            }
        }
        if step % 97 == 96 {
            let mask: Vec<bool> = models.iter().map(|_| random.uniform(0.0, 1.0) < 0.3).collect();
            batches.iter_mut().for_each(|batch| batch.reset_where(&mask).unwrap());
            for ((single, model), _) in
                singles.iter_mut().zip(&models).zip(&mask).filter(|(_, reset)| **reset)
            {
                *single = Single { data: Data::new(model), failed: false };
                resets += 1;
            }
        }
    }
    assert!(failures > 10 && resets > 100, "{failures} failures, {resets} resets");
}

/// A hinge that a control can throw into infinity.
const FRAGILE: &str = "<mujoco><option><flag warmstart='disable'/></option>
    <worldbody><body><joint name='j' type='slide'/><geom size='0.1'/></body></worldbody>
    <actuator><motor joint='j' gear='1000'/></actuator><sensor><jointpos joint='j'/></sensor></mujoco>";

#[test]
fn a_world_that_diverges_touches_no_other() {
    let model = text(FRAGILE);
    let mut batch = BatchSim::new(Arc::clone(&model), 5);
    batch.set_reward(|_: &Model, data: &Data| data.qpos[0]);
    batch.set_frame_skip(3);
    let mut single = Data::new(&model);
    for step in 0..10 {
        batch.controls_mut().fill(1.0);
        batch.controls_mut()[2] = if step == 4 { 1e9 } else { 1.0 };
        let result = batch.step_all();
        single.ctrl[0] = 1.0;
        single.steps(&model, 3).unwrap();
        for world in [0, 1, 3, 4] {
            assert_eq!(bits(&single), bits(batch.world(world).unwrap()));
            assert!(result.errors[world].is_none() && !result.terminated[world]);
            assert_eq!(result.rewards[world], single.qpos[0]);
        }
        let failed = step == 4;
        assert_eq!(result.terminated[2], failed, "step {step}");
        assert_eq!(matches!(result.errors[2], Some(StepError::Diverged(_))), failed);
        if step == 5 {
            // reset at the next step, which it then made
            let mut fresh = Data::new(&model);
            fresh.ctrl[0] = 1.0;
            fresh.steps(&model, 3).unwrap();
            assert_eq!(bits(&fresh), bits(batch.world(2).unwrap()));
        }
    }
}

#[test]
fn a_panic_stays_in_its_world() {
    let model = text(FRAGILE);
    let mut batch = BatchSim::new(Arc::clone(&model), 3);
    batch.set_reward(|_: &Model, data: &Data| {
        assert!(data.ctrl[0] < 5.0, "too much");
        1.0
    });
    batch.controls_mut()[1] = 6.0;
    let result = batch.step_all();
    assert!(matches!(&result.errors[1], Some(StepError::Panicked(text)) if text.contains("too much")));
    assert_eq!(result.rewards, [1.0, 0.0, 1.0]);
    batch.controls_mut()[1] = 0.0;
    assert_eq!(batch.step_all().rewards, [1.0; 3]);
}

#[test]
fn varied_fields_are_those_of_an_edited_model() {
    let model = load("showcase/quadruped.xml");
    let count = 9;
    let mut batch = BatchSim::new(Arc::clone(&model), count);
    batch.set_threads(2).unwrap();
    let mut random = Random::of_world(1, 0);
    let mut vary = |field: &str, original: &[f64]| {
        let values: Vec<f64> = (0..count)
            .flat_map(|_| {
                let factor = random.uniform(0.8, 1.25);
                original.iter().map(move |x| x * factor).collect::<Vec<_>>()
            })
            .collect();
        batch.vary(field, &values).unwrap();
    };
    vary("body_mass", &model.body_mass);
    vary("geom_friction", model.geom_friction.as_flattened());
    vary("actuator_gainprm", model.actuator_gainprm.as_flattened());
    let edited: Vec<Model> = (0..count).map(|world| batch.model_of(world).unwrap()).collect();
    assert!(edited[0].body_mass[1] != edited[1].body_mass[1]);
    let mut singles: Vec<Data> = edited.iter().map(Data::new).collect();
    for _ in 0..200 {
        batch.advance();
        for (world, (single, model)) in singles.iter_mut().zip(&edited).enumerate() {
            single.step(model).unwrap();
            assert_eq!(bits(single), bits(batch.world(world).unwrap()), "world {world}");
        }
    }
    batch.end_variations().unwrap();
    assert_eq!(batch.model_of(3).unwrap().body_mass[..], model.body_mass[..]);
}

#[test]
fn episodes_begin_and_end() {
    let model = text(FRAGILE);
    let mut batch = BatchSim::new(model, 4);
    batch.set_reset(|_: &Model, data: &mut Data, random: &mut Random| {
        data.qpos[0] = random.uniform(-1.0, 1.0);
    });
    batch.set_termination(|_: &Model, data: &Data| data.qpos[0] > 0.5);
    batch.set_time_limit(Some(3));
    batch.set_seed(5);
    batch.reset_all();
    let first = batch.states().to_vec();
    assert!(first.chunks(2).all(|row| row[0] != 0.0) && first[0] != first[2]);
    let results: Vec<_> = (0..3).map(|_| batch.step_all()).collect();
    for (world, row) in first.chunks(2).enumerate() {
        assert_eq!(results[0].terminated[world], row[0] > 0.5);
        assert!(!results[1].truncated[world] && results[2].truncated[world]);
    }
    // the same seed, the same episodes
    batch.set_seed(5);
    batch.reset_all();
    assert_eq!(batch.states(), first);
    batch.reset(1).unwrap();
    assert!(batch.states()[2] != first[2] && batch.states()[0] == first[0]);
}

/// The selected worlds are reset, no others; a single one by the calling thread, without help.
#[test]
fn only_selected_worlds_are_reset() {
    let mut batch = BatchSim::new(load("joint_types.xml"), 24);
    batch.set_threads(3).unwrap();
    let callers = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&callers);
    batch.set_reset(move |_: &Model, data: &mut Data, _: &mut Random| {
        data.qvel[0] = 1.0;
        seen.lock().unwrap().push(thread::current().id());
    });
    let reset = |batch: &BatchSim| -> Vec<usize> {
        (0..24).filter(|world| batch.world(*world).unwrap().qvel[0] == 1.0).collect()
    };
    batch.reset_where(&[false; 24]).unwrap();
    assert_eq!(reset(&batch), []);
    batch.reset(5).unwrap();
    assert_eq!(reset(&batch), [5]);
    assert_eq!(*callers.lock().unwrap(), [thread::current().id()]);
    let mask: [bool; 24] = std::array::from_fn(|world| world % 7 == 2);
    batch.reset_where(&mask).unwrap();
    assert_eq!(reset(&batch), [2, 5, 9, 16, 23]);
    assert_eq!(callers.lock().unwrap().len(), 5);
    batch.reset_all();
    assert_eq!(reset(&batch).len(), 24);
}

#[test]
fn states_that_the_caller_writes_are_where_a_step_begins() {
    let model = load("joint_types.xml");
    let mut batch = BatchSim::new(Arc::clone(&model), 2);
    batch.states_mut()[0] = 0.3;
    batch.advance();
    let mut single = Data::new(&model);
    single.qpos[0] = 0.3;
    single.step(&model).unwrap();
    assert_eq!(bits(&single), bits(batch.world(0).unwrap()));
    assert_ne!(bits(&single), bits(batch.world(1).unwrap()));
}

#[test]
fn mistakes_are_named() {
    let model = text(FRAGILE);
    let mut batch = BatchSim::new(Arc::clone(&model), 2);
    assert!(matches!(batch.reset(2), Err(BatchError::World { index: 2, count: 2 })));
    assert!(batch.reset_where(&[true]).unwrap_err().to_string().contains("one for each world"));
    let error = batch.vary("geom_mass", &[1.0]).unwrap_err().to_string();
    assert!(error.contains("did you mean 'body_mass'"), "{error}");
    let error = batch.vary("body_mass", &[1.0]).unwrap_err().to_string();
    assert!(error.contains("2 of 'body_mass' for each of 2 worlds"), "{error}");
    assert!(batch.vary("body_mass", &[1.0, f64::NAN, 1.0, 1.0]).is_err());
    batch.controls_mut()[1] = f64::NAN;
    let error = batch.check_controls().unwrap_err().to_string();
    assert!(error.contains("a control of world 1 is NaN"), "{error}");
    let several = [Arc::clone(&model), load("joint_types.xml")];
    assert_eq!(BatchSim::with_models(&several).vary("body_mass", &[]), Err(BatchError::SeveralModels(2)));
    let mut none = BatchSim::new(model, 0);
    assert!(none.is_empty() && none.step_all().rewards.is_empty());
}

#[test]
fn outputs_are_those_of_the_data() {
    let model = load("showcase/quadruped.xml");
    let names = ["xpos", "cfrc_ext", "qfrc_actuator"];
    let mut batch = BatchSim::with_outputs(Arc::clone(&model), 3, &names).unwrap();
    batch.set_threads(2).unwrap();
    let mut single = Data::new(&model);
    let width = batch.outputs().len() / 3;
    let compare = |batch: &BatchSim, single: &Data| {
        let row = &batch.outputs()[width..2 * width];
        let arrays = [single.xpos.as_flattened(), single.cfrc_ext.as_flattened(), &single.qfrc_actuator[..]];
        for (output, array) in batch.output_columns().iter().zip(arrays) {
            assert_eq!(&row[output.columns.clone()], array, "{}", output.name);
        }
    };
    for _ in 0..400 {
        batch.advance_by(2);
        single.steps(&model, 2).unwrap();
        kinetree_sim::mj_rne_post_constraint(&model, &mut single).unwrap();
        compare(&batch, &single);
    }
    assert!(single.cfrc_ext.as_flattened().iter().any(|x| *x != 0.0), "it stands on its feet");
    // what follows from a state that the caller writes, in one world of them
    let second = batch.state_columns();
    batch.states_mut()[second] += 0.5;
    batch.evaluate_where(&[false, true, false]).unwrap();
    single.qpos[0] += 0.5;
    single.forward(&model).unwrap();
    kinetree_sim::mj_rne_post_constraint(&model, &mut single).unwrap();
    compare(&batch, &single);
    let error = BatchSim::with_outputs(model, 3, &["xpso"]).unwrap_err().to_string();
    assert!(error.contains("'xpso'"), "{error}");
}

/// Functions of the user may do what they like to a data, also put another in its place.
#[test]
fn a_data_of_another_model_is_an_error_of_its_world() {
    let (model, other) = (text(FRAGILE), load("showcase/humanoid.xml"));
    let mut batch = BatchSim::new(Arc::clone(&model), 3);
    *batch.world_mut(1).unwrap() = Data::new(&other);
    let result = batch.step_all();
    assert!(matches!(result.errors[..], [None, Some(StepError::Mismatch(_)), None]), "{:?}", result.errors);
    assert!(batch.step_all().errors.iter().all(Option::is_none));
    batch.set_reset(move |_: &Model, data: &mut Data, random: &mut Random| {
        if random.uniform(0.0, 1.0) < 0.5 {
            *data = Data::new(&other);
        }
    });
    for _ in 0..10 {
        batch.reset_all();
        let wrong = batch.errors().iter().filter(|error| error.is_some()).count();
        assert!(
            batch.errors().iter().flatten().all(|error| matches!(error, StepError::Mismatch(_))),
            "{wrong}"
        );
    }
    assert_eq!(batch.world(0).unwrap().qpos.len(), 1);
}

/// Equalities are activated and deactivated world by world, until a reset; rows of smaller models have fewer.
#[test]
fn equalities_are_switched() {
    let held =
        "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><geom size='0.1' pos='0.2 0 0'/></body>
        <body><joint name='b' axis='0 1 0'/><geom size='0.1' pos='0.2 0 0'/></body></worldbody>
        <equality><joint joint1='a'/><joint joint1='b' joint2='a' active='false'/></equality></mujoco>";
    let models = [text(held), load("showcase/boxes.xml"), text(held)];
    let mut batch = BatchSim::with_models(&models);
    assert_eq!(batch.equality_columns(), 2);
    assert_eq!(batch.equalities(), [true, false, false, false, true, false]);
    assert!(batch.set_equalities(&[true; 5]).is_err());
    let active = [false, true, true, true, true, true];
    batch.set_equalities(&active).unwrap();
    assert_eq!(batch.equalities(), [false, true, false, false, true, true]);
    let mut single = Data::new(&models[0]);
    single.eq_active.copy_from_slice(&[0, 1]);
    for _ in 0..20 {
        batch.advance();
        single.step(&models[0]).unwrap();
    }
    assert_eq!(bits(batch.world(0).unwrap()), bits(&single));
    assert_ne!(bits(batch.world(2).unwrap()), bits(&single));
    batch.reset_where(&[true, false, false]).unwrap();
    assert_eq!(batch.equalities(), [true, false, false, false, true, true]);
}
