//! Four pairs at once: the same two shapes in four poses.
//!
//! Each support point that a search asks for waits for the one before it through a long chain of roots and
//! divisions. The searches of the tilted poses of a pair do not wait for each other, so that their support
//! points are found together, one in each lane, by the very operations that find one alone.

use super::lanes::{LANES, Vectors, combine, gather, scatter};
use super::support::{Convex, Core, NO_VERTEX, Pair, Supports, Vertex};
use super::vec::{Axes, Point, V3};
use kinetree_math::MINVAL;
use wide::{CmpGe, f64x4};

/// Number of poses.
pub(crate) const TILTS: usize = LANES;

/// One shape in four poses.
struct Placed {
    solid: Solid,
    margin: f64,
    pos: Vectors,
    columns: [Vectors; 3],
}

/// Shapes for which this is worth it: those that touch others along edges and have a formula for their
/// support points.
#[derive(Clone, Copy)]
enum Solid {
    Cylinder(f64, f64),
    Box(V3),
}

/// A pair in four poses.
pub(crate) struct TiltedPair {
    a: Placed,
    b: Placed,
}

/// One of the poses of a pair.
pub(crate) struct TiltedPose<'t> {
    pub(crate) pair: &'t TiltedPair,
    pub(crate) lane: usize,
}

impl TiltedPair {
    /// A pair rotated about `center`, the first shape by rotations and the second one against them; `None`
    /// for shapes of other kinds.
    pub(crate) fn new(pair: &Pair, center: &V3, rotations: &[Axes; TILTS]) -> Option<Self> {
        let rotated = |k: usize, i: usize| f64x4::new(rotations.each_ref().map(|rotation| rotation.0[k][i]));
        let columns = [0, 1, 2].map(|k| [rotated(k, 0), rotated(k, 1), rotated(k, 2)]);
        let rows = [0, 1, 2].map(|i| [columns[0][i], columns[1][i], columns[2][i]]);
        Some(Self { a: Placed::new(&pair.a, center, &columns)?, b: Placed::new(&pair.b, center, &rows)? })
    }

    /// Positions of the two shapes.
    pub(crate) fn centers(&self, lane: usize) -> [V3; 2] {
        [&self.a, &self.b].map(|shape| shape.pos.map(|p| p.to_array()[lane & 3]))
    }

    /// Farthest points of the Minkowski differences along a direction each.
    #[inline(always)]
    pub(crate) fn support(&self, dirs: &[Point; TILTS], vertices: &mut [Vertex; TILTS]) {
        let dir = gather(dirs);
        let opposite = dir.map(|d| d ^ f64x4::splat(-0.0));
        let (on1, on2) = (scatter(self.a.support(&dir)), scatter(self.b.support(&opposite)));
        for (lane, vertex) in vertices.iter_mut().enumerate() {
            let (on1, on2) = (on1[lane], on2[lane]);
            *vertex = Vertex { diff: on1 - on2, on1, on2, id1: NO_VERTEX, id2: NO_VERTEX };
        }
    }
}

impl Supports for TiltedPose<'_> {
    #[inline(never)]
    fn support(&mut self, dir: Point) -> Vertex {
        let mut vertices = [Vertex::default(); TILTS];
        self.pair.support(&[dir; TILTS], &mut vertices);
        vertices[self.lane & 3]
    }
}

impl Placed {
    #[inline(always)]
    fn new(shape: &Convex, center: &V3, rotation: &[Vectors; 3]) -> Option<Self> {
        let solid = match shape.core {
            Core::Cylinder(radius, half_length) => Solid::Cylinder(radius, half_length),
            Core::Box(half) => Solid::Box(half),
            _ => return None,
        };
        let (pos, arm) =
            (shape.pos.map(f64x4::splat), [0, 1, 2].map(|k| f64x4::splat(center[k] - shape.pos[k])));
        let rotated_arm = combine(arm, rotation);
        Some(Self {
            solid,
            margin: shape.margin,
            pos: [0, 1, 2].map(|k| pos[k] - (rotated_arm[k] - arm[k])),
            columns: shape.axes.0.map(|column| combine(column.map(f64x4::splat), rotation)),
        })
    }

    /// Farthest points along a unit vector each, with half the margin added.
    #[inline(always)]
    fn support(&self, dir: &Vectors) -> Vectors {
        let d = self.columns.each_ref().map(|c| c[0] * dir[0] + c[1] * dir[1] + c[2] * dir[2]);
        let along =
            |k: usize, reach: f64| d[k].cmp_ge(f64x4::ZERO).blend(f64x4::splat(reach), f64x4::splat(-reach));
        let local = match self.solid {
            Solid::Cylinder(radius, half_length) => {
                let across2 = d[0] * d[0] + d[1] * d[1];
                let reach = f64x4::splat(radius) / across2.sqrt();
                let reach = across2.cmp_ge(f64x4::splat(MINVAL * MINVAL)).blend(reach, f64x4::ZERO);
                [reach * d[0], reach * d[1], along(2, half_length)]
            }
            Solid::Box(half) => [along(0, half[0]), along(1, half[1]), along(2, half[2])],
        };
        let rotated = combine(local, &self.columns);
        let point = [0, 1, 2].map(|k| rotated[k] + self.pos[k]);
        if self.margin > 0.0 {
            let half = f64x4::splat(0.5 * self.margin);
            [0, 1, 2].map(|k| point[k] + dir[k] * half)
        } else {
            point
        }
    }
}
