//! What ends a search early, and what cannot be searched.

use crate::support::{cart_pole, delayed, line};
use kinetree_control::{
    ControlError, Cost, Expansion, Ilqr, Point, QuadraticCost, SensorJacobian, Settings, Solution, Status,
    transitions,
};
use kinetree_model::{Data, Model, interruptible};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A cost that comes to one of a mass far away.
fn near_one(model: &Model) -> QuadraticCost {
    QuadraticCost::new(model)
        .target(&[1.0], &[0.0])
        .and_then(|cost| cost.terminal_weights(&[100.0, 10.0])?.control_weights(&vec![0.1; model.nu]))
        .unwrap()
}

#[test]
fn every_unstable_guess_is_an_error() {
    let mut model = line();
    model.actuator_gear[0][0] = 1e6;
    let (cost, start) = (near_one(&model), Data::new(&model));
    let mut search = Ilqr::new(&model, 10, Settings::default()).unwrap();
    // accelerations that are too large, and controls that the engine takes as zero
    for controls in [[1e6; 10], [1e6; 10], [1e12; 10], [1e12; 10]] {
        let begun = search.begin(&cost, &start, &controls);
        assert!(matches!(begun, Err(ControlError::Unstable { step: 0, .. })), "{begun:?}");
    }
    assert!(search.begin(&cost, &start, &[0.0; 10]).is_ok());
    // a start with warnings of its own is no unstable trajectory
    let mut warned = start.clone();
    warned.warning.iter_mut().for_each(|warning| warning.number = 5);
    assert!(search.begin(&cost, &warned, &[0.0; 10]).is_ok());
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let message = |model: &Model, settings| Ilqr::new(model, 5, settings).unwrap_err().to_string();
    let late = message(&delayed(), Settings::default());
    assert!(late.starts_with("the control of actuator 'late' is delayed"), "{late}");
    let still = kinetree_spec::load_model_str(
        "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody>
           <actuator><adhesion body='b' ctrlrange='0 1'/></actuator></mujoco>",
    )
    .unwrap();
    assert_eq!(
        message(&still, Settings::default()),
        "there is nothing to control: nothing in the model moves"
    );
    let mut model = cart_pole();
    for range in [[0.5, 0.5], [1.0, -1.0], [0.0, f64::NAN]] {
        model.actuator_ctrlrange[0] = range;
        let refused = message(&model, Settings::default());
        assert!(
            refused.starts_with("the control range of actuator 0 should be from low to high"),
            "{refused}"
        );
    }
    assert!(Ilqr::new(&model, 5, Settings { limits: false, ..Settings::default() }).is_ok());
}

#[test]
fn controls_that_cost_nothing_are_named() {
    let model = kinetree_spec::load_model_str(
        "<mujoco>
           <worldbody><body><joint name='j' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body></worldbody>
           <actuator><motor joint='j'/><motor joint='j' gear='0'/></actuator>
         </mujoco>",
    )
    .unwrap();
    let cost = near_one(&model).control_weights(&[0.1, 0.0]).unwrap();
    let mut search = Ilqr::new(&model, 5, Settings::default()).unwrap();
    let found = search.solve(&cost, &Data::new(&model), &[0.0; 10]);
    assert_eq!(found, Err(ControlError::ControlWeights { step: 4 }));
}

/// A cost that calls a function at the end of each trajectory after the first expansion.
struct Watched<F> {
    cost: QuadraticCost,
    is_expanded: AtomicBool,
    at_end: F,
}

impl<F: Fn() + Sync> Watched<F> {
    fn new(cost: QuadraticCost, at_end: F) -> Self {
        Self { cost, is_expanded: AtomicBool::new(false), at_end }
    }
}

impl<F: Fn() + Sync> Cost for Watched<F> {
    fn running(&self, step: usize, point: &Point<'_>) -> f64 {
        self.cost.running(step, point)
    }

    fn terminal(&self, point: &Point<'_>) -> f64 {
        if self.is_expanded.load(Ordering::SeqCst) {
            (self.at_end)();
        }
        self.cost.terminal(point)
    }

    fn expand_running(
        &self,
        step: usize,
        point: &Point<'_>,
        sensors: SensorJacobian<'_>,
        out: &mut Expansion,
    ) {
        self.cost.expand_running(step, point, sensors, out);
    }

    fn expand_terminal(&self, point: &Point<'_>, sensors: SensorJacobian<'_>, out: &mut Expansion) {
        self.is_expanded.store(true, Ordering::SeqCst);
        self.cost.expand_terminal(point, sensors, out);
    }
}

/// Whether the searches of the next test should end.
static IS_OVER: AtomicBool = AtomicBool::new(false);

#[test]
fn interrupted_searches_keep_the_best_trajectory() {
    let (model, steps) = (line(), 10);
    let start = Data::new(&model);
    // the last gains are interrupted, or the second iteration
    for iterations in [1, 50] {
        IS_OVER.store(false, Ordering::SeqCst);
        let cost = Watched::new(near_one(&model), || {
            IS_OVER.store(true, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(30));
        });
        // one trajectory at a time, on this thread
        let settings = Settings { iterations, step_lengths: vec![1.0], ..Settings::default() };
        let mut search = Ilqr::new(&model, steps, settings).unwrap();
        let go_on = || !IS_OVER.load(Ordering::SeqCst);
        let found = interruptible(go_on, || search.solve(&cost, &start, &[0.0; 10])).unwrap().unwrap();
        assert_eq!(found.status, Status::Interrupted);
        assert!(found.costs.len() == 2 && found.costs[1] < found.costs[0]);
        assert_eq!(found.trajectory.cost, found.costs[1]);
        assert!(
            found.gains.iter().all(|gain| gain.is_finite()) && found.gains.iter().any(|gain| *gain != 0.0)
        );
    }
}

#[test]
fn panics_of_costs_come_to_the_caller() {
    let (model, start) = (line(), Data::new(&line()));
    let cost = Watched::new(near_one(&model), || panic!("of the cost"));
    let mut search = Ilqr::new(&model, 10, Settings::default()).unwrap();
    let work = || interruptible(|| true, || search.solve(&cost, &start, &[0.0; 10]));
    let panic = catch_unwind(AssertUnwindSafe(work)).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"of the cost"));
}

#[test]
fn results_do_not_depend_on_threads() {
    let (model, steps) = (cart_pole(), 60);
    let start = Data::new(&model);
    let cost = QuadraticCost::new(&model)
        .target(&[0.5, 3.0], &[0.0, 0.0])
        .and_then(|cost| cost.terminal_weights(&[100.0, 50.0, 10.0, 5.0])?.control_weights(&[0.05]))
        .unwrap();
    let solve = || -> Solution {
        let settings = Settings { iterations: 30, ..Settings::default() };
        Ilqr::new(&model, steps, settings).unwrap().solve(&cost, &start, &vec![0.1; steps]).unwrap()
    };
    let found = solve();
    let derivatives = || {
        let rows = &found.trajectory.states[..found.trajectory.states.len() / (steps + 1) * steps];
        transitions(&model, rows, &found.trajectory.controls, true).unwrap()
    };
    // a thread of a pool does everything by itself
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert!(pool.install(solve) == found);
    assert!(pool.install(derivatives) == derivatives());
}
