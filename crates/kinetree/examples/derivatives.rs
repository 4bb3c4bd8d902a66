//! Compares analytic derivatives of a step with centred finite differences.
//!
//! `cargo run --release -p kinetree --example derivatives -- [--states N] [--every N] [--verbose] [--time]
//! FILE_OR_FOLDER…`
//!
//! With `--time` it measures instead: microseconds of a step, of `mjd_transition`, of `step_vjp` and of
//! `mjd_transition_fd`.
//!
//! Each model is taken to states at random, where it starts and while it falls and rests; the solver runs to
//! convergence. A column counts where finite differences of two step sizes agree; its error is relative to
//! its largest entry, or to one if that is smaller. Where it is wrong but differences to one side and to the
//! other differ, or both sides have other contacts than the state, the state is a kink and the column is
//! counted apart. Prints one line per model and a summary.

use kinetree::model::enums::Solver;
use kinetree::prelude::*;
use kinetree::sim::mjd_transition_fd;
use kinetree::sim::{DerivativeError, mj_differentiate_pos, mj_integrate_pos, mjd_transition, step_vjp};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Steps of the two finite differences.
const STEPS: [f64; 2] = [1e-6, 4e-6];
/// Relative difference of the two up to which a column counts.
const AGREEMENT: f64 = 2e-6;
/// Relative error up to which a column is right.
const TOLERANCE: f64 = 1e-5;

#[derive(Default)]
struct Tally {
    states: usize,
    columns: usize,
    skipped: usize,
    wrong: usize,
    /// Columns at kinks.
    kinks: usize,
    worst: f64,
    refused: BTreeMap<String, usize>,
}

fn files(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<_> =
            std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| files(entry, out));
    } else if path.extension().is_some_and(|e| e == "xml") {
        out.push(path.to_path_buf());
    }
}

/// Deterministic numbers in −1..1.
fn noise(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// The states of a model: where it starts, moved and moving at random, and after some steps.
fn state(model: &Model, index: usize) -> Option<Data> {
    let mut data = Data::new(model);
    let mut seed = 77 + index as u64;
    if !index.is_multiple_of(3) {
        let velocity: Vec<f64> = (0..model.nv).map(|_| noise(&mut seed)).collect();
        mj_integrate_pos(model, &mut data.qpos, &velocity, 0.1);
        data.qvel.iter_mut().for_each(|v| *v = noise(&mut seed));
    }
    for (i, ctrl) in data.ctrl.iter_mut().enumerate() {
        let [low, high] = model.actuator_ctrlrange[i];
        let middle = 0.5 * (low + high) + 0.3 * (high - low) * noise(&mut seed);
        *ctrl = if model.actuator_ctrllimited[i] != 0 { middle } else { 0.3 * noise(&mut seed) };
    }
    data.act.iter_mut().for_each(|act| *act = 0.5 + 0.3 * noise(&mut seed));
    for _ in 0..[0, 20, 150][index % 3] {
        mj_step(model, &mut data).ok()?;
    }
    let warned = data.warning.iter().any(|warning| warning.number > 0);
    let mut numbers = data.qpos.iter().chain(&*data.qvel).chain(&*data.act);
    (!warned && numbers.all(|x| x.is_finite())).then_some(data)
}

/// The state after a step from where one input is moved.
fn moved_step(model: &Model, data: &Data, input: usize, by: f64) -> Result<Data, DerivativeError> {
    let (nv, nx) = (model.nv, 2 * model.nv + model.na);
    let mut moved = data.clone();
    if input < nv {
        let mut direction = vec![0.0; nv];
        direction[input] = 1.0;
        mj_integrate_pos(model, &mut moved.qpos, &direction, by);
    } else if input < 2 * nv {
        moved.qvel[input - nv] += by;
    } else if input < nx {
        moved.act[input - 2 * nv] += by;
    } else {
        moved.ctrl[input - nx] += by;
    }
    mj_step(model, &mut moved)?;
    Ok(moved)
}

/// Difference of whole steps between two values of an input. Those of `mjd_transition_fd` keep factors of the
/// step before, as the reference does, and are not exact where these depend on velocities or controls.
fn difference(
    model: &Model,
    data: &Data,
    input: usize,
    [low, high]: [f64; 2],
) -> Result<Vec<f64>, DerivativeError> {
    let (minus, plus) = (moved_step(model, data, input, low)?, moved_step(model, data, input, high)?);
    let mut column = vec![0.0; model.nv];
    mj_differentiate_pos(model, &mut column, high - low, &minus.qpos, &plus.qpos);
    let rest = plus.qvel.iter().chain(&*plus.act).zip(minus.qvel.iter().chain(&*minus.act));
    column.extend(rest.map(|(p, m)| (p - m) / (high - low)));
    Ok(column)
}

/// Centred differences of whole steps.
fn whole_steps(model: &Model, data: &Data, eps: f64, out: &mut [Vec<f64>; 2]) -> Result<(), DerivativeError> {
    let nx = 2 * model.nv + model.na;
    for input in 0..nx + model.nu {
        let column = difference(model, data, input, [-eps, eps])?;
        let (matrix, width, at) =
            if input < nx { (&mut out[0], nx, input) } else { (&mut out[1], model.nu, input - nx) };
        for (row, value) in column.into_iter().enumerate() {
            matrix[row * width + at] = value;
        }
    }
    Ok(())
}

/// Whether the state is a kink for an input: on both sides there are other contacts or constraint rows than
/// here, or differences to one side and to the other differ by more than `error`, and by as much for a
/// smaller step: what is smooth has sides that come together.
fn is_kink(model: &Model, data: &Data, input: usize, error: f64) -> Result<bool, DerivativeError> {
    let rows = |by: f64| moved_step(model, data, input, by).map(|moved| (moved.ncon, moved.nefc));
    let here = rows(0.0)?;
    if rows(-STEPS[0])? != here && rows(STEPS[0])? != here {
        return Ok(true);
    }
    let mut gaps = [0.0_f64; 2];
    for (gap, eps) in gaps.iter_mut().zip(STEPS) {
        let below = difference(model, data, input, [-eps, 0.0])?;
        let above = difference(model, data, input, [0.0, eps])?;
        *gap = below.iter().zip(&above).fold(0.0, |gap, (a, b)| gap.max((a - b).abs()));
    }
    Ok(gaps[0] > error && gaps[1] < 2.0 * gaps[0])
}

fn compare(model: &Model, data: &mut Data, tally: &mut Tally, verbose: bool) -> Result<(), DerivativeError> {
    let (nv, nu) = (model.nv, model.nu);
    let nx = 2 * nv + model.na;
    let size = [nx * nx, nx * nu];
    let [mut a, mut b] = size.map(|n| vec![0.0; n]);
    mjd_transition(model, data, Some(&mut a), Some(&mut b), None, None)?;
    tally.states += 1;
    let [mut fine, mut coarse] = [size.map(|n| vec![0.0; n]), size.map(|n| vec![0.0; n])];
    for (eps, out) in STEPS.into_iter().zip([&mut fine, &mut coarse]) {
        whole_steps(model, data, eps, out)?;
    }
    for (m, (found, width)) in [(a, nx), (b, nu)].into_iter().enumerate() {
        for column in 0..width {
            let at = |matrix: &[f64], row: usize| matrix[row * width + column];
            let largest = |f: &dyn Fn(usize) -> f64| (0..nx).map(f).fold(0.0, f64::max);
            let scale = largest(&|r| at(&fine[m], r).abs()).max(1.0);
            let apart = largest(&|r| (at(&fine[m], r) - at(&coarse[m], r)).abs()) / scale;
            let finite = (0..nx).all(|r| at(&found, r).is_finite());
            if finite && (apart.is_nan() || apart >= AGREEMENT) {
                tally.skipped += 1;
                continue;
            }
            let error = largest(&|r| (at(&found, r) - at(&fine[m], r)).abs()) / scale;
            if finite && error >= TOLERANCE && is_kink(model, data, m * nx + column, error * scale)? {
                tally.kinks += 1;
                continue;
            }
            tally.columns += 1;
            tally.worst = tally.worst.max(if finite { error } else { f64::INFINITY });
            if error.is_nan() || error >= TOLERANCE {
                tally.wrong += 1;
                if verbose {
                    let row = (0..nx)
                        .max_by(|&r, &s| {
                            let d = |r: usize| (at(&found, r) - at(&fine[m], r)).abs();
                            d(r).total_cmp(&d(s))
                        })
                        .unwrap_or(0);
                    println!(
                        "    {} column {column} row {row}: {} instead of {} ({error:.1e}, ncon {})",
                        ["A", "B"][m],
                        at(&found, row),
                        at(&fine[m], row),
                        data.ncon
                    );
                }
            }
        }
    }
    Ok(())
}

fn check(path: &Path, states: usize, verbose: bool) -> Option<Tally> {
    let mut model = load_model(path).ok()?;
    if model.nv == 0 || model.nv > 200 {
        return None;
    }
    let mut tally = Tally::default();
    let settings = (model.opt.tolerance, model.opt.iterations, model.opt.solver);
    for index in 0..states {
        (model.opt.tolerance, model.opt.iterations, model.opt.solver) = settings;
        let Some(mut data) = state(&model, index) else { continue };
        // all solvers have the same optimum, to which this one comes
        (model.opt.tolerance, model.opt.iterations, model.opt.solver) = (0.0, 200, Solver::Newton as i32);
        (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
        if let Err(error) = compare(&model, &mut data, &mut tally, verbose) {
            *tally.refused.entry(error.to_string()).or_default() += 1;
        }
    }
    Some(tally)
}

/// Best time of some repetitions (µs).
fn best(repetitions: usize, mut run: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..repetitions {
        let start = std::time::Instant::now();
        run();
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
    }
    least
}

/// Prints the times of a model after 150 steps.
fn measure(path: &Path) {
    let Ok(model) = load_model(path) else { return };
    let Some(mut data) = state(&model, 2) else { return };
    let nx = 2 * model.nv + model.na;
    let (mut a, mut b) = (vec![0.0; nx * nx], vec![0.0; nx * model.nu]);
    if let Err(error) = mjd_transition(&model, &mut data, Some(&mut a), Some(&mut b), None, None) {
        println!("{}: {error}", path.display());
        return;
    }
    let analytic = best(50, || {
        let _ = mjd_transition(&model, &mut data, Some(&mut a), Some(&mut b), None, None);
    });
    let differences = best(5, || {
        let _ = mjd_transition_fd(&model, &mut data, 1e-6, false, Some(&mut a), Some(&mut b), None, None);
    });
    let (adjoint, mut dx, mut du) = (vec![1.0; nx], vec![0.0; nx], vec![0.0; model.nu]);
    let product = best(50, || {
        let _ = step_vjp(&model, &mut data, &adjoint, &mut dx, &mut du);
    });
    let mut moving = data.clone();
    let step = best(50, || {
        moving.qpos.copy_from_slice(&data.qpos);
        moving.qvel.copy_from_slice(&data.qvel);
        let _ = mj_step(&model, &mut moving);
    });
    println!(
        "{}: nv {}, {} contacts: step {step:.1}, analytic {analytic:.1}, reverse product {product:.1}, differences \
         {differences:.1} \u{b5}s",
        path.display(),
        model.nv,
        data.ncon
    );
}

fn main() {
    let (mut paths, mut states, mut verbose, mut every, mut time) = (Vec::new(), 3, false, 1, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
        match argument.as_str() {
            "--states" => states = number(),
            "--every" => every = number(),
            "--verbose" => verbose = true,
            "--time" => time = true,
            path => files(Path::new(path), &mut paths),
        }
    }
    if time {
        return paths.iter().step_by(every).for_each(|path| measure(path));
    }
    let (mut right, mut wrong, mut columns, mut wrong_columns, mut kinks) = (0, 0, 0, 0, 0);
    let (mut skipped, mut refused) = (0, BTreeMap::<String, usize>::new());
    for path in paths.iter().step_by(every) {
        let Some(tally) = check(path, states, verbose) else { continue };
        if tally.states > 0 {
            if tally.wrong == 0 { right += 1 } else { wrong += 1 }
        }
        columns += tally.columns;
        wrong_columns += tally.wrong;
        skipped += tally.skipped;
        kinks += tally.kinks;
        for reason in tally.refused.keys() {
            *refused.entry(reason.clone()).or_default() += 1;
        }
        println!(
            "{} {:>5} columns, {:>4} skipped, {:>4} at kinks, {:>4} wrong, worst {:.1e} {:?} {}",
            if tally.wrong == 0 { "ok  " } else { "FAIL" },
            tally.columns,
            tally.skipped,
            tally.kinks,
            tally.wrong,
            tally.worst,
            tally.refused,
            path.display()
        );
    }
    println!(
        "models: {right} right, {wrong} wrong; columns: {columns} compared, {wrong_columns} wrong, {kinks} at kinks, \
         {skipped} where finite differences disagree with each other"
    );
    for (reason, count) in refused {
        println!("refused by {count} models: {reason}");
    }
}
