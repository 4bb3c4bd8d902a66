//! Where the entries of Newton's matrix and its factor are.
//!
//! Dofs are eliminated from the leaves of the tree to its root, so that the inertia matrix alone makes no fill. Row `r` of the factor
//! holds the columns that the dof is coupled to below its own index; without its largest column `p`, its parent in the elimination
//! tree, it is part of row `p`. Constraints couple the columns of a block with each other.
//!
//! Neighbouring rows of which each is the one before it and its own diagonal form a node: a trapezoid whose rows begin with the same
//! columns, the node's path to the root. Rows lie in whole lanes, so that all work on nodes runs on dense rows of fixed-width steps.
//! Where it costs little, rows take in all columns of their parent; nodes then become fewer and larger, at the price of some zeros.

use super::blocks::BlockJacobian;
use kinetree_math::lanes::{lanes, push_index_lanes};
use kinetree_math::sparse::Pattern;

/// Neighbouring rows with a common path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// First row.
    pub first: usize,
    /// Number of rows.
    pub size: usize,
    /// Where the columns of the path begin, in lanes.
    path: usize,
    /// Number of columns on the path.
    pub depth: usize,
    /// Where products of the path's columns go.
    pub spread: Spread,
}

/// Where the products of each two columns of a list go.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    first: usize,
    /// Number of columns.
    pub len: usize,
    /// Whether the columns are, for each of them, all the columns of its row up to the diagonal: then products are added in place.
    pub direct: bool,
}

/// The pattern of one problem.
#[derive(Debug, Default)]
pub(super) struct FactorPattern {
    key: Key,
    pub nodes: Vec<Node>,
    node_of: Vec<usize>,
    /// Columns of the paths, padded to whole lanes with the last one.
    path: Vec<[i32; 4]>,
    /// First lane of each row, and the end.
    pub row_at: Vec<u32>,
    /// For each column of a spread, its row's first lane and where the list of positions in that row begins.
    target_row: Vec<u32>,
    target_list: Vec<u32>,
    positions: Vec<u32>,
    /// How many of these targets and positions belong to nodes.
    node_targets: (usize, usize),
    /// Whether the pattern is that of the inertia matrix alone.
    plain: bool,
    /// The spread of each block of the Jacobian.
    pub blocks: Vec<Spread>,
    /// First lanes of the rows of a triangle that is not direct.
    pub triangle: Vec<u32>,
    /// For each row of the inertia matrix that has fewer columns than its row here, where the list of positions begins.
    mass_list: Vec<Option<usize>>,
    /// Number of entries without padding and without the zeros that larger nodes cost.
    pub nnz: usize,
    /// Rough cost of a factorization; for each block, of assembling one row and of a rank-one update.
    pub factor_work: usize,
    pub row_work: Vec<(usize, usize)>,
    columns: Vec<Vec<i32>>,
    /// Number of rows on the way from each row to the root.
    depth: Vec<usize>,
}

/// What a pattern was made for.
#[derive(Debug, Default)]
struct Key {
    rownnz: Vec<i32>,
    colind: Vec<i32>,
    block_ncol: Vec<usize>,
    block_cols: Vec<[i32; 4]>,
}

impl Key {
    fn set(&mut self, rownnz: &[i32], colind: &[i32], jac: &BlockJacobian<'_>) {
        for (v, from) in [(&mut self.rownnz, rownnz), (&mut self.colind, colind)] {
            v.clear();
            v.extend_from_slice(from);
        }
        self.block_ncol.clear();
        self.block_ncol.extend(jac.blocks.iter().map(|b| b.ncol));
        self.block_cols.clear();
        self.block_cols.extend_from_slice(jac.all_cols());
    }
}

impl FactorPattern {
    /// Prepares the pattern for the given matrices; returns whether it differs from the last one.
    pub(super) fn prepare(&mut self, mass: Pattern<'_>, jac: &BlockJacobian<'_>) -> bool {
        let n = mass.nrow();
        let colind = if n > 0 { &mass.colind[mass.range(0).start..mass.range(n - 1).end] } else { &[] };
        let key = &self.key;
        if key.rownnz == mass.rownnz
            && key.colind == colind
            && key.block_ncol.iter().copied().eq(jac.blocks.iter().map(|b| b.ncol))
            && key.block_cols == jac.all_cols()
        {
            return false;
        }
        // contacts with the world couple dofs that the inertia matrix couples already: then the nodes do not depend on them
        let plain = jac.blocks.iter().all(|block| is_part_of_row(mass, jac.cols(block)));
        let same_nodes = plain && self.plain && self.key.rownnz == mass.rownnz && self.key.colind == colind;
        self.key.set(mass.rownnz, colind, jac);
        self.plain = plain;
        if !same_nodes {
            self.find_columns(mass, jac);
            self.nnz = self.columns[..n].iter().map(Vec::len).sum();
            self.fill_paths(n);
            self.find_nodes(n);
            self.find_node_targets(mass);
        }
        self.find_block_targets(jac);
        self.estimate_work(jac);
        true
    }

    /// Columns of each row, from the last row to the first, each passed on to its parent.
    fn find_columns(&mut self, mass: Pattern<'_>, jac: &BlockJacobian<'_>) {
        let n = mass.nrow();
        self.columns.resize_with(n.max(self.columns.len()), Vec::new);
        for (r, cols) in self.columns[..n].iter_mut().enumerate() {
            cols.clear();
            cols.extend_from_slice(mass.cols(r));
        }
        for block in jac.blocks {
            let cols = jac.cols(block);
            if let Some(&last) = cols.last()
                && cols.len() > 1
            {
                self.columns[last as usize].extend_from_slice(cols);
            }
        }
        for r in (0..n).rev() {
            let (head, tail) = self.columns.split_at_mut(r);
            let row = &mut tail[0];
            row.sort_unstable();
            row.dedup();
            if row.len() > 1 {
                let parent = row[row.len() - 2] as usize;
                head[parent].extend_from_slice(&row[..row.len() - 1]);
            }
        }
    }

    /// Gives each row all columns of its parent, if that does not make the factor much more expensive.
    fn fill_paths(&mut self, n: usize) {
        let parent = |row: &[i32]| row.len().checked_sub(2).map(|k| row[k] as usize);
        self.depth.clear();
        let (mut exact, mut filled) = (0, 0);
        for row in &self.columns[..n] {
            let depth = 1 + parent(row).map_or(0, |p| self.depth[p]);
            self.depth.push(depth);
            exact += row.len() * row.len();
            filled += depth * depth;
        }
        if filled > 2 * exact {
            return;
        }
        for r in 0..n {
            if let Some(p) = parent(&self.columns[r])
                && self.columns[r].len() < self.depth[r]
            {
                let (head, tail) = self.columns.split_at_mut(r);
                tail[0].clone_from(&head[p]);
                tail[0].push(r as i32);
            }
        }
    }

    /// Joins rows to nodes and lays out the rows.
    fn find_nodes(&mut self, n: usize) {
        self.nodes.clear();
        self.node_of.clear();
        self.path.clear();
        self.row_at.clear();
        let mut at = 0;
        for r in 0..n {
            let row = &self.columns[r];
            let joins =
                r > 0 && row.len() == self.columns[r - 1].len() + 1 && row[row.len() - 2] as usize == r - 1;
            match self.nodes.last_mut() {
                Some(node) if joins => node.size += 1,
                _ => {
                    let (path, depth) = (self.path.len(), row.len() - 1);
                    push_index_lanes(&mut self.path, &row[..depth]);
                    self.nodes.push(Node { first: r, size: 1, path, depth, spread: Spread::default() });
                }
            }
            self.node_of.push(self.nodes.len() - 1);
            self.row_at.push(at as u32);
            at += lanes(row.len());
        }
        self.row_at.push(at as u32);
    }

    /// Finds where products of paths and rows of the inertia matrix are added.
    fn find_node_targets(&mut self, mass: Pattern<'_>) {
        self.target_row.clear();
        self.target_list.clear();
        self.positions.clear();
        let path = std::mem::take(&mut self.path);
        for k in 0..self.nodes.len() {
            let node = self.nodes[k];
            let cols = &path[node.path..node.path + lanes(node.depth)].as_flattened()[..node.depth];
            self.nodes[k].spread = self.spread(cols);
        }
        self.path = path;
        self.mass_list.clear();
        for r in 0..mass.nrow() {
            let cols = mass.cols(r);
            let list = (cols.len() < self.columns[r].len()).then_some(self.positions.len());
            if list.is_some() {
                push_positions(&mut self.positions, &self.columns[r], cols);
            }
            self.mass_list.push(list);
        }
        self.node_targets = (self.target_row.len(), self.positions.len());
    }

    /// Finds where products of blocks are added, after what the nodes need.
    fn find_block_targets(&mut self, jac: &BlockJacobian<'_>) {
        self.target_row.truncate(self.node_targets.0);
        self.target_list.truncate(self.node_targets.0);
        self.positions.truncate(self.node_targets.1);
        self.blocks.clear();
        for block in jac.blocks {
            let spread = self.spread(jac.cols(block));
            self.blocks.push(spread);
        }
        let longest = self.blocks.iter().chain(self.nodes.iter().map(|n| &n.spread)).map(|s| s.len).max();
        self.triangle.clear();
        let mut at = 0;
        for i in 0..longest.unwrap_or(0) {
            self.triangle.push(at as u32);
            at += lanes(i + 1);
        }
    }

    /// Where the products of the given columns go.
    fn spread(&mut self, cols: &[i32]) -> Spread {
        let first = self.target_row.len();
        let mut direct = true;
        let mut i = 0;
        while i < cols.len() {
            // all columns of one node share a list of positions
            let node = self.node_of[cols[i] as usize];
            let mut end = i;
            while end < cols.len() && self.node_of[cols[end] as usize] == node {
                let row = cols[end] as usize;
                direct &= self.columns[row].len() == end + 1;
                self.target_row.push(self.row_at[row]);
                self.target_list.push(self.positions.len() as u32);
                end += 1;
            }
            push_positions(&mut self.positions, &self.columns[cols[end - 1] as usize], &cols[..end]);
            i = end;
        }
        Spread { first, len: cols.len(), direct }
    }

    /// Rough costs, in instructions.
    fn estimate_work(&mut self, jac: &BlockJacobian<'_>) {
        // one vector into the triangle of its products; the cost of four at once is less than that of four
        let products = |n: usize| (0..n).map(|i| 4 + 4 * lanes(i + 1)).sum::<usize>();
        let rotate = |node: &Node, size: usize| {
            (1..=size).map(|k| 40 + 9 * lanes(node.depth + k)).sum::<usize>() + 14 * node.depth
        };
        self.factor_work = 0;
        for node in &self.nodes {
            let inner: usize = (0..node.size)
                .map(|k| 40 + (0..k).map(|m| 10 + 4 * lanes(node.depth + m)).sum::<usize>())
                .sum();
            self.factor_work += inner + node.size * products(node.depth);
        }
        self.row_work.clear();
        for block in jac.blocks {
            let mut update = 0;
            let mut row = jac.cols(block).last().copied();
            while let Some(r) = row {
                let node = &self.nodes[self.node_of[r as usize]];
                update += rotate(node, r as usize + 1 - node.first);
                row = self.node_path(node).last().copied();
            }
            self.row_work.push((products(block.ncol), update));
        }
    }

    /// Columns of a node's path.
    #[inline]
    pub(super) fn node_path(&self, node: &Node) -> &[i32] {
        &self.path_lanes(node).as_flattened()[..node.depth]
    }

    /// Columns of a node's path, padded.
    #[inline]
    pub(super) fn path_lanes(&self, node: &Node) -> &[[i32; 4]] {
        &self.path[node.path..node.path + lanes(node.depth)]
    }

    /// Lanes of the longest row.
    pub(super) fn max_width(&self) -> usize {
        self.nodes.iter().map(|node| lanes(node.depth + node.size)).max().unwrap_or(0)
    }

    /// The node of a row.
    #[inline]
    pub(super) fn node_of(&self, row: i32) -> &Node {
        &self.nodes[self.node_of[row as usize]]
    }

    /// Number of rows.
    #[inline]
    pub(super) fn nrow(&self) -> usize {
        self.node_of.len()
    }

    /// Number of lanes of all rows.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.row_at.last().map_or(0, |&at| at as usize)
    }

    /// First lanes of the rows that a spread goes to.
    #[inline]
    pub(super) fn target_rows(&self, spread: Spread) -> &[u32] {
        &self.target_row[spread.first..spread.first + spread.len]
    }

    /// Positions of the first columns of a spread, up to its `i`-th, in the row of the `i`-th.
    #[inline]
    pub(super) fn positions(&self, spread: Spread, i: usize) -> &[u32] {
        &self.positions[self.target_list[spread.first + i] as usize..][..=i]
    }

    /// Positions of the entries of a row of the inertia matrix, or `None` when they are the whole row.
    #[inline]
    pub(super) fn mass_positions(&self, row: usize) -> Option<&[u32]> {
        self.mass_list[row].map(|at| &self.positions[at..])
    }
}

/// Whether all columns are in one row of the inertia matrix.
fn is_part_of_row(mass: Pattern<'_>, cols: &[i32]) -> bool {
    let Some(&last) = cols.last() else { return true };
    let mut row = mass.cols(last as usize).iter();
    cols.iter().all(|c| row.any(|r| r == c))
}

/// Appends the positions of `wanted` in `row`; both are increasing.
fn push_positions(out: &mut Vec<u32>, row: &[i32], wanted: &[i32]) {
    let mut k = 0;
    for &c in wanted {
        while row[k] != c {
            k += 1;
        }
        out.push(k as u32);
        k += 1;
    }
}
