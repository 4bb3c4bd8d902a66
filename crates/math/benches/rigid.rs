//! Rotations and spatial algebra, a thousand at a time.
#![allow(missing_docs)]

#[path = "../tests/it/common/mod.rs"]
mod common;

use common::{TestRng, random_quat, vec3};
use criterion::{Criterion, criterion_group, criterion_main};
use kinetree_math::lanes3::load3;
use kinetree_math::rot::*;
use kinetree_math::spatial::*;
use std::hint::black_box;

const COUNT: usize = 1000;

fn rotations(c: &mut Criterion) {
    let mut rng = TestRng(1);
    let quats: Vec<[f64; 4]> = (0..COUNT).map(|_| random_quat(&mut rng)).collect();
    let vecs: Vec<_> = (0..COUNT).map(|_| vec3(&mut rng)).collect();
    c.bench_function("quat_mul/1000", |b| {
        b.iter(|| quats.iter().fold(QUAT_IDENTITY, |q, r| quat_mul(&q, black_box(r))));
    });
    c.bench_function("quat_rotate/1000", |b| {
        b.iter(|| quats.iter().zip(&vecs).for_each(|(q, v)| _ = black_box(quat_rotate(q, v))));
    });
    c.bench_function("quat_to_mat/1000", |b| {
        b.iter(|| quats.iter().for_each(|q| _ = black_box(quat_to_mat(q))));
    });
    c.bench_function("quat_integrate/1000", |b| {
        let mut rotated = quats.clone();
        b.iter(|| rotated.iter_mut().zip(&vecs).for_each(|(q, v)| quat_integrate(q, v, 0.002)));
    });
}

fn spatial(c: &mut Criterion) {
    let mut rng = TestRng(2);
    let motions: Vec<Vec6> = (0..COUNT).map(|_| rng.array()).collect();
    let inertias: Vec<Inertia> = (0..COUNT)
        .map(|_| {
            let rows = quat_to_rows(&random_quat(&mut rng));
            inert_com(&[1.0, 2.0, 3.0], &rows, load3(&rng.array()), 1.5)
        })
        .collect();
    c.bench_function("mul_inert_vec/1000", |b| {
        b.iter(|| inertias.iter().zip(&motions).for_each(|(i, v)| _ = black_box(mul_inert_vec(i, v))));
    });
    c.bench_function("cross_force/1000", |b| {
        b.iter(|| motions.windows(2).for_each(|w| _ = black_box(cross_force(&w[0], &w[1]))));
    });
    let rates = rng.vec(COUNT);
    c.bench_function("mul_dof_vec/1000", |b| b.iter(|| mul_dof_vec(black_box(&motions), &rates)));
}

criterion_group!(benches, rotations, spatial);
criterion_main!(benches);
