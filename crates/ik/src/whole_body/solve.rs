//! One differential step: tasks and limits become a quadratic program, level by level.

use super::collision::CollisionScratch;
use super::qp::{Constraint, QpError, QuadraticProgram};
use super::task_rows::Rows;
use super::{Configuration, Limit, Task};
use crate::error::{IkError, check_finite, check_setting};
use kinetree_model::enums::ObjType;
use kinetree_model::{Model, mj_id2name};

/// Solver of whole-body inverse kinematics with its working memory: after a first step it allocates nothing.
#[derive(Default)]
pub struct WholeBodySolver {
    qp: QuadraticProgram,
    rows: Rows,
    collision: CollisionScratch,
    /// Rows of tasks of higher priority, with what they reach.
    settled: Vec<f64>,
    pub(super) step: Vec<f64>,
}

impl std::fmt::Debug for WholeBodySolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WholeBodySolver").finish_non_exhaustive()
    }
}

impl WholeBodySolver {
    /// A solver.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Velocity of all dofs that serves the tasks best for one step of `dt` within the limits. `damping` is
    /// added to the program's diagonal; `constraints` are tasks that hold exactly.
    ///
    /// # Errors
    /// When a task lacks its target, a setting is out of range, or the limits and constraints contradict each
    /// other.
    pub fn solve_ik(
        &mut self,
        model: &Model,
        configuration: &mut Configuration,
        tasks: &[Task],
        dt: f64,
        damping: f64,
        limits: &[Limit],
        constraints: &[Task],
        velocity: &mut [f64],
    ) -> Result<(), IkError> {
        check_setting("dt", dt, f64::MIN_POSITIVE)?;
        crate::error::check_size("the velocity", velocity, model.nv)?;
        self.displacement(model, configuration, tasks, dt, damping, limits, constraints)?;
        for (v, x) in velocity.iter_mut().zip(&self.step) {
            *v = x / dt;
        }
        Ok(())
    }

    /// The displacement of one step, into `self.step`.
    pub(super) fn displacement(
        &mut self,
        model: &Model,
        configuration: &mut Configuration,
        tasks: &[Task],
        dt: f64,
        damping: f64,
        limits: &[Limit],
        constraints: &[Task],
    ) -> Result<(), IkError> {
        check_setting("damping", damping, 0.0)?;
        let nv = model.nv;
        self.qp.reset(nv);
        for limit in limits {
            match limit {
                Limit::Configuration(limit) => limit.apply(model, configuration.data(), &mut self.qp)?,
                Limit::Velocity(limit) => limit.apply(model, dt, &mut self.qp)?,
                Limit::Collision(limit) => {
                    limit.apply(model, configuration.data_mut(), &mut self.qp, &mut self.collision)?;
                }
            }
        }
        for task in constraints {
            task.rows(model, configuration.data(), &mut self.rows)?;
            for (error, row) in self.rows.error.iter().zip(self.rows.jacobian.chunks_exact(nv.max(1))) {
                self.qp.add_equality(row, -task.options().gain * error);
            }
        }
        // levels without tasks are passed over, however many there are
        let after = |level: Option<usize>| {
            let priorities = tasks.iter().map(|task| task.options().priority);
            priorities.filter(|priority| level.is_none_or(|level| *priority > level)).min()
        };
        let mut level = after(None).unwrap_or(0);
        loop {
            let (own, next) =
                (tasks.iter().filter(|task| task.options().priority == level), after(Some(level)));
            self.solve_level(model, configuration, own, damping, next.is_some())?;
            match next {
                Some(next) => level = next,
                None => break,
            }
        }
        self.step.clear();
        self.step.extend_from_slice(&self.qp.x);
        check_finite("the solution", &self.step)
    }

    /// Sum of the squared weighted errors of a task.
    pub(super) fn task_error(
        &mut self,
        model: &Model,
        configuration: &Configuration,
        task: &Task,
    ) -> Result<f64, IkError> {
        task.rows(model, configuration.data(), &mut self.rows)?;
        Ok(self.rows.error.iter().zip(&self.rows.cost).map(|(e, c)| e * e * c * c).sum())
    }

    /// Solves for the tasks of one priority; when others follow, what these reach becomes a constraint.
    fn solve_level<'a>(
        &mut self,
        model: &Model,
        configuration: &Configuration,
        tasks: impl Iterator<Item = &'a Task>,
        damping: f64,
        more: bool,
    ) -> Result<(), IkError> {
        let nv = model.nv;
        self.qp.reset_objective();
        self.settled.clear();
        let mut diagonal = damping;
        for task in tasks {
            task.rows(model, configuration.data(), &mut self.rows)?;
            let options = task.options();
            let Rows { error, cost, jacobian, .. } = &self.rows;
            let mut missed = 0.0;
            for ((error, cost), row) in error.iter().zip(cost).zip(jacobian.chunks_exact(nv.max(1))) {
                if *cost == 0.0 {
                    continue;
                }
                let wanted = -options.gain * error;
                missed += cost * cost * wanted * wanted;
                self.qp.add_square(row, wanted, cost * cost);
                if more {
                    self.settled.extend_from_slice(row);
                }
            }
            check_finite("the squared error of a task, whose target is far away,", &[missed])?;
            diagonal += options.lm_damping * missed;
        }
        for i in 0..nv {
            self.qp.hessian[i * nv + i] += diagonal;
        }
        self.qp.solve().map_err(|error| explain(model, error))?;
        for row in self.settled.chunks_exact(nv.max(1)) {
            let reached = row.iter().zip(&self.qp.x).map(|(a, x)| a * x).sum();
            self.qp.add_equality(row, reached);
        }
        Ok(())
    }
}

/// An error of the program in terms of the model.
fn explain(model: &Model, error: QpError) -> IkError {
    let joint = |dof: usize| {
        let joint = model.dof_jntid[dof] as usize;
        mj_id2name(model, ObjType::Joint, joint).map_or_else(|| format!("joint {joint}"), str::to_owned)
    };
    match error {
        QpError::NotPositiveDefinite => IkError::Setting {
            what: "damping",
            must: "positive when the tasks leave dofs undetermined",
            value: 0.0,
        },
        QpError::Infeasible(Constraint::Lower(dof) | Constraint::Upper(dof)) => {
            IkError::Infeasible { what: format!("the bounds of joint '{}' cannot be kept", joint(dof)) }
        }
        QpError::Infeasible(Constraint::Row(_)) => {
            IkError::Infeasible { what: "a distance or an equality task cannot be kept".into() }
        }
        QpError::Stuck => IkError::Infeasible { what: "the program is too badly scaled to be solved".into() },
    }
}
