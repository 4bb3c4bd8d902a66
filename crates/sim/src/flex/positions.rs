//! Vertices of flexes and the bounding boxes of their elements.

use super::cells::CellGrid;
use super::{FlexScratch, element_vertices, node_range, vertex_range};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

/// World position of a point at `offset` in the frame of a body.
#[inline]
pub(crate) fn carried_point(data: &Data, body: i32, offset: &[f64; 3]) -> [f64; 3] {
    let body = body.max(0) as usize;
    if *offset == [0.0; 3] {
        return data.xpos[body];
    }
    (mat3(&data.xmat[body]) * Vec3::from(*offset) + Vec3::from(data.xpos[body])).into()
}

/// World positions of the nodes of an interpolated flex.
pub(crate) fn gather_nodes(model: &Model, data: &Data, flex: usize, nodes: &mut Vec<[f64; 3]>) {
    nodes.clear();
    nodes.extend(
        node_range(model, flex).map(|i| carried_point(data, model.flex_nodebodyid[i], &model.flex_node[i])),
    );
}

/// World positions of all vertices.
pub(super) fn set_vertices(model: &Model, data: &mut Data, scratch: &mut FlexScratch) {
    for flex in 0..model.nflex {
        if model.flex_interp[flex] == 0 {
            for i in vertex_range(model, flex) {
                data.flexvert_xpos[i] = carried_point(data, model.flex_vertbodyid[i], &model.flex_vert[i]);
            }
            continue;
        }
        gather_nodes(model, data, flex, &mut scratch.node);
        let grid = CellGrid::new(model, flex);
        for i in vertex_range(model, flex) {
            let (cell, local) = grid.locate(&model.flex_vert0[i]);
            let weights = grid.weights(&local);
            let mut point = [0.0; 3];
            grid.for_each_node(cell, |k, node| {
                for axis in 0..3 {
                    point[axis] += scratch.node[node][axis] * weights[k];
                }
            });
            data.flexvert_xpos[i] = point;
        }
    }
}

/// Bounding boxes of elements, and of the trees over them.
pub(super) fn set_bounds(model: &Model, data: &mut Data) {
    for flex in 0..model.nflex {
        let vertices = &data.flexvert_xpos[vertex_range(model, flex)];
        let radius = model.flex_radius[flex];
        let corners = model.flex_dim[flex] as usize + 1;
        let boxes = &mut data.flexelem_aabb[model.flex_elemadr[flex] as usize..];
        for (aabb, element) in boxes.iter_mut().zip(element_vertices(model, flex).chunks_exact(corners)) {
            let first = vertices[element[0] as usize];
            let (mut low, mut high) = (first, first);
            for &v in &element[1..] {
                for k in 0..3 {
                    low[k] = low[k].min(vertices[v as usize][k]);
                    high[k] = high[k].max(vertices[v as usize][k]);
                }
            }
            for k in 0..3 {
                aabb[k] = 0.5 * (high[k] + low[k]);
                aabb[3 + k] = 0.5 * (high[k] - low[k]) + radius;
            }
        }
        if !model.disabled(DisableBit::Midphase) {
            refit_tree(model, data, flex);
        }
    }
}

/// Boxes of the nodes of a bounding tree, children before parents.
fn refit_tree(model: &Model, data: &mut Data, flex: usize) {
    let Ok(first) = usize::try_from(model.flex_bvhadr[flex]) else { return };
    let shift = model.nbvhstatic;
    let elements = model.flex_elemadr[flex] as usize;
    for node in (first..first + model.flex_bvhnum[flex] as usize).rev() {
        let aabb = if let Ok(element) = usize::try_from(model.bvh_nodeid[node]) {
            data.flexelem_aabb[elements + element]
        } else {
            let child = |c: i32| &data.bvh_aabb_dyn[first - shift + c as usize];
            union(child(model.bvh_child[node][0]), child(model.bvh_child[node][1]))
        };
        data.bvh_aabb_dyn[node - shift] = aabb;
    }
}

/// Smallest box around two, each given by centre and half sizes.
fn union(a: &[f64; 6], b: &[f64; 6]) -> [f64; 6] {
    let mut out = [0.0; 6];
    for k in 0..3 {
        let low = (a[k] - a[k + 3]).min(b[k] - b[k + 3]);
        let high = (a[k] + a[k + 3]).max(b[k] + b[k + 3]);
        out[k] = 0.5 * (high + low);
        out[k + 3] = 0.5 * (high - low);
    }
    out
}
