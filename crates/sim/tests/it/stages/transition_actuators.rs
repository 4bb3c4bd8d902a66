//! Analytic derivatives of steps with all kinds of actuators and transmissions.

use super::load;
use super::transition::{check, check_products, shaken};
use kinetree_model::Model;
use kinetree_sim::{DerivativeError, mj_step, mjd_transition, rollout_vjp};

/// Two branches on a free base, and a world that holds sites.
const BRANCHES: &str = r#"
  <worldbody>
    <site name="anchor" pos="0.3 0.2 0.4" euler="20 10 40"/>
    <body name="base">
      <freejoint name="free"/>
      <geom type="box" size="0.1 0.12 0.08" contype="0" conaffinity="0"/>
      <site name="rail" pos="0.05 0.02 0.1" euler="10 20 30"/>
      <body pos="0.15 0 0.1">
        <joint name="ball" type="ball" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0.05" size="0.03" contype="0" conaffinity="0"/>
        <body pos="0.2 0 0.05">
          <joint name="hinge" axis="0 1 0.2" damping="0.2" stiffness="3 0.4 0.2" armature="0.02"/>
          <joint name="slide" type="slide" axis="1 0 0.1" damping="0.5 0.2 0.1" stiffness="9"/>
          <geom type="capsule" fromto="0 0 0 0.15 0 0" size="0.02" contype="0" conaffinity="0"/>
          <site name="tip" pos="0.15 0 0.02" euler="50 -20 10"/>
        </body>
      </body>
      <body pos="-0.15 0 0">
        <joint name="arm" axis="1 1 0"/>
        <geom type="box" size="0.03 0.04 0.05" pos="-0.05 0 0" contype="0" conaffinity="0"/>
        <site name="hand" pos="-0.06 0.02 0.04" euler="-30 20 0"/>
      </body>
    </body>
  </worldbody>"#;

fn model(options: &str, more: &str) -> Model {
    let mut model = load(&format!("<mujoco><option {options}/>{BRANCHES}{more}</mujoco>"));
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    model
}

const INTEGRATORS: [&str; 4] =
    [r#"integrator="Euler""#, r#"integrator="implicit""#, r#"integrator="implicitfast""#, "spring"];

/// Checks actuators with all integrators, at a few states.
fn check_all(more: &str, seeds: &[(u64, usize)]) {
    for integrator in INTEGRATORS {
        let spring = integrator == "spring";
        let mut model = model(if spring { "" } else { integrator }, more);
        if spring {
            model.opt.integrator = 100;
        }
        for &(seed, steps) in seeds {
            let mut data = shaken(&model, seed, steps);
            check(&model, &mut data);
            check_products(&model, &mut data);
        }
    }
}

#[test]
fn slider_cranks() {
    let reach = r#"<actuator>
      <general slidersite="rail" cranksite="tip" cranklength="1.5" gear="0.7" biastype="affine" biasprm="0.5 -2 -0.3"/>
      <general slidersite="hand" cranksite="anchor" cranklength="1.2" gaintype="affine" gainprm="1 0.2 -0.4"/>
      <general slidersite="hand" cranksite="tip" cranklength="0.01" biastype="affine" biasprm="0.5 -2 -0.3"/>
    </actuator>"#;
    check_all(reach, &[(1, 0), (2, 10)]);
}

#[test]
fn sites_with_a_reference() {
    let actuators = r#"<actuator>
      <general site="tip" refsite="rail" gear="0.3 0.2 1 0 0 0" biastype="affine" biasprm="0.5 -2 -0.3"/>
      <general site="tip" refsite="hand" gear="0 0 0 0.4 0.2 -0.3" biastype="affine" biasprm="0.5 -2 -0.3"/>
      <general site="hand" refsite="anchor" gear="0.3 0.2 1 0.4 0.2 -0.3" gaintype="affine" gainprm="1 0.2 -0.4"/>
      <motor site="tip" refsite="anchor" gear="0.3 0.2 1 0.4 0.2 -0.3"/>
      <position joint="ball" kp="2" kv="0.3" gear="0.3 0.1 0.2"/>
      <general jointinparent="ball" gear="0.3 0.1 0.2" biastype="affine" biasprm="0 -1 -0.3"/>
    </actuator>"#;
    check_all(actuators, &[(1, 0), (2, 10)]);
}

#[test]
fn user_actuators_without_callbacks() {
    let actuators = r#"<actuator>
      <general joint="hinge" gaintype="user" biastype="user"/>
      <general joint="arm" dyntype="user" gaintype="user" actdim="1"/>
    </actuator>"#;
    check_all(actuators, &[(1, 0)]);
}

/// Motors in voltage, position and velocity mode, with and without states.
#[test]
fn dc_motors() {
    let actuators = r#"<actuator>
      <dcmotor joint="hinge" motorconst="0.4 0.4" resistance="2" cogging="0.4 6 0.3"/>
      <dcmotor joint="arm" motorconst="0.4 0.4" resistance="2" inductance="0.02" input="position" controller="3 0.5 0.2"/>
      <dcmotor joint="slide" motorconst="0.4 0.4" resistance="2" input="velocity" controller="3 0.5"
               cogging="0.2 5 0.3" lugre="20 0.5 0.3 0.4 0.1"/>
      <dcmotor joint="arm" motorconst="0.3 0.3" resistance="1.5" thermal="3 0.5 0 0.004 25 30" inductance="0.01"/>
      <dcmotor joint="hinge" motorconst="0.3 0.3" resistance="1.5" thermal="3 0.05 0 0.004 25 40" saturation="0.2"/>
      <dcmotor joint="arm" motorconst="0.3 0.3" resistance="1" input="position" controller="20 5 1 30 2 8"/>
      <dcmotor tendon="cable" motorconst="0.3 0.3" resistance="1" inductance="0.02" lugre="20 0.5 0.3 0.4 0.1"/>
    </actuator>
    <tendon><spatial name="cable"><site site="tip"/><site site="hand"/></spatial></tendon>"#;
    check_all(actuators, &[(1, 0), (2, 10), (3, 40)]);
}

#[test]
fn tendons_with_armature_and_over_free_joints() {
    let more = r#"<tendon>
      <fixed name="sum" armature="0.05" stiffness="2" damping="0.1"><joint joint="hinge" coef="0.7"/><joint joint="slide" coef="-1.2"/></fixed>
      <fixed name="drift" stiffness="2" damping="0.1"><joint joint="free" coef="0.7"/><joint joint="hinge" coef="-1.2"/></fixed>
      </tendon><actuator><position tendon="sum" kp="3" kv="0.2"/></actuator>"#;
    check_all(more, &[(1, 0), (2, 10)]);
}

/// What a step uses is what arrived: the control of this step has no effect on it.
#[test]
fn delayed_controls() {
    let more = r#"<actuator>
      <position joint="hinge" kp="4" kv="0.3" delay="0.006" nsample="5" interp="linear"/>
      <general joint="arm" gainprm="2"/>
      <general joint="slide" dyntype="filter" dynprm="0.05" delay="0.004" nsample="4"/>
      </actuator>"#;
    let model = model("", more);
    assert!(model.nhistory > 0);
    let mut data = shaken(&model, 1, 5);
    data.ctrl[0] += 0.3;
    mj_step(&model, &mut data).unwrap();
    check(&model, &mut data);
    check_products(&model, &mut data);
    let nx = 2 * model.nv + model.na;
    let mut b = vec![0.0; nx * model.nu];
    mjd_transition(&model, &mut data, None, Some(&mut b), None, None).unwrap();
    assert!(b.iter().step_by(model.nu).all(|x| *x == 0.0));
    assert!(b.iter().skip(1).step_by(model.nu).any(|x| *x != 0.0));
    let refused = rollout_vjp(
        &model,
        &mut data,
        &vec![0.0; 2 * model.nu],
        &vec![0.0; 2 * nx],
        &mut vec![0.0; nx],
        &mut vec![0.0; 2 * model.nu],
        &mut [],
    );
    assert_eq!(refused, Err(DerivativeError::Unsupported("a gradient along a trajectory with delays")));
}

/// Backward Euler for springs and dampers, by both of its names.
#[test]
fn implicit_springs() {
    for integrator in [100, 101] {
        let mut model = model(r#"timestep="0.01""#, "");
        model.opt.integrator = integrator;
        for (seed, steps) in [(1, 0), (2, 20)] {
            let mut data = shaken(&model, seed, steps);
            check(&model, &mut data);
            check_products(&model, &mut data);
        }
    }
}

/// Adhesion of spheres and ellipsoids on a tilted floor, in contact and in the gap.
#[test]
fn adhesion() {
    let xml = r#"<mujoco><worldbody>
      <geom type="plane" size="5 5 0.1" euler="4 -3 0"/>
      <body name="one" pos="0 0 0.1"><freejoint/><geom type="ellipsoid" size="0.1 0.08 0.12" condim="4"/></body>
      <body name="two" pos="1 0 0.18"><freejoint/><geom size="0.1" margin="0.2" gap="0.15"/></body>
      <body name="three" pos="0 1 0.13"><joint type="slide" axis="0 0 1"/><joint axis="1 0.2 0"/>
        <geom type="ellipsoid" size="0.1 0.08 0.12" condim="1" pos="0.02 0 0"/></body>
      </worldbody>
      <actuator><adhesion body="one" gain="3" ctrlrange="0 1"/><adhesion body="two" gain="4" ctrlrange="0 1"/>
        <adhesion body="three" gain="4" ctrlrange="0 1"/></actuator></mujoco>"#;
    let mut model = load(xml);
    for (cone, integrator) in [(0, 0), (1, 0), (0, 3)] {
        (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
        (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
        (model.opt.cone, model.opt.integrator) = (cone, integrator);
        for (seed, steps) in [(2, 30), (3, 120)] {
            let mut data = shaken(&model, seed, steps);
            data.ctrl.fill(0.6);
            check(&model, &mut data);
            check_products(&model, &mut data);
        }
    }
}
