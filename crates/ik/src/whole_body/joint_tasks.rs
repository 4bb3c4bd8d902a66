//! Tasks of joints: a posture, and small velocities.

use super::task_rows::{Rows, TaskOptions, check_costs};
use crate::error::{IkError, check_finite, check_size};
use crate::made_for::MadeFor;
use kinetree_model::enums::JointType;
use kinetree_model::{Data, Model};
use kinetree_sim::mj_differentiate_pos;

/// Joints shall be at given positions. Free joints are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct PostureTask {
    made_for: MadeFor,
    cost: Vec<f64>,
    target: Option<Vec<f64>>,
    /// Gain, damping and priority.
    pub options: TaskOptions,
}

impl PostureTask {
    /// A task with one cost for all dofs, or one for each.
    ///
    /// # Errors
    /// When a cost is negative or their number is neither one nor `nv`.
    pub fn new(model: &Model, cost: &[f64]) -> Result<Self, IkError> {
        let mut cost = dof_costs(model, cost)?;
        for (dof, cost) in cost.iter_mut().enumerate() {
            if model.jnt_type[model.dof_jntid[dof] as usize] == JointType::Free {
                *cost = 0.0;
            }
        }
        Ok(Self { made_for: MadeFor::new(model), cost, target: None, options: TaskOptions::default() })
    }

    /// Sets the joint positions.
    ///
    /// # Errors
    /// When `qpos` has the wrong length or holds a value that is not a finite number.
    pub fn set_target(&mut self, model: &Model, qpos: &[f64]) -> Result<(), IkError> {
        check_size("the target posture", qpos, model.nq)?;
        check_finite("the target posture", qpos)?;
        self.target = Some(qpos.to_vec());
        Ok(())
    }

    /// Takes the joint positions of now.
    pub fn set_target_from_configuration(&mut self, configuration: &super::Configuration) {
        self.target = Some(configuration.q().to_vec());
    }

    pub(super) fn rows(&self, model: &Model, data: &Data, rows: &mut Rows) -> Result<(), IkError> {
        self.made_for.check("the posture task", model)?;
        let Some(target) = &self.target else {
            return Err(IkError::Unsupported("a posture task without target: set one".into()));
        };
        check_size("the target posture", target, model.nq)?;
        identity_rows(model, &self.cost, rows)?;
        mj_differentiate_pos(model, &mut rows.error, 1.0, target, &data.qpos);
        Ok(())
    }
}

/// Joints shall move little: a cost on velocities without a target.
#[derive(Clone, Debug, PartialEq)]
pub struct DampingTask {
    made_for: MadeFor,
    cost: Vec<f64>,
    /// Gain, damping and priority.
    pub options: TaskOptions,
}

impl DampingTask {
    /// A task with one cost for all dofs, or one for each.
    ///
    /// # Errors
    /// When a cost is negative or their number is neither one nor `nv`.
    pub fn new(model: &Model, cost: &[f64]) -> Result<Self, IkError> {
        Ok(Self {
            made_for: MadeFor::new(model),
            cost: dof_costs(model, cost)?,
            options: TaskOptions::default(),
        })
    }

    pub(super) fn rows(&self, model: &Model, rows: &mut Rows) -> Result<(), IkError> {
        self.made_for.check("the damping task", model)?;
        identity_rows(model, &self.cost, rows)
    }
}

fn dof_costs(model: &Model, cost: &[f64]) -> Result<Vec<f64>, IkError> {
    check_costs(cost)?;
    if let [one] = cost {
        return Ok(vec![*one; model.nv]);
    }
    check_size("the costs of the dofs", cost, model.nv)?;
    Ok(cost.to_vec())
}

/// One row for each dof, without error.
fn identity_rows(model: &Model, cost: &[f64], rows: &mut Rows) -> Result<(), IkError> {
    let nv = model.nv;
    check_size("the costs of the dofs", cost, nv)?;
    rows.resize(nv, nv);
    rows.cost.copy_from_slice(cost);
    for i in 0..nv {
        rows.jacobian[i * nv + i] = 1.0;
    }
    Ok(())
}
