//! The shapes that a geom of the scene is made of, and where they are.

use super::layout::Affine;
use super::shape::Shape;
use crate::scene::MjvGeom;
use kinetree_model::enums::GeomType;

/// Width of the lines of a box, relative to other lines.
const LINEBOX_WIDTH: f32 = 1.5;
/// Radius of an arrow's head, relative to its shaft.
const HEAD_RADIUS: f32 = 1.75;

/// A shape with its pose in the frame of the geom: factors along the axes, and a shift along z before the
/// pose of the geom.
struct Part {
    shape: Shape,
    scale: [f32; 3],
    shift: [f32; 3],
}

/// Calls `add` for each shape that a geom consists of, with its pose in the world and the width of its
/// lines.
///
/// Flexes and skins are not made of shapes: their triangles are those of the scene.
pub(super) fn for_each_shape(geom: &MjvGeom, mut add: impl FnMut(Shape, Affine, f32)) {
    let [x, y, z] = geom.size;
    let mut part = |shape, scale, shift| add_part(geom, &Part { shape, scale, shift }, 1.0, &mut add);
    let Ok(kind) = GeomType::try_from(geom.type_) else { return };
    match kind {
        GeomType::Plane => match usize::try_from(geom.dataid) {
            Ok(id) => part(Shape::Plane(id), [1.0; 3], [0.0; 3]),
            Err(_) => part(Shape::Square, [x, y, 1.0], [0.0; 3]),
        },
        GeomType::Hfield => {
            if let Ok(id) = usize::try_from(geom.dataid) {
                part(Shape::HeightField(id), [1.0; 3], [0.0; 3]);
            }
        }
        GeomType::Mesh | GeomType::Sdf => {
            if let Ok(id) = usize::try_from(geom.dataid) {
                part(Shape::Mesh(id), [1.0; 3], [0.0; 3]);
            }
        }
        GeomType::Sphere | GeomType::Ellipsoid => part(Shape::Sphere, geom.size, [0.0; 3]),
        GeomType::Cylinder => part(Shape::Cylinder, geom.size, [0.0; 3]),
        GeomType::Box => part(Shape::Box, geom.size, [0.0; 3]),
        GeomType::Triangle => part(Shape::Triangle, [x, y, 1.0], [0.0; 3]),
        GeomType::Capsule => {
            let radius = 0.5 * (x + y);
            part(Shape::OpenCylinder, geom.size, [0.0; 3]);
            part(Shape::Top, [x, y, radius], [0.0, 0.0, z - radius]);
            part(Shape::Bottom, [x, y, radius], [0.0, 0.0, radius - z]);
        }
        GeomType::Arrow | GeomType::Arrow1 => {
            let head = if kind == GeomType::Arrow { HEAD_RADIUS } else { 1.0 };
            part(Shape::Cylinder, [x, y, z / 6.0], [0.0, 0.0, z / 6.0]);
            part(Shape::Cone, [head * x, head * y, z / 6.0], [0.0, 0.0, z / 3.0]);
        }
        GeomType::Arrow2 => {
            part(Shape::OpenCylinder, [x, y, z / 3.0], [0.0; 3]);
            part(Shape::Cone, [HEAD_RADIUS * x, HEAD_RADIUS * y, z / 6.0], [0.0, 0.0, z / 3.0]);
            part(Shape::Cone, [HEAD_RADIUS * x, -HEAD_RADIUS * y, -z / 6.0], [0.0, 0.0, -z / 3.0]);
        }
        GeomType::Line => {
            add_part(geom, &Part { shape: Shape::Line, scale: [1.0, 1.0, z], shift: [0.0; 3] }, x, &mut add);
        }
        GeomType::Linebox => add_box_edges(geom, &mut add),
        GeomType::Flex | GeomType::Skin | GeomType::Label | GeomType::None => {}
    }
}

/// The pose of a part: columns of the rotation times the factors, and the position of its origin.
fn add_part(geom: &MjvGeom, part: &Part, width: f32, add: &mut impl FnMut(Shape, Affine, f32)) {
    let m = &geom.mat;
    let affine = [0, 1, 2].map(|r| {
        let row = [m[3 * r], m[3 * r + 1], m[3 * r + 2]];
        let shift = row[0] * part.shift[0] + row[1] * part.shift[1] + row[2] * part.shift[2];
        [row[0] * part.scale[0], row[1] * part.scale[1], row[2] * part.scale[2], geom.pos[r] + shift]
    });
    add(part.shape, affine, width);
}

/// The twelve edges of a box as lines.
fn add_box_edges(geom: &MjvGeom, add: &mut impl FnMut(Shape, Affine, f32)) {
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (su, sv) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let mut from = [0.0; 3];
            from[axis] = -geom.size[axis];
            from[u] = su * geom.size[u];
            from[v] = sv * geom.size[v];
            let affine = [0, 1, 2].map(|r| {
                let row = [geom.mat[3 * r], geom.mat[3 * r + 1], geom.mat[3 * r + 2]];
                let at = geom.pos[r] + row[0] * from[0] + row[1] * from[1] + row[2] * from[2];
                // only the z column matters to a line: from its start to its end
                [0.0, 0.0, 2.0 * geom.size[axis] * row[axis], at]
            });
            add(Shape::Line, affine, LINEBOX_WIDTH);
        }
    }
}
