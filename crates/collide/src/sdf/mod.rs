//! Signed distance fields: those of primitive shapes and of meshes in octrees, contacts between fields and of
//! triangles with a field, and rays.
//!
//! Two fields touch where their intersection is not empty; `separation` proves that solids are separated.
//! Descents from points spread over the overlap of the two bounding boxes look for it (`pair`); triangles
//! of a mesh or of a deformable surface are searched one by one by the Frank–Wolfe method (`triangle`).
//!
//! ```
//! use kinetree_collide::Kind;
//! use kinetree_collide::sdf::PrimitiveField;
//! use kinetree_math::{Vec3, field::SignedDistance};
//!
//! let ball = PrimitiveField::new(Kind::Sphere, [0.5, 0.0, 0.0]).ok_or("no field")?;
//! assert!((ball.distance(&Vec3::new(0.0, 0.0, 2.0)) - 1.5).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod descent;
mod objective;
mod octree;
mod pair;
mod primitive;
mod ray;
mod separation;
mod settings;
mod triangle;

pub use octree::OctreeField;
pub use pair::{FieldShape, collide_fields};
pub use primitive::PrimitiveField;
pub use ray::ray_field;
pub use settings::DescentSettings;
pub use triangle::{FieldBody, TriangleCandidate, collide_mesh_field, deepest_in_triangles};

use crate::ContactPoint;
use kinetree_math::field::SignedDistance;
use kinetree_math::lanes::Lane;
use kinetree_math::rot::{make_frame, mat_to_quat, normalize3, pose_mul, pose_neg, quat_rotate, quat_to_mat};
use kinetree_math::{MINVAL, Mat3, Quat, Vec3};
use wide::f64x4;

/// Distances from here on stand for "no contact".
const FAR: f64 = 1e10;
/// Most contacts of a pair that is searched triangle by triangle.
const MAX_CANDIDATES: usize = 50;

/// A rigid map between two frames.
#[derive(Clone, Copy, Debug)]
struct Map {
    pos: Vec3,
    mat: Mat3,
}

impl Map {
    /// The map from the frame at one pose to that at another.
    fn between(from: (&Vec3, &Quat), to: (&Vec3, &Quat)) -> Self {
        let (pos, quat) = pose_neg(to.0, to.1);
        let (pos, quat) = pose_mul(&pos, &quat, from.0, from.1);
        Self { pos, mat: quat_to_mat(&quat) }
    }

    #[inline]
    fn point(&self, x: &Vec3) -> Vec3 {
        self.mat * x + self.pos
    }

    /// Maps four points, given by their coordinates.
    #[inline]
    fn points(&self, points: &[Lane; 3]) -> [Lane; 3] {
        let [x, y, z] = points.map(f64x4::new);
        std::array::from_fn(|i| {
            (self.mat[(i, 0)] * x + self.mat[(i, 1)] * y + self.mat[(i, 2)] * z + self.pos[i]).to_array()
        })
    }
}

/// Bounds of a box in another frame: minimum and maximum.
fn bounds(aabb: &[f64; 6], map: Option<&Map>) -> [Vec3; 2] {
    let mut limits = [Vec3::repeat(FAR), Vec3::repeat(-FAR)];
    for corner in 0..8 {
        let at = |k: usize| if corner >> k & 1 != 0 { aabb[k] + aabb[3 + k] } else { aabb[k] - aabb[3 + k] };
        let corner = Vec3::new(at(0), at(1), at(2));
        let corner = map.map_or(corner, |map| map.point(&corner));
        limits = [limits[0].inf(&corner), limits[1].sup(&corner)];
    }
    limits
}

/// Element `index` of the Halton sequence in a base: points that fill an interval evenly.
fn halton<const BASE: usize>(index: usize) -> f64 {
    let (mut rest, mut digit, mut sum) = (index, 1.0 / BASE as f64, 0.0);
    while rest > 0 {
        sum += digit * (rest % BASE) as f64;
        rest /= BASE;
        digit /= BASE as f64;
    }
    sum
}

/// Appends the contact at a point of the frame of a field, unless there is one; the normal is the gradient
/// there, with a sign. The axes are made orthonormal here and once more with the contact's frame, which
/// decides about their last bits.
fn add_point(
    known: &mut Vec<Vec3>,
    point: &Vec3,
    dist: f64,
    gradient: impl FnOnce() -> Vec3,
    sign: f64,
    pose: (&Vec3, &Quat),
    out: &mut Vec<ContactPoint>,
) {
    if dist > 0.0 || known.iter().any(|other| (point - other).norm() < MINVAL) {
        return;
    }
    let mut normal = gradient();
    if normalize3(&mut normal) < MINVAL {
        return;
    }
    known.push(*point);
    let Ok(frame) = make_frame(&quat_rotate(pose.1, &(normal * sign)), None) else { return };
    let (normal, tangent) =
        (Vec3::new(frame[0], frame[1], frame[2]), Vec3::new(frame[3], frame[4], frame[5]));
    let pos = quat_rotate(pose.1, point) + pose.0 + normal * (-dist / 2.0);
    out.push(ContactPoint { dist, pos, normal, tangent });
}

/// Orientation of a pose as a quaternion.
fn quat_of(mat: &Mat3) -> Quat {
    mat_to_quat(mat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halton_sequences_reverse_digits() {
        let base2: Vec<f64> = (0..5).map(halton::<2>).collect();
        assert_eq!(base2, [0.0, 0.5, 0.25, 0.75, 0.125]);
        assert!((halton::<3>(5) - (2.0 / 3.0 + 1.0 / 9.0)).abs() < 1e-15);
    }
}
