//! Constants of the format, and what can be wrong with a file.

use crate::plugin::PluginError;
use crate::{IndexError, Reference};

/// First number of every file.
pub(super) const FILE_ID: i32 = 54321;

/// Version of the reference whose fields the tables list: major, minor and patch, three digits each.
pub(super) const VERSION: i32 = 3_008_000;

/// The number that a file has in the place of the version: the fields are those of 3.8.0 at every reference
/// level, what they mean is not.
pub(super) const fn version_of(reference: Reference) -> i32 {
    match reference {
        Reference::V3_8 => VERSION,
        Reference::V4_0 => 4_000_001,
    }
}

/// Bytes of the header.
pub(super) const HEADER: usize = 5 * size_of::<i32>();

/// The options end at a multiple of this many bytes.
pub(super) const OPTION_ALIGNMENT: usize = 8;

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
        "binary model has version {found}, only version {VERSION} (3.8.0) and models of reference level 4.0 written by \
         this engine can be read; compile it again from its source"
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
