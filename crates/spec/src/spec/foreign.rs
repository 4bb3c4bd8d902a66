//! Attaching parts of another description: a body, a frame or a whole model, with a prefix and a suffix
//! around all names.
//!
//! The tree is grafted (`attach.rs`); assets, default classes and keyframes come along, and so do the
//! elements outside the tree whose references resolve in the grafted part. The cost depends on what is
//! attached, not on what is there already.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::{Frame, Part};
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! let hand = "<mujoco><worldbody><body name='hand'><geom size='0.05'/></body></worldbody></mujoco>";
//! let hand: Spec = hand.parse()?;
//! let wrist = spec.add_frame(body, Frame::default());
//! spec.attach(wrist, &hand, Part::Model, "left_", "")?;
//! assert!(spec.find_body("left_hand").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cell::LazyCell;
use std::collections::HashMap;

use kinetree_model::enums::ObjType;

use super::attach::{Branch, Grafted, Move};
use super::names::{Affix, Missing, Names, Referrer, Renaming};
use super::*;
use crate::mjcf::soft;

/// Why a part could not be attached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttachError {
    /// The target to attach to, or the part to attach, was deleted.
    #[error("the {0} does not exist any more")]
    Gone(&'static str),
    /// The world cannot hang on anything.
    #[error("the world body cannot be attached; attach the whole model instead")]
    World,
    /// The two descriptions have the meaning of different versions of MuJoCo.
    #[error("a part of reference level {part} cannot be attached to a description of level {whole}")]
    Reference {
        /// The level of the part.
        part: Reference,
        /// The level of the description that it was to be attached to.
        whole: Reference,
    },
    /// A keyframe of the other model has the wrong number of values.
    #[error("{0}")]
    Keyframe(String),
    /// An element relates the attached part to a part that stays behind.
    #[error("the {kind} '{name}' refers to '{target}', which is not attached; delete it or attach both")]
    Border {
        /// Kind of the element.
        kind: &'static str,
        /// Its name.
        name: String,
        /// What stays behind.
        target: String,
    },
}

/// What to attach.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// A body with everything below it.
    Body(BodyId),
    /// A frame with everything inside it.
    Frame(FrameId),
    /// Everything in the world.
    Model,
}

/// Where the parts of another description went.
#[derive(Debug, Default)]
pub struct Attached {
    /// All copies.
    pub moves: Vec<Move>,
}

impl Attached {
    /// The copy of an element.
    pub fn copy_of<T>(&self, kind: ObjType, id: Id<T>) -> Option<Id<T>> {
        let found = self.moves.iter().find(|m| m.kind == kind && m.from == id.index());
        found.map(|m| Id::new(m.to))
    }
}

/// Where a part of another description is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachTarget {
    /// Inside a frame.
    Frame(FrameId),
    /// At the pose of a site: a frame with that pose is made for it.
    Site(SiteId),
    /// Directly to a body.
    Body(BodyId),
}

impl Spec {
    /// Attaches a part of another description inside a frame of this one. `other` is not changed.
    ///
    /// # Errors
    /// When the frame or the part does not exist, or an element refers across the border.
    pub fn attach(
        &mut self,
        frame: FrameId,
        other: &Spec,
        part: Part,
        prefix: &str,
        suffix: &str,
    ) -> Result<Attached, AttachError> {
        self.attach_part(AttachTarget::Frame(frame), other, part, prefix, suffix).map(|done| done.1)
    }

    /// Attaches a part of another description directly to a body.
    ///
    /// # Errors
    /// As [`Spec::attach`].
    pub fn attach_to_body(
        &mut self,
        body: BodyId,
        other: &Spec,
        part: Part,
        prefix: &str,
        suffix: &str,
    ) -> Result<Attached, AttachError> {
        self.attach_part(AttachTarget::Body(body), other, part, prefix, suffix).map(|done| done.1)
    }

    /// Attaches a part of another description at the pose of a site. Returns the frame that was made for it,
    /// too.
    ///
    /// # Errors
    /// As [`Spec::attach`].
    pub fn attach_to_site(
        &mut self,
        site: SiteId,
        other: &Spec,
        part: Part,
        prefix: &str,
        suffix: &str,
    ) -> Result<(FrameId, Attached), AttachError> {
        let (frame, attached) = self.attach_part(AttachTarget::Site(site), other, part, prefix, suffix)?;
        Ok((frame.unwrap_or_default(), attached))
    }

    /// Attaches a part of another description to any kind of target. Returns the frame that was made for a
    /// site, too.
    ///
    /// # Errors
    /// As [`Spec::attach`].
    pub fn attach_part(
        &mut self,
        target: AttachTarget,
        other: &Spec,
        part: Part,
        prefix: &str,
        suffix: &str,
    ) -> Result<(Option<FrameId>, Attached), AttachError> {
        if other.reference != self.reference {
            return Err(AttachError::Reference { part: other.reference, whole: self.reference });
        }
        let (body, frame, made) = match target {
            AttachTarget::Frame(id) => {
                let frame = self.frames.get(id).ok_or(AttachError::Gone("frame"))?;
                (frame.body, Some(id), None)
            }
            AttachTarget::Body(id) => {
                self.bodies.get(id).ok_or(AttachError::Gone("body"))?;
                (id, None, None)
            }
            AttachTarget::Site(id) => {
                let (body, frame) = self.frame_of_site(id)?;
                (body, Some(frame), Some(frame))
            }
        };
        match self.attach_at(body, frame, other, part, Affix { prefix, suffix }) {
            Ok(attached) => Ok((made, attached)),
            Err(error) => {
                made.map(|frame| self.delete_frame(frame));
                Err(error)
            }
        }
    }

    /// Makes a frame with the pose of a site.
    fn frame_of_site(&mut self, site: SiteId) -> Result<(BodyId, FrameId), AttachError> {
        let site = self.sites.get(site).ok_or(AttachError::Gone("site"))?;
        let frame = Frame {
            origin: site.origin.clone(),
            pos: site.pos,
            quat: site.quat,
            alt: site.alt,
            parent: site.frame,
            ..Frame::default()
        };
        let body = site.body;
        Ok((body, self.add_frame(body, frame)))
    }

    fn attach_at(
        &mut self,
        body: BodyId,
        frame: Option<FrameId>,
        other: &Spec,
        part: Part,
        affix: Affix<'_>,
    ) -> Result<Attached, AttachError> {
        check_part(other, part)?;
        let branch = match part {
            Part::Body(id) => Branch::at(other, id),
            Part::Frame(id) => Branch::inside(other, id),
            Part::Model => Branch::below(other, other.world()),
        };
        let keys = other.assigned_keys().map_err(|error| AttachError::Keyframe(error.to_string()))?;
        let names = branch.names(affix);
        if !matches!(part, Part::Model) {
            check_border(other, &names, affix)?;
        }
        let mut sources = std::mem::take(&mut self.sources);
        let origins = self.adopt_origins(other, &mut sources);
        self.sources = sources;
        let renaming = Renaming::foreign(affix, Some(&origins));
        let mut grafted = self.graft(&branch, body, frame, renaming);
        let actuators = self.copy_foreign(other, names, renaming, &mut grafted);
        self.attach_keys(other, &keys, renaming, &grafted, &actuators);
        Ok(Attached { moves: grafted.moves })
    }

    /// Adds the keyframes of an attached part.
    pub(crate) fn attach_keys(
        &mut self,
        other: &Spec,
        keys: &[AttachedKey],
        renaming: Renaming<'_>,
        grafted: &Grafted,
        actuators: &HashMap<ActuatorId, ActuatorId>,
    ) {
        let own = keys.iter().map(|key| key.moved(renaming.affix, grafted, actuators, false));
        let inner =
            other.attached_keys.iter().map(|key| key.moved(Affix::default(), grafted, actuators, false));
        let shifted = own.chain(inner).map(|mut key| {
            renaming.origin(&mut key.origin);
            key
        });
        self.attached_keys.extend(shifted);
    }

    /// Copies everything of another model that is not in its tree: assets, classes, and elements that refer
    /// into the grafted part, whose names are given. The settings and texts of the other model must have been
    /// adopted before.
    pub(crate) fn copy_foreign(
        &mut self,
        other: &Spec,
        mut names: Names,
        renaming: Renaming<'_>,
        grafted: &mut Grafted,
    ) -> HashMap<ActuatorId, ActuatorId> {
        let affix = renaming.affix;
        // with an affix that was used before, assets and classes may be here already
        let again =
            !self.affixes.insert((affix.prefix.to_owned(), affix.suffix.to_owned())) || affix.is_empty();
        self.copy_defaults(other, renaming, again);
        self.copy_assets(other, renaming, again, &mut names, &mut grafted.moves);
        self.copy_unconditional(other, renaming, again, &names, &mut grafted.moves);

        // references that do not resolve inside may point at what is here already
        let mut copies = Referrers::collect(other, renaming, &mut names);
        let outside = names.missing().found_in(self);
        if !outside.is_empty() {
            copies.forget(&mut names);
            outside.into_iter().for_each(|(kind, name)| names.add(kind, name));
            copies = Referrers::collect(other, renaming, &mut names);
        }
        let actuators = copies.push_into(self, again, &mut grafted.moves);
        for (name, mut pos) in other.active_plugins.iter().cloned() {
            renaming.pos(&mut pos);
            self.activate_plugin(&name, pos);
        }
        self.not_numbers.extend(other.not_numbers.iter().copied().map(|mut pos| {
            renaming.pos(&mut pos);
            pos
        }));
        actuators
    }

    fn copy_assets(
        &mut self,
        other: &Spec,
        renaming: Renaming<'_>,
        again: bool,
        names: &mut Names,
        moves: &mut Vec<Move>,
    ) {
        let affix = renaming.affix;
        for (id, source) in other.meshes.iter() {
            let mut copy = source.clone();
            name_from_file(&mut copy.name, &source.file);
            renaming.element(&mut copy);
            affix.apply(&mut copy.plugin.instance);
            renaming.asset(&mut copy.material);
            names.add(ObjType::Mesh, copy.name.clone());
            add_copy(&mut self.meshes, ObjType::Mesh, id, copy, again, moves);
        }
        for (id, source) in other.hfields.iter() {
            let mut copy = source.clone();
            name_from_file(&mut copy.name, &source.file);
            renaming.element(&mut copy);
            names.add(ObjType::Hfield, copy.name.clone());
            add_copy(&mut self.hfields, ObjType::Hfield, id, copy, again, moves);
        }
        for (id, source) in other.textures.iter() {
            let mut copy = source.clone();
            name_from_file(&mut copy.name, &source.file);
            renaming.element(&mut copy);
            names.add(ObjType::Texture, copy.name.clone());
            add_copy(&mut self.textures, ObjType::Texture, id, copy, again, moves);
        }
        for (id, source) in other.materials.iter() {
            let mut copy = source.clone();
            renaming.element(&mut copy);
            copy.textures.iter_mut().for_each(|texture| affix.apply(texture));
            names.add(ObjType::Material, copy.name.clone());
            add_copy(&mut self.materials, ObjType::Material, id, copy, again, moves);
        }
    }

    /// Elements that refer to nothing, and deformable bodies whose references resolve.
    fn copy_unconditional(
        &mut self,
        other: &Spec,
        renaming: Renaming<'_>,
        again: bool,
        names: &Names,
        moves: &mut Vec<Move>,
    ) {
        fn each<T: Element + Clone>(
            list: &mut Arena<T>,
            source: &Arena<T>,
            kind: ObjType,
            (renaming, again): (Renaming<'_>, bool),
            moves: &mut Vec<Move>,
        ) {
            for (id, element) in source.iter() {
                let mut copy = element.clone();
                renaming.element(&mut copy);
                add_copy(list, kind, id, copy, again, moves);
            }
        }
        let how = (renaming, again);
        each(&mut self.numerics, &other.numerics, ObjType::Numeric, how, moves);
        for (id, text) in other.texts.iter() {
            let mut copy = text.clone();
            // names in the lines of a deformable body follow, and its own keeps its prefix
            let body = soft::rename(&mut copy, |name| renaming.affix.around(name));
            let resolves = |(kind, name): (ObjType, &str)| name == WORLD_NAME || names.has(kind, name);
            if !soft::references(&copy).all(resolves) {
                continue;
            }
            let name = body.then(|| copy.name.clone());
            renaming.element(&mut copy);
            copy.name = name.unwrap_or(copy.name);
            add_copy(&mut self.texts, ObjType::Text, id, copy, again, moves);
        }
        each(&mut self.plugins, &other.plugins, ObjType::Plugin, how, moves);
    }

    /// Adds the default classes of another model below the main class. A class whose name is taken stays out:
    /// elements carry all their values themselves.
    fn copy_defaults(&mut self, other: &Spec, renaming: Renaming<'_>, again: bool) {
        let mut class_ids: Vec<Option<DefaultId>> = Vec::with_capacity(other.defaults.len());
        for class in &other.defaults {
            let name = renaming.affix.around(&class.name);
            if again && self.find_default(&name).is_some() {
                class_ids.push(self.find_default(&name));
                continue;
            }
            let parent =
                class.parent.and_then(|id| class_ids.get(id.0).copied().flatten()).unwrap_or_default();
            let id = DefaultId(self.defaults.len());
            let mut copy = DefaultClass { name, parent: Some(parent), children: Vec::new(), ..class.clone() };
            copy.origins_mut().into_iter().for_each(|origin| renaming.origin(origin));
            self.defaults.push(copy);
            self.defaults[parent.0].children.push(id);
            class_ids.push(Some(id));
        }
    }
}

fn check_part(other: &Spec, part: Part) -> Result<(), AttachError> {
    match part {
        Part::Body(id) if id == other.world() => Err(AttachError::World),
        Part::Body(id) => other.bodies.get(id).map(|_| ()).ok_or(AttachError::Gone("body")),
        Part::Frame(id) => other.frames.get(id).map(|_| ()).ok_or(AttachError::Gone("frame")),
        Part::Model => Ok(()),
    }
}

/// Reports elements that relate the branch to a part of its own model that stays behind.
fn check_border(other: &Spec, inside: &Names, affix: Affix<'_>) -> Result<(), AttachError> {
    let border = Border { inside, affix, all: LazyCell::new(|| Names::of(other)) };
    border.check(&other.pairs)?;
    border.check(&other.excludes)?;
    border.check(&other.tendons)?;
    border.check(&other.equalities)
}

/// What is in a branch and what is in its whole model.
struct Border<'a, F> {
    /// Names of the branch, with the affix.
    inside: &'a Names,
    affix: Affix<'a>,
    /// Most parts refer to nothing outside.
    all: LazyCell<Names, F>,
}

impl<F: FnOnce() -> Names> Border<'_, F> {
    /// Fails for an element whose references all exist, some in the branch and some outside.
    fn check<T: Referrer>(&self, list: &Arena<T>) -> Result<(), AttachError> {
        for element in list.values() {
            let references = element.references();
            // the world is on both sides
            let in_tree = |(_, name): &&(ObjType, String)| name != WORLD_NAME;
            let here = |(kind, name): &&(ObjType, String)| self.inside.knows(*kind, &self.affix.around(name));
            let there =
                |reference: &&(ObjType, String)| !here(reference) && self.all.has(reference.0, &reference.1);
            let outside = references.iter().filter(in_tree).find(there);
            let crossing = outside.filter(|_| references.iter().filter(in_tree).any(|r| here(&r)));
            if let Some((_, target)) = crossing {
                return Err(AttachError::Border {
                    kind: T::KIND,
                    name: element.name().to_owned(),
                    target: target.clone(),
                });
            }
        }
        Ok(())
    }
}

/// Copies of elements whose references resolve, with the indices they come from.
#[derive(Default)]
struct Referrers {
    skins: Vec<(Id<Skin>, Skin)>,
    flexes: Vec<(Id<Flex>, Flex)>,
    pairs: Vec<(Id<Pair>, Pair)>,
    excludes: Vec<(Id<Exclude>, Exclude)>,
    tendons: Vec<(Id<Tendon>, Tendon)>,
    equalities: Vec<(Id<Equality>, Equality)>,
    actuators: Vec<(Id<Actuator>, Actuator)>,
    sensors: Vec<(Id<Sensor>, Sensor)>,
    tuples: Vec<(Id<Tuple>, Tuple)>,
}

impl Referrers {
    fn collect(other: &Spec, renaming: Renaming<'_>, names: &mut Names) -> Self {
        Referrers {
            skins: resolving(&other.skins, renaming, names),
            flexes: resolving(&other.flexes, renaming, names),
            pairs: resolving(&other.pairs, renaming, names),
            excludes: resolving(&other.excludes, renaming, names),
            tendons: resolving(&other.tendons, renaming, names),
            equalities: resolving(&other.equalities, renaming, names),
            actuators: resolving(&other.actuators, renaming, names),
            sensors: resolving(&other.sensors, renaming, names),
            tuples: resolving(&other.tuples, renaming, names),
        }
    }

    /// Removes the names of the copies again.
    fn forget(&self, names: &mut Names) {
        fn each<T: Referrer>(copies: &[(Id<T>, T)], names: &mut Names) {
            copies.iter().for_each(|(_, copy)| names.remove(T::OBJ, copy.name()));
        }
        each(&self.skins, names);
        each(&self.flexes, names);
        each(&self.pairs, names);
        each(&self.excludes, names);
        each(&self.tendons, names);
        each(&self.equalities, names);
        each(&self.actuators, names);
        each(&self.sensors, names);
        each(&self.tuples, names);
    }

    fn push_into(
        self,
        spec: &mut Spec,
        again: bool,
        moves: &mut Vec<Move>,
    ) -> HashMap<ActuatorId, ActuatorId> {
        fn push<T: Referrer>(
            list: &mut Arena<T>,
            copies: Vec<(Id<T>, T)>,
            again: bool,
            moves: &mut Vec<Move>,
        ) {
            for (id, copy) in copies {
                add_copy(list, T::OBJ, id, copy, again, moves);
            }
        }
        push(&mut spec.skins, self.skins, again, moves);
        push(&mut spec.flexes, self.flexes, again, moves);
        push(&mut spec.pairs, self.pairs, again, moves);
        push(&mut spec.excludes, self.excludes, again, moves);
        push(&mut spec.tendons, self.tendons, again, moves);
        push(&mut spec.equalities, self.equalities, again, moves);
        push(&mut spec.sensors, self.sensors, again, moves);
        push(&mut spec.tuples, self.tuples, again, moves);
        let first = moves.len();
        push(&mut spec.actuators, self.actuators, again, moves);
        moves[first..].iter().map(|m| (Id::new(m.from), Id::new(m.to))).collect()
    }
}

/// Copies of the elements of a list whose references resolve with the affix.
fn resolving<T: Referrer + Clone>(
    source: &Arena<T>,
    renaming: Renaming<'_>,
    names: &mut Names,
) -> Vec<(Id<T>, T)> {
    let mut copies = Vec::new();
    for (id, element) in source.iter() {
        let mut copy = element.clone();
        renaming.element(&mut copy);
        copy.rename_assets(renaming);
        if copy.rename(renaming.affix, names) {
            names.add(T::OBJ, copy.name().to_owned());
            copies.push((id, copy));
        }
    }
    copies
}

/// Adds a copy; one whose name is here already, from an earlier part with the same affix, is not added again.
fn add_copy<T: Element>(
    list: &mut Arena<T>,
    kind: ObjType,
    from: Id<T>,
    copy: T,
    again: bool,
    moves: &mut Vec<Move>,
) {
    let known =
        again && !copy.name().is_empty() && list.values().any(|element| element.name() == copy.name());
    if !known {
        moves.push(Move { kind, from: from.index(), to: list.push(copy).index() });
    }
}

/// Gives an asset without a name the name of its file.
fn name_from_file(name: &mut String, file: &str) {
    if name.is_empty() {
        crate::vfs::strip_extension(crate::vfs::strip_path(file)).clone_into(name);
    }
}

/// Which names of a set exist in a description.
pub(crate) trait FoundIn {
    /// Those that do.
    fn found_in(self, spec: &Spec) -> Vec<(ObjType, String)>;
}

impl FoundIn for Missing {
    fn found_in(self, spec: &Spec) -> Vec<(ObjType, String)> {
        if self.is_empty() {
            return Vec::new();
        }
        let all = Names::of(spec);
        self.into_iter().filter(|(kind, name)| all.has(*kind, name)).collect()
    }
}
