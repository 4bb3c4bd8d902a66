//! The kinematic tree: bodies, frames and what hangs on them.
//!
//! The order of elements of one kind within a body is the order of their numbers in the model, so it must
//! survive, while a frame collects elements of all kinds. The tree is written like a merge: one cursor per
//! kind, and a frame is opened whenever the next element of some kind belongs to it. A frame whose elements
//! do not stand next to each other is written in several pieces, with its name on the first one.

use std::collections::HashSet;

use super::book::Book;
use super::elements::{self, Length};
use super::error::WriteError;
use super::plugin::push_plugin;
use super::tag::Tag;
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
    /// Frames that have a name, or a frame inside that has one.
    named: HashSet<FrameId>,
}

/// A body or a frame whose content is being written.
struct Open<'s> {
    tag: Tag,
    /// The body, or the one that the frame belongs to.
    body: BodyId,
    /// The frame.
    scope: Option<FrameId>,
    /// What elements without a class of their own get.
    class: &'s str,
    /// Frames that may have to be written without content, once all content is.
    empty: Option<std::slice::Iter<'s, FrameId>>,
}

/// What stands next in a body or a frame.
enum Part {
    Leaf(Item),
    Body(BodyId),
    Frame(FrameId),
}

/// The world with everything in it. It is written in a loop: bodies and frames can be nested to any depth.
pub(super) fn worldbody<'s>(spec: &'s Book<'s>) -> Result<Tag, WriteError> {
    let mut cursors = Cursors::new(spec, spec.world());
    let mut open = Open::new(Tag::new("worldbody"), spec.world(), None, "main");
    // what is around it, each with its cursors where these are of another body
    let mut around: Vec<(Open<'s>, Option<Cursors<'s>>)> = Vec::new();
    loop {
        match cursors.next_part(&mut open) {
            Some(Part::Leaf(item)) => write_leaf(spec, &mut open.tag, item, open.class)?,
            Some(Part::Body(id)) => {
                let childclass = &spec.bodies[id].childclass;
                let class = if childclass.is_empty() { open.class } else { childclass };
                let outer = std::mem::replace(&mut open, Open::new(body_tag(spec, id), id, None, class));
                around.push((outer, Some(std::mem::replace(&mut cursors, Cursors::new(spec, id)))));
            }
            Some(Part::Frame(id)) => {
                let frame = cursors.open_frame(id, &open);
                around.push((std::mem::replace(&mut open, frame), None));
            }
            None => {
                let Some((mut outer, its_cursors)) = around.pop() else { return Ok(open.tag) };
                outer.tag.push(open.tag);
                (open, cursors) = (outer, its_cursors.unwrap_or(cursors));
            }
        }
    }
}

impl<'s> Open<'s> {
    fn new(tag: Tag, body: BodyId, scope: Option<FrameId>, class: &'s str) -> Self {
        Open { tag, body, scope, class, empty: None }
    }
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
        let mut named = HashSet::new();
        for &frame in &body.frames {
            let mut at = Some(frame).filter(|&f| spec.frames.get(f).is_some_and(|f| !f.name.is_empty()));
            while let Some(frame) = at.filter(|&f| named.insert(f)) {
                at = spec.frames.get(frame).and_then(|f| f.parent);
            }
        }
        Cursors { spec, lists, next: [0; KINDS], opened: HashSet::new(), named }
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

    /// What stands next inside a frame, or directly in the body, without changing the order of any kind.
    fn next_part(&mut self, open: &mut Open<'s>) -> Option<Part> {
        if open.empty.is_none() {
            let part = self.next_content(open.scope);
            if part.is_some() {
                return part;
            }
        }
        // frames without content can still be referred to
        let frames = open.empty.get_or_insert_with(|| self.spec.bodies[open.body].frames.iter());
        let stands_here = |&id: &FrameId| {
            let inside = self.spec.frames.get(id).is_some_and(|f| f.parent == open.scope);
            inside && self.is_worth_writing(id) && (open.scope.is_none() || self.is_done(id))
        };
        frames.copied().find(stands_here).map(Part::Frame)
    }

    /// The next element inside a frame, or directly in the body, or the frame inside that holds it.
    fn next_content(&mut self, scope: Option<FrameId>) -> Option<Part> {
        for kind in 0..BODIES {
            if let Some((item, _)) = self.peek(kind).filter(|(_, frame)| *frame == scope) {
                self.next[kind] += 1;
                return Some(Part::Leaf(item));
            }
        }
        if let Some(frame) = (0..BODIES).find_map(|kind| self.nested_frame(kind, scope)) {
            return Some(Part::Frame(frame));
        }
        if let Some((Item::Body(id), _)) = self.peek(BODIES).filter(|(_, frame)| *frame == scope) {
            self.next[BODIES] += 1;
            return Some(Part::Body(id));
        }
        self.nested_frame(BODIES, scope).map(Part::Frame)
    }

    /// Begins a frame, or another piece of it.
    fn open_frame(&mut self, id: FrameId, around: &Open<'s>) -> Open<'s> {
        let frame: &'s Frame = &self.spec.frames[id];
        let mut tag = Tag::new("frame");
        elements::frame(&mut tag, frame, self.opened.insert(id));
        let class = if frame.childclass.is_empty() { around.class } else { &frame.childclass };
        Open::new(tag, around.body, Some(id), class)
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

    /// A frame that was not written because it is empty, although it or a frame inside has a name. (One that
    /// has not been written has no frame inside that was.)
    fn is_worth_writing(&self, frame: FrameId) -> bool {
        !self.opened.contains(&frame) && self.named.contains(&frame)
    }
}

/// Writes an element that is neither a body nor a frame.
fn write_leaf(spec: &Book<'_>, tag: &mut Tag, item: Item, class: &str) -> Result<(), WriteError> {
    let child = match item {
        // bodies have content of their own
        Item::Body(_) => return Ok(()),
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
            elements::camera(&mut child, camera, &prototype.camera, true);
            child
        }
        Item::Light(id) => {
            let light = &spec.lights[id];
            let mut child = named("light", &light.name);
            let prototype = spec.set_class(&mut child, &light.origin, class);
            child.text("target", &light.targetbody, &prototype.light.targetbody);
            child.text("texture", &light.texture, &prototype.light.texture);
            elements::light(&mut child, light, &prototype.light, true);
            child
        }
    };
    tag.push(child);
    Ok(())
}

fn named(tag: &'static str, name: &str) -> Tag {
    let mut tag = Tag::new(tag);
    tag.given("name", name);
    tag
}

/// A body without its content.
fn body_tag(spec: &Book<'_>, id: BodyId) -> Tag {
    let body = &spec.bodies[id];
    let mut tag = Tag::new("body");
    elements::body(&mut tag, body);
    if let Some(inertial) = elements::inertial(body) {
        tag.push(inertial);
    }
    push_plugin(&mut tag, &body.plugin);
    tag
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
