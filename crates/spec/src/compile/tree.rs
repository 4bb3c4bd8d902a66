//! The kinematic tree: which elements exist, in depth-first order, and the arrays that describe the tree.

use kinetree_collide::bvh::BvhTree;
use kinetree_model::enums::{JointType, ObjType, SameFrame, SleepPolicy};
use kinetree_model::{Model, Reference, checkpoint};

use super::draft::Draft;
use super::elements::{BodyDraft, CameraDraft, GeomDraft, Inertial, JointDraft, LightDraft, SiteDraft};
use super::frames::{Pose, TINY, body_same_frame, same_position};
use super::tendon::wrap_body;
use super::userdata;
use crate::spec::{Body, Spec};

/// Lists bodies and their elements in the order of the model.
pub(crate) fn collect<'s>(spec: &'s Spec, draft: &mut Draft<'s>) {
    // bodies to visit with the number of their parent, next one last
    let mut pending = vec![(spec.world(), 0)];
    let mut visited = vec![false; spec.bodies.slots()];
    while let Some((id, parent)) = pending.pop() {
        checkpoint();
        let Some(src) = spec.bodies.get(id).filter(|_| !visited[id.index()]) else { continue };
        visited[id.index()] = true;
        let b = draft.bodies.len();
        pending.extend(src.bodies.iter().rev().map(|&child| (child, b)));
        let leads = leads_weld_group(spec.reference(), src) || b == 0;
        let weld = if leads { b } else { draft.bodies[parent].weld };
        let mut body = BodyDraft {
            src,
            parent,
            children: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            weld,
            dofnum: 0,
            pose: Pose::IDENTITY,
            inertial: Inertial { pose: Pose::IDENTITY, mass: 0.0, moments: [0.0; 3] },
            contype: 0,
            conaffinity: 0,
            margin: 0.0,
            bvh: BvhTree::default(),
            plugin: None,
        };
        collect_children(spec, draft, &mut body, b);
        if b > 0 {
            draft.bodies[parent].children.push(b);
        }
        draft.bodies.push(body);
    }
    index_names(draft);
}

/// Enters the names of all elements of the tree.
pub(crate) fn index_names(draft: &mut Draft<'_>) {
    draft.names.set(ObjType::Body, draft.bodies.iter().map(|e| e.src.name.as_str()));
    draft.names.set(ObjType::Joint, draft.joints.iter().map(|e| e.src.name.as_str()));
    draft.names.set(ObjType::Geom, draft.geoms.iter().map(|e| e.src.name.as_str()));
    draft.names.set(ObjType::Site, draft.sites.iter().map(|e| e.src.name.as_str()));
    draft.names.set(ObjType::Camera, draft.cameras.iter().map(|e| e.src.name.as_str()));
    draft.names.set(ObjType::Light, draft.lights.iter().map(|e| e.src.name.as_str()));
}

/// Appends the elements of one body to the lists of the draft.
fn collect_children<'s>(spec: &'s Spec, draft: &mut Draft<'s>, body: &mut BodyDraft<'s>, b: usize) {
    for src in body.src.joints.iter().filter_map(|&id| spec.joints.get(id)) {
        body.joints.push(draft.joints.len());
        let (reference, springref) = (src.r#ref, src.springref);
        draft.joints.push(JointDraft {
            src,
            body: b,
            limited: false,
            actfrclimited: false,
            range: src.range,
            pos: src.pos,
            axis: src.axis,
            reference,
            springref,
            qposadr: 0,
            dofadr: 0,
        });
    }
    for src in body.src.geoms.iter().filter_map(|&id| spec.geoms.get(id)) {
        body.geoms.push(draft.geoms.len());
        draft.geoms.push(GeomDraft {
            src,
            body: b,
            pose: Pose::IDENTITY,
            size: src.size,
            aabb: [0.0; 6],
            rbound: 0.0,
            mass: 0.0,
            moments: [0.0; 3],
            fluid: [0.0; 12],
            mesh: None,
            hfield: None,
            material: None,
            visual: false,
            plugin: None,
        });
    }
    for src in body.src.sites.iter().filter_map(|&id| spec.sites.get(id)) {
        body.sites.push(draft.sites.len());
        draft.sites.push(SiteDraft { src, body: b, pose: Pose::IDENTITY, size: src.size, material: None });
    }
    for src in body.src.cameras.iter().filter_map(|&id| spec.cameras.get(id)) {
        body.cameras.push(draft.cameras.len());
        draft.cameras.push(CameraDraft {
            src,
            body: b,
            pose: Pose::IDENTITY,
            target: None,
            fovy: src.fovy,
            intrinsic: src.intrinsic,
        });
    }
    for src in body.src.lights.iter().filter_map(|&id| spec.lights.get(id)) {
        body.lights.push(draft.lights.len());
        draft.lights.push(LightDraft {
            src,
            body: b,
            pos: src.pos,
            dir: src.dir,
            target: None,
            texture: None,
        });
    }
}

/// Rules about joints that concern the whole tree.
pub(crate) fn check_free_joints(draft: &mut Draft<'_>) {
    for b in 0..draft.bodies.len() {
        let body = &draft.bodies[b];
        let src = body.src;
        let free = body.joints.iter().filter(|&&j| draft.joints[j].kind() == JointType::Free).count();
        if free > 0 && body.joints.len() > 1 {
            draft.report.error(src, "a free joint must be the only joint of its body");
        }
        if free > 0 && body.parent != 0 {
            draft.report.error(src, "a free joint can only be used in a child of the world");
        }
    }
}

/// Whether a body moves by itself, and what hangs on it without joints moves with it.
pub(crate) fn leads_weld_group(reference: Reference, body: &Body) -> bool {
    !body.joints.is_empty() || body.mocap && reference.mocap_weld()
}

/// Number of kinematic trees: bodies with joints that hang on static bodies only.
pub(crate) fn count_trees(draft: &Draft<'_>) -> usize {
    (1..draft.bodies.len())
        .filter(|&b| {
            let body = &draft.bodies[b];
            !body.joints.is_empty() && draft.is_fixed(body.parent)
        })
        .count()
}

/// Fills the arrays of bodies.
pub(crate) fn write_bodies(draft: &Draft<'_>, model: &mut Model) {
    let mut mocap = 0;
    let (mut joint_adr, mut dof_adr) = (0, 0);
    for (b, body) in draft.bodies.iter().enumerate() {
        checkpoint();
        let parent = body.parent;
        model.body_parentid[b] = parent as i32;
        model.body_rootid[b] = if b == 0 || parent == 0 { b as i32 } else { model.body_rootid[parent] };
        model.body_weldid[b] = body.weld as i32;
        model.body_mocapid[b] = if body.src.mocap { mocap } else { -1 };
        mocap += i32::from(body.src.mocap);
        model.body_jntnum[b] = body.joints.len() as i32;
        model.body_jntadr[b] = if body.joints.is_empty() { -1 } else { joint_adr };
        model.body_dofnum[b] = body.dofnum as i32;
        model.body_dofadr[b] = if body.dofnum == 0 { -1 } else { dof_adr };
        joint_adr += body.joints.len() as i32;
        dof_adr += body.dofnum as i32;
        let geoms: Vec<usize> = body.geoms.iter().filter_map(|&g| draft.geom_id(g)).collect();
        model.body_geomnum[b] = geoms.len() as i32;
        model.body_geomadr[b] = geoms.first().map_or(-1, |&first| first as i32);
        model.body_sameframe[b] = body_same_frame(&body.inertial.pose) as u8;
        model.body_pos[b] = body.pose.pos;
        model.body_quat[b] = body.pose.quat;
        model.body_ipos[b] = body.inertial.pose.pos;
        model.body_iquat[b] = body.inertial.pose.quat;
        model.body_mass[b] = body.inertial.mass;
        model.body_inertia[b] = body.inertial.moments;
        model.body_gravcomp[b] = body.src.gravcomp;
        model.body_margin[b] = body.margin;
        model.body_plugin[b] = body.plugin.map_or(-1, |instance| instance as i32);
        model.body_contype[b] = body.contype;
        model.body_conaffinity[b] = body.conaffinity;
        userdata::write(&mut model.body_user, draft.nuser.body, b, &body.src.userdata);
    }
    model.body_simple.copy_from_slice(&simple_levels(draft));
}

/// Bodies whose inertia matrix is diagonal in their own dofs: 1, or 2 when they only slide; 0 otherwise.
pub(crate) fn simple_levels(draft: &Draft<'_>) -> Vec<u8> {
    let bodies = &draft.bodies;
    let mut levels: Vec<u8> = bodies
        .iter()
        .enumerate()
        .map(|(b, body)| {
            let parent = &bodies[body.parent];
            let near_world = b == 0 || body.parent == 0 || (parent.parent == 0 && parent.dofnum == 0);
            u8::from(near_world && body_same_frame(&body.inertial.pose) == SameFrame::Body)
        })
        .collect();
    for body in bodies.iter().filter(|body| body.parent > 0) {
        levels[body.parent] = 0;
    }
    for (level, body) in levels.iter_mut().zip(bodies).filter(|(level, _)| **level != 0) {
        let slides = body.joints.iter().all(|&j| draft.joints[j].kind() == JointType::Slide);
        *level = match joints_keep_simple(draft, body) {
            false => 0,
            true if body.dofnum > 0 && slides => 2,
            true => 1,
        };
    }
    // the inertia of a tendon couples the bodies on its path
    for wrap in
        draft.tendons.iter().filter(|tendon| tendon.src.armature != 0.0).flat_map(|tendon| &tendon.path)
    {
        if let Some(body) = wrap_body(draft, wrap) {
            levels[body] = 0;
        }
    }
    levels
}

/// True when every joint sits at the body's origin, along an axis, and no joint follows a rotation.
fn joints_keep_simple(draft: &Draft<'_>, body: &BodyDraft<'_>) -> bool {
    let mut rotated = false;
    for joint in body.joints.iter().map(|&j| &draft.joints[j]) {
        let scalar = matches!(joint.kind(), JointType::Hinge | JointType::Slide);
        let along_one_axis = joint.axis.iter().filter(|x| x.abs() > TINY).count() == 1;
        if rotated || !same_position(&joint.pos, &[0.0; 3]) || (scalar && !along_one_axis) {
            return false;
        }
        rotated |= matches!(joint.kind(), JointType::Ball | JointType::Hinge);
    }
    true
}

/// Length of the run of simple dofs that starts at each dof.
pub(crate) fn write_simple_dofs(model: &mut Model) {
    let mut count = 0;
    for dof in (0..model.nv).rev() {
        count = if model.body_simple[model.dof_bodyid[dof] as usize] != 0 { count + 1 } else { 0 };
        model.dof_simplenum[dof] = count;
    }
}

/// Fills the trees of boxes around the geoms of each body; returns the number of nodes.
pub(crate) fn write_body_bvh(draft: &Draft<'_>, model: &mut Model) -> usize {
    let mut adr = 0;
    for (b, body) in draft.bodies.iter().enumerate() {
        let count = body.bvh.len();
        model.body_bvhnum[b] = count as i32;
        model.body_bvhadr[b] = if count == 0 { -1 } else { adr as i32 };
        model.bvh_aabb[adr..adr + count].copy_from_slice(&body.bvh.aabb);
        model.bvh_child[adr..adr + count].copy_from_slice(&body.bvh.child);
        model.bvh_depth[adr..adr + count].copy_from_slice(&body.bvh.depth);
        for (slot, &g) in model.bvh_nodeid[adr..adr + count].iter_mut().zip(&body.bvh.nodeid) {
            let geom = usize::try_from(g).ok().and_then(|g| draft.geom_id(g));
            *slot = geom.map_or(-1, |id| id as i32);
        }
        adr += count;
    }
    adr
}

/// Tree numbers of bodies, and the sleep policies that bodies ask for.
pub(crate) fn write_trees(draft: &mut Draft<'_>, model: &mut Model) {
    for b in 0..model.nbody {
        let weld = model.body_weldid[b] as usize;
        let moves = model.body_dofnum[weld] > 0;
        model.body_treeid[b] = if moves { model.dof_treeid[model.body_dofadr[weld] as usize] } else { -1 };
    }
    model.tree_sleep_policy.fill(SleepPolicy::Auto as i32);
    for b in 1..model.nbody {
        let src = draft.bodies[b].src;
        if src.sleep == SleepPolicy::Auto {
            continue;
        }
        let tree = model.body_treeid[b];
        if tree < 0 || tree == model.body_treeid[b - 1] {
            draft.report.error(src, "'sleep' is only allowed in the root body of a moving tree");
        } else {
            model.tree_sleep_policy[tree as usize] = src.sleep as i32;
        }
    }
}
