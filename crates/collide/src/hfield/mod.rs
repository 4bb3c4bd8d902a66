//! Height field against a convex shape.
//!
//! The surface is a grid of triangles; each of them, pulled down to the base, is a prism. All prisms under
//! the bounding box of the other shape are tested as convex pairs, row by row, two triangles per cell, in the
//! frame of the height field. Adjacent prisms share two corners: any three corners in a row of the strip make
//! one.

mod grid;
mod round;
mod slab;

use crate::contact::ContactPoint;
use crate::contact::drop_invalid;
use crate::gjk::penetration::penetration;
use crate::gjk::support::{Convex, Core, Pair};
use crate::gjk::vec::{Axes, V3, add, sub};
use crate::gjk::{CcdScratch, CcdSettings, Query, Work};
use crate::shape::{HeightField, Pose, Shape};
use crate::simplex::Simplex;
use grid::{Bounds, Grid, Window};
use kinetree_math::Vec3;
use round::{Round, Touch};
use slab::Slab;

/// Where a prism is before there is one.
const NOWHERE: [V3; 3] = [[0.0; 3]; 3];
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
    let CcdScratch { work, vertex_lanes: [lanes, _], strip, .. } = scratch;
    let Some(core) = Core::of(s2, lanes) else { return };
    let mut shape = Convex::new(core, p2, 0.0);
    let base_axes = Axes::of(&p1.mat);
    let base: V3 = p1.pos.into();
    shape.move_to(base_axes.to_local(&sub(&shape.pos, &base)), base_axes.transpose().mul(&shape.axes));
    if sphere_misses(field, &shape.pos, s2.bound_radius() + margin) {
        return;
    }
    let bounds = Bounds::of(&mut shape);
    shape.margin = margin;
    collide_over(field, (&base, &base_axes), shape, &bounds, settings, (work, strip), out);
}

/// Contacts between a height field (shape 1) and a simplex (shape 2), appended to `out`, at most 50.
pub fn hfield_simplex(
    field: &HeightField,
    p1: &Pose,
    simplex: &Simplex,
    margin: f64,
    settings: &CcdSettings,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    let base_axes = Axes::of(&p1.mat);
    let base: V3 = p1.pos.into();
    let local = simplex.map(|point| base_axes.to_local(&sub(point, &base)));
    let bounds = Bounds::of_points(local.vertices());
    let shape = Convex::simplex(local.vertices(), local.centre, local.radius, margin);
    let CcdScratch { work, strip, .. } = scratch;
    let first = out.len();
    collide_over(field, (&base, &base_axes), shape, &bounds, settings, (work, strip), out);
    drop_invalid(out, first);
}

/// Contacts with a shape in the frame of the height field, which is at `base` and has the axes `base_axes`.
fn collide_over(
    field: &HeightField,
    (base, base_axes): (&V3, &Axes),
    mut shape: Convex<'_>,
    bounds: &Bounds,
    settings: &CcdSettings,
    (work, strip): (&mut Work, &mut Vec<V3>),
    out: &mut Vec<ContactPoint>,
) {
    let margin = shape.margin;
    let Some(window) = Window::new(field, bounds, margin) else { return };
    let grid = Grid::new(field, margin);
    let query = settings.query(0.0);
    let first = out.len();
    let round = if query.is_exact() { Round::of(&shape, -field.size[3], query.tolerance) } else { None };
    let across = if shape.mesh().is_none() { Some(across_diagonals(&mut shape, &grid)) } else { None };
    let over = Over {
        // where the search over a mesh ends decides ties in the next one, so none is left out
        slabs: [
            across.unwrap_or(Slab::EVERYTHING),
            round.as_ref().map_or(Slab::EVERYTHING, Round::beside),
            round.as_ref().map_or(Slab::EVERYTHING, Round::beyond),
        ],
        round,
        bottom: -field.size[3],
        lowest: bounds.low[2],
        query,
        end: first + MAX_CONTACTS,
    };
    let columns = grid.fill_strips(strip, &window);
    let mut pair = Pair { a: Convex::prism(&NOWHERE, -field.size[3]), b: shape };
    for row in strip.chunks_exact(columns) {
        over.collide_strip(&mut pair, row, work, out);
        if out.len() >= over.end {
            break;
        }
    }
    for contact in &mut out[first..] {
        contact.normal = Vec3::from(base_axes.to_world(&contact.normal.into()));
        contact.pos = Vec3::from(add(&base_axes.to_world(&contact.pos.into()), base));
    }
}

/// A shape over a height field.
struct Over {
    /// The shape, if it is round.
    round: Option<Round>,
    /// Bounds of the shape, seen from above.
    slabs: [Slab; 3],
    /// Lowest point of the shape.
    lowest: f64,
    /// Height of the lower end of the prisms.
    bottom: f64,
    query: Query,
    /// Enough contacts.
    end: usize,
}

impl Over {
    /// Of which bounds of the shape a corner lies outside, one bit for each.
    #[inline(always)]
    fn outside(&self, corner: &V3) -> u32 {
        let mut sides = u32::from(corner[2] < self.lowest);
        for (k, slab) in self.slabs.iter().enumerate() {
            let position = slab.across[0] * corner[0] + slab.across[1] * corner[1];
            sides |= u32::from(position < slab.low) << (2 * k + 1)
                | u32::from(position > slab.high) << (2 * k + 2);
        }
        sides
    }

    /// Tests the prisms under one row of triangles, until there are enough contacts.
    fn collide_strip<'a>(
        &self,
        pair: &mut Pair<'a>,
        strip: &'a [V3],
        work: &mut Work,
        out: &mut Vec<ContactPoint>,
    ) {
        let [first, second, ..] = strip else { return };
        let mut outside = [self.outside(first), self.outside(second)];
        for top in strip.array_windows::<3>() {
            // a triangle is separated if all its corners are on the same side
            let last = self.outside(&top[2]);
            let is_separated = outside[0] & outside[1] & last != 0;
            outside = [outside[1], last];
            if is_separated {
                continue;
            }
            match self.round.as_ref().map_or(Touch::Unknown, |round| round.touch(top)) {
                Touch::Separated => {}
                Touch::Contact(contact) => out.push(contact),
                touch => {
                    pair.a.core = Core::Prism(top, self.bottom);
                    let query = Query { known_overlap: matches!(touch, Touch::Overlap), ..self.query };
                    penetration(pair, &query, 1, 0.0, work, out);
                }
            }
            if out.len() >= self.end {
                break;
            }
        }
    }
}

/// How far a shape reaches across the diagonals of the grid. Every triangle has one side along a diagonal.
fn across_diagonals(shape: &mut Convex, grid: &Grid) -> Slab {
    let across = [grid.step_y, -grid.step_x];
    let length = (across[0] * across[0] + across[1] * across[1]).sqrt();
    let last_vertex = shape.last_vertex();
    let mut reach = |sign: f64| {
        let dir = [sign * across[0] / length, sign * across[1] / length, 0.0];
        let far = shape.support(dir.into()).0.array();
        across[0] * far[0] + across[1] * far[1] + sign * length * shape.margin
    };
    let (low, high) = (reach(-1.0), reach(1.0));
    shape.continue_from(last_vertex);
    Slab { across, low, high }
}

/// Whether a sphere lies entirely outside the box around the field.
fn sphere_misses(field: &HeightField, center: &V3, radius: f64) -> bool {
    let [half_x, half_y, up, down] = field.size;
    let outside = |low: f64, high: f64, x: f64| high < x - radius || low > x + radius;
    outside(-half_x, half_x, center[0])
        || outside(-half_y, half_y, center[1])
        || outside(-down, up, center[2])
}
