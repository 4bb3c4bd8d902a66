//! Parts of descriptions attached to others, elements moved into frames.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::pointer::{Out, Text};
use crate::ffi::spec::{BodyPtr, ElementPtr, Key, Kind, SpecHandle, SpecPtr};
use crate::layout::spec::{MjsBody, MjsFrame};
use kinetree_model::enums::ObjType;
use kinetree_spec::spec::{AttachTarget, Attached, Body, BodyId, Frame, FrameId, Id, Move, Part};

/// The old and the new place of a copied element.
fn moved(m: &Move) -> Option<(Key, Key)> {
    let kind = Kind::numbered(m.kind as i32)?;
    Some((Key::new(kind, m.from), Key::new(kind, m.to)))
}

/// What an attachment has moved. Plugin instances come along with the elements that use them, and all of them
/// with a whole model.
fn moves_of(parent: &mut SpecHandle, part: Part, attached: &Attached) -> Vec<(Key, Key)> {
    let mut moves: Vec<_> = attached.moves.iter().filter_map(moved).collect();
    if !matches!(part, Part::Model) {
        super::plugins::delete_unused_copies(&mut parent.spec, &mut moves);
    }
    moves
}

/// Attaches a part; the structs that the program has of its elements become those of the copies.
fn attach(
    (parent, place): (&mut SpecHandle, AttachTarget),
    (child, part): (&mut SpecHandle, Part),
    [prefix, suffix]: [&str; 2],
) -> Served<ElementPtr<'static>> {
    parent.take_all()?;
    if std::ptr::eq(parent, child) {
        let own = parent.spec.clone();
        let (frame, attached) = parent.spec.attach_part(place, &own, part, prefix, suffix)?;
        moves_of(parent, part, &attached);
        parent.show_all();
        return Ok(top(parent, frame, part, &attached));
    }
    child.take_all()?;
    let (frame, attached) = parent.spec.attach_part(place, &child.spec, part, prefix, suffix)?;
    let moves = moves_of(parent, part, &attached);
    if !child.deep_copy && !parent.deep_copy {
        parent.adopt(child, &moves);
        parent.add_child(child);
    }
    parent.show_all();
    Ok(top(parent, frame, part, &attached))
}

/// A body that takes the place of an attached world.
fn hold_world(handle: &mut SpecHandle, to: Key, name: String) -> Option<BodyId> {
    let (parent, frame) = match to.kind {
        Kind::Frame => (handle.spec.frames.get(Id::new(to.id))?.body, Some(Id::new(to.id))),
        Kind::Body => (BodyId::new(to.id), None),
        _ => return None,
    };
    Some(handle.spec.add_body(parent, Body { name, frame, ..Body::default() }))
}

/// The element that an attachment has made.
fn top(
    parent: &mut SpecHandle,
    frame: Option<FrameId>,
    part: Part,
    attached: &Attached,
) -> ElementPtr<'static> {
    let key = match part {
        Part::Body(id) => attached.copy_of(ObjType::Body, id).map(|id| Key::new(Kind::Body, id.index())),
        Part::Frame(id) => attached.copy_of(ObjType::Frame, id).map(|id| Key::new(Kind::Frame, id.index())),
        Part::Model => frame.map(|id| Key::new(Kind::Frame, id.index())),
    };
    key.map_or(ElementPtr::none(), |key| parent.element(key))
}

export! {
    fn mjs_attach(
        parent: ElementPtr<'_>, child: ElementPtr<'_>, prefix: Text<'_>, suffix: Text<'_>,
    ) -> ElementPtr<'static> {
        if child.is_null() || parent.is_null() {
            return Ok(ElementPtr::none());
        }
        let (handle, to) = parent.locate_own()?;
        let (other, from) = child.locate_own()?;
        let name = format!("{}world{}", prefix.or_empty(), suffix.or_empty());
        let holder = if from.kind == Kind::Body && from.id == 0 { hold_world(handle, to, name) } else { None };
        let part = match from.kind {
            Kind::Body if from.id == 0 => Part::Model,
            Kind::Body => Part::Body(Id::new(from.id)),
            Kind::Frame => Part::Frame(Id::new(from.id)),
            Kind::Model => Part::Model,
            _ => {
                handle.tell("child element type not supported", false);
                return Ok(ElementPtr::none());
            }
        };
        let place = match (to.kind, part) {
            _ if holder.is_some() => AttachTarget::Body(holder.unwrap_or_default()),
            (Kind::Frame, Part::Model) => {
                // what is attached is held by a frame of its own
                let owner = handle.spec.frames.get(Id::new(to.id)).map(|frame| frame.body);
                let Some(owner) = owner else { return fault("this frame was deleted") };
                let inner = Frame { parent: Some(Id::new(to.id)), ..Frame::default() };
                AttachTarget::Frame(handle.spec.add_frame(owner, inner))
            }
            (Kind::Body, Part::Model) => {
                AttachTarget::Frame(handle.spec.add_frame(BodyId::new(to.id), Frame::default()))
            }
            (Kind::Frame, _) => AttachTarget::Frame(Id::new(to.id)),
            (Kind::Site, _) => AttachTarget::Site(Id::new(to.id)),
            (Kind::Body, _) => AttachTarget::Body(BodyId::new(to.id)),
            _ => {
                handle.tell("parent element type not supported", false);
                return Ok(ElementPtr::none());
            }
        };
        let pointer = std::ptr::from_mut(handle);
        let done = attach((handle, place), (other, part), [&prefix.or_empty(), &suffix.or_empty()]);
        let (handle, _) = parent.locate()?;
        debug_assert!(std::ptr::eq(pointer, handle));
        match done {
            Ok(element) if !element.is_null() => Ok(element),
            Ok(_) => match place {
                AttachTarget::Body(body) => Ok(handle.element(Key::new(Kind::Body, body.index()))),
                AttachTarget::Frame(frame) => Ok(handle.element(Key::new(Kind::Frame, frame.index()))),
                AttachTarget::Site(_) => Ok(ElementPtr::none()),
            },
            Err(problem) => {
                handle.tell(&problem.0, false);
                Ok(ElementPtr::none())
            }
        }
    }
    fn mjs_setDeepCopy(s: SpecPtr<'_>, deepcopy: i32) -> i32 {
        s.get()?.deep_copy = deepcopy != 0;
        Ok(0)
    }
    fn mjs_setFrame(dest: ElementPtr<'_>, frame: BodyPtr<'_, MjsFrame>) -> i32 {
        let (handle, key) = dest.locate_own()?;
        let frame = if frame.is_null() { None } else { Some(FrameId::new(frame.locate()?.1.id)) };
        let spec = &mut handle.spec;
        let id = key.id;
        let (owner, place) = match key.kind {
            Kind::Body => spec.bodies.get_mut(Id::new(id)).map(|e| (e.parent, &mut e.frame)),
            Kind::Joint => spec.joints.get_mut(Id::new(id)).map(|e| (Some(e.body), &mut e.frame)),
            Kind::Geom => spec.geoms.get_mut(Id::new(id)).map(|e| (Some(e.body), &mut e.frame)),
            Kind::Site => spec.sites.get_mut(Id::new(id)).map(|e| (Some(e.body), &mut e.frame)),
            Kind::Camera => spec.cameras.get_mut(Id::new(id)).map(|e| (Some(e.body), &mut e.frame)),
            Kind::Light => spec.lights.get_mut(Id::new(id)).map(|e| (Some(e.body), &mut e.frame)),
            Kind::Frame => spec.frames.get_mut(Id::new(id)).map(|e| (Some(e.body), &mut e.parent)),
            _ => None,
        }
        .ok_or_else(|| String::from("this element cannot be in a frame"))?;
        if let Some(frame) = frame
            && key.kind == Kind::Frame
            && frame.index() == id
        {
            return Ok(-1);
        }
        *place = frame;
        let holder = frame.and_then(|frame| spec.frames.get(frame)).map(|frame| frame.body);
        if holder.is_some() && holder != owner {
            handle.tell("mismatched parents in mjs_setFrame", false);
            return Ok(-1);
        }
        Ok(0)
    }
    fn mjs_bodyToFrame(body: Out<'_, BodyPtr<'static, MjsBody>>) -> *mut MjsFrame {
        let [inner] = body.array()?;
        let (handle, key) = inner.locate()?;
        handle.take_all()?;
        let Some(frame) = handle.spec.body_to_frame(BodyId::new(key.id)) else { return Ok(std::ptr::null_mut()) };
        handle.forget_deleted();
        handle.show_all();
        body.set([BodyPtr::none()])?;
        Ok(handle.body(frame.index()))
    }
}
