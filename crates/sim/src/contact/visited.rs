//! Which bounding volumes of bodies the reference's middle phase visits, to show them: the collision search
//! of this engine takes other ways and marks nothing.

use super::bounds::{body_tree, has_tree, spheres_meet};
use super::broad::bodies_allow;
use super::params::{bodies_reach, geoms_reach};
use super::reference_bounds::{
    Frame, Projection, boxes_meet, meets_everything, sides, sweep_axes, sweep_keeps,
};
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

/// A set of bounding volumes, with working memory.
#[derive(Clone, Debug, Default)]
pub struct VisitedVolumes {
    visited: Vec<bool>,
    stack: Vec<(usize, usize)>,
    bounds: Vec<Option<[[f64; 2]; 3]>>,
}

/// Finds the bounding volumes that are visited at the poses of a data.
pub(crate) fn find_visited_volumes(model: &Model, data: &Data, volumes: &mut VisitedVolumes) {
    volumes.find(model, data);
}

impl VisitedVolumes {
    /// Whether a volume, by its index in `bvh_aabb`, is in the set.
    #[must_use]
    pub fn contains(&self, volume: usize) -> bool {
        self.visited.get(volume).copied().unwrap_or_default()
    }

    /// Finds the volumes for the present poses of a model.
    fn find(&mut self, model: &Model, data: &Data) {
        self.visited.clear();
        self.visited.resize(model.nbvhstatic, false);
        let off = [DisableBit::Constraint, DisableBit::Contact, DisableBit::Midphase];
        if off.into_iter().any(|bit| model.disabled(bit)) {
            return;
        }
        let axes = sweep_axes(model, data);
        self.bounds.clear();
        self.bounds.extend((0..model.nbody).map(|body| {
            let swept = has_tree(model, body) && !meets_everything(model, body);
            swept.then(|| sides(model, data, body, &axes))
        }));
        for low in (0..model.nbody).filter(|&body| has_tree(model, body)) {
            for high in (low + 1..model.nbody).filter(|&body| has_tree(model, body)) {
                let near = match (&self.bounds[low], &self.bounds[high]) {
                    (Some(a), Some(b)) => sweep_keeps(a, b),
                    _ => true,
                };
                let single = model.body_geomnum[low] == 1 && model.body_geomnum[high] == 1;
                if near && !single && bodies_allow(model, data, low, high) {
                    self.walk(model, data, [low, high]);
                }
            }
        }
    }

    /// Marks what a walk through the trees of two bodies opens, and the leaves whose geoms may touch.
    fn walk(&mut self, model: &Model, data: &Data, bodies: [usize; 2]) {
        let margin = bodies_reach(model, bodies);
        let frames = bodies.map(|b| Frame { pos: &data.xipos[b], mat: &data.ximat[b] });
        let [tree1, tree2] = bodies.map(|b| body_tree(model, b));
        let first = bodies.map(|b| model.body_bvhadr[b] as usize);
        self.stack.clear();
        self.stack.push((0, 0));
        while let Some((node1, node2)) = self.stack.pop() {
            let (child1, child2) = (tree1.child[node1], tree2.child[node2]);
            let leaves = child1 == [-1, -1] && child2 == [-1, -1];
            let open = if leaves {
                geoms_meet(model, data, [tree1.nodeid[node1], tree2.nodeid[node2]].map(|g| g as usize))
            } else {
                boxes_meet([&tree1.aabb[node1], &tree2.aabb[node2]], frames, Projection::Origin, margin)
            };
            if !open {
                continue;
            }
            self.visited[first[0] + node1] = true;
            self.visited[first[1] + node2] = true;
            if leaves {
                continue;
            }
            // children come after their parents
            let below = |children: [i32; 2], node: usize| {
                children.into_iter().filter_map(|c| usize::try_from(c).ok()).filter(move |&c| c > node)
            };
            if tree1.opens_before(node1, &tree2, node2) {
                self.stack.extend(below(child1, node1).map(|c| (c, node2)));
            } else {
                self.stack.extend(below(child2, node2).map(|c| (node1, c)));
            }
        }
    }
}

/// Whether the bounding spheres and boxes of two geoms come within their margin.
fn geoms_meet(model: &Model, data: &Data, geoms: [usize; 2]) -> bool {
    let [g1, g2] = geoms;
    let margin = geoms_reach(model, [g1, g2]);
    let frames = geoms.map(|g| Frame { pos: &data.geom_xpos[g], mat: &data.geom_xmat[g] });
    let boxes = [&model.geom_aabb[g1], &model.geom_aabb[g2]];
    spheres_meet(model, data, g1, g2, margin) && boxes_meet(boxes, frames, Projection::Centre, margin)
}
