//! Sizes of the arrays of flexes.

use std::collections::HashSet;

use kinetree_model::Sizes;

use super::super::draft::Draft;
use super::draft::{ELEMENT_EDGES, FlexDraft};

/// Numbers of elastic constants for each element.
const ELEMENT_STIFFNESS: usize = 21;

/// Sets the sizes of flex arrays.
pub(crate) fn count(draft: &Draft<'_>, sizes: &mut Sizes) {
    let mut cell_numbers = 0;
    for flex in &draft.flexes {
        let topology = &flex.topology;
        sizes.nflex += 1;
        sizes.nbvhdynamic += flex.tree.len();
        sizes.nflexnode += flex.node_body.len();
        sizes.nflexvert += flex.nvert;
        sizes.nflexedge += topology.edges.len();
        sizes.nflexelem += flex.elements();
        sizes.nflexelemdata += flex.elem.len();
        sizes.nflexelemedge += flex.elements() * ELEMENT_EDGES[flex.dim - 1];
        sizes.nflexshelldata += topology.shell.len();
        sizes.nflexevpair += topology.elem_vert.len();
        sizes.nflextexcoord += if draft.drops_visuals() { 0 } else { flex.src.texcoord.len() / 2 };
        cell_numbers += flex.cell_numbers();
        if !flex.interpolated() && !flex.rigid {
            sizes.nJfe += edge_dofs(draft, flex);
            sizes.nJfv += vertex_dofs(draft, flex);
        }
    }
    sizes.nflexstiffness = sizes.nflexelem * ELEMENT_STIFFNESS + cell_numbers;
    sizes.nbvh += sizes.nbvhdynamic;
}

/// Dofs that move any of the bodies.
fn dofs_above(draft: &Draft<'_>, bodies: impl Iterator<Item = usize>) -> usize {
    let mut visited = HashSet::new();
    let mut dofs = 0;
    for mut body in bodies {
        while body > 0 && visited.insert(body) {
            dofs += draft.bodies[body].dofnum;
            body = draft.bodies[body].parent;
        }
    }
    dofs
}

fn edge_dofs(draft: &Draft<'_>, flex: &FlexDraft<'_>) -> usize {
    let ends = |edge: &[i32; 2]| dofs_above(draft, edge.iter().filter_map(|&v| flex.body_of(v as usize)));
    flex.topology.edges.iter().map(ends).sum()
}

fn vertex_dofs(draft: &Draft<'_>, flex: &FlexDraft<'_>) -> usize {
    let mut around: Vec<Vec<usize>> = (0..flex.nvert).map(|v| vec![v]).collect();
    for &[a, b] in &flex.topology.edges {
        around[a as usize].push(b as usize);
        around[b as usize].push(a as usize);
    }
    around.iter().map(|vertices| dofs_above(draft, vertices.iter().filter_map(|&v| flex.body_of(v)))).sum()
}
