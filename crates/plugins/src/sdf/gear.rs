//! `mujoco.sdf.gear`: a spur gear with involute teeth.
//!
//! Names are those of gearing: with `N` teeth on the pitch diameter `D`, the addendum is `D / N`, and the
//! flanks are involutes of the base circle, whose diameter is `D cos ψ`.

use super::{draw_descents, field_plugin};
use kinetree_math::field::{InLanes, LaneDistance};
use kinetree_math::precise;
use std::f64::consts::PI;
use wide::{CmpGt, CmpLt, f64x4};

field_plugin! {
    /// A gear about the z axis.
    Gear = "mujoco.sdf.gear", [
        "alpha" = "0", "Angle by which the teeth are rotated (rad).";
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
        Ok((InLanes(gear), size))
    },
    draw_descents
}

/// Where only the outer circle counts (m).
const FAR_FROM_TEETH: f64 = 0.2;
/// Stands for the distance from flanks where there are none.
const INSIDE_BASE: f64 = -1.0e6;

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
    fn profile(&self, x: f64x4, y: f64x4) -> f64x4 {
        let rho = (x * x + y * y).sqrt();
        let (in_hole, off_teeth) = (self.inner - rho, rho - self.outer);
        let (hole, far) =
            (in_hole.cmp_gt(f64x4::ZERO), (self.outer - rho).cmp_lt(f64x4::splat(-FAR_FROM_TEETH)));
        let simple = hole.blend(in_hole, off_teeth);
        if (hole | far).all() {
            return simple;
        }
        (hole | far).blend(simple, self.teeth(x, y, rho))
    }

    /// Distance in the plane near the teeth, at the radius `rho`.
    fn teeth(&self, x: f64x4, y: f64x4, rho: f64x4) -> f64x4 {
        let angle = precise::atan2_lanes(y, x) + self.alpha;
        let wrap = |angle: f64x4| angle - self.stride * (angle / self.stride).floor();
        let left = wrap(angle + self.gap / 2.0) - self.gap / 2.0;
        let right = wrap(f64x4::ZERO - angle - self.gap + self.gap / 2.0) - self.gap / 2.0;
        // along the tangent of the base circle
        let outside_base = f64x4::splat(self.base).cmp_lt(rho);
        let pressure_angle = precise::acos_lanes(outside_base.blend(self.base / rho, f64x4::splat(1.0)));
        let tangent = (rho * rho - self.base * self.base).sqrt();
        let from = |side: f64x4| tangent - self.base * (side + pressure_angle);
        let flanks = outside_base.blend(from(left).fast_max(from(right)), f64x4::splat(INSIDE_BASE));
        let tooth = self.stride - self.gap;
        let teeth = (left - tooth).fast_max(right - tooth).fast_max(flanks);
        let teeth = smooth_intersection(rho - self.outer, teeth, 0.0035 * (2.0 * self.pitch));
        let root = rho - (self.outer - self.depth);
        let teeth = smooth_union(root, teeth, self.base - self.outer + self.depth);
        teeth.fast_max(f64x4::ZERO - (rho - self.inner))
    }
}

/// The lesser of two distances, rounded off within `k`.
fn smooth_union(a: f64x4, b: f64x4, k: f64) -> f64x4 {
    let h = (0.5 + 0.5 * (b - a) / k).fast_max(f64x4::ZERO).fast_min(f64x4::splat(1.0));
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

/// The greater of two distances, rounded off within `k`.
fn smooth_intersection(a: f64x4, b: f64x4, k: f64) -> f64x4 {
    let [minus_a, minus_b] = [a, b].map(|distance| f64x4::ZERO - distance);
    a.fast_max(b).fast_max(f64x4::ZERO - smooth_union(a.fast_max(minus_b), b.fast_max(minus_a), k))
}

impl LaneDistance for Wheel {
    fn distance_lanes(&self, [x, y, z]: [f64x4; 3]) -> f64x4 {
        let (profile, over) = (self.profile(x, y), z.abs() - self.half_thickness);
        let (out, up) = (profile.fast_max(f64x4::ZERO), over.fast_max(f64x4::ZERO));
        profile.fast_max(over).fast_min(f64x4::ZERO) + (out * out + up * up).sqrt()
    }
}
