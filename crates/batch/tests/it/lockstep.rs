//! Worlds that step four at a time make the same steps, bit for bit, as worlds that step one by one: all
//! arrays of their data are compared.

use kinetree_batch::{BatchSim, Random};
use kinetree_model::enums::Integrator;
use kinetree_model::{Data, FieldSlice, Model};
use kinetree_sim::Lockstep;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn load(path: &Path) -> Model {
    kinetree_spec::load_model(path).unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// All models of the folder that lanes can step.
fn models() -> Vec<(String, Model)> {
    let mut models = Vec::new();
    for part in ["", "showcase", "compile"] {
        for file in std::fs::read_dir(folder().join(part)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "xml") {
                let model = load(&path);
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                models.extend(Lockstep::supports(&model).then_some((name, model)));
            }
        }
    }
    models.sort_by(|a, b| a.0.cmp(&b.0));
    models
}

/// Whether two numbers have the same bits. Of what is no number, only that it is none is defined.
fn same(a: &f64, b: &f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// The first array in which two worlds differ.
fn difference(a: &Data, b: &Data) -> Option<&'static str> {
    for (a, b) in a.fields().iter().zip(&b.fields()) {
        let equal = match (&a.data, &b.data) {
            (FieldSlice::F64(x), FieldSlice::F64(y)) => {
                x.len() == y.len() && x.iter().zip(*y).all(|(x, y)| same(x, y))
            }
            (x, y) => format!("{x:?}") == format!("{y:?}"),
        };
        if !equal {
            return Some(a.name);
        }
    }
    let rest = |data: &Data| {
        let Data { time, energy, ncon, nefc, solver_niter, warning, contact, .. } = data;
        format!("{time} {energy:?} {ncon} {nefc} {solver_niter:?} {warning:?} {contact:?}")
    };
    (rest(a) != rest(b)).then_some("contact")
}

/// Two batches of the same worlds, the first of which steps them four at a time.
struct Pair {
    batches: [BatchSim; 2],
    random: Random,
}

impl Pair {
    fn new(model: &Arc<Model>, count: usize, threads: usize) -> Self {
        let batches = [true, false].map(|lockstep| {
            let mut batch = BatchSim::new(Arc::clone(model), count);
            batch.set_threads(threads).unwrap();
            batch.set_lockstep(lockstep);
            batch.set_reset(|_: &Model, data: &mut Data, random: &mut Random| {
                let Data { qpos, qvel, .. } = data;
                qpos.iter_mut().chain(qvel.iter_mut()).for_each(|x| *x += random.uniform(-0.1, 0.1));
            });
            batch.set_seed(7);
            batch.reset_all();
            batch
        });
        Self { batches, random: Random::of_world(9, count) }
    }

    /// Writes a number to the same index of both.
    fn write(&mut self, table: fn(&mut BatchSim) -> &mut [f64], index: usize, number: f64) {
        self.batches.iter_mut().for_each(|batch| table(batch)[index] = number);
    }

    /// Random controls, forces and mocap poses; now and then a state that nobody can step.
    fn disturb(&mut self, worlds: usize) {
        for index in 0..self.batches[0].controls_mut().len() {
            let control = self.random.uniform(-1.0, 1.0);
            self.write(BatchSim::controls_mut, index, control);
        }
        for world in 0..worlds {
            let numbers: [f64; 8] = std::array::from_fn(|_| self.random.uniform(-1.0, 1.0));
            for batch in &mut self.batches {
                let data = batch.world_mut(world).unwrap();
                data.qfrc_applied.iter_mut().zip(numbers).for_each(|(force, x)| *force = x);
                let poses = data.mocap_quat.iter_mut().zip(data.mocap_pos.iter_mut());
                for (quat, pos) in poses {
                    quat.iter_mut().zip(numbers).for_each(|(q, x)| *q = x);
                    pos[0] += 0.01 * numbers[4];
                }
            }
            let pushes = self.random.uniform(0.0, 1.0) < 0.1;
            for batch in &mut self.batches {
                let wrenches = &mut batch.world_mut(world).unwrap().xfrc_applied;
                wrenches
                    .iter_mut()
                    .skip(1)
                    .for_each(|wrench| wrench[0] = if pushes { numbers[6] } else { 0.0 });
            }
            if self.random.uniform(0.0, 1.0) < 0.03 {
                let columns = self.batches[0].state_columns();
                let index = (self.random.uniform(0.0, columns as f64) as usize).min(columns - 1);
                let bad = [f64::NAN, 1e9, 1e12, 0.0][(numbers[5].abs() * 4.0) as usize % 4];
                self.write(BatchSim::states_mut, world * columns + index, bad);
            }
        }
    }

    /// Steps both and compares all worlds; returns how many have failed.
    fn step(&mut self, name: &str) -> usize {
        self.batches.iter_mut().for_each(BatchSim::advance);
        let [a, b] = &self.batches;
        for world in 0..a.len() {
            let (x, y) = (a.world(world).unwrap(), b.world(world).unwrap());
            assert_eq!(difference(x, y), None, "{name}, world {world}");
            let errors = [a, b].map(|batch| format!("{:?}", batch.errors()[world]));
            assert_eq!(errors[0], errors[1], "{name}, world {world}");
        }
        assert!(a.states().iter().zip(b.states()).all(|(x, y)| same(x, y)), "{name}");
        a.errors().iter().flatten().count()
    }
}

#[test]
fn all_models_with_all_integrators() {
    let models = models();
    assert!(models.len() > 30, "{}", models.len());
    let mut failures = 0;
    for (name, mut model) in models {
        for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast]
        {
            model.opt.integrator = integrator as i32;
            let shared = Arc::new(model.clone());
            if shared.nq == 0 {
                continue;
            }
            let mut pair = Pair::new(&shared, 6, 1);
            for step in 0..4 {
                pair.batches.iter_mut().for_each(|batch| batch.set_frame_skip(1 + step % 2));
                pair.disturb(6);
                failures += pair.step(&name);
            }
        }
    }
    assert!(failures > 5, "{failures}");
}

#[test]
fn long_runs_with_resets_on_any_number_of_threads() {
    let names = ["showcase/humanoid.xml", "showcase/quadruped.xml", "joint_types.xml", "sensors.xml"];
    for (name, threads) in names.iter().flat_map(|name| [1, 2].map(|threads| (name, threads))) {
        for integrator in [Integrator::Euler, Integrator::Rk4] {
            let mut model = load(&folder().join(name));
            model.opt.integrator = integrator as i32;
            let mut pair = Pair::new(&Arc::new(model), 21, threads);
            pair.batches.iter_mut().for_each(|batch| batch.set_frame_skip(2));
            for step in 0..40 {
                pair.disturb(21);
                pair.step(name);
                if step % 5 == 4 {
                    let mask: Vec<bool> = (0..21).map(|_| pair.random.uniform(0.0, 1.0) < 0.3).collect();
                    pair.batches.iter_mut().for_each(|batch| batch.reset_where(&mask).unwrap());
                }
            }
        }
    }
}

/// Forces that are all made in lockstep: springs, dampers, motors and servos of hinge and slide joints, and
/// tendons that nothing asks for.
const PLAIN: &str = r#"<mujoco>
  <option integrator="RK4" timestep="0.004"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .3">
      <freejoint/>
      <geom size=".1"/>
      <geom size=".05" pos="0 .1 0"/>
      <body pos=".2 0 0">
        <joint name="knee" axis="0 1 0" stiffness="3" damping=".4" range="-50 50"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
        <body pos=".2 0 0">
          <joint name="piston" type="slide" axis="1 0 0" stiffness="20" springref=".02" armature=".1"/>
          <joint name="wheel" axis="0 0 1" frictionloss=".02"/>
          <geom type="box" size=".1 .04 .05"/>
        </body>
      </body>
      <body pos="-.2 0 0"><joint type="ball" damping=".1"/><geom type="box" size=".1 .05 .05"/></body>
    </body>
  </worldbody>
  <tendon>
    <fixed><joint joint="knee" coef="1"/><joint joint="wheel" coef="-.5"/></fixed>
  </tendon>
  <actuator>
    <motor joint="knee" gear="3" ctrlrange="-.4 .4"/>
    <position joint="piston" kp="30" kv="2"/>
    <motor joint="knee" forcerange="-.3 .3"/>
    <velocity joint="wheel" kv=".2"/>
  </actuator>
</mujoco>"#;

#[test]
fn plain_forces() {
    let served = PLAIN.to_owned();
    let motors = PLAIN.replace("<position joint=\"piston\" kp=\"30\" kv=\"2\"/>", "");
    let motors = motors.replace("<velocity joint=\"wheel\" kv=\".2\"/>", "");
    for text in [served, motors] {
        for (integrator, solver) in [("RK4", "Newton"), ("RK4", "PGS"), ("RK4", "CG"), ("Euler", "PGS")] {
            let name = format!("{integrator} {solver}");
            let option = format!("integrator=\"{integrator}\" solver=\"{solver}\"");
            let text = text.replace("integrator=\"RK4\"", &option);
            let model = Arc::new(kinetree_spec::load_model_str(&text).unwrap());
            let mut pair = Pair::new(&model, 8, 1);
            for step in 0..30 {
                pair.batches.iter_mut().for_each(|batch| batch.set_frame_skip(1 + step % 4));
                pair.disturb(8);
                if step % 7 == 3 {
                    // no number that controls may have
                    pair.write(BatchSim::controls_mut, step % (8 * model.nu), 1e11);
                }
                pair.step(&name);
            }
        }
    }
}
