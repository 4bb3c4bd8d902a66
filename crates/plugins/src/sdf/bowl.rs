//! `mujoco.sdf.bowl`: a spherical shell, cut off at a height, with a rounded rim.

use super::{draw_descents, field_plugin};
use kinetree_math::field::{InLanes, LaneDistance};
use wide::{CmpLt, f64x4};

field_plugin! {
    /// A bowl that is open towards positive z.
    Bowl = "mujoco.sdf.bowl", [
        "height" = "0.4", "Height of the rim above the centre of the sphere (m).";
        "radius" = "1", "Radius of the sphere (m).";
        "thickness" = "0.02", "Half the thickness of the shell (m).";
    ],
    |config| {
        let [height, radius, thickness] =
            [config.number("height")?, config.number("radius")?, config.number("thickness")?];
        if radius <= 0.0 || thickness <= 0.0 || height.abs() >= radius {
            return Err("'radius' and 'thickness' must be positive, and 'height' less than the radius".into());
        }
        let shell = Shell { height, radius, thickness, width: (radius * radius - height * height).sqrt() };
        Ok((InLanes(shell), [radius + thickness; 3]))
    },
    draw_descents
}

struct Shell {
    height: f64,
    radius: f64,
    thickness: f64,
    /// Radius of the rim.
    width: f64,
}

impl LaneDistance for Shell {
    fn distance_lanes(&self, [x, y, z]: [f64x4; 3]) -> f64x4 {
        let across = (x * x + y * y).sqrt();
        let (to_side, to_top) = (across - self.width, z - self.height);
        let from_rim = (to_side * to_side + to_top * to_top).sqrt();
        let from_sphere = ((across * across + z * z).sqrt() - self.radius).abs();
        let over_rim = (self.height * across).cmp_lt(self.width * z);
        over_rim.blend(from_rim, from_sphere) - self.thickness
    }

    fn solid_box(&self) -> Option<[f64; 6]> {
        let half = self.radius + self.thickness;
        Some([0.0, 0.0, 0.0, half, half, half])
    }
}
