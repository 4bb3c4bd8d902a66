//! Centre of mass, its velocity and angular momentum of subtrees, linearized.
//!
//! With the momentum `h_b = I_b V_b` of a body, a dof that moves it changes it by `S_j ×* h_b − I_b (S_j ×
//! V_λ)` with its position and by `I_b S_j` with its velocity; all is summed over the bodies of the subtree.

use super::motion::{Point, at_point, origin};
use super::point_motion::Fields;
use crate::kinematics::chain::chain_dofs;
use kinetree_math::Vec3;
use kinetree_math::spatial::{Vec6, angular, cross_force, cross_motion, linear, mul_inert_vec, sub6};
use kinetree_model::{Data, Model};

/// Changes of a subtree's centre of mass, of its velocity, and of the angular momentum about it.
#[derive(Clone, Copy, Default)]
pub(super) struct SubtreeChange {
    pub(super) center: Vec3,
    pub(super) velocity: Vec3,
    pub(super) angular: Vec3,
}

/// Whether a body belongs to the subtree of another.
pub(super) fn is_in_subtree(model: &Model, mut body: usize, root: usize) -> bool {
    while body > root {
        body = model.body_parentid[body] as usize;
    }
    body == root
}

/// Calls `visit` for each dof of each body in a subtree with what the body adds to the changes with position
/// and velocity. That of the centre with velocity is the change with position as well, `∂c/∂q = ∂ċ/∂v`.
pub(super) fn for_each_change(
    model: &Model,
    data: &Data,
    fields: &Fields<'_>,
    root: usize,
    mut visit: impl FnMut(usize, &SubtreeChange, &SubtreeChange),
) {
    let mass = model.body_subtreemass[root].max(kinetree_math::MINVAL);
    let center = Vec3::from(data.subtree_com[root]);
    let bodies = || (root.max(1)..model.nbody).filter(|&body| is_in_subtree(model, body, root));
    let total: Vec3 =
        bodies().map(|b| linear(&mul_inert_vec(&data.cinert[b], &fields.velocity.body[b]))).sum();
    for body in bodies() {
        let share = model.body_mass[body] / mass;
        let at = Point::new(model, data, body, &Vec3::from(data.xipos[body]));
        let (inertia, velocity) = (&data.cinert[body], &fields.velocity.body[body]);
        let momentum = mul_inert_vec(inertia, velocity);
        let arm = origin(model, data, body) - center;
        let about_center = |h: &Vec6| angular(h) + arm.cross(&linear(h));
        for dof in chain_dofs(model, body) {
            let axis = &data.cdof[dof];
            let moved = at_point(axis, &at.offset);
            let rotated = cross_motion(axis, &fields.velocity.base[dof]);
            let change = sub6(&cross_force(axis, &momentum), &mul_inert_vec(inertia, &rotated));
            let rate = at_point(&fields.velocity.derivative(body, dof, axis), &at.offset)
                + angular(velocity).cross(&moved);
            let by_position = SubtreeChange {
                center: moved * share,
                velocity: rate * share,
                angular: about_center(&change) - (moved * share).cross(&total),
            };
            let by_velocity = SubtreeChange {
                center: moved * share,
                velocity: moved * share,
                angular: about_center(&mul_inert_vec(inertia, axis)),
            };
            visit(dof, &by_position, &by_velocity);
        }
    }
}
