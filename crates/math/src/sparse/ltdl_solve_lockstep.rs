//! Solution of `Lᵀ D L x = b` over a forest, of the systems of four worlds at once, a world a lane.
//!
//! The same sums as in [`super::ltdl_solve`] in the same order, and so the same bits in each lane. As there,
//! a list by depth stands for the ancestors of the current dof.

use super::csr::Pattern;
use super::ltdl_lockstep::LOCKSTEP_LONGEST_ROW;
use wide::f64x4;

/// One number for the ancestor at each depth.
type ByDepth = [f64x4; LOCKSTEP_LONGEST_ROW];

/// Solves in place, with the factors that [`super::ltdl_factor_lockstep`] leaves: no row may be longer than
/// [`LOCKSTEP_LONGEST_ROW`].
pub fn ltdl_solve_lockstep(x: &mut [f64x4], ld: &[f64x4], diag_inv: &[f64x4], pattern: Pattern) {
    let mut by_depth: ByDepth = [f64x4::ZERO; LOCKSTEP_LONGEST_ROW];
    solve_transposed(x, ld, pattern, &mut by_depth);
    solve_lower(x, ld, diag_inv, pattern, &mut by_depth);
}

/// `x ← L⁻ᵀ x`. The list holds what the dofs met so far take from the ancestor at each depth: nothing in the
/// beginning, and nothing in the end.
#[inline(always)]
fn solve_transposed(x: &mut [f64x4], ld: &[f64x4], pattern: Pattern, taken: &mut ByDepth) {
    let Pattern { rownnz, rowadr, .. } = pattern;
    let mut left = x.len().min(rownnz.len());
    while left > 0 {
        let dof = left - 1;
        left -= 1;
        let row = off_diagonal(ld, rownnz[dof], rowadr[dof]);
        let (above, own) = taken.split_at_mut(row.len());
        let value = x[dof] - own[0];
        (x[dof], own[0]) = (value, f64x4::ZERO);
        // a dof and its parent in one pass over their ancestors
        if dof > 0
            && rownnz[dof - 1] as usize == row.len()
            && let (Some((to_parent, row)), Some((own, above))) = (row.split_last(), above.split_last_mut())
        {
            let parent_row = off_diagonal(ld, rownnz[dof - 1], rowadr[dof - 1]);
            let parent = x[dof - 1] - (*own + *to_parent * value);
            (x[dof - 1], *own) = (parent, f64x4::ZERO);
            for ((sum, l), parent_l) in above.iter_mut().zip(row).zip(parent_row) {
                *sum = *sum + *l * value + *parent_l * parent;
            }
            left -= 1;
            continue;
        }
        for (sum, l) in above.iter_mut().zip(row) {
            *sum += *l * value;
        }
    }
}

/// `x ← L⁻¹ D⁻¹ x`. The list holds the ancestors of the current dof.
#[inline(always)]
fn solve_lower(x: &mut [f64x4], ld: &[f64x4], diag_inv: &[f64x4], pattern: Pattern, path: &mut ByDepth) {
    let rows = pattern.rownnz.iter().zip(pattern.rowadr);
    for ((x, &inverse), (&n, &at)) in x.iter_mut().zip(diag_inv).zip(rows) {
        let row = off_diagonal(ld, n, at);
        let (above, own) = path.split_at_mut(row.len());
        let ((far, near), (far_x, near_x)) = (row.as_chunks::<4>(), above.as_chunks::<4>());
        let mut value = *x * inverse - dot_fours(far, far_x);
        for (l, x) in near.iter().zip(near_x) {
            value -= *l * *x;
        }
        (*x, own[0]) = (value, value);
    }
}

/// The row of a dof without its diagonal.
#[inline(always)]
fn off_diagonal(ld: &[f64x4], n: i32, at: i32) -> &[f64x4] {
    &ld[at as usize..][..(n as usize).saturating_sub(1)]
}

/// Scalar products of lists whose lengths are multiples of four, summed as [`crate::lanes::sum_lane`] does.
#[inline(always)]
fn dot_fours(a: &[[f64x4; 4]], b: &[[f64x4; 4]]) -> f64x4 {
    let mut sums = [f64x4::ZERO; 4];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += *a * *b;
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}
