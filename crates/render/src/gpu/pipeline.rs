//! Compiled pipelines, made when a scene first needs them and kept with the device.

use super::layout::{Glyph, Instance, Vertex};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Largest number of lights, and of lights with shadows.
pub(super) const MAX_LIGHTS: usize = 8;
/// Pixels of colour pictures.
pub(super) const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Pixels of sensor pictures: object and the bits of the distance. Depth textures cannot be copied
/// everywhere.
pub(super) const SENSOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg32Uint;
/// Depth where no stencil is needed.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// What a pipeline writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Colours of triangles.
    Color,
    /// The stencil of a mirror.
    Stencil,
    /// Depth seen from a light.
    Shadow,
    /// Objects and distances.
    Sensor,
    /// Letters and rectangles on the screen.
    Text,
}

/// How colours meet what was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Blend {
    /// They replace it.
    Replace,
    /// They are added.
    Add,
    /// They cover it by their opacity.
    Over,
    /// They are added by their opacity.
    Glow,
}

/// Where texture coordinates come from; the values are those of the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Mapping {
    /// No texture.
    None = 0,
    /// Position in the plane of x and y.
    Plane = 1,
    /// Texture coordinates of vertices.
    Explicit = 2,
    /// Direction from the centre.
    Cube = 3,
    /// Direction from the camera.
    Sky = 4,
    /// The same, without mipmaps.
    NearSky = 5,
}

/// How light counts; the values are those of the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Shading {
    /// All lights.
    Lit = 0,
    /// The colour alone.
    Plain = 1,
    /// The colour with the opacity of vertices.
    Fading = 2,
}

/// Which sides of triangles are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Cull {
    /// None.
    Never,
    /// Those that face away.
    Back,
    /// Those that face the camera.
    Front,
}

/// Everything that tells one pipeline from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PipelineKey {
    pub(super) stage: Stage,
    pub(super) mapping: Mapping,
    pub(super) shading: Shading,
    pub(super) blend: Blend,
    pub(super) cull: Cull,
    /// Whether the shape is a line, which is made as wide as it should be on the screen.
    pub(super) line: bool,
    /// Whether this is the mirror image.
    pub(super) mirrored: bool,
    /// Whether only what is in front of the mirror is kept of it.
    pub(super) clipped: bool,
    /// Whether the target has a stencil.
    pub(super) stencil: bool,
    /// Whether triangles are drawn as outlines.
    pub(super) outline: bool,
    /// Number of lights whose shadows fall on the shape.
    pub(super) shadows: u8,
    /// Samples per pixel.
    pub(super) samples: u8,
}

/// Layouts of the device, its shaders and the pipelines made so far.
#[derive(Debug)]
pub(super) struct PipelineCache {
    /// Layout of the camera and lights.
    pub(super) view_layout: wgpu::BindGroupLayout,
    /// Layout of textures.
    pub(super) texture_layout: wgpu::BindGroupLayout,
    /// Layout of shadow maps.
    pub(super) shadow_layout: wgpu::BindGroupLayout,
    depth_format: wgpu::TextureFormat,
    shaders: Mutex<HashMap<u8, wgpu::ShaderModule>>,
    pipelines: Mutex<HashMap<PipelineKey, wgpu::RenderPipeline>>,
}

impl PipelineCache {
    /// Layouts for a device; pipelines come later.
    pub(super) fn new(device: &wgpu::Device, depth_format: wgpu::TextureFormat) -> Self {
        Self {
            view_layout: view_layout(device),
            texture_layout: texture_layout(device),
            shadow_layout: shadow_layout(device),
            depth_format,
            shaders: Mutex::default(),
            pipelines: Mutex::default(),
        }
    }

    /// The pipeline for a key.
    pub(super) fn get(&self, device: &wgpu::Device, key: PipelineKey) -> wgpu::RenderPipeline {
        let mut pipelines = self.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        pipelines.entry(key).or_insert_with(|| self.make(device, key)).clone()
    }

    /// The shader for a number of lights with shadows.
    fn shader(&self, device: &wgpu::Device, shadows: u8) -> wgpu::ShaderModule {
        let mut shaders = self.shaders.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("shapes"),
                source: wgpu::ShaderSource::Wgsl(shader_source(shadows).into()),
            })
        };
        shaders.entry(shadows).or_insert_with(make).clone()
    }

    fn make(&self, device: &wgpu::Device, key: PipelineKey) -> wgpu::RenderPipeline {
        let shader = self.shader(device, key.shadows);
        let groups = [Some(&self.view_layout), Some(&self.texture_layout), Some(&self.shadow_layout)];
        let used = match key.stage {
            Stage::Color if key.shadows > 0 => 3,
            Stage::Color | Stage::Text => 2,
            Stage::Shadow | Stage::Stencil | Stage::Sensor => 1,
        };
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &groups[..used],
            immediate_size: 0,
        });
        let (vertex, fragment) = entry_points(key);
        let constants = [
            ("TEXTURE", f64::from(key.mapping as u8)),
            ("SHADING", f64::from(key.shading as u8)),
            ("CLIPPED", f64::from(u8::from(key.clipped))),
        ];
        let options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
        let buffers = vertex_buffers(key.stage);
        let target = color_target(key);
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(vertex),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &shader,
                entry_point: Some(vertex),
                compilation_options: options.clone(),
                buffers: &buffers,
            },
            primitive: primitive(key),
            depth_stencil: Some(self.depth_stencil(key)),
            multisample: wgpu::MultisampleState { count: u32::from(key.samples), ..Default::default() },
            fragment: fragment.map(|entry| wgpu::FragmentState {
                module: &shader,
                entry_point: Some(entry),
                compilation_options: options,
                targets: std::slice::from_ref(&target),
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// Depth is reversed: 1 at the near plane and 0 at the far one, which spreads precision evenly.
    fn depth_stencil(&self, key: PipelineKey) -> wgpu::DepthStencilState {
        let tested = !matches!(key.stage, Stage::Stencil | Stage::Text);
        let compare =
            if tested { wgpu::CompareFunction::GreaterEqual } else { wgpu::CompareFunction::Always };
        let written = tested && matches!(key.blend, Blend::Replace | Blend::Add);
        let face = match key.stage {
            Stage::Stencil => stencil(wgpu::CompareFunction::Always, wgpu::StencilOperation::Replace),
            _ if key.mirrored && key.stencil => {
                stencil(wgpu::CompareFunction::Equal, wgpu::StencilOperation::Keep)
            }
            _ => wgpu::StencilFaceState::IGNORE,
        };
        // shadow maps lie a little behind the surface, so that it does not shade itself
        let bias = if key.stage == Stage::Shadow {
            wgpu::DepthBiasState { constant: -4, slope_scale: -1.5, clamp: 0.0 }
        } else {
            wgpu::DepthBiasState::default()
        };
        wgpu::DepthStencilState {
            format: if key.stencil { self.depth_format } else { DEPTH_FORMAT },
            // haze is transparent, but hides what would be drawn behind it later
            depth_write_enabled: Some(written || key.shading == Shading::Fading),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState { front: face, back: face, read_mask: 0xFF, write_mask: 0xFF },
            bias,
        }
    }
}

/// The shader with one interpolant and one test for each light with shadows.
fn shader_source(shadows: u8) -> String {
    let mut source = String::new();
    for line in include_str!("shader.wgsl").lines() {
        match line.trim_start().strip_prefix("//@slot ") {
            Some(repeated) => {
                for slot in 0..shadows {
                    let location = (slot + 3).to_string();
                    source.push_str(&repeated.replace("$N", &slot.to_string()).replace("$L", &location));
                    source.push('\n');
                }
            }
            None => {
                source.push_str(line);
                source.push('\n');
            }
        }
    }
    source
}

fn entry_points(key: PipelineKey) -> (&'static str, Option<&'static str>) {
    match (key.stage, key.line) {
        (Stage::Color, false) => ("vs_lit", Some("fs_lit")),
        (Stage::Color, true) => ("vs_line", Some("fs_lit")),
        (Stage::Sensor, false) => ("vs_sensor", Some("fs_sensor")),
        (Stage::Sensor, true) => ("vs_line_sensor", Some("fs_sensor")),
        (Stage::Shadow, _) => ("vs_shadow", None),
        (Stage::Stencil, _) => ("vs_shadow", Some("fs_stencil")),
        (Stage::Text, _) => ("vs_text", Some("fs_text")),
    }
}

fn vertex_buffers(stage: Stage) -> Vec<Option<wgpu::VertexBufferLayout<'static>>> {
    const VERTEX: [wgpu::VertexAttribute; 3] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2];
    const INSTANCE: [wgpu::VertexAttribute; 7] = wgpu::vertex_attr_array![
        3 => Float32x4, 4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Float32x4, 8 => Float32x3, 9 => Uint32
    ];
    const GLYPH: [wgpu::VertexAttribute; 3] =
        wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32x4];
    let layout = |size: usize, step_mode, attributes| {
        Some(wgpu::VertexBufferLayout { array_stride: size as u64, step_mode, attributes })
    };
    if stage == Stage::Text {
        return vec![layout(size_of::<Glyph>(), wgpu::VertexStepMode::Instance, &GLYPH)];
    }
    vec![
        layout(size_of::<Vertex>(), wgpu::VertexStepMode::Vertex, &VERTEX),
        layout(size_of::<Instance>(), wgpu::VertexStepMode::Instance, &INSTANCE),
    ]
}

fn color_target(key: PipelineKey) -> Option<wgpu::ColorTargetState> {
    let factors = |src_factor, dst_factor| {
        let component = wgpu::BlendComponent { src_factor, dst_factor, operation: wgpu::BlendOperation::Add };
        Some(wgpu::BlendState { color: component, alpha: component })
    };
    let (format, blend) = match (key.stage, key.blend) {
        (Stage::Sensor, _) => (SENSOR_FORMAT, None),
        (_, Blend::Replace) => (COLOR_FORMAT, None),
        (_, Blend::Add) => (COLOR_FORMAT, factors(wgpu::BlendFactor::One, wgpu::BlendFactor::One)),
        (_, Blend::Over) => {
            (COLOR_FORMAT, factors(wgpu::BlendFactor::SrcAlpha, wgpu::BlendFactor::OneMinusSrcAlpha))
        }
        (_, Blend::Glow) => (COLOR_FORMAT, factors(wgpu::BlendFactor::SrcAlpha, wgpu::BlendFactor::One)),
    };
    let write_mask =
        if key.stage == Stage::Stencil { wgpu::ColorWrites::empty() } else { wgpu::ColorWrites::ALL };
    Some(wgpu::ColorTargetState { format, blend, write_mask })
}

fn primitive(key: PipelineKey) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState {
        topology: match key.stage {
            Stage::Text => wgpu::PrimitiveTopology::TriangleStrip,
            _ => wgpu::PrimitiveTopology::TriangleList,
        },
        // a mirror reverses the winding of triangles
        front_face: if key.mirrored { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw },
        cull_mode: match key.cull {
            Cull::Never => None,
            Cull::Back => Some(wgpu::Face::Back),
            Cull::Front => Some(wgpu::Face::Front),
        },
        polygon_mode: if key.outline { wgpu::PolygonMode::Line } else { wgpu::PolygonMode::Fill },
        ..Default::default()
    }
}

fn stencil(compare: wgpu::CompareFunction, operation: wgpu::StencilOperation) -> wgpu::StencilFaceState {
    wgpu::StencilFaceState { compare, fail_op: operation, depth_fail_op: operation, pass_op: operation }
}

fn view_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let ty = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: true,
        min_binding_size: None,
    };
    group_layout(device, "view", &[(wgpu::ShaderStages::VERTEX_FRAGMENT, ty)])
}

fn texture_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let texture = |view_dimension| wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let kinds = [texture(wgpu::TextureViewDimension::D2), texture(wgpu::TextureViewDimension::Cube), sampler];
    group_layout(device, "textures", &kinds.map(|ty| (wgpu::ShaderStages::FRAGMENT, ty)))
}

fn shadow_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let maps = wgpu::BindingType::Texture {
        // compared in the shader: OpenGL would need another kind of sampler for comparisons
        sample_type: wgpu::TextureSampleType::Float { filterable: false },
        view_dimension: wgpu::TextureViewDimension::D2Array,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering);
    group_layout(device, "shadows", &[maps, sampler].map(|ty| (wgpu::ShaderStages::FRAGMENT, ty)))
}

fn group_layout(
    device: &wgpu::Device,
    label: &str,
    bindings: &[(wgpu::ShaderStages, wgpu::BindingType)],
) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = bindings
        .iter()
        .zip(0..)
        .map(|(&(visibility, ty), binding)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        })
        .collect();
    device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}
