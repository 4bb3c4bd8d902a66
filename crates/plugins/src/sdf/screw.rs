//! `mujoco.sdf.bolt` and `mujoco.sdf.nut`: a thread with twelve turns per metre, and its counterpart.
//!
//! The thread is a triangle wave in the height that is wound around the axis; clipped by planes and cones it
//! makes the shank, joined with a hexagonal head. The nut is a head with the thread taken out.

use super::{draw_descents, field_plugin};
use kinetree_math::field::{InLanes, LaneDistance};
use kinetree_math::precise;
use kinetree_model::plugin::PluginConfig;
use std::f64::consts::{FRAC_PI_2, PI};
use wide::f64x4;

/// Turns of the thread per metre.
const PITCH: f64 = 12.0;
/// Sides of the head.
const SIDES: usize = 6;
/// Sides per radian.
const SIDES_PER_ANGLE: f64 = SIDES as f64 / PI / 2.0;

field_plugin! {
    /// A bolt whose shank points towards negative z.
    Bolt = "mujoco.sdf.bolt", [
        "radius" = "0.26", "Radius of the shank (m).";
    ],
    |config| Ok((InLanes(Screw::new(config, Part::Bolt)?), [0.6, 0.6, 1.0])),
    draw_descents
}

field_plugin! {
    /// A nut that fits the bolt of the same radius.
    Nut = "mujoco.sdf.nut", [
        "radius" = "0.26", "Radius of the hole (m).";
    ],
    |config| Ok((InLanes(Screw::new(config, Part::Nut)?), [0.6, 0.6, 1.0])),
    draw_descents
}

#[derive(Clone, Copy)]
enum Part {
    Bolt,
    Nut,
}

struct Screw {
    radius: f64,
    part: Part,
    /// Cosines and sines of the directions of the head's sides, the last of which is the first again.
    sides: [[f64; 2]; SIDES + 1],
}

impl Screw {
    fn new(config: &PluginConfig, part: Part) -> Result<Self, String> {
        let radius = config.number("radius")?;
        if radius <= 0.0 {
            return Err("'radius' must be positive".into());
        }
        let sides = std::array::from_fn(|i| {
            let angle = -(i as f64 - (SIDES / 2) as f64) / SIDES_PER_ANGLE;
            [precise::sin_cos(angle + FRAC_PI_2).0, precise::sin_cos(angle).0]
        });
        Ok(Self { radius, part, sides })
    }

    /// Distance from the side of the head that a point with this angle about the axis faces.
    fn side_distance(&self, x: f64x4, y: f64x4, azimuth: f64x4) -> f64x4 {
        // from −3 to 3; not a number becomes a side as well, and its distance none
        let side = (azimuth * SIDES_PER_ANGLE + 0.5).floor() + (SIDES / 2) as f64;
        let normals = side.to_array().map(|side| self.sides[(side as usize).min(SIDES)]);
        f64x4::new(normals.map(|n| n[0])) * x - f64x4::new(normals.map(|n| n[1])) * y - 0.5
    }
}

impl LaneDistance for Screw {
    fn distance_lanes(&self, [x, y, z]: [f64x4; 3]) -> f64x4 {
        let minus = |distance: f64x4| f64x4::ZERO - distance;
        let diagonal = 2.0_f64.sqrt() / 2.0;
        let azimuth = precise::atan2_lanes(y, x);
        let radius = (x * x + y * y).sqrt() - self.radius;
        let phase = z * PITCH - azimuth / PI / 2.0;
        let wave = (phase - phase.floor() - 0.5).abs();
        let thread = (radius - wave / PITCH) * diagonal;
        let cone = (z - radius) * diagonal;
        let ends = (z + 0.25).abs() - 0.25;
        let head = self.side_distance(x, y, azimuth).fast_max(ends).fast_max((z + radius - 0.22) * diagonal);
        match self.part {
            Part::Bolt => {
                let shank = thread.fast_max(minus(0.5 - (z + 0.5).abs()));
                shank.fast_max(minus(cone + 1.0 * diagonal)).fast_min(head)
            }
            Part::Nut => {
                let hole =
                    thread.fast_max(minus(cone + 0.5 * diagonal)).fast_min(minus(cone) - 0.05 * diagonal);
                head.fast_max(minus(hole))
            }
        }
    }
}
