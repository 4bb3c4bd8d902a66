//! Analytic derivatives of a step against centred differences of whole steps, with the solver converged.

use super::{load, noise};
use kinetree_model::{Data, Model};
use kinetree_sim::{
    DerivativeError, mj_differentiate_pos, mj_integrate_pos, mj_step, mjd_transition, rollout_vjp,
    step_field_vjp, step_jvp, step_vjp,
};

const EPS: f64 = 1e-6;

/// Body of a model: all joints, springs, dampers, an applied wrench through a site, a spatial tendon.
const TREE: &str = r#"
  <worldbody>
    <site name="anchor" pos="0.5 0.3 1"/>
    <body pos="0 0 0.12" name="base">
      <freejoint/>
      <geom type="ellipsoid" size="0.1 0.12 0.08" pos="0.02 0 0.01" condim="4" friction="0.7 0.02 0.01"/>
      <site name="thruster" pos="0.05 0.02 0.1" euler="10 20 30"/>
      <body pos="0.15 0 0.1" gravcomp="0.6">
        <joint name="ball" type="ball" stiffness="2 0.3 0.1" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0.05" size="0.03"/>
        <body pos="0.2 0 0.05">
          <joint name="hinge" axis="0 1 0.2" damping="0.2 0.1 0.05" stiffness="3" armature="0.02" range="-5 5" limited="true"/>
          <joint name="slide" type="slide" axis="1 0 0.1" damping="0.5" frictionloss="0.2"/>
          <geom type="capsule" fromto="0 0 0 0.15 0 0" size="0.02"/>
          <site name="tip" pos="0.15 0 0.02"/>
        </body>
      </body>
      <body pos="-0.15 0 0">
        <joint name="arm" axis="1 1 0"/>
        <geom type="box" size="0.03 0.04 0.05" pos="-0.05 0 0"/>
      </body>
    </body>
    <geom type="plane" size="2 2 0.1" euler="3 -2 0" condim="4"/>
  </worldbody>
  <tendon>
    <spatial name="cable" stiffness="20 3 1" damping="0.4" springlength="0.2"><site site="anchor"/><site site="tip"/></spatial>
    <fixed name="sum" stiffness="1" damping="0.1"><joint joint="hinge" coef="0.7"/><joint joint="arm" coef="-1.2"/></fixed>
  </tendon>
  <actuator>
    <position joint="hinge" kp="4" kv="0.3"/>
    <general joint="arm" dyntype="filterexact" dynprm="0.05" gainprm="2" actearly="true"/>
    <general site="thruster" gear="0.3 0.2 1 0.1 0 0.2" gainprm="3" biastype="affine" biasprm="0 0 -0.2"/>
    <muscle tendon="sum" lengthrange="-1 1" tausmooth="0.2"/>
    <motor joint="ball" gear="0.3 0.1 0.2"/>
  </actuator>"#;

fn tree(options: &str, more: &str) -> Model {
    let mut model = load(&format!("<mujoco><option {options}/>{TREE}{more}</mujoco>"));
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
    model
}

fn shaken(model: &Model, seed: u64, steps: usize) -> Data {
    let mut data = Data::new(model);
    let random = noise(3 * model.nv + model.nu, seed);
    mj_integrate_pos(model, &mut data.qpos, &random[..model.nv], 0.1);
    data.qvel.copy_from_slice(&random[model.nv..2 * model.nv]);
    for (ctrl, x) in data.ctrl.iter_mut().zip(&random[3 * model.nv..]) {
        *ctrl = 0.4 + 0.3 * x;
    }
    data.act.fill(0.3);
    for _ in 0..steps {
        mj_step(model, &mut data).unwrap();
    }
    data
}

/// Moves one input: position, velocity, activation or control.
fn nudge(model: &Model, data: &mut Data, input: usize, by: f64) {
    let (nv, na) = (model.nv, model.na);
    if input < nv {
        let mut direction = vec![0.0; nv];
        direction[input] = 1.0;
        mj_integrate_pos(model, &mut data.qpos, &direction, by);
    } else if input < 2 * nv {
        data.qvel[input - nv] += by;
    } else if input < 2 * nv + na {
        data.act[input - 2 * nv] += by;
    } else {
        data.ctrl[input - 2 * nv - na] += by;
    }
}

/// Centred difference of the state after some steps.
fn difference(
    model: &Model,
    data: &Data,
    steps: usize,
    eps: f64,
    nudge: impl Fn(&mut Data, f64),
) -> Vec<f64> {
    let [plus, minus] = [eps, -eps].map(|by| {
        let mut moved = data.clone();
        nudge(&mut moved, by);
        for _ in 0..steps {
            mj_step(model, &mut moved).unwrap();
        }
        moved
    });
    let mut out = vec![0.0; model.nv];
    mj_differentiate_pos(model, &mut out, 2.0 * eps, &minus.qpos, &plus.qpos);
    let ends = plus.qvel.iter().chain(&*plus.act).zip(minus.qvel.iter().chain(&*minus.act));
    out.extend(ends.map(|(a, b)| (a - b) / (2.0 * eps)));
    out
}

/// Compares all columns of `A` and `B`.
fn check(model: &Model, data: &mut Data) {
    let nx = 2 * model.nv + model.na;
    let (mut a, mut b) = (vec![0.0; nx * nx], vec![0.0; nx * model.nu]);
    mjd_transition(model, data, Some(&mut a), Some(&mut b), None, None).unwrap();
    for input in 0..nx + model.nu {
        let expected = difference(model, data, 1, EPS, |d, by| nudge(model, d, input, by));
        let scale = expected.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (row, expected) in expected.iter().enumerate() {
            let found = if input < nx { a[row * nx + input] } else { b[row * model.nu + input - nx] };
            assert!(
                (found - expected).abs() < 1e-5 * scale,
                "row {row}, input {input} of {nx}: {found} instead of {expected}, {} contacts",
                data.ncon
            );
        }
    }
}

#[test]
fn euler_with_both_cones() {
    for cone in ["pyramidal", "elliptic"] {
        let model = tree(&format!(r#"cone="{cone}""#), "");
        for (seed, steps) in [(1, 0), (2, 40), (3, 120)] {
            check(&model, &mut shaken(&model, seed, steps));
        }
    }
}

#[test]
fn equalities() {
    let equality = r#"<equality>
      <connect site1="tip" site2="anchor" solref="0.05 1"/>
      <joint joint1="hinge" joint2="arm" polycoef="0.1 0.5 0.3 0.2 0.1"/>
      <tendon tendon1="cable" tendon2="sum" polycoef="0.1 0.4 0.2 0 0"/>
      <weld site1="thruster" site2="anchor" torquescale="0.7"/>
    </equality>"#;
    let model = tree("", equality);
    for seed in 1..4 {
        check(&model, &mut shaken(&model, seed, 5 * seed as usize));
    }
}

#[test]
fn fluids_and_applied_forces() {
    let model = tree(r#"density="20" viscosity="0.3" wind="0.5 0.2 0.1""#, "");
    let mut data = shaken(&model, 5, 10);
    data.xfrc_applied[3] = [0.3, -0.2, 0.5, 0.1, 0.2, -0.1];
    check(&model, &mut data);
}

#[test]
fn implicit_integrators() {
    for integrator in ["implicit", "implicitfast"] {
        let mut model = tree(&format!(r#"integrator="{integrator}" timestep="0.005""#), "");
        // muscles and dampers across branches have no derivatives there
        model.actuator_gaintype[3] = 0;
        model.actuator_biastype[3] = 0;
        model.tendon_damping.fill(0.0);
        for (seed, steps) in [(1, 0), (2, 20)] {
            check(&model, &mut shaken(&model, seed, steps));
        }
    }
}

#[test]
fn free_bodies_by_the_midpoint_rule() {
    let xml = r#"<mujoco><option integrator="implicitfast"/><worldbody>
      <body><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.05 0.02"/></body>
      <body pos="1 0 0"><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body>
      </worldbody></mujoco>"#;
    let model = load(xml);
    let mut data = shaken(&model, 3, 10);
    data.qvel.iter_mut().for_each(|v| *v *= 4.0);
    data.xfrc_applied[1] = [0.3, -0.2, 0.5, 0.1, 0.2, -0.1];
    data.xfrc_applied[2] = [0.3, -0.2, 0.5, 0.1, 0.2, -0.1];
    check(&model, &mut data);
}

#[test]
fn products_agree_forward_and_backward() {
    let model = tree("", "");
    let mut data = shaken(&model, 2, 40);
    let nx = 2 * model.nv + model.na;
    let random = noise(2 * nx + model.nu, 9);
    let (adjoint, rest) = random.split_at(nx);
    let (dx, du) = rest.split_at(nx);
    let mut next = vec![0.0; nx];
    step_jvp(&model, &mut data, dx, du, &mut next).unwrap();
    let (mut gx, mut gu) = (vec![0.0; nx], vec![0.0; model.nu]);
    step_vjp(&model, &mut data, adjoint, &mut gx, &mut gu).unwrap();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let (forward, backward) = (dot(adjoint, &next), dot(&gx, dx) + dot(&gu, du));
    assert!((forward - backward).abs() < 1e-12 * forward.abs().max(1.0), "{forward} {backward}");
}

#[test]
fn gradients_of_fields() {
    let xml = format!("<mujoco>{}</mujoco>", TREE.replace(r#" gravcomp="0.6""#, ""));
    let mut model = load(&xml);
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
    model.actuator_gaintype[3] = 0;
    model.actuator_biastype[3] = 0;
    let data = shaken(&model, 2, 40);
    let nx = 2 * model.nv + model.na;
    let weights = noise(nx, 8);
    let fields: [(&str, usize, fn(&mut Model) -> &mut [f64]); 8] = [
        ("body_mass", model.nbody, |m| &mut m.body_mass),
        ("body_inertia", 3 * model.nbody, |m| m.body_inertia.as_flattened_mut()),
        ("dof_armature", model.nv, |m| &mut m.dof_armature),
        ("dof_damping", model.nv, |m| &mut m.dof_damping),
        ("dof_frictionloss", model.nv, |m| &mut m.dof_frictionloss),
        ("jnt_stiffness", model.njnt, |m| &mut m.jnt_stiffness),
        ("actuator_gainprm", 10 * model.nu, |m| m.actuator_gainprm.as_flattened_mut()),
        ("actuator_biasprm", 10 * model.nu, |m| m.actuator_biasprm.as_flattened_mut()),
    ];
    for (name, size, values) in fields {
        let mut found = vec![0.0; size];
        step_field_vjp(&model, &mut data.clone(), &weights, name, &mut found).unwrap();
        let skip = if name.starts_with("body") { size / model.nbody } else { 0 };
        for at in (skip..size).filter(|at| !name.ends_with("prm") || at % 10 < 3) {
            if name == "dof_frictionloss" && values(&mut model)[at] == 0.0 {
                continue;
            }
            let eps = 1e-6 * values(&mut model)[at].abs().max(1e-2);
            let [plus, minus] = [eps, -eps].map(|by| {
                let saved = values(&mut model)[at];
                values(&mut model)[at] = saved + by;
                let mut moved = data.clone();
                mj_step(&model, &mut moved).unwrap();
                values(&mut model)[at] = saved;
                moved
            });
            let mut change = vec![0.0; model.nv];
            mj_differentiate_pos(&model, &mut change, 2.0 * eps, &minus.qpos, &plus.qpos);
            let ends = plus.qvel.iter().chain(&*plus.act).zip(minus.qvel.iter().chain(&*minus.act));
            change.extend(ends.map(|(a, b)| (a - b) / (2.0 * eps)));
            let expected: f64 = change.iter().zip(&weights).map(|(c, w)| c * w).sum();
            assert!(
                (found[at] - expected).abs() < 1e-5 * expected.abs().max(1.0),
                "{name} {at}: {} instead of {expected}",
                found[at]
            );
        }
    }
    let unknown = step_field_vjp(&model, &mut data.clone(), &weights, "geom_size", &mut []);
    assert!(matches!(unknown, Err(DerivativeError::Field { .. })));
}

#[test]
fn gradients_along_a_trajectory() {
    let model = tree("", "");
    let data = shaken(&model, 4, 20);
    let (nx, nu, steps) = (2 * model.nv + model.na, model.nu, 23);
    let controls: Vec<f64> = noise(steps * nu, 5).iter().map(|x| 0.4 + 0.2 * x).collect();
    // the loss is a weighted sum of the last state
    let weights = noise(nx, 6);
    let mut gradients = vec![0.0; steps * nx];
    gradients[(steps - 1) * nx..].copy_from_slice(&weights);
    let (mut dx, mut du) = (vec![0.0; nx], vec![0.0; steps * nu]);
    rollout_vjp(&model, &mut data.clone(), &controls, &gradients, &mut dx, &mut du).unwrap();

    let run = |start: &Data, controls: &[f64]| {
        let mut data = start.clone();
        for row in controls.chunks_exact(nu) {
            data.ctrl.copy_from_slice(row);
            mj_step(&model, &mut data).unwrap();
        }
        data
    };
    let loss = |plus: &Data, minus: &Data| {
        let mut change = vec![0.0; model.nv];
        mj_differentiate_pos(&model, &mut change, 2.0 * EPS, &minus.qpos, &plus.qpos);
        let ends = plus.qvel.iter().chain(&*plus.act).zip(minus.qvel.iter().chain(&*minus.act));
        change.extend(ends.map(|(a, b)| (a - b) / (2.0 * EPS)));
        change.iter().zip(&weights).map(|(c, w)| c * w).sum::<f64>()
    };
    for at in [0, nu + 2, 7 * nu + 1, steps * nu - 3] {
        let [plus, minus] = [EPS, -EPS].map(|by| {
            let mut moved = controls.clone();
            moved[at] += by;
            run(&data, &moved)
        });
        let expected = loss(&plus, &minus);
        assert!((du[at] - expected).abs() < 1e-5 * expected.abs().max(1.0), "{at}: {} {expected}", du[at]);
    }
    for input in 0..nx {
        let [plus, minus] = [EPS, -EPS].map(|by| {
            let mut moved = data.clone();
            nudge(&model, &mut moved, input, by);
            run(&moved, &controls)
        });
        let expected = loss(&plus, &minus);
        let scale = expected.abs().max(1.0);
        assert!((dx[input] - expected).abs() < 1e-4 * scale, "{input}: {} {expected}", dx[input]);
    }
}

#[test]
fn what_has_no_derivative_is_named() {
    let refused = |xml: &str, what: &'static str| {
        let model = load(xml);
        let mut data = Data::new(&model);
        let nx = 2 * model.nv + model.na;
        let found = mjd_transition(&model, &mut data, Some(&mut vec![0.0; nx * nx]), None, None, None);
        assert_eq!(found, Err(DerivativeError::Unsupported(what)));
    };
    let ball = r#"<worldbody><body><joint/><geom size="0.1"/></body></worldbody></mujoco>"#;
    refused(&format!(r#"<mujoco><option integrator="RK4"/>{ball}"#), "the RK4 integrator");
    refused(&format!(r#"<mujoco><option noslip_iterations="3"/>{ball}"#), "the noslip solver");
    refused(
        r#"<mujoco><worldbody><site name="a" pos="0 0 1"/><geom name="g" size="0.1" pos="0.03 0 0.5" contype="0"/>
           <body><joint type="slide"/><geom size="0.1" contype="0"/><site name="b"/></body></worldbody>
           <tendon><spatial><site site="a"/><geom geom="g"/><site site="b"/></spatial></tendon></mujoco>"#,
        "a tendon that touches a geom",
    );
}
