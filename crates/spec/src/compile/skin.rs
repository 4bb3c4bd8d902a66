//! Skins: inline or from a file, with normalized weights, and their model arrays.
//!
//! The file format is four counts (vertices, texture coordinates, faces, bones), then vertices, texture
//! coordinates and faces, then for each bone a name of 40 bytes, the bind pose, a vertex count, vertex
//! numbers and weights; all little endian, four bytes per number.

use kinetree_math::MINVAL;
use kinetree_model::Model;
use kinetree_model::enums::ObjType;

use super::draft::Draft;
use super::elements::{BoneDraft, SkinDraft, Surface};
use crate::assets::linalg::normalize;
use crate::spec::{Bone, Skin};
use crate::vfs::{Vfs, strip_extension, strip_path};

/// Bytes of a bone's name in a file.
const NAME_BYTES: usize = 40;

/// Resolves all skins.
pub(crate) fn compile<'s>(draft: &mut Draft<'s>, vfs: Option<&Vfs>) {
    let spec = draft.spec;
    for src in spec.skins.values() {
        match compile_skin(draft, src, vfs) {
            Ok(skin) => draft.skins.push(skin),
            Err(message) => draft.report.error(src, message),
        }
    }
}

fn compile_skin<'s>(
    draft: &mut Draft<'s>,
    src: &'s Skin,
    vfs: Option<&Vfs>,
) -> Result<SkinDraft<'s>, String> {
    let compiler = draft.spec.compiler_of(&src.origin);
    let strip = draft.spec.compiler().strippath;
    let path = if strip { strip_path(&src.file).to_owned() } else { src.file.clone() };
    let name = match src.name.as_str() {
        "" => strip_extension(strip_path(&src.file)).to_owned(),
        name => name.to_owned(),
    };
    let (surface, bones) = if src.file.is_empty() {
        (inline_surface(src)?, src.bones.clone())
    } else {
        if !(src.vert.is_empty() && src.texcoord.is_empty() && src.face.is_empty() && src.bones.is_empty()) {
            return Err("has both inline data and a file".into());
        }
        if !path.to_lowercase().ends_with(".skn") {
            return Err(format!("unknown skin file type '{path}'"));
        }
        let bytes = super::assets::read_file(&path, &compiler.meshdir, compiler, vfs)?;
        decode(&bytes).ok_or_else(|| format!("skin file '{path}' is truncated or malformed"))?
    };
    if surface.vert.is_empty() || surface.face.is_empty() || bones.is_empty() {
        return Err("needs vertices, faces and bones".into());
    }
    if !surface.texcoord.is_empty() && surface.texcoord.len() != surface.vert.len() {
        return Err("needs one texture coordinate per vertex".into());
    }
    let count = surface.vert.len();
    let outside = |vertex: &&i32| usize::try_from(**vertex).is_err() || **vertex as usize >= count;
    if let Some(vertex) = surface.face.as_flattened().iter().find(outside) {
        return Err(format!("a face refers to vertex {vertex}, but there are {count}"));
    }
    let weights = total_weights(&bones, surface.vert.len())?;
    let material = draft.find_optional(src, ObjType::Material, &src.material);
    let bones = bones
        .into_iter()
        .filter_map(|bone| {
            let body = draft.find_required(src, ObjType::Body, &bone.bodyname)?;
            let mut quat = bone.bindquat.map(f64::from);
            normalize(&mut quat);
            let weight =
                bone.vertid.iter().zip(&bone.vertweight).map(|(&v, w)| w / weights[v as usize]).collect();
            let bindquat = quat.map(|x| x as f32);
            Some(BoneDraft { body, bindpos: bone.bindpos, bindquat, vertid: bone.vertid, weight })
        })
        .collect();
    Ok(SkinDraft { src, name, path, material, surface, bones })
}

fn inline_surface(src: &Skin) -> Result<Surface, String> {
    let (vert, rest) = src.vert.as_chunks();
    if !rest.is_empty() {
        return Err("vertex data must be a multiple of 3".into());
    }
    let (face, rest) = src.face.as_chunks();
    if !rest.is_empty() {
        return Err("face data must be a multiple of 3".into());
    }
    let (texcoord, rest) = src.texcoord.as_chunks();
    if !rest.is_empty() {
        return Err("needs one texture coordinate per vertex".into());
    }
    Ok(Surface { vert: vert.to_vec(), texcoord: texcoord.to_vec(), face: face.to_vec() })
}

/// Sum of the weights of each vertex over all bones.
fn total_weights(bones: &[Bone], nvert: usize) -> Result<Vec<f32>, String> {
    let mut total = vec![0.0f32; nvert];
    for bone in bones {
        if bone.vertid.is_empty() || bone.vertid.len() != bone.vertweight.len() {
            return Err(format!("bone '{}' needs as many weights as vertices", bone.bodyname));
        }
        for (&v, weight) in bone.vertid.iter().zip(&bone.vertweight) {
            let slot = usize::try_from(v).ok().and_then(|v| total.get_mut(v));
            *slot.ok_or_else(|| format!("vertex {v} of bone '{}' does not exist", bone.bodyname))? += weight;
        }
    }
    match total.iter().position(|w| f64::from(*w) <= MINVAL) {
        Some(v) => Err(format!("vertex {v} must have a positive total weight")),
        None => Ok(total),
    }
}

/// A reader of four-byte numbers.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn int(&mut self) -> Option<i32> {
        let (head, tail) = self.0.split_first_chunk::<4>()?;
        self.0 = tail;
        Some(i32::from_le_bytes(*head))
    }

    fn float(&mut self) -> Option<f32> {
        self.int().map(|bits| f32::from_bits(bits as u32))
    }

    fn size(&mut self) -> Option<usize> {
        // a count cannot exceed the bytes that follow it
        self.int().and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= self.0.len())
    }

    fn floats<const N: usize>(&mut self) -> Option<[f32; N]> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.float()?;
        }
        Some(values)
    }
}

/// Decodes a skin file; `None` when it is malformed.
fn decode(bytes: &[u8]) -> Option<(Surface, Vec<Bone>)> {
    let mut words = Words(bytes);
    let [nvert, ntexcoord, nface, nbone] = [words.int()?, words.int()?, words.int()?, words.int()?];
    let fits = |n: i32| usize::try_from(n).ok().filter(|n| *n <= bytes.len());
    let mut surface = Surface::default();
    for _ in 0..fits(nvert)? {
        surface.vert.push(words.floats()?);
    }
    for _ in 0..fits(ntexcoord)? {
        surface.texcoord.push(words.floats()?);
    }
    for _ in 0..fits(nface)? {
        surface.face.push([words.int()?, words.int()?, words.int()?]);
    }
    let mut bones = Vec::new();
    for _ in 0..fits(nbone)? {
        let (name, tail) = words.0.split_at_checked(NAME_BYTES)?;
        words.0 = tail;
        let end = name.iter().position(|c| *c == 0).unwrap_or(NAME_BYTES - 1);
        let bodyname = String::from_utf8_lossy(&name[..end]).into_owned();
        let (bindpos, bindquat) = (words.floats()?, words.floats()?);
        let count = words.size().filter(|n| *n > 0)?;
        let vertid = (0..count).map(|_| words.int()).collect::<Option<Vec<_>>>()?;
        let vertweight = (0..count).map(|_| words.float()).collect::<Option<Vec<_>>>()?;
        bones.push(Bone { bodyname, bindpos, bindquat, vertid, vertweight });
    }
    words.0.is_empty().then_some((surface, bones))
}

/// Fills the arrays of skins.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    let (mut vert, mut texcoord, mut face, mut bone, mut bonevert) = (0, 0, 0, 0, 0);
    for (i, skin) in draft.skins.iter().enumerate() {
        let surface = &skin.surface;
        model.skin_matid[i] = skin.material.map_or(-1, |material| material as i32);
        model.skin_group[i] = skin.src.group;
        model.skin_rgba[i] = skin.src.rgba;
        model.skin_inflate[i] = skin.src.inflate;
        model.skin_vertadr[i] = vert as i32;
        model.skin_vertnum[i] = surface.vert.len() as i32;
        model.skin_texcoordadr[i] = if surface.texcoord.is_empty() { -1 } else { texcoord as i32 };
        model.skin_faceadr[i] = face as i32;
        model.skin_facenum[i] = surface.face.len() as i32;
        model.skin_boneadr[i] = bone as i32;
        model.skin_bonenum[i] = skin.bones.len() as i32;
        model.skin_vert[vert..vert + surface.vert.len()].copy_from_slice(&surface.vert);
        model.skin_texcoord[texcoord..texcoord + surface.texcoord.len()].copy_from_slice(&surface.texcoord);
        model.skin_face[face..face + surface.face.len()].copy_from_slice(&surface.face);
        for part in &skin.bones {
            let count = part.vertid.len();
            model.skin_bonevertadr[bone] = bonevert as i32;
            model.skin_bonevertnum[bone] = count as i32;
            model.skin_bonebindpos[bone] = part.bindpos;
            model.skin_bonebindquat[bone] = part.bindquat;
            model.skin_bonebodyid[bone] = part.body as i32;
            model.skin_bonevertid[bonevert..bonevert + count].copy_from_slice(&part.vertid);
            model.skin_bonevertweight[bonevert..bonevert + count].copy_from_slice(&part.weight);
            bone += 1;
            bonevert += count;
        }
        vert += surface.vert.len();
        texcoord += surface.texcoord.len();
        face += surface.face.len();
    }
}
