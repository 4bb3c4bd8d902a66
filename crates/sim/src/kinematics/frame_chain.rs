//! Pose and Jacobian of one point straight from `qpos`, with the kinematics of its own chain only.
//!
//! Inverse kinematics and control ask for one frame of an arm many times; there is no need to place every other body, geom and
//! site, and no `Data` is involved. The chain is collected once; a query then walks it from the root. For a hinge, the fixed
//! offset `b` and the rotation by `θ` about `a` are one quaternion product, as `b (cos θ/2 + a sin θ/2) = b cos θ/2 + (b a) sin θ/2`
//! and `b a` is constant.

use crate::kinematics::poses::{unit_quat, vec3_at};
use kinetree_math::rot::{QUAT_IDENTITY, quat_mul, quat_mul_axis, quat_normalize, quat_to_mat};
use kinetree_math::{Mat3, Quat, Vec3};
use kinetree_model::Model;
use kinetree_model::enums::JointType;

/// A joint with the fixed offset before it.
#[derive(Clone, Debug)]
struct Link {
    /// Offset from the frame before, and its rotation.
    offset: Vec3,
    turn: Quat,
    /// `turn` times the joint axis.
    turn_axis: Quat,
    kind: JointType,
    axis: Vec3,
    anchor: Vec3,
    qpos: usize,
    dof: usize,
    reference: f64,
}

/// What a dof does to the frame, in global coordinates.
#[derive(Clone, Copy, Debug)]
enum Motion {
    /// Rotation about an axis through a point.
    Rotation { axis: Vec3, center: Vec3 },
    /// Translation along an axis.
    Translation { axis: Vec3 },
}

/// The chain of joints that moves a point fixed to a body. It holds copies of the model's constants: make it again after changing
/// them. Bodies moved by mocap are placed as the model has them.
#[derive(Clone, Debug)]
pub struct FrameChain {
    links: Vec<Link>,
    /// Pose of the frame after the last joint.
    tip: (Vec3, Quat),
    motions: Vec<(usize, Motion)>,
}

impl FrameChain {
    /// Collects the chain of a frame at `pos` and `quat` relative to `body`.
    #[must_use]
    pub fn new(model: &Model, body: usize, pos: &[f64; 3], quat: &Quat) -> Self {
        let mut path = Vec::new();
        let mut b = body;
        while b > 0 {
            path.push(b);
            b = model.body_parentid[b] as usize;
        }
        let mut links = Vec::new();
        let (mut offset, mut turn) = (Vec3::zeros(), QUAT_IDENTITY);
        for &b in path.iter().rev() {
            offset += quat_to_mat(&turn) * Vec3::from(model.body_pos[b]);
            turn = quat_mul(&turn, &model.body_quat[b]);
            let first = model.body_jntadr[b] as usize;
            for joint in first..first + model.body_jntnum[b] as usize {
                let Ok(kind) = JointType::try_from(model.jnt_type[joint]) else { continue };
                let qpos = model.jnt_qposadr[joint] as usize;
                let axis = Vec3::from(model.jnt_axis[joint]);
                quat_normalize(&mut turn);
                links.push(Link {
                    offset,
                    turn,
                    turn_axis: quat_mul_axis(&turn, &axis),
                    kind,
                    axis,
                    anchor: Vec3::from(model.jnt_pos[joint]),
                    qpos,
                    dof: model.jnt_dofadr[joint] as usize,
                    reference: model.qpos0[qpos],
                });
                (offset, turn) = (Vec3::zeros(), QUAT_IDENTITY);
            }
        }
        let tip_pos = offset + quat_to_mat(&turn) * Vec3::from(*pos);
        let tip = (tip_pos, quat_mul(&turn, quat));
        Self { links, tip, motions: Vec::with_capacity(path.len() + 6) }
    }

    /// Pose of the frame at `qpos`.
    pub fn pose(&mut self, qpos: &[f64]) -> (Vec3, Quat) {
        self.motions.clear();
        let (mut pos, mut quat) = (Vec3::zeros(), QUAT_IDENTITY);
        let mut mat = Mat3::identity();
        for link in &self.links {
            let start = pos + mat * link.offset;
            match link.kind {
                JointType::Hinge => {
                    let (sin, cos) = libm::sincos(0.5 * (qpos[link.qpos] - link.reference));
                    let local: Quat = std::array::from_fn(|i| link.turn[i] * cos + link.turn_axis[i] * sin);
                    // the anchor stays; the frame turns around it
                    let before = mat * rotate(&link.turn, &link.anchor);
                    quat = quat_mul(&quat, &local);
                    mat = quat_to_mat(&quat);
                    let center = start + before;
                    pos = center - mat * link.anchor;
                    self.motions.push((link.dof, Motion::Rotation { axis: mat * link.axis, center }));
                }
                JointType::Slide => {
                    quat = quat_mul(&quat, &link.turn);
                    mat = quat_to_mat(&quat);
                    let axis = mat * link.axis;
                    pos = start + axis * (qpos[link.qpos] - link.reference);
                    self.motions.push((link.dof, Motion::Translation { axis }));
                }
                JointType::Ball => {
                    let before = mat * rotate(&link.turn, &link.anchor);
                    quat = quat_mul(&quat_mul(&quat, &link.turn), &unit_quat(qpos, link.qpos));
                    mat = quat_to_mat(&quat);
                    let center = start + before;
                    pos = center - mat * link.anchor;
                    push_rotations(&mut self.motions, link.dof, &mat, &center);
                }
                JointType::Free => {
                    pos = vec3_at(qpos, link.qpos);
                    quat = unit_quat(qpos, link.qpos + 3);
                    mat = quat_to_mat(&quat);
                    for i in 0..3 {
                        let axis = Vec3::ith(i, 1.0);
                        self.motions.push((link.dof + i, Motion::Translation { axis }));
                    }
                    push_rotations(&mut self.motions, link.dof + 3, &mat, &pos);
                }
            }
        }
        let mut tip = quat_mul(&quat, &self.tip.1);
        quat_normalize(&mut tip);
        (pos + mat * self.tip.0, tip)
    }

    /// Pose of the frame at `qpos`, and its Jacobian into row-major `3 × nv` buffers: linear velocity of the frame's origin, and
    /// angular velocity. Columns of dofs outside the chain are not touched: zero the buffers once.
    pub fn jacobian(&mut self, qpos: &[f64], nv: usize, jacp: &mut [f64], jacr: &mut [f64]) -> (Vec3, Quat) {
        let (point, quat) = self.pose(qpos);
        let (px, rest) = jacp.split_at_mut(nv);
        let (py, pz) = rest.split_at_mut(nv);
        let (rx, rest) = jacr.split_at_mut(nv);
        let (ry, rz) = rest.split_at_mut(nv);
        for (dof, motion) in &self.motions {
            let (linear, angular) = match motion {
                Motion::Rotation { axis, center } => (axis.cross(&(point - center)), *axis),
                Motion::Translation { axis } => (*axis, Vec3::zeros()),
            };
            let i = *dof;
            (px[i], py[i], pz[i]) = (linear.x, linear.y, linear.z);
            (rx[i], ry[i], rz[i]) = (angular.x, angular.y, angular.z);
        }
        (point, quat)
    }
}

/// Rotates a vector, for free when it is zero.
#[inline]
fn rotate(quat: &Quat, v: &Vec3) -> Vec3 {
    if *v == Vec3::zeros() { *v } else { kinetree_math::rot::quat_rotate(quat, v) }
}

/// Appends rotations about the axes of a frame.
fn push_rotations(motions: &mut Vec<(usize, Motion)>, dof: usize, mat: &Mat3, center: &Vec3) {
    for i in 0..3 {
        let axis = mat.column(i).into_owned();
        motions.push((dof + i, Motion::Rotation { axis, center: *center }));
    }
}
