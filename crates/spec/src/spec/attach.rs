//! Copying a part of a model to another parent: the work behind `<replicate>` and `<attach>`.
//!
//! A [`Branch`] is a copy of a subtree. Grafting it adds its elements below a body, with a prefix and a
//! suffix around all names. Elements outside the tree (sensors, actuators, tendons, …) that refer into the
//! branch are copied along, renamed the same way; those whose references do not resolve are left out.

use std::borrow::Cow;
use std::collections::HashMap;

use kinetree_model::enums::ObjType;

use super::element::OriginShift;
use super::key_layout::Layout;
use super::names::{Affix, Names, Referrer, Renaming};
use super::*;

/// Most elements of one kind that copying may lead to.
const MAX_COPIES: usize = 1 << 19;

/// Most references that all copies of one replicate look up, some seconds' work.
const MAX_LOOKUPS: usize = 1 << 23;

/// Copying would lead to an absurd number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("copying leads to too many elements")]
pub(crate) struct TooManyCopies;

/// Elements of one kind that belong to a branch.
type Members<'a, T> = Vec<(Id<T>, Cow<'a, T>)>;

/// What hangs below a body, or the body with all below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Branch<'a> {
    /// The body that owns the top of the branch, in the source.
    root: BodyId,
    bodies: Members<'a, Body>,
    frames: Members<'a, Frame>,
    joints: Members<'a, Joint>,
    geoms: Members<'a, Geom>,
    sites: Members<'a, Site>,
    cameras: Members<'a, Camera>,
    lights: Members<'a, Light>,
}

/// Copies of one branch of a model within it, one after the other, with the elements that refer to it.
#[derive(Debug)]
pub(crate) struct Replicator {
    names: Names,
    lookups: usize,
}

impl Replicator {
    /// Of a model that is ready for copies.
    pub(crate) fn new(spec: &Spec) -> Self {
        Self { names: Names::of(spec), lookups: 0 }
    }

    /// Adds a copy of a branch, and copies of the elements that refer into it.
    pub(crate) fn copy(
        &mut self,
        spec: &mut Spec,
        branch: &Branch<'_>,
        (body, frame): (BodyId, FrameId),
        affix: Affix<'_>,
    ) -> Result<Grafted, TooManyCopies> {
        let grafted = spec.graft(branch, body, Some(frame), Renaming::within(affix));
        self.lookups += spec.referrers();
        if self.lookups > MAX_LOOKUPS {
            return Err(TooManyCopies);
        }
        branch.add_names(affix, &mut self.names);
        spec.copy_own_referrers(affix, &mut self.names)?;
        Ok(grafted)
    }
}

/// Where the elements of a branch went.
#[derive(Debug, Default)]
pub(crate) struct Grafted {
    pub bodies: HashMap<BodyId, BodyId>,
    pub joints: HashMap<JointId, JointId>,
    /// Kind, old and new index of every element.
    pub moves: Vec<Move>,
}

/// An element that was copied: its kind, its index in the source and its index here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Kind of the element.
    pub kind: ObjType,
    /// Slot in the arena of the source.
    pub from: usize,
    /// Slot in the arena of this description.
    pub to: usize,
}

impl Move {
    fn new<T>(kind: ObjType, from: Id<T>, to: Id<T>) -> Self {
        Move { kind, from: from.index(), to: to.index() }
    }
}

/// What an element takes besides itself: its names, and its entry among the names of the description.
const BYTES_BESIDES: usize = 256;

impl<'a> Branch<'a> {
    /// About how much memory a copy takes.
    pub(crate) fn bytes(&self) -> usize {
        fn of<T: Clone>(members: &Members<'_, T>) -> usize {
            members.len() * (size_of::<T>() + BYTES_BESIDES)
        }
        of(&self.bodies)
            + of(&self.frames)
            + of(&self.joints)
            + of(&self.geoms)
            + of(&self.sites)
            + of(&self.cameras)
            + of(&self.lights)
    }

    /// Everything below a body.
    pub(crate) fn below(spec: &'a Spec, root: BodyId) -> Self {
        let mut branch = Branch { root, ..Branch::default() };
        branch.collect(spec, root);
        for &child in &spec.bodies[root].bodies {
            branch.add_bodies(spec, child);
        }
        branch
    }

    /// The branch with copies of its elements, so that its source can be changed.
    pub(crate) fn into_owned(self) -> Branch<'static> {
        fn own<T: Clone>(members: Members<'_, T>) -> Members<'static, T> {
            members.into_iter().map(|(id, element)| (id, Cow::Owned(element.into_owned()))).collect()
        }
        Branch {
            root: self.root,
            bodies: own(self.bodies),
            frames: own(self.frames),
            joints: own(self.joints),
            geoms: own(self.geoms),
            sites: own(self.sites),
            cameras: own(self.cameras),
            lights: own(self.lights),
        }
    }

    /// A body with everything below it.
    pub(crate) fn at(spec: &'a Spec, body: BodyId) -> Self {
        let mut branch = Branch { root: spec.bodies[body].parent.unwrap_or_default(), ..Branch::default() };
        branch.add_bodies(spec, body);
        // the frame of the source does not come along
        branch.bodies[0].1.to_mut().frame = None;
        branch
    }

    /// Everything inside a frame of a body.
    pub(crate) fn inside(spec: &'a Spec, frame: FrameId) -> Self {
        let root = spec.frames[frame].body;
        let encloses = |at: Option<FrameId>| {
            let parent = |f: &FrameId| spec.frames.get(*f).and_then(|f| f.parent);
            std::iter::successors(at, parent).take(spec.frames.len() + 1).any(|f| f == frame)
        };
        let mut branch = Branch { root, ..Branch::default() };
        branch.collect(spec, root);
        branch.frames.retain(|(id, _)| encloses(Some(*id)));
        branch.joints.retain(|(_, element)| encloses(element.frame));
        branch.geoms.retain(|(_, element)| encloses(element.frame));
        branch.sites.retain(|(_, element)| encloses(element.frame));
        branch.cameras.retain(|(_, element)| encloses(element.frame));
        branch.lights.retain(|(_, element)| encloses(element.frame));
        for child in spec.bodies[root].bodies.iter().filter(|&&child| encloses(spec.bodies[child].frame)) {
            branch.add_bodies(spec, *child);
        }
        // the frame itself comes along, without what is around it
        for (_, top) in branch.frames.iter_mut().filter(|(id, _)| *id == frame) {
            top.to_mut().parent = None;
        }
        branch
    }

    /// The names of all elements, with an affix; the world is known everywhere.
    pub(crate) fn names(&self, affix: Affix<'_>) -> Names {
        let mut names = Names::recording();
        names.add(ObjType::Body, WORLD_NAME.to_owned());
        self.add_names(affix, &mut names);
        names
    }

    /// Adds the names of all elements, with an affix.
    fn add_names(&self, affix: Affix<'_>, names: &mut Names) {
        fn add<T: Element + Clone>(
            names: &mut Names,
            kind: ObjType,
            list: &Members<'_, T>,
            affix: Affix<'_>,
        ) {
            for (_, element) in list.iter().filter(|(_, element)| !element.name().is_empty()) {
                names.add(kind, affix.around(element.name()));
            }
        }
        add(names, ObjType::Body, &self.bodies, affix);
        add(names, ObjType::Frame, &self.frames, affix);
        add(names, ObjType::Geom, &self.geoms, affix);
        add(names, ObjType::Site, &self.sites, affix);
        add(names, ObjType::Camera, &self.cameras, affix);
        add(names, ObjType::Light, &self.lights, affix);
        for (_, joint) in self.joints.iter().filter(|(_, joint)| !joint.name.is_empty()) {
            names.add_joint(affix.around(&joint.name), joint.r#type);
        }
    }

    fn add_bodies(&mut self, spec: &'a Spec, top: BodyId) {
        for id in spec.subtree(top) {
            self.bodies.push((id, Cow::Borrowed(&spec.bodies[id])));
            self.collect(spec, id);
        }
    }

    /// Adds the elements that belong to one body.
    fn collect(&mut self, spec: &'a Spec, id: BodyId) {
        let body = &spec.bodies[id];
        self.frames.extend(body.frames.iter().map(|&f| (f, Cow::Borrowed(&spec.frames[f]))));
        self.joints.extend(body.joints.iter().map(|&j| (j, Cow::Borrowed(&spec.joints[j]))));
        self.geoms.extend(body.geoms.iter().map(|&g| (g, Cow::Borrowed(&spec.geoms[g]))));
        self.sites.extend(body.sites.iter().map(|&s| (s, Cow::Borrowed(&spec.sites[s]))));
        self.cameras.extend(body.cameras.iter().map(|&c| (c, Cow::Borrowed(&spec.cameras[c]))));
        self.lights.extend(body.lights.iter().map(|&l| (l, Cow::Borrowed(&spec.lights[l]))));
    }
}

impl Spec {
    /// Adds a copy of a branch below a body. Elements at the top of the branch go into `frame`.
    pub(crate) fn graft(
        &mut self,
        branch: &Branch<'_>,
        body: BodyId,
        frame: Option<FrameId>,
        names: Renaming<'_>,
    ) -> Grafted {
        let affix = names.affix;
        let mut grafted = Grafted::default();
        grafted.bodies.insert(branch.root, body);
        let mut frames: HashMap<FrameId, FrameId> = HashMap::new();
        let mut moves = Vec::new();
        // bodies first, parents before children; their frames are filled in when frames have ids
        for (old, source) in &branch.bodies {
            let mut copy = source.without_content();
            names.element(&mut copy);
            names.asset(&mut copy.childclass);
            affix.apply(&mut copy.plugin.instance);
            let parent = source.parent.and_then(|p| grafted.bodies.get(&p)).copied().unwrap_or(body);
            let id = self.add_body(parent, copy);
            grafted.bodies.insert(*old, id);
            grafted.moves.push(Move::new(ObjType::Body, *old, id));
        }
        let owner = |old: BodyId| grafted.bodies.get(&old).copied().unwrap_or(body);
        for (old, source) in &branch.frames {
            let mut copy = source.as_ref().clone();
            names.element(&mut copy);
            names.asset(&mut copy.childclass);
            let top = source.parent.is_none() && source.body == branch.root;
            copy.parent = if top { frame } else { source.parent.and_then(|p| frames.get(&p)).copied() };
            let id = self.add_frame(owner(source.body), copy);
            frames.insert(*old, id);
            moves.push(Move::new(ObjType::Frame, *old, id));
        }
        let target_frame = |old_body: BodyId, old_frame: Option<FrameId>| match old_frame {
            Some(old) => frames.get(&old).copied(),
            None if old_body == branch.root => frame,
            None => None,
        };
        for (old, source) in &branch.bodies {
            let in_frame = target_frame(source.parent.unwrap_or_default(), source.frame);
            self.bodies[owner(*old)].frame = in_frame;
        }
        let mut joints = Vec::new();
        for (old, source) in &branch.joints {
            let mut copy = source.as_ref().clone();
            names.element(&mut copy);
            copy.frame = target_frame(source.body, source.frame);
            let id = self.add_joint(owner(source.body), copy);
            joints.push((*old, id));
            moves.push(Move::new(ObjType::Joint, *old, id));
        }
        for (old, source) in &branch.geoms {
            let mut copy = source.as_ref().clone();
            names.element(&mut copy);
            names.asset(&mut copy.material);
            names.asset(&mut copy.hfieldname);
            names.asset(&mut copy.meshname);
            affix.apply(&mut copy.plugin.instance);
            copy.frame = target_frame(source.body, source.frame);
            let id = self.add_geom(owner(source.body), copy);
            moves.push(Move::new(ObjType::Geom, *old, id));
        }
        for (old, source) in &branch.sites {
            let mut copy = source.as_ref().clone();
            names.element(&mut copy);
            names.asset(&mut copy.material);
            copy.frame = target_frame(source.body, source.frame);
            let id = self.add_site(owner(source.body), copy);
            moves.push(Move::new(ObjType::Site, *old, id));
        }
        for (old, source) in &branch.cameras {
            let mut copy = source.as_ref().clone();
            names.element(&mut copy);
            affix.apply(&mut copy.targetbody);
            copy.frame = target_frame(source.body, source.frame);
            let id = self.add_camera(owner(source.body), copy);
            moves.push(Move::new(ObjType::Camera, *old, id));
        }
        for (old, source) in &branch.lights {
            let mut copy = source.as_ref().clone();
            names.element(&mut copy);
            affix.apply(&mut copy.targetbody);
            affix.apply(&mut copy.texture);
            copy.frame = target_frame(source.body, source.frame);
            let id = self.add_light(owner(source.body), copy);
            moves.push(Move::new(ObjType::Light, *old, id));
        }
        grafted.joints.extend(joints);
        grafted.moves.extend(moves);
        grafted
    }

    /// Copies the elements of this model that refer into freshly grafted copies of a branch of this model.
    fn copy_own_referrers(&mut self, affix: Affix<'_>, names: &mut Names) -> Result<(), TooManyCopies> {
        copy_own(&mut self.flexes, affix, names)?;
        copy_own(&mut self.pairs, affix, names)?;
        copy_own(&mut self.excludes, affix, names)?;
        copy_own(&mut self.tendons, affix, names)?;
        copy_own(&mut self.equalities, affix, names)?;
        copy_own(&mut self.actuators, affix, names)?;
        copy_own(&mut self.sensors, affix, names)?;
        copy_own(&mut self.tuples, affix, names)
    }

    /// Number of elements that [`Spec::copy_own_referrers`] looks at.
    fn referrers(&self) -> usize {
        self.flexes.slots()
            + self.pairs.slots()
            + self.excludes.slots()
            + self.tendons.slots()
            + self.equalities.slots()
            + self.actuators.slots()
            + self.sensors.slots()
            + self.tuples.slots()
    }

    /// Deletes a body with its subtree, and the elements that can no longer be resolved because of it.
    pub fn delete_body_and_referrers(&mut self, id: BodyId) -> bool {
        let before = Names::of(self);
        let layout = (!self.keys.is_empty()).then(|| Layout::of(self));
        if !self.delete_body(id) {
            return false;
        }
        let mut after = Names::of(self);
        // a tendon whose joint or site is gone takes what refers to the tendon along
        prune(&mut self.pairs, &before, &mut after);
        prune(&mut self.excludes, &before, &mut after);
        prune(&mut self.tendons, &before, &mut after);
        prune(&mut self.equalities, &before, &mut after);
        prune(&mut self.actuators, &before, &mut after);
        prune(&mut self.sensors, &before, &mut after);
        if let Some(layout) = layout {
            layout.prune_keys(self);
        }
        true
    }

    /// Takes over the compiler settings and source texts of another model. Returns how the origins of its
    /// elements change on the way into this one.
    pub(crate) fn adopt_origins(&mut self, other: &Spec, sources: &mut SourceMap) -> OriginShift {
        // the same settings are kept once, however often a model is attached
        let known = &mut self.compilers;
        let index_of = |wanted: &Compiler| {
            let at = known.iter().position(|compiler| compiler == wanted);
            CompilerId(at.unwrap_or_else(|| {
                known.push(wanted.clone());
                known.len() - 1
            }) as u32)
        };
        let compilers = other.compilers.iter().map(index_of).collect();
        let file = sources.files.len() as u32;
        sources.files.extend(other.sources.files.iter().cloned());
        OriginShift { compilers, file }
    }

    /// Takes over the compiler settings and source texts of another model and makes its elements point at
    /// them, so that its parts can be grafted into this one any number of times.
    pub(crate) fn adopt(&mut self, other: &mut Spec, sources: &mut SourceMap) {
        let shift = self.adopt_origins(other, sources);
        other.shift_origins(&shift);
    }

    fn shift_origins(&mut self, by: &OriginShift) {
        fn shift<T: Element>(arena: &mut Arena<T>, by: &OriginShift) {
            arena.values_mut().for_each(|element| by.origin(element.origin_mut()));
        }
        shift(&mut self.bodies, by);
        shift(&mut self.frames, by);
        shift(&mut self.joints, by);
        shift(&mut self.geoms, by);
        shift(&mut self.sites, by);
        shift(&mut self.cameras, by);
        shift(&mut self.lights, by);
        shift(&mut self.flexes, by);
        shift(&mut self.meshes, by);
        shift(&mut self.skins, by);
        shift(&mut self.hfields, by);
        shift(&mut self.textures, by);
        shift(&mut self.materials, by);
        shift(&mut self.pairs, by);
        shift(&mut self.excludes, by);
        shift(&mut self.equalities, by);
        shift(&mut self.tendons, by);
        shift(&mut self.actuators, by);
        shift(&mut self.sensors, by);
        shift(&mut self.numerics, by);
        shift(&mut self.texts, by);
        shift(&mut self.tuples, by);
        shift(&mut self.keys, by);
        shift(&mut self.plugins, by);
        for class in &mut self.defaults {
            class.origins_mut().into_iter().for_each(|origin| by.origin(origin));
        }
        let wraps = self.tendons.values_mut().flat_map(|tendon| &mut tendon.path);
        wraps.for_each(|wrap| by.pos(&mut wrap.pos));
        self.attached_keys.iter_mut().for_each(|key| by.origin(&mut key.origin));
        self.active_plugins.iter_mut().for_each(|(_, pos)| by.pos(pos));
        self.not_numbers.iter_mut().for_each(|pos| by.pos(pos));
    }
}

/// Copies the elements of a list whose references resolve with the affix to the end of the same list.
fn copy_own<T: Referrer + Clone>(
    list: &mut Arena<T>,
    affix: Affix<'_>,
    names: &mut Names,
) -> Result<(), TooManyCopies> {
    for id in list.ids() {
        let mut copy = list[id].clone();
        affix.apply(copy.name_mut());
        if copy.rename(affix, names) {
            names.add(T::OBJ, copy.name().to_owned());
            list.push(copy);
        }
        if list.slots() > MAX_COPIES {
            return Err(TooManyCopies);
        }
    }
    Ok(())
}

/// Removes the elements that resolved before and do not any more.
fn prune<T: Referrer + Clone>(list: &mut Arena<T>, before: &Names, after: &mut Names) {
    for id in list.ids() {
        let resolves = |names: &Names| list[id].clone().rename(Affix::default(), names);
        if resolves(before) && !resolves(after) {
            after.remove(T::OBJ, list[id].name());
            list.remove(id);
        }
    }
}
