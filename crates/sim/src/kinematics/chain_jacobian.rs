//! Jacobians on the dofs that matter only: the chain of dofs from a body to the root, or the merged chain of
//! two bodies.
//!
//! A constraint or a tendon between two bodies sees few of the dofs of a large model. Chains list them in
//! increasing order, and matrices here are row-major with rows of the length of the chain.

use super::chain::{chain_dofs, for_each_chain_dof, merge_chain, walk_chains};
use super::jacobian::{
    Halves, dof_motion_rate, offset_from_com, point_column, point_rate_column, point_velocity, set_column,
};
use kinetree_math::Vec3;
use kinetree_math::spatial::{Vec6, angular};
use kinetree_model::{Data, Model};

/// Calls `visit` with each dof that moves `body1` or `body2`, from the last to the first, and the difference
/// it makes: velocity of `point2` on `body2` minus that of `point1` on `body1`, and difference of angular
/// velocities. With `skip_common`, dofs that move both bodies are left out.
#[inline]
pub(crate) fn for_each_difference_column(
    model: &Model,
    cdof: &[Vec6],
    subtree_com: &[[f64; 3]],
    (body1, point1): (usize, &Vec3),
    (body2, point2): (usize, &Vec3),
    skip_common: bool,
    mut visit: impl FnMut(usize, &Vec3, &Vec3),
) {
    let offset1 = point1 - Vec3::from(subtree_com[model.body_rootid[body1] as usize]);
    let offset2 = point2 - Vec3::from(subtree_com[model.body_rootid[body2] as usize]);
    walk_chains(model, [body1, body2], skip_common, |dof, moves| {
        let (mut translation, mut rotation) = (Vec3::zeros(), Vec3::zeros());
        if moves[1] {
            translation += point_column(&cdof[dof], &offset2);
            rotation += angular(&cdof[dof]);
        }
        if moves[0] {
            translation -= point_column(&cdof[dof], &offset1);
            rotation -= angular(&cdof[dof]);
        }
        visit(dof, &translation, &rotation);
    });
}

/// Jacobian of a global point attached to `body` on the dofs of `chain`, into row-major buffers with rows of
/// `chain.len()`. Dofs of the body that the chain lacks are skipped. Either half may be left out.
pub(crate) fn jac_sparse(
    model: &Model,
    data: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: &[f64; 3],
    body: usize,
    chain: &[i32],
) {
    let mut jacobian = Halves { translation: jacp, rotation: jacr, n: chain.len() };
    jacobian.clear();
    let offset = offset_from_com(model, data, &Vec3::from(*point), body);
    for_each_chain_dof(model, body, chain, |ci, dof| {
        let cdof = &data.cdof[dof];
        jacobian.set(ci, &angular(cdof), || point_column(cdof, &offset));
    });
}

/// Adds the time derivative of the Jacobian of a point on `body` on the dofs of `chain`, projected on
/// `direction` and multiplied with `vec`: `direction · J̇p vec`.
pub(crate) fn jac_dot_product(
    model: &Model,
    data: &Data,
    point: &Vec3,
    body: usize,
    direction: &Vec3,
    vec: &[f64],
) -> f64 {
    let offset = offset_from_com(model, data, point, body);
    let velocity = point_velocity(model, data, point, body);
    let mut sum = 0.0;
    for i in chain_dofs(model, body) {
        let rate = dof_motion_rate(model, data, i);
        sum += point_rate_column(&rate, &data.cdof[i], &offset, &velocity).dot(direction) * vec[i];
    }
    sum
}

/// `direction · Jp vec` for a point on `body`.
pub(crate) fn jac_product(
    model: &Model,
    data: &Data,
    point: &Vec3,
    body: usize,
    direction: &Vec3,
    vec: &[f64],
) -> f64 {
    let offset = offset_from_com(model, data, point, body);
    let mut sum = 0.0;
    for i in chain_dofs(model, body) {
        sum += point_column(&data.cdof[i], &offset).dot(direction) * vec[i];
    }
    sum
}

/// Buffers of [`jac_difference`](crate::jac_difference); they grow and are then reused.
#[derive(Clone, Debug, Default)]
pub struct JacDifference {
    /// Dofs that move either body, in increasing order.
    pub chain: Vec<i32>,
    /// Translational difference, three rows of `chain.len()`.
    pub jacp: Vec<f64>,
    /// Rotational difference, three rows of `chain.len()`; empty when it was not asked for.
    pub jacr: Vec<f64>,
}

/// Jacobian of `point2` on `body2` minus that of `point1` on `body1`, on the merged dof chain of both bodies
/// only.
pub(crate) fn jac_difference(
    model: &Model,
    data: &Data,
    (body1, point1): (usize, &[f64; 3]),
    (body2, point2): (usize, &[f64; 3]),
    rotation: bool,
    skip_common: bool,
    out: &mut JacDifference,
) {
    merge_chain(model, body1, body2, skip_common, &mut out.chain);
    let n = out.chain.len();
    out.jacp.clear();
    out.jacp.resize(3 * n, 0.0);
    out.jacr.clear();
    out.jacr.resize(if rotation { 3 * n } else { 0 }, 0.0);
    let JacDifference { chain, jacp, jacr } = out;
    let offset1 = offset_from_com(model, data, &Vec3::from(*point1), body1);
    let offset2 = offset_from_com(model, data, &Vec3::from(*point2), body2);
    for_each_chain_dof(model, body2, chain, |ci, dof| {
        set_column(jacp, n, ci, &point_column(&data.cdof[dof], &offset2));
        if rotation {
            set_column(jacr, n, ci, &angular(&data.cdof[dof]));
        }
    });
    for_each_chain_dof(model, body1, chain, |ci, dof| {
        subtract_column(jacp, n, ci, &point_column(&data.cdof[dof], &offset1));
        if rotation {
            subtract_column(jacr, n, ci, &angular(&data.cdof[dof]));
        }
    });
}

/// Subtracts `column` from column `i` of a row-major matrix with rows of length `n`.
#[inline]
fn subtract_column(matrix: &mut [f64], n: usize, i: usize, column: &Vec3) {
    matrix[i] -= column.x;
    matrix[n + i] -= column.y;
    matrix[2 * n + i] -= column.z;
}
