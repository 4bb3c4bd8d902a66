//! Products of sparse matrices with dense vectors.

use super::csr::Csr;
use super::vector::dot_sparse;

/// `res = mat vec`.
pub fn mul_mat_vec(res: &mut [f64], mat: Csr, vec: &[f64]) {
    for (r, out) in res[..mat.nrow()].iter_mut().enumerate() {
        let (cols, val) = mat.row(r);
        *out = dot_sparse(val, cols, vec);
    }
}

/// `res = mat vec`, where `rowsuper[r]` rows after `r` have the columns of row `r` (see
/// [`find_supernodes`](super::find_supernodes)). Each gathered element of `vec` then serves several rows; the result is
/// the same as [`mul_mat_vec`]'s to the last bit.
pub fn mul_mat_vec_super(res: &mut [f64], mat: Csr, vec: &[f64], rowsuper: &[i32]) {
    let nrow = mat.nrow();
    let mut r = 0;
    while r < nrow {
        let same = (rowsuper[r] as usize + 1).min(nrow - r);
        match same {
            1 => {
                let (cols, val) = mat.row(r);
                res[r] = dot_sparse(val, cols, vec);
                r += 1;
            }
            2 | 3 => {
                res[r..r + 2].copy_from_slice(&dot_rows::<2>(mat, r, vec));
                r += 2;
            }
            _ => {
                res[r..r + 4].copy_from_slice(&dot_rows::<4>(mat, r, vec));
                r += 4;
            }
        }
    }
}

/// Products of `N` rows with equal columns, the first of which is row `r`.
#[inline]
fn dot_rows<const N: usize>(mat: Csr, r: usize, vec: &[f64]) -> [f64; N] {
    let cols = mat.pattern.cols(r);
    let n = cols.len();
    let rows: [&[f64]; N] = core::array::from_fn(|s| &mat.val[mat.pattern.range(r + s)][..n]);
    let chunks: [&[[f64; 4]]; N] = core::array::from_fn(|s| rows[s].as_chunks::<4>().0);
    let mut sums = [[0.0; 4]; N];
    let (cols4, cols_tail) = cols.as_chunks::<4>();
    for (j, ind) in cols4.iter().enumerate() {
        let x: [f64; 4] = core::array::from_fn(|k| vec[ind[k] as usize]);
        for s in 0..N {
            let v = &chunks[s][j];
            for k in 0..4 {
                sums[s][k] += v[k] * x[k];
            }
        }
    }
    let done = n - cols_tail.len();
    core::array::from_fn(|s| {
        let mut tail = 0.0;
        for (v, &i) in rows[s][done..].iter().zip(cols_tail) {
            tail += v * vec[i as usize];
        }
        let q = &sums[s];
        ((q[0] + q[2]) + (q[1] + q[3])) + tail
    })
}

/// `res = matᵀ vec`; all of `res` is overwritten.
pub fn mul_mat_t_vec(res: &mut [f64], mat: Csr, vec: &[f64]) {
    res.fill(0.0);
    for (r, &s) in vec[..mat.nrow()].iter().enumerate() {
        if s == 0.0 {
            continue;
        }
        let (cols, val) = mat.row(r);
        for (&c, v) in cols.iter().zip(val) {
            res[c as usize] += v * s;
        }
    }
}

/// `res = (mat + strict_lower(mat)ᵀ) vec` for a symmetric matrix given by its lower triangle, the diagonal last in each row.
pub fn mul_sym_vec(res: &mut [f64], mat: Csr, vec: &[f64]) {
    for i in 0..mat.nrow() {
        let (cols, val) = mat.row(i);
        let Some((diag, lower)) = val.split_last() else {
            res[i] = 0.0;
            continue;
        };
        let x = vec[i];
        let mut own = diag * x;
        for (&c, v) in cols.iter().zip(lower).rev() {
            own += v * vec[c as usize];
            res[c as usize] += v * x;
        }
        res[i] = own;
    }
}

/// Adds a symmetric matrix, given by its lower triangle, to a dense row-major matrix of size `n`; the strict upper triangle only
/// if `upper` is set.
pub fn add_sym_to_dense(res: &mut [f64], mat: Csr, n: usize, upper: bool) {
    for i in 0..mat.nrow() {
        let (cols, val) = mat.row(i);
        for (&c, v) in cols.iter().zip(val) {
            let j = c as usize;
            res[i * n + j] += v;
            if upper && j < i {
                res[j * n + i] += v;
            }
        }
    }
}
