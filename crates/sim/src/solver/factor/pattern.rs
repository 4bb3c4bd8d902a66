//! Symbolic factorization of Newton's matrix: where the entries of `H` and of its factor are.
//!
//! Dofs are eliminated from the leaves of the tree to its root, so that the inertia matrix alone makes no
//! fill-in. Row `r` of the factor holds the columns that the dof is coupled to below its own index; without
//! its largest column `p`, its parent in the elimination tree, it is part of row `p` (Davis, "Direct Methods
//! for Sparse Linear Systems", chapter 4). Constraints couple the columns of a block with each other.
//!
//! Neighbouring rows of which each is the one before it and its own diagonal form a supernode: a dense
//! trapezoid whose rows begin with the same columns, the supernode's path to the root. It is stored in panels
//! of four rows of a packed triangle, with empty rows before and after its own, so that all work on
//! supernodes runs on dense rows of fixed-width steps. Where it costs little, rows take in all columns of
//! their parent (relaxed supernodes): fewer and larger, with some zeros.
//!
//! The pattern is cached; its key are the columns of the inertia matrix and of all blocks.

use super::packed_triangle::{add_lanes, triangle_row, triangle_size};
use super::panel::Panel;
use crate::cache_key::CacheKey;
use crate::row_blocks::BlockJacobian;
use kinetree_math::gather::{ColumnIndices, ContiguousLanes, push_index_lanes};
use kinetree_math::lanes::{Lane, lanes};
use kinetree_math::sparse::Pattern;

/// Neighbouring rows with a common path.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Supernode {
    /// First row.
    pub first: usize,
    /// Number of rows.
    pub size: usize,
    /// Where the columns of the path, and then of the supernode, begin, in lanes.
    path: usize,
    /// Which lanes of these columns have no gaps.
    contiguous: ContiguousLanes,
    /// Number of columns on the path.
    pub depth: usize,
    /// First lane of the panel of a triangle that the first row is in.
    pub start: usize,
    /// Where the panels are.
    panels: (usize, usize),
    /// Where products of the path's columns go.
    pub scatter: Scatter,
}

impl Supernode {
    /// Whether its columns are the first ones of all: then vectors need not be gathered there.
    #[inline]
    pub(crate) fn is_in_place(&self) -> bool {
        self.first == self.depth
    }
}

/// Where the products of each two columns of a list go.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scatter {
    first: usize,
    /// Number of columns.
    len: usize,
    /// The pieces of a triangle that are pieces of the matrix. There are none if the columns are not, for
    /// each of them, all the columns of its row up to the diagonal; then entries are scatter one by one.
    pieces: (usize, usize),
}

/// Neighbouring lanes of a triangle and of the matrix.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: u32,
    to: u32,
    len: u32,
}

/// Up to four neighbouring entries of the inertia matrix, which begin a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MassLane {
    /// The first entry, counted from that of the first row.
    pub from: u32,
    /// The lane.
    pub to: u32,
    /// Number of entries.
    pub count: u32,
}

/// The pattern of one problem.
#[derive(Debug, Default)]
pub(crate) struct FactorPattern {
    key: Key,
    pub nodes: Vec<Supernode>,
    panels: Vec<Panel>,
    node_of: Vec<usize>,
    /// Columns of the supernodes and of the paths to them, padded to whole lanes.
    path: Vec<[i32; 4]>,
    /// Number of lanes of all supernodes.
    size: usize,
    /// First lane of each row.
    pub row_at: Vec<u32>,
    /// For each column of a scatter, its row's first lane and where the list of positions in that row begins.
    target_row: Vec<u32>,
    target_list: Vec<u32>,
    positions: Vec<u32>,
    pieces: Vec<Piece>,
    /// How many of these targets, positions and pieces belong to supernodes.
    node_targets: [usize; 3],
    /// Whether the pattern is that of the inertia matrix alone.
    plain: bool,
    /// Whether all that belongs to `key` has been made: not if it would have been too large.
    complete: bool,
    /// The scatter of each block of the Jacobian.
    pub blocks: Vec<Scatter>,
    /// Lanes that the inertia matrix fills, and those that it fills in part.
    pub full_lanes: Vec<MassLane>,
    pub partial_lanes: Vec<MassLane>,
    /// Rows of the inertia matrix that have fewer columns than their row here, and where their lists of
    /// positions begin.
    mass_lists: Vec<(usize, usize)>,
    /// Number of entries without padding and without the zeros that larger supernodes cost.
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
    /// Lengths and columns of the rows of the inertia matrix.
    mass: CacheKey,
    block_ncol: Vec<usize>,
    block_cols: CacheKey,
}

impl Key {
    fn set(&mut self, mass: [&[i32]; 2], jac: &BlockJacobian<'_>) {
        self.mass.set(&mass, &[]);
        self.block_ncol.clear();
        self.block_ncol.extend(jac.blocks.iter().map(|b| b.ncol));
        self.block_cols.set(&[jac.all_cols().as_flattened()], &[]);
    }
}

/// Most entries of a factor, and most positions that its products need: a gibibyte and half of one.
const MOST_ENTRIES: usize = 1 << 27;
/// Most multiplications of a factorization: with more, a step takes minutes.
const MOST_WORK: u64 = 100_000_000_000;

/// The factor would not fit into memory, or take minutes to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

impl FactorPattern {
    /// Prepares the pattern for the given matrices; returns whether it differs from the last one.
    pub(crate) fn prepare(&mut self, mass: Pattern<'_>, jac: &BlockJacobian<'_>) -> Result<bool, TooLarge> {
        let n = mass.nrow();
        let colind = if n > 0 { &mass.colind[mass.range(0).start..mass.range(n - 1).end] } else { &[] };
        let key = &self.key;
        let same_mass = self.complete && key.mass.matches(&[mass.rownnz, colind], &[]);
        if same_mass
            && key.block_ncol.iter().copied().eq(jac.blocks.iter().map(|b| b.ncol))
            && key.block_cols.matches(&[jac.all_cols().as_flattened()], &[])
        {
            return Ok(false);
        }
        // contacts with the world couple dofs that the inertia matrix couples already: then the supernodes do
        // not depend on them
        let plain = jac.blocks.iter().all(|block| is_part_of_row(mass, jac.cols(block)));
        let same_nodes = plain && self.plain && same_mass;
        self.complete = false;
        self.key.set([mass.rownnz, colind], jac);
        self.plain = plain;
        if !same_nodes {
            self.find_columns(mass, jac)?;
            self.nnz = self.columns[..n].iter().map(Vec::len).sum();
            self.fill_paths(n);
            self.find_supernodes(n);
            self.find_node_targets(mass)?;
        }
        self.find_block_targets(jac)?;
        self.estimate_work(jac);
        self.complete = true;
        Ok(true)
    }

    /// Columns of each row, from the last row to the first, each passed on to its parent.
    fn find_columns(&mut self, mass: Pattern<'_>, jac: &BlockJacobian<'_>) -> Result<(), TooLarge> {
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
        let (mut entries, mut work) = (0, 0_u64);
        for r in (0..n).rev() {
            let (head, tail) = self.columns.split_at_mut(r);
            let row = &mut tail[0];
            row.sort_unstable();
            row.dedup();
            entries += row.len();
            work += (row.len() as u64).pow(2);
            if entries > MOST_ENTRIES || work > MOST_WORK {
                return Err(TooLarge);
            }
            if row.len() > 1 {
                let parent = row[row.len() - 2] as usize;
                head[parent].extend_from_slice(&row[..row.len() - 1]);
            }
        }
        Ok(())
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

    /// Joins rows to supernodes and lays out the rows.
    fn find_supernodes(&mut self, n: usize) {
        self.nodes.clear();
        self.node_of.clear();
        for r in 0..n {
            let row = &self.columns[r];
            let depth = row.len() - 1;
            let joins = r > 0 && depth == self.columns[r - 1].len() && row[depth - 1] as usize == r - 1;
            match self.nodes.last_mut() {
                Some(node) if joins => node.size += 1,
                _ => self.nodes.push(Supernode { first: r, size: 1, depth, ..Supernode::default() }),
            }
            self.node_of.push(self.nodes.len() - 1);
        }
        self.path.clear();
        self.row_at.clear();
        self.panels.clear();
        self.size = 0;
        for node in &mut self.nodes {
            let (first, end) = (node.depth / 4, lanes(node.depth + node.size));
            node.path = self.path.len();
            node.contiguous = push_index_lanes(&mut self.path, &self.columns[node.first + node.size - 1]);
            node.start = self.size;
            // where a triangle over path and supernode would begin: possibly before zero
            let before = node.start.wrapping_sub(triangle_size(first));
            node.panels.0 = self.panels.len();
            for g in first..end {
                let position = (4 * g).max(node.depth);
                let past = (4 * g + 4).min(node.depth + node.size);
                let row = node.first + position - node.depth;
                let at = before.wrapping_add(triangle_row(position));
                self.panels.push(Panel::new(at, g + 1, position % 4, row..row + past - position));
                self.row_at.extend((position..past).map(|m| before.wrapping_add(triangle_row(m)) as u32));
            }
            node.panels.1 = self.panels.len();
            self.size += triangle_size(end) - triangle_size(first);
        }
    }

    /// Finds where products of paths and rows of the inertia matrix are added.
    fn find_node_targets(&mut self, mass: Pattern<'_>) -> Result<(), TooLarge> {
        self.target_row.clear();
        self.target_list.clear();
        self.positions.clear();
        self.pieces.clear();
        let path = std::mem::take(&mut self.path);
        for k in 0..self.nodes.len() {
            let node = self.nodes[k];
            let cols = &path[node.path..node.path + lanes(node.depth)].as_flattened()[..node.depth];
            match self.scatter(cols) {
                Ok(scatter) => self.nodes[k].scatter = scatter,
                Err(problem) => {
                    self.path = path;
                    return Err(problem);
                }
            }
        }
        self.path = path;
        self.mass_lists.clear();
        self.full_lanes.clear();
        self.partial_lanes.clear();
        let mut from = 0;
        for r in 0..mass.nrow() {
            let cols = mass.cols(r);
            if cols.len() < self.columns[r].len() {
                self.mass_lists.push((r, self.positions.len()));
                push_positions(&mut self.positions, &self.columns[r], cols);
            } else {
                for (k, part) in (0u32..).zip(cols.chunks(4)) {
                    let count = part.len() as u32;
                    let lanes = if count == 4 { &mut self.full_lanes } else { &mut self.partial_lanes };
                    lanes.push(MassLane { from: from + 4 * k, to: self.row_at[r] + k, count });
                }
            }
            from += cols.len() as u32;
        }
        self.node_targets = [self.target_row.len(), self.positions.len(), self.pieces.len()];
        Ok(())
    }

    /// Finds where products of blocks are added, after what the supernodes need.
    fn find_block_targets(&mut self, jac: &BlockJacobian<'_>) -> Result<(), TooLarge> {
        let [targets, positions, pieces] = self.node_targets;
        self.target_row.truncate(targets);
        self.target_list.truncate(targets);
        self.positions.truncate(positions);
        self.pieces.truncate(pieces);
        self.blocks.clear();
        for block in jac.blocks {
            // products of a single column are one diagonal
            let scatter = if block.ncol > 1 { self.scatter(jac.cols(block))? } else { Scatter::default() };
            self.blocks.push(scatter);
        }
        Ok(())
    }

    /// Where the products of the given columns go.
    fn scatter(&mut self, cols: &[i32]) -> Result<Scatter, TooLarge> {
        let (first, first_piece) = (self.target_row.len(), self.pieces.len());
        let mut direct = true;
        let mut i = 0;
        while i < cols.len() {
            // all columns of one supernode share a list of positions
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
            let [from, past] = [i, end].map(|row| triangle_row(row) as u32);
            self.pieces.push(Piece { from, to: self.row_at[cols[i] as usize], len: past - from });
            i = end;
            if self.positions.len() > MOST_ENTRIES {
                return Err(TooLarge);
            }
        }
        if !direct {
            self.pieces.truncate(first_piece);
        }
        Ok(Scatter { first, len: cols.len(), pieces: (first_piece, self.pieces.len()) })
    }

    /// Rough costs, in instructions.
    fn estimate_work(&mut self, jac: &BlockJacobian<'_>) {
        // one vector into the triangle of its products, among those of other vectors
        let products = |n: usize| 30 + 10 * triangle_size(lanes(n)) / 3;
        let rotate =
            |node: &Supernode, size: usize| size * (100 + 13 * lanes(node.depth + size)) + 14 * node.depth;
        let mut factor_work = 0;
        for node in &self.nodes {
            factor_work += node.size * (100 + products(node.depth));
            for panel in self.panels(node) {
                let above = triangle_size(panel.width - 1) - triangle_size(node.depth / 4);
                factor_work += panel.count * (10 * above / 3);
            }
        }
        self.factor_work = factor_work;
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

    /// Columns of a supernode's path.
    #[inline]
    pub(crate) fn node_path(&self, node: &Supernode) -> &[i32] {
        &self.column_indices(node).ind.as_flattened()[..node.depth]
    }

    /// Panels of a supernode's rows.
    #[inline]
    pub(crate) fn panels(&self, node: &Supernode) -> &[Panel] {
        &self.panels[node.panels.0..node.panels.1]
    }

    /// Columns of a supernode's path and of the supernode.
    #[inline]
    pub(crate) fn column_indices(&self, node: &Supernode) -> ColumnIndices<'_> {
        let count = node.depth + node.size;
        ColumnIndices {
            ind: &self.path[node.path..node.path + lanes(count)],
            count,
            contiguous: node.contiguous,
        }
    }

    /// Lanes of the longest row.
    pub(crate) fn max_width(&self) -> usize {
        self.nodes.iter().map(|node| lanes(node.depth + node.size)).max().unwrap_or(0)
    }

    /// Lanes on their path of the rows of a supernode, where these are most.
    pub(crate) fn max_path_rows(&self) -> usize {
        self.nodes.iter().map(|node| node.size * lanes(node.depth)).max().unwrap_or(0)
    }

    /// The supernode of a row.
    #[inline]
    pub(crate) fn node_of(&self, row: i32) -> &Supernode {
        &self.nodes[self.node_of[row as usize]]
    }

    /// Number of rows.
    #[inline]
    pub(crate) fn nrow(&self) -> usize {
        self.node_of.len()
    }

    /// Number of lanes of all rows.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Offset at which a triangle of products may be made in place.
    #[inline]
    pub(crate) fn direct_offset(&self, scatter: &Scatter) -> Option<usize> {
        match &self.pieces[scatter.pieces.0..scatter.pieces.1] {
            [piece] => Some(piece.to as usize),
            _ => None,
        }
    }

    /// Adds a triangle of products to the rows of `matrix` it belongs to.
    pub(crate) fn scatter_triangle(&self, scatter: &Scatter, matrix: &mut [Lane], triangle: &[Lane]) {
        let pieces = &self.pieces[scatter.pieces.0..scatter.pieces.1];
        for piece in pieces {
            let [from, to, len] = [piece.from, piece.to, piece.len].map(|x| x as usize);
            add_lanes(&mut matrix[to..to + len], &triangle[from..from + len]);
        }
        if !pieces.is_empty() {
            return;
        }
        for i in 0..scatter.len {
            let row = matrix[self.target_row[scatter.first + i] as usize..].as_flattened_mut();
            let entries = triangle[triangle_row(i)..].as_flattened();
            let positions = &self.positions[self.target_list[scatter.first + i] as usize..][..=i];
            for (&x, &at) in entries.iter().zip(positions) {
                row[at as usize] += x;
            }
        }
    }

    /// The entry of a column's diagonal.
    #[inline]
    pub(crate) fn diagonal(&self, col: i32) -> usize {
        4 * self.row_at[col as usize] as usize + self.columns[col as usize].len() - 1
    }

    /// Rows of the inertia matrix that do not fill their row here, and the positions of their entries.
    #[inline]
    pub(crate) fn mass_positions(&self) -> impl Iterator<Item = (usize, &[u32])> {
        self.mass_lists.iter().map(|&(row, at)| (row, &self.positions[at..]))
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
