//! Working memory of the stages of flexes.

use super::cells::CellScratch;
use super::contact_bodies::ContactBodies;
use kinetree_math::lanes::Lane;

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
    pub cell: CellScratch,
    /// Bodies of a passive contact.
    pub contact_bodies: ContactBodies,
    /// Two rows of a Jacobian over all dofs.
    pub rows: [Vec<f64>; 2],
}
