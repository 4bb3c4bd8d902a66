//! Textures of a model with their mipmaps.

use super::device::Gpu;
use super::error::RenderError;
use kinetree_model::Model;
use kinetree_model::enums::{ColorSpace, TextureType};

/// Bytes per pixel on the device.
const PIXEL: usize = 4;
/// Which of them is opacity.
const OPACITY: usize = 3;

/// Bind groups of all textures, and one for shapes without texture.
#[derive(Debug)]
pub(super) struct Textures {
    groups: Vec<wgpu::BindGroup>,
    plain: wgpu::BindGroup,
    sampler: wgpu::Sampler,
    white_cube: wgpu::TextureView,
}

impl Textures {
    /// Uploads the textures of a model.
    pub(super) fn new(gpu: &Gpu, model: &Model) -> Result<Self, RenderError> {
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        let white = Picture { width: 1, height: 1, layers: vec![vec![255; PIXEL]], srgb: false };
        let image = white.upload(gpu, false);
        let white_cube = Picture { layers: vec![vec![255; PIXEL]; 6], ..white }.upload(gpu, true);
        let mut groups = Vec::with_capacity(model.ntex);
        for id in 0..model.ntex {
            let flat = model.tex_type[id] == TextureType::T2d as i32;
            let view = Picture::of(gpu, model, id)?.upload(gpu, !flat);
            groups.push(match flat {
                true => group(gpu, &view, &white_cube, &sampler),
                false => group(gpu, &image, &view, &sampler),
            });
        }
        Ok(Self { groups, plain: group(gpu, &image, &white_cube, &sampler), sampler, white_cube })
    }

    /// Bind group of a texture, or of none.
    pub(super) fn group(&self, id: Option<usize>) -> &wgpu::BindGroup {
        id.and_then(|id| self.groups.get(id)).unwrap_or(&self.plain)
    }

    /// Bind group of another picture.
    pub(super) fn with_image(&self, gpu: &Gpu, picture: &Picture) -> wgpu::BindGroup {
        group(gpu, &picture.upload(gpu, false), &self.white_cube, &self.sampler)
    }
}

/// A flat image and a cube, of which a shape uses one.
fn group(
    gpu: &Gpu,
    image: &wgpu::TextureView,
    cube: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
) -> wgpu::BindGroup {
    let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("textures"),
        layout: &gpu.pipelines.texture_layout,
        entries: &[
            entry(0, wgpu::BindingResource::TextureView(image)),
            entry(1, wgpu::BindingResource::TextureView(cube)),
            entry(2, wgpu::BindingResource::Sampler(sampler)),
        ],
    })
}

/// A picture with four bytes per pixel, of one layer or six faces of a cube.
pub(super) struct Picture {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) layers: Vec<Vec<u8>>,
    /// Whether the bytes are sRGB, which sampling turns into linear light.
    pub(super) srgb: bool,
}

impl Picture {
    /// Texture `id` of a model. A square cube texture repeats on all faces.
    fn of(gpu: &Gpu, model: &Model, id: usize) -> Result<Self, RenderError> {
        let (width, mut height) = (model.tex_width[id] as usize, model.tex_height[id] as usize);
        let flat = model.tex_type[id] == TextureType::T2d as i32;
        let repeated = !flat && width == height;
        let faces = if flat { 1 } else { 6 };
        if !flat {
            height = width;
        }
        let limit = gpu.device.limits().max_texture_dimension_2d as usize;
        if width.max(height) > limit {
            let reason =
                format!("it has {width} × {height} pixels, and the device takes {limit} along a side");
            return Err(RenderError::Asset { what: format!("texture {id}"), reason });
        }
        let channels = model.tex_nchannel[id] as usize;
        let bytes = width * height * channels;
        let data = &model.tex_data[model.tex_adr[id] as usize..];
        let layers = (0..faces).map(|face| {
            let first = if repeated { 0 } else { face * bytes };
            data.get(first..first + bytes)
                .map_or_else(|| vec![0; width * height * PIXEL], |d| four_channels(d, channels))
        });
        let srgb = model.tex_colorspace[id] == ColorSpace::Srgb as i32 && flat;
        Ok(Self { width, height, layers: layers.collect(), srgb })
    }

    /// Uploads the picture with all its mipmaps.
    pub(super) fn upload(&self, gpu: &Gpu, cube: bool) -> wgpu::TextureView {
        let levels = self.width.max(self.height).ilog2() + 1;
        let size = |level: u32| ((self.width >> level).max(1), (self.height >> level).max(1));
        let extent = |(w, h): (usize, usize), layers: usize| wgpu::Extent3d {
            width: w as u32,
            height: h as u32,
            depth_or_array_layers: layers as u32,
        };
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: extent(size(0), self.layers.len()),
            mip_level_count: levels,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: if self.srgb {
                wgpu::TextureFormat::Rgba8UnormSrgb
            } else {
                wgpu::TextureFormat::Rgba8Unorm
            },
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (layer, pixels) in self.layers.iter().enumerate() {
            let mut pixels = pixels.clone();
            for level in 0..levels {
                if level > 0 {
                    pixels = halved(&pixels, size(level - 1), size(level), self.srgb);
                }
                gpu.queue.write_texture(
                    wgpu::TexelCopyTextureInfo {
                        texture: &texture,
                        mip_level: level,
                        origin: wgpu::Origin3d { x: 0, y: 0, z: layer as u32 },
                        aspect: wgpu::TextureAspect::All,
                    },
                    &pixels,
                    wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some((size(level).0 * PIXEL) as u32),
                        rows_per_image: None,
                    },
                    extent(size(level), 1),
                );
            }
        }
        texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(if cube {
                wgpu::TextureViewDimension::Cube
            } else {
                wgpu::TextureViewDimension::D2
            }),
            ..Default::default()
        })
    }
}

/// Pixels with opacity, made opaque where they have none; one channel is grey.
fn four_channels(data: &[u8], channels: usize) -> Vec<u8> {
    data.chunks_exact(channels.max(1))
        .flat_map(|p| match *p {
            [r, g, b, a] => [r, g, b, a],
            [r, g, b] => [r, g, b, 255],
            [grey, ..] => [grey, grey, grey, 255],
            [] => [0; 4],
        })
        .collect()
}

/// The next mipmap: the picture sampled at the centres of its pixels with bilinear filtering, as graphics
/// devices shrink pictures. Where sides are even each pixel is the mean of two by two; light is averaged, not
/// its sRGB code.
fn halved(pixels: &[u8], from: (usize, usize), to: (usize, usize), srgb: bool) -> Vec<u8> {
    let (columns, rows) = (taps(from.0, to.0), taps(from.1, to.1));
    let decode: [f32; 256] =
        std::array::from_fn(|v| if srgb { linear(v as f32 / 255.0) } else { v as f32 / 255.0 });
    let mut out = Vec::with_capacity(to.0 * to.1 * PIXEL);
    for &(top, bottom, down) in &rows {
        for &(left, right, across) in &columns {
            for k in 0..PIXEL {
                let at = |x: usize, y: usize| {
                    let byte = pixels[(y * from.0 + x) * PIXEL + k];
                    // opacity is no light
                    if k == OPACITY { f32::from(byte) / 255.0 } else { decode[usize::from(byte)] }
                };
                let row = |y: usize| at(left, y) + across * (at(right, y) - at(left, y));
                let value = row(top) + down * (row(bottom) - row(top));
                let value = if srgb && k != OPACITY { encoded(value) } else { value };
                out.push((255.0 * value).round() as u8);
            }
        }
    }
    out
}

/// For each pixel of a side that is shrunk: the two pixels that it lies between, and the weight of the
/// second.
fn taps(from: usize, to: usize) -> Vec<(usize, usize, f32)> {
    let tap = |i: usize| {
        let centre = (i as f32 + 0.5) * from as f32 / to as f32 - 0.5;
        let first = centre.floor().max(0.0);
        let texel = first as usize;
        (texel.min(from - 1), (texel + 1).min(from - 1), (centre - first).clamp(0.0, 1.0))
    };
    (0..to).map(tap).collect()
}

/// Light of an sRGB code, both from 0 to 1.
fn linear(code: f32) -> f32 {
    if code <= 0.04045 { code / 12.92 } else { libm::powf((code + 0.055) / 1.055, 2.4) }
}

/// The sRGB code of light, both from 0 to 1.
fn encoded(light: f32) -> f32 {
    if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * libm::powf(light, 1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Means of blocks; a side of one pixel stays one pixel.
    #[test]
    fn mipmaps_are_means() {
        let row: Vec<u8> = [0, 100, 200, 255].iter().flat_map(|&v| [v, v, v, 255]).collect();
        assert_eq!(halved(&row, (4, 1), (2, 1), false), [50, 50, 50, 255, 228, 228, 228, 255]);
    }

    /// Half the light of white is code 188 in sRGB; opacity is averaged as it is.
    #[test]
    fn light_is_averaged_not_its_code() {
        let row = [0, 0, 0, 0, 255, 255, 255, 255];
        assert_eq!(halved(&row, (2, 1), (1, 1), true), [188, 188, 188, 128]);
    }

    /// A checkerboard of odd size keeps its mean: no side counts more than the other.
    #[test]
    fn odd_sides_shrink_evenly() {
        let board: Vec<u8> = (0..25)
            .flat_map(|y| (0..25).flat_map(move |x| [if (x < 12) == (y < 12) { 0 } else { 255 }; 4]))
            .collect();
        let (mut pixels, mut side) = (board, 25);
        while side > 3 {
            pixels = halved(&pixels, (side, side), (side / 2, side / 2), false);
            side /= 2;
        }
        let mean = pixels.iter().map(|&v| u32::from(v)).sum::<u32>() / pixels.len() as u32;
        assert!((115..=140).contains(&mean), "{mean}");
    }
}
