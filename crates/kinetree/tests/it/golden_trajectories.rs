//! Trajectories of the reference (`conformance/goldens.py` writes them): each flag, each solver × cone ×
//! integrator × storage of the Jacobian, with and without the noslip pass, each model under `models/`. That a
//! flag changes its trajectory is checked where the files are made.

use kinetree::prelude::*;
use std::collections::HashMap;
use std::path::Path;

/// Largest error of a field, relative to its largest magnitude or one.
const TOLERANCE: f64 = 1e-6;

/// One run: a model, changed options, and what was observed.
struct Case<'a> {
    name: &'a str,
    model: &'a str,
    steps: usize,
    options: HashMap<&'a str, f64>,
    rows: Vec<(&'a str, usize, Vec<f64>)>,
}

fn parse(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let first = words.next().unwrap();
        if first == "case" {
            let (name, model) = (words.next().unwrap(), words.next().unwrap());
            let steps = words.next().unwrap().parse().unwrap();
            let options =
                words.map(|w| w.split_once('=').unwrap()).map(|(k, v)| (k, v.parse().unwrap())).collect();
            cases.push(Case { name, model, steps, options, rows: Vec::new() });
        } else {
            let step = words.next().unwrap().parse().unwrap();
            let values = words.map(|w| w.parse().unwrap()).collect();
            cases.last_mut().unwrap().rows.push((first, step, values));
        }
    }
    cases
}

/// The random numbers of the script, between −1 and 1.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn set_controls(model: &Model, data: &mut Data, stream: &mut Stream) {
    for i in 0..model.nu {
        let value = stream.next();
        let [low, high] = model.actuator_ctrlrange[i];
        let limited = model.actuator_ctrllimited[i] != 0;
        data.ctrl[i] = if limited { low + (high - low) * (0.5 + 0.75 * value) } else { value };
    }
}

fn changed_model(case: &Case<'_>) -> Model {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut model = load_model(root.join(case.model)).unwrap_or_else(|e| panic!("{}: {e}", case.model));
    let option = |name: &str| case.options.get(name).map(|&v| v as i32);
    model.opt.disableflags |= option("disable").unwrap_or(0);
    model.opt.enableflags |= option("enable").unwrap_or(0);
    for (name, value) in [
        ("solver", &mut model.opt.solver),
        ("cone", &mut model.opt.cone),
        ("integrator", &mut model.opt.integrator),
        ("jacobian", &mut model.opt.jacobian),
        ("iterations", &mut model.opt.iterations),
        ("noslip_iterations", &mut model.opt.noslip_iterations),
    ] {
        *value = option(name).unwrap_or(*value);
    }
    model.opt.tolerance = case.options.get("tolerance").copied().unwrap_or(model.opt.tolerance);
    model
}

/// The value of an observed field; `None` for one that is not known.
fn observed(model: &Model, data: &Data, field: &str) -> Option<Vec<f64>> {
    let integers = |values: &[i32]| values.iter().map(|&v| f64::from(v)).collect();
    Some(match field {
        "time" => vec![data.time],
        "qpos" => data.qpos.to_vec(),
        "qvel" => data.qvel.to_vec(),
        "act" => data.act.to_vec(),
        "sensordata" => data.sensordata.to_vec(),
        "energy" => data.energy.to_vec(),
        "fwdinv" => data.solver_fwdinv.to_vec(),
        "counts" => [data.ncon, data.nefc, data.nisland].map(|n| n as f64).to_vec(),
        "geoms" => data.contact[..data.ncon].iter().flat_map(|c| c.geom.map(f64::from)).collect(),
        "niter" => vec![f64::from(data.solver_niter[..data.nisland.max(1)].iter().sum::<i32>())],
        "warnings" => integers(&data.warning.map(|w| w.number)),
        "actuator_length" => data.actuator_length.to_vec(),
        "actuator_velocity" => data.actuator_velocity.to_vec(),
        "actuator_force" => data.actuator_force.to_vec(),
        "qfrc_passive" => data.qfrc_passive.to_vec(),
        "qfrc_bias" => data.qfrc_bias.to_vec(),
        "ten_length" => data.ten_length.to_vec(),
        "ten_velocity" => data.ten_velocity.to_vec(),
        "cvel" => data.cvel.as_flattened().to_vec(),
        "xipos" => data.xipos.as_flattened().to_vec(),
        "efc_pos" => data.efc_pos.clone(),
        "efc_margin" => data.efc_margin.clone(),
        "cfrc_ext" | "cfrc_int" => {
            let mut twin = data.clone();
            kinetree::sim::mj_rne_post_constraint(model, &mut twin).unwrap();
            let forces: &[[f64; 6]] = if field == "cfrc_ext" { &twin.cfrc_ext } else { &twin.cfrc_int };
            forces.as_flattened().to_vec()
        }
        "qfrc_inverse" => {
            let mut twin = data.clone();
            twin.inverse(model).unwrap();
            twin.qfrc_inverse.to_vec()
        }
        _ => return None,
    })
}

fn error(mine: &[f64], reference: &[f64]) -> f64 {
    if mine.len() != reference.len() {
        return f64::INFINITY;
    }
    let scale = reference.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let worst = mine
        .iter()
        .zip(reference)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, |m, e| if e > m || e.is_nan() { e } else { m });
    if worst.is_nan() { f64::INFINITY } else { worst / scale }
}

/// The largest error of a sensor: large values of one do not hide small ones of another.
fn sensor_error(model: &Model, mine: &[f64], reference: &[f64]) -> f64 {
    let range_of = |sensor: usize| {
        let first = model.sensor_adr[sensor] as usize;
        first..first + model.sensor_dim[sensor] as usize
    };
    (0..model.nsensor).map(range_of).map(|r| error(&mine[r.clone()], &reference[r])).fold(0.0, f64::max)
}

/// Runs a case and returns what differs.
fn run(case: &Case<'_>) -> Vec<String> {
    let model = changed_model(case);
    let (mut data, mut stream, mut wrong) = (Data::new(&model), Stream(1), Vec::new());
    if model.nkey > 0 {
        data.reset_to_keyframe(&model, 0).unwrap();
    }
    if let Some(shove) = case.options.get("shove") {
        data.qvel.iter_mut().for_each(|v| *v = shove * stream.next());
    }
    for step in 1..=case.steps {
        set_controls(&model, &mut data, &mut stream);
        if case.options.get("kick") == Some(&(step as f64)) {
            data.qvel[0] = 1e11;
        }
        data.step(&model).unwrap();
        for (field, _, reference) in case.rows.iter().filter(|row| row.1 == step) {
            let mine = observed(&model, &data, field).unwrap_or_else(|| panic!("unknown field {field}"));
            let e = if *field == "sensordata" {
                sensor_error(&model, &mine, reference)
            } else {
                error(&mine, reference)
            };
            // how many iterations conjugate gradients take depends on rounding; so does whether one is
            // counted where no row pushes and the start is the solution, up to the last digit
            let idle = data.efc_force.iter().all(|&f| f == 0.0) && mine[0] <= 1.0 && reference[0] <= 1.0;
            let by_rounding = *field == "niter" && (case.options.contains_key("tolerance") || idle);
            if e > TOLERANCE && !by_rounding {
                wrong.push(format!(
                    "{} {} {:?}: {field} at step {step}: {e:.2e}",
                    case.name, case.model, case.options
                ));
            }
        }
    }
    wrong
}

fn check(text: &str) {
    let cases = parse(text);
    assert!(!cases.is_empty());
    let wrong: Vec<String> = cases.iter().flat_map(run).collect();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_flag_agrees_with_the_reference() {
    check(include_str!("../golden/flags.txt"));
}

#[test]
fn every_solver_and_integrator_agrees_with_the_reference() {
    check(include_str!("../golden/solvers.txt"));
}

#[test]
fn every_model_agrees_with_the_reference() {
    check(include_str!("../golden/models.txt"));
}
