//! Iterative LQR against the linear regulator, finite differences of costs, and tasks it must solve.

use crate::support::{ball, cart_pole, floating, line};
use kinetree_control::{
    ControlError, Cost, Expansion, Ilqr, Norm, Point, QuadraticCost, SensorJacobian, SensorTerm, Settings,
    Status, transitions, tvlqr,
};
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_forward, mj_step};

/// Sum of costs of a simulation that knows nothing of trajectories.
fn total(model: &Model, cost: &dyn Cost, start: &Data, controls: &[f64]) -> f64 {
    let mut data = start.clone();
    let mut sum = 0.0;
    for (step, row) in controls.chunks_exact(model.nu).enumerate() {
        data.ctrl.copy_from_slice(row);
        let (qpos, qvel, act) = (data.qpos.to_vec(), data.qvel.to_vec(), data.act.to_vec());
        mj_step(model, &mut data).unwrap();
        let point =
            Point { model, qpos: &qpos, qvel: &qvel, act: &act, ctrl: row, sensordata: &data.sensordata };
        sum += cost.running(step, &point);
    }
    data.ctrl.fill(0.0);
    mj_forward(model, &mut data).unwrap();
    let point = Point {
        model,
        qpos: &data.qpos,
        qvel: &data.qvel,
        act: &data.act,
        ctrl: &[],
        sensordata: &data.sensordata,
    };
    sum + cost.terminal(&point)
}

#[test]
fn a_linear_problem_is_solved_by_the_regulator() {
    let (model, steps) = (line(), 12);
    let (q, r, end) = ([1.0, 0.1], [0.01], [100.0, 10.0]);
    let cost = QuadraticCost::new(&model)
        .running_weights(&q)
        .and_then(|cost| cost.control_weights(&r)?.terminal_weights(&end))
        .unwrap();
    let mut start = Data::new(&model);
    (start.qpos[0], start.qvel[0]) = (0.4, -0.2);
    let mut search = Ilqr::new(&model, steps, Settings::default()).unwrap();
    let found = search.solve(&cost, &start, &vec![0.0; steps]).unwrap();
    assert_eq!(found.status, Status::Converged);
    let step = transitions(&model, found.trajectory.state(0), found.trajectory.control(0), false).unwrap();
    let (a, b) = (step.a.repeat(steps), step.b.repeat(steps));
    let regulator = tvlqr(&a, &b, &[q[0], 0.0, 0.0, q[1]], &r, &[end[0], 0.0, 0.0, end[1]], 2, 1).unwrap();
    let mut x = [0.4, -0.2];
    for t in 0..steps {
        let gain = &regulator.gain[t * 2..][..2];
        let u = -(gain[0] * x[0] + gain[1] * x[1]);
        assert!((found.trajectory.control(t)[0] - u).abs() < 1e-6, "step {t}");
        assert!((found.gains[t * 2] - gain[0]).abs() < 1e-6 * gain[0].abs());
        x = [a[0] * x[0] + a[1] * x[1] + b[0] * u, a[2] * x[0] + a[3] * x[1] + b[1] * u];
    }
    let p = &regulator.cost;
    let expected = 0.5 * (p[0] * 0.16 + 2.0 * p[1] * 0.4 * -0.2 + p[3] * 0.04);
    assert!((found.trajectory.cost - expected).abs() < 1e-6 * expected);
}

/// The cost of a pole that should stand still above the middle.
fn swing_up(model: &Model) -> QuadraticCost {
    QuadraticCost::new(model)
        .target(&[0.0, std::f64::consts::PI], &[0.0, 0.0])
        .and_then(|cost| cost.running_weights(&[0.1, 0.1, 0.01, 0.01]))
        .and_then(|cost| cost.terminal_weights(&[100.0, 500.0, 10.0, 50.0]))
        .and_then(|cost| cost.control_weights(&[0.05]))
        .unwrap()
}

#[test]
fn a_pole_swings_up_within_the_limits() {
    let (model, steps) = (cart_pole(), 100);
    let cost = swing_up(&model);
    let start = Data::new(&model);
    let guess: Vec<f64> = (0..steps).map(|t| 0.3 * (t as f64 * 0.1).sin()).collect();
    let mut search = Ilqr::new(&model, steps, Settings { iterations: 300, ..Settings::default() }).unwrap();
    let found = search.solve(&cost, &start, &guess).unwrap();
    let end = found.trajectory.qpos(steps);
    assert!((end[1] - std::f64::consts::PI).abs() < 0.05 && end[0].abs() < 0.2, "{end:?} {:?}", found.status);
    assert!(found.trajectory.controls.iter().all(|u| u.abs() <= 1.0));
    assert!(found.costs.windows(2).all(|pair| pair[1] < pair[0]));
    // the cost is that of an independent simulation
    let simulated = total(&model, &cost, &start, &found.trajectory.controls);
    assert!((simulated - found.trajectory.cost).abs() < 1e-12 * simulated);
    // no control can be moved to a lower cost but into its limit
    let slack = 1e-3 * simulated.max(1.0);
    for t in 0..steps {
        let moved = |h: f64| {
            let mut controls = found.trajectory.controls.clone();
            controls[t] += h;
            total(&model, &cost, &start, &controls)
        };
        let gradient = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        let u = found.trajectory.control(t)[0];
        assert!(
            gradient.abs() < slack || (u == 1.0 && gradient < 0.0) || (u == -1.0 && gradient > 0.0),
            "{t}: {gradient}"
        );
    }
    // the same again, to the last bit
    assert_eq!(search.solve(&cost, &start, &guess).unwrap(), found);
}

#[test]
fn an_arm_on_a_ball_joint_reaches_a_pose() {
    let (model, steps) = (ball(), 60);
    let reach = SensorTerm {
        sensor: 0,
        target: vec![0.0, 0.2, 0.2],
        running: 1.0,
        terminal: 300.0,
        norm: Norm::Quadratic,
    };
    let cost = QuadraticCost::new(&model)
        .control_weights(&[1e-3; 3])
        .and_then(|cost| cost.terminal_weights(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]))
        .and_then(|cost| cost.sensor(&model, reach))
        .unwrap();
    let mut search = Ilqr::new(&model, steps, Settings::default()).unwrap();
    let found = search.solve(&cost, &Data::new(&model), &vec![0.0; steps * 3]).unwrap();
    let tip = found.trajectory.sensordata(steps);
    // the nearest point of the sphere that the tip can reach
    let nearest = 0.3 / 2.0_f64.sqrt();
    assert!((tip[1] - nearest).abs() < 0.01 && (tip[2] - nearest).abs() < 0.01, "{tip:?} {:?}", found.status);
}

#[test]
fn a_floating_box_turns_and_moves() {
    let (model, steps) = (floating(), 20);
    let turned = [0.3, -0.2, 0.4, 0.5, 0.5, -0.5, 0.5];
    let cost = QuadraticCost::new(&model)
        .target(&turned, &[0.0; 6])
        .and_then(|cost| cost.terminal_weights(&[1e3; 12])?.control_weights(&[1e-2; 6]))
        .unwrap();
    let start = Data::new(&model);
    let mut search = Ilqr::new(&model, steps, Settings::default()).unwrap();
    let found = search.solve(&cost, &start, &[0.01; 120]).unwrap();
    let path = &found.trajectory;
    let end = path.qpos(steps);
    assert!(end.iter().zip(&turned).all(|(q, target)| (q - target).abs() < 0.02), "{end:?}");
    // the sensors of the end are those of the end, though no cost asks for them
    assert_eq!(path.sensordata(steps), &path.qpos(steps)[..3]);
    assert_eq!(path.sensordata(0), &path.qpos(0)[..3]);
    for i in (0..120).step_by(7) {
        let moved = |h: f64| {
            let mut controls = path.controls.clone();
            controls[i] += h;
            total(&model, &cost, &start, &controls)
        };
        let gradient = (moved(1e-4) - moved(-1e-4)) / 2e-4;
        assert!(gradient.abs() < 1e-3, "control {i}: {gradient}");
    }
}

#[test]
fn more_controls_than_states_share_the_work() {
    let motors = "<motor joint='j'/>".repeat(3);
    let model = kinetree_spec::load_model_str(&format!(
        "<mujoco>
           <worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' pos='.3 0 0' mass='1'/></body></worldbody>
           <actuator>{motors}</actuator>
         </mujoco>"
    ))
    .unwrap();
    let cost = QuadraticCost::new(&model)
        .target(&[0.1], &[0.0])
        .and_then(|cost| cost.terminal_weights(&[1e4, 1.0])?.control_weights(&[1e-3; 3]))
        .unwrap();
    let mut search = Ilqr::new(&model, 30, Settings::default()).unwrap();
    let found = search.solve(&cost, &Data::new(&model), &[0.0; 90]).unwrap();
    assert_eq!(found.status, Status::Converged);
    for step in 0..30 {
        let [a, b, c] = found.trajectory.control(step) else { panic!("three controls") };
        assert!((a - b).abs() < 1e-9 && (a - c).abs() < 1e-9);
    }
    assert!(found.trajectory.cost < 0.5 * found.costs[0]);
}

#[test]
fn a_large_regularization_is_no_convergence() {
    let (model, start) = (cart_pole(), Data::new(&cart_pole()));
    let cost = QuadraticCost::new(&model)
        .target(&[0.5, 0.0], &[0.0, 0.0])
        .and_then(|cost| cost.terminal_weights(&[100.0, 10.0, 10.0, 1.0])?.control_weights(&[0.1]))
        .unwrap();
    let solve = |regularization| {
        let settings = Settings { regularization, ..Settings::default() };
        Ilqr::new(&model, 40, settings).unwrap().solve(&cost, &start, &[0.0; 40]).unwrap()
    };
    let (plain, large) = (solve(1e-6), solve(1e9));
    assert_eq!((plain.status, large.status), (Status::Converged, Status::Converged));
    assert!((large.trajectory.cost / plain.trajectory.cost - 1.0).abs() < 1e-6, "{:?}", large.costs);
}

/// A cost that is not a number.
struct Broken;

impl Cost for Broken {
    fn running(&self, _: usize, _: &Point<'_>) -> f64 {
        f64::NAN
    }

    fn terminal(&self, _: &Point<'_>) -> f64 {
        0.0
    }

    fn expand_running(&self, _: usize, _: &Point<'_>, _: SensorJacobian<'_>, _: &mut Expansion) {}

    fn expand_terminal(&self, _: &Point<'_>, _: SensorJacobian<'_>, _: &mut Expansion) {}
}

#[test]
fn what_is_not_a_problem_is_an_error() {
    let model = cart_pole();
    let start = Data::new(&model);
    let message = |result: Result<_, ControlError>| result.map(|_: Ilqr<'_>| ()).unwrap_err().to_string();
    assert_eq!(
        message(Ilqr::new(&model, 0, Settings::default())),
        "there is nothing to control: the horizon has no steps"
    );
    let bare = kinetree_spec::load_model_str(
        "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
    )
    .unwrap();
    assert_eq!(
        message(Ilqr::new(&bare, 5, Settings::default())),
        "there is nothing to control: the model has no actuators"
    );
    let settings = Settings { step_lengths: vec![2.0], ..Settings::default() };
    assert!(message(Ilqr::new(&model, 5, settings)).starts_with("a step length should be"));
    let settings = Settings { tolerance: f64::NAN, ..Settings::default() };
    assert!(message(Ilqr::new(&model, 5, settings)).starts_with("tolerance should be zero or more"));
    let mut search = Ilqr::new(&model, 5, Settings::default()).unwrap();
    let cost = swing_up(&model);
    assert_eq!(
        search.begin(&cost, &start, &[0.0; 4]).unwrap_err().to_string(),
        "the list of controls should have 5 values, but has 4"
    );
    assert_eq!(
        search.begin(&Broken, &start, &[0.0; 5]).unwrap_err().to_string(),
        "the cost of step 0 is not finite: its value"
    );
    assert!(matches!(search.begin(&cost, &Data::new(&bare), &[0.0; 5]), Err(ControlError::State(_))));
    let mut strange = start.clone();
    strange.qvel[0] = f64::NAN;
    assert!(matches!(search.begin(&cost, &strange, &[0.0; 5]), Err(ControlError::NotFinite { .. })));
    let wrong = QuadraticCost::new(&model).running_weights(&[1.0, -1.0, 0.0, 0.0]).unwrap_err().to_string();
    assert_eq!(wrong, "the list of running weights should not be negative, but value 1 is -1");
}
