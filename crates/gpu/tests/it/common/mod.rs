//! Worlds on the device beside the same worlds on the processor.

pub(crate) mod worlds;

use kinetree_gpu::{Gpu, GpuSim, Precision};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::Arc;
pub(crate) use worlds::Random;

pub(crate) fn text(xml: &str) -> Arc<Model> {
    Arc::new(kinetree_spec::load_model_str(xml).unwrap())
}

/// A simulator; `None` on a machine without a GPU, where the test says that it is skipped.
pub(crate) fn simulator(model: &Arc<Model>, count: usize) -> Option<GpuSim> {
    worlds::simulator(model, count, Precision::Single)
}

/// Whether there is no GPU, or one in software that compiles the kernels of a test for minutes, and nobody
/// has asked for all tests: a test says so then.
pub(crate) fn takes_minutes() -> bool {
    let reason = match Gpu::new(None) {
        Err(error) => error.to_string(),
        Ok(gpu) if gpu.adapter().contains("llvmpipe") && !asks_for_all() => {
            "Mesa's llvmpipe compiles these kernels for minutes; KINETREE_GPU_TESTS=all runs this test, too"
                .to_owned()
        }
        Ok(_) => return false,
    };
    eprintln!("skipped: {reason}");
    true
}

fn asks_for_all() -> bool {
    std::env::var_os("KINETREE_GPU_TESTS").is_some_and(|value| value == "all")
}

pub(crate) fn round(values: &mut [f64]) {
    values.iter_mut().for_each(|x| *x = f64::from(*x as f32));
}

/// A world after some random steps, its state rounded to single precision.
pub(crate) fn wander(model: &Model, random: &mut Random, steps: usize) -> Data {
    let mut data = worlds::roam(model, random, steps);
    for values in
        [&mut data.qpos[..], &mut data.qvel, &mut data.act, &mut data.ctrl, &mut data.qacc_warmstart]
    {
        round(values);
    }
    data
}

pub(crate) fn state(data: &Data) -> Vec<f32> {
    let parts = [&data.qpos[..], &data.qvel, &data.act, &data.qacc_warmstart];
    parts.into_iter().flatten().map(|&x| x as f32).collect()
}

/// Puts worlds on the device where they are on the processor.
pub(crate) fn set_states(sim: &mut GpuSim, worlds: &[Data]) {
    sim.set_states(&worlds.iter().flat_map(state).collect::<Vec<_>>()).unwrap();
    let controls: Vec<f32> = worlds.iter().flat_map(|d| d.ctrl.iter().map(|&x| x as f32)).collect();
    sim.set_controls(&controls).unwrap();
}

/// Relative length of a difference.
pub(crate) fn difference(a: &[f32], b: &[f64], floor: f64) -> f64 {
    let norm = b.iter().map(|x| x * x).sum::<f64>().sqrt().max(floor);
    a.iter().zip(b).map(|(a, b)| (f64::from(*a) - b).powi(2)).sum::<f64>().sqrt() / norm
}

/// Compares accelerations, velocities and positions of all worlds after a step; all but a few must have the
/// same contacts, and those the same accelerations up to 1e-3. Returns how many of these have contacts, or
/// that all have where there is no GPU.
pub(crate) fn compare(model: &Arc<Model>, count: usize, stride: usize) -> usize {
    let mut random = Random(3);
    let mut worlds: Vec<Data> = (0..count).map(|k| wander(model, &mut random, 5 + stride * k)).collect();
    let Some(mut sim) = simulator(model, count) else { return count };
    set_states(&mut sim, &worlds);
    sim.step_all().unwrap();
    let (acc, vel, pos) = (sim.accelerations().unwrap(), sim.velocities().unwrap(), sim.positions().unwrap());
    let (act, contacts) = (sim.activations().unwrap(), sim.contacts().unwrap());
    let sensordata = sim.sensordata().unwrap();
    assert!(sim.take_errors().unwrap().iter().all(Option::is_none));
    let (mut same, mut touching) = (0, 0);
    for (w, data) in worlds.iter_mut().enumerate() {
        mj_step(model, data).unwrap();
        if contacts[w] != data.contact.iter().filter(|c| c.exclude == 0).count() {
            continue;
        }
        same += 1;
        touching += usize::from(contacts[w] > 0);
        let row = |all: &[f32], n: usize| all[w * n..(w + 1) * n].to_vec();
        let error = difference(&row(&acc, model.nv), &data.qacc_warmstart, 1.0);
        assert!(error < 1e-3, "world {w} of {}: acceleration differs by {error}", model.modelname);
        assert!(difference(&row(&vel, model.nv), &data.qvel, 1e-2) < 1e-3);
        assert!(difference(&row(&pos, model.nq), &data.qpos, 1e-2) < 1e-5);
        assert!(difference(&row(&act, model.na), &data.act, 1e-2) < 1e-5);
        compare_sensors(model, w, &row(&sensordata, sensordata.len() / count), data);
    }
    assert!(same * 20 >= count * 19, "{same} of {count} worlds have the same contacts");
    touching
}

/// Compares the values of each sensor, relative to the largest of its kind that is to be expected.
fn compare_sensors(model: &Model, world: usize, sensordata: &[f32], data: &Data) {
    if sensordata.is_empty() {
        return;
    }
    for s in 0..model.nsensor {
        let first = model.sensor_adr[s] as usize;
        let range = first..first + model.sensor_dim[s] as usize;
        let (got, wanted) = (&sensordata[range.clone()], &data.sensordata[range]);
        let error = difference(got, wanted, 1e-1);
        let kind = model.sensor_type[s];
        assert!(error < 1e-3, "world {world}: sensor {s} of kind {kind} reads {got:?} for {wanted:?}");
    }
}
