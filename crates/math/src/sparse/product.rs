//! Products of sparse matrices with dense vectors.

use super::csr::{Csr, Pattern};
use super::vector::{add_scaled_sparse, dot_sparse};
use crate::lanes::sum_lane;
use wide::f64x4;

/// `res = mat vec`.
pub fn mul_mat_vec(res: &mut [f64], mat: Csr, vec: &[f64]) {
    let Pattern { rownnz, rowadr, colind } = mat.pattern;
    let res = &mut res[..rownnz.len()];
    for (r, ((out, &count), &start)) in res.iter_mut().zip(rownnz).zip(rowadr).enumerate() {
        *out = if count == 1 {
            mat.val[start as usize] * vec[colind[start as usize] as usize]
        } else {
            let (cols, val) = mat.row(r);
            dot_sparse(val, cols, vec)
        };
    }
}

/// `res = matᵀ vec`; all of `res` is overwritten.
pub fn mul_mat_t_vec(res: &mut [f64], mat: Csr, vec: &[f64]) {
    res.fill(0.0);
    for (r, &s) in vec[..mat.nrow()].iter().enumerate() {
        if s != 0.0 {
            let (cols, val) = mat.row(r);
            add_scaled_sparse(res, val, cols, s);
        }
    }
}

/// `res = (mat + strict_lower(mat)ᵀ) vec` for a symmetric matrix given by its lower triangle, the diagonal
/// last in each row.
pub fn mul_sym_vec(res: &mut [f64], mat: Csr, vec: &[f64]) {
    if let Some(diagonal) = mat.as_diagonal() {
        for ((out, x), d) in res.iter_mut().zip(vec).zip(diagonal) {
            *out = d * x;
        }
        return;
    }
    let n = mat.nrow();
    let (res, vec) = (&mut res[..n], &vec[..n]);
    for i in 0..n {
        let (cols, val) = mat.row(i);
        let (Some((diag, lower)), Some((_, cols))) = (val.split_last(), cols.split_last()) else {
            res[i] = 0.0;
            continue;
        };
        let x = vec[i];
        let (mut own, mut own_lane) = (diag * x, f64x4::ZERO);
        // lanes from the first column on, which are the same ones for all rows of a chain
        let (lower4, lower) = lower.as_chunks::<4>();
        let (cols4, cols) = cols.as_chunks::<4>();
        for (c, v) in cols4.iter().zip(lower4) {
            let first = c[0] as usize;
            // most columns follow one another
            if c[3] - c[0] == 3
                && let Some(u) = vec[first..].first_chunk::<4>()
                && let Some(res) = res[first..].first_chunk_mut::<4>()
            {
                let v = f64x4::new(*v);
                own_lane += v * f64x4::new(*u);
                *res = (f64x4::new(*res) + v * f64x4::splat(x)).to_array();
                continue;
            }
            for (&c, v) in c.iter().zip(v) {
                own += v * vec[c as usize];
                res[c as usize] += v * x;
            }
        }
        for (&c, v) in cols.iter().zip(lower) {
            own += v * vec[c as usize];
            res[c as usize] += v * x;
        }
        res[i] = own + sum_lane(&own_lane.to_array());
    }
}
