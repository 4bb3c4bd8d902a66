//! A whole step of the Euler integrator factors the inertia with dampers together with the inertia itself.
//! The results are those of a step in halves, which factors them one after the other, and nothing stale is
//! used when something changes in between.

use crate::common::{self, bits_of};
use kinetree::model::enums::{EnableBit, Integrator, Warning};
use kinetree::prelude::*;

fn load(path: &str) -> Model {
    let mut model = common::load(path);
    model.opt.integrator = Integrator::Euler as i32;
    model
}

fn bits(data: &Data) -> Vec<u64> {
    bits_of([&data.qpos[..], &data.qvel, &data.qacc, &data.qLD, &data.qLDiagInv, &data.qH, &data.qHDiagInv])
}

/// Steps as a whole and in halves side by side; `push` disturbs both before each step.
fn compare(model: &Model, mut push: impl FnMut(usize, &mut Data)) -> Data {
    let (mut whole, mut halves) = (Data::new(model), Data::new(model));
    for step in 0..100 {
        push(step, &mut whole);
        push(step, &mut halves);
        mj_step(model, &mut whole).unwrap();
        mj_step1(model, &mut halves).unwrap();
        mj_step2(model, &mut halves).unwrap();
        assert!(bits(&whole) == bits(&halves), "step {step}");
    }
    whole
}

fn controls(step: usize, data: &mut Data) {
    for (i, ctrl) in data.ctrl.iter_mut().enumerate() {
        *ctrl = ((step + 3 * i) % 17) as f64 / 8.0 - 1.0;
    }
}

#[test]
fn a_step_is_its_halves() {
    for path in ["showcase/humanoid.xml", "showcase/quadruped.xml", "actuators.xml", "joint_springs.xml"] {
        let mut model = load(path);
        compare(&model, controls);
        // damping that depends on the velocity
        model.dof_dampingpoly.fill([0.01, 0.002]);
        compare(&model, controls);
        model.opt.enableflags |= EnableBit::Fwdinv as i32;
        compare(&model, controls);
    }
}

#[test]
fn a_reset_in_the_middle_of_a_step_is_seen() {
    let model = load("showcase/humanoid.xml");
    let data = compare(&model, |step, data| {
        controls(step, data);
        data.qfrc_applied[10] = if step == 50 { 1e20 } else { 0.0 };
    });
    assert!(data.warning[Warning::Badqacc as usize].number > 0, "no reset");
}

#[test]
fn a_callback_that_changes_the_inertia_is_seen() {
    let mut model = load("showcase/humanoid.xml");
    let plain = compare(&model, controls);
    model.set_control(|_, data| data.M.iter_mut().for_each(|x| *x *= 2.0));
    let mut heavy = Data::new(&model);
    for step in 0..100 {
        controls(step, &mut heavy);
        mj_step(&model, &mut heavy).unwrap();
    }
    assert_ne!(bits(&plain), bits(&heavy));
    let diagonal = (model.M_rowadr[20] + model.M_rownnz[20] - 1) as usize;
    assert!(heavy.qH[diagonal] > 1.5 * heavy.qLD[diagonal]);
}
