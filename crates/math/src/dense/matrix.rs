//! Products of row-major matrices. Sizes are given explicitly; a slice shorter than its size panics.

use super::vector::{add_scaled, dot};
use crate::lanes::sum_lane;
use wide::f64x4;

/// `res = mat vec` with `mat` of `res.len()` rows and `vec.len()` columns.
pub fn mul_mat_vec(res: &mut [f64], mat: &[f64], vec: &[f64]) {
    let nc = vec.len();
    let mut rows = &mat[..res.len() * nc];
    // two rows at a time, so that their sums overlap
    let (pairs, single) = res.as_chunks_mut::<2>();
    for out in pairs {
        let (two, rest) = rows.split_at(2 * nc);
        *out = dot_two(two, vec);
        rows = rest;
    }
    if let [out] = single {
        *out = dot(rows, vec);
    }
}

/// Scalar products of two rows, one after the other in a list, with a vector: those of [`dot`].
#[inline(always)]
fn dot_two(rows: &[f64], vec: &[f64]) -> [f64; 2] {
    let (a, b) = rows.split_at(vec.len());
    let ((a4, a), (b4, b), (v4, v)) = (a.as_chunks::<4>(), b.as_chunks::<4>(), vec.as_chunks::<4>());
    let (mut sums, mut tails) = ([f64x4::ZERO; 2], [0.0; 2]);
    for ((a, b), v) in a4.iter().zip(b4).zip(v4) {
        let v = f64x4::new(*v);
        sums[0] += f64x4::new(*a) * v;
        sums[1] += f64x4::new(*b) * v;
    }
    for ((a, b), v) in a.iter().zip(b).zip(v) {
        tails[0] += a * v;
        tails[1] += b * v;
    }
    [0, 1].map(|k| sum_lane(&sums[k].to_array()) + tails[k])
}

/// `res = matᵀ vec` with `mat` of `vec.len()` rows and `res.len()` columns.
pub fn mul_mat_t_vec(res: &mut [f64], mat: &[f64], vec: &[f64]) {
    let nc = res.len();
    res.fill(0.0);
    let mut rows = mat;
    for &s in vec {
        let (row, rest) = rows.split_at(nc);
        if s != 0.0 {
            add_scaled(res, row, s);
        }
        rows = rest;
    }
}

/// `aᵀ mat b` for a square matrix.
#[must_use]
pub fn mul_vec_mat_vec(a: &[f64], mat: &[f64], b: &[f64]) -> f64 {
    let n = b.len();
    let mut total = 0.0;
    for (i, x) in a.iter().enumerate() {
        total += x * dot(&mat[i * n..(i + 1) * n], b);
    }
    total
}

/// `res = a b` with `a` of size `r1 × c1` and `b` of size `c1 × c2`.
pub fn mul_mat_mat(res: &mut [f64], a: &[f64], b: &[f64], r1: usize, c1: usize, c2: usize) {
    for i in 0..r1 {
        let row = &mut res[i * c2..(i + 1) * c2];
        row.fill(0.0);
        for (k, &s) in a[i * c1..(i + 1) * c1].iter().enumerate() {
            if s != 0.0 {
                add_scaled(row, &b[k * c2..(k + 1) * c2], s);
            }
        }
    }
}

/// `res = a bᵀ` with `a` of size `r1 × c1` and `b` of size `r2 × c1`.
pub fn mul_mat_mat_t(res: &mut [f64], a: &[f64], b: &[f64], r1: usize, c1: usize, r2: usize) {
    for i in 0..r1 {
        let row = &a[i * c1..(i + 1) * c1];
        for j in 0..r2 {
            res[i * r2 + j] = dot(row, &b[j * c1..(j + 1) * c1]);
        }
    }
}

/// `res = aᵀ b` with `a` of size `r1 × c1` and `b` of size `r1 × c2`.
pub fn mul_mat_t_mat(res: &mut [f64], a: &[f64], b: &[f64], r1: usize, c1: usize, c2: usize) {
    res[..c1 * c2].fill(0.0);
    for i in 0..r1 {
        let row = &b[i * c2..(i + 1) * c2];
        for (j, &s) in a[i * c1..(i + 1) * c1].iter().enumerate() {
            if s != 0.0 {
                add_scaled(&mut res[j * c2..(j + 1) * c2], row, s);
            }
        }
    }
}

/// `res = matᵀ diag mat`, a full symmetric `nc × nc` matrix, from `mat` of size `nr × nc`; without `diag`,
/// `matᵀ mat`.
pub fn sqr_mat_td(res: &mut [f64], mat: &[f64], diag: Option<&[f64]>, nr: usize, nc: usize) {
    sqr_mat_td_lower(res, mat, diag, nr, nc);
    for i in 0..nc {
        for j in i + 1..nc {
            res[i * nc + j] = res[j * nc + i];
        }
    }
}

/// As [`sqr_mat_td`] but the strict upper triangle of `res` comes out as zero.
pub fn sqr_mat_td_lower(res: &mut [f64], mat: &[f64], diag: Option<&[f64]>, nr: usize, nc: usize) {
    sqr_triangle(res, mat, diag, nr, nc);
}

/// Sums the lower triangle of weighted outer products of rows, four rows with non-zero weight per pass over
/// the result.
fn sqr_triangle(res: &mut [f64], mat: &[f64], diag: Option<&[f64]>, nr: usize, nc: usize) {
    res[..nc * nc].fill(0.0);
    let mut rows: [&[f64]; 4] = [&[]; 4];
    let mut weights = [0.0; 4];
    let mut waiting = 0;
    for k in 0..nr {
        let weight = diag.map_or(1.0, |d| d[k]);
        if weight == 0.0 {
            continue;
        }
        rows[waiting] = &mat[k * nc..(k + 1) * nc];
        weights[waiting] = weight;
        waiting += 1;
        if waiting == 4 {
            add_outer4(res, &rows, &weights, nc);
            waiting = 0;
        }
    }
    for (row, weight) in rows.iter().zip(weights).take(waiting) {
        for (i, &x) in row.iter().enumerate() {
            if x != 0.0 {
                add_scaled(&mut res[i * nc..i * nc + i + 1], &row[..i + 1], weight * x);
            }
        }
    }
}

/// Adds four weighted outer products to the lower triangle of `res`.
fn add_outer4(res: &mut [f64], rows: &[&[f64]; 4], weights: &[f64; 4], nc: usize) {
    for i in 0..nc {
        let x: [f64; 4] = core::array::from_fn(|s| weights[s] * rows[s][i]);
        // rows of one contact have their zeros in the same columns
        if x == [0.0; 4] {
            continue;
        }
        let out = &mut res[i * nc..i * nc + i + 1];
        let [a, b, c, d] = rows.map(|row| &row[..i + 1]);
        for ((((o, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *o += (x[0] * a + x[1] * b) + (x[2] * c + x[3] * d);
        }
    }
}

/// `res = matᵀ` with `mat` of size `nr × nc`.
pub fn transpose(res: &mut [f64], mat: &[f64], nr: usize, nc: usize) {
    for (i, row) in mat.chunks_exact(nc.max(1)).take(nr).enumerate() {
        for (j, &x) in row.iter().enumerate() {
            res[j * nr + i] = x;
        }
    }
}

/// `res = (mat + matᵀ) / 2` for a square matrix of size `n`.
pub fn symmetrize(res: &mut [f64], mat: &[f64], n: usize) {
    for i in 0..n {
        res[i * n + i] = mat[i * n + i];
        for j in 0..i {
            let mean = 0.5 * (mat[i * n + j] + mat[j * n + i]);
            res[i * n + j] = mean;
            res[j * n + i] = mean;
        }
    }
}

/// Identity matrix of size `n`.
pub fn identity(res: &mut [f64], n: usize) {
    res[..n * n].fill(0.0);
    for i in 0..n {
        res[i * (n + 1)] = 1.0;
    }
}
