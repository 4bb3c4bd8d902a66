//! What goes wrong is an error that says what to do.

use super::{simulator, text};
use kinetree_gpu::{Gpu, GpuError, GpuSim};
use kinetree_model::Model;
use std::sync::Arc;

fn ball() -> Arc<Model> {
    text(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>
           <body pos='0 0 0.2'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
    )
}

#[test]
fn a_world_that_is_not_finite_is_reported_and_begins_anew() {
    let Some(mut sim) = simulator(ball(), 3) else { return };
    let mut other = GpuSim::on(sim.gpu().clone(), ball(), 3).unwrap();
    let size = sim.state_size();
    for (index, value) in [(size + 2, f32::NAN), (size + 7, f32::INFINITY), (size + 8, 1e20)] {
        let mut states = sim.states().unwrap();
        states[index] = value;
        sim.set_states(&states).unwrap();
        sim.steps(3).unwrap();
        other.steps(3).unwrap();
        let (states, others) = (sim.states().unwrap(), other.states().unwrap());
        assert!(states.iter().all(|x| x.is_finite()));
        assert_eq!(states[..size], others[..size], "others go on");
        assert_eq!(states[2 * size..], others[2 * size..], "others go on");
        let errors = sim.take_errors().unwrap();
        assert!(errors[0].is_none() && errors[1].is_some() && errors[2].is_none(), "{errors:?}");
        assert!(sim.take_errors().unwrap().iter().all(Option::is_none), "it is told once");
    }
}

#[test]
fn no_worlds_are_no_trouble() {
    let Some(mut sim) = simulator(ball(), 0) else { return };
    assert!(sim.is_empty());
    sim.set_controls::<f32>(&[]).unwrap();
    sim.steps(3).unwrap();
    sim.reset_all().unwrap();
    sim.begin_steps(2).unwrap();
    assert!(sim.finish_steps().unwrap().is_empty());
    assert!(sim.states().unwrap().is_empty() && sim.take_errors().unwrap().is_empty());
    assert!(sim.profile(2).unwrap().is_empty());
}

#[test]
fn far_too_many_worlds_are_refused_with_what_would_fit() {
    let Some(sim) = simulator(ball(), 1) else { return };
    for many in [usize::MAX, 1 << 62, 1 << 40] {
        let error = GpuSim::on(sim.gpu().clone(), ball(), many).unwrap_err();
        assert!(matches!(error, GpuError::TooLarge { .. }), "{error}");
        assert!(error.to_string().contains("use fewer worlds"), "{error}");
    }
    // the device is as it was
    GpuSim::on(sim.gpu().clone(), ball(), 2).unwrap().steps(1).unwrap();
}

#[test]
fn a_lost_device_is_an_error_of_every_call() {
    let Some(mut sim) = simulator(ball(), 2) else { return };
    sim.steps(1).unwrap();
    let gpu = sim.gpu().clone();
    gpu.device().destroy();
    let errors = [
        sim.steps(1).unwrap_err(),
        sim.states().unwrap_err(),
        sim.take_errors().unwrap_err(),
        sim.reset_all().unwrap_err(),
        sim.begin_steps(1).err().unwrap_or_else(|| sim.finish_steps().unwrap_err()),
        GpuSim::on(gpu, ball(), 2).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, GpuError::Device(_)), "{error:?}");
        assert!(error.to_string().contains("make a new one"), "{error}");
    }
    // a new one works
    GpuSim::new(ball(), 2).unwrap().steps(1).unwrap();
}

#[test]
fn a_model_that_is_not_covered_is_refused_with_all_names() {
    let model = text(
        "<mujoco><option><flag autoreset='disable'/></option><worldbody>
           <body><joint name='j'/><geom size='0.1'/></body></worldbody>
         <actuator><general name='drive' joint='j' gaintype='user'/></actuator></mujoco>",
    );
    let error = match GpuSim::new(model, 1) {
        Err(error @ GpuError::NoAdapter { .. }) => return eprintln!("skipped: {error}"),
        made => made.unwrap_err().to_string(),
    };
    for part in ["unsupported: ", "autoreset", "actuator 'drive'", "use a batch on threads"] {
        assert!(error.contains(part), "'{part}' is missing in: {error}");
    }
}

#[test]
fn a_machine_without_an_adapter_says_what_to_install() {
    let error = GpuError::NoAdapter { reason: "nothing found".into() }.to_string();
    assert!(error.contains("nothing found") && error.contains("mesa-vulkan-drivers"), "{error}");
    assert!(error.contains("batch on threads"), "{error}");
    assert!(matches!(Gpu::new(Some("imaginary")), Err(GpuError::NoAdapter { .. })));
}
