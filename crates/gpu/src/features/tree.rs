//! The kinematic tree: ancestors by pointer jumping, subtrees, and sets of dofs as bits.

use crate::features::clusters::Clusters;
use crate::features::parameters::Table;
use kinetree_model::Model;

/// What the kernels need to know of the tree besides the model's own arrays.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// Bodies that are children of the world.
    pub(crate) roots: Vec<usize>,
    /// First body behind the subtree of each body.
    end: Vec<usize>,
    /// Last dof on the way from the root to each body.
    last_dof: Vec<i32>,
    /// Rounds of pointer jumping that reach every root.
    pub(crate) rounds: usize,
}

impl Tree {
    pub(crate) fn new(model: &Model) -> Self {
        let n = model.nbody;
        let parent = |b: usize| model.body_parentid[b] as usize;
        let mut end: Vec<usize> = (1..=n).collect();
        for b in (1..n).rev() {
            end[parent(b)] = end[parent(b)].max(end[b]);
        }
        let (mut last_dof, mut depth) = (vec![-1; n], vec![0_usize; n]);
        for b in 1..n {
            depth[b] = depth[parent(b)] + 1;
            last_dof[b] = match model.body_dofnum[b] {
                0 => last_dof[parent(b)],
                count => model.body_dofadr[b] + count - 1,
            };
        }
        let deepest = depth.into_iter().max().unwrap_or(0);
        // after r rounds a body has taken over the poses of 2ʳ − 1 ancestors
        let rounds = deepest.max(1).next_power_of_two().trailing_zeros() as usize;
        let roots = (1..n).filter(|&b| parent(b) == 0).collect();
        Self { roots, end, last_dof, rounds }
    }

    /// Writes the tree of bodies and dofs.
    pub(crate) fn write(&self, model: &Model, clusters: &Clusters, table: &mut Table) {
        let n = model.nbody;
        let mut jump: Vec<usize> = (0..n).map(|b| model.body_parentid[b] as usize).collect();
        let mut jumps = Vec::new();
        for _ in 0..self.rounds {
            jumps.extend(jump.iter().map(|&b| b as i32));
            jump = jump.iter().map(|&b| jump[b]).collect();
        }
        let root = |b: usize| {
            let root = model.body_rootid[b] as usize;
            self.roots.iter().position(|&r| r == root).unwrap_or(0) as i32
        };
        table.ints("JUMP", jumps);
        table.ints("BODY_END", self.end.iter().map(|&b| b as i32));
        table.ints("BODY_LASTDOF", self.last_dof.iter().copied());
        table.ints("BODY_ROOT", (0..n).map(root));
        table.ints("ROOT_BODY", self.roots.iter().map(|&b| b as i32));
        self.write_bits(model, clusters, table);
    }

    /// Sets of dofs as bits: ancestors and descendants of dofs, counted from the first dof of their cluster,
    /// and the dofs that move a body.
    fn write_bits(&self, model: &Model, clusters: &Clusters, table: &mut Table) {
        let (nv, words) = (model.nv, model.nv.div_ceil(32));
        let row = clusters.width().div_ceil(32);
        let mut up = vec![0_u32; nv * row];
        let mut down = vec![0_u32; nv * row];
        let chain = |last: i32| {
            std::iter::successors(usize::try_from(last).ok(), |&d| {
                usize::try_from(model.dof_parentid[d]).ok()
            })
        };
        for i in 0..nv {
            let first = clusters.first_of(i);
            for j in chain(i as i32) {
                up[i * row + (j - first) / 32] |= 1 << ((j - first) % 32);
                if i != j {
                    down[j * row + (i - first) / 32] |= 1 << ((i - first) % 32);
                }
            }
        }
        let mut moved = vec![0_u32; model.nbody * words];
        for (b, &last) in self.last_dof.iter().enumerate() {
            chain(last).for_each(|j| moved[b * words + j / 32] |= 1 << (j % 32));
        }
        let bits = |set: Vec<u32>| set.into_iter().map(u32::cast_signed);
        table.size("NWORD", words);
        table.ints("DOF_UP", bits(up));
        table.ints("DOF_DOWN", bits(down));
        table.ints("BODY_DOFS", bits(moved));
    }
}
