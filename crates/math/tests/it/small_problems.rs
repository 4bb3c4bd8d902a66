//! Eigenvalues, band matrices, box and cone quadratic programs against independent solutions.

use crate::common::{self, *};
use kinetree_math::Mat3;
use kinetree_math::band::Band;
use kinetree_math::boxqp::{BoxQp, BoxQpError, BoxQpOptions, BoxQpStatus};
use kinetree_math::eig3::eig3;
use kinetree_math::qcqp::qcqp;
use kinetree_math::rot::{mat3, mat3_row, quat_to_mat};
use nalgebra::DMatrix;
use proptest::prelude::*;

/// Random band matrix in band storage and as a full symmetric matrix.
fn random_band(rng: &mut TestRng, band: Band) -> (Vec<f64>, DMatrix<f64>) {
    let n = band.ntotal;
    let mut full = DMatrix::zeros(n, n);
    for i in 0..n {
        for j in band.first_col(i)..i {
            full[(i, j)] = rng.unit();
            full[(j, i)] = full[(i, j)];
        }
    }
    for i in 0..n {
        full[(i, i)] = 1.0 + full.row(i).iter().map(|x| x.abs()).sum::<f64>();
    }
    let mut mat = vec![f64::NAN; band.len()];
    band.from_dense(&mut mat, full.transpose().as_slice());
    (mat, full)
}

/// Checks the conditions of optimality of a box-constrained problem.
fn is_box_optimum(x: &[f64], h: &[f64], g: &[f64], lower: &[f64], upper: &[f64]) -> bool {
    let n = x.len();
    let grad = dmat(n, n, h) * dvec(x) + dvec(g);
    (0..n).all(|i| {
        let inside = lower[i] <= x[i] && x[i] <= upper[i];
        let optimal = match grad[i] {
            d if d.abs() < 1e-7 => true,
            d if d > 0.0 => x[i] == lower[i],
            _ => x[i] == upper[i],
        };
        inside && optimal
    })
}

proptest! {
    #![proptest_config(common::cases(100))]

    #[test]
    fn eig3_diagonalizes(seed: u64, repeated: bool) {
        let mut rng = TestRng(seed);
        let m = if repeated {
            let r = quat_to_mat(&random_quat(&mut rng));
            r * Mat3::from_diagonal(&nalgebra::Vector3::new(2.0, 2.0, 1.0)) * r.transpose()
        } else {
            let b = Mat3::from_row_slice(&rng.array::<9>());
            b + b.transpose()
        };
        let e = eig3(&m);
        prop_assert!(e.iterations < 100);
        prop_assert!(e.values[0] >= e.values[1] - 1e-11 && e.values[1] >= e.values[2] - 1e-11);
        prop_assert_eq!(e.vectors, quat_to_mat(&e.quat));
        prop_assert!((e.vectors.determinant() - 1.0).abs() < 1e-14);
        let back = e.vectors * Mat3::from_diagonal(&e.values.into()) * e.vectors.transpose();
        // iterations stop at rotations of about 1e-6, which eigenvalues feel only to second order
        prop_assert!((back - m).norm() < 2e-5);
        let mut expected: Vec<f64> = m.symmetric_eigenvalues().iter().copied().collect();
        expected.sort_by(|a, b| b.total_cmp(a));
        prop_assert!(max_diff(&e.values, &expected) < 1e-10);
    }

    #[test]
    fn band_solves_match_dense(seed: u64, n in 1usize..40, nband in 1usize..10, ndense in 0usize..5) {
        let mut rng = TestRng(seed);
        let band = Band::new(n, nband.min(n), ndense.min(n));
        let (mat, full) = random_band(&mut rng, band);
        for i in 0..n {
            prop_assert_eq!(mat[band.diag(i)], full[(i, i)]);
        }
        let mut dense = vec![9.0; n * n];
        band.to_dense(&mut dense, &mat, true);
        prop_assert_eq!(&dmat(n, n, &dense), &full);
        band.to_dense(&mut dense, &mat, false);
        prop_assert_eq!(dmat(n, n, &dense), full.lower_triangle());

        let v = rng.vec(2 * n);
        let mut out = vec![9.0; 2 * n];
        band.mul_mat_vec(&mut out, &mat, &v, true);
        prop_assert!(rel_err(&out[n..], (&full * dvec(&v[n..])).as_slice()) < 1e-13);
        band.mul_mat_vec(&mut out, &mat, &v, false);
        prop_assert!(rel_err(&out[..n], (full.lower_triangle() * dvec(&v[..n])).as_slice()) < 1e-13);

        let (add, mul) = (0.3, 0.1);
        let mut shifted = full.clone();
        for i in 0..n {
            shifted[(i, i)] += add + mul * full[(i, i)];
        }
        let chol = shifted.cholesky().unwrap();
        let mut factor = mat.clone();
        let smallest = band.chol_factor(&mut factor, add, mul);
        let pivots = chol.l().diagonal().map(|x| x * x);
        prop_assert!((smallest - pivots.min()).abs() < 1e-12 * smallest);
        let mut x = v[..n].to_vec();
        band.chol_solve(&mut x, &factor);
        prop_assert!(rel_err(&x, chol.solve(&dvec(&v[..n])).as_slice()) < 1e-12);
    }

    #[test]
    fn boxqp_meets_the_optimality_conditions(seed: u64, n in 1usize..20) {
        let mut rng = TestRng(seed);
        let h = random_spd(&mut rng, n);
        let g: Vec<f64> = rng.vec(n).iter().map(|x| x * n as f64).collect();
        let lower: Vec<f64> = rng.vec(n).iter().map(|x| -0.5 - x.abs()).collect();
        let upper: Vec<f64> = rng.vec(n).iter().map(|x| x.abs() * 0.1).collect();
        let mut solver = BoxQp::default();
        let mut x = rng.vec(n);
        let nfree = solver.solve(&mut x, &h, &g, Some(&lower), Some(&upper)).unwrap();
        prop_assert!(is_box_optimum(&x, &h, &g, &lower, &upper));
        prop_assert_eq!(nfree, solver.free().len());
        // the factor belongs to the free block
        let free: Vec<usize> = solver.free().iter().map(|&i| i as usize).collect();
        let block = dmat(n, n, &h).select_rows(&free).select_columns(&free);
        if nfree > 0 && solver.status() != Some(BoxQpStatus::AllClamped) {
            let l = dmat(nfree, nfree, solver.factor()).lower_triangle();
            prop_assert!((&l * l.transpose() - block).norm() < 1e-10);
        }
        // a warm start at the solution stays there
        let mut again = x.clone();
        solver.solve(&mut again, &h, &g, Some(&lower), Some(&upper)).unwrap();
        prop_assert!(max_diff(&again, &x) < 1e-8);

        // one-sided and without bounds
        let big = vec![1e3; n];
        let mut x = vec![0.0; n];
        solver.solve(&mut x, &h, &g, Some(&lower), None).unwrap();
        prop_assert!(is_box_optimum(&x, &h, &g, &lower, &big));
        prop_assert_eq!(solver.solve(&mut x, &h, &g, None, None).unwrap(), n);
        let newton = dmat(n, n, &h).cholesky().unwrap().solve(&dvec(&g));
        prop_assert!(rel_err(&x, (-newton).as_slice()) < 1e-12);
        prop_assert_eq!(solver.status(), Some(BoxQpStatus::Unbounded));
    }

    #[test]
    fn qcqp_lies_on_or_inside_the_ellipsoid(seed: u64, n in 1usize..=5, r in 0.1f64..2.0) {
        let mut rng = TestRng(seed);
        let a = random_spd(&mut rng, n);
        let b = rng.vec(n);
        let d: Vec<f64> = rng.vec(n).iter().map(|x| x.abs() + 0.2).collect();
        let (x, active) = qcqp(&a, &b, &d, r, n);
        let x = &x[..n];
        let radius2: f64 = x.iter().zip(&d).map(|(x, d)| (x / d) * (x / d)).sum();
        let grad = dmat(n, n, &a) * dvec(x) + dvec(&b);
        if active {
            // on the surface, and the gradient is an outward normal times a negative number
            prop_assert!((radius2 - r * r).abs() < 1e-8);
            // from all components at once: a single one may be as good as zero
            let lambda = -grad.dot(&dvec(x)) / radius2;
            prop_assert!(lambda > 0.0);
            for i in 0..n {
                prop_assert!((grad[i] + lambda * x[i] / (d[i] * d[i])).abs() < 1e-6);
            }
        } else {
            prop_assert!(radius2 <= r * r + 1e-9 && grad.norm() < 1e-10);
        }
    }
}

#[test]
fn qcqp_of_a_singular_matrix_is_zero() {
    for n in 1..=5 {
        let (x, active) = qcqp(&vec![0.0; n * n], &vec![1.0; n], &vec![1.0; n], 1.0, n);
        assert_eq!((x, active), ([0.0; 5], false));
    }
}

#[test]
fn bad_problems_are_errors() {
    let mut solver = BoxQp::default();
    let (h, g) = ([1.0, 0.0, 0.0, -1.0], [1.0, 1.0]);
    let mut x = [0.0; 2];
    assert_eq!(solver.solve(&mut x, &h, &g, None, None), Err(BoxQpError::NotPositiveDefinite));
    let (lower, upper) = ([-1.0, 2.0], [1.0, 2.0]);
    assert_eq!(solver.solve(&mut x, &h, &g, Some(&lower), Some(&upper)), Err(BoxQpError::Bounds(1)));
    assert_eq!(solver.solve(&mut x, &h, &g[..1], None, None), Err(BoxQpError::Size(2)));
    assert_eq!(solver.solve(&mut [], &[], &[], None, None), Err(BoxQpError::Size(0)));
    let (lower, upper) = ([-1.0, -2.0], [1.0, 2.0]);
    assert_eq!(
        solver.solve(&mut x, &h, &g, Some(&lower), Some(&upper)),
        Err(BoxQpError::NotPositiveDefinite)
    );
    assert_eq!(solver.status(), None);

    let mut singular = [0.0, 1.0, 2.0, 1.0];
    assert_eq!(Band::new(2, 2, 0).chol_factor(&mut singular, 0.0, 0.0), 0.0);
    assert!(Band::new(0, 1, 0).is_empty());
}

/// Values computed by MuJoCo 3.8.0.
#[test]
fn agrees_with_the_reference() {
    let e = eig3(&mat3(&[2.0, 0.3, -0.4, 0.3, 5.0, 0.6, -0.4, 0.6, 3.0]));
    assert_eq!(e.iterations, 6);
    assert!(max_diff(&e.values, &[5.176969639027629, 3.0392788402958253, 1.7837515206765366]) < 1e-14);
    let quat = [0.553462954159077, 0.47242263502686577, 0.2971815733657185, 0.6182060536258572];
    assert!(max_diff(&e.quat, &quat) < 1e-14);
    assert!(max_diff(&mat3_row(&e.vectors)[..2], &[0.05900877542443955, -0.40351769349585825]) < 1e-14);

    let h = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
    let (lower, upper) = ([-0.5, -0.3, -1.0], [0.4, 0.5, 0.01]);
    let (mut solver, mut x) = (BoxQp::default(), [0.0; 3]);
    assert_eq!(solver.solve(&mut x, &h, &[-3.0, 2.0, 0.1], Some(&lower), Some(&upper)), Ok(1));
    assert!(max_diff(&x, &[0.4, -0.3, -0.17999999999999997]) < 1e-16);
    assert_eq!(solver.free(), [2]);
    assert_eq!(solver.factor(), [std::f64::consts::SQRT_2]);

    let band = Band::new(4, 2, 1);
    let mut mat = [0.0, 4.0, 1.0, 5.0, 0.5, 6.0, 0.2, 0.3, 0.1, 7.0];
    assert_eq!(band.chol_factor(&mut mat, 0.1, 0.05), 4.3);
    let factor = [
        0.0,
        2.073644135332772,
        0.48224282217041214,
        2.2621763548550136,
        0.22102609238528875,
        2.5201483024784257,
        0.09644856443408244,
        0.112055088697658,
        0.029852569207646375,
        2.725298177379361,
    ];
    assert!(max_diff(&mat, &factor) < 1e-15);
    let mut x = [1.0, 2.0, 3.0, 4.0];
    band.chol_solve(&mut x, &mat);
    let expected = [0.14415850634223057, 0.27691876245532077, 0.43905324822434294, 0.5159983013654393];
    assert!(max_diff(&x, &expected) < 1e-15);
}

#[test]
fn box_qp_tells_what_it_took() {
    // ½ x² + ½ y² − 2 x − y with x at most 1: one step to the corner, and a look at the rest
    let (h, g) = ([1.0, 0.0, 0.0, 1.0], [-2.0, -1.0]);
    let (mut solver, mut x, mut steps) = (BoxQp::default(), [0.0; 2], Vec::new());
    let bounds = [None, Some(&[1.0, 5.0][..])];
    let free = solver.solve_with(&mut x, &h, &g, bounds, &BoxQpOptions::default(), |step| steps.push(*step));
    assert_eq!((free, solver.status()), (Ok(1), Some(BoxQpStatus::Converged)));
    let effort = solver.effort();
    assert_eq!((effort.iterations, effort.factorizations), (steps.len(), 2));
    assert!(steps[0].reduction > 0.0 && steps[0].factored && effort.gradient < 1e-8);
    // without a step there is no solution
    let none = BoxQpOptions { max_iterations: 0, ..BoxQpOptions::default() };
    assert_eq!(solver.solve_with(&mut x, &h, &g, bounds, &none, |_| ()), Ok(0));
    assert_eq!(solver.status(), Some(BoxQpStatus::IterationLimit));
}
