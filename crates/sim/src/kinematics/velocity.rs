//! Velocity stage: velocities of bodies and dof motions about the centre of mass of each tree, and subtree
//! momenta.
//!
//! From parent to child, `cvel = cvel_parent + Σ cdof q̇`, and the motion of a dof changes at the rate
//! `cdof_dot = cvel × cdof`, with the velocity of the frame that the dof is fixed to.

use crate::sleep::awake_lists::{Visit, Visited, span};
use kinetree_math::MINVAL;
use kinetree_math::lanes3::{cross3, load3, store3};
use kinetree_math::real::Real;
use kinetree_math::spatial::{Vec6, add_scaled6, add_to6, cross_motion};
use kinetree_model::enums::JointType;
use kinetree_model::{Data, Model};
use wide::f64x4;

/// Computes `cvel` and `cdof_dot`.
pub(crate) fn mj_com_vel(model: &Model, data: &mut Data) {
    let bodies = Visited::new(Visit::bodies(model, data), &data.body_awake_ind);
    com_velocities(model, bodies, (&data.cdof, &data.qvel), &mut data.cvel, &mut data.cdof_dot);
}

/// Velocities of bodies and of the motions of dofs, of one world or of four in lockstep.
#[inline(always)]
pub(crate) fn com_velocities<T: Real>(
    model: &Model,
    bodies: Visited<'_>,
    (cdof, qvel): (&[[T; 6]], &[T]),
    cvel: &mut [[T; 6]],
    cdof_dot: &mut [[T; 6]],
) {
    let (n, nv) = (model.nbody, model.nv);
    let (parentid, jntadr, jntnum) =
        (&model.body_parentid[..n], &model.body_jntadr[..n], &model.body_jntnum[..n]);
    let (cdof, cdof_dot) = (&cdof[..nv], &mut cdof_dot[..nv]);
    let (qvel, cvel) = (&qvel[..nv], &mut cvel[..n]);
    cvel[0] = [T::ZERO; 6];
    for body in bodies.iter() {
        if body == 0 {
            continue;
        }
        let mut velocity = cvel[parentid[body] as usize];
        let joints = span(jntadr[body], jntnum[body]);
        for (&kind, &dof) in model.jnt_type[joints.clone()].iter().zip(&model.jnt_dofadr[joints]) {
            let mut dof = dof as usize;
            if kind == JointType::Hinge || kind == JointType::Slide {
                cdof_dot[dof] = cross_motion(&velocity, &cdof[dof]);
                add_scaled6(&mut velocity, &cdof[dof], qvel[dof]);
                continue;
            }
            if kind == JointType::Free {
                // translations along fixed axes
                for i in dof..dof + 3 {
                    cdof_dot[i] = [T::ZERO; 6];
                    add_scaled6(&mut velocity, &cdof[i], qvel[i]);
                }
                dof += 3;
            }
            // all axes of a joint are fixed to the frame before it
            let mut motion = [T::ZERO; 6];
            for i in dof..dof + 3 {
                cdof_dot[i] = cross_motion(&velocity, &cdof[i]);
                add_scaled6(&mut motion, &cdof[i], qvel[i]);
            }
            add_to6(&mut velocity, &motion);
        }
        cvel[body] = velocity;
    }
}

/// Working memory of [`mj_subtree_vel`], in lanes.
#[derive(Default)]
pub(crate) struct Momenta {
    /// Velocities of the centres of mass of bodies.
    velocity: Vec<f64x4>,
    /// Linear momenta, then velocities, of subtrees.
    linear: Vec<f64x4>,
    /// Angular momenta of subtrees about their centres of mass.
    angular: Vec<f64x4>,
}

/// Computes the linear velocity of the centre of mass, and the angular momentum about it, of every subtree.
pub(crate) fn mj_subtree_vel(model: &Model, data: &mut Data, momenta: &mut Momenta) {
    let visit = Visit::bodies(model, data);
    let n = model.nbody;
    let Momenta { velocity, linear, angular } = momenta;
    for list in [&mut *velocity, &mut *linear, &mut *angular] {
        list.resize(n, f64x4::ZERO);
    }
    let (velocity, linear, angular) = (&mut velocity[..n], &mut linear[..n], &mut angular[..n]);
    let (parentid, mass, subtree_mass) =
        (&model.body_parentid[..n], &model.body_mass[..n], &model.body_subtreemass[..n]);
    let (xipos, com) = (&data.xipos[..n], &data.subtree_com[..n]);
    let (linvel, angmom) = (&mut data.subtree_linvel[..n], &mut data.subtree_angmom[..n]);

    let (rootid, inertia) = (&model.body_rootid[..n], &model.body_inertia[..n]);
    let (cvel, ximat) = (&data.cvel[..n], &data.ximat[..n]);
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        let (v, momentum) = if model.is_fixed(body) {
            (f64x4::ZERO, f64x4::ZERO)
        } else {
            let offset = load3(&xipos[body]) - load3(&com[rootid[body] as usize]);
            body_momentum(&cvel[body], offset, &ximat[body], &inertia[body])
        };
        (velocity[body], angular[body]) = (v, momentum);
        linear[body] = v * f64x4::splat(mass[body]);
    }

    // linear momentum, from the leaves to the root, then velocity
    for k in (0..visit.count).rev() {
        let body = visit.at(&data.body_awake_ind, k);
        let momentum = linear[body];
        if body > 0 {
            linear[parentid[body] as usize] += momentum;
        }
        linear[body] = momentum * f64x4::splat(1.0 / subtree_mass[body].max(MINVAL));
        linvel[body] = store3(linear[body]);
    }

    // angular momentum, moved to the centre of mass of each parent's subtree
    for k in (0..visit.count).rev() {
        let body = visit.at(&data.body_awake_ind, k);
        if body == 0 {
            angmom[0] = store3(angular[0]);
            continue;
        }
        let parent = parentid[body] as usize;
        let center = load3(&com[body]);
        let relative = (velocity[body] - linear[body]) * f64x4::splat(mass[body]);
        let own = angular[body] + cross3(load3(&xipos[body]) - center, relative);
        angmom[body] = store3(own);

        let (dx, dv) = (center - load3(&com[parent]), linear[body] - linear[parent]);
        angular[parent] = angular[parent] + own + cross3(dx, dv * f64x4::splat(subtree_mass[body]));
    }
    data.flg_subtreevel = true;
}

/// Velocity of the centre of mass of a body, which is at `offset` from that of its tree, and its angular
/// momentum about it.
#[inline(always)]
fn body_momentum(cvel: &Vec6, offset: f64x4, mat: &[f64; 9], inertia: &[f64; 3]) -> (f64x4, f64x4) {
    let (spin, shift) = f64::parts(cvel);
    let velocity = shift - cross3(offset, spin);

    // to the axes of inertia and back
    let row = |k: usize| load3(&[mat[3 * k], mat[3 * k + 1], mat[3 * k + 2]]) * f64x4::splat(cvel[k]);
    let local = store3(((row(0) + row(1)) + row(2)) * load3(inertia));
    let column = |k: usize| load3(&[mat[k], mat[k + 3], mat[k + 6]]) * f64x4::splat(local[k]);
    (velocity, (column(0) + column(1)) + column(2))
}
