//! `mujoco.sdf.bolt` and `mujoco.sdf.nut`: a thread with twelve turns per metre, and its counterpart.
//!
//! The thread is a triangle wave in the height that is wound around the axis; clipped by planes and cones it
//! makes the shank, joined with a hexagonal head. The nut is a head with the thread taken out.

use super::{draw_descents, field_plugin};
use kinetree_math::Vec3;
use kinetree_math::field::{GRADIENT_STEP, SignedDistance};
use kinetree_math::precise;
use kinetree_model::plugin::PluginConfig;
use std::f64::consts::{FRAC_PI_2, PI};

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
    |config| Ok((Screw::new(config, Part::Bolt)?, [0.6, 0.6, 1.0])),
    draw_descents
}

field_plugin! {
    /// A nut that fits the bolt of the same radius.
    Nut = "mujoco.sdf.nut", [
        "radius" = "0.26", "Radius of the hole (m).";
    ],
    |config| Ok((Screw::new(config, Part::Nut)?, [0.6, 0.6, 1.0])),
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

/// What of a point does not depend on its height.
struct Column {
    /// Distance from the shank's radius.
    radius: f64,
    /// Angle about the axis, in turns.
    turn: f64,
    /// Distance from the side of the head that the point faces.
    side: f64,
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

    fn column(&self, x: f64, y: f64) -> Column {
        let azimuth = precise::atan2(y, x);
        // from −3 to 3; not a number becomes a side as well, and its distance none
        let side = libm::floor(azimuth * SIDES_PER_ANGLE + 0.5) + (SIDES / 2) as f64;
        let [cosine, sine] = self.sides[(side as usize).min(SIDES)];
        Column {
            radius: (x * x + y * y).sqrt() - self.radius,
            turn: azimuth / PI / 2.0,
            side: cosine * x - sine * y - 0.5,
        }
    }

    fn distance_in(&self, column: &Column, z: f64) -> f64 {
        let diagonal = 2.0_f64.sqrt() / 2.0;
        let phase = z * PITCH - column.turn;
        let wave = (phase - libm::floor(phase) - 0.5).abs();
        let thread = (column.radius - wave / PITCH) * diagonal;
        let cone = (z - column.radius) * diagonal;
        let head = column.side.max((z + 0.25).abs() - 0.25).max((z + column.radius - 0.22) * diagonal);
        match self.part {
            Part::Bolt => {
                let shank = thread.max(-(0.5 - (z + 0.5).abs()));
                shank.max(-(cone + 1.0 * diagonal)).min(head)
            }
            Part::Nut => {
                let hole = thread.max(-(cone + 0.5 * diagonal)).min(-cone - 0.05 * diagonal);
                head.max(-hole)
            }
        }
    }
}

impl SignedDistance for Screw {
    fn distance(&self, p: &Vec3) -> f64 {
        self.distance_in(&self.column(p.x, p.y), p.z)
    }

    fn distance_and_gradient(&self, p: &Vec3) -> (f64, Vec3) {
        let column = self.column(p.x, p.y);
        let here = self.distance_in(&column, p.z);
        let slope = |ahead: f64| (ahead - here) / GRADIENT_STEP;
        let gradient = Vec3::new(
            slope(self.distance_in(&self.column(p.x + GRADIENT_STEP, p.y), p.z)),
            slope(self.distance_in(&self.column(p.x, p.y + GRADIENT_STEP), p.z)),
            slope(self.distance_in(&column, p.z + GRADIENT_STEP)),
        );
        (here, gradient)
    }
}
