//! Copying a part of a model into a place: the work behind `<replicate>` and `<attach>`.
//!
//! A [`Branch`] is a copy of a subtree. Grafting it adds its elements below a body, with a prefix and a
//! suffix around all names. Elements outside the tree (sensors, actuators, tendons, …) that refer into the
//! branch are copied along, renamed the same way; those whose references do not resolve are left out.

use std::collections::HashMap;

use kinetree_model::enums::ObjType;

use super::names::{Affix, Names, Referrer, Renaming};
use super::*;

/// Most elements of one kind that copying may lead to.
const MAX_COPIES: usize = 1 << 19;

/// Most references that all copies of one replicate look up, some seconds' work.
const MAX_LOOKUPS: usize = 1 << 24;

/// Copying would lead to an absurd number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("copying leads to too many elements")]
pub(crate) struct TooManyCopies;

/// A copy of what hangs below a body, or of the body with all below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Branch {
    /// The body that owns the top of the branch, in the source.
    root: BodyId,
    bodies: Vec<(BodyId, Body)>,
    frames: Vec<(FrameId, Frame)>,
    joints: Vec<(JointId, Joint)>,
    geoms: Vec<(GeomId, Geom)>,
    sites: Vec<(SiteId, Site)>,
    cameras: Vec<(CameraId, Camera)>,
    lights: Vec<(LightId, Light)>,
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
        branch: &Branch,
        (body, frame): (BodyId, FrameId),
        affix: Affix<'_>,
    ) -> Result<Grafted, TooManyCopies> {
        let grafted = spec.graft(branch, body, Some(frame), affix, false);
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
    /// Kind, old and new place of every element.
    pub moves: Vec<Move>,
}

/// An element that was copied: its kind, its place in the source and its place here.
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

impl Branch {
    /// Everything below a body.
    pub(crate) fn below(spec: &Spec, root: BodyId) -> Self {
        let mut branch = Branch { root, ..Branch::default() };
        branch.collect(spec, root);
        for child in spec.bodies[root].bodies.clone() {
            branch.add_bodies(spec, child);
        }
        branch
    }

    /// A body with everything below it.
    pub(crate) fn at(spec: &Spec, body: BodyId) -> Self {
        let mut branch = Branch { root: spec.bodies[body].parent.unwrap_or_default(), ..Branch::default() };
        branch.add_bodies(spec, body);
        // the frame of the source does not come along
        branch.bodies[0].1.frame = None;
        branch
    }

    /// Everything inside a frame of a body.
    pub(crate) fn inside(spec: &Spec, frame: FrameId) -> Self {
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
            top.parent = None;
        }
        branch
    }

    /// The names of all elements, with an affix; the world is known everywhere.
    pub(crate) fn names(&self, affix: Affix<'_>) -> Names {
        let mut names = Names::recording();
        names.add(ObjType::Body, WORLD_NAME);
        self.add_names(affix, &mut names);
        names
    }

    /// Adds the names of all elements, with an affix.
    fn add_names(&self, affix: Affix<'_>, names: &mut Names) {
        fn add<T: Element>(names: &mut Names, kind: ObjType, list: &[(Id<T>, T)], affix: Affix<'_>) {
            for (_, element) in list.iter().filter(|(_, element)| !element.name().is_empty()) {
                names.add(kind, &affix.around(element.name()));
            }
        }
        add(names, ObjType::Body, &self.bodies, affix);
        add(names, ObjType::Frame, &self.frames, affix);
        add(names, ObjType::Geom, &self.geoms, affix);
        add(names, ObjType::Site, &self.sites, affix);
        add(names, ObjType::Camera, &self.cameras, affix);
        add(names, ObjType::Light, &self.lights, affix);
        for (_, joint) in self.joints.iter().filter(|(_, joint)| !joint.name.is_empty()) {
            names.add_joint(&affix.around(&joint.name), joint.r#type);
        }
    }

    fn add_bodies(&mut self, spec: &Spec, top: BodyId) {
        for id in spec.subtree(top) {
            let mut body = spec.bodies[id].clone();
            body.bodies.clear();
            body.frames.clear();
            body.joints.clear();
            body.geoms.clear();
            body.sites.clear();
            body.cameras.clear();
            body.lights.clear();
            self.bodies.push((id, body));
            self.collect(spec, id);
        }
    }

    /// Copies the elements that belong to one body.
    fn collect(&mut self, spec: &Spec, id: BodyId) {
        let body = &spec.bodies[id];
        self.frames.extend(body.frames.iter().map(|&f| (f, spec.frames[f].clone())));
        self.joints.extend(body.joints.iter().map(|&j| (j, spec.joints[j].clone())));
        self.geoms.extend(body.geoms.iter().map(|&g| (g, spec.geoms[g].clone())));
        self.sites.extend(body.sites.iter().map(|&s| (s, spec.sites[s].clone())));
        self.cameras.extend(body.cameras.iter().map(|&c| (c, spec.cameras[c].clone())));
        self.lights.extend(body.lights.iter().map(|&l| (l, spec.lights[l].clone())));
    }
}

impl Spec {
    /// Adds a copy of a branch below a body. Elements at the top of the branch go into `frame`.
    pub(crate) fn graft(
        &mut self,
        branch: &Branch,
        body: BodyId,
        frame: Option<FrameId>,
        affix: Affix<'_>,
        foreign: bool,
    ) -> Grafted {
        let names = Renaming { affix, foreign };
        let mut grafted = Grafted::default();
        grafted.bodies.insert(branch.root, body);
        let mut frames: HashMap<FrameId, FrameId> = HashMap::new();
        let mut moves = Vec::new();
        // bodies first, parents before children; their frames are filled in when frames have ids
        for (old, source) in &branch.bodies {
            let mut copy = source.clone();
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
            let mut copy = source.clone();
            names.element(&mut copy);
            names.asset(&mut copy.childclass);
            let top = source.parent.is_none() && source.body == branch.root;
            copy.parent = if top { frame } else { source.parent.and_then(|p| frames.get(&p)).copied() };
            let id = self.add_frame(owner(source.body), copy);
            frames.insert(*old, id);
            moves.push(Move::new(ObjType::Frame, *old, id));
        }
        let place = |old_body: BodyId, old_frame: Option<FrameId>| match old_frame {
            Some(old) => frames.get(&old).copied(),
            None if old_body == branch.root => frame,
            None => None,
        };
        for (old, source) in &branch.bodies {
            let in_frame = place(source.parent.unwrap_or_default(), source.frame);
            self.bodies[owner(*old)].frame = in_frame;
        }
        let mut joints = Vec::new();
        for (old, source) in &branch.joints {
            let mut copy = source.clone();
            names.element(&mut copy);
            copy.frame = place(source.body, source.frame);
            let id = self.add_joint(owner(source.body), copy);
            joints.push((*old, id));
            moves.push(Move::new(ObjType::Joint, *old, id));
        }
        for (old, source) in &branch.geoms {
            let mut copy = source.clone();
            names.element(&mut copy);
            names.asset(&mut copy.material);
            names.asset(&mut copy.hfieldname);
            names.asset(&mut copy.meshname);
            affix.apply(&mut copy.plugin.instance);
            copy.frame = place(source.body, source.frame);
            let id = self.add_geom(owner(source.body), copy);
            moves.push(Move::new(ObjType::Geom, *old, id));
        }
        for (old, source) in &branch.sites {
            let mut copy = source.clone();
            names.element(&mut copy);
            names.asset(&mut copy.material);
            copy.frame = place(source.body, source.frame);
            let id = self.add_site(owner(source.body), copy);
            moves.push(Move::new(ObjType::Site, *old, id));
        }
        for (old, source) in &branch.cameras {
            let mut copy = source.clone();
            names.element(&mut copy);
            affix.apply(&mut copy.targetbody);
            copy.frame = place(source.body, source.frame);
            let id = self.add_camera(owner(source.body), copy);
            moves.push(Move::new(ObjType::Camera, *old, id));
        }
        for (old, source) in &branch.lights {
            let mut copy = source.clone();
            names.element(&mut copy);
            affix.apply(&mut copy.targetbody);
            affix.apply(&mut copy.texture);
            copy.frame = place(source.body, source.frame);
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
        true
    }

    /// Takes over the compiler settings and source texts of another model and makes its elements point at
    /// them, so that its parts can be grafted into this one.
    pub(crate) fn adopt(&mut self, other: &mut Spec, sources: &mut SourceMap) {
        // the same settings are kept once, however often a model is attached
        let place = |known: &mut Vec<Compiler>, wanted: Compiler| {
            let at = known.iter().position(|compiler| *compiler == wanted);
            CompilerId(at.unwrap_or_else(|| {
                known.push(wanted);
                known.len() - 1
            }) as u32)
        };
        let compilers: Vec<CompilerId> = std::mem::take(&mut other.compilers)
            .into_iter()
            .map(|compiler| place(&mut self.compilers, compiler))
            .collect();
        let file = sources.files.len() as u32;
        sources.files.append(&mut other.sources.files);
        other.shift_origins(&compilers, file);
    }

    fn shift_origins(&mut self, compilers: &[CompilerId], file: u32) {
        fn shift_one(origin: &mut Origin, compilers: &[CompilerId], file: u32) {
            origin.compiler = compilers.get(origin.compiler.0 as usize).copied().unwrap_or_default();
            origin.pos.file.0 += file;
        }
        fn shift<T: Element>(arena: &mut Arena<T>, compilers: &[CompilerId], file: u32) {
            arena.values_mut().for_each(|element| shift_one(element.origin_mut(), compilers, file));
        }
        shift(&mut self.bodies, compilers, file);
        shift(&mut self.frames, compilers, file);
        shift(&mut self.joints, compilers, file);
        shift(&mut self.geoms, compilers, file);
        shift(&mut self.sites, compilers, file);
        shift(&mut self.cameras, compilers, file);
        shift(&mut self.lights, compilers, file);
        shift(&mut self.flexes, compilers, file);
        shift(&mut self.meshes, compilers, file);
        shift(&mut self.skins, compilers, file);
        shift(&mut self.hfields, compilers, file);
        shift(&mut self.textures, compilers, file);
        shift(&mut self.materials, compilers, file);
        shift(&mut self.pairs, compilers, file);
        shift(&mut self.excludes, compilers, file);
        shift(&mut self.equalities, compilers, file);
        shift(&mut self.tendons, compilers, file);
        shift(&mut self.actuators, compilers, file);
        shift(&mut self.sensors, compilers, file);
        shift(&mut self.numerics, compilers, file);
        shift(&mut self.texts, compilers, file);
        shift(&mut self.tuples, compilers, file);
        shift(&mut self.keys, compilers, file);
        shift(&mut self.plugins, compilers, file);
        for class in &mut self.defaults {
            class.origins_mut().into_iter().for_each(|origin| shift_one(origin, compilers, file));
        }
        let wraps = self.tendons.values_mut().flat_map(|tendon| &mut tendon.path);
        wraps.for_each(|wrap| wrap.pos.file.0 += file);
        self.unsupported.iter_mut().for_each(|part| part.pos.file.0 += file);
        self.not_numbers.iter_mut().for_each(|pos| pos.file.0 += file);
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
            names.add(T::OBJ, copy.name());
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
