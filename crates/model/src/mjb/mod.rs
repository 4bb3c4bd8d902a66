//! MJB files: the reference's binary image of a compiled model, version 3.8.0.
//!
//! Layout, all little-endian and without any compression:
//!
//! | part | content |
//! |---|---|
//! | header | five `i32`: the file id, the bytes of a number, the number of sizes, the version, the number of arrays |
//! | sizes | one `i64` each, in the order of the table of sizes |
//! | options | `opt` (padded to a multiple of eight bytes), `vis`, `stat` |
//! | arrays | every array in the order of the field table, without lengths |
//!
//! The format has no checksum, so every index is compared with the size it points into
//! ([`Model::check_indices`]): a file that passes cannot lead the engine out of an array.

mod read;
mod write;

use crate::plugin::PluginError;
use crate::{IndexError, Model};

/// First number of every file.
const FILE_ID: i32 = 54321;
/// Version of the reference whose fields the tables list: major, minor and patch, three digits each.
const VERSION: i32 = 3_008_000;
/// Bytes of the header.
const HEADER: usize = 5 * size_of::<i32>();
/// The options end at a multiple of this many bytes.
const OPTION_ALIGNMENT: usize = 8;

/// Why a binary model was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BinaryError {
    /// The file does not begin like a model.
    #[error("not a binary model (MJB): it does not begin with the number {FILE_ID}")]
    Foreign,
    /// The file holds numbers of another width.
    #[error(
        "binary model has numbers of {found} bytes, expected 8: it was written by a single-precision build"
    )]
    Precision {
        /// Bytes of a number in the file.
        found: i32,
    },
    /// The file was written by another version.
    #[error(
        "binary model has version {found}, only version {VERSION} (3.8.0) can be read; compile it again from its source"
    )]
    Version {
        /// Version in the file.
        found: i32,
    },
    /// The file lists other fields.
    #[error(
        "binary model has {found} {what}, version 3.8.0 has {expected}; compile it again from its source"
    )]
    Layout {
        /// Sizes or arrays.
        what: &'static str,
        /// How many there are.
        found: i32,
        /// How many there should be.
        expected: usize,
    },
    /// The file is shorter or longer than its sizes say.
    #[error("binary model is truncated or has trailing bytes: expected {expected} bytes, found {found}")]
    Length {
        /// Length that the sizes ask for.
        expected: u64,
        /// Length there is.
        found: u64,
    },
    /// A size is negative or too large.
    #[error("binary model is corrupt: size `{field}` cannot be {value}")]
    Size {
        /// The size.
        field: &'static str,
        /// Its value.
        value: i64,
    },
    /// An entry points outside of what it refers to.
    #[error("binary model is corrupt: {0}")]
    Reference(#[from] IndexError),
    /// It uses a plugin that is not there, or that refuses its configuration.
    #[error("binary model: {0}")]
    Plugin(#[from] PluginError),
}

impl Model {
    /// Writes the model as an MJB file image.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        write::image(self)
    }

    /// Bytes of the MJB file image.
    #[must_use]
    pub fn image_len(&self) -> usize {
        write::image_len(self.sizes())
    }

    /// Whether a file begins like a binary model, of whatever version.
    #[must_use]
    pub fn is_binary(bytes: &[u8]) -> bool {
        bytes.starts_with(&FILE_ID.to_le_bytes())
    }

    /// Reads a model from an MJB file image.
    ///
    /// # Errors
    /// When the bytes are not a complete model of version 3.8.0 whose references all hold.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BinaryError> {
        let model = read::image(bytes)?;
        model.check_indices()?;
        Ok(model)
    }
}
