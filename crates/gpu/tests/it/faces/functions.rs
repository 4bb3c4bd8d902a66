//! Functions of the user on the device: what they see, what they write, and what is wrong with them.

use super::{simulator, text};
use crate::common::takes_minutes;
use kinetree_gpu::{Functions, GpuError};
use kinetree_model::Model;
use std::sync::Arc;

fn pendulum() -> Arc<Model> {
    text(
        "<mujoco><option timestep='0.01'/><worldbody>
           <body name='pole'><joint name='hinge' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 1' size='0.05'/></body>
         </worldbody><actuator><motor joint='hinge' gear='10'/></actuator>
         <sensor><jointvel joint='hinge'/></sensor></mujoco>",
    )
}

const TEXT: &str = "
fn observe(world: u32) {
    set_observation(world, 0u, cos(qpos(world, 0u)));
    set_observation(world, 1u, qvel(world, 0u));
    set_observation(world, 2u, xquat(world, 1u).x);
    set_observation(world, 3u, sensor(world, 0u) + field(world, 1u));
}
fn reward(world: u32) -> f32 { return field(world, 0u) * ctrl(world, 0u); }
fn terminated(world: u32) -> bool { return abs(qpos(world, 0u)) > 0.2; }
fn reset(world: u32) { set_qpos(world, 0u, 0.1 * random(world)); }
";

fn functions(autoreset: bool) -> Functions {
    Functions { text: TEXT.into(), observations: 4, fields: 2, autoreset, seed: 3 }
}

#[test]
fn they_see_states_controls_fields_and_sensors() {
    let Some(mut sim) = simulator(pendulum(), 3) else { return };
    sim.set_functions(functions(false)).unwrap();
    sim.set_fields(&[1.0, 10.0, 2.0, 20.0, 3.0, 30.0]).unwrap();
    let first = sim.positions().unwrap();
    assert!(first.iter().all(|&x| (0.0..0.1).contains(&x)) && first[0] != first[1], "{first:?}");
    sim.set_controls(&[1.0, -1.0, 0.5]).unwrap();
    sim.steps(5).unwrap();
    let (results, positions, velocities) =
        (sim.results().unwrap(), sim.positions().unwrap(), sim.velocities().unwrap());
    let sensordata = sim.sensordata().unwrap();
    assert_eq!(results.rewards, [1.0, -2.0, 1.5]);
    for w in 0..3 {
        let row = &results.observations[4 * w..4 * w + 4];
        assert!((row[0] - positions[w].cos()).abs() < 1e-5 && row[1] == velocities[w]);
        assert_eq!(row[3], sensordata[w] + 10.0 * (w + 1) as f32);
        assert_eq!(results.terminated[w], positions[w].abs() > 0.2);
        // the pose before the last step
        assert!((row[2] - (0.5 * (positions[w] - 0.01 * velocities[w])).cos()).abs() < 1e-5);
    }
}

#[test]
fn worlds_begin_anew_on_the_device_and_by_a_mask() {
    let Some(mut sim) = simulator(pendulum(), 2) else { return };
    sim.set_functions(functions(true)).unwrap();
    sim.set_controls(&[2.0, 0.0]).unwrap();
    let mut ends = [0, 0];
    let mut starts = Vec::new();
    for _ in 0..40 {
        sim.steps(2).unwrap();
        let results = sim.results().unwrap();
        let positions = sim.positions().unwrap();
        for w in 0..2 {
            assert!(positions[w].abs() <= 0.2, "a world goes on after its end");
            if results.terminated[w] {
                ends[w] += 1;
                assert!((results.observations[4 * w] - positions[w].cos()).abs() < 1e-5);
                assert_eq!(
                    results.observations[4 * w + 1],
                    0.0,
                    "the observation is that of the new episode"
                );
                starts.push(positions[w]);
            }
        }
    }
    assert!(ends[0] >= 3, "{ends:?}");
    starts.sort_by(f32::total_cmp);
    assert!(starts.windows(2).all(|pair| pair[0] != pair[1]), "each episode has random numbers of its own");
    let before = sim.positions().unwrap();
    sim.reset(&[false, true]).unwrap();
    let after = sim.positions().unwrap();
    assert!(after[0] == before[0] && after[1] != before[1] && (0.0..0.1).contains(&after[1]));
    assert!(!sim.results().unwrap().terminated[1]);
}

#[test]
fn a_world_that_fails_ends_once() {
    let Some(mut sim) = simulator(pendulum(), 2) else { return };
    sim.set_functions(functions(true)).unwrap();
    let mut states = sim.states().unwrap();
    states[0] = f32::NAN;
    sim.set_states(&states).unwrap();
    sim.steps(1).unwrap();
    let results = sim.results().unwrap();
    assert_eq!((results.terminated[0], results.rewards[0]), (true, 0.0));
    assert!(sim.positions().unwrap().iter().all(|x| (0.0..0.2).contains(x)));
    sim.steps(1).unwrap();
    assert!(!sim.results().unwrap().terminated[0], "the next step is one of a new episode");
    let errors = sim.take_errors().unwrap();
    assert!(errors[0].is_some_and(|text| text.contains("not finite")) && errors[1].is_none());
    assert!(sim.take_errors().unwrap()[0].is_none());
}

#[test]
fn they_stay_when_buffers_are_made_anew() {
    if takes_minutes() {
        return;
    }
    let Some(mut sim) = simulator(pendulum(), 2) else { return };
    sim.set_functions(functions(false)).unwrap();
    sim.set_fields(&[1.0, 0.0, 2.0, 0.0]).unwrap();
    sim.set_controls(&[1.0, 1.0]).unwrap();
    let masses: Vec<f64> = sim.model().body_mass.repeat(2);
    sim.vary("body_mass", &masses).unwrap();
    sim.steps(3).unwrap();
    let results = sim.results().unwrap();
    assert_eq!(results.rewards, [1.0, 2.0]);
    assert_eq!(results.observations[1], sim.velocities().unwrap()[0]);
}

#[test]
fn mistakes_name_the_users_lines() {
    let Some(mut sim) = simulator(pendulum(), 1) else { return };
    assert_eq!(sim.results(), Err(GpuError::NoFunctions));
    let wrong = "fn reward(world: u32) -> f32 {\n    let x = qpos(world, 0u);\n    return x + nothing;\n}";
    let error = sim.set_functions(Functions { text: wrong.into(), ..Functions::default() }).unwrap_err();
    assert!(matches!(error, GpuError::Kernel { line: Some(3), .. }), "{error}");
    assert!(error.to_string().contains("line 3") && error.to_string().contains("nothing"), "{error}");
    // the simulator is as it was
    sim.steps(1).unwrap();
    sim.set_functions(functions(false)).unwrap();
    assert!(matches!(sim.set_fields(&[1.0]), Err(GpuError::Length { expected: 2, .. })));
    let far = Functions { observations: 1 << 40, ..functions(false) };
    assert!(matches!(sim.set_functions(far), Err(GpuError::TooLarge { .. })));
}
