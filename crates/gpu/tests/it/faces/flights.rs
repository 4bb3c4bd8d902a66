//! Steps that overlap with copies of earlier states.

use super::{simulator, text};
use kinetree_gpu::{Functions, GpuError, GpuSim};
use std::sync::Arc;

/// A plate of small spheres that falls flat: at once there are more contacts than there is room for at the
/// start.
fn plate() -> String {
    let sphere = |k: u32| {
        format!("<geom size='0.1' pos='{} {} 0'/>", 0.25 * f64::from(k % 5), 0.25 * f64::from(k / 5))
    };
    let spheres: String = (0..20).map(sphere).collect();
    format!(
        "<mujoco><default><geom condim='1'/></default><worldbody><geom type='plane' size='9 9 1'/>
           <body pos='0 0 0.108'><freejoint/>{spheres}</body>
           <body pos='0 3 1'><joint name='j' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.04'/></body>
         </worldbody><actuator><motor joint='j'/></actuator></mujoco>"
    )
}

/// Controls of a step, for two worlds.
fn controls(step: usize) -> [f32; 2] {
    [(0.3 * step as f32).sin(), (0.5 * step as f32).cos()]
}

/// States after each of some steps, one after the other.
fn one_by_one(sim: &mut GpuSim, steps: usize) -> Vec<Vec<f32>> {
    let step = |k| {
        sim.set_controls(&controls(k)).unwrap();
        sim.steps(3).unwrap();
        sim.states().unwrap()
    };
    (0..steps).map(step).collect()
}

#[test]
fn steps_that_overlap_are_those_one_after_the_other() {
    const STEPS: usize = 12;
    let model = text(&plate());
    let Some(mut plain) = simulator(Arc::clone(&model), 2) else { return };
    let mut sim = GpuSim::on(plain.gpu().clone(), model, 2).unwrap();
    // one world has its plate higher, so that only the other needs more room
    let mut states = sim.states().unwrap();
    states[sim.state_size() + 2] += 5.0;
    sim.set_states(&states).unwrap();
    plain.set_states(&states).unwrap();
    let room = sim.capacity();
    let wanted = one_by_one(&mut plain, STEPS);
    let mut got = Vec::new();
    sim.set_controls(&controls(0)).unwrap();
    sim.begin_steps(3).unwrap();
    for k in 1..STEPS {
        sim.set_controls(&controls(k)).unwrap();
        sim.begin_steps(3).unwrap();
        got.push(sim.finish_steps().unwrap());
    }
    got.push(sim.finish_steps().unwrap());
    assert!(sim.capacity().contacts > room.contacts, "the test needs a world that runs out of room");
    for (k, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
        assert_eq!(got, wanted, "step {k}");
    }
    assert_eq!(sim.finish_steps(), Err(GpuError::NothingBegun));
}

#[test]
fn what_must_wait_says_so() {
    let Some(mut sim) = simulator(text(&plate()), 2) else { return };
    let states = sim.states().unwrap();
    sim.begin_steps(1).unwrap();
    sim.begin_steps(1).unwrap();
    assert_eq!(sim.begin_steps(1), Err(GpuError::Unfinished));
    assert_eq!(sim.steps(1), Err(GpuError::Unfinished));
    assert_eq!(sim.reset_all(), Err(GpuError::Unfinished));
    assert_eq!(sim.set_states(&states), Err(GpuError::Unfinished));
    assert_eq!(sim.take_errors(), Err(GpuError::Unfinished));
    sim.finish_steps().unwrap();
    sim.finish_steps().unwrap();
    sim.steps(1).unwrap();
    let functions = Functions { text: "fn reset(world: u32) {}".into(), ..Functions::default() };
    sim.set_functions(functions).unwrap();
    let message = sim.begin_steps(1).unwrap_err().to_string();
    assert!(message.starts_with("unsupported: ") && message.contains("functions"), "{message}");
}
