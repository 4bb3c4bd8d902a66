//! Projected Gauss–Seidel for rows that are all inequalities (limits, frictionless contacts, edges of
//! friction pyramids) and a dense matrix: what most models with few dofs have.
//!
//! The minimum over one force with the others fixed is `f_i ← max(0, t_i)` with the target
//! `t_i = −(b_i + Σ_{j≠i} A_ij f_j) / A_ii`. Instead of summing over a row of `A` for each force, all targets
//! are kept up to date: a change `δ` of force `i` adds `C_ij δ` to target `j`, `C_ij = −A_ij / A_jj`. From
//! one force to the next that is a maximum, a difference, a product and a sum, and no division. Few rows
//! ([`MOST_UNROLLED`]) are swept by code of their own for each number of rows, in registers.

use super::matrix::{MAX_INCREASE, dual_state};
use crate::solver::rounds::ends_early;
use crate::solver::stats::IterationLog;
use kinetree_math::dense::dot;
use kinetree_math::lanes::{lanes, numbers, numbers_mut};
use kinetree_model::enums::ConstraintType;
use kinetree_model::{Data, Model, SolverStat};
use wide::f64x4;

/// Sweeps after which targets are summed anew, so that what is rounded off does not pile up.
const REFRESH: i32 = 32;
/// Most rows with code of their own.
const MOST_UNROLLED: usize = 8;

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct PushScratch {
    /// The matrix `C`, row by row.
    coupling: Vec<f64x4>,
    target: Vec<f64x4>,
    diagonal: Vec<f64>,
}

/// When sweeps end.
pub(crate) struct Limits {
    pub max_iterations: i32,
    /// Scale of improvements.
    pub scale: f64,
    pub tolerance: f64,
}

/// What came of a sweep.
#[derive(Clone, Copy)]
struct Sweep {
    improvement: f64,
    /// Rows with a force.
    active: i32,
    /// Rows that have gained or lost theirs.
    changed: i32,
}

/// Whether all rows push and the matrix is dense.
pub(crate) fn all_push(model: &Model, data: &Data) -> bool {
    !model.is_sparse()
        && data.ne + data.nf == 0
        && !data.efc_type.contains(&(ConstraintType::ContactElliptic as i32))
}

/// The dual problem `min ½ fᵀ A f + fᵀ b` over `f ≥ 0`, with `R` in `A`.
struct PushProblem<'a> {
    /// The matrix `A`, row by row.
    matrix: &'a [f64],
    b: &'a [f64],
    diag_inv: &'a [f64],
    force: &'a mut [f64],
}

/// Improves `efc_force` until a sweep brings less than the tolerance; returns the number of sweeps.
/// `diag_inv` is the inverse diagonal of `A`.
pub(crate) fn sweep_all(data: &mut Data, diag_inv: &[f64], push: &mut PushScratch, limits: &Limits) -> i32 {
    let Data { efc_AR: matrix, efc_b: b, efc_force: force, solver, .. } = &mut *data;
    let iterations = PushProblem { matrix, b, diag_inv, force }.solve(push, limits, solver);
    dual_state(data);
    iterations
}

/// Sweeps until the improvement is small, and keeps the record of each sweep.
fn repeat(limits: &Limits, records: &mut Vec<SolverStat>, mut sweep: impl FnMut(bool) -> Sweep) -> i32 {
    let mut log = IterationLog::new(records, 0, 0);
    for iteration in 0..limits.max_iterations {
        let Sweep { improvement, active, changed } = sweep(iteration % REFRESH == 0);
        let improvement = improvement * limits.scale;
        let stat = SolverStat { improvement, nactive: active, nchange: changed, ..SolverStat::default() };
        log.record(iteration, stat);
        if improvement < limits.tolerance || ends_early(iteration) {
            return iteration + 1;
        }
    }
    limits.max_iterations.max(0)
}

impl PushProblem<'_> {
    /// Sweeps by the form that fits the number of rows; returns the number of sweeps.
    fn solve(&mut self, scratch: &mut PushScratch, limits: &Limits, log: &mut Vec<SolverStat>) -> i32 {
        let few = match self.force.len() {
            1 => self.sweep_few::<1>(limits, log),
            2 => self.sweep_few::<2>(limits, log),
            3 => self.sweep_few::<3>(limits, log),
            4 => self.sweep_few::<4>(limits, log),
            5 => self.sweep_few::<5>(limits, log),
            6 => self.sweep_few::<6>(limits, log),
            7 => self.sweep_few::<7>(limits, log),
            MOST_UNROLLED => self.sweep_few::<MOST_UNROLLED>(limits, log),
            _ => None,
        };
        few.unwrap_or_else(|| self.sweep_many(scratch, limits, log))
    }

    /// Sweeps over `N` rows; `None` if there are fewer.
    fn sweep_few<const N: usize>(&mut self, limits: &Limits, log: &mut Vec<SolverStat>) -> Option<i32> {
        let matrix = self.matrix.as_chunks::<N>().0.first_chunk::<N>()?;
        let (b, diag_inv) = (self.b.first_chunk::<N>()?, self.diag_inv.first_chunk::<N>()?);
        let result = self.force.first_chunk_mut::<N>()?;
        let mut coupling = [[0.0; N]; N];
        let (mut diagonal, mut target, mut force) = ([0.0; N], [0.0; N], *result);
        for i in 0..N {
            diagonal[i] = matrix[i][i];
            for j in 0..N {
                coupling[i][j] = if i == j { 0.0 } else { -(matrix[i][j] * diag_inv[j]) };
            }
        }
        let mut pushing = bits(&force);
        let iterations = repeat(limits, log, |refresh| {
            if refresh {
                for i in 0..N {
                    let coupled = (0..N).fold(0.0, |sum, j| sum + coupling[j][i] * force[j]);
                    target[i] = coupled - b[i] * diag_inv[i];
                }
            }
            let mut improvement = 0.0;
            for i in 0..N {
                if let Some((delta, gain)) = minimize(&mut force[i], target[i], diagonal[i]) {
                    improvement += gain;
                    for j in 0..N {
                        target[j] += coupling[i][j] * delta;
                    }
                }
            }
            let before = std::mem::replace(&mut pushing, bits(&force));
            let (active, changed) = (pushing.count_ones(), (pushing ^ before).count_ones());
            Sweep { improvement, active: active as i32, changed: changed as i32 }
        });
        *result = force;
        Some(iterations)
    }

    /// Sweeps over any number of rows. Rows of `C` are padded to whole lanes.
    fn sweep_many(&mut self, scratch: &mut PushScratch, limits: &Limits, log: &mut Vec<SolverStat>) -> i32 {
        let Self { matrix, b, diag_inv, force } = self;
        let n = force.len().max(1);
        let width = lanes(n);
        let PushScratch { coupling, target, diagonal } = scratch;
        coupling.resize(n * width, f64x4::ZERO);
        diagonal.clear();
        for (i, (row, scaled)) in matrix.chunks_exact(n).zip(coupling.chunks_exact_mut(width)).enumerate() {
            scaled[width - 1] = f64x4::ZERO;
            let scaled = numbers_mut(scaled);
            for ((c, a), inverse) in scaled.iter_mut().zip(row).zip(diag_inv.iter()) {
                *c = -(a * inverse);
            }
            scaled[i] = 0.0;
            diagonal.push(row[i]);
        }
        target.clear();
        target.resize(width, f64x4::ZERO);
        repeat(limits, log, |refresh| {
            if refresh {
                let target = numbers_mut(target);
                for (i, row) in matrix.chunks_exact(n).enumerate() {
                    // without the row's own force
                    let others = dot(&row[..i], &force[..i]) + dot(&row[i + 1..], &force[i + 1..]);
                    target[i] = -((others + b[i]) * diag_inv[i]);
                }
            }
            let rows = coupling.chunks_exact(width);
            match width {
                // code of its own for most numbers of rows
                3 => sweep(force, &mut target[..3], diagonal, rows),
                4 => sweep(force, &mut target[..4], diagonal, rows),
                _ => sweep(force, target, diagonal, rows),
            }
        })
    }
}

/// One sweep over the forces and the rows of `C`, in lanes.
#[inline(always)]
fn sweep<'a>(
    force: &mut [f64],
    target: &mut [f64x4],
    diagonal: &[f64],
    rows: impl Iterator<Item = &'a [f64x4]>,
) -> Sweep {
    let (mut improvement, mut active, mut changed) = (0.0, 0, 0);
    let width = target.len();
    for (i, ((force, row), diagonal)) in force.iter_mut().zip(rows).zip(diagonal).enumerate() {
        let (row, before) = (&row[..width], *force > 0.0);
        if let Some((delta, gain)) = minimize(force, numbers(target)[i], *diagonal)
            && delta != 0.0
        {
            improvement += gain;
            for (t, c) in target.iter_mut().zip(row) {
                *t += *c * f64x4::splat(delta);
            }
        }
        let pushes = *force > 0.0;
        active += i32::from(pushes);
        changed += i32::from(pushes != before);
    }
    Sweep { improvement, active, changed }
}

/// Minimizes the dual cost over one force; returns by how much the force changes, and the improvement. `None`
/// where the cost would grow: the force stays then.
#[inline(always)]
fn minimize(force: &mut f64, target: f64, diagonal: f64) -> Option<(f64, f64)> {
    // what is not a number is no force
    let new = if target > 0.0 { target } else { 0.0 };
    let delta = new - *force;
    // ½ A δ² + δ r with the gradient r = A (f − t)
    let change = diagonal * (delta * (0.5 * delta + (*force - target)));
    if change > MAX_INCREASE {
        return None;
    }
    *force = new;
    Some((delta, -change))
}

/// Which forces push, as bits.
#[inline(always)]
fn bits<const N: usize>(force: &[f64; N]) -> u32 {
    (0..N).fold(0, |bits, i| bits | u32::from(force[i] > 0.0) << i)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetric, positive definite matrix and a linear term, from a simple generator.
    fn problem(n: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
        let mut state = seed;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..n + 2).map(|_| random()).collect()).collect();
        let mut matrix = Vec::new();
        for (i, x) in rows.iter().enumerate() {
            matrix.extend(rows.iter().enumerate().map(|(j, y)| dot(x, y) + if i == j { 0.1 } else { 0.0 }));
        }
        (matrix, (0..n).map(|_| 3.0 * random()).collect())
    }

    /// Sweeps as the definition says: each gradient is a sum over a whole row.
    fn plain_sweeps(matrix: &[f64], b: &[f64], count: i32) -> Vec<f64> {
        let n = b.len();
        let mut force = vec![0.0; n];
        for _ in 0..count {
            for i in 0..n {
                let row = &matrix[i * n..][..n];
                let gradient = row.iter().zip(&force).map(|(a, f)| a * f).sum::<f64>() + b[i];
                force[i] = f64::max(0.0, force[i] - gradient / row[i]);
            }
        }
        force
    }

    #[test]
    fn sweeps_are_those_of_the_definition() {
        for n in 1..=12 {
            for seed in 0..20 {
                let (matrix, b) = problem(n, seed);
                let diag_inv: Vec<f64> = (0..n).map(|i| 1.0 / matrix[i * (n + 1)]).collect();
                // more sweeps than are made without summing anew
                for count in [1, 3, 2 * REFRESH + 1] {
                    let limits = Limits { max_iterations: count, scale: 1.0, tolerance: f64::NEG_INFINITY };
                    let expected = plain_sweeps(&matrix, &b, count);
                    let active = expected.iter().filter(|f| **f > 0.0).count() as i32;
                    for by_many in [false, true] {
                        let (mut force, mut log) = (vec![0.0; n], Vec::new());
                        let (matrix, b, diag_inv) = (&matrix[..], &b[..], &diag_inv[..]);
                        let mut own = PushProblem { matrix, b, diag_inv, force: &mut force };
                        let mut scratch = PushScratch::default();
                        let made = if by_many {
                            own.sweep_many(&mut scratch, &limits, &mut log)
                        } else {
                            own.solve(&mut scratch, &limits, &mut log)
                        };
                        assert_eq!(made, count);
                        assert_eq!(log[count as usize - 1].nactive, active, "{n} rows, seed {seed}");
                        let largest = expected.iter().fold(1.0, |max: f64, f| max.max(*f));
                        for (f, e) in force.iter().zip(&expected) {
                            assert!((f - e).abs() < 1e-12 * largest, "{n} rows, seed {seed}: {f} {e}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn sweeps_end_where_nothing_improves() {
        let (matrix, b) = problem(5, 1);
        let diag_inv: Vec<f64> = (0..5).map(|i| 1.0 / matrix[i * 6]).collect();
        let limits = Limits { max_iterations: 10_000, scale: 1.0, tolerance: 1e-20 };
        let (mut force, mut log) = (vec![0.0; 5], Vec::new());
        let mut own = PushProblem { matrix: &matrix, b: &b, diag_inv: &diag_inv, force: &mut force };
        let made = own.solve(&mut PushScratch::default(), &limits, &mut log);
        assert!(made > 1 && made < 10_000);
        for i in 0..5 {
            let gradient = dot(&matrix[5 * i..5 * i + 5], &force) + b[i];
            let least = force[i].min(gradient);
            assert!(least.abs() < 1e-8, "row {i}: force {}, gradient {gradient}", force[i]);
        }
    }
}
