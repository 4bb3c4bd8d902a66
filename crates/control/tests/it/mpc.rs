//! Controllers that plan while their world goes on.

use crate::support::cart_pole;
use kinetree_control::{
    BackgroundMpc, Budget, ControlError, Mpc, Planner, QuadraticCost, SamplerSettings, Settings,
};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// The pole up, and the cart in the middle.
fn balance(model: &Model) -> QuadraticCost {
    QuadraticCost::new(model)
        .target(&[0.0, std::f64::consts::PI], &[0.0, 0.0])
        .and_then(|cost| {
            cost.running_weights(&[1.0, 10.0, 0.1, 0.1])?
                .terminal_weights(&[10.0, 100.0, 1.0, 1.0])?
                .control_weights(&[0.01])
        })
        .unwrap()
}

fn planners() -> [Planner; 2] {
    let settings = SamplerSettings { samples: 24, knots: 6, noise: 0.3, ..SamplerSettings::default() };
    [Planner::Ilqr(Settings::default()), Planner::Sampler(settings)]
}

#[test]
fn a_pole_that_is_pushed_is_balanced_again_in_the_same_way() {
    let model = cart_pole();
    let cost = balance(&model);
    for planner in planners() {
        let run = || {
            let mut mpc = Mpc::new(&model, 40, planner.clone()).unwrap();
            let (mut data, mut costs) = (Data::new(&model), Vec::new());
            data.qpos[1] = std::f64::consts::PI + 0.15;
            let budget = Budget { iterations: 4, time: None };
            for step in 0..200 {
                if step % 4 == 0 {
                    costs.push(mpc.replan(&cost, &data, budget).unwrap().cost());
                }
                if step == 100 {
                    data.qvel[1] += 0.5;
                }
                let plan = mpc.plan().unwrap();
                let age = plan.age(data.time);
                assert!((age - f64::from(step % 4) * 0.02).abs() < 1e-9 && plan.iterations() <= 4);
                plan.control(&model, &data, &mut { data.ctrl.to_vec() });
                let mut controls = [0.0];
                plan.control(&model, &data, &mut controls);
                assert!(controls[0].abs() <= 1.0);
                data.ctrl.copy_from_slice(&controls);
                mj_step(&model, &mut data).unwrap();
            }
            (data.qpos.to_vec(), costs)
        };
        let (qpos, costs) = run();
        assert!((qpos[1] - std::f64::consts::PI).abs() < 0.1, "{planner:?} {qpos:?}");
        let least = costs[1..25].iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least < 0.3 * costs[0], "{planner:?} {costs:?}");
        assert_eq!(run().1, costs, "the same bits");
    }
}

#[test]
fn a_plan_goes_on_where_the_last_one_was() {
    let model = cart_pole();
    let cost = balance(&model);
    let mut mpc = Mpc::new(&model, 40, Planner::Ilqr(Settings::default())).unwrap();
    assert!(mpc.plan().is_none());
    let mut data = Data::new(&model);
    data.qpos[1] = std::f64::consts::PI + 0.2;
    let many = Budget { iterations: 100, time: None };
    let first = mpc.replan(&cost, &data, many).unwrap().clone();
    // the same state again: the plan is there already
    assert!(mpc.replan(&cost, &data, many).unwrap().iterations() < first.iterations());
    for step in 0..5 {
        data.ctrl.copy_from_slice(first.trajectory().control(step));
        mj_step(&model, &mut data).unwrap();
    }
    let one = Budget { iterations: 1, time: None };
    let warm = mpc.replan(&cost, &data, one).unwrap().cost();
    mpc.reset();
    let cold = mpc.replan(&cost, &data, one).unwrap().cost();
    assert!(warm < cold, "{warm} {cold}");
    // a world that was set back begins anew, and time ends a search
    data.time = 0.0;
    let budget = Budget { iterations: usize::MAX, time: Some(Duration::ZERO) };
    assert_eq!(mpc.replan(&cost, &data, budget).unwrap().iterations(), 1);
}

#[test]
fn a_thread_plans_while_the_world_goes_on() {
    let model = Arc::new(cart_pole());
    for planner in planners() {
        let cost = Arc::new(balance(&model));
        let budget = Budget { iterations: 5, time: Some(Duration::from_millis(20)) };
        let mpc = BackgroundMpc::start(Arc::clone(&model), 30, planner, cost, budget).unwrap();
        let mut data = Data::new(&model);
        data.qpos[1] = std::f64::consts::PI + 0.1;
        assert!(mpc.plan().is_none() && mpc.control(&data, &mut [9.0]).is_none());
        let begin = Instant::now();
        let mut steps = 0;
        while mpc.plans() < 5 && begin.elapsed() < Duration::from_secs(60) {
            mpc.observe(&data).unwrap();
            let mut controls = [0.0];
            if let Some(plan) = mpc.control(&data, &mut controls) {
                assert!(
                    plan.age(data.time) >= 0.0 && plan.cost().is_finite() && plan.took() > Duration::ZERO
                );
            }
            data.ctrl.copy_from_slice(&controls);
            mj_step(&model, &mut data).unwrap();
            steps += 1;
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(mpc.plans() >= 5 && mpc.problem().is_none() && steps > 1);
        // a world that no plan can begin with is told, and the last plan remains
        data.qvel[0] = f64::NAN;
        let begin = Instant::now();
        while mpc.problem().is_none() && begin.elapsed() < Duration::from_secs(60) {
            mpc.observe(&data).unwrap();
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(matches!(mpc.problem(), Some(ControlError::NotFinite { .. })) && mpc.plan().is_some());
    }
    // who waits gets the plans of the calling thread
    let (cost, budget) = (balance(&model), Budget { iterations: 3, time: None });
    let planner = Planner::Ilqr(Settings::default());
    let waits = BackgroundMpc::start(Arc::clone(&model), 30, planner.clone(), Arc::new(cost.clone()), budget)
        .unwrap();
    let mut mpc = Mpc::new(&model, 30, planner).unwrap();
    let mut data = Data::new(&model);
    data.qpos[1] = 3.0;
    for _ in 0..5 {
        let plan = waits.replan(&data).unwrap();
        let expected = mpc.replan(&cost, &data, budget).unwrap();
        assert_eq!((plan.trajectory(), plan.time()), (expected.trajectory(), data.time));
        plan.control(&model, &data.clone(), &mut data.ctrl);
        mj_step(&model, &mut data).unwrap();
    }
    data.qpos[0] = f64::INFINITY;
    assert!(matches!(waits.replan(&data), Err(ControlError::NotFinite { .. })));
    let refused = BackgroundMpc::start(
        Arc::clone(&model),
        0,
        Planner::Ilqr(Settings::default()),
        Arc::new(balance(&model)),
        Budget { iterations: 1, time: None },
    );
    assert!(matches!(refused, Err(ControlError::Nothing(_))));
}

#[test]
fn a_planner_that_would_plan_for_hours_ends_with_its_controller() {
    let model = Arc::new(cart_pole());
    let planner = Planner::Sampler(SamplerSettings { samples: 4, knots: 3, ..SamplerSettings::default() });
    let budget = Budget { iterations: usize::MAX, time: None };
    let (cost, data) = (Arc::new(balance(&model)), Data::new(&model));
    let mpc = BackgroundMpc::start(model, 30, planner, cost, budget).unwrap();
    mpc.observe(&data).unwrap();
    // it is at work by then
    std::thread::sleep(Duration::from_millis(100));
    let (told, ended) = mpsc::channel();
    std::thread::spawn(move || {
        drop(mpc);
        told.send(())
    });
    assert!(
        ended.recv_timeout(Duration::from_secs(30)).is_ok(),
        "the planner goes on without its controller"
    );
}
