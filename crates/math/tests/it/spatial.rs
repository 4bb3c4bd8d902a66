//! Spatial algebra against 6×6 matrices written out from the definitions.

use crate::common::{self, *};
use kinetree_math::lanes3::load3;
use kinetree_math::rot::{mat3, mat3_row, quat_to_mat};
use kinetree_math::spatial::*;
use kinetree_math::{Mat3, Vec3};
use nalgebra::{Matrix6, Vector6};
use proptest::prelude::*;

fn blocks(a: Mat3, b: Mat3, c: Mat3, d: Mat3) -> Matrix6<f64> {
    let mut m = Matrix6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&a);
    m.fixed_view_mut::<3, 3>(0, 3).copy_from(&b);
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(&c);
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(&d);
    m
}

fn close(a: &Vec6, b: Vector6<f64>) -> bool {
    max_diff(a, b.as_slice()) < 1e-14
}

proptest! {
    #![proptest_config(common::cases(200))]

    #[test]
    fn cross_products_are_matrices(seed: u64) {
        let mut rng = TestRng(seed);
        let (v, m): (Vec6, Vec6) = (rng.array(), rng.array());
        let (w, l) = (angular(&v).cross_matrix(), linear(&v).cross_matrix());
        let motion = blocks(w, Mat3::zeros(), l, w);
        prop_assert!(close(&cross_motion(&v, &m), motion * Vector6::from(m)));
        prop_assert!(close(&cross_force(&v, &m), -motion.transpose() * Vector6::from(m)));
    }

    #[test]
    fn inertia_is_a_matrix(seed: u64) {
        let mut rng = TestRng(seed);
        let (diag, v): ([f64; 3], Vec6) = (rng.array::<3>().map(|x| x.abs() + 0.1), rng.array());
        let (rot, c, mass) = (quat_to_mat(&random_quat(&mut rng)), vec3(&mut rng), rng.unit().abs() + 0.1);
        let k = c.cross_matrix();
        let about_com = rot * Mat3::from_diagonal(&Vec3::from(diag)) * rot.transpose();
        let m = blocks(about_com - k * k * mass, k * mass, -k * mass, Mat3::identity() * mass);
        let inert = inert_com(&diag, &mat3_row(&rot), load3(&c.into()), mass);
        prop_assert!(close(&mul_inert_vec(&inert, &v), m * Vector6::from(v)));
        // the force of a motion is the sum of its parts, to the last bit
        let a: Vec6 = rng.array();
        let gyroscopic = cross_force(&v, &mul_inert_vec(&inert, &v));
        let columns = InertiaColumns::new(&inert);
        let force = columns.force(&a, columns.velocity_force(&v));
        prop_assert_eq!(force, add6(&mul_inert_vec(&inert, &a), &gyroscopic));
        // inertias about one point add up
        let mut sum = inert;
        add_inert(&mut sum, &inert);
        prop_assert!(close(&mul_inert_vec(&sum, &v), m * Vector6::from(v) * 2.0));
    }

    #[test]
    fn power_does_not_depend_on_the_frame(seed: u64) {
        let mut rng = TestRng(seed);
        let (m, f): (Vec6, Vec6) = (rng.array(), rng.array());
        let (p, o, rot) = (vec3(&mut rng), vec3(&mut rng), quat_to_mat(&random_quat(&mut rng)));
        let m2 = transform_spatial(&m, SpatialKind::Motion, &p, &o, Some(&rot));
        let f2 = transform_spatial(&f, SpatialKind::Force, &p, &o, Some(&rot));
        prop_assert!((dot6(&m2, &f2) - dot6(&m, &f)).abs() < 1e-13);
        // definition: velocity at the new point, torque about the new point
        let m3 = transform_spatial(&m, SpatialKind::Motion, &p, &o, None);
        prop_assert!((linear(&m3) - (linear(&m) + angular(&m).cross(&(p - o)))).norm() < 1e-14);
        let f3 = transform_spatial(&f, SpatialKind::Force, &p, &o, None);
        prop_assert!((angular(&f3) - (angular(&f) + linear(&f).cross(&(p - o)))).norm() < 1e-14);
    }

    #[test]
    fn dof_axes_move_points(seed: u64) {
        let mut rng = TestRng(seed);
        let (axis, anchor, point) = (vec3(&mut rng), vec3(&mut rng), vec3(&mut rng));
        // a hinge moves the reference point on a circle about the anchor
        let hinge = rotation_about(load3(&axis.into()), load3(&(point - anchor).into()));
        prop_assert!((linear(&hinge) - axis.cross(&(point - anchor))).norm() < 1e-15);
        prop_assert_eq!(angular(&hinge), axis);
        let slide = translation_along(&axis.into());
        prop_assert_eq!((angular(&slide), linear(&slide)), (Vec3::zeros(), axis));
        let vel = [rng.unit(), rng.unit()];
        let sum = add6(&scale6(&hinge, vel[0]), &scale6(&slide, vel[1]));
        prop_assert_eq!(mul_dof_vec(&[hinge, slide], &vel), sum);
        prop_assert_eq!(mul_dof_vec::<f64>(&[], &[]), [0.0; 6]);
        prop_assert!(max_diff(&sub6(&sum, &scale6(&slide, vel[1])), &scale6(&hinge, vel[0])) < 1e-15);
        let mut acc = hinge;
        add_to6(&mut acc, &slide);
        add_scaled6(&mut acc, &slide, -1.0);
        prop_assert!(max_diff(&acc, &hinge) < 1e-15);
        prop_assert_eq!(vec6(&angular(&hinge), &linear(&hinge)), hinge);
    }
}

/// Values computed by MuJoCo 3.8.0.
#[test]
fn agrees_with_the_reference() {
    let rot = mat3(&[
        -0.2183908045977011,
        -0.7126436781609196,
        0.6666666666666666,
        -0.2528735632183908,
        0.7011494252873564,
        0.6666666666666667,
        -0.942528735632184,
        -0.02298850574712641,
        -0.33333333333333326,
    ]);
    let s = [0.1, -0.2, 0.3, 0.4, -0.5, 0.6];
    let (new, old) = (Vec3::new(0.3, -1.2, 0.8), Vec3::new(0.1, 0.2, 0.3));
    let motion = [
        -0.2540229885057471,
        -0.21839080459770113,
        -0.16666666666666669,
        -0.5045977011494253,
        -0.8681609195402299,
        -0.013333333333333364,
    ];
    let force = [
        0.07091954022988507,
        -0.6843678160919541,
        0.32666666666666655,
        -0.5264367816091954,
        -0.6494252873563219,
        -0.26666666666666666,
    ];
    assert!(max_diff(&transform_spatial(&s, SpatialKind::Motion, &new, &old, Some(&rot)), &motion) < 1e-15);
    assert!(max_diff(&transform_spatial(&s, SpatialKind::Force, &new, &old, Some(&rot)), &force) < 1e-15);
}
