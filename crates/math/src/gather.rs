//! Gather and scatter: lanes of elements at given columns of a longer list, and products of matrices
//! that have only such columns.
//!
//! Column indices increase, and are padded to whole lanes with copies of the lane's first one. Along a chain
//! of bodies most of them have no gaps, so that a lane is read and written whole: numbers that were written
//! one by one cannot be read as a lane without waiting.
//!
//! ```
//! use kinetree_math::gather::{ColumnIndices, gather_lanes, push_index_lanes};
//!
//! let mut ind = Vec::new();
//! let contiguous = push_index_lanes(&mut ind, &[1, 3, 4]);
//! let mut lanes = [[0.0; 4]];
//! let columns = ColumnIndices { ind: &ind, count: 3, contiguous };
//! gather_lanes(&mut lanes, &[0.0, 10.0, 20.0, 30.0, 40.0, 50.0], columns);
//! assert_eq!(lanes[0][..3], [10.0, 30.0, 40.0]);
//! ```

use crate::lanes::{Lane, add_scaled_lanes, keep_mask, sum_lane, sum_lanes};
use wide::f64x4;

/// Appends increasing column indices, padded to whole lanes with copies of the lane's first one; returns
/// which of these lanes have no gaps.
pub fn push_index_lanes(out: &mut Vec<[i32; 4]>, ind: &[i32]) -> ContiguousLanes {
    let (full, rest) = ind.as_chunks::<4>();
    let start = out.len();
    out.extend(full.iter().copied());
    if let Some(&first) = rest.first() {
        let mut lane = [first; 4];
        lane[..rest.len()].copy_from_slice(rest);
        out.push(lane);
    }
    ContiguousLanes::of(&out[start..], ind.len())
}

/// The lanes of a list of columns that follow one another, a bit each. Lanes that have no bit are treated as
/// if they had gaps.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContiguousLanes(u64);

impl ContiguousLanes {
    /// Which lanes have no gaps, with `count` columns in all of them.
    #[must_use]
    pub fn of(ind: &[[i32; 4]], count: usize) -> Self {
        let mut bits = 0;
        for (l, lane) in ind.iter().enumerate().take(64) {
            let last = (count - 4 * l).min(4) - 1;
            bits |= u64::from(lane[last] - lane[0] == last as i32) << l;
        }
        Self(bits)
    }
}

/// Increasing column indices in lanes.
#[derive(Clone, Copy, Debug)]
pub struct ColumnIndices<'a> {
    /// The indices, padded with copies of the lane's first one.
    pub ind: &'a [[i32; 4]],
    /// Number of indices without padding.
    pub count: usize,
    /// Which lanes have no gaps.
    pub contiguous: ContiguousLanes,
}

impl ColumnIndices<'_> {
    /// Lanes of indices, each with the number of those that are no padding, and whether they have no gaps.
    #[inline(always)]
    fn lanes(&self) -> impl Iterator<Item = (&[i32; 4], usize, bool)> {
        let (mut left, mut bits) = (self.count, self.contiguous.0);
        self.ind.iter().map(move |lane| {
            let columns = (lane, left.min(4), bits & 1 == 1);
            (left, bits) = (left.wrapping_sub(4), bits >> 1);
            columns
        })
    }
}

/// The numbers at one lane of columns, of which `used` are no padding. Padding receives any numbers of the
/// list, or zeros.
#[inline(always)]
fn gather(dense: &[f64], (i, used, contiguous): (&[i32; 4], usize, bool)) -> f64x4 {
    if contiguous && let Some(&[a, b, c, d]) = dense.get(lane_from(i[0])) {
        return f64x4::new([a, b, c, d]) & keep_mask(used);
    }
    f64x4::new(i.map(|i| dense[i as usize]))
}

/// Writes numbers to one lane of columns, of which `used` are no padding.
#[inline(always)]
fn scatter(dense: &mut [f64], lane: f64x4, (i, used, contiguous): (&[i32; 4], usize, bool)) {
    if contiguous && let Some(target) = dense.get_mut(lane_from(i[0])).and_then(<[_]>::first_chunk_mut::<4>) {
        let lane = if used < 4 { keep_mask(used).blend(lane, f64x4::new(*target)) } else { lane };
        *target = lane.to_array();
    } else {
        // the first column last, since padding repeats it
        for (&i, &x) in i.iter().zip(lane.as_array_ref()).rev() {
            dense[i as usize] = x;
        }
    }
}

/// Collects the numbers at columns. Padding receives any numbers of the list, or zeros.
#[inline]
pub fn gather_lanes(out: &mut [Lane], dense: &[f64], column_indices: ColumnIndices<'_>) {
    for (lane, columns) in out.iter_mut().zip(column_indices.lanes()) {
        *lane = gather(dense, columns).to_array();
    }
}

/// Writes numbers to columns.
#[inline]
pub fn scatter_lanes(dense: &mut [f64], lanes: &[Lane], column_indices: ColumnIndices<'_>) {
    for (lane, columns) in lanes.iter().zip(column_indices.lanes()) {
        scatter(dense, f64x4::new(*lane), columns);
    }
}

/// The columns of a contiguous lane, from its first one.
#[inline(always)]
fn lane_from(first_column: i32) -> core::ops::Range<usize> {
    let start = first_column as u32 as usize;
    start..start + 4
}

/// The columns of rows that are padded to whole lanes with zeros, and where these rows are.
#[derive(Clone, Copy, Debug)]
pub struct GatheredRows<'a> {
    /// All rows, one after another.
    pub rows: &'a [Lane],
    /// Their columns.
    pub column_indices: ColumnIndices<'a>,
}

impl GatheredRows<'_> {
    /// One of `W` lanes of columns.
    #[inline(always)]
    fn lane_columns<const W: usize>(&self, l: usize) -> (&[i32; 4], usize, bool) {
        let used = if l + 1 < W { 4 } else { self.column_indices.count - 4 * l };
        (&self.column_indices.ind[l], used, self.column_indices.contiguous.0 >> l & 1 == 1)
    }

    /// As [`gather_lanes`] with `W` lanes of columns, into registers.
    #[inline(always)]
    fn gather<const W: usize>(&self, v: &[f64]) -> [f64x4; W] {
        let mut lanes = [f64x4::ZERO; W];
        for (l, lane) in lanes.iter_mut().enumerate().take(self.column_indices.ind.len()) {
            *lane = gather(v, self.lane_columns::<W>(l));
        }
        lanes
    }

    /// Products of all rows with each of the vectors `v`; `buf` has at least the length of a row.
    #[inline(always)]
    pub fn mul<const V: usize>(&self, out: [&mut [f64]; V], v: [&[f64]; V], buf: &mut [Lane]) {
        match self.column_indices.ind.len() {
            0 => out.into_iter().for_each(|out| out.fill(0.0)),
            1 => self.mul_fixed::<1, V>(out, v),
            2 => self.mul_fixed::<2, V>(out, v),
            3 => self.mul_fixed::<3, V>(out, v),
            4 => self.mul_fixed::<4, V>(out, v),
            width => {
                for (out, v) in out.into_iter().zip(v) {
                    gather_lanes(buf, v, self.column_indices);
                    mul_any(out, self.rows, &buf[..width]);
                }
            }
        }
    }

    #[inline(always)]
    fn mul_fixed<const W: usize, const V: usize>(&self, out: [&mut [f64]; V], v: [&[f64]; V]) {
        let mut lanes = [[f64x4::ZERO; W]; V];
        for (lanes, v) in lanes.iter_mut().zip(v) {
            *lanes = self.gather::<W>(v);
        }
        let product = |row: &[Lane; W], v: &[f64x4; W]| {
            let mut sum = f64x4::new(row[0]) * v[0];
            for c in 1..W {
                sum += f64x4::new(row[c]) * v[c];
            }
            sum.to_array()
        };
        let mut out = out.map(|out| out.as_chunks_mut::<4>());
        let (fours, rest) = self.rows.as_chunks::<W>().0.as_chunks::<4>();
        for (i, rows) in fours.iter().enumerate() {
            for ((out, _), v) in out.iter_mut().zip(&lanes) {
                if let Some(out) = out.get_mut(i) {
                    *out = sum_lanes(&rows.each_ref().map(|row| product(row, v)));
                }
            }
        }
        for ((_, out), v) in out.iter_mut().zip(&lanes) {
            for (out, row) in out.iter_mut().zip(rest) {
                *out = sum_lane(&product(row, v));
            }
        }
    }

    /// `res += Σ s row` over all rows, one after another; `buf` has at least the length of a row.
    #[inline(always)]
    pub fn add_scaled(&self, res: &mut [f64], s: &[f64], buf: &mut [Lane]) {
        match self.column_indices.ind.len() {
            0 => {}
            1 => self.add_fixed::<1>(res, s),
            2 => self.add_fixed::<2>(res, s),
            3 => self.add_fixed::<3>(res, s),
            4 => self.add_fixed::<4>(res, s),
            width => {
                let buf = &mut buf[..width];
                gather_lanes(buf, res, self.column_indices);
                for (row, &s) in self.rows.chunks_exact(width).zip(s) {
                    add_scaled_lanes(buf, row, s);
                }
                scatter_lanes(res, buf, self.column_indices);
            }
        }
    }

    #[inline(always)]
    fn add_fixed<const W: usize>(&self, res: &mut [f64], s: &[f64]) {
        let mut sums = self.gather::<W>(res);
        for (row, &s) in self.rows.as_chunks::<W>().0.iter().zip(s) {
            for (sum, &x) in sums.iter_mut().zip(row) {
                *sum += f64x4::new(x) * f64x4::splat(s);
            }
        }
        for (l, sum) in sums.into_iter().enumerate() {
            scatter(res, sum, self.lane_columns::<W>(l));
        }
    }
}

fn mul_any(out: &mut [f64], rows: &[Lane], v: &[Lane]) {
    let (v2, v1) = v.as_chunks::<2>();
    for (out, row) in out.iter_mut().zip(rows.chunks_exact(v.len())) {
        // every other lane in a second sum
        let mut sums = [f64x4::ZERO; 2];
        let (x2, x1) = row.as_chunks::<2>();
        for (x, v) in x2.iter().zip(v2) {
            sums[0] += f64x4::new(x[0]) * f64x4::new(v[0]);
            sums[1] += f64x4::new(x[1]) * f64x4::new(v[1]);
        }
        for (x, v) in x1.iter().zip(v1) {
            sums[0] += f64x4::new(*x) * f64x4::new(*v);
        }
        *out = sum_lane(&(sums[0] + sums[1]).to_array());
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnIndices, GatheredRows, gather_lanes, push_index_lanes, scatter_lanes};

    #[test]
    fn columns_with_and_without_gaps() {
        let dense: Vec<f64> = (0..23).map(|k| 1.0 + f64::from(k)).collect();
        for (first, gap) in [(0, 0), (3, 0), (0, 2), (5, 1), (13, 0)] {
            for count in 1..=10.min(23 - first - gap) {
                // a gap after the second column
                let at: Vec<i32> =
                    (0..count).map(|k| (first + k + if k > 1 { gap } else { 0 }) as i32).collect();
                let mut ind = Vec::new();
                let contiguous = push_index_lanes(&mut ind, &at);
                let column_indices = ColumnIndices { ind: &ind, count, contiguous };
                let mut lanes = vec![[0.0; 4]; ind.len()];
                gather_lanes(&mut lanes, &dense, column_indices);
                let expected: Vec<f64> = at.iter().map(|&i| dense[i as usize]).collect();
                assert_eq!(lanes.as_flattened()[..count], expected);

                let mut written = vec![0.0; 23];
                scatter_lanes(&mut written, &lanes, column_indices);
                for (i, &x) in written.iter().enumerate() {
                    assert_eq!(x, if at.contains(&(i as i32)) { dense[i] } else { 0.0 });
                }

                let mut rows = vec![[0.0; 4]; 5 * ind.len()];
                for row in rows.chunks_exact_mut(ind.len()) {
                    row.as_flattened_mut()[..count].fill(2.0);
                }
                let rows = GatheredRows { rows: &rows, column_indices };
                let (mut once, mut twice) = ([0.0; 5], [0.0; 5]);
                rows.mul([&mut once, &mut twice], [&dense, &written], &mut lanes);
                let sum = 2.0 * expected.iter().sum::<f64>();
                assert_eq!((once, twice), ([sum; 5], [sum; 5]));

                let mut added = vec![0.0; 23];
                rows.add_scaled(&mut added, &[1.0; 5], &mut lanes);
                for (i, &x) in added.iter().enumerate() {
                    assert_eq!(x, if at.contains(&(i as i32)) { 10.0 } else { 0.0 });
                }
            }
        }
    }
}
