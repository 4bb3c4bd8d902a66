//! Rewards, ends of episodes and observations of tasks over this project's own models, computed a second way.

use kinetree_batch::{BatchSim, Task};
use kinetree_model::{Data, Model};
use std::path::Path;
use std::sync::Arc;

fn load(name: &str) -> Arc<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/showcase").join(name);
    Arc::new(kinetree_spec::load_model(&path).unwrap())
}

/// A batch of a task with settings.
fn batch(task: &str, model: &Arc<Model>, worlds: usize, settings: &[(&str, &[f64])]) -> BatchSim {
    let mut made = kinetree_tasks::make(task, model).unwrap();
    settings.iter().for_each(|(name, values)| made.set(name, values).unwrap());
    let made: Box<dyn Task> = made;
    BatchSim::with_task(Arc::clone(model), worlds, Arc::from(made)).unwrap()
}

/// Value of a metric of the first world.
fn metric(batch: &BatchSim, name: &str) -> f64 {
    let [states, steps] = batch.metric_parts();
    let offset = states.last().map_or(0, |part| part.columns.end);
    let column = |part: &kinetree_batch::Part| part.columns.start;
    let column_index = states.iter().find(|part| part.name == name).map(column);
    let column_index = column_index
        .or_else(|| steps.iter().find(|part| part.name == name).map(|part| offset + column(part)));
    batch.metrics()[column_index.unwrap()]
}

#[test]
fn an_ant_is_rewarded_for_speed_less_costs() {
    let model = load("quadruped.xml");
    let mut batch =
        batch("Ant", &model, 1, &[("healthy_z_range", &[0.0, 2.0]), ("ctrl_cost_weight", &[0.25])]);
    batch.set_frame_skip(5);
    let mut single = Data::new(&model);
    for _ in 0..50 {
        batch.controls_mut().fill(0.3);
        let before = single.xpos[1];
        batch.advance();
        single.ctrl.fill(0.3);
        single.steps(&model, 5).unwrap();
        kinetree_sim::mj_rne_post_constraint(&model, &mut single).unwrap();
        let forces = single.cfrc_ext.as_flattened().iter().map(|f| f.clamp(-1.0, 1.0));
        let cost = 0.25 * model.nu as f64 * 0.09 + 5e-4 * forces.map(|f| f * f).sum::<f64>();
        let speed = (single.xpos[1][0] - before[0]) / (5.0 * model.opt.timestep);
        // the first step has no position before it: evaluations of first states and of single worlds differ
        if single.time > 6.0 * model.opt.timestep {
            assert!((batch.rewards()[0] - (speed + 1.0 - cost)).abs() < 1e-9);
            assert!((metric(&batch, "x_velocity") - speed).abs() < 1e-12);
        }
        assert_eq!(metric(&batch, "x_position"), single.qpos[0]);
    }
    assert!(single.cfrc_ext.as_flattened().iter().any(|f| *f != 0.0), "it stands on the floor");
}

#[test]
fn a_humanoid_that_is_not_upright_ends_its_episode() {
    let model = load("humanoid.xml");
    let mut batch = batch("Humanoid", &model, 2, &[]);
    let columns = batch.state_columns();
    batch.states_mut()[2] = 1.4;
    batch.states_mut()[columns + 2] = 0.9;
    batch.begin_where(&[true, true]).unwrap();
    batch.advance();
    assert_eq!(batch.terminated(), [false, true]);
    assert!(batch.rewards()[0] > 4.0 && batch.rewards()[1] < 1.0);
    // positions without two, velocities, inertias, velocities and forces of bodies, forces of actuators
    let bodies = model.nbody - 1;
    let width = model.nq - 2 + model.nv + 10 * bodies + 6 * bodies + (model.nv - 6) + 6 * bodies;
    assert_eq!(batch.observations().len(), 2 * width);
}

/// Tasks of the suite see the new state: what is observed is what `mj_forward` computes from it.
#[test]
fn observations_of_the_suite_are_those_of_the_new_state() {
    let xml = "<mujoco><option timestep='0.01'/><worldbody>
        <body name='cart'><joint name='slider' type='slide' axis='1 0 0'/><geom size='0.1'/>
          <body name='pole'><joint name='hinge' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 1' size='0.05'/></body>
        </body></worldbody><actuator><motor joint='slider' ctrlrange='-1 1'/></actuator></mujoco>";
    let model = Arc::new(kinetree_spec::load_model_str(xml).unwrap());
    let mut batch = batch("cartpole-swingup", &model, 1, &[]);
    batch.states_mut()[1] = 0.4;
    batch.begin_where(&[true]).unwrap();
    for _ in 0..20 {
        batch.controls_mut()[0] = 0.5;
        batch.advance();
        let mut data = Data::new(&model);
        data.qpos.copy_from_slice(&batch.states()[..2]);
        data.qvel.copy_from_slice(&batch.states()[2..]);
        data.forward(&model).unwrap();
        let (cosine, sine) = (data.xmat[2][8], data.xmat[2][2]);
        let expected = [data.qpos[0], cosine, sine, data.qvel[0], data.qvel[1]];
        assert_eq!(batch.observations(), expected);
        // upright, small control, small velocity, centered
        let bell = |x: f64| (x * x * 0.1_f64.ln()).exp();
        let reward = f64::midpoint(cosine, 1.0)
            * ((4.0 + 0.75) / 5.0)
            * f64::midpoint(1.0, bell(data.qvel[1] / 5.0))
            * f64::midpoint(1.0, bell(data.qpos[0] / 2.0));
        assert!((batch.rewards()[0] - reward).abs() < 1e-14);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let model = load("humanoid.xml");
    let mut batches = [1, 2].map(|threads| {
        let mut made = batch("Humanoid", &model, 12, &[("terminate_when_unhealthy", &[0.0])]);
        made.set_threads(threads).unwrap();
        made.set_frame_skip(5);
        made
    });
    for step in 0..60 {
        for made in &mut batches {
            for (k, control) in made.controls_mut().iter_mut().enumerate() {
                *control = ((k * 31 + step * 17) % 19) as f64 / 19.0 - 0.5;
            }
            made.advance();
        }
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let [one, two] = &batches;
        assert_eq!(bits(one.observations()), bits(two.observations()));
        assert_eq!((bits(one.rewards()), bits(one.metrics())), (bits(two.rewards()), bits(two.metrics())));
    }
}
