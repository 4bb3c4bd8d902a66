//! The simulation behind the window: speed, commands, history, models that change.

use kinetree_model::{Data, Model};
use kinetree_render::scene::{MjvOption, MjvPerturb, MjvScene, PertBit};
use kinetree_spec::load_model_str;
use kinetree_viewer::{Clock, Command, ControlNoise, Driver, Inline, Simulation, Status, Threaded};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

const PENDULUM: &str = r#"<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="swing" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/>
    </body>
  </worldbody>
  <actuator><motor name="torque" joint="swing"/></actuator>
  <keyframe><key name="up" qpos="1.5"/></keyframe>
</mujoco>"#;

fn model(xml: &str) -> Arc<Model> {
    Arc::new(load_model_str(xml).unwrap_or_else(|faults| panic!("{faults}")))
}

fn pendulum() -> Simulation {
    let model = model(PENDULUM);
    let data = Data::new(&model);
    Simulation::new(model, data)
}

/// A clock that the test moves.
#[derive(Clone, Default)]
struct Hand(Rc<Cell<f64>>);

impl Clock for Hand {
    fn now(&self) -> f64 {
        self.0.get()
    }
}

impl Hand {
    fn wait(&self, seconds: f64) {
        self.0.set(self.0.get() + seconds);
    }
}

fn time(simulation: &Simulation) -> f64 {
    simulation.data().map_or(f64::NAN, |data| data.time)
}

fn status(simulation: &Simulation) -> Status {
    simulation.status().cloned().unwrap_or_default()
}

#[test]
fn time_follows_the_clock_at_any_speed() {
    for speed in [0.5, 1.0, 4.0] {
        let (mut simulation, clock) = (pendulum(), Hand::default());
        simulation.apply(Command::Speed(speed));
        simulation.apply(Command::Play(true));
        simulation.advance(&clock, 1.0);
        for _ in 0..60 {
            clock.wait(1.0 / 60.0);
            simulation.advance(&clock, 1.0);
        }
        assert!((time(&simulation) - speed).abs() < 0.0021, "{speed}: {}", time(&simulation));
        assert!((status(&simulation).reached / speed - 1.0).abs() < 0.1);
    }
}

#[test]
fn a_slow_model_falls_behind_and_does_not_catch_up() {
    /// Every look at the clock takes 10 ms, as if a step did.
    struct Slow(Cell<f64>);
    impl Clock for Slow {
        fn now(&self) -> f64 {
            self.0.set(self.0.get() + 0.01);
            self.0.get()
        }
    }
    let (mut simulation, clock) = (pendulum(), Slow(Cell::new(0.0)));
    simulation.apply(Command::Play(true));
    for _ in 0..20 {
        let before = clock.0.get();
        simulation.advance(&clock, 0.02);
        assert!(clock.0.get() - before < 0.05, "the driver gets its thread back");
    }
    assert!(time(&simulation) < 0.2);
    assert!(status(&simulation).reached < 1.0);
}

#[test]
fn steps_resets_and_keyframes() {
    let mut simulation = pendulum();
    simulation.apply(Command::Step(5));
    assert!((time(&simulation) - 0.01).abs() < 1e-12);
    simulation.apply(Command::Keyframe(0));
    assert_eq!(simulation.data().map(|data| data.qpos[0]), Some(1.5));
    simulation.apply(Command::Reset);
    assert_eq!(simulation.data().map(|data| (data.time, data.qpos[0])), Some((0.0, 0.0)));
    // what does not exist changes nothing
    simulation.apply(Command::Keyframe(7));
    simulation.apply(Command::Control { actuator: 9, value: 1.0 });
    simulation.apply(Command::Speed(f64::NAN));
    assert_eq!(status(&simulation).speed, 1.0);
}

#[test]
fn a_state_is_kept_as_a_keyframe() {
    let mut simulation = pendulum();
    simulation.apply(Command::Control { actuator: 0, value: 0.25 });
    simulation.apply(Command::Step(7));
    let kept = |simulation: &Simulation| {
        simulation.data().map(|data| (data.time, data.qpos[0], data.qvel[0], data.ctrl[0]))
    };
    let (state, first) = (kept(&simulation), simulation.snapshot(&mut None));
    simulation.apply(Command::KeepKeyframe(0));
    simulation.apply(Command::KeepKeyframe(3));
    assert_eq!(status(&simulation).kept_keyframes, [0]);
    simulation.apply(Command::Step(5));
    simulation.apply(Command::Keyframe(0));
    assert_eq!(kept(&simulation), state);
    // what was shown before has the model as it was
    assert_eq!(first.map(|snapshot| snapshot.model.key_qpos[0]), Some(1.5));
    // another file has its own
    simulation.apply(Command::Replace { model: model(PENDULUM), keep_state: true });
    assert!(status(&simulation).kept_keyframes.is_empty());
    simulation.apply(Command::Keyframe(0));
    assert_eq!(simulation.data().map(|data| data.qpos[0]), Some(1.5));
}

#[test]
fn noise_moves_the_world_and_not_the_sliders() {
    let calm = PENDULUM.replace("<option", "<option gravity='0 0 0'");
    let rest = model(&calm);
    let data = Data::new(&rest);
    let mut simulation = Simulation::new(rest, data);
    let moved = |simulation: &Simulation| simulation.data().map_or(f64::NAN, |data| data.qvel[0].abs());
    simulation.apply(Command::Step(10));
    assert_eq!(moved(&simulation), 0.0);
    simulation.apply(Command::Noise(ControlNoise { deviation: 0.1, time: 0.1 }));
    simulation.apply(Command::Control { actuator: 0, value: 0.0 });
    simulation.apply(Command::Step(50));
    assert!(moved(&simulation) > 1e-4, "{}", moved(&simulation));
    assert_eq!(simulation.data().map(|data| data.ctrl[0]), Some(0.0));
    // what is no number is no noise
    simulation.apply(Command::Noise(ControlNoise { deviation: f64::NAN, time: -1.0 }));
    assert_eq!(status(&simulation).noise, ControlNoise::default());
    simulation.apply(Command::Reset);
    simulation.apply(Command::Step(10));
    assert_eq!(moved(&simulation), 0.0);
}

#[test]
fn history_is_seen_again_and_a_new_future_replaces_it() {
    let mut simulation = pendulum();
    simulation.apply(Command::Step(100));
    let mut spare = None;
    let recorded = simulation.snapshot(&mut spare).map_or(0, |s| s.status.recorded);
    // 0.2 s at 60 per second, and the first state
    assert!((12..=14).contains(&recorded), "{recorded}");
    let last = simulation.data().map(|data| data.qpos[0]);
    simulation.apply(Command::Seek(3));
    let early = simulation.data().map(|data| (data.time, data.qpos[0]));
    assert!(early.is_some_and(|(t, q)| t > 0.0 && t < 0.1 && Some(q) != last));
    // the same states come again, since physics is deterministic
    simulation.apply(Command::Seek(recorded - 1));
    simulation.apply(Command::Seek(3));
    assert_eq!(simulation.data().map(|data| (data.time, data.qpos[0])), early);
    simulation.apply(Command::Step(1));
    assert_eq!(simulation.snapshot(&mut spare).map(|s| (s.status.recorded, s.status.shown)), Some((4, None)));
}

#[test]
fn pulling_moves_a_body_and_letting_go_leaves_no_force() {
    let mut simulation = pendulum();
    let pull = MjvPerturb {
        select: 1,
        active: PertBit::Translate as i32,
        refselpos: [0.0, 0.0, 3.0],
        localpos: [0.5, 0.0, 0.0],
        localmass: 1.0,
        ..MjvPerturb::default()
    };
    simulation.apply(Command::Play(true));
    simulation.apply(Command::Perturb(pull));
    let clock = Hand::default();
    simulation.advance(&clock, 1.0);
    clock.wait(0.01);
    simulation.advance(&clock, 1.0);
    assert!(simulation.data().is_some_and(|data| data.xfrc_applied[1][2] > 1.0 && data.qvel[0] < 0.0));
    simulation.apply(Command::Perturb(MjvPerturb { active: 0, ..pull }));
    assert_eq!(simulation.data().map(|data| data.xfrc_applied[1]), Some([0.0; 6]));
}

#[test]
fn a_model_that_was_edited_keeps_its_state() {
    let mut simulation = pendulum();
    simulation.apply(Command::Control { actuator: 0, value: 0.3 });
    simulation.apply(Command::Step(50));
    let before = simulation.data().map(|data| (data.time, data.qpos[0], data.qvel[0], data.ctrl[0]));
    // a second body in front of the first shifts all indices
    let edited = PENDULUM.replace(
        "<body name=\"arm\"",
        "<body name='new'><joint name='extra' type='slide'/><geom size='0.1'/></body><body name=\"arm\"",
    );
    simulation.apply(Command::Replace { model: model(&edited), keep_state: true });
    let after = simulation.data().map(|data| (data.time, data.qpos[1], data.qvel[1], data.ctrl[0]));
    assert_eq!(before, after);
    simulation.apply(Command::Replace { model: model(PENDULUM), keep_state: false });
    assert_eq!(simulation.data().map(|data| (data.time, data.qpos[0])), Some((0.0, 0.0)));
}

#[test]
fn options_change_without_a_new_model() {
    let clock = Hand::default();
    let mut driver = Inline::new(pendulum(), Box::new(clock.clone()), 1.0);
    let before = driver.poll().map(|s| (s.generation, s.model.opt.clone()));
    let (generation, mut options) = before.unwrap_or_else(|| panic!("a first snapshot"));
    options.gravity = [0.0; 3];
    driver.send(Command::Options(Box::new(options)));
    driver.send(Command::Step(10));
    let after = driver.poll().unwrap_or_else(|| panic!("a snapshot after commands"));
    assert_eq!((after.generation, after.data.qvel[0]), (generation, 0.0));
    assert!(driver.poll().is_none(), "nothing new while paused");
}

#[test]
fn a_solver_that_runs_out_of_iterations_is_a_warning() {
    let text = r#"<mujoco><option iterations="1" tolerance="1e-12" cone="elliptic"/><worldbody>
        <geom type="plane" size="1 1 1"/>
        <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos=".05 0 .28"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"#;
    let few = model(text);
    let data = Data::new(&few);
    let mut simulation = Simulation::new(few, data);
    let warnings = |simulation: &Simulation| {
        simulation.snapshot(&mut None).map(|s| s.warnings().collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(warnings(&simulation), [""; 0]);
    simulation.apply(Command::Step(20));
    let told = warnings(&simulation);
    assert!(told.len() == 1 && told[0].contains("Newton solver stopped at 1 iterations"), "{told:?}");
}

#[test]
fn a_thread_takes_commands_and_gives_the_world_back() {
    let (sender, woken) = std::sync::mpsc::channel();
    let wake = move || _ = sender.send(());
    let mut driver = Threaded::start(pendulum(), wake).unwrap_or_else(|error| panic!("{error}"));
    driver.send(Command::Step(25));
    driver.send(Command::Play(true));
    let mut newest = 0.0;
    while newest < 0.1 {
        assert!(
            woken.recv_timeout(std::time::Duration::from_secs(20)).is_ok(),
            "the thread says when there is news"
        );
        if let Some(snapshot) = driver.poll() {
            newest = snapshot.data.time;
            driver.recycle(snapshot);
        }
    }
    let end = driver.finish().and_then(|simulation| simulation.data().map(|data| data.time));
    assert!(end.is_some_and(|end| end >= newest));
}

const FLAG: &str = r#"<mujoco>
  <worldbody><geom type="plane" size="1 1 1"/></worldbody>
  <keyframe><key name="start"/></keyframe>
  <soft><cloth name="flag" preset="Membrane" cells="2 2" size=".2 .2" pos="0 0 .5" substeps="1"/></soft>
</mujoco>"#;

/// Height of the first vertex of the first deformable body that a snapshot draws.
fn height(simulation: &Simulation) -> f32 {
    let snapshot = simulation.snapshot(&mut None).unwrap_or_else(|| panic!("there is a model"));
    let mut scene = MjvScene::new(&snapshot.model, 10);
    snapshot.soft.draw(&snapshot.model, &MjvOption::default(), &mut scene);
    scene.geoms.first().map_or(f32::NAN, |geom| geom.pos[2])
}

#[test]
fn deformable_bodies_are_stepped_recorded_and_reset() {
    let flag = model(FLAG);
    let data = Data::new(&flag);
    let mut simulation = Simulation::new(flag, data);
    assert!((height(&simulation) - 0.5).abs() < 1e-6);
    simulation.apply(Command::Step(100));
    assert_eq!(status(&simulation).failure, None);
    let fallen = height(&simulation);
    assert!(fallen < 0.4, "{fallen}");
    // the timeline has the bodies, too
    let last = status(&simulation).recorded - 1;
    simulation.apply(Command::Seek(0));
    assert!((height(&simulation) - 0.5).abs() < 1e-6);
    simulation.apply(Command::Seek(last));
    assert!(height(&simulation) < 0.42);
    // a file that has changed goes on where the bodies are
    let new = model(&FLAG.replace("size=\"1 1 1\"", "size=\"2 2 1\""));
    let before = height(&simulation);
    simulation.apply(Command::Replace { model: new, keep_state: true });
    assert_eq!(height(&simulation), before);
    simulation.apply(Command::Keyframe(0));
    assert!((height(&simulation) - 0.5).abs() < 1e-6);
    simulation.apply(Command::Step(100));
    simulation.apply(Command::Reset);
    assert!((height(&simulation) - 0.5).abs() < 1e-6);
}
