//! `kinetree mpc`: a model that is controlled by planning ahead again and again.

mod fields;
mod task;

use crate::failure::Failure;
use crate::output::{BOLD, Output, print_warnings};
use crate::recording::Recording;
use crate::trajectory_file::TrajectoryFile;
use crate::{controls, interrupt, source};
use indicatif::{ProgressBar, ProgressStyle};
use kinetree::control::{BackgroundMpc, Budget, ControlError, Cost, Mpc, Plan, Point, QuadraticCost};
use kinetree::model::enums::{EnableBit, Warning};
use kinetree::model::interruptible;
use kinetree::prelude::*;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use task::Task;

/// Control a model by planning ahead again and again, while it moves (model predictive control).
///
/// The task is a JSON file: horizon (s), start and target (keyframes or positions), weights of joints,
/// controls and sensors, and the planner: ilqr, predictive, cem or mppi. Without one the model goes to its
/// first keyframe and stays there. The world goes on in real time while plans are made; with --replan it
/// waits for each plan, so that every run is the same. Ctrl-C stops and keeps what was recorded.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree mpc arm\n  kinetree mpc robot.xml --task reach.json --seconds 10 --out reach.csv\n  kinetree mpc robot.xml --task reach.json --replan 5 --json\n\nA task:\n  { \"horizon\": 0.5,\n    \"target\": { \"keyframe\": \"home\" },\n    \"joints\": { \"*\": { \"position\": 1, \"velocity\": 0.1, \"final_position\": 10 } },\n    \"controls\": { \"*\": 0.001 },\n    \"sensors\": { \"tip\": { \"target\": [0.5, 0, 0.3], \"weight\": 10, \"norm\": \"length\", \"width\": 0.05 } },\n    \"planner\": { \"method\": \"ilqr\", \"iterations\": 1 } }"
)]
pub(crate) struct Args {
    /// File or embedded model.
    model: String,
    /// The task, a JSON file.
    #[arg(long, value_name = "FILE.json")]
    task: Option<PathBuf>,
    /// Time of the world to the end.
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Keyframe to start from, by name or number; that of the task without it.
    #[arg(long)]
    key: Option<String>,
    /// Steps from one plan to the next, for which the world waits.
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u32).range(1..))]
    replan: Option<u32>,
    /// Trajectory to write: a .csv or .npz file, or - for CSV on standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Recorded rows per second of the world.
    #[arg(long, default_value_t = 100.0)]
    rate: f64,
}

impl From<ControlError> for Failure {
    fn from(error: ControlError) -> Self {
        match error {
            ControlError::Interrupted => Failure::Interrupted,
            other => Failure::Message(other.to_string()),
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    if !(args.seconds > 0.0 && args.seconds.is_finite() && args.rate > 0.0) {
        return Err(Failure::Message("--seconds and --rate must be positive numbers".into()));
    }
    let loaded = source::load(&args.model)?;
    print_warnings(&loaded.warnings)?;
    let mut model = loaded.model;
    model.opt.enableflags |= EnableBit::Energy as i32;
    let task = read_task(&model, args.task.as_deref())?;
    let data = controls::start(&model, args.key.as_deref().or(task.start.as_deref()))?;
    let file = TrajectoryFile::open(args.out.as_deref())?;

    interrupt::watch();
    let model = Arc::new(model);
    let mut world = World::new(args, &model, &task.cost, data);
    let began = Instant::now();
    let ended = match args.replan {
        Some(every) => world.wait_for_plans(&task, every),
        None => world.plan_in_background(&task),
    };
    let spent = began.elapsed();
    world.bar.finish_and_clear();
    // what was recorded until then is kept, however the way has ended
    let is_standard = file.is_standard();
    file.write(&world.recording, out)?;
    match ended {
        Ok(()) | Err(Failure::Interrupted) => {}
        Err(failure) => return Err(failure),
    }
    if !is_standard {
        summarize(args, &world, spent, out)?;
    }
    if interrupt::pressed() { Err(Failure::Interrupted) } else { Ok(()) }
}

fn read_task(model: &Model, path: Option<&Path>) -> Result<Task, Failure> {
    let Some(path) = path else { return Task::of_rest(model) };
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
    Task::read(model, &text)
}

/// The world that is controlled, and what is known of its way.
struct World<'t> {
    model: &'t Arc<Model>,
    cost: &'t QuadraticCost,
    data: Data,
    /// Rows are evaluated in a copy, so that recording does not change what is simulated.
    probe: Data,
    recording: Recording,
    bar: ProgressBar,
    /// Steps to make, steps from row to row, and steps made.
    total: u64,
    every: u64,
    step: u64,
    /// Costs of all steps, and of those of the last tenth.
    costs: [f64; 2],
    plans: usize,
    /// Ages of the plans that were followed, and of the oldest (s).
    ages: [f64; 2],
    /// Steps that began later than the clock said by more than a step.
    late: u64,
}

impl<'t> World<'t> {
    fn new(args: &Args, model: &'t Arc<Model>, cost: &'t QuadraticCost, data: Data) -> Self {
        let dt = model.opt.timestep;
        let total = (args.seconds / dt).round().max(1.0) as u64;
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3}%, {msg}, {eta} left") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Self {
            recording: Recording::new(model),
            probe: Data::new(model),
            every: ((1.0 / (args.rate * dt)).round() as u64).max(1),
            step: 0,
            costs: [0.0; 2],
            plans: 0,
            ages: [0.0; 2],
            late: 0,
            model,
            cost,
            data,
            bar,
            total,
        }
    }

    /// Keeps the present moment.
    fn record(&mut self) -> Result<(), Failure> {
        self.probe.copy_from(&self.data).map_err(StepError::from)?;
        mj_forward(self.model, &mut self.probe)?;
        self.recording.push(&self.probe);
        Ok(())
    }

    fn goes_on(&self) -> bool {
        self.step < self.total && !interrupt::pressed()
    }

    /// Every few steps a new plan, for which the world waits.
    fn wait_for_plans(&mut self, task: &Task, every: u32) -> Result<(), Failure> {
        let model = Arc::clone(self.model);
        let mut mpc = Mpc::new(&model, task.horizon, task.planner.clone())?;
        let budget = Budget { iterations: task.iterations, time: None };
        while self.goes_on() {
            if self.step.is_multiple_of(every.into()) {
                let plan = || mpc.replan(self.cost, &self.data, budget).map(|_| ());
                interruptible(|| !interrupt::pressed(), plan).map_err(|_| Failure::Interrupted)??;
                self.plans += 1;
            }
            let Some(plan) = mpc.plan() else { continue };
            self.follow(plan)?;
        }
        Ok(())
    }

    /// Plans on a thread of their own, while the world follows the clock.
    fn plan_in_background(&mut self, task: &Task) -> Result<(), Failure> {
        let budget = Budget { iterations: task.iterations, time: None };
        let cost = Arc::new(task.cost.clone());
        let model = Arc::clone(self.model);
        let mpc = BackgroundMpc::start(model, task.horizon, task.planner.clone(), cost, budget)?;
        // the clock begins with the first plan
        let first = || mpc.replan(&self.data);
        interruptible(|| !interrupt::pressed(), first).map_err(|_| Failure::Interrupted)??;
        let (began, dt) = (Instant::now(), self.model.opt.timestep);
        while self.goes_on() {
            mpc.observe(&self.data)?;
            let due = self.step as f64 * dt;
            let now = began.elapsed().as_secs_f64();
            if due > now {
                std::thread::sleep(Duration::from_secs_f64(due - now));
            } else if now - due > dt {
                self.late += 1;
            }
            if let Some(problem) = mpc.problem() {
                return Err(problem.into());
            }
            let Some(plan) = mpc.plan() else { continue };
            self.follow(&plan)?;
        }
        self.plans = mpc.plans();
        Ok(())
    }

    /// A step under a plan.
    fn follow(&mut self, plan: &Plan) -> Result<(), Failure> {
        let mut ctrl = vec![0.0; self.model.nu];
        plan.control(self.model, &self.data, &mut ctrl);
        self.data.ctrl.copy_from_slice(&ctrl);
        if self.step.is_multiple_of(self.every) {
            self.record()?;
            self.bar.set_message(format!("cost of the plan {:.4}", plan.cost()));
        }
        let data = &mut self.data;
        let age = plan.age(data.time).max(0.0);
        self.ages = [self.ages[0] + age, self.ages[1].max(age)];
        let (qpos, qvel, act) = (data.qpos.to_vec(), data.qvel.to_vec(), data.act.to_vec());
        mj_step(self.model, data)?;
        let unstable = [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc];
        if unstable.iter().any(|&warning| data.warning[warning as usize].number > 0) {
            let time = self.step as f64 * self.model.opt.timestep;
            return Err(Failure::WithHelp(
                format!("the world became unstable at t = {time:.3} s"),
                "a smaller time step, larger weights of controls or velocities, or a longer horizon may help"
                    .into(),
            ));
        }
        // sensors are those of the state before the step
        let point = Point {
            model: self.model,
            qpos: &qpos,
            qvel: &qvel,
            act: &act,
            ctrl: &ctrl,
            sensordata: &data.sensordata,
        };
        let cost = self.cost.running(0, &point);
        self.costs[0] += cost;
        if self.step >= self.total - self.total.div_ceil(10) {
            self.costs[1] += cost;
        }
        self.step += 1;
        self.bar.set_position(self.step);
        if self.step == self.total { self.record() } else { Ok(()) }
    }
}

fn summarize(args: &Args, world: &World<'_>, spent: Duration, out: &mut Output) -> Result<(), Failure> {
    let steps = world.step.max(1) as f64;
    let tenth = world.total.div_ceil(10);
    let last = world.step.saturating_sub(world.total - tenth).max(1) as f64;
    let (mean_cost, final_cost) = (world.costs[0] / steps, world.costs[1] / last);
    let (mean_age, oldest) = (world.ages[0] / steps, world.ages[1]);
    let seconds = spent.as_secs_f64();
    let rate = world.plans as f64 / seconds.max(1e-9);
    let file = args.out.as_ref().map(|path| path.display().to_string());
    if out.json {
        return Ok(out.value(&json!({
            "steps": world.step, "time": world.data.time, "wall_seconds": seconds, "plans": world.plans,
            "plans_per_second": rate, "mean_cost": mean_cost, "final_cost": final_cost,
            "mean_age": mean_age, "oldest": oldest, "late_steps": world.late, "file": file, "qpos": world.data.qpos[..],
        }))?);
    }
    writeln!(
        out,
        "{} steps to t = {:.3} s in {seconds:.2} s, {BOLD}{} plans{BOLD:#}, {rate:.1} a second",
        world.step, world.data.time, world.plans
    )?;
    writeln!(out, "cost of a step: {mean_cost:.4} in the mean, {final_cost:.4} in the last tenth")?;
    if args.replan.is_none() {
        writeln!(
            out,
            "age of the plan: {:.1} ms in the mean, at most {:.1} ms",
            1e3 * mean_age,
            1e3 * oldest
        )?;
    }
    if world.late > 0 {
        writeln!(
            out,
            "{} steps began late: the machine is too slow for this model in real time",
            world.late
        )?;
    }
    if let Some(file) = file {
        writeln!(out, "wrote {} rows to {file}", world.recording.len())?;
    }
    Ok(())
}
