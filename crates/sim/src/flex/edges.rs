//! Lengths of edges and their Jacobians.

use super::ranges::edge_range;
use crate::kinematics::chain::last_dof;
use crate::kinematics::chain_jacobian::for_each_difference_column;
use kinetree_math::spatial::{Vec6, linear};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Whether a force along the edges, or a constraint on their lengths, needs their Jacobian.
fn needs_jacobian(model: &Model, flex: usize) -> bool {
    model.flex_edgeequality[flex] == 1
        || model.flex_edgedamping[flex] != 0.0
        || model.flex_edgestiffness[flex] != 0.0
        || model.flex_damping[flex] != 0.0
}

/// Sets the lengths of the edges of a flex, and their Jacobians where these are needed.
pub(super) fn set_lengths(model: &Model, data: &mut Data, flex: usize) {
    let first = model.flex_vertadr[flex] as usize;
    let jacobian = needs_jacobian(model, flex);
    let Data { flexvert_xpos, flexedge_length, flexedge_J, cdof, subtree_com, .. } = data;
    for edge in edge_range(model, flex) {
        let ends = model.flex_edge[edge].map(|v| first + v as usize);
        let [from, to] = ends.map(|v| Vec3::from(flexvert_xpos[v]));
        let along = to - from;
        let length = along.norm();
        flexedge_length[edge] = length;
        let entries = model.flexedge_J_rownnz[edge] as usize;
        if !jacobian || entries == 0 {
            continue;
        }
        // an edge of no length points anywhere
        let direction = if length < MINVAL { Vec3::x() } else { along / length };
        let start = model.flexedge_J_rowadr[edge] as usize;
        let row = &mut flexedge_J[start..start + entries];
        let [body1, body2] = ends.map(|v| model.flex_vertbodyid[v].max(0) as usize);
        if set_slider_row(model, cdof, [body1, body2], &direction, row) {
            continue;
        }
        let mut next = entries;
        for_each_difference_column(
            model,
            cdof,
            subtree_com,
            (body1, &from),
            (body2, &to),
            false,
            |_, translation, _| {
                // columns come from the last to the first
                if let Some(entry) = next.checked_sub(1).and_then(|i| row.get_mut(i)) {
                    *entry = translation.dot(&direction);
                    next -= 1;
                }
            },
        );
    }
}

/// The dofs of a body that moves by sliders of its own alone, or not at all.
#[inline(always)]
fn sliders(model: &Model, body: usize) -> Option<Range<usize>> {
    if model.body_simple[body] == 2 {
        let start = model.body_dofadr[body] as usize;
        Some(start..start + model.body_dofnum[body] as usize)
    } else {
        (last_dof(model, body) < 0).then_some(0..0)
    }
}

/// Sets the row of an edge whose ends move by sliders alone, which move a point along their axes wherever it
/// is. Returns whether they do.
#[inline(always)]
fn set_slider_row(
    model: &Model,
    cdof: &[Vec6],
    [body1, body2]: [usize; 2],
    direction: &Vec3,
    row: &mut [f64],
) -> bool {
    let (Some(dofs1), Some(dofs2)) = (sliders(model, body1), sliders(model, body2)) else { return false };
    if body1 == body2 || dofs1.len() + dofs2.len() != row.len() {
        return false;
    }
    let opposite = -direction;
    let (before, after) = if dofs1.start <= dofs2.start {
        ((dofs1, &opposite), (dofs2, direction))
    } else {
        ((dofs2, direction), (dofs1, &opposite))
    };
    let (front, back) = row.split_at_mut(before.0.len());
    for (row, (dofs, direction)) in [(front, before), (back, after)] {
        for (entry, motion) in row.iter_mut().zip(&cdof[dofs]) {
            *entry = linear(motion).dot(direction);
        }
    }
    true
}
