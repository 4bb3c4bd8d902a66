//! One engine in its own process, without Python: loads models, sets states and times steps on request.
//!
//! It serves the requests of `bench/worker.py` that `python -m bench.corpus --native` makes: lines of JSON
//! in, lines of JSON out. Times are processor time of the process.

use kinetree::prelude::*;
use kinetree::sim;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

type Answer = Result<Value, Box<dyn Error>>;

/// Processor time of this process, in seconds.
#[cfg(unix)]
fn clock() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// Seconds since the first call, where processor time has no clock of its own.
#[cfg(not(unix))]
fn clock() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64()
}

/// What has been loaded, and the state that timings start from.
#[derive(Default)]
struct World {
    model: Option<Box<Model>>,
    data: Option<Box<Data>>,
    state: Value,
}

impl World {
    fn parts(&mut self) -> Result<(&Model, &mut Data, &Value), &'static str> {
        match self {
            Self { model: Some(model), data: Some(data), state } => Ok((model, data, state)),
            _ => Err("no model is loaded"),
        }
    }

    fn load(&mut self, request: &Value) -> Answer {
        let path = request["path"].as_str().ok_or("a path is missing")?;
        let start = clock();
        let model = load_model(path)?;
        let seconds = clock() - start;
        let answer = json!({ "load": seconds, "nv": model.nv, "version": env!("CARGO_PKG_VERSION") });
        (self.data, self.model) = (Some(Box::new(Data::new(&model))), Some(Box::new(model)));
        Ok(answer)
    }

    fn time(&mut self, request: &Value) -> Answer {
        let (model, data, state) = self.parts()?;
        adopt(data, state)?;
        let start = clock();
        for _ in 0..number(&request["steps"])? as usize {
            mj_step(model, data)?;
        }
        Ok(json!({ "seconds": clock() - start, "ncon": data.ncon }))
    }

    /// Least seconds of each stage of a step from a state, and of the whole step.
    fn profile(&mut self, request: &Value) -> Answer {
        let (model, data, state) = self.parts()?;
        let mut least = Map::new();
        let mut keep = |name: &str, seconds: f64| {
            let before = least.get(name).and_then(Value::as_f64).unwrap_or(f64::INFINITY);
            least.insert(name.to_owned(), seconds.min(before).into());
        };
        for _ in 0..number(&request["rounds"])? as usize {
            adopt(data, state)?;
            for (name, stage) in STAGES {
                let start = clock();
                stage(model, data)?;
                keep(name, clock() - start);
            }
            adopt(data, state)?;
            let start = clock();
            mj_step(model, data)?;
            keep("mj_step", clock() - start);
        }
        Ok(least.into())
    }

    fn answer(&mut self, request: &Value) -> Answer {
        match request["do"].as_str().unwrap_or_default() {
            "load" => self.load(request),
            "adopt" => {
                self.state = request["state"].clone();
                let (_, data, state) = self.parts()?;
                adopt(data, state)?;
                Ok(json!({}))
            }
            "settle" => {
                let (model, data, _) = self.parts()?;
                if model.nkey > 0 {
                    mj_reset_data_keyframe(model, data, 0)?;
                }
                for _ in 0..number(&request["steps"])? as usize {
                    mj_step(model, data)?;
                }
                Ok(json!({ "state": state_of(data), "time": data.time }))
            }
            "time" => self.time(request),
            "profile" => self.profile(request),
            other => Err(format!("no request is called {other}").into()),
        }
    }
}

type Stage = fn(&Model, &mut Data) -> Result<(), Box<dyn Error>>;

/// Stages under the names that the reference's Python package gives them.
macro_rules! stages {
    ($( $name:literal $function:ident )*) => {
        [$( ($name, |model, data| Ok(sim::$function(model, data)?)) ),*]
    };
}

/// What a step calls, in order.
const STAGES: [(&str, Stage); 19] = stages! {
    "mj_kinematics" mj_kinematics
    "mj_comPos" mj_com_pos
    "mj_camlight" mj_camlight
    "mj_flex" mj_flex
    "mj_tendon" mj_tendon
    "mj_makeM" mj_make_m
    "mj_factorM" mj_factor_m
    "mj_collision" mj_collision
    "mj_makeConstraint" mj_make_constraint
    "mj_island" mj_island
    "mj_transmission" mj_transmission
    "mj_projectConstraint" mj_project_constraint
    "mj_fwdVelocity" mj_fwd_velocity
    "mj_fwdActuation" mj_fwd_actuation
    "mj_fwdAcceleration" mj_fwd_acceleration
    "mj_fwdConstraint" mj_fwd_constraint
    "mj_sensorPos" mj_sensor_pos
    "mj_sensorVel" mj_sensor_vel
    "mj_sensorAcc" mj_sensor_acc
};

fn number(value: &Value) -> Result<f64, &'static str> {
    value.as_f64().ok_or("a number is missing")
}

/// The arrays of the state that requests and answers carry, in one view of numbers each.
fn arrays(data: &mut Data) -> [(&'static str, &mut [f64]); 7] {
    let Data { qpos, qvel, act, ctrl, qacc_warmstart, mocap_pos, mocap_quat, .. } = data;
    [
        ("qpos", qpos),
        ("qvel", qvel),
        ("act", act),
        ("ctrl", ctrl),
        ("qacc_warmstart", qacc_warmstart),
        ("mocap_pos", mocap_pos.as_flattened_mut()),
        ("mocap_quat", mocap_quat.as_flattened_mut()),
    ]
}

fn state_of(data: &mut Data) -> Value {
    arrays(data)
        .into_iter()
        .map(|(name, values)| (name.to_owned(), json!(values)))
        .collect::<Map<_, _>>()
        .into()
}

/// Sets a state that another engine reached.
fn adopt(data: &mut Data, state: &Value) -> Result<(), Box<dyn Error>> {
    for (name, values) in arrays(data) {
        let given = state["state"][name].as_array().ok_or("an array of the state is missing")?;
        if given.len() != values.len() {
            return Err(format!("{name} has {} numbers here, not {}", values.len(), given.len()).into());
        }
        for (value, given) in values.iter_mut().zip(given) {
            *value = number(given)?;
        }
    }
    data.time = number(&state["time"])?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    for line in stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let answer = world.answer(&request).unwrap_or_else(|error| json!({ "error": error.to_string() }));
        println!("{answer}");
        stdout().flush()?;
    }
    Ok(())
}
