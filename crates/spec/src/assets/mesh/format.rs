//! Which decoder reads a mesh file.

use super::{MeshError, MeshSource, collada, msh, obj, stl};

/// A mesh file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeshFormat {
    /// Binary STL.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// Legacy binary format.
    Msh,
    /// COLLADA, which the reference does not read.
    Collada,
}

impl MeshFormat {
    /// Chooses the format from the content type (`model/stl`, `model/obj`, `model/vnd.mujoco.msh`,
    /// `model/vnd.collada+xml`, optionally followed by `;parameter=value`) or, when that is empty, from the
    /// extension of the file name.
    pub fn detect(file_name: &str, content_type: &str) -> Option<Self> {
        if !content_type.is_empty() {
            let kind = content_type.split(';').next().unwrap_or_default();
            return match kind {
                "model/stl" => Some(Self::Stl),
                "model/obj" => Some(Self::Obj),
                "model/vnd.mujoco.msh" => Some(Self::Msh),
                "model/vnd.collada+xml" => Some(Self::Collada),
                _ => None,
            };
        }
        let (_, extension) = file_name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "stl" => Some(Self::Stl),
            "obj" => Some(Self::Obj),
            "msh" => Some(Self::Msh),
            "dae" => Some(Self::Collada),
            _ => None,
        }
    }
}

/// Decodes the bytes of a mesh file. `file_name` is used only to choose the format and to report errors.
pub fn decode_mesh(bytes: &[u8], file_name: &str, content_type: &str) -> Result<MeshSource, MeshError> {
    match MeshFormat::detect(file_name, content_type) {
        Some(MeshFormat::Stl) => stl::decode(bytes),
        Some(MeshFormat::Obj) => obj::decode(bytes),
        Some(MeshFormat::Msh) => msh::decode(bytes),
        Some(MeshFormat::Collada) => collada::decode(bytes),
        None => Err(MeshError::UnknownFormat(file_name.to_owned())),
    }
}
