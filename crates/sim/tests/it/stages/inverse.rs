//! Inverse dynamics undoes forward dynamics, and does not change what forward dynamics has found.

use super::{all_close, forward, load, noise, shake};
use kinetree_model::Data;
use kinetree_model::enums::{EnableBit, Integrator};
use kinetree_sim::{mj_apply_ft, mj_inverse, mj_step};

const SCENE: &str = r#"<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="3 3 1"/>
    <body pos="0 0 0.5"><freejoint/><geom type="box" size="0.1 0.1 0.1"/>
      <body pos="0.2 0 0"><joint axis="0 1 0" damping="0.3" stiffness="2" frictionloss="0.1" limited="true" range="-20 20"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/></body></body>
    <body pos="1 0 0.099"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#;

#[test]
fn inverse_returns_the_applied_forces() {
    let model = load(SCENE);
    let mut data = Data::new(&model);
    for seed in 1..6 {
        shake(&model, &mut data, seed);
        data.qfrc_applied.copy_from_slice(&noise(model.nv, seed + 7));
        data.xfrc_applied[1] = [0.3, 0.1, -0.2, 0.05, 0.0, 0.1];
        forward(&model, &mut data);
        let mut expected = data.qfrc_applied.to_vec();
        let [force, torque] = [[0.3, 0.1, -0.2], [0.05, 0.0, 0.1]];
        mj_apply_ft(&model, &data, &force, &torque, &data.xipos[1], 1, &mut expected).unwrap();
        mj_inverse(&model, &mut data).unwrap();
        all_close(&data.qfrc_inverse, &expected, 1e-6);
    }
}

#[test]
fn inverse_of_the_discrete_step_returns_the_applied_forces() {
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::Implicitfast] {
        let mut model = load(SCENE);
        model.opt.integrator = integrator as i32;
        model.opt.enableflags |= EnableBit::Invdiscrete as i32;
        let mut data = Data::new(&model);
        shake(&model, &mut data, 9);
        let applied = noise(model.nv, 3);
        data.qfrc_applied.copy_from_slice(&applied);
        forward(&model, &mut data);
        let before = data.clone();
        mj_step(&model, &mut data).unwrap();
        let h = model.opt.timestep;
        // the acceleration that the step has made of the velocities
        let discrete: Vec<f64> = data.qvel.iter().zip(before.qvel.iter()).map(|(a, b)| (a - b) / h).collect();
        let mut data = before;
        data.qacc.copy_from_slice(&discrete);
        mj_inverse(&model, &mut data).unwrap();
        all_close(&data.qfrc_inverse, &applied, 1e-6);
    }
}
