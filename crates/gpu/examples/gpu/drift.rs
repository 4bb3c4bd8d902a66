//! How far energy and momentum drift on the device and on the processor, over a thousand steps from the same
//! states.

use crate::check::Random;
use kinetree_gpu::{Gpu, GpuSim};
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_energy_pos, mj_energy_vel, mj_forward, mj_step, mj_subtree_vel};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

const STEPS: usize = 1000;
const WORLDS: usize = 16;

/// Models in which something is conserved, and two in which contacts take energy away.
const MODELS: [(&str, &str); 5] = [
    (
        "tumbling body, no gravity",
        "<mujoco><option timestep='0.002' gravity='0 0 0' integrator='RK4'/><worldbody>
           <body><freejoint/><geom type='box' size='0.1 0.2 0.3'/></body></worldbody></mujoco>",
    ),
    (
        "three links adrift, no gravity",
        "<mujoco><option timestep='0.002' gravity='0 0 0' integrator='RK4'/>
         <default><geom type='capsule' size='0.04' contype='0' conaffinity='0'/></default><worldbody>
           <body><freejoint/><geom fromto='0 0 0 0.3 0 0'/>
             <body pos='0.3 0 0'><joint axis='0 1 0'/><geom fromto='0 0 0 0.3 0 0'/>
               <body pos='0.3 0 0'><joint type='ball'/><geom fromto='0 0 0 0.2 0.1 0'/></body></body></body></worldbody></mujoco>",
    ),
    (
        "double pendulum",
        "<mujoco><option timestep='0.002' integrator='RK4'/><default><geom contype='0' conaffinity='0'/></default><worldbody>
           <body><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.5' size='0.04'/>
             <body pos='0 0 -0.5'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.5' size='0.04'/></body></body></worldbody></mujoco>",
    ),
    (
        "box and balls that fall to the ground",
        "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 1'/>
           <body pos='0 0 0.3'><freejoint/><geom type='box' size='0.1 0.15 0.05'/></body>
           <body pos='0 0 0.6'><freejoint/><geom size='0.1'/></body><body pos='0.6 0 0.3'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
    ),
    (
        "spheres that bounce off each other, no gravity",
        "<mujoco><option timestep='0.002' gravity='0 0 0'/><default><geom size='0.1' solref='-5000 0' condim='1'/></default><worldbody>
           <body pos='0 0 0'><freejoint/><geom/></body><body pos='0.3 0 0.02'><freejoint/><geom/></body>
           <body pos='-0.3 0.03 0'><freejoint/><geom/></body></worldbody></mujoco>",
    ),
];

/// What is conserved: energy (J), linear and angular momentum of everything.
struct Invariants {
    energy: f64,
    momentum: [f64; 3],
    angular: [f64; 3],
}

/// Computed in double precision, whatever made the state.
fn invariants(model: &Model, data: &mut Data) -> Result<Invariants, Box<dyn Error>> {
    mj_forward(model, data)?;
    mj_energy_pos(model, data)?;
    mj_energy_vel(model, data)?;
    mj_subtree_vel(model, data)?;
    let mass = model.body_subtreemass[0];
    let momentum = data.subtree_linvel[0].map(|v| mass * v);
    // about the origin: that about the centre of mass, and that of it
    let [x, y, z] = data.subtree_com[0];
    let orbital = [
        y * momentum[2] - z * momentum[1],
        z * momentum[0] - x * momentum[2],
        x * momentum[1] - y * momentum[0],
    ];
    let angular = std::array::from_fn(|k| data.subtree_angmom[0][k] + orbital[k]);
    Ok(Invariants { energy: data.energy[0] + data.energy[1], momentum, angular })
}

/// Length of a difference.
fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// The changes of energy, momentum and angular momentum between two states.
fn changes(from: &Invariants, to: &Invariants) -> [f64; 3] {
    let energy = (to.energy - from.energy).abs();
    [energy, distance(&to.momentum, &from.momentum), distance(&to.angular, &from.angular)]
}

/// A world with random velocities, in single precision.
fn start(model: &Model, random: &mut Random) -> Data {
    let mut data = Data::new(model);
    data.qvel.iter_mut().for_each(|v| *v = f64::from(random.next() as f32));
    data.qpos.iter_mut().for_each(|x| *x = f64::from(*x as f32));
    data
}

/// The middle of some numbers.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Prints a row for each model: the median change of each quantity over all worlds, on both.
pub(crate) fn drift(paths: &[String]) -> Result<(), Box<dyn Error>> {
    let gpu = Gpu::new(None)?;
    println!("{STEPS} steps of {WORLDS} worlds with random velocities on {}; median changes", gpu.adapter());
    println!(
        "| model | energy (J) | GPU | processor | momentum (kg·m/s) GPU | processor | angular (kg·m²/s) GPU | processor |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, xml) in MODELS {
        row(&gpu, name, &Arc::new(kinetree_spec::load_model_str(xml)?))?;
    }
    for path in paths {
        row(&gpu, path, &Arc::new(kinetree_spec::load_model(Path::new(path))?))?;
    }
    Ok(())
}

fn row(gpu: &Gpu, name: &str, model: &Arc<Model>) -> Result<(), Box<dyn Error>> {
    let mut random = Random(11);
    let mut worlds: Vec<Data> = (0..WORLDS).map(|_| start(model, &mut random)).collect();
    let mut sim = GpuSim::on(gpu.clone(), Arc::clone(model), WORLDS)?;
    sim.set_states(&worlds.iter().flat_map(crate::check::state).collect::<Vec<_>>())?;
    sim.steps(STEPS)?;
    let states = sim.states()?;
    let (mut on_gpu, mut on_processor, mut energies) = (Vec::new(), Vec::new(), Vec::new());
    for (data, row) in worlds.iter_mut().zip(states.chunks_exact(sim.state_size())) {
        let first = invariants(model, data)?;
        for _ in 0..STEPS {
            mj_step(model, data)?;
        }
        on_processor.push(changes(&first, &invariants(model, data)?));
        let mut other = Data::new(model);
        let (nq, nv) = (model.nq, model.nv);
        other.qpos.iter_mut().zip(&row[..nq]).for_each(|(to, from)| *to = f64::from(*from));
        other.qvel.iter_mut().zip(&row[nq..nq + nv]).for_each(|(to, from)| *to = f64::from(*from));
        on_gpu.push(changes(&first, &invariants(model, &mut other)?));
        energies.push(first.energy.abs());
    }
    let column = |rows: &[[f64; 3]], k: usize| median(rows.iter().map(|row| row[k]).collect());
    print!("| {name} | {:.3} ", median(energies));
    for k in 0..3 {
        print!("| {:.1e} | {:.1e} ", column(&on_gpu, k), column(&on_processor, k));
    }
    println!("|");
    if let Some(error) = sim.take_errors()?.into_iter().flatten().next() {
        println!("a world of {name} was reset: {error}");
    }
    Ok(())
}
