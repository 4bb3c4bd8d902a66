//! The stages from contacts to forces: collision (broad and narrow phase), row building, and the solvers.

#![allow(missing_docs, reason = "the macros of criterion make public functions")]

use criterion::{Criterion, criterion_group, criterion_main};
use kinetree_model::enums::{Cone, Solver};
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_collision, mj_forward, mj_fwd_constraint, mj_make_constraint, mj_step};
use std::hint::black_box;
use std::path::Path;

/// A model of this project after so many steps, when things have come into contact.
fn settled(path: &str, steps: usize) -> (Model, Data) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(path);
    let model = kinetree_spec::load_model(path).expect("the models load");
    let mut data = Data::new(&model);
    for _ in 0..steps {
        mj_step(&model, &mut data).expect("the models can be stepped");
    }
    mj_forward(&model, &mut data).expect("the models can be stepped");
    (model, data)
}

const MODELS: [(&str, &str, usize); 2] =
    [("humanoid", "showcase/humanoid.xml", 500), ("boxes", "showcase/boxes.xml", 300)];

fn collision(criterion: &mut Criterion) {
    for (name, path, steps) in MODELS {
        let (model, mut data) = settled(path, steps);
        criterion.bench_function(&format!("mj_collision/{name}"), |bencher| {
            bencher.iter(|| mj_collision(black_box(&model), &mut data));
        });
    }
}

fn rows(criterion: &mut Criterion) {
    for (name, path, steps) in MODELS {
        let (model, mut data) = settled(path, steps);
        criterion.bench_function(&format!("mj_make_constraint/{name}"), |bencher| {
            bencher.iter(|| mj_make_constraint(black_box(&model), &mut data));
        });
    }
}

fn solver(criterion: &mut Criterion) {
    for (name, path, steps) in MODELS {
        let (mut model, mut data) = settled(path, steps);
        for solver in [Solver::Newton, Solver::Cg, Solver::Pgs] {
            for cone in [Cone::Pyramidal, Cone::Elliptic] {
                model.opt.solver = solver as i32;
                model.opt.cone = cone as i32;
                mj_forward(&model, &mut data).expect("the models can be stepped");
                let start = data.qacc_warmstart.to_vec();
                criterion.bench_function(
                    &format!("mj_fwd_constraint/{name}/{solver:?}/{cone:?}"),
                    |bencher| {
                        bencher.iter(|| {
                            data.qacc_warmstart.copy_from_slice(&start);
                            mj_fwd_constraint(black_box(&model), &mut data)
                        });
                    },
                );
            }
        }
    }
}

criterion_group!(benches, collision, rows, solver);
criterion_main!(benches);
