//! What a narrow-phase test produces.

use kinetree_math::Vec3;

/// One contact point between shape 1 and shape 2.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Signed distance between the surfaces (m); negative means penetration.
    pub dist: f64,
    /// Midpoint between the two surfaces, in world coordinates (m).
    pub pos: Vec3,
    /// Unit normal, pointing from shape 1 to shape 2.
    pub normal: Vec3,
    /// Preferred first tangent; zero where any tangent will do.
    pub tangent: Vec3,
}
