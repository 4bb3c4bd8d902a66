//! Factorization `M = Lᵀ D L` over a forest, of the matrices of four worlds at once, a world a lane.
//!
//! The same sums as in [`super::ltdl`] in the same order, and so the same bits in each lane.

use super::csr::Pattern;
use super::ltdl::relatives;
use core::ops::Range;
use wide::f64x4;

/// Longest row for which the sums are those of [`super::ltdl_factor`], which gathers longer ones in blocks.
pub const LOCKSTEP_LONGEST_ROW: usize = 64;

/// Columns that are summed at once, in registers.
const STRIP: usize = 4;

/// Factorizes in place: `ld` holds the lower triangles of four matrices and receives `L` and `D`, `diag_inv`
/// the inverses of `D`. Each row must have its diagonal, and none may be longer than
/// [`LOCKSTEP_LONGEST_ROW`].
pub fn ltdl_factor_lockstep(ld: &mut [f64x4], diag_inv: &mut [f64x4], pattern: Pattern) {
    let mut left = pattern.nrow();
    while left > 0 {
        let k = left - 1;
        left -= 1;
        let Some(depth) = (pattern.rownnz[k] as usize).checked_sub(1) else { continue };
        let (below, pair) = relatives(pattern, k, depth);
        let (own, after) = ld.split_at_mut((pattern.rowadr[k] as usize) + depth + 1);
        let (above, row) = own.split_at_mut(pattern.rowadr[k] as usize);
        let below = Below { pattern, rows: after, first: pattern.rowadr[k] as usize + depth + 1, below };
        if !pair {
            below.subtract([row], diag_inv, depth);
            diag_inv[k] = f64x4::ONE / row[depth];
            continue;
        }
        let parent = &mut above[pattern.rowadr[k - 1] as usize..][..depth];
        below.subtract([row, parent], diag_inv, depth);
        let inverse = f64x4::ONE / row[depth];
        let factor = -row[depth - 1] * inverse;
        for (y, x) in parent.iter_mut().zip(&*row) {
            *y += *x * factor;
        }
        (diag_inv[k], diag_inv[k - 1]) = (inverse, f64x4::ONE / parent[depth - 1]);
        left -= 1;
    }
    for ((&at, &n), &inverse) in pattern.rowadr.iter().zip(pattern.rownnz).zip(&*diag_inv) {
        let depth = (n as usize).saturating_sub(1);
        ld[at as usize..][..depth].iter_mut().for_each(|x| *x *= inverse);
    }
}

/// The rows below a dof, which begin where its own ends.
struct Below<'a> {
    pattern: Pattern<'a>,
    rows: &'a [f64x4],
    /// Where `rows` begins among all.
    first: usize,
    below: Range<usize>,
}

impl Below<'_> {
    /// Takes from the row of a dof at a depth, and from that of its parent, what elimination of the dofs
    /// below takes from them: `Σ rᵢ[d] rᵢ / Dᵢ` over their rows `rᵢ`, with `d` the depth of the row's own
    /// dof.
    #[inline(always)]
    fn subtract<const ROWS: usize>(&self, mut rows: [&mut [f64x4]; ROWS], inverses: &[f64x4], depth: usize) {
        if self.below.is_empty() {
            return;
        }
        let mut from = 0;
        while from <= depth {
            match depth + 1 - from {
                1 => self.subtract_columns::<ROWS, 1>(&mut rows, inverses, depth, from),
                2 => self.subtract_columns::<ROWS, 2>(&mut rows, inverses, depth, from),
                3 => self.subtract_columns::<ROWS, 3>(&mut rows, inverses, depth, from),
                _ => self.subtract_columns::<ROWS, STRIP>(&mut rows, inverses, depth, from),
            }
            from += STRIP;
        }
    }

    /// As [`Below::subtract`], for `W` columns.
    #[inline(always)]
    fn subtract_columns<const ROWS: usize, const W: usize>(
        &self,
        rows: &mut [&mut [f64x4]; ROWS],
        inverses: &[f64x4],
        depth: usize,
        from: usize,
    ) {
        let mut sums = [[f64x4::ZERO; W]; ROWS];
        let starts = &self.pattern.rowadr[self.below.clone()];
        for (&at, &inverse) in starts.iter().zip(&inverses[self.below.clone()]) {
            let row = &self.rows[at as usize - self.first..][..depth + 1];
            let Some(columns) = row[from..].first_chunk::<W>() else { continue };
            for (r, sum) in sums.iter_mut().enumerate() {
                let weight = row[depth - r] * inverse;
                for (sum, x) in sum.iter_mut().zip(columns) {
                    *sum += weight * *x;
                }
            }
        }
        // the row of the parent ends one column before
        for (row, sum) in rows.iter_mut().zip(sums) {
            for (x, sum) in row[from..].iter_mut().zip(sum) {
                *x -= sum;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ltdl_factor_lockstep;
    use crate::sparse::{Factor, LtdlFactorizer, Pattern, ltdl_solve, ltdl_solve_lockstep};
    use wide::f64x4;

    /// Rows of trees given by the parents of dofs: ancestors, then the dof itself.
    fn rows(parents: &[i32]) -> Vec<Vec<i32>> {
        let mut rows: Vec<Vec<i32>> = Vec::new();
        for (k, parent) in parents.iter().enumerate() {
            let mut row = usize::try_from(*parent).map_or_else(|_| Vec::new(), |parent| rows[parent].clone());
            row.push(k as i32);
            rows.push(row);
        }
        rows
    }

    fn assert_same_bits(parents: &[i32]) {
        let rows = rows(parents);
        let rownnz: Vec<i32> = rows.iter().map(|row| row.len() as i32).collect();
        let rowadr: Vec<i32> =
            rownnz.iter().scan(0, |next, n| Some(std::mem::replace(next, *next + n))).collect();
        let colind: Vec<i32> = rows.concat();
        let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
        let entry = |world: usize, index: usize, diagonal: bool| {
            let x = ((index * 7 + world * 13) % 11) as f64 / 11.0;
            if diagonal { 70.0 + x } else { x - 0.5 }
        };
        let matrix = |world: usize| -> Vec<f64> {
            let diagonals = rows.iter().flat_map(|row| row.iter().map(move |j| Some(j) == row.last()));
            diagonals.enumerate().map(|(index, diagonal)| entry(world, index, diagonal)).collect()
        };
        let mut worlds: [Vec<f64>; 4] = std::array::from_fn(matrix);
        let mut ld: Vec<f64x4> =
            (0..colind.len()).map(|i| f64x4::new(std::array::from_fn(|w| worlds[w][i]))).collect();
        let mut inverses = vec![f64x4::ZERO; rows.len()];
        ltdl_factor_lockstep(&mut ld, &mut inverses, pattern);
        let force = |world: usize, dof: usize| ((dof * 5 + world * 3) % 7) as f64 / 7.0 - 0.4;
        let mut solution: Vec<f64x4> =
            (0..rows.len()).map(|i| f64x4::new(std::array::from_fn(|w| force(w, i)))).collect();
        ltdl_solve_lockstep(&mut solution, &ld, &inverses, pattern);
        for (w, world) in worlds.iter_mut().enumerate() {
            let mut inverse = vec![0.0; rows.len()];
            LtdlFactorizer::default().factor(Factor { ld: world, diag_inv: &mut inverse }, pattern, None);
            let same = |lanes: &[f64x4], numbers: &[f64]| {
                lanes.iter().zip(numbers).all(|(lane, x)| lane.to_array()[w].to_bits() == x.to_bits())
            };
            assert!(same(&ld, world) && same(&inverses, &inverse), "world {w} of {parents:?}");
            let mut x: Vec<f64> = (0..rows.len()).map(|i| force(w, i)).collect();
            ltdl_solve(&mut x, world, &inverse, pattern, None);
            assert!(same(&solution, &x), "solution of world {w} of {parents:?}");
        }
    }

    #[test]
    fn factors_and_solutions_have_the_bits_of_one_world() {
        // single dofs, chains short and long, a star, a humanoid
        assert_same_bits(&[-1; 5]);
        assert_same_bits(&[-1, 0, 1, 2]);
        assert_same_bits(&(-1..63).collect::<Vec<_>>());
        assert_same_bits(&[-1, 0, 1, 2, 3, 4, 5, 6, 5, 8, 5, 10, 5, 12]);
        assert_same_bits(&[
            -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 8, 15, 16, 17, 18, 19, 5, 21, 22, 5, 24, 25,
            -1, 27,
        ]);
    }
}
