//! Products of short rows in a packed lower triangle.
//!
//! A triangle is cut into panels of four rows that all have as many lanes as the last of them needs: panel
//! `g` has rows of `g + 1` lanes, so that four rows and one lane are a square tile. Sums of products `Σ a bᵀ`
//! run over all rows `a`, `b` at once with two tiles in registers, and each tile is read and written once.

use kinetree_math::LaneVec;
use kinetree_math::lanes::{Lane, split_four_mut};
use std::ops::Range;

/// Number of lanes of the first `panels` panels.
#[inline]
pub(crate) const fn triangle_size(panels: usize) -> usize {
    2 * panels * (panels + 1)
}

/// First lane of a row.
#[inline]
pub(crate) const fn triangle_row(row: usize) -> usize {
    let panel = row / 4;
    triangle_size(panel) + (row % 4) * (panel + 1)
}

/// `target += Σ a bᵀ` over pairs of rows, `a` and then `b`, which have `width` lanes each. The sum must be
/// symmetric: only its lower triangle is made.
pub(crate) fn add_products(target: &mut [Lane], width: usize, pairs: &[Lane]) {
    products::<false>(target, 0..width, pairs, 2 * width, width);
}

/// `target += Σ d a aᵀ` over rows `a` of `width` lanes with weights `d`.
pub(crate) fn add_weighted_squares(target: &mut [Lane], width: usize, rows: &[Lane], weights: &[f64]) {
    match width {
        1 => weighted_squares(target, 1, &rows.as_chunks::<1>().0.iter().map(as_slice), weights),
        2 => weighted_squares(target, 2, &rows.as_chunks::<2>().0.iter().map(as_slice), weights),
        3 => weighted_squares(target, 3, &rows.as_chunks::<3>().0.iter().map(as_slice), weights),
        4 => weighted_squares(target, 4, &rows.as_chunks::<4>().0.iter().map(as_slice), weights),
        _ => weighted_squares(target, width, &rows.chunks_exact(width), weights),
    }
}

#[inline(always)]
fn as_slice<const W: usize>(row: &[Lane; W]) -> &[Lane] {
    row
}

#[inline(always)]
fn weighted_squares<'a>(
    target: &mut [Lane],
    width: usize,
    rows: &(impl Iterator<Item = &'a [Lane]> + Clone),
    weights: &[f64],
) {
    let mut rest = target;
    for g in 0..width {
        let (panel, tail) = rest.split_at_mut(4 * (g + 1));
        rest = tail;
        let mut first = 0;
        while first < g {
            weighted_tiles::<2>(panel, g, first, rows.clone().zip(weights.iter().copied()));
            first += 2;
        }
        if first == g {
            weighted_tiles::<1>(panel, g, first, rows.clone().zip(weights.iter().copied()));
        }
    }
}

/// `target −= Σ a aᵀ` over rows of `width` lanes. The lower triangle is made on the given panels, with which
/// `target` begins.
pub(crate) fn sub_squares(target: &mut [Lane], panels: Range<usize>, width: usize, rows: &[Lane]) {
    products::<true>(target, panels, rows, width, 0);
}

/// Products of `a` and `b`, each pair of which begins `step` lanes after the last one, and `b` `second` lanes
/// after `a`.
#[inline]
fn products<const SUB: bool>(
    target: &mut [Lane],
    panels: Range<usize>,
    pairs: &[Lane],
    step: usize,
    second: usize,
) {
    let mut rest = target;
    for g in panels {
        let (panel, tail) = rest.split_at_mut(4 * (g + 1));
        rest = tail;
        let mut first = 0;
        while first <= g {
            first += if first < g {
                tiles::<2, SUB>(panel, g, first, pairs, step, second + first)
            } else {
                tiles::<1, SUB>(panel, g, first, pairs, step, second + first)
            };
        }
    }
}

/// Products in `T` lanes of a panel, from lane `first` on; `second` is where they begin in each pair. Returns
/// `T`.
#[inline]
fn tiles<const T: usize, const SUB: bool>(
    panel: &mut [Lane],
    g: usize,
    first: usize,
    pairs: &[Lane],
    step: usize,
    second: usize,
) -> usize {
    assert!(g < step && second + T <= step, "a panel needs all lanes up to its own");
    let Some(target) = tile_rows::<T>(panel, g, first) else { return T };
    let mut sum = target.each_ref().map(|row| **row);
    let mut pairs = pairs;
    while pairs.len() >= step {
        let (pair, rest) = pairs.split_at(step);
        pairs = rest;
        add_tile::<T, SUB>(&mut sum, &pair[g], &pair[second..second + T]);
    }
    for (row, sum) in target.into_iter().zip(sum) {
        *row = sum;
    }
    T
}

/// As [`tiles`], with each of the weighted rows times itself.
#[inline(always)]
fn weighted_tiles<'a, const T: usize>(
    panel: &mut [Lane],
    g: usize,
    first: usize,
    rows: impl Iterator<Item = (&'a [Lane], f64)>,
) {
    let Some(target) = tile_rows::<T>(panel, g, first) else { return };
    let mut sum = target.each_ref().map(|row| **row);
    for (row, d) in rows {
        let b: [Lane; T] = std::array::from_fn(|t| row[first + t].map(|x| d * x));
        add_tile::<T, false>(&mut sum, &row[g], &b);
    }
    for (row, sum) in target.into_iter().zip(sum) {
        *row = sum;
    }
}

/// `T` lanes of the four rows of a panel.
#[inline(always)]
fn tile_rows<const T: usize>(panel: &mut [Lane], g: usize, first: usize) -> Option<[&mut [Lane; T]; 4]> {
    let [a, b, c, d] = split_four_mut(panel, g + 1);
    let (a, b) = (a[first..].first_chunk_mut()?, b[first..].first_chunk_mut()?);
    let (c, d) = (c[first..].first_chunk_mut()?, d[first..].first_chunk_mut()?);
    Some([a, b, c, d])
}

/// Adds the products of four numbers with lanes, or takes them off.
#[inline(always)]
fn add_tile<const T: usize, const SUB: bool>(sum: &mut [[Lane; T]; 4], a: &Lane, b: &[Lane]) {
    for q in 0..4 {
        for t in 0..T {
            for k in 0..4 {
                let x = a[q] * b[t][k];
                sum[q][t][k] = if SUB { sum[q][t][k] - x } else { sum[q][t][k] + x };
            }
        }
    }
}

/// A triangle that is made before it is added where it belongs.
#[derive(Debug, Default)]
pub(crate) struct Triangle {
    lanes: LaneVec,
}

impl Triangle {
    /// A triangle of zeros with the given number of panels.
    pub(crate) fn zeros(&mut self, panels: usize) -> &mut [Lane] {
        self.lanes.clear();
        self.lanes.resize(triangle_size(panels));
        &mut self.lanes
    }

    /// The values that were made last.
    pub(crate) fn values(&self) -> &[Lane] {
        &self.lanes
    }
}

/// `target += values`.
#[inline]
pub(crate) fn add_lanes(target: &mut [Lane], values: &[Lane]) {
    for (y, x) in target.iter_mut().zip(values) {
        for k in 0..4 {
            y[k] += x[k];
        }
    }
}
