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
mod vertex_strain;

pub(crate) use positions::{carried_point, gather_nodes};
pub(crate) use vertex_strain::rest_edge;

use kinetree_math::lanes::Lane;
use kinetree_math::sparse::{Csr, Pattern, mul_mat_vec};
use kinetree_model::{Data, Model};

/// Working memory of the stages of flexes.
#[derive(Default)]
pub(crate) struct FlexScratch {
    /// Positions of the nodes of an interpolated flex.
    pub node: Vec<[f64; 3]>,
    /// The same in lanes.
    pub node_lanes: Vec<Lane>,
    /// Velocities of the nodes.
    pub node_velocity: Vec<[f64; 3]>,
    /// Forces at vertices or nodes: of springs and of dampers.
    pub force: [Vec<[f64; 3]>; 2],
    /// Changes of the squared lengths of edges.
    pub elongation: Vec<f64>,
    /// Nodes of a cell.
    pub cell: cells::CellScratch,
    /// Bodies of a passive contact.
    pub contact_bodies: contact_bodies::ContactBodies,
    /// Two rows of a Jacobian over all dofs.
    pub rows: [Vec<f64>; 2],
}

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

/// Whether the strains at the vertices of a surface are constrained.
pub(crate) fn has_vertex_strains(model: &Model, flex: usize) -> bool {
    model.flex_dim[flex] == 2 && model.flex_edgeequality[flex] == 2
}

/// Vertices of a flex in the arrays of all flexes.
#[inline]
pub(crate) fn vertex_range(model: &Model, flex: usize) -> std::ops::Range<usize> {
    let start = model.flex_vertadr[flex] as usize;
    start..start + model.flex_vertnum[flex] as usize
}

/// Nodes of a flex in the arrays of all flexes.
pub(crate) fn node_range(model: &Model, flex: usize) -> std::ops::Range<usize> {
    let start = model.flex_nodeadr[flex] as usize;
    start..start + model.flex_nodenum[flex] as usize
}

/// Edges of a flex in the arrays of all flexes.
#[inline]
pub(crate) fn edge_range(model: &Model, flex: usize) -> std::ops::Range<usize> {
    let start = model.flex_edgeadr[flex] as usize;
    start..start + model.flex_edgenum[flex] as usize
}

/// Vertices of the elements of a flex, `dim + 1` each.
#[inline]
pub(crate) fn element_vertices(model: &Model, flex: usize) -> &[i32] {
    let start = model.flex_elemdataadr[flex] as usize;
    &model.flex_elem[start..start + model.flex_elemnum[flex] as usize * (model.flex_dim[flex] as usize + 1)]
}
