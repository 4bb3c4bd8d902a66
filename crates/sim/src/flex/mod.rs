//! Flexes: deformable lines, surfaces and solids whose vertices are carried by bodies.
//!
//! The position stage finds vertices, bounding boxes, lengths of edges and strains at vertices with their
//! Jacobians; the velocity stage elastic forces. What the constraint solver and collisions do with flexes is
//! with these.

pub(crate) mod cells;
pub(crate) mod contact_bodies;
mod edges;
pub(crate) mod elasticity;
pub(crate) mod passive_contact;
mod positions;
mod ranges;
mod scratch;
mod vertex_strain;

pub(crate) use positions::{carried_point, gather_nodes};
pub(crate) use ranges::{edge_range, element_vertices, has_vertex_strains, node_range, vertex_range};
pub(crate) use scratch::FlexScratch;
pub(crate) use vertex_strain::rest_edge;

use kinetree_math::sparse::{Csr, Pattern, mul_mat_vec};
use kinetree_model::{Data, Model};

/// Which edges are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edges {
    /// Those of flexes that are not rigid.
    Deformable,
    /// All.
    All,
}

/// Computes everything about flexes that follows from positions: vertices, bounding boxes, lengths, strains.
pub(crate) fn mj_flex(model: &Model, data: &mut Data, scratch: &mut FlexScratch) {
    flex_positions(model, data, scratch, Edges::Deformable);
}

/// As [`mj_flex`], with a choice of the edges to measure.
pub(crate) fn flex_positions(model: &Model, data: &mut Data, scratch: &mut FlexScratch, edges: Edges) {
    if model.nflex == 0 {
        return;
    }
    positions::set_vertices(model, data, scratch);
    positions::set_bounds(model, data);
    data.flexedge_J.fill(0.0);
    data.flexvert_J.fill([0.0; 2]);
    for flex in 0..model.nflex {
        let deformable = model.flex_rigid[flex] == 0 || edges == Edges::All;
        if !deformable || model.flex_interp[flex] != 0 {
            continue;
        }
        edges::set_lengths(model, data, flex);
        if has_vertex_strains(model, flex) {
            vertex_strain::set_strains(model, data, flex, &mut scratch.rows);
        }
    }
}

/// Velocities of edges.
pub(crate) fn set_edge_velocities(model: &Model, data: &mut Data) {
    for flex in 0..model.nflex {
        let edges = edge_range(model, flex);
        let velocity = &mut data.flexedge_velocity[edges.clone()];
        if model.flex_interp[flex] != 0 {
            // nodes move the vertices: the rows of these edges are empty
            velocity.fill(0.0);
            continue;
        }
        let (count, start) = (&model.flexedge_J_rownnz[edges.clone()], &model.flexedge_J_rowadr[edges]);
        let pattern = Pattern::new(count, start, &model.flexedge_J_colind);
        mul_mat_vec(velocity, Csr::new(pattern, &data.flexedge_J), &data.qvel);
    }
}
