//! Motions of the tree and how they change with positions.
//!
//! All spatial vectors of a tree are taken about one point that is held fixed, the tree's centre of mass, in
//! world axes. A nudge of dof `j` displaces everything behind it by its motion `S_j`, so that what is rigidly
//! attached changes by `S_j ×`. For a motion field `x_b = Σ S_k x_k` over the dofs `k` that move body `b`,
//! only the part behind `j` rotates: `∂x_b/∂q_j = S_j × (x_b − x_λ)`, with `λ` the frame that the joint of
//! `j` is fixed to. The three rotations of a ball or free joint rotate each other's axes: they are one group.

use kinetree_math::Vec3;
use kinetree_math::spatial::{Vec6, add_scaled6, angular, cross_motion, linear, sub6};
use kinetree_model::enums::JointType;
use kinetree_model::{Data, Model};
use std::ops::Range;

/// The motion `Σ S_k x_k` of every body, and of the frame before every joint.
#[derive(Default)]
pub(super) struct MotionField {
    /// Of each body.
    pub(super) body: Vec<Vec6>,
    /// Of the frame that the joint of each dof is fixed to.
    pub(super) base: Vec<Vec6>,
}

impl MotionField {
    /// The field of joint-space values `x`.
    pub(super) fn set(&mut self, model: &Model, cdof: &[Vec6], x: &[f64]) {
        self.accumulate(model, [0.0; 6], |dof, motion| add_scaled6(motion, &cdof[dof], x[dof]));
    }

    /// Spatial accelerations with velocity products, gravity as an acceleration of the world.
    pub(super) fn set_acceleration(&mut self, model: &Model, data: &Data, world: Vec6, qacc: &[f64]) {
        self.accumulate(model, world, |dof, motion| {
            add_scaled6(motion, &data.cdof[dof], qacc[dof]);
            add_scaled6(motion, &data.cdof_dot[dof], data.qvel[dof]);
        });
    }

    /// Spatial accelerations of velocity products alone, at the velocities of a field.
    pub(super) fn set_velocity_products(
        &mut self,
        model: &Model,
        cdof: &[Vec6],
        velocity: &MotionField,
        qvel: &[f64],
    ) {
        self.accumulate(model, [0.0; 6], |dof, motion| {
            add_scaled6(motion, &cross_motion(&velocity.base[dof], &cdof[dof]), qvel[dof]);
        });
    }

    /// Sums what dofs add to the motion of the world, from the root to the leaves.
    fn accumulate(&mut self, model: &Model, world: Vec6, add: impl Fn(usize, &mut Vec6)) {
        let Self { body, base } = self;
        body.clear();
        body.resize(model.nbody, world);
        base.clear();
        base.resize(model.nv, world);
        for b in 1..model.nbody {
            let mut motion = body[model.body_parentid[b] as usize];
            let first = model.body_dofadr[b].max(0) as usize;
            let mut dof = first;
            while dof < first + model.body_dofnum[b] as usize {
                let group = rotation_group(model, dof);
                base[group.clone()].fill(motion);
                dof = group.end;
                group.for_each(|k| add(k, &mut motion));
            }
            body[b] = motion;
        }
    }

    /// `∂x_b/∂q_j` for a dof `j` that moves body `b`.
    #[inline]
    pub(super) fn derivative(&self, body: usize, dof: usize, axis: &Vec6) -> Vec6 {
        cross_motion(axis, &sub6(&self.body[body], &self.base[dof]))
    }
}

/// The dofs whose axes rotate with each other: the rotations of a ball or free joint, else the dof alone.
#[inline]
pub(super) fn rotation_group(model: &Model, dof: usize) -> Range<usize> {
    let joint = model.dof_jntid[dof] as usize;
    let first = model.jnt_dofadr[joint] as usize;
    match model.jnt_type[joint] {
        t if t == JointType::Ball => first..first + 3,
        t if t == JointType::Free && dof >= first + 3 => first + 3..first + 6,
        _ => dof..dof + 1,
    }
}

/// Whether dof `j` rotates the axis of dof `k`: it comes before, or belongs to the same ball.
pub(super) fn rotates(model: &Model, j: usize, k: usize) -> bool {
    if rotation_group(model, k).contains(&j) {
        return true;
    }
    let mut next = model.dof_parentid[k];
    while next > j as i32 {
        next = model.dof_parentid[next as usize];
    }
    next == j as i32
}

/// Velocity of a point under a motion, given its offset from the reference point of the motion.
#[inline]
pub(super) fn at_point(motion: &Vec6, offset: &Vec3) -> Vec3 {
    linear(motion) + angular(motion).cross(offset)
}

/// Reference point of the spatial vectors of a body.
#[inline]
pub(super) fn origin(model: &Model, data: &Data, body: usize) -> Vec3 {
    Vec3::from(data.subtree_com[model.body_rootid[body] as usize])
}

/// A point carried by a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) body: usize,
    /// In the world.
    pub(super) pos: Vec3,
    /// From the reference point of the body's spatial vectors.
    pub(super) offset: Vec3,
}

impl Point {
    pub(super) fn new(model: &Model, data: &Data, body: usize, pos: &Vec3) -> Self {
        Self { body, pos: *pos, offset: pos - origin(model, data, body) }
    }
}
