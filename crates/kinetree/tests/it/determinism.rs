//! The same state gives the same bits: on one thread or eight, and whatever the data was used for before.

use crate::common::{bits_of, load};
use kinetree::model::enums::{Cone, DisableBit, Integrator, Solver};
use kinetree::model::{
    STATE_FULLPHYSICS, STATE_INTEGRATION, begin_trajectory, mj_get_state, mj_set_state, mj_state_size,
};
use kinetree::prelude::*;

const MODELS: [&str; 9] = [
    "flags.xml",
    "convex_contacts.xml",
    "showcase/humanoid.xml",
    "showcase/quadruped.xml",
    "tendons.xml",
    "sensors.xml",
    "actuators.xml",
    "equality.xml",
    "showcase/cloth.xml",
];

/// Controls that depend on the step and the seed only.
fn drive(data: &mut Data, seed: u64, step: usize) {
    for (i, ctrl) in data.ctrl.iter_mut().enumerate() {
        let mixed = (seed * 31 + step as u64 * 17 + i as u64 * 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        *ctrl = (mixed >> 40) as f64 / f64::from(1 << 23) - 1.0;
    }
}

fn run(model: &Model, data: &mut Data, seed: u64, steps: usize) {
    for step in 0..steps {
        drive(data, seed, step);
        data.step(model).unwrap();
    }
}

/// The bits of everything that a step computes.
fn bits(data: &Data) -> Vec<u64> {
    let mut out = vec![data.time.to_bits(), data.ncon as u64, data.nefc as u64, data.nisland as u64];
    out.extend(bits_of([
        &data.qpos[..],
        &data.qvel,
        &data.act,
        &data.qacc,
        &data.qacc_warmstart,
        &data.efc_force,
        &data.qfrc_constraint,
        &data.qfrc_passive,
        &data.sensordata,
    ]));
    out.extend(bits_of(data.contact[..data.ncon].iter().map(|c| &c.pos[..])));
    out.extend(data.solver_niter.iter().map(|&n| n as u64));
    out
}

#[test]
fn one_thread_or_eight_give_the_same_bits() {
    for path in MODELS {
        let model = load(path);
        let trajectory = |seed: u64| {
            let mut data = Data::new(&model);
            run(&model, &mut data, seed, 40);
            bits(&data)
        };
        let alone: Vec<_> = (0..8).map(trajectory).collect();
        let together: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|seed| scope.spawn(move || trajectory(seed))).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert_eq!(alone, together, "{path}");
    }
}

/// Steps from one state on fresh data and on data with a past, and compares the bits.
fn past_does_not_matter(model: &Model, what: &str) {
    let mut source = Data::new(model);
    run(model, &mut source, 3, 30);
    let mut state = vec![0.0; mj_state_size(model, STATE_INTEGRATION).unwrap()];
    mj_get_state(model, &source, &mut state, STATE_INTEGRATION).unwrap();

    let mut fresh = Data::new(model);
    let mut used = Data::new(model);
    // a past with other contacts, activations and forces
    for v in &mut used.qvel {
        *v = 0.7;
    }
    run(model, &mut used, 11, 25);
    used.xfrc_applied.fill([0.3; 6]);
    run(model, &mut used, 12, 15);
    used.inverse(model).unwrap();

    for data in [&mut fresh, &mut used] {
        mj_set_state(model, data, &state, STATE_INTEGRATION).unwrap();
        run(model, data, 5, 3);
    }
    assert!(bits(&fresh) == bits(&used), "{what}");
}

#[test]
fn the_past_of_the_data_does_not_matter() {
    for path in MODELS {
        past_does_not_matter(&load(path), path);
    }
}

#[test]
fn the_past_does_not_matter_to_any_solver_or_integrator() {
    let mut model = load("flags.xml");
    for solver in [Solver::Pgs, Solver::Cg, Solver::Newton] {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            for integrator in
                [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::ImplicitEuler]
            {
                for islands in [true, false] {
                    model.opt.solver = solver as i32;
                    model.opt.cone = cone as i32;
                    // discrete-time inverse dynamics is not asked for, so that all integrators can be
                    // inverted
                    model.opt.integrator = integrator as i32;
                    model.opt.jacobian = i32::from(islands);
                    model.opt.disableflags = if islands { 0 } else { DisableBit::Island as i32 };
                    past_does_not_matter(&model, &format!("{solver:?} {cone:?} {integrator:?} {islands}"));
                }
            }
        }
    }
}

#[test]
fn a_trajectory_depends_on_its_start_alone() {
    let driven = kinetree::model::enums::StateBit::Ctrl as u32;
    for name in MODELS {
        let model = load(name);
        let (mut fresh, mut used) = (Data::new(&model), Data::new(&model));
        let mut first = vec![0.0; mj_state_size(&model, STATE_FULLPHYSICS).unwrap()];
        mj_get_state(&model, &fresh, &mut first, STATE_FULLPHYSICS).unwrap();
        run(&model, &mut used, 5, 40);
        used.qfrc_applied.fill(0.1);
        for data in [&mut fresh, &mut used] {
            begin_trajectory(&model, data, &first, None, driven).unwrap();
            run(&model, data, 3, 20);
        }
        assert_eq!(bits(&fresh), bits(&used), "{name}");
        assert!(begin_trajectory(&model, &mut used, &first[1..], None, driven).is_err());
    }
}
