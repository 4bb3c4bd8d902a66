//! Jacobians: analytic columns per joint type, wrappers, finite differences, chains.

use crate::common::{Tree, mixed_tree, perturbed, position, random_state};
use kinetree_math::rot::{mat3, quat_conj, quat_mul};
use kinetree_math::spatial::{angular, linear};
use kinetree_model::enums::{JointType, ObjType};
use kinetree_model::{Data, Model};
use kinetree_sim::{
    JacDifference, body_chain, jac_difference, jac_sparse, merge_chain, mj_angmom_mat, mj_com_vel, mj_jac,
    mj_jac_body, mj_jac_body_com, mj_jac_dot, mj_jac_geom, mj_jac_into, mj_jac_point, mj_jac_point_axis,
    mj_jac_site, mj_jac_subtree_com, mj_object_velocity, mj_subtree_vel,
};
use nalgebra::{DMatrix, DVector, Vector3};

/// One body on one joint, in a general configuration, and a point on it.
fn single(kind: JointType) -> (Model, Data, Vector3<f64>) {
    let mut tree = Tree::default();
    tree.add(0, &[kind]);
    let model = tree.build();
    let mut data = random_state(&model, 3);
    position(&model, &mut data);
    let point = Vector3::from(data.site_xpos[1]);
    (model, data, point)
}

fn column(m: &DMatrix<f64>, i: usize) -> Vector3<f64> {
    Vector3::new(m[(0, i)], m[(1, i)], m[(2, i)])
}

#[track_caller]
fn assert_close(a: &Vector3<f64>, b: &Vector3<f64>) {
    assert!((a - b).norm() < 1e-13, "{a} {b}");
}

#[test]
fn mj_jac_hinge_basic() {
    let (model, data, point) = single(JointType::Hinge);
    let (jacp, jacr) = mj_jac(&model, &data, 1, &point);
    let axis = Vector3::from(data.xaxis[0]);
    assert_close(&column(&jacp, 0), &axis.cross(&(point - Vector3::from(data.xanchor[0]))));
    assert_close(&column(&jacr, 0), &axis);
}

#[test]
fn mj_jac_slide_basic() {
    let (model, data, point) = single(JointType::Slide);
    let (jacp, jacr) = mj_jac(&model, &data, 1, &point);
    assert_close(&column(&jacp, 0), &Vector3::from(data.xaxis[0]));
    assert_close(&column(&jacr, 0), &Vector3::zeros());
}

#[test]
fn mj_jac_ball_body_frame_axes() {
    let (model, data, point) = single(JointType::Ball);
    let (jacp, jacr) = mj_jac(&model, &data, 1, &point);
    let mat = mat3(&data.xmat[1]);
    for i in 0..3 {
        let axis = mat.column(i).into_owned();
        assert_close(&column(&jacp, i), &axis.cross(&(point - Vector3::from(data.xanchor[0]))));
        assert_close(&column(&jacr, i), &axis);
    }
}

#[test]
fn mj_jac_free_translation() {
    let (model, data, point) = single(JointType::Free);
    let (jacp, jacr) = mj_jac(&model, &data, 1, &point);
    for i in 0..3 {
        assert_close(&column(&jacp, i), &Vector3::ith(i, 1.0));
        assert_close(&column(&jacr, i), &Vector3::zeros());
    }
}

#[test]
fn mj_jac_free_rotation_body_frame() {
    let (model, data, point) = single(JointType::Free);
    assert!(data.xquat[1][0].abs() < 0.99, "the orientation must not be the identity");
    let (jacp, jacr) = mj_jac(&model, &data, 1, &point);
    let mat = mat3(&data.xmat[1]);
    for i in 0..3 {
        let axis = mat.column(i).into_owned();
        assert_close(&column(&jacp, 3 + i), &axis.cross(&(point - Vector3::from(data.xpos[1]))));
        assert_close(&column(&jacr, 3 + i), &axis);
    }
}

#[test]
fn mj_jac_world_body_returns_zeros() {
    let (model, data, point) = single(JointType::Free);
    let (jacp, jacr) = mj_jac(&model, &data, 0, &point);
    assert_eq!((jacp.nrows(), jacp.ncols()), (3, 6));
    assert_eq!((jacr.nrows(), jacr.ncols()), (3, 6));
    assert!(jacp.iter().chain(jacr.iter()).all(|&x| x == 0.0));
}

fn mixed() -> (Model, Data) {
    let model = mixed_tree().build();
    let mut data = random_state(&model, 11);
    position(&model, &mut data);
    mj_com_vel(&model, &mut data).unwrap();
    (model, data)
}

#[test]
fn mj_jac_site_delegates_to_mj_jac() {
    let (model, data) = mixed();
    for site in 0..model.nsite {
        let body = model.site_bodyid[site] as usize;
        assert_eq!(
            mj_jac_site(&model, &data, site),
            mj_jac(&model, &data, body, &Vector3::from(data.site_xpos[site]))
        );
    }
}

#[test]
fn mj_jac_body_delegates_to_mj_jac() {
    let (model, data) = mixed();
    for body in 0..model.nbody {
        let point = Vector3::from(data.xpos[body]);
        assert_eq!(mj_jac_body(&model, &data, body), mj_jac(&model, &data, body, &point));
    }
}

#[test]
fn mj_jac_point_combines_correctly() {
    let (model, data) = mixed();
    for body in 0..model.nbody {
        let point = Vector3::new(0.1, -0.4, 0.7);
        let (jacp, jacr) = mj_jac(&model, &data, body, &point);
        let both = mj_jac_point(&model, &data, body, &point);
        assert_eq!(both.rows(0, 3), jacr);
        assert_eq!(both.rows(3, 3), jacp);
    }
}

#[test]
fn mj_jac_body_com_consistent() {
    let (model, data) = mixed();
    for body in 0..model.nbody {
        let point = Vector3::from(data.xipos[body]);
        assert_eq!(mj_jac_body_com(&model, &data, body), mj_jac_point(&model, &data, body, &point));
    }
}

#[test]
fn mj_jac_geom_consistent() {
    let (model, data) = mixed();
    for geom in 0..model.ngeom {
        let body = model.geom_bodyid[geom] as usize;
        let point = Vector3::from(data.geom_xpos[geom]);
        assert_eq!(mj_jac_geom(&model, &data, geom), mj_jac_point(&model, &data, body, &point));
    }
}

#[test]
fn either_half_may_be_skipped() {
    let (model, data) = mixed();
    let point = data.site_xpos[5];
    let (jacp, jacr) = mj_jac_site(&model, &data, 5);
    let mut buffer = vec![f64::NAN; 3 * model.nv];
    mj_jac_into(&model, &data, Some(&mut buffer), None, &point, 5).unwrap();
    assert_eq!(DMatrix::from_row_slice(3, model.nv, &buffer), jacp);
    mj_jac_into(&model, &data, None, Some(&mut buffer), &point, 5).unwrap();
    assert_eq!(DMatrix::from_row_slice(3, model.nv, &buffer), jacr);
}

/// Finite differences of a site's position and of its body's rotation.
fn finite_difference(model: &Model, data: &Data, site: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let eps = 1e-7;
    let body = model.site_bodyid[site] as usize;
    let mut jacp = DMatrix::zeros(3, model.nv);
    let mut jacr = DMatrix::zeros(3, model.nv);
    for dof in 0..model.nv {
        let moved = perturbed(model, data, dof, eps);
        let rotation = quat_mul(&moved.xquat[body], &quat_conj(&data.xquat[body]));
        for k in 0..3 {
            jacp[(k, dof)] = (moved.site_xpos[site][k] - data.site_xpos[site][k]) / eps;
            jacr[(k, dof)] = 2.0 * rotation[k + 1] / eps;
        }
    }
    (jacp, jacr)
}

#[track_caller]
fn assert_matches_differences(model: &Model, data: &Data, site: usize) {
    let (jacp, jacr) = mj_jac_site(model, data, site);
    let (fd_p, fd_r) = finite_difference(model, data, site);
    assert!((&jacp - &fd_p).amax() <= 1e-5 * jacp.amax().max(1.0), "site {site}");
    assert!((&jacr - &fd_r).amax() <= 1e-5 * jacr.amax().max(1.0), "site {site}");
}

#[test]
fn free_hinge_hinge_chain() {
    let mut tree = Tree::default();
    let base = tree.add(0, &[JointType::Free]);
    let upper = tree.add(base, &[JointType::Hinge]);
    let lower = tree.add(upper, &[JointType::Hinge]);
    let model = tree.build();
    let mut data = random_state(&model, 5);
    position(&model, &mut data);
    assert_eq!(model.nv, 8);
    let (jacp, _) = mj_jac_site(&model, &data, lower);
    assert_eq!((jacp.nrows(), jacp.ncols()), (3, 8));
    assert_matches_differences(&model, &data, lower);
}

#[test]
fn finite_differences_of_free_and_ball_chain() {
    for seed in 1..6 {
        let model = mixed_tree().build();
        let mut data = random_state(&model, seed);
        position(&model, &mut data);
        for site in 0..model.nsite {
            assert_matches_differences(&model, &data, site);
        }
    }
}

#[test]
fn hinge_chain_rotation_is_sum_of_axes() {
    let model = Tree::arm(2).build();
    let mut data = random_state(&model, 8);
    position(&model, &mut data);
    mj_com_vel(&model, &mut data).unwrap();
    let (_, jacr) = mj_jac_body(&model, &data, 2);
    let mut total = Vector3::zeros();
    for joint in 0..2 {
        let axis = Vector3::from(data.xaxis[joint]);
        assert_close(&column(&jacr, joint), &axis);
        total += axis * data.qvel[joint];
    }
    let velocity = mj_object_velocity(&model, &data, ObjType::Xbody as i32, 2, false).unwrap();
    assert_close(&angular(&velocity), &total);
}

#[test]
fn jacobian_times_velocity_is_object_velocity() {
    let (model, data) = mixed();
    let qvel = DVector::from_column_slice(&data.qvel);
    for site in 0..model.nsite {
        let (jacp, jacr) = mj_jac_site(&model, &data, site);
        let velocity = mj_object_velocity(&model, &data, ObjType::Site as i32, site as i32, false).unwrap();
        assert!((jacp * &qvel - linear(&velocity)).norm() < 1e-12);
        assert!((jacr * &qvel - angular(&velocity)).norm() < 1e-12);
    }
}

#[test]
fn jac_dot_is_the_rate_of_the_jacobian() {
    let (model, data) = mixed();
    let eps = 1e-6;
    let at = |sign: f64| {
        let mut moved = data.clone();
        kinetree_sim::mj_integrate_pos(&model, &mut moved.qpos, &data.qvel, sign * eps);
        position(&model, &mut moved);
        moved
    };
    let (after, before) = (at(1.0), at(-1.0));
    for site in 0..model.nsite {
        let body = model.site_bodyid[site] as usize;
        let (dp, dr) = mj_jac_dot(&model, &data, body, &Vector3::from(data.site_xpos[site]));
        let (p1, r1) = mj_jac_site(&model, &after, site);
        let (p0, r0) = mj_jac_site(&model, &before, site);
        assert!((dp - (p1 - p0) / (2.0 * eps)).amax() < 1e-7);
        assert!((dr - (r1 - r0) / (2.0 * eps)).amax() < 1e-7);
    }
}

#[test]
fn point_axis_jacobian_rotates_the_axis() {
    let (model, data) = mixed();
    let axis = Vector3::new(0.0, 0.6, 0.8);
    let point = Vector3::from(data.site_xpos[4]);
    let (jac_point, jac_axis) = mj_jac_point_axis(&model, &data, 4, &point, &axis);
    let (jacp, jacr) = mj_jac(&model, &data, 4, &point);
    assert_eq!(jac_point, jacp);
    for dof in 0..model.nv {
        assert_close(&column(&jac_axis, dof), &column(&jacr, dof).cross(&axis));
    }
}

#[test]
fn subtree_matrices_match_subtree_velocities() {
    let (model, mut data) = mixed();
    mj_subtree_vel(&model, &mut data).unwrap();
    let qvel = DVector::from_column_slice(&data.qvel);
    for body in 0..model.nbody {
        let momentum = mj_angmom_mat(&model, &data, body) * &qvel;
        assert!((momentum - Vector3::from(data.subtree_angmom[body])).norm() < 1e-11, "body {body}");
        let velocity = mj_jac_subtree_com(&model, &data, body) * &qvel;
        assert!((velocity - Vector3::from(data.subtree_linvel[body])).norm() < 1e-12, "body {body}");
    }
}

#[test]
fn chains_select_columns_of_the_full_jacobian() {
    let (model, data) = mixed();
    let mut chain = Vec::new();
    let mut difference = JacDifference::default();
    for body1 in 0..model.nbody {
        let point1 = data.site_xpos[body1];
        body_chain(&model, body1, &mut chain);
        let mut jacp = vec![0.0; 3 * chain.len()];
        jac_sparse(&model, &data, Some(&mut jacp), None, &point1, body1, &chain).unwrap();
        let (full1, rot1) = mj_jac(&model, &data, body1, &Vector3::from(point1));
        for (k, &dof) in chain.iter().enumerate() {
            assert_eq!(jacp[chain.len() + k], full1[(1, dof as usize)]);
        }
        for body2 in 0..model.nbody {
            let point2 = data.site_xpos[body2];
            let (full2, rot2) = mj_jac(&model, &data, body2, &Vector3::from(point2));
            jac_difference(&model, &data, (body1, &point1), (body2, &point2), true, false, &mut difference)
                .unwrap();
            merge_chain(&model, body1, body2, false, &mut chain);
            assert_eq!(chain, difference.chain);
            let n = chain.len();
            let dense = (&full2 - &full1).amax() + (&rot2 - &rot1).amax();
            assert!(n > 0 || dense == 0.0);
            for (k, &dof) in chain.iter().enumerate() {
                let dof = dof as usize;
                for row in 0..3 {
                    assert_eq!(difference.jacp[row * n + k], full2[(row, dof)] - full1[(row, dof)]);
                    assert_eq!(difference.jacr[row * n + k], rot2[(row, dof)] - rot1[(row, dof)]);
                }
            }
        }
    }
}
