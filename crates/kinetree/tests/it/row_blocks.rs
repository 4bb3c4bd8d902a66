//! The solver's blocks of constraint rows, made together with the rows: the same as those made from the
//! constraint arrays, and never used when somebody may have changed the arrays in between.

use crate::common::{bits_of, load};
use kinetree::model::enums::{Cone, DisableBit, Integrator, Jacobian, Solver};
use kinetree::prelude::*;
use kinetree::sim::{mj_fwd_position, mj_fwd_velocity};

/// States after a number of steps; in halves, the second half has to make the blocks anew.
fn run(model: &Model, halves: bool) -> Vec<u64> {
    let mut data = Data::new(model);
    let mut bits = Vec::new();
    for step in 0..120 {
        for (i, ctrl) in data.ctrl.iter_mut().enumerate() {
            *ctrl = ((step + 3 * i) % 17) as f64 / 8.0 - 1.0;
        }
        if halves {
            mj_step1(model, &mut data).unwrap();
            mj_step2(model, &mut data).unwrap();
        } else {
            data.step(model).unwrap();
        }
        bits.extend(bits_of([&data.qpos[..], &data.qacc, &data.efc_force]));
    }
    assert!(data.maxuse_con > 0 || data.maxuse_efc > 0, "no constraints");
    bits
}

#[test]
fn blocks_are_those_of_the_constraint_arrays() {
    for path in ["equality.xml", "tendons.xml", "flags.xml", "contact_parameters.xml", "showcase/boxes.xml"] {
        let mut model = load(path);
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
                for islands in [true, false] {
                    model.opt.cone = cone as i32;
                    model.opt.jacobian = jacobian as i32;
                    model.opt.integrator = Integrator::Euler as i32;
                    model.opt.solver = Solver::Newton as i32;
                    model.opt.disableflags &= !(DisableBit::Island as i32);
                    model.opt.disableflags |= if islands { 0 } else { DisableBit::Island as i32 };
                    assert!(
                        run(&model, false) == run(&model, true),
                        "{path} {cone:?} {jacobian:?} {islands}"
                    );
                }
            }
        }
    }
}

#[test]
fn changed_rows_are_seen() {
    let mut model = load("showcase/boxes.xml");
    let mut data = Data::new(&model);
    for _ in 0..150 {
        data.step(&model).unwrap();
    }
    let still = |v: &[f64]| v.iter().all(|&x| x == 0.0);
    let mut halves = data.clone();
    mj_step1(&model, &mut halves).unwrap();
    assert!(halves.nefc > 0 && !still(&halves.efc_vel));
    halves.efc_J.fill(0.0);
    mj_step2(&model, &mut halves).unwrap();
    assert!(still(&halves.qfrc_constraint));

    let mut stages = data.clone();
    mj_fwd_position(&model, &mut stages).unwrap();
    stages.efc_J.fill(0.0);
    mj_fwd_velocity(&model, &mut stages).unwrap();
    assert!(still(&stages.efc_vel));

    mj_forward(&model, &mut data).unwrap();
    assert!(!still(&data.qfrc_constraint));
    model.set_control(|_, data| data.efc_J.fill(0.0));
    mj_forward(&model, &mut data).unwrap();
    assert!(still(&data.qfrc_constraint));
}
