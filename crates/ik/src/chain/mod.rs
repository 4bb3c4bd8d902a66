//! Kinematic chains: the joints between two frames of a model, with their forward kinematics.
//!
//! A chain is compiled once from a model. Each joint gets a frame whose z axis is the joint axis and whose
//! origin is its anchor; the fixed transform to the next joint is `Rz(φ) T(t) Rx(α) Rz(φ')`, of which the
//! rotations about z are added to the joint angles beforehand (the rotations of Denavit and Hartenberg,
//! without their conditions on the origins). What is left for each joint is one rotation about z, one
//! translation and one rotation about x.
//!
//! | joint | numbers in `q` | dofs | twist of a dof, linear then angular |
//! |---|---|---|---|
//! | revolute, continuous | 1 | 1 | `[z × (p_end − p); z]` |
//! | prismatic | 1 | 1 | `[z; 0]` |
//! | ball | 4, a quaternion | 3 | `[R eᵢ × (p_end − p); R eᵢ]` |
//! | free | 7, position and quaternion | 6 | `[eᵢ; 0]`, then as a ball |
//! | mimic | that of its leader | that of its leader | multiplier times its own |
//!
//! ```
//! use kinetree_ik::{Chain, JointFrameCache};
//!
//! let model = kinetree_spec::load_model_str(
//!     "<mujoco><worldbody><body><joint axis='0 1 0' range='-170 170'/><geom size='0.1'/>
//!        <site name='hand' pos='0.5 0 0'/></body></worldbody></mujoco>",
//! )?;
//! let chain = Chain::new(&model, "world", "hand")?;
//! let pose = chain.fk(&[0.0], &mut JointFrameCache::new(&chain))?;
//! assert!((pose.pos.x - 0.5).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod build;
mod derivative;
mod forward;
mod jacobian;
mod joint;
mod lane_frame;

pub use forward::JointFrameCache;
pub use jacobian::{ReferenceFrame, convert_jacobian};
pub use joint::JointKind;

use crate::error::{IkError, check_finite, check_size};
use crate::frame::Frame;
use crate::pose::Pose;
use joint::Joint;
use kinetree_math::rot::{quat_integrate, quat_normalize, quat_sub};
use kinetree_math::{Quat, Vec3};
use kinetree_model::Model;

/// One independent joint of a chain: what a solution has numbers for.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name of the joint; its kind and number when it has none.
    pub name: String,
    /// Number of the joint in the model.
    pub joint: usize,
    /// How it moves.
    pub kind: JointKind,
    /// First of its numbers in the chain's `q`.
    pub q_index: usize,
    /// First of its dofs in the chain.
    pub v_index: usize,
    /// First of its numbers in the model's `qpos`.
    pub qposadr: usize,
    /// First of its dofs in the model.
    pub dofadr: usize,
    /// Limits (rad or m), infinite where there are none, narrowed by joints that follow this one.
    pub range: [f64; 2],
    /// Limit of the angle of a ball joint; infinite when there is none.
    pub ball_limit: f64,
}

/// The joints between two frames of a model. It holds copies of the model's constants: make it again after
/// changing them.
#[derive(Clone, Debug)]
pub struct Chain {
    joints: Vec<Joint>,
    variables: Vec<Variable>,
    nq: usize,
    nv: usize,
    /// Frame of the first joint in the base.
    start: Pose,
    /// The same in lanes.
    start_lanes: lane_frame::LaneFrame,
    /// Orientation of the end in the frame of the last joint.
    tip: kinetree_math::Mat3,
    /// Whether several joints share a variable.
    coupled: bool,
    /// Largest distance between the first joint and the end, infinite when a joint can move without bounds.
    reach: f64,
    base: Frame,
    end: Frame,
}

impl Chain {
    /// The chain from one frame down to another, by the names of bodies (links), sites or geoms; the world is
    /// `world` or an empty name.
    ///
    /// # Errors
    /// When a name is unknown, no path or no joint lies between the frames, or a joint axis is zero.
    pub fn new(model: &Model, base: &str, end: &str) -> Result<Self, IkError> {
        Self::between(model, Frame::find(model, base)?, Frame::find(model, end)?)
    }

    /// Number of joint values: length of `q`.
    #[must_use]
    pub fn nq(&self) -> usize {
        self.nq
    }

    /// Number of degrees of freedom: columns of the Jacobian.
    #[must_use]
    pub fn nv(&self) -> usize {
        self.nv
    }

    /// Number of joints, with those that follow others.
    #[must_use]
    pub fn njoint(&self) -> usize {
        self.joints.len()
    }

    /// The independent joints, in the order of `q`.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Frame in which poses are given.
    #[must_use]
    pub fn base(&self) -> Frame {
        self.base
    }

    /// Frame whose pose is computed.
    #[must_use]
    pub fn end(&self) -> Frame {
        self.end
    }

    /// Upper bound of the distance between the first joint and the end (m).
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Position of the first joint in the base.
    pub(crate) fn start(&self) -> Vec3 {
        self.start.pos
    }

    /// Values of the chain's joints in a model's `qpos`.
    ///
    /// # Errors
    /// When `qpos` is shorter than the model's.
    pub fn extract(&self, qpos: &[f64]) -> Result<Vec<f64>, IkError> {
        let needed = self.variables.iter().map(|v| v.qposadr + v.kind.nq()).max().unwrap_or(0);
        if qpos.len() < needed {
            return Err(IkError::Size { what: "qpos", expected: needed, got: qpos.len() });
        }
        Ok(self.variables.iter().flat_map(|v| &qpos[v.qposadr..v.qposadr + v.kind.nq()]).copied().collect())
    }

    /// Middle of the limits; zero for joints without limits, the identity for ball joints.
    #[must_use]
    pub fn neutral(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.nq];
        self.fill_neutral(&mut q);
        q
    }

    pub(crate) fn fill_neutral(&self, q: &mut [f64]) {
        q.fill(0.0);
        for variable in &self.variables {
            let i = variable.q_index;
            match variable.kind {
                JointKind::Revolute | JointKind::Prismatic => q[i] = middle(variable.range),
                JointKind::Ball => q[i] = 1.0,
                JointKind::Free => q[i + 3] = 1.0,
            }
        }
    }

    /// Moves values outside of the limits onto them.
    pub fn clamp(&self, q: &mut [f64]) {
        for variable in self.variables.iter().filter(|v| v.kind.nq() == 1) {
            let value = &mut q[variable.q_index];
            *value = value.max(variable.range[0]).min(variable.range[1]);
        }
    }

    /// Moves `q` along the velocity `v` for time `dt`: adds for scalar joints, rotates quaternions.
    pub fn integrate(&self, q: &mut [f64], v: &[f64], dt: f64) {
        for variable in &self.variables {
            let (iq, iv) = (variable.q_index, variable.v_index);
            match variable.kind {
                JointKind::Revolute | JointKind::Prismatic => q[iq] += dt * v[iv],
                JointKind::Ball => rotate_quaternion(&mut q[iq..], &v[iv..], dt),
                JointKind::Free => {
                    for k in 0..3 {
                        q[iq + k] += dt * v[iv + k];
                    }
                    rotate_quaternion(&mut q[iq + 3..], &v[iv + 3..], dt);
                }
            }
        }
    }

    /// Velocity that takes `from` to `to` in unit time, by the shorter way for quaternions.
    pub fn difference(&self, from: &[f64], to: &[f64], v: &mut [f64]) {
        for variable in &self.variables {
            let (iq, iv) = (variable.q_index, variable.v_index);
            match variable.kind {
                JointKind::Revolute | JointKind::Prismatic => v[iv] = to[iq] - from[iq],
                JointKind::Ball => rotation_between(&from[iq..], &to[iq..], &mut v[iv..]),
                JointKind::Free => {
                    for k in 0..3 {
                        v[iv + k] = to[iq + k] - from[iq + k];
                    }
                    rotation_between(&from[iq + 3..], &to[iq + 3..], &mut v[iv + 3..]);
                }
            }
        }
    }

    /// Fails unless `q` has the chain's length and finite numbers.
    pub(crate) fn check_q(&self, q: &[f64]) -> Result<(), IkError> {
        check_size("q", q, self.nq)?;
        check_finite("q", q)
    }
}

/// Middle of a range, or zero when it is open.
fn middle(range: [f64; 2]) -> f64 {
    match (range[0].is_finite(), range[1].is_finite()) {
        (true, true) => 0.5 * (range[0] + range[1]),
        (true, false) => range[0].max(0.0),
        (false, true) => range[1].min(0.0),
        (false, false) => 0.0,
    }
}

/// First four numbers as a unit quaternion.
#[inline]
fn unit_quat(q: &[f64]) -> Quat {
    let mut quat = [q[0], q[1], q[2], q[3]];
    quat_normalize(&mut quat);
    quat
}

/// Rotates the quaternion at the start of `q`.
fn rotate_quaternion(q: &mut [f64], v: &[f64], dt: f64) {
    let mut quat = [q[0], q[1], q[2], q[3]];
    quat_integrate(&mut quat, &Vec3::new(v[0], v[1], v[2]), dt);
    q[..4].copy_from_slice(&quat);
}

/// Local rotation vector between two quaternions.
fn rotation_between(from: &[f64], to: &[f64], v: &mut [f64]) {
    let rotation = quat_sub(&unit_quat(to), &unit_quat(from));
    v[..3].copy_from_slice(rotation.as_slice());
}
