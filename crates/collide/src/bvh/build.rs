//! Construction of a bounding volume hierarchy.
//!
//! Top down: each node stores the box of its elements, expressed in the frame of the tree, then splits them
//! at the median of their positions along the longest side of that box. Nodes are numbered in the order in
//! which they are met, depth first and left child first. The split depends only on which elements fall on
//! which side, so the tree is unique for given leaves.

use super::select::select_nth;
use kinetree_math::{Quat, Vec3, rot};

/// Lengths that differ by less count as equal, and boxes thinner than this are inflated by it (m).
const EPS: f64 = 1e-14;

/// One element to be stored in a leaf.
#[derive(Clone, Copy, Debug)]
pub struct BvhLeaf {
    /// Number that the leaf's node will carry, for example a geom or face id.
    pub id: i32,
    /// Position that decides the side on which the element falls.
    pub pos: [f64; 3],
    /// Orientation of the box in the tree's parent frame, which also holds `pos`; `None` when the box is
    /// already given in the frame of the tree.
    pub quat: Option<Quat>,
    /// Box of the element: centre and half sizes (m).
    pub aabb: [f64; 6],
}

/// A bounding volume hierarchy with one entry per node in each array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BvhTree {
    /// Box of each node in the frame of the tree: centre, half sizes (m).
    pub aabb: Vec<[f64; 6]>,
    /// The two children of each node, −1 for none.
    pub child: Vec<[i32; 2]>,
    /// Id of the element in each leaf, −1 in inner nodes.
    pub nodeid: Vec<i32>,
    /// Depth of each node, 0 at the root.
    pub depth: Vec<i32>,
}

/// Element during construction.
#[derive(Clone, Copy)]
struct Element {
    /// Index in the caller's list, which breaks ties.
    rank: usize,
    /// Position in the frame of the tree.
    pos: [f64; 3],
    /// Box in the frame of the tree: minimum and maximum.
    bounds: Bounds,
}

/// Axis-aligned box as minimum and maximum.
#[derive(Clone, Copy)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

impl Bounds {
    const EMPTY: Self = Self { min: [f64::MAX; 3], max: [-f64::MAX; 3] };

    fn include(&mut self, low: &[f64; 3], high: &[f64; 3]) {
        for i in 0..3 {
            self.min[i] = self.min[i].min(low[i]);
            self.max[i] = self.max[i].max(high[i]);
        }
    }

    /// Grows sides of no thickness, so that rays and boxes can still overlap them.
    fn inflate_flat_sides(&mut self) {
        for i in 0..3 {
            if (self.min[i] - self.max[i]).abs() < EPS {
                self.min[i] -= EPS;
                self.max[i] += EPS;
            }
        }
    }

    /// Longest side, where a later axis must win by more than rounding.
    fn longest_axis(&self) -> usize {
        let edge = [0, 1, 2].map(|i| self.max[i] - self.min[i]);
        let mut axis = 0;
        if edge[1] >= edge[0] + EPS {
            axis = 1;
        }
        if edge[2] >= edge[axis] + EPS {
            axis = 2;
        }
        axis
    }

    fn centre_and_half(&self) -> [f64; 6] {
        let (a, b) = (&self.min, &self.max);
        [
            (b[0] + a[0]) / 2.0,
            (b[1] + a[1]) / 2.0,
            (b[2] + a[2]) / 2.0,
            (b[0] - a[0]) / 2.0,
            (b[1] - a[1]) / 2.0,
            (b[2] - a[2]) / 2.0,
        ]
    }
}

impl BvhTree {
    /// Builds the tree of `leaves` in the frame with the given origin and orientation (of the frame in which
    /// leaf positions are given). No leaves give an empty tree. Elements that cannot collide are to be left
    /// out by the caller.
    #[must_use]
    pub fn build(leaves: &[BvhLeaf], origin: &[f64; 3], orientation: &Quat) -> Self {
        let inverse = rot::quat_conj(orientation);
        let mut elements: Vec<Element> = leaves
            .iter()
            .enumerate()
            .map(|(rank, leaf)| Element {
                rank,
                pos: to_frame(&leaf.pos, origin, &inverse),
                bounds: leaf_bounds(leaf, origin, &inverse),
            })
            .collect();
        let node_count = (2 * elements.len()).saturating_sub(1);
        let mut tree = Self {
            aabb: Vec::with_capacity(node_count),
            child: Vec::with_capacity(node_count),
            nodeid: Vec::with_capacity(node_count),
            depth: Vec::with_capacity(node_count),
        };
        if !elements.is_empty() {
            tree.add_node(leaves, &mut elements, 0);
        }
        tree
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodeid.len()
    }

    /// True for a tree without nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodeid.is_empty()
    }

    /// Borrows the tree.
    #[must_use]
    pub fn view(&self) -> super::BvhView<'_> {
        super::BvhView { aabb: &self.aabb, child: &self.child, nodeid: &self.nodeid }
    }

    /// Appends the node that holds `elements` with all its descendants; returns its index.
    fn add_node(&mut self, leaves: &[BvhLeaf], elements: &mut [Element], depth: i32) -> i32 {
        let mut bounds = Bounds::EMPTY;
        for element in elements.iter() {
            bounds.include(&element.bounds.min, &element.bounds.max);
        }
        bounds.inflate_flat_sides();

        let index = self.nodeid.len();
        self.aabb.push(bounds.centre_and_half());
        self.child.push([-1, -1]);
        self.nodeid.push(-1);
        self.depth.push(depth);

        if let [only] = elements {
            self.nodeid[index] = leaves[only.rank].id;
        } else {
            let middle = elements.len() / 2;
            let axis = bounds.longest_axis();
            select_nth(elements, middle, |a, b| precedes(a, b, axis));
            let (left, right) = elements.split_at_mut(middle);
            let left = self.add_node(leaves, left, depth + 1);
            let right = self.add_node(leaves, right, depth + 1);
            self.child[index] = [left, right];
        }
        index as i32
    }
}

/// Expresses a point in the frame of the tree.
fn to_frame(point: &[f64; 3], origin: &[f64; 3], inverse: &Quat) -> [f64; 3] {
    let offset = Vec3::new(point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]);
    rot::quat_rotate(inverse, &offset).into()
}

/// Box of a leaf in the frame of the tree, over its eight corners where it is oriented.
fn leaf_bounds(leaf: &BvhLeaf, origin: &[f64; 3], inverse: &Quat) -> Bounds {
    let low = [0, 1, 2].map(|i| leaf.aabb[i] - leaf.aabb[3 + i]);
    let high = [0, 1, 2].map(|i| leaf.aabb[i] + leaf.aabb[3 + i]);
    let mut bounds = Bounds::EMPTY;
    let Some(quat) = &leaf.quat else {
        bounds.include(&low, &high);
        return bounds;
    };
    for bits in 0..8 {
        let corner = Vec3::from_fn(|i, _| if bits & (1 << i) != 0 { high[i] } else { low[i] });
        let mut point = rot::quat_rotate(quat, &corner);
        for i in 0..3 {
            point[i] += leaf.pos[i] - origin[i];
        }
        let local: [f64; 3] = rot::quat_rotate(inverse, &point).into();
        bounds.include(&local, &local);
    }
    bounds
}

/// True when `a` comes before `b` along the axis; positions that agree to rounding are ordered by rank.
fn precedes(a: &Element, b: &Element, axis: usize) -> bool {
    if (a.pos[axis] - b.pos[axis]).abs() > EPS { a.pos[axis] < b.pos[axis] } else { a.rank < b.rank }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point_leaf(id: i32, x: f64) -> BvhLeaf {
        BvhLeaf { id, pos: [x, 0.0, 0.0], quat: None, aabb: [x, 0.0, 0.0, 0.1, 0.1, 0.1] }
    }

    #[test]
    fn splits_at_the_median_depth_first() {
        let leaves: Vec<_> =
            [3.0, 1.0, 2.0, 0.0, 4.0].iter().enumerate().map(|(i, &x)| point_leaf(i as i32, x)).collect();
        let tree = BvhTree::build(&leaves, &[0.0; 3], &[1.0, 0.0, 0.0, 0.0]);
        assert_eq!(tree.len(), 9);
        assert_eq!(tree.nodeid, [-1, -1, 3, 1, -1, 2, -1, 0, 4]);
        assert_eq!(tree.depth, [0, 1, 2, 2, 1, 2, 2, 3, 3]);
        assert_eq!(tree.child[0], [1, 4]);
        assert_eq!(tree.child[2], [-1, -1]);
        assert!((tree.aabb[0][0] - 2.0).abs() < 1e-15);
        assert!((tree.aabb[0][3] - 2.1).abs() < 1e-15);
    }

    #[test]
    fn no_leaves_and_nan_leaves_are_harmless() {
        let identity = [1.0, 0.0, 0.0, 0.0];
        assert!(BvhTree::build(&[], &[0.0; 3], &identity).is_empty());
        let leaves: Vec<_> = (0..50).map(|i| point_leaf(i, f64::NAN)).collect();
        let tree = BvhTree::build(&leaves, &[0.0; 3], &identity);
        assert_eq!(tree.len(), 99);
    }

    #[test]
    fn flat_sides_get_a_thickness() {
        for axis in 0..3 {
            let mut aabb = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
            aabb[3 + axis] = 0.0;
            let leaf = BvhLeaf { id: 0, pos: [0.0; 3], quat: None, aabb };
            let tree = BvhTree::build(&[leaf], &[0.0; 3], &[1.0, 0.0, 0.0, 0.0]);
            aabb[3 + axis] = EPS;
            assert_eq!(tree.aabb, [aabb]);
        }
    }
}
