//! Motions of the two sides of a contact, and of the contact itself.

use kinetree_collide::ContactPoint;
use kinetree_math::Vec3;
use kinetree_math::spatial::Vec6;

/// Motion of a rigid body that carries one side of a contact: velocity of the witness point, and rotation.
#[derive(Clone, Copy)]
pub(crate) struct SideMotion {
    pub(crate) velocity: Vec3,
    pub(crate) rotation: Vec3,
}

impl SideMotion {
    /// No motion.
    pub(crate) const STILL: Self =
        Self { velocity: Vec3::new(0.0, 0.0, 0.0), rotation: Vec3::new(0.0, 0.0, 0.0) };
}

/// Motion of a dof, and which sides of a contact it moves.
pub(crate) struct DofMotion<'a> {
    /// Spatial motion of a unit velocity.
    pub(crate) axis: &'a Vec6,
    pub(crate) moves: [bool; 2],
}

/// Motion of the contact itself.
#[derive(Clone, Copy)]
pub(crate) struct ContactMotion {
    /// Of the contact point.
    pub(crate) point: Vec3,
    /// Rotation of the contact frame.
    pub(crate) rotation: Vec3,
    /// Rate of the distance.
    pub(crate) distance: f64,
    /// Whether it is the same to both sides; at a kink of the narrow phase it is that of one.
    pub(crate) smooth: bool,
}

/// Why the motion of a contact is not known.
pub(crate) type Refusal = &'static str;

/// Rotation of the normal, motion of the point and rate of the distance.
#[derive(Clone, Copy)]
pub(crate) struct NarrowMotion {
    pub(crate) normal: Vec3,
    pub(crate) point: Vec3,
    pub(crate) distance: f64,
}

impl NarrowMotion {
    /// No motion.
    pub(crate) const STILL: Self =
        Self { normal: Vec3::new(0.0, 0.0, 0.0), point: Vec3::new(0.0, 0.0, 0.0), distance: 0.0 };

    /// The largest entry, with rotations as lengths over `size`.
    pub(crate) fn largest(&self, size: f64) -> f64 {
        self.point.amax().max(self.normal.amax() * size).max(self.distance.abs())
    }

    /// The change between two contacts over a distance.
    pub(crate) fn between(to: &ContactPoint, from: &ContactPoint, by: f64) -> Self {
        Self {
            normal: (to.normal - from.normal) / by,
            point: (to.pos - from.pos) / by,
            distance: (to.dist - from.dist) / by,
        }
    }

    pub(crate) fn add(self, other: &Self, by: f64) -> Self {
        Self {
            normal: self.normal + other.normal * by,
            point: self.point + other.point * by,
            distance: self.distance + other.distance * by,
        }
    }
}
