//! After a first run, no step allocates: with contacts that come and go, actuators, sensors, tendons,
//! equalities, with islands and without, by every solver and integrator.

use crate::common::load;
use crate::counting_allocator::allocation_count;
use kinetree::model::enums::{Cone, DisableBit, EnableBit, Integrator, Jacobian, Solver};
use kinetree::prelude::*;

/// A run with controls and pushes that make contacts come and go; returns the smallest and largest number of
/// contacts.
fn run(model: &Model, data: &mut Data, steps: usize) -> (usize, usize) {
    let (mut least, mut most) = (usize::MAX, 0);
    data.reset(model).unwrap();
    for step in 0..steps {
        for (i, ctrl) in data.ctrl.iter_mut().enumerate() {
            *ctrl = ((step + 3 * i) % 17) as f64 / 8.0 - 1.0;
        }
        for force in data.xfrc_applied.iter_mut().skip(1) {
            force[2] = if step % 20 < 10 { 30.0 } else { -10.0 };
        }
        data.step(model).unwrap();
        least = least.min(data.ncon);
        most = most.max(data.ncon);
    }
    (least, most)
}

/// Allocations of a second run over the same states.
fn allocations(model: &Model, data: &mut Data, steps: usize) -> (usize, (usize, usize)) {
    run(model, data, steps);
    let before = allocation_count();
    let contacts = run(model, data, steps);
    (allocation_count() - before, contacts)
}

#[test]
fn no_model_allocates() {
    let mut changing = 0;
    for path in [
        "flags.xml",
        "convex_contacts.xml",
        "actuators.xml",
        "sensors.xml",
        "tendons.xml",
        "equality.xml",
        "mocap.xml",
        "muscle_arm.xml",
        "hfield.xml",
        "fluid.xml",
        "sleep.xml",
        "contact_parameters.xml",
        "geom_primitives.xml",
        "showcase/humanoid.xml",
        "showcase/quadruped.xml",
        "showcase/boxes.xml",
        "showcase/cloth.xml",
        "showcase/jelly.xml",
        "showcase/rope.xml",
        "compile/flex_cells.xml",
        "compile/flex_strain.xml",
    ] {
        let model = load(path);
        let (count, (least, most)) = allocations(&model, &mut Data::new(&model), 60);
        assert_eq!(count, 0, "{path}");
        changing += usize::from(least < most);
    }
    assert!(changing >= 6, "contacts come and go in {changing} models only");
}

#[test]
fn no_solver_or_integrator_allocates() {
    let mut model = load("flags.xml");
    for solver in [Solver::Pgs, Solver::Cg, Solver::Newton] {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
                for integrator in [
                    Integrator::Euler,
                    Integrator::Rk4,
                    Integrator::Implicit,
                    Integrator::Implicitfast,
                    Integrator::ImplicitSpringDamper,
                ] {
                    for (disable, enable, noslip) in
                        [(0, 0, 0), (DisableBit::Island as i32, EnableBit::Fwdinv as i32, 3)]
                    {
                        model.opt.solver = solver as i32;
                        model.opt.cone = cone as i32;
                        model.opt.jacobian = jacobian as i32;
                        model.opt.integrator = integrator as i32;
                        model.opt.disableflags = disable;
                        model.opt.enableflags = enable | EnableBit::Energy as i32;
                        model.opt.noslip_iterations = noslip;
                        let (count, _) = allocations(&model, &mut Data::new(&model), 10);
                        assert_eq!(
                            count, 0,
                            "{solver:?} {cone:?} {jacobian:?} {integrator:?} islands off: {disable}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn contacts_within_earlier_maxima_do_not_allocate() {
    let model = load("showcase/boxes.xml");
    let mut data = Data::new(&model);
    // a pile with many contacts
    data.steps(&model, 300).unwrap();
    let most = data.ncon;
    data.reset(&model).unwrap();
    let before = allocation_count();
    // another motion of the same boxes, with fewer contacts at each time
    for v in data.qvel.chunks_mut(6) {
        v[2] = 0.3;
    }
    let mut seen = (usize::MAX, 0);
    for _ in 0..120 {
        data.step(&model).unwrap();
        seen = (seen.0.min(data.ncon), seen.1.max(data.ncon));
    }
    assert!(seen.0 < seen.1 && seen.1 <= most, "{seen:?} of {most}");
    assert_eq!(allocation_count(), before);
}
