//! Limit rows: joints and tendons that must stay inside their range.
//!
//! A hinge, a slide or a tendon has one row per violated side, with the distance to the limit as position. A
//! ball joint has one row for its rotation angle, whose Jacobian is minus the axis of rotation.

use super::friction::tendon_row;
use super::rows::{RowBlock, RowScratch, add_block, add_single};
use crate::sleep::awake_lists::{ASLEEP, some_asleep};
use crate::sleep::object_sleep_state;
use kinetree_math::Vec3;
use kinetree_math::rot::{normalize3, quat_normalize, quat_to_vel};
use kinetree_model::enums::{ConstraintType, JointType, ObjType};
use kinetree_model::{Data, Model};

/// Adds a row for each limit that is closer than its margin.
pub(crate) fn add_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    let some_asleep = some_asleep(model, data);
    let joints = model.jnt_limited.iter().zip(&model.jnt_type).zip(&model.jnt_qposadr);
    let ranges = model.jnt_range.iter().zip(&model.jnt_margin);
    for (joint, (((&limited, &kind), &adr), (range, &margin))) in joints.zip(ranges).enumerate() {
        if limited == 0
            || (some_asleep && object_sleep_state(model, data, ObjType::Joint as i32, joint) == ASLEEP)
        {
            continue;
        }
        if kind == JointType::Slide || kind == JointType::Hinge {
            // most joints are far from both sides of their range
            let value = data.qpos[adr as usize];
            if (value - range[0] < margin) | (range[1] - value < margin) {
                scalar_rows(model, data, scratch, joint, value);
            }
        } else if kind == JointType::Ball {
            ball_row(model, data, scratch, joint);
        }
    }
    for tendon in 0..model.ntendon {
        if model.tendon_limited[tendon] != 0 {
            tendon_rows(model, data, scratch, tendon);
        }
    }
}

/// Both sides of a hinge's or slide's range.
#[inline(never)]
fn scalar_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch, joint: usize, value: f64) {
    let (dof, margin) = (model.jnt_dofadr[joint], model.jnt_margin[joint]);
    let [low, high] = model.jnt_range[joint];
    for (side, dist) in [(-1.0, value - low), (1.0, high - value)] {
        if dist < margin {
            let pos = [dist];
            let block = limit_block(ConstraintType::LimitJoint, joint, &pos, margin);
            add_single(model, data, scratch, dof, -side, &block);
        }
    }
}

/// The rotation angle of a ball joint.
fn ball_row(model: &Model, data: &mut Data, scratch: &mut RowScratch, joint: usize) {
    let adr = model.jnt_qposadr[joint] as usize;
    let mut quat = [data.qpos[adr], data.qpos[adr + 1], data.qpos[adr + 2], data.qpos[adr + 3]];
    quat_normalize(&mut quat);
    let mut axis: Vec3 = quat_to_vel(&quat, 1.0);
    let angle = normalize3(&mut axis);
    let [low, high] = model.jnt_range[joint];
    let dist = low.max(high) - angle;
    let margin = model.jnt_margin[joint];
    if dist < margin {
        let dof = model.jnt_dofadr[joint];
        scratch.chain.clear();
        scratch.chain.extend([dof, dof + 1, dof + 2]);
        scratch.jac.clear();
        scratch.jac.extend(axis.iter().map(|x| -x));
        add_block(model, data, scratch, &limit_block(ConstraintType::LimitJoint, joint, &[dist], margin));
    }
}

/// Both sides of a tendon's range.
fn tendon_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch, tendon: usize) {
    let margin = model.tendon_margin[tendon];
    for (side, &bound) in [-1.0, 1.0].into_iter().zip(&model.tendon_range[tendon]) {
        let dist = side * (bound - data.ten_length[tendon]);
        if dist < margin {
            let first_row = data.nefc as i32;
            tendon_row(model, data, scratch, tendon, -side);
            add_block(
                model,
                data,
                scratch,
                &limit_block(ConstraintType::LimitTendon, tendon, &[dist], margin),
            );
            if data.tendon_efcadr[tendon] == -1 {
                data.tendon_efcadr[tendon] = first_row;
            }
        }
    }
}

fn limit_block(kind: ConstraintType, id: usize, pos: &[f64], margin: f64) -> RowBlock<'_> {
    RowBlock { kind, id, pos, margin, frictionloss: 0.0 }
}
