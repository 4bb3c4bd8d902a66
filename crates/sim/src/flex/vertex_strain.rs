//! Strains at the vertices of a surface: two invariants of the Cauchy–Green tensor of the deformation that
//! fits the edges around a vertex best, with their Jacobians (Chen, Kry and Vouga, "Locking-free simulation
//! of isometric thin plates", 2019). Both are scaled by the root of the mass of the vertex.

use super::ranges::vertex_range;
use crate::kinematics::chain::chain_dofs;
use crate::kinematics::jacobian::{offset_from_com, point_column};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::{Data, Model};
use nalgebra::{Matrix2, Matrix3x2, Vector2};

/// An edge at a vertex.
struct Spoke {
    /// Its ends among all vertices.
    ends: [usize; 2],
    /// Its vector at rest, in the plane of the surface.
    rest: Vector2<f64>,
    /// Mass of the vertex at its other end.
    weight: f64,
}

/// Calls `visit` with each edge at a vertex; `vertex` counts from the first of the flex.
fn for_each_spoke(model: &Model, flex: usize, vertex: usize, mut visit: impl FnMut(&Spoke)) {
    let first = model.flex_vertadr[flex] as usize;
    let start = model.flex_vertedgeadr[first + vertex] as usize;
    let edges = model.flex_vertedge.as_flattened();
    for &edge in &edges[start..start + model.flex_vertedgenum[first + vertex] as usize] {
        let ends = model.flex_edge[model.flex_edgeadr[flex] as usize + edge as usize].map(|v| v as usize);
        let other = if vertex == ends[0] { ends[1] } else { ends[0] };
        let ends = ends.map(|v| first + v);
        let weight = usize::try_from(model.flex_vertbodyid[first + other])
            .map_or(1.0, |body| model.body_mass[body].max(MINVAL));
        let rest = rest_edge(model, flex, ends);
        visit(&Spoke { ends, rest: Vector2::new(rest[0], rest[1]), weight });
    }
}

/// Vector of an edge at rest; its ends count among all vertices.
pub(crate) fn rest_edge(model: &Model, flex: usize, [from, to]: [usize; 2]) -> [f64; 3] {
    let size = model.flex_size[flex];
    std::array::from_fn(|k| (model.flex_vert0[to][k] - model.flex_vert0[from][k]) * (2.0 * size[k]))
}

/// Sets the strains at the vertices of a flex and their Jacobians.
pub(super) fn set_strains(model: &Model, data: &mut Data, flex: usize, rows: &mut [Vec<f64>; 2]) {
    rows.iter_mut().for_each(|row| row.resize(model.nv, 0.0));
    for (local, vertex) in vertex_range(model, flex).enumerate() {
        let [a, b, c, d] = model.flex_vertmetric[vertex];
        let metric = Matrix2::new(a, b, c, d);
        let mut sum = Matrix3x2::zeros();
        for_each_spoke(model, flex, local, |spoke| {
            let [from, to] = spoke.ends.map(|v| Vec3::from(data.flexvert_xpos[v]));
            sum += (to - from) * spoke.rest.transpose() * spoke.weight;
        });
        let deformation = sum * metric;
        let cauchy = deformation.transpose() * deformation;
        let scale = usize::try_from(model.flex_vertbodyid[vertex])
            .ok()
            .map(|body| model.body_mass[body])
            .filter(|&mass| mass > MINVAL)
            .map_or(1.0, f64::sqrt);
        data.flexvert_length[vertex] = [(cauchy.trace() - 2.0) * scale, (cauchy.determinant() - 1.0) * scale];

        let adjugate = Matrix2::new(cauchy.m22, -cauchy.m12, -cauchy.m21, cauchy.m11);
        let derivatives = [deformation * metric, deformation * adjugate * metric];
        for_each_spoke(model, flex, local, |spoke| {
            let gradients = derivatives.map(|derivative| derivative * spoke.rest * (2.0 * spoke.weight));
            for (end, sign) in spoke.ends.into_iter().zip([-1.0, 1.0]) {
                add_columns(model, data, end, &gradients.map(|g| g * sign), rows);
            }
        });
        store_rows(model, data, vertex, scale, rows);
    }
}

/// Adds the derivatives of both strains with respect to the dofs that move a vertex.
fn add_columns(model: &Model, data: &Data, vertex: usize, gradients: &[Vec3; 2], rows: &mut [Vec<f64>; 2]) {
    let body = model.flex_vertbodyid[vertex].max(0) as usize;
    let offset = offset_from_com(model, data, &Vec3::from(data.flexvert_xpos[vertex]), body);
    for dof in chain_dofs(model, body) {
        let column = point_column(&data.cdof[dof], &offset);
        rows[0][dof] += column.dot(&gradients[0]);
        rows[1][dof] += column.dot(&gradients[1]);
    }
}

/// Moves both rows to the sparse Jacobian and clears them.
fn store_rows(model: &Model, data: &mut Data, vertex: usize, scale: f64, rows: &mut [Vec<f64>; 2]) {
    let (columns, values) = (model.flexvert_J_colind.as_flattened(), data.flexvert_J.as_flattened_mut());
    for (k, row) in rows.iter_mut().enumerate() {
        let start = model.flexvert_J_rowadr[vertex][k] as usize;
        let range = start..start + model.flexvert_J_rownnz[vertex][k] as usize;
        for (value, &column) in values[range.clone()].iter_mut().zip(&columns[range]) {
            *value = row[column as usize] * scale;
            row[column as usize] = 0.0;
        }
    }
}
