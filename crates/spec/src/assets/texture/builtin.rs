//! Generated textures: gradients, checkers and flat colours, with marks.

use std::f64::consts::FRAC_PI_2;

use kinetree_model::enums::TextureType;
use kinetree_model::{checkpoint, claim};

use super::pixels::{CompiledTexture, MAX_BYTES, TextureError, byte, rgb_bytes};
use super::random::{UniformBits, first_not_below};
use crate::spec::{Texture, TextureBuiltin, TextureMark};

/// Six faces in which a sky gradient or checker is drawn.
const SIDES: [usize; 4] = [0, 1, 4, 5];
const UP: usize = 2;
const DOWN: usize = 3;

/// Draws the pattern and the marks of a texture.
pub(super) fn generate(texture: &Texture) -> Result<CompiledTexture, TextureError> {
    if texture.width < 1 {
        return Err(TextureError::Size("width"));
    }
    let flat = texture.r#type == TextureType::T2d;
    let height = if flat {
        texture.height
    } else {
        texture.width.checked_mul(6).ok_or(TextureError::Size("width"))?
    };
    if height < 1 {
        return Err(TextureError::Size("height"));
    }
    if texture.nchannel < 3 {
        return Err(TextureError::Channels { what: "builtin texture", nchannel: texture.nchannel });
    }
    let (w, h) = (texture.width as u64, height as u64);
    let bytes = w.saturating_mul(h).saturating_mul(texture.nchannel as u64);
    if bytes > MAX_BYTES {
        return Err(TextureError::TooLarge);
    }
    claim("a texture", bytes as usize)?;
    // colours are always drawn as three channels; further ones stay black behind them
    let mut data = vec![0; bytes as usize];
    let (w, h) = (w as usize, h as usize);
    let pixels = &mut data[..3 * w * h];
    if flat {
        draw_flat(texture, pixels, w, h);
    } else {
        draw_cube(texture, pixels, w);
    }
    if texture.mark == TextureMark::Random && texture.random > 0.0 {
        random_dots(texture, pixels);
    }
    Ok(CompiledTexture {
        width: texture.width,
        height,
        nchannel: texture.nchannel,
        colorspace: texture.colorspace,
        data,
    })
}

fn draw_flat(texture: &Texture, pixels: &mut [u8], w: usize, h: usize) {
    let (rgb1, rgb2) = (rgb_bytes(&texture.rgb1), rgb_bytes(&texture.rgb2));
    match texture.builtin {
        TextureBuiltin::Gradient => {
            for (i, pixel) in pixels.chunks_exact_mut(3).enumerate() {
                let (x, y) = centered(i % w, i / w, w, h);
                let radius = 2.0 * (x * x + y * y).sqrt() - 1.0;
                pixel.copy_from_slice(&mix(&texture.rgb2, &texture.rgb1, weight(radius)));
            }
        }
        TextureBuiltin::Checker => checker(pixels, rgb1, rgb2, w, h),
        TextureBuiltin::Flat => fill(pixels, rgb1),
        TextureBuiltin::None => {}
    }
    draw_lines(texture, pixels, w, h);
}

fn draw_cube(texture: &Texture, pixels: &mut [u8], w: usize) {
    let (rgb1, rgb2) = (rgb_bytes(&texture.rgb1), rgb_bytes(&texture.rgb2));
    if texture.builtin == TextureBuiltin::Gradient {
        sky_gradient(texture, pixels, w);
    }
    for (i, face) in pixels.chunks_exact_mut(3 * w * w).enumerate() {
        match texture.builtin {
            TextureBuiltin::Checker if i < 4 => checker(face, rgb1, rgb2, w, w),
            TextureBuiltin::Checker => checker(face, rgb2, rgb1, w, w),
            TextureBuiltin::Flat if i == DOWN => fill(face, rgb2),
            TextureBuiltin::Flat => fill(face, rgb1),
            TextureBuiltin::Gradient | TextureBuiltin::None => {}
        }
        checkpoint();
        draw_lines(texture, face, w, w);
    }
}

/// Colours by elevation above the horizon. Each row is computed in passes over all of its pixels: roots and
/// divisions then overlap.
fn sky_gradient(texture: &Texture, pixels: &mut [u8], w: usize) {
    let pixels = pixels.as_chunks_mut::<3>().0;
    let base: Vec<f64> = (0..w).map(|column| centered(column, 0, w, w).0).map(|x| 1.0 + x * x).collect();
    let (mut side, mut up) = (vec![0.0; w], vec![0.0; w]);
    for row in 0..w {
        checkpoint();
        let (_, y) = centered(0, row, w, w);
        for ((side, up), base) in side.iter_mut().zip(&mut up).zip(&base) {
            let distance = (base + y * y).sqrt();
            (*side, *up) = (y / distance, 1.0 / distance);
        }
        for (side, up) in side.iter_mut().zip(&mut up) {
            (*side, *up) = (libm::asin(*side), libm::acos(*up));
        }
        side.iter_mut().for_each(|x| *x = weight(*x / FRAC_PI_2));
        let mut draw = |face: usize, weights: &[f64]| {
            let start = (face * w + row) * w;
            for (pixel, &alpha) in pixels[start..start + w].iter_mut().zip(weights) {
                *pixel = mix(&texture.rgb1, &texture.rgb2, alpha);
            }
        };
        draw(SIDES[0], &side);
        up.iter_mut().for_each(|x| *x = 1.0 - *x / FRAC_PI_2);
        side.iter_mut().zip(&up).for_each(|(weights, &x)| *weights = weight(x));
        draw(UP, &side);
        side.iter_mut().zip(&up).for_each(|(weights, &x)| *weights = weight(-x));
        draw(DOWN, &side);
    }
    for face in &SIDES[1..] {
        pixels.copy_within(..w * w, face * w * w);
    }
}

/// Pixel position in −1 … 1, y upwards.
fn centered(column: usize, row: usize, width: usize, height: usize) -> (f64, f64) {
    let x = (2 * column) as f64 / (width as f64 - 1.0) - 1.0;
    let y = 1.0 - (2 * row) as f64 / (height as f64 - 1.0);
    (x, y)
}

/// Weight of the first colour, from zero at −1 to one at +1 by a sigmoid.
#[inline]
fn weight(position: f64) -> f64 {
    let correction = 1.0 / 2.0f64.sqrt();
    (0.5 * (1.0 + position / (1.0 + position * position).sqrt() / correction)).clamp(0.0, 1.0)
}

#[inline]
fn mix(rgb1: &[f64; 3], rgb2: &[f64; 3], alpha: f64) -> [u8; 3] {
    let mut rgb = [0; 3];
    for j in 0..3 {
        rgb[j] = byte(alpha * rgb1[j] + (1.0 - alpha) * rgb2[j]);
    }
    rgb
}

fn fill(pixels: &mut [u8], rgb: [u8; 3]) {
    for pixel in pixels.chunks_exact_mut(3) {
        pixel.copy_from_slice(&rgb);
    }
}

/// Four fields of two colours. Each half has equal rows, so that one is drawn and copied.
fn checker(pixels: &mut [u8], rgb1: [u8; 3], rgb2: [u8; 3], w: usize, h: usize) {
    let row_size = 3 * w;
    let (top, bottom) = pixels.split_at_mut(h / 2 * row_size);
    for (half, left, right) in [(top, rgb1, rgb2), (bottom, rgb2, rgb1)] {
        let Some((row, others)) = half.split_at_mut_checked(row_size) else { continue };
        let (left_field, right_field) = row.split_at_mut(3 * (w / 2));
        fill(left_field, left);
        fill(right_field, right);
        others.chunks_exact_mut(row_size).for_each(|other| other.copy_from_slice(row));
    }
}

/// Edge and cross marks of one square.
fn draw_lines(texture: &Texture, pixels: &mut [u8], w: usize, h: usize) {
    let (rows, columns) = match texture.mark {
        TextureMark::Edge => (vec![0, h - 1], vec![0, w - 1]),
        TextureMark::Cross => (vec![h / 2], vec![w / 2]),
        TextureMark::Random | TextureMark::None => return,
    };
    let rgb = rgb_bytes(&texture.markrgb);
    let mut put = |row: usize, column: usize| {
        let start = 3 * (row * w + column);
        pixels[start..start + 3].copy_from_slice(&rgb);
    };
    for column in columns {
        (0..h).for_each(|row| put(row, column));
    }
    for row in rows {
        (0..w).for_each(|column| put(row, column));
    }
}

/// Dots with the texture's probability; the sequence is the same for every texture.
fn random_dots(texture: &Texture, pixels: &mut [u8]) {
    let rgb = rgb_bytes(&texture.markrgb);
    let limit = first_not_below(texture.random);
    let mut numbers = UniformBits::seeded(42);
    let mut rest = pixels.as_chunks_mut::<3>().0;
    while !rest.is_empty() {
        checkpoint();
        let batch = numbers.next_batch();
        let (now, later) = rest.split_at_mut(batch.len().min(rest.len()));
        for (pixel, &bits) in now.iter_mut().zip(batch) {
            if limit.is_none_or(|limit| bits < limit) {
                *pixel = rgb;
            }
        }
        rest = later;
    }
}
