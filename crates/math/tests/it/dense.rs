//! Dense kernels and factorizations against nalgebra.

use crate::common::{self, *};
use kinetree_math::dense::*;
use kinetree_math::{Mat3, Vec3};
use nalgebra::DMatrix;
use proptest::prelude::*;

proptest! {
    #![proptest_config(common::cases(40))]

    #[test]
    fn in_place_cholesky_matches_nalgebra(seed: u64, n in 1usize..=200) {
        let mut rng = TestRng(seed);
        let m = dmat(n, n, &random_spd(&mut rng, n));
        let b = dvec(&rng.vec(n));
        let reference = m.clone().cholesky().unwrap();
        let mut factor = m.clone();
        // the upper triangle is not read
        for i in 0..n {
            for j in i + 1..n {
                factor[(i, j)] = f64::NAN;
            }
        }
        cholesky_in_place(&mut factor).unwrap();
        let mut x = b.clone();
        cholesky_solve_in_place(&factor, &mut x);
        prop_assert!(rel_err(x.as_slice(), reference.solve(&b).as_slice()) < 1e-12);
        let l = factor.lower_triangle();
        prop_assert!(rel_err(l.as_slice(), reference.l().as_slice()) < 1e-12);
    }

    #[test]
    fn row_cholesky_matches_nalgebra(seed: u64, n in 1usize..60) {
        let mut rng = TestRng(seed);
        let m = random_spd(&mut rng, n);
        let b = rng.vec(n);
        let expected = dmat(n, n, &m).cholesky().unwrap().solve(&dvec(&b));
        let mut rows = m.clone();
        prop_assert_eq!(chol_factor(&mut rows, n, 1e-15), n);
        let mut x = b.clone();
        chol_solve(&mut x, &rows);
        prop_assert!(rel_err(&x, expected.as_slice()) < 1e-12);

        // add a rank-one term, then take it away again
        let v = rng.vec(n);
        let updated = dmat(n, n, &m) + dvec(&v) * dvec(&v).transpose();
        let expected = updated.cholesky().unwrap().l();
        prop_assert_eq!(chol_update(&mut rows, &mut v.clone(), RankOne::Add), n);
        prop_assert!(rel_err(dmat(n, n, &rows).lower_triangle().as_slice(), expected.as_slice()) < 1e-12);
        prop_assert_eq!(chol_update(&mut rows, &mut v.clone(), RankOne::Subtract), n);
        let expected = dmat(n, n, &m).cholesky().unwrap().l();
        prop_assert!(rel_err(dmat(n, n, &rows).lower_triangle().as_slice(), expected.as_slice()) < 1e-11);
    }

    #[test]
    fn products_match_nalgebra(seed: u64, r in 1usize..20, c in 1usize..20, k in 1usize..20) {
        let mut rng = TestRng(seed);
        let (a, b, bt, at) = (rng.vec(r * c), rng.vec(c * k), rng.vec(k * c), rng.vec(c * r));
        let (v, w, d) = (rng.vec(c), rng.vec(r), rng.vec(r));
        let da = dmat(r, c, &a);
        let close = |x: &[f64], y: DMatrix<f64>| rel_err(x, y.transpose().as_slice()) < 1e-13;

        let mut out = vec![0.0; r];
        mul_mat_vec(&mut out, &a, &v);
        prop_assert!(rel_err(&out, (&da * dvec(&v)).as_slice()) < 1e-13);
        let mut out = vec![9.0; c];
        mul_mat_t_vec(&mut out, &a, &w);
        prop_assert!(rel_err(&out, (da.transpose() * dvec(&w)).as_slice()) < 1e-13);
        let mut out = vec![9.0; r * k];
        mul_mat_mat(&mut out, &a, &b, r, c, k);
        prop_assert!(close(&out, &da * dmat(c, k, &b)));
        mul_mat_mat_t(&mut out, &a, &bt, r, c, k);
        prop_assert!(close(&out, &da * dmat(k, c, &bt).transpose()));
        mul_mat_t_mat(&mut out, &at, &b, c, r, k);
        prop_assert!(close(&out, dmat(c, r, &at).transpose() * dmat(c, k, &b)));
        let mut out = vec![9.0; c * c];
        sqr_mat_td(&mut out, &a, Some(&d), r, c);
        let weighted = da.transpose() * DMatrix::from_diagonal(&dvec(&d)) * &da;
        prop_assert!(close(&out, weighted.clone()));
        prop_assert!((mul_vec_mat_vec(&v, &out, &v) - (dvec(&v).transpose() * weighted.clone() * dvec(&v))[0]).abs() < 1e-12);
        sqr_mat_td_lower(&mut out, &a, Some(&d), r, c);
        prop_assert!(close(&out, weighted.lower_triangle()));
        sqr_mat_td(&mut out, &a, None, r, c);
        prop_assert!(close(&out, da.transpose() * &da));
        let mut out = vec![9.0; c * r];
        transpose(&mut out, &a, r, c);
        prop_assert!(close(&out, da.transpose()));
        let square = rng.vec(c * c);
        let mut out = vec![9.0; c * c];
        symmetrize(&mut out, &square, c);
        let ds = dmat(c, c, &square);
        prop_assert!(close(&out, (&ds + ds.transpose()) * 0.5));
        identity(&mut out, c);
        prop_assert!(close(&out, DMatrix::identity(c, c)));
    }

    #[test]
    fn vector_kernels_match_definitions(seed: u64, n in 0usize..40) {
        let mut rng = TestRng(seed);
        let (a, b, s, t) = (rng.vec(n), rng.vec(n), rng.unit(), rng.unit());
        let naive: f64 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
        prop_assert!((dot(&a, &b) - naive).abs() < 1e-13);
        prop_assert!((norm(&a) - dvec(&a).norm()).abs() < 1e-13);
        prop_assert!((sum(&a) - a.iter().sum::<f64>()).abs() < 1e-13);
        prop_assert!((l1_norm(&a) - a.iter().map(|x| x.abs()).sum::<f64>()).abs() < 1e-13);
        let apply = |f: &dyn Fn(&mut [f64])| { let mut x = a.clone(); f(&mut x); x };
        let map = |f: &dyn Fn(f64, f64) -> f64| -> Vec<f64> { a.iter().zip(&b).map(|(x, y)| f(*x, *y)).collect() };
        prop_assert_eq!(apply(&|x| add_to(x, &b)), map(&|x, y| x + y));
        prop_assert_eq!(apply(&|x| sub_from(x, &b)), map(&|x, y| x - y));
        prop_assert_eq!(apply(&|x| scale(x, s)), map(&|x, _| x * s));
        prop_assert_eq!(apply(&|x| add_scaled(x, &b, s)), map(&|x, y| x + y * s));
        prop_assert_eq!(apply(&|x| scale_add(x, &b, s, t)), map(&|x, y| x * s + y * t));
        if n > 0 {
            let mut u = a.clone();
            let length = normalize(&mut u);
            prop_assert!((length - norm(&a)).abs() < 1e-15 && (norm(&u) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn three_equations(seed: u64) {
        let mut rng = TestRng(seed);
        let a = Mat3::from_row_slice(&rng.array::<9>()) + Mat3::identity() * 4.0;
        let b = Vec3::from(rng.array::<3>());
        prop_assert!((a * solve3(&a, &b) - b).norm() < 1e-13);
    }
}

#[test]
fn failures_are_errors() {
    let mut indefinite = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0]);
    assert_eq!(
        cholesky_in_place(&mut indefinite),
        Err(CholeskyError::NotPositiveDefinite { index: 1, value: -3.0 })
    );
    let mut zero = DMatrix::from_element(1, 1, 0.0);
    assert!(cholesky_in_place(&mut zero).is_err());
    let mut nan = DMatrix::from_element(1, 1, f64::NAN);
    assert!(cholesky_in_place(&mut nan).is_err());
    let mut wide = DMatrix::from_element(2, 3, 1.0);
    assert_eq!(cholesky_in_place(&mut wide), Err(CholeskyError::NotSquare(2, 3)));
}

#[test]
fn small_pivots_are_clamped_and_counted() {
    let singular = [1.0, 1.0, 1.0, 1.0];
    let mut rows = singular;
    assert_eq!(chol_factor(&mut rows, 2, 1e-10), 1);
    assert_eq!(rows[3], 1e-10_f64.sqrt());
    let mut unit = [1.0];
    assert_eq!(chol_update(&mut unit, &mut [1.0], RankOne::Subtract), 0);
    assert_eq!(unit, [1e-15_f64.sqrt()]);
    let mut nothing = [0.0, 0.0];
    assert_eq!(normalize(&mut nothing), 0.0);
    assert_eq!(nothing, [1.0, 0.0]);
}
