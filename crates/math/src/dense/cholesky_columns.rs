//! Cholesky factor stored column by column, `M = L Lᵀ` with `L[i,j]` at `j n + i`.
//!
//! A symmetric matrix reads the same by rows and by columns, so a caller may fill a row-major upper triangle
//! and take it for this layout. Every inner loop then runs over contiguous memory, in the factorization and
//! in both halves of the solution, where a row-major factor has strides.

use super::vector::{add_scaled, dot};

/// Columns that are finished together.
const BLOCK: usize = 4;

/// Factorizes in place. `root_of(j, pivot)` returns what to put on the diagonal for pivot `j`, or an error
/// that ends the factorization.
///
/// Four columns at a time: first what all columns before them contribute, in tiles of 4 × 4 that stay in
/// registers, then the four among themselves.
#[inline]
pub(super) fn factor_blocks<E>(
    mat: &mut [f64],
    n: usize,
    mut root_of: impl FnMut(usize, f64) -> Result<f64, E>,
) -> Result<(), E> {
    for j0 in (0..n).step_by(BLOCK) {
        let width = BLOCK.min(n - j0);
        let (done, rest) = mat.split_at_mut(j0 * n);
        let panel = &mut rest[..width * n];
        if width == BLOCK {
            subtract_finished(panel, done, n, j0);
        } else {
            for s in 0..width {
                for k in 0..j0 {
                    let source = &done[k * n + j0 + s..(k + 1) * n];
                    add_scaled(&mut panel[s * n + j0 + s..(s + 1) * n], source, -source[0]);
                }
            }
        }
        for s in 0..width {
            let j = j0 + s;
            let (before, current) = panel.split_at_mut(s * n);
            let column = &mut current[j..n];
            for t in 0..s {
                let source = &before[t * n + j..(t + 1) * n];
                add_scaled(column, source, -source[0]);
            }
            let root = root_of(j, column[0])?;
            let inv = 1.0 / root;
            column[0] = root;
            for x in &mut column[1..] {
                *x *= inv;
            }
        }
    }
    Ok(())
}

/// `panel −= done[rows, ..] · done[j0..j0+4, ..]ᵀ` on and below the diagonal of the four columns that start
/// at `j0`.
#[inline]
fn subtract_finished(panel: &mut [f64], done: &[f64], n: usize, j0: usize) {
    let mut i = j0;
    while i + BLOCK <= n {
        let mut tile = [[0.0; BLOCK]; BLOCK];
        for column in done.chunks_exact(n) {
            let (Some(a), Some(b)) =
                (column[i..].first_chunk::<BLOCK>(), column[j0..].first_chunk::<BLOCK>())
            else {
                continue;
            };
            for s in 0..BLOCK {
                for r in 0..BLOCK {
                    tile[s][r] += b[s] * a[r];
                }
            }
        }
        for s in 0..BLOCK {
            // in the tile on the diagonal, stay below it
            let first = if i == j0 { s } else { 0 };
            for r in first..BLOCK {
                panel[s * n + i + r] -= tile[s][r];
            }
        }
        i += BLOCK;
    }
    // fewer than four rows are left
    for i in i..n {
        let mut sums = [0.0; BLOCK];
        for column in done.chunks_exact(n) {
            for s in 0..BLOCK {
                sums[s] += column[j0 + s] * column[i];
            }
        }
        for s in 0..BLOCK {
            panel[s * n + i] -= sums[s];
        }
    }
}

/// Solves `L Lᵀ x = b` in place; `x.len()` is the size of the factor.
pub(super) fn chol_columns_solve(x: &mut [f64], mat: &[f64]) {
    let n = x.len();
    for j in 0..n {
        let column = &mat[j * n + j..(j + 1) * n];
        let (head, tail) = x[j..].split_at_mut(1);
        head[0] /= column[0];
        add_scaled(tail, &column[1..], -head[0]);
    }
    for j in (0..n).rev() {
        let column = &mat[j * n + j..(j + 1) * n];
        let (head, tail) = x[j..].split_at_mut(1);
        head[0] = (head[0] - dot(&column[1..], tail)) / column[0];
    }
}
