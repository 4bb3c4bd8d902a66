//! The state that whole-body tasks look at: joint positions with the kinematics that follow from them.

use crate::error::{IkError, check_finite, check_size};
use crate::frame::Frame;
use crate::pose::Pose;
use kinetree_model::{Data, Model, mj_reset_data_keyframe};
use kinetree_sim::{mj_com_pos, mj_integrate_pos, mj_jac_into, mj_kinematics};

/// Joint positions of a model with the poses of all its frames.
#[derive(Clone, Debug)]
pub struct Configuration {
    data: Data,
}

impl Configuration {
    /// The model's reference configuration, `qpos0`.
    ///
    /// # Errors
    /// When the kinematics of the model fail.
    pub fn new(model: &Model) -> Result<Self, IkError> {
        let mut configuration = Self { data: Data::new(model) };
        configuration.refresh(model)?;
        Ok(configuration)
    }

    /// Sets the joint positions.
    ///
    /// # Errors
    /// When `qpos` has the wrong length or holds a value that is not a finite number.
    pub fn update(&mut self, model: &Model, qpos: &[f64]) -> Result<(), IkError> {
        self.data.check_sizes(model)?;
        check_size("qpos", qpos, model.nq)?;
        check_finite("qpos", qpos)?;
        self.data.qpos.copy_from_slice(qpos);
        self.refresh(model)
    }

    /// Takes the joint positions of a keyframe.
    ///
    /// # Errors
    /// When the model has no such keyframe.
    pub fn update_from_keyframe(&mut self, model: &Model, key: usize) -> Result<(), IkError> {
        if key >= model.nkey {
            return Err(IkError::UnknownId { kind: "keyframe", id: key, count: model.nkey });
        }
        mj_reset_data_keyframe(model, &mut self.data, key).map_err(|e| IkError::Simulation(e.to_string()))?;
        self.refresh(model)
    }

    /// Moves along a velocity for time `dt`.
    ///
    /// # Errors
    /// When the velocity has the wrong length, or it or `dt` holds a value that is not a finite number.
    pub fn integrate_inplace(&mut self, model: &Model, velocity: &[f64], dt: f64) -> Result<(), IkError> {
        self.data.check_sizes(model)?;
        check_size("the velocity", velocity, model.nv)?;
        check_finite("the velocity", velocity)?;
        check_finite("dt", &[dt])?;
        mj_integrate_pos(model, &mut self.data.qpos, velocity, dt);
        self.refresh(model)
    }

    /// The joint positions.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        &self.data.qpos
    }

    /// The kinematics: poses of bodies, geoms and sites, and motions of dofs.
    #[must_use]
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The same, with its scratch memory.
    pub(super) fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }

    /// Pose of a frame in the world.
    ///
    /// # Errors
    /// When the model has no such frame.
    pub fn frame_pose(&self, model: &Model, frame: Frame) -> Result<Pose, IkError> {
        frame.check(model)?;
        Ok(frame.world_pose(&self.data))
    }

    /// Jacobian of a frame in the world's axes: row-major, three rows of its linear and three of its angular
    /// velocity.
    ///
    /// # Errors
    /// When the model has no such frame, or the array has the wrong length.
    pub fn frame_jacobian(&self, model: &Model, frame: Frame, jacobian: &mut [f64]) -> Result<(), IkError> {
        frame.check(model)?;
        check_size("the Jacobian", jacobian, 6 * model.nv)?;
        frame_rows(model, &self.data, frame, jacobian)
    }

    fn refresh(&mut self, model: &Model) -> Result<(), IkError> {
        mj_kinematics(model, &mut self.data)?;
        mj_com_pos(model, &mut self.data)?;
        Ok(())
    }
}

/// Linear and angular rows of a frame's Jacobian.
pub(super) fn frame_rows(
    model: &Model,
    data: &Data,
    frame: Frame,
    jacobian: &mut [f64],
) -> Result<(), IkError> {
    let (linear, angular) = jacobian.split_at_mut(3 * model.nv);
    let point = frame.world_pose(data).pos.into();
    Ok(mj_jac_into(model, data, Some(linear), Some(angular), &point, frame.body(model))?)
}
