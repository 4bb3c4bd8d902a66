//! Energies against sums over bodies, springs and tendons.

use super::{close, load, shake};
use kinetree_model::Data;
use kinetree_model::enums::ObjType;
use kinetree_sim::{mj_forward, mj_object_velocity};

const CHAIN: &str = r#"<mujoco><option gravity="0.3 -0.2 -9"><flag energy="enable"/></option><worldbody>
    <site name="a" pos="0 0 2"/>
    <body pos="0 0 1"><joint type="ball" stiffness="3"/><geom type="box" size="0.1 0.2 0.05" pos="0.1 0 0" contype="0"/>
      <body pos="0.3 0 0"><joint axis="0 1 0" stiffness="5" springref="20"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04" contype="0"/><site name="b" pos="0.3 0 0"/>
        <body pos="0.3 0 0"><joint type="slide" axis="1 0 0" stiffness="70" springref="0.1"/><geom size="0.05" contype="0"/></body>
      </body></body>
    <body pos="1 1 1"><freejoint/><inertial pos="0.01 0.02 0" mass="0.7" diaginertia="0.01 0.02 0.025"/></body></worldbody>
    <tendon><spatial stiffness="11" springlength="0.2 0.3"><site site="a"/><site site="b"/></spatial></tendon></mujoco>"#;

#[test]
fn kinetic_energy_is_the_sum_over_bodies() {
    let model = load(CHAIN);
    let mut data = Data::new(&model);
    for seed in 1..5 {
        shake(&model, &mut data, seed);
        let mut sum = 0.0;
        for body in 1..model.nbody {
            // ½ m v² + ½ ω·I ω in the axes of the inertia
            let velocity =
                mj_object_velocity(&model, &data, ObjType::Body as i32, body as i32, true).unwrap();
            for i in 0..3 {
                sum += 0.5 * model.body_inertia[body][i] * velocity[i] * velocity[i];
                sum += 0.5 * model.body_mass[body] * velocity[3 + i] * velocity[3 + i];
            }
        }
        close(data.energy[1], sum, 1e-12);
        assert!(sum > 0.1);
    }
}

#[test]
fn potential_energy_is_the_sum_over_weights_and_springs() {
    let model = load(CHAIN);
    let mut data = Data::new(&model);
    for seed in 1..5 {
        shake(&model, &mut data, seed);
        let mut sum = 0.0;
        for body in 1..model.nbody {
            let at = data.xipos[body];
            sum -= model.body_mass[body] * (0.3 * at[0] - 0.2 * at[1] - 9.0 * at[2]);
        }
        // the angle of the rotation that the quaternion of the ball stands for
        let quat = &data.qpos[0..4];
        let vector = (quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]).sqrt();
        let angle = 2.0 * vector.atan2(quat[0].abs());
        sum += 0.5 * 3.0 * angle * angle;
        sum += 0.5 * 5.0 * (data.qpos[4] - 20f64.to_radians()).powi(2);
        sum += 0.5 * 70.0 * (data.qpos[5] - 0.1).powi(2);
        // the spring of the tendon has no force between both lengths
        let stretch = (data.ten_length[0] - 0.3).max(0.0) + (data.ten_length[0] - 0.2).min(0.0);
        sum += 0.5 * 11.0 * stretch * stretch;
        close(data.energy[0], sum, 1e-9);
    }
}

#[test]
fn spring_forces_are_the_derivative_of_their_energy() {
    let mut model = load(CHAIN);
    model.opt.gravity = [0.0; 3];
    let mut data = Data::new(&model);
    shake(&model, &mut data, 3);
    data.qvel.fill(0.0);
    mj_forward(&model, &mut data).unwrap();
    let derivative = super::derivative(&model, &data, |data| data.energy[0]);
    let force: Vec<f64> = derivative.iter().map(|x| -x).collect();
    super::all_close(&data.qfrc_spring, &force, 1e-6);
}
