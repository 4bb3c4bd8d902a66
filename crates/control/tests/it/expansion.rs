//! Expansions of costs against finite differences of values and of residuals.

use crate::support::{ball, floating};
use kinetree_control::{Cost, Expansion, Norm, Point, QuadraticCost, SensorJacobian, SensorTerm};
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_differentiate_pos, mj_forward, mj_integrate_pos, mjd_transition};

/// A cost of everything, with its parts.
struct Problem {
    model: Model,
    cost: QuadraticCost,
    qpos: Vec<f64>,
    weights: [Vec<f64>; 3],
    terms: Vec<SensorTerm>,
}

impl Problem {
    fn new(model: Model, qpos: &[f64]) -> Self {
        let nx = 2 * model.nv + model.na;
        let running: Vec<f64> = (0..nx).map(|i| 1.0 + i as f64).collect();
        let terminal: Vec<f64> = (0..nx).map(|i| 20.0 - i as f64).collect();
        let controls: Vec<f64> = (0..model.nu).map(|i| 0.3 + 0.1 * i as f64).collect();
        let norms = [Norm::Length { width: 0.1 }, Norm::Absolute { width: 0.1 }];
        let term = |sensor: usize| SensorTerm {
            sensor,
            target: vec![0.1, 0.2, -0.3],
            running: 0.7,
            terminal: 0.4,
            norm: norms[sensor],
        };
        let terms: Vec<SensorTerm> = (0..model.nsensor).map(term).collect();
        let mut cost = QuadraticCost::new(&model)
            .target(qpos, &vec![0.1; model.nv])
            .and_then(|cost| cost.running_weights(&running)?.terminal_weights(&terminal))
            .and_then(|cost| cost.control_weights(&controls))
            .unwrap();
        for term in &terms {
            cost = cost.sensor(&model, term.clone()).unwrap();
        }
        Self { model, cost, qpos: qpos.to_vec(), weights: [running, terminal, controls], terms }
    }

    /// A data moved in the tangent space, with its sensors.
    fn moved(&self, data: &Data, change: &[f64]) -> Data {
        let (mut moved, nv) = (data.clone(), self.model.nv);
        mj_integrate_pos(&self.model, &mut moved.qpos, &change[..nv], 1.0);
        let rest = moved.qvel.iter_mut().chain(moved.act.iter_mut()).chain(moved.ctrl.iter_mut());
        rest.zip(&change[nv..]).for_each(|(value, change)| *value += change);
        mj_forward(&self.model, &mut moved).unwrap();
        moved
    }

    /// The state's difference from the target.
    fn error(&self, data: &Data) -> Vec<f64> {
        let mut error = vec![0.0; self.model.nv];
        mj_differentiate_pos(&self.model, &mut error, 1.0, &self.qpos, &data.qpos);
        error.extend(data.qvel.iter().map(|v| v - 0.1));
        error.extend(&*data.act);
        error
    }
}

fn point<'a>(model: &'a Model, data: &'a Data, is_end: bool) -> Point<'a> {
    Point {
        model,
        qpos: &data.qpos,
        qvel: &data.qvel,
        act: &data.act,
        ctrl: if is_end { &[] } else { &data.ctrl },
        sensordata: &data.sensordata,
    }
}

/// Adds `weight · jᵀ h j` of Jacobians whose rows are given.
fn add(out: &mut [f64], rows: &[Vec<f64>], h: &[f64], weight: f64) {
    let (n, size) = (rows.len(), rows[0].len());
    for (i, j) in (0..n * n).map(|at| (at / n, at % n)) {
        for (a, b) in (0..size * size).map(|at| (at / size, at % size)) {
            out[a * size + b] += weight * h[i * n + j] * rows[i][a] * rows[j][b];
        }
    }
}

/// Compares gradient and Hessian of a step or of the end.
fn check(problem: &Problem, data: &Data, is_end: bool) {
    let Problem { model, cost, .. } = problem;
    let (nx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
    let inputs = if is_end { nx } else { nx + nu };
    let (mut c, mut d) = (vec![0.0; ns * nx], vec![0.0; ns * nu]);
    mjd_transition(model, &mut data.clone(), None, None, Some(&mut c), Some(&mut d)).unwrap();
    let mut found = Expansion::default();
    found.clear(nx, nu);
    let here = problem.moved(data, &vec![0.0; nx + nu]);
    if is_end {
        cost.expand_terminal(&point(model, &here, true), SensorJacobian { c: &c, d: &[] }, &mut found);
    } else {
        cost.expand_running(0, &point(model, &here, false), SensorJacobian { c: &c, d: &d }, &mut found);
    }
    assert!(found.is_finite());

    let mut errors = vec![vec![0.0; nx + nu]; nx];
    for i in 0..inputs {
        let at = |h: f64| {
            let mut change = vec![0.0; nx + nu];
            change[i] = h;
            let moved = problem.moved(data, &change);
            let point = point(model, &moved, is_end);
            let value = if is_end { cost.terminal(&point) } else { cost.running(0, &point) };
            (value, problem.error(&moved))
        };
        let (up, down) = (at(1e-6), at(-1e-6));
        let expected = (up.0 - down.0) / 2e-6;
        let gradient = found.x.iter().chain(&found.u).nth(i).unwrap();
        assert!((gradient - expected).abs() < 1e-7 * expected.abs().max(1.0), "{i}: {gradient} {expected}");
        for (row, (up, down)) in errors.iter_mut().zip(up.1.iter().zip(&down.1)) {
            row[i] = (up - down) / 2e-6;
        }
    }

    // by Gauss and Newton: squares of the residuals' Jacobians
    let size = nx + nu;
    let mut hessian = vec![0.0; size * size];
    let [running, terminal, controls] = &problem.weights;
    for (row, weight) in errors.iter().zip(if is_end { terminal } else { running }) {
        add(&mut hessian, std::slice::from_ref(row), &[1.0], *weight);
    }
    for (i, weight) in controls.iter().enumerate().filter(|_| !is_end) {
        hessian[(nx + i) * (size + 1)] += weight;
    }
    for term in &problem.terms {
        let (first, n) = (model.sensor_adr[term.sensor] as usize, term.target.len());
        let residuals: Vec<f64> =
            here.sensordata[first..].iter().zip(&term.target).map(|(value, target)| value - target).collect();
        let (mut gradient, mut h) = (vec![0.0; n], vec![0.0; n * n]);
        term.norm.derivatives(&residuals, &mut gradient, &mut h);
        let row = |i: usize| {
            let controls = if is_end { vec![0.0; nu] } else { d[i * nu..(i + 1) * nu].to_vec() };
            [&c[i * nx..(i + 1) * nx], &controls].concat()
        };
        let rows: Vec<Vec<f64>> = (first..first + n).map(row).collect();
        add(&mut hessian, &rows, &h, if is_end { term.terminal } else { term.running });
    }
    for (a, b) in (0..size * size).map(|at| (at / size, at % size)) {
        let found = match (a < nx, b < nx) {
            (true, true) => found.xx[a * nx + b],
            (false, true) => found.ux[(a - nx) * nx + b],
            (true, false) => found.ux[(b - nx) * nx + a],
            (false, false) => found.uu[(a - nx) * nu + b - nx],
        };
        let expected = hessian[a * size + b];
        assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{a} {b}: {found} {expected}");
    }
}

/// A data of some state, which is no symmetric one.
fn somewhere(model: &Model, qpos: &[f64]) -> Data {
    let mut data = Data::new(model);
    data.qpos.copy_from_slice(qpos);
    let (qvel, act, ctrl) = (&mut data.qvel, &mut data.act, &mut data.ctrl);
    let values = qvel.iter_mut().chain(act.iter_mut()).chain(ctrl.iter_mut());
    values.enumerate().for_each(|(i, value)| *value = (1.3 * i as f64 + 0.4).sin() * 0.4);
    data
}

#[test]
fn expansions_are_derivatives_of_costs() {
    let (ball, floating) = (ball(), floating());
    let data = somewhere(&ball, &[0.5, -0.5, 0.5, 0.5]);
    let problem = Problem::new(ball, &[0.8, 0.2, -0.4, 0.4]);
    check(&problem, &data, false);
    let mut still = data.clone();
    still.ctrl.fill(0.0);
    check(&problem, &still, true);
    let data = somewhere(&floating, &[0.1, 0.2, 0.3, 0.1, -0.7, 0.1, 0.7]);
    let problem = Problem::new(floating, &[0.3, 0.0, 0.1, 0.8, 0.2, -0.4, 0.4]);
    check(&problem, &data, false);
    check(&problem, &data, true);
}
