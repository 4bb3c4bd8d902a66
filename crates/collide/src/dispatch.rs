//! Choice of the narrow-phase function for a pair of shapes.

use kinetree_math::Vec3;

use crate::gjk::{CcdScratch, CcdSettings, convex_convex};
use crate::hfield::hfield_convex;
use crate::{ContactPoint, Pose, Shape, pairs};

impl Shape<'_> {
    /// Place of the shape's kind in the fixed order plane, height field, sphere, capsule, ellipsoid, cylinder, box, mesh. A contact's first
    /// shape is always the one of the lower kind.
    #[must_use]
    pub fn kind_order(&self) -> usize {
        match self {
            Self::Plane => 0,
            Self::HeightField(_) => 1,
            Self::Sphere { .. } => 2,
            Self::Capsule { .. } => 3,
            Self::Ellipsoid { .. } => 4,
            Self::Cylinder { .. } => 5,
            Self::Box { .. } => 6,
            Self::Mesh(_) => 7,
        }
    }
}

/// Appends the contacts of two shapes that come within `margin` of each other.
///
/// Shapes given in the other order than [`Shape::kind_order`] are exchanged for the computation, and the normals turned back, so that they always
/// point from `shape1` to `shape2`. Planes and height fields do not collide with each other. Input that is not finite gives no contact.
pub fn collide(
    shape1: &Shape<'_>,
    pose1: &Pose,
    shape2: &Shape<'_>,
    pose2: &Pose,
    margin: f64,
    settings: &CcdSettings,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    let start = out.len();
    let exchanged = shape1.kind_order() > shape2.kind_order();
    let (low, low_pose, high, high_pose) =
        if exchanged { (shape2, pose2, shape1, pose1) } else { (shape1, pose1, shape2, pose2) };
    collide_ordered(low, low_pose, high, high_pose, margin, settings, scratch, out);
    if out.len() > start {
        drop_invalid(out, start);
        if exchanged {
            out[start..].iter_mut().for_each(|contact| contact.normal = -contact.normal);
        }
    }
}

/// Removes contacts after `start` that are not finite.
#[inline]
fn drop_invalid(out: &mut Vec<ContactPoint>, start: usize) {
    // zero times a sum is zero only when every term is finite
    let finite = |dist: f64, pos: &Vec3, normal: &Vec3| (dist + pos.sum() + normal.sum()) * 0.0 == 0.0;
    let (mut dist, mut pos, mut normal) = (0.0, Vec3::zeros(), Vec3::zeros());
    for contact in &out[start..] {
        dist += contact.dist;
        pos += contact.pos;
        normal += contact.normal;
    }
    if !finite(dist, &pos, &normal) {
        let mut index = 0;
        out.retain(|contact| {
            index += 1;
            index <= start || finite(contact.dist, &contact.pos, &contact.normal)
        });
    }
}

/// The table itself, for shapes in order of their kinds.
#[inline(always)]
fn collide_ordered(
    shape1: &Shape<'_>,
    pose1: &Pose,
    shape2: &Shape<'_>,
    pose2: &Pose,
    margin: f64,
    settings: &CcdSettings,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    match (shape1, shape2) {
        (Shape::Plane, _) => plane_any(pose1, shape2, pose2, margin, scratch, out),
        (Shape::HeightField(field), _) => {
            hfield_convex(field, pose1, shape2, pose2, margin, settings, scratch, out);
        }
        (&Shape::Sphere { radius }, &Shape::Sphere { radius: radius2 }) => {
            pairs::sphere_sphere(pose1, radius, pose2, radius2, margin, out);
        }
        (&Shape::Sphere { radius }, &Shape::Capsule { radius: radius2, half_length }) => {
            pairs::sphere_capsule(pose1, radius, pose2, radius2, half_length, margin, out);
        }
        (&Shape::Sphere { radius }, &Shape::Cylinder { radius: radius2, half_length }) => {
            pairs::sphere_cylinder(pose1, radius, pose2, radius2, half_length, margin, out);
        }
        (&Shape::Sphere { radius }, Shape::Box { half }) => {
            pairs::sphere_box(pose1, radius, pose2, half, margin, out);
        }
        (
            &Shape::Capsule { radius, half_length },
            &Shape::Capsule { radius: radius2, half_length: half_length2 },
        ) => {
            pairs::capsule_capsule(pose1, radius, half_length, pose2, radius2, half_length2, margin, out);
        }
        (&Shape::Capsule { radius, half_length }, Shape::Box { half }) => {
            pairs::capsule_box(pose1, radius, half_length, pose2, half, margin, out);
        }
        (Shape::Box { half }, Shape::Box { half: half2 }) => {
            pairs::box_box(pose1, half, pose2, half2, margin, out);
        }
        _ => convex_convex(shape1, pose1, shape2, pose2, margin, settings, scratch, out),
    }
}

/// Plane against everything that is not a plane or a height field.
#[inline(always)]
fn plane_any(
    plane: &Pose,
    shape: &Shape<'_>,
    pose: &Pose,
    margin: f64,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    match shape {
        Shape::Plane | Shape::HeightField(_) => {}
        &Shape::Sphere { radius } => pairs::plane_sphere(plane, pose, radius, margin, out),
        &Shape::Capsule { radius, half_length } => {
            pairs::plane_capsule(plane, pose, radius, half_length, margin, out);
        }
        Shape::Ellipsoid { semi_axes } => {
            pairs::plane_ellipsoid(plane, pose, semi_axes, margin, out);
        }
        &Shape::Cylinder { radius, half_length } => {
            pairs::plane_cylinder(plane, pose, radius, half_length, margin, out);
        }
        Shape::Box { half } => pairs::plane_box(plane, pose, half, margin, out),
        Shape::Mesh(mesh) => pairs::plane_mesh(plane, pose, mesh, margin, scratch, out),
    }
}
