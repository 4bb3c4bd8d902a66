//! The kinematic tree: bodies, frames and what hangs on them.
//!
//! The order of elements of one kind within a body is the order of their numbers in the model, so it must
//! survive, while a frame collects elements of all kinds. The tree is written like a merge: one cursor per
//! kind, and a frame is opened whenever the next element of some kind belongs to it. A frame whose elements
//! do not stand next to each other is written in several pieces, with its name on the first one.

use std::collections::HashSet;

use super::elements::{self, Length};
use super::plugin::push_plugin;
use super::tag::Tag;
use super::{Book, WriteError};
use crate::spec::{AlignFree, BodyId, CameraId, Frame, FrameId, GeomId, JointId, LightId, SiteId};

/// An element of a body.
#[derive(Clone, Copy)]
enum Item {
    Joint(JointId),
    Geom(GeomId),
    Site(SiteId),
    Camera(CameraId),
    Light(LightId),
    Body(BodyId),
}

/// Number of kinds of items; bodies are the last one.
const KINDS: usize = 6;
const BODIES: usize = KINDS - 1;

/// The elements of one body that are still to be written.
struct Cursors<'s> {
    spec: &'s Book<'s>,
    lists: [Vec<(Item, Option<FrameId>)>; KINDS],
    next: [usize; KINDS],
    /// Frames that have been written, at least in part.
    opened: HashSet<FrameId>,
}

/// The world with everything in it.
pub(super) fn worldbody(spec: &Book<'_>) -> Result<Tag, WriteError> {
    let mut tag = Tag::new("worldbody");
    content(spec, &mut tag, spec.world(), "main")?;
    Ok(tag)
}

/// Everything that belongs to a body. `class` is what elements without a class of their own get.
fn content(spec: &Book<'_>, tag: &mut Tag, body: BodyId, class: &str) -> Result<(), WriteError> {
    let mut cursors = Cursors::new(spec, body);
    cursors.write_scope(tag, None, class)?;
    // frames without content can still be referred to
    for &frame in &spec.bodies[body].frames {
        let top = spec.frames.get(frame).is_some_and(|f| f.parent.is_none());
        if top && cursors.is_worth_writing(frame) {
            cursors.write_frame(tag, frame, class)?;
        }
    }
    Ok(())
}

impl<'s> Cursors<'s> {
    fn new(spec: &'s Book<'s>, id: BodyId) -> Self {
        let body = &spec.bodies[id];
        // a frame that is gone or belongs to another body moves nothing
        let own = |frame: Option<FrameId>| frame.filter(|&f| spec.frames.get(f).is_some());
        let lists = [
            body.joints.iter().map(|&i| (Item::Joint(i), own(spec.joints[i].frame))).collect(),
            body.geoms.iter().map(|&i| (Item::Geom(i), own(spec.geoms[i].frame))).collect(),
            body.sites.iter().map(|&i| (Item::Site(i), own(spec.sites[i].frame))).collect(),
            body.cameras.iter().map(|&i| (Item::Camera(i), own(spec.cameras[i].frame))).collect(),
            body.lights.iter().map(|&i| (Item::Light(i), own(spec.lights[i].frame))).collect(),
            body.bodies.iter().map(|&i| (Item::Body(i), own(spec.bodies[i].frame))).collect(),
        ];
        Cursors { spec, lists, next: [0; KINDS], opened: HashSet::new() }
    }

    /// The next element of a kind, with its frame.
    fn peek(&self, kind: usize) -> Option<(Item, Option<FrameId>)> {
        self.lists[kind].get(self.next[kind]).copied()
    }

    /// The frame directly inside `scope` that encloses the next element of a kind.
    fn nested_frame(&self, kind: usize, scope: Option<FrameId>) -> Option<FrameId> {
        let mut frame = self.peek(kind)?.1?;
        // no chain of frames is longer than there are frames
        for _ in 0..=self.spec.frames.len() {
            let parent = self.spec.frames.get(frame)?.parent;
            if parent == scope {
                return Some(frame);
            }
            frame = parent?;
        }
        None
    }

    /// Writes all that can be written inside a frame, or directly in the body, without changing the order of
    /// any kind.
    fn write_scope(&mut self, tag: &mut Tag, scope: Option<FrameId>, class: &str) -> Result<(), WriteError> {
        loop {
            for kind in 0..BODIES {
                while let Some((item, _)) = self.peek(kind).filter(|(_, frame)| *frame == scope) {
                    self.next[kind] += 1;
                    self.write_item(tag, item, class)?;
                }
            }
            if let Some(frame) = (0..BODIES).find_map(|kind| self.nested_frame(kind, scope)) {
                self.write_frame(tag, frame, class)?;
            } else if let Some((item, _)) = self.peek(BODIES).filter(|(_, frame)| *frame == scope) {
                self.next[BODIES] += 1;
                self.write_item(tag, item, class)?;
            } else if let Some(frame) = self.nested_frame(BODIES, scope) {
                self.write_frame(tag, frame, class)?;
            } else {
                return Ok(());
            }
        }
    }

    fn write_frame(&mut self, tag: &mut Tag, id: FrameId, class: &str) -> Result<(), WriteError> {
        let frame: &Frame = &self.spec.frames[id];
        let mut child = Tag::new("frame");
        elements::frame(&mut child, frame, self.opened.insert(id));
        let class = if frame.childclass.is_empty() { class } else { &frame.childclass };
        self.write_scope(&mut child, Some(id), class)?;
        let nested: Vec<FrameId> = self.spec.bodies[frame.body].frames.clone();
        for inner in nested {
            let inside = self.spec.frames.get(inner).is_some_and(|f| f.parent == Some(id));
            if inside && self.is_worth_writing(inner) && self.is_done(inner) {
                self.write_frame(&mut child, inner, class)?;
            }
        }
        tag.push(child);
        Ok(())
    }

    /// Whether no element that is still to be written lies in a frame.
    fn is_done(&self, frame: FrameId) -> bool {
        let inside = |mut at: Option<FrameId>| {
            for _ in 0..=self.spec.frames.len() {
                match at {
                    Some(f) if f == frame => return true,
                    Some(f) => at = self.spec.frames.get(f).and_then(|f| f.parent),
                    None => return false,
                }
            }
            false
        };
        (0..KINDS).all(|kind| !self.lists[kind][self.next[kind]..].iter().any(|(_, f)| inside(*f)))
    }

    /// A frame that was not written because it is empty, although it or a frame inside has a name.
    fn is_worth_writing(&self, frame: FrameId) -> bool {
        let Some(this) = self.spec.frames.get(frame) else { return false };
        let inner = || {
            self.spec.bodies[this.body]
                .frames
                .iter()
                .filter(|&&f| self.spec.frames.get(f).is_some_and(|f| f.parent == Some(frame)))
        };
        !self.opened.contains(&frame) && (!this.name.is_empty() || inner().any(|&f| self.is_worth_writing(f)))
    }

    fn write_item(&self, tag: &mut Tag, item: Item, class: &str) -> Result<(), WriteError> {
        let spec = self.spec;
        let child = match item {
            Item::Body(id) => return write_body(spec, tag, id, class),
            Item::Joint(id) => return write_joint(spec, tag, id, class),
            Item::Geom(id) => {
                let geom = &spec.geoms[id];
                let mut child = named("geom", &geom.name);
                let prototype = spec.set_class(&mut child, &geom.origin, class);
                elements::geom(&mut child, geom, &prototype.geom, Length::Leading);
                child
            }
            Item::Site(id) => {
                let site = &spec.sites[id];
                let mut child = named("site", &site.name);
                let prototype = spec.set_class(&mut child, &site.origin, class);
                elements::site(&mut child, site, &prototype.site, Length::Leading);
                child
            }
            Item::Camera(id) => {
                let camera = &spec.cameras[id];
                let mut child = named("camera", &camera.name);
                let prototype = spec.set_class(&mut child, &camera.origin, class);
                child.text("target", &camera.targetbody, &prototype.camera.targetbody);
                elements::camera(&mut child, camera, &prototype.camera);
                child
            }
            Item::Light(id) => {
                let light = &spec.lights[id];
                let mut child = named("light", &light.name);
                let prototype = spec.set_class(&mut child, &light.origin, class);
                child.text("target", &light.targetbody, &prototype.light.targetbody);
                child.text("texture", &light.texture, &prototype.light.texture);
                elements::light(&mut child, light, &prototype.light);
                child
            }
        };
        tag.push(child);
        Ok(())
    }
}

fn named(tag: &'static str, name: &str) -> Tag {
    let mut tag = Tag::new(tag);
    tag.given("name", name);
    tag
}

fn write_body(spec: &Book<'_>, tag: &mut Tag, id: BodyId, class: &str) -> Result<(), WriteError> {
    let body = &spec.bodies[id];
    let mut child = Tag::new("body");
    elements::body(&mut child, body);
    if let Some(inertial) = elements::inertial(body) {
        child.push(inertial);
    }
    push_plugin(&mut child, &body.plugin);
    content(spec, &mut child, id, if body.childclass.is_empty() { class } else { &body.childclass })?;
    tag.push(child);
    Ok(())
}

fn write_joint(spec: &Book<'_>, tag: &mut Tag, id: JointId, class: &str) -> Result<(), WriteError> {
    let joint = &spec.joints[id];
    if elements::is_plain_free(joint) {
        tag.push(elements::freejoint(joint));
        return Ok(());
    }
    if joint.align != spec.class_of(&joint.origin).joint.align && joint.align != AlignFree::Auto {
        return Err(WriteError::Element {
            kind: "joint",
            name: joint.name.clone(),
            cause: "'align' can only be written for free joints without other settings".to_owned(),
        });
    }
    let mut child = named("joint", &joint.name);
    let prototype = spec.set_class(&mut child, &joint.origin, class);
    elements::joint(&mut child, joint, &prototype.joint);
    tag.push(child);
    Ok(())
}
