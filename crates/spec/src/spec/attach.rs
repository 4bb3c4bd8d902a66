//! Copying a part of a model into a place: the work behind `<replicate>` and `<attach>`.
//!
//! A [`Branch`] is a copy of a subtree. Grafting it adds its elements below a body, with a prefix and a suffix around all
//! names. Elements outside the tree (sensors, actuators, tendons, …) that refer into the branch are copied along, renamed
//! the same way; those whose references do not resolve are left out.

use std::collections::HashMap;

use kinetree_model::enums::ObjType;

use super::names::{Affix, Names, Referrer};
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
    geoms: Vec<Geom>,
    sites: Vec<Site>,
    cameras: Vec<Camera>,
    lights: Vec<Light>,
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
        for (kind, name) in branch.names() {
            self.names.add(kind, &affix.around(name));
        }
        for (_, joint) in branch.joints.iter().filter(|(_, joint)| !joint.name.is_empty()) {
            self.names.add_joint(&affix.around(&joint.name), joint.r#type);
        }
        spec.copy_own_referrers(affix, &mut self.names)?;
        Ok(grafted)
    }
}

/// Where the elements of a branch went.
#[derive(Debug, Default)]
pub(crate) struct Grafted {
    pub bodies: HashMap<BodyId, BodyId>,
    pub joints: HashMap<JointId, JointId>,
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

    /// Names of all elements but joints, with their kinds.
    fn names(&self) -> impl Iterator<Item = (ObjType, &str)> {
        fn named<T: Element>(kind: ObjType, element: &T) -> (ObjType, &str) {
            (kind, element.name())
        }
        let bodies =
            self.bodies.iter().flat_map(|(_, b)| [named(ObjType::Body, b), named(ObjType::Xbody, b)]);
        let all = bodies
            .chain(self.frames.iter().map(|(_, frame)| named(ObjType::Frame, frame)))
            .chain(self.geoms.iter().map(|geom| named(ObjType::Geom, geom)))
            .chain(self.sites.iter().map(|site| named(ObjType::Site, site)))
            .chain(self.cameras.iter().map(|camera| named(ObjType::Camera, camera)))
            .chain(self.lights.iter().map(|light| named(ObjType::Light, light)));
        all.filter(|(_, name)| !name.is_empty())
    }

    /// Copies the elements that belong to one body.
    fn collect(&mut self, spec: &Spec, id: BodyId) {
        let body = &spec.bodies[id];
        self.frames.extend(body.frames.iter().map(|&f| (f, spec.frames[f].clone())));
        self.joints.extend(body.joints.iter().map(|&j| (j, spec.joints[j].clone())));
        self.geoms.extend(body.geoms.iter().map(|&g| spec.geoms[g].clone()));
        self.sites.extend(body.sites.iter().map(|&s| spec.sites[s].clone()));
        self.cameras.extend(body.cameras.iter().map(|&c| spec.cameras[c].clone()));
        self.lights.extend(body.lights.iter().map(|&l| spec.lights[l].clone()));
    }
}

/// How names change: always the names themselves, and for branches of another model also what they say about classes and
/// assets.
#[derive(Clone, Copy)]
struct Renaming<'a> {
    affix: Affix<'a>,
    foreign: bool,
}

impl Renaming<'_> {
    fn element(self, element: &mut impl Element) {
        self.affix.apply(element.name_mut());
        let class = &mut element.origin_mut().class;
        if class != default::MAIN_CLASS {
            self.asset(class);
        }
    }

    fn asset(self, name: &mut String) {
        if self.foreign {
            self.affix.apply(name);
        }
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
        // bodies first, parents before children; their frames are filled in when frames have ids
        for (old, source) in &branch.bodies {
            let mut copy = source.clone();
            names.element(&mut copy);
            names.asset(&mut copy.childclass);
            affix.apply(&mut copy.plugin.instance);
            let parent = source.parent.and_then(|p| grafted.bodies.get(&p)).copied().unwrap_or(body);
            let id = self.add_body(parent, copy);
            grafted.bodies.insert(*old, id);
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
        for (old, source) in &branch.joints {
            let mut copy = source.clone();
            names.element(&mut copy);
            copy.frame = place(source.body, source.frame);
            let id = self.add_joint(owner(source.body), copy);
            grafted.joints.insert(*old, id);
        }
        for source in &branch.geoms {
            let mut copy = source.clone();
            names.element(&mut copy);
            names.asset(&mut copy.material);
            names.asset(&mut copy.hfieldname);
            names.asset(&mut copy.meshname);
            affix.apply(&mut copy.plugin.instance);
            copy.frame = place(source.body, source.frame);
            self.add_geom(owner(source.body), copy);
        }
        for source in &branch.sites {
            let mut copy = source.clone();
            names.element(&mut copy);
            names.asset(&mut copy.material);
            copy.frame = place(source.body, source.frame);
            self.add_site(owner(source.body), copy);
        }
        for source in &branch.cameras {
            let mut copy = source.clone();
            names.element(&mut copy);
            affix.apply(&mut copy.targetbody);
            copy.frame = place(source.body, source.frame);
            self.add_camera(owner(source.body), copy);
        }
        for source in &branch.lights {
            let mut copy = source.clone();
            names.element(&mut copy);
            affix.apply(&mut copy.targetbody);
            affix.apply(&mut copy.texture);
            copy.frame = place(source.body, source.frame);
            self.add_light(owner(source.body), copy);
        }
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

    /// Copies everything of another model that is not in its tree: assets, classes, and elements that refer into the
    /// grafted part. The settings and texts of the other model must have been adopted before.
    pub(crate) fn copy_foreign(&mut self, other: &Spec, affix: Affix<'_>) -> HashMap<ActuatorId, ActuatorId> {
        self.copy_defaults(other, affix);
        let renaming = Renaming { affix, foreign: true };
        let mut names = Names::of(self);
        for source in other.meshes.values() {
            let mut copy = source.clone();
            name_from_file(&mut copy.name, &source.file);
            renaming.element(&mut copy);
            affix.apply(&mut copy.plugin.instance);
            names.add(ObjType::Mesh, &copy.name);
            self.add_mesh(copy);
        }
        for source in other.hfields.values() {
            let mut copy = source.clone();
            name_from_file(&mut copy.name, &source.file);
            renaming.element(&mut copy);
            self.add_hfield(copy);
        }
        for source in other.textures.values() {
            let mut copy = source.clone();
            name_from_file(&mut copy.name, &source.file);
            renaming.element(&mut copy);
            self.add_texture(copy);
        }
        for source in other.materials.values() {
            let mut copy = source.clone();
            renaming.element(&mut copy);
            copy.textures.iter_mut().for_each(|texture| affix.apply(texture));
            self.add_material(copy);
        }
        for source in other.numerics.values() {
            let mut copy = source.clone();
            renaming.element(&mut copy);
            self.add_numeric(copy);
        }
        for source in other.texts.values() {
            let mut copy = source.clone();
            renaming.element(&mut copy);
            self.add_text(copy);
        }
        for source in other.plugins.values() {
            let mut copy = source.clone();
            renaming.element(&mut copy);
            self.add_plugin(copy);
        }
        copy_from(&mut self.skins, &other.skins, renaming, &mut names);
        copy_from(&mut self.flexes, &other.flexes, renaming, &mut names);
        copy_from(&mut self.pairs, &other.pairs, renaming, &mut names);
        copy_from(&mut self.excludes, &other.excludes, renaming, &mut names);
        copy_from(&mut self.tendons, &other.tendons, renaming, &mut names);
        copy_from(&mut self.equalities, &other.equalities, renaming, &mut names);
        let actuators = copy_from(&mut self.actuators, &other.actuators, renaming, &mut names);
        copy_from(&mut self.sensors, &other.sensors, renaming, &mut names);
        copy_from(&mut self.tuples, &other.tuples, renaming, &mut names);
        for plugin in &other.active_plugins {
            if !self.active_plugins.contains(plugin) {
                self.active_plugins.push(plugin.clone());
            }
        }
        self.unsupported.extend(other.unsupported.iter().cloned());
        self.not_numbers.extend(&other.not_numbers);
        actuators
    }

    /// Adds the default classes of another model below the main class.
    fn copy_defaults(&mut self, other: &Spec, affix: Affix<'_>) {
        let base = self.defaults.len();
        for class in &other.defaults {
            let mut copy = class.clone();
            affix.apply(&mut copy.name);
            copy.parent = Some(class.parent.map_or(DefaultId(0), |id| DefaultId(id.0 + base)));
            copy.children.iter_mut().for_each(|id| id.0 += base);
            if class.parent.is_none() {
                let id = DefaultId(self.defaults.len());
                self.defaults[0].children.push(id);
            }
            self.defaults.push(copy);
        }
    }

    /// Takes over the compiler settings and source texts of another model and makes its elements point at them, so that
    /// its parts can be grafted into this one.
    pub(crate) fn adopt(&mut self, other: &mut Spec, sources: &mut SourceMap) {
        let compiler = self.compilers.len() as u32;
        let file = sources.files.len() as u32;
        self.compilers.append(&mut other.compilers);
        sources.files.append(&mut other.sources.files);
        other.shift_origins(compiler, file);
    }

    fn shift_origins(&mut self, compiler: u32, file: u32) {
        fn shift<T: Element>(arena: &mut Arena<T>, compiler: u32, file: u32) {
            for element in arena.values_mut() {
                let origin = element.origin_mut();
                origin.compiler.0 += compiler;
                origin.pos.file.0 += file;
            }
        }
        shift(&mut self.bodies, compiler, file);
        shift(&mut self.frames, compiler, file);
        shift(&mut self.joints, compiler, file);
        shift(&mut self.geoms, compiler, file);
        shift(&mut self.sites, compiler, file);
        shift(&mut self.cameras, compiler, file);
        shift(&mut self.lights, compiler, file);
        shift(&mut self.flexes, compiler, file);
        shift(&mut self.meshes, compiler, file);
        shift(&mut self.skins, compiler, file);
        shift(&mut self.hfields, compiler, file);
        shift(&mut self.textures, compiler, file);
        shift(&mut self.materials, compiler, file);
        shift(&mut self.pairs, compiler, file);
        shift(&mut self.excludes, compiler, file);
        shift(&mut self.equalities, compiler, file);
        shift(&mut self.tendons, compiler, file);
        shift(&mut self.actuators, compiler, file);
        shift(&mut self.sensors, compiler, file);
        shift(&mut self.numerics, compiler, file);
        shift(&mut self.texts, compiler, file);
        shift(&mut self.tuples, compiler, file);
        shift(&mut self.keys, compiler, file);
        shift(&mut self.plugins, compiler, file);
        let wraps = self.tendons.values_mut().flat_map(|tendon| &mut tendon.path);
        wraps.for_each(|wrap| wrap.pos.file.0 += file);
        self.unsupported.iter_mut().for_each(|part| part.pos.file.0 += file);
        self.not_numbers.iter_mut().for_each(|pos| pos.file.0 += file);
    }
}

/// Gives an asset without a name the name of its file.
fn name_from_file(name: &mut String, file: &str) {
    if name.is_empty() {
        crate::vfs::strip_extension(crate::vfs::strip_path(file)).clone_into(name);
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

/// Copies the elements of another model's list whose references resolve with the affix. Returns where they went.
fn copy_from<T: Referrer + Clone>(
    list: &mut Arena<T>,
    source: &Arena<T>,
    renaming: Renaming<'_>,
    names: &mut Names,
) -> HashMap<Id<T>, Id<T>> {
    let mut places = HashMap::new();
    for (old, element) in source.iter() {
        let mut copy = element.clone();
        renaming.element(&mut copy);
        if copy.rename(renaming.affix, names) {
            names.add(T::OBJ, copy.name());
            places.insert(old, list.push(copy));
        }
    }
    places
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
