//! Forces and energies: work and power balances, tendons, passive forces, configuration space.

use crate::common::{self, Random, mixed_tree, perturbed, position, random_state};
use kinetree_math::Vec3;
use kinetree_model::enums::ObjType;
use kinetree_model::{Data, Model};
use kinetree_sim::{
    mj_apply_ft, mj_com_vel, mj_differentiate_pos, mj_energy_pos, mj_fwd_acceleration,
    mj_fwd_velocity_smooth, mj_get_totalmass, mj_integrate_pos, mj_jac_site, mj_normalize_quat,
    mj_object_acceleration, mj_rne, mj_rne_post_constraint, mj_set_totalmass, mj_tendon_dot,
};
use nalgebra::{DVector, Vector3};

fn prepared(seed: u64) -> (Model, Data) {
    let model = mixed_tree().build();
    let mut data = random_state(&model, seed);
    position(&model, &mut data);
    mj_com_vel(&model, &mut data).unwrap();
    (model, data)
}

/// Gradient of potential energy along each dof.
fn energy_gradient(model: &Model, data: &Data) -> Vec<f64> {
    let eps = 1e-6;
    let energy = |mut moved: Data| {
        mj_energy_pos(model, &mut moved).unwrap();
        moved.energy[0]
    };
    (0..model.nv)
        .map(|dof| {
            let (after, before) = (perturbed(model, data, dof, eps), perturbed(model, data, dof, -eps));
            (energy(after) - energy(before)) / (2.0 * eps)
        })
        .collect()
}

#[test]
fn gravity_bias_is_the_gradient_of_energy() {
    let (model, mut data) = prepared(1);
    data.qvel.fill(0.0);
    mj_com_vel(&model, &mut data).unwrap();
    let mut bias = vec![0.0; model.nv];
    mj_rne(&model, &mut data, false, &mut bias).unwrap();
    for (force, derivative) in bias.iter().zip(energy_gradient(&model, &data)) {
        assert!((force - derivative).abs() < 1e-6);
    }
}

#[test]
fn springs_are_the_gradient_of_energy() {
    let (mut model, mut data) = prepared(2);
    model.opt.gravity = [0.0; 3];
    model.jnt_stiffness.fill(3.0);
    model.jnt_stiffnesspoly.fill([0.4, 0.2]);
    model.tendon_stiffness.fill(2.0);
    model.tendon_stiffnesspoly.fill([0.1, 0.3]);
    model.tendon_lengthspring.fill([0.2, 0.5]);
    mj_fwd_velocity_smooth(&model, &mut data).unwrap();
    for (dof, derivative) in energy_gradient(&model, &data).into_iter().enumerate() {
        let joint = model.dof_jntid[dof] as usize;
        // a rotation vector is a coordinate of its own kind: its gradient is not the torque
        if model.jnt_type[joint] >= 2 {
            assert!((data.qfrc_spring[dof] + derivative).abs() < 1e-6, "dof {dof}");
        }
    }
}

#[test]
fn dampers_and_polynomials() {
    let (mut model, mut data) = prepared(3);
    model.dof_damping.fill(0.5);
    model.dof_dampingpoly.fill([0.2, 0.1]);
    mj_fwd_velocity_smooth(&model, &mut data).unwrap();
    for (f, v) in data.qfrc_damper.iter().zip(&data.qvel) {
        assert!((f + v * (0.5 + 0.2 * v.abs() + 0.1 * v * v)).abs() < 1e-14);
    }
}

#[test]
fn tendon_jacobian_and_its_rate() {
    let (model, data) = prepared(4);
    let eps = 1e-6;
    for dof in 0..model.nv {
        let (after, before) = (perturbed(&model, &data, dof, eps), perturbed(&model, &data, dof, -eps));
        for tendon in 0..model.ntendon {
            let derivative = (after.ten_length[tendon] - before.ten_length[tendon]) / (2.0 * eps);
            assert!((derivative - data.ten_J[tendon * model.nv + dof]).abs() < 1e-8);
        }
    }
    let at = |sign: f64| {
        let mut moved = data.clone();
        mj_integrate_pos(&model, &mut moved.qpos, &data.qvel, sign * eps);
        position(&model, &mut moved);
        moved
    };
    let (after, before) = (at(1.0), at(-1.0));
    for tendon in 0..model.ntendon {
        let mut rate = 0.0;
        for dof in 0..model.nv {
            let k = tendon * model.nv + dof;
            rate += (after.ten_J[k] - before.ten_J[k]) / (2.0 * eps) * data.qvel[dof];
        }
        assert!((rate - mj_tendon_dot(&model, &data, tendon, &data.qvel).unwrap()).abs() < 1e-7);
    }
}

#[test]
fn applied_force_is_the_transposed_jacobian() {
    let (model, data) = prepared(5);
    let (force, torque) = ([0.3, -1.0, 2.0], [0.5, 0.1, -0.7]);
    for site in 0..model.nsite {
        let mut qfrc = vec![0.0; model.nv];
        let body = model.site_bodyid[site] as usize;
        mj_apply_ft(&model, &data, &force, &torque, &data.site_xpos[site], body, &mut qfrc).unwrap();
        let (jacp, jacr) = mj_jac_site(&model, &data, site);
        let expected = jacp.transpose() * Vector3::from(force) + jacr.transpose() * Vector3::from(torque);
        assert!((DVector::from_vec(qfrc) - expected).amax() < 1e-13);
    }
}

#[test]
fn free_fall_has_no_inner_forces_and_accelerates_with_gravity() {
    // one rigid piece: a single free body
    let mut tree = common::Tree::default();
    tree.add(0, &[kinetree_model::enums::JointType::Free]);
    let model = tree.build();
    let mut data = random_state(&model, 1);
    data.qvel.fill(0.0);
    position(&model, &mut data);
    mj_fwd_velocity_smooth(&model, &mut data).unwrap();
    mj_fwd_acceleration(&model, &mut data).unwrap();
    data.qacc.copy_from_slice(&data.qacc_smooth);
    mj_rne_post_constraint(&model, &mut data).unwrap();
    assert!(data.cfrc_int[1].iter().all(|f| f.abs() < 1e-12));
    // accelerations are relative to free fall
    let acceleration = mj_object_acceleration(&model, &data, ObjType::Body as i32, 1, false).unwrap();
    assert!(acceleration.iter().all(|a| a.abs() < 1e-12));
    let gravity = Vec3::from(model.opt.gravity);
    assert!((Vec3::new(data.qacc[0], data.qacc[1], data.qacc[2]) - gravity).norm() < 1e-12);
}

#[test]
fn gravity_compensation_carries_the_weight() {
    let (mut model, mut data) = prepared(7);
    model.body_gravcomp.fill(1.0);
    model.count_gravcomp();
    data.qvel.fill(0.0);
    mj_fwd_velocity_smooth(&model, &mut data).unwrap();
    for (passive, bias) in data.qfrc_passive.iter().zip(&data.qfrc_bias) {
        assert!((passive - bias).abs() < 1e-11);
    }
}

#[test]
fn fluid_takes_energy_away() {
    let (mut model, mut data) = prepared(8);
    model.opt.density = 1.2;
    model.opt.viscosity = 0.01;
    let power = |model: &Model, data: &mut Data| {
        mj_fwd_velocity_smooth(model, data).unwrap();
        data.qfrc_fluid.iter().zip(&data.qvel).map(|(f, v)| f * v).sum::<f64>()
    };
    assert!(power(&model, &mut data) < 0.0, "inertia box");
    model.geom_fluid.fill([1.0, 0.5, 0.25, 1.5, 1.0, 1.0, 0.1, 0.1, 0.1, 0.01, 0.01, 0.01]);
    assert!(power(&model, &mut data) < 0.0, "ellipsoid");
}

#[test]
fn differences_undo_integration() {
    let (model, data) = prepared(9);
    let mut random = Random::new(2);
    let velocity: Vec<f64> = (0..model.nv).map(|_| random.next()).collect();
    let mut moved = data.qpos.to_vec();
    mj_integrate_pos(&model, &mut moved, &velocity, 0.7);
    let mut found = vec![0.0; model.nv];
    mj_differentiate_pos(&model, &mut found, 0.7, &data.qpos, &moved);
    assert!(found.iter().zip(&velocity).all(|(a, b)| (a - b).abs() < 1e-12));

    let mut scaled: Vec<f64> = moved.clone();
    for q in &mut scaled[3..7] {
        *q *= 3.0;
    }
    mj_normalize_quat(&model, &mut scaled);
    assert!(scaled.iter().zip(&moved).all(|(a, b)| (a - b).abs() < 1e-15));
}

#[test]
fn total_mass_can_be_set() {
    let (mut model, _) = prepared(1);
    let ratio = model.body_inertia[1][0] / model.body_mass[1];
    mj_set_totalmass(&mut model, 5.0);
    assert!((mj_get_totalmass(&model) - 5.0).abs() < 1e-12);
    assert!((model.body_inertia[1][0] / model.body_mass[1] - ratio).abs() < 1e-14);
}
