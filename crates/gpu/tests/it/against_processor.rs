//! One step on the device against one step on the processor in double precision, from the same random states.

use crate::common::{Random, compare, difference, set_states, simulator, takes_minutes, text, wander};
use kinetree_gpu::{Gpu, GpuError, GpuSim, KernelSettings, kernel_sources};
use kinetree_model::enums::Integrator;
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::Arc;

/// A body on two legs, as small as it can be: kernels of each model take a software renderer seconds to
/// compile.
const WALKER: &str = "<mujoco model='walker'>
  <option timestep='0.004'/>
  <default><joint damping='0.5' armature='0.01' range='-60 60' limited='true'/><geom condim='1'/></default>
  <worldbody>
    <geom type='plane' size='5 5 1' condim='3'/>
    <body pos='0 0 0.62'>
      <freejoint/><geom type='capsule' size='0.06' fromto='0 -0.1 0.1 0 0.1 0.1'/>
      <body pos='0 0.1 0'>
        <joint name='left' axis='0 1 0'/><geom type='capsule' size='0.04' fromto='0 0 0 0 0 -0.5'/>
        <geom type='sphere' size='0.06' pos='0 0 -0.55'/>
      </body>
      <body pos='0 -0.1 0'>
        <joint name='right' axis='0 1 0'/><geom type='capsule' size='0.04' fromto='0 0 0 0 0 -0.5'/>
        <geom type='sphere' size='0.06' pos='0 0 -0.55'/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint='left' gear='20'/><motor joint='right' gear='20'/></actuator>
</mujoco>";

#[test]
fn a_walker_falls_as_on_the_processor() {
    compare(&text(WALKER), 40, 15);
}

/// Primitive shapes on a plane and on each other, joints of all kinds, limits, friction loss, springs.
const PLAYGROUND: &str = "<mujoco>
  <option timestep='0.004' CONE/>
  <default><geom density='500' friction='0.8 0.02 0.005'/></default>
  <worldbody>
    <geom type='plane' size='5 5 1' condim='1' contype='7' conaffinity='7'/>
    <body pos='0 0 0.3'><freejoint/><geom type='box' size='0.1 0.15 0.1'/></body>
    <body pos='0.6 0 0.3'><freejoint/><geom type='sphere' size='0.12'/></body>
    <body pos='0.7 0.1 0.6'><freejoint/><geom type='capsule' size='0.08 0.15' condim='4'/></body>
    <body pos='0 0.8 0.3' euler='40 20 0'><freejoint/><geom type='cylinder' size='0.1 0.12' condim='6' contype='2' conaffinity='2'/></body>
    <body pos='0 1.4 0.3' euler='40 20 0'><freejoint/><geom type='ellipsoid' size='0.1 0.12 0.15' contype='4' conaffinity='4'/></body>
    <body pos='-1 0 0.8'>
      <joint type='ball' damping='0.1' stiffness='2' range='0 40' limited='true'/>
      <geom type='capsule' size='0.05' fromto='0 0 0 0.3 0 0'/>
      <body pos='0.3 0 0'>
        <joint type='slide' axis='1 0 0' range='-0.05 0.05' limited='true' frictionloss='0.5' stiffness='20'/>
        <geom type='sphere' size='0.07' pos='0.1 0 0' condim='1'/>
        <body pos='0.2 0 0'>
          <joint name='tip' type='hinge' axis='0 1 0' range='-40 40' limited='true' armature='0.01' damping='0.2'/>
          <geom type='capsule' size='0.05' fromto='0 0 0 0.2 0 0'/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><position joint='tip' kp='5' kv='0.3' ctrlrange='-1 1'/></actuator>
</mujoco>";

#[test]
fn pyramids_of_all_dimensions_are_those_of_the_processor() {
    compare(&text(&PLAYGROUND.replace("CONE", "")), 32, 8);
}

#[test]
fn elliptic_cones_of_all_dimensions_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    compare(&text(&PLAYGROUND.replace("CONE", "cone='elliptic' impratio='4'")), 32, 8);
}

/// Bodies and sites that are held together, a mocap body that carries another, a free body on a spring.
const HELD: &str = "<mujoco>
  <option timestep='0.003'/>
  <worldbody>
    <body name='hand' mocap='true' pos='0 0 1' euler='10 20 30'><geom size='0.05' contype='0' conaffinity='0'/></body>
    <body name='load' pos='0 0 1'><freejoint/><geom type='box' size='0.1 0.05 0.04'/><site name='s1' pos='0.1 0 0' euler='0 5 0'/></body>
    <body name='rod' pos='0.1 0 1'>
      <freejoint/><geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0' contype='0' conaffinity='0'/><site name='s2'/>
      <body name='tip' pos='0.3 0 0'><joint type='ball'/><geom type='capsule' size='0.03' fromto='0 0 0 0.2 0 0' contype='0' conaffinity='0'/></body>
    </body>
    <body name='loose' pos='0 1 1'><joint type='free' stiffness='30' damping='0.2'/><geom type='box' size='0.1 0.05 0.04' contype='0' conaffinity='0'/></body>
  </worldbody>
  <equality>
    <weld body1='hand' body2='load' torquescale='0.7' solref='0.05 1'/>
    <weld site1='s1' site2='s2'/>
    <connect body1='tip' body2='world' anchor='0.2 0 0'/>
  </equality>
</mujoco>";

#[test]
fn held_bodies_are_those_of_the_processor() {
    compare(&text(HELD), 24, 9);
}

/// Fixed tendons with limits, springs and friction, equalities of joints and tendons, activations.
const COUPLED: &str = "<mujoco>
  <option timestep='0.003' integrator='INTEGRATOR'/>
  <worldbody>
    <body>
      <joint name='a' axis='0 1 0' damping='0.3'/><geom type='capsule' size='0.04' fromto='0 0 0 0.3 0 0'/>
      <body pos='0.3 0 0'>
        <joint name='b' axis='0 1 0'/><geom type='capsule' size='0.04' fromto='0 0 0 0.3 0 0' contype='0'/>
        <body pos='0.3 0 0'>
          <joint name='c' axis='0 1 0'/><geom type='capsule' size='0.04' fromto='0 0 0 0.3 0 0' contype='0'/>
        </body>
      </body>
    </body>
    <body pos='0 1 0'><joint name='d' axis='0 1 0'/><geom type='capsule' size='0.04' fromto='0 0 0 0.3 0 0'/></body>
    <body pos='0 2 0'><joint name='e' type='ball' damping='0.05'/><geom type='capsule' size='0.04' fromto='0 0 0 0.3 0 0'/></body>
  </worldbody>
  <tendon>
    <fixed name='t' limited='true' range='-0.4 0.4' frictionloss='0.2' stiffness='3' damping='0.5'>
      <joint joint='a' coef='0.5'/><joint joint='b' coef='-1'/>
    </fixed>
    <fixed name='s'><joint joint='c' coef='1'/></fixed>
    <fixed limited='true' range='-0.7 0.9'><joint joint='c' coef='0.3'/><joint joint='e' coef='0.9'/></fixed>
  </tendon>
  <equality><joint joint1='d' joint2='a' polycoef='0.1 0.8 0.3 0 0'/></equality>
  <actuator>
    <general tendon='s' gainprm='4' biastype='affine' biasprm='0 -2 -0.5' dyntype='filterexact' dynprm='0.05' forcerange='-3 3'/>
    <general joint='b' gaintype='affine' gainprm='2 0.5 -0.4' dyntype='integrator' actlimited='true' actrange='-0.5 0.5'/>
    <motor joint='a' gear='3' ctrlrange='-0.5 0.5'/>
  </actuator>
</mujoco>";

#[test]
fn couplings_and_activations_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    for integrator in ["Euler", "implicitfast", "RK4"] {
        compare(&text(&COUPLED.replace("INTEGRATOR", integrator)), 30, 9);
    }
}

#[test]
fn results_do_not_depend_on_other_worlds() {
    let model = text(WALKER);
    let mut random = Random(5);
    let worlds: Vec<Data> = (0..6).map(|k| wander(&model, &mut random, 40 * k)).collect();
    if let Err(error @ GpuError::NoAdapter { .. }) = Gpu::new(None) {
        return eprintln!("skipped: {error}");
    }
    let run = |worlds: &[Data]| {
        let mut sim = GpuSim::new(Arc::clone(&model), worlds.len()).unwrap();
        set_states(&mut sim, worlds);
        sim.steps(30).unwrap();
        let (nq, all) = (model.nq, sim.positions().unwrap());
        all.chunks_exact(nq).map(<[f32]>::to_vec).collect::<Vec<_>>()
    };
    let together = run(&worlds);
    let reversed = run(&worlds.iter().rev().cloned().collect::<Vec<_>>());
    for (k, world) in worlds.iter().enumerate() {
        assert_eq!(together[k], reversed[worlds.len() - 1 - k]);
        assert_eq!(together[k], run(std::slice::from_ref(world))[0]);
    }
}

#[test]
fn capacities_grow_and_no_contact_is_lost() {
    if takes_minutes() {
        return;
    }
    let mut bodies = String::new();
    for k in 0..5 {
        bodies += &format!(
            "<body pos='{k} 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1' contype='0'/></body>"
        );
    }
    let model =
        text(&format!("<mujoco><worldbody><geom type='plane' size='9 9 1'/>{bodies}</worldbody></mujoco>"));
    let Some(mut sim) = simulator(&model, 3) else { return };
    let before = sim.capacity();
    sim.steps(20).unwrap();
    let mut data = Data::new(&model);
    (0..20).for_each(|_| mj_step(&model, &mut data).unwrap());
    assert!(data.ncon > before.contacts, "the model is to need more room than there is at first");
    assert!(sim.capacity().contacts >= data.ncon);
    assert_eq!(sim.contacts().unwrap(), [data.ncon; 3]);
    assert_eq!(sim.solver_totals().unwrap().steps, 60);
    assert!(difference(&sim.positions().unwrap()[..model.nq], &data.qpos, 1.0) < 1e-4);
}

#[test]
fn a_world_that_is_not_finite_begins_anew_and_others_go_on() {
    let model = text(WALKER);
    let mut worlds: Vec<Data> = (0..3).map(|_| Data::new(&model)).collect();
    worlds[1].qvel[3] = f64::NAN;
    let Some(mut sim) = simulator(&model, 3) else { return };
    set_states(&mut sim, &worlds);
    sim.steps(3).unwrap();
    let errors = sim.take_errors().unwrap();
    assert!(errors[0].is_none() && errors[1].is_some() && errors[2].is_none());
    let positions = sim.positions().unwrap();
    assert!(positions.iter().all(|x| x.is_finite()));
    assert_eq!(positions[..model.nq], positions[2 * model.nq..]);
    assert!(sim.take_errors().unwrap().iter().all(Option::is_none));
}

/// Boxes of several sizes that fall on each other.
const BOXES: &str = "<mujoco>
  <option timestep='0.004'/>
  <default><geom density='500' friction='0.7'/></default>
  <worldbody>
    <geom type='plane' size='5 5 1'/>
    <geom type='box' size='0.4 0.3 0.1' pos='0 0 0.1' euler='0 0 10'/>
    <body pos='0 0 0.4' euler='20 10 0'><freejoint/><geom type='box' size='0.1 0.15 0.1'/></body>
    <body pos='0.05 0.1 0.75' euler='50 30 20'><freejoint/><geom type='box' size='0.12 0.08 0.05'/></body>
    <body pos='0.1 -0.1 1.1' euler='10 70 40'><freejoint/><geom type='box' size='0.2 0.03 0.1'/></body>
  </worldbody>
</mujoco>";

#[test]
fn boxes_fall_on_each_other_as_on_the_processor() {
    compare(&text(BOXES), 60, 4);
}

#[test]
fn no_worlds_are_fine() {
    let Some(mut sim) = simulator(&text(WALKER), 0) else { return };
    sim.steps(5).unwrap();
    assert!(sim.positions().unwrap().is_empty());
    assert!(sim.is_empty());
}

#[test]
fn what_is_not_covered_is_named_completely() {
    let xml = "<mujoco><option integrator='implicit' solver='PGS' noslip_iterations='3'/><worldbody><body name='x'><joint name='j'/><geom name='g' type='cylinder' size='1 1'/></body><body pos='0 0 3'><freejoint/><geom
        name='h' type='box' size='1 1 1'/></body></worldbody><actuator><general name='m' joint='j' dyntype='user'
        actdim='1'/></actuator></mujoco>";
    let error = GpuSim::new(text(xml), 1).unwrap_err();
    if matches!(error, GpuError::NoAdapter { .. }) {
        return eprintln!("skipped: {error}");
    }
    let message = error.to_string();
    for part in ["unsupported", "Newton", "integrator Implicit", "noslip", "actuator 'm'"] {
        assert!(message.contains(part), "'{part}' is missing in: {message}");
    }
}

#[test]
fn a_refusal_of_an_integrator_names_those_to_take() {
    let mut model = Model::clone(&text(WALKER));
    for (integrator, name) in [(Integrator::Implicit as i32, "the integrator Implicit"), (7, "integrator 7")]
    {
        model.opt.integrator = integrator;
        let message = kernel_sources(&model, KernelSettings::default()).unwrap_err().to_string();
        let expected = format!("{name} (take Euler, implicitfast or RK4)");
        assert!(message.contains(&expected), "'{expected}' is missing in: {message}");
    }
    // and those it names are taken
    for integrator in [Integrator::Euler, Integrator::Implicitfast, Integrator::Rk4] {
        model.opt.integrator = integrator as i32;
        assert!(kernel_sources(&model, KernelSettings::default()).is_ok(), "{integrator:?}");
    }
}

#[test]
fn fields_vary_from_world_to_world() {
    if takes_minutes() {
        return;
    }
    let model = text(WALKER);
    let mut values = Vec::new();
    for scale in [1.0, 1.5] {
        values.extend(model.body_mass.iter().map(|m| m * scale));
    }
    let Some(mut sim) = simulator(&model, 2) else { return };
    sim.vary("body_mass", &values).unwrap();
    let mut varied = Model::clone(&model);
    varied.body_mass.iter_mut().for_each(|m| *m *= 1.5);
    sim.step_all().unwrap();
    let acc = sim.accelerations().unwrap();
    for (model, acc) in [&*model, &varied].into_iter().zip(acc.chunks_exact(model.nv)) {
        let mut data = Data::new(model);
        mj_step(model, &mut data).unwrap();
        assert!(difference(acc, &data.qacc, 1.0) < 1e-3);
    }
    assert!(sim.vary("body_weight", &values).is_err());
    assert!(sim.vary("body_mass", &values[1..]).is_err());
    // kernels of joints without springs have none; what was varied stays
    let stiffness = vec![1.0; 2 * model.njnt];
    let error = sim.vary("jnt_stiffness", &stiffness).unwrap_err();
    assert_eq!(error, GpuError::VariedShape { field: "jnt_stiffness".into(), world: 0 });
    sim.vary("jnt_stiffness", &vec![0.0; 2 * model.njnt]).unwrap();
}

#[test]
fn an_unknown_adapter_is_an_error_that_lists_those_there_are() {
    let error = Gpu::new(Some("no such adapter")).unwrap_err();
    let message = error.to_string();
    assert!(matches!(error, GpuError::NoAdapter { .. }) || message.contains("there are:"), "{message}");
}
