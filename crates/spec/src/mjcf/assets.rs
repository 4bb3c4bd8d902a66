//! The asset section: meshes, height fields, textures, materials, skins.

use super::keywords as words;
use super::log::Log;
use super::plugin::read_plugin_child;
use super::reader::{Folder, Reader};
use crate::spec::{Bone, DefaultId, HField, Material, Mesh, MeshBuiltin, Origin, Skin, Texture};
use crate::xml::Node;

/// Largest geom group.
const MAX_GROUP: i32 = 5;

/// Attributes that name the six files of a cube, in the order of the faces.
pub(crate) const CUBE_FILES: [&str; 6] =
    ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];

impl Reader<'_> {
    /// Reads an asset section.
    pub(super) fn read_assets(&mut self, section: Node<'_>) {
        for node in section.children() {
            let class = self.class_of(node).unwrap_or(DefaultId(0));
            let origin = self.origin(node, class);
            match node.name() {
                "mesh" => {
                    let mut mesh = Mesh { origin, ..self.spec.defaults[class.0].mesh.clone() };
                    self.read_mesh(node, &mut mesh);
                    self.spec.add_mesh(mesh);
                }
                "material" => {
                    let mut material = Material { origin, ..self.spec.defaults[class.0].material.clone() };
                    read_material(&mut self.log, node, &mut material);
                    self.spec.add_material(material);
                }
                "texture" => self.read_texture(node, origin),
                "hfield" => self.read_hfield(node, origin),
                "skin" => self.read_skin(node),
                "model" => self.read_model(node),
                _ => {}
            }
        }
    }

    /// Reads a `<mesh>`, of the assets or of a default class.
    pub(super) fn read_mesh(&mut self, node: Node<'_>, mesh: &mut Mesh) {
        if let Some(file) = self.file(node, "file", Folder::Mesh) {
            mesh.file = file;
        }
        let log = &mut self.log;
        log.set_text(node, "name", &mut mesh.name);
        log.set_text(node, "content_type", &mut mesh.content_type);
        log.exact(node, "refpos", &mut mesh.refpos);
        log.exact(node, "refquat", &mut mesh.refquat);
        log.exact(node, "scale", &mut mesh.scale);
        log.keyword(node, "inertia", words::MESH_INERTIA, &mut mesh.inertia);
        read_plugin_child(log, node, &mut mesh.plugin);
        log.flag(node, "smoothnormal", &mut mesh.smoothnormal);
        if log.number(node, "maxhullvert", &mut mesh.maxhullvert)
            && mesh.maxhullvert != -1
            && mesh.maxhullvert < 4
        {
            log.error(node.pos(), "'maxhullvert' must be -1 or larger than 3");
        }
        log.set_list(node, "vertex", &mut mesh.uservert);
        log.set_list(node, "normal", &mut mesh.usernormal);
        log.set_list(node, "texcoord", &mut mesh.usertexcoord);
        log.set_list(node, "face", &mut mesh.userface);
        if log.keyword(node, "builtin", words::MESH_BUILTIN, &mut mesh.builtin) {
            log.required(node, "params");
            log.set_list(node, "params", &mut mesh.params);
            if !mesh.file.is_empty() {
                log.error(node.pos(), "a built-in mesh cannot have a file");
            }
            if !mesh.uservert.is_empty() && mesh.builtin != MeshBuiltin::None {
                log.error(node.pos(), "builtin mesh cannot be used with user vertex data");
            }
        }
        log.set_text(node, "material", &mut mesh.material);
    }

    fn read_texture(&mut self, node: Node<'_>, origin: Origin) {
        let mut texture = Texture { origin, ..Texture::default() };
        if let Some(file) = self.file(node, "file", Folder::Texture) {
            texture.file = file;
        }
        for (i, name) in CUBE_FILES.iter().enumerate() {
            texture.cubefiles[i] = self.file(node, name, Folder::Texture).unwrap_or_default();
        }
        let log = &mut self.log;
        log.keyword(node, "type", words::TEXTURE, &mut texture.r#type);
        log.keyword(node, "colorspace", words::COLOR_SPACE, &mut texture.colorspace);
        log.set_text(node, "name", &mut texture.name);
        log.set_text(node, "content_type", &mut texture.content_type);
        log.number(node, "width", &mut texture.width);
        log.number(node, "height", &mut texture.height);
        log.number(node, "nchannel", &mut texture.nchannel);
        log.exact(node, "rgb1", &mut texture.rgb1);
        log.exact(node, "rgb2", &mut texture.rgb2);
        log.exact(node, "markrgb", &mut texture.markrgb);
        log.number(node, "random", &mut texture.random);
        log.keyword(node, "builtin", words::BUILTIN, &mut texture.builtin);
        log.keyword(node, "mark", words::MARK, &mut texture.mark);
        log.flag(node, "hflip", &mut texture.hflip);
        log.flag(node, "vflip", &mut texture.vflip);
        log.exact(node, "gridsize", &mut texture.gridsize);
        if let Some(attr) = node.attr("gridlayout") {
            let layout = attr.value().as_bytes();
            if layout.len() > texture.gridlayout.len() {
                log.error(attr.value_pos(), "'gridlayout' cannot be longer than 12 characters");
            } else if layout.len() as i64 != i64::from(texture.gridsize[0]) * i64::from(texture.gridsize[1]) {
                log.error(
                    attr.value_pos(),
                    "the length of 'gridlayout' must be the number of cells in 'gridsize'",
                );
            } else {
                texture.gridlayout[..layout.len()].copy_from_slice(layout);
            }
        }
        self.spec.add_texture(texture);
    }

    fn read_hfield(&mut self, node: Node<'_>, origin: Origin) {
        let mut hfield = HField { origin, ..HField::default() };
        if let Some(file) = self.file(node, "file", Folder::Asset) {
            hfield.file = file;
        }
        let log = &mut self.log;
        log.set_text(node, "name", &mut hfield.name);
        log.set_text(node, "content_type", &mut hfield.content_type);
        log.number(node, "nrow", &mut hfield.nrow);
        log.number(node, "ncol", &mut hfield.ncol);
        log.required(node, "size");
        log.exact(node, "size", &mut hfield.size);
        if node.attr("file").is_none() && hfield.nrow > 0 && hfield.ncol > 0 {
            let (nrow, ncol) = (hfield.nrow as usize, hfield.ncol as usize);
            match log.list::<f32>(node, "elevation") {
                // the text lists the far row first, the field the near one
                Some(rows) if rows.len() == nrow * ncol => {
                    hfield.userdata = rows.chunks_exact(ncol).rev().flatten().copied().collect();
                }
                Some(rows) => {
                    log.error(
                        node.pos(),
                        format!(
                            "data length must match nrow*ncol: 'elevation' has {}, expected {}",
                            rows.len(),
                            nrow * ncol
                        ),
                    );
                }
                None if nrow.saturating_mul(ncol) > MAX_HFIELD_CELLS => {
                    log.error(node.pos(), format!("a height field of {nrow} x {ncol} cells is too large"));
                }
                None => hfield.userdata = vec![0.0; nrow * ncol],
            }
        }
        self.spec.add_hfield(hfield);
    }

    /// Reads a `<skin>`, of the assets or of the deformables.
    pub(super) fn read_skin(&mut self, node: Node<'_>) {
        let mut skin = Skin { origin: self.origin(node, DefaultId(0)), ..Skin::default() };
        if let Some(file) = self.file(node, "file", Folder::Asset) {
            skin.file = file;
        }
        let log = &mut self.log;
        log.set_text(node, "name", &mut skin.name);
        log.set_text(node, "material", &mut skin.material);
        log.number(node, "group", &mut skin.group);
        if !(0..=MAX_GROUP).contains(&skin.group) {
            log.error(node.pos(), format!("skin group must be between 0 and {MAX_GROUP}"));
        }
        log.exact(node, "rgba", &mut skin.rgba);
        log.number(node, "inflate", &mut skin.inflate);
        log.set_list(node, "vertex", &mut skin.vert);
        log.set_list(node, "texcoord", &mut skin.texcoord);
        log.set_list(node, "face", &mut skin.face);
        for child in node.children_named("bone") {
            let mut bone = Bone { bodyname: log.required_text(child, "body"), ..Bone::default() };
            for name in ["bindpos", "bindquat", "vertid", "vertweight"] {
                log.required(child, name);
            }
            log.exact(child, "bindpos", &mut bone.bindpos);
            log.exact(child, "bindquat", &mut bone.bindquat);
            log.set_list(child, "vertid", &mut bone.vertid);
            log.set_list(child, "vertweight", &mut bone.vertweight);
            skin.bones.push(bone);
        }
        self.spec.add_skin(skin);
    }
}

/// Most cells of a height field that is made of zeros.
const MAX_HFIELD_CELLS: usize = 1 << 26;

/// Reads a `<material>`, of the assets or of a default class.
pub(super) fn read_material(log: &mut Log, node: Node<'_>, material: &mut Material) {
    log.set_text(node, "name", &mut material.name);
    let single = log.text(node, "texture");
    if let Some(texture) = single {
        texture.clone_into(&mut material.textures[kinetree_model::enums::TextureRole::Rgb as usize]);
    }
    for layer in node.children_named("layer") {
        if single.is_some() {
            log.error(layer.pos(), "A material with a texture attribute cannot have layer sub-elements");
        }
        log.required(layer, "role");
        let texture = log.required_text(layer, "texture");
        if let Some(role) = log.maybe_keyword(layer, "role", words::TEXTURE_ROLE) {
            material.textures[role as usize] = texture;
        }
    }
    log.flag(node, "texuniform", &mut material.texuniform);
    log.exact(node, "texrepeat", &mut material.texrepeat);
    log.number(node, "emission", &mut material.emission);
    log.number(node, "specular", &mut material.specular);
    log.number(node, "shininess", &mut material.shininess);
    log.number(node, "reflectance", &mut material.reflectance);
    log.number(node, "metallic", &mut material.metallic);
    log.number(node, "roughness", &mut material.roughness);
    log.exact(node, "rgba", &mut material.rgba);
}
