//! The editable description of a model: what a model file says, before it is compiled into flat arrays.
//!
//! Elements live in arenas and are addressed by ids; bodies form a tree and list their children in document
//! order. References between elements (the site of a sensor, the mesh of a geom) are names, resolved when the
//! model is compiled, so a half-built description is never an error.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::{Body, Geom};
//!
//! let mut spec = Spec::new();
//! let world = spec.find_body("world").ok_or("no world")?;
//! let body = spec.add_body(world, Body { name: "ball".into(), pos: [0.0, 0.0, 1.0], ..Body::default() });
//! spec.add_geom(body, Geom { size: [0.1, 0.0, 0.0], ..Geom::default() });
//! assert_eq!(spec.compile()?.nbody, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod actuator;
pub mod arena;
pub(crate) mod attach;
mod attached_key;
pub mod body;
pub(crate) mod cable;
mod cable_bodies;
mod cable_skin;
pub mod camera;
pub mod common;
pub mod contact;
pub mod custom;
pub mod default;
mod edit;
pub mod element;
pub mod equality;
mod files;
pub mod flex;
pub(crate) mod flexcomp;
pub mod foreign;
pub mod frame;
pub mod geom;
pub mod hfield;
mod ids;
pub mod joint;
pub(crate) mod key_layout;
pub(crate) mod keys;
pub mod light;
pub mod material;
pub mod mesh;
pub(crate) mod names;
pub mod presets;
pub mod sensor;
pub mod settings;
pub mod site;
pub mod skin;
pub mod tendon;
pub mod texture;

pub use actuator::Actuator;
pub use arena::{Arena, Id};
pub use attach::Move;
pub use attached_key::AttachedKey;
pub use body::Body;
pub use camera::Camera;
pub use common::{AlignFree, Limited, Orientation, PluginRef};
pub use contact::{Exclude, Pair};
pub use custom::{Key, Numeric, Plugin, Text, Tuple, TupleEntry};
pub use default::{DefaultClass, DefaultId};
pub use element::{CompilerId, Element, Origin};
pub use equality::Equality;
pub use flex::Flex;
pub use foreign::{AttachError, AttachTarget, Attached, Part};
pub use frame::Frame;
pub use geom::{Geom, GeomInertia};
pub use hfield::HField;
pub use ids::{
    ActuatorId, BodyId, CameraId, FrameId, GeomId, HFieldId, JointId, LightId, MaterialId, MeshId, SensorId,
    SiteId, TendonId, TextureId,
};
pub use joint::Joint;
pub use light::Light;
pub use material::Material;
pub use mesh::{Mesh, MeshBuiltin, MeshInertia};
pub use sensor::Sensor;
pub use settings::{Compiler, InertiaFromGeom, LengthRangeOptions, Sizes};
pub use site::Site;
pub use skin::{Bone, Skin};
pub use tendon::{Tendon, Wrap, WrapTarget};
pub use texture::{Texture, TextureBuiltin, TextureMark};

use std::collections::HashSet;
use std::sync::Arc;

use kinetree_model::plugin::PluginRegistry;
use kinetree_model::{Opt, Reference, Statistic, Visual};

use crate::diagnostics::{Diagnostic, SourceMap, SourcePos};

/// An editable model description.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Name of the model.
    pub modelname: String,
    /// Comment at the top of the file.
    pub comment: String,
    /// The version of MuJoCo whose meaning the description has.
    pub(crate) reference: Reference,
    /// Compiler settings: those of the model itself first, then those of attached models.
    pub compilers: Vec<Compiler>,
    /// Physics options.
    pub option: Opt,
    /// Visualization options.
    pub visual: Visual,
    /// Model statistics that override the computed ones; NaN: not given.
    pub stat: Statistic,
    /// Sizes fixed by the user.
    pub size: Sizes,
    /// Default classes; the first one is the root class "main", further roots come from attached models.
    pub defaults: Vec<DefaultClass>,
    /// Bodies; the first one is the world.
    pub bodies: Arena<Body>,
    /// Frames.
    pub frames: Arena<Frame>,
    /// Joints.
    pub joints: Arena<Joint>,
    /// Geoms.
    pub geoms: Arena<Geom>,
    /// Sites.
    pub sites: Arena<Site>,
    /// Cameras.
    pub cameras: Arena<Camera>,
    /// Lights.
    pub lights: Arena<Light>,
    /// Flexes.
    pub flexes: Arena<Flex>,
    /// Meshes.
    pub meshes: Arena<Mesh>,
    /// Skins.
    pub skins: Arena<Skin>,
    /// Height fields.
    pub hfields: Arena<HField>,
    /// Textures.
    pub textures: Arena<Texture>,
    /// Materials.
    pub materials: Arena<Material>,
    /// Contact pairs.
    pub pairs: Arena<Pair>,
    /// Excluded body pairs.
    pub excludes: Arena<Exclude>,
    /// Equality constraints.
    pub equalities: Arena<Equality>,
    /// Tendons.
    pub tendons: Arena<Tendon>,
    /// Actuators.
    pub actuators: Arena<Actuator>,
    /// Sensors.
    pub sensors: Arena<Sensor>,
    /// Custom numbers.
    pub numerics: Arena<Numeric>,
    /// Custom texts.
    pub texts: Arena<Text>,
    /// Custom tuples.
    pub tuples: Arena<Tuple>,
    /// Keyframes.
    pub keys: Arena<Key>,
    /// Keyframes of attached and replicated parts; they come after the others.
    pub attached_keys: Vec<AttachedKey>,
    /// Prefixes and suffixes of what was attached so far.
    pub(crate) affixes: HashSet<(String, String)>,
    /// Plugin instances.
    pub plugins: Arena<Plugin>,
    /// Plugins that the extension section declares, with the position where it does.
    pub active_plugins: Vec<(String, SourcePos)>,
    /// The plugins that there are; those of `kinetree-plugins` unless a program sets others.
    pub registry: Arc<PluginRegistry>,
    /// Where numbers stand that are not a number.
    pub not_numbers: Vec<SourcePos>,
    /// The texts the description was read from.
    pub sources: SourceMap,
    /// Findings that did not stop the reader.
    pub warnings: Vec<Diagnostic>,
}

impl Default for Spec {
    fn default() -> Self {
        Spec::new()
    }
}

impl Spec {
    /// Declares that a plugin is used, as the extension section does.
    pub fn activate_plugin(&mut self, name: &str, pos: SourcePos) {
        if !self.active_plugins.iter().any(|(active, _)| active == name) {
            self.active_plugins.push((name.to_owned(), pos));
        }
    }

    /// An empty description: the world body, the main default class, default options.
    pub fn new() -> Self {
        Self::at(Reference::default())
    }

    /// An empty description of a reference level, with the default options of that level.
    ///
    /// ```
    /// use kinetree_model::Reference;
    /// use kinetree_spec::Spec;
    ///
    /// assert_eq!(Spec::new().option.sleep_tolerance, 1e-4);
    /// assert_eq!(Spec::at(Reference::V4_0).option.sleep_tolerance, 1e-3);
    /// ```
    pub fn at(reference: Reference) -> Self {
        let mut bodies = Arena::default();
        bodies.push(Body { name: WORLD_NAME.to_owned(), ..Body::default() });
        Spec {
            modelname: DEFAULT_MODEL_NAME.to_owned(),
            comment: String::new(),
            reference,
            compilers: vec![Compiler::default()],
            option: Opt::at(reference),
            visual: Visual::at(reference),
            stat: Statistic {
                meaninertia: f64::NAN,
                meanmass: f64::NAN,
                meansize: f64::NAN,
                extent: f64::NAN,
                center: [f64::NAN, 0.0, 0.0],
            },
            size: Sizes::default(),
            defaults: vec![DefaultClass::at(reference)],
            bodies,
            frames: Arena::default(),
            joints: Arena::default(),
            geoms: Arena::default(),
            sites: Arena::default(),
            cameras: Arena::default(),
            lights: Arena::default(),
            flexes: Arena::default(),
            meshes: Arena::default(),
            skins: Arena::default(),
            hfields: Arena::default(),
            textures: Arena::default(),
            materials: Arena::default(),
            pairs: Arena::default(),
            excludes: Arena::default(),
            equalities: Arena::default(),
            tendons: Arena::default(),
            actuators: Arena::default(),
            sensors: Arena::default(),
            numerics: Arena::default(),
            texts: Arena::default(),
            tuples: Arena::default(),
            keys: Arena::default(),
            attached_keys: Vec::new(),
            affixes: HashSet::new(),
            plugins: Arena::default(),
            active_plugins: Vec::new(),
            registry: kinetree_plugins::shared_registry(),
            not_numbers: Vec::new(),
            sources: SourceMap::default(),
            warnings: Vec::new(),
        }
    }

    /// The version of MuJoCo whose meaning the description has; it is chosen when the description is made.
    pub fn reference(&self) -> Reference {
        self.reference
    }

    /// Compiler settings of the model itself.
    pub fn compiler(&self) -> &Compiler {
        &self.compilers[0]
    }

    /// Compiler settings of the model itself, for editing.
    pub fn compiler_mut(&mut self) -> &mut Compiler {
        &mut self.compilers[0]
    }

    /// Compiler settings that apply to an element.
    pub fn compiler_of(&self, origin: &Origin) -> &Compiler {
        self.compilers.get(origin.compiler.0 as usize).unwrap_or(&self.compilers[0])
    }

    /// The world body.
    pub fn world(&self) -> BodyId {
        BodyId::new(0)
    }
}

/// Name of the world body.
pub const WORLD_NAME: &str = "world";
/// Name of a model that gives none.
pub const DEFAULT_MODEL_NAME: &str = "MuJoCo Model";
