//! Where the parts of a flex are in the arrays of all flexes.

use kinetree_model::Model;
use std::ops::Range;

/// Vertices of a flex in the arrays of all flexes.
#[inline]
pub(crate) fn vertex_range(model: &Model, flex: usize) -> Range<usize> {
    let start = model.flex_vertadr[flex] as usize;
    start..start + model.flex_vertnum[flex] as usize
}

/// Nodes of a flex in the arrays of all flexes.
pub(crate) fn node_range(model: &Model, flex: usize) -> Range<usize> {
    let start = model.flex_nodeadr[flex] as usize;
    start..start + model.flex_nodenum[flex] as usize
}

/// Edges of a flex in the arrays of all flexes.
#[inline]
pub(crate) fn edge_range(model: &Model, flex: usize) -> Range<usize> {
    let start = model.flex_edgeadr[flex] as usize;
    start..start + model.flex_edgenum[flex] as usize
}

/// Vertices of the elements of a flex, `dim + 1` each.
#[inline]
pub(crate) fn element_vertices(model: &Model, flex: usize) -> &[i32] {
    let start = model.flex_elemdataadr[flex] as usize;
    &model.flex_elem[start..start + model.flex_elemnum[flex] as usize * (model.flex_dim[flex] as usize + 1)]
}

/// Whether the strains at the vertices of a surface are constrained.
pub(crate) fn has_vertex_strains(model: &Model, flex: usize) -> bool {
    model.flex_dim[flex] == 2 && model.flex_edgeequality[flex] == 2
}
