//! Height field against a convex shape.
//!
//! The surface is a grid of triangles; each of them, pulled down to the base, is a prism. All prisms under the
//! bounding box of the other shape are tested as convex pairs, row by row, two triangles per cell, in the frame of
//! the height field. Adjacent prisms share two corners: any three corners in a row of the strip make one.

use crate::contact::ContactPoint;
use crate::gjk::solve::{Query, Work, penetration};
use crate::gjk::support::{Convex, Core, Pair};
use crate::gjk::vec::{Axes, V3, add, sub};
use crate::gjk::{CcdScratch, CcdSettings};
use crate::hfield_round::{Round, Touch};
use crate::shape::{HeightField, Pose, Shape};
use kinetree_math::Vec3;

/// Most contacts of one pair.
const MAX_CONTACTS: usize = 50;

/// Contacts between a height field (shape 1) and a convex shape (shape 2), appended to `out`, at most 50.
pub fn hfield_convex(
    field: &HeightField,
    p1: &Pose,
    s2: &Shape,
    p2: &Pose,
    margin: f64,
    settings: &CcdSettings,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    let CcdScratch { work, few: [few, _], strip } = scratch;
    let Some(core) = Core::of(s2, few) else { return };
    let mut shape = Convex::new(core, p2, 0.0);
    let base_axes = Axes::of(&p1.mat);
    let base: V3 = p1.pos.into();
    shape.pos = base_axes.to_local(&sub(&shape.pos, &base));
    shape.axes = base_axes.transpose().mul(&shape.axes);
    if sphere_misses(field, &shape.pos, s2.bound_radius() + margin) {
        return;
    }
    let bounds = Bounds::of(&mut shape);
    let Some(window) = Window::new(field, &bounds, margin) else { return };

    shape.margin = margin;
    let grid = Grid::new(field, margin);
    let query = settings.query(0.0);
    let first = out.len();
    let mut over = Over {
        // where the search over a mesh ends decides ties in the next one, so none is left out
        diagonal: if shape.mesh().is_none() { Some(Diagonal::of(&mut shape, &grid)) } else { None },
        round: if query.is_exact() { Round::of(&shape, -field.size[3], query.tolerance) } else { None },
        shape,
        lowest: bounds.low[2],
        query,
        end: first + MAX_CONTACTS,
    };
    for row in window.rows.0..window.rows.1 {
        grid.fill_strip(strip, row, window.columns);
        over.collide_strip(strip, -field.size[3], work, out);
        if out.len() >= over.end {
            break;
        }
    }
    for contact in &mut out[first..] {
        contact.normal = Vec3::from(base_axes.to_world(&contact.normal.into()));
        contact.pos = Vec3::from(add(&base_axes.to_world(&contact.pos.into()), &base));
    }
}

/// A shape over a height field.
struct Over<'a> {
    shape: Convex<'a>,
    /// The shape again, if it is round.
    round: Option<Round>,
    diagonal: Option<Diagonal>,
    /// Lowest point of the shape.
    lowest: f64,
    query: Query,
    /// Enough contacts.
    end: usize,
}

impl Over<'_> {
    /// Tests the prisms under one row of triangles, until there are enough contacts.
    fn collide_strip(&mut self, strip: &[V3], bottom: f64, work: &mut Work, out: &mut Vec<ContactPoint>) {
        const NOWHERE: [V3; 3] = [[0.0; 3]; 3];
        let mut pair = Pair { a: Convex::prism(&NOWHERE, bottom), b: self.shape.clone() };
        for top in strip.windows(3) {
            let Ok(top) = <&[V3; 3]>::try_from(top) else { continue };
            if top.iter().all(|corner| corner[2] < self.lowest)
                || self.diagonal.as_ref().is_some_and(|diagonal| diagonal.misses(top))
            {
                continue;
            }
            match self.round.as_ref().map_or(Touch::Unknown, |round| round.touch(top)) {
                Touch::Apart => {}
                Touch::Contact(contact) => out.push(contact),
                touch => {
                    pair.a.core = Core::Prism(top, bottom);
                    let query = Query { overlap: matches!(touch, Touch::Overlap), ..self.query };
                    penetration(&mut pair, &query, 1, 0.0, work, out);
                }
            }
            if out.len() >= self.end {
                break;
            }
        }
        self.shape.continue_from(pair.b.last_vertex());
    }
}

/// How far a shape reaches across the diagonals of the grid. Every triangle has one side along a diagonal.
struct Diagonal {
    across: [f64; 2],
    low: f64,
    high: f64,
}

impl Diagonal {
    fn of(shape: &mut Convex, grid: &Grid) -> Self {
        let across = [grid.step_y, -grid.step_x];
        let length = (across[0] * across[0] + across[1] * across[1]).sqrt();
        let last_vertex = shape.last_vertex();
        let mut reach = |sign: f64| {
            let dir = [sign * across[0] / length, sign * across[1] / length, 0.0];
            let (far, _) = shape.support(&dir);
            across[0] * far[0] + across[1] * far[1] + sign * length * shape.margin
        };
        let (low, high) = (reach(-1.0), reach(1.0));
        shape.continue_from(last_vertex);
        Self { across, low, high }
    }

    /// Whether a triangle lies entirely on one side of the shape.
    #[inline]
    fn misses(&self, top: &[V3; 3]) -> bool {
        let place = |p: &V3| self.across[0] * p[0] + self.across[1] * p[1];
        let [a, b, c] = [place(&top[0]), place(&top[1]), place(&top[2])];
        (a > self.high && b > self.high && c > self.high) || (a < self.low && b < self.low && c < self.low)
    }
}

/// Whether a sphere lies entirely outside the box around the field.
fn sphere_misses(field: &HeightField, center: &V3, radius: f64) -> bool {
    let [half_x, half_y, up, down] = field.size;
    let outside = |low: f64, high: f64, x: f64| high < x - radius || low > x + radius;
    outside(-half_x, half_x, center[0])
        || outside(-half_y, half_y, center[1])
        || outside(-down, up, center[2])
}

/// Axis-aligned box around a shape.
struct Bounds {
    low: V3,
    high: V3,
}

impl Bounds {
    fn of(shape: &mut Convex) -> Self {
        let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            let mut dir = [0.0; 3];
            dir[axis] = 1.0;
            high[axis] = shape.support(&dir).0[axis];
            dir[axis] = -1.0;
            low[axis] = shape.support(&dir).0[axis];
        }
        Self { low, high }
    }
}

/// First and last grid line in both directions.
struct Window {
    columns: (usize, usize),
    rows: (usize, usize),
}

impl Window {
    /// The part of the grid below the bounds; `None` if there is none.
    fn new(field: &HeightField, bounds: &Bounds, margin: f64) -> Option<Self> {
        let [half_x, half_y, up, down] = field.size;
        let apart = |axis: usize, low: f64, high: f64| {
            bounds.low[axis] - margin > high || bounds.high[axis] + margin < low
        };
        let cells = field.nrow.checked_mul(field.ncol)?;
        if apart(0, -half_x, half_x)
            || apart(1, -half_y, half_y)
            || apart(2, -down, up)
            || field.data.len() < cells
        {
            return None;
        }
        let lines = |axis: usize, half: f64, count: usize| -> Option<(usize, usize)> {
            let last = count.checked_sub(1)?;
            let position = |x: f64| (x + half) / (2.0 * half) * last as f64;
            let (from, to) = (position(bounds.low[axis]).floor(), position(bounds.high[axis]).ceil());
            // the comparison fails where a pose or size is not a number; casts saturate
            (from <= to).then(|| (from.max(0.0) as usize, to.min(last as f64) as usize))
        };
        Some(Self { columns: lines(0, half_x, field.ncol)?, rows: lines(1, half_y, field.nrow)? })
    }
}

/// Positions of the grid corners.
struct Grid<'a> {
    field: &'a HeightField<'a>,
    step_x: f64,
    step_y: f64,
    margin: f64,
}

impl<'a> Grid<'a> {
    fn new(field: &'a HeightField<'a>, margin: f64) -> Self {
        let step = |half: f64, count: usize| (2.0 * half) / (count as f64 - 1.0);
        Self {
            field,
            step_x: step(field.size[0], field.ncol),
            step_y: step(field.size[1], field.nrow),
            margin,
        }
    }

    /// The corners between the grid lines `row` and `row + 1`, column by column, the upper line first. Any three in a row make a
    /// triangle of the surface.
    fn fill_strip(&self, strip: &mut Vec<V3>, row: usize, columns: (usize, usize)) {
        let (first, count) = (columns.0, (columns.1 + 1).saturating_sub(columns.0));
        strip.clear();
        strip.resize(2 * count, [0.0; 3]);
        let field = self.field;
        let line = |row: usize| {
            (
                &field.data[row * field.ncol + first.min(field.ncol)..][..count],
                self.step_y * row as f64 - field.size[1],
            )
        };
        let ((upper, y_upper), (lower, y_lower)) = (line(row + 1), line(row));
        let height = |elevation: &f32| f64::from(*elevation) * field.size[2] + self.margin;
        for (k, (corners, (up, low))) in
            strip.as_chunks_mut::<2>().0.iter_mut().zip(upper.iter().zip(lower)).enumerate()
        {
            let x = self.step_x * (first + k) as f64 - field.size[0];
            *corners = [[x, y_upper, height(up)], [x, y_lower, height(low)]];
        }
    }
}
