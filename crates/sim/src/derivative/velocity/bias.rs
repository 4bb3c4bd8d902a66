//! Velocity derivative of the bias force: recursive Newton–Euler, differentiated.
//!
//! Along the tree, each body carries the derivative of its velocity, acceleration and force with respect to
//! every dof of its ancestors, itself and its subtree, one spatial vector per dof, in the order of the
//! body–dof pattern: `v = v_parent + Σ s q̇`, `ṡ = v × s`, `a = a_parent + Σ ṡ q̇`, `f = I a + v ×* I v`. The
//! dofs of a body's ancestors and its own come first in its row.

use crate::kinematics::chain::last_dof;
use crate::sleep::awake_lists::Visit;
use kinetree_math::spatial::{Vec6, add_scaled6, add_to6, cross_force, cross_motion, dot6, mul_inert_vec};
use kinetree_model::enums::JointType;
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Working memory.
#[derive(Default)]
pub(crate) struct BodyRows {
    /// Derivative of each body's velocity.
    velocity: Vec<Vec6>,
    /// Derivative of each body's acceleration.
    acceleration: Vec<Vec6>,
    /// Derivative of each body's force, subtree included.
    force: Vec<Vec6>,
    /// Derivative of each dof's `cdof_dot` with respect to its ancestors.
    motion_rate: Vec<Vec6>,
}

impl BodyRows {
    /// Sets all rows to zero, or those of some bodies and their dofs.
    fn clear(&mut self, model: &Model, awake: Option<&[i32]>) {
        let Self { velocity, acceleration, force, motion_rate } = self;
        for list in [&mut *velocity, &mut *acceleration, &mut *force] {
            if awake.is_none() {
                list.clear();
            }
            list.resize(model.nB, [0.0; 6]);
        }
        if awake.is_none() {
            motion_rate.clear();
        }
        motion_rate.resize(model.nM, [0.0; 6]);
        for body in awake.unwrap_or_default().iter().map(|&body| body as usize) {
            let row = body_row(model, body);
            for list in [&mut *velocity, &mut *acceleration, &mut *force] {
                list[row.clone()].fill([0.0; 6]);
            }
            let first = model.body_dofadr[body].max(0) as usize;
            for dof in first..first + model.body_dofnum[body] as usize {
                let row = model.dof_Madr[dof] as usize;
                motion_rate[row..=row + ancestors(model, dof)].fill([0.0; 6]);
            }
        }
    }
}

/// Row of a body in the body–dof pattern.
fn body_row(model: &Model, body: usize) -> Range<usize> {
    let start = model.B_rowadr[body] as usize;
    start..start + model.B_rownnz[body] as usize
}

/// Number of dofs above a dof in the tree, which is also its index in the row of its body.
fn ancestors(model: &Model, dof: usize) -> usize {
    let next = if dof + 1 < model.nv { model.dof_Madr[dof + 1] as usize } else { model.nM };
    next - model.dof_Madr[dof] as usize - 1
}

/// Number of dofs that move a body.
fn chain_length(model: &Model, body: usize) -> usize {
    let last = last_dof(model, body);
    usize::try_from(last).map_or(0, |dof| ancestors(model, dof) + 1)
}

/// Subtracts the derivative of `qfrc_bias` from `qDeriv`.
pub(crate) fn subtract_bias_derivative(model: &Model, data: &mut Data, rows: &mut BodyRows) {
    let bodies = Visit::bodies(model, data);
    rows.clear(model, bodies.filtered.then(|| &data.body_awake_ind[..bodies.count]));
    for k in 1..bodies.count {
        let body = bodies.at(&data.body_awake_ind, k);
        differentiate_velocity(model, data, rows, body);
        differentiate_acceleration(model, data, rows, body);
        differentiate_force(model, data, rows, body);
    }
    let parents = Visit::parents(model, data);
    for k in (1..parents.count).rev() {
        add_to_parent(model, &mut rows.force, parents.at(&data.parent_awake_ind, k));
    }
    let dofs = Visit::dofs(model, data);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        let row = body_row(model, model.dof_bodyid[dof] as usize);
        let start = model.D_rowadr[dof] as usize;
        for (value, force) in data.qDeriv[start..].iter_mut().zip(&rows.force[row]) {
            *value -= dot6(force, &data.cdof[dof]);
        }
    }
}

/// Derivatives of `cvel` of a body and `cdof_dot` of its dofs.
fn differentiate_velocity(model: &Model, data: &Data, rows: &mut BodyRows, body: usize) {
    let start = copy_from_parent(model, &mut rows.velocity, body);
    let first = model.body_jntadr[body] as usize;
    for joint in first..first + model.body_jntnum[body] as usize {
        let mut dof = model.jnt_dofadr[joint] as usize;
        let kind = model.jnt_type[joint];
        if kind == JointType::Free {
            // translations along fixed axes
            for i in dof..dof + 3 {
                add_to6(&mut rows.velocity[start + ancestors(model, i)], &data.cdof[i]);
            }
            dof += 3;
        }
        let count = if kind == JointType::Free || kind == JointType::Ball { 3 } else { 1 };
        for i in dof..dof + count {
            let row = model.dof_Madr[i] as usize;
            for p in 0..ancestors(model, i) {
                rows.motion_rate[row + p] = cross_motion(&rows.velocity[start + p], &data.cdof[i]);
            }
        }
        for i in dof..dof + count {
            add_to6(&mut rows.velocity[start + ancestors(model, i)], &data.cdof[i]);
        }
    }
}

/// Derivative of `cacc` of a body.
fn differentiate_acceleration(model: &Model, data: &Data, rows: &mut BodyRows, body: usize) {
    let start = copy_from_parent(model, &mut rows.acceleration, body);
    let first = model.body_dofadr[body] as usize;
    for dof in first..first + model.body_dofnum[body] as usize {
        let above = ancestors(model, dof);
        add_to6(&mut rows.acceleration[start + above], &data.cdof_dot[dof]);
        let row = model.dof_Madr[dof] as usize;
        for p in 0..above {
            add_scaled6(&mut rows.acceleration[start + p], &rows.motion_rate[row + p], data.qvel[dof]);
        }
    }
}

/// Derivative of the force that moves a body.
fn differentiate_force(model: &Model, data: &Data, rows: &mut BodyRows, body: usize) {
    let (inertia, velocity) = (&data.cinert[body], &data.cvel[body]);
    let momentum = mul_inert_vec(inertia, velocity);
    let start = model.B_rowadr[body] as usize;
    for i in start..start + chain_length(model, body) {
        let dv = &rows.velocity[i];
        let mut df = mul_inert_vec(inertia, &rows.acceleration[i]);
        add_to6(&mut df, &cross_force(dv, &momentum));
        add_to6(&mut df, &cross_force(velocity, &mul_inert_vec(inertia, dv)));
        rows.force[i] = df;
    }
}

/// Copies what a body shares with its parent: the dofs that move the parent, which come first in both rows.
fn copy_from_parent(model: &Model, list: &mut [Vec6], body: usize) -> usize {
    let parent = model.body_parentid[body] as usize;
    let from = model.B_rowadr[parent] as usize;
    let to = model.B_rowadr[body] as usize;
    list.copy_within(from..from + chain_length(model, parent), to);
    to
}

/// Adds the row of a body to that of its parent, whose columns include all of the body's.
fn add_to_parent(model: &Model, force: &mut [Vec6], body: usize) {
    let parent = model.body_parentid[body] as usize;
    if model.is_fixed(parent) {
        return;
    }
    let mut at = model.B_rowadr[parent] as usize;
    for i in body_row(model, body) {
        while model.B_colind[at] < model.B_colind[i] {
            at += 1;
        }
        let own = force[i];
        add_to6(&mut force[at], &own);
    }
}
