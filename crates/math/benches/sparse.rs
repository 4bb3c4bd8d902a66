//! Sparse kernels at the sizes of a humanoid (27 dofs), a dexterous hand (60) and a crowd (500).
#![allow(missing_docs)]

#[path = "../tests/it/common/mod.rs"]
mod common;

use common::{TestRng, random_sparse, random_tree, tree_matrix};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kinetree_math::dense::RankOne;
use kinetree_math::sparse::*;
use std::hint::black_box;

const SIZES: [usize; 3] = [27, 60, 500];

fn tree(c: &mut Criterion) {
    let mut group = c.benchmark_group("ltdl");
    for n in SIZES {
        let mut rng = TestRng(1);
        let parent = random_tree(&mut rng, n);
        let m = tree_matrix(&mut rng, &parent);
        let (mut ld, mut inv) = (m.val.clone(), vec![0.0; n]);
        group.bench_function(BenchmarkId::new("factor", n), |b| {
            b.iter(|| {
                ld.copy_from_slice(&m.val);
                ltdl_factor(black_box(&mut ld), &mut inv, m.pattern(), None);
            });
        });
        let rhs = rng.vec(n);
        let mut x = rhs.clone();
        group.bench_function(BenchmarkId::new("solve", n), |b| {
            b.iter(|| {
                x.copy_from_slice(&rhs);
                ltdl_solve(black_box(&mut x), &ld, &inv, m.pattern(), None);
            });
        });
        group.bench_function(BenchmarkId::new("mul_sym_vec", n), |b| {
            b.iter(|| mul_sym_vec(black_box(&mut x), m.view(), &rhs));
        });
    }
}

fn newton(c: &mut Criterion) {
    let mut group = c.benchmark_group("newton");
    for n in SIZES {
        let mut rng = TestRng(2);
        let parent = random_tree(&mut rng, n);
        let m = tree_matrix(&mut rng, &parent);
        let nr = 2 * n;
        let j = random_sparse(&mut rng, nr, n, 8.0 / n as f64);
        let d: Vec<f64> = rng.vec(nr).iter().map(|x| x.abs()).collect();
        let mut square = SquareBuilder::default();
        group.bench_function(BenchmarkId::new("square_symbolic", n), |b| {
            b.iter(|| square.symbolic(black_box(j.pattern()), n, Some(m.pattern())));
        });
        group.bench_function(BenchmarkId::new("square_numeric", n), |b| {
            b.iter(|| square.numeric(black_box(j.view()), &d, Some(m.view())));
        });
        let mut chol = SparseChol::default();
        group.bench_function(BenchmarkId::new("chol_symbolic", n), |b| {
            b.iter(|| chol.symbolic(black_box(square.result.pattern())));
        });
        let mut l = vec![0.0; chol.nnz()];
        group.bench_function(BenchmarkId::new("chol_factor", n), |b| {
            b.iter(|| chol.factor(black_box(&mut l), square.result.view(), 1e-15));
        });
        let rhs = rng.vec(n);
        let mut x = rhs.clone();
        group.bench_function(BenchmarkId::new("chol_solve", n), |b| {
            b.iter(|| {
                x.copy_from_slice(&rhs);
                chol.solve(black_box(&mut x), &l);
            });
        });
        let (cols, val) = j.view().row(nr / 2);
        group.bench_function(BenchmarkId::new("chol_update_pair", n), |b| {
            b.iter(|| {
                chol.update(black_box(&mut l), val, cols, RankOne::Add);
                chol.update(black_box(&mut l), val, cols, RankOne::Subtract)
            });
        });
    }
}

fn products(c: &mut Criterion) {
    let mut group = c.benchmark_group("csr");
    for n in SIZES {
        let mut rng = TestRng(3);
        let nr = 2 * n;
        let j = random_sparse(&mut rng, nr, n, 12.0 / n as f64);
        let (v, w) = (rng.vec(n), rng.vec(nr));
        let (mut jv, mut jtw) = (vec![0.0; nr], vec![0.0; n]);
        group.bench_function(BenchmarkId::new("mul_mat_vec", n), |b| {
            b.iter(|| mul_mat_vec(black_box(&mut jv), j.view(), &v));
        });
        group.bench_function(BenchmarkId::new("mul_mat_t_vec", n), |b| {
            b.iter(|| mul_mat_t_vec(black_box(&mut jtw), j.view(), &w));
        });
    }
}

criterion_group!(benches, tree, newton, products);
criterion_main!(benches);
