//! One attempt: a damped Gauss–Newton descent of the weighted pose error, with the joint limits as bounds of
//! each step.
//!
//! The step minimizes `½ |J d + r|² + ½ λ |d|²` within the limits. The damping `λ` is a multiple of the error
//! itself (Chan and Lawrence, 1988; Sugihara, 2011): far away it keeps steps short, near the solution it
//! vanishes and convergence is quadratic. The multiple grows when a step fails and shrinks when the error
//! falls as predicted.

use super::bounded::{BoundedProgram, Side};
use super::target::{Miss, Target};
use crate::chain::{Chain, JointFrameCache};
use core::f64::consts::PI;
use kinetree_math::Vec3;

/// First multiple of the error in the damping.
const DAMPING: f64 = 0.03;
/// Range of the multiple.
const DAMPING_RANGE: [f64; 2] = [1e-4, 1e4];
/// Damping that is left at the solution, relative to the square of the chain's length: keeps the matrix of a
/// redundant chain positive definite.
const LEAST_DAMPING: f64 = 1e-12;
/// A try is given up when this many steps have not lowered the error by this factor.
const WINDOW: usize = 5;
const PROGRESS: f64 = 0.6;
/// Decrease of the error, relative to it, below which a descent has arrived at a local minimum.
const LOCAL_MINIMUM: f64 = 1e-11;

/// What a try shall do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub(super) chain: &'a Chain,
    pub(super) target: &'a Target,
    /// Metres that a radian counts.
    pub(super) length: f64,
    pub(super) position_tolerance: f64,
    pub(super) rotation_tolerance: f64,
    /// Most steps.
    pub(super) max_steps: usize,
    /// Whether to give up early when the error falls slowly. Otherwise the descent goes on to a minimum, with
    /// the curvature that a large error brings.
    pub(super) hurry: bool,
}

impl Task<'_> {
    pub(super) fn reached(&self, miss: &Miss) -> bool {
        miss.position <= self.position_tolerance && miss.rotation <= self.rotation_tolerance
    }
}

/// How a try ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) miss: Miss,
    pub(super) steps: usize,
}

/// Descends from a configuration, which is replaced by where the descent ended.
pub(super) trait Engine: Send + Sync {
    /// Runs a try.
    fn descend(&mut self, task: &Task<'_>, q: &mut [f64]) -> Outcome;

    /// Bytes of its memory.
    fn bytes(&self) -> usize;
}

/// An engine for chains of so many dofs, or `None` when there are too many.
pub(super) fn engine(chain: &Chain) -> Option<Box<dyn Engine>> {
    Some(match chain.nv() {
        0..=6 => Box::new(Descent::<6>::new(chain)),
        7 => Box::new(Descent::<7>::new(chain)),
        8 => Box::new(Descent::<8>::new(chain)),
        9..=16 => Box::new(Descent::<16>::new(chain)),
        17..=32 => Box::new(Descent::<32>::new(chain)),
        33..=64 => Box::new(Descent::<64>::new(chain)),
        _ => return None,
    })
}

/// Working memory of a descent of at most `N` dofs.
struct Descent<const N: usize> {
    cache: JointFrameCache,
    columns: Vec<[f64; 6]>,
    trial: Vec<f64>,
    program: BoundedProgram<N>,
    /// Limits of the dofs that steps have to respect.
    limits: Vec<Limit>,
}

/// A dof with limits that cannot be left and entered again by whole turns.
#[derive(Clone, Copy, Debug)]
struct Limit {
    q: usize,
    v: usize,
    range: [f64; 2],
}

/// Whether a revolute joint can turn all the way round within its limits, so that they only matter for the
/// result.
pub(super) fn spans_full_circle(range: [f64; 2]) -> bool {
    range[1] - range[0] >= 2.0 * PI
}

fn half_square(residual: &[f64; 6]) -> f64 {
    0.5 * residual.iter().map(|r| r * r).sum::<f64>()
}

impl<const N: usize> Descent<N> {
    fn new(chain: &Chain) -> Self {
        let limited = |v: &&crate::Variable| {
            let is_periodic = v.kind == crate::JointKind::Revolute && spans_full_circle(v.range);
            v.kind.nv() == 1 && !is_periodic && v.range.iter().any(|end| end.is_finite())
        };
        let limit = |v: &crate::Variable| Limit { q: v.q_index, v: v.v_index, range: v.range };
        Self {
            cache: JointFrameCache::new(chain),
            columns: vec![[0.0; 6]; chain.nv()],
            trial: vec![0.0; chain.nq()],
            program: BoundedProgram::default(),
            limits: chain.variables().iter().filter(limited).map(limit).collect(),
        }
    }

    fn evaluate(&mut self, task: &Task<'_>, q: &[f64]) -> Miss {
        task.chain.forward(q, &mut self.cache);
        task.target.miss(&self.cache.pose(), task.length)
    }

    /// `A = Jᵀ J`, `g = Jᵀ r` and the bounds at `q`.
    #[inline]
    fn linearize(&mut self, task: &Task<'_>, q: &[f64], residual: &[f64; 6]) {
        task.chain.aligned_jacobian(&self.cache, &mut self.columns);
        let pose = self.cache.pose();
        let curvature = (!task.hurry).then(|| self.curvature(&task.target.force(residual)));
        let mut rows = [[0.0; N]; 6];
        for (i, column) in self.columns.iter_mut().enumerate() {
            task.target.weigh(&pose, task.length, column);
            for k in 0..6 {
                rows[k][i] = column[k];
            }
        }
        let BoundedProgram { matrix, gradient, lower, upper, .. } = &mut self.program;
        *matrix = curvature.unwrap_or([[0.0; N]; N]);
        *gradient = [0.0; N];
        for (row, r) in rows.iter().zip(residual) {
            for i in 0..N {
                for j in 0..N {
                    matrix[i][j] += row[i] * row[j];
                }
                gradient[i] += row[i] * r;
            }
        }
        for i in self.columns.len()..N {
            matrix[i][i] = 1.0;
        }
        for limit in &self.limits {
            lower[limit.v] = limit.range[0] - q[limit.q];
            upper[limit.v] = limit.range[1] - q[limit.q];
        }
    }
}

impl<const N: usize> Descent<N> {
    /// Second derivatives of the position along `force`: `∂²p/∂qᵢ∂qⱼ = ωᵢ × vⱼ` for `i` before `j` in the
    /// chain. Far from the target they outweigh `Jᵀ J`, whose steps would overshoot.
    fn curvature(&self, force: &Vec3) -> [[f64; N]; N] {
        let mut matrix = [[0.0; N]; N];
        for (i, before) in self.columns.iter().enumerate() {
            // force · (ω × v) = (force × ω) · v
            let lever = force.cross(&Vec3::new(before[3], before[4], before[5]));
            for (j, after) in self.columns.iter().enumerate().skip(i) {
                let value = lever.dot(&Vec3::new(after[0], after[1], after[2]));
                (matrix[i][j], matrix[j][i]) = (value, value);
            }
        }
        matrix
    }
}

impl<const N: usize> Engine for Descent<N> {
    fn bytes(&self) -> usize {
        let Self { cache, columns, trial, program: _, limits } = self;
        let arrays = size_of_val(&**columns) + size_of_val(&**trial) + size_of_val(&**limits);
        size_of::<Self>() - size_of_val(cache) + cache.bytes() + arrays
    }

    fn descend(&mut self, task: &Task<'_>, q: &mut [f64]) -> Outcome {
        self.program.side = [Side::Free; N];
        let least = LEAST_DAMPING * task.length * task.length;
        let mut miss = self.evaluate(task, q);
        let mut error = half_square(&miss.residual);
        let (mut multiple, mut marker, mut steps) = (DAMPING, error, 0);
        let mut fresh = true;
        while steps < task.max_steps && !task.reached(&miss) {
            if fresh {
                self.linearize(task, q, &miss.residual);
            }
            steps += 1;
            let Some(d) = self.program.solve(multiple * error + least) else {
                // the curvature of a large error needs more damping
                (multiple, fresh) = ((multiple * 8.0).min(DAMPING_RANGE[1]), false);
                continue;
            };
            self.trial.copy_from_slice(q);
            task.chain.integrate(&mut self.trial, &d, 1.0);
            // rounding may leave a limit by one bit
            for limit in &self.limits {
                let value = &mut self.trial[limit.q];
                *value = value.max(limit.range[0]).min(limit.range[1]);
            }
            let trial = std::mem::take(&mut self.trial);
            let trial_miss = self.evaluate(task, &trial);
            self.trial = trial;
            let trial_error = half_square(&trial_miss.residual);
            let predicted = -d.iter().zip(&self.program.gradient).map(|(d, g)| d * g).sum::<f64>();
            fresh = trial_error < error;
            if fresh {
                let good = error - trial_error > 0.25 * predicted;
                multiple *= if good { 0.5 } else { 1.5 };
                q.copy_from_slice(&self.trial);
                (miss, error) = (trial_miss, trial_error);
            } else {
                multiple *= 8.0;
            }
            multiple = multiple.clamp(DAMPING_RANGE[0], DAMPING_RANGE[1]);
            let arrived = predicted.abs() <= LOCAL_MINIMUM * error;
            if arrived && !task.reached(&miss) {
                break;
            }
            if task.hurry && steps % WINDOW == 0 {
                if error > PROGRESS * marker {
                    break;
                }
                marker = error;
            }
        }
        Outcome { miss, steps }
    }
}
