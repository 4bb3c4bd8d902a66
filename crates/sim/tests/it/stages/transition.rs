//! Analytic derivatives of a step against centred differences of whole steps, with the solver converged.

use super::{load, noise};
use kinetree_model::{Data, Model};
use kinetree_sim::{
    DerivativeError, InverseJacobians, mj_differentiate_pos, mj_forward, mj_fwd_actuation, mj_integrate_pos,
    mj_inverse, mj_step, mjd_inverse, mjd_transition, rollout_vjp, step_field_vjp, step_jvp, step_vjp,
};

pub(super) const EPS: f64 = 1e-6;

/// Body of a model: all joints, springs, dampers, an applied wrench through a site, a spatial tendon.
pub(super) const TREE: &str = r#"
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

pub(super) fn tree(options: &str, more: &str) -> Model {
    let mut model = load(&format!("<mujoco><option {options}/>{TREE}{more}</mujoco>"));
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
    model
}

pub(super) fn shaken(model: &Model, seed: u64, steps: usize) -> Data {
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
pub(super) fn nudge(model: &Model, data: &mut Data, input: usize, by: f64) {
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
pub(super) fn check(model: &Model, data: &mut Data) {
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
        let model = tree(&format!(r#"integrator="{integrator}" timestep="0.005""#), "");
        for (seed, steps) in [(1, 0), (2, 20)] {
            check(&model, &mut shaken(&model, seed, steps));
        }
    }
}

/// Free bodies that stand alone, one with its centre of mass at the joint.
fn free_boxes(integrator: &str) -> Model {
    load(&format!(
        r#"<mujoco><option integrator="{integrator}"/><worldbody>
      <body><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.05 0.02"/></body>
      <body pos="1 0 0"><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body>
      </worldbody></mujoco>"#
    ))
}

#[test]
fn free_bodies_by_the_midpoint_rule() {
    let model = free_boxes("implicitfast");
    let mut data = shaken(&model, 3, 10);
    data.qvel.iter_mut().for_each(|v| *v *= 4.0);
    data.xfrc_applied[1] = [0.3, -0.2, 0.5, 0.1, 0.2, -0.1];
    data.xfrc_applied[2] = [0.3, -0.2, 0.5, 0.1, 0.2, -0.1];
    check(&model, &mut data);
}

/// Products with random vectors, in both directions.
pub(super) fn check_products(model: &Model, data: &mut Data) {
    let nx = 2 * model.nv + model.na;
    let random = noise(2 * nx + model.nu, 9);
    let (adjoint, rest) = random.split_at(nx);
    let (dx, du) = rest.split_at(nx);
    let mut next = vec![0.0; nx];
    step_jvp(model, data, dx, du, &mut next).unwrap();
    let (mut gx, mut gu) = (vec![0.0; nx], vec![0.0; model.nu]);
    step_vjp(model, data, adjoint, &mut gx, &mut gu).unwrap();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let size = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x * y).abs()).sum::<f64>();
    let (forward, backward) = (dot(adjoint, &next), dot(&gx, dx) + dot(&gu, du));
    let scale = size(adjoint, &next) + size(&gx, dx) + size(&gu, du);
    assert!((forward - backward).abs() < 1e-12 * scale, "{forward} {backward}");
}

#[test]
fn products_agree_forward_and_backward() {
    for options in ["", r#"cone="elliptic""#, r#"integrator="implicit""#, r#"integrator="implicitfast""#] {
        let model = tree(options, "");
        check_products(&model, &mut shaken(&model, 2, 40));
    }
    for integrator in ["implicit", "implicitfast", "Euler"] {
        let model = free_boxes(integrator);
        check_products(&model, &mut shaken(&model, 3, 10));
    }
}

#[test]
fn products_of_large_models_agree_for_all_solvers_and_jacobians() {
    let body = |k: usize| {
        let (x, y, z) = (0.19 * (k % 6) as f64, 0.19 * (k / 6) as f64, 0.09 + 0.03 * (k % 3) as f64);
        format!(r#"<body pos="{x} {y} {z}"><freejoint/><geom size="0.1"/></body>"#)
    };
    let bodies: String = (0..36).map(body).collect();
    for options in [
        r#"solver="CG" jacobian="sparse""#,
        r#"solver="CG" jacobian="sparse" cone="elliptic""#,
        r#"solver="CG" jacobian="dense" cone="elliptic""#,
        r#"solver="Newton" jacobian="sparse""#,
    ] {
        let model = load(&format!(
            r#"<mujoco><option tolerance="1e-14" iterations="500" {options}/>
            <worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>"#
        ));
        assert!(model.nv > 200);
        let mut data = Data::new(&model);
        (0..20).for_each(|_| mj_step(&model, &mut data).unwrap());
        assert!(data.nefc > 0, "nothing touches");
        check_products(&model, &mut data);
    }
}

#[test]
fn tendons_around_spheres_and_cylinders() {
    let xml = |shape: &str, side: &str| {
        format!(
            r#"<mujoco><option timestep="0.005"/><worldbody>
        <site name="anchor" pos="0.4 0.05 1.2"/>
        <body pos="0 0 1">
          <joint axis="0 1 0.3"/><joint axis="1 0 0"/>
          <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0"/>
          <body pos="0.3 0 0">
            <joint type="ball"/>
            <geom type="sphere" size="0.04" mass="0.4" contype="0"/>
            <geom name="wrap" {shape} euler="70 10 20" contype="0"/>
            <site name="side" pos="0.02 0 0.12"/>
            <body pos="0.02 0 -0.15">
              <joint axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
              <geom size="0.05" pos="0.05 0.02 -0.1" contype="0"/>
              <site name="tip" pos="0.03 0.02 -0.05"/>
            </body>
          </body>
        </body></worldbody>
        <tendon><spatial name="t" stiffness="30" damping="2" springlength="0.1" range="0 0.3" limited="true">
          <site site="anchor"/><geom geom="wrap" {side}/><site site="tip"/></spatial></tendon>
        <actuator><position tendon="t" kp="3" kv="0.4"/></actuator></mujoco>"#
        )
    };
    let mut touching = 0;
    for shape in [r#"type="sphere" size="0.07""#, r#"type="cylinder" size="0.07 0.2""#] {
        for side in ["", r#"sidesite="side""#] {
            let mut model = load(&xml(shape, side));
            (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
            for seed in 1..6 {
                let mut data = shaken(&model, seed, 0);
                check(&model, &mut data);
                check_products(&model, &mut data);
                touching += usize::from(data.ten_wrapnum[0] == 4);
            }
        }
    }
    assert!(touching >= 10, "only {touching} tendons touch");
}

#[test]
fn gradients_of_fields() {
    let xml = format!("<mujoco>{}</mujoco>", TREE.replace(r#" gravcomp="0.6""#, ""));
    let mut model = load(&xml);
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
    model.actuator_gaintype[3] = 0;
    model.actuator_biastype[3] = 0;
    for (cone, integrator) in [(0, 0), (1, 0), (0, 2), (0, 3), (0, 100)] {
        (model.opt.cone, model.opt.integrator) = (cone, integrator);
        check_fields(&mut model);
    }
    // bodies whose inertia is a constant of the model
    let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 0.1"><joint type="slide" axis="1 0 0" damping="0.3" armature="0.1"/><joint type="slide" axis="0 0 1"/>
        <geom type="box" size="0.2 0.2 0.1" friction="0.4 0.005 0.0001"/></body>
      <body pos="0 1 0.1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#;
    let mut simple = load(xml);
    (simple.opt.tolerance, simple.opt.iterations) = (0.0, 200);
    assert!(simple.dof_simplenum.iter().any(|&n| n > 0));
    check_fields(&mut simple);
    let data = Data::new(&model);
    let weights = vec![0.0; 2 * model.nv + model.na];
    let unknown = step_field_vjp(&model, &mut data.clone(), &weights, "geom_size", &mut []);
    assert!(matches!(unknown, Err(DerivativeError::Field { .. })));
}

/// All gradients of fields against centred differences.
fn check_fields(model: &mut Model) {
    let data = shaken(model, 3, 120);
    assert!(data.ncon > 0);
    let nx = 2 * model.nv + model.na;
    let weights = noise(nx, 8);
    let fields: [(&str, usize, fn(&mut Model) -> &mut [f64]); 10] = [
        ("dof_M0", model.nv, |m| &mut m.dof_M0),
        ("geom_friction", 3 * model.ngeom, |m| m.geom_friction.as_flattened_mut()),
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
        let done = step_field_vjp(model, &mut data.clone(), &weights, name, &mut found);
        if model.opt.integrator == 2 && name.starts_with("body") {
            let refusal = "a gradient of masses with the integrator implicit";
            assert_eq!(done, Err(DerivativeError::Unsupported(refusal)));
            continue;
        }
        done.unwrap();
        let skip = if name.starts_with("body") { size / model.nbody } else { 0 };
        for at in (skip..size).filter(|at| !name.ends_with("prm") || at % 10 < 3) {
            if name == "dof_frictionloss" && values(model)[at] == 0.0 {
                continue;
            }
            // a spring of no stiffness is a kink of the integrator that takes springs implicitly
            if name == "jnt_stiffness" && model.opt.integrator == 100 && values(model)[at] == 0.0 {
                continue;
            }
            let eps = 1e-6 * values(model)[at].abs().max(1e-2);
            let [plus, minus] = [eps, -eps].map(|by| {
                let saved = values(model)[at];
                values(model)[at] = saved + by;
                let mut moved = data.clone();
                mj_step(model, &mut moved).unwrap();
                values(model)[at] = saved;
                moved
            });
            let mut change = vec![0.0; model.nv];
            mj_differentiate_pos(model, &mut change, 2.0 * eps, &minus.qpos, &plus.qpos);
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
    rollout_vjp(&model, &mut data.clone(), &controls, &gradients, &mut dx, &mut du, &mut []).unwrap();

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

/// All derivatives of inverse dynamics against centred differences.
pub(super) fn check_inverse(model: &Model, data: &Data, actuation: bool) {
    let nv = model.nv;
    let [mut by_q, mut by_v, mut by_a] = [0, 1, 2].map(|_| vec![0.0; nv * nv]);
    let mut inertia = vec![0.0; nv * model.nM];
    let out = InverseJacobians {
        force_position: Some(&mut by_q),
        force_velocity: Some(&mut by_v),
        force_acceleration: Some(&mut by_a),
        inertia_position: Some(&mut inertia),
        ..InverseJacobians::default()
    };
    mjd_inverse(model, &mut data.clone(), actuation, out).unwrap();
    let force = |input: usize, by: f64| {
        let mut moved = data.clone();
        match input {
            i if i < 2 * nv => nudge(model, &mut moved, i, by),
            i => moved.qacc[i - 2 * nv] += by,
        }
        mj_inverse(model, &mut moved).unwrap();
        if actuation {
            mj_fwd_actuation(model, &mut moved).unwrap();
            let actuator = moved.qfrc_actuator.to_vec();
            moved.qfrc_inverse.iter_mut().zip(actuator).for_each(|(f, a)| *f -= a);
        }
        moved
    };
    for input in 0..3 * nv {
        let [plus, minus] = [EPS, -EPS].map(|by| force(input, by));
        let found = &[&by_q, &by_v, &by_a][input / nv][input % nv * nv..][..nv];
        let expected: Vec<f64> =
            plus.qfrc_inverse.iter().zip(&*minus.qfrc_inverse).map(|(p, m)| (p - m) / (2.0 * EPS)).collect();
        let scale = expected.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-5 * scale, "input {input}: {found} instead of {expected}");
        }
        if input < nv {
            let derivatives = plus.qM.iter().zip(&*minus.qM).map(|(p, m)| (p - m) / (2.0 * EPS));
            for (found, expected) in inertia[input * model.nM..].iter().zip(derivatives) {
                assert!((found - expected).abs() < 1e-8, "inertia {input}: {found} instead of {expected}");
            }
        }
    }
}

#[test]
fn inverse_dynamics_and_inertia() {
    for cone in ["pyramidal", "elliptic"] {
        let model = tree(&format!(r#"cone="{cone}""#), "");
        for (seed, steps) in [(1, 0), (2, 40)] {
            let mut data = shaken(&model, seed, steps);
            mj_forward(&model, &mut data).unwrap();
            for actuation in [false, true] {
                check_inverse(&model, &data, actuation);
            }
        }
    }
}

#[test]
fn sensors() {
    let more = r#"<sensor>
      <clock/><jointpos joint="hinge"/><jointvel joint="slide"/><ballquat joint="ball"/><ballangvel joint="ball"/>
      <tendonpos tendon="cable"/><tendonvel tendon="cable"/><actuatorpos actuator="servo"/>
      <actuatorvel actuator="muscle"/><actuatorfrc actuator="servo"/><actuatorfrc actuator="muscle"/>
      <actuatorfrc actuator="filtered" cutoff="0.001"/>
      <framepos objtype="site" objname="tip"/><framepos objtype="site" objname="tip" reftype="xbody" refname="base"/>
      <framequat objtype="site" objname="tip"/><framequat objtype="body" objname="base" reftype="site" refname="tip"/>
      <framexaxis objtype="site" objname="tip"/><framezaxis objtype="site" objname="tip" reftype="body" refname="base"/>
      <framelinvel objtype="site" objname="tip"/><framelinvel objtype="site" objname="tip" reftype="site" refname="thruster"/>
      <frameangvel objtype="body" objname="base"/><frameangvel objtype="site" objname="tip" reftype="site" refname="thruster"/>
      <framelinacc objtype="site" objname="tip"/><frameangacc objtype="site" objname="tip"/>
      <accelerometer site="tip"/><gyro site="thruster"/><velocimeter site="tip"/><magnetometer site="tip"/>
      <subtreecom body="base"/><subtreelinvel body="base"/><subtreeangmom body="base"/><subtreeangmom body="arm"/>
    </sensor>"#;
    let text = TREE
        .replace(r#"<position joint"#, r#"<position name="servo" joint"#)
        .replace("<muscle tendon", r#"<muscle name="muscle" tendon"#)
        .replace(r#"<general joint="arm""#, r#"<general name="filtered" joint="arm""#)
        .replace(r#"<body pos="-0.15 0 0">"#, r#"<body pos="-0.15 0 0" name="arm">"#);
    let mut model = load(&format!("<mujoco>{text}{more}</mujoco>"));
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
    let (nx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
    for (seed, steps) in [(1, 0), (3, 120)] {
        let mut data = shaken(&model, seed, steps);
        let (mut c, mut d) = (vec![0.0; ns * nx], vec![0.0; ns * nu]);
        mjd_transition(&model, &mut data, None, None, Some(&mut c), Some(&mut d)).unwrap();
        for input in 0..nx + nu {
            let [plus, minus] = [EPS, -EPS].map(|by| {
                let mut moved = data.clone();
                nudge(&model, &mut moved, input, by);
                mj_forward(&model, &mut moved).unwrap();
                moved.sensordata.to_vec()
            });
            for sensor in 0..model.nsensor {
                let first = model.sensor_adr[sensor] as usize;
                for row in first..first + model.sensor_dim[sensor] as usize {
                    let expected = (plus[row] - minus[row]) / (2.0 * EPS);
                    let found = if input < nx { c[row * nx + input] } else { d[row * nu + input - nx] };
                    assert!(
                        (found - expected).abs() < 2e-5 * expected.abs().max(1.0),
                        "sensor {sensor} ({}), input {input}: {found} instead of {expected}",
                        model.sensor_type[sensor]
                    );
                }
            }
        }
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
        r#"<mujoco><worldbody><site name="a" pos="0 0 1"/><geom name="g" size="0.1" pos="0.3 0 0.5" contype="0"/>
           <site name="inside" pos="0.3 0 0.5"/>
           <body><joint type="slide"/><geom size="0.1" contype="0"/><site name="b"/></body></worldbody>
           <tendon><spatial><site site="a"/><geom geom="g" sidesite="inside"/><site site="b"/></spatial></tendon>
           </mujoco>"#,
        "a tendon that is held inside a geom",
    );
    refused(
        r#"<mujoco><worldbody><body><joint axis="0 0 1"/><joint axis="0 0 1"/>
           <geom size="0.1" pos="0.3 0 0"/></body></worldbody></mujoco>"#,
        "an inertia matrix that is singular, or lost to rounding beside far heavier constraints,",
    );
}

/// Bodies on parallel hinges through their centres, which overlap: no dof can push them apart, and their
/// constraint masses are at the bound of 1e15. On hinges beside the centres the same contacts have
/// derivatives.
#[test]
fn contacts_that_no_dof_can_separate_are_refused() {
    let shapes = ["box", "sphere", "capsule", "cylinder"];
    for (shape, cone) in shapes.into_iter().flat_map(|shape| [(shape, "pyramidal"), (shape, "elliptic")]) {
        for (offset, refused) in [(0.0, true), (0.07, false)] {
            let body = |x: f64| {
                format!(
                    r#"<body pos="{x} 0 0"><joint axis="0 0 1" pos="0 {offset} 0" damping="0.1"/>
                       <geom type="{shape}" size="0.1 0.1 0.1" euler="90 0 0"/></body>"#
                )
            };
            let model = load(&format!(
                r#"<mujoco><option cone="{cone}" integrator="implicitfast"/><worldbody>{}{}</worldbody></mujoco>"#,
                body(0.0),
                body(0.19)
            ));
            let mut data = Data::new(&model);
            let found = mjd_transition(&model, &mut data, Some(&mut [0.0; 16]), None, None, None);
            assert!(data.ncon > 0, "{shape} {cone}");
            match found {
                Err(DerivativeError::Unsupported(what)) if refused => {
                    assert!(what.contains("push apart"), "{shape} {cone}: {what}");
                }
                found => assert!(found.is_ok() && !refused, "{shape} {cone} at {offset}: {found:?}"),
            }
        }
    }
}
