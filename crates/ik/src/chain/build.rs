//! Compiling a chain: path, joints, couplings, and constants folded into one transform for each joint.

use super::lane_frame::LaneFrame;
use super::{Chain, Joint, JointKind, Variable};
use crate::error::IkError;
use crate::frame::Frame;
use crate::pose::Pose;
use kinetree_math::rot::{QUAT_IDENTITY, quat_to_mat, quat_z_to_vec};
use kinetree_math::{MINVAL, Mat3, Quat, Vec3};
use kinetree_model::enums::{EqType, JointType, ObjType};
use kinetree_model::{Model, mj_id2name};

/// A joint before its constants are folded.
struct RawJoint {
    joint: usize,
    kind: JointKind,
    body: usize,
    /// Transform to the joint's frame (z along the axis) from the joint before it, after that has moved.
    to: Pose,
    /// Pose of the moved body in the joint's frame.
    link: Pose,
}

/// What a joint's value is: `offset + scale · value of the leader`.
#[derive(Clone, Copy)]
struct Coupling {
    leader: Option<usize>,
    scale: f64,
    offset: f64,
}

impl Chain {
    /// The chain from one frame down to another.
    ///
    /// # Errors
    /// When a frame does not exist, no path or no joint lies between the frames, or a joint axis is zero.
    pub fn between(model: &Model, base: Frame, end: Frame) -> Result<Self, IkError> {
        base.check(model)?;
        end.check(model)?;
        let path = path_down(model, base, end)?;
        let (raw, tip) = raw_joints(model, &path, &base.offset(model), &end.offset(model))?;
        let [first, ..] = raw.as_slice() else {
            return Err(IkError::NoJoints { base: base.name(model), end: end.name(model) });
        };
        let start = first.to;
        let couplings = raw.iter().map(|raw| coupling(model, raw.joint)).collect::<Result<Vec<_>, _>>()?;
        let variables = variables(model, &raw, &couplings)?;
        let joints = fold(model, &raw, &couplings, &variables, &tip);
        let mut chain = Self {
            nq: variables.iter().map(|v| v.kind.nq()).sum(),
            nv: variables.iter().map(|v| v.kind.nv()).sum(),
            coupled: raw.iter().zip(&couplings).any(|(raw, coupling)| coupling.leader != Some(raw.joint)),
            reach: 0.0,
            joints,
            variables,
            start,
            start_lanes: LaneFrame::new(&start),
            tip: tip.mat,
            base,
            end,
        };
        chain.reach = chain.longest_stretch();
        Ok(chain)
    }

    /// Sum of the offsets after the first joint and of the largest shifts.
    fn longest_stretch(&self) -> f64 {
        let mut sum = 0.0;
        for joint in &self.joints {
            sum += Vec3::from(joint.offset).norm();
            sum += match joint.kind {
                JointKind::Revolute | JointKind::Ball => 0.0,
                JointKind::Free => f64::INFINITY,
                JointKind::Prismatic if joint.scale == 0.0 => joint.shift.abs(),
                JointKind::Prismatic => {
                    let range =
                        self.variables.iter().find(|v| v.q_index == joint.q).map_or([0.0; 2], |v| v.range);
                    range.iter().map(|q| (joint.shift + joint.scale * q).abs()).fold(0.0, f64::max)
                }
            };
        }
        sum
    }
}

/// Bodies from below the base down to the end.
fn path_down(model: &Model, base: Frame, end: Frame) -> Result<Vec<usize>, IkError> {
    let top = base.body(model);
    let mut path = Vec::new();
    let mut body = end.body(model);
    while body != top && body > 0 {
        path.push(body);
        body = parent(model, body)?;
    }
    if body == top {
        path.reverse();
        return Ok(path);
    }
    let mut common = top;
    while common > 0 && !path.contains(&common) {
        common = parent(model, common)?;
    }
    Err(IkError::NoPath {
        base: base.name(model),
        end: end.name(model),
        common: Frame::Body(common).name(model),
    })
}

/// Parent of a body, which must come before it: a program may write anything to a model's arrays.
fn parent(model: &Model, body: usize) -> Result<usize, IkError> {
    let parent = model.body_parentid[body];
    usize::try_from(parent).ok().filter(|&parent| parent < body).ok_or_else(|| {
        let what = format!("the model is broken: body_parentid[{body}] is {parent}");
        IkError::Simulation(what)
    })
}

/// Joints along a path, and the transform from the last of them to the end.
fn raw_joints(
    model: &Model,
    path: &[usize],
    base: &Pose,
    end: &Pose,
) -> Result<(Vec<RawJoint>, Pose), IkError> {
    let mut joints = Vec::new();
    let mut fixed = base.inverse();
    for &body in path {
        let first = model.body_jntadr[body];
        let range = first.max(0) as usize..(first.max(0) + model.body_jntnum[body]) as usize;
        let is_free = range.len() == 1 && model.jnt_type[range.start] == JointType::Free;
        // a free joint replaces the pose of its body
        if !is_free {
            fixed = fixed.mul(&Pose::new(&model.body_pos[body], &model.body_quat[body]));
        }
        for joint in range {
            let (kind, axis) = kind_and_axis(model, joint)?;
            let anchor = if is_free { [0.0; 3] } else { model.jnt_pos[joint] };
            let frame = Pose::new(&anchor, &axis);
            let link = frame.inverse();
            joints.push(RawJoint { joint, kind, body, to: fixed.mul(&frame), link });
            fixed = link;
        }
    }
    Ok((joints, fixed.mul(end)))
}

/// Kind of a joint, and the rotation that takes z to its axis.
fn kind_and_axis(model: &Model, joint: usize) -> Result<(JointKind, Quat), IkError> {
    let kind = match JointType::try_from(model.jnt_type[joint]) {
        Ok(JointType::Hinge) => JointKind::Revolute,
        Ok(JointType::Slide) => JointKind::Prismatic,
        Ok(JointType::Ball) => return Ok((JointKind::Ball, QUAT_IDENTITY)),
        Ok(JointType::Free) => return Ok((JointKind::Free, QUAT_IDENTITY)),
        Err(_) => return Err(IkError::Unsupported(format!("joint type {}", model.jnt_type[joint]))),
    };
    let axis = Vec3::from(model.jnt_axis[joint]);
    let norm = axis.norm();
    if norm > MINVAL && norm.is_finite() {
        Ok((kind, quat_z_to_vec(&axis)))
    } else {
        Err(IkError::ZeroAxis { joint: joint_name(model, joint) })
    }
}

fn joint_name(model: &Model, joint: usize) -> String {
    mj_id2name(model, ObjType::Joint, joint).map_or_else(|| format!("joint {joint}"), str::to_owned)
}

/// Follows the joint equalities (`mimic` in a URDF) of a joint to the joint that leads.
fn coupling(model: &Model, joint: usize) -> Result<Coupling, IkError> {
    let mut result = Coupling { leader: Some(joint), scale: 1.0, offset: 0.0 };
    for _ in 0..=model.njnt {
        let Some(current) = result.leader else { return Ok(result) };
        let Some(eq) = equality_of(model, current) else { return Ok(result) };
        let coefficients = model.eq_data[eq];
        if coefficients[2..5].iter().any(|&c| c != 0.0) {
            let name = joint_name(model, current);
            return Err(IkError::Unsupported(format!(
                "joint '{name}' follows another by a polynomial of degree two or more"
            )));
        }
        // value − reference = c₀ + c₁ (value of the leader − its reference)
        let leader = usize::try_from(model.eq_obj2id[eq]).ok();
        let reference = model.qpos0[model.jnt_qposadr[current] as usize];
        let leader_reference = leader.map_or(0.0, |l| model.qpos0[model.jnt_qposadr[l] as usize]);
        let ratio = if leader.is_some() { coefficients[1] } else { 0.0 };
        result.offset += result.scale * (reference + coefficients[0] - ratio * leader_reference);
        result.scale *= ratio;
        result.leader = leader;
    }
    Err(IkError::Unsupported(format!(
        "joint '{}' follows itself through other joints",
        joint_name(model, joint)
    )))
}

/// Active joint equality whose first joint is this one.
fn equality_of(model: &Model, joint: usize) -> Option<usize> {
    (0..model.neq).find(|&eq| {
        model.eq_type[eq] == EqType::Joint
            && model.eq_active0[eq] != 0
            && usize::try_from(model.eq_obj1id[eq]) == Ok(joint)
    })
}

/// Independent joints in the order in which the chain meets them, with limits that respect their followers'.
fn variables(model: &Model, raw: &[RawJoint], couplings: &[Coupling]) -> Result<Vec<Variable>, IkError> {
    let mut list: Vec<Variable> = Vec::new();
    let (mut nq, mut nv) = (0, 0);
    for (raw, coupling) in raw.iter().zip(couplings) {
        let Some(leader) = coupling.leader else { continue };
        let (kind, _) = kind_and_axis(model, leader)?;
        if !list.iter().any(|v| v.joint == leader) {
            list.push(Variable {
                name: joint_name(model, leader),
                joint: leader,
                kind,
                q_index: nq,
                v_index: nv,
                qposadr: model.jnt_qposadr[leader] as usize,
                dofadr: model.jnt_dofadr[leader] as usize,
                range: scalar_range(model, leader, kind),
                ball_limit: ball_limit(model, leader, kind),
            });
            nq += kind.nq();
            nv += kind.nv();
        }
        if leader != raw.joint && coupling.scale != 0.0 {
            let limits = scalar_range(model, raw.joint, raw.kind);
            let mut ends = limits.map(|end| (end - coupling.offset) / coupling.scale);
            ends.sort_unstable_by(f64::total_cmp);
            if let Some(variable) = list.iter_mut().find(|v| v.joint == leader) {
                variable.range = [variable.range[0].max(ends[0]), variable.range[1].min(ends[1])];
            }
        }
    }
    match list.iter().find(|v| v.range[0] > v.range[1]) {
        Some(v) => Err(IkError::Infeasible { what: format!("the limits of joint '{}' are empty", v.name) }),
        None => Ok(list),
    }
}

/// Limits of a hinge or slide.
fn scalar_range(model: &Model, joint: usize, kind: JointKind) -> [f64; 2] {
    let scalar = matches!(kind, JointKind::Revolute | JointKind::Prismatic);
    if scalar && model.jnt_limited[joint] != 0 {
        model.jnt_range[joint]
    } else {
        [f64::NEG_INFINITY, f64::INFINITY]
    }
}

fn ball_limit(model: &Model, joint: usize, kind: JointKind) -> f64 {
    if kind == JointKind::Ball && model.jnt_limited[joint] != 0 {
        model.jnt_range[joint][1]
    } else {
        f64::INFINITY
    }
}

/// Splits the fixed transforms and adds their rotations about z to the joints on either side.
fn fold(
    model: &Model,
    raw: &[RawJoint],
    couplings: &[Coupling],
    variables: &[Variable],
    tip: &Pose,
) -> Vec<Joint> {
    let mut joints: Vec<Joint> = Vec::with_capacity(raw.len());
    let mut before = 0.0;
    for (i, (raw_joint, coupling)) in raw.iter().zip(couplings).enumerate() {
        // the rotation to the end is kept as a matrix
        let next = raw.get(i + 1).map_or(Pose { mat: Mat3::identity(), ..*tip }, |next| next.to);
        let (after, x_angle, next_before) = zxz_angles(&next.mat);
        let undo_rotation = rotation_z(-after);
        let offset = undo_rotation * next.pos;
        let link = Pose { pos: undo_rotation * raw_joint.link.pos, mat: undo_rotation * raw_joint.link.mat };
        let variable = coupling.leader.and_then(|leader| variables.iter().find(|v| v.joint == leader));
        let reference = model.qpos0[model.jnt_qposadr[raw_joint.joint] as usize];
        let value = coupling.offset - reference;
        let revolute = raw_joint.kind == JointKind::Revolute;
        let (sin, cos) = libm::sincos(x_angle);
        joints.push(Joint {
            kind: raw_joint.kind,
            q: variable.map_or(0, |v| v.q_index),
            v: variable.map_or(0, |v| v.v_index),
            scale: if variable.is_some() { coupling.scale } else { 0.0 },
            angle: before + after + if revolute { value } else { 0.0 },
            shift: value,
            before: quat_about_z(before),
            after: quat_about_z(after),
            offset: offset.into(),
            cos,
            sin,
            link,
            body: raw_joint.body,
        });
        before = next_before;
    }
    joints
}

/// Angles of `R = Rz(a) Rx(b) Rz(c)`. Where z hardly tilts, `a` is arbitrary and the others follow from it.
fn zxz_angles(mat: &Mat3) -> (f64, f64, f64) {
    let a = if mat.m13 == 0.0 && mat.m23 == 0.0 { 0.0 } else { libm::atan2(mat.m13, -mat.m23) };
    let rest = rotation_z(-a) * mat;
    (a, libm::atan2(-rest.m23, rest.m33), libm::atan2(-rest.m12, rest.m11))
}

fn quat_about_z(angle: f64) -> Quat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    [cos, 0.0, 0.0, sin]
}

fn rotation_z(angle: f64) -> Mat3 {
    quat_to_mat(&quat_about_z(angle))
}
