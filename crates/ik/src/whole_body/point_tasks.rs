//! Tasks of points: the centre of mass, and a frame that looks at a point.

use super::configuration::frame_rows;
use super::task_rows::{Rows, TaskOptions, check_costs};
use crate::error::{IkError, check_finite};
use crate::frame::Frame;
use crate::made_for::MadeFor;
use crate::pose::shortest_rotation;
use kinetree_math::Vec3;
use kinetree_model::{Data, Model};
use kinetree_sim::mj_jac_subtree_com_into;

/// The centre of mass of the whole model shall be at a point of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct ComTask {
    cost: [f64; 3],
    target: Option<Vec3>,
    /// Gain, damping and priority.
    pub options: TaskOptions,
}

impl ComTask {
    /// A task with costs along the world's axes; zero leaves a direction free.
    ///
    /// # Errors
    /// When a cost is negative.
    pub fn new(cost: [f64; 3]) -> Result<Self, IkError> {
        check_costs(&cost)?;
        Ok(Self { cost, target: None, options: TaskOptions::default() })
    }

    /// Sets the point (m).
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn set_target(&mut self, target: &[f64; 3]) -> Result<(), IkError> {
        check_finite("the target of the centre of mass", target)?;
        self.target = Some(Vec3::from(*target));
        Ok(())
    }

    /// Takes the point where the centre of mass is now.
    pub fn set_target_from_configuration(&mut self, configuration: &super::Configuration) {
        self.target = Some(Vec3::from(configuration.data().subtree_com[0]));
    }

    pub(super) fn rows(&self, model: &Model, data: &Data, rows: &mut Rows) -> Result<(), IkError> {
        let Some(target) = self.target else {
            return Err(IkError::Unsupported("a centre-of-mass task without target: set one".into()));
        };
        rows.resize(3, model.nv);
        for k in 0..3 {
            rows.error[k] = data.subtree_com[0][k] - target[k];
            rows.cost[k] = self.cost[k];
        }
        Ok(mj_jac_subtree_com_into(model, data, &mut rows.jacobian, 0)?)
    }
}

/// An axis of a frame shall point towards a point of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct LookAtTask {
    made_for: MadeFor,
    frame: Frame,
    axis: Vec3,
    cost: f64,
    target: Option<Vec3>,
    /// Gain, damping and priority.
    pub options: TaskOptions,
}

impl LookAtTask {
    /// A task for an axis that is given in the frame.
    ///
    /// # Errors
    /// When the model has no such frame, the axis is zero, or the cost is negative.
    pub fn new(model: &Model, frame: Frame, axis: [f64; 3], cost: f64) -> Result<Self, IkError> {
        frame.check(model)?;
        check_finite("the axis of a look-at task", &axis)?;
        check_costs(&[cost])?;
        let axis = Vec3::from(axis)
            .try_normalize(1e-12)
            .ok_or(IkError::ZeroDirection { what: "the axis of a look-at task" })?;
        Ok(Self {
            made_for: MadeFor::new(model),
            frame,
            axis,
            cost,
            target: None,
            options: TaskOptions::default(),
        })
    }

    /// Sets the point to look at (m).
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn set_target(&mut self, target: &[f64; 3]) -> Result<(), IkError> {
        check_finite("the point to look at", target)?;
        self.target = Some(Vec3::from(*target));
        Ok(())
    }

    pub(super) fn rows(&self, model: &Model, data: &Data, rows: &mut Rows) -> Result<(), IkError> {
        self.made_for.check("the look-at task", model)?;
        let Some(target) = self.target else {
            let what = format!("a look-at task without target: set one for '{}'", self.frame.name(model));
            return Err(IkError::Unsupported(what));
        };
        let nv = model.nv;
        rows.resize(3, nv);
        let pose = self.frame.world_pose(data);
        let axis = pose.mat * self.axis;
        let gaze = target - pose.pos;
        let distance = gaze.norm();
        if distance < 1e-9 {
            return Err(IkError::ZeroDirection { what: "the way from the looking frame to its target" });
        }
        let direction = gaze / distance;
        // rotation vector from the direction to the axis
        let error = -shortest_rotation(&axis, &direction);
        rows.scratch.clear();
        rows.scratch.resize(6 * nv, 0.0);
        frame_rows(model, data, self.frame, &mut rows.scratch)?;
        for i in 0..nv {
            let part = |first: usize| Vec3::from_fn(|k, _| rows.scratch[(first + k) * nv + i]);
            let (v, w) = (part(0), part(3));
            // the axis rotates with the frame; the direction rotates when the frame moves sideways
            let column = w - axis * axis.dot(&w) + direction.cross(&v) / distance;
            for k in 0..3 {
                rows.jacobian[k * nv + i] = column[k];
            }
        }
        for k in 0..3 {
            (rows.error[k], rows.cost[k]) = (error[k], self.cost);
        }
        Ok(())
    }
}
