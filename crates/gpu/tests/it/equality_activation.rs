//! Equalities that are activated and deactivated, world by world, on the device against the processor.

use crate::common::takes_minutes;
use crate::common::worlds::{Random, roam, simulator};
use kinetree_batch::{BatchSim, Worlds};
use kinetree_gpu::{Functions, GpuError, GpuSim, Precision};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::Arc;

/// Equalities of all kinds, three of seven off at the start, with limits of a tendon between their rows,
/// contacts, and a mocap body.
const LINKS: &str = "<mujoco>
  <option timestep='0.003' tolerance='1e-14' OPTIONS/>
  <default><geom contype='0'/></default>
  <compiler autolimits='true'/>
  <worldbody>
    <geom type='plane' size='5 5 1' contype='1'/>
    <body name='handle' mocap='true' pos='0.1 -1 0.6'/>
    <body name='upper' pos='0 0 0.6'><joint name='a' axis='0 1 0' damping='0.1'/><geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/><site name='s1' pos='0.2 0 0.05'/>
      <body name='lower' pos='0.3 0 0'><joint name='b' axis='0 1 0'/><geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/></body></body>
    <body name='arm' pos='0 1 0.6'><joint name='c' axis='0 1 0'/><geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/><site name='s2' pos='0.2 0 0'/></body>
    <body name='box' pos='0.1 -1 0.08'><freejoint/><geom type='sphere' size='0.08' condim='3'/></body>
    <body name='ball' pos='0.3 -1 0.1'><freejoint/><geom type='sphere' size='0.06' condim='4' friction='0.8 0.02 0.001'/></body>
  </worldbody>
  <tendon>
    <fixed name='t' range='-0.4 0.4' frictionloss='0.05'><joint joint='a' coef='0.5'/><joint joint='b' coef='-1'/></fixed>
    <spatial name='rope'><site site='s1'/><site site='s2'/></spatial>
  </tendon>
  <equality>
    <joint joint1='a' joint2='c' polycoef='0.1 0.5 0 0 0' active='false'/>
    <connect body1='box' body2='ball' anchor='0.1 0 0' solref='0.05 1'/>
    <tendon tendon1='t' polycoef='0.1 0 0 0 0' solref='0.1 1'/>
    <weld body1='ball' body2='handle' solref='0.1 1' active='false'/>
    <joint joint1='b' solref='0.1 1'/>
    <tendon tendon1='rope' tendon2='t' polycoef='0 0.2 0 0 0' solref='0.2 1' active='false'/>
    <weld body1='lower' body2='arm' solref='0.3 1' torquescale='0.5'/>
  </equality>
  <actuator><motor joint='a'/><motor joint='c'/></actuator>
  <sensor><jointpos joint='a'/><tendonlimitfrc tendon='t'/></sensor>
</mujoco>";

fn links(options: &str) -> Arc<Model> {
    Arc::new(kinetree_spec::load_model_str(&LINKS.replace("OPTIONS", options)).unwrap())
}

fn patterns(random: &mut Random, count: usize) -> Vec<bool> {
    (0..count).map(|_| random.next() > 0.0).collect()
}

fn activate(worlds: &mut [Data], active: &[bool]) {
    let columns = active.len() / worlds.len();
    for (data, row) in worlds.iter_mut().zip(active.chunks_exact(columns)) {
        data.eq_active.iter_mut().zip(row).for_each(|(to, &on)| *to = u8::from(on));
    }
}

/// In double precision, within 1e-9 after each step.
#[test]
fn switched_equalities_are_those_of_the_processor() {
    for options in ["integrator='RK4'", "cone='elliptic' integrator='implicitfast'"] {
        let model = links(options);
        let (count, mut random) = (8, Random(9));
        let mut worlds: Vec<Data> = (0..count).map(|k| roam(&model, &mut random, 5 + 7 * k)).collect();
        let Some(mut sim) = simulator(&model, count, Precision::Double) else { return };
        // twice, so that kernels with activation are made anew
        for round in 0..2 {
            let active = patterns(&mut random, count * model.neq);
            activate(&mut worlds, &active);
            sim.set_equalities(&active).unwrap();
            assert_eq!(sim.equalities().unwrap(), active);
            // the mocap body that one of them holds on to moves
            for pose in worlds.iter_mut().flat_map(|data| &mut data.mocap_pos[..]) {
                pose.iter_mut().for_each(|x| *x += 0.05 * random.next());
            }
            let poses: Vec<f64> =
                worlds.iter().flat_map(|d| [&d.mocap_pos[0][..], &d.mocap_quat[0]].concat()).collect();
            sim.set_mocap(&poses).unwrap();
            assert_eq!(sim.mocap::<f64>().unwrap(), poses);
            let state = |d: &Data| [&d.qpos[..], &d.qvel, &d.qacc_warmstart].concat();
            sim.set_states(&worlds.iter().flat_map(state).collect::<Vec<_>>()).unwrap();
            sim.set_controls(&worlds.iter().flat_map(|d| d.ctrl.to_vec()).collect::<Vec<_>>()).unwrap();
            sim.step_all().unwrap();
            let (states, sensordata) = (sim.states_as::<f64>().unwrap(), sim.sensordata_as::<f64>().unwrap());
            let mut worst = 0.0_f64;
            for (w, data) in worlds.iter_mut().enumerate() {
                mj_step(&model, data).unwrap();
                let wanted = state(data);
                let scale = wanted.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
                let got = states[w * wanted.len()..].iter().zip(&wanted);
                let sensed = sensordata[w * model.nsensordata..].iter().zip(&data.sensordata[..]);
                worst = got.chain(sensed).fold(worst, |most, (a, b)| most.max((a - b).abs() / scale));
            }
            println!("{options}, round {round}: {worst:.1e}");
            assert!(worst < 1e-9, "{options}, round {round}: states differ by {worst:e}");
        }
    }
}

#[test]
fn switches_last_until_a_world_begins_anew() {
    if takes_minutes() {
        return;
    }
    let model = links("");
    let Some(mut sim) = simulator(&model, 3, Precision::Single) else { return };
    let first: Vec<bool> = model.eq_active0.iter().map(|&on| on != 0).collect();
    let texts = sim.kernel_texts();
    assert_eq!(sim.equalities().unwrap(), first.repeat(3));
    // what the model has needs no other kernels
    sim.set_equalities(&first.repeat(3)).unwrap();
    assert_eq!(sim.kernel_texts(), texts);
    assert!(matches!(sim.set_equalities(&first), Err(GpuError::Length { .. })));
    let before: Vec<f32> = sim.states().unwrap();
    let other: Vec<bool> = first.iter().map(|on| !on).collect();
    sim.set_equalities(&other.repeat(3)).unwrap();
    assert_ne!(sim.kernel_texts(), texts);
    assert_eq!(sim.states().unwrap(), before);
    sim.set_controls(&[0.1_f32, 0.2, 0.3, 0.4, 0.5, 0.6]).unwrap();
    assert_eq!(sim.equalities().unwrap(), other.repeat(3));
    let poses: Vec<f32> = sim.mocap().unwrap();
    let moved: Vec<f32> = poses.iter().map(|x| x + 1.0).collect();
    sim.set_mocap(&moved).unwrap();
    assert!(matches!(sim.set_mocap(&moved[1..]), Err(GpuError::Length { .. })));
    sim.reset(&[false, true, false]).unwrap();
    assert_eq!(sim.mocap::<f32>().unwrap(), [&moved[..7], &poses[7..14], &moved[14..]].concat());
    let expected = |rows: [&[bool]; 3]| rows.concat();
    assert_eq!(sim.equalities().unwrap(), expected([&other, &first, &other]));
    // a world that fails
    let mut states = sim.states().unwrap();
    states[2 * sim.state_size()] = f32::NAN;
    sim.set_states(&states).unwrap();
    sim.step_all().unwrap();
    assert_eq!(sim.equalities().unwrap(), expected([&other, &first, &first]));
    assert!(sim.take_errors().unwrap()[2].is_some());
    // numbers of the model that vary do not disturb the activation of equalities
    sim.vary("body_mass", &model.body_mass.repeat(3)).unwrap();
    assert_eq!(sim.equalities().unwrap(), expected([&other, &first, &first]));
    sim.end_variations().unwrap();
    sim.step_all().unwrap();
    assert_eq!(sim.equalities().unwrap(), expected([&other, &first, &first]));
    // a world that functions of the user end
    let body = "fn terminated(world: u32) -> bool { return world == 1u; }".to_owned();
    let functions = Functions { text: body, observations: 0, fields: 0, autoreset: true, seed: 0 };
    sim.set_functions(functions).unwrap();
    assert_eq!(sim.equalities().unwrap(), first.repeat(3));
    sim.set_equalities(&other.repeat(3)).unwrap();
    sim.step_all().unwrap();
    assert_eq!(sim.equalities().unwrap(), expected([&other, &first, &other]));
}

#[test]
fn a_batch_on_a_device_switches_like_one_on_threads() {
    if takes_minutes() {
        return;
    }
    let model = links("");
    let count = 4;
    let Some(sim) = simulator(&model, count, Precision::Single) else { return };
    let gpu = sim.gpu().clone();
    let mut random = Random(2);
    let mut on_threads = BatchSim::new(Arc::clone(&model), count);
    let mut on_device = BatchSim::new(Arc::clone(&model), count);
    on_device.set_device(GpuSim::on(gpu, Arc::clone(&model), count).unwrap()).unwrap();
    for step in 0..6 {
        if step == 2 || step == 4 {
            let active = patterns(&mut random, count * model.neq);
            for batch in [&mut on_threads, &mut on_device] {
                batch.set_equalities(&active).unwrap();
                let mut read = vec![false; active.len()];
                batch.read_equalities(&mut read).unwrap();
                assert_eq!(read, active);
            }
        }
        if step == 3 {
            let mut poses = on_threads.mocap();
            poses.iter_mut().for_each(|x| *x += 0.05 * random.next());
            for batch in [&mut on_threads, &mut on_device] {
                batch.set_mocap(&poses).unwrap();
                let mut read = vec![0.0; poses.len()];
                batch.read_mocap(&mut read).unwrap();
                assert_eq!(read, poses);
                assert!(batch.set_mocap(&poses[1..]).is_err());
            }
        }
        if step == 5 {
            let mask = [true, false, false, false];
            on_threads.reset_where(&mask).unwrap();
            on_device.reset_where(&mask).unwrap();
        }
        on_threads.advance();
        on_device.advance();
        for (k, (a, b)) in on_threads.states().iter().zip(on_device.states()).enumerate() {
            assert!((a - b).abs() < 1e-4 * (1.0 + a.abs()), "step {step}, number {k}: {a} and {b}");
        }
        assert_eq!(on_threads.equalities(), on_device.equalities());
        assert_eq!(on_threads.mocap(), on_device.mocap());
    }
}
