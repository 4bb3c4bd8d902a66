//! Tasks: what a world should do, and how that is planned, read from a file of JSON.

use super::fields::{Fields, number};
use crate::controls::{start, unknown};
use crate::failure::Failure;
use kinetree::control::{
    Interpolation, Method, Norm, Planner, QuadraticCost, SamplerSettings, SensorTerm, Settings,
};
use kinetree::model::enums::{JointType, ObjType};
use kinetree::model::mj_name2id;
use kinetree::prelude::*;
use serde_json::{Value, json};

const FIELDS: [&str; 9] =
    ["about", "horizon", "start", "target", "joints", "controls", "control_target", "sensors", "planner"];
const WEIGHTS: [&str; 4] = ["position", "velocity", "final_position", "final_velocity"];
/// The planner that is not one of samples.
const ILQR: &str = "ilqr";
/// All joints, or all actuators.
const ALL: &str = "*";
/// The longest horizon, in steps.
const MOST_STEPS: f64 = 1e5;
/// The most memory that plans may need.
const MOST_BYTES: usize = 4_000_000_000;

/// A task of a model.
pub(crate) struct Task {
    pub(crate) cost: QuadraticCost,
    pub(crate) planner: Planner,
    /// Steps of a plan.
    pub(crate) horizon: usize,
    /// Iterations of a plan.
    pub(crate) iterations: usize,
    /// Keyframe that the world begins with.
    pub(crate) start: Option<String>,
}

impl Task {
    /// The task of a model for which there is no file: to reach its first keyframe, or else its reference
    /// position, and to stay there.
    pub(crate) fn of_rest(model: &Model) -> Result<Self, Failure> {
        let mut task = json!({
            "joints": { ALL: { "position": 1.0, "velocity": 0.1, "final_position": 10.0 } },
            "controls": { ALL: 1e-3 },
        });
        if model.nkey > 0 {
            task["target"] = json!({ "keyframe": "0" });
        }
        Self::of(model, &task)
    }

    /// Reads a task.
    pub(crate) fn read(model: &Model, text: &str) -> Result<Self, Failure> {
        let value = serde_json::from_str(text).map_err(|error| Failure::Message(format!("task: {error}")))?;
        Self::of(model, &value)
    }

    fn of(model: &Model, value: &Value) -> Result<Self, Failure> {
        let fields = Fields::new("task", value, &FIELDS)?;
        fields.text("about")?;
        let seconds = fields.number("horizon")?.unwrap_or(1.0);
        let steps = (seconds / model.opt.timestep).round();
        if !(1.0..=MOST_STEPS).contains(&steps) {
            let most = MOST_STEPS * model.opt.timestep;
            return Err(Failure::Message(format!(
                "task.horizon: should be a time from one step of {} s to {most} s, not {seconds}",
                model.opt.timestep
            )));
        }
        let mut cost = QuadraticCost::new(model);
        if let Some(target) = fields.object("target", &["keyframe", "qpos", "qvel"])? {
            let (qpos, qvel) = target_state(model, &target)?;
            cost = cost.target(&qpos, &qvel)?;
        }
        if let Some(joints) = fields.names("joints")? {
            let [running, terminal] = joint_weights(model, &joints)?;
            cost = cost.running_weights(&running)?.terminal_weights(&terminal)?;
        }
        if let Some(controls) = fields.names("controls")? {
            cost = cost.control_weights(&actuator_values(model, &controls)?)?;
        }
        if let Some(target) = fields.names("control_target")? {
            cost = cost.control_target(&actuator_values(model, &target)?)?;
        }
        for (name, place, term) in fields.names("sensors")?.iter().flat_map(Fields::iter) {
            cost = cost.sensor(model, sensor_term(model, name, &place, term)?)?;
        }
        let (planner, iterations) = planner(&fields)?;
        // a horizon has at most as many steps as was checked
        let horizon = steps as usize;
        check_memory(model, horizon, &planner)?;
        let start = fields.text("start")?.map(str::to_owned);
        Ok(Self { cost, planner, horizon, iterations, start })
    }
}

/// An error when plans would need more memory than worlds may.
fn check_memory(model: &Model, steps: usize, planner: &Planner) -> Result<(), Failure> {
    let bytes = planner.bytes(model, steps, true);
    if bytes.is_some_and(|bytes| bytes <= MOST_BYTES) {
        return Ok(());
    }
    let amount = bytes.map_or("more memory than can be counted".into(), |bytes| {
        format!("{} GB of memory", bytes / 1_000_000_000)
    });
    Err(Failure::WithHelp(
        format!("plans would need {amount}, and may need {} GB", MOST_BYTES / 1_000_000_000),
        "a shorter horizon, fewer samples or knots, or a longer time step need less".into(),
    ))
}

/// Positions and velocities to reach.
fn target_state(model: &Model, target: &Fields<'_>) -> Result<(Vec<f64>, Vec<f64>), Failure> {
    let data = start(model, target.text("keyframe")?)?;
    let qpos = target.numbers("qpos")?.unwrap_or_else(|| data.qpos.to_vec());
    let qvel = target.numbers("qvel")?.unwrap_or_else(|| data.qvel.to_vec());
    Ok((qpos, qvel))
}

/// Weights of the state's difference at each step and at the end; what is said of a joint by name counts more
/// than what is said of all.
fn joint_weights(model: &Model, joints: &Fields<'_>) -> Result<[Vec<f64>; 2], Failure> {
    let size = 2 * model.nv + model.na;
    let mut weights = [vec![0.0; size], vec![0.0; size]];
    let (all, named): (Vec<_>, Vec<_>) = joints.iter().partition(|(name, _, _)| *name == ALL);
    for (name, place, value) in all.into_iter().chain(named) {
        let dofs = if name == ALL { 0..model.nv } else { joint_dofs(model, name)? };
        let fields = Fields::new(&place, value, &WEIGHTS)?;
        for (kind, key) in WEIGHTS.into_iter().enumerate() {
            if let Some(weight) = fields.number(key)? {
                let first = dofs.start + (kind % 2) * model.nv;
                weights[kind / 2][first..first + dofs.len()].fill(weight);
            }
        }
    }
    Ok(weights)
}

fn joint_dofs(model: &Model, name: &str) -> Result<std::ops::Range<usize>, Failure> {
    let Some(joint) = mj_name2id(model, ObjType::Joint, name) else {
        return Err(unknown(model, ObjType::Joint, "joint", name, model.njnt));
    };
    let first = model.jnt_dofadr[joint] as usize;
    let count = match JointType::try_from(model.jnt_type[joint]) {
        Ok(JointType::Free) => 6,
        Ok(JointType::Ball) => 3,
        _ => 1,
    };
    Ok(first..first + count)
}

/// A value for each actuator, zero where none is given.
fn actuator_values(model: &Model, fields: &Fields<'_>) -> Result<Vec<f64>, Failure> {
    let mut values = vec![0.0; model.nu];
    let (all, named): (Vec<_>, Vec<_>) = fields.iter().partition(|(name, _, _)| *name == ALL);
    for (name, place, value) in all.into_iter().chain(named) {
        let value = number(&place, value)?;
        if name == ALL {
            values.fill(value);
        } else if let Some(actuator) = mj_name2id(model, ObjType::Actuator, name) {
            values[actuator] = value;
        } else {
            return Err(unknown(model, ObjType::Actuator, "actuator", name, model.nu));
        }
    }
    Ok(values)
}

fn sensor_term(model: &Model, name: &str, place: &str, value: &Value) -> Result<SensorTerm, Failure> {
    let Some(sensor) = mj_name2id(model, ObjType::Sensor, name) else {
        return Err(unknown(model, ObjType::Sensor, "sensor", name, model.nsensor));
    };
    let fields = Fields::new(place, value, &["target", "weight", "final_weight", "norm", "width"])?;
    let width = fields.number("width")?.unwrap_or(0.1);
    let norm = fields.text("norm")?.unwrap_or("quadratic");
    let norm = Norm::named(norm, width).map_err(|_| one_of(&format!("{place}.norm"), norm, Norm::NAMES))?;
    let zeros = || vec![0.0; model.sensor_dim[sensor] as usize];
    Ok(SensorTerm {
        sensor,
        target: fields.numbers("target")?.unwrap_or_else(zeros),
        running: fields.number("weight")?.unwrap_or(0.0),
        terminal: fields.number("final_weight")?.unwrap_or(0.0),
        norm,
    })
}

/// How plans are made, and iterations of a plan.
fn planner(fields: &Fields<'_>) -> Result<(Planner, usize), Failure> {
    let known = [
        "method",
        "iterations",
        "samples",
        "knots",
        "interpolation",
        "noise",
        "seed",
        "elites",
        "least_spread",
        "temperature",
    ];
    let Some(fields) = fields.object("planner", &known)? else {
        return Ok((Planner::Ilqr(Settings::default()), 1));
    };
    let iterations = fields.count("iterations")?.unwrap_or(1);
    let default = SamplerSettings::default();
    let samples = fields.count("samples")?.unwrap_or(default.samples);
    let name = fields.text("method")?.unwrap_or(ILQR);
    if name == ILQR {
        return Ok((Planner::Ilqr(Settings::default()), iterations));
    }
    let not_known = |_| one_of("task.planner.method", name, &[&[ILQR], Method::NAMES].concat());
    let mut method = name.parse().map_err(not_known)?;
    match &mut method {
        Method::Predictive => {}
        Method::CrossEntropy { elites, least_spread } => {
            *elites = fields.count("elites")?.unwrap_or(*elites);
            *least_spread = fields.number("least_spread")?.unwrap_or(*least_spread);
        }
        Method::PathIntegral { temperature } => {
            *temperature = fields.number("temperature")?.unwrap_or(*temperature);
        }
    }
    let interpolation = match fields.text("interpolation")? {
        None => default.interpolation,
        Some(name) => {
            name.parse().map_err(|_| one_of("task.planner.interpolation", name, Interpolation::NAMES))?
        }
    };
    let settings = SamplerSettings {
        method,
        samples,
        knots: fields.count("knots")?.unwrap_or(default.knots),
        interpolation,
        noise: fields.number("noise")?.unwrap_or(default.noise),
        seed: fields.count("seed")?.map_or(default.seed, |seed| seed as u64),
    };
    Ok((Planner::Sampler(settings), iterations))
}

fn one_of(place: &str, found: &str, known: &[&str]) -> Failure {
    Failure::WithHelp(format!("{place}: '{found}' is not known"), format!("there are: {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinetree::control::{Budget, Mpc, Plan};

    const ARM: &str = "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/><body pos='.3 0 0'><joint name='b'/>\
        <geom size='.1'/><site name='tip'/></body></body></worldbody><actuator><motor name='m' joint='a'/><motor joint='b'/>\
        </actuator><sensor><framepos name='tip' objtype='site' objname='tip'/></sensor><keyframe><key name='home'/></keyframe>\
        </mujoco>";
    const TASK: &str = r#"{ "about": "", "horizon": 0.01, "start": "home", "target": { "keyframe": "home", "qvel": [0, 1] },
        "joints": { "*": { "position": 1, "velocity": 0.1 }, "b": { "final_position": 10, "final_velocity": 1 } },
        "controls": { "*": 0.001, "m": 0.1 }, "control_target": { "m": 0.5 },
        "sensors": { "tip": { "target": [0.5, 0, 0.3], "weight": 10, "final_weight": 1, "norm": "length", "width": 0.05 } },
        "planner": { "method": "cem", "iterations": 1, "samples": 4, "knots": 3, "interpolation": "linear", "noise": 0.1,
        "seed": 1, "elites": 2, "least_spread": 0.1, "temperature": 1 } }"#;

    /// Numbers that look random.
    struct Random(u64);

    impl Random {
        fn below(&mut self, count: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % count.max(1)
        }

        /// Something that may stand in a file, and seldom makes sense there.
        fn nonsense(&mut self) -> Value {
            let all = json!([
                null, true, -1, 0, 1, 3, 1e300, -1e-300, 18_446_744_073_709_551_615_u64, 1e9, "", "*", "home", "tip", "a", "cubic",
                "mppi", "ilqr", "absolute", [], [1], [1, 2], [1, 2, 3], [null, "x"], {}, { "*": 1 }, { "position": -1 }
            ]);
            all[self.below(all.as_array().map_or(0, Vec::len))].clone()
        }

        /// Changes, removes or adds something anywhere.
        fn damage(&mut self, value: &mut Value) {
            let deeper = self.below(4) > 0;
            match value {
                Value::Object(map) if deeper && !map.is_empty() => {
                    let key = map.keys().nth(self.below(map.len())).cloned().unwrap_or_default();
                    match self.below(8) {
                        0 => drop(map.remove(&key)),
                        1 => drop(map.insert(format!("{key}{key}"), self.nonsense())),
                        _ => self.damage(&mut map[&key]),
                    }
                }
                Value::Array(list) if deeper && !list.is_empty() => {
                    let index = self.below(list.len());
                    self.damage(&mut list[index]);
                }
                value => *value = self.nonsense(),
            }
        }
    }

    #[test]
    fn damaged_tasks_end_in_errors_or_plans() {
        let model = load_model_str(ARM).expect("a model");
        let (mut random, mut outcomes) = (Random(1), [0; 2]);
        for _ in 0..4_000 {
            let mut task: Value = serde_json::from_str(TASK).expect("a task");
            (0..=random.below(3)).for_each(|_| random.damage(&mut task));
            let mut text = task.to_string();
            if random.below(20) == 0 {
                text.truncate(random.below(text.len()));
            }
            let Ok(task) = Task::read(&model, &text) else {
                outcomes[0] += 1;
                continue;
            };
            // what is large takes time, and is no error
            if task.planner.bytes(&model, task.horizon, true).is_some_and(|bytes| bytes < 100_000) {
                let once = Budget { iterations: 1, time: None };
                let mut data = Data::new(&model);
                mj_forward(&model, &mut data).expect("a state");
                if let Ok(mut mpc) = Mpc::new(&model, task.horizon, task.planner) {
                    let planned = mpc.replan(&task.cost, &data, once).map(Plan::cost);
                    assert!(planned.map_or(true, f64::is_finite), "{text}");
                }
            }
            outcomes[1] += 1;
        }
        assert!(outcomes.iter().all(|&count| count > 200), "both happen: {outcomes:?}");
    }
}
