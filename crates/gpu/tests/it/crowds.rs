//! Worlds with many contacts among worlds with few: they have a kernel of their own, and all have the states
//! of the processor.

use crate::common::{simulator, text};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::Arc;

/// Spheres below two boards: more contacts than a kernel for usual worlds has room for.
const SPHERES: usize = 40;
const STEPS: usize = 12;
/// Enough for one crowded world among them to have a kernel of its own.
const WORLDS: usize = 100;

/// Two boards on slides, each with spheres that fall on a plane, and one sphere that is always on it.
fn boards() -> Arc<Model> {
    let spheres: String =
        (0..SPHERES).map(|k| format!("<geom size='0.05' pos='{k} 0 0' condim='3'/>")).collect();
    let board = |y: usize| {
        format!(
            "<body pos='0 {y} 0.06'><joint type='slide' axis='0 0 1'/><joint type='slide' axis='1 0 0'/>{spheres}</body>"
        )
    };
    text(&format!(
        "<mujoco><option timestep='0.005'/><worldbody><geom type='plane' size='90 90 1'/>{}{}
           <body pos='0 9 0.06'><joint type='slide' axis='0 0 1'/><geom size='0.05'/></body></worldbody></mujoco>",
        board(0),
        board(3)
    ))
}

/// A world whose boards are high in the air or not.
fn world(model: &Model, high: bool, speed: f64) -> Data {
    let mut data = Data::new(model);
    if high {
        data.qpos[..4].copy_from_slice(&[9.0, 0.0, 9.0, 0.0]);
    }
    data.qvel[1] = speed;
    data
}

#[test]
fn crowded_worlds_make_the_steps_of_the_processor() {
    let model = boards();
    // one of a hundred lies on the plane, and moves along it
    let worlds: Vec<bool> = (0..WORLDS).map(|w| w != 37).collect();
    let Some(mut sim) = simulator(&model, worlds.len()) else { return };
    let mut data: Vec<Data> =
        worlds.iter().enumerate().map(|(w, &high)| world(&model, high, 0.01 * w as f64)).collect();
    let rows = |data: &Data| [&data.qpos[..], &data.qvel, &data.qacc_warmstart].concat();
    sim.set_states(&data.iter().flat_map(rows).collect::<Vec<f64>>()).unwrap();
    // two calls, of which the second has both kernels from the beginning
    sim.steps(STEPS / 2).unwrap();
    sim.steps(STEPS / 2).unwrap();
    let (positions, contacts) = (sim.positions().unwrap(), sim.contacts().unwrap());
    assert!(contacts[37] > 64 && contacts[36] == 1, "{} and {} contacts", contacts[37], contacts[36]);
    for (w, data) in data.iter_mut().enumerate() {
        (0..STEPS).for_each(|_| mj_step(&model, data).unwrap());
        for (got, expected) in positions[w * model.nq..].iter().zip(&data.qpos[..]) {
            assert!((f64::from(*got) - expected).abs() < 1e-5, "world {w}: {got} for {expected}");
        }
    }
    let totals = sim.solver_totals().unwrap();
    assert_eq!(totals.steps, (worlds.len() * STEPS) as u64, "each world makes each step once");
    let stages: Vec<&str> = sim.profile(1).unwrap().iter().map(|time| time.stage).collect();
    assert!(stages.is_empty() || stages.contains(&"crowded worlds"), "{stages:?}");
}

#[test]
fn worlds_that_all_become_crowded_are_one_kernel_again() {
    let model = boards();
    let Some(mut sim) = simulator(&model, WORLDS) else { return };
    let states = |high: fn(usize) -> bool| -> Vec<f64> {
        let rows = (0..WORLDS).map(|w| world(&model, high(w), 0.0));
        rows.flat_map(|data| [&data.qpos[..], &data.qvel, &data.qacc_warmstart].concat()).collect()
    };
    sim.set_states(&states(|w| w > 0)).unwrap();
    sim.steps(STEPS).unwrap();
    let with_crowded = sim.kernel_texts().len();
    sim.set_states(&states(|_| false)).unwrap();
    sim.steps(STEPS).unwrap();
    sim.steps(STEPS).unwrap();
    assert!(sim.kernel_texts().len() < with_crowded);
    let mut data = world(&model, false, 0.0);
    (0..2 * STEPS).for_each(|_| mj_step(&model, &mut data).unwrap());
    let positions = sim.positions().unwrap();
    for row in positions.chunks_exact(model.nq) {
        let far = row.iter().zip(&data.qpos[..]).map(|(a, b)| (f64::from(*a) - b).abs()).fold(0.0, f64::max);
        assert!(far < 1e-5, "{far}");
    }
    assert_eq!(sim.solver_totals().unwrap().steps, (WORLDS * 3 * STEPS) as u64);
}

#[test]
fn rooms_follow_worlds_whose_steps_overlap_and_no_step_changes_nothing() {
    let model = boards();
    let Some(mut sim) = simulator(&model, WORLDS) else { return };
    let states = |crowded: fn(usize) -> bool| -> Vec<f64> {
        let rows = (0..WORLDS).map(|w| world(&model, !crowded(w), 0.0));
        rows.flat_map(|data| [&data.qpos[..], &data.qvel, &data.qacc_warmstart].concat()).collect()
    };
    sim.set_states(&states(|w| w == 0)).unwrap();
    sim.steps(STEPS).unwrap();
    let with_crowded = sim.kernel_texts().len();
    assert!(sim.contacts().unwrap()[0] > 64, "the boards lie on the plane");
    // counters begin anew with the kernels, and no step has told others since
    sim.vary("body_mass", &model.body_mass.repeat(WORLDS)).unwrap();
    sim.steps(0).unwrap();
    assert_eq!(sim.kernel_texts().len(), with_crowded);
    sim.set_states(&states(|_| true)).unwrap();
    sim.begin_steps(STEPS).unwrap();
    sim.finish_steps().unwrap();
    assert!(sim.kernel_texts().len() < with_crowded, "all worlds have one kernel");
    sim.steps(1).unwrap();
    assert_eq!(sim.solver_totals().unwrap().steps, (WORLDS * (2 * STEPS + 1)) as u64);
}

#[test]
fn failures_are_told_once_and_by_name() {
    let model = boards();
    let Some(mut sim) = simulator(&model, 3) else { return };
    assert!(sim.take_errors().unwrap().iter().all(Option::is_none));
    let mut states =
        [world(&model, true, 0.0), world(&model, true, f64::from(f32::NAN)), world(&model, true, 0.0)]
            .iter()
            .flat_map(|data| [&data.qpos[..], &data.qvel, &data.qacc_warmstart].concat())
            .collect::<Vec<f64>>();
    sim.set_states(&states).unwrap();
    sim.steps(3).unwrap();
    sim.steps(1).unwrap();
    let errors = sim.take_errors().unwrap();
    assert!(errors[0].is_none() && errors[1].is_some() && errors[2].is_none(), "{errors:?}");
    assert!(sim.take_errors().unwrap().iter().all(Option::is_none));
    // and the next one is told again
    states[0] = f64::from(f32::NAN);
    sim.set_states(&states).unwrap();
    sim.begin_steps(2).unwrap();
    sim.finish_steps().unwrap();
    assert!(sim.take_errors().unwrap()[0].is_some());
}
