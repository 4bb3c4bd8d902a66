//! Vertices of flexes and the bounding boxes of their elements.

use super::cells::CellGrid;
use super::ranges::{element_vertices, node_range, vertex_range};
use super::scratch::FlexScratch;
use kinetree_math::Vec3;
use kinetree_math::lanes3::{load3, store3};
use kinetree_math::rot::mat3;
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};
use wide::f64x4;

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
        scratch.node_lanes.clear();
        scratch.node_lanes.extend(scratch.node.iter().map(|node| load3(node).to_array()));
        let grid = CellGrid::new(model, flex);
        let vertices = vertex_range(model, flex);
        let references = &model.flex_vert0[vertices.clone()];
        let vertices = &mut data.flexvert_xpos[vertices];
        if grid.order == 1 {
            grid.interpolate::<2>(&scratch.node_lanes, references, vertices);
        } else {
            grid.interpolate::<3>(&scratch.node_lanes, references, vertices);
        }
    }
}

/// Bounding boxes of elements, and of the trees over them.
pub(super) fn set_bounds(model: &Model, data: &mut Data) {
    for flex in 0..model.nflex {
        match model.flex_dim[flex] {
            1 => set_element_boxes::<2>(model, data, flex),
            2 => set_element_boxes::<3>(model, data, flex),
            _ => set_element_boxes::<4>(model, data, flex),
        }
        if !model.disabled(DisableBit::Midphase) {
            refit_tree(model, data, flex);
        }
    }
}

/// Bounding boxes of elements with `V` vertices.
fn set_element_boxes<const V: usize>(model: &Model, data: &mut Data, flex: usize) {
    let Data { flexvert_xpos, flexelem_aabb, .. } = data;
    let vertices = &flexvert_xpos[vertex_range(model, flex)];
    let radius = f64x4::splat(model.flex_radius[flex]);
    let boxes = &mut flexelem_aabb[model.flex_elemadr[flex] as usize..];
    for (aabb, element) in boxes.iter_mut().zip(element_vertices(model, flex).as_chunks::<V>().0) {
        let first = load3(&vertices[element[0] as usize]);
        let (mut low, mut high) = (first, first);
        for &v in &element[1..] {
            let vertex = load3(&vertices[v as usize]);
            (low, high) = (low.fast_min(vertex), high.fast_max(vertex));
        }
        *aabb = box_between(low, high, radius);
    }
}

/// Centre and half sizes of the box between two corners, grown by `reach`.
#[inline(always)]
fn box_between(low: f64x4, high: f64x4, reach: f64x4) -> [f64; 6] {
    let [x, y, z] = store3((high + low) * 0.5);
    let [a, b, c] = store3((high - low) * 0.5 + reach);
    [x, y, z, a, b, c]
}

/// Boxes of the nodes of a bounding tree, children before parents.
fn refit_tree(model: &Model, data: &mut Data, flex: usize) {
    let Ok(first) = usize::try_from(model.flex_bvhadr[flex]) else { return };
    let count = model.flex_bvhnum[flex] as usize;
    let Data { flexelem_aabb, bvh_aabb_dyn, .. } = data;
    let leaves = &flexelem_aabb[model.flex_elemadr[flex] as usize..];
    let boxes = &mut bvh_aabb_dyn[first - model.nbvhstatic..][..count];
    let (children, elements) = (&model.bvh_child[first..][..count], &model.bvh_nodeid[first..][..count]);
    for node in (0..count).rev() {
        boxes[node] = if let Ok(element) = usize::try_from(elements[node]) {
            leaves[element]
        } else {
            let [left, right] = children[node];
            union(&boxes[left as usize], &boxes[right as usize])
        };
    }
}

/// Smallest box around two, each given by centre and half sizes.
#[inline(always)]
fn union(a: &[f64; 6], b: &[f64; 6]) -> [f64; 6] {
    let parts = |b: &[f64; 6]| (load3(&[b[0], b[1], b[2]]), load3(&[b[3], b[4], b[5]]));
    let ((p, r), (q, s)) = (parts(a), parts(b));
    box_between((p - r).fast_min(q - s), (p + r).fast_max(q + s), f64x4::ZERO)
}
