//! Steps in double precision on the device beside the same steps on the processor.

use crate::common::takes_minutes;
use crate::common::worlds::{self, Random, roam};
use kinetree_gpu::{Functions, Gpu, GpuError, GpuOptions, GpuSim, Precision};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::Arc;

/// Largest relative difference.
const BOUND: f64 = 1e-9;

fn text(xml: &str) -> Arc<Model> {
    Arc::new(kinetree_spec::load_model_str(xml).unwrap())
}

/// A simulator in double precision; `None` on a machine without a GPU that has it.
fn simulator(model: &Arc<Model>, count: usize) -> Option<GpuSim> {
    worlds::simulator(model, count, Precision::Double)
}

fn difference(a: &[f64], b: &[f64], floor: f64) -> f64 {
    let norm = b.iter().map(|x| x * x).sum::<f64>().sqrt().max(floor);
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt() / norm
}

/// Compares one step, and then fifty in all, from states of a model; `touching` tells whether they must have
/// contacts.
fn compare(model: &Arc<Model>, count: usize, stride: usize, touching: bool) {
    let mut random = Random(3);
    let mut worlds: Vec<Data> = (0..count).map(|k| roam(model, &mut random, 5 + stride * k)).collect();
    let Some(mut sim) = simulator(model, count) else { return };
    let state = |d: &Data| [&d.qpos[..], &d.qvel, &d.act, &d.qacc_warmstart].concat();
    sim.set_states(&worlds.iter().flat_map(state).collect::<Vec<_>>()).unwrap();
    sim.set_controls(&worlds.iter().flat_map(|d| d.ctrl.to_vec()).collect::<Vec<_>>()).unwrap();
    let mut contacts = 0;
    for steps in [1, 49] {
        sim.steps(steps).unwrap();
        worlds.iter_mut().for_each(|data| (0..steps).for_each(|_| mj_step(model, data).unwrap()));
        let (states, found) = (sim.states_as::<f64>().unwrap(), sim.contacts().unwrap());
        let sensordata = sim.sensordata_as::<f64>().unwrap();
        let mut worst = [0.0_f64; 2];
        for (w, data) in worlds.iter().enumerate() {
            let wanted = data.contact.iter().filter(|c| c.exclude == 0).count();
            assert_eq!(found[w], wanted, "contacts of world {w} after {steps} steps");
            contacts += wanted;
            let row = &states[w * sim.state_size()..(w + 1) * sim.state_size()];
            let (moved, acc) = row.split_at(row.len() - model.nv);
            let scale = data.qacc.iter().chain(&data.qacc_smooth[..]).map(|x| x * x).sum::<f64>().sqrt();
            // free bodies that stand alone have another acceleration after the midpoint rule
            let error = difference(acc, &data.qacc_warmstart, scale.max(1.0));
            let drift = difference(moved, &[&data.qpos[..], &data.qvel, &data.act].concat(), 1.0);
            worst = [worst[0].max(error), worst[1].max(drift)];
            assert!(error < BOUND, "world {w} after {steps} steps: acceleration differs by {error:e}");
            assert!(drift < BOUND, "world {w} after {steps} steps: state differs by {drift:e}");
            let sensed = &sensordata[w * model.nsensordata..(w + 1) * model.nsensordata];
            let error = difference(sensed, &data.sensordata, 1.0);
            assert!(error < BOUND, "world {w} after {steps} steps: sensor values differ by {error:e}");
        }
        println!("{}: {steps} steps, acceleration {:.1e}, state {:.1e}", model.modelname, worst[0], worst[1]);
    }
    assert!(contacts > 0 || !touching, "nothing touches");
}

/// Joints of all kinds with limits, friction loss, springs and dampers; tendons around a sphere and a
/// cylinder, from outside and inside; activations, a muscle, powers in impedances, an equality, sensors.
const CHAIN: &str = "<mujoco model='chain'>
  <option timestep='0.003' tolerance='1e-14' integrator='INTEGRATOR'/>
  <compiler autolimits='true'/>
  <default><geom contype='0' conaffinity='0'/></default>
  <worldbody>
    <geom name='pole' type='cylinder' size='0.06 0.2' pos='0.1 0 0.9' euler='90 0 0'/>
    <site name='anchor' pos='-0.1 0.03 1.05'/><site name='above' pos='0.1 0 1.1'/>
    <body name='upper' pos='0 0 0.8' gravcomp='0.7'>
      <joint name='shoulder' axis='0 1 0' damping='0.3' frictionloss='0.1'/>
      <geom type='capsule' size='0.04' fromto='0 0 0 0.3 0 0'/><geom name='knob' type='sphere' size='0.05' pos='0.3 0 0.02'/>
      <site name='inside' pos='0.3 0 0.03'/><site name='u1' pos='0.1 0.02 0.06'/><site name='u2' pos='0.2 -0.02 0.05'/>
      <body name='lower' pos='0.3 0 0'>
        <joint name='elbow' axis='0 1 0' range='-60 60' solimplimit='0.8 0.95 0.01 0.4 3'/><joint name='twist' axis='1 0 0' stiffness='1' damping='0.05'/>
        <geom type='capsule' size='0.035' fromto='0 0 0 0.3 0 0'/><site name='l1' pos='0.12 0.03 0.05'/><site name='l2' pos='0.2 0 -0.06'/>
        <body pos='0.3 0 0'><joint name='wrist' type='ball' damping='0.1' range='0 50'/><geom type='box' size='0.05 0.03 0.02'/>
          <body pos='0.05 0 0'><joint type='slide' axis='1 0 0' stiffness='20' range='-0.03 0.03'/><geom type='box' size='0.03 0.03 0.02' pos='0.03 0 0.01'/>
            <site name='tip'/></body></body>
      </body>
    </body>
    <body pos='0 1 1'><joint name='loose' type='free' stiffness='30' damping='0.2'/><geom type='ellipsoid' size='0.1 0.06 0.04'/></body>
  </worldbody>
  <tendon>
    <spatial name='flexor' stiffness='20' damping='0.4' range='0.3 0.55'>
      <site site='anchor'/><geom geom='pole' sidesite='above'/><site site='u1'/><geom geom='knob'/><site site='l1'/></spatial>
    <spatial name='tackle'><site site='u2'/><geom geom='knob' sidesite='inside'/><site site='l2'/></spatial>
    <fixed name='pair'><joint joint='shoulder' coef='0.5'/><joint joint='elbow' coef='1'/></fixed>
  </tendon>
  <equality><tendon tendon1='pair' polycoef='0.1 0.3 0 0 0' solref='0.2 1'/></equality>
  <actuator>
    <muscle tendon='flexor' lengthrange='0.3 0.6' force='30'/>
    <general tendon='tackle' gainprm='3' biastype='affine' biasprm='0 -2 -0.3' dyntype='filterexact' dynprm='0.05'/>
    <general joint='twist' dyntype='integrator' actrange='-0.5 0.5'/>
    <motor joint='wrist' gear='0.1 0.2 0.05'/>
  </actuator>
  <sensor><framepos objtype='site' objname='tip'/><framequat objtype='site' objname='tip'/><accelerometer site='tip'/><gyro site='tip'/></sensor>
</mujoco>";

#[test]
fn chains_with_tendons_and_activations() {
    compare(&text(&CHAIN.replace("INTEGRATOR", "implicitfast")), 12, 9, false);
}

#[test]
fn four_evaluations_in_a_step() {
    if takes_minutes() {
        return;
    }
    compare(&text(&CHAIN.replace("INTEGRATOR", "RK4")), 6, 17, false);
}

/// Dampers and a fluid between branches and on bodies whose inertia is diagonal: implicit integrators take
/// the derivatives where the inertia matrix has entries.
const DERIVATIVES: &str = "<mujoco model='derivatives'>
  <option timestep='0.005' tolerance='1e-14' density='200' viscosity='0.1' wind='0.3 0.1 0' integrator='implicitfast'/>
  <default><geom contype='0' conaffinity='0'/></default>
  <worldbody>
    <body><joint name='a' axis='0 1 0'/><geom size='0.1' pos='0.2 0 0'/>
      <body pos='0.3 0 0'><joint name='b' axis='0 1 0'/><geom size='0.08' pos='0.2 0 0'/></body>
      <body pos='0.3 0.2 0'><joint name='c' axis='0 1 0'/><geom size='0.08' pos='0.2 0 0'/></body></body>
    <body pos='0 1 0'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' type='slide' axis='0 1 0'/><geom type='box' size='0.1 0.05 0.02'/></body>
    <body pos='0 2 0' euler='20 30 0'><freejoint/><geom type='ellipsoid' size='0.1 0.05 0.02' fluidshape='ellipsoid'/></body>
  </worldbody>
  <tendon>
    <fixed name='s' damping='3'><joint joint='b' coef='1'/><joint joint='c' coef='-0.7'/><joint joint='x' coef='0.4'/></fixed>
    <fixed name='t' damping='5'><joint joint='x' coef='1'/><joint joint='y' coef='-0.5'/></fixed>
  </tendon>
  <actuator><velocity tendon='t' kv='2'/><motor tendon='s'/></actuator>
</mujoco>";

#[test]
fn derivatives_of_implicit_forces() {
    compare(&text(DERIVATIVES), 8, 9, false);
}

/// Planes, spheres, capsules and boxes on each other, contacts of all dimensions.
const PILE: &str = "<mujoco model='pile'>
  <option timestep='0.002' tolerance='1e-14' OPTIONS/>
  <default><geom density='500' friction='0.8 0.02 0.005'/></default>
  <worldbody>
    <geom type='plane' size='5 5 1'/>
    <body pos='0 0 0.11'><freejoint/><geom type='box' size='0.1 0.15 0.1'/></body>
    <body pos='0.05 0.1 0.35' euler='20 10 5'><freejoint/><geom type='box' size='0.1 0.08 0.1'/></body>
    <body pos='0.35 0 0.13'><freejoint/><geom type='sphere' size='0.12' condim='6'/></body>
    <body pos='0.15 0.1 0.55' euler='70 0 20'><freejoint/><geom type='capsule' size='0.06 0.15' condim='4'/></body>
    <body pos='0.2 0 0.75' euler='0 80 0'><freejoint/><geom type='capsule' size='0.05 0.15' condim='1'/></body>
  </worldbody>
</mujoco>";

#[test]
fn contacts_with_pyramids() {
    if takes_minutes() {
        return;
    }
    compare(&text(&PILE.replace("OPTIONS", "")), 10, 25, true);
}

#[test]
fn contacts_with_elliptic_cones() {
    compare(&text(&PILE.replace("OPTIONS", "cone='elliptic' impratio='3'")), 10, 25, true);
}

#[test]
fn varied_fields_and_functions_are_in_double_precision() {
    if takes_minutes() {
        return;
    }
    let model = text(
        "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='0.1' pos='0.3 0 0'/></body></worldbody>
        <actuator><motor joint='j'/></actuator></mujoco>",
    );
    let Some(mut sim) = simulator(&model, 2) else { return };
    let masses: Vec<f64> = [1.0, 2.0].iter().flat_map(|m| [0.0, m * model.body_mass[1]]).collect();
    sim.vary("body_mass", &masses).unwrap();
    let program = "fn observe(world: u32) { set_observation(world, 0u, sin(qpos(world, 0u)) + 1e-9 * field(world, 0u)); }
        fn reward(world: u32) -> f32 { return 0.5 * qvel(world, 0u); }
        fn reset(world: u32) { set_qpos(world, 0u, 0.25); }";
    let functions = Functions { text: program.into(), observations: 1, fields: 1, ..Functions::default() };
    sim.set_functions(functions).unwrap();
    sim.set_fields(&[1.0, 2.0]).unwrap();
    sim.set_controls(&[0.1, 0.2]).unwrap();
    sim.steps(10).unwrap();
    let (states, results) = (sim.states_as::<f64>().unwrap(), sim.results().unwrap());
    for world in 0..2 {
        let mut own = Model::clone(&model);
        own.body_mass[1] = masses[2 * world + 1];
        let mut data = Data::new(&own);
        (data.qpos[0], data.ctrl[0]) = (0.25, 0.1 * (world + 1) as f64);
        (0..10).for_each(|_| mj_step(&own, &mut data).unwrap());
        assert!(difference(&states[3 * world..][..2], &[data.qpos[0], data.qvel[0]], 1.0) < 1e-12);
        assert!((f64::from(results.observations[world]) - data.qpos[0].sin()).abs() < 1e-6);
        assert!((f64::from(results.rewards[world]) - 0.5 * data.qvel[0]).abs() < 1e-6);
    }
}

#[test]
fn worlds_with_too_much_for_a_workgroup_are_refused() {
    let mut bodies = String::new();
    for k in 0..240 {
        bodies +=
            &format!("<body pos='{k} 0 0'><joint/><geom size='0.1' contype='0' conaffinity='0'/></body>");
    }
    let model = text(&format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>"));
    let options = GpuOptions { precision: Precision::Double, ..GpuOptions::default() };
    let Ok(gpu) = Gpu::new(None) else { return eprintln!("skipped: no GPU") };
    if !gpu.has_double() {
        return eprintln!("skipped: no double precision");
    }
    match GpuSim::with_options(gpu, model, 1, options) {
        Err(error @ GpuError::WorkgroupMemory { .. }) => {
            assert!(error.to_string().contains("single precision"));
        }
        other => panic!("{:?}", other.map(|_| "a simulator")),
    }
}
