//! Level of detail: how finely a shape must be divided where it covers few pixels.
//!
//! Colours are computed at the corners of triangles, as the model's visual quality divides shapes. Where a
//! coarser division moves an outline by less than a sixth of a pixel and spaces corners by a few pixels, no
//! one can tell, and software renderers, whose time goes by triangles, draw several times as fast.

use super::layout::Affine;
use super::shape::Shape;
use super::tessellate::Quality;
use super::view::Eye;
use nalgebra::{Matrix4, Vector3};

/// Largest distance between the outlines of two divisions that counts as none (pixels).
const OUTLINE_ERROR: f32 = 0.15;
/// The same for shadows, whose outlines have steps anyway (pixels).
const SHADOW_ERROR: f32 = 0.25;
/// Largest distance of corners along straight parts (pixels).
const SPACING: f32 = 8.0;
/// Levels of each kind.
const LEVELS: usize = 3;

/// How a shape is divided: how often round parts are halved, and how coarse straight ones are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Detail {
    round: u8,
    straight: u8,
}

impl Detail {
    /// As the model's quality says.
    pub(super) const FULL: Self = Self { round: 0, straight: 0 };
    /// Full outlines with straight parts undivided, for where shading does not matter.
    pub(super) const OUTLINE: Self = Self { round: 0, straight: LEVELS as u8 - 1 };

    /// All of them, in the order of [`Detail::index`].
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let levels = 0..LEVELS as u8;
        levels.clone().flat_map(move |round| levels.clone().map(move |straight| Self { round, straight }))
    }

    /// Index in the list of all.
    pub(super) fn index(self) -> usize {
        usize::from(self.round) * LEVELS + usize::from(self.straight)
    }

    /// The divisions that it stands for.
    pub(super) fn quality(self, full: Quality) -> Quality {
        let halved = |n: usize, least: usize| (n >> self.round).max(least.min(n));
        // divisions of straight parts, from a number that the model asks for
        let divisions = |n: usize| [n, n.min(4), 1][usize::from(self.straight)];
        Quality {
            slices: halved(full.slices, 6),
            stacks: halved(full.stacks, 4),
            straight: divisions(full.straight),
            rings: divisions(full.rings),
            quads: if usize::from(self.straight) == LEVELS - 1 { 1 } else { full.quads },
        }
    }
}

/// What is seen how large: pixels per metre at a distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lens {
    view: Matrix4<f32>,
    /// Pixels per unit of the projection: per metre, or per metre at a distance of 1 m in perspective.
    pub(super) pixels: f32,
    pub(super) perspective: bool,
}

impl Lens {
    /// Of a camera with a picture of so many rows.
    pub(super) fn new(eye: &Eye, rows: f32) -> Self {
        let pixels = 0.5 * rows * eye.proj[(1, 1)].max(eye.proj[(0, 0)]);
        Self { view: eye.view, pixels, perspective: eye.proj[(3, 3)] == 0.0 }
    }

    /// Position of the camera in the frame of a shape without scale.
    pub(super) fn position_in(&self, pose: &Matrix4<f32>) -> Option<Vector3<f32>> {
        let back = (self.view * pose).try_inverse()?;
        Some(Vector3::new(back[(0, 3)], back[(1, 3)], back[(2, 3)]))
    }

    /// Most pixels per metre of anything within a radius around a position; infinite where that reaches the
    /// camera.
    fn scale(&self, pos: Vector3<f32>, radius: f32) -> f32 {
        if !self.perspective {
            return self.pixels;
        }
        // a view may scale the world
        let stretch = self.view.fixed_view::<3, 1>(0, 0).norm();
        let distance = -(self.view * pos.push(1.0)).z - stretch * radius;
        if distance > 0.0 { stretch * self.pixels / distance } else { f32::INFINITY }
    }

    /// The coarsest detail that cannot be told from the full one.
    pub(super) fn detail(&self, shape: Shape, affine: &Affine, full: Quality, shadow: bool) -> Detail {
        let column = |k: usize| Vector3::new(affine[0][k], affine[1][k], affine[2][k]);
        let [x, y, z] = [0, 1, 2].map(|k| column(k).norm());
        let round = match shape {
            Shape::Sphere | Shape::Top | Shape::Bottom => x.max(y).max(z),
            Shape::Cylinder | Shape::OpenCylinder | Shape::Cone => x.max(y),
            Shape::Box | Shape::Square => 0.0,
            _ => return if shadow { Detail::OUTLINE } else { Detail::FULL },
        };
        // the furthest corner: half spheres lie around (0, 0, ±1)
        let scale = self.scale(column(3), x + y + 2.0 * z);
        let error = if shadow { SHADOW_ERROR } else { OUTLINE_ERROR };
        let deviation = |level: u32| {
            let angle = (1 << level) as f32 * std::f32::consts::PI;
            let [slice, stack] = [angle / full.slices as f32, 0.5 * angle / full.stacks as f32];
            round * scale * (1.0 - libm::cosf(slice.max(stack).min(std::f32::consts::PI)))
        };
        let level = (1..LEVELS as u32).rev().find(|&level| deviation(level) <= error).unwrap_or(0);
        if shadow {
            return Detail { round: level as u8, ..Detail::OUTLINE };
        }
        let length =
            scale * 2.0 * if shape == Shape::Box || shape == Shape::Square { x.max(y).max(z) } else { z };
        let straight =
            [SPACING, 4.0 * SPACING].iter().filter(|&&limit| length.max(scale * round) > limit).count();
        Detail { round: level as u8, straight: (LEVELS - 1 - straight) as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Quality = Quality { slices: 28, stacks: 16, straight: 16, rings: 8, quads: 4 };

    fn lens() -> Lens {
        // 240 rows, 45 degrees
        let proj =
            Matrix4::new(1.8, 0.0, 0.0, 0.0, 0.0, 2.414, 0.0, 0.0, 0.0, 0.0, 0.01, 0.01, 0.0, 0.0, -1.0, 0.0);
        Lens::new(&Eye { proj, view: Matrix4::identity() }, 240.0)
    }

    fn ball(radius: f32, distance: f32) -> Affine {
        [[radius, 0.0, 0.0, 0.0], [0.0, radius, 0.0, 0.0], [0.0, 0.0, radius, -distance]]
    }

    /// The indices are those of the list.
    #[test]
    fn indices_count_all_details() {
        assert!(Detail::all().enumerate().all(|(i, d)| d.index() == i));
    }

    /// What is far away is coarse, what is near or around the camera is not.
    #[test]
    fn distance_decides() {
        let at = |distance| lens().detail(Shape::Sphere, &ball(0.1, distance), FULL, false);
        assert_eq!(at(0.05), Detail::FULL);
        assert_eq!(at(0.6), Detail::FULL);
        assert_eq!(at(100.0), Detail { round: 2, straight: 2 });
        assert!(at(9.0).round == 1);
    }

    /// Outlines of coarse spheres stay within a tenth of a pixel of the full ones.
    #[test]
    fn outlines_hardly_move() {
        for distance in [1.0, 2.0, 5.0, 10.0, 30.0, 100.0] {
            let detail = lens().detail(Shape::Sphere, &ball(0.1, distance), FULL, false);
            let quality = detail.quality(FULL);
            let sagitta = 1.0 - libm::cosf(std::f32::consts::PI / quality.slices as f32);
            assert!(
                detail.round == 0 || 0.1 / distance * lens().pixels * sagitta < 1.5 * OUTLINE_ERROR,
                "{distance}"
            );
        }
    }
}
