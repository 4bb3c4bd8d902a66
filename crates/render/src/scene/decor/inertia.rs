//! The uniform box or ellipsoid with a body's mass and inertia.
//!
//! A box with half sizes `s` has the inertia `m (s_y² + s_z²)/3` about its x axis, an ellipsoid `m (s_y² +
//! s_z²)/5`; hence `s_x² = k (I_y + I_z − I_x)/(2 m)` with `k` 3 or 5, and so on.

use kinetree_math::MINVAL;
use std::f64::consts::PI;

/// Density that scaled shapes have (kg/m³).
const DENSITY: f64 = 1000.0;

/// Half sizes; where `scaled`, so that a shape with the density of water has the body's mass.
pub(super) fn size(mass: f64, inertia: &[f64; 3], ellipsoid: bool, scaled: bool) -> [f64; 3] {
    let [x, y, z] = *inertia;
    let factor = if ellipsoid { 5.0_f64 } else { 3.0 }.sqrt();
    let size = [y + z - x, x + z - y, x + y - z].map(|sum| (sum / (2.0 * mass)).sqrt() * factor);
    if !scaled {
        return size;
    }
    let volume = if ellipsoid { 4.0 / 3.0 * PI } else { 8.0 } * size[0] * size[1] * size[2];
    let density = mass / volume.max(MINVAL);
    let scale = libm::pow(density / DENSITY, 1.0 / 3.0);
    size.map(|s| s * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_of_water_comes_back() {
        let half = [0.1_f64, 0.2, 0.3];
        let mass = 8.0 * half[0] * half[1] * half[2] * DENSITY;
        let moment = |a: f64, b: f64| mass * (a * a + b * b) / 3.0;
        let inertia = [moment(half[1], half[2]), moment(half[0], half[2]), moment(half[0], half[1])];
        for scaled in [false, true] {
            for (found, expected) in size(mass, &inertia, false, scaled).iter().zip(half) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        }
    }
}
