//! What must hold without any reference: conservation laws, orders of convergence, friction, rest, stability.

use kinetree::model::enums::{EnableBit, Integrator};
use kinetree::prelude::*;
use kinetree::sim::mj_subtree_vel;

fn model(xml: &str, integrator: Integrator, h: f64) -> Model {
    let mut model = load_model_str(xml).unwrap_or_else(|e| panic!("{e}"));
    model.opt.integrator = integrator as i32;
    model.opt.timestep = h;
    model
}

const EXACT: [Integrator; 4] =
    [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast];

const PENDULUM: &str = r#"<mujoco><worldbody><body><joint axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" contype="0"/></body></worldbody></mujoco>"#;

/// A body with three different moments of inertia that spins freely, mostly about the middle one: it tumbles.
const TOP: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.01 0.02 0.025"/></body></worldbody></mujoco>"#;

/// A chain of hinges about different axes that ends in a slide with a spring: smooth, with every kind of
/// velocity term. It has no ball joint, because Runge–Kutta averages the four angular velocities of a
/// rotation as if they commuted, which is of second order.
const CHAIN: &str = r#"<mujoco><worldbody><body pos="0 0 1"><joint axis="0 0 1"/><joint axis="1 0 0"/>
    <geom type="capsule" fromto="0 0 0 0.4 0.1 0" size="0.03" contype="0"/>
    <body pos="0.4 0.1 0"><joint axis="0 1 0.2"/><geom type="capsule" fromto="0 0 0 0.3 0 0.1" size="0.03" contype="0"/>
    <body pos="0.3 0 0.1"><joint type="slide" axis="1 0 0" stiffness="40"/><geom size="0.05" contype="0"/></body>
    </body></body></worldbody></mujoco>"#;

fn energy(model: &Model, data: &mut Data) -> f64 {
    data.forward(model).unwrap();
    data.energy[0] + data.energy[1]
}

/// Largest change of the energy over so many steps, relative to `scale`, sampled now and then.
fn energy_drift(mut model: Model, qvel: &[f64], steps: usize, scale: f64) -> f64 {
    model.opt.enableflags |= EnableBit::Energy as i32;
    let mut data = Data::new(&model);
    data.qvel[..qvel.len()].copy_from_slice(qvel);
    let start = energy(&model, &mut data);
    let mut worst = 0.0_f64;
    for step in 0..steps {
        data.step(&model).unwrap();
        if step % 997 == 0 || step + 1 == steps {
            let mut probe = data.clone();
            worst = worst.max((energy(&model, &mut probe) - start).abs());
        }
    }
    worst / scale
}

#[test]
fn a_frictionless_pendulum_keeps_its_energy() {
    for integrator in EXACT {
        let model = model(PENDULUM, integrator, 0.001);
        let weight = model.body_mass[1] * 9.81 * 0.25;
        let drift = energy_drift(model, &[], 100_000, weight);
        // semi-implicit Euler is symplectic: the error oscillates with the step and does not grow
        let bound = if integrator == Integrator::Rk4 { 1e-9 } else { 1e-2 };
        println!("pendulum {integrator:?}: {drift:.2e}");
        assert!(drift < bound, "{integrator:?}: {drift:.2e}");
    }
}

#[test]
fn a_free_top_keeps_its_energy() {
    let spin = [0.0, 0.0, 0.0, 0.1, 3.0, 0.2];
    let kinetic = 0.5 * 0.02 * 9.0;
    for integrator in EXACT {
        let drift = energy_drift(model(TOP, integrator, 0.001), &spin, 100_000, kinetic);
        println!("top {integrator:?}: {drift:.2e}");
        let bound = match integrator {
            Integrator::Rk4 => 1e-9,
            // gyroscopic forces of the start of the step: energy is fed in at first order
            Integrator::Euler => 0.5,
            // free bodies take the implicit midpoint rule, which conserves quadratic invariants
            _ => 1e-9,
        };
        assert!(drift < bound, "{integrator:?}: {drift:.2e}");
    }
}

/// State after half a second, as positions and velocities.
fn after(xml: &str, integrator: Integrator, steps: usize) -> Vec<f64> {
    let model = model(xml, integrator, 0.5 / steps as f64);
    let mut data = Data::new(&model);
    for (i, v) in data.qvel.iter_mut().enumerate() {
        *v = 0.2 + 0.1 * i as f64;
    }
    data.steps(&model, steps).unwrap();
    data.qpos.iter().chain(&data.qvel).copied().collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

#[test]
fn integrators_have_their_orders_of_convergence() {
    let truth = after(CHAIN, Integrator::Rk4, 6400);
    for (integrator, least, coarse) in [
        (Integrator::Rk4, 3.8, 100),
        (Integrator::Euler, 0.9, 500),
        (Integrator::Implicit, 0.9, 500),
        (Integrator::Implicitfast, 0.9, 500),
    ] {
        let errors = [coarse, 2 * coarse, 4 * coarse].map(|n| distance(&after(CHAIN, integrator, n), &truth));
        let order = (errors[0] / errors[2]).log2() / 2.0;
        println!("{integrator:?}: order {order:.3}");
        assert!(order >= least, "{integrator:?}: order {order:.2} from {errors:?}");
    }
}

/// Linear and angular momentum of everything.
fn momentum(model: &Model, data: &mut Data) -> [f64; 6] {
    data.forward(model).unwrap();
    mj_subtree_vel(model, data).unwrap();
    let (mass, v, l) = (model.body_subtreemass[0], data.subtree_linvel[0], data.subtree_angmom[0]);
    [mass * v[0], mass * v[1], mass * v[2], l[0], l[1], l[2]]
}

/// A floating chain driven by its own motors and springs.
const FLOATING: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody>
    <body><freejoint/><geom type="box" size="0.1 0.08 0.05" contype="0"/>
      <body pos="0.1 0 0"><joint name="a" axis="0 1 0" stiffness="2" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0"/>
      <body pos="0.3 0 0"><joint name="b" type="ball"/><geom type="capsule" fromto="0 0 0 0.2 0.1 0" size="0.03" contype="0"/></body></body></body>
  </worldbody><actuator><motor joint="a" gear="0.5"/><motor joint="b" gear="0.1 0.2 0.3"/></actuator></mujoco>"#;

/// Two bodies that collide in free space, off-centre and with friction.
const COLLISION: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody>
    <body><freejoint/><geom type="box" size="0.1 0.08 0.05"/></body>
    <body pos="0.3 0.04 0.02"><freejoint/><geom type="sphere" size="0.07"/></body></worldbody></mujoco>"#;

fn momentum_change(model: &Model, qvel: &[f64], steps: usize) -> (f64, f64) {
    let mut data = Data::new(model);
    data.qvel[..qvel.len()].copy_from_slice(qvel);
    data.ctrl.fill(0.05);
    let start = momentum(model, &mut data);
    data.steps(model, steps).unwrap();
    let end = momentum(model, &mut data);
    let scale = start.iter().fold(0.05_f64, |m, x| m.max(x.abs()));
    (distance(&start[..3], &end[..3]) / scale, distance(&start[3..], &end[3..]) / scale)
}

#[test]
fn internal_forces_keep_momentum() {
    for (integrator, bound, least_order) in
        [(Integrator::Rk4, 1e-3, 1.8), (Integrator::Euler, 1e-2, 0.9), (Integrator::Implicit, 1e-2, 0.9)]
    {
        // what is lost comes from the finite step, and goes away with it
        let change = |steps: usize| {
            let model = model(FLOATING, integrator, 0.5 / steps as f64);
            let (linear, angular) = momentum_change(&model, &[0.3, 0.1, -0.2, 0.5, -0.3, 0.2], steps);
            linear.max(angular)
        };
        let (coarse, fine) = (change(1000), change(4000));
        let order = (coarse / fine).log2() / 2.0;
        println!("internal {integrator:?}: {coarse:.2e}, order {order:.2}");
        assert!(coarse < bound && order > least_order, "{integrator:?}: {coarse:.2e} {fine:.2e}");
    }
}

#[test]
fn a_collision_keeps_momentum() {
    for integrator in EXACT {
        let model = model(COLLISION, integrator, 0.0005);
        let mut data = Data::new(&model);
        data.qvel[6] = -1.0;
        let start = momentum(&model, &mut data);
        let mut touched = false;
        for _ in 0..800 {
            data.step(&model).unwrap();
            touched |= data.ncon > 0;
        }
        let end = momentum(&model, &mut data);
        assert!(touched && data.qvel[0].abs() > 0.1, "the bodies must have collided");
        let scale = start[0].abs();
        let (linear, angular) =
            (distance(&start[..3], &end[..3]) / scale, distance(&start[3..], &end[3..]) / scale);
        println!("collision {integrator:?}: {linear:.2e} {angular:.2e}");
        assert!(linear < 1e-10, "{integrator:?}: linear {linear:.2e}");
        assert!(angular < 1e-3, "{integrator:?}: angular {angular:.2e}");
    }
}

/// Speed along the slope after half a second, and the distance covered.
fn slide_down(angle: f64, cone: &str, friction: f64) -> (f64, f64) {
    let g = 9.81;
    let (x, z) = (g * angle.sin(), -g * angle.cos());
    let xml = format!(
        r#"<mujoco><option gravity="{x} 0 {z}" cone="{cone}" impratio="20"/><worldbody>
           <geom type="plane" size="9 9 1" friction="{friction}"/>
           <body pos="0 0 0.0999"><freejoint/><geom type="box" size="0.2 0.2 0.1" friction="{friction}"/></body></worldbody></mujoco>"#
    );
    let model = model(&xml, Integrator::Euler, 0.001);
    let mut data = Data::new(&model);
    data.steps(&model, 500).unwrap();
    (data.qvel[0], data.qpos[0])
}

#[test]
fn a_box_sticks_below_the_friction_angle_and_slips_above() {
    for cone in ["elliptic", "pyramidal"] {
        for friction in [0.3, 0.5, 0.9_f64] {
            let critical = friction.atan();
            let (speed, travel) = slide_down(0.97 * critical, cone, friction);
            println!("{cone} {friction}: creep {speed:.2e} {travel:.2e}");
            // what is left is the creep of soft constraints
            assert!(
                speed.abs() < 5e-3 && travel.abs() < 5e-3,
                "{cone} {friction}: creeps at {speed:.2e} m/s"
            );
            let angle = 1.1 * critical;
            let expected = 0.5 * 9.81 * (angle.sin() - friction * angle.cos());
            let (speed, _) = slide_down(angle, cone, friction);
            println!("{cone} {friction}: slips {speed:.4}, expected {expected:.4}");
            assert!(
                (speed - expected).abs() < 0.1 * expected,
                "{cone} {friction}: {speed} instead of {expected}"
            );
        }
    }
}

#[test]
fn ten_boxes_stay_stacked_for_ten_seconds() {
    let xml = r#"<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="2 2 0.1"/>
        <replicate count="10" offset="0 0 0.2"><body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></replicate>
        </worldbody></mujoco>"#;
    let model = model(xml, Integrator::Euler, 0.004);
    let mut data = Data::new(&model);
    data.steps(&model, 500).unwrap();
    let settled = data.qpos.to_vec();
    data.steps(&model, 2000).unwrap();
    assert!(data.time > 9.99);
    let moved = data.qpos.iter().zip(&settled).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    let speed = data.qvel.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    println!("stack: moved {moved:.2e} m, speed {speed:.2e}");
    assert!(moved < 1e-4, "a box moved by {moved:.2e}");
    assert!(speed < 1e-3, "a box has speed {speed:.2e}");
}

/// Largest speed over a run that starts with speed one.
fn peak_speed(model: &Model, steps: usize) -> f64 {
    let mut data = Data::new(model);
    data.qvel.fill(1.0);
    let mut peak = 0.0_f64;
    for _ in 0..steps {
        data.step(model).unwrap();
        peak = data.qvel.iter().fold(peak, |m, v| m.max(if v.is_finite() { v.abs() } else { f64::INFINITY }));
    }
    assert_eq!(data.warning.iter().map(|w| w.number).sum::<i32>(), 0);
    peak
}

#[test]
fn stiff_dampers_are_stable_with_implicit_integrators() {
    // dampers of joints and tendons, and an actuator that acts as one, all at 1e8
    let xml = r#"<mujoco><option gravity="0 0 0"/><worldbody>
        <body><joint name="a" type="slide" axis="1 0 0" damping="1e8"/><geom size="0.1" contype="0"/></body>
        <body><joint name="b" type="slide" axis="1 0 0"/><geom size="0.1" contype="0"/></body>
        <body><joint name="c" type="slide" axis="1 0 0"/><geom size="0.1" contype="0"/></body></worldbody>
        <tendon><fixed name="t" damping="1e8"><joint joint="b" coef="1"/></fixed></tendon>
        <actuator><velocity joint="c" kv="1e8"/></actuator></mujoco>"#;
    for integrator in [Integrator::Implicit, Integrator::Implicitfast] {
        let peak = peak_speed(&model(xml, integrator, 0.01), 500);
        assert!(peak <= 1.0, "{integrator:?}: {peak}");
    }
}

#[test]
fn stiff_springs_are_stable_with_backward_euler() {
    let xml = r#"<mujoco><option gravity="0 0 0"/><worldbody>
        <body><joint type="slide" axis="1 0 0" stiffness="1e8" damping="1e8"/><geom size="0.1" contype="0"/></body>
        <body><joint type="slide" axis="1 0 0" stiffness="1e8"/><geom size="0.1" contype="0"/>
          <body pos="0.3 0 0"><joint axis="0 1 0" stiffness="1e8"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0"/></body></body>
        </worldbody></mujoco>"#;
    for integrator in [Integrator::ImplicitSpringDamper, Integrator::ImplicitEuler] {
        for h in [1e-4, 1e-2, 1.0] {
            let peak = peak_speed(&model(xml, integrator, h), 500);
            assert!(peak <= 1.0 + 1e-9, "{integrator:?} at {h}: {peak}");
        }
    }
    // the same springs taken explicitly blow up, so that the test means something
    let mut model = model(xml, Integrator::Euler, 1e-2);
    model.opt.disableflags |= kinetree::model::enums::DisableBit::Autoreset as i32;
    let mut data = Data::new(&model);
    data.qvel.fill(1.0);
    data.steps(&model, 20).unwrap();
    assert!(data.qvel.iter().any(|v| v.abs() > 1e6 || !v.is_finite()));
}

#[test]
fn backward_euler_never_adds_energy() {
    let xml = r#"<mujoco><option gravity="0 0 0"/><worldbody>
        <body><joint type="slide" axis="1 0 0" stiffness="1e8"/><geom size="0.1" contype="0"/></body></worldbody></mujoco>"#;
    for integrator in [Integrator::ImplicitSpringDamper, Integrator::ImplicitEuler] {
        let mut model = model(xml, integrator, 1e-3);
        model.opt.enableflags |= EnableBit::Energy as i32;
        let mut data = Data::new(&model);
        data.qvel[0] = 1.0;
        let mut last = energy(&model, &mut data);
        for _ in 0..200 {
            data.step(&model).unwrap();
            let now = energy(&model, &mut data);
            assert!(now <= last * (1.0 + 1e-12) && now >= 0.0, "{integrator:?}: {last} to {now}");
            last = now;
        }
    }
}
