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
//! A model of reference level 4.0 has the number of that level as its version, and the fields of 3.8.0.
//!
//! The format has no checksum, so every index is compared with the size it points into
//! ([`Model::check_indices`]): a file that passes cannot lead the engine out of an array.

mod format;
mod read;
mod write;

pub use format::BinaryError;

use crate::Model;
use format::FILE_ID;

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
