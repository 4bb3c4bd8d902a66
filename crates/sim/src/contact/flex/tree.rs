//! Bounding trees of flexes.

use kinetree_collide::Pose;
use kinetree_collide::bvh::{BvhView, TreePairVisitor};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Data, Model};

/// Working memory of walks over two trees.
#[derive(Default)]
pub(super) struct TreeScratch {
    pub(super) leaves: Vec<(i32, i32)>,
    pub(super) stack: Vec<(u32, u32)>,
}

/// Collects the leaf pairs of two trees.
pub(super) struct Leaves<'a>(pub(super) &'a mut Vec<(i32, i32)>);

impl TreePairVisitor for Leaves<'_> {
    fn leaf_pair(&mut self, _: usize, element1: i32, _: usize, element2: i32) {
        self.0.push((element1, element2));
    }
}

/// The frame of the world.
pub(super) fn world() -> Pose {
    Pose { pos: Vec3::zeros(), mat: Mat3::identity() }
}

/// Bounding tree of a flex; `None` without one.
pub(super) fn flex_tree<'a>(model: &'a Model, data: &'a Data, flex: usize) -> Option<BvhView<'a>> {
    let first = usize::try_from(model.flex_bvhadr[flex]).ok()?;
    let nodes = first..first + model.flex_bvhnum[flex] as usize;
    let boxes = first - model.nbvhstatic..nodes.end - model.nbvhstatic;
    Some(BvhView {
        aabb: &data.bvh_aabb_dyn[boxes],
        child: &model.bvh_child[nodes.clone()],
        nodeid: &model.bvh_nodeid[nodes],
    })
}

/// Whether a box and a sphere, taken as a box, overlap.
pub(super) fn sphere_meets_box(centre: &[f64; 3], radius: f64, aabb: &[f64; 6]) -> bool {
    (0..3).all(|k| {
        let separated =
            centre[k] + radius < aabb[k] - aabb[k + 3] || centre[k] - radius > aabb[k] + aabb[k + 3];
        !separated
    })
}
