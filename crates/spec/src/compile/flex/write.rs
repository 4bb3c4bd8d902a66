//! Concatenation of compiled flexes into the arrays of the model.

use kinetree_model::Model;
use kinetree_model::enums::EqType;

use super::super::draft::Draft;
use super::super::mesh_arrays::{optional, put};
use super::draft::{ELEMENT_EDGES, FlexDraft};

/// Where the next flex begins in each array.
#[derive(Default)]
struct Cursor {
    node: usize,
    vert: usize,
    edge: usize,
    elem: usize,
    elemdata: usize,
    elemedge: usize,
    shell: usize,
    elem_vert: usize,
    texcoord: usize,
    cell_number: usize,
    bvh: usize,
}

/// Fills the arrays of flexes; their boxes follow those of meshes, which end at `bvh_start`.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model, bvh_start: usize) {
    let mut at = Cursor { bvh: bvh_start, cell_number: 21 * model.nflexelem, ..Cursor::default() };
    for (f, flex) in draft.flexes.iter().enumerate() {
        write_contact(model, f, flex);
        write_look(draft, model, f, flex, &at);
        write_mesh(draft, model, f, flex, &at);
        write_bodies(draft, model, f, flex, &at);
        write_elasticity(model, f, flex, &at);
        model.flex_edgeequality[f] = equality_kind(draft, &flex.src.name);

        at.node += flex.node_body.len();
        at.vert += flex.nvert;
        at.edge += flex.topology.edges.len();
        at.elem += flex.elements();
        at.elemdata += flex.elem.len();
        at.elemedge += flex.elements() * ELEMENT_EDGES[flex.dim - 1];
        at.shell += flex.topology.shell.len();
        at.elem_vert += flex.topology.elem_vert.len();
        at.texcoord += texcoords(draft, flex).len();
        at.cell_number += flex.cell_numbers();
        at.bvh += flex.tree.len();
    }
}

/// Kind of the first constraint of the flex: 1 edges, 2 vertices, 3 strains; 0 none.
fn equality_kind(draft: &Draft<'_>, name: &str) -> i32 {
    let kind = |r#type: EqType| match r#type {
        EqType::Flex => Some(1),
        EqType::Flexvert => Some(2),
        EqType::Flexstrain => Some(3),
        _ => None,
    };
    let own = draft.equalities.iter().filter(|equality| equality.src.name1 == name);
    own.into_iter().find_map(|equality| kind(equality.src.r#type)).unwrap_or(0)
}

fn texcoords<'a>(draft: &Draft<'_>, flex: &'a FlexDraft<'_>) -> &'a [[f32; 2]] {
    if draft.drops_visuals() { &[] } else { flex.src.texcoord.as_chunks().0 }
}

fn write_contact(model: &mut Model, f: usize, flex: &FlexDraft<'_>) {
    let src = flex.src;
    model.flex_contype[f] = src.contype;
    model.flex_conaffinity[f] = src.conaffinity;
    model.flex_condim[f] = src.condim;
    model.flex_priority[f] = src.priority;
    model.flex_solmix[f] = src.solmix;
    model.flex_solref[f] = src.solref;
    model.flex_solimp[f] = src.solimp;
    model.flex_friction[f] = src.friction;
    model.flex_margin[f] = src.margin;
    model.flex_gap[f] = src.gap;
    model.flex_internal[f] = u8::from(src.internal);
    model.flex_selfcollide[f] = src.selfcollide as i32;
    model.flex_activelayers[f] = src.activelayers;
    model.flex_passive[f] = i32::from(src.passive);
}

fn write_look(draft: &Draft<'_>, model: &mut Model, f: usize, flex: &FlexDraft<'_>, at: &Cursor) {
    let src = flex.src;
    model.flex_matid[f] = flex.material.map_or(-1, |material| material as i32);
    model.flex_group[f] = src.group;
    model.flex_rgba[f] = src.rgba;
    model.flex_flatskin[f] = u8::from(src.flatskin);
    let coordinates = texcoords(draft, flex);
    model.flex_texcoordadr[f] = optional(!coordinates.is_empty(), at.texcoord);
    put(&mut model.flex_texcoord, at.texcoord, coordinates);
    put(&mut model.flex_elemtexcoord, at.elemdata, &flex.elemtexcoord);
}

fn write_mesh(draft: &Draft<'_>, model: &mut Model, f: usize, flex: &FlexDraft<'_>, at: &Cursor) {
    let topology = &flex.topology;
    model.flex_dim[f] = flex.src.dim;
    model.flex_radius[f] = flex.src.radius;
    model.flex_size[f] = flex.size;
    model.flex_vertadr[f] = at.vert as i32;
    model.flex_vertnum[f] = flex.nvert as i32;
    model.flex_edgeadr[f] = at.edge as i32;
    model.flex_edgenum[f] = topology.edges.len() as i32;
    model.flex_elemadr[f] = at.elem as i32;
    model.flex_elemnum[f] = flex.elements() as i32;
    model.flex_elemdataadr[f] = at.elemdata as i32;
    model.flex_elemedgeadr[f] = at.elemedge as i32;
    model.flex_shellnum[f] = (topology.shell.len() / flex.dim) as i32;
    model.flex_shelldataadr[f] = optional(!topology.shell.is_empty(), at.shell);
    model.flex_evpairnum[f] = topology.elem_vert.len() as i32;
    model.flex_evpairadr[f] = optional(!topology.elem_vert.is_empty(), at.elem_vert);
    model.flex_bvhnum[f] = flex.tree.len() as i32;
    model.flex_bvhadr[f] = optional(!flex.tree.is_empty(), at.bvh);
    put(&mut model.flex_elem, at.elemdata, &flex.elem);
    put(&mut model.flex_elemedge, at.elemedge, &topology.elem_edges);
    put(&mut model.flex_elemlayer, at.elem, &topology.layer);
    put(&mut model.flex_shell, at.shell, &topology.shell);
    put(&mut model.flex_evpair, at.elem_vert, &topology.elem_vert);
    put(&mut model.flex_edge, at.edge, &topology.edges);
    put(&mut model.bvh_child, at.bvh, &flex.tree.child);
    put(&mut model.bvh_depth, at.bvh, &flex.tree.depth);
    put(&mut model.bvh_nodeid, at.bvh, &flex.tree.nodeid);
    let bends = flex.dim == 2 && matches!(flex.src.elastic2d, 1 | 3);
    for (e, &[a, b]) in topology.edges.iter().enumerate() {
        model.flex_edgeflap[at.edge + e] =
            if bends { [topology.flaps[e][2], topology.flaps[e][3]] } else { [-1; 2] };
        let weld = |v: i32| flex.body_of(v as usize).map(|body| draft.bodies[body].weld);
        let rigid = flex.rigid || (!flex.interpolated() && weld(a) == weld(b));
        model.flexedge_rigid[at.edge + e] = u8::from(rigid);
    }
}

fn write_bodies(draft: &Draft<'_>, model: &mut Model, f: usize, flex: &FlexDraft<'_>, at: &Cursor) {
    debug_assert!(flex.node_body.iter().all(|&body| body < draft.bodies.len()));
    model.flex_rigid[f] = u8::from(flex.rigid);
    model.flex_centered[f] = u8::from(flex.centered);
    model.flex_nodeadr[f] = at.node as i32;
    model.flex_nodenum[f] = flex.node_body.len() as i32;
    for v in 0..flex.nvert {
        model.flex_vertbodyid[at.vert + v] = flex.body_of(v).map_or(-1, |body| body as i32);
    }
    for (slot, &body) in model.flex_nodebodyid[at.node..].iter_mut().zip(&flex.node_body) {
        *slot = body as i32;
    }
    if flex.interpolated() || !flex.centered {
        put(&mut model.flex_vert, at.vert, flex.src.vert.as_chunks().0);
    }
    if flex.interpolated() && !flex.centered {
        put(&mut model.flex_node, at.node, flex.src.node.as_chunks().0);
    }
    put(&mut model.flex_vert0, at.vert, &flex.vert0);
    put(&mut model.flex_node0, at.node, &flex.node0);
}

fn write_elasticity(model: &mut Model, f: usize, flex: &FlexDraft<'_>, at: &Cursor) {
    let src = flex.src;
    let address = if src.order == 0 { 21 * at.elem } else { at.cell_number };
    model.flex_stiffnessadr[f] = address as i32;
    put(&mut model.flex_stiffness, address, &flex.stiffness);
    put(&mut model.flex_bending, at.edge, &flex.bending);
    model.flex_damping[f] = src.damping;
    model.flex_edgestiffness[f] = src.edgestiffness;
    model.flex_edgedamping[f] = src.edgedamping;
    model.flex_interp[f] = src.order;
    model.flex_cellnum[f] = src.cellcount;
}
