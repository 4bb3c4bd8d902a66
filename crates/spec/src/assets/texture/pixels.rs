//! Pixels of images and textures, and what can be wrong with them.

use kinetree_model::NoMemory;
use kinetree_model::enums::ColorSpace;
use thiserror::Error;

use crate::assets::png_image::PngError;

/// Largest texture that is generated, in bytes.
pub(super) const MAX_BYTES: u64 = 1 << 31;

/// Why a texture could not be compiled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextureError {
    /// A file could not be opened.
    #[error("{0}")]
    Read(String),
    /// An image is damaged.
    #[error(transparent)]
    Png(#[from] PngError),
    /// The file has no bytes.
    #[error("the texture file is empty")]
    EmptyFile,
    /// The content type names no known format.
    #[error("unsupported content type: '{0}'")]
    ContentType(String),
    /// The length of a custom binary image does not fit its header.
    #[error("not a PNG, and not the custom binary format: {0}")]
    Custom(&'static str),
    /// Compressed textures cannot be mirrored.
    #[error("cannot flip KTX textures")]
    FlipKtx,
    /// A number of channels that the kind of texture cannot have.
    #[error("unsupported: {what} with {nchannel} channels")]
    Channels {
        /// Kind of texture.
        what: &'static str,
        /// Number of channels.
        nchannel: i32,
    },
    /// A generated texture has no valid size.
    #[error("invalid {0} of builtin texture")]
    Size(&'static str),
    /// There is not enough memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A texture is too large.
    #[error("texture is too large")]
    TooLarge,
    /// The data given in the model does not fit the declared size.
    #[error("texture buffer has incorrect size, given {given} expected {expected}")]
    BufferSize {
        /// Bytes given.
        given: usize,
        /// Width times height times channels.
        expected: i128,
    },
    /// A grid with no or too many cells.
    #[error("gridsize must be non-zero and no more than 12 squares in texture")]
    GridSize,
    /// The image does not divide into square cells.
    #[error("image size must be an integer multiple of gridsize")]
    GridImage,
    /// An unknown face letter.
    #[error("gridlayout symbol '{0}' is not among '.RLUDFB'")]
    GridSymbol(char),
    /// A cube face is not square.
    #[error("non-square image file '{0}' in cube or skybox")]
    NotSquare(String),
    /// Cube faces of different sizes.
    #[error("image file '{0}' has another size than the first one")]
    FaceSize(String),
    /// A flat texture cannot consist of faces.
    #[error("cannot load 2D texture from separate files")]
    FlatFromFaces,
    /// Nothing says where the pixels come from.
    #[error("no file is given for any face of the cube or skybox")]
    NoSource,
}

/// The pixels of one texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledTexture {
    /// Width (pixel).
    pub width: i32,
    /// Height (pixel); six times the width for cubes with separate faces.
    pub height: i32,
    /// Bytes per pixel.
    pub nchannel: i32,
    /// Colour space, resolved where the file declares one.
    pub colorspace: ColorSpace,
    /// Bytes, row by row from the top.
    pub data: Vec<u8>,
}

/// An image file after mirroring.
#[derive(Clone, Debug)]
pub(super) struct Image {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) nchannel: i32,
    pub(super) srgb: bool,
    pub(super) data: Vec<u8>,
}

impl Image {
    pub(super) fn resolve(&self, wanted: ColorSpace) -> ColorSpace {
        match (wanted, self.srgb) {
            (ColorSpace::Auto, true) => ColorSpace::Srgb,
            (ColorSpace::Auto, false) => ColorSpace::Linear,
            (given, _) => given,
        }
    }
}

/// A colour component as a byte; values outside the unit interval wrap.
pub(super) fn byte(value: f64) -> u8 {
    (255.0 * value) as i32 as u8
}

pub(super) fn rgb_bytes(rgb: &[f64; 3]) -> [u8; 3] {
    rgb.map(byte)
}
