//! Lookup of names by kind of object, and the references that elements make through them.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use kinetree_model::enums::{EqType, JointType, ObjType, SensorType, TrnType};

use super::element::OriginShift;
use super::*;

/// A prefix and a suffix that are put around names when a part of a model is copied.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Affix<'a> {
    pub prefix: &'a str,
    pub suffix: &'a str,
}

impl Affix<'_> {
    /// The name with prefix and suffix; empty names stay empty.
    pub(crate) fn around(self, name: &str) -> String {
        if name.is_empty() { String::new() } else { [self.prefix, name, self.suffix].concat() }
    }

    /// Neither prefix nor suffix.
    pub(crate) fn is_empty(self) -> bool {
        self.prefix.is_empty() && self.suffix.is_empty()
    }

    /// Renames in place.
    pub(crate) fn apply(self, name: &mut String) {
        if !self.is_empty() {
            *name = self.around(name);
        }
    }
}

/// How elements change when they are copied: always their names, and for branches of another model also what
/// they say about classes, assets and origins.
#[derive(Clone, Copy)]
pub(crate) struct Renaming<'a> {
    pub(super) affix: Affix<'a>,
    foreign: bool,
    /// `None` when the origins are those of this model already.
    pub(super) origins: Option<&'a OriginShift>,
}

impl<'a> Renaming<'a> {
    /// For copies within a model.
    pub(crate) fn within(affix: Affix<'a>) -> Self {
        Self { affix, foreign: false, origins: None }
    }

    /// For copies from another model.
    pub(crate) fn foreign(affix: Affix<'a>, origins: Option<&'a OriginShift>) -> Self {
        Self { affix, foreign: true, origins }
    }

    pub(super) fn element(self, element: &mut impl Element) {
        self.affix.apply(element.name_mut());
        self.origin(element.origin_mut());
        let class = &mut element.origin_mut().class;
        if class != default::MAIN_CLASS {
            self.asset(class);
        }
    }

    pub(super) fn origin(self, origin: &mut Origin) {
        if let Some(shift) = self.origins {
            shift.origin(origin);
        }
    }

    pub(super) fn pos(self, pos: &mut SourcePos) {
        if let Some(shift) = self.origins {
            shift.pos(pos);
        }
    }

    pub(super) fn asset(self, name: &mut String) {
        if self.foreign {
            self.affix.apply(name);
        }
    }
}

/// Names that were asked for and not found.
pub(crate) type Missing = HashSet<(ObjType, String)>;

/// Names of a model or of a branch, by kind of object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    sets: Vec<(ObjType, HashSet<String>)>,
    /// Joints with one degree of freedom.
    scalar_joints: HashSet<String>,
    /// What was asked for and not found, shared by all clones; `None`: not noted.
    missing: Option<Rc<RefCell<Missing>>>,
}

fn names_of<T: Element>(arena: &Arena<T>) -> HashSet<String> {
    arena.values().filter(|e| !e.name().is_empty()).map(|e| e.name().to_owned()).collect()
}

impl Names {
    /// No names yet; those that are asked for and not found are noted.
    pub(crate) fn recording() -> Self {
        Names { missing: Some(Rc::default()), ..Names::default() }
    }

    /// Names of everything in a model that a reference can point at.
    pub(crate) fn of(spec: &Spec) -> Self {
        let bodies = names_of(&spec.bodies);
        let scalar =
            spec.joints.values().filter(|joint| matches!(joint.r#type, JointType::Hinge | JointType::Slide));
        Names {
            missing: None,
            scalar_joints: scalar.map(|joint| joint.name.clone()).collect(),
            sets: vec![
                (ObjType::Xbody, bodies.clone()),
                (ObjType::Body, bodies),
                (ObjType::Joint, names_of(&spec.joints)),
                (ObjType::Geom, names_of(&spec.geoms)),
                (ObjType::Site, names_of(&spec.sites)),
                (ObjType::Camera, names_of(&spec.cameras)),
                (ObjType::Light, names_of(&spec.lights)),
                (ObjType::Flex, names_of(&spec.flexes)),
                (ObjType::Mesh, names_of(&spec.meshes)),
                (ObjType::Skin, names_of(&spec.skins)),
                (ObjType::Hfield, names_of(&spec.hfields)),
                (ObjType::Texture, names_of(&spec.textures)),
                (ObjType::Material, names_of(&spec.materials)),
                (ObjType::Pair, names_of(&spec.pairs)),
                (ObjType::Exclude, names_of(&spec.excludes)),
                (ObjType::Equality, names_of(&spec.equalities)),
                (ObjType::Tendon, names_of(&spec.tendons)),
                (ObjType::Actuator, names_of(&spec.actuators)),
                (ObjType::Sensor, names_of(&spec.sensors)),
                (ObjType::Numeric, names_of(&spec.numerics)),
                (ObjType::Text, names_of(&spec.texts)),
                (ObjType::Tuple, names_of(&spec.tuples)),
                (ObjType::Key, names_of(&spec.keys)),
                (ObjType::Plugin, names_of(&spec.plugins)),
                (ObjType::Frame, names_of(&spec.frames)),
            ],
        }
    }

    /// As [`Names::has`]; a name that is not there is not noted.
    pub(crate) fn knows(&self, kind: ObjType, name: &str) -> bool {
        self.sets.iter().any(|(k, set)| *k == kind && set.contains(name))
    }

    /// Does an object of this kind and name exist?
    pub(crate) fn has(&self, kind: ObjType, name: &str) -> bool {
        let found = self.knows(kind, name);
        if let Some(missing) = self.missing.as_ref().filter(|_| !found && !name.is_empty()) {
            missing.borrow_mut().insert((kind, name.to_owned()));
        }
        found
    }

    /// Adds a name.
    pub(crate) fn add(&mut self, kind: ObjType, name: String) {
        // a body is also the frame that it has
        if kind == ObjType::Body {
            self.add(ObjType::Xbody, name.clone());
        }
        match self.sets.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, set)) => drop(set.insert(name)),
            None => self.sets.push((kind, HashSet::from([name]))),
        }
    }

    /// Adds the name of a joint.
    pub(crate) fn add_joint(&mut self, name: String, kind: JointType) {
        if matches!(kind, JointType::Hinge | JointType::Slide) {
            self.scalar_joints.insert(name.clone());
        }
        self.add(ObjType::Joint, name);
    }

    /// Names that were asked for and not found.
    pub(crate) fn missing(&self) -> Missing {
        self.missing.as_ref().map(|missing| missing.borrow().clone()).unwrap_or_default()
    }
}

impl Names {
    /// Removes a name.
    pub(crate) fn remove(&mut self, kind: ObjType, name: &str) {
        if let Some((_, set)) = self.sets.iter_mut().find(|(k, _)| *k == kind) {
            set.remove(name);
        }
    }
}

/// An element that refers to others by name.
pub(crate) trait Referrer: Element {
    /// Kind of the element itself.
    const OBJ: ObjType;
    /// Moves all references into a name space, where possible. False when the references cannot be resolved
    /// there.
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool;
    /// Renames materials, and what else an element of another model says about its own.
    fn rename_assets(&mut self, renaming: Renaming<'_>) {
        let _ = renaming;
    }
    /// Kinds and names of the tree elements that relations between them refer to.
    fn references(&self) -> Vec<(ObjType, String)> {
        Vec::new()
    }
}

/// Moves two references of one kind into a name space; one of them may stay outside.
fn rename_two(
    first: &mut String,
    second: &mut String,
    kind: ObjType,
    affix: Affix<'_>,
    names: &Names,
) -> bool {
    let (inner1, inner2) = (affix.around(first), affix.around(second));
    let (has1, has2) = (names.has(kind, &inner1), names.has(kind, &inner2));
    let good = (has1 || (has2 && names.has(kind, first))) && (has2 || (has1 && names.has(kind, second)));
    if has1 {
        *first = inner1;
    }
    if has2 {
        *second = inner2;
    }
    good
}

impl Referrer for Pair {
    const OBJ: ObjType = ObjType::Pair;
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool {
        rename_two(&mut self.geomname1, &mut self.geomname2, ObjType::Geom, affix, names)
    }
    fn references(&self) -> Vec<(ObjType, String)> {
        vec![(ObjType::Geom, self.geomname1.clone()), (ObjType::Geom, self.geomname2.clone())]
    }
}

impl Referrer for Exclude {
    const OBJ: ObjType = ObjType::Exclude;
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool {
        rename_two(&mut self.bodyname1, &mut self.bodyname2, ObjType::Body, affix, names)
    }
    fn references(&self) -> Vec<(ObjType, String)> {
        vec![(ObjType::Body, self.bodyname1.clone()), (ObjType::Body, self.bodyname2.clone())]
    }
}

impl Referrer for Equality {
    const OBJ: ObjType = ObjType::Equality;
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool {
        affix.apply(&mut self.name1);
        affix.apply(&mut self.name2);
        let kind = match self.r#type {
            EqType::Connect | EqType::Weld => self.objtype,
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            _ => ObjType::Flex,
        };
        let second = if self.name2.is_empty() && kind == ObjType::Body { WORLD_NAME } else { &self.name2 };
        let scalar = |name: &str| {
            self.r#type != EqType::Joint || name.is_empty() || names.scalar_joints.contains(name)
        };
        names.has(kind, &self.name1)
            && (second.is_empty() || names.has(kind, second))
            && self.name1 != second
            && scalar(&self.name1)
            && scalar(second)
    }
    fn references(&self) -> Vec<(ObjType, String)> {
        let kind = match self.r#type {
            EqType::Connect | EqType::Weld => self.objtype,
            EqType::Joint => ObjType::Joint,
            _ => return Vec::new(),
        };
        vec![(kind, self.name1.clone()), (kind, self.name2.clone())]
    }
}

impl Referrer for Tendon {
    const OBJ: ObjType = ObjType::Tendon;
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool {
        let (mut inside, mut resolved) = (0, true);
        for wrap in &mut self.path {
            let moved = wrap.target.around(affix);
            if matches!(moved, WrapTarget::Pulley { .. }) {
                continue;
            }
            if moved.exists(names) {
                wrap.target = moved;
                inside += 1;
            } else {
                resolved &= wrap.target.exists(names);
            }
        }
        resolved && inside > 0
    }
    fn rename_assets(&mut self, renaming: Renaming<'_>) {
        renaming.asset(&mut self.material);
        self.path.iter_mut().for_each(|wrap| renaming.pos(&mut wrap.pos));
    }
    fn references(&self) -> Vec<(ObjType, String)> {
        let targets = self.path.iter().filter_map(|wrap| match &wrap.target {
            WrapTarget::Joint { name, .. } => Some((ObjType::Joint, name.clone())),
            WrapTarget::Site { name } => Some((ObjType::Site, name.clone())),
            WrapTarget::Geom { name, .. } => Some((ObjType::Geom, name.clone())),
            WrapTarget::Pulley { .. } => None,
        });
        targets.collect()
    }
}

impl WrapTarget {
    fn around(&self, affix: Affix<'_>) -> WrapTarget {
        match self {
            WrapTarget::Joint { name, coef } => WrapTarget::Joint { name: affix.around(name), coef: *coef },
            WrapTarget::Site { name } => WrapTarget::Site { name: affix.around(name) },
            WrapTarget::Geom { name, sidesite } => {
                WrapTarget::Geom { name: affix.around(name), sidesite: affix.around(sidesite) }
            }
            WrapTarget::Pulley { divisor } => WrapTarget::Pulley { divisor: *divisor },
        }
    }

    fn exists(&self, names: &Names) -> bool {
        match self {
            WrapTarget::Joint { name, .. } => names.has(ObjType::Joint, name),
            WrapTarget::Site { name } => names.has(ObjType::Site, name),
            WrapTarget::Geom { name, sidesite } => {
                names.has(ObjType::Geom, name) && (sidesite.is_empty() || names.has(ObjType::Site, sidesite))
            }
            WrapTarget::Pulley { .. } => true,
        }
    }
}

impl Referrer for Actuator {
    const OBJ: ObjType = ObjType::Actuator;
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool {
        affix.apply(&mut self.target);
        affix.apply(&mut self.refsite);
        affix.apply(&mut self.slidersite);
        affix.apply(&mut self.plugin.instance);
        match self.trntype {
            TrnType::Joint | TrnType::Jointinparent => names.has(ObjType::Joint, &self.target),
            TrnType::Tendon => names.has(ObjType::Tendon, &self.target),
            TrnType::Body => names.has(ObjType::Body, &self.target),
            TrnType::Site => {
                (self.refsite.is_empty() || names.has(ObjType::Site, &self.refsite))
                    && names.has(ObjType::Site, &self.target)
            }
            TrnType::Slidercrank => {
                names.has(ObjType::Site, &self.slidersite)
                    && self.cranklength > 0.0
                    && names.has(ObjType::Site, &self.target)
            }
            TrnType::Undefined => false,
        }
    }
}

impl Referrer for Sensor {
    const OBJ: ObjType = ObjType::Sensor;
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool {
        affix.apply(&mut self.plugin.instance);
        let (obj, inner_ref) = (affix.around(&self.objname), affix.around(&self.refname));
        let needs_obj = self.objtype != ObjType::Unknown;
        let needs_ref = self.reftype != ObjType::Unknown;
        let has_obj = needs_obj && names.has(self.objtype, &obj);
        let has_ref = needs_ref && names.has(self.reftype, &inner_ref);
        // with two references, one may stay outside the name space
        let obj_good = has_obj || !needs_obj || (has_ref && names.has(self.objtype, &self.objname));
        let ref_good = has_ref || !needs_ref || (has_obj && names.has(self.reftype, &self.refname));
        if has_obj {
            self.objname = obj;
        }
        if has_ref {
            self.refname = inner_ref;
        }
        let free = matches!(
            self.r#type,
            SensorType::EPotential
                | SensorType::EKinetic
                | SensorType::Clock
                | SensorType::Plugin
                | SensorType::Contact
                | SensorType::User
        );
        obj_good && ref_good && (needs_obj || free)
    }
}

impl Referrer for Tuple {
    const OBJ: ObjType = ObjType::Tuple;
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool {
        for entry in &mut self.entries {
            affix.apply(&mut entry.objname);
        }
        !self.entries.is_empty() && self.entries.iter().all(|entry| names.has(entry.objtype, &entry.objname))
    }
}

impl Referrer for Flex {
    const OBJ: ObjType = ObjType::Flex;
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool {
        self.vertbody.iter_mut().chain(&mut self.nodebody).for_each(|name| affix.apply(name));
        self.vertbody.iter().chain(&self.nodebody).all(|name| names.has(ObjType::Body, name))
    }
    fn rename_assets(&mut self, renaming: Renaming<'_>) {
        renaming.asset(&mut self.material);
    }
}

impl Referrer for Skin {
    const OBJ: ObjType = ObjType::Skin;
    fn rename(&mut self, affix: Affix<'_>, names: &Names) -> bool {
        self.bones.iter_mut().for_each(|bone| affix.apply(&mut bone.bodyname));
        self.bones.iter().all(|bone| names.has(ObjType::Body, &bone.bodyname))
    }
    fn rename_assets(&mut self, renaming: Renaming<'_>) {
        renaming.asset(&mut self.material);
    }
}
