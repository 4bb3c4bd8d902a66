//! Motions of the two sides of a contact and of the contact itself.

use kinetree_math::Vec3;

/// Motion of a rigid body that carries one side of a contact: velocity of the witness point, and rotation.
#[derive(Clone, Copy)]
pub(super) struct SideMotion {
    pub(super) velocity: Vec3,
    pub(super) turn: Vec3,
}

impl SideMotion {
    /// No motion.
    pub(super) const STILL: Self =
        Self { velocity: Vec3::new(0.0, 0.0, 0.0), turn: Vec3::new(0.0, 0.0, 0.0) };
}

/// Motion of the contact itself.
#[derive(Clone, Copy)]
pub(super) struct ContactMotion {
    /// Of the contact point.
    pub(super) point: Vec3,
    /// Rotation of the contact frame.
    pub(super) turn: Vec3,
    /// Rate of the distance.
    pub(super) distance: f64,
}

/// Change of a contact's normal, point and distance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContactChange {
    pub(super) normal: Vec3,
    pub(super) point: Vec3,
    pub(super) distance: f64,
}
