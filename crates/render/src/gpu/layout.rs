//! What the shader reads per vertex, per shape and per letter.

/// Factor from the shininess of materials to the exponent of specular reflection.
pub(super) const SHININESS: f32 = 128.0;

/// A corner of a triangle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Vertex {
    /// Position in the frame of the shape.
    pub(super) pos: [f32; 3],
    /// Normal; need not be of unit length.
    pub(super) normal: [f32; 3],
    /// Texture coordinates; of haze the opacity.
    pub(super) uv: [f32; 2],
}

impl Vertex {
    /// A vertex without texture coordinates.
    pub(super) fn new(pos: [f32; 3], normal: [f32; 3]) -> Self {
        Self { pos, normal, uv: [0.0; 2] }
    }
}

/// Rows of an affine map from the frame of a shape to the world.
pub(super) type Affine = [[f32; 4]; 3];

/// What the vertex shader reads once per shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Instance {
    /// Pose and size.
    pub(super) affine: Affine,
    /// Colour and opacity.
    pub(super) rgba: [f32; 4],
    /// Emission, specular reflection, exponent of shininess; width of a line in pixels.
    pub(super) material: [f32; 4],
    /// Factors from positions to texture coordinates.
    pub(super) texscale: [f32; 3],
    /// Object in sensor pictures, 0 for none.
    pub(super) id: u32,
}

/// A letter or a rectangle on the screen.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Glyph {
    /// Left, top, width and height in pixels.
    pub(super) rect: [f32; 4],
    /// The same in the picture of all letters, from 0 to 1.
    pub(super) cell: [f32; 4],
    /// Colour and opacity.
    pub(super) rgba: [f32; 4],
}
