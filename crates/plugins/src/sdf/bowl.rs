//! `mujoco.sdf.bowl`: a spherical shell, cut off at a height, with a rounded rim.

use super::{draw_descents, field_plugin};
use kinetree_math::Vec3;
use kinetree_math::field::SignedDistance;

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
        Ok((shell, [radius + thickness; 3]))
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

impl SignedDistance for Shell {
    fn distance(&self, p: &Vec3) -> f64 {
        let across = (p.x * p.x + p.y * p.y).sqrt();
        let from_sheet = if self.height * across < self.width * p.z {
            // nearest to the rim
            let (x, z) = (across - self.width, p.z - self.height);
            (x * x + z * z).sqrt()
        } else {
            ((across * across + p.z * p.z).sqrt() - self.radius).abs()
        };
        from_sheet - self.thickness
    }
}
