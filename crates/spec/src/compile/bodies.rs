//! Bodies: pose, inertia and the elements that belong to them, one body after the other.

use kinetree_collide::bvh::{BvhLeaf, BvhTree};
use kinetree_model::checkpoint;
use kinetree_model::enums::JointType;

use super::draft::Draft;
use super::frames::{Pose, UNIT, resolve_orientation, rotate};
use super::{geoms, inertia, joints, sites_cameras_lights as other, userdata};
use crate::assets::linalg::normalize;
use crate::spec::{AlignFree, InertiaFromGeom};

/// Resolves every body with its elements; what is wrong goes into the report.
pub(crate) fn compile(draft: &mut Draft<'_>) {
    for b in 0..draft.bodies.len() {
        checkpoint();
        let src = draft.bodies[b].src;
        if let Err(message) = compile_body(draft, b) {
            draft.report.error(src, message);
        }
    }
}

fn compile_body(draft: &mut Draft<'_>, b: usize) -> Result<(), String> {
    let src = draft.bodies[b].src;
    let compiler = draft.spec.compiler_of(&src.origin);
    userdata::check(src.userdata.len(), draft.nuser.body, "nuser_body")?;
    let mut quat = src.quat;
    normalize(&mut quat);
    let quat = resolve_orientation(&quat, &src.alt, compiler)?;
    draft.bodies[b].pose = Pose::new(src.pos, quat);
    draft.bodies[b].inertial = inertia::from_element(&draft.bodies[b], compiler, draft.spec.reference())?;

    compile_geoms(draft, b);
    if b > 0 && inertia::uses_geoms(&draft.bodies[b], compiler) {
        inertia::from_geoms(draft, b)?;
    }
    inertia::default_frame(&mut draft.bodies[b]);
    if b > 0 {
        inertia::bound_and_check(&mut draft.bodies[b].inertial, compiler)?;
    }
    if let Some(frame) = src.frame {
        draft.bodies[b].pose = draft.frame_pose(frame).compose(&draft.bodies[b].pose);
    }
    accumulate_contact(draft, b);

    // a free joint may be moved to the inertial frame, which takes everything on the body along
    let shift = align_free_joint(draft, b).then(|| move_to_inertial_frame(draft, b));
    compute_bvh(draft, b);
    compile_joints(draft, b)?;
    compile_others(draft, b);
    if let Some(shift) = shift {
        move_others(draft, b, &shift);
    }
    Ok(())
}

fn compile_geoms(draft: &mut Draft<'_>, b: usize) {
    let src = draft.bodies[b].src;
    let compiler = draft.spec.compiler_of(&src.origin);
    let [low, high] = compiler.inertiagrouprange;
    let wanted = b > 0 && (!src.explicitinertial || compiler.inertiafromgeom == InertiaFromGeom::True);
    for i in 0..draft.bodies[b].geoms.len() {
        let g = draft.bodies[b].geoms[i];
        let geom = draft.geoms[g].src;
        let infer = wanted && (low..=high).contains(&geom.group);
        if let Err(message) = geoms::compile_geom(draft, g, infer) {
            draft.report.error(geom, message);
        }
    }
}

/// Contact bits and margin of all geoms together.
pub(crate) fn accumulate_contact(draft: &mut Draft<'_>, b: usize) {
    let counts_gap = draft.spec.reference().gap();
    let body = &mut draft.bodies[b];
    (body.contype, body.conaffinity, body.margin) = (0, 0, 0.0);
    for &g in &body.geoms {
        let src = draft.geoms[g].src;
        body.contype |= src.contype;
        body.conaffinity |= src.conaffinity;
        body.margin = body.margin.max(src.margin + if counts_gap { src.gap } else { 0.0 });
    }
}

/// Whether the only joint is a free one that is to sit in the inertial frame.
fn align_free_joint(draft: &Draft<'_>, b: usize) -> bool {
    let body = &draft.bodies[b];
    let [only] = body.joints[..] else { return false };
    let joint = draft.joints[only].src;
    let asked = match joint.align {
        AlignFree::True => true,
        AlignFree::Auto => draft.spec.compiler_of(&body.src.origin).alignfree,
        AlignFree::False => false,
    };
    asked && joint.r#type == JointType::Free && body.children.is_empty()
}

/// Makes the inertial frame the body frame; returns the change of coordinates for what hangs on the body.
fn move_to_inertial_frame(draft: &mut Draft<'_>, b: usize) -> Pose {
    let body = &mut draft.bodies[b];
    body.pose = body.pose.compose(&body.inertial.pose);
    let shift = body.inertial.pose.inverse();
    body.inertial.pose = Pose::IDENTITY;
    for &g in &body.geoms {
        draft.geoms[g].pose = shift.compose(&draft.geoms[g].pose);
    }
    shift
}

/// Moves sites, cameras and lights after the body frame has changed.
fn move_others(draft: &mut Draft<'_>, b: usize, shift: &Pose) {
    let body = &draft.bodies[b];
    for &s in &body.sites {
        draft.sites[s].pose = shift.compose(&draft.sites[s].pose);
    }
    for &c in &body.cameras {
        draft.cameras[c].pose = shift.compose(&draft.cameras[c].pose);
    }
    for &l in &body.lights {
        let light = &mut draft.lights[l];
        light.pos = shift.compose(&Pose::new(light.pos, UNIT)).pos;
        light.dir = rotate(&shift.quat, &light.dir);
    }
}

/// Builds the tree of boxes around the colliding geoms, in the inertial frame.
pub(crate) fn compute_bvh(draft: &mut Draft<'_>, b: usize) {
    let body = &draft.bodies[b];
    if body.geoms.is_empty() {
        return;
    }
    let leaves: Vec<BvhLeaf> = body
        .geoms
        .iter()
        .filter(|&&g| draft.geoms[g].src.contype != 0 || draft.geoms[g].src.conaffinity != 0)
        .map(|&g| {
            let geom = &draft.geoms[g];
            BvhLeaf { id: g as i32, pos: geom.pose.pos, quat: Some(geom.pose.quat), aabb: geom.aabb }
        })
        .collect();
    let inertial = &body.inertial.pose;
    let mut bvh = BvhTree::build(&leaves, &inertial.pos, &inertial.quat);
    // the reference keeps the numbers of an earlier tree in inner nodes when it rebuilds one for a fused body
    for (node, id) in bvh.nodeid.iter_mut().enumerate().filter(|(_, id)| **id < 0) {
        *id = body.bvh.nodeid.get(node).copied().unwrap_or(-1);
    }
    draft.bodies[b].bvh = bvh;
}

fn compile_joints(draft: &mut Draft<'_>, b: usize) -> Result<(), String> {
    let (mut dofnum, mut after_ball) = (0, false);
    for i in 0..draft.bodies[b].joints.len() {
        let j = draft.bodies[b].joints[i];
        let src = draft.joints[j].src;
        if let Err(message) = joints::compile_joint(draft, j) {
            draft.report.error(src, message);
        }
        dofnum += draft.joints[j].widths().1;
        if after_ball && matches!(src.r#type, JointType::Ball | JointType::Hinge) {
            return Err("a ball joint cannot be followed by another rotation".into());
        }
        after_ball |= src.r#type == JointType::Ball;
    }
    let body = &mut draft.bodies[b];
    body.dofnum = dofnum;
    if dofnum > 6 {
        return Err(format!("has {dofnum} degrees of freedom, at most 6 are possible"));
    }
    if body.src.mocap && (dofnum > 0 || body.parent != 0) {
        return Err("a mocap body must be a child of the world without joints".into());
    }
    Ok(())
}

fn compile_others(draft: &mut Draft<'_>, b: usize) {
    for i in 0..draft.bodies[b].sites.len() {
        let s = draft.bodies[b].sites[i];
        let src = draft.sites[s].src;
        if let Err(message) = other::compile_site(draft, s) {
            draft.report.error(src, message);
        }
    }
    for i in 0..draft.bodies[b].cameras.len() {
        compile_camera(draft, draft.bodies[b].cameras[i]);
    }
    for i in 0..draft.bodies[b].lights.len() {
        compile_light(draft, draft.bodies[b].lights[i]);
    }
}

/// Resolves a camera and reports what is wrong.
pub(crate) fn compile_camera(draft: &mut Draft<'_>, c: usize) {
    let src = draft.cameras[c].src;
    if let Err(message) = other::compile_camera(draft, c) {
        draft.report.error(src, message);
    }
}

/// Resolves a light and reports what is wrong.
pub(crate) fn compile_light(draft: &mut Draft<'_>, l: usize) {
    let src = draft.lights[l].src;
    if let Err(message) = other::compile_light(draft, l) {
        draft.report.error(src, message);
    }
}
