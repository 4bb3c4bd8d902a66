//! PNG files as 8-bit pixels with a wanted number of channels.
//!
//! Conversions drop information without weighting: sixteen bits keep the high byte, colour becomes grey by
//! taking red, alpha is cut off, not blended.

use std::io::Cursor;

use kinetree_model::{NoMemory, claim};
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};
use thiserror::Error;

/// Why a PNG file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PngError {
    /// The file has no bytes.
    #[error("the PNG file is empty")]
    Empty,
    /// The file is damaged or not a PNG.
    #[error("error decoding PNG file: {0}")]
    Decode(String),
    /// There is not enough memory for the pixels.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// The header asks for more pixels than the file can hold.
    #[error("the PNG header claims {width}×{height} pixels, too many for a file of {bytes} bytes")]
    TooLarge {
        /// Claimed width.
        width: u32,
        /// Claimed height.
        height: u32,
        /// Length of the file.
        bytes: usize,
    },
}

/// Pixels in rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PngImage {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The file says that its colours are sRGB.
    pub(crate) srgb: bool,
    pub(crate) data: Vec<u8>,
}

/// Number of channels wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channels {
    Grey = 1,
    Rgb = 3,
    Rgba = 4,
}

/// Compressed data expands at most by about this factor.
const MAX_EXPANSION: u128 = 1100;

/// Decodes a PNG file.
pub(crate) fn decode_png(bytes: &[u8], channels: Channels) -> Result<PngImage, PngError> {
    if bytes.is_empty() {
        return Err(PngError::Empty);
    }
    let failed = |error: png::DecodingError| PngError::Decode(error.to_string());
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: usize::MAX });
    decoder.set_transformations(Transformations::IDENTITY);
    let header = decoder.read_header_info().map_err(failed)?;
    let (width, height) = (header.width, header.height);
    let bits = u128::from(width) * u128::from(height) * header.bits_per_pixel() as u128;
    if bits / 8 > MAX_EXPANSION * bytes.len() as u128 {
        return Err(PngError::TooLarge { width, height, bytes: bytes.len() });
    }

    let mut reader = decoder.read_info().map_err(failed)?;
    let size = reader.output_buffer_size().ok_or(PngError::TooLarge { width, height, bytes: bytes.len() })?;
    // as the file has them, and as they are wanted
    claim("an image", size.saturating_add(width as usize * height as usize * channels as usize))?;
    let mut raw = vec![0; size];
    let frame = reader.next_frame(&mut raw).map_err(failed)?;
    let info = reader.info();
    let source = RawImage {
        raw: &raw,
        line: frame.line_size,
        width: width as usize,
        height: height as usize,
        color: info.color_type,
        depth: info.bit_depth,
        palette: info.palette.as_deref().unwrap_or_default(),
        transparency: info.trns.as_deref().unwrap_or_default(),
    };
    Ok(PngImage {
        width: width as usize,
        height: height as usize,
        srgb: info.srgb.is_some(),
        data: source.convert(channels),
    })
}

/// Pixels as the file stores them.
struct RawImage<'a> {
    raw: &'a [u8],
    line: usize,
    width: usize,
    height: usize,
    color: ColorType,
    depth: BitDepth,
    palette: &'a [u8],
    transparency: &'a [u8],
}

impl RawImage<'_> {
    fn convert(&self, channels: Channels) -> Vec<u8> {
        let count = channels as usize;
        let direct = self.depth == BitDepth::Eight
            && matches!(
                (self.color, channels),
                (ColorType::Grayscale, Channels::Grey)
                    | (ColorType::Rgb, Channels::Rgb)
                    | (ColorType::Rgba, Channels::Rgba)
            );
        if direct {
            return self.raw.to_vec();
        }
        let mut out = Vec::with_capacity(count * self.width * self.height);
        for row in self.raw.chunks_exact(self.line.max(1)).take(self.height) {
            for x in 0..self.width {
                let rgba = self.pixel(row, x);
                out.extend_from_slice(&rgba[..count]);
            }
        }
        out
    }

    /// Sample `index` of a row in the depth of the file.
    fn sample(&self, row: &[u8], index: usize) -> u16 {
        match self.depth {
            BitDepth::Eight => u16::from(row[index]),
            BitDepth::Sixteen => u16::from_be_bytes([row[2 * index], row[2 * index + 1]]),
            depth => {
                let bits = depth as usize;
                let at = index * bits;
                let shift = 8 - bits - at % 8;
                u16::from(row[at / 8] >> shift) & ((1 << bits) - 1)
            }
        }
    }

    /// A sample in eight bits.
    fn narrow(&self, sample: u16) -> u8 {
        match self.depth {
            BitDepth::Eight => sample as u8,
            BitDepth::Sixteen => (sample >> 8) as u8,
            depth => (u32::from(sample) * 255 / ((1 << (depth as u32)) - 1)) as u8,
        }
    }

    fn pixel(&self, row: &[u8], x: usize) -> [u8; 4] {
        let per_pixel = self.color.samples();
        if self.color == ColorType::Indexed {
            let index = usize::from(self.sample(row, x));
            let rgb = self.palette.get(3 * index..3 * index + 3).unwrap_or(&[0, 0, 0]);
            let alpha = self.transparency.get(index).copied().unwrap_or(255);
            return [rgb[0], rgb[1], rgb[2], alpha];
        }
        let mut samples = [0u16; 4];
        for (k, slot) in samples.iter_mut().enumerate().take(per_pixel) {
            *slot = self.sample(row, per_pixel * x + k);
        }
        let [a, b, c, d] = samples.map(|s| self.narrow(s));
        match self.color {
            ColorType::Rgba => [a, b, c, d],
            ColorType::Rgb => [a, b, c, self.keyed_alpha(&samples[..3])],
            ColorType::GrayscaleAlpha => [a, a, a, b],
            ColorType::Grayscale | ColorType::Indexed => [a, a, a, self.keyed_alpha(&samples[..1])],
        }
    }

    /// Transparent where the colour equals the key that the file declares. The decoder hands the key over in
    /// as many bytes per sample as the samples need.
    fn keyed_alpha(&self, samples: &[u16]) -> u8 {
        let width = if self.depth == BitDepth::Sixteen { 2 } else { 1 };
        let key = self.transparency.chunks_exact(width);
        let matches = key.len() >= samples.len()
            && key.zip(samples).all(|(k, s)| k.iter().fold(0u16, |sum, b| sum << 8 | u16::from(*b)) == *s);
        if matches { 0 } else { 255 }
    }
}
