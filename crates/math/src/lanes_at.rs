//! Lanes of numbers that lie at given places of a longer list, and products of matrices that have only such columns.
//!
//! Places increase, and are padded to whole lanes with copies of the lane's first one. Along a chain of bodies most of them have no
//! gaps, so that a lane is read and written whole: numbers that were written one by one cannot be read as a lane without waiting.

use crate::lanes::{Lane, add_scaled_lanes, keep_mask, sum_lane, sum_lanes};
use wide::f64x4;

/// Appends increasing places, padded to whole lanes with copies of the lane's first one.
pub fn push_index_lanes(out: &mut Vec<[i32; 4]>, ind: &[i32]) {
    let (full, rest) = ind.as_chunks::<4>();
    out.extend(full.iter().copied());
    if let Some(&first) = rest.first() {
        let mut lane = [first; 4];
        lane[..rest.len()].copy_from_slice(rest);
        out.push(lane);
    }
}

/// The places, of which there are `count` without padding, lane by lane with the number of those that are no padding.
#[inline(always)]
fn places(ind: &[[i32; 4]], count: usize) -> impl Iterator<Item = (&[i32; 4], usize)> {
    ind.iter().enumerate().map(move |(l, i)| (i, (count - 4 * l).min(4)))
}

/// Whether the first `count` places follow one another.
#[inline(always)]
fn in_a_row(i: &[i32; 4], count: usize) -> bool {
    i[(count - 1) % 4] - i[0] == count as i32 - 1
}

/// The numbers at one lane of places.
#[inline(always)]
fn gather(dense: &[f64], (i, count): (&[i32; 4], usize)) -> f64x4 {
    if in_a_row(i, count)
        && let Some(&lane) = dense[i[0] as usize..].first_chunk::<4>()
    {
        let lane = f64x4::new(lane);
        return if count < 4 { lane & keep_mask(count) } else { lane };
    }
    f64x4::new(i.map(|i| dense[i as usize]))
}

/// Writes numbers to one lane of places.
#[inline(always)]
fn scatter(dense: &mut [f64], lane: f64x4, (i, count): (&[i32; 4], usize)) {
    if in_a_row(i, count)
        && let Some(target) = dense[i[0] as usize..].first_chunk_mut::<4>()
    {
        let lane = if count < 4 { keep_mask(count).blend(lane, f64x4::new(*target)) } else { lane };
        *target = lane.to_array();
    } else {
        for (&i, &x) in i.iter().zip(lane.as_array_ref()).take(count) {
            dense[i as usize] = x;
        }
    }
}

/// Collects the numbers at places, of which there are `count` without padding. Padding receives any numbers of the list, or zeros.
#[inline]
pub fn gather_lanes(out: &mut [Lane], dense: &[f64], ind: &[[i32; 4]], count: usize) {
    for (lane, place) in out.iter_mut().zip(places(ind, count)) {
        *lane = gather(dense, place).to_array();
    }
}

/// Writes numbers to places, of which there are `count` without padding.
#[inline]
pub fn scatter_lanes(dense: &mut [f64], lanes: &[Lane], ind: &[[i32; 4]], count: usize) {
    for (lane, place) in lanes.iter().zip(places(ind, count)) {
        scatter(dense, f64x4::new(*lane), place);
    }
}

/// As [`gather_lanes`], into registers.
#[inline(always)]
fn gather_fixed<const W: usize>(dense: &[f64], ind: &[[i32; 4]], count: usize) -> [f64x4; W] {
    let mut lanes = [f64x4::ZERO; W];
    for (lane, place) in lanes.iter_mut().zip(places(ind, count)) {
        *lane = gather(dense, place);
    }
    lanes
}

/// The columns of rows that are padded to whole lanes with zeros, and where these rows are.
#[derive(Clone, Copy, Debug)]
pub struct RowsAt<'a> {
    /// All rows, one after another.
    pub rows: &'a [Lane],
    /// Their columns.
    pub ind: &'a [[i32; 4]],
    /// Number of columns without padding.
    pub count: usize,
}

impl RowsAt<'_> {
    /// Products of all rows with `v`; `buf` has at least the length of a row.
    pub fn mul(&self, out: &mut [f64], v: &[f64], buf: &mut [Lane]) {
        match self.ind.len() {
            0 => out.fill(0.0),
            1 => self.mul_fixed::<1>(out, v),
            2 => self.mul_fixed::<2>(out, v),
            3 => self.mul_fixed::<3>(out, v),
            4 => self.mul_fixed::<4>(out, v),
            width => {
                gather_lanes(buf, v, self.ind, self.count);
                mul_any(out, self.rows, &buf[..width]);
            }
        }
    }

    fn mul_fixed<const W: usize>(&self, out: &mut [f64], v: &[f64]) {
        let v = gather_fixed::<W>(v, self.ind, self.count);
        let product = |row: &[Lane; W]| {
            let mut sum = f64x4::new(row[0]) * v[0];
            for c in 1..W {
                sum += f64x4::new(row[c]) * v[c];
            }
            sum.to_array()
        };
        let (out_fours, out_rest) = out.as_chunks_mut::<4>();
        let (fours, rest) = self.rows.as_chunks::<W>().0.as_chunks::<4>();
        for (out, rows) in out_fours.iter_mut().zip(fours) {
            *out = sum_lanes(&rows.each_ref().map(product));
        }
        for (out, row) in out_rest.iter_mut().zip(rest) {
            *out = sum_lane(&product(row));
        }
    }

    /// `res += Σ s row` over all rows, one after another; `buf` has at least the length of a row.
    pub fn add_scaled(&self, res: &mut [f64], s: &[f64], buf: &mut [Lane]) {
        match self.ind.len() {
            0 => {}
            1 => self.add_fixed::<1>(res, s),
            2 => self.add_fixed::<2>(res, s),
            3 => self.add_fixed::<3>(res, s),
            4 => self.add_fixed::<4>(res, s),
            width => {
                let buf = &mut buf[..width];
                gather_lanes(buf, res, self.ind, self.count);
                for (row, &s) in self.rows.chunks_exact(width).zip(s) {
                    add_scaled_lanes(buf, row, s);
                }
                scatter_lanes(res, buf, self.ind, self.count);
            }
        }
    }

    fn add_fixed<const W: usize>(&self, res: &mut [f64], s: &[f64]) {
        let mut sums = gather_fixed::<W>(res, self.ind, self.count);
        for (row, &s) in self.rows.as_chunks::<W>().0.iter().zip(s) {
            for (sum, &x) in sums.iter_mut().zip(row) {
                *sum += f64x4::new(x) * f64x4::splat(s);
            }
        }
        for (sum, place) in sums.into_iter().zip(places(self.ind, self.count)) {
            scatter(res, sum, place);
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
