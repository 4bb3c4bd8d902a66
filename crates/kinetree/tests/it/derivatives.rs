//! Finite-difference derivatives against whole steps from nudged states, and against the inertia matrix;
//! sleeping trees after a reset.

use kinetree::prelude::*;
use kinetree::sim::{
    DerivativeError, InverseJacobians, mj_differentiate_pos, mj_full_m, mj_integrate_pos, mjd_inverse_fd,
    mjd_transition_fd,
};

const EPS: f64 = 1e-6;

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.3"/>
      <body pos="0.3 0 0">
        <joint type="ball" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/>
        <body pos="0.4 0 0">
          <joint name="hinge" axis="0 1 0" damping="0.2" stiffness="3"/>
          <geom name="tip" type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <general joint="hinge" dyntype="filter" dynprm="0.1" gainprm="2"/>
    <velocity joint="hinge" kv="0.5" ctrllimited="true" ctrlrange="-1 1"/>
  </actuator>
  <sensor>
    <jointvel joint="hinge"/>
    <actuatorfrc actuator="pull"/>
    <framepos objtype="geom" objname="tip"/>
  </sensor>
</mujoco>"#;

fn moving() -> (Model, Data) {
    let xml = MODEL.replace("<velocity ", r#"<velocity name="pull" "#);
    let model = load_model_str(&xml).unwrap();
    let mut data = Data::new(&model);
    for (i, v) in data.qvel.iter_mut().enumerate() {
        *v = 0.3 * (i as f64 + 1.0).sin();
    }
    data.ctrl.copy_from_slice(&[0.3, 1.0]);
    data.act.fill(0.2);
    (model, data)
}

/// The next state after nudging minus the next state without, over the step, in the tangent space.
fn by_whole_steps(model: &Model, data: &Data, nudge: impl Fn(&mut Data)) -> Vec<f64> {
    let (mut base, mut nudged) = (data.clone(), data.clone());
    nudge(&mut nudged);
    mj_step(model, &mut base).unwrap();
    mj_step(model, &mut nudged).unwrap();
    let mut out = vec![0.0; model.nv];
    mj_differentiate_pos(model, &mut out, EPS, &base.qpos, &nudged.qpos);
    out.extend(nudged.qvel.iter().zip(&base.qvel).map(|(a, b)| (a - b) / EPS));
    out.extend(nudged.act.iter().zip(&base.act).map(|(a, b)| (a - b) / EPS));
    out
}

fn assert_column(matrix: &[f64], width: usize, column: usize, expected: &[f64]) {
    for (row, expected) in expected.iter().enumerate() {
        let found = matrix[row * width + column];
        assert!(
            (found - expected).abs() < 1e-4 * expected.abs().max(1.0),
            "({row}, {column}): {found} {expected}"
        );
    }
}

#[test]
fn transition_matches_whole_steps() {
    let (model, mut data) = moving();
    let (nv, nu) = (model.nv, model.nu);
    let nx = 2 * nv + model.na;
    let (mut a, mut b) = (vec![0.0; nx * nx], vec![0.0; nx * nu]);
    mjd_transition_fd(&model, &mut data, EPS, false, Some(&mut a), Some(&mut b), None, None).unwrap();
    for dof in 0..nv {
        let position = by_whole_steps(&model, &data, |d| {
            let mut direction = vec![0.0; nv];
            direction[dof] = 1.0;
            mj_integrate_pos(&model, &mut d.qpos, &direction, EPS);
        });
        assert_column(&a, nx, dof, &position);
        let velocity = by_whole_steps(&model, &data, |d| d.qvel[dof] += EPS);
        assert_column(&a, nx, nv + dof, &velocity);
    }
    assert_column(&a, nx, 2 * nv, &by_whole_steps(&model, &data, |d| d.act[0] += EPS));
    assert_column(&b, nu, 0, &by_whole_steps(&model, &data, |d| d.ctrl[0] += EPS));
    // at the end of its range this control can only go down
    let down: Vec<f64> = by_whole_steps(&model, &data, |d| d.ctrl[1] -= EPS).iter().map(|v| -v).collect();
    assert_column(&b, nu, 1, &down);
}

#[test]
fn sensors_follow_controls_with_the_right_sign() {
    let (model, mut data) = moving();
    data.ctrl[1] = 0.0;
    let (ns, nu) = (model.nsensordata, model.nu);
    for centered in [false, true] {
        let mut d = vec![0.0; ns * nu];
        mjd_transition_fd(&model, &mut data, EPS, centered, None, None, None, Some(&mut d)).unwrap();
        assert!((d[nu + 1] - 0.5).abs() < 1e-6, "force of the velocity servo: {}", d[nu + 1]);
    }
}

#[test]
fn transition_keeps_the_state_and_refuses_wrong_sizes() {
    let (model, mut data) = moving();
    let before = data.clone();
    let nx = 2 * model.nv + model.na;
    let mut a = vec![0.0; nx * nx];
    mjd_transition_fd(&model, &mut data, EPS, true, Some(&mut a), None, None, None).unwrap();
    assert_eq!((data.time, &data.qpos, &data.qvel), (before.time, &before.qpos, &before.qvel));
    let wrong = mjd_transition_fd(&model, &mut data, EPS, true, Some(&mut a[1..]), None, None, None);
    assert!(matches!(wrong, Err(DerivativeError::Size { name: "A", .. })));
}

#[test]
fn force_changes_with_acceleration_by_the_inertia() {
    let (model, mut data) = moving();
    let nv = model.nv;
    let mut force_acceleration = vec![0.0; nv * nv];
    let out = InverseJacobians { force_acceleration: Some(&mut force_acceleration), ..Default::default() };
    mjd_inverse_fd(&model, &mut data, EPS, false, out).unwrap();
    let mut inertia = vec![0.0; nv * nv];
    mj_full_m(&model, &mut inertia, &data.qM);
    for (found, expected) in force_acceleration.iter().zip(&inertia) {
        assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{found} {expected}");
    }
}

/// Rows of the derivatives with respect to positions are differences of inverse dynamics at nudged positions.
#[test]
fn inverse_derivatives_match_nudged_positions() {
    let (model, mut data) = moving();
    let (nv, ns) = (model.nv, model.nsensordata);
    mj_forward(&model, &mut data).unwrap();
    let mut found = (vec![0.0; nv * nv], vec![0.0; nv * ns]);
    let out = InverseJacobians {
        force_position: Some(&mut found.0),
        sensor_position: Some(&mut found.1),
        ..Default::default()
    };
    mjd_inverse_fd(&model, &mut data, EPS, false, out).unwrap();
    let inverse = |mut data: Data| {
        mj_inverse(&model, &mut data).unwrap();
        (data.qfrc_inverse.to_vec(), data.sensordata.to_vec())
    };
    let base = inverse(data.clone());
    for dof in 0..nv {
        let (mut nudged, mut qpos, mut direction) = (data.clone(), data.qpos.to_vec(), vec![0.0; nv]);
        direction[dof] = 1.0;
        mj_integrate_pos(&model, &mut qpos, &direction, EPS);
        nudged.qpos.copy_from_slice(&qpos);
        let (force, sensors) = inverse(nudged);
        let rows = [(&found.0, nv, &force, &base.0), (&found.1, ns, &sensors, &base.1)];
        for (matrix, width, after, before) in rows {
            for k in 0..width {
                let expected = (after[k] - before[k]) / EPS;
                let row = matrix[dof * width + k];
                assert!(
                    (row - expected).abs() < 1e-6 * expected.abs().max(1.0),
                    "({dof}, {k}): {row} {expected}"
                );
            }
        }
    }
}

/// Each matrix of the inverse dynamics is the same whether it is asked for alone or with the others.
#[test]
fn inverse_derivatives_can_be_asked_for_one_by_one() {
    let (model, mut data) = moving();
    let (nv, ns) = (model.nv, model.nsensordata);
    let mut all = (vec![0.0; nv * nv], vec![0.0; nv * ns], vec![0.0; nv * model.nM]);
    let out = InverseJacobians {
        force_position: Some(&mut all.0),
        sensor_position: Some(&mut all.1),
        inertia_position: Some(&mut all.2),
        ..Default::default()
    };
    mjd_inverse_fd(&model, &mut data, EPS, false, out).unwrap();
    let mut one = (vec![0.0; nv * nv], vec![0.0; nv * ns], vec![0.0; nv * model.nM]);
    for out in [
        InverseJacobians { force_position: Some(&mut one.0), ..Default::default() },
        InverseJacobians { sensor_position: Some(&mut one.1), ..Default::default() },
        InverseJacobians { inertia_position: Some(&mut one.2), ..Default::default() },
    ] {
        mjd_inverse_fd(&model, &mut data, EPS, false, out).unwrap();
    }
    assert!(all.0.iter().any(|x| *x != 0.0) && all.1.iter().any(|x| *x != 0.0));
    assert!(all.2.iter().any(|x| *x != 0.0));
    assert_eq!(one, all);
}

#[test]
fn trees_marked_so_start_asleep() {
    let xml = r#"<mujoco>
      <option><flag sleep="enable"/></option>
      <worldbody>
        <geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.1" sleep="init"><freejoint/><geom size="0.1"/></body>
        <body pos="0.5 0 1"><freejoint/><geom size="0.1"/></body>
      </worldbody>
    </mujoco>"#;
    let model = load_model_str(xml).unwrap();
    let mut data = Data::new(&model);
    assert_eq!((data.tree_asleep[0], data.ntree_awake), (0, 1));
    data.step(&model).unwrap();
    data.reset(&model).unwrap();
    assert_eq!((data.tree_asleep[0], data.ntree_awake), (0, 1));
    assert!((data.xpos[1][2] - 0.1).abs() < 1e-12, "poses of sleeping bodies are known from the start");
}
