//! Joints: units, limits, axes, and the arrays of joints and degrees of freedom.

use std::f64::consts::PI;

use kinetree_model::enums::JointType;
use kinetree_model::{Model, checkpoint};

use super::draft::Draft;
use super::frames::{Pose, TINY, UNIT, rotate};
use super::limits::{is_limited, resolve_limit};
use super::userdata;
use crate::assets::linalg::normalize;
use crate::spec::Limited;

/// Resolves one joint.
pub(crate) fn compile_joint(draft: &mut Draft<'_>, j: usize) -> Result<(), String> {
    let src = draft.joints[j].src;
    let compiler = draft.spec.compiler_of(&src.origin);
    userdata::check(src.userdata.len(), draft.nuser.jnt, "nuser_jnt")?;
    if src.springdamper != [0.0; 2] && src.springdamper.iter().any(|x| *x <= 0.0) {
        return Err("both values of 'springdamper' must be positive".into());
    }
    let rotates = matches!(src.r#type, JointType::Free | JointType::Ball);

    let limited = if src.r#type == JointType::Free {
        false
    } else {
        resolve_limit(src.limited, &src.range, compiler.autolimits, "")?
    };
    let mut range = src.range;
    if limited {
        check_range(src.r#type, &range)?;
        if compiler.degree && matches!(src.r#type, JointType::Hinge | JointType::Ball) {
            range = range.map(|angle| angle * (PI / 180.0));
        }
    }
    let actfrclimited = if rotates {
        is_limited(Limited::False, &src.actfrcrange)
    } else {
        resolve_limit(src.actfrclimited, &src.actfrcrange, compiler.autolimits, "actuatorfrc")?
    };
    if actfrclimited && src.actfrcrange[0] >= src.actfrcrange[1] {
        return Err("'actuatorfrcrange' must increase".into());
    }

    let frame = src.frame.map_or(Pose::IDENTITY, |frame| draft.frame_pose(frame));
    let mut axis = if rotates { [0.0, 0.0, 1.0] } else { rotate(&frame.quat, &src.axis) };
    if normalize(&mut axis) < TINY {
        return Err("the axis is too small".into());
    }
    let pos = match src.r#type {
        JointType::Free => [0.0; 3],
        _ if src.frame.is_some() => frame.compose(&Pose::new(src.pos, UNIT)).pos,
        _ => src.pos,
    };
    let unit = if src.r#type == JointType::Hinge && compiler.degree { PI / 180.0 } else { 1.0 };

    let joint = &mut draft.joints[j];
    (joint.limited, joint.actfrclimited, joint.range) = (limited, actfrclimited, range);
    (joint.axis, joint.pos) = (axis, pos);
    (joint.reference, joint.springref) = (src.r#ref * unit, src.springref * unit);
    Ok(())
}

fn check_range(kind: JointType, range: &[f64; 2]) -> Result<(), String> {
    if kind == JointType::Ball {
        return if range[0] == 0.0 {
            Ok(())
        } else {
            Err("the range of a ball joint must start at 0".into())
        };
    }
    if range[0] >= range[1] { Err("'range' must increase".into()) } else { Ok(()) }
}

/// Gives each joint its addresses in `qpos` and `qvel`; returns the sizes of both.
pub(crate) fn assign_addresses(draft: &mut Draft<'_>) -> (usize, usize) {
    let (mut nq, mut nv) = (0, 0);
    for joint in &mut draft.joints {
        (joint.qposadr, joint.dofadr) = (nq, nv);
        let (q, v) = joint.widths();
        nq += q;
        nv += v;
    }
    (nq, nv)
}

/// Fills the arrays of joints and degrees of freedom, and the reference positions.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    let mut last_dof = vec![-1; draft.bodies.len()];
    for (b, body) in draft.bodies.iter().enumerate() {
        checkpoint();
        last_dof[b] = if b == 0 { -1 } else { last_dof[body.parent] };
        for &j in &body.joints {
            write_joint(draft, model, j);
            let (_, width) = draft.joints[j].widths();
            for dof in draft.joints[j].dofadr..draft.joints[j].dofadr + width {
                write_dof(draft, model, j, dof);
                model.dof_parentid[dof] = last_dof[b];
                last_dof[b] = dof as i32;
            }
        }
    }
    // a dof without a parent starts a tree
    let mut tree = -1;
    for dof in 0..model.nv {
        tree += i32::from(model.dof_parentid[dof] < 0);
        model.dof_treeid[dof] = tree;
    }
}

fn write_joint(draft: &Draft<'_>, model: &mut Model, j: usize) {
    let joint = &draft.joints[j];
    let src = joint.src;
    model.jnt_type[j] = src.r#type as i32;
    model.jnt_qposadr[j] = joint.qposadr as i32;
    model.jnt_dofadr[j] = joint.dofadr as i32;
    model.jnt_bodyid[j] = joint.body as i32;
    model.jnt_group[j] = src.group;
    model.jnt_limited[j] = u8::from(joint.limited);
    model.jnt_actfrclimited[j] = u8::from(joint.actfrclimited);
    model.jnt_actgravcomp[j] = u8::from(src.actgravcomp);
    model.jnt_solref[j] = src.solref_limit;
    model.jnt_solimp[j] = src.solimp_limit;
    model.jnt_pos[j] = joint.pos;
    model.jnt_axis[j] = joint.axis;
    model.jnt_stiffness[j] = src.stiffness[0];
    model.jnt_stiffnesspoly[j] = [src.stiffness[1], src.stiffness[2]];
    model.jnt_range[j] = joint.range;
    model.jnt_actfrcrange[j] = src.actfrcrange;
    model.jnt_margin[j] = src.margin;
    userdata::write(&mut model.jnt_user, draft.nuser.jnt, j, &src.userdata);

    let body = &draft.bodies[joint.body];
    let adr = joint.qposadr;
    match src.r#type {
        JointType::Free => {
            model.qpos0[adr..adr + 3].copy_from_slice(&body.pose.pos);
            model.qpos0[adr + 3..adr + 7].copy_from_slice(&body.pose.quat);
        }
        JointType::Ball => model.qpos0[adr..adr + 4].copy_from_slice(&UNIT),
        JointType::Slide | JointType::Hinge => model.qpos0[adr] = joint.reference,
    }
    let width = joint.widths().0;
    if width == 1 {
        model.qpos_spring[adr] = joint.springref;
    } else {
        let (from, to) = (&model.qpos0[adr..adr + width], &mut model.qpos_spring[adr..adr + width]);
        to.copy_from_slice(from);
    }
}

fn write_dof(draft: &Draft<'_>, model: &mut Model, j: usize, dof: usize) {
    let joint = &draft.joints[j];
    let src = joint.src;
    model.dof_bodyid[dof] = joint.body as i32;
    model.dof_jntid[dof] = j as i32;
    model.dof_solref[dof] = src.solref_friction;
    model.dof_solimp[dof] = src.solimp_friction;
    model.dof_frictionloss[dof] = src.frictionloss;
    model.dof_armature[dof] = src.armature;
    model.dof_damping[dof] = src.damping[0];
    model.dof_dampingpoly[dof] = [src.damping[1], src.damping[2]];
}
