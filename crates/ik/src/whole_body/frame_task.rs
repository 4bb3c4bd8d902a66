//! Task of a frame's pose, in the world or relative to another frame.
//!
//! The error is that of the position and, apart from it, the rotation vector from the target to the frame,
//! both in the axes of the frame in which the target is given.

use super::configuration::frame_rows;
use super::task_rows::{Rows, TaskOptions, check_costs};
use crate::error::IkError;
use crate::frame::Frame;
use crate::made_for::MadeFor;
use crate::pose::{Pose, rotation_vector};
use kinetree_math::Vec3;
use kinetree_model::{Data, Model};

/// A frame shall have a pose.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTask {
    made_for: MadeFor,
    frame: Frame,
    root: Frame,
    position_cost: [f64; 3],
    orientation_cost: [f64; 3],
    target: Option<Pose>,
    /// Gain, damping and priority.
    pub options: TaskOptions,
}

impl FrameTask {
    /// A pose in the world. Costs are along and about the world's axes; zero leaves a direction free.
    ///
    /// # Errors
    /// When the model has no such frame, or a cost is negative.
    pub fn new(
        model: &Model,
        frame: Frame,
        position_cost: [f64; 3],
        orientation_cost: [f64; 3],
    ) -> Result<Self, IkError> {
        Self::relative(model, frame, Frame::WORLD, position_cost, orientation_cost)
    }

    /// A pose in the frame `root`, which may move too.
    ///
    /// # Errors
    /// When the model has no such frame, or a cost is negative.
    pub fn relative(
        model: &Model,
        frame: Frame,
        root: Frame,
        position_cost: [f64; 3],
        orientation_cost: [f64; 3],
    ) -> Result<Self, IkError> {
        frame.check(model)?;
        root.check(model)?;
        check_costs(&position_cost)?;
        check_costs(&orientation_cost)?;
        let options = TaskOptions::default();
        let made_for = MadeFor::new(model);
        Ok(Self { made_for, frame, root, position_cost, orientation_cost, target: None, options })
    }

    /// Sets the pose that the frame shall have in its root.
    pub fn set_target(&mut self, target: &Pose) {
        self.target = Some(*target);
    }

    /// Takes the pose that the frame has now.
    pub fn set_target_from_configuration(&mut self, configuration: &super::Configuration) {
        self.target = Some(self.pose(configuration.data()));
    }

    fn pose(&self, data: &Data) -> Pose {
        let pose = self.frame.world_pose(data);
        if self.root == Frame::WORLD { pose } else { self.root.world_pose(data).inverse().mul(&pose) }
    }

    pub(super) fn rows(&self, model: &Model, data: &Data, rows: &mut Rows) -> Result<(), IkError> {
        self.made_for.check("the frame task", model)?;
        let Some(target) = self.target else {
            let what = format!("a frame task without target: set one for '{}'", self.frame.name(model));
            return Err(IkError::Unsupported(what));
        };
        let nv = model.nv;
        rows.resize(6, nv);
        let pose = self.pose(data);
        let rotation = rotation_vector(&(pose.mat * target.mat.transpose()));
        for k in 0..3 {
            rows.error[k] = pose.pos[k] - target.pos[k];
            rows.error[3 + k] = rotation[k];
            rows.cost[k] = self.position_cost[k];
            rows.cost[3 + k] = self.orientation_cost[k];
        }
        frame_rows(model, data, self.frame, &mut rows.jacobian)?;
        if self.root != Frame::WORLD {
            rows.scratch.clear();
            rows.scratch.resize(6 * nv, 0.0);
            frame_rows(model, data, self.root, &mut rows.scratch)?;
            relative_motion(data, self.frame, self.root, nv, &mut rows.jacobian, &rows.scratch);
        }
        Ok(())
    }
}

/// Turns the Jacobian of a frame into that of its motion relative to a root, in the root's axes:
/// `Rᵀ (v − v_root − ω_root × (p − p_root))` and `Rᵀ (ω − ω_root)`.
pub(super) fn relative_motion(
    data: &Data,
    frame: Frame,
    root: Frame,
    nv: usize,
    jacobian: &mut [f64],
    of_root: &[f64],
) {
    let root_pose = root.world_pose(data);
    let arm = frame.world_pose(data).pos - root_pose.pos;
    let column = |j: &[f64], first: usize, i: usize| {
        Vec3::new(j[first * nv + i], j[(first + 1) * nv + i], j[(first + 2) * nv + i])
    };
    for i in 0..nv {
        let (v, w) = (column(jacobian, 0, i), column(jacobian, 3, i));
        let (v_root, w_root) = (column(of_root, 0, i), column(of_root, 3, i));
        let linear = root_pose.mat.tr_mul(&(v - v_root - w_root.cross(&arm)));
        let angular = root_pose.mat.tr_mul(&(w - w_root));
        for k in 0..3 {
            jacobian[k * nv + i] = linear[k];
            jacobian[(3 + k) * nv + i] = angular[k];
        }
    }
}
