//! Decoders and encoders: programs that read and write further file formats, by content type or extension.
//!
//! A decoder turns the bytes of a file into a [`Spec`]. It belongs to a [`Vfs`], which every loader is given,
//! like the providers of [`provider`](crate::provider): a mesh asset takes the first mesh of what is decoded,
//! a `<model>` asset and a loader of models take all of it. An encoder goes the other way
//! ([`encode`]).
//!
//! ```
//! use kinetree_spec::codec::{Decoder, FileFormat};
//! use kinetree_spec::{Spec, Vfs};
//! use std::sync::Arc;
//!
//! /// Reads files that hold nothing but a radius.
//! struct Ball(FileFormat);
//!
//! impl Decoder for Ball {
//!     fn format(&self) -> &FileFormat {
//!         &self.0
//!     }
//!
//!     fn decode(&self, _name: &str, bytes: &[u8], _files: Option<&Vfs>) -> Result<Spec, String> {
//!         let radius = String::from_utf8_lossy(bytes);
//!         let text = format!("<mujoco><worldbody><geom size='{}'/></worldbody></mujoco>", radius.trim());
//!         text.parse::<Spec>().map_err(|error| error.to_string())
//!     }
//! }
//!
//! let mut files = Vfs::new();
//! files.add_decoder(Arc::new(Ball(FileFormat::new("model/ball", &[".ball"]))))?;
//! files.add_buffer("small.ball", *b"0.1")?;
//! assert_eq!(kinetree_spec::load_model_with("small.ball", &files)?.ngeom, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use kinetree_model::Model;
use kinetree_model::plugin::guard;

use crate::assets::mesh::MeshSource;
use crate::nesting;
use crate::spec::{Mesh, Spec};
use crate::vfs::{Vfs, VfsError};

/// Content types and extensions that need no decoder.
const BUILT_IN: &[&str] = &[
    "model/obj",
    "model/stl",
    "model/vnd.mujoco.msh",
    "image/png",
    "image/ktx",
    "text/xml",
    ".obj",
    ".stl",
    ".msh",
    ".png",
    ".ktx",
    ".xml",
    ".mjcf",
    ".urdf",
    ".mjb",
];

/// A file format: how files say that they are of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFormat {
    /// The content type, such as `model/gltf-binary`; empty where there is none.
    pub content_type: Cow<'static, str>,
    /// The extensions, each with its dot.
    pub extensions: Vec<Cow<'static, str>>,
}

impl FileFormat {
    /// A format with texts that live as long as the program.
    #[must_use]
    pub fn new(content_type: &'static str, extensions: &[&'static str]) -> Self {
        Self {
            content_type: content_type.into(),
            extensions: extensions.iter().map(|&extension| extension.into()).collect(),
        }
    }

    /// The content type or the first extension.
    fn name(&self) -> &str {
        match &*self.content_type {
            "" => self.extensions.first().map_or("", |extension| extension),
            content_type => content_type,
        }
    }

    /// Everything that a file can say to be of this format.
    fn keys(&self) -> impl Iterator<Item = &str> {
        let content_type = Some(&*self.content_type).filter(|text| !text.is_empty());
        content_type.into_iter().chain(self.extensions.iter().map(|extension| &**extension))
    }

    /// Whether this format can be added to others.
    fn check<'f>(&self, others: impl Iterator<Item = &'f FileFormat>) -> Result<(), VfsError> {
        let extension = |text: &str| text.len() > 1 && text.starts_with('.');
        if self.keys().next().is_none() || !self.extensions.iter().all(|text| extension(text)) {
            return Err(VfsError::NoFormat(self.name().to_owned()));
        }
        let taken: Vec<&str> = others.flat_map(FileFormat::keys).chain(BUILT_IN.iter().copied()).collect();
        match self.keys().find(|key| taken.iter().any(|other| other.eq_ignore_ascii_case(key))) {
            Some(key) => Err(VfsError::RepeatedFormat(key.to_owned())),
            None => Ok(()),
        }
    }

    fn has_content_type(&self, content_type: &str) -> bool {
        // parameters behind a semicolon do not count
        let kind = content_type.split(';').next().unwrap_or_default().trim();
        !kind.is_empty() && self.content_type.eq_ignore_ascii_case(kind)
    }

    fn has_extension(&self, path: &str) -> bool {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let Some(dot) = name.rfind('.') else { return false };
        self.extensions.iter().any(|extension| extension.eq_ignore_ascii_case(&name[dot..]))
    }
}

/// The first of several whose format has the content type, else the extension of a file.
fn find<'c, T: ?Sized>(
    codecs: &'c [Arc<T>],
    format: impl Fn(&T) -> &FileFormat,
    path: &str,
    content_type: &str,
    takes: impl Fn(&T) -> bool,
) -> Option<&'c T> {
    let matches = |fits: &dyn Fn(&FileFormat) -> bool| {
        codecs.iter().map(|codec| &**codec).find(|codec| fits(format(codec)) && takes(codec))
    };
    matches(&|format| format.has_content_type(content_type))
        .or_else(|| matches(&|format| format.has_extension(path)))
}

/// Reads a file format.
pub trait Decoder: Send + Sync {
    /// The format.
    fn format(&self) -> &FileFormat;

    /// Whether a file of this format can be read by this decoder: a quick look at its name and bytes.
    fn can_decode(&self, _name: &str, _bytes: &[u8]) -> bool {
        true
    }

    /// Whether it is also asked for files that cannot be read, and then gets no bytes: it may find what it
    /// decodes in its own way.
    fn takes_missing_files(&self) -> bool {
        false
    }

    /// The description that a file stands for. Files that it names itself may be virtual.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn decode(&self, name: &str, bytes: &[u8], files: Option<&Vfs>) -> Result<Spec, String>;
}

/// Writes a file format.
pub trait Encoder: Send + Sync {
    /// The format.
    fn format(&self) -> &FileFormat;

    /// The bytes of a file for a description and, where there is one, the model that it compiles to. Files
    /// that the description names may be virtual.
    ///
    /// # Errors
    /// Why the format cannot hold it.
    fn encode(&self, name: &str, spec: &Spec, model: Option<&Model>, files: &Vfs) -> Result<Vec<u8>, String>;
}

/// The decoders and encoders of virtual files.
#[derive(Clone, Default)]
pub(crate) struct Codecs {
    decoders: Vec<Arc<dyn Decoder>>,
    encoders: Vec<Arc<dyn Encoder>>,
}

impl Vfs {
    /// Lets a decoder read all files of its format.
    ///
    /// # Errors
    /// When the format has neither a content type nor an extension, or one of them is taken.
    pub fn add_decoder(&mut self, decoder: Arc<dyn Decoder>) -> Result<(), VfsError> {
        decoder.format().check(self.codecs.decoders.iter().map(|known| known.format()))?;
        self.codecs.decoders.push(decoder);
        Ok(())
    }

    /// Lets an encoder write all files of its format.
    ///
    /// # Errors
    /// As [`add_decoder`](Self::add_decoder).
    pub fn add_encoder(&mut self, encoder: Arc<dyn Encoder>) -> Result<(), VfsError> {
        encoder.format().check(self.codecs.encoders.iter().map(|known| known.format()))?;
        self.codecs.encoders.push(encoder);
        Ok(())
    }

    /// What a decoder makes of a file that cannot be read; `None` when none is asked for such files.
    pub(crate) fn decode_missing(&self, path: &str, content_type: &str) -> Option<Result<Spec, String>> {
        self.decode_by(path, content_type, &[], Decoder::takes_missing_files)
    }

    /// What a decoder makes of a file; `None` when none reads it.
    pub(crate) fn decode(
        &self,
        path: &str,
        content_type: &str,
        bytes: &[u8],
    ) -> Option<Result<Spec, String>> {
        self.decode_by(path, content_type, bytes, |_| true)
    }

    /// What one of some decoders makes of a file; `None` when none reads it.
    fn decode_by(
        &self,
        path: &str,
        content_type: &str,
        bytes: &[u8],
        asked: impl Fn(&(dyn Decoder + 'static)) -> bool,
    ) -> Option<Result<Spec, String>> {
        // a look that fails counts as a claim, so that its failure is told
        let takes = |decoder: &(dyn Decoder + 'static)| {
            nesting::enter(|| guard(|| Ok(decoder.can_decode(path, bytes))))?
        };
        let claims = |decoder: &(dyn Decoder + 'static)| asked(decoder) && takes(decoder).unwrap_or(true);
        let decoder = find(&self.codecs.decoders, Decoder::format, path, content_type, claims)?;
        let decode = || guard(|| decoder.decode(path, bytes, Some(self)));
        let spec = takes(decoder).and_then(|_| nesting::enter(decode)?);
        Some(spec.map_err(|message| {
            format!("the decoder of '{}' cannot read '{path}': {message}", decoder.format().name())
        }))
    }

    /// Whether a decoder reads files with such a name.
    pub(crate) fn claims_extension(&self, path: &str) -> bool {
        self.codecs.decoders.iter().any(|decoder| decoder.format().has_extension(path))
    }

    /// The arrays of the first mesh that a decoder finds in a file; `None` when none reads it.
    pub(crate) fn decode_mesh(
        &self,
        path: &str,
        content_type: &str,
        bytes: &[u8],
    ) -> Option<Result<MeshSource, String>> {
        let source = self.decode(path, content_type, bytes)?.and_then(|spec| {
            let mesh = spec.meshes.iter().next().map(|(_, mesh)| MeshSource::from(mesh));
            mesh.filter(|mesh| !mesh.vert.is_empty()).ok_or_else(|| {
                format!("the decoder of '{path}' returns a description without a mesh that has vertices")
            })
        });
        Some(source)
    }
}

/// Writes a description, and the model that it compiles to where the format needs it, by the encoder for the
/// content type or, when that is empty or unknown, the extension of the path. Returns the number of bytes.
///
/// # Errors
/// When there is no encoder, it fails, or the file cannot be written.
pub fn encode(
    spec: &Spec,
    model: Option<&Model>,
    path: impl AsRef<Path>,
    content_type: &str,
    files: &Vfs,
) -> Result<usize, VfsError> {
    let file = path.as_ref();
    let path = file.to_string_lossy().into_owned();
    let Some(encoder) = find(&files.codecs.encoders, Encoder::format, &path, content_type, |_| true) else {
        return Err(VfsError::NoEncoder { path, content_type: content_type.to_owned() });
    };
    let written = guard(|| encoder.encode(&path, spec, model, files)).and_then(|bytes| {
        std::fs::write(file, &bytes).map_err(|error| error.to_string())?;
        Ok(bytes.len())
    });
    written.map_err(|message| VfsError::Encoder {
        format: encoder.format().name().to_owned(),
        path: path.clone(),
        message,
    })
}

impl From<&Mesh> for MeshSource {
    /// The arrays that a description itself gives.
    fn from(mesh: &Mesh) -> Self {
        Self {
            vert: mesh.uservert.clone(),
            normal: mesh.usernormal.clone(),
            texcoord: mesh.usertexcoord.clone(),
            face: mesh.userface.clone(),
            facenormal: mesh.userfacenormal.clone(),
            facetexcoord: mesh.userfacetexcoord.clone(),
            ..Self::default()
        }
    }
}
