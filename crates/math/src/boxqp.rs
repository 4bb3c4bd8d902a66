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

/// How far the solver goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxQpOptions {
    /// Most Newton steps.
    pub max_iterations: usize,
    /// Squared norm of the gradient of the free variables below which it counts as zero.
    pub min_gradient: f64,
    /// Factor by which the line search shortens a step.
    pub backtrack: f64,
    /// Smallest step of the line search.
    pub min_step: f64,
    /// Least accepted fraction of the improvement that the gradient predicts.
    pub armijo: f64,
}

impl Default for BoxQpOptions {
    fn default() -> Self {
        Self { max_iterations: 100, min_gradient: 1e-16, backtrack: 0.5, min_step: 1e-22, armijo: 0.1 }
    }
}

/// What one Newton step did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxQpStep {
    /// Norm of the gradient of the free variables before it.
    pub gradient: f64,
    /// By how much the objective became smaller.
    pub reduction: f64,
    /// Fraction of the improvement that the gradient predicted.
    pub improvement: f64,
    /// How often the line search shortened the step.
    pub halvings: usize,
    /// Whether the Hessian was factored.
    pub factored: bool,
    /// Number of free variables.
    pub free: usize,
}

/// What a solution took.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BoxQpEffort {
    /// Newton steps.
    pub iterations: usize,
    /// Factorizations of the Hessian.
    pub factorizations: usize,
    /// Norm of the gradient of the free variables, last measured.
    pub gradient: f64,
    /// Value of the objective, last measured.
    pub value: f64,
}

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
    effort: BoxQpEffort,
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
        self.solve_with(x, h, g, [lower, upper], &BoxQpOptions::default(), |_| ())
    }

    /// As [`BoxQp::solve`], with options; `watch` is told of every step.
    ///
    /// # Errors
    /// As [`BoxQp::solve`].
    pub fn solve_with(
        &mut self,
        x: &mut [f64],
        h: &[f64],
        g: &[f64],
        [lower, upper]: [Option<&[f64]>; 2],
        options: &BoxQpOptions,
        mut watch: impl FnMut(&BoxQpStep),
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
        for iteration in 0..options.max_iterations {
            if let Some(end) = self.iterate(x, &problem, iteration == 0, options, &mut watch)? {
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

    /// What the last call took.
    #[must_use]
    pub fn effort(&self) -> BoxQpEffort {
        self.effort
    }

    fn resize(&mut self, n: usize) {
        self.status = None;
        self.effort = BoxQpEffort::default();
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
        self.effort.factorizations = 1;
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
        options: &BoxQpOptions,
        watch: &mut impl FnMut(&BoxQpStep),
    ) -> Result<Option<BoxQpStatus>, BoxQpError> {
        let n = x.len();
        let value = problem.objective(x);
        self.effort.value = value;
        problem.gradient(&mut self.grad, x);
        for i in 0..n {
            self.clamped[i] = problem.is_clamped(i, x[i], self.grad[i]);
        }
        self.free.clear();
        self.free.extend((0..n as i32).filter(|&i| !self.clamped[i as usize]));
        if self.free.is_empty() {
            return Ok(Some(BoxQpStatus::AllClamped));
        }
        let factored = first || self.clamped != self.was_clamped;
        self.newton_direction(x, problem, factored)?;
        self.was_clamped.copy_from_slice(&self.clamped);

        let mut norm2 = 0.0;
        for &i in &self.free {
            norm2 += self.grad[i as usize] * self.grad[i as usize];
        }
        self.effort.gradient = norm2.sqrt();
        if norm2 < options.min_gradient {
            let all_free = self.free.len() == n;
            return Ok(Some(if all_free { BoxQpStatus::Unbounded } else { BoxQpStatus::Converged }));
        }
        let slope = dot(&self.search, &self.grad);
        // written so that a NaN slope fails too
        if slope < 0.0 {
            let found = self.line_search(x, problem, value, slope, options);
            x.copy_from_slice(&self.candidate);
            self.effort.iterations += 1;
            self.effort.value = found.value;
            watch(&BoxQpStep {
                gradient: self.effort.gradient,
                reduction: value - found.value,
                improvement: found.improvement,
                halvings: found.halvings,
                factored,
                free: self.free.len(),
            });
            Ok(found.limited.then_some(BoxQpStatus::LineSearchLimit))
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
            self.effort.factorizations += 1;
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

    /// Shortens the step until the projected candidate improves enough, or the smallest step is reached.
    fn line_search(
        &mut self,
        x: &[f64],
        problem: &Problem,
        value: f64,
        slope: f64,
        options: &BoxQpOptions,
    ) -> LineSearch {
        let mut step = 1.0;
        let mut found = LineSearch { value, improvement: 0.0, halvings: 0, limited: false };
        loop {
            for ((c, s), x) in self.candidate.iter_mut().zip(&self.search).zip(x) {
                *c = s * step + x;
            }
            problem.clamp(&mut self.candidate);
            found.value = problem.objective(&self.candidate);
            // the reference measures the improvement against the step that would come next
            step *= options.backtrack;
            if step < options.min_step {
                return LineSearch { limited: true, ..found };
            }
            found.improvement = (found.value - value) / (step * slope);
            if found.improvement >= options.armijo {
                return found;
            }
            found.halvings += 1;
        }
    }
}

/// What a line search found.
struct LineSearch {
    /// Objective of the candidate.
    value: f64,
    improvement: f64,
    halvings: usize,
    /// Whether the smallest step was reached.
    limited: bool,
}
