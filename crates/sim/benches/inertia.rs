//! Inertia matrix, factorization and solution for many trees of fixed depth: cost should grow linearly with
//! dofs.
#![allow(missing_docs)] // criterion writes public functions without them

#[path = "../tests/it/common/mod.rs"]
mod common;

use common::{Tree, position, random_state};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kinetree_model::enums::JointType;
use kinetree_sim::{mj_crb, mj_factor_sparse, mj_solve_m};
use std::hint::black_box;

/// `n` arms of six hinges each.
fn forest(n: usize) -> Tree {
    let mut tree = Tree::default();
    for _ in 0..n {
        let mut parent = 0;
        for _ in 0..6 {
            parent = tree.add(parent, &[JointType::Hinge]);
        }
    }
    tree
}

fn scaling(c: &mut Criterion) {
    let mut group = c.benchmark_group("inertia");
    for arms in [1, 4, 16, 64, 167] {
        let model = forest(arms).build();
        let mut data = random_state(&model, 1);
        position(&model, &mut data);
        let mut x = vec![1.0; model.nv];
        group.throughput(Throughput::Elements(model.nv as u64));
        group.bench_function(BenchmarkId::new("crb", model.nv), |b| {
            b.iter(|| mj_crb(&model, black_box(&mut data)));
        });
        group.bench_function(BenchmarkId::new("factor", model.nv), |b| {
            b.iter(|| mj_factor_sparse(&model, black_box(&mut data)));
        });
        group.bench_function(BenchmarkId::new("solve", model.nv), |b| {
            b.iter(|| {
                x.fill(1.0);
                mj_solve_m(&model, &data, black_box(&mut x)).unwrap();
            });
        });
    }
    group.finish();
}

criterion_group!(benches, scaling);
criterion_main!(benches);
