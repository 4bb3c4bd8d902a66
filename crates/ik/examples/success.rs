//! Success rate and time of inverse kinematics on random reachable poses.
//!
//! ```text
//! cargo run --release -p kinetree-ik --example success -- robot.urdf:base_link:tool0 …
//! ```

use kinetree_ik::{Chain, JointFrameCache, Settings, Solver, Target};
use kinetree_spec::Spec;
use std::time::Instant;

const POSES: usize = 10_000;

struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for argument in std::env::args().skip(1) {
        let parts: Vec<&str> = argument.split(':').collect();
        let [file, base, end] = parts[..] else { return Err("give file:base:end".into()) };
        let mut spec = Spec::from_xml_file(file)?;
        // keep links that no joint moves, such as the tool's
        spec.compiler_mut().fusestatic = false;
        let model = spec.compile()?;
        let chain = Chain::new(&model, base, end)?;
        let mut cache = JointFrameCache::new(&chain);
        let mut solver = Solver::new(chain.clone(), Settings::default())?;
        let mut random = Random(2026);
        let draw = |random: &mut Random| -> Vec<f64> {
            chain.variables().iter().map(|v| random.between(v.range[0], v.range[1])).collect()
        };
        let (mut solved, mut iterations, mut restarts) = (0, 0, 0);
        let mut times = Vec::with_capacity(POSES);
        let mut solution = solver.empty_solution();
        for _ in 0..POSES {
            let target = Target::pose(&chain.fk(&draw(&mut random), &mut cache)?);
            let seed = draw(&mut random);
            let start = Instant::now();
            solver.solve_into(&target, Some(&seed), &mut solution)?;
            times.push(start.elapsed().as_secs_f64() * 1e6);
            solved += usize::from(solution.converged);
            iterations += solution.iterations;
            restarts += solution.restarts;
        }
        times.sort_unstable_by(f64::total_cmp);
        println!(
            "{end:>16} {} dofs: {:.2} % mean {:.1} µs median {:.1} p99 {:.1} max {:.0}; {:.1} iterations, {:.2} restarts, {:.3} µs an iteration",
            chain.nv(),
            100.0 * solved as f64 / POSES as f64,
            times.iter().sum::<f64>() / POSES as f64,
            times[POSES / 2],
            times[POSES * 99 / 100],
            times[POSES - 1],
            iterations as f64 / POSES as f64,
            restarts as f64 / POSES as f64,
            times.iter().sum::<f64>() / iterations as f64,
        );
    }
    Ok(())
}
