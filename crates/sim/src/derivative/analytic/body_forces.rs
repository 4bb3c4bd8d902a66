//! Forces on bodies and their derivatives with respect to positions, gathered before they go to the joints.
//!
//! A spatial force `F_b` on body `b` gives `τ_k = S_k · F_b` to each dof `k` that moves it. Its derivative
//! has two parts: the force changes by `E_bj = ∂F_b/∂q_j`, and the axis rotates by `S_j × S_k` where `j`
//! moves the joint of `k`. Both are linear in the forces, so that all of them are summed over subtrees first
//! and projected once.
//!
//! In a product `μᵀ ∂τ` the first part is `x_b · E_bj` with the motion field `x_b = Σ S_k μ_k`, which needs
//! no memory for `E`; and where `E_bj` is linear in the motion of the body, no loop over dofs. A wrench `G_b`
//! stands for `S_j · G_b`, and a wrench `Y_b` on a motion field `z` for its derivative,
//! `Y_b · (S_j × (z_b − z_λ)) = S_j · (z_b ×* Y_b − z_λ ×* Y_b)`: both are summed over subtrees and projected
//! once. The second part is of this kind, with `F` on the field of weights.

use super::coupling::extend_range;
use super::gradient::Gradient;
use super::motion::{MotionField, rotation_group};
use super::point_motion::Fields;
use kinetree_math::Vec3;
use kinetree_math::spatial::{Vec6, add_scaled6, add_to6, cross_force, cross_motion, dot6, vec6};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Forces on bodies, about the centre of mass of their tree.
#[derive(Default)]
pub(super) struct BodyForces {
    nv: usize,
    force: Vec<Vec6>,
    /// `∂F_b/∂q_j`, a row of `nv` for each body.
    derivative: Vec<Vec6>,
    /// Columns of each row that may differ from zero.
    used: Vec<Range<usize>>,
    any: bool,
    /// Whether a product with weights `μ` is gathered: their motion field, and `Σ x_b · E_bj`.
    pulled: bool,
    weight_field: MotionField,
    product: Vec<f64>,
    pulls: Vec<Pull>,
}

/// What a product gathers of a body.
#[derive(Clone, Copy, Default)]
struct Pull {
    /// `G_b`.
    motion: Vec6,
    /// `Y_b` on the fields of `qacc` and of velocities.
    on_fields: [Vec6; 2],
}

impl BodyForces {
    /// Begins a product with a row vector of weights, without forces.
    pub(super) fn begin_product(&mut self, model: &Model, data: &Data, weights: &[f64]) {
        self.clear_force(model);
        self.pulled = true;
        self.weight_field.set(model, &data.cdof, weights);
        self.product.clear();
        self.product.resize(model.nv, 0.0);
        self.pulls.clear();
        self.pulls.resize(model.nbody, Pull::default());
    }

    /// The motion field of the weights of a product.
    pub(super) fn weight_field(&self) -> &MotionField {
        &self.weight_field
    }

    /// Adds a wrench `G_b` to a product: `S_j · G_b` for each dof that moves the body.
    pub(super) fn pull_motion(&mut self, body: usize, wrench: &Vec6) {
        self.any = true;
        add_to6(&mut self.pulls[body].motion, wrench);
    }

    /// Adds a wrench on the derivatives of the fields of `qacc` and of velocities to a product.
    pub(super) fn pull_fields(&mut self, fields: &Fields<'_>, body: usize, wrenches: &[Vec6; 2], scale: f64) {
        self.any = true;
        let pull = &mut self.pulls[body];
        for ((field, wrench), sum) in
            [fields.qacc, fields.velocity].iter().zip(wrenches).zip(&mut pull.on_fields)
        {
            add_scaled6(sum, wrench, scale);
            add_scaled6(&mut pull.motion, &cross_force(&field.body[body], wrench), scale);
        }
    }

    /// Adds to a product with the columns of positions.
    pub(super) fn pull_position(&mut self, dof: usize, value: f64) {
        self.product[dof] += value;
    }

    /// The matrix is gathered from now on.
    pub(super) fn end_product(&mut self) {
        if std::mem::take(&mut self.pulled) {
            self.force.fill([0.0; 6]);
            self.any = false;
        }
    }

    /// Clears the forces alone; what is left of their derivatives is cleared when the matrix is gathered
    /// again.
    fn clear_force(&mut self, model: &Model) {
        if !self.pulled && self.any {
            for (b, used) in self.used.iter_mut().enumerate() {
                self.derivative[b * self.nv..][used.clone()].fill([0.0; 6]);
                *used = 0..0;
            }
        }
        self.any = false;
        self.force.clear();
        self.force.resize(model.nbody, [0.0; 6]);
    }

    /// Begins without forces.
    pub(super) fn clear(&mut self, model: &Model) {
        if self.pulled {
            self.force.fill([0.0; 6]);
            self.product.fill(0.0);
            self.pulls.fill(Pull::default());
            self.any = false;
            return;
        }
        let (nbody, nv) = (model.nbody, model.nv);
        if self.nv == nv && self.used.len() == nbody {
            if self.any {
                for (b, used) in self.used.iter_mut().enumerate() {
                    self.derivative[b * nv..][used.clone()].fill([0.0; 6]);
                    *used = 0..0;
                }
                self.force.fill([0.0; 6]);
            }
        } else {
            self.nv = nv;
            self.force.clear();
            self.force.resize(nbody, [0.0; 6]);
            self.derivative.clear();
            self.derivative.resize(nbody * nv, [0.0; 6]);
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
    pub(super) fn add_derivative(&mut self, body: usize, dof: usize, derivative: &Vec6) {
        self.any = true;
        if self.pulled {
            self.product[dof] += dot6(&self.weight_field.body[body], derivative);
            return;
        }
        extend_range(&mut self.used[body], &(dof..dof + 1));
        add_to6(&mut self.derivative[body * self.nv + dof], derivative);
    }

    /// Subtracts `∂τ/∂q` of all forces from the columns of positions of `∂g`, or from the product with it
    /// that is gathered in both.
    pub(super) fn subtract_from(
        &mut self,
        model: &Model,
        data: &Data,
        fields: &Fields<'_>,
        gradient: &mut Gradient,
    ) {
        if !self.pulled {
            let width = gradient.width;
            self.project(model, data, -1.0, &mut gradient.values, width, |_| true);
            return;
        }
        if !self.any {
            return;
        }
        self.sum_pulls(model);
        let Self { force, weight_field, product, pulls, .. } = self;
        for (j, own) in product.iter().enumerate() {
            let (axis, body) = (&data.cdof[j], model.dof_bodyid[j] as usize);
            let Pull { motion, on_fields: [on_qacc, on_velocity] } = &pulls[body];
            let mut total = *motion;
            for (field, wrench) in
                [(&*weight_field, &force[body]), (fields.qacc, on_qacc), (fields.velocity, on_velocity)]
            {
                add_scaled6(&mut total, &cross_force(&field.base[j], wrench), -1.0);
            }
            gradient.add_product(j, -own - dot6(axis, &total), -dot6(axis, on_velocity));
        }
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
            let derivatives = &self.derivative[body * nv..][used.clone()];
            for (out, derivative) in row[used].iter_mut().zip(derivatives) {
                *out += scale * dot6(axis, derivative);
            }
            // the axis rotates with the joints before it, and with the others of its group
            let force = &self.force[body];
            for_each_rotating(model, k, |j| {
                row[j] += scale * dot6(&cross_motion(&data.cdof[j], axis), force);
            });
        }
    }

    /// Sums what a product gathers over subtrees, the forces on the field of weights included.
    fn sum_pulls(&mut self, model: &Model) {
        let Self { force, weight_field, pulls, .. } = self;
        for ((pull, force), weight) in pulls.iter_mut().zip(&*force).zip(&weight_field.body) {
            add_to6(&mut pull.motion, &cross_force(weight, force));
        }
        for b in (1..model.nbody).rev() {
            let parent = model.body_parentid[b] as usize;
            if parent == 0 {
                continue;
            }
            let (own, pull) = (force[b], pulls[b]);
            add_to6(&mut force[parent], &own);
            add_to6(&mut pulls[parent].motion, &pull.motion);
            for (sum, wrench) in pulls[parent].on_fields.iter_mut().zip(&pull.on_fields) {
                add_to6(sum, wrench);
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
            let (before, from) = self.derivative.split_at_mut(b * nv);
            let to = &mut before[parent * nv..][used.clone()];
            for (sum, derivative) in to.iter_mut().zip(&from[used.clone()]) {
                add_to6(sum, derivative);
            }
            extend_range(&mut self.used[parent], &used);
        }
    }
}

/// Calls `visit` with the dofs that rotate the axis of dof `k`: those before it, and the others of its group.
#[inline]
fn for_each_rotating(model: &Model, k: usize, mut visit: impl FnMut(usize)) {
    let mut next = rotation_group(model, k).end as i32 - 1;
    while let Ok(j) = usize::try_from(next) {
        visit(j);
        next = model.dof_parentid[j];
    }
}

/// Spatial force of a force and a torque at an offset from the reference point.
#[inline]
pub(super) fn wrench(offset: &Vec3, force: &Vec3, torque: &Vec3) -> Vec6 {
    vec6(&(offset.cross(force) + torque), force)
}
