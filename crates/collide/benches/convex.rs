//! Time per convex pair over the stored reference cases, one benchmark per pair kind.
//!
//! `CONVEX_CASES=<folder>` takes the cases of another folder made by `tests/golden/make_convex.py`.

#![allow(missing_docs, reason = "criterion generates public functions")]

#[path = "../tests/it/convex_cases/mod.rs"]
mod convex_cases;

use convex_cases::{Golden, golden_files};
use criterion::{Criterion, criterion_group, criterion_main};
use kinetree_collide::{CcdScratch, CcdSettings, Shape, convex_convex, hfield_convex};
use std::hint::black_box;

fn convex_pairs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("convex");
    for path in golden_files() {
        let golden = Golden::read(&path);
        let cases: Vec<_> = golden
            .cases
            .iter()
            .take(1000)
            .map(|c| {
                let settings = CcdSettings { multiccd: c.multiccd, ..CcdSettings::default() };
                (golden.shape(c, 0), c.pose(0), golden.shape(c, 1), c.pose(1), c.margin, settings)
            })
            .collect();
        let mut scratch = CcdScratch::default();
        let mut out = Vec::new();
        group.throughput(criterion::Throughput::Elements(cases.len() as u64));
        group.bench_function(path.file_stem().unwrap().to_string_lossy(), |bencher| {
            bencher.iter(|| {
                for (s1, p1, s2, p2, margin, settings) in black_box(&cases) {
                    out.clear();
                    match s1 {
                        Shape::HeightField(field) => {
                            hfield_convex(field, p1, s2, p2, *margin, settings, &mut scratch, &mut out);
                        }
                        _ => convex_convex(s1, p1, s2, p2, *margin, settings, &mut scratch, &mut out),
                    }
                    black_box(&out);
                }
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(500));
    targets = convex_pairs
}
criterion_main!(benches);
