//! Times of an arm's kinematics on one thread: microseconds of forward kinematics, of the geometric and the
//! analytical Jacobian (kinematics of the chain included), mean and 99th percentile of inverse kinematics
//! from random seeds, the mean along a path; and the bytes that Jacobians and solver work in.
//!
//! ```text
//! cargo run --release -p kinetree-ik --example arm_times [robot.urdf:base:end ...]
//! ```
//!
//! Without files UR5e, UR10 and Panda by their published lengths (`bench/arms`). Each time is the lowest of
//! several rounds, but of inverse kinematics each pose counts once. `bench/wasm/arms.mjs` prints the same of
//! the WebAssembly module, with the same poses.

use kinetree_ik::{Chain, JointFrameCache, ReferenceFrame, Settings, Solver, Target};
use kinetree_spec::load_kinematics;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const CONFIGURATIONS: usize = 1_000;
const ROUNDS: usize = 50;
const POSES: usize = 10_000;

/// A sequence that JavaScript draws, too (`Math.imul`).
struct Random(u32);

impl Random {
    fn between(&mut self, [low, high]: [f64; 2]) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * f64::from(self.0 >> 8) / f64::from(1_u32 << 24)
    }

    fn configuration(&mut self, chain: &Chain) -> Vec<f64> {
        chain.variables().iter().map(|variable| self.between(variable.range)).collect()
    }
}

/// Microseconds of a call on each configuration: the lowest mean of all rounds.
fn time(all: &[Vec<f64>], mut call: impl FnMut(&[f64])) -> f64 {
    let round = |_| {
        let start = Instant::now();
        all.iter().for_each(|q| call(black_box(q)));
        1e6 * start.elapsed().as_secs_f64() / all.len() as f64
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

/// Mean and 99th percentile of the microseconds of a solution, and how many of a hundred converge.
fn solve(solver: &mut Solver, poses: &[(Target, Vec<f64>)]) -> Result<[f64; 3], Box<dyn Error>> {
    let (mut solution, mut times, mut converged) = (solver.empty_solution(), Vec::new(), 0);
    for (target, seed) in poses {
        let start = Instant::now();
        solver.solve_into(target, Some(seed), &mut solution)?;
        times.push(1e6 * start.elapsed().as_secs_f64());
        converged += usize::from(solution.converged);
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_unstable_by(f64::total_cmp);
    Ok([mean, times[times.len() * 99 / 100], 100.0 * converged as f64 / times.len() as f64])
}

fn arm(argument: &str) -> Result<(), Box<dyn Error>> {
    let mut parts = argument.rsplitn(3, ':');
    let (Some(end), Some(base), Some(file)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(format!("'{argument}': give file:base:end").into());
    };
    let model = load_kinematics(file, None).map_err(|found| format!("{file}: {found}"))?.model;
    let chain = Chain::new(&model, base, end)?;
    let mut cache = JointFrameCache::new(&chain);
    let mut columns = vec![[0.0; 6]; chain.nv()];
    let mut random = Random(2026);
    let all: Vec<Vec<f64>> = (0..CONFIGURATIONS).map(|_| random.configuration(&chain)).collect();
    let fk = time(&all, |q| {
        let _ = black_box(chain.fk(q, &mut cache));
    });
    let jacobians = [ReferenceFrame::GEOMETRIC, ReferenceFrame::ANALYTIC].map(|frame| {
        time(&all, |q| {
            let _ = black_box(chain.jacobian(q, frame, &mut cache, &mut columns));
            black_box(&columns);
        })
    });
    let mut solver = Solver::new(chain.clone(), Settings::default())?;
    let mut goal = |q: &[f64]| chain.fk(q, &mut cache).map(|pose| Target::pose(&pose));
    let cold = (0..POSES)
        .map(|_| Ok((goal(&random.configuration(&chain))?, random.configuration(&chain))))
        .collect::<Result<Vec<_>, kinetree_ik::IkError>>()?;
    // a thousandth of the way from one configuration to the next each time
    let at = |k: usize| -> Vec<f64> {
        let (from, to, part) = (&all[k / 1000], &all[k / 1000 + 1], (k % 1000) as f64 / 1000.0);
        from.iter().zip(to).map(|(a, b)| a + part * (b - a)).collect()
    };
    let warm = (1..POSES)
        .map(|k| Ok((goal(&at(k))?, at(k - 1))))
        .collect::<Result<Vec<_>, kinetree_ik::IkError>>()?;
    let ([mean, slow, solved], [path, ..]) = (solve(&mut solver, &cold)?, solve(&mut solver, &warm)?);
    let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let (bytes, all) = (cache.bytes() + size_of_val(&*columns), solver.bytes());
    let [geometric, analytic] = jacobians;
    println!(
        "| {name} | {fk:.3} | {geometric:.3} | {analytic:.3} | {mean:.1} | {slow:.1} | {path:.1} | {solved:.2} % | {bytes} | {all} |"
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arms: Vec<String> = std::env::args().skip(1).collect();
    if arms.is_empty() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/arms");
        let own = [("ur5e", "tool0"), ("ur10", "tool0"), ("panda", "flange")];
        arms.extend(own.map(|(name, end)| format!("{folder}/{name}.urdf:base:{end}")));
    }
    println!(
        "| arm | FK, µs | geometric Jacobian | analytical | IK, mean | 99 % | along a path | solved | bytes, Jacobian | bytes, solver |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    arms.iter().try_for_each(|argument| arm(argument))
}
