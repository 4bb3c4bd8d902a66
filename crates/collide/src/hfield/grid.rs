//! The part of a height field's grid that lies under a shape, as strips of triangles.

use crate::gjk::support::Convex;
use crate::gjk::vec::V3;
use crate::shape::HeightField;

/// Axis-aligned box around a shape.
pub(super) struct Bounds {
    pub(super) low: V3,
    pub(super) high: V3,
}

impl Bounds {
    pub(super) fn of(shape: &mut Convex) -> Self {
        let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            let mut dir = [0.0; 3];
            dir[axis] = 1.0;
            high[axis] = shape.support(dir.into()).0.array()[axis];
            dir[axis] = -1.0;
            low[axis] = shape.support(dir.into()).0.array()[axis];
        }
        Self { low, high }
    }

    /// The box around points.
    pub(super) fn of_points(points: &[V3]) -> Self {
        let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
        for point in points {
            for axis in 0..3 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        Self { low, high }
    }
}

/// First and last grid line in both directions.
pub(super) struct Window {
    columns: (usize, usize),
    rows: (usize, usize),
}

impl Window {
    /// The part of the grid below the bounds; `None` if there is none.
    pub(super) fn new(field: &HeightField, bounds: &Bounds, margin: f64) -> Option<Self> {
        let [half_x, half_y, up, down] = field.size;
        let is_separated = |axis: usize, low: f64, high: f64| {
            bounds.low[axis] - margin > high || bounds.high[axis] + margin < low
        };
        let cells = field.nrow.checked_mul(field.ncol)?;
        if is_separated(0, -half_x, half_x)
            || is_separated(1, -half_y, half_y)
            || is_separated(2, -down, up)
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
pub(super) struct Grid<'a> {
    field: &'a HeightField<'a>,
    pub(super) step_x: f64,
    pub(super) step_y: f64,
    margin: f64,
}

impl<'a> Grid<'a> {
    pub(super) fn new(field: &'a HeightField<'a>, margin: f64) -> Self {
        let step = |half: f64, count: usize| (2.0 * half) / (count as f64 - 1.0);
        Self {
            field,
            step_x: step(field.size[0], field.ncol),
            step_y: step(field.size[1], field.nrow),
            margin,
        }
    }

    /// For each row of a window the corners between its two grid lines, column by column, the upper line
    /// first. Any three in a row make a triangle of the surface. Returns the number of corners of a row, at
    /// least one.
    pub(super) fn fill_strips(&self, strips: &mut Vec<V3>, window: &Window) -> usize {
        let (rows, columns) = (window.rows.0..window.rows.1, window.columns);
        let count = (columns.1 + 1).saturating_sub(columns.0);
        let length = 2 * count;
        strips.resize(length * rows.len(), [0.0; 3]);
        for (strip, row) in strips.chunks_exact_mut(length.max(1)).zip(rows) {
            self.fill_strip(strip, row, columns.0, count);
        }
        length.max(1)
    }

    #[inline]
    fn fill_strip(&self, strip: &mut [V3], row: usize, first: usize, count: usize) {
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
