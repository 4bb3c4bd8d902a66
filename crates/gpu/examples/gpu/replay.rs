//! `gpu replay model.xml [WORLDS [CONTROLS]]`: steps per second from the first keyframe, with its controls or
//! those of a file, in calls of ten steps. The noise on the controls is MuJoCo Warp's: an Ornstein–Uhlenbeck
//! process of a hundredth of their range, with a tenth of a second to fade. `CONTROLS` holds 32-bit numbers:
//! positions and velocities, then controls for each step.

use crate::check::Random;
use kinetree_gpu::{Gpu, GpuOptions, GpuSim};
use kinetree_model::Model;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const STEPS_OF_A_CALL: usize = 10;
const STEPS: usize = 1000;
/// Steps whose kernels are timed one by one.
const PROFILED: usize = 50;
/// Time in which noise fades (s), and its size beside half the range of a control.
const NOISE_TIME: f64 = 0.1;
const NOISE_SIZE: f64 = 0.01;

/// Controls of all worlds, with noise.
struct Noise {
    controls: Vec<f32>,
    random: Random,
}

impl Noise {
    /// The controls after another ten steps.
    fn draw(&mut self, model: &Model, centre: &[f64]) -> &[f32] {
        let rate = (-model.opt.timestep * STEPS_OF_A_CALL as f64 / NOISE_TIME).exp();
        let scale = NOISE_SIZE * (1.0 - rate * rate).sqrt();
        for row in self.controls.chunks_exact_mut(model.nu.max(1)) {
            for (u, control) in row.iter_mut().enumerate() {
                let limited = model.actuator_ctrllimited[u] != 0;
                let [low, high] = if limited { model.actuator_ctrlrange[u] } else { [-1.0, 1.0] };
                let noise = scale * 0.5 * (high - low) * self.random.next();
                let x = rate * f64::from(*control) + (1.0 - rate) * centre[u] + noise;
                *control = (if limited { x.clamp(low, high) } else { x }) as f32;
            }
        }
        &self.controls
    }
}

/// Where worlds begin, and controls for each step.
struct Recording {
    state: Vec<f64>,
    controls: Vec<Vec<f64>>,
}

impl Recording {
    /// That of a file, or the first keyframe, or the first state of the model.
    fn new(model: &Model, path: Option<&str>) -> Result<Self, Box<dyn Error>> {
        let (nq, nv, nu) = (model.nq, model.nv, model.nu);
        let (mut state, controls) = match path {
            Some(path) => {
                let bytes = std::fs::read(path)?;
                let numbers: Vec<f64> = bytes.chunks_exact(4).map(single).collect();
                let (state, controls) =
                    numbers.split_at_checked(nq + nv).ok_or("the recording is too short")?;
                (state.to_vec(), controls.chunks_exact(nu.max(1)).map(<[f64]>::to_vec).collect())
            }
            None if model.nkey > 0 => {
                let state =
                    [&model.key_qpos[..nq], &model.key_qvel[..nv], &model.key_act[..model.na]].concat();
                (state, vec![model.key_ctrl[..nu].to_vec(); STEPS])
            }
            None => (model.qpos0.to_vec(), vec![vec![0.0; nu]; STEPS]),
        };
        state.resize(nq + nv + model.na + nv, 0.0);
        Ok(Self { state, controls })
    }

    /// All worlds where it begins.
    fn begin(&self, sim: &mut GpuSim) -> Result<(), Box<dyn Error>> {
        Ok(sim.set_states(&self.state.repeat(sim.len()))?)
    }
}

pub(crate) fn replay(path: &str, rest: &[String], options: GpuOptions) -> Result<(), Box<dyn Error>> {
    let model = Arc::new(kinetree_spec::load_model(Path::new(path))?);
    let worlds = rest.first().map_or(Ok(8192), |text| text.parse())?;
    let recording = Recording::new(&model, rest.get(1).map(String::as_str))?;
    let gpu = Gpu::new(None)?;
    let cold = Instant::now();
    let mut sim = GpuSim::with_options(gpu, Arc::clone(&model), worlds, options)?;
    recording.begin(&mut sim)?;
    sim.step_all()?;
    let cold = cold.elapsed();
    // capacities grow, and the device comes up to speed
    run(&mut sim, &model, &recording, &mut |_| Ok(()))?;
    let before = sim.solver_totals()?;
    let mut stages: Vec<(&str, Duration)> = Vec::new();
    let (calls, steps, set) = run(&mut sim, &model, &recording, &mut |_| Ok(()))?;
    let after = sim.solver_totals()?;
    run(&mut sim, &model, &recording, &mut |sim| {
        for (k, time) in sim.profile(PROFILED)?.into_iter().enumerate() {
            match stages.get_mut(k) {
                Some(stage) => stage.1 += time.time,
                None => stages.push((time.stage, time.time)),
            }
        }
        Ok(())
    })?;
    let all = (steps * worlds) as f64;
    let per = |a: u64, b: u64| (b - a) as f64 / all;
    println!(
        "{path} {worlds} worlds: {:.0} steps/s, {:.1} ns a step, {:.1} of it to set controls; iterations {:.2}, rows {:.1}, contacts \
         {:.1}, capacity {:?}, first step after {cold:.2?}, errors {}",
        all / calls.as_secs_f64(),
        1e9 * calls.as_secs_f64() / all,
        1e9 * set.as_secs_f64() / all,
        per(before.iterations, after.iterations),
        per(before.rows, after.rows),
        per(before.contacts, after.contacts),
        sim.capacity(),
        sim.take_errors()?.into_iter().flatten().count(),
    );
    let profiled = (steps.div_ceil(PROFILE_EVERY) * PROFILED * worlds) as f64;
    let times: Vec<String> = stages
        .iter()
        .map(|(stage, time)| format!("{stage} {:.1}", time.as_nanos() as f64 / profiled))
        .collect();
    println!("  ns of kernels: {}", times.join(", "));
    Ok(())
}

/// Steps between two profiles.
const PROFILE_EVERY: usize = 250;

/// All steps of the recording; the time of all calls, and how long setting controls took of it.
fn run(
    sim: &mut GpuSim,
    model: &Model,
    recording: &Recording,
    now_and_then: &mut dyn FnMut(&mut GpuSim) -> Result<(), Box<dyn Error>>,
) -> Result<(Duration, usize, Duration), Box<dyn Error>> {
    recording.begin(sim)?;
    let first: Vec<f32> = recording.controls[0].iter().map(|&x| x as f32).collect();
    let mut noise = Noise { controls: first.repeat(sim.len()), random: Random(1) };
    let (mut time, mut set, mut steps) = (Duration::ZERO, Duration::ZERO, 0);
    for part in recording.controls.chunks_exact(STEPS_OF_A_CALL) {
        let controls = noise.draw(model, &part[0]);
        let start = Instant::now();
        sim.set_controls(controls)?;
        set += start.elapsed();
        sim.steps(STEPS_OF_A_CALL)?;
        time += start.elapsed();
        if steps % PROFILE_EVERY == 0 {
            now_and_then(sim)?;
        }
        steps += STEPS_OF_A_CALL;
    }
    Ok((time, steps, set))
}

fn single(bytes: &[u8]) -> f64 {
    f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}
