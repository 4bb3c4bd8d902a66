//! Constants of flexes: patterns of their Jacobians, the metric of constrained surfaces, the bandwidth of
//! interpolated ones, and lengths and weights of edges in the reference pose.

use kinetree_math::MINVAL;
use kinetree_math::Vec3;
use kinetree_math::rot::{mat3, normalize3, quat_to_rows, quat_z_to_vec};
use kinetree_model::{Data, Model};

use super::SetConstError;
use crate::flex::{edge_range, element_vertices, has_vertex_strains, node_range, rest_edge, vertex_range};
use crate::kinematics::chain::{body_chain, merge_chain};

/// Sets what needs no pose.
pub(super) fn set_fixed(model: &mut Model) -> Result<(), SetConstError> {
    if model.nflex == 0 {
        return Ok(());
    }
    set_edge_pattern(model)?;
    set_vertex_edges(model)?;
    set_metrics(model)?;
    set_vertex_pattern(model)?;
    set_bandwidth(model);
    (0..model.nflex).for_each(|flex| align_with_plane(model, flex));
    Ok(())
}

/// Body of a vertex.
fn body_of(model: &Model, vertex: usize) -> usize {
    model.flex_vertbodyid[vertex].max(0) as usize
}

/// Columns of the edge Jacobian: all dofs above both ends, where something depends on lengths. A model that
/// was changed so that more edges count has no room for them.
fn set_edge_pattern(model: &mut Model) -> Result<(), SetConstError> {
    let mut rows = vec![[0; 2]; model.flexedge_J_rowadr.len()];
    let (mut chain, mut columns) = (Vec::new(), Vec::new());
    for flex in 0..model.nflex {
        let unused = model.flex_edgeequality[flex] == 0
            && model.flex_edgedamping[flex] == 0.0
            && model.flex_edgestiffness[flex] == 0.0
            && model.flex_damping[flex] == 0.0;
        if unused || model.flex_rigid[flex] != 0 || model.flex_interp[flex] != 0 {
            continue;
        }
        let first = model.flex_vertadr[flex] as usize;
        for edge in edge_range(model, flex) {
            let [b1, b2] = model.flex_edge[edge].map(|v| body_of(model, first + v as usize));
            merge_chain(model, b1, b2, false, &mut chain);
            rows[edge] = [columns.len() as i32, chain.len() as i32];
            columns.extend_from_slice(&chain);
        }
        if columns.len() > model.flexedge_J_colind.len() {
            return Err(SetConstError::FlexDofs { flex });
        }
    }
    for (edge, [address, count]) in rows.into_iter().enumerate() {
        (model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]) = (address, count);
    }
    model.flexedge_J_colind[..columns.len()].copy_from_slice(&columns);
    Ok(())
}

/// Flexes whose vertices have constrained strains.
fn strained(model: &Model) -> Vec<usize> {
    let deformable = |flex: usize| model.flex_rigid[flex] == 0 && model.flex_interp[flex] == 0;
    (0..model.nflex).filter(|&flex| has_vertex_strains(model, flex) && deformable(flex)).collect()
}

/// Edges around each vertex of constrained surfaces.
fn set_vertex_edges(model: &mut Model) -> Result<(), SetConstError> {
    let strained = strained(model);
    let mut counts = vec![0; model.flex_vertedgenum.len()];
    for &flex in &strained {
        for edge in edge_range(model, flex) {
            for v in model.flex_edge[edge] {
                counts[model.flex_vertadr[flex] as usize + v as usize] += 1;
            }
        }
    }
    // fields that were changed may give two flexes the same vertices
    let mut room = 2 * model.flex_vertedge.len();
    for &flex in &strained {
        let needed: usize = vertex_range(model, flex).map(|vertex| counts[vertex] as usize).sum();
        room = room.checked_sub(needed).ok_or(SetConstError::FlexDofs { flex })?;
    }
    model.flex_vertedgeadr.fill(0);
    model.flex_vertedgenum.copy_from_slice(&counts);
    model.flex_vertedge.fill([0; 2]);
    let mut address = 0;
    for flex in strained {
        let (first, edges) = (model.flex_vertadr[flex] as usize, edge_range(model, flex));
        for vertex in vertex_range(model, flex) {
            model.flex_vertedgeadr[vertex] = address;
            address += model.flex_vertedgenum[vertex];
        }
        let mut next = model.flex_vertedgeadr.to_vec();
        for (local, edge) in edges.enumerate() {
            for v in model.flex_edge[edge] {
                let slot = &mut next[first + v as usize];
                model.flex_vertedge.as_flattened_mut()[*slot as usize] = local as i32;
                *slot += 1;
            }
        }
    }
    Ok(())
}

/// Edges around a vertex, in the arrays of all flexes.
fn edges_of(model: &Model, flex: usize, vertex: usize) -> impl Iterator<Item = usize> + '_ {
    let start = model.flex_vertedgeadr[vertex] as usize;
    let edges = &model.flex_vertedge.as_flattened()[start..start + model.flex_vertedgenum[vertex] as usize];
    edges.iter().map(move |&edge| model.flex_edgeadr[flex] as usize + edge as usize)
}

/// Inverse of `Σ m e eᵀ` over the edges at each vertex, with the masses of the vertices at their other ends.
fn set_metrics(model: &mut Model) -> Result<(), SetConstError> {
    model.flex_vertmetric.fill([0.0; 4]);
    for flex in strained(model) {
        let first = model.flex_vertadr[flex] as usize;
        for vertex in vertex_range(model, flex) {
            let mut sum = [0.0; 4];
            for edge in edges_of(model, flex, vertex) {
                let ends = model.flex_edge[edge].map(|v| first + v as usize);
                let rest = rest_edge(model, flex, ends);
                if rest[2].abs() > MINVAL {
                    return Err(SetConstError::NotPlanar { flex });
                }
                let other = if ends[0] == vertex { ends[1] } else { ends[0] };
                let weight = usize::try_from(model.flex_vertbodyid[other])
                    .map_or(1.0, |body| model.body_mass[body].max(MINVAL));
                for (k, entry) in sum.iter_mut().enumerate() {
                    *entry += weight * rest[k / 2] * rest[k % 2];
                }
            }
            let determinant = sum[0] * sum[3] - sum[1] * sum[2];
            if determinant.abs() >= MINVAL {
                let inverse = 1.0 / determinant;
                model.flex_vertmetric[vertex] =
                    [sum[3] * inverse, -sum[1] * inverse, -sum[2] * inverse, sum[0] * inverse];
            }
        }
    }
    Ok(())
}

/// Columns of the Jacobian of strains: all dofs above the edges of a vertex, the same for both rows.
fn set_vertex_pattern(model: &mut Model) -> Result<(), SetConstError> {
    let vertices = model.flexvert_J_rowadr.len();
    let (mut addresses, mut counts) = (vec![[0; 2]; vertices], vec![[0; 2]; vertices]);
    let (mut chain, mut all): (_, Vec<i32>) = (Vec::new(), Vec::new());
    for flex in strained(model) {
        let first = model.flex_vertadr[flex] as usize;
        for vertex in vertex_range(model, flex) {
            let mut columns: Vec<i32> = Vec::new();
            for edge in edges_of(model, flex, vertex) {
                let [b1, b2] = model.flex_edge[edge].map(|v| body_of(model, first + v as usize));
                merge_chain(model, b1, b2, false, &mut chain);
                columns.extend(&chain);
            }
            columns.sort_unstable();
            columns.dedup();
            counts[vertex] = [columns.len() as i32; 2];
            addresses[vertex] = [all.len() as i32, (all.len() + columns.len()) as i32];
            all.extend_from_slice(&columns);
            all.extend_from_slice(&columns);
        }
        if all.len() > model.flexvert_J_colind.as_flattened().len() {
            return Err(SetConstError::FlexDofs { flex });
        }
        // the row behind the last, of whatever flex, tells where that ends
        let behind = vertex_range(model, flex).end;
        if let Some(next) = addresses.get_mut(behind) {
            next[0] = all.len() as i32;
        }
    }
    model.flexvert_J_rowadr.copy_from_slice(&addresses);
    model.flexvert_J_rownnz.copy_from_slice(&counts);
    model.flexvert_J_colind.as_flattened_mut()[..all.len()].copy_from_slice(&all);
    Ok(())
}

/// Bandwidth of the stiffness of all interpolated flexes together, over the dofs of their nodes in the order
/// in which these are met.
fn set_bandwidth(model: &mut Model) {
    let mut index = vec![-1i64; model.nv];
    let (mut dofs, mut chain) = (Vec::new(), Vec::new());
    for flex in (0..model.nflex).filter(|&flex| model.flex_interp[flex] != 0) {
        for node in node_range(model, flex) {
            let body = model.flex_nodebodyid[node].max(0) as usize;
            if model.body_dofnum[body] == 0 {
                body_chain(model, body, &mut chain);
            } else {
                chain.clear();
                chain.extend(model.body_dofadr[body]..model.body_dofadr[body] + model.body_dofnum[body]);
            }
            for &dof in &chain {
                if index[dof as usize] < 0 {
                    index[dof as usize] = dofs.len() as i64;
                    dofs.push(dof as usize);
                }
            }
        }
    }
    let bandwidth = matrix_bandwidth(model, &dofs, &index).max(cell_bandwidth(model, &index));
    model.flex_bandwidth.fill(bandwidth as i32);
}

/// Distance of coupled dofs in the inertia matrix and in the derivatives of forces.
fn matrix_bandwidth(model: &Model, dofs: &[usize], index: &[i64]) -> i64 {
    let mut bandwidth = 0;
    let patterns = [
        (&model.D_rownnz[..], &model.D_rowadr[..], &model.D_colind[..]),
        (&model.M_rownnz[..], &model.M_rowadr[..], &model.M_colind[..]),
    ];
    for (rownnz, rowadr, colind) in patterns {
        for (i, &row) in dofs.iter().enumerate() {
            let start = rowadr[row] as usize;
            for &column in &colind[start..start + rownnz[row] as usize] {
                let j = index[column as usize];
                if j >= 0 {
                    bandwidth = bandwidth.max((i as i64 - j).abs());
                }
            }
        }
    }
    bandwidth
}

/// Distance of dofs that share a cell.
fn cell_bandwidth(model: &Model, index: &[i64]) -> i64 {
    let mut bandwidth = 0;
    let mut chain = Vec::new();
    for flex in (0..model.nflex).filter(|&flex| model.flex_interp[flex] != 0) {
        let grid = crate::flex::cells::CellGrid::new(model, flex);
        let first = model.flex_nodeadr[flex] as usize;
        for cell in grid.all() {
            let (mut low, mut high) = (i64::MAX, -1);
            grid.for_each_node(cell, |_, node| {
                if node < model.flex_nodenum[flex] as usize {
                    body_chain(model, model.flex_nodebodyid[first + node].max(0) as usize, &mut chain);
                    for at in chain.iter().map(|&dof| index[dof as usize]).filter(|&at| at >= 0) {
                        low = low.min(at);
                        high = high.max(at);
                    }
                }
            });
            if high >= 0 {
                bandwidth = bandwidth.max(high - low);
            }
        }
    }
    bandwidth
}

/// Rotates the vertices of a constrained surface so that its first triangle is normal to the z axis.
fn align_with_plane(model: &mut Model, flex: usize) {
    if !has_vertex_strains(model, flex) {
        return;
    }
    let range = vertex_range(model, flex);
    let corner = |i: usize| {
        element_vertices(model, flex).get(i).map(|&v| Vec3::from(model.flex_vert0[range.start + v as usize]))
    };
    let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { return };
    let mut normal = (b - a).cross(&(c - a));
    normalize3(&mut normal);
    let rotation = mat3(&quat_to_rows(&quat_z_to_vec(&normal))).transpose();
    for vertex in range {
        model.flex_vert0[vertex] = (rotation * Vec3::from(model.flex_vert0[vertex])).into();
    }
}

/// Sets lengths and weights of edges in the reference pose, in which the data is. `weight` computes
/// `jᵀ M⁻¹ j` of a sparse row.
pub(super) fn set_reference(
    model: &mut Model,
    data: &Data,
    mut weight: impl FnMut(&Model, &[i32], &[f64]) -> f64,
) {
    model.flexedge_length0.copy_from_slice(&data.flexedge_length);
    for flex in (0..model.nflex).filter(|&flex| model.flex_interp[flex] == 0) {
        let first = model.flex_vertadr[flex] as usize;
        for edge in edge_range(model, flex) {
            let bodies = model.flex_edge[edge].map(|v| body_of(model, first + v as usize));
            model.flexedge_invweight0[edge] = if model.nv == 0 || model.flexedge_rigid[edge] != 0 {
                0.0
            } else if bodies.iter().all(|&body| model.body_simple[body] == 2) {
                let [m1, m2] = bodies.map(|body| model.body_mass[body]);
                (1.0 / m1 + 1.0 / m2) / 2.0
            } else {
                let start = model.flexedge_J_rowadr[edge] as usize;
                let range = start..start + model.flexedge_J_rownnz[edge] as usize;
                weight(model, &model.flexedge_J_colind[range.clone()], &data.flexedge_J[range])
            };
        }
    }
}
