//! Simultaneous descent of two trees: finds all pairs of leaves whose inner boxes overlap.
//!
//! Nodes are visited depth first with an explicit stack; of two inner nodes the one with the larger extent is
//! opened. The boxes of leaf pairs are not tested here, because the elements have tighter boxes of their own.

use super::BvhView;
use super::overlap::RelativeFrame;
use crate::Pose;

/// What to do with what [`collide_trees`] finds.
pub trait TreePairVisitor {
    /// A pair of leaves to be examined. Nodes are counted from the roots; element ids are those of the
    /// leaves.
    fn leaf_pair(&mut self, node1: usize, element1: i32, node2: usize, element2: i32);

    /// A pair of nodes, not both leaves, whose boxes overlap.
    fn inner_pair(&mut self, _node1: usize, _node2: usize) {}
}

/// Walks two trees placed by `frame1` and `frame2` and reports every pair of leaves that may be within
/// `margin`.
///
/// `stack` is scratch memory that can be reused from call to call. A child comes after its parent; what does
/// not is not a child, so that the walk ends whatever the tree says.
pub fn collide_trees(
    tree1: BvhView<'_>,
    frame1: &Pose,
    tree2: BvhView<'_>,
    frame2: &Pose,
    margin: f64,
    stack: &mut Vec<(u32, u32)>,
    visitor: &mut impl TreePairVisitor,
) {
    let relative = RelativeFrame::new(frame1, frame2);
    walk(tree1, tree2, stack, visitor, |box1, box2| relative.overlap(box1, box2, margin), |_, _| false);
}

/// As [`collide_trees`], for two trees in the frame of the world. Of a tree with itself, `same`, each pair is
/// reported once.
pub fn collide_world_trees(
    tree1: BvhView<'_>,
    tree2: BvhView<'_>,
    margin: f64,
    same: bool,
    stack: &mut Vec<(u32, u32)>,
    visitor: &mut impl TreePairVisitor,
) {
    walk(tree1, tree2, stack, visitor, |a, b| boxes_meet(a, b, margin), |node1, node2| same && node1 > node2);
}

/// Whether two boxes in one frame come within `margin`.
#[inline]
#[must_use]
pub fn boxes_meet(a: &[f64; 6], b: &[f64; 6], margin: f64) -> bool {
    (0..3).all(|k| {
        let is_separated =
            a[k] + a[k + 3] + margin < b[k] - b[k + 3] || b[k] + b[k + 3] + margin < a[k] - a[k + 3];
        !is_separated
    })
}

/// Walks two trees: into pairs of nodes whose boxes `meet`, without those to `skip`.
#[inline(always)]
fn walk(
    tree1: BvhView<'_>,
    tree2: BvhView<'_>,
    stack: &mut Vec<(u32, u32)>,
    visitor: &mut impl TreePairVisitor,
    meet: impl Fn(&[f64; 6], &[f64; 6]) -> bool,
    skip: impl Fn(u32, u32) -> bool,
) {
    stack.clear();
    if tree1.nodeid.is_empty() || tree2.nodeid.is_empty() {
        return;
    }
    stack.push((0, 0));
    while let Some((index1, index2)) = stack.pop() {
        if skip(index1, index2) {
            continue;
        }
        let (node1, node2) = (index1 as usize, index2 as usize);
        let (child1, child2) = (tree1.child[node1], tree2.child[node2]);
        let leaf1 = child1 == [-1, -1];
        let leaf2 = child2 == [-1, -1];
        if leaf1 && leaf2 {
            visitor.leaf_pair(node1, tree1.nodeid[node1], node2, tree2.nodeid[node2]);
            continue;
        }
        let (box1, box2) = (&tree1.aabb[node1], &tree2.aabb[node2]);
        if !meet(box1, box2) {
            continue;
        }
        visitor.inner_pair(node1, node2);

        if tree1.opens_before(node1, &tree2, node2) {
            stack.extend(child1.iter().filter(|&&c| c > index1 as i32).map(|&c| (c as u32, index2)));
        } else {
            stack.extend(child2.iter().filter(|&&c| c > index2 as i32).map(|&c| (index1, c as u32)));
        }
    }
}

impl BvhView<'_> {
    /// Of two nodes that are not both leaves, whether the one of this tree is opened rather than that of the
    /// other tree.
    #[inline]
    #[must_use]
    pub fn opens_before(&self, node: usize, other: &BvhView<'_>, other_node: usize) -> bool {
        let (leaf, other_leaf) = (self.child[node] == [-1, -1], other.child[other_node] == [-1, -1]);
        if leaf != other_leaf {
            return other_leaf;
        }
        extent(&self.aabb[node]) > extent(&other.aabb[other_node])
    }
}

/// Measure by which the node to open is chosen. It mixes half sizes and centre as the reference engine does,
/// so that the same nodes are visited in the same order; any choice finds the same leaf pairs.
fn extent(aabb: &[f64; 6]) -> f64 {
    let x = aabb[3] - aabb[0];
    let y = aabb[4] - aabb[1];
    let z = aabb[5] - aabb[2];
    x * y + y * z + z * x
}

#[cfg(test)]
mod tests {
    use kinetree_math::{Mat3, Vec3};

    use super::*;
    use crate::bvh::{BvhLeaf, BvhTree};

    #[derive(Default)]
    struct Pairs(Vec<(i32, i32)>);

    impl TreePairVisitor for Pairs {
        fn leaf_pair(&mut self, _: usize, element1: i32, _: usize, element2: i32) {
            self.0.push((element1, element2));
        }
    }

    #[test]
    fn finds_all_overlapping_leaves_of_two_rows() {
        let leaves: Vec<_> = (0..40)
            .map(|i| BvhLeaf {
                id: i,
                pos: [f64::from(i), 0.0, 0.0],
                quat: None,
                aabb: [f64::from(i), 0.0, 0.0, 0.3, 0.3, 0.3],
            })
            .collect();
        let tree = BvhTree::build(&leaves, &[0.0; 3], &[1.0, 0.0, 0.0, 0.0]);
        let frame = |x: f64| Pose { pos: Vec3::new(x, 0.1, 0.0), mat: Mat3::identity() };
        let mut found = Pairs::default();
        collide_trees(tree.view(), &frame(0.0), tree.view(), &frame(0.05), 0.0, &mut Vec::new(), &mut found);
        for i in 0..40 {
            assert!(found.0.contains(&(i, i)));
        }
        // unrelated leaves are pruned before the leaf level
        assert!(found.0.len() < 200, "{}", found.0.len());
    }
}
