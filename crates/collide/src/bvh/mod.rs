//! Static bounding volume hierarchies: how the model compiler builds them, and how pairs of trees and rays
//! walk through them.
//!
//! ```
//! use kinetree_collide::bvh::{BvhLeaf, BvhTree};
//!
//! let leaf = |id: i32, x: f64| {
//!     BvhLeaf { id, pos: [x, 0.0, 0.0], quat: None, aabb: [x, 0.0, 0.0, 0.5, 0.5, 0.5] }
//! };
//! let tree = BvhTree::build(&[leaf(0, 0.0), leaf(1, 4.0)], &[0.0; 3], &[1.0, 0.0, 0.0, 0.0]);
//! assert_eq!(tree.len(), 3, "a root and two leaves");
//! ```

mod build;
mod overlap;
mod select;
mod tree_pair;

pub use build::{BvhLeaf, BvhTree};
pub use overlap::obb_overlap;
pub use tree_pair::{TreePairVisitor, boxes_meet, collide_trees, collide_world_trees};

/// Borrowed tree in the layout of a compiled model. All three slices have one entry per node and start at the
/// tree's root; children are numbered from the root too.
#[derive(Clone, Copy, Debug)]
pub struct BvhView<'a> {
    /// Box of each node in the frame of the tree: centre, half sizes (m).
    pub aabb: &'a [[f64; 6]],
    /// The two children of each node, −1 for none.
    pub child: &'a [[i32; 2]],
    /// Element in each leaf, −1 in inner nodes.
    pub nodeid: &'a [i32],
}
