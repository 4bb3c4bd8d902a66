//! Forces on bodies and their derivatives with respect to positions, gathered before they go to the joints.
//!
//! A spatial force `F_b` on body `b` gives `τ_k = S_k · F_b` to each dof `k` that moves it. Its derivative
//! has two parts: the force changes by `E_bj = ∂F_b/∂q_j`, and the axis turns by `S_j × S_k` where `j` moves
//! the joint of `k`. Both are linear in the forces, so that all of them are summed over subtrees first and
//! projected once.

use super::coupling::cover;
use super::motion::rotation_group;
use kinetree_math::Vec3;
use kinetree_math::spatial::{Vec6, add_to6, cross_motion, dot6, vec6};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Forces on bodies, about the centre of mass of their tree.
#[derive(Default)]
pub(super) struct BodyForces {
    nv: usize,
    force: Vec<Vec6>,
    /// `∂F_b/∂q_j`, a row of `nv` for each body.
    slope: Vec<Vec6>,
    /// Columns of each row that may differ from zero.
    used: Vec<Range<usize>>,
    any: bool,
}

impl BodyForces {
    /// Begins without forces.
    pub(super) fn clear(&mut self, model: &Model) {
        let (nbody, nv) = (model.nbody, model.nv);
        if self.nv == nv && self.force.len() == nbody {
            if self.any {
                for (b, used) in self.used.iter_mut().enumerate() {
                    self.slope[b * nv..][used.clone()].fill([0.0; 6]);
                    *used = 0..0;
                }
                self.force.fill([0.0; 6]);
            }
        } else {
            self.nv = nv;
            self.force.clear();
            self.force.resize(nbody, [0.0; 6]);
            self.slope.clear();
            self.slope.resize(nbody * nv, [0.0; 6]);
            self.used.clear();
            self.used.resize(nbody, 0..0);
        }
        self.any = false;
    }

    /// Adds a force on a body.
    pub(super) fn add(&mut self, body: usize, force: &Vec6) {
        self.any = true;
        add_to6(&mut self.force[body], force);
    }

    /// Adds to `∂F_b/∂q_j`.
    #[inline]
    pub(super) fn add_slope(&mut self, body: usize, dof: usize, slope: &Vec6) {
        self.any = true;
        cover(&mut self.used[body], &(dof..dof + 1));
        add_to6(&mut self.slope[body * self.nv + dof], slope);
    }

    /// Adds `scale ∂τ/∂q` of all forces to the first columns of a matrix with rows of length `width`, where a
    /// dof is to be kept. The forces are summed over subtrees in place: they are to be cleared afterwards.
    pub(super) fn project(
        &mut self,
        model: &Model,
        data: &Data,
        scale: f64,
        matrix: &mut [f64],
        width: usize,
        keep: impl Fn(usize) -> bool,
    ) {
        if !self.any {
            return;
        }
        self.sum_subtrees(model);
        let nv = self.nv;
        for k in (0..nv).filter(|&k| keep(k)) {
            let (axis, body) = (&data.cdof[k], model.dof_bodyid[k] as usize);
            let row = &mut matrix[k * width..k * width + nv];
            let used = self.used[body].clone();
            let slopes = &self.slope[body * nv..][used.clone()];
            for (out, slope) in row[used].iter_mut().zip(slopes) {
                *out += scale * dot6(axis, slope);
            }
            // the axis turns with the joints before it, and with the others of its group
            let force = &self.force[body];
            let mut next = rotation_group(model, k).end as i32 - 1;
            while let Ok(j) = usize::try_from(next) {
                row[j] += scale * dot6(&cross_motion(&data.cdof[j], axis), force);
                next = model.dof_parentid[j];
            }
        }
    }

    fn sum_subtrees(&mut self, model: &Model) {
        let nv = self.nv;
        for b in (1..model.nbody).rev() {
            let parent = model.body_parentid[b] as usize;
            if parent == 0 {
                continue;
            }
            let force = self.force[b];
            add_to6(&mut self.force[parent], &force);
            let used = self.used[b].clone();
            if used.is_empty() {
                continue;
            }
            let (before, from) = self.slope.split_at_mut(b * nv);
            let to = &mut before[parent * nv..][used.clone()];
            for (sum, slope) in to.iter_mut().zip(&from[used.clone()]) {
                add_to6(sum, slope);
            }
            cover(&mut self.used[parent], &used);
        }
    }
}

/// Spatial force of a force and a torque at an offset from the reference point.
#[inline]
pub(super) fn wrench(offset: &Vec3, force: &Vec3, torque: &Vec3) -> Vec6 {
    vec6(&(offset.cross(force) + torque), force)
}
