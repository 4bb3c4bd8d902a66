//! Limits on joint positions and velocities: bounds of the step.

use super::CollisionAvoidanceLimit;
use super::qp::QuadraticProgram;
use crate::error::{IkError, check_setting, check_size};
use crate::made_for::MadeFor;
use kinetree_model::enums::{JointType, ObjType};
use kinetree_model::{Data, Model, mj_id2name, mj_name2id};

/// A limit of whole-body inverse kinematics.
#[derive(Clone, Debug)]
pub enum Limit {
    /// Joint positions.
    Configuration(ConfigurationLimit),
    /// Joint velocities.
    Velocity(VelocityLimit),
    /// Distances between geoms.
    Collision(CollisionAvoidanceLimit),
}

impl From<ConfigurationLimit> for Limit {
    fn from(limit: ConfigurationLimit) -> Self {
        Self::Configuration(limit)
    }
}

impl From<VelocityLimit> for Limit {
    fn from(limit: VelocityLimit) -> Self {
        Self::Velocity(limit)
    }
}

impl From<CollisionAvoidanceLimit> for Limit {
    fn from(limit: CollisionAvoidanceLimit) -> Self {
        Self::Collision(limit)
    }
}

/// Hinges and slides stay within their ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigurationLimit {
    /// Fraction of the way to the limit that one step may take, in (0, 1].
    pub gain: f64,
    /// Distance to keep from the limits (rad or m).
    pub min_distance_from_limits: f64,
}

impl Default for ConfigurationLimit {
    fn default() -> Self {
        Self { gain: 0.95, min_distance_from_limits: 0.0 }
    }
}

impl ConfigurationLimit {
    pub(super) fn apply(&self, model: &Model, data: &Data, qp: &mut QuadraticProgram) -> Result<(), IkError> {
        check_setting("min_distance_from_limits", self.min_distance_from_limits, 0.0)?;
        if !(self.gain > 0.0 && self.gain <= 1.0) {
            let must = "above zero and at most one";
            return Err(IkError::Setting {
                what: "the gain of the configuration limit",
                must,
                value: self.gain,
            });
        }
        for joint in (0..model.njnt).filter(|&j| model.jnt_limited[j] != 0) {
            let kind = model.jnt_type[joint];
            if kind != JointType::Hinge && kind != JointType::Slide {
                continue;
            }
            let q = data.qpos[model.jnt_qposadr[joint] as usize];
            let [lower, upper] = model.jnt_range[joint];
            let way = |end: f64| self.gain * (end - q);
            let bounds =
                [way(lower + self.min_distance_from_limits), way(upper - self.min_distance_from_limits)];
            narrow(qp, model, joint, bounds, "its range")?;
        }
        Ok(())
    }
}

/// Joints do not move faster than given velocities.
#[derive(Clone, Debug, PartialEq)]
pub struct VelocityLimit {
    made_for: MadeFor,
    /// Largest velocity of each dof (rad/s or m/s), infinite where there is none.
    limits: Vec<f64>,
}

impl VelocityLimit {
    /// From the largest velocity of each dof; infinite where there is none.
    ///
    /// # Errors
    /// When there are not `nv` numbers, or one is negative.
    pub fn new(model: &Model, limits: &[f64]) -> Result<Self, IkError> {
        check_size("the velocity limits", limits, model.nv)?;
        for &limit in limits.iter().filter(|&&limit| limit != f64::INFINITY) {
            check_setting("a velocity limit", limit, 0.0)?;
        }
        Ok(Self { made_for: MadeFor::new(model), limits: limits.to_vec() })
    }

    /// From joint names and the largest velocity of all dofs of each.
    ///
    /// # Errors
    /// When there is no such joint, or a velocity is negative.
    pub fn by_joint(model: &Model, velocities: &[(&str, f64)]) -> Result<Self, IkError> {
        let mut limits = vec![f64::INFINITY; model.nv];
        for &(name, velocity) in velocities {
            let joint = mj_name2id(model, ObjType::Joint, name).ok_or_else(|| IkError::UnknownFrame {
                name: name.to_owned(),
                kinds: "joint",
                hint: String::new(),
            })?;
            for dof in (0..model.nv).filter(|&dof| model.dof_jntid[dof] as usize == joint) {
                limits[dof] = velocity;
            }
        }
        Self::new(model, &limits)
    }

    pub(super) fn apply(&self, model: &Model, dt: f64, qp: &mut QuadraticProgram) -> Result<(), IkError> {
        self.made_for.check("the velocity limit", model)?;
        for (dof, &limit) in self.limits.iter().enumerate() {
            if limit.is_finite() {
                (qp.lower[dof], qp.upper[dof]) =
                    intersect(qp, model, dof, [-limit * dt, limit * dt], "its velocity limit")?;
            }
        }
        Ok(())
    }
}

/// Narrows the bounds of a scalar joint.
fn narrow(
    qp: &mut QuadraticProgram,
    model: &Model,
    joint: usize,
    bounds: [f64; 2],
    what: &str,
) -> Result<(), IkError> {
    let dof = model.jnt_dofadr[joint] as usize;
    (qp.lower[dof], qp.upper[dof]) = intersect(qp, model, dof, bounds, what)?;
    Ok(())
}

/// Intersection of the bounds of a dof with others.
fn intersect(
    qp: &QuadraticProgram,
    model: &Model,
    dof: usize,
    bounds: [f64; 2],
    what: &str,
) -> Result<(f64, f64), IkError> {
    let (lower, upper) = (qp.lower[dof].max(bounds[0]), qp.upper[dof].min(bounds[1]));
    if lower <= upper {
        return Ok((lower, upper));
    }
    let joint = model.dof_jntid[dof] as usize;
    let name =
        mj_id2name(model, ObjType::Joint, joint).map_or_else(|| format!("joint {joint}"), str::to_owned);
    Err(IkError::Infeasible { what: format!("joint '{name}' is too far outside of its range for {what}") })
}
