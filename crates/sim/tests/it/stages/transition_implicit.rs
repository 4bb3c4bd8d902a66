//! Analytic derivatives of steps of the implicit integrators: what damps enters their matrix, so that its
//! curvature and the derivatives of its moment arms count.

use super::transition::{TREE, check, check_products, shaken, tree};
use super::{load, noise};
use kinetree_model::{Data, Model};

fn converged(xml: &str) -> Model {
    let mut model = load(xml);
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
    model
}

#[test]
fn fluids() {
    for integrator in ["Euler", "implicit", "implicitfast"] {
        for shape in ["", r#" fluidshape="ellipsoid""#] {
            let text = TREE.replace("<geom type=\"capsule\"", &format!("<geom type=\"capsule\"{shape}"));
            let option =
                format!(r#"integrator="{integrator}" density="90" viscosity="0.7" wind="0.5 0.2 0.1""#);
            let model = converged(&format!("<mujoco><option {option}/>{text}</mujoco>"));
            for (seed, steps) in [(1, 0), (5, 10)] {
                let mut data = shaken(&model, seed, steps);
                check(&model, &mut data);
                check_products(&model, &mut data);
            }
        }
    }
}

#[test]
fn a_fluid_around_free_bodies() {
    for integrator in ["Euler", "implicit", "implicitfast"] {
        // some of them simple: their inertia matrix is diagonal, and so is the matrix of implicitfast
        let model = converged(&format!(
            r#"<mujoco><option integrator="{integrator}" density="50" viscosity="0.5" wind="0.3 0.1 0"/><worldbody>
          <body><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.05 0.02"/></body>
          <body pos="1 0 0"><freejoint/><geom type="box" size="0.1 0.2 0.3" fluidshape="ellipsoid"/><site name="s" pos="0.1 0 0"/></body>
          <body pos="2 0 0" euler="10 20 30"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
            <geom type="box" size="0.1 0.2 0.3" euler="20 10 0"/></body>
          </worldbody>
          <actuator><general site="s" gear="1 0.5 0.2 0.1 0 0.2" biastype="affine" biasprm="0 0 -2"/></actuator></mujoco>"#
        ));
        assert!(model.dof_simplenum.iter().any(|&n| n > 0));
        let mut data = shaken(&model, 3, 10);
        data.qvel.iter_mut().for_each(|v| *v *= 3.0);
        check(&model, &mut data);
        check_products(&model, &mut data);
    }
}

#[test]
fn dampers_across_branches() {
    let text = TREE
        .replace("<geom type=\"box\"", r#"<site name="hand" pos="-0.06 0.02 0.04"/><geom type="box""#)
        .replace(
            "</tendon>",
            r#"<spatial name="brace" damping="2 0.5 0.3"><site site="tip"/><site site="hand"/></spatial></tendon>"#,
        )
        .replace(
            "</actuator>",
            r#"<muscle tendon="brace" lengthrange="0.1 0.9" tausmooth="0.2"/>
               <general tendon="brace" gaintype="affine" gainprm="1 0.2 -0.5" gear="1.5"/></actuator>"#,
        );
    for integrator in ["implicit", "implicitfast"] {
        let option = format!(r#"integrator="{integrator}" timestep="0.005""#);
        let model = converged(&format!("<mujoco><option {option}/>{text}</mujoco>"));
        for (seed, steps) in [(1, 0), (2, 20), (4, 60)] {
            let mut data = shaken(&model, seed, steps);
            check(&model, &mut data);
            check_products(&model, &mut data);
        }
    }
}

/// Muscles on joints and tendons, and gains that grow with velocity, with controls beyond their range.
#[test]
fn muscles() {
    let actuators = r#"<actuator>
      <muscle joint="hinge" lengthrange="-1.5 1.5" gear="0.7"/>
      <muscle joint="arm" lengthrange="-2 2" force="30" vmax="0.8"/>
      <general joint="arm" gaintype="affine" gainprm="1 0.3 -0.4" ctrllimited="true" ctrlrange="-0.1 0.1"/>
      <general joint="slide" gaintype="affine" gainprm="1 0.3 -0.4" dyntype="filter" dynprm="0.1" actearly="true"/>
    </actuator>"#;
    for integrator in ["implicit", "implicitfast"] {
        let model = tree(&format!(r#"integrator="{integrator}""#), actuators);
        for (seed, steps) in [(1, 0), (2, 30)] {
            let mut data = shaken(&model, seed, steps);
            check(&model, &mut data);
            check_products(&model, &mut data);
        }
    }
}

/// Muscles on balls, bodies and between sites, whose moment arms are not the gradient of their length.
#[test]
fn muscles_on_balls_and_sites() {
    let actuators = r#"<actuator>
      <general joint="ball" gear="0.7 0.2 -0.3" gaintype="muscle" biastype="muscle" dyntype="muscle" lengthrange="-1.5 1.5"
        gainprm="0.75 1.05 40 200 0.5 1.6 1.5 1.3 1.2" biasprm="0.75 1.05 40 200 0.5 1.6 1.5 1.3 1.2" dynprm="0.01 0.04 0.3"/>
      <general jointinparent="ball" gear="0.3 0.5 0.4" gaintype="muscle" biastype="muscle" dyntype="muscle" lengthrange="-1.5 1.5"
        gainprm="0.75 1.05 40 200 0.5 1.6 1.5 1.3 1.2" biasprm="0.75 1.05 40 200 0.5 1.6 1.5 1.3 1.2" dynprm="0.01 0.04 0.3"/>
      <general site="tip" gear="0.3 0.2 1 0.1 0.3 0.2" gaintype="muscle" dyntype="muscle" lengthrange="-1 1"
        gainprm="0.75 1.05 20 200 0.5 1.6 1.5 1.3 1.2" dynprm="0.01 0.04 0.3"/>
      <general site="tip" refsite="thruster" gear="0.3 0.2 1 0.1 0.3 0.2" gaintype="muscle" biastype="muscle" dyntype="muscle"
        lengthrange="-1 1" gainprm="0.75 1.05 20 200 0.5 1.6 1.5 1.3 1.2" biasprm="0.75 1.05 20 200 0.5 1.6 1.5 1.3 1.2"
        dynprm="0.01 0.04 0.3"/>
      <general site="thruster" refsite="anchor" gear="1 0.2 0.4 0 0 0" gaintype="muscle" dyntype="muscle" lengthrange="-1 1"
        gainprm="0.75 1.05 20 200 0.5 1.6 1.5 1.3 1.2" dynprm="0.01 0.04 0.3"/>
    </actuator>"#;
    for integrator in ["Euler", "implicit", "implicitfast"] {
        let model = tree(&format!(r#"integrator="{integrator}""#), actuators);
        for (seed, steps) in [(1, 0), (2, 20), (5, 40)] {
            let mut data = shaken(&model, seed, steps);
            check(&model, &mut data);
            check_products(&model, &mut data);
        }
    }
}

/// Its two fingers are driven by one tendon, with a damper across branches.
#[test]
fn the_arm_of_the_showcase() {
    let model = converged(include_str!("../../../../../models/showcase/arm.xml"));
    let mut data = Data::new(&model);
    data.qvel.copy_from_slice(&noise(model.nv, 3));
    data.qpos[..9].copy_from_slice(&[0.0, 0.3, 0.0, -1.6, 0.0, 1.9, 0.785, 0.02, 0.02]);
    data.ctrl.copy_from_slice(&[0.001, 0.301, 0.0, -1.599, 0.0, 1.9, 0.786, 5.0]);
    // things on the table just touch it, which is a kink
    for joint in (0..model.njnt).filter(|&joint| model.jnt_type[joint] == 0) {
        data.qpos[model.jnt_qposadr[joint] as usize + 2] += 0.3 + 0.2 * joint as f64;
    }
    check(&model, &mut data);
    check_products(&model, &mut data);
}
