//! The state of a compilation: elements in the order in which the model numbers them, with what has been
//! resolved so far.
//!
//! A draft borrows the description and never changes it. Elements of the kinematic tree are numbered depth
//! first; they refer to each other by index. Geoms and meshes may be dropped late, so their final numbers are
//! looked up when written.

use kinetree_model::FusedBody;
use kinetree_model::enums::ObjType;

use super::elements::{
    ActuatorDraft, BodyDraft, CameraDraft, EqualityDraft, ExcludeDraft, GeomDraft, HFieldDraft, JointDraft,
    LightDraft, MaterialDraft, MeshDraft, NumericDraft, PairDraft, SensorDraft, SiteDraft, SkinDraft,
    TendonDraft, TextureDraft, TupleDraft,
};
use super::flex::draft::FlexDraft;
use super::frames::Pose;
use super::name_index::NameIndex;
use super::plugin_draft::PluginDrafts;
use super::report::Report;
use super::userdata::UserSizes;
use crate::spec::{Element, FrameId, Key, Spec, Text};

/// Everything known about the model while it is compiled.
#[derive(Debug)]
pub(crate) struct Draft<'s> {
    pub(crate) spec: &'s Spec,
    pub(crate) report: Report<'s>,
    pub(crate) names: NameIndex<'s>,
    pub(crate) nuser: UserSizes,
    /// Accumulated poses of `<frame>` elements, by index in their arena.
    pub(crate) frames: Vec<Pose>,
    /// Named bodies that were fused with their parents.
    pub(crate) fused: Vec<FusedBody>,
    pub(crate) bodies: Vec<BodyDraft<'s>>,
    pub(crate) joints: Vec<JointDraft<'s>>,
    pub(crate) geoms: Vec<GeomDraft<'s>>,
    pub(crate) sites: Vec<SiteDraft<'s>>,
    pub(crate) cameras: Vec<CameraDraft<'s>>,
    pub(crate) lights: Vec<LightDraft<'s>>,
    pub(crate) meshes: Vec<MeshDraft<'s>>,
    pub(crate) flexes: Vec<FlexDraft<'s>>,
    pub(crate) skins: Vec<SkinDraft<'s>>,
    pub(crate) hfields: Vec<HFieldDraft<'s>>,
    pub(crate) textures: Vec<TextureDraft<'s>>,
    pub(crate) materials: Vec<MaterialDraft<'s>>,
    pub(crate) pairs: Vec<PairDraft<'s>>,
    pub(crate) excludes: Vec<ExcludeDraft<'s>>,
    pub(crate) equalities: Vec<EqualityDraft<'s>>,
    pub(crate) tendons: Vec<TendonDraft<'s>>,
    pub(crate) actuators: Vec<ActuatorDraft<'s>>,
    pub(crate) sensors: Vec<SensorDraft<'s>>,
    pub(crate) numerics: Vec<NumericDraft<'s>>,
    pub(crate) texts: Vec<&'s Text>,
    pub(crate) tuples: Vec<TupleDraft<'s>>,
    pub(crate) keys: Vec<Key>,
    pub(crate) plugins: PluginDrafts<'s>,
    /// Final numbers of geoms and meshes; `None` for those that are dropped.
    pub(crate) geom_numbers: Vec<Option<usize>>,
    pub(crate) mesh_numbers: Vec<Option<usize>>,
    /// Box nodes that the reference allocates but does not use when it fuses bodies.
    pub(crate) extra_bvh_nodes: i64,
}

impl<'s> Draft<'s> {
    pub(crate) fn new(spec: &'s Spec) -> Self {
        Self {
            spec,
            report: Report::new(&spec.sources),
            names: NameIndex::default(),
            nuser: UserSizes::of(spec),
            frames: Vec::new(),
            bodies: Vec::with_capacity(spec.bodies.len()),
            fused: Vec::new(),
            joints: Vec::with_capacity(spec.joints.len()),
            geoms: Vec::with_capacity(spec.geoms.len()),
            sites: Vec::with_capacity(spec.sites.len()),
            cameras: Vec::new(),
            lights: Vec::new(),
            meshes: Vec::new(),
            flexes: Vec::new(),
            skins: Vec::new(),
            hfields: Vec::new(),
            textures: Vec::new(),
            materials: Vec::new(),
            pairs: Vec::new(),
            excludes: Vec::new(),
            equalities: Vec::new(),
            tendons: Vec::new(),
            actuators: Vec::new(),
            sensors: Vec::new(),
            numerics: Vec::new(),
            texts: Vec::new(),
            tuples: Vec::new(),
            keys: Vec::new(),
            plugins: PluginDrafts::default(),
            geom_numbers: Vec::new(),
            mesh_numbers: Vec::new(),
            extra_bvh_nodes: 0,
        }
    }

    /// Elements that only serve visualization are to be dropped.
    pub(crate) fn drops_visuals(&self) -> bool {
        self.spec.compiler().discardvisual
    }

    /// Whether no joint moves a body.
    pub(crate) fn is_fixed(&self, body: usize) -> bool {
        self.bodies[self.bodies[body].weld].joints.is_empty()
    }

    /// Pose of a frame in its body, enclosing frames included.
    pub(crate) fn frame_pose(&self, frame: FrameId) -> Pose {
        self.frames.get(frame.index()).copied().unwrap_or(Pose::IDENTITY)
    }

    /// The element with this name, if a name is given; a name that nothing has is reported.
    pub(crate) fn find_optional<E: Element>(
        &mut self,
        element: &E,
        kind: ObjType,
        name: &str,
    ) -> Option<usize> {
        if name.is_empty() { None } else { self.find_required(element, kind, name) }
    }

    /// The element with this name; its absence is reported.
    pub(crate) fn find_required<E: Element>(
        &mut self,
        element: &E,
        kind: ObjType,
        name: &str,
    ) -> Option<usize> {
        let found = self.names.find(kind, name);
        if found.is_none() {
            self.report.unknown_name(element, &self.names, kind, name);
        }
        found
    }

    /// Number of a geom in the model, unless it is dropped.
    pub(crate) fn geom_id(&self, geom: usize) -> Option<usize> {
        self.geom_numbers.get(geom).copied().flatten()
    }

    /// Number of a mesh in the model, -1 when it is dropped.
    pub(crate) fn mesh_id(&self, mesh: usize) -> i32 {
        self.mesh_numbers.get(mesh).copied().flatten().map_or(-1, |id| id as i32)
    }

    /// Number in the model of an object found by name; -1 for none.
    pub(crate) fn object_id(&self, kind: ObjType, object: Option<usize>) -> i32 {
        let Some(object) = object else { return -1 };
        let id_or_none = |id: Option<usize>| id.map_or(-1, |id| id as i32);
        match kind {
            ObjType::Geom => id_or_none(self.geom_id(object)),
            ObjType::Mesh => self.mesh_id(object),
            // pairs and excludes are sorted after names are looked up
            ObjType::Pair => {
                let wanted = self.spec.pairs.values().nth(object);
                id_or_none(
                    self.pairs.iter().position(|pair| wanted.is_some_and(|src| std::ptr::eq(src, pair.src))),
                )
            }
            ObjType::Exclude => {
                let wanted = self.spec.excludes.values().nth(object);
                id_or_none(
                    self.excludes.iter().position(|e| wanted.is_some_and(|src| std::ptr::eq(src, e.src))),
                )
            }
            _ => object as i32,
        }
    }
}
