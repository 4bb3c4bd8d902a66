//! Contact rows against the point Jacobians of the two bodies: the angular columns of a free body are its own
//! axes.

use crate::common::{Tree, position};
use kinetree_math::rot::{axis_angle_to_quat, make_frame, mat3};
use kinetree_model::enums::{Cone, JointType};
use kinetree_model::{Contact, Data, Model};
use kinetree_sim::{mj_jac, mj_make_constraint};
use nalgebra::{DMatrix, Vector3};
use std::f64::consts::{FRAC_PI_4, FRAC_PI_6};

/// `count` free bodies with the given orientations; geom `i` belongs to body `i`.
fn free_bodies(orientations: &[[f64; 4]]) -> (Model, Data) {
    let mut tree = Tree::default();
    for _ in orientations {
        tree.add(0, &[JointType::Free]);
    }
    let mut model = tree.build();
    model.opt.cone = Cone::Elliptic as i32;
    let mut data = Data::new(&model);
    for (i, q) in orientations.iter().enumerate() {
        data.qpos[7 * i..7 * i + 3].copy_from_slice(&[0.1 * i as f64, -0.2, 0.05]);
        data.qpos[7 * i + 3..7 * i + 7].copy_from_slice(q);
    }
    position(&model, &mut data);
    (model, data)
}

fn about_z(angle: f64) -> [f64; 4] {
    axis_angle_to_quat(&Vector3::z(), angle)
}

/// Rows of one contact with normal z at a fixed point.
fn contact_rows(model: &Model, data: &mut Data, geom: [i32; 2], dim: i32) -> DMatrix<f64> {
    let frame = make_frame(&Vector3::new(0.1, -0.3, 1.0), None).unwrap();
    data.contact = vec![Contact {
        dist: -0.01,
        pos: [0.3, 0.2, 0.1],
        frame,
        friction: [0.5, 0.5, 0.01, 0.001, 0.001],
        solref: [0.02, 1.0],
        solimp: [0.9, 0.95, 0.001, 0.5, 2.0],
        dim,
        geom,
        ..Contact::default()
    }];
    data.ncon = 1;
    mj_make_constraint(model, data).unwrap();
    assert_eq!(data.nefc, dim as usize);
    DMatrix::from_row_slice(data.nefc, model.nv, &data.efc_J)
}

/// The same rows from `mj_jac` of both bodies, projected on the contact frame.
fn expected_rows(model: &Model, data: &Data) -> DMatrix<f64> {
    let contact = &data.contact[0];
    let point = Vector3::from(contact.pos);
    let body = contact.geom.map(|g| model.geom_bodyid[g as usize] as usize);
    let (p1, r1) = mj_jac(model, data, body[0], &point);
    let (p2, r2) = mj_jac(model, data, body[1], &point);
    let (linear, angular) = (p2 - p1, r2 - r1);
    let frame = mat3(&contact.frame);
    DMatrix::from_fn(contact.dim as usize, model.nv, |row, dof| {
        let jac = if row < 3 { &linear } else { &angular };
        (0..3).map(|k| frame[(row % 3, k)] * jac[(k, dof)]).sum()
    })
}

fn assert_close(a: &DMatrix<f64>, b: &DMatrix<f64>) {
    assert_eq!(a.shape(), b.shape());
    assert!((a - b).amax() < 1e-12, "{a}{b}");
}

#[test]
fn angular_columns_are_body_axes() {
    let (model, mut data) = free_bodies(&[about_z(FRAC_PI_4)]);
    let rows = contact_rows(&model, &mut data, [0, 1], 3);
    let contact = &data.contact[0];
    let normal = Vector3::new(contact.frame[0], contact.frame[1], contact.frame[2]);
    let arm = Vector3::from(contact.pos) - Vector3::from(data.xpos[1]);
    let rotation = mat3(&data.xmat[1]);
    for i in 0..3 {
        let body_axis = rotation.column(i).cross(&arm).dot(&normal);
        assert!((rows[(0, 3 + i)] - body_axis).abs() < 1e-12);
    }
    let world_axis = Vector3::x().cross(&arm).dot(&normal);
    assert!((rows[(0, 3)] - world_axis).abs() > 1e-2, "the test must tell body axes from world axes");
}

#[test]
fn all_rows_match_point_jacobians() {
    let (model, mut data) = free_bodies(&[about_z(FRAC_PI_4)]);
    let rows = contact_rows(&model, &mut data, [0, 1], 3);
    assert_close(&rows, &expected_rows(&model, &data));
}

#[test]
fn torsion_and_rolling_rows_match_rotation_jacobians() {
    let (model, mut data) = free_bodies(&[about_z(FRAC_PI_4)]);
    let rows = contact_rows(&model, &mut data, [0, 1], 6);
    assert_close(&rows, &expected_rows(&model, &data));
    // rotation rows do not see translation
    assert!(rows.view((3, 0), (3, 3)).amax() == 0.0);
}

#[test]
fn two_free_bodies_have_opposite_signs() {
    let (model, mut data) = free_bodies(&[about_z(FRAC_PI_4), axis_angle_to_quat(&Vector3::x(), FRAC_PI_6)]);
    let rows = contact_rows(&model, &mut data, [1, 2], 6);
    assert_close(&rows, &expected_rows(&model, &data));
    for row in 0..3 {
        for k in 0..3 {
            assert!((rows[(row, k)] + rows[(row, 6 + k)]).abs() < 1e-15);
        }
    }
}

#[test]
fn identity_orientation_makes_body_and_world_axes_agree() {
    let (model, mut data) = free_bodies(&[[1.0, 0.0, 0.0, 0.0]]);
    let rows = contact_rows(&model, &mut data, [0, 1], 3);
    assert_close(&rows, &expected_rows(&model, &data));
    let contact = &data.contact[0];
    let normal = Vector3::new(contact.frame[0], contact.frame[1], contact.frame[2]);
    let arm = Vector3::from(contact.pos) - Vector3::from(data.xpos[1]);
    for i in 0..3 {
        let world_axis = Vector3::ith(i, 1.0).cross(&arm).dot(&normal);
        assert!((rows[(0, 3 + i)] - world_axis).abs() < 1e-12);
    }
}

#[test]
fn a_frictionless_contact_has_the_normal_row() {
    let (model, mut data) = free_bodies(&[about_z(FRAC_PI_4)]);
    let rows = contact_rows(&model, &mut data, [0, 1], 1);
    assert_close(&rows, &expected_rows(&model, &data));
}

#[test]
fn sparse_and_dense_rows_agree() {
    let (mut model, mut data) = free_bodies(&[about_z(0.3), about_z(-0.7)]);
    for cone in [Cone::Elliptic, Cone::Pyramidal] {
        model.opt.cone = cone as i32;
        model.opt.jacobian = 0;
        let frame = make_frame(&Vector3::new(0.1, -0.3, 1.0), None).unwrap();
        data.contact = vec![Contact {
            frame,
            friction: [0.5, 0.5, 0.01, 0.001, 0.001],
            solref: [0.02, 1.0],
            solimp: [0.9, 0.95, 0.001, 0.5, 2.0],
            dim: 4,
            geom: [1, 2],
            ..Contact::default()
        }];
        data.ncon = 1;
        mj_make_constraint(&model, &mut data).unwrap();
        let dense = data.efc_J.clone();
        model.opt.jacobian = 1;
        mj_make_constraint(&model, &mut data).unwrap();
        let mut scattered = vec![0.0; dense.len()];
        for row in 0..data.nefc {
            let adr = data.efc_J_rowadr[row] as usize;
            for k in adr..adr + data.efc_J_rownnz[row] as usize {
                scattered[row * model.nv + data.efc_J_colind[k] as usize] = data.efc_J[k];
            }
        }
        assert_eq!(dense, scattered);
    }
}
