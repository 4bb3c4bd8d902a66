//! Several solutions of one target, and solutions of many targets.

use super::{Solution, Solver, Target, unwind};
use crate::error::{IkError, check_size};
use core::f64::consts::PI;
#[cfg(feature = "parallel")]
use kinetree_model::SharedWatch;
use kinetree_model::{checkpoint, is_interrupted};

/// Solutions closer than this in every joint are the same branch (rad or m).
const SAME: f64 = 1e-3;

impl Solver {
    /// Distinct solutions of a target, nearest to the seed first, at most `count` of them. The search
    /// descends from starts that fill the limits until the solver's restarts or iterations are used up. A
    /// chain with six axes has few solutions; a redundant one has infinitely many, of which this gives a
    /// sample.
    ///
    /// # Errors
    /// When the seed has the wrong length or holds a value that is not a finite number.
    pub fn solve_all(
        &mut self,
        target: &Target,
        seed: Option<&[f64]>,
        count: usize,
    ) -> Result<Vec<Solution>, IkError> {
        self.set_start(seed)?;
        self.seeds.rewind();
        let mut found: Vec<Solution> = Vec::new();
        let (mut iterations, mut restarts) = (0, 0);
        let mut outcome = self.first_try(target, false);
        loop {
            iterations += outcome.steps;
            if self.task(target).reached(&outcome.miss) {
                self.best.copy_from_slice(&self.q);
                unwind(&self.chain, &self.start, &mut self.best);
                if found.iter().all(|other| self.differs(&other.q, &self.best)) {
                    let mut solution = self.empty_solution();
                    self.write_solution(&outcome, true, &mut solution);
                    (solution.iterations, solution.restarts) = (iterations, restarts);
                    found.push(solution);
                }
            }
            if found.len() >= count
                || restarts >= self.settings.max_restarts
                || iterations >= self.settings.max_iterations
                || is_interrupted()
            {
                break;
            }
            restarts += 1;
            outcome = self.another_try(target, false);
        }
        let start = self.start.clone();
        found.sort_by(|a, b| self.distance(&start, &a.q).total_cmp(&self.distance(&start, &b.q)));
        Ok(found)
    }

    /// The solution nearest to the seed in joint space among all that the search finds; the nearest pose when
    /// it finds none.
    ///
    /// # Errors
    /// When the seed has the wrong length or holds a value that is not a finite number.
    pub fn solve_nearest(&mut self, target: &Target, seed: Option<&[f64]>) -> Result<Solution, IkError> {
        match self.solve_all(target, seed, usize::MAX)?.into_iter().next() {
            Some(nearest) => Ok(nearest),
            None => self.solve(target, seed),
        }
    }

    /// Solutions of many targets, each from its own seed when `seeds` has `nq` numbers for each target, from
    /// one seed when it has `nq`, else from the middle of the limits. With the feature `parallel` the targets
    /// are shared among threads; the results do not depend on their number.
    ///
    /// # Errors
    /// When the seeds have another length or hold a value that is not a finite number.
    pub fn solve_batch(&self, targets: &[Target], seeds: Option<&[f64]>) -> Result<Vec<Solution>, IkError> {
        let nq = self.chain.nq();
        if let Some(seeds) = seeds.filter(|seeds| seeds.len() != nq) {
            check_size("the list of seeds", seeds, nq * targets.len())?;
        }
        let seed = |i: usize| {
            seeds.map(|seeds| if seeds.len() == nq { seeds } else { &seeds[i * nq..(i + 1) * nq] })
        };
        #[cfg(feature = "parallel")]
        if targets.len() > 1 && rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            let watch = SharedWatch::of_this_thread();
            return targets
                .par_iter()
                .enumerate()
                .with_min_len(8)
                .map_init(
                    || self.clone(),
                    |solver, (i, target)| {
                        watch.continued(|| {
                            checkpoint();
                            solver.solve(target, seed(i))
                        })
                    },
                )
                .filter_map(Result::ok)
                .collect();
        }
        let mut solver = self.clone();
        let each = targets.iter().enumerate().inspect(|_| checkpoint());
        each.map(|(i, target)| solver.solve(target, seed(i))).collect()
    }

    /// Joint distance by the shorter way for joints that can turn all the way round.
    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let mut v = vec![0.0; self.chain.nv()];
        self.chain.difference(a, b, &mut v);
        v.iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    /// Whether two configurations are different branches.
    fn differs(&self, a: &[f64], b: &[f64]) -> bool {
        let mut v = vec![0.0; self.chain.nv()];
        self.chain.difference(a, b, &mut v);
        let periodic = self.chain.variables().iter().filter(|v| super::descent::spans_full_circle(v.range));
        for variable in periodic.filter(|v| v.kind == crate::JointKind::Revolute) {
            let d = &mut v[variable.v_index];
            *d -= 2.0 * PI * (*d / (2.0 * PI)).round();
        }
        v.iter().any(|v| v.abs() > SAME)
    }
}
