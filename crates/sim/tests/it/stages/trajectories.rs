//! Gradients along trajectories of 200 steps, on ten tasks, against centred differences along random
//! directions of the first state and all controls.

use super::transition::shaken;
use super::{load, noise};
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_differentiate_pos, mj_integrate_pos, mj_step, rollout_vjp};

const STEPS: usize = 200;

/// Name, text, and how strongly the first state is shaken.
const TASKS: [(&str, &str, f64); 10] = [
    (
        "swing a pole on a cart up",
        r#"<worldbody><body><joint name="cart" type="slide" axis="1 0 0" damping="0.1"/><geom size="0.1"/>
         <body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03"/></body></body></worldbody>
         <actuator><motor joint="cart" gear="5"/></actuator>"#,
        1.0,
    ),
    (
        "reach with three links and servos",
        r#"<option integrator="implicitfast"/><worldbody><body><joint name="a" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
         <body pos="0.3 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
         <body pos="0.3 0 0"><joint name="c" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/></body></body></body></worldbody>
         <actuator><position joint="a" kp="8" kv="0.6"/><position joint="b" kp="8" kv="0.6"/><position joint="c" kp="4" kv="0.3"/></actuator>"#,
        1.0,
    ),
    (
        "bend an elbow with two muscles",
        r#"<option integrator="implicit"/><worldbody><site name="s" pos="-0.05 0 0.05"/><site name="t" pos="-0.05 0 -0.05"/>
         <body><joint axis="0 1 0" range="-80 80" damping="0.05"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
         <site name="a" pos="0.08 0 0.03"/><site name="b" pos="0.08 0 -0.03"/></body></worldbody>
         <tendon><spatial name="up"><site site="s"/><site site="a"/></spatial><spatial name="down"><site site="t"/><site site="b"/></spatial></tendon>
         <actuator><muscle tendon="up" lengthrange="0.05 0.2" force="40"/><muscle tendon="down" lengthrange="0.05 0.2" force="40"/></actuator>"#,
        0.5,
    ),
    (
        "swim in a fluid",
        r#"<option integrator="implicitfast" density="1000" viscosity="0.01" gravity="0 0 0"/><worldbody>
         <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint axis="0 0 1"/><geom type="ellipsoid" size="0.1 0.03 0.03" fluidshape="ellipsoid"/>
         <body pos="0.1 0 0"><joint name="a" axis="0 0 1"/><geom type="ellipsoid" size="0.08 0.02 0.04" pos="0.08 0 0" fluidshape="ellipsoid"/>
         <body pos="0.16 0 0"><joint name="b" axis="0 0 1"/><geom type="ellipsoid" size="0.08 0.02 0.04" pos="0.08 0 0"/></body></body></body></worldbody>
         <actuator><motor joint="a" gear="0.2"/><motor joint="b" gear="0.2"/></actuator>"#,
        1.0,
    ),
    (
        "throw a tumbling box",
        r#"<option integrator="implicitfast"/><worldbody><body pos="0 0 5"><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.02 0.01 0"/>
         <site name="s" pos="0.1 0 0"/></body></worldbody><actuator><motor site="s" gear="1 0.5 0 0.1 0.2 0.3"/></actuator>"#,
        3.0,
    ),
    (
        "slide a block to a stop",
        r#"<option cone="elliptic" impratio="10"/><worldbody><geom type="plane" size="5 5 1"/>
         <body pos="0 0 0.0999"><joint name="x" type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
         <geom type="box" size="0.2 0.2 0.1" friction="0.3"/></body></worldbody><actuator><motor joint="x" gear="30"/></actuator>"#,
        0.0,
    ),
    (
        "roll a ball over a slope",
        r#"<option cone="elliptic"/><worldbody><geom type="plane" size="9 9 1" euler="4 -3 0" condim="4"/>
         <body pos="0 0 0.0998"><freejoint/><geom size="0.1" condim="4"/><site name="s"/></body></worldbody>
         <actuator><motor site="s" gear="1 0 0 0 0 0"/><motor site="s" gear="0 0 0 0 1 0"/></actuator>"#,
        0.0,
    ),
    (
        "drive an arm with motors that have currents",
        r#"<worldbody><body><joint name="a" axis="0 1 0" damping="0.02"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
         <body pos="0.3 0 0"><joint name="b" axis="0 1 0" damping="0.02"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/></body></body></worldbody>
         <actuator><dcmotor joint="a" motorconst="0.4 0.4" resistance="2" inductance="0.02" input="position" controller="30 5 2"/>
         <dcmotor joint="b" motorconst="0.3 0.3" resistance="1.5" thermal="3 0.5 0 0.004 25 30" inductance="0.01"/></actuator>"#,
        1.0,
    ),
    (
        "hang a chain of balls on a weld and a spring",
        r#"<worldbody><site name="top" pos="0.3 0.1 0.3"/>
         <body name="a"><joint type="ball" damping="0.02" stiffness="0.5"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/>
         <body name="b" pos="0.2 0 0"><joint type="ball" damping="0.02"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/><site name="end" pos="0.2 0 0"/>
         <body name="c" pos="0.2 0 0"><joint name="c" axis="0 1 0" damping="0.02"/><geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.02"/></body></body></body></worldbody>
         <equality><connect site1="end" site2="top" solref="0.1 1"/></equality><actuator><motor joint="c" gear="0.1"/></actuator>"#,
        0.3,
    ),
    (
        "turn a crank with a slider",
        r#"<worldbody><site name="rail" pos="0 0 0.5" euler="0 20 0"/><body><joint axis="0 1 0" damping="0.05"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03"/>
         <site name="pin" pos="0.2 0 0"/></body></worldbody>
         <actuator><general slidersite="rail" cranksite="pin" cranklength="0.9" gainprm="5" biastype="affine" biasprm="0 -3 -0.2"/></actuator>"#,
        1.0,
    ),
];

/// The state after all steps.
fn run(model: &Model, start: &Data, controls: &[f64]) -> Data {
    let mut data = start.clone();
    for t in 0..STEPS {
        data.ctrl.copy_from_slice(&controls[t * model.nu..(t + 1) * model.nu]);
        mj_step(model, &mut data).unwrap();
    }
    data
}

/// Centred difference of a weighted sum of the last state along a direction of state and controls.
fn difference(
    model: &Model,
    start: &Data,
    controls: &[f64],
    weights: &[f64],
    along: &[f64],
    eps: f64,
) -> f64 {
    let (nv, nx) = (model.nv, 2 * model.nv + model.na);
    let [plus, minus] = [eps, -eps].map(|by| {
        let mut data = start.clone();
        mj_integrate_pos(model, &mut data.qpos, &along[..nv], by);
        let rest = data.qvel.iter_mut().chain(data.act.iter_mut());
        rest.zip(&along[nv..nx]).for_each(|(x, d)| *x += by * d);
        let controls: Vec<f64> = controls.iter().zip(&along[nx..]).map(|(u, d)| u + by * d).collect();
        run(model, &data, &controls)
    });
    let mut change = vec![0.0; nv];
    mj_differentiate_pos(model, &mut change, 2.0 * eps, &minus.qpos, &plus.qpos);
    let ends = plus.qvel.iter().chain(&*plus.act).zip(minus.qvel.iter().chain(&*minus.act));
    change.extend(ends.map(|(a, b)| (a - b) / (2.0 * eps)));
    change.iter().zip(weights).map(|(c, w)| c * w).sum()
}

#[test]
fn gradients_of_ten_tasks() {
    for (name, text, shake) in TASKS {
        let mut model = load(&format!("<mujoco>{text}</mujoco>"));
        (model.opt.tolerance, model.opt.iterations) = (0.0, 100);
        let (nx, nu) = (2 * model.nv + model.na, model.nu);
        let mut start = if shake > 0.0 { shaken(&model, 3, 0) } else { Data::new(&model) };
        start.qvel.iter_mut().for_each(|v| *v *= shake);
        let controls: Vec<f64> = noise(STEPS * nu, 5).iter().map(|x| 0.3 + 0.2 * x).collect();
        let weights = noise(nx, 6);
        let mut gradients = vec![0.0; STEPS * nx];
        gradients[(STEPS - 1) * nx..].copy_from_slice(&weights);
        let (mut dx, mut du) = (vec![0.0; nx], vec![0.0; STEPS * nu]);
        rollout_vjp(&model, &mut start.clone(), &controls, &gradients, &mut dx, &mut du, &mut [])
            .unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let gradient: Vec<f64> = dx.into_iter().chain(du).collect();
        let size = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
        for seed in 11..15 {
            let along = noise(gradient.len(), seed);
            let found: f64 = gradient.iter().zip(&along).map(|(g, d)| g * d).sum();
            let expected = difference(&model, &start, &controls, &weights, &along, 1e-6);
            let error = (found - expected).abs();
            assert!(
                error < 1e-5 * size.max(1.0),
                "{name}: {found} instead of {expected}, gradient of size {size}"
            );
        }
    }
}
