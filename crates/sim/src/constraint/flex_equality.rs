//! Equality rows of flexes: lengths of edges, strains at vertices, and strains of cells.
//!
//! The strains of a cell are its modes of deformation, scaled by the root of their stiffness, times the
//! displacement of its nodes in the frame that rotates with the cell.

use super::rows::{RowBlock, RowScratch, add_block};
use crate::flex::cells::{CellGrid, MAX_NODES, deformation_gradient, inverse_rotation};
use crate::flex::{carried_point, edge_range, vertex_range};
use crate::kinematics::chain::{chain_dofs, for_each_chain_dof};
use crate::kinematics::jacobian::{offset_from_com, point_column};
use kinetree_math::Vec3;
use kinetree_math::rot::{quat_conj, quat_rotate};
use kinetree_model::{Data, Model};

/// A sparse row: its columns and entries.
type SparseRow<'a> = (&'a [i32], &'a [f64]);

/// Adds a row with the given inverse weight.
fn add_row(model: &Model, data: &mut Data, scratch: &mut RowScratch, eq: usize, pos: f64, weight: f64) {
    let before = data.nefc;
    add_block(model, data, scratch, &RowBlock::equality(eq, &[pos]));
    if data.nefc > before {
        scratch.flex_weights.rows.push(weight);
    } else {
        scratch.flex_weights.miscounted = true;
    }
}

fn set_row(scratch: &mut RowScratch, (columns, entries): SparseRow<'_>) {
    scratch.chain.clear();
    scratch.chain.extend_from_slice(columns);
    scratch.jac.clear();
    scratch.jac.extend_from_slice(entries);
}

/// One row for each edge that is not rigid.
pub(super) fn edge_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch, eq: usize) {
    let flex = model.eq_obj1id[eq] as usize;
    for edge in edge_range(model, flex).filter(|&edge| model.flexedge_rigid[edge] == 0) {
        let start = model.flexedge_J_rowadr[edge] as usize;
        let row = start..start + model.flexedge_J_rownnz[edge] as usize;
        set_row(scratch, (&model.flexedge_J_colind[row.clone()], &data.flexedge_J[row]));
        let pos = data.flexedge_length[edge] - model.flexedge_length0[edge];
        add_row(model, data, scratch, eq, pos, model.flexedge_invweight0[edge]);
    }
}

/// Two rows for each vertex.
pub(super) fn vertex_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch, eq: usize) {
    let flex = model.eq_obj1id[eq] as usize;
    for vertex in vertex_range(model, flex) {
        let body = model.flex_vertbodyid[vertex].max(0) as usize;
        for k in 0..2 {
            let start = model.flexvert_J_rowadr[vertex][k] as usize;
            let row = start..start + model.flexvert_J_rownnz[vertex][k] as usize;
            let columns = &model.flexvert_J_colind.as_flattened()[row.clone()];
            set_row(scratch, (columns, &data.flexvert_J.as_flattened()[row]));
            let pos = data.flexvert_length[vertex][k];
            add_row(model, data, scratch, eq, pos, model.body_invweight0[body][0]);
        }
    }
}

/// One row for each mode of deformation of a cell.
pub(super) fn cell_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch, eq: usize) {
    let flex = model.eq_obj1id[eq] as usize;
    if model.flex_interp[flex] == 0 || model.flex_nodenum[flex] == 0 {
        return;
    }
    let grid = CellGrid::new(model, flex);
    let Some([i, j, k]) = constrained_cell(model, &grid, eq) else { return };
    let first = model.flex_nodeadr[flex] as usize;
    let count = grid.nodes_per_cell();
    let (mut nodes, mut bodies) = ([0; MAX_NODES], [0; MAX_NODES]);
    let mut point = [[0.0; 3]; MAX_NODES];
    grid.for_each_node([i, j, k], |n, node| {
        nodes[n] = first + node;
        bodies[n] = model.flex_nodebodyid[first + node].max(0) as usize;
        point[n] = carried_point(data, bodies[n] as i32, &model.flex_node[first + node]);
    });
    let (nodes, bodies, point) = (&nodes[..count], &bodies[..count], &point[..count]);
    let weight = cell_weight(model, flex, &grid, [i, j, k]);
    let inverse = inverse_rotation(&deformation_gradient(point, &grid.gradients(&[0.5; 3])));
    let rotation = quat_conj(&inverse);

    scratch.flex_weights.miscounted = true;
    let mut chain = std::mem::take(&mut scratch.cell_chain);
    collect_chain(model, bodies, &mut chain);
    let dofs = 3 * count;
    let number = (i * grid.cells[1] + j) * grid.cells[2] + k;
    let stored = &model.flex_stiffness[model.flex_stiffnessadr[flex] as usize + number * dofs * dofs..];
    let modes = (stored[0] as usize).min((dofs * dofs - 1) / dofs);
    let mut columns = std::mem::take(&mut scratch.cell_columns);
    let (displacements, ends) = (&mut [Vec3::zeros(); MAX_NODES], &mut [0; MAX_NODES]);
    columns.clear();
    for n in 0..count {
        displacements[n] =
            quat_rotate(&inverse, &Vec3::from(point[n])) - Vec3::from(model.flex_node0[nodes[n]]);
        let offset = offset_from_com(model, data, &Vec3::from(point[n]), bodies[n]);
        for_each_chain_dof(model, bodies[n], &chain, |c, dof| {
            columns.push((c, point_column(&data.cdof[dof], &offset)));
        });
        ends[n] = columns.len();
    }
    for mode in stored[1..].chunks_exact(dofs).take(modes) {
        scratch.jac.clear();
        scratch.jac.resize(chain.len(), 0.0);
        let (mut strain, mut start) = (0.0, 0);
        for (n, shape) in mode.as_chunks::<3>().0.iter().enumerate() {
            strain += Vec3::from(*shape).dot(&displacements[n]);
            let direction = quat_rotate(&rotation, &Vec3::from(*shape));
            for (c, column) in &columns[start..ends[n]] {
                scratch.jac[*c] += column.dot(&direction);
            }
            start = ends[n];
        }
        scratch.chain.clone_from(&chain);
        add_row(model, data, scratch, eq, strain, weight);
    }
    scratch.cell_chain = chain;
    scratch.cell_columns = columns;
}

/// The cell of a strain equality; `None` where the grid has none.
pub(super) fn constrained_cell(model: &Model, grid: &CellGrid, eq: usize) -> Option<[usize; 3]> {
    let [i, j, k, ..] = model.eq_data[eq].map(|x| x as usize);
    (i < grid.cells[0] && j < grid.cells[1] && k < grid.cells[2]).then_some([i, j, k])
}

/// Inverse weight of the strains of a cell: the mean of its nodes' bodies.
pub(super) fn cell_weight(model: &Model, flex: usize, grid: &CellGrid, cell: [usize; 3]) -> f64 {
    let first = model.flex_nodeadr[flex] as usize;
    let mut sum = 0.0;
    grid.for_each_node(cell, |_, node| {
        let body = model.flex_nodebodyid[first + node].max(0) as usize;
        sum += model.body_invweight0[body][0];
    });
    sum / grid.nodes_per_cell() as f64
}

/// The dofs that move any of the bodies, in increasing order.
pub(super) fn collect_chain(model: &Model, bodies: &[usize], chain: &mut Vec<i32>) {
    chain.clear();
    for &body in bodies {
        chain.extend(chain_dofs(model, body).map(|dof| dof as i32));
    }
    chain.sort_unstable();
    chain.dedup();
}
