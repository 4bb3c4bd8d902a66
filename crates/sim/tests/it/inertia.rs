//! The inertia matrix against independent routes: body-by-body sums, dense factorizations, Newton–Euler.

use crate::common::{Random, Tree, mixed_tree, position, random_state};
use kinetree_math::rot::mat3;
use kinetree_model::{Data, Model};
use kinetree_sim::{
    mj_add_m, mj_com_vel, mj_energy_vel, mj_factor_sparse, mj_full_m, mj_jac_body_com, mj_mul_m, mj_mul_m2,
    mj_rne, mj_solve_m, mj_solve_m2, mj_solve_sparse,
};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

fn prepared(seed: u64) -> (Model, Data) {
    let mut model = mixed_tree().build();
    for (dof, armature) in model.dof_armature.iter_mut().enumerate() {
        *armature = 0.01 * dof as f64;
    }
    model.tendon_armature.fill(0.3);
    let mut data = random_state(&model, seed);
    position(&model, &mut data);
    mj_com_vel(&model, &mut data).unwrap();
    (model, data)
}

fn full(model: &Model, data: &Data) -> DMatrix<f64> {
    let mut dense = vec![0.0; model.nv * model.nv];
    mj_full_m(model, &mut dense, &data.qM);
    DMatrix::from_row_slice(model.nv, model.nv, &dense)
}

/// `Σ m JpᵀJp + Jrᵀ R I Rᵀ Jr` over bodies, plus armatures.
fn by_bodies(model: &Model, data: &Data) -> DMatrix<f64> {
    let mut sum = DMatrix::zeros(model.nv, model.nv);
    for body in 1..model.nbody {
        let jac = mj_jac_body_com(model, data, body);
        let (jr, jp) = (jac.rows(0, 3), jac.rows(3, 3));
        let mat = mat3(&data.ximat[body]);
        let inertia =
            mat * Matrix3::from_diagonal(&Vector3::from(model.body_inertia[body])) * mat.transpose();
        sum += jp.transpose() * jp * model.body_mass[body] + jr.transpose() * inertia * jr;
    }
    for dof in 0..model.nv {
        sum[(dof, dof)] += model.dof_armature[dof];
    }
    sum
}

#[test]
fn composite_inertia_is_the_sum_over_bodies() {
    let (mut model, _) = prepared(1);
    model.tendon_armature.fill(0.0);
    for seed in 1..5 {
        let mut data = random_state(&model, seed);
        position(&model, &mut data);
        let expected = by_bodies(&model, &data);
        assert!((full(&model, &data) - &expected).amax() < 1e-12 * expected.amax());
    }
}

#[test]
fn tendon_armature_adds_its_jacobian_within_the_pattern() {
    let (model, data) = prepared(2);
    let mut expected = by_bodies(&model, &data);
    for tendon in 0..model.ntendon {
        let row = DVector::from_column_slice(&data.ten_J[tendon * model.nv..][..model.nv]);
        expected += &row * row.transpose() * 0.3;
    }
    let found = full(&model, &data);
    for i in 0..model.nv {
        for j in 0..model.nv {
            let (low, high) = (i.min(j), i.max(j));
            let start = model.M_rowadr[high] as usize;
            let row = &model.M_colind[start..][..model.M_rownnz[high] as usize];
            if row.contains(&(low as i32)) {
                assert!((found[(i, j)] - expected[(i, j)]).abs() < 1e-12 * expected.amax());
            } else {
                assert_eq!(found[(i, j)], 0.0);
            }
        }
    }
}

#[test]
fn sparse_solution_matches_dense() {
    for seed in 1..6 {
        let (model, mut data) = prepared(seed);
        mj_factor_sparse(&model, &mut data).unwrap();
        let mut random = Random::new(seed);
        let rhs = DVector::from_fn(model.nv, |_, _| random.next());
        let dense = full(&model, &data).cholesky().unwrap().solve(&rhs);
        let mut x = rhs.clone();
        mj_solve_sparse(&model, &data, &mut x).unwrap();
        assert!((&x - &dense).norm() <= 1e-12 * dense.norm());

        // several right-hand sides at once
        let mut many = [rhs.as_slice(), rhs.as_slice()].concat();
        mj_solve_m(&model, &data, &mut many).unwrap();
        assert_eq!(&many[model.nv..], x.as_slice());
    }
}

#[test]
fn half_solution_and_square_root() {
    let (model, data) = prepared(3);
    let m = full(&model, &data);
    let mut random = Random::new(4);
    let v = DVector::from_fn(model.nv, |_, _| random.next());
    let sqrt_inv: Vec<f64> = data.qLDiagInv.iter().map(|d| d.sqrt()).collect();
    let mut half = v.as_slice().to_vec();
    mj_solve_m2(&model, &data, &mut half, &sqrt_inv).unwrap();
    let expected = v.dot(&m.clone().cholesky().unwrap().solve(&v));
    assert!((DVector::from_vec(half).norm_squared() - expected).abs() < 1e-12 * expected);

    let mut root = vec![0.0; model.nv];
    mj_mul_m2(&model, &data, &mut root, v.as_slice()).unwrap();
    let expected = v.dot(&(&m * &v));
    assert!((DVector::from_vec(root).norm_squared() - expected).abs() < 1e-12 * expected);
}

#[test]
fn products_and_sums() {
    let (model, mut data) = prepared(5);
    let m = full(&model, &data);
    let qvel = DVector::from_column_slice(&data.qvel);
    let mut product = vec![0.0; model.nv];
    mj_mul_m(&model, &data, &mut product, &data.qvel).unwrap();
    assert!((DVector::from_vec(product) - &m * &qvel).norm() < 1e-12 * m.amax());

    let mut lower = vec![1.0; model.nv * model.nv];
    mj_add_m(&model, &data, &mut lower, None).unwrap();
    for i in 0..model.nv {
        for j in 0..=i {
            assert_eq!(lower[i * model.nv + j], 1.0 + m[(i, j)]);
        }
    }
    mj_energy_vel(&model, &mut data).unwrap();
    assert!((data.energy[1] - 0.5 * qvel.dot(&(&m * &qvel))).abs() < 1e-12 * data.energy[1]);
}

#[test]
fn newton_euler_is_mass_times_acceleration_plus_bias() {
    let (mut model, _) = prepared(6);
    model.dof_armature.fill(0.0);
    model.tendon_armature.fill(0.0);
    model.opt.gravity = [0.3, -0.2, -9.81];
    let mut data = random_state(&model, 6);
    position(&model, &mut data);
    mj_com_vel(&model, &mut data).unwrap();
    let mut random = Random::new(9);
    for a in &mut data.qacc {
        *a = random.next();
    }
    let (mut bias, mut forces) = (vec![0.0; model.nv], vec![0.0; model.nv]);
    mj_rne(&model, &mut data, false, &mut bias).unwrap();
    mj_rne(&model, &mut data, true, &mut forces).unwrap();
    let expected = full(&model, &data) * DVector::from_column_slice(&data.qacc) + DVector::from_vec(bias);
    assert!((DVector::from_vec(forces) - &expected).amax() < 1e-11 * expected.amax());
}

#[test]
fn long_chains_factor_exactly() {
    let model = Tree::arm(60).build();
    let mut data = random_state(&model, 2);
    position(&model, &mut data);
    let m = full(&model, &data);
    let mut random = Random::new(1);
    let x = DVector::from_fn(model.nv, |_, _| random.next());
    let mut solved = &m * &x;
    mj_solve_sparse(&model, &data, &mut solved).unwrap();
    let dense = m.clone().cholesky().unwrap().solve(&(&m * &x));
    // both are limited by the conditioning of the chain
    assert!((&solved - &x).norm() <= 10.0 * (&dense - &x).norm() + 1e-12 * x.norm());
}
