//! Contact points, the result of a narrow-phase test.

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

/// Removes contacts after `start` that are not finite.
#[inline]
pub(crate) fn drop_invalid(out: &mut Vec<ContactPoint>, start: usize) {
    // zero times a sum is zero only when every term is finite
    let mut sum = 0.0;
    for ContactPoint { dist, pos, normal, .. } in &out[start..] {
        sum += (dist + pos.x) + (pos.y + pos.z) + (normal.x + normal.y) + normal.z;
    }
    if sum * 0.0 != 0.0 {
        drop_each_invalid(out, start);
    }
}

#[cold]
fn drop_each_invalid(out: &mut Vec<ContactPoint>, start: usize) {
    let mut index = 0;
    out.retain(|contact| {
        index += 1;
        let sum = contact.dist + contact.pos.sum() + contact.normal.sum();
        index <= start || sum * 0.0 == 0.0
    });
}
