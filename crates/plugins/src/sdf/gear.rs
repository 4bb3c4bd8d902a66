//! `mujoco.sdf.gear`: a spur gear with involute teeth.
//!
//! Names are those of gearing: with `N` teeth on the pitch diameter `D`, the addendum is `D / N`, and the
//! flanks are involutes of the base circle, whose diameter is `D cos ψ`.

use super::{draw_descents, field_plugin};
use kinetree_math::Vec3;
use kinetree_math::field::{GRADIENT_STEP, SignedDistance};
use kinetree_math::precise;
use std::f64::consts::PI;

field_plugin! {
    /// A gear about the z axis.
    Gear = "mujoco.sdf.gear", [
        "alpha" = "0", "Angle by which the teeth are turned (rad).";
        "diameter" = "2.8", "Diameter of the pitch circle (m).";
        "teeth" = "25", "Number of teeth.";
        "thickness" = "0.2", "Thickness along the axis (m).";
        "innerdiameter" = "-1", "Diameter of the hole; negative: chosen by the gear (m).";
    ],
    |config| {
        let [alpha, diameter, teeth, thickness] =
            ["alpha", "diameter", "teeth", "thickness"].map(|name| config.number(name));
        let gear = Wheel::new(alpha?, diameter?, teeth?, thickness?, config.number("innerdiameter")?)?;
        let size = [gear.pitch * 1.25, gear.pitch * 1.25, gear.half_thickness * 1.1];
        Ok((gear, size))
    },
    draw_descents
}

/// A gear: radii of its circles and angles of its teeth.
struct Wheel {
    alpha: f64,
    /// Pitch radius.
    pitch: f64,
    outer: f64,
    /// Whole depth of a tooth.
    depth: f64,
    inner: f64,
    base: f64,
    /// Angle from tooth to tooth.
    stride: f64,
    /// Angle between two teeth at the base circle.
    gap: f64,
    half_thickness: f64,
}

impl Wheel {
    fn new(alpha: f64, diameter: f64, teeth: f64, thickness: f64, inner: f64) -> Result<Self, String> {
        if diameter <= 0.0 || teeth < 1.0 || thickness <= 0.0 {
            return Err("'diameter' and 'thickness' must be positive, and there must be 'teeth'".into());
        }
        // pressure angle that fits the number of teeth
        let psi = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551;
        let pitch = diameter / 2.0;
        let per_length = teeth / diameter;
        let outer = (diameter + 2.0 * (1.0 / per_length)) / 2.0;
        let depth = 2.2 / per_length;
        let base = diameter * precise::sin_cos(psi).1 / 2.0;
        let stride = PI / per_length / pitch;
        let flank = precise::acos(base / pitch);
        let gap = stride / 2.0 - 2.0 * (libm::tan(flank) - flank);
        let inner = if inner >= 0.0 { inner / 2.0 } else { outer - depth - 0.14 * diameter };
        if !gap.is_finite() {
            return Err(format!("there is no gear with {teeth} teeth"));
        }
        Ok(Self { alpha, pitch, outer, depth, inner, base, stride, gap, half_thickness: thickness / 2.0 })
    }

    /// Distance in the plane.
    fn profile(&self, x: f64, y: f64) -> f64 {
        let rho = (x * x + y * y).sqrt();
        if self.inner - rho > 0.0 {
            return self.inner - rho;
        }
        if self.outer - rho < -0.2 {
            return rho - self.outer;
        }
        let angle = precise::atan2(y, x) + self.alpha;
        let wrap = |angle: f64| angle - self.stride * libm::floor(angle / self.stride);
        let left = wrap(angle + self.gap / 2.0) - self.gap / 2.0;
        let right = wrap(-angle - self.gap + self.gap / 2.0) - self.gap / 2.0;
        let (mut from_left, mut from_right) = (-1.0e6, -1.0e6);
        if self.base < rho {
            // along the tangent of the base circle
            let turned = precise::acos(self.base / rho);
            let tangent = (rho * rho - self.base * self.base).sqrt();
            from_left = tangent - self.base * (left + turned);
            from_right = tangent - self.base * (right + turned);
        }
        let walls = (left - (self.stride - self.gap)).max(right - (self.stride - self.gap));
        let teeth = walls.max(from_left.max(from_right));
        let teeth = smooth_intersection(rho - self.outer, teeth, 0.0035 * (2.0 * self.pitch));
        let root = rho - (self.outer - self.depth);
        let teeth = smooth_union(root, teeth, self.base - self.outer + self.depth);
        teeth.max(-(rho - self.inner))
    }

    /// Distance of a point at height `z` over a point of the plane with distance `profile`.
    fn extrude(&self, profile: f64, z: f64) -> f64 {
        let over = z.abs() - self.half_thickness;
        let (out, up) = (profile.max(0.0), over.max(0.0));
        profile.max(over).min(0.0) + (out * out + up * up).sqrt()
    }
}

/// The lesser of two distances, rounded off within `k`.
fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

/// The greater of two distances, rounded off within `k`.
fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    a.max(b).max(-smooth_union(a.max(-b), b.max(-a), k))
}

impl SignedDistance for Wheel {
    fn distance(&self, p: &Vec3) -> f64 {
        self.extrude(self.profile(p.x, p.y), p.z)
    }

    fn distance_and_gradient(&self, p: &Vec3) -> (f64, Vec3) {
        let profile = self.profile(p.x, p.y);
        let here = self.extrude(profile, p.z);
        let slope = |ahead: f64| (ahead - here) / GRADIENT_STEP;
        let gradient = Vec3::new(
            slope(self.extrude(self.profile(p.x + GRADIENT_STEP, p.y), p.z)),
            slope(self.extrude(self.profile(p.x, p.y + GRADIENT_STEP), p.z)),
            slope(self.extrude(profile, p.z + GRADIENT_STEP)),
        );
        (here, gradient)
    }
}
