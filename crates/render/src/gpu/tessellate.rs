//! Triangles of the unit shapes.
//!
//! Round shapes are tessellated as finely as the model's visual quality says, with light computed at the
//! corners of triangles: both the outline and the shading of a picture depend on it.

use super::layout::Vertex;
use std::f32::consts::{FRAC_1_SQRT_2, PI};

/// Indexed triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// Corners.
    pub(super) vertices: Vec<Vertex>,
    /// Three corners per triangle, counter-clockwise seen from outside.
    pub(super) indices: Vec<u32>,
}

impl Surface {
    /// Adds a grid of `nu` × `nv` quadrilaterals; `vertex` gives the corner in column i of row j, with
    /// outside where u × v points to.
    pub(super) fn grid(
        &mut self,
        nu: usize,
        nv: usize,
        vertex: impl Fn(usize, usize) -> Vertex,
    ) -> &mut Self {
        let base = self.vertices.len() as u32;
        let row = nu as u32 + 1;
        self.vertices.extend((0..=nv).flat_map(|j| (0..=nu).map(move |i| (i, j))).map(|(i, j)| vertex(i, j)));
        for j in 0..nv as u32 {
            for i in 0..nu as u32 {
                let a = base + j * row + i;
                let (b, c, d) = (a + 1, a + row + 1, a + row);
                self.indices.extend([a, b, d, b, c, d]);
            }
        }
        self
    }

    /// Adds a triangle with corners of its own.
    pub(super) fn triangle(&mut self, corners: [Vertex; 3]) {
        let base = self.vertices.len() as u32;
        self.vertices.extend(corners);
        self.indices.extend([base, base + 1, base + 2]);
    }
}

/// How finely shapes are divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quality {
    /// Divisions around an axis.
    pub(super) slices: usize,
    /// Divisions along an axis, at least 2.
    pub(super) stacks: usize,
    /// Divisions of straight parts along an axis, which only matter to shading.
    pub(super) straight: usize,
    /// Divisions of disks from the rim to the centre, which only matter to shading.
    pub(super) rings: usize,
    /// Divisions of the side of a box, which only matter to shading.
    pub(super) quads: usize,
}

impl Quality {
    /// The quality that a model asks for, with as many divisions as a shape needs to have a volume.
    pub(super) fn of(quality: &kinetree_model::VisualQuality) -> Self {
        let count = |n: i32, least: i32| n.clamp(least, 1000) as usize;
        let stacks = count(quality.numstacks, 2);
        Self {
            slices: count(quality.numslices, 3),
            stacks,
            straight: stacks,
            rings: (stacks / 2).max(1),
            quads: count(quality.numquads, 1),
        }
    }

    /// Divisions of half a sphere.
    fn half(self) -> usize {
        (self.stacks / 2).max(1)
    }

    /// Azimuth of division `i` (rad), which may be fractional.
    fn azimuth(self, i: f32) -> f32 {
        2.0 * PI * i / self.slices as f32
    }
}

/// A sphere of radius 1.
pub(super) fn sphere(q: Quality) -> Surface {
    let n = q.half();
    sphere_part(q, 2 * n, |j| 0.5 * PI * (j as f32 - n as f32) / n as f32, 0.0)
}

/// The upper (`sign` = 1) or lower (−1) half of a sphere around (0, 0, `sign`).
pub(super) fn half_sphere(q: Quality, sign: f32) -> Surface {
    let n = q.half();
    let first = if sign > 0.0 { 0.0 } else { -(n as f32) };
    sphere_part(q, n, |j| 0.5 * PI * (j as f32 + first) / n as f32, sign)
}

/// The part of a sphere between elevations that rise with the row.
fn sphere_part(q: Quality, rows: usize, elevation: impl Fn(usize) -> f32, z: f32) -> Surface {
    let mut surface = Surface::default();
    surface.grid(q.slices, rows, |i, j| {
        let (az, el) = (q.azimuth(i as f32), elevation(j));
        let n = [libm::cosf(az) * libm::cosf(el), libm::sinf(az) * libm::cosf(el), libm::sinf(el)];
        Vertex::new([n[0], n[1], n[2] + z], n)
    });
    surface
}

/// Adds a disk of radius 1 at height z that faces up (`sign` = 1) or down (−1).
fn disk(surface: &mut Surface, q: Quality, rings: usize, z: f32, sign: f32) {
    surface.grid(q.slices, rings, |i, j| {
        let az = q.azimuth(if sign > 0.0 { i as f32 } else { (q.slices - i) as f32 });
        let r = 1.0 - j as f32 / rings as f32;
        Vertex::new([r * libm::cosf(az), r * libm::sinf(az), z], [0.0, 0.0, sign])
    });
}

/// The side of a cylinder of radius 1 from z = −1 to 1.
pub(super) fn open_cylinder(q: Quality) -> Surface {
    let mut surface = Surface::default();
    let stacks = q.straight;
    surface.grid(q.slices, stacks, |i, j| {
        let az = q.azimuth(i as f32);
        let (x, y) = (libm::cosf(az), libm::sinf(az));
        Vertex::new([x, y, 2.0 * j as f32 / stacks as f32 - 1.0], [x, y, 0.0])
    });
    surface
}

/// A cylinder of radius 1 from z = −1 to 1.
pub(super) fn cylinder(q: Quality) -> Surface {
    let mut surface = open_cylinder(q);
    disk(&mut surface, q, q.rings, -1.0, -1.0);
    disk(&mut surface, q, q.rings, 1.0, 1.0);
    surface
}

/// A cone with its base of radius 1 at z = 0 and its tip at z = 1.
pub(super) fn cone(q: Quality) -> Surface {
    let mut surface = Surface::default();
    let stacks = q.straight;
    surface.grid(q.slices, stacks, |i, j| {
        let r = 1.0 - j as f32 / stacks as f32;
        // the tip has one corner per slice, with the normal of the middle of the slice
        let az = q.azimuth(i as f32);
        let normal_azimuth = if j == stacks { q.azimuth(i as f32 + 0.5) } else { az };
        let normal = [
            libm::cosf(normal_azimuth) * FRAC_1_SQRT_2,
            libm::sinf(normal_azimuth) * FRAC_1_SQRT_2,
            FRAC_1_SQRT_2,
        ];
        Vertex::new([r * libm::cosf(az), r * libm::sinf(az), 1.0 - r], normal)
    });
    disk(&mut surface, q, q.straight, 0.0, -1.0);
    surface
}

/// A box from −1 to 1.
pub(super) fn cuboid(q: Quality) -> Surface {
    // axes of u, v and of the outward normal, and the sign of v and the normal
    const FACES: [(usize, usize, usize, f32); 6] =
        [(0, 1, 2, 1.0), (0, 1, 2, -1.0), (1, 2, 0, 1.0), (1, 2, 0, -1.0), (0, 2, 1, -1.0), (0, 2, 1, 1.0)];
    let mut surface = Surface::default();
    let at = |i: usize| 2.0 * i as f32 / q.quads as f32 - 1.0;
    for (u, v, w, sign) in FACES {
        // u × v points along +w for (0, 1) and (1, 2), along −w for (0, 2)
        let flip = if (u, v) == (0, 2) { -sign } else { sign };
        surface.grid(q.quads, q.quads, |i, j| {
            let (mut pos, mut normal) = ([0.0; 3], [0.0; 3]);
            pos[u] = at(i);
            pos[v] = flip * at(j);
            pos[w] = sign;
            normal[w] = sign;
            Vertex::new(pos, normal)
        });
    }
    surface
}

/// A square from −1 to 1 in the plane z = 0 that faces up.
pub(super) fn square(q: Quality) -> Surface {
    let at = |n: usize| (0..=n).map(|i| 2.0 * i as f32 / n as f32 - 1.0).collect::<Vec<_>>();
    level_grid(&at(q.quads), &at(q.quads))
}

/// A rectangle in the plane z = 0, divided at the given coordinates.
pub(super) fn level_grid(x: &[f32], y: &[f32]) -> Surface {
    let mut surface = Surface::default();
    surface.grid(x.len() - 1, y.len() - 1, |i, j| Vertex::new([x[i], y[j], 0.0], [0.0, 0.0, 1.0]));
    surface
}

/// The right triangle (0, 0), (1, 0), (0, 1) in the plane z = 0.
pub(super) fn right_triangle() -> Surface {
    let corner = |x, y| Vertex::new([x, y, 0.0], [0.0, 0.0, 1.0]);
    let mut surface = Surface::default();
    surface.triangle([corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)]);
    surface
}

/// A strip whose corners say which end (z) and which side (y) they belong to; the vertex shader makes it as
/// wide as the line.
pub(super) fn line_strip() -> Surface {
    let mut surface = Surface::default();
    surface.grid(1, 1, |i, j| Vertex::new([0.0, 2.0 * j as f32 - 1.0, i as f32], [0.0, 0.0, 1.0]));
    surface
}

/// Haze above the horizon: a truncated cone of radius 1 below and 1 − `share` above, opaque where it meets
/// the horizon line of sight.
pub(super) fn haze(q: Quality, share: f32) -> Surface {
    // height at which the sight line at 45° crosses the cone: full opacity there, none at both rims
    let alpha = libm::atan2f(1.0, share);
    let beta = 0.75 * PI - alpha;
    let crossing = FRAC_1_SQRT_2 * share * libm::sinf(alpha) / libm::sinf(beta);
    let levels = [(0.0, 0.0), (crossing, 1.0), (1.0, 0.0)];
    let mut surface = Surface::default();
    surface.grid(q.slices, 2, |i, j| {
        let (h, opacity) = levels[j];
        let (az, r) = (q.azimuth(i as f32), 1.0 - share * (1.0 - h));
        Vertex {
            uv: [opacity, 0.0],
            ..Vertex::new([r * libm::cosf(az), r * libm::sinf(az), h], [0.0, 0.0, 1.0])
        }
    });
    surface
}

#[cfg(test)]
mod tests {
    use super::super::detail::Detail;
    use super::*;

    const Q: Quality = Quality { slices: 28, stacks: 16, straight: 16, rings: 8, quads: 4 };

    /// Signed volume of a closed surface, and the largest angle between a triangle and its corner normals as
    /// a cosine.
    fn volume(surface: &Surface) -> f32 {
        let mut total = 0.0;
        for t in surface.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| nalgebra::Vector3::from(surface.vertices[t[k] as usize].pos));
            let normal = nalgebra::Vector3::from(surface.vertices[t[0] as usize].normal);
            let area = (b - a).cross(&(c - a));
            assert!(area.norm() < 1e-6 || area.dot(&normal) > 0.0, "a triangle faces inwards");
            total += a.dot(&b.cross(&c)) / 6.0;
        }
        total
    }

    /// Closed shapes have all triangles outwards and the volume of the solid, less what the facets cut off.
    #[test]
    fn closed_shapes_have_the_volume_of_the_solid() {
        let cases = [
            (sphere(Q), 4.0 / 3.0 * PI, 0.03),
            (cylinder(Q), 2.0 * PI, 0.01),
            (cone(Q), PI / 3.0, 0.01),
            (cuboid(Q), 8.0, 1e-5),
        ];
        for (surface, expected, tolerance) in cases {
            let v = volume(&surface);
            assert!(
                v <= expected * (1.0 + 1e-5) && v > expected * (1.0 - tolerance),
                "{v} instead of {expected}"
            );
        }
    }

    /// Fewer triangles, the same solid.
    #[test]
    fn outlines_are_the_same_solids() {
        let pairs =
            [cylinder, cone, cuboid].map(|f: fn(Quality) -> Surface| (f(Q), f(Detail::OUTLINE.quality(Q))));
        for (shaded, outline) in pairs {
            assert!((volume(&shaded) - volume(&outline)).abs() < 1e-4);
            assert!(outline.indices.len() * 4 < shaded.indices.len());
        }
    }

    /// Two half spheres moved together are a sphere.
    #[test]
    fn half_spheres_make_a_sphere() {
        let lowest = |s: &Surface| s.vertices.iter().map(|v| v.pos[2]).fold(f32::MAX, f32::min);
        assert!((lowest(&half_sphere(Q, 1.0)) - 1.0).abs() < 1e-6);
        assert!((lowest(&half_sphere(Q, -1.0)) + 2.0).abs() < 1e-6);
        assert_eq!(half_sphere(Q, 1.0).indices.len() * 2, sphere(Q).indices.len());
    }

    /// Odd or tiny qualities still make a solid.
    #[test]
    fn the_coarsest_quality_is_a_solid() {
        let q = Quality::of(&kinetree_model::VisualQuality {
            numslices: 0,
            numstacks: -4,
            numquads: 0,
            ..Default::default()
        });
        assert!(volume(&sphere(q)) > 0.0);
        assert!(volume(&cuboid(q)) > 7.9);
    }
}
