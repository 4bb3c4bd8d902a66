//! Assets: loading and compiling meshes, height fields and textures, and their model arrays.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use kinetree_collide::bvh::{BvhLeaf, BvhTree};
use kinetree_model::Model;
use kinetree_model::enums::{GeomType, ObjType};

use super::draft::Draft;
use super::frames::UNIT;
use crate::assets::mesh::{
    CompiledMesh, MeshInertia as InertiaMode, MeshSettings, MeshSource, compile_mesh, decode_mesh,
};
use crate::spec::{Compiler, HField, Material, Mesh, MeshInertia, Spec, Texture};
use crate::vfs::{self, Vfs, strip_extension, strip_path};

/// A mesh with its arrays.
#[derive(Debug)]
pub(crate) struct MeshDraft<'s> {
    pub(crate) src: &'s Mesh,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) compiled: CompiledMesh,
    pub(crate) bvh: BvhTree,
    /// No geom or sensor needs the mesh for anything but display.
    pub(crate) visual: bool,
    needhull: bool,
}

/// A height field with its elevations.
#[derive(Debug)]
pub(crate) struct HFieldDraft<'s> {
    pub(crate) src: &'s HField,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) nrow: usize,
    pub(crate) ncol: usize,
    pub(crate) data: Vec<f32>,
}

/// A texture with its pixels.
#[derive(Debug)]
pub(crate) struct TextureDraft<'s> {
    pub(crate) src: &'s Texture,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) data: Vec<u8>,
}

/// A material with its textures.
#[derive(Debug)]
pub(crate) struct MaterialDraft<'s> {
    pub(crate) src: &'s Material,
    textures: [Option<usize>; 10],
}

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
            compiled: CompiledMesh::default(),
            bvh: BvhTree::default(),
            visual: true,
            needhull: false,
        });
    }
    for src in spec.hfields.values() {
        let name = asset_name(&src.name, &src.file);
        draft.hfields.push(HFieldDraft {
            src,
            name,
            path: path(&src.file),
            nrow: 0,
            ncol: 0,
            data: Vec::new(),
        });
    }
    if draft.drops_visuals() {
        return;
    }
    for src in spec.textures.values() {
        let name = asset_name(&src.name, &src.file);
        draft.textures.push(TextureDraft { src, name, path: path(&src.file), data: Vec::new() });
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

/// Marks the meshes whose convex hull collision or inertia needs.
pub(crate) fn mark_hulls(draft: &mut Draft<'_>) {
    let in_pair: std::collections::HashSet<&str> = draft
        .spec
        .pairs
        .values()
        .flat_map(|pair| [pair.geomname1.as_str(), pair.geomname2.as_str()])
        .collect();
    for geom in &draft.geoms {
        let src = geom.src;
        let (Some(mesh), GeomType::Mesh | GeomType::Sdf) = (geom.mesh, src.r#type) else { continue };
        let collides = src.contype != 0 || src.conaffinity != 0;
        let paired = !src.name.is_empty() && in_pair.contains(src.name.as_str());
        if collides || paired || draft.meshes[mesh].src.inertia == MeshInertia::Convex {
            draft.meshes[mesh].needhull = true;
        }
    }
}

/// Compiles all meshes, on all cores when the model allows it.
pub(crate) fn compile_meshes(draft: &mut Draft<'_>, vfs: Option<&Vfs>) {
    let spec = draft.spec;
    let threads = if spec.compiler().usethread {
        std::thread::available_parallelism().map_or(1, usize::from).min(draft.meshes.len())
    } else {
        1
    };
    let results: Vec<Result<(CompiledMesh, BvhTree), String>> = if threads < 2 {
        draft.meshes.iter().map(|mesh| load_mesh(spec, mesh, vfs)).collect()
    } else {
        let meshes = &draft.meshes;
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(meshes.len()));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some((i, mesh)) = take_next(&next, meshes) {
                        let result = load_mesh(spec, mesh, vfs);
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(i, _)| *i);
        done.into_iter().map(|(_, result)| result).collect()
    };
    for (mesh, result) in draft.meshes.iter_mut().zip(results) {
        match result {
            Ok((compiled, bvh)) => (mesh.compiled, mesh.bvh) = (compiled, bvh),
            Err(message) => draft.report.error(mesh.src, message),
        }
    }
}

fn take_next<'m, T>(next: &AtomicUsize, list: &'m [T]) -> Option<(usize, &'m T)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    list.get(i).map(|item| (i, item))
}

fn load_mesh(
    spec: &Spec,
    mesh: &MeshDraft<'_>,
    vfs: Option<&Vfs>,
) -> Result<(CompiledMesh, BvhTree), String> {
    let src = mesh.src;
    let inline = MeshSource {
        vert: src.uservert.clone(),
        normal: src.usernormal.clone(),
        texcoord: src.usertexcoord.clone(),
        face: src.userface.clone(),
        facenormal: src.userfacenormal.clone(),
        facetexcoord: src.userfacetexcoord.clone(),
        ..MeshSource::default()
    };
    let source = if mesh.path.is_empty() {
        inline
    } else {
        let compiler = spec.compiler_of(&src.origin);
        let bytes = read_file(&mesh.path, &compiler.meshdir, compiler, vfs)?;
        let decoded = decode_mesh(&bytes, &mesh.path, &src.content_type)
            .map_err(|e| format!("file '{}': {e}", mesh.path))?;
        decoded.with_inline(inline).map_err(|error| error.to_string())?
    };
    let settings = MeshSettings {
        scale: src.scale,
        refpos: src.refpos,
        refquat: src.refquat,
        inertia: match src.inertia {
            MeshInertia::Convex => InertiaMode::Convex,
            MeshInertia::Exact => InertiaMode::Exact,
            MeshInertia::Legacy => InertiaMode::Legacy,
            MeshInertia::Shell => InertiaMode::Shell,
        },
        smoothnormal: src.smoothnormal,
        maxhullvert: u32::try_from(src.maxhullvert).ok(),
        needhull: mesh.needhull,
    };
    let compiled = compile_mesh(&source, &settings).map_err(|error| error.to_string())?;
    let bvh = face_tree(&compiled);
    Ok((compiled, bvh))
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
        model.hfield_size[i] = hfield.src.size;
        model.hfield_nrow[i] = hfield.nrow as i32;
        model.hfield_ncol[i] = hfield.ncol as i32;
        model.hfield_adr[i] = adr as i32;
        model.hfield_data[adr..adr + hfield.data.len()].copy_from_slice(&hfield.data);
        adr += hfield.data.len();
    }
    adr = 0;
    for (i, texture) in draft.textures.iter().enumerate() {
        model.tex_type[i] = texture.src.r#type as i32;
        model.tex_adr[i] = adr as i64;
        model.tex_data[adr..adr + texture.data.len()].copy_from_slice(&texture.data);
        adr += texture.data.len();
    }
}
