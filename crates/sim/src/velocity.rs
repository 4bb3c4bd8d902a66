//! Velocity stage: velocities of bodies and dof motions about the centre of mass of each tree, and subtree momenta.
//!
//! From parent to child, `cvel = cvel_parent + Σ cdof q̇`, and the motion of a dof changes at the rate
//! `cdof_dot = cvel × cdof`, with the velocity of the frame that the dof is fixed to.

use crate::awake::{Visit, span};
use crate::bias::mj_tendon_bias;
use crate::support::{ObjectFrame, frame_velocity};
use crate::{mj_passive, mj_rne};
use kinetree_math::rot::mat3;
use kinetree_math::sparse::{Csr, Pattern, mul_mat_vec};
use kinetree_math::spatial::{Vec6, add_scaled6, add_to6, angular, cross_motion, linear};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{DisableBit, JointType};
use kinetree_model::{Data, Model};

/// Computes `cvel` and `cdof_dot`.
pub fn mj_com_vel(model: &Model, data: &mut Data) {
    let visit = Visit::bodies(model, data);
    let (n, nv) = (model.nbody, model.nv);
    let (parentid, jntadr, jntnum) =
        (&model.body_parentid[..n], &model.body_jntadr[..n], &model.body_jntnum[..n]);
    let (cdof, cdof_dot) = (&data.cdof[..nv], &mut data.cdof_dot[..nv]);
    let (qvel, cvel) = (&data.qvel[..nv], &mut data.cvel[..n]);
    cvel[0] = [0.0; 6];
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        if body == 0 {
            continue;
        }
        let mut velocity = cvel[parentid[body] as usize];
        let joints = span(jntadr[body], jntnum[body]);
        for (&kind, &dof) in model.jnt_type[joints.clone()].iter().zip(&model.jnt_dofadr[joints]) {
            let mut dof = dof as usize;
            if kind == JointType::Hinge as i32 || kind == JointType::Slide as i32 {
                cdof_dot[dof] = cross_motion(&velocity, &cdof[dof]);
                add_scaled6(&mut velocity, &cdof[dof], qvel[dof]);
                continue;
            }
            if kind == JointType::Free as i32 {
                // translations along fixed axes
                for i in dof..dof + 3 {
                    cdof_dot[i] = [0.0; 6];
                    add_scaled6(&mut velocity, &cdof[i], qvel[i]);
                }
                dof += 3;
            }
            // all axes of a joint are fixed to the frame before it
            let mut motion = [0.0; 6];
            for i in dof..dof + 3 {
                cdof_dot[i] = cross_motion(&velocity, &cdof[i]);
                add_scaled6(&mut motion, &cdof[i], qvel[i]);
            }
            add_to6(&mut velocity, &motion);
        }
        cvel[body] = velocity;
    }
}

/// Working memory of [`mj_subtree_vel`].
#[derive(Default)]
struct BodyVelocities(Vec<Vec6>);

/// Computes the linear velocity of the centre of mass, and the angular momentum about it, of every subtree.
pub fn mj_subtree_vel(model: &Model, data: &mut Data) {
    let visit = Visit::bodies(model, data);
    let mut workspace = data.scratch.take::<BodyVelocities>();
    let velocity = &mut workspace.0;
    velocity.clear();
    velocity.resize(model.nbody, [0.0; 6]);

    // momenta of single bodies
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        let frame = ObjectFrame { body, pos: &data.xipos[body], mat: &data.ximat[body] };
        velocity[body] = frame_velocity(model, data, &frame, false);
        data.subtree_linvel[body] = (linear(&velocity[body]) * model.body_mass[body]).into();
        let mat = mat3(&data.ximat[body]);
        let spin = mat.tr_mul(&angular(&velocity[body])).component_mul(&Vec3::from(model.body_inertia[body]));
        data.subtree_angmom[body] = (mat * spin).into();
    }

    // linear momentum, from the leaves to the root, then velocity
    for k in (0..visit.count).rev() {
        let body = visit.at(&data.body_awake_ind, k);
        let momentum = Vec3::from(data.subtree_linvel[body]);
        if body > 0 {
            let parent = model.body_parentid[body] as usize;
            data.subtree_linvel[parent] = (Vec3::from(data.subtree_linvel[parent]) + momentum).into();
        }
        let mass = model.body_subtreemass[body].max(MINVAL);
        data.subtree_linvel[body] = (momentum * (1.0 / mass)).into();
    }

    // angular momentum, moved to the centre of mass of each parent's subtree
    for k in (0..visit.count).rev() {
        let body = visit.at(&data.body_awake_ind, k);
        if body == 0 {
            continue;
        }
        let parent = model.body_parentid[body] as usize;
        let center = Vec3::from(data.subtree_com[body]);
        let linvel = Vec3::from(data.subtree_linvel[body]);
        let relative = (linear(&velocity[body]) - linvel) * model.body_mass[body];
        let orbit = (Vec3::from(data.xipos[body]) - center).cross(&relative);
        let own = Vec3::from(data.subtree_angmom[body]) + orbit;
        data.subtree_angmom[body] = own.into();

        let dx = center - Vec3::from(data.subtree_com[parent]);
        let dv = linvel - Vec3::from(data.subtree_linvel[parent]);
        let about_parent = dx.cross(&(dv * model.body_subtreemass[body]));
        data.subtree_angmom[parent] = (Vec3::from(data.subtree_angmom[parent]) + own + about_parent).into();
    }
    data.scratch.give(workspace);
    data.flg_subtreevel = true;
}

/// The unconstrained part of the velocity stage: tendon and actuator velocities, body velocities, passive forces and bias
/// forces.
pub fn mj_fwd_velocity_smooth(model: &Model, data: &mut Data) {
    data.flg_subtreevel = false;
    data.flg_energyvel = false;
    let tendons = Pattern::new(&model.ten_J_rownnz, &model.ten_J_rowadr, &model.ten_J_colind);
    mul_mat_vec(&mut data.ten_velocity, Csr::new(tendons, &data.ten_J), &data.qvel);
    if model.disabled(DisableBit::Actuation) {
        data.actuator_velocity.fill(0.0);
    } else {
        let moments = Pattern::new(&data.moment_rownnz, &data.moment_rowadr, &data.moment_colind);
        mul_mat_vec(&mut data.actuator_velocity, Csr::new(moments, &data.actuator_moment), &data.qvel);
    }
    mj_com_vel(model, data);
    mj_passive(model, data);
    let mut bias = std::mem::take(&mut data.qfrc_bias);
    mj_rne(model, data, false, &mut bias);
    mj_tendon_bias(model, data, &mut bias);
    data.qfrc_bias = bias;
}
