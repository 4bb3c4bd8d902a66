//! Choice of the narrow-phase function for a pair of shapes.

use kinetree_math::Vec3;

use crate::contact::drop_invalid;
use crate::gjk::{CcdScratch, CcdSettings, convex_convex};
use crate::hfield::hfield_convex;
use crate::{ContactPoint, Kind, MeshShape, Placed, Pose, Shape, pairs};

impl Shape<'_> {
    /// What kind of shape it is.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Plane => Kind::Plane,
            Self::HeightField(_) => Kind::HeightField,
            Self::Sphere { .. } => Kind::Sphere,
            Self::Capsule { .. } => Kind::Capsule,
            Self::Ellipsoid { .. } => Kind::Ellipsoid,
            Self::Cylinder { .. } => Kind::Cylinder,
            Self::Box { .. } => Kind::Box,
            Self::Mesh(_) => Kind::Mesh,
        }
    }

    /// The numbers that describe a shape without data of its own, as [`collide_simple`] takes them.
    #[inline]
    fn size(&self) -> [f64; 3] {
        match *self {
            Self::Plane | Self::HeightField(_) | Self::Mesh(_) => [0.0; 3],
            Self::Sphere { radius } => [radius, 0.0, 0.0],
            Self::Capsule { radius, half_length } | Self::Cylinder { radius, half_length } => {
                [radius, half_length, 0.0]
            }
            Self::Ellipsoid { semi_axes } => semi_axes.into(),
            Self::Box { half } => half.into(),
        }
    }
}

/// Appends the contacts of two shapes that come within `margin` of each other.
///
/// Shapes given in the other order than their [`Kind`]s are exchanged for the computation, and the normals
/// reversed, so that they always point from `shape1` to `shape2`. Planes and height fields do not collide
/// with each other. Input that is not finite gives no contact.
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
    let exchanged = shape1.kind() > shape2.kind();
    let (low, low_pose, high, high_pose) =
        if exchanged { (shape2, pose2, shape1, pose1) } else { (shape1, pose1, shape2, pose2) };
    let (kinds, sizes) = ([low.kind(), high.kind()], [&low.size(), &high.size()]);
    if !collide_simple(kinds, sizes, low_pose, high_pose, margin, out) {
        collide_searched(low, low_pose, high, high_pose, margin, settings, scratch, out);
    }
    if exchanged {
        out[start..].iter_mut().for_each(|contact| contact.normal = -contact.normal);
    }
}

/// Appends the contacts of two shapes if there is a formula for their kinds, which are given in order;
/// `false` where there is none.
///
/// The sizes are those of a model's geoms: a radius, a radius and half a length, or three half sizes. Poses
/// are asked for only once a formula is chosen, which then takes what it needs of them.
#[inline(always)]
pub fn collide_simple(
    kinds: [Kind; 2],
    [a, b]: [&[f64; 3]; 2],
    placed1: &impl Placed,
    placed2: &impl Placed,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) -> bool {
    let start = out.len();
    match kinds {
        [Kind::Plane, Kind::Sphere] => {
            pairs::plane_sphere(&placed1.pose(), &placed2.pose(), b[0], margin, out);
        }
        [Kind::Plane, Kind::Capsule] => {
            pairs::plane_capsule(&placed1.pose(), &placed2.pose(), b[0], b[1], margin, out);
        }
        [Kind::Plane, Kind::Ellipsoid] => {
            pairs::plane_ellipsoid(&placed1.pose(), &placed2.pose(), &Vec3::from(*b), margin, out);
        }
        [Kind::Plane, Kind::Cylinder] => {
            pairs::plane_cylinder(&placed1.pose(), &placed2.pose(), b[0], b[1], margin, out);
        }
        [Kind::Plane, Kind::Box] => {
            pairs::plane_box(&placed1.pose(), &placed2.pose(), &Vec3::from(*b), margin, out);
        }
        [Kind::Sphere, Kind::Sphere] => {
            pairs::sphere_sphere(&placed1.pose(), a[0], &placed2.pose(), b[0], margin, out);
        }
        [Kind::Sphere, Kind::Capsule] => {
            pairs::sphere_capsule(&placed1.pose(), a[0], &placed2.pose(), b[0], b[1], margin, out);
        }
        [Kind::Sphere, Kind::Cylinder] => {
            pairs::sphere_cylinder(&placed1.pose(), a[0], &placed2.pose(), b[0], b[1], margin, out);
        }
        [Kind::Sphere, Kind::Box] => {
            pairs::sphere_box(&placed1.pose(), a[0], &placed2.pose(), &Vec3::from(*b), margin, out);
        }
        [Kind::Capsule, Kind::Capsule] => {
            pairs::capsule_capsule(&placed1.pose(), a[0], a[1], &placed2.pose(), b[0], b[1], margin, out);
        }
        [Kind::Capsule, Kind::Box] => {
            pairs::capsule_box(&placed1.pose(), a[0], a[1], &placed2.pose(), &Vec3::from(*b), margin, out);
        }
        [Kind::Box, Kind::Box] => {
            pairs::box_box(&placed1.pose(), &Vec3::from(*a), &placed2.pose(), &Vec3::from(*b), margin, out);
        }
        _ => return false,
    }
    drop_invalid(out, start);
    true
}

/// As [`collide_simple`], with contacts of boxes and of capsules as they are at reference level 4.0.
#[inline(never)]
pub fn collide_simple_4<P: Placed>(
    kinds: [Kind; 2],
    sizes: [&[f64; 3]; 2],
    placed1: &P,
    placed2: &P,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) -> bool {
    let ([a, b], start) = (sizes, out.len());
    match kinds {
        [Kind::Box, Kind::Box] => {
            let (half1, half2) = (Vec3::from(*a), Vec3::from(*b));
            pairs::box_box_clipped(&placed1.pose(), &half1, &placed2.pose(), &half2, margin, out);
        }
        [Kind::Capsule, Kind::Capsule] => {
            let (pose1, pose2) = (placed1.pose(), placed2.pose());
            pairs::capsule_capsule_ordered(&pose1, a[0], a[1], &pose2, b[0], b[1], margin, out);
        }
        _ => return collide_simple(kinds, sizes, placed1, placed2, margin, out),
    }
    drop_invalid(out, start);
    true
}

/// Appends the contacts of two shapes in the order of their kinds for which [`collide_simple`] has no
/// formula.
pub fn collide_searched(
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
    match (shape1, shape2) {
        (Shape::Plane, Shape::Mesh(mesh)) => {
            return collide_plane_mesh(pose1, pose2, mesh, margin, scratch, out);
        }
        (Shape::Plane, _) => {}
        (Shape::HeightField(field), _) => {
            hfield_convex(field, pose1, shape2, pose2, margin, settings, scratch, out);
        }
        _ => convex_convex(shape1, pose1, shape2, pose2, margin, settings, scratch, out),
    }
    drop_invalid(out, start);
}

/// Appends the contacts of a plane and a mesh, of which the polygons are not needed.
#[inline]
pub fn collide_plane_mesh(
    plane: &Pose,
    pose: &Pose,
    mesh: &MeshShape<'_>,
    margin: f64,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    let start = out.len();
    pairs::plane_mesh(plane, pose, mesh, margin, scratch, out);
    drop_invalid(out, start);
}

/// As [`collide_plane_mesh`], with the corners of a face as at reference level 4.0. The polygons of the mesh
/// are needed.
pub fn collide_plane_mesh_4(
    plane: &Pose,
    pose: &Pose,
    mesh: &MeshShape<'_>,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let start = out.len();
    pairs::plane_mesh_face(plane, pose, mesh, margin, out);
    drop_invalid(out, start);
}
