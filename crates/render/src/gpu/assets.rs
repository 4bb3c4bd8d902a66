//! What a model brings to the device once: triangles of all its shapes in one buffer, and its textures.

use super::detail::Detail;
use super::device::Gpu;
use super::error::RenderError;
use super::layout::Vertex;
use super::shape::Shape;
use super::surfaces;
use super::tessellate::{self, Quality, Surface};
use super::texture::Textures;
use super::visible::PlaneGrid;
use kinetree_model::Model;
use std::collections::HashMap;
use std::ops::Range;
use wgpu::util::DeviceExt;

/// Number of shapes that every model has.
const BUILTIN: usize = 11;

/// Vertex and index buffers with the range of each shape in them.
#[derive(Debug)]
pub(super) struct Assets {
    pub(super) vertices: wgpu::Buffer,
    pub(super) indices: wgpu::Buffer,
    pub(super) textures: Textures,
    ranges: Vec<Range<u32>>,
    /// How the planes of the model are divided.
    pub(super) grids: Vec<PlaneGrid>,
    meshes: usize,
    /// How finely the model divides shapes.
    pub(super) quality: Quality,
}

impl Assets {
    /// Uploads the shapes and textures of a model.
    pub(super) fn new(gpu: &Gpu, model: &Model) -> Result<Self, RenderError> {
        let mut all = Surface::default();
        let mut ranges = Vec::new();
        let mut push = |surface: &Surface| {
            let (base, first) = (all.vertices.len() as u32, all.indices.len() as u32);
            all.vertices.extend_from_slice(&surface.vertices);
            // browsers know no base vertex, so it is part of the indices
            all.indices.extend(surface.indices.iter().map(|i| i + base));
            ranges.push(first..all.indices.len() as u32);
            base
        };
        let quality = Quality::of(&model.vis.quality);
        for detail in Detail::all() {
            builtin(model, detail.quality(quality)).iter().for_each(|surface| _ = push(surface));
        }
        let mut grids = Vec::new();
        for (x, y) in surfaces::planes(model) {
            let first_vertex = push(&tessellate::level_grid(&x, &y));
            grids.push(PlaneGrid { x, y, first_vertex });
        }
        for id in 0..model.nmesh {
            push(&welded(&surfaces::mesh(model, id)));
            push(&surfaces::hull(model, id));
        }
        for id in 0..model.nhfield {
            push(&welded(&surfaces::height_field(model, id)));
        }
        check_size(gpu, &all)?;
        let buffer = |label, contents, usage| {
            gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            })
        };
        Ok(Self {
            vertices: buffer("vertices", bytemuck::cast_slice(&all.vertices), wgpu::BufferUsages::VERTEX),
            indices: buffer("indices", bytemuck::cast_slice(&all.indices), wgpu::BufferUsages::INDEX),
            textures: Textures::new(gpu, model)?,
            ranges,
            grids,
            meshes: model.nmesh,
            quality,
        })
    }

    /// Indices of a shape, empty for what the model does not have or the scene brings along.
    pub(super) fn range(&self, shape: Shape, detail: Detail) -> Range<u32> {
        self.index(shape, detail).and_then(|index| self.ranges.get(index)).cloned().unwrap_or(0..0)
    }

    /// Index of a shape in the list of ranges: shapes of every model in all details, then planes, meshes and
    /// height fields.
    fn index(&self, shape: Shape, detail: Detail) -> Option<usize> {
        let planes = self.grids.len();
        let first = Detail::all().count() * BUILTIN;
        let builtin = match shape {
            Shape::Sphere => 0,
            Shape::Top => 1,
            Shape::Bottom => 2,
            Shape::Cylinder => 3,
            Shape::OpenCylinder => 4,
            Shape::Cone => 5,
            Shape::Box => 6,
            Shape::Square => 7,
            Shape::Triangle => 8,
            Shape::Line => 9,
            Shape::Haze => 10,
            Shape::Plane(i) if i < planes => return Some(first + i),
            Shape::Mesh(i) if i < 2 * self.meshes => return Some(first + planes + i),
            Shape::HeightField(i) => return Some(first + planes + 2 * self.meshes + i),
            Shape::Plane(_) | Shape::Mesh(_) | Shape::VisiblePlane(_) | Shape::Deformed(_) => return None,
        };
        Some(detail.index() * BUILTIN + builtin)
    }
}

/// The shapes that every model has, in the order of [`Shape`].
fn builtin(model: &Model, q: Quality) -> [Surface; BUILTIN] {
    [
        tessellate::sphere(q),
        tessellate::half_sphere(q, 1.0),
        tessellate::half_sphere(q, -1.0),
        tessellate::cylinder(q),
        tessellate::open_cylinder(q),
        tessellate::cone(q),
        tessellate::cuboid(q),
        tessellate::square(q),
        tessellate::right_triangle(),
        tessellate::line_strip(),
        tessellate::haze(q, model.vis.map.haze),
    ]
}

/// The same triangles with equal corners shared, so that each is lit once.
fn welded(surface: &Surface) -> Surface {
    let mut known: HashMap<[u32; 8], u32> = HashMap::with_capacity(surface.vertices.len() / 2);
    let mut out = Surface::default();
    let mut weld = |vertex: &Vertex| {
        let bits: [u32; 8] = bytemuck::cast(*vertex);
        *known.entry(bits).or_insert_with(|| {
            out.vertices.push(*vertex);
            out.vertices.len() as u32 - 1
        })
    };
    let index: Vec<u32> = surface.vertices.iter().map(&mut weld).collect();
    out.indices = surface.indices.iter().map(|&i| index[i as usize]).collect();
    out
}

fn check_size(gpu: &Gpu, all: &Surface) -> Result<(), RenderError> {
    let bytes = size_of_val(all.vertices.as_slice()).max(size_of_val(all.indices.as_slice())) as u64;
    let limit = gpu.device.limits().max_buffer_size;
    if bytes > limit {
        let reason = format!(
            "{} triangles need {bytes} bytes, and buffers have at most {limit}",
            all.indices.len() / 3
        );
        return Err(RenderError::Asset { what: "the surface of the model".into(), reason });
    }
    Ok(())
}
