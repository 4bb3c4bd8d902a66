//! Rotations against nalgebra, finite differences and values from the reference.

use crate::common::{self, *};
use kinetree_math::rot::*;
use kinetree_math::{Mat3, Quat, Vec3};
use nalgebra::{Quaternion, Rotation3, UnitQuaternion};
use proptest::prelude::*;

fn unit(q: &Quat) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]))
}

fn same_rotation(a: &Quat, b: &Quat) -> bool {
    let negative = b.map(|x| -x);
    max_diff(a, b).min(max_diff(a, &negative)) < 1e-14
}

proptest! {
    #![proptest_config(common::cases(200))]

    #[test]
    fn algebra_matches_nalgebra(seed: u64) {
        let mut rng = TestRng(seed);
        let (a, b, v) = (random_quat(&mut rng), random_quat(&mut rng), vec3(&mut rng));
        let ab = unit(&a) * unit(&b);
        prop_assert!(max_diff(&quat_mul(&a, &b), &[ab.w, ab.i, ab.j, ab.k]) < 1e-15);
        prop_assert!((quat_rotate(&a, &v) - unit(&a) * v).norm() < 1e-15);
        prop_assert!((quat_rotate_inv(&a, &v) - unit(&a).inverse() * v).norm() < 1e-15);
        prop_assert!(max_diff(&quat_mul(&a, &quat_conj(&a)), &QUAT_IDENTITY) < 1e-15);
        prop_assert!(max_diff(&quat_mul_axis(&a, &v), &quat_mul(&a, &[0.0, v.x, v.y, v.z])) < 1e-15);
        let m = quat_to_mat(&a);
        prop_assert!((m - unit(&a).to_rotation_matrix().matrix()).norm() < 1e-15);
        prop_assert!(same_rotation(&mat_to_quat(&m), &a));
        prop_assert_eq!(mat3(&mat3_row(&m)), m);
        prop_assert_eq!(mat3_row(&m)[1], m[(0, 1)]);
    }

    #[test]
    fn half_turns_convert_too(seed: u64) {
        // traces near −1 take the other branches
        let mut rng = TestRng(seed);
        let mut axis = vec3(&mut rng);
        normalize3(&mut axis);
        let q = axis_angle_to_quat(&axis, std::f64::consts::PI - 1e-3 * rng.unit().abs());
        prop_assert!(same_rotation(&mat_to_quat(&quat_to_mat(&q)), &q));
    }

    #[test]
    fn integrate_and_difference_are_inverse(seed: u64, dt in 0.01f64..1.0) {
        let mut rng = TestRng(seed);
        let (q, omega) = (random_quat(&mut rng), vec3(&mut rng));
        let mut rotated = q;
        quat_integrate(&mut rotated, &omega, dt);
        let expected = unit(&q) * UnitQuaternion::from_scaled_axis(omega * dt);
        prop_assert!(same_rotation(&rotated, &[expected.w, expected.i, expected.j, expected.k]));
        prop_assert!((quat_sub(&rotated, &q) - omega * dt).norm() < 1e-14);
        let difference = quat_mul(&quat_conj(&q), &rotated);
        prop_assert!((quat_to_vel(&difference, dt) - omega).norm() < 1e-13 / dt);
    }

    #[test]
    fn derivative_is_a_finite_difference(seed: u64) {
        let mut rng = TestRng(seed);
        let (q, omega) = (random_quat(&mut rng), vec3(&mut rng));
        let h = 1e-6;
        let step = |dt: f64| quat_mul(&axis_angle_to_quat(&omega.normalize(), omega.norm() * dt), &q);
        let (plus, minus, deriv) = (step(h), step(-h), quat_deriv(&q, &omega));
        for k in 0..4 {
            prop_assert!(((plus[k] - minus[k]) / (2.0 * h) - deriv[k]).abs() < 1e-9);
        }
    }

    #[test]
    fn tangent_derivatives_are_finite_differences(seed: u64, dt in 0.001f64..1.0) {
        let mut rng = TestRng(seed);
        let (a, b, omega) = (random_quat(&mut rng), random_quat(&mut rng), vec3(&mut rng));
        // stay away from the half turn, where the difference jumps
        prop_assume!(quat_sub(&a, &b).norm() < 3.0);
        let h = 1e-6;
        let nudge = |q: &Quat, k: usize, s: f64| {
            let mut out = *q;
            quat_integrate(&mut out, &Vec3::ith(k, 1.0), s);
            out
        };
        let (da, db) = quat_sub_deriv(&a, &b);
        let d = quat_integrate_deriv(&omega, dt);
        let integrate = |q: &Quat, v: &Vec3, t: f64| { let mut out = *q; quat_integrate(&mut out, v, t); out };
        for k in 0..3 {
            let fd_a = (quat_sub(&nudge(&a, k, h), &b) - quat_sub(&nudge(&a, k, -h), &b)) / (2.0 * h);
            let fd_b = (quat_sub(&a, &nudge(&b, k, h)) - quat_sub(&a, &nudge(&b, k, -h))) / (2.0 * h);
            prop_assert!((fd_a - da.column(k)).norm() < 1e-6);
            prop_assert!((fd_b - db.column(k)).norm() < 1e-6);
            let diff = |p: Quat, m: Quat| quat_sub(&p, &m) / (2.0 * h);
            let fd_q = diff(integrate(&nudge(&a, k, h), &omega, dt), integrate(&nudge(&a, k, -h), &omega, dt));
            prop_assert!((fd_q - d.quat.column(k)).norm() < 1e-7);
            // velocity derivative is with respect to dt·ω
            let e = Vec3::ith(k, h / dt);
            let fd_v = diff(integrate(&a, &(omega + e), dt), integrate(&a, &(omega - e), dt));
            prop_assert!((fd_v - d.vel.column(k)).norm() < 1e-7);
        }
        let fd_t = quat_sub(&integrate(&a, &omega, dt + h), &integrate(&a, &omega, dt - h)) / (2.0 * h);
        prop_assert!((fd_t - d.scale).norm() < 1e-7);
    }

    #[test]
    fn euler_angles_are_products_of_rotations(seed: u64, seq in "[xyzXYZ]{3}") {
        let mut rng = TestRng(seed);
        let angles: [f64; 3] = rng.array();
        let mut expected = Rotation3::identity();
        for (angle, c) in angles.iter().zip(seq.chars()) {
            let axis = Vec3::ith(c.to_ascii_lowercase() as usize - 'x' as usize, *angle);
            let rotation = Rotation3::from_scaled_axis(axis);
            expected = if c.is_lowercase() { expected * rotation } else { rotation * expected };
        }
        let q = euler_to_quat(&angles, &seq).unwrap();
        prop_assert!((quat_to_mat(&q) - expected.matrix()).norm() < 1e-14);
    }

    #[test]
    fn z_axis_rotates_to_vector(seed: u64) {
        let mut rng = TestRng(seed);
        let v = vec3(&mut rng);
        let q = quat_z_to_vec(&v);
        prop_assert!((quat_rotate(&q, &Vec3::z()) - v.normalize()).norm() < 1e-14);
        prop_assert_eq!(q[3], 0.0);
    }

    #[test]
    fn nearest_rotation_is_the_polar_factor(seed: u64) {
        let mut rng = TestRng(seed);
        let m = Mat3::from_row_slice(&rng.array::<9>()) * 0.3 + Mat3::identity();
        let svd = m.svd(true, true);
        let polar = svd.u.unwrap() * svd.v_t.unwrap();
        prop_assume!(polar.determinant() > 0.0);
        let mut q = QUAT_IDENTITY;
        let used = mat_to_rot(&mut q, &m);
        prop_assert!(used < 500);
        prop_assert!((quat_to_mat(&q) - polar).norm() < 1e-7);
    }

    #[test]
    fn poses_compose(seed: u64) {
        let mut rng = TestRng(seed);
        let (p1, q1, p2, q2, v) =
            (vec3(&mut rng), random_quat(&mut rng), vec3(&mut rng), random_quat(&mut rng), vec3(&mut rng));
        let (p, q) = pose_mul(&p1, &q1, &p2, &q2);
        let nested = pose_apply(&p1, &q1, &pose_apply(&p2, &q2, &v));
        prop_assert!((pose_apply(&p, &q, &v) - nested).norm() < 1e-14);
        let (pn, qn) = pose_neg(&p1, &q1);
        prop_assert!((pose_apply(&pn, &qn, &pose_apply(&p1, &q1, &v)) - v).norm() < 1e-14);
    }

    #[test]
    fn frames_are_right_handed(seed: u64, with_y: bool) {
        let mut rng = TestRng(seed);
        let (x, y) = (vec3(&mut rng) * 10.0, vec3(&mut rng) * 10.0);
        prop_assume!(x.norm() > 0.5 && x.cross(&y).norm() > 1e-3);
        let frame = mat3(&make_frame(&x, with_y.then_some(&y)).unwrap());
        // what rounding leaves of x in y is small beside y, but maybe not beside the rest of it
        let rest = x.cross(&y).norm() / (x.norm() * y.norm());
        let bound = if with_y { 1e-14 + 1e-15 / rest } else { 1e-14 };
        prop_assert!((frame * frame.transpose() - Mat3::identity()).norm() < bound);
        prop_assert!((frame.determinant() - 1.0).abs() < 1e-14);
        prop_assert!((frame.row(0).transpose() - x.normalize()).norm() < 1e-15);
        if with_y && y.norm() >= 0.5 {
            // the second axis stays in the plane of both inputs, on the side of y
            prop_assert!(frame.row(2).transpose().dot(&y).abs() < 1e-12 && frame.row(1).transpose().dot(&y) > 0.0);
        }
    }
}

#[test]
fn degenerate_inputs_have_defined_results() {
    let mut v = Vec3::new(1e-16, 0.0, -1e-16);
    assert!(normalize3(&mut v) < 1e-15);
    assert_eq!(v, Vec3::x());
    let mut q = [0.0; 4];
    assert_eq!(quat_normalize(&mut q), 0.0);
    assert_eq!(q, QUAT_IDENTITY);
    assert_eq!(quat_z_to_vec(&Vec3::zeros()), QUAT_IDENTITY);
    assert_eq!(quat_z_to_vec(&Vec3::new(0.0, 0.0, 2.0)), QUAT_IDENTITY);
    assert_eq!(quat_z_to_vec(&Vec3::new(0.0, 0.0, -2.0)), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(axis_angle_to_quat(&Vec3::x(), 0.0), QUAT_IDENTITY);
    assert_eq!(make_frame(&Vec3::new(0.4, 0.0, 0.0), None), Err(UndefinedAxis));
    assert_eq!(make_frame(&Vec3::x(), None).unwrap(), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(make_frame(&Vec3::y(), None).unwrap()[3..6], [0.0, 0.0, 1.0]);
    assert_eq!(euler_to_quat(&[0.0; 3], "xy"), Err(EulerError::Length(2)));
    assert_eq!(euler_to_quat(&[0.0; 3], "xyé"), Err(EulerError::Axis('é')));
    // an angle above π comes back as the shorter way round
    let q = axis_angle_to_quat(&Vec3::x(), 4.0);
    assert!((quat_to_vel(&q, 1.0).x - (4.0 - 2.0 * std::f64::consts::PI)).abs() < 1e-14);
}

/// Values computed by MuJoCo 3.8.0.
#[test]
fn agrees_with_the_reference() {
    let a = [0.5360562674188974, -0.32163376045133846, 0.7504787743864564, 0.214422506967559];
    let b = [-0.09667364890456637, 0.8700628401410972, 0.29002094671369905, -0.38669459561826547];
    let v = Vec3::new(0.3, -1.2, 0.8);
    let close = |x: &[f64], y: &[f64]| assert!(max_diff(x, y) < 4e-15, "{x:?} {y:?}");
    close(quat_rotate(&a, &v).as_slice(), &[1.3229885057471265, -0.38390804597701145, -0.5218390804597701]);
    close(quat_sub(&a, &b).as_slice(), &[2.205549261812255, 0.4643261603815273, 1.5671007912876547]);
    close(&(quat_to_vel(&b, 0.25) / 10.0).as_slice()[..2], &[-1.0307863005780701, -0.3435954335260233]);
    close(
        &quat_deriv(&a, &v),
        &[0.41276332591255094, -0.3484365738222834, -0.4824506406770077, 0.1340140668547244],
    );
    let mut q = a.map(|x| 2.0 * x);
    quat_integrate(&mut q, &v, 0.3);
    close(&q, &[0.6458467491912958, -0.1622779189865525, 0.6843787067517418, 0.2969404642571348]);
    close(&quat_z_to_vec(&v), &[0.8783721838269084, 0.46370610030786447, 0.11592652507696612, 0.0]);
    let angles = [0.3, -0.8, 1.1];
    close(
        &euler_to_quat(&angles, "zYx").unwrap(),
        &[0.806827064349444, 0.426409145143776, -0.2563172863759091, 0.31860128354402883],
    );
    close(
        &euler_to_quat(&angles, "ZXZ").unwrap(),
        &[0.7044663052755917, -0.3586780454497614, -0.1516466453264173, 0.5933637833613875],
    );
    let m = mat3(&[1.2, -0.3, 0.4, 0.5, 0.9, -0.1, -0.2, 0.3, 1.5]);
    let mut q = QUAT_IDENTITY;
    assert_eq!(mat_to_rot(&mut q, &m), 22);
    close(&q, &[0.9724819899705841, 0.08864122116743774, 0.1127679351125706, 0.18358895909951972]);
    let (p, _) = pose_mul(&v, &a, &Vec3::new(0.1, 0.2, 0.3), &b);
    close(p.as_slice(), &[0.33563218390804594, -0.8850574712643677, 0.6011494252873564]);
    let (p, _) = pose_neg(&v, &a);
    close(p.as_slice(), &[0.5160919540229887, 1.0735632183908046, 0.8666666666666669]);
    let (da, _) = quat_sub_deriv(&a, &b);
    close(&mat3_row(&da)[..3], &[0.7432387441113724, -0.6851198511417557, 0.5643661678852554]);
    let d = quat_integrate_deriv(&v, 0.3);
    close(&mat3_row(&d.quat)[..3], &[0.9079134575670008, 0.2163258749979427, 0.35902126590928873]);
    close(&mat3_row(&d.vel)[..3], &[0.9691032551298013, 0.11271215625066969, 0.18065451370232904]);
    close(d.scale.as_slice(), &[0.3, -1.2, 0.8]);
}
