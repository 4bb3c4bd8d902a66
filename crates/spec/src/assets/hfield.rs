//! Height fields: elevations from a file or the model, scaled to 0 … 1.
//!
//! ```
//! use kinetree_spec::assets::hfield::compile_hfield;
//! use kinetree_spec::spec::HField;
//!
//! let size = [1.0, 1.0, 0.5, 0.1];
//! let userdata = vec![0.0, 1.0, 2.0, 4.0];
//! let field = HField { size, nrow: 2, ncol: 2, userdata, ..HField::default() };
//! let compiled = compile_hfield(&field, |name| Err(format!("there is no file {name}")))?;
//! assert_eq!(compiled.data, [0.0, 0.25, 0.5, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;

use thiserror::Error;

use super::png_image::{Channels, PngError, decode_png};
use crate::spec::HField;

const PNG: &str = "image/png";
const BINARY: &str = "image/vnd.mujoco.hfield";

/// Range below which elevations count as constant.
const FLAT: f64 = 1e-14;

/// Why a height field could not be compiled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HFieldError {
    /// The file could not be opened.
    #[error("{0}")]
    Read(String),
    /// The image is damaged.
    #[error(transparent)]
    Png(#[from] PngError),
    /// The content type names no known format.
    #[error("unsupported content type: '{0}'")]
    ContentType(String),
    /// The length of a binary file does not fit its header.
    #[error("hfield file: {0}")]
    Binary(&'static str),
    /// Inline elevations do not fill the grid.
    #[error("elevation data length must match nrow*ncol")]
    Length {
        /// Numbers given.
        given: usize,
        /// Rows.
        nrow: i32,
        /// Columns.
        ncol: i32,
    },
    /// A size is zero or negative.
    #[error("size parameter {0} is not positive in hfield")]
    Size(usize),
    /// Both a file and inline data.
    #[error("hfield specified from file and manually")]
    Repeated,
    /// Neither a file nor inline data.
    #[error("hfield not specified")]
    Missing,
    /// An elevation is infinite or NaN.
    #[error("elevation {0} is not finite")]
    NotFinite(usize),
    /// Elevations outside the supported range.
    #[error("invalid data range in hfield")]
    Range,
}

/// The elevations of one height field.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledHField {
    /// Number of rows, along y.
    pub nrow: i32,
    /// Number of columns, along x.
    pub ncol: i32,
    /// Elevations in 0 … 1, lowest row first.
    pub data: Vec<f32>,
}

/// Compiles a height field. `read` returns the bytes of its file.
pub fn compile_hfield<'d>(
    hfield: &HField,
    mut read: impl FnMut(&str) -> Result<Cow<'d, [u8]>, String>,
) -> Result<CompiledHField, HFieldError> {
    if !hfield.file.is_empty() {
        content_type(hfield)?;
    }
    if let Some(at) = hfield.size.iter().position(|s| *s <= 0.0 || s.is_nan()) {
        return Err(HFieldError::Size(at));
    }
    let mut field = if hfield.file.is_empty() {
        from_inline(hfield)?
    } else if hfield.userdata.is_empty() {
        let bytes = read(&hfield.file).map_err(HFieldError::Read)?;
        from_file(hfield, &bytes)?
    } else {
        return Err(HFieldError::Repeated);
    };
    normalize(&mut field.data)?;
    Ok(field)
}

fn from_inline(hfield: &HField) -> Result<CompiledHField, HFieldError> {
    let (nrow, ncol) = (hfield.nrow, hfield.ncol);
    if nrow < 1 || ncol < 1 || hfield.userdata.is_empty() {
        return Err(HFieldError::Missing);
    }
    if i64::from(nrow) * i64::from(ncol) != hfield.userdata.len() as i64 {
        return Err(HFieldError::Length { given: hfield.userdata.len(), nrow, ncol });
    }
    Ok(CompiledHField { nrow, ncol, data: hfield.userdata.clone() })
}

fn from_file(hfield: &HField, bytes: &[u8]) -> Result<CompiledHField, HFieldError> {
    if content_type(hfield)? == PNG { from_png(bytes) } else { from_binary(bytes) }
}

/// The content type without its parameters, or the one that the extension implies.
fn content_type(hfield: &HField) -> Result<&'static str, HFieldError> {
    if hfield.content_type.is_empty() {
        let extension = hfield.file.rsplit_once('.').map_or("", |(_, extension)| extension);
        return Ok(if extension.eq_ignore_ascii_case("png") { PNG } else { BINARY });
    }
    let given = hfield.content_type.split(';').next().unwrap_or_default();
    [PNG, BINARY]
        .into_iter()
        .find(|known| *known == given)
        .ok_or_else(|| HFieldError::ContentType(given.to_owned()))
}

/// Grey levels of an image, whose top row is the last one.
fn from_png(bytes: &[u8]) -> Result<CompiledHField, HFieldError> {
    let image = decode_png(bytes, Channels::Grey)?;
    let rows = image.data.chunks_exact(image.width.max(1)).rev();
    Ok(CompiledHField {
        nrow: image.height as i32,
        ncol: image.width as i32,
        data: rows.flatten().map(|level| f32::from(*level)).collect(),
    })
}

/// Two 32-bit sizes, then single-precision elevations.
fn from_binary(bytes: &[u8]) -> Result<CompiledHField, HFieldError> {
    let Some((header, body)) = bytes.split_at_checked(8) else {
        return Err(HFieldError::Binary("missing header"));
    };
    let nrow = i32::from_le_bytes([header[0], header[1], header[2], header[3]]);
    let ncol = i32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    if nrow < 1 || ncol < 1 {
        return Err(HFieldError::Binary("non-positive dimensions"));
    }
    if i128::from(nrow) * i128::from(ncol) * 4 != body.len() as i128 {
        return Err(HFieldError::Binary("unexpected file size"));
    }
    let data = body.chunks_exact(4).map(|raw| f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]])).collect();
    Ok(CompiledHField { nrow, ncol, data })
}

fn normalize(data: &mut [f32]) -> Result<(), HFieldError> {
    let (mut low, mut high) = (1e10f32, -1e10f32);
    for (i, &x) in data.iter().enumerate() {
        if !x.is_finite() {
            return Err(HFieldError::NotFinite(i));
        }
        low = low.min(x);
        high = high.max(x);
    }
    if low > high {
        return Err(HFieldError::Range);
    }
    let range = high - low;
    for x in data {
        *x -= low;
        if f64::from(range) > FLAT {
            *x /= range;
        }
    }
    Ok(())
}
