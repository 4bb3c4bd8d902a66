//! Moments of actuators are the derivatives of their lengths.

use super::{all_close, close, derivative, forward, load, shake, start};
use kinetree_model::{Data, Model};

const RIG: &str = r#"<mujoco><worldbody><site name="anchor" pos="0 0 2"/><site name="crank" pos="0.3 0 1.2"/><site name="rod" pos="0.1 0.4 1.1" euler="30 0 0"/>
    <body pos="0 0 1"><joint name="ball" type="ball"/><geom type="box" size="0.1 0.2 0.05" contype="0"/><site name="s1" pos="0.1 0.1 0" euler="10 20 30"/>
      <body pos="0.3 0 0"><joint name="hinge" axis="0 1 0.2"/><joint name="slide" type="slide" axis="1 0 0.3"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04" contype="0"/><site name="tip" pos="0.3 0 0.1" euler="10 20 30"/></body></body></worldbody>
    <tendon><spatial name="t"><site site="anchor"/><site site="s1"/><site site="tip"/></spatial>
      <fixed name="f"><joint joint="hinge" coef="2"/><joint joint="slide" coef="-3"/></fixed></tendon>
    <actuator><motor joint="hinge" gear="2.5"/><motor joint="slide" gear="-3"/><motor tendon="t" gear="1.5"/><motor tendon="f" gear="0.5"/>
      <motor cranksite="tip" slidersite="rod" cranklength="2.5" gear="1.3"/>
      <motor joint="ball" gear="0.3 -0.4 0.5"/><motor jointinparent="ball" gear="0.3 -0.4 0.5"/><motor site="tip" gear="0.2 0.3 -0.4 0.1 -0.2 0.3"/></actuator></mujoco>"#;

fn moment(model: &Model, data: &Data, actuator: usize) -> Vec<f64> {
    let mut row = vec![0.0; model.nv];
    let start = data.moment_rowadr[actuator] as usize;
    for k in start..start + data.moment_rownnz[actuator] as usize {
        row[data.moment_colind[k] as usize] = data.actuator_moment[k];
    }
    row
}

#[test]
fn moments_are_derivatives_of_lengths() {
    let model = load(RIG);
    let mut data = Data::new(&model);
    for seed in 1..4 {
        shake(&model, &mut data, seed);
        for actuator in 0..5 {
            let expected = derivative(&model, &data, |data| data.actuator_length[actuator]);
            all_close(&moment(&model, &data, actuator), &expected, 1e-6);
        }
    }
}

#[test]
fn velocities_of_actuators_are_moments_times_velocities() {
    let model = load(RIG);
    let mut data = Data::new(&model);
    shake(&model, &mut data, 4);
    for actuator in 0..model.nu {
        let row = moment(&model, &data, actuator);
        let product: f64 = row.iter().zip(data.qvel.iter()).map(|(a, b)| a * b).sum();
        close(data.actuator_velocity[actuator], product, 1e-12);
    }
}

#[test]
fn a_ball_joint_is_rotated_about_its_gear() {
    let model = load(RIG);
    let mut data = Data::new(&model);
    shake(&model, &mut data, 2);
    // in the child's axes the torque is the gear; in the parent's, the gear rotated back
    all_close(&moment(&model, &data, 5)[..3], &[0.3, -0.4, 0.5], 1e-12);
    let mat = data.xmat[1];
    let rotated: Vec<f64> = (0..3).map(|i| mat[i] * 0.3 - mat[3 + i] * 0.4 + mat[6 + i] * 0.5).collect();
    all_close(&moment(&model, &data, 6)[..3], &rotated, 1e-12);
}

#[test]
fn a_site_wrench_is_the_jacobian_of_the_site() {
    let model = load(RIG);
    let mut data = Data::new(&model);
    shake(&model, &mut data, 3);
    let (jacp, jacr) = kinetree_sim::mj_jac_site(&model, &data, 4);
    let mat = data.site_xmat[4];
    let global =
        |v: [f64; 3]| -> [f64; 3] { std::array::from_fn(|i| (0..3).map(|j| mat[3 * i + j] * v[j]).sum()) };
    let (force, torque) = (global([0.2, 0.3, -0.4]), global([0.1, -0.2, 0.3]));
    let expected: Vec<f64> = (0..model.nv)
        .map(|c| (0..3).map(|i| jacp[(i, c)] * force[i] + jacr[(i, c)] * torque[i]).sum())
        .collect();
    all_close(&moment(&model, &data, 7), &expected, 1e-12);
}

/// Rows of actuators on joints are written several at a time unless a tree sleeps: the lengths and moments of
/// those that are awake are the same either way.
#[test]
fn joints_beside_a_sleeping_tree_are_driven_as_ever() {
    let model = load(
        r#"<mujoco><option><flag sleep="enable" gravity="disable"/></option><worldbody>
           <body sleep="init"><joint type="slide"/><geom size="0.1"/></body>
           <body pos="5 0 0"><joint name="h" axis="0 1 0"/><joint name="s" type="slide"/><geom size="0.1" pos="0.2 0 0"/></body></worldbody>
           <actuator><motor joint="h" gear="2.5"/><motor joint="s" gear="-3"/></actuator></mujoco>"#,
    );
    let mut data = Data::new(&model);
    data.qpos[1] = 0.3;
    data.qpos[2] = 0.2;
    data.qvel[1] = 1.0;
    forward(&model, &mut data);
    assert!(data.tree_asleep[0] >= 0 && data.tree_asleep[1] < 0, "{:?}", data.tree_asleep);
    all_close(&data.actuator_length, &[0.75, -0.6], 1e-15);
    all_close(&data.actuator_velocity, &[2.5, 0.0], 1e-15);
    all_close(&moment(&model, &data, 0), &[0.0, 2.5, 0.0], 0.0);
    all_close(&moment(&model, &data, 1), &[0.0, 0.0, -3.0], 0.0);
}

/// An adhesive body is pulled along the normal of its contact, in which frictionless contacts (`condim` 1)
/// have one row whatever the cone.
#[test]
fn adhesion_pulls_along_the_normal() {
    for cone in ["pyramidal", "elliptic"] {
        for condim in [1, 3, 4, 6] {
            let (model, data) = start(&format!(
                r#"<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="3 3 1" condim="{condim}"/>
                   <body name="b" pos="0 0 0.099"><freejoint/><geom size="0.1" condim="{condim}"/></body></worldbody>
                   <actuator><adhesion body="b" ctrlrange="0 1" gain="5"/></actuator></mujoco>"#
            ));
            all_close(&moment(&model, &data, 0), &[0.0, 0.0, -1.0, 0.0, 0.0, 0.0], 1e-12);
        }
    }
}
