//! Centres of mass of subtrees, and inertias of bodies and motions of dofs about the centre of mass of each
//! tree.
//!
//! The kernels are generic over the scalar of one world or of four worlds in lockstep.

use crate::sleep::awake_lists::{ASLEEP, Visit, Visited, span};
use kinetree_math::MINVAL;
use kinetree_math::real::{Components, Real};
use kinetree_math::spatial::{inert_com, rotation_about, translation_along};
use kinetree_model::enums::JointType;
use kinetree_model::{Data, Model};
use std::ops::Range;

const FREE: i32 = JointType::Free as i32;
const SLIDE: i32 = JointType::Slide as i32;
const HINGE: i32 = JointType::Hinge as i32;

/// Computes subtree centres of mass, and body inertias and dof motions about the centre of mass of each tree.
pub(crate) fn mj_com_pos(model: &Model, data: &mut Data) {
    let visit = Visit::bodies(model, data);
    let bodies = Visited::new(visit, &data.body_awake_ind);
    let parents = Visited::new(Visit::parents(model, data), &data.parent_awake_ind);
    let (xipos, com, body_awake) = (&data.xipos[..], &mut data.subtree_com[..], &data.body_awake[..]);
    let is_asleep = |body: usize| visit.filtered && body_awake[body] == ASLEEP;
    subtree_centers(model, (bodies, parents), is_asleep, xipos, com);
    body_inertias(model, bodies, (xipos, &data.ximat, com), &mut data.cinert);
    let Data { xanchor, xaxis, xmat, subtree_com, cdof, body_awake_ind, .. } = data;
    let mut motions = DofMotions { xanchor, xaxis, xmat, subtree_com, cdof };
    if visit.filtered {
        for body in Visited::new(visit, body_awake_ind).iter() {
            motions.set(model, span(model.body_jntadr[body], model.body_jntnum[body]));
        }
    } else {
        motions.set(model, 0..model.njnt);
    }
}

/// Centre of mass of every subtree: mass-weighted sums from the leaves to the root, over the bodies to visit
/// and those whose parent is one of them. Centres of subtrees that are asleep are those from before.
#[inline(always)]
pub(crate) fn subtree_centers<T: Real>(
    model: &Model,
    (bodies, parents): (Visited<'_>, Visited<'_>),
    is_asleep: impl Fn(usize) -> bool,
    xipos: &[[T; 3]],
    com: &mut [[T; 3]],
) {
    let n = model.nbody;
    let (mass, subtree_mass, parentid) =
        (&model.body_mass[..n], &model.body_subtreemass[..n], &model.body_parentid[..n]);
    let (xipos, com) = (&xipos[..n], &mut com[..n]);
    for body in bodies.iter() {
        com[body] = xipos[body].map(|x| x * T::splat(mass[body]));
    }
    for body in parents.iter().rev() {
        if body == 0 {
            continue;
        }
        let mut moment = com[body];
        if is_asleep(body) {
            // the subtree was left normalized
            moment = moment.map(|x| x * T::splat(subtree_mass[body]));
        }
        let parent = &mut com[parentid[body] as usize];
        *parent = [parent[0] + moment[0], parent[1] + moment[1], parent[2] + moment[2]];
    }
    for body in bodies.iter() {
        let mass = subtree_mass[body];
        com[body] = if mass < MINVAL {
            xipos[body]
        } else {
            let inverse = T::splat(1.0 / mass);
            com[body].map(|x| x * inverse)
        };
    }
}

/// Inertias of bodies about the centre of mass of each tree.
#[inline(always)]
pub(crate) fn body_inertias<T: Real>(
    model: &Model,
    bodies: Visited<'_>,
    (xipos, ximat, com): (&[[T; 3]], &[[T; 9]], &[[T; 3]]),
    cinert: &mut [[T; 10]],
) {
    let n = model.nbody;
    let (inertia, mass, rootid) = (&model.body_inertia[..n], &model.body_mass[..n], &model.body_rootid[..n]);
    let (xipos, ximat, com, cinert) = (&xipos[..n], &ximat[..n], &com[..n], &mut cinert[..n]);
    cinert[0] = [T::ZERO; 10];
    for body in bodies.iter() {
        if body > 0 {
            let offset = T::Vec3::load(&xipos[body]) - T::Vec3::load(&com[rootid[body] as usize]);
            cinert[body] = inert_com(&inertia[body], &ximat[body], offset, mass[body]);
        }
    }
}

/// What motions of dofs follow from, and where they go.
pub(crate) struct DofMotions<'a, T> {
    pub(crate) xanchor: &'a [[T; 3]],
    pub(crate) xaxis: &'a [[T; 3]],
    pub(crate) xmat: &'a [[T; 9]],
    pub(crate) subtree_com: &'a [[T; 3]],
    pub(crate) cdof: &'a mut [[T; 6]],
}

impl<T: Real> DofMotions<'_, T> {
    /// Motion of each dof of some joints, about the centre of mass of their tree.
    #[inline(always)]
    pub(crate) fn set(&mut self, model: &Model, joints: Range<usize>) {
        let n = model.njnt;
        let (types, dofs, bodies) = (&model.jnt_type[..n], &model.jnt_dofadr[..n], &model.jnt_bodyid[..n]);
        let (anchors, axes, rootid) = (&self.xanchor[..n], &self.xaxis[..n], &model.body_rootid[..]);
        let (com, cdof) = (self.subtree_com, &mut *self.cdof);
        for joint in joints {
            let (kind, dof, body) = (types[joint], dofs[joint] as usize, bodies[joint] as usize);
            let center = T::Vec3::load(&com[rootid[body] as usize]);
            let (axis, offset) = (T::Vec3::load(&axes[joint]), center - T::Vec3::load(&anchors[joint]));
            if kind == HINGE {
                cdof[dof] = rotation_about(axis, offset);
            } else if kind == SLIDE {
                cdof[dof] = translation_along(&axes[joint]);
            } else {
                // free joints translate along the global axes, then both kinds rotate about the axes of the
                // body
                let mut rotation = dof;
                if kind == FREE {
                    for k in 0..3 {
                        cdof[dof + k] = [T::ZERO; 6];
                        cdof[dof + k][3 + k] = T::ONE;
                    }
                    rotation += 3;
                }
                let mat = &self.xmat[body];
                for k in 0..3 {
                    let axis = T::Vec3::load(&[mat[k], mat[k + 3], mat[k + 6]]);
                    cdof[rotation + k] = rotation_about(axis, offset);
                }
            }
        }
    }
}
