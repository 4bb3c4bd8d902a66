//! Ray against a height field.
//!
//! The solid is a base box below zero elevation and, above it, the terrain between the grid surface and the
//! sides of the top box. The ray is tested against the base box, against the triangles of those grid cells
//! over which it passes within the top box, and against the four sides of the top box below the terrain's
//! edge.

use kinetree_math::Vec3;

use super::flat::{BoxHits, box_hits};
use super::{Ray, RayHit, TriangleCaster, meets_ball};
use crate::{HeightField, Pose};

/// Grid spacing and accessors of a height field in its own frame.
struct Grid<'a> {
    field: &'a HeightField<'a>,
    dx: f64,
    dy: f64,
}

impl Grid<'_> {
    fn new<'a>(field: &'a HeightField<'a>) -> Option<Grid<'a>> {
        let complete =
            field.nrow >= 2 && field.ncol >= 2 && field.data.len() >= field.nrow.checked_mul(field.ncol)?;
        complete.then(|| Grid {
            field,
            dx: 2.0 * field.size[0] / (field.ncol - 1) as f64,
            dy: 2.0 * field.size[1] / (field.nrow - 1) as f64,
        })
    }

    /// Elevation relative to the field's scale.
    fn level(&self, row: usize, col: usize) -> f64 {
        f64::from(self.field.data[row * self.field.ncol + col])
    }

    fn vertex(&self, row: usize, col: usize) -> Vec3 {
        Vec3::new(
            self.dx * col as f64 - self.field.size[0],
            self.dy * row as f64 - self.field.size[1],
            self.level(row, col) * self.field.size[2],
        )
    }

    /// Cells along one axis that hold the interval between two local coordinates, with one cell of padding.
    fn cells(a: f64, b: f64, half: f64, spacing: f64, count: usize) -> std::ops::Range<usize> {
        let (a, b) = ((a + half) / spacing, (b + half) / spacing);
        // saturating casts send everything outside the grid to its border
        let low = (a.min(b).floor() - 1.0).max(0.0) as usize;
        let high = (a.max(b).ceil() + 1.0) as usize;
        low..high.min(count - 1)
    }
}

/// Ray against a height field.
#[must_use]
pub fn ray_hfield(pose: &Pose, field: &HeightField<'_>, ray: &Ray) -> Option<RayHit> {
    let [sx, sy, top, base] = field.size;
    let local = ray.to_local(pose);
    let hits_of = |height: f64, half: &Vec3| {
        let shift = Vec3::new(0.0, 0.0, height);
        let centre = pose.pos + pose.mat.column(2) * height;
        if !meets_ball(ray, &centre, half.dot(half)) {
            return None;
        }
        let shifted = Ray { origin: local.origin - shift, ..local };
        box_hits(&shifted, half)
    };
    let base_hits = hits_of(-0.5 * base, &Vec3::new(sx, sy, 0.5 * base));
    let mut best = base_hits.map(|hits| RayHit { distance: hits.nearest, normal: hits.local_normal });
    if let Some(hits) = hits_of(0.5 * top, &Vec3::new(sx, sy, 0.5 * top))
        && let Some(grid) = Grid::new(field)
    {
        hit_surface(&grid, &local, &hits, &mut best);
        hit_sides(&grid, &local, &hits, &mut best);
    }
    best.map(|hit| RayHit { normal: pose.mat * hit.normal, ..hit })
}

/// Replaces `best` by the nearest terrain triangle in front of it.
fn hit_surface(grid: &Grid<'_>, ray: &Ray, hits: &BoxHits, best: &mut Option<RayHit>) {
    let field = grid.field;
    let caster = TriangleCaster::new(ray);
    let [start, end] = inner_segment(hits);
    let (a, b) = (ray.at(start), ray.at(end));
    for row in Grid::cells(a.y, b.y, field.size[1], grid.dy, field.nrow) {
        // part of the segment that passes over this row, a cell of padding on both sides
        let (from, to) = row_segment(grid, ray, row, start, end);
        let (xa, xb) = (ray.origin.x + from * ray.direction.x, ray.origin.x + to * ray.direction.x);
        for col in Grid::cells(xa, xb, field.size[0], grid.dx, field.ncol) {
            let corner = grid.vertex(row, col);
            let opposite = grid.vertex(row + 1, col + 1);
            for triangle in
                [[corner, grid.vertex(row, col + 1), opposite], [corner, opposite, grid.vertex(row + 1, col)]]
            {
                if let Some(x) = caster.line_distance(&triangle)
                    && x >= 0.0
                    && best.is_none_or(|hit| x < hit.distance)
                {
                    *best = Some(RayHit { distance: x, normal: TriangleCaster::normal(&triangle) });
                }
            }
        }
    }
}

/// Part of the ray inside the top box.
fn inner_segment(hits: &BoxHits) -> [f64; 2] {
    let mut segment = [0.0, hits.nearest];
    for &x in &hits.faces {
        if x > segment[1] {
            segment = [hits.nearest, x];
        }
    }
    segment
}

/// Part of `start..=end` over one row of cells, with a cell of padding on both sides.
fn row_segment(grid: &Grid<'_>, ray: &Ray, row: usize, start: f64, end: f64) -> (f64, f64) {
    let y = |row: f64| grid.dy * row - grid.field.size[1];
    let crossing = |y: f64| (y - ray.origin.y) / ray.direction.y;
    let (a, b) = (crossing(y(row as f64 - 1.0)), crossing(y(row as f64 + 2.0)));
    // a ray along the row crosses nothing: not a number, or infinite on the right sides
    if a.is_finite() && b.is_finite() { (start.max(a.min(b)), end.min(a.max(b))) } else { (start, end) }
}

/// Replaces `best` by a side of the top box that is hit below the edge of the terrain.
fn hit_sides(grid: &Grid<'_>, ray: &Ray, hits: &BoxHits, best: &mut Option<RayHit>) {
    let field = grid.field;
    for side in 0..4 {
        let x = hits.faces[side];
        if x < 0.0 || best.is_some_and(|hit| x >= hit.distance) {
            continue;
        }
        let point = ray.at(x);
        let high_side = side % 2 == 1;
        let mut normal = Vec3::zeros();
        normal[side / 2] = if high_side { 1.0 } else { -1.0 };

        // position along the edge in cells, and the elevations at both ends of its cell
        let (along, cell, low, high) = if side < 2 {
            let col = if high_side { field.ncol - 1 } else { 0 };
            let along = (point.y + field.size[1]) / grid.dy;
            let cell = edge_cell(along, field.nrow);
            (along, cell, grid.level(cell, col), grid.level(cell + 1, col))
        } else {
            let row = if high_side { field.nrow - 1 } else { 0 };
            let along = (point.x + field.size[0]) / grid.dx;
            let cell = edge_cell(along, field.ncol);
            (along, cell, grid.level(row, cell), grid.level(row, cell + 1))
        };
        let cell = cell as f64;
        let edge = low * (cell + 1.0 - along) + high * (along - cell);
        if point.z / field.size[2] < edge {
            *best = Some(RayHit { distance: x, normal });
        }
    }
}

/// Cell that holds a position along an edge of `count` grid points.
fn edge_cell(along: f64, count: usize) -> usize {
    (along.floor().max(0.0) as usize).min(count - 2)
}
