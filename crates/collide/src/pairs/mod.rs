//! Analytic narrow phase: one file per pair family, one typed function per pair of shapes.
//!
//! Every function appends its contacts to `out`. Shape 1 is always the one named first; the normal points
//! from shape 1 to shape 2, `dist` is negative in penetration, and `pos` lies midway between the two
//! surfaces. Contacts farther apart than `margin` are not reported. Shapes are given by a
//! [`Pose`](crate::Pose) and their sizes in metres. Inputs that are not finite give either no contact or a
//! contact that is not finite; [`collide`](crate::collide) drops the latter.
//!
//! ```
//! use kinetree_collide::{Pose, pairs::sphere_sphere};
//! use kinetree_math::{Mat3, Vec3};
//!
//! let at = |x: f64| Pose { pos: Vec3::new(x, 0.0, 0.0), mat: Mat3::identity() };
//! let mut contacts = Vec::new();
//! sphere_sphere(&at(0.0), 1.0, &at(1.5), 1.0, 0.0, &mut contacts);
//! assert!((contacts[0].dist + 0.5).abs() < 1e-12 && contacts[0].normal == Vec3::x());
//! ```

mod box_box;
mod box_clip;
mod capsule_box;
mod capsule_capsule;
mod plane_box;
mod plane_convex;
mod plane_cylinder;
mod plane_mesh_face;
mod plane_sphere;
mod sphere_box;
mod sphere_cylinder;
mod sphere_sphere;
mod triangle;

pub use box_box::box_box;
pub use box_clip::box_box_clipped;
pub use capsule_box::capsule_box;
pub use capsule_capsule::{capsule_capsule, capsule_capsule_ordered};
pub use plane_box::plane_box;
pub use plane_convex::{plane_ellipsoid, plane_mesh};
pub use plane_cylinder::plane_cylinder;
pub use plane_mesh_face::plane_mesh_face;
pub use plane_sphere::{plane_capsule, plane_sphere};
pub use sphere_box::sphere_box;
pub use sphere_cylinder::sphere_cylinder;
pub use sphere_sphere::{sphere_capsule, sphere_sphere};
pub use triangle::{Triangle, box_triangle, capsule_triangle, sphere_triangle};
