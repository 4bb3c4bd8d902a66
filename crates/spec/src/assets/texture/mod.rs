//! Textures: image files, generated patterns and cube layouts as bytes of the compiled model.
//!
//! Cubes and sky boxes hold six square faces below each other: right, left, up, down, front, back.
//!
//! ```
//! use kinetree_model::enums::TextureType;
//! use kinetree_spec::assets::texture::compile_texture;
//! use kinetree_spec::spec::{Texture, TextureBuiltin};
//!
//! let checker = Texture {
//!     r#type: TextureType::T2d,
//!     builtin: TextureBuiltin::Checker,
//!     width: 8,
//!     height: 8,
//!     ..Texture::default()
//! };
//! let compiled = compile_texture(&checker, |name| Err(format!("there is no file {name}")))?;
//! assert_eq!(compiled.data.len(), 8 * 8 * 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builtin;
mod cube;
mod pixels;
mod random;

pub use pixels::{CompiledTexture, TextureError};

use std::borrow::Cow;

use kinetree_model::enums::TextureType;

use super::png_image::{Channels, decode_png};
use crate::spec::{Texture, TextureBuiltin};
use pixels::Image;

/// Compiles a texture. `read` returns the bytes of a file named by the texture.
pub fn compile_texture<'d>(
    texture: &Texture,
    mut read: impl FnMut(&str) -> Result<Cow<'d, [u8]>, String>,
) -> Result<CompiledTexture, TextureError> {
    if !texture.data.is_empty() {
        return from_buffer(texture);
    }
    if texture.builtin != TextureBuiltin::None {
        return builtin::generate(texture);
    }
    let flat = texture.r#type == TextureType::T2d;
    if !texture.file.is_empty() {
        let bytes = read(&texture.file).map_err(TextureError::Read)?;
        let image = load_image(texture, &texture.file, &bytes)?;
        if flat {
            return Ok(CompiledTexture {
                width: image.width as i32,
                height: image.height as i32,
                nchannel: image.nchannel,
                colorspace: image.resolve(texture.colorspace),
                data: image.data,
            });
        }
        return cube::from_one_image(texture, &image);
    }
    if flat {
        return Err(TextureError::FlatFromFaces);
    }
    if texture.cubefiles.iter().all(String::is_empty) {
        return Err(TextureError::NoSource);
    }
    cube::from_faces(texture, |file| {
        let bytes = read(file).map_err(TextureError::Read)?;
        load_image(texture, file, &bytes)
    })
}

/// The content type without its parameters, or the one that the extension implies.
fn content_type<'t>(texture: &'t Texture, file: &str) -> &'t str {
    if !texture.content_type.is_empty() {
        return texture.content_type.split(';').next().unwrap_or_default();
    }
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension.eq_ignore_ascii_case("png") {
        "image/png"
    } else if extension.eq_ignore_ascii_case("ktx") {
        "image/ktx"
    } else if ["stl", "obj", "ply"].iter().any(|e| extension.eq_ignore_ascii_case(e)) {
        "model"
    } else {
        "image/vnd.mujoco.texture"
    }
}

fn load_image(texture: &Texture, file: &str, bytes: &[u8]) -> Result<Image, TextureError> {
    let mut image = match content_type(texture, file) {
        "image/png" => {
            let channels = match texture.nchannel {
                1 => Channels::Grey,
                3 => Channels::Rgb,
                4 => Channels::Rgba,
                nchannel => return Err(TextureError::Channels { what: "PNG", nchannel }),
            };
            let png = decode_png(bytes, channels)?;
            Image {
                width: png.width,
                height: png.height,
                nchannel: texture.nchannel,
                srgb: png.srgb,
                data: png.data,
            }
        }
        "image/ktx" => {
            if texture.hflip || texture.vflip {
                return Err(TextureError::FlipKtx);
            }
            raw_image(bytes)?
        }
        "image/vnd.mujoco.texture" => custom_image(texture, bytes)?,
        other => return Err(TextureError::ContentType(other.to_owned())),
    };
    if i32::try_from(image.width).is_err() || i32::try_from(image.height).is_err() {
        return Err(TextureError::TooLarge);
    }
    let (width, height) = (image.width, image.height);
    flip(texture, &mut image.data, width, height, image.nchannel as usize);
    Ok(image)
}

/// A compressed texture travels as one row of bytes.
fn raw_image(bytes: &[u8]) -> Result<Image, TextureError> {
    if bytes.is_empty() {
        return Err(TextureError::EmptyFile);
    }
    Ok(Image { width: bytes.len(), height: 1, nchannel: 1, srgb: false, data: bytes.to_vec() })
}

/// Two 32-bit sizes, then three bytes per pixel.
fn custom_image(texture: &Texture, bytes: &[u8]) -> Result<Image, TextureError> {
    if bytes.is_empty() {
        return Err(TextureError::EmptyFile);
    }
    let Some((header, pixels)) = bytes.split_at_checked(8) else {
        return Err(TextureError::Custom("missing header"));
    };
    let width = i32::from_le_bytes([header[0], header[1], header[2], header[3]]);
    let height = i32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    if width < 1 || height < 1 {
        return Err(TextureError::Custom("non-positive texture dimensions"));
    }
    if i128::from(width) * i128::from(height) * 3 != pixels.len() as i128 {
        return Err(TextureError::Custom("unexpected file size"));
    }
    if texture.nchannel != 3 {
        return Err(TextureError::Channels { what: "custom binary image", nchannel: texture.nchannel });
    }
    Ok(Image {
        width: width as usize,
        height: height as usize,
        nchannel: 3,
        srgb: false,
        data: pixels.to_vec(),
    })
}

fn from_buffer(texture: &Texture) -> Result<CompiledTexture, TextureError> {
    let expected = i128::from(texture.nchannel) * i128::from(texture.width) * i128::from(texture.height);
    if texture.nchannel < 1 || texture.width < 1 || texture.data.len() as i128 != expected {
        return Err(TextureError::BufferSize { given: texture.data.len(), expected });
    }
    let mut data = texture.data.clone();
    let (width, height) = (texture.width as usize, texture.height as usize);
    flip(texture, &mut data, width, height, texture.nchannel as usize);
    Ok(CompiledTexture {
        width: texture.width,
        height: texture.height,
        nchannel: texture.nchannel,
        colorspace: texture.colorspace,
        data,
    })
}

/// Mirrors pixels left-right and top-bottom as the texture asks for.
fn flip(texture: &Texture, data: &mut [u8], width: usize, height: usize, nchannel: usize) {
    let line = width * nchannel;
    if texture.hflip && line > 0 {
        for row in data.chunks_exact_mut(line) {
            for left in 0..width / 2 {
                let right = width - 1 - left;
                for channel in 0..nchannel {
                    row.swap(left * nchannel + channel, right * nchannel + channel);
                }
            }
        }
    }
    if texture.vflip {
        for top in 0..height / 2 {
            let (above, below) = data.split_at_mut((height - 1 - top) * line);
            above[top * line..(top + 1) * line].swap_with_slice(&mut below[..line]);
        }
    }
}
