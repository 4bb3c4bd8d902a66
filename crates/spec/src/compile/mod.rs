//! The compiler: from an editable [`Spec`] to an immutable [`Model`].
//!
//! [`Spec::compile`] reads like the table of contents. Each stage resolves one kind of element into a draft
//! (names into numbers, angles into radians, frames into poses), and reports what is wrong instead of
//! stopping; when all stages have passed, the sizes are known, the arrays are allocated once and every stage
//! writes its own.

mod actuator;
mod arena_size;
mod assets;
mod bodies;
mod checks;
mod custom;
mod discard;
mod draft;
mod elements;
mod equality;
mod finish;
mod flex;
mod frame_poses;
mod frames;
mod fuse;
mod geoms;
mod inertia;
mod joints;
mod keyframe;
mod level_refusals;
mod limits;
mod max_length;
mod mesh_arrays;
mod name_index;
mod names;
mod pairs;
mod parallel;
mod plugin;
mod plugin_draft;
mod report;
mod sensor;
mod shapes;
mod sites_cameras_lights;
mod sizes;
mod skin;
mod sparsity;
mod tendon;
mod transmission;
mod tree;
mod userdata;

use kinetree_model::enums::ObjType;
use kinetree_model::{Model, checkpoint, claim};

use crate::assets::cache::AssetCache;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::spec::Spec;
use crate::vfs::Vfs;
pub(crate) use assets::read_file;
use draft::Draft;
pub(crate) use frames::{resolve_orientation, rotate};
pub(crate) use limits::is_limited;
pub(crate) use userdata::UserSizes;

impl Spec {
    /// Compiles the description, reading asset files from the disk.
    ///
    /// # Errors
    /// All findings that keep the model from being built.
    pub fn compile(&self) -> Result<Model, Diagnostics> {
        self.compile_with(None)
    }

    /// Compiles the description; virtual files come before the disk.
    ///
    /// # Errors
    /// All findings that keep the model from being built.
    pub fn compile_with(&self, vfs: Option<&Vfs>) -> Result<Model, Diagnostics> {
        self.compile_cached(vfs, AssetCache::global())
    }

    /// Compiles the description; assets that are in the cache are not processed again.
    ///
    /// # Errors
    /// All findings that keep the model from being built.
    pub fn compile_cached(&self, vfs: Option<&Vfs>, cache: &AssetCache) -> Result<Model, Diagnostics> {
        if let Err(lack) = claim("the compilation", self.bytes_to_compile()) {
            return Err(Diagnostic::error(lack.to_string()).into());
        }
        let mut draft = Draft::new(self);
        level_refusals::check_description(&mut draft);
        checks::not_numbers(&mut draft);
        checks::world(&mut draft);
        checkpoint();
        tree::collect(self, &mut draft);
        checkpoint();
        assets::collect(self, &mut draft);
        match keyframe::collect(self) {
            Ok(keys) => draft.keys = keys,
            Err(message) => draft.report.error_global(message),
        }
        checkpoint();
        checks::names(&mut draft);
        checkpoint();
        index_names(&mut draft);
        plugin::collect(&mut draft);
        stop_on_errors(&mut draft)?;

        link_assets(&mut draft);
        checkpoint();
        assets::mark_needs(&mut draft);
        assets::compile(&mut draft, assets::Sources { vfs, cache });
        frame_poses::compile(&mut draft);
        stop_on_errors(&mut draft)?;

        bodies::compile(&mut draft);
        if self.compiler().fusestatic && !draft.report.has_errors() {
            fuse::fuse_static(&mut draft);
        }
        flex::compile(&mut draft);
        skin::compile(&mut draft, vfs);
        pairs::compile(&mut draft);
        equality::compile(&mut draft);
        tendon::compile(&mut draft);
        actuator::compile(&mut draft);
        sensor::compile(&mut draft);
        custom::compile(&mut draft);
        tree::check_free_joints(&mut draft);
        inertia::check_moving_bodies(&mut draft);
        stop_on_errors(&mut draft)?;

        discard::number_geoms_and_meshes(&mut draft);
        checkpoint();
        let mut model = write_model(&mut draft);
        stop_on_errors(&mut draft)?;
        level_refusals::check_compiled(&mut draft, &model);
        stop_on_errors(&mut draft)?;
        finish::finish(&mut draft, &mut model);
        level_refusals::check_constants(&mut draft, &model);
        stop_on_errors(&mut draft)?;
        Ok(model)
    }
}

/// What an element takes while it is compiled, besides its entries in the model.
const BYTES_PER_ELEMENT: usize = 1024;

impl Spec {
    /// About how much memory compilation takes besides that of the model.
    fn bytes_to_compile(&self) -> usize {
        let tree = self.bodies.len() + self.frames.len() + self.joints.len() + self.geoms.len();
        let rest = self.sites.len() + self.tendons.len() + self.actuators.len() + self.sensors.len();
        (tree + rest).saturating_mul(BYTES_PER_ELEMENT)
    }
}

/// Enters the names of all elements outside the tree.
fn index_names<'s>(draft: &mut Draft<'s>) {
    let spec: &'s Spec = draft.spec;
    let asset_names = |list: Vec<(&'s str, &'s str)>| -> Vec<&'s str> {
        use crate::vfs::{strip_extension, strip_path};
        list.into_iter()
            .map(|(name, file)| if name.is_empty() { strip_extension(strip_path(file)) } else { name })
            .collect()
    };
    let meshes = asset_names(spec.meshes.values().map(|e| (e.name.as_str(), e.file.as_str())).collect());
    let skins = asset_names(spec.skins.values().map(|e| (e.name.as_str(), e.file.as_str())).collect());
    let hfields = asset_names(spec.hfields.values().map(|e| (e.name.as_str(), e.file.as_str())).collect());
    let textures =
        asset_names(draft.textures.iter().map(|e| (e.src.name.as_str(), e.src.file.as_str())).collect());
    let names = &mut draft.names;
    names.set(ObjType::Mesh, meshes.into_iter());
    names.set(ObjType::Skin, skins.into_iter());
    names.set(ObjType::Hfield, hfields.into_iter());
    names.set(ObjType::Texture, textures.into_iter());
    names.set(ObjType::Flex, spec.flexes.values().map(|e| e.name.as_str()));
    names.set(ObjType::Material, draft.materials.iter().map(|e| e.src.name.as_str()));
    names.set(ObjType::Pair, spec.pairs.values().map(|e| e.name.as_str()));
    names.set(ObjType::Exclude, spec.excludes.values().map(|e| e.name.as_str()));
    names.set(ObjType::Equality, spec.equalities.values().map(|e| e.name.as_str()));
    names.set(ObjType::Tendon, spec.tendons.values().map(|e| e.name.as_str()));
    names.set(ObjType::Actuator, spec.actuators.values().map(|e| e.name.as_str()));
    names.set(ObjType::Sensor, spec.sensors.values().map(|e| e.name.as_str()));
    names.set(ObjType::Numeric, spec.numerics.values().map(|e| e.name.as_str()));
    names.set(ObjType::Text, spec.texts.values().map(|e| e.name.as_str()));
    names.set(ObjType::Tuple, spec.tuples.values().map(|e| e.name.as_str()));
    names.set(ObjType::Key, spec.keys.values().map(|e| e.name.as_str()));
}

/// Replaces names of assets by their numbers.
fn link_assets(draft: &mut Draft<'_>) {
    geoms::link_assets(draft);
    sites_cameras_lights::link_site_materials(draft);
    assets::link_materials(draft);
}

/// Hands the findings over when there are any.
fn stop_on_errors(draft: &mut Draft<'_>) -> Result<(), Diagnostics> {
    checkpoint();
    if draft.report.has_errors() { Err(draft.report.take()) } else { Ok(()) }
}

/// Allocates the model and fills every array.
fn write_model(draft: &mut Draft<'_>) -> Model {
    let sizes = sizes::count(draft);
    if let Err(message) = sizes::check(&sizes) {
        draft.report.error_global(message);
        return Model::default();
    }
    checkpoint();
    let mut model = Model::with_sizes(sizes);
    checkpoint();
    model.set_reference(draft.spec.reference);
    model.opt = draft.spec.option.clone();
    model.vis = draft.spec.visual.clone();
    names::write(draft, &mut model);
    checkpoint();
    tree::write_bodies(draft, &mut model);
    joints::write(draft, &mut model);
    geoms::write(draft, &mut model);
    checkpoint();
    sites_cameras_lights::write(draft, &mut model);
    tree::write_trees(draft, &mut model);
    checkpoint();
    let body_nodes = tree::write_body_bvh(draft, &mut model);
    let static_nodes = mesh_arrays::write(draft, &mut model, body_nodes);
    flex::write(draft, &mut model, static_nodes);
    checkpoint();
    assets::write(draft, &mut model);
    skin::write(draft, &mut model);
    pairs::write(draft, &mut model);
    equality::write(draft, &mut model);
    tendon::write(draft, &mut model);
    let history = actuator::write(draft, &mut model);
    sensor::write(draft, &mut model, history);
    custom::write(draft, &mut model);
    keyframe::write(draft, &mut model);
    plugin::write(draft, &mut model);
    if plugin::size_by_model(draft, &mut model) {
        sensor::write(draft, &mut model, history);
    }
    tree::write_simple_dofs(&mut model);
    checkpoint();
    sparsity::write(&mut model);
    checkpoint();
    transmission::count_moments(&mut model);
    if draft.spec.compiler().settotalmass > 0.0 {
        inertia::set_total_mass(&mut model, draft.spec.compiler().settotalmass);
    }
    arena_size::set(draft.spec, &mut model);
    model
}
