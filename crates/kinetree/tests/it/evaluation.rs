//! What an evaluation has made so far ends with it: after an error, after a panic, and when a callback calls
//! the engine in the middle of it, the next results are those of a data that has seen none of this.

use crate::common::{bits_of, load};
use crate::counting_allocator::allocation_count;
use kinetree::model::enums::{Integrator, Solver};
use kinetree::prelude::*;
use kinetree::sim::{mj_energy_vel, mj_fwd_position, mj_rne_post_constraint, mj_sensor_acc};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn bits(data: &Data) -> Vec<u64> {
    let Data { qpos, qvel, qacc, sensordata, efc_force, cfrc_int, .. } = data;
    bits_of([&qpos[..], qvel, qacc, sensordata, efc_force, cfrc_int.as_flattened()])
}

/// Steps a data and a clone of it, which carries no working memory, and compares them.
fn compare_with_clone(model: &Model, data: &mut Data, steps: usize) {
    let mut clone = data.clone();
    for step in 0..steps {
        data.step(model).unwrap();
        clone.step(model).unwrap();
        assert!(bits(data) == bits(&clone), "step {step}");
    }
}

#[test]
fn nothing_is_left_of_an_evaluation_that_failed() {
    for path in ["showcase/humanoid.xml", "showcase/boxes.xml", "equality.xml"] {
        let mut model = load(path);
        let (solver, integrator) = (model.opt.solver, model.opt.integrator);
        let mut data = Data::new(&model);
        data.steps(&model, 100).unwrap();
        // rows, velocity-dependent terms and factors have been made, and nobody has used them
        model.opt.solver = 77;
        assert_eq!(data.step(&model), Err(StepError::Solver(77)), "{path}");
        model.opt.solver = solver;
        model.opt.integrator = 77;
        assert_eq!(data.step(&model), Err(StepError::Integrator(77)), "{path}");
        model.opt.integrator = integrator;
        data.qvel.iter_mut().for_each(|v| *v *= 0.5);
        compare_with_clone(&model, &mut data, 20);
    }
}

#[test]
fn nothing_is_left_of_an_evaluation_that_panicked() {
    let mut model = load("showcase/humanoid.xml");
    let fails = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&fails);
    model.set_passive(move |_, _| assert!(!seen.load(Ordering::Relaxed), "asked to fail"));
    let mut data = Data::new(&model);
    data.steps(&model, 80).unwrap();
    fails.store(true, Ordering::Relaxed);
    assert!(catch_unwind(AssertUnwindSafe(|| data.step(&model))).is_err());
    fails.store(false, Ordering::Relaxed);
    compare_with_clone(&model, &mut data, 20);
    // without the callback, stages use again what earlier ones have made
    model.clear_callbacks();
    compare_with_clone(&model, &mut data, 20);
}

#[test]
fn callbacks_may_call_the_engine_and_allocate_nothing() {
    let mut model = load("showcase/humanoid.xml");
    let calls = |model: &Model, data: &mut Data| {
        mj_fwd_position(model, data).unwrap();
        mj_energy_vel(model, data).unwrap();
        mj_rne_post_constraint(model, data).unwrap();
        mj_sensor_acc(model, data).unwrap();
        data.ctrl[0] = data.energy[1].sin();
    };
    for (solver, integrator) in [(Solver::Newton, Integrator::Euler), (Solver::Cg, Integrator::Implicitfast)]
    {
        model.opt.solver = solver as i32;
        model.opt.integrator = integrator as i32;
        // the same calls with a data of their own
        model.set_control(move |model, data| {
            let mut other = data.clone();
            calls(model, &mut other);
            data.copy_from(&other).unwrap();
        });
        let mut apart = Data::new(&model);
        apart.steps(&model, 120).unwrap();
        model.set_control(calls);
        let mut nested = Data::new(&model);
        nested.steps(&model, 120).unwrap();
        assert!(bits(&apart) == bits(&nested), "{solver:?}");

        nested.reset(&model).unwrap();
        let before = allocation_count();
        nested.steps(&model, 120).unwrap();
        assert_eq!(allocation_count(), before, "{solver:?}");
    }
}
