//! Analytic derivatives of sensors against centred differences of evaluations, with the solver converged.

use super::load;
use super::transition::{EPS, nudge, shaken};
use kinetree_model::{Data, Model};
use kinetree_sim::{DerivativeError, InverseJacobians, mj_forward, mj_inverse, mjd_inverse, mjd_transition};

/// An arm with limits whose hand lies on the ground, and a camera on its shoulder.
const ARM: &str = r#"
  <worldbody>
    <site name="anchor" pos="0.5 0.3 0.6"/>
    <geom name="floor" type="plane" size="2 2 0.1" euler="3 -2 0" condim="4"/>
    <body name="shoulder" pos="0 0 0.3" gravcomp="0.3">
      <joint name="ball" type="ball" stiffness="2 0.3 0.1" damping="0.1"/>
      <camera name="eye" pos="0.05 0 0.1" euler="80 10 -60" fovy="50" resolution="40 30"/>
      <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03"/>
      <site name="shoulder" pos="0.03 0.02 0.01" euler="20 40 10"/>
      <body name="elbow" pos="0.2 0 0">
        <joint name="elbow" axis="0 1 0.2" range="-0.1 2" limited="true" stiffness="3 0.5 0.2" armature="0.02"/>
        <joint name="slide" type="slide" axis="1 0 0.1" range="-1 0.01" limited="true" damping="0.5"/>
        <geom name="forearm" type="capsule" fromto="0 0 0 0.2 0 -0.1" size="0.02"/>
        <site name="elbow" pos="0.05 0 0.01" euler="-20 40 10"/>
        <body name="hand" pos="0.22 0 -0.2">
          <joint name="wrist" axis="1 0.3 0"/>
          <geom name="palm" type="ellipsoid" size="0.06 0.05 0.08" pos="0.01 0.01 0" condim="4"/>
          <site name="palm" type="sphere" size="0.15" pos="0.01 0.01 0" euler="10 150 0"/>
          <site name="finger" pos="0.1 0 0.05"/>
        </body>
      </body>
    </body>
    <body name="ball" pos="0.7 0.3 0.6"><freejoint/><geom name="ball" size="0.1" condim="3"/><site name="top" pos="0 0 0.1"/></body>
  </worldbody>
  <tendon>
    <spatial name="cable" stiffness="20 3 1" range="0 0.3" limited="true"><site site="anchor"/><site site="finger"/></spatial>
    <fixed name="sum" stiffness="1"><joint joint="elbow" coef="0.7"/><joint joint="wrist" coef="-1.2"/></fixed>
  </tendon>
  <actuator>
    <position name="servo" joint="elbow" kp="4" kv="0.3"/>
    <motor name="pull" tendon="sum"/><general tendon="sum" dyntype="filter" dynprm="0.1" biastype="affine" biasprm="0 -1 -0.2"/>
  </actuator>
  <sensor>
    <touch site="palm"/><force site="shoulder"/><torque site="shoulder"/><force site="palm"/><torque site="palm"/>
    <force site="elbow"/><torque site="elbow"/><force site="top"/>
    <jointlimitpos joint="elbow"/><jointlimitvel joint="elbow"/><jointlimitfrc joint="elbow"/>
    <jointlimitpos joint="slide"/><jointlimitvel joint="slide"/><jointlimitfrc joint="slide"/>
    <tendonlimitpos tendon="cable"/><tendonlimitvel tendon="cable"/><tendonlimitfrc tendon="cable"/>
    <camprojection site="finger" camera="eye"/><camprojection site="top" camera="eye"/>
    <rangefinder site="palm"/><rangefinder site="shoulder"/><rangefinder site="elbow" data="dist dir origin point"/>
    <distance geom1="palm" geom2="ball" cutoff="2"/><distance body1="elbow" body2="ball" cutoff="2"/>
    <distance geom1="forearm" geom2="floor" cutoff="2"/><distance geom1="palm" geom2="floor" cutoff="0.5"/>
    <insidesite site="palm" objtype="xbody" objname="ball"/>
    <e_potential/><e_kinetic/>
  </sensor>"#;

const ACTUATION: &str = r#"<jointactuatorfrc joint="elbow"/><tendonactuatorfrc tendon="sum"/></sensor>"#;

fn converged(xml: &str) -> Model {
    let mut model = load(xml);
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
    model
}

/// Compares sensor values with differences, for inputs that `read` evaluates at.
fn compare(
    model: &Model,
    inputs: usize,
    read: impl Fn(usize, f64) -> Vec<f64>,
    found: impl Fn(usize, usize) -> f64,
) {
    for input in 0..inputs {
        let [plus, minus] = [EPS, -EPS].map(|by| read(input, by));
        for sensor in 0..model.nsensor {
            let first = model.sensor_adr[sensor] as usize;
            for row in first..first + model.sensor_dim[sensor] as usize {
                let expected = (plus[row] - minus[row]) / (2.0 * EPS);
                let found = found(row, input);
                assert!(
                    (found - expected).abs() < 2e-5 * expected.abs().max(1.0),
                    "sensor {sensor} ({}), row {row}, input {input}: {found} instead of {expected}",
                    model.sensor_type[sensor]
                );
            }
        }
    }
}

fn check_step(model: &Model, data: &mut Data) {
    let (nx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
    let (mut c, mut d) = (vec![0.0; ns * nx], vec![0.0; ns * nu]);
    mjd_transition(model, data, None, None, Some(&mut c), Some(&mut d)).unwrap();
    let read = |input: usize, by: f64| {
        let mut moved = data.clone();
        nudge(model, &mut moved, input, by);
        mj_forward(model, &mut moved).unwrap();
        moved.sensordata.to_vec()
    };
    compare(
        model,
        nx + nu,
        read,
        |row, input| {
            if input < nx { c[row * nx + input] } else { d[row * nu + input - nx] }
        },
    );
}

fn check_inverse(model: &Model, data: &Data) {
    let (nv, ns) = (model.nv, model.nsensordata);
    let [mut by_q, mut by_v, mut by_a] = [0, 1, 2].map(|_| vec![0.0; nv * ns]);
    let out = InverseJacobians {
        sensor_position: Some(&mut by_q),
        sensor_velocity: Some(&mut by_v),
        sensor_acceleration: Some(&mut by_a),
        ..InverseJacobians::default()
    };
    mjd_inverse(model, &mut data.clone(), false, out).unwrap();
    let read = |input: usize, by: f64| {
        let mut moved = data.clone();
        match input {
            i if i < 2 * nv => nudge(model, &mut moved, i, by),
            i => moved.qacc[i - 2 * nv] += by,
        }
        mj_inverse(model, &mut moved).unwrap();
        moved.sensordata.to_vec()
    };
    compare(model, 3 * nv, read, |row, input| [&by_q, &by_v, &by_a][input / nv][input % nv * ns + row]);
}

#[test]
fn forces_limits_positions_and_energies() {
    let mut touched = 0;
    for cone in ["pyramidal", "elliptic"] {
        let xml =
            format!(r#"<mujoco><option cone="{cone}"/>{}</mujoco>"#, ARM.replace("</sensor>", ACTUATION));
        let model = converged(&xml);
        for (seed, steps) in [(1, 0), (3, 120), (4, 300)] {
            let mut data = shaken(&model, seed, steps);
            data.xfrc_applied[3] = [0.3, -0.2, 0.5, 0.1, 0.2, -0.1];
            check_step(&model, &mut data);
            touched += usize::from(data.sensordata[0] > 0.0);
        }
    }
    assert!(touched > 1, "nothing was touched");
}

#[test]
fn sensors_of_inverse_dynamics() {
    for cone in ["pyramidal", "elliptic"] {
        let model = converged(&format!(r#"<mujoco><option cone="{cone}"/>{ARM}</mujoco>"#));
        for (seed, steps) in [(1, 0), (3, 120)] {
            let mut data = shaken(&model, seed, steps);
            mj_forward(&model, &mut data).unwrap();
            check_inverse(&model, &data);
        }
    }
}

#[test]
fn what_sensors_have_no_derivative_is_named() {
    let refused = |sensor: &str, what: &'static str| {
        let model = load(&format!(
            r#"<mujoco><worldbody><geom name="a" size="0.1"/><body pos="1 0 0"><freejoint/><geom name="b" size="0.1"/></body>
               </worldbody><sensor>{sensor}</sensor></mujoco>"#
        ));
        let mut c = vec![0.0; model.nsensordata * 2 * model.nv];
        let found = mjd_transition(&model, &mut Data::new(&model), None, None, Some(&mut c), None);
        assert_eq!(found, Err(DerivativeError::Unsupported(what)));
    };
    refused(
        r#"<normal geom1="a" geom2="b" cutoff="2"/>"#,
        "an analytic derivative of the nearest points of geoms",
    );
    refused(r#"<contact geom1="a" geom2="b"/>"#, "an analytic derivative of a contact sensor");
    refused(r#"<clock nsample="3" delay="0.004"/>"#, "an analytic derivative of a sensor with a history");
}
