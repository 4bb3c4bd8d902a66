//! Products of short rows in a packed lower triangle.
//!
//! A triangle is cut into groups of four rows that all have as many lanes as the last of them needs: group `g` has rows of `g + 1`
//! lanes, so that four rows and one lane are a square tile. Sums of products `Σ a bᵀ` run over all rows `a`, `b` at once with two tiles
//! in registers, and each tile is read and written once.

use kinetree_math::lanes::Lane;
use std::ops::Range;

/// Number of lanes of the first `groups` groups.
#[inline]
pub(super) const fn triangle_size(groups: usize) -> usize {
    2 * groups * (groups + 1)
}

/// First lane of a row.
#[inline]
pub(super) const fn triangle_row(row: usize) -> usize {
    let group = row / 4;
    triangle_size(group) + (row % 4) * (group + 1)
}

/// `target += Σ a bᵀ` over pairs of rows, `a` and then `b`, which have `width` lanes each. The sum must be symmetric: only its lower
/// triangle is made, on the given groups, with which `target` begins.
pub(super) fn add_products(target: &mut [Lane], groups: Range<usize>, width: usize, pairs: &[Lane]) {
    products::<false>(target, groups, pairs, 2 * width, width);
}

/// `target −= Σ a aᵀ` over the given rows, otherwise as [`add_products`].
pub(super) fn sub_squares(target: &mut [Lane], groups: Range<usize>, width: usize, rows: &[Lane]) {
    products::<true>(target, groups, rows, width, 0);
}

/// Products of `a` and `b`, each pair of which begins `step` lanes after the last one, and `b` `second` lanes after `a`.
#[inline]
fn products<const SUB: bool>(
    target: &mut [Lane],
    groups: Range<usize>,
    pairs: &[Lane],
    step: usize,
    second: usize,
) {
    let mut rest = target;
    for g in groups {
        let (group, tail) = rest.split_at_mut(4 * (g + 1));
        rest = tail;
        let mut first = 0;
        while first <= g {
            first += if first < g {
                tiles::<2, SUB>(group, g, first, pairs, step, second + first)
            } else {
                tiles::<1, SUB>(group, g, first, pairs, step, second + first)
            };
        }
    }
}

/// Products in `T` lanes of a group, from lane `first` on; `second` is where they begin in each pair. Returns `T`.
#[inline]
fn tiles<const T: usize, const SUB: bool>(
    group: &mut [Lane],
    g: usize,
    first: usize,
    pairs: &[Lane],
    step: usize,
    second: usize,
) -> usize {
    assert!(g < step && second + T <= step, "a group needs all lanes up to its own");
    let (row0, rest) = group.split_at_mut(g + 1);
    let (row1, rest) = rest.split_at_mut(g + 1);
    let (row2, row3) = rest.split_at_mut(g + 1);
    let [Some(row0), Some(row1), Some(row2), Some(row3)] =
        [row0, row1, row2, row3].map(|row| row[first..].first_chunk_mut::<T>())
    else {
        return T;
    };
    let mut sum = [*row0, *row1, *row2, *row3];
    let mut pairs = pairs;
    while pairs.len() >= step {
        let (pair, rest) = pairs.split_at(step);
        pairs = rest;
        let a = pair[g];
        let b = &pair[second..second + T];
        for q in 0..4 {
            for t in 0..T {
                for k in 0..4 {
                    let x = a[q] * b[t][k];
                    sum[q][t][k] = if SUB { sum[q][t][k] - x } else { sum[q][t][k] + x };
                }
            }
        }
    }
    [*row0, *row1, *row2, *row3] = sum;
    T
}

/// A triangle that is made before it is added where it belongs.
#[derive(Debug, Default)]
pub(super) struct Triangle {
    lanes: Vec<Lane>,
}

impl Triangle {
    /// A triangle of zeros with the given number of groups.
    pub(super) fn zeros(&mut self, groups: usize) -> &mut [Lane] {
        self.lanes.clear();
        self.lanes.resize(triangle_size(groups), [0.0; 4]);
        &mut self.lanes
    }

    /// The values that were made last.
    pub(super) fn values(&self) -> &[Lane] {
        &self.lanes
    }
}

/// `target += values`.
#[inline]
pub(super) fn add_lanes(target: &mut [Lane], values: &[Lane]) {
    for (y, x) in target.iter_mut().zip(values) {
        for k in 0..4 {
            y[k] += x[k];
        }
    }
}
