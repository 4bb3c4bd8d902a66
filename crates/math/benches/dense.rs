//! Dense kernels at the sizes at which the solvers use them.
#![allow(missing_docs)]

#[path = "../tests/it/common/mod.rs"]
mod common;

use common::{TestRng, dmat, dvec, random_spd};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kinetree_math::band::Band;
use kinetree_math::boxqp::BoxQp;
use kinetree_math::dense::*;
use std::hint::black_box;

const SIZES: [usize; 3] = [6, 27, 60];

fn cholesky(c: &mut Criterion) {
    let mut group = c.benchmark_group("cholesky");
    for n in SIZES {
        let mut rng = TestRng(1);
        let m = random_spd(&mut rng, n);
        let rhs = rng.vec(n);
        let (mut f, mut x) = (m.clone(), rhs.clone());
        group.bench_function(BenchmarkId::new("rows_factor", n), |b| {
            b.iter(|| {
                f.copy_from_slice(&m);
                chol_factor(black_box(&mut f), n, 1e-15)
            });
        });
        group.bench_function(BenchmarkId::new("rows_solve", n), |b| {
            b.iter(|| {
                x.copy_from_slice(&rhs);
                chol_solve(black_box(&mut x), &f);
            });
        });
        group.bench_function(BenchmarkId::new("rows_update", n), |b| {
            b.iter(|| {
                x.copy_from_slice(&rhs);
                chol_update(black_box(&mut f), &mut x, RankOne::Add)
            });
        });
        let (dm, db) = (dmat(n, n, &m), dvec(&rhs));
        let (mut df, mut dx) = (dm.clone(), db.clone());
        group.bench_function(BenchmarkId::new("in_place_factor_and_solve", n), |b| {
            b.iter(|| {
                df.copy_from(&dm);
                dx.copy_from(&db);
                let result = cholesky_in_place(black_box(&mut df));
                cholesky_solve_in_place(&df, &mut dx);
                result
            });
        });
        group.bench_function(BenchmarkId::new("nalgebra_factor_and_solve", n), |b| {
            b.iter(|| dm.clone().cholesky().map(|c| c.solve(black_box(&db))));
        });
    }
}

fn products(c: &mut Criterion) {
    let mut group = c.benchmark_group("dense");
    for n in SIZES {
        let mut rng = TestRng(2);
        let nr = 2 * n;
        let (j, d, v, w) = (rng.vec(nr * n), rng.vec(nr), rng.vec(n), rng.vec(nr));
        let (mut h, mut jv, mut jtw) = (vec![0.0; n * n], vec![0.0; nr], vec![0.0; n]);
        group.bench_function(BenchmarkId::new("dot", n), |b| b.iter(|| dot(black_box(&v), &v)));
        group.bench_function(BenchmarkId::new("mul_mat_vec", n), |b| {
            b.iter(|| mul_mat_vec(black_box(&mut jv), &j, &v));
        });
        group.bench_function(BenchmarkId::new("mul_mat_t_vec", n), |b| {
            b.iter(|| mul_mat_t_vec(black_box(&mut jtw), &j, &w));
        });
        group.bench_function(BenchmarkId::new("sqr_mat_td_lower", n), |b| {
            b.iter(|| sqr_mat_td_lower(black_box(&mut h), &j, Some(&d), nr, n));
        });
    }
}

fn programs(c: &mut Criterion) {
    let mut rng = TestRng(3);
    let n = 12;
    let (h, g) = (random_spd(&mut rng, n), rng.vec(n));
    let (lower, upper) = (vec![-0.05; n], vec![0.05; n]);
    let (mut solver, mut x) = (BoxQp::default(), vec![0.0; n]);
    c.bench_function("boxqp/12", |b| {
        b.iter(|| {
            x.fill(0.0);
            solver.solve(black_box(&mut x), &h, &g, Some(&lower), Some(&upper))
        });
    });
    let band = Band::new(300, 12, 6);
    let mut mat: Vec<f64> = rng.vec(band.len());
    for i in 0..300 {
        mat[band.diag(i)] = 400.0;
    }
    let mut factor = mat.clone();
    c.bench_function("band_factor/300x12+6", |b| {
        b.iter(|| {
            factor.copy_from_slice(&mat);
            band.chol_factor(black_box(&mut factor), 0.0, 0.0)
        });
    });
}

criterion_group!(benches, cholesky, products, programs);
criterion_main!(benches);
