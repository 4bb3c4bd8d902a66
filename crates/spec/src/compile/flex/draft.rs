//! A flex while it is compiled.

use kinetree_collide::bvh::BvhTree;

use super::super::max_length::MAX_LENGTH;
use super::topology::Topology;
use crate::assets::linalg::V3;
use crate::spec::Flex;

/// Edges of an element, by dimension.
pub(super) const ELEMENT_EDGES: [usize; 3] = [1, 3, 6];

/// A flex with everything the model says about it.
#[derive(Debug)]
pub(crate) struct FlexDraft<'s> {
    pub(crate) src: &'s Flex,
    pub(super) dim: usize,
    pub(super) material: Option<usize>,
    /// Body of each vertex; of one body alone for a rigid flex, empty for an interpolated one.
    pub(super) vert_body: Vec<usize>,
    pub(super) node_body: Vec<usize>,
    pub(super) nvert: usize,
    pub(crate) rigid: bool,
    pub(super) centered: bool,
    /// Vertices of the elements, tetrahedra with their faces outward.
    pub(super) elem: Vec<i32>,
    pub(super) elemtexcoord: Vec<i32>,
    pub(super) topology: Topology,
    /// Elastic constants of elements or cells; empty: all zero.
    pub(super) stiffness: Vec<f64>,
    /// Bending constants of edges; empty: all zero.
    pub(super) bending: Vec<[f64; 17]>,
    pub(super) tree: BvhTree,
    /// Half sizes of the box around the vertices.
    pub(super) size: V3,
    /// Vertices in that box, from 0 to 1.
    pub(super) vert0: Vec<V3>,
    /// Nodes in the reference pose, in the axes of the cells.
    pub(super) node0: Vec<V3>,
}

impl FlexDraft<'_> {
    pub(super) fn interpolated(&self) -> bool {
        !self.src.nodebody.is_empty()
    }

    pub(super) fn elements(&self) -> usize {
        self.elem.len() / (self.dim + 1)
    }

    /// Body of a vertex, unless the flex is interpolated.
    pub(super) fn body_of(&self, vertex: usize) -> Option<usize> {
        if self.rigid { self.vert_body.first().copied() } else { self.vert_body.get(vertex).copied() }
    }

    /// Numbers that describe the stiffness of an interpolated flex.
    pub(super) fn cell_numbers(&self) -> usize {
        cell_numbers(self.src).unwrap_or(0)
    }
}

/// Degrees of freedom of a cell.
pub(super) fn cell_dofs(order: i32) -> usize {
    3 * (order as usize + 1).pow(3)
}

/// Entries of the stiffness matrices of all cells; 0 without interpolation.
pub(super) fn cell_numbers(src: &Flex) -> Option<usize> {
    if src.order == 0 {
        return Some(0);
    }
    let cells =
        src.cellcount.iter().try_fold(1usize, |n, &side| n.checked_mul(usize::try_from(side).ok()?))?;
    cells.checked_mul(cell_dofs(src.order).pow(2)).filter(|&n| n <= MAX_LENGTH)
}
