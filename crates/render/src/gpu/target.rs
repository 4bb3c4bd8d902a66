//! Pictures on the device, and how their pixels come back.

use super::device::Gpu;
use super::error::RenderError;
use super::pipeline::{COLOR_FORMAT, DEPTH_FORMAT, SENSOR_FORMAT};

/// Most memory that the pictures of one renderer may take (bytes).
const MEMORY: u64 = 4 << 30;
/// Bytes per pixel and sample: colour, depth and stencil.
const SAMPLE_BYTES: u64 = 4 + 8;
/// Bytes per pixel of what is read back, of which there is a second copy.
const PIXEL_BYTES: u64 = 2 * 8;

/// First size of growing buffers (bytes): a few views or shapes.
const FIRST_BYTES: u64 = 1 << 14;

/// A texture that is drawn to.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) texture: wgpu::Texture,
    pub(super) view: wgpu::TextureView,
}

impl Target {
    fn new(
        gpu: &Gpu,
        size: [u32; 2],
        samples: u32,
        format: wgpu::TextureFormat,
        usage: wgpu::TextureUsages,
    ) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: samples,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        Self { view: texture.create_view(&wgpu::TextureViewDescriptor::default()), texture }
    }
}

/// Where a colour picture is drawn.
#[derive(Debug)]
pub(super) struct ColorTargets {
    pub(super) size: [u32; 2],
    pub(super) samples: u8,
    /// Whether the depth has a stencil.
    pub(super) stencil: bool,
    /// Pixels with several samples, when there are several.
    pub(super) multisampled: Option<Target>,
    /// The picture.
    pub(super) color: Target,
    pub(super) depth: Target,
}

impl ColorTargets {
    pub(super) fn new(gpu: &Gpu, size: [u32; 2], samples: u8, stencil: bool) -> Self {
        let read = wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::TEXTURE_BINDING;
        let color = Target::new(gpu, size, 1, COLOR_FORMAT, read | wgpu::TextureUsages::COPY_DST);
        Self::around(gpu, color, samples, stencil)
    }

    /// Draws a picture that there is already in another way; programs may show it.
    pub(super) fn around(gpu: &Gpu, color: Target, samples: u8, stencil: bool) -> Self {
        let size = [color.texture.width(), color.texture.height()];
        let none = wgpu::TextureUsages::empty();
        let count = u32::from(samples);
        let multisampled = (samples > 1).then(|| Target::new(gpu, size, count, COLOR_FORMAT, none));
        let format = if stencil { gpu.depth_format } else { DEPTH_FORMAT };
        let depth = Target::new(gpu, size, count, format, none);
        Self { size, samples, stencil, multisampled, color, depth }
    }
}

/// Where objects and distances are drawn.
#[derive(Debug)]
pub(super) struct SensorTargets {
    pub(super) size: [u32; 2],
    pub(super) sensor: Target,
    pub(super) depth: Target,
}

impl SensorTargets {
    pub(super) fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, RenderError> {
        check_size(gpu, size, 1)?;
        let sensor = Target::new(gpu, size, 1, SENSOR_FORMAT, wgpu::TextureUsages::COPY_SRC);
        let depth = Target::new(gpu, size, 1, DEPTH_FORMAT, wgpu::TextureUsages::empty());
        Ok(Self { size, sensor, depth })
    }
}

/// Refuses pictures that the device cannot hold before anything is allocated.
pub(super) fn check_size(gpu: &Gpu, [width, height]: [u32; 2], samples: u8) -> Result<(), RenderError> {
    let error = |reason: String| Err(RenderError::Size { width, height, reason });
    let limits = gpu.device.limits();
    if width == 0 || height == 0 {
        return error("it has no pixels".into());
    }
    if width.max(height) > limits.max_texture_dimension_2d {
        return error(format!(
            "the graphics device takes at most {} along a side",
            limits.max_texture_dimension_2d
        ));
    }
    let pixels = u64::from(width) * u64::from(height);
    let bytes = pixels * (SAMPLE_BYTES * u64::from(samples) + PIXEL_BYTES);
    let gib = |b: u64| b as f64 / f64::from(1 << 30);
    if bytes > MEMORY {
        return error(format!(
            "it takes {:.1} GiB of memory, of {:.1} GiB at most; draw it in parts",
            gib(bytes),
            gib(MEMORY)
        ));
    }
    let read = u64::from(padded_row(width, 8)) * u64::from(height);
    if read > limits.max_buffer_size {
        return error(format!(
            "its pixels need {:.1} GiB, and buffers have at most {:.1} GiB",
            gib(read),
            gib(limits.max_buffer_size)
        ));
    }
    Ok(())
}

/// Depth seen from each light with shadows.
#[derive(Debug)]
pub(super) struct ShadowMaps {
    pub(super) size: u32,
    pub(super) layers: Vec<wgpu::TextureView>,
    pub(super) group: wgpu::BindGroup,
}

impl ShadowMaps {
    pub(super) fn new(gpu: &Gpu, size: u32, count: usize) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow maps"),
            size: wgpu::Extent3d {
                width: size,
                height: size,
                depth_or_array_layers: (count as u32).max(gpu.least_layers),
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let layer = |i: usize| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: i as u32,
                array_layer_count: Some(1),
                ..Default::default()
            })
        };
        let all = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        // the defaults: no filter, edges repeated
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor::default());
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shadow maps"),
            layout: &gpu.pipelines.shadow_layout,
            entries: &[
                entry(0, wgpu::BindingResource::TextureView(&all)),
                entry(1, wgpu::BindingResource::Sampler(&sampler)),
            ],
        });
        Self { size, layers: (0..count).map(layer).collect(), group }
    }
}

/// A buffer that grows with what is written to it.
#[derive(Debug)]
pub(super) struct GrowingBuffer {
    pub(super) buffer: wgpu::Buffer,
    usage: wgpu::BufferUsages,
}

impl GrowingBuffer {
    pub(super) fn new(gpu: &Gpu, usage: wgpu::BufferUsages) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self { buffer: allocate(gpu, FIRST_BYTES, usage), usage }
    }

    /// Replaces the content; says whether the buffer is a new one.
    pub(super) fn write(&mut self, gpu: &Gpu, bytes: &[u8]) -> bool {
        let grows = bytes.len() as u64 > self.buffer.size();
        if grows {
            self.buffer = allocate(gpu, (bytes.len() as u64).next_power_of_two(), self.usage);
        }
        if !bytes.is_empty() {
            gpu.queue.write_buffer(&self.buffer, 0, bytes);
        }
        grows
    }
}

fn allocate(gpu: &Gpu, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
}

/// Memory that pictures are copied to from the device, kept from picture to picture.
#[derive(Debug, Default)]
pub(super) struct ReadBack {
    buffer: Option<wgpu::Buffer>,
}

impl ReadBack {
    /// Adds the copy of a texture to the commands that draw it, runs them, and shows each row from the top.
    pub(super) fn run(
        &mut self,
        gpu: &Gpu,
        mut commands: wgpu::CommandEncoder,
        texture: &wgpu::Texture,
        pixel: u32,
        mut each_row: impl FnMut(&[u8]),
    ) -> Result<(), RenderError> {
        let (width, height) = (texture.width(), texture.height());
        let row = padded_row(width, pixel);
        let size = u64::from(row) * u64::from(height);
        let buffer = match self.buffer.take() {
            Some(buffer) if buffer.size() == size => buffer,
            _ => allocate(gpu, size, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
        };
        copy_to(&mut commands, texture, &buffer, 0, row);
        gpu.queue.submit([commands.finish()]);
        let used = (width * pixel) as usize;
        read_rows(gpu, &buffer, size, row, |r| each_row(&r[..used]))?;
        self.buffer = Some(buffer);
        Ok(())
    }
}

/// Adds the copy of a texture to a buffer at an offset.
fn copy_to(
    commands: &mut wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    buffer: &wgpu::Buffer,
    offset: u64,
    row: u32,
) {
    let layout = wgpu::TexelCopyBufferLayout { offset, bytes_per_row: Some(row), rows_per_image: None };
    let info = wgpu::TexelCopyBufferInfo { buffer, layout };
    commands.copy_texture_to_buffer(texture.as_image_copy(), info, texture.size());
}

/// Waits for the device and shows the rows in the first `size` bytes of a buffer.
fn read_rows(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    size: u64,
    row: u32,
    each_row: impl FnMut(&[u8]),
) -> Result<(), RenderError> {
    buffer.map_async(wgpu::MapMode::Read, ..size, |_| {});
    let failed = |reason: String| RenderError::Device { reason };
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| failed(e.to_string()))?;
    gpu.check()?;
    let mapped = buffer.get_mapped_range(..size).map_err(|e| failed(e.to_string()))?;
    mapped.chunks_exact(row as usize).for_each(each_row);
    drop(mapped);
    buffer.unmap();
    Ok(())
}

/// Pictures of one size that come back from the device together.
#[derive(Debug)]
pub(super) struct PixelStack {
    buffer: wgpu::Buffer,
    size: [u32; 2],
    /// Bytes of a pixel.
    pixel: u32,
}

impl PixelStack {
    /// Bytes of one picture.
    pub(super) fn picture_bytes([width, height]: [u32; 2], pixel: u32) -> u64 {
        u64::from(padded_row(width, pixel)) * u64::from(height)
    }

    /// Room for `count` pictures.
    pub(super) fn new(gpu: &Gpu, size: [u32; 2], pixel: u32, count: usize) -> Self {
        let bytes = Self::picture_bytes(size, pixel) * count as u64;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Self { buffer: allocate(gpu, bytes, usage), size, pixel }
    }

    /// Whether there is room for so many pictures of this kind.
    pub(super) fn fits(&self, size: [u32; 2], pixel: u32, count: usize) -> bool {
        (self.size, self.pixel) == (size, pixel)
            && self.buffer.size() >= Self::picture_bytes(size, pixel) * count as u64
    }

    /// Adds the copy of a picture to the stack at an index.
    pub(super) fn push(&self, commands: &mut wgpu::CommandEncoder, texture: &wgpu::Texture, index: usize) {
        let offset = Self::picture_bytes(self.size, self.pixel) * index as u64;
        copy_to(commands, texture, &self.buffer, offset, padded_row(self.size[0], self.pixel));
    }

    /// Waits for the first `count` pictures and shows each row.
    pub(super) fn read(
        &self,
        gpu: &Gpu,
        count: usize,
        mut each_row: impl FnMut(&[u8]),
    ) -> Result<(), RenderError> {
        let bytes = Self::picture_bytes(self.size, self.pixel) * count as u64;
        let used = (self.pixel * self.size[0]) as usize;
        let row = padded_row(self.size[0], self.pixel);
        read_rows(gpu, &self.buffer, bytes, row, |row| each_row(&row[..used]))
    }
}

/// Appends red, green and blue of pixels that have an opacity too.
pub(super) fn append_rgb(rgb: &mut Vec<u8>, rgba: &[u8]) {
    let at = rgb.len();
    rgb.resize(at + rgba.len() / 4 * 3, 0);
    for (to, from) in rgb[at..].chunks_exact_mut(3).zip(rgba.chunks_exact(4)) {
        to.copy_from_slice(&from[..3]);
    }
}

/// Bytes of a row in a buffer: a multiple of what copies need.
fn padded_row(width: u32, pixel: u32) -> u32 {
    (width * pixel).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
