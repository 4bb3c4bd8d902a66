//! Frame Jacobian of a serial arm, with the kinematics that it needs.
#![allow(missing_docs)] // criterion writes public functions without them

#[path = "../tests/it/common/mod.rs"]
mod common;

use common::{Tree, random_state};
use criterion::{Criterion, criterion_group, criterion_main};
use kinetree_sim::{mj_com_pos, mj_jac_into, mj_kinematics};
use std::hint::black_box;

fn arm(c: &mut Criterion) {
    for joints in [6, 7] {
        let model = Tree::arm(joints).build();
        let mut data = random_state(&model, 1);
        let mut jacp = vec![0.0; 3 * model.nv];
        let mut jacr = vec![0.0; 3 * model.nv];
        c.bench_function(&format!("all stages and site jacobian, {joints} hinges"), |b| {
            b.iter(|| {
                mj_kinematics(&model, black_box(&mut data)).unwrap();
                mj_com_pos(&model, &mut data).unwrap();
                let point = data.site_xpos[joints];
                mj_jac_into(&model, &data, Some(&mut jacp), Some(&mut jacr), &point, joints).unwrap();
                black_box(&jacp);
            });
        });
        c.bench_function(&format!("site jacobian alone, {joints} hinges"), |b| {
            b.iter(|| {
                let point = data.site_xpos[joints];
                mj_jac_into(&model, black_box(&data), Some(&mut jacp), Some(&mut jacr), &point, joints)
                    .unwrap();
                black_box(&jacp);
            });
        });
    }
}

criterion_group!(benches, arm);
criterion_main!(benches);
