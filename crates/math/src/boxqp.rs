//! Quadratic program with bounds on the variables: minimize `½ xᵀ H x + xᵀ g` subject to `lower ≤ x ≤ upper`.
//!
//! Projected Newton method (Tassa, Mansard and Todorov, "Control-limited differential dynamic programming",
//! 2014): a variable at a bound whose gradient pushes outwards is clamped; a Newton step on the free ones,
//! from a Cholesky factor of their block, is followed by an Armijo line search along the path projected onto
//! the box. The initial guess decides which variables start clamped, and with a good one a single
//! factorization is enough.
//!
//! ```
//! use kinetree_math::boxqp::BoxQp;
//!
//! // ½ x² + ½ y² − 2 x − y, with x at most 1
//! let (mut solver, mut x) = (BoxQp::default(), [0.0, 0.0]);
//! let free = solver.solve(&mut x, &[1.0, 0.0, 0.0, 1.0], &[-2.0, -1.0], None, Some(&[1.0, 5.0]))?;
//! assert!(free == 1 && (x[0] - 1.0).abs() < 1e-9 && (x[1] - 1.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::MINVAL;
use crate::dense::{add_to, chol_factor, chol_solve, dot, mul_mat_vec};

const MAX_ITERATIONS: usize = 100;
/// smallest squared norm of the free gradient
const MIN_GRADIENT: f64 = 1e-16;
const BACKTRACK: f64 = 0.5;
const MIN_STEP: f64 = 1e-22;
/// least accepted fraction of the improvement that the gradient predicts
const ARMIJO: f64 = 0.1;

/// Why a box-constrained problem has no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BoxQpError {
    /// An array does not have the size of the problem, or the problem is empty.
    #[error("sizes of the arrays do not match the problem size {0}, or it is zero")]
    Size(usize),
    /// A lower bound is not below its upper bound.
    #[error("the lower bound of variable {0} is not below its upper bound")]
    Bounds(usize),
    /// The block of the Hessian that belongs to the free variables is not positive definite.
    #[error("the Hessian is not positive definite")]
    NotPositiveDefinite,
    /// The Newton step does not descend, which points to a Hessian that is nearly singular.
    #[error("no descent direction")]
    NoDescent,
}

/// How the solver ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxQpStatus {
    /// The gradient of the free variables vanishes, some variables are clamped.
    Converged,
    /// No variable is clamped: the solution is the unconstrained minimum.
    Unbounded,
    /// Every variable is clamped.
    AllClamped,
    /// The line search reached its smallest step.
    LineSearchLimit,
    /// The limit of iterations was reached.
    IterationLimit,
}

/// Solver with its working memory, which is reused from call to call.
#[derive(Debug, Clone, Default)]
pub struct BoxQp {
    factor: Vec<f64>,
    grad: Vec<f64>,
    search: Vec<f64>,
    candidate: Vec<f64>,
    temp: Vec<f64>,
    clamped: Vec<bool>,
    was_clamped: Vec<bool>,
    free: Vec<i32>,
    status: Option<BoxQpStatus>,
}

/// The problem: only the lower triangle of `h` enters the factorization, but products use all of it.
struct Problem<'a> {
    h: &'a [f64],
    g: &'a [f64],
    lower: Option<&'a [f64]>,
    upper: Option<&'a [f64]>,
}

impl Problem<'_> {
    fn objective(&self, x: &[f64]) -> f64 {
        let n = x.len();
        let mut quadratic = 0.0;
        for i in 0..n {
            let row = &self.h[i * n..i * n + i + 1];
            quadratic += x[i] * row[i] * x[i];
            quadratic += 2.0 * x[i] * dot(&row[..i], x);
        }
        0.5 * quadratic + dot(x, self.g)
    }

    fn gradient(&self, grad: &mut [f64], x: &[f64]) {
        mul_mat_vec(grad, self.h, x);
        add_to(grad, self.g);
    }

    fn clamp(&self, x: &mut [f64]) {
        for (i, x) in x.iter_mut().enumerate() {
            match (self.lower, self.upper) {
                (Some(lower), _) if *x < lower[i] => *x = lower[i],
                (_, Some(upper)) if *x > upper[i] => *x = upper[i],
                _ => {}
            }
        }
    }

    fn is_clamped(&self, i: usize, x: f64, grad: f64) -> bool {
        self.lower.is_some_and(|l| x == l[i] && grad > 0.0)
            || self.upper.is_some_and(|u| x == u[i] && grad < 0.0)
    }
}

impl BoxQp {
    /// Solves the problem of size `x.len()`, starting from `x`, and returns the number of free variables. `h`
    /// is row-major and symmetric; a missing bound is no bound.
    ///
    /// # Errors
    /// When sizes or bounds are wrong, or the Hessian is not positive definite; `x` then holds the last
    /// iterate.
    pub fn solve(
        &mut self,
        x: &mut [f64],
        h: &[f64],
        g: &[f64],
        lower: Option<&[f64]>,
        upper: Option<&[f64]>,
    ) -> Result<usize, BoxQpError> {
        let n = x.len();
        let right_size = |bound: Option<&[f64]>| bound.is_none_or(|b| b.len() == n);
        if n == 0 || h.len() != n * n || g.len() != n || !right_size(lower) || !right_size(upper) {
            return Err(BoxQpError::Size(n));
        }
        if let (Some(lower), Some(upper)) = (lower, upper)
            && let Some(i) = (0..n).find(|&i| lower[i] >= upper[i])
        {
            return Err(BoxQpError::Bounds(i));
        }
        let problem = Problem { h, g, lower, upper };
        self.resize(n);
        if lower.is_none() && upper.is_none() {
            return self.solve_unbounded(x, &problem);
        }
        problem.clamp(x);
        let mut status = BoxQpStatus::IterationLimit;
        for iteration in 0..MAX_ITERATIONS {
            if let Some(end) = self.iterate(x, &problem, iteration == 0)? {
                status = end;
                break;
            }
        }
        self.status = Some(status);
        Ok(self.free.len())
    }

    /// Cholesky factor of the free block of the last solution: row-major lower triangle of size
    /// `free().len()`.
    #[must_use]
    pub fn factor(&self) -> &[f64] {
        &self.factor[..self.free.len() * self.free.len()]
    }

    /// Free variables of the last solution, increasing.
    #[must_use]
    pub fn free(&self) -> &[i32] {
        &self.free
    }

    /// How the last successful call ended.
    #[must_use]
    pub fn status(&self) -> Option<BoxQpStatus> {
        self.status
    }

    fn resize(&mut self, n: usize) {
        self.status = None;
        self.factor.resize(n * n, 0.0);
        for v in [&mut self.grad, &mut self.search, &mut self.candidate, &mut self.temp] {
            v.resize(n, 0.0);
        }
        self.clamped.resize(n, false);
        self.was_clamped.resize(n, false);
        self.free.clear();
    }

    fn solve_unbounded(&mut self, x: &mut [f64], problem: &Problem) -> Result<usize, BoxQpError> {
        let n = x.len();
        self.free.extend(0..n as i32);
        self.factor[..n * n].copy_from_slice(problem.h);
        if chol_factor(&mut self.factor, n, MINVAL) < n {
            return Err(BoxQpError::NotPositiveDefinite);
        }
        for (x, g) in x.iter_mut().zip(problem.g) {
            *x = -g;
        }
        chol_solve(x, &self.factor);
        self.status = Some(BoxQpStatus::Unbounded);
        Ok(n)
    }

    /// One projected Newton step; says how the solver ended if it did.
    fn iterate(
        &mut self,
        x: &mut [f64],
        problem: &Problem,
        first: bool,
    ) -> Result<Option<BoxQpStatus>, BoxQpError> {
        let n = x.len();
        let value = problem.objective(x);
        problem.gradient(&mut self.grad, x);
        for i in 0..n {
            self.clamped[i] = problem.is_clamped(i, x[i], self.grad[i]);
        }
        self.free.clear();
        self.free.extend((0..n as i32).filter(|&i| !self.clamped[i as usize]));
        if self.free.is_empty() {
            return Ok(Some(BoxQpStatus::AllClamped));
        }
        self.newton_direction(x, problem, first || self.clamped != self.was_clamped)?;
        self.was_clamped.copy_from_slice(&self.clamped);

        let mut norm2 = 0.0;
        for &i in &self.free {
            norm2 += self.grad[i as usize] * self.grad[i as usize];
        }
        if norm2 < MIN_GRADIENT {
            let all_free = self.free.len() == n;
            return Ok(Some(if all_free { BoxQpStatus::Unbounded } else { BoxQpStatus::Converged }));
        }
        let slope = dot(&self.search, &self.grad);
        // written so that a NaN slope fails too
        if slope < 0.0 {
            let limited = self.line_search(x, problem, value, slope);
            x.copy_from_slice(&self.candidate);
            Ok(limited.then_some(BoxQpStatus::LineSearchLimit))
        } else {
            Err(BoxQpError::NoDescent)
        }
    }

    /// `search = −H_ff⁻¹ (g + H_fc x_c) − x_f` on the free variables and zero on the clamped ones.
    fn newton_direction(&mut self, x: &[f64], problem: &Problem, refactor: bool) -> Result<(), BoxQpError> {
        let (n, nfree) = (x.len(), self.free.len());
        for i in 0..n {
            self.temp[i] = if self.clamped[i] { x[i] } else { 0.0 };
        }
        problem.gradient(&mut self.search, &self.temp);
        if refactor {
            for (i, &row) in self.free.iter().enumerate() {
                for (j, &col) in self.free[..=i].iter().enumerate() {
                    self.factor[i * nfree + j] = problem.h[row as usize * n + col as usize];
                }
            }
            if chol_factor(&mut self.factor, nfree, MINVAL) != nfree {
                return Err(BoxQpError::NotPositiveDefinite);
            }
        }
        let temp = &mut self.temp[..nfree];
        for (t, &i) in temp.iter_mut().zip(&self.free) {
            *t = self.search[i as usize];
        }
        chol_solve(temp, &self.factor);
        self.search.fill(0.0);
        for (t, &i) in temp.iter().zip(&self.free) {
            self.search[i as usize] = -t - x[i as usize];
        }
        Ok(())
    }

    /// Halves the step until the projected candidate improves enough; returns whether the smallest step was
    /// reached.
    fn line_search(&mut self, x: &[f64], problem: &Problem, value: f64, slope: f64) -> bool {
        let mut step = 1.0;
        loop {
            for ((c, s), x) in self.candidate.iter_mut().zip(&self.search).zip(x) {
                *c = s * step + x;
            }
            problem.clamp(&mut self.candidate);
            let new_value = problem.objective(&self.candidate);
            // the reference measures the improvement against the step that would come next
            step *= BACKTRACK;
            if step < MIN_STEP {
                return true;
            }
            if (new_value - value) / (step * slope) >= ARMIJO {
                return false;
            }
        }
    }
}
