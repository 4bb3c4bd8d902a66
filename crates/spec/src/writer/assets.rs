//! The asset section.

use kinetree_model::enums::TextureRole;

use super::book::Book;
use super::error::WriteError;
use super::plugin::push_plugin;
use super::tag::Tag;
use crate::mjcf::assets::CUBE_FILES;
use crate::mjcf::keywords as words;
use crate::spec::{HField, Material, Mesh, MeshBuiltin, Skin, Texture};

pub(super) fn section(spec: &Book<'_>) -> Result<Tag, WriteError> {
    let mut section = Tag::new("asset");
    for texture in spec.textures.values() {
        section.push(self::texture(texture)?);
    }
    for material in spec.materials.values() {
        let mut tag = Tag::new("material");
        tag.given("name", &material.name);
        let class = spec.set_class(&mut tag, &material.origin, "main");
        self::material(&mut tag, material, &class.material);
        section.push(tag);
    }
    for mesh in spec.meshes.values() {
        section.push(self::mesh(spec, mesh)?);
    }
    spec.hfields.values().for_each(|hfield| section.push(self::hfield(hfield)));
    Ok(section)
}

/// The attributes of a mesh that default classes can set.
pub(super) fn mesh_common(tag: &mut Tag, mesh: &Mesh, class: &Mesh) {
    tag.numbers("scale", &mesh.scale, &class.scale);
    tag.number("maxhullvert", mesh.maxhullvert, class.maxhullvert);
    tag.keyword("inertia", words::MESH_INERTIA, &mesh.inertia, &class.inertia);
}

fn mesh(spec: &Book<'_>, mesh: &Mesh) -> Result<Tag, WriteError> {
    if !(mesh.userfacenormal.is_empty() && mesh.userfacetexcoord.is_empty()) {
        let cause = "normals and texture coordinates with numbers of their own cannot be written; save the mesh as a file";
        return Err(WriteError::Element { kind: "mesh", name: mesh.name.clone(), cause: cause.to_owned() });
    }
    let default = Mesh::default();
    let mut tag = Tag::new("mesh");
    tag.given("name", &mesh.name);
    let class = spec.set_class(&mut tag, &mesh.origin, "main");
    tag.given("content_type", &mesh.content_type);
    tag.given("file", &mesh.file);
    if mesh.builtin != MeshBuiltin::None {
        tag.word("builtin", words::MESH_BUILTIN, &mesh.builtin);
        tag.list("params", &mesh.params, &[]);
    } else {
        tag.list("vertex", &mesh.uservert, &[]);
        tag.list("normal", &mesh.usernormal, &[]);
        tag.list("texcoord", &mesh.usertexcoord, &[]);
        tag.list("face", &mesh.userface, &[]);
    }
    tag.numbers("refpos", &mesh.refpos, &default.refpos);
    tag.numbers("refquat", &mesh.refquat, &default.refquat);
    tag.flag("smoothnormal", mesh.smoothnormal, default.smoothnormal);
    mesh_common(&mut tag, mesh, &class.mesh);
    tag.given("material", &mesh.material);
    push_plugin(&mut tag, &mesh.plugin);
    Ok(tag)
}

fn texture(texture: &Texture) -> Result<Tag, WriteError> {
    if !texture.data.is_empty() {
        let cause = "pixels cannot be written into MJCF; save them as a PNG file and name it in 'file'";
        return Err(WriteError::Element {
            kind: "texture",
            name: texture.name.clone(),
            cause: cause.to_owned(),
        });
    }
    let default = Texture::default();
    let mut tag = Tag::new("texture");
    tag.given("name", &texture.name);
    tag.keyword("type", words::TEXTURE, &texture.r#type, &default.r#type);
    tag.keyword("colorspace", words::COLOR_SPACE, &texture.colorspace, &default.colorspace);
    tag.given("content_type", &texture.content_type);
    tag.given("file", &texture.file);
    tag.numbers("gridsize", &texture.gridsize, &default.gridsize);
    let cells = texture.gridsize.iter().map(|&n| usize::try_from(n).unwrap_or(0)).product::<usize>();
    if let Some(layout) = texture.gridlayout.get(..cells).filter(|layout| layout.iter().any(|&c| c != b'.')) {
        tag.set("gridlayout", String::from_utf8_lossy(layout));
    }
    for (name, file) in CUBE_FILES.into_iter().zip(&texture.cubefiles) {
        tag.given(name, file);
    }
    tag.keyword("builtin", words::BUILTIN, &texture.builtin, &default.builtin);
    tag.numbers("rgb1", &texture.rgb1, &default.rgb1);
    tag.numbers("rgb2", &texture.rgb2, &default.rgb2);
    tag.keyword("mark", words::MARK, &texture.mark, &default.mark);
    tag.numbers("markrgb", &texture.markrgb, &default.markrgb);
    tag.number("random", texture.random, default.random);
    tag.number("width", texture.width, default.width);
    tag.number("height", texture.height, default.height);
    tag.number("nchannel", texture.nchannel, default.nchannel);
    tag.flag("hflip", texture.hflip, default.hflip);
    tag.flag("vflip", texture.vflip, default.vflip);
    Ok(tag)
}

pub(super) fn material(tag: &mut Tag, material: &Material, class: &Material) {
    if material.textures != class.textures {
        let used: Vec<_> = words::TEXTURE_ROLE
            .iter()
            .filter(|(_, role)| !material.textures[*role as usize].is_empty())
            .collect();
        match used[..] {
            // a texture of the class is taken away by an empty name
            [] => tag.set("texture", ""),
            [(_, TextureRole::Rgb)] => tag.set("texture", &material.textures[TextureRole::Rgb as usize]),
            _ => {
                for (word, role) in used {
                    let mut layer = Tag::new("layer");
                    layer.set("texture", &material.textures[*role as usize]);
                    layer.set("role", *word);
                    tag.push(layer);
                }
            }
        }
    }
    tag.flag("texuniform", material.texuniform, class.texuniform);
    tag.numbers("texrepeat", &material.texrepeat, &class.texrepeat);
    tag.number("emission", material.emission, class.emission);
    tag.number("specular", material.specular, class.specular);
    tag.number("shininess", material.shininess, class.shininess);
    tag.number("reflectance", material.reflectance, class.reflectance);
    tag.number("metallic", material.metallic, class.metallic);
    tag.number("roughness", material.roughness, class.roughness);
    tag.numbers("rgba", &material.rgba, &class.rgba);
}

fn hfield(hfield: &HField) -> Tag {
    let mut tag = Tag::new("hfield");
    tag.given("name", &hfield.name);
    tag.given("content_type", &hfield.content_type);
    let columns = usize::try_from(hfield.ncol).unwrap_or(0);
    if hfield.userdata.is_empty() || columns == 0 {
        tag.given("file", &hfield.file);
    }
    tag.number("nrow", hfield.nrow, 0);
    tag.number("ncol", hfield.ncol, 0);
    tag.numbers("size", &hfield.size, &[f64::NAN; 4]);
    if columns > 0 && hfield.userdata.iter().any(|&height| height != 0.0) {
        // the text lists the far row first, the field the near one
        let rows: Vec<f32> = hfield.userdata.chunks(columns).rev().flatten().copied().collect();
        tag.list("elevation", &rows, &[]);
    }
    tag
}

pub(super) fn skin(skin: &Skin) -> Tag {
    let default = Skin::default();
    let mut tag = Tag::new("skin");
    tag.given("name", &skin.name);
    tag.given("file", &skin.file);
    tag.given("material", &skin.material);
    tag.number("group", skin.group, default.group);
    tag.numbers("rgba", &skin.rgba, &default.rgba);
    tag.number("inflate", skin.inflate, default.inflate);
    tag.list("vertex", &skin.vert, &[]);
    tag.list("texcoord", &skin.texcoord, &[]);
    tag.list("face", &skin.face, &[]);
    for bone in &skin.bones {
        let mut child = Tag::new("bone");
        child.set("body", &bone.bodyname);
        child.numbers("bindpos", &bone.bindpos, &[f32::NAN; 3]);
        child.numbers("bindquat", &bone.bindquat, &[f32::NAN; 4]);
        child.list("vertid", &bone.vertid, &[]);
        child.list("vertweight", &bone.vertweight, &[]);
        tag.push(child);
    }
    tag
}
