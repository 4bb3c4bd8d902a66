//! `mujoco.sdf.torus`.

use super::field_plugin;
use kinetree_math::field::SignedDistance;
use kinetree_math::lanes::Lane;
use kinetree_math::{MINVAL, Vec3};
use wide::f64x4;

field_plugin! {
    /// A torus about the z axis.
    Torus = "mujoco.sdf.torus", [
        "radius1" = "0.35", "Radius of the ring's centre line (m).";
        "radius2" = "0.15", "Radius of the ring itself (m).";
    ],
    |config| {
        let (ring, tube) = (config.number("radius1")?, config.number("radius2")?);
        if ring <= 0.0 || tube <= 0.0 {
            return Err("'radius1' and 'radius2' must be positive".into());
        }
        Ok((Ring { ring, tube }, [ring + tube, ring + tube, tube]))
    }
}

struct Ring {
    ring: f64,
    tube: f64,
}

impl SignedDistance for Ring {
    fn distance(&self, p: &Vec3) -> f64 {
        let across = (p.x * p.x + p.y * p.y).sqrt() - self.ring;
        (across * across + p.z * p.z).sqrt() - self.tube
    }

    fn distances(&self, points: &[Lane; 3]) -> Option<Lane> {
        let [x, y, z] = points.map(f64x4::new);
        let across = (x * x + y * y).sqrt() - self.ring;
        Some(((across * across + z * z).sqrt() - self.tube).to_array())
    }

    fn gradients(&self, points: &[Lane; 3]) -> Option<[Lane; 3]> {
        let [x, y, z] = points.map(f64x4::new);
        let radius = (x * x + y * y).sqrt();
        let across = radius - self.ring;
        let divisor = (across * across + z * z).sqrt().max(f64x4::splat(MINVAL));
        let derivative = |x: f64x4| across * (x / radius) / divisor;
        Some([derivative(x), derivative(y), z / divisor].map(f64x4::to_array))
    }

    fn solid_box(&self) -> Option<[f64; 6]> {
        let outer = self.ring + self.tube;
        Some([0.0, 0.0, 0.0, outer, outer, self.tube])
    }

    fn distance_and_gradient(&self, p: &Vec3) -> (f64, Vec3) {
        let radius = (p.x * p.x + p.y * p.y).sqrt();
        let across = radius - self.ring;
        let length = (across * across + p.z * p.z).sqrt();
        let divisor = length.max(MINVAL);
        let derivative = |x: f64| across * (x / radius) / divisor;
        (length - self.tube, Vec3::new(derivative(p.x), derivative(p.y), p.z / divisor))
    }
}
