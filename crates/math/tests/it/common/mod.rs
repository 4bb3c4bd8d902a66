//! Random matrices, trees and patterns for the property tests, all from one seed so that failures shrink to a
//! small size.
#![allow(dead_code, unreachable_pub)]

use kinetree_math::sparse::CsrBuf;
use nalgebra::{DMatrix, DVector};

/// Configuration of a property test; seeds are enough to repeat a failure, so no files are written.
pub fn cases(cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases, failure_persistence: None, ..Default::default() }
}

/// SplitMix64: small, seedable, the same everywhere.
pub struct TestRng(pub u64);

impl TestRng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [−1, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn vec(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.unit()).collect()
    }

    pub fn array<const N: usize>(&mut self) -> [f64; N] {
        core::array::from_fn(|_| self.unit())
    }
}

/// Row-major symmetric positive definite matrix with condition number of about ten.
pub fn random_spd(rng: &mut TestRng, n: usize) -> Vec<f64> {
    let b = DMatrix::from_vec(n, n, rng.vec(n * n));
    let m = &b * b.transpose() + DMatrix::identity(n, n) * (0.2 * n as f64 + 0.1);
    m.as_slice().to_vec()
}

pub fn dmat(n: usize, m: usize, row_major: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(n, m, row_major)
}

pub fn dvec(v: &[f64]) -> DVector<f64> {
    DVector::from_column_slice(v)
}

/// `|a − b| / max(1, |b|)` in the infinity norm.
pub fn rel_err(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = b.iter().fold(1e-300_f64, |s, x| s.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |e, (x, y)| e.max((x - y).abs())) / scale
}

/// Parent of each dof in a random forest, numbered depth first: −1, or the dof before or one of its
/// ancestors.
pub fn random_tree(rng: &mut TestRng, n: usize) -> Vec<i32> {
    let mut parent: Vec<i32> = vec![];
    for i in 0..n {
        let mut p = i as i32 - 1;
        if rng.below(20) == 0 {
            p = -1;
        } else if rng.below(3) == 0 {
            for _ in 0..rng.below(i + 1) {
                p = if p < 0 { p } else { parent[p as usize] };
            }
        }
        parent.push(p);
    }
    parent
}

pub fn ancestors(parent: &[i32], i: usize) -> Vec<i32> {
    let mut chain = vec![];
    let mut j = parent[i];
    while j >= 0 {
        chain.push(j);
        j = parent[j as usize];
    }
    chain.reverse();
    chain
}

/// Lower triangle of a positive definite matrix over a forest: ancestors, then the diagonal.
pub fn tree_matrix(rng: &mut TestRng, parent: &[i32]) -> CsrBuf {
    let n = parent.len();
    let mut out = CsrBuf::default();
    // diagonally dominant: count how often each dof occurs off the diagonal
    let mut weight = vec![1.0; n];
    let mut rows = vec![];
    for i in 0..n {
        let cols = ancestors(parent, i);
        let val = rng.vec(cols.len());
        for (&c, v) in cols.iter().zip(&val) {
            weight[c as usize] += v.abs();
            weight[i] += v.abs();
        }
        rows.push((cols, val));
    }
    for (i, (mut cols, mut val)) in rows.into_iter().enumerate() {
        cols.push(i as i32);
        val.push(weight[i]);
        out.push_row(&cols, &val);
    }
    out
}

/// Full matrix of a lower triangle.
pub fn full_symmetric(m: &CsrBuf) -> DMatrix<f64> {
    let n = m.rownnz.len();
    let mut full = DMatrix::zeros(n, n);
    for i in 0..n {
        let (cols, val) = m.view().row(i);
        for (&c, &v) in cols.iter().zip(val) {
            full[(i, c as usize)] = v;
            full[(c as usize, i)] = v;
        }
    }
    full
}

/// Sparse `nr × nc` matrix; neighbouring rows often share their columns, as the rows of one contact do.
pub fn random_sparse(rng: &mut TestRng, nr: usize, nc: usize, density: f64) -> CsrBuf {
    let mut out = CsrBuf::default();
    let mut cols: Vec<i32> = vec![];
    for _ in 0..nr {
        if rng.below(3) == 0 || cols.is_empty() {
            cols = (0..nc as i32).filter(|_| rng.unit() < 2.0 * density - 1.0).collect();
        }
        let val = rng.vec(cols.len());
        out.push_row(&cols, &val);
    }
    out
}

pub fn full(m: &CsrBuf, nc: usize) -> DMatrix<f64> {
    let nr = m.rownnz.len();
    let mut full = DMatrix::zeros(nr, nc);
    for i in 0..nr {
        let (cols, val) = m.view().row(i);
        for (&c, &v) in cols.iter().zip(val) {
            full[(i, c as usize)] = v;
        }
    }
    full
}

pub fn random_quat(rng: &mut TestRng) -> [f64; 4] {
    let mut q = rng.array::<4>();
    kinetree_math::rot::quat_normalize(&mut q);
    q
}

pub fn vec3(rng: &mut TestRng) -> kinetree_math::Vec3 {
    kinetree_math::Vec3::from(rng.array::<3>())
}

/// Largest difference between two slices of equal length.
pub fn max_diff(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0_f64, |e, (x, y)| e.max((x - y).abs()))
}
