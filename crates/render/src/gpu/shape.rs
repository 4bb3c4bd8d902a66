//! Names of the shapes whose triangles are on the device.

/// A shape whose triangles are on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Shape {
    /// Sphere of radius 1.
    Sphere,
    /// Upper half of a sphere around (0, 0, 1).
    Top,
    /// Lower half of a sphere around (0, 0, −1).
    Bottom,
    /// Cylinder of radius 1 and half length 1.
    Cylinder,
    /// Its side alone.
    OpenCylinder,
    /// Cone of radius 1 and height 1.
    Cone,
    /// Box of half sizes 1.
    Box,
    /// Square of half size 1.
    Square,
    /// Half of the unit square.
    Triangle,
    /// Line along z from 0 to 1.
    Line,
    /// Haze over the horizon.
    Haze,
    /// A plane of the model, by its order among the planes.
    Plane(usize),
    /// The cells of such a plane that can be seen.
    VisiblePlane(usize),
    /// A mesh (twice its id) or its hull (one more).
    Mesh(usize),
    /// A height field.
    HeightField(usize),
    /// Triangles that the scene brings along, by their order.
    Deformed(usize),
}
