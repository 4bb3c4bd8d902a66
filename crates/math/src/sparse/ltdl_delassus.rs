//! The Delassus matrix `X M⁻¹ Xᵀ` of dense rows `X`, from the factors of `M = Lᵀ D L` over a forest.
//!
//! With `B = X L⁻¹ D^(−1/2)` it is `B Bᵀ`. Rows are half solved four at a time, each in a lane, since every
//! dof waits for its descendants: four rows take as long as one. The sums are those of
//! [`ltdl_solve_half`](super::ltdl_solve_half) and of [`dot`](crate::dense::dot), and so are the bits.

use super::csr::Pattern;
use crate::lanes::Lane;
use wide::{CmpEq, f64x4};

/// Working memory.
#[derive(Clone, Debug, Default)]
pub struct DelassusBuilder {
    /// `Bᵀ`, four rows of `B` at a time: for each dof their numbers in a lane.
    half: Vec<f64x4>,
    /// What the dofs met so far take from the ancestor at each depth.
    taken: Vec<f64x4>,
    /// The rows that four rows lack at the end.
    zero: Vec<f64>,
}

impl DelassusBuilder {
    /// Sets all of `res` to `X M⁻¹ Xᵀ`, row by row. A row of `X` has as many numbers as `sqrt_inv_d`, which
    /// holds `D^(−1/2)`.
    pub fn build(
        &mut self,
        res: &mut [f64],
        rows: &[f64],
        ld: &[f64],
        sqrt_inv_d: &[f64],
        pattern: Pattern<'_>,
    ) {
        let nv = sqrt_inv_d.len();
        if nv == 0 {
            res.fill(0.0);
            return;
        }
        let count = rows.len() / nv;
        self.half.resize(count.div_ceil(4) * nv, f64x4::ZERO);
        self.taken.resize(nv, f64x4::ZERO);
        self.zero.resize(nv, 0.0);
        let Self { half, taken, zero } = self;
        let fours = rows.chunks(4 * nv).zip(half.chunks_exact_mut(nv));
        for (rows, half) in fours {
            let row = |k: usize| rows.get(k * nv..(k + 1) * nv).unwrap_or(zero);
            solve_half([row(0), row(1), row(2), row(3)], half, taken, (ld, sqrt_inv_d), pattern);
        }
        for (four, others) in half.chunks_exact(nv).enumerate() {
            let columns = 4 * four..count.min(4 * four + 4);
            for row in 0..columns.end {
                let products = products(&half[row / 4 * nv..][..nv], row % 4, others);
                write(&mut res[row * count..][columns.clone()], &products);
                if row < columns.start {
                    for (&x, column) in products.iter().zip(columns.clone()) {
                        res[column * count + row] = x;
                    }
                }
            }
        }
    }
}

/// Copies as much of a lane as there is room for.
#[inline(always)]
fn write(to: &mut [f64], lane: &Lane) {
    match to.first_chunk_mut::<4>() {
        Some(to) => *to = *lane,
        None => to.iter_mut().zip(lane).for_each(|(to, x)| *to = *x),
    }
}

/// Four rows of `B` from those of `X`. Nothing is taken from any dof before, nor after.
#[inline(always)]
fn solve_half(
    rows: [&[f64]; 4],
    half: &mut [f64x4],
    taken: &mut [f64x4],
    (ld, sqrt_inv_d): (&[f64], &[f64]),
    pattern: Pattern<'_>,
) {
    let nv = half.len();
    let rows = rows.map(|row| &row[..nv]);
    let (rownnz, rowadr) = (&pattern.rownnz[..nv], &pattern.rowadr[..nv]);
    let (sqrt_inv_d, taken) = (&sqrt_inv_d[..nv], &mut taken[..nv]);
    for dof in (0..nv).rev() {
        let depth = (rownnz[dof] as usize).saturating_sub(1);
        let (above, from_here) = taken.split_at_mut(depth);
        let x = f64x4::new(rows.map(|row| row[dof])) - from_here[0];
        from_here[0] = f64x4::ZERO;
        half[dof] = x * f64x4::splat(sqrt_inv_d[dof]);
        // mostly these are rows of a Jacobian, with a few dofs and their ancestors
        if x.cmp_eq(f64x4::ZERO).move_mask() == 0b1111 {
            continue;
        }
        let row = &ld[rowadr[dof] as usize..][..depth];
        let (above4, above) = above.as_chunks_mut::<4>();
        let (row4, row) = row.as_chunks::<4>();
        for (sums, l) in above4.iter_mut().zip(row4) {
            for k in 0..4 {
                sums[k] += f64x4::splat(l[k]) * x;
            }
        }
        for (sum, &l) in above.iter_mut().zip(row) {
            *sum += f64x4::splat(l) * x;
        }
    }
}

/// Scalar products of one of four rows of `B` with four others.
#[inline(always)]
fn products(own: &[f64x4], which: usize, others: &[f64x4]) -> Lane {
    let number = |x: &f64x4| f64x4::splat(x.as_array_ref()[which % 4]);
    let (own4, own) = own.as_chunks::<4>();
    let (others4, others) = others.as_chunks::<4>();
    let (mut s, mut tail) = ([f64x4::ZERO; 4], f64x4::ZERO);
    for (x, y) in own4.iter().zip(others4) {
        for k in 0..4 {
            s[k] += number(&x[k]) * y[k];
        }
    }
    for (x, y) in own.iter().zip(others) {
        tail += number(x) * *y;
    }
    (((s[0] + s[2]) + (s[1] + s[3])) + tail).to_array()
}
