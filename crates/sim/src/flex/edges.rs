//! Lengths of edges and their Jacobians.

use super::edge_range;
use crate::kinematics::chain_jacobian::for_each_difference_column;
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::{Data, Model};

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
