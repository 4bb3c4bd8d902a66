//! A batch whose worlds are stepped on a GPU beside one on threads, and both behind their common trait.

use super::{simulator, text};
use kinetree_batch::{
    BatchError, BatchSim, Completion, Outcome, Reads, Record, Task, Transition, Worlds, state_size,
};
use kinetree_gpu::GpuSim;
use kinetree_model::{Data, Model};
use std::sync::Arc;

const ARM: &str = "<mujoco>
  <option timestep='0.004'/>
  <worldbody>
    <geom type='plane' size='5 5 1'/>
    <body name='upper' pos='0 0 0.6'><joint name='shoulder' axis='0 1 0' damping='0.1'/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.04'/>
      <body name='lower' pos='0.3 0 0'><joint name='elbow' axis='0 1 0' damping='0.1'/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.03'/></body></body>
    <body pos='0 0.5 0.11'><freejoint/><geom size='0.1'/></body>
  </worldbody>
  <actuator><motor joint='shoulder'/><general joint='elbow' dyntype='filter' dynprm='0.1' gainprm='5'/></actuator>
  <sensor><jointvel joint='elbow'/><accelerometer site='s'/></sensor>
</mujoco>";

/// Observes everything that a task may: states, poses, forces, sensors.
struct Watch(Reads, Completion);

impl Task for Watch {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        observation.put("qpos", &data.qpos);
        observation.put("act", &data.act);
        if self.0 == Reads::LastEvaluation {
            observation.put("poses", data.xpos.as_flattened());
            observation.put("forces", data.cfrc_ext.as_flattened());
        } else if self.1 == Completion::NextState {
            observation.put("poses", data.xpos.as_flattened());
        }
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let speed = (step.data.qpos[0] - step.before[0]) / step.duration;
        metrics.number("speed", speed);
        Outcome { reward: speed, terminated: step.data.qpos[0] > 1.2 }
    }

    fn remember(&self, _: &Model, data: &Data, before: &mut Record<'_>) {
        before.number("angle", data.qpos[0]);
    }

    fn completion(&self) -> Completion {
        self.1
    }

    fn reads(&self) -> Reads {
        self.0
    }
}

fn arm() -> Arc<Model> {
    text(&ARM.replace("<body name='lower'", "<site name='s' pos='0.1 0 0'/><body name='lower'"))
}

/// Both kinds of batch, with a task; none without a GPU.
fn batches(worlds: usize, task: fn() -> Watch) -> Option<[BatchSim; 2]> {
    let model = arm();
    let device = simulator(Arc::clone(&model), worlds)?;
    let make = || {
        let mut batch = BatchSim::with_task(Arc::clone(&model), worlds, Arc::new(task())).unwrap();
        batch.set_frame_skip(3);
        batch.set_time_limit(Some(9));
        batch
    };
    let (mut on_gpu, on_threads) = (make(), make());
    on_gpu.set_device(device).unwrap();
    Some([on_gpu, on_threads])
}

fn assert_close(what: &str, step: usize, a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "step {step}: {what} {k} is {a} for {b}");
    }
}

/// Sensors read the same, or are no numbers where nothing has computed them.
fn assert_sensors(step: usize, [gpu, threads]: &[BatchSim; 2], task: &Watch) {
    for (k, (a, b)) in gpu.sensors().iter().zip(threads.sensors()).enumerate() {
        let velocity = k % 4 == 0;
        match task {
            Watch(Reads::LastEvaluation, _) => assert_close("sensor value", step, &[*a], &[*b], 2e-3),
            Watch(Reads::State, Completion::NextState) if velocity => {
                assert_close("velocity", step, &[*a], &[*b], 2e-3);
            }
            Watch(Reads::State, _) => assert!(a.is_nan(), "step {step}: sensor value {k} is {a}"),
        }
    }
}

#[test]
fn a_task_sees_the_same_on_a_gpu_and_on_threads() {
    let tasks: [fn() -> Watch; 3] = [
        || Watch(Reads::State, Completion::None),
        || Watch(Reads::State, Completion::NextState),
        || Watch(Reads::LastEvaluation, Completion::BodyForces),
    ];
    for task in tasks {
        let Some(mut both) = batches(3, task) else { return };
        for step in 0..12 {
            let fresh = [false, step == 7, false];
            for batch in &mut both {
                let controls: Vec<f64> = (0..6).map(|k| (0.7 * (k + step) as f64).sin()).collect();
                batch.controls_mut().copy_from_slice(&controls);
                if step == 4 {
                    batch.states_mut()[1] = 0.25;
                }
                if step == 7 {
                    let columns = batch.state_columns();
                    batch.states_mut()[columns] = -0.5;
                }
                batch.advance_watched(1, &fresh, std::time::Duration::from_millis(10), || true).unwrap();
            }
            let [gpu, threads] = &both;
            assert_close("state", step, gpu.states(), threads.states(), 2e-4);
            // forces follow from accelerations, which differ more
            assert_close("observation", step, gpu.observations(), threads.observations(), 2e-3);
            assert_close("reward", step, gpu.rewards(), threads.rewards(), 2e-3);
            assert_close("metric", step, gpu.metrics(), threads.metrics(), 2e-3);
            // a world that has just begun was evaluated
            if step != 7 {
                assert_sensors(step, &both, &task());
            }
            assert_eq!(gpu.terminated(), threads.terminated());
            assert_eq!(gpu.truncated(), threads.truncated(), "step {step}");
            assert!(gpu.errors().iter().chain(threads.errors()).all(Option::is_none));
        }
    }
}

#[test]
fn a_world_that_fails_ends_its_episode_and_begins_anew() {
    let Some([mut gpu, _]) = batches(3, || Watch(Reads::LastEvaluation, Completion::BodyForces)) else {
        return;
    };
    let columns = gpu.state_columns();
    gpu.states_mut()[columns] = f64::NAN;
    gpu.advance();
    assert_eq!(gpu.terminated(), [false, true, false]);
    let message = gpu.errors()[1].as_ref().unwrap().to_string();
    assert!(message.contains("positions or velocities"), "{message}");
    assert!(gpu.observations().iter().chain(gpu.states()).all(|x| x.is_finite()));
    gpu.advance();
    assert!(gpu.errors().iter().all(Option::is_none) && !gpu.terminated()[1]);
    assert_eq!(gpu.truncated(), [false; 3]);
}

#[test]
fn a_device_must_have_the_worlds_of_the_batch() {
    let model = arm();
    let Some(device) = simulator(Arc::clone(&model), 2) else { return };
    let gpu = device.gpu().clone();
    let mut batch = BatchSim::new(Arc::clone(&model), 3);
    let error = batch.set_device(device).unwrap_err();
    assert!(matches!(error, BatchError::Length { expected: 3, got: 2, .. }), "{error}");
    let other = GpuSim::on(gpu.clone(), arm(), 3).unwrap();
    let error = batch.set_device(other).unwrap_err().to_string();
    assert!(error.contains("another model"), "{error}");
    // no worlds are no trouble
    let mut none = BatchSim::new(Arc::clone(&model), 0);
    none.set_device(GpuSim::on(gpu, model, 0).unwrap()).unwrap();
    none.advance();
}

/// What a program does with worlds, wherever they are: the final states.
fn drive<W: Worlds>(mut worlds: W) -> Result<Vec<f64>, BatchError> {
    let model = Arc::clone(worlds.common_model());
    let (n, size) = (worlds.count(), state_size(&model));
    let controls: Vec<f64> = (0..n * model.nu).map(|k| (k as f64).cos()).collect();
    worlds.set_controls(&controls)?;
    worlds.steps(4)?;
    worlds.reset(&[true, false, false])?;
    let mut states = vec![0.0; n * size];
    worlds.read_states(&mut states)?;
    states[2 * size] = -0.3;
    worlds.write_states(&[false, false, true], &states)?;
    let mut masses: Vec<f64> = model.body_mass.repeat(n);
    masses[model.nbody + 1] *= 2.0;
    worlds.vary("body_mass", &masses)?;
    worlds.set_controls(&controls)?;
    worlds.step()?;
    masses[model.nbody + 2] *= 2.0;
    worlds.vary("body_mass", &masses)?;
    let (mut before, mut after) = (states.clone(), states.clone());
    worlds.steps_with_last(2, &mut before, &mut after)?;
    assert_ne!(before, after);
    worlds.end_variations()?;
    worlds.step()?;
    worlds.read_states(&mut states)?;
    let mut sensordata = vec![0.0; n * model.nsensordata];
    worlds.read_sensors(&mut sensordata)?;
    states.extend(sensordata);
    let mut rewards = vec![1.0; n];
    worlds.read_rewards(&mut rewards)?;
    assert_eq!(rewards, vec![0.0; n]);
    let mut failures = vec![None; n];
    worlds.take_failures(&mut failures)?;
    assert!(failures.iter().all(Option::is_none));
    assert!(worlds.read_states(&mut states[1..]).is_err() && worlds.reset(&[true]).is_err());
    assert!(worlds.set_controls(&controls[1..]).is_err() && worlds.vary("body_weight", &masses).is_err());
    Ok(states)
}

#[test]
fn simulators_may_be_shared_between_threads() {
    // what bindings to other languages ask for
    fn shared<T: Send + Sync>() {}
    shared::<GpuSim>();
    shared::<BatchSim>();
}

#[test]
fn the_trait_means_the_same_on_a_gpu_and_on_threads() {
    let model = arm();
    let Some(gpu) = simulator(Arc::clone(&model), 3) else { return };
    let on_gpu = drive(gpu).unwrap();
    let on_threads = drive(BatchSim::create(model, 3).unwrap()).unwrap();
    assert_close("state", 0, &on_gpu, &on_threads, 1e-3);
}
