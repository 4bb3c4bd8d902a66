//! Primal solvers: Newton and conjugate gradients on accelerations.
//!
//! The constrained acceleration minimizes `½ (a − a₀)ᵀ M (a − a₀) + s(J a − aref)`, a strictly convex cost
//! with `a₀` the unconstrained acceleration. Newton's direction is `−H⁻¹ g`, that of conjugate gradients is
//! preconditioned with `M⁻¹` (Polak–Ribière, Hager–Zhang at reference level 4.0). Both take an exact step
//! along it and stop when cost or gradient improve less than the tolerance, scaled by the inertia.
//!
//! At reference level 4.0 they also stop where the decrement `½ gᵀ M⁻¹ g` or `½ gᵀ H⁻¹ g` is below the
//! tolerance, even before the first step: the cost is at least as curved as `M`, and near its minimum as `H`,
//! so that this is about what is left to gain. Where Newton's method does not begin, the gradient must be
//! small as well.

use super::line_search::{LineCost, SearchLimits};
use super::row_space::{Point, RowSpace, has_few_rows};
use super::vectors::{Along, DofVectors, StartVectors};
use crate::constraint::constraint_update;
use crate::solver::factor::hessian::Hessian;
use crate::solver::factor::pattern::TooLarge;
use crate::solver::problem::{Outcome, Problem, Settings};
use crate::solver::rounds::ends_early;
use crate::solver::stats::IterationLog;
use kinetree_math::dense::add_scaled;
use kinetree_math::lanes::Lane;
use kinetree_math::sparse::{Csr, ltdl_solve, mul_sym_vec};
use kinetree_math::{LaneVec, MINVAL};
use kinetree_model::SolverStat;
use kinetree_model::enums::ConstraintState;

/// Working memory of the primal solvers.
#[derive(Default)]
pub(crate) struct PrimalScratch {
    /// One factor per island, so that each keeps its pattern from step to step.
    hessian: Vec<Hessian>,
    row_space: RowSpace,
    work: Work,
}

#[derive(Default)]
struct Work {
    line: LineCost,
    dofs: DofVectors,
    /// `J qacc − aref` and `J search`.
    jaref: Vec<f64>,
    jv: Vec<f64>,
    state_old: Vec<i32>,
    buf: LaneVec,
    /// Total cost, and its unconstrained part.
    cost: f64,
    gauss: f64,
    /// Length of the gradient.
    gradient: f64,
}

impl PrimalScratch {
    /// Improves `problem.qacc` until convergence. `island` selects the factor whose pattern is reused.
    ///
    /// # Errors
    /// When that factor would be too large; what is in the problem then is no solution.
    pub(crate) fn solve(
        &mut self,
        problem: &mut Problem<'_>,
        settings: &Settings,
        island: usize,
        log: &mut IterationLog<'_>,
    ) -> Result<Outcome, TooLarge> {
        if self.hessian.len() <= island {
            if island == 0 {
                // most models have one island, and a vector would begin with room for four
                self.hessian.reserve_exact(1);
            }
            self.hessian.resize_with(island + 1, Hessian::default);
        }
        let work = &mut self.work;
        let mut metric = Metric {
            kind: MetricKind::of(problem, settings),
            hessian: &mut self.hessian[island],
            row_space: &mut self.row_space,
        };
        metric.prepare_rows(problem);
        work.start(problem, settings, &metric);
        metric.prepare_matrix(problem)?;
        work.precondition(problem, &mut metric)?;
        work.dofs.descend();
        let scale = settings.scale.unwrap_or_else(|| inverse_inertia(problem.mass));
        let mut iterations = 0;
        let mut converged = work.is_left_alone(settings, scale);
        while !converged && iterations < settings.iterations {
            if !work.step(problem, settings, &mut metric, scale) {
                converged = true;
                break;
            }
            let old_cost = work.cost;
            if !settings.newton {
                work.dofs.keep_gradients();
            }
            work.update(problem, settings, &metric);
            let gradient = scale * work.gradient;
            let improvement = scale * (old_cost - work.cost);
            log.record(iterations, work.stat(problem, improvement, gradient));
            iterations += 1;
            let rounding = settings.by_decrement && improvement <= 0.0;
            if improvement < settings.tolerance && !rounding || gradient < settings.tolerance {
                converged = true;
                break;
            }
            if ends_early(iterations) {
                break;
            }
            if settings.newton {
                let updates = metric.update(problem, &work.state_old);
                log.set_updates(iterations - 1, updates);
            }
            work.precondition(problem, &mut metric)?;
            if settings.newton {
                if settings.by_decrement && scale * work.dofs.decrement() < settings.tolerance {
                    converged = true;
                    break;
                }
                work.dofs.descend();
            } else if settings.hager_zhang {
                work.dofs.conjugate_hager_zhang(MINVAL);
            } else {
                work.dofs.conjugate(MINVAL);
            }
        }
        let nnz = metric.nnz(problem) as i32;
        work.give_back(problem);
        Ok(Outcome { iterations, converged, nnz })
    }
}

/// What directions are made with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MetricKind {
    /// The inertia matrix: conjugate gradients.
    Inertia,
    /// Newton's matrix, by its effect on few rows.
    Rows,
    /// Newton's matrix, by its factor.
    Hessian,
}

impl MetricKind {
    fn of(problem: &Problem<'_>, settings: &Settings) -> Self {
        match settings.newton {
            false => Self::Inertia,
            true if has_few_rows(problem) => Self::Rows,
            true => Self::Hessian,
        }
    }
}

/// The matrix that turns gradients into directions.
struct Metric<'a> {
    kind: MetricKind,
    hessian: &'a mut Hessian,
    row_space: &'a mut RowSpace,
}

impl Metric<'_> {
    /// Takes in a problem of few rows.
    fn prepare_rows(&mut self, problem: &Problem<'_>) {
        if self.kind == MetricKind::Rows {
            self.row_space.prepare(problem);
        }
    }

    /// Takes in the matrices of a problem whose directions come from a factor, for the states at its start.
    fn prepare_matrix(&mut self, problem: &Problem<'_>) -> Result<(), TooLarge> {
        if self.kind == MetricKind::Hessian {
            self.hessian.prepare(problem.mass, &problem.jac)?;
            self.hessian.factorize(&problem.jac, &problem.weights());
        }
        Ok(())
    }

    /// Turns the gradient at a point, which is padded, into a direction `x`.
    fn solve(
        &mut self,
        problem: &Problem<'_>,
        at: &Point<'_>,
        gradient: &[Lane],
        x: &mut [Lane],
    ) -> Result<(), TooLarge> {
        if self.kind == MetricKind::Rows {
            if self.row_space.solve(problem, at, x) {
                return Ok(());
            }
            self.kind = MetricKind::Hessian;
            self.prepare_matrix(problem)?;
        }
        x.copy_from_slice(gradient);
        if self.kind == MetricKind::Hessian {
            self.hessian.solve(x);
        } else {
            let x = &mut x.as_flattened_mut()[..problem.qacc.len()];
            ltdl_solve(x, problem.mass_ld, problem.mass_diag_inv, problem.mass.pattern, None);
        }
        Ok(())
    }

    /// Brings the matrix up to date with the states; returns the number of rows that this took.
    fn update(&mut self, p: &Problem<'_>, state_old: &[i32]) -> i32 {
        const CONE: i32 = ConstraintState::Cone as i32;
        if self.kind != MetricKind::Hessian {
            return p.state.iter().zip(state_old).map(|(a, b)| i32::from(a != b)).sum();
        }
        let has_cone = p.state.contains(&CONE) || state_old.contains(&CONE);
        if !has_cone
            && self.hessian.update_is_cheaper(&p.jac, state_old, p.state)
            && let Some(updates) = self.hessian.update(&p.jac, p.rows.d, state_old, p.state)
        {
            return updates;
        }
        self.hessian.factorize(&p.jac, &p.weights());
        p.aref.len() as i32
    }

    /// Entries of what was factored.
    fn nnz(&self, p: &Problem<'_>) -> usize {
        match self.kind {
            MetricKind::Inertia => 0,
            MetricKind::Rows => p.aref.len() * (p.aref.len() + 1) / 2,
            MetricKind::Hessian => self.hessian.nnz(),
        }
    }
}

/// Inverse of the sum of the inertia's diagonal.
fn inverse_inertia(mass: Csr<'_>) -> f64 {
    let mut total = 0.0;
    for (&start, &n) in mass.pattern.rowadr.iter().zip(mass.pattern.rownnz) {
        total += mass.val[(start + n - 1) as usize];
    }
    1.0 / total
}

impl Work {
    /// Evaluates everything at the initial acceleration.
    fn start(&mut self, p: &mut Problem<'_>, settings: &Settings, metric: &Metric<'_>) {
        let n = p.aref.len();
        self.dofs.start(&StartVectors {
            qacc: p.qacc,
            qacc_smooth: p.qacc_smooth,
            qfrc_smooth: p.qfrc_smooth,
            ma: p.start.ma,
        });
        self.jv.resize(n, 0.0);
        self.buf.resize(p.jac.max_width());
        self.state_old.resize(n, 0);
        self.jaref.clear();
        self.jaref.extend_from_slice(p.start.jaref);
        match p.start.rows_cost {
            Some(rows_cost) => self.finish_update(p, metric, rows_cost),
            None => self.update_rows(p, settings, metric),
        }
    }

    /// Forces, states and cost at the current point.
    fn update_rows(&mut self, p: &mut Problem<'_>, settings: &Settings, metric: &Metric<'_>) {
        let hessian = settings.newton && settings.elliptic;
        let rows_cost = constraint_update(&p.rows, &self.jaref, p.contact, p.state, p.force, hessian);
        self.finish_update(p, metric, rows_cost);
    }

    /// Joint-space forces, gradient and total cost, from the rows' forces and cost.
    fn finish_update(&mut self, p: &Problem<'_>, metric: &Metric<'_>, rows_cost: f64) {
        let qfrc_constraint = &mut self.dofs.qfrc_constraint;
        if metric.kind == MetricKind::Rows {
            metric.row_space.mul_t(qfrc_constraint, p.force);
        } else {
            p.jac.mul_t(qfrc_constraint.as_flattened_mut(), p.force, &mut self.buf);
        }
        (self.gauss, self.gradient) = self.dofs.gauss_and_gradient();
        self.cost = rows_cost + self.gauss;
    }

    fn update(&mut self, p: &mut Problem<'_>, settings: &Settings, metric: &Metric<'_>) {
        self.state_old.copy_from_slice(p.state);
        self.update_rows(p, settings, metric);
    }

    /// Hands the result over.
    fn give_back(&self, p: &mut Problem<'_>) {
        let n = p.qacc.len();
        p.qacc.copy_from_slice(&self.dofs.qacc.as_flattened()[..n]);
        p.qfrc_constraint.copy_from_slice(&self.dofs.qfrc_constraint.as_flattened()[..n]);
    }

    /// Whether the initial acceleration is not to be improved.
    fn is_left_alone(&self, settings: &Settings, scale: f64) -> bool {
        settings.by_decrement
            && scale * self.dofs.decrement() < settings.tolerance
            && (!settings.newton || scale * self.gradient < settings.tolerance)
    }

    /// Preconditioned gradient.
    fn precondition(&mut self, p: &Problem<'_>, metric: &mut Metric<'_>) -> Result<(), TooLarge> {
        let DofVectors { qacc, smooth, grad, mgrad, .. } = &mut self.dofs;
        metric.solve(p, &Point { qacc, qacc_smooth: smooth, jaref: &self.jaref }, grad, mgrad)
    }

    /// Moves along the search direction; `false` when that brings nothing.
    fn step(
        &mut self,
        p: &mut Problem<'_>,
        settings: &Settings,
        metric: &mut Metric<'_>,
        scale: f64,
    ) -> bool {
        let DofVectors { mv, search, grad, .. } = &mut self.dofs;
        match metric.kind {
            MetricKind::Inertia => {
                let n = p.qacc.len();
                mv.fill([0.0; 4]);
                mul_sym_vec(&mut mv.as_flattened_mut()[..n], p.mass, &search.as_flattened()[..n]);
            }
            MetricKind::Rows => metric.row_space.mass_times_direction(mv, grad, p.aref.len()),
            MetricKind::Hessian => metric.hessian.mul_mass(mv, search),
        }
        if metric.kind == MetricKind::Rows {
            metric.row_space.mul(&mut self.jv, search);
        } else {
            p.jac.mul(&mut self.jv, search.as_flattened(), &mut self.buf);
        }
        let Along { length, gauss: [slope, curvature] } = self.dofs.along();
        self.line.evaluations = 0;
        self.line.slope = 1.0;
        if length < MINVAL {
            return false;
        }
        self.line.prepare(&p.rows, p.contact, (&self.jaref, &self.jv), [self.gauss, slope, curvature]);
        let alpha = self.line.search(&SearchLimits {
            gtol: settings.tolerance * settings.ls_tolerance * length / scale,
            slope_scale: scale / length,
            iterations: settings.ls_iterations,
        });
        if alpha == 0.0 {
            return false;
        }
        self.dofs.advance(alpha);
        add_scaled(&mut self.jaref, &self.jv, alpha);
        true
    }

    fn stat(&self, p: &Problem<'_>, improvement: f64, gradient: f64) -> SolverStat {
        const SATISFIED: i32 = ConstraintState::Satisfied as i32;
        SolverStat {
            improvement,
            gradient,
            lineslope: self.line.slope,
            nactive: p.state.iter().map(|&s| i32::from(s != SATISFIED)).sum(),
            nchange: p.state.iter().zip(&self.state_old).map(|(a, b)| i32::from(a != b)).sum(),
            neval: self.line.evaluations,
            nupdate: 0,
        }
    }
}
