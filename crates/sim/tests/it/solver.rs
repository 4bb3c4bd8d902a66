//! Solvers against each other and against the conditions of the optimum: balance of forces, friction cones,
//! islands.

use crate::common::{Tree, position, random_state};
use kinetree_math::rot::make_frame;
use kinetree_model::enums::{Cone, DisableBit, Jacobian, JointType, Solver};
use kinetree_model::{Contact, Data, Model};
use kinetree_sim::{
    mj_com_vel, mj_contact_force, mj_fwd_acceleration, mj_fwd_constraint, mj_island, mj_make_constraint,
    mj_mul_jac_t_vec, mj_mul_m, mj_project_constraint, mj_reference_constraint,
};
use nalgebra::Vector3;

/// Two free bodies and an arm, with contacts to the world and between the bodies; each is a tree of its own.
fn scene() -> Model {
    let mut tree = Tree { trees: 3, ..Tree::default() };
    tree.add(0, &[JointType::Free]);
    tree.add(0, &[JointType::Free]);
    let upper = tree.add(0, &[JointType::Hinge]);
    tree.add(upper, &[JointType::Hinge, JointType::Slide]);
    let mut model = tree.build();
    model.body_treeid.copy_from_slice(&[-1, 0, 1, 2, 2]);
    for dof in 0..model.nv {
        model.dof_treeid[dof] = model.body_treeid[model.dof_bodyid[dof] as usize];
    }
    model.tree_dofadr.copy_from_slice(&[0, 6, 12]);
    model.tree_dofnum.copy_from_slice(&[6, 6, 3]);
    model.tree_bodyadr.copy_from_slice(&[1, 2, 3]);
    model.tree_bodynum.copy_from_slice(&[1, 1, 2]);
    model.body_invweight0.copy_from_slice(&[[0.0; 2], [0.5, 4.0], [0.6, 5.0], [0.4, 3.0], [0.7, 6.0]]);
    model.dof_invweight0.fill(0.5);
    model.dof_solref.fill([0.02, 1.0]);
    model.dof_solimp.fill([0.9, 0.95, 0.001, 0.5, 2.0]);
    model.dof_frictionloss[12] = 0.3;
    model.opt.tolerance = 1e-14;
    model.opt.iterations = 2000;
    model.opt.ls_iterations = 200;
    model
}

fn contact(geom: [i32; 2], pos: [f64; 3], normal: [f64; 3], dim: i32) -> Contact {
    Contact {
        dist: -0.01,
        pos,
        frame: make_frame(&Vector3::from(normal), None).unwrap(),
        friction: [0.6, 0.6, 0.02, 0.01, 0.01],
        solref: [0.02, 1.0],
        solimp: [0.9, 0.95, 0.001, 0.5, 2.0],
        dim,
        geom,
        ..Contact::default()
    }
}

/// Runs everything from positions to constraint forces.
fn solve(model: &Model, seed: u64) -> Data {
    let mut data = random_state(model, seed);
    position(model, &mut data);
    mj_com_vel(model, &mut data).unwrap();
    for (dof, force) in data.qfrc_applied.iter_mut().enumerate() {
        *force = 8.0 * ((dof * 7 + 3) % 5) as f64 - 16.0;
    }
    mj_fwd_acceleration(model, &mut data).unwrap();
    data.contact = vec![
        contact([0, 1], [0.2, 0.1, 0.0], [0.0, 0.1, 1.0], 3),
        contact([0, 1], [-0.2, 0.3, 0.1], [0.2, 0.0, 1.0], 4),
        contact([1, 2], [0.1, -0.3, 0.2], [0.9, 0.1, 0.3], 6),
        contact([0, 4], [0.4, 0.3, 0.5], [0.1, -0.2, 1.0], 1),
    ];
    data.ncon = data.contact.len();
    mj_make_constraint(model, &mut data).unwrap();
    mj_island(model, &mut data).unwrap();
    mj_project_constraint(model, &mut data).unwrap();
    mj_reference_constraint(model, &mut data).unwrap();
    mj_fwd_constraint(model, &mut data).unwrap();
    data
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / scale
}

#[test]
fn all_solvers_find_the_same_optimum() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        for seed in 1..3 {
            let mut model = scene();
            model.opt.cone = cone as i32;
            let newton = solve(&model, seed);
            assert!(newton.nefc > 10 && newton.efc_force.iter().any(|f| f.abs() > 1e-3));
            // elliptic PGS moves along a ray and over friction by turns, and may stop short of the optimum
            let exact: &[Solver] =
                if cone == Cone::Elliptic { &[Solver::Cg] } else { &[Solver::Cg, Solver::Pgs] };
            for &solver in exact {
                model.opt.solver = solver as i32;
                let other = solve(&model, seed);
                let error = distance(&other.qacc, &newton.qacc);
                assert!(error < 1e-4, "{solver:?} {cone:?} seed {seed}: {error}");
            }
        }
    }
}

#[test]
fn storage_and_islands_do_not_change_the_solution() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let mut model = scene();
        model.opt.cone = cone as i32;
        let reference = solve(&model, 3);
        // the two free bodies touch each other, the arm is on its own
        assert_eq!(reference.nisland, 2);
        model.opt.jacobian = Jacobian::Sparse as i32;
        let sparse = solve(&model, 3);
        assert!(distance(&sparse.qacc, &reference.qacc) < 1e-9);
        model.opt.disableflags |= DisableBit::Island as i32;
        let whole = solve(&model, 3);
        assert_eq!(whole.nisland, 0);
        assert!(distance(&whole.qacc, &reference.qacc) < 1e-7);
        assert!(distance(&whole.efc_force, &reference.efc_force) < 1e-7);
    }
}

#[test]
fn forces_balance() {
    let model = scene();
    for seed in 1..6 {
        let data = solve(&model, seed);
        let (mut inertial, mut pushed) = (vec![0.0; model.nv], vec![0.0; model.nv]);
        mj_mul_m(&model, &data, &mut inertial, &data.qacc).unwrap();
        mj_mul_jac_t_vec(&model, &data, &mut pushed, &data.efc_force).unwrap();
        assert!(distance(&data.qfrc_constraint, &pushed) < 1e-12);
        let total: Vec<f64> = pushed.iter().zip(&data.qfrc_smooth).map(|(a, b)| a + b).collect();
        assert!(distance(&inertial, &total) < 1e-6, "seed {seed}");
    }
}

/// Normal forces push, and friction stays within the cone.
fn cones_hold(data: &Data, model: &Model, cone: Cone, what: &str) {
    for (id, contact) in data.contact.iter().enumerate() {
        let force = mj_contact_force(model, data, id).unwrap();
        assert!(force[0] >= 0.0);
        let ratios = force[1..].iter().zip(&contact.friction).map(|(f, mu)| f / mu);
        let used = match cone {
            Cone::Elliptic => ratios.map(|r| r * r).sum::<f64>().sqrt(),
            Cone::Pyramidal => ratios.map(f64::abs).sum(),
        };
        assert!(used <= force[0] * (1.0 + 1e-6) + 1e-6, "{what} {cone:?} contact {id}");
    }
}

#[test]
fn contact_forces_stay_in_their_cones() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        for solver in [Solver::Newton, Solver::Cg, Solver::Pgs] {
            let mut model = scene();
            model.opt.cone = cone as i32;
            model.opt.solver = solver as i32;
            for seed in 1..6 {
                let data = solve(&model, seed);
                cones_hold(&data, &model, cone, &format!("{solver:?}"));
            }
        }
    }
}

#[test]
fn noslip_keeps_the_cone_and_reduces_slip() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let mut model = scene();
        model.opt.cone = cone as i32;
        model.opt.noslip_iterations = 20;
        let data = solve(&model, 2);
        assert!(data.qacc.iter().all(|a| a.is_finite()));
        for (id, contact) in data.contact.iter().enumerate() {
            let force = mj_contact_force(&model, &data, id).unwrap();
            let slide = (force[1] * force[1] + force[2] * force[2]).sqrt();
            assert!(slide <= contact.friction[0] * force[0] * 1.5 + 1e-6);
        }
    }
}

#[test]
fn the_same_state_gives_the_same_bits() {
    let model = scene();
    let (first, second) = (solve(&model, 4), solve(&model, 4));
    assert_eq!(first.qacc, second.qacc);
    assert_eq!(first.efc_force, second.efc_force);

    // working memory of earlier steps does not matter
    let mut used = solve(&model, 1);
    let fresh = solve(&model, 4);
    used.copy_from(&fresh).unwrap();
    mj_fwd_constraint(&model, &mut used).unwrap();
    assert_eq!(used.qacc, fresh.qacc);
}

#[test]
fn conjugate_gradients_that_run_out_hand_over_to_gauss_seidel() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let mut model = scene();
        model.opt.cone = cone as i32;
        model.opt.tolerance = 1e-10;
        model.opt.iterations = 3;
        model.opt.solver = Solver::Cg as i32;
        let alone = solve(&model, 2);
        assert!(alone.solver_unconverged.number > 0, "three iterations are too few");
        model.opt.solver = Solver::CgPgs as i32;
        let helped = solve(&model, 2);
        assert_eq!(helped.solver_unconverged.number, alone.solver_unconverged.number);
        cones_hold(&helped, &model, cone, "CgPgs");

        // with enough iterations there is no warning, nothing is handed over, and the bits are those of CG
        model.opt.iterations = 2000;
        let extended = solve(&model, 2);
        model.opt.solver = Solver::Cg as i32;
        let plain = solve(&model, 2);
        assert_eq!(extended.solver_unconverged.number, 0);
        assert_eq!(extended.qacc, plain.qacc);
        if cone == Cone::Pyramidal {
            assert!(distance(&helped.qacc, &plain.qacc) < distance(&alone.qacc, &plain.qacc));
        }
    }
}
