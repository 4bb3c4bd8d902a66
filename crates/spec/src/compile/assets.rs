//! Assets: loading and compiling meshes, height fields and textures, and their model arrays.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use kinetree_collide::bvh::{BvhLeaf, BvhTree};
use kinetree_model::Model;
use kinetree_model::enums::{GeomType, ObjType};
use kinetree_model::plugin::{Field, guard};

use super::draft::Draft;
use super::elements::{HFieldDraft, MaterialDraft, MeshDraft, TextureDraft};
use super::frames::UNIT;
use super::parallel::{parallel_map, thread_count};
use crate::assets::cache::{AssetCache, AssetKey, Fingerprint, MeshAsset};
use crate::assets::hfield::{CompiledHField, compile_hfield};
use crate::assets::mesh::{
    CompiledMesh, MeshInertia as InertiaMode, MeshSettings, MeshSource, Octree, builtin_mesh, compile_mesh,
    decode_mesh, field_mesh,
};
use crate::assets::texture::{CompiledTexture, compile_texture};
use crate::spec::{Compiler, HField, MeshBuiltin, MeshInertia, Origin, Spec, Texture, TextureBuiltin};
use crate::vfs::{self, Vfs, strip_extension, strip_path};

/// Name of an asset that may take it from its file.
pub(crate) fn asset_name(name: &str, file: &str) -> String {
    if name.is_empty() { strip_extension(strip_path(file)).to_owned() } else { name.to_owned() }
}

/// Lists assets in the order of the model, with their names.
pub(crate) fn collect<'s>(spec: &'s Spec, draft: &mut Draft<'s>) {
    let strip = spec.compiler().strippath;
    let path = |file: &str| if strip { strip_path(file).to_owned() } else { file.to_owned() };
    for src in spec.meshes.values() {
        draft.meshes.push(MeshDraft {
            src,
            name: asset_name(&src.name, &src.file),
            path: path(&src.file),
            asset: Arc::default(),
            visual: true,
            needhull: false,
            needsdf: src.needsdf,
        });
    }
    for src in spec.hfields.values() {
        let name = asset_name(&src.name, &src.file);
        draft.hfields.push(HFieldDraft { src, name, path: path(&src.file), compiled: None });
    }
    if draft.drops_visuals() {
        return;
    }
    for src in spec.textures.values() {
        let name = asset_name(&src.name, &src.file);
        draft.textures.push(TextureDraft { src, name, path: path(&src.file), compiled: None });
    }
    for src in spec.materials.values() {
        draft.materials.push(MaterialDraft { src, textures: [None; 10] });
    }
}

/// Links materials to their textures by name.
pub(crate) fn link_materials(draft: &mut Draft<'_>) {
    for m in 0..draft.materials.len() {
        let src = draft.materials[m].src;
        for role in 0..src.textures.len() {
            draft.materials[m].textures[role] =
                draft.find_optional(src, ObjType::Texture, &src.textures[role]);
        }
    }
}

/// The bytes of an asset file: the name within the asset folder, that within the folder of the model.
pub(crate) fn read_file<'v>(
    file: &str,
    folder: &str,
    compiler: &Compiler,
    vfs: Option<&'v Vfs>,
) -> Result<Cow<'v, [u8]>, String> {
    let within = vfs::combine(folder, file);
    let full = vfs::combine(&compiler.modelfiledir, &within);
    vfs::read(&full, vfs).map_err(|error| error.to_string())
}

/// Marks the meshes whose convex hull collision or inertia needs, and those that are distance fields.
pub(crate) fn mark_needs(draft: &mut Draft<'_>) {
    let in_pair: std::collections::HashSet<&str> = draft
        .spec
        .pairs
        .values()
        .flat_map(|pair| [pair.geomname1.as_str(), pair.geomname2.as_str()])
        .collect();
    for geom in &draft.geoms {
        let src = geom.src;
        let (Some(mesh), GeomType::Mesh | GeomType::Sdf) = (geom.mesh, src.r#type) else { continue };
        draft.meshes[mesh].needsdf |= src.r#type == GeomType::Sdf;
        let collides = src.contype != 0 || src.conaffinity != 0;
        let paired = !src.name.is_empty() && in_pair.contains(src.name.as_str());
        if collides || paired || draft.meshes[mesh].src.inertia == MeshInertia::Convex {
            draft.meshes[mesh].needhull = true;
        }
    }
}

/// An asset after compilation.
enum Loaded {
    Mesh(Arc<MeshAsset>),
    Texture(Arc<CompiledTexture>),
    HField(Arc<CompiledHField>),
}

/// Where assets come from.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'v> {
    pub(crate) vfs: Option<&'v Vfs>,
    pub(crate) cache: &'v AssetCache,
}

/// Compiles all meshes, textures and height fields, on all cores when the model allows it.
pub(crate) fn compile(draft: &mut Draft<'_>, from: Sources<'_>) {
    let spec = draft.spec;
    let (nmesh, ntex) = (draft.meshes.len(), draft.textures.len());
    let count = nmesh + ntex + draft.hfields.len();
    let threads = thread_count(spec.compiler());
    let shared = &*draft;
    let results = parallel_map(count, threads, |i| {
        if i < nmesh {
            let field = shared.plugins.mesh_field(i);
            load_mesh(spec, &shared.meshes[i], field, from).map(Loaded::Mesh)
        } else if i < nmesh + ntex {
            load_texture(spec, shared.textures[i - nmesh].src, from).map(Loaded::Texture)
        } else {
            load_hfield(spec, shared.hfields[i - nmesh - ntex].src, from).map(Loaded::HField)
        }
    });
    for (i, result) in results.into_iter().enumerate() {
        match result {
            Ok(Loaded::Mesh(asset)) => draft.meshes[i].asset = asset,
            Ok(Loaded::Texture(texture)) => draft.textures[i - nmesh].compiled = Some(texture),
            Ok(Loaded::HField(hfield)) => draft.hfields[i - nmesh - ntex].compiled = Some(hfield),
            Err(message) if i < nmesh => draft.report.error(draft.meshes[i].src, message),
            Err(message) if i < nmesh + ntex => draft.report.error(draft.textures[i - nmesh].src, message),
            Err(message) => draft.report.error(draft.hfields[i - nmesh - ntex].src, message),
        }
    }
}

/// The bytes of a file that an asset names, within one of the asset folders.
fn read_asset<'v>(
    spec: &Spec,
    origin: &Origin,
    folder: impl Fn(&Compiler) -> &str,
    file: &str,
    vfs: Option<&'v Vfs>,
) -> Result<Cow<'v, [u8]>, String> {
    let compiler = spec.compiler_of(origin);
    let file = if spec.compiler().strippath { strip_path(file) } else { file };
    read_file(file, folder(compiler), compiler, vfs)
}

fn extension(file: &str) -> String {
    file.rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase()
}

fn load_texture(spec: &Spec, src: &Texture, from: Sources<'_>) -> Result<Arc<CompiledTexture>, String> {
    let read = |file: &str| read_asset(spec, &src.origin, |compiler| &compiler.texturedir, file, from.vfs);
    let compile = |files: &HashMap<&str, Cow<'_, [u8]>>| {
        compile_texture(src, |file| match files.get(file) {
            Some(bytes) => Ok(Cow::Borrowed(&**bytes)),
            None => read(file),
        })
        .map_err(|error| error.to_string())
    };
    let names: Vec<&str> = std::iter::once(&src.file).chain(&src.cubefiles).map(String::as_str).collect();
    let generated = !src.data.is_empty() || src.builtin != TextureBuiltin::None;
    if generated || names.iter().all(|name| name.is_empty()) {
        return compile(&HashMap::new()).map(Arc::new);
    }
    let mut content = Fingerprint::default();
    let mut files = HashMap::new();
    let mut kinds = String::new();
    for name in names {
        if !name.is_empty() {
            // an unreadable file that is not needed is no fault; one that is needed is reported by the
            // compilation
            let Ok(bytes) = read(name) else { continue };
            content.bytes(&bytes);
            files.insert(name, bytes);
        }
        kinds += &format!(" {}", extension(name));
    }
    let settings = format!(
        "texture{kinds} {} {:?} {:?} {:?} {:?} {} {} {} {} {}",
        src.content_type,
        src.r#type,
        src.colorspace,
        src.gridsize,
        src.gridlayout,
        src.hflip,
        src.vflip,
        src.nchannel,
        src.width,
        src.height
    );
    from.cache.texture(AssetKey::new(&content, settings), || compile(&files))
}

fn load_hfield(spec: &Spec, src: &HField, from: Sources<'_>) -> Result<Arc<CompiledHField>, String> {
    let read = |file: &str| read_asset(spec, &src.origin, |compiler| &compiler.meshdir, file, from.vfs);
    if src.file.is_empty() || !src.userdata.is_empty() {
        return compile_hfield(src, read).map(Arc::new).map_err(|error| error.to_string());
    }
    let bytes = read(&src.file);
    let content = Fingerprint::of(bytes.as_deref().unwrap_or_default());
    // the size is not part of the elevations, but it may be a fault
    let settings = format!("hfield {} {} {:?}", extension(&src.file), src.content_type, src.size);
    from.cache.hfield(AssetKey::new(&content, settings), || {
        compile_hfield(src, |_| bytes.as_deref().map(Cow::Borrowed).map_err(String::clone))
            .map_err(|error| error.to_string())
    })
}

fn load_mesh(
    spec: &Spec,
    mesh: &MeshDraft<'_>,
    field: Option<Result<Field, String>>,
    from: Sources<'_>,
) -> Result<Arc<MeshAsset>, String> {
    let src = mesh.src;
    let settings = |inertia| MeshSettings {
        scale: src.scale,
        refpos: src.refpos,
        refquat: src.refquat,
        inertia,
        smoothnormal: src.smoothnormal,
        maxhullvert: u32::try_from(src.maxhullvert).ok(),
        needhull: mesh.needhull,
        // the surface of a plugin's field needs no octree
        needsdf: mesh.needsdf && field.is_none(),
        reference: spec.reference(),
    };
    let inertia = match src.inertia {
        MeshInertia::Convex => InertiaMode::Convex,
        MeshInertia::Exact => InertiaMode::Exact,
        MeshInertia::Legacy => InertiaMode::Legacy,
        MeshInertia::Shell => InertiaMode::Shell,
    };
    let process = |source: &MeshSource, settings: &MeshSettings| -> Result<MeshAsset, String> {
        let compiled = compile_mesh(source, settings).map_err(|error| error.to_string())?;
        let tree = face_tree(&compiled);
        let octree = match &compiled.exact_vert[..] {
            [] => Octree::default(),
            vert => Octree::build(vert, &compiled.face, &compiled.aamm, &tree),
        };
        Ok(MeshAsset { mesh: compiled, tree, octree })
    };
    let mut content = Fingerprint::default();
    if src.builtin != MeshBuiltin::None {
        let made = builtin_mesh(src.builtin, &src.params).map_err(|error| error.to_string())?;
        let settings = settings(made.inertia.unwrap_or(inertia));
        content.mesh(&made.source);
        let key = AssetKey::mesh(&content, &format!("{:?}", src.builtin), &settings);
        return from.cache.mesh(key, || process(&made.source, &settings));
    }
    let inline = MeshSource::from(src);
    let settings = settings(inertia);
    content.mesh(&inline);
    if let (true, true, Some(field)) = (mesh.path.is_empty(), inline.vert.is_empty(), field) {
        if src.scale != [1.0; 3] {
            return Err("the surface of a plugin's field cannot have a 'scale'".into());
        }
        let field = field?;
        let surface = guard(|| field_mesh(&*field.distance, &field.aabb))?;
        content.mesh(&surface);
        return from
            .cache
            .mesh(AssetKey::mesh(&content, "field", &settings), || process(&surface, &settings));
    }
    if mesh.path.is_empty() {
        return from.cache.mesh(AssetKey::mesh(&content, "", &settings), || process(&inline, &settings));
    }
    let bytes = read_asset(spec, &src.origin, |compiler| &compiler.meshdir, &src.file, from.vfs)?;
    let complete = |decoded: MeshSource| decoded.with_inline(inline).map_err(|error| error.to_string());
    if let Some(decoded) = from.vfs.and_then(|vfs| vfs.decode_mesh(&mesh.path, &src.content_type, &bytes)) {
        // two programs may read the same bytes differently: what counts is what they make of them
        let decoded = complete(decoded?)?;
        content.mesh(&decoded);
        return from.cache.mesh(AssetKey::mesh(&content, "decoded", &settings), || {
            process(&decoded, &settings).map_err(|error| format!("file '{}': {error}", mesh.path))
        });
    }
    content.bytes(&bytes);
    let kind = format!("file {} {}", extension(&mesh.path), src.content_type);
    from.cache.mesh(AssetKey::mesh(&content, &kind, &settings), || {
        let decoded = decode_mesh(&bytes, &mesh.path, &src.content_type)
            .map_err(|e| format!("file '{}': {e}", mesh.path))?;
        process(&complete(decoded)?, &settings)
    })
}

/// Boxes around the triangles of a mesh.
fn face_tree(mesh: &CompiledMesh) -> BvhTree {
    let leaves: Vec<BvhLeaf> = mesh
        .face_center
        .iter()
        .zip(&mesh.face_aabb)
        .enumerate()
        .map(|(id, (&pos, &aabb))| BvhLeaf { id: id as i32, pos, quat: None, aabb })
        .collect();
    BvhTree::build(&leaves, &[0.0; 3], &UNIT)
}

/// Fills the arrays of materials, textures and height fields.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    for (i, material) in draft.materials.iter().enumerate() {
        let src = material.src;
        model.mat_texid[i] = material.textures.map(|texture| texture.map_or(-1, |id| id as i32));
        model.mat_texuniform[i] = u8::from(src.texuniform);
        model.mat_texrepeat[i] = src.texrepeat;
        model.mat_emission[i] = src.emission;
        model.mat_specular[i] = src.specular;
        model.mat_shininess[i] = src.shininess;
        model.mat_reflectance[i] = src.reflectance;
        model.mat_metallic[i] = src.metallic;
        model.mat_roughness[i] = src.roughness;
        model.mat_rgba[i] = src.rgba;
    }
    let mut adr = 0;
    for (i, hfield) in draft.hfields.iter().enumerate() {
        let data = hfield.data();
        model.hfield_size[i] = hfield.src.size;
        if let Some(compiled) = &hfield.compiled {
            model.hfield_nrow[i] = compiled.nrow;
            model.hfield_ncol[i] = compiled.ncol;
        }
        model.hfield_adr[i] = adr as i32;
        model.hfield_data[adr..adr + data.len()].copy_from_slice(data);
        adr += data.len();
    }
    adr = 0;
    for (i, texture) in draft.textures.iter().enumerate() {
        let data = texture.data();
        model.tex_type[i] = texture.src.r#type as i32;
        if let Some(compiled) = &texture.compiled {
            model.tex_colorspace[i] = compiled.colorspace as i32;
            model.tex_height[i] = compiled.height;
            model.tex_width[i] = compiled.width;
            model.tex_nchannel[i] = compiled.nchannel;
        }
        model.tex_adr[i] = adr as i64;
        model.tex_data[adr..adr + data.len()].copy_from_slice(data);
        adr += data.len();
    }
}
