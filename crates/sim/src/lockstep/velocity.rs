//! Velocities and bias forces of four worlds: [`crate::kinematics::velocity`] and [`crate::forces::bias`]
//! with a world a lane.

use super::memory::Lanes;
use crate::forces::bias::world_acceleration;
use crate::sleep::awake_lists::span;
use kinetree_math::lockstep::{
    Vec6s, add, add_scaled, cross_force, cross_motion, dot6, mul_inert, scale, splat,
};
use kinetree_model::Model;
use kinetree_model::enums::JointType;
use wide::f64x4;

/// Computes `cvel` and `cdof_dot`.
pub(super) fn com_vel(model: &Model, lanes: &mut Lanes) {
    let (n, nv) = (model.nbody, model.nv);
    let (parentid, jntadr, jntnum) =
        (&model.body_parentid[..n], &model.body_jntadr[..n], &model.body_jntnum[..n]);
    let (cdof, cdof_dot) = (&lanes.cdof[..nv], &mut lanes.cdof_dot[..nv]);
    let (qvel, cvel) = (&lanes.qvel[..nv], &mut lanes.cvel[..n]);
    cvel[0] = [f64x4::ZERO; 6];
    for body in 1..n {
        let mut velocity = cvel[parentid[body] as usize];
        let joints = span(jntadr[body], jntnum[body]);
        for (&kind, &dof) in model.jnt_type[joints.clone()].iter().zip(&model.jnt_dofadr[joints]) {
            let mut dof = dof as usize;
            if kind == JointType::Hinge || kind == JointType::Slide {
                cdof_dot[dof] = cross_motion(&velocity, &cdof[dof]);
                add_scaled(&mut velocity, &cdof[dof], qvel[dof]);
                continue;
            }
            if kind == JointType::Free {
                // translations along fixed axes
                for i in dof..dof + 3 {
                    cdof_dot[i] = [f64x4::ZERO; 6];
                    add_scaled(&mut velocity, &cdof[i], qvel[i]);
                }
                dof += 3;
            }
            // all axes of a joint are fixed to the frame before it
            let mut motion = [f64x4::ZERO; 6];
            for i in dof..dof + 3 {
                cdof_dot[i] = cross_motion(&velocity, &cdof[i]);
                add_scaled(&mut motion, &cdof[i], qvel[i]);
            }
            velocity = add(&velocity, &motion);
        }
        cvel[body] = velocity;
    }
}

/// Bias forces `c(q, q̇)` by recursive Newton–Euler.
pub(super) fn bias(model: &Model, lanes: &mut Lanes) {
    let (n, nv) = (model.nbody, model.nv);
    let (parentid, dofadr, dofnum) =
        (&model.body_parentid[..n], &model.body_dofadr[..n], &model.body_dofnum[..n]);
    let Lanes { acceleration, force, cinert, cvel, cdof, cdof_dot, qvel, qfrc_bias, .. } = lanes;
    let (acceleration, force) = (&mut acceleration[..n], &mut force[..n]);
    let (cinert, cvel, cdof) = (&cinert[..n], &cvel[..n], &cdof[..nv]);
    let (cdof_dot, qvel, qfrc_bias) = (&cdof_dot[..nv], &qvel[..nv], &mut qfrc_bias[..nv]);
    acceleration[0] = splat(&world_acceleration(model));
    force[0] = [f64x4::ZERO; 6];
    for body in 1..n {
        let dofs = span(dofadr[body], dofnum[body]);
        let own = mul_dof_vec(&cdof_dot[dofs.clone()], &qvel[dofs]);
        let (inertia, velocity) = (&cinert[body], &cvel[body]);
        let a = add(&acceleration[parentid[body] as usize], &own);
        acceleration[body] = a;
        let velocity_force = cross_force(velocity, &mul_inert(inertia, velocity));
        force[body] = add(&mul_inert(inertia, &a), &velocity_force);
    }
    for body in (1..n).rev() {
        let own = force[body];
        let dofs = span(dofadr[body], dofnum[body]);
        for (bias, cdof) in qfrc_bias[dofs.clone()].iter_mut().zip(&cdof[dofs]) {
            *bias = dot6(cdof, &own);
        }
        let parent = parentid[body] as usize;
        if parent > 0 {
            force[parent] = add(&force[parent], &own);
        }
    }
}

/// Sum of joint motions weighted by joint velocities.
#[inline(always)]
fn mul_dof_vec(dof: &[Vec6s], vel: &[f64x4]) -> Vec6s {
    if let ([axis], [rate]) = (dof, vel) {
        return scale(axis, *rate);
    }
    let mut sum = [f64x4::ZERO; 6];
    for (axis, rate) in dof.iter().zip(vel) {
        add_scaled(&mut sum, axis, *rate);
    }
    sum
}
