//! Conjugate gradients on the device: after few iterations the same accelerations as on the processor, which
//! no other method has, and the minimum after many.

use crate::common::takes_minutes;
use crate::common::worlds::{Random, roam, simulator};
use kinetree_gpu::Precision;
use kinetree_model::enums::Solver;
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::Arc;

/// A world after some random steps, rounded to single precision.
fn wander(model: &Model, random: &mut Random, steps: usize) -> Data {
    let mut data = roam(model, random, steps);
    let Data { qpos, qvel, ctrl, qacc_warmstart, .. } = &mut data;
    for values in [&mut qpos[..], qvel, ctrl, qacc_warmstart] {
        values.iter_mut().for_each(|x| *x = f64::from(*x as f32));
    }
    data
}

fn length(x: impl Iterator<Item = f64>) -> f64 {
    x.map(|x| x * x).sum::<f64>().sqrt()
}

/// Difference of two accelerations, relative to what constraints cancel or to what is left of it.
fn relative_distance(a: &[f64], data: &Data) -> f64 {
    let scale = length(data.qacc.iter().copied()).max(length(data.qacc_smooth.iter().copied())).max(1.0);
    length(a.iter().zip(&data.qacc_warmstart[..]).map(|(a, b)| a - b)) / scale
}

/// Compares one step of worlds, all of which have something to solve for; returns the largest difference of
/// accelerations, and the largest difference of conjugate gradients and Newton's method on the processor.
fn compare(model: &Arc<Model>, count: usize, precision: Precision) -> Option<[f64; 2]> {
    let mut random = Random(5);
    // states that a converged solver comes to
    let mut converged = Model::clone(model);
    converged.opt.iterations = 100;
    let mut worlds: Vec<Data> = (0..count).map(|k| wander(&converged, &mut random, 60 + 9 * k)).collect();
    let mut sim = simulator(model, count, precision)?;
    let state = |d: &Data| [&d.qpos[..], &d.qvel, &d.act, &d.qacc_warmstart].concat();
    sim.set_states(&worlds.iter().flat_map(state).collect::<Vec<_>>()).unwrap();
    sim.set_controls(&worlds.iter().flat_map(|d| d.ctrl.to_vec()).collect::<Vec<_>>()).unwrap();
    sim.step_all().unwrap();
    let (states, contacts) = (sim.states_as::<f64>().unwrap(), sim.contacts().unwrap());
    let mut newton = Model::clone(model);
    newton.opt.solver = Solver::Newton as i32;
    let (mut worst, mut others) = (0.0_f64, 0.0_f64);
    for (w, data) in worlds.iter_mut().enumerate() {
        let mut other = data.clone();
        mj_step(&newton, &mut other).unwrap();
        mj_step(model, data).unwrap();
        assert!(data.nefc > 0);
        assert_eq!(contacts[w], data.contact.iter().filter(|c| c.exclude == 0).count(), "world {w}");
        let row = &states[w * sim.state_size()..(w + 1) * sim.state_size()];
        worst = worst.max(relative_distance(&row[row.len() - model.nv..], data));
        others = others.max(relative_distance(&other.qacc_warmstart, data));
    }
    let totals = sim.solver_totals().unwrap();
    println!(
        "{precision:?}, {} iterations: {worst:.1e}, Newton {others:.1e}, {totals:?}",
        model.opt.iterations
    );
    Some([worst, others])
}

/// One tree with limits, friction loss, an equality and contacts; the processor solves for all of it at once.
const WALKER: &str = "<mujoco><option timestep='0.003' solver='CG' tolerance='1e-14' iterations='ITERATIONS' cone='CONE' integrator='INTEGRATOR'>
  <flag island='disable'/></option>
  <compiler autolimits='true'/>
  <default><geom type='capsule' size='0.05' condim='DIM' friction='0.8 0.05 0.02'/><joint damping='0.3' armature='0.01'/></default>
  <worldbody><geom type='plane' size='5 5 1' condim='1'/>
    <body pos='0 0 0.42'><freejoint/><geom fromto='-0.2 0 0 0.2 0 0'/>
      <body pos='-0.2 0 0'><joint name='a' type='ball' range='0 60'/><geom fromto='0 0.1 0 0 0.1 -0.2'/>
        <body pos='0 0.1 -0.2'><joint name='b' axis='0 1 0' range='-20 20' frictionloss='0.2'/><geom fromto='0 0 0 0.05 0.05 -0.2'/></body></body>
      <body pos='0.2 0 0'><joint name='c' axis='1 0 0' range='-10 30'/><joint name='d' axis='0 1 0'/><geom fromto='0 -0.1 0 0 -0.1 -0.2'/>
        <body pos='0 -0.1 -0.2'><joint name='e' axis='0 1 0' range='-20 20' frictionloss='0.1'/><geom fromto='0 0 0 -0.05 -0.05 -0.2'/></body></body>
    </body></worldbody>
  <equality><joint joint1='d' joint2='e' polycoef='0 -0.5 0 0 0' solref='0.05 1'/></equality>
  <actuator><motor joint='b' gear='3'/><motor joint='c' gear='3'/><position joint='e' kp='4' kv='0.3'/></actuator></mujoco>";

fn walker(iterations: usize, cone: &str, integrator: &str) -> Arc<Model> {
    let values = [
        ("ITERATIONS", iterations.to_string()),
        ("CONE", cone.to_owned()),
        ("INTEGRATOR", integrator.to_owned()),
        ("DIM", "4".to_owned()),
    ];
    let text = values.iter().fold(WALKER.to_owned(), |text, (name, value)| text.replace(name, value));
    Arc::new(kinetree_spec::load_model_str(&text).unwrap())
}

#[test]
fn few_iterations_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    for (cone, integrator) in [("pyramidal", "Euler"), ("elliptic", "implicitfast")] {
        for iterations in [1, 3] {
            let model = walker(iterations, cone, integrator);
            let Some([worst, newton]) = compare(&model, 12, Precision::Single) else { return };
            assert!(worst < 1e-3, "{cone}, {iterations} iterations: accelerations differ by {worst:e}");
            assert!(newton > 1e-2, "{cone}, {iterations} iterations: Newton's method is within {newton:e}");
        }
    }
}

#[test]
fn few_iterations_in_double_precision_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    for (cone, integrator) in [("pyramidal", "Euler"), ("elliptic", "RK4")] {
        for iterations in [1, 3] {
            let model = walker(iterations, cone, integrator);
            let Some([worst, _]) = compare(&model, 12, Precision::Double) else { return };
            assert!(worst < 1e-9, "{cone}, {iterations} iterations: accelerations differ by {worst:e}");
        }
    }
}

#[test]
fn many_iterations_come_to_the_minimum() {
    if takes_minutes() {
        return;
    }
    let Some([worst, newton]) = compare(&walker(200, "pyramidal", "Euler"), 12, Precision::Single) else {
        return;
    };
    assert!(
        worst < 1e-3 && newton < 1e-6,
        "accelerations differ by {worst:e}, on the processor by {newton:e}"
    );
}

/// Branches of a tree with so many hinges in all.
fn tree(branches: usize, links: usize, trees: usize, iterations: usize) -> Arc<Model> {
    let branch = |b: usize| {
        let link = "<body pos='0.1 0 0'><joint axis='0 1 0' damping='0.1' armature='0.05' range='-0.3 0.3' limited='true'/>\
                    <geom type='capsule' size='0.02' fromto='0 0 0 0.1 0 0' contype='0'/>";
        let angle = 360 * b / branches;
        format!("<body euler='0 0 {angle}'>{}{}</body>", link.repeat(links), "</body>".repeat(links))
    };
    let branches: String = (0..branches).map(branch).collect();
    let trees: String = (0..trees)
        .map(|t| format!("<body pos='{} 0 0.15'><freejoint/><geom size='0.1'/>{branches}</body>", 4 * t))
        .collect();
    let text = format!(
        "<mujoco><option timestep='0.002' solver='CG' iterations='{iterations}' tolerance='1e-14'/><worldbody><geom type='plane' size='5 5 1'/>{trees}</worldbody></mujoco>"
    );
    Arc::new(kinetree_spec::load_model_str(&text).unwrap())
}

#[test]
fn large_trees_have_their_inverse_in_memory() {
    let model = tree(9, 15, 1, 300);
    assert!(model.nv > 128);
    let Some([worst, _]) = compare(&model, 4, Precision::Single) else { return };
    assert!(worst < 1e-3, "accelerations differ by {worst:e}");
}

#[test]
fn clusters_of_trees_are_solved_one_by_one() {
    if takes_minutes() {
        return;
    }
    // on the processor each tree is an island, with iterations of its own
    let model = tree(4, 3, 3, 4);
    assert!(model.nv > 32);
    let Some([worst, newton]) = compare(&model, 6, Precision::Single) else { return };
    assert!(worst < 1e-4, "accelerations differ by {worst:e}");
    assert!(newton > 1e-3, "Newton's method is within {newton:e}");
}
