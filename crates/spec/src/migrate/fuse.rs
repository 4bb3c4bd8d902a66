//! Fused bodies: which bodies a compiler fuses with their parents differs, and so does the inertia of the
//! result. A body that was fused becomes a frame of its parent, and nothing is left to be fused.

use std::collections::HashSet;

use kinetree_model::enums::{JointType, ObjType};
use kinetree_model::mj_id2name;

use super::task::{Task, named};
use crate::compile::resolve_orientation;
use crate::spec::{AlignFree, BodyId, CameraId, Frame, LightId, Orientation, Spec};

pub(super) fn migrate(task: &mut Task<'_>) {
    if !task.old.compiler().fusestatic {
        return;
    }
    task.spec.compiler_mut().fusestatic = false;
    let order = task.spec.subtree(task.spec.world());
    let gone = gone(task, &order);
    if order.len() - gone.len() != task.model.nbody {
        task.differs("compiler".into(), "fusestatic: which bodies were fused is not known");
        return;
    }
    let parents: HashSet<BodyId> = gone.iter().filter_map(|&id| task.spec.bodies[id].parent).collect();
    keep_alignment(&mut task.spec, &parents);
    let mut moved = Moved::default();
    for &id in &gone {
        let name = task.spec.bodies[id].name.clone();
        let number = order.iter().position(|&other| other == id).unwrap_or_default();
        let parent = replace(&mut task.spec, id, &mut moved);
        let parent = task.spec.bodies[parent].name.clone();
        task.changed(named("body", &name, number), format!("is a frame of the body '{parent}' now"));
    }
    if !task.from.fuse_static() {
        put_back(task, &moved);
    }
}

/// Bodies that are not in the model: at level 3.8, all without a name that could be fused are among them.
fn gone(task: &Task<'_>, order: &[BodyId]) -> Vec<BodyId> {
    let mut named = task.old.clone();
    let mut compiled = None;
    if task.from.fuse_static() {
        for (number, &id) in
            order.iter().enumerate().skip(1).filter(|(_, id)| task.old.bodies[**id].name.is_empty())
        {
            named.bodies[id].name = format!("{UNNAMED}{number}");
        }
        compiled = named.compile_with(task.vfs).ok();
    }
    let model = compiled.as_ref().unwrap_or(task.model);
    let names: HashSet<&str> =
        (0..model.nbody).filter_map(|body| mj_id2name(model, ObjType::Body, body)).collect();
    let is_gone = |id: &BodyId| {
        let body = &named.bodies[*id];
        body.joints.is_empty() && !body.mocap && (body.name.is_empty() || !names.contains(body.name.as_str()))
    };
    order.iter().copied().skip(1).filter(is_gone).collect()
}

/// What bodies without a name are called while it is found out which of them are there.
const UNNAMED: &str = "a body without a name: ";

/// Free joints of bodies that had children were not aligned with the inertial frame.
fn keep_alignment(spec: &mut Spec, parents: &HashSet<BodyId>) {
    for &parent in parents {
        for joint in spec.bodies[parent].joints.clone() {
            if spec.joints[joint].r#type == JointType::Free {
                spec.joints[joint].align = AlignFree::False;
            }
        }
    }
}

/// Cameras and lights that went to another body.
#[derive(Default)]
struct Moved {
    cameras: HashSet<CameraId>,
    lights: HashSet<LightId>,
}

/// Replaces a body by a frame of its parent, which takes all that hangs on the body. Returns the parent.
fn replace(spec: &mut Spec, id: BodyId, moved: &mut Moved) -> BodyId {
    let body = std::mem::take(&mut spec.bodies[id]);
    let parent = body.parent.unwrap_or_else(|| spec.world());
    let quat =
        resolve_orientation(&body.quat, &body.alt, spec.compiler_of(&body.origin)).unwrap_or(body.quat);
    let name_is_free = !spec.frames.values().any(|frame| frame.name == body.name);
    let frame = spec.frames.push(Frame {
        name: if name_is_free { body.name.clone() } else { String::new() },
        origin: body.origin.clone(),
        childclass: body.childclass.clone(),
        pos: body.pos,
        quat,
        alt: Orientation::Quat,
        body: parent,
        parent: body.frame,
    });
    for &own in &body.frames {
        if let Some(own) = spec.frames.get_mut(own) {
            own.body = parent;
            own.parent = own.parent.or(Some(frame));
        }
    }
    for &child in &body.bodies {
        let child = &mut spec.bodies[child];
        child.parent = Some(parent);
        child.frame = child.frame.or(Some(frame));
    }
    macro_rules! take {
        ($($list:ident),*) => {$(
            for &element in &body.$list {
                let element = &mut spec.$list[element];
                element.body = parent;
                element.frame = element.frame.or(Some(frame));
            }
        )*};
    }
    take!(geoms, sites, cameras, lights);
    moved.cameras.extend(&body.cameras);
    moved.lights.extend(&body.lights);
    let target = &mut spec.bodies[parent];
    target.frames.push(frame);
    target.frames.extend(&body.frames);
    target.geoms.extend(&body.geoms);
    target.sites.extend(&body.sites);
    target.cameras.extend(&body.cameras);
    target.lights.extend(&body.lights);
    if let Some(index) = target.bodies.iter().position(|&child| child == id) {
        target.bodies.splice(index..=index, body.bodies);
    }
    spec.bodies.remove(id);
    parent
}

/// At level 3.8, cameras and lights of fused bodies are where their own element says, in the body that took
/// them.
fn put_back(task: &mut Task<'_>, moved: &Moved) {
    let spec = &mut task.spec;
    let bodies = spec.subtree(spec.world());
    let cameras: Vec<CameraId> = bodies.iter().flat_map(|&id| spec.bodies[id].cameras.clone()).collect();
    for (number, id) in cameras.into_iter().enumerate().filter(|(_, id)| moved.cameras.contains(id)) {
        let camera = &mut spec.cameras[id];
        (camera.frame, camera.alt) = (None, Orientation::Quat);
        (camera.pos, camera.quat) = (task.model.cam_pos[number], task.model.cam_quat[number]);
    }
    let lights: Vec<LightId> = bodies.iter().flat_map(|&id| spec.bodies[id].lights.clone()).collect();
    for (number, id) in lights.into_iter().enumerate().filter(|(_, id)| moved.lights.contains(id)) {
        let light = &mut spec.lights[id];
        light.frame = None;
        (light.pos, light.dir) = (task.model.light_pos[number], task.model.light_dir[number]);
    }
}
