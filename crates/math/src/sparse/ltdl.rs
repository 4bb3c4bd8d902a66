//! Factorization `M = Lᵀ D L` of a matrix over a forest, such as the joint-space inertia.
//!
//! Entry `(i, j)` is non-zero only if dof `j` is dof `i` or an ancestor of it. Row `i` holds the ancestors of
//! `i` in increasing order and `i` itself last, so the row of an ancestor is a prefix of the row of each
//! descendant. Eliminating from the last dof to the first then creates no fill-in (Featherstone, "Efficient
//! factorization of the joint-space inertia matrix for branched kinematic trees"). `ld` receives `D` on the
//! diagonal and the strict lower part of `L`, whose own diagonal is one.
//!
//! Dofs are numbered depth first, as in a model: the descendants of a dof follow it without a gap, so that a
//! row is finished in one go, by gathering what all its descendants take from it, with the sums in registers.
//! Rows stay multiplied with their pivots until all are gathered, so that no row waits for those below it to
//! be scaled.
//!
//! An optional `index` lists the dofs to treat, increasing; it must contain whole trees.

use super::csr::Pattern;
use crate::lanes::{Lane, keep_mask, lanes};
use core::ops::Range;
use wide::{CmpGt, f64x4, i32x8};

/// Dofs from first to last: those of the list, or all.
#[inline]
fn dof_at(index: Option<&[i32]>, k: usize) -> usize {
    index.map_or(k, |list| list[k] as usize)
}

#[inline]
fn dof_count(pattern: Pattern, index: Option<&[i32]>) -> usize {
    index.map_or(pattern.nrow(), <[i32]>::len)
}

/// Factorizes in place: `ld` holds the lower triangle of `M` and receives `L` and `D`, `diag_inv` the inverse
/// of `D`.
///
/// Pivots are not checked: a matrix that is not positive definite gives a `D` with entries that are not
/// positive.
pub fn ltdl_factor(ld: &mut [f64], diag_inv: &mut [f64], pattern: Pattern, index: Option<&[i32]>) {
    let count = dof_count(pattern, index);
    let mut left = count;
    while left > 0 {
        let k = dof_at(index, left - 1);
        let Some(depth) = (pattern.rownnz[k] as usize).checked_sub(1) else {
            left -= 1;
            continue;
        };
        let (below, pair) = relatives(pattern, k, depth);
        let panel =
            if depth < DEEP || below.len() < BLOCK { 0 } else { panel_height(pattern, k, depth, below.end) };
        if panel > 2 {
            subtract_in_blocks(ld, diag_inv, pattern, (k, depth), panel, below);
            for above in (0..panel).step_by(2) {
                let (k, depth) = (k - above, depth - above);
                subtract_descendants::<2>(ld, diag_inv, pattern, k, depth, k + 1..k + 1 + above);
                eliminate(ld, diag_inv, pattern, k, depth, true);
            }
            left -= panel;
            continue;
        }
        if pair {
            subtract_descendants::<2>(ld, diag_inv, pattern, k, depth, below);
        } else {
            subtract_descendants::<1>(ld, diag_inv, pattern, k, depth, below);
        }
        eliminate(ld, diag_inv, pattern, k, depth, pair);
        left -= 1 + usize::from(pair);
    }
    for k in (0..count).map(|k| dof_at(index, k)) {
        let depth = (pattern.rownnz[k] as usize).saturating_sub(1);
        scale_first(&mut ld[pattern.rowadr[k] as usize..], depth, diag_inv[k]);
    }
}

/// Inverts the pivot of a dof whose row is gathered; with `pair`, eliminates it from the row of its parent
/// and inverts that pivot, too.
#[inline(always)]
fn eliminate(ld: &mut [f64], diag_inv: &mut [f64], pattern: Pattern, k: usize, depth: usize, pair: bool) {
    let (above, row) = ld.split_at_mut(pattern.rowadr[k] as usize);
    diag_inv[k] = 1.0 / row[depth];
    if pair {
        // the parent's pivot before the rest of its row, since the next division waits for it
        let parent_row = &mut above[pattern.rowadr[k - 1] as usize..];
        let factor = -row[depth - 1] * diag_inv[k];
        let pivot = parent_row[depth - 1] + row[depth - 1] * factor;
        diag_inv[k - 1] = 1.0 / pivot;
        add_scaled_first(parent_row, row, depth, factor);
    }
}

/// Rows from this depth on, with as many below them as a block, are gathered panel by panel.
const DEEP: usize = 64;
/// Rows of a panel, and rows of a block below it: a block stays in the cache while the panel goes over it.
const PANEL: usize = 16;
const BLOCK: usize = 32;

/// How many dofs from `k` up make a panel: an even number of dofs without other children, each right after
/// its parent. Their descendants end at `end`.
fn panel_height(pattern: Pattern, k: usize, depth: usize, end: usize) -> usize {
    let next = pattern.rownnz.get(end).map_or(0, |&n| n as usize);
    let alone =
        |above: &usize| pattern.rownnz[k - above] as usize == depth + 1 - above && next <= depth + 1 - above;
    (0..PANEL.min(depth)).take_while(alone).count() & !1
}

/// Takes from the rows of a panel what the dofs below it take from them.
fn subtract_in_blocks(
    ld: &mut [f64],
    diag_inv: &[f64],
    pattern: Pattern,
    (k, depth): (usize, usize),
    panel: usize,
    below: Range<usize>,
) {
    for first in below.clone().step_by(BLOCK) {
        let block = first..below.end.min(first + BLOCK);
        for above in (0..panel).step_by(2) {
            subtract_descendants::<2>(ld, diag_inv, pattern, k - above, depth - above, block.clone());
        }
    }
}

/// The descendants of a dof at the given depth, and whether it is treated together with its parent right
/// before it: if that has no other children.
#[inline(always)]
pub(super) fn relatives(pattern: Pattern, dof: usize, depth: usize) -> (Range<usize>, bool) {
    let below = descendants(pattern, dof, depth);
    let pair = depth > 0
        && pattern.rownnz[dof - 1] as usize == depth
        && pattern.rownnz.get(below.end).is_none_or(|&n| n as usize <= depth);
    (below, pair)
}

/// The descendants of a dof at the given depth: the rows that follow, up to one that is not longer.
#[inline]
fn descendants(pattern: Pattern, dof: usize, depth: usize) -> Range<usize> {
    let after = &pattern.rownnz[dof + 1..];
    let own = depth as i32 + 1;
    let mut count = 0;
    let (eights, rest) = after.as_chunks::<8>();
    for &eight in eights {
        let longer = i32x8::new(eight).cmp_gt(i32x8::splat(own)).move_mask() as u32;
        let run = longer.trailing_ones() as usize;
        count += run;
        if run < 8 {
            return dof + 1..dof + 1 + count;
        }
    }
    dof + 1..dof + 1 + count + rest.iter().take_while(|&&n| n > own).count()
}

/// Lanes of a row that are summed at once, in registers.
const STRIP: usize = 4;

/// Takes from row `dof`, and from the `ROWS − 1` rows before it, what elimination of the dofs `below` takes
/// from them: `Σ rᵢ[d] rᵢ / Dᵢ` over their rows `rᵢ = Dᵢ lᵢ`, with `d` the depth of the row's own dof.
#[inline]
fn subtract_descendants<const ROWS: usize>(
    ld: &mut [f64],
    diag_inv: &[f64],
    pattern: Pattern,
    dof: usize,
    depth: usize,
    below: Range<usize>,
) {
    if below.is_empty() {
        return;
    }
    let rows: [usize; ROWS] = core::array::from_fn(|r| pattern.rowadr[dof - r] as usize);
    let (rowadr, diag_inv) = (&pattern.rowadr[below.clone()], &diag_inv[below]);
    for first in (0..=depth).step_by(4 * STRIP) {
        let strip = Strip { rowadr, diag_inv, rows, depth, first };
        match lanes(depth + 1 - first) {
            1 => strip.subtract::<1>(ld),
            2 => strip.subtract::<2>(ld),
            3 => strip.subtract::<3>(ld),
            _ => strip.subtract::<STRIP>(ld),
        }
    }
}

/// Some columns of one or more rows that follow upon each other, and of all rows below them.
struct Strip<'a, const ROWS: usize> {
    /// Where the rows below begin, and the inverses of their pivots.
    rowadr: &'a [i32],
    diag_inv: &'a [f64],
    /// Where the rows begin, from the last to the first.
    rows: [usize; ROWS],
    /// Depth of the last row.
    depth: usize,
    /// First column.
    first: usize,
}

impl<const ROWS: usize> Strip<'_, ROWS> {
    /// Subtracts the sums of the rows below, each weighted with its entry for the row, from `W` lanes of the
    /// rows.
    #[inline(never)]
    fn subtract<const W: usize>(&self, ld: &mut [f64]) {
        let mut sums = [[f64x4::ZERO; W]; ROWS];
        let own_column: [usize; ROWS] = core::array::from_fn(|r| self.depth - r);
        for (&at, &inv) in self.rowadr.iter().zip(self.diag_inv) {
            let row = &ld[at as usize..];
            let weights = own_column.map(|c| row[c] * inv);
            // lanes beyond the end of a row hold what follows it, and are not used
            let ends_here;
            let own = match row[self.first..].as_chunks::<4>().0.first_chunk::<W>() {
                Some(lanes) => lanes,
                None => {
                    ends_here = padded(&row[self.first..]);
                    &ends_here
                }
            };
            for (sum, weight) in sums.iter_mut().zip(weights) {
                for (sum, &x) in sum.iter_mut().zip(own) {
                    *sum += f64x4::splat(weight) * f64x4::new(x);
                }
            }
        }
        for (r, (&at, sum)) in self.rows.iter().zip(&sums).enumerate() {
            let used = self.depth + 1 - r - self.first;
            subtract_first(&mut ld[at + self.first..], used, sum);
        }
    }
}

/// The first lanes of a list that is too short for them, with zeros for what is missing.
#[cold]
#[inline(never)]
pub(super) fn padded<const W: usize>(list: &[f64]) -> [Lane; W] {
    let mut lanes = [[0.0; 4]; W];
    for (x, &value) in lanes.as_flattened_mut().iter_mut().zip(list) {
        *x = value;
    }
    lanes
}

/// `list −= sum` for the first `used` numbers, which reach into the last lane or to its beginning.
#[inline]
fn subtract_first<const W: usize>(list: &mut [f64], used: usize, sum: &[f64x4; W]) {
    let Some(list) = list.as_chunks_mut::<4>().0.first_chunk_mut::<W>() else {
        return subtract_short(&mut list[..used], sum.map(f64x4::to_array).as_flattened());
    };
    // to subtract zero leaves numbers after the row as they are
    let last = keep_mask((used + 4 - 4 * W).min(4));
    for (l, (x, &s)) in list.iter_mut().zip(sum).enumerate() {
        let s = if l + 1 < W { s } else { s & last };
        *x = (f64x4::new(*x) - s).to_array();
    }
}

/// `list −= sum`, at the end of all rows.
#[cold]
#[inline(never)]
fn subtract_short(list: &mut [f64], sum: &[f64]) {
    for (x, s) in list.iter_mut().zip(sum) {
        *x -= s;
    }
}

/// `list += factor other` for the first `n` numbers.
#[inline]
fn add_scaled_first(list: &mut [f64], other: &[f64], n: usize, factor: f64) {
    let (full, rest) = (n / 4, n % 4);
    let sum = |x: &Lane, y: &Lane| f64x4::new(*x) + f64x4::new(*y) * f64x4::splat(factor);
    let ((lanes, tail), (others, other_tail)) = (list.as_chunks_mut::<4>(), other.as_chunks::<4>());
    for (lane, y) in lanes[..full].iter_mut().zip(others) {
        *lane = sum(lane, y).to_array();
    }
    if rest == 0 {
        return;
    }
    match (lanes.get_mut(full), others.get(full)) {
        (Some(lane), Some(y)) => {
            *lane = keep_mask(rest).blend(sum(lane, y), f64x4::new(*lane)).to_array();
        }
        (lane, y) => {
            let (x, y) = (lane.map_or(tail, |lane| lane), y.map_or(other_tail, |y| y));
            for (x, y) in x.iter_mut().zip(y).take(rest) {
                *x += y * factor;
            }
        }
    }
}

/// Multiplies the first `n` numbers with `s`.
#[inline]
fn scale_first(list: &mut [f64], n: usize, s: f64) {
    let (full, rest) = (n / 4, n % 4);
    let (lanes, tail) = list.as_chunks_mut::<4>();
    for lane in &mut lanes[..full] {
        *lane = (f64x4::new(*lane) * f64x4::splat(s)).to_array();
    }
    if rest == 0 {
        return;
    }
    let Some(lane) = lanes.get_mut(full) else {
        return tail[..rest].iter_mut().for_each(|x| *x *= s);
    };
    let (x, keep) = (f64x4::new(*lane), keep_mask(rest));
    *lane = keep.blend(x * f64x4::splat(s), x).to_array();
}
