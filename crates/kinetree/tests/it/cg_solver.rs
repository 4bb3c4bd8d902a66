//! Conjugate gradients as the contact solver: chosen by the model, interchangeable with projected
//! Gauss–Seidel, iteration counts that do not grow with the number of contacts, and a warning with a fallback
//! when the iterations run out.

use kinetree::model::enums::{DisableBit, Solver};
use kinetree::prelude::*;

/// Boxes that rest on a plane, `count` of them in a row, each a little off its neighbours.
fn row_of_boxes(count: usize, solver: &str) -> Model {
    let bodies: String = (0..count)
        .map(|i| {
            let (x, z) = (0.25 * i as f64, 0.0995 + 1e-5 * (i % 7) as f64);
            format!(r#"<body pos="{x} 0 {z}"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>"#)
        })
        .collect();
    let xml = format!(
        r#"<mujoco><option solver="{solver}"/><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>"#
    );
    load_model_str(&xml).unwrap_or_else(|e| panic!("{e}"))
}

/// Largest number of iterations of a step, and the number of contacts.
fn iterations(model: &Model, steps: usize) -> (i32, usize) {
    let mut data = Data::new(model);
    for (i, v) in data.qvel.iter_mut().enumerate() {
        // slides in different directions, so that friction works
        *v = 0.1 * ((i * 7 % 11) as f64 - 5.0) / 5.0;
    }
    let mut most = 0;
    for _ in 0..steps {
        data.step(model).unwrap();
        most = most.max(*data.solver_niter.iter().max().unwrap());
    }
    (most, data.ncon)
}

#[test]
fn iterations_do_not_grow_with_contacts() {
    for islands in [true, false] {
        let counts = [4, 16, 64].map(|boxes| {
            let mut model = row_of_boxes(boxes, "CG");
            if !islands {
                model.opt.disableflags |= DisableBit::Island as i32;
            }
            iterations(&model, 20)
        });
        println!("islands {islands}: {counts:?}");
        assert!(counts[2].1 > 100, "more than a hundred contacts: {counts:?}");
        assert!(counts[2].0 <= 2 * counts[0].0, "islands {islands}: {counts:?}");
    }
}

#[test]
fn the_model_chooses_the_solver() {
    for (name, solver) in
        [("PGS", Solver::Pgs), ("CG", Solver::Cg), ("Newton", Solver::Newton), ("CGPGS", Solver::CgPgs)]
    {
        assert_eq!(row_of_boxes(1, name).opt.solver, solver as i32);
    }
}

#[test]
fn solvers_are_interchangeable() {
    let end = |solver: &str| {
        let mut model = row_of_boxes(6, solver);
        model.opt.iterations = 400;
        model.opt.tolerance = 1e-12;
        let mut data = Data::new(&model);
        for (i, v) in data.qvel.iter_mut().enumerate() {
            *v = 0.1 * ((i * 7 % 11) as f64 - 5.0) / 5.0;
        }
        data.steps(&model, 100).unwrap();
        assert!(data.ncon >= 20);
        data.qpos.to_vec()
    };
    let reference = end("Newton");
    for solver in ["CG", "PGS", "CGPGS"] {
        let apart = end(solver).iter().zip(&reference).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        println!("{solver}: {apart:.1e}");
        assert!(apart < 1e-5, "{solver} ends {apart:.1e} m away");
    }
}

#[test]
fn running_out_of_iterations_is_recorded_and_survived() {
    let mut model = row_of_boxes(8, "CGPGS");
    model.opt.iterations = 2;
    model.opt.disableflags |= DisableBit::Warmstart as i32;
    let mut data = Data::new(&model);
    for v in &mut data.qvel {
        *v = 0.05;
    }
    data.steps(&model, 50).unwrap();
    assert!(data.solver_unconverged.number > 0);
    assert!(data.qpos.iter().all(|q| q.is_finite()));
    assert!((0..8).all(|i| (data.qpos[7 * i + 2] - 0.1).abs() < 0.01), "the boxes still stand on the floor");
    data.reset(&model).unwrap();
    assert_eq!(data.solver_unconverged.number, 0);
}
