//! The constraint Jacobian as a list of small dense blocks.
//!
//! Rows of one contact, and of neighbouring contacts between the same bodies, touch the same dofs. Such a run
//! of rows is one dense block with a list of columns: products gather the vector once per block and then work
//! on contiguous memory. Rows are padded with zeros to whole lanes, so that loops over them have no rest.
//!
//! Many blocks are a single short row: limits, friction losses, frictionless contacts. Products take
//! neighbours of them that have the same number of columns and lie side by side as one run.
//!
//! Blocks are made together with the rows. For a solve by islands they are put in the order of islands, and
//! count their rows from the island's first one; the values stay where they are.

mod columns;

pub(crate) use columns::{Columns, RawJacobian};

use kinetree_math::LaneVec;
use kinetree_math::gather::{ColumnIndices, ContiguousLanes, GatheredRows, push_index_lanes};
use kinetree_math::lanes::{Lane, lanes};
use kinetree_model::Data;
use std::mem::swap;
use std::ops::Range;

/// A run of rows with the same columns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    /// First row, counted from the island's first.
    pub row: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub ncol: usize,
    /// Lanes of a row.
    width: usize,
    /// Where the columns begin, in lanes.
    cols: usize,
    /// Which lanes of columns have no gaps.
    contiguous: ContiguousLanes,
    /// Where the values begin, row by row, in lanes.
    vals: usize,
    /// Number of blocks from this one on that products can take at once.
    run: usize,
}

impl Block {
    /// Whether another block lies behind this one and both are short single rows of one length.
    #[inline]
    fn is_followed_by(&self, next: &Self) -> bool {
        self.rows == 1
            && next.rows == 1
            && self.ncol <= LONGEST_IN_RUN
            && next.ncol == self.ncol
            && next.row == self.row + 1
            && next.cols == self.cols + self.width
            && next.vals == self.vals + self.width
    }
}

/// Number of columns up to which single rows form runs.
const LONGEST_IN_RUN: usize = 6;

/// The number one and padding.
const UNIT: Lane = [1.0, 0.0, 0.0, 0.0];

/// Storage of the blocks.
#[derive(Debug, Default)]
pub(crate) struct BlockBuf {
    blocks: Vec<Block>,
    /// Columns, padded to whole lanes.
    cols: Vec<[i32; 4]>,
    /// Values of all blocks, and old ones behind them.
    vals: LaneVec,
    /// Number of rows.
    rows: usize,
    /// Number of lanes of values.
    used: usize,
    /// Lanes of the longest row.
    widest: usize,
}

/// Where the blocks of each island begin, and working memory.
#[derive(Debug, Default)]
pub(crate) struct IslandOrder {
    /// First block of each island, and the number of all blocks.
    pub starts: Vec<usize>,
    next: Vec<usize>,
    blocks: Vec<Block>,
    cols: Vec<[i32; 4]>,
}

/// The Jacobian of one solve.
#[derive(Clone, Copy)]
pub(crate) struct BlockJacobian<'a> {
    pub blocks: &'a [Block],
    cols: &'a [[i32; 4]],
    vals: &'a [Lane],
    widest: usize,
}

impl BlockBuf {
    /// Forgets all blocks.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.cols.clear();
        self.rows = 0;
        self.used = 0;
        self.widest = 0;
    }

    /// Appends rows with the given increasing columns, and returns where their values belong, padded to lanes
    /// with zeros.
    pub(crate) fn add(&mut self, cols: &[i32], rows: usize) -> &mut [Lane] {
        if !self.continues(cols) {
            let ncol = cols.len();
            self.widest = self.widest.max(lanes(ncol));
            let at = self.cols.len();
            let contiguous = push_index_lanes(&mut self.cols, cols);
            self.blocks.push(Block {
                row: self.rows,
                rows: 0,
                ncol,
                width: lanes(ncol),
                cols: at,
                contiguous,
                vals: self.used,
                run: 1,
            });
        }
        self.extend(rows)
    }

    /// As [`Self::add`], with columns in lanes.
    pub(crate) fn add_lanes(&mut self, column_indices: ColumnIndices<'_>, rows: usize) -> &mut [Lane] {
        let ColumnIndices { ind: cols, count: ncol, contiguous } = column_indices;
        let continues = self.blocks.last().is_some_and(|block| {
            block.ncol == ncol && ncol > 0 && {
                let last = &self.cols[block.cols..];
                last.iter().rev().zip(cols.iter().rev()).all(|(a, b)| a == b)
            }
        });
        if !continues {
            self.widest = self.widest.max(cols.len());
            self.blocks.push(Block {
                row: self.rows,
                rows: 0,
                ncol,
                width: cols.len(),
                cols: self.cols.len(),
                contiguous,
                vals: self.used,
                run: 1,
            });
            for lane in cols {
                self.cols.push(*lane);
            }
        }
        self.extend(rows)
    }

    /// Whether the last block has the given columns.
    #[inline]
    fn continues(&self, cols: &[i32]) -> bool {
        // the last column alone mostly distinguishes them
        self.blocks.last().is_some_and(|block| {
            let last = &self.cols[block.cols..].as_flattened()[..block.ncol];
            !cols.is_empty() && last.last() == cols.last() && last == cols
        })
    }

    /// Appends a row with a single column, which has the given value.
    #[inline]
    pub(crate) fn add_single(&mut self, col: i32, value: f64) {
        let cols = [col; 4];
        // padding repeats the column, so that a lane of columns says all
        let continues =
            self.blocks.last().is_some_and(|block| block.ncol == 1 && self.cols.last() == Some(&cols));
        if !continues {
            self.blocks.push(self.next_single());
            self.cols.push(cols);
            self.widest = self.widest.max(1);
        }
        if let [lane] = self.extend(1) {
            *lane = [value, 0.0, 0.0, 0.0];
        }
    }

    /// A block with a single column that follows the last one, without rows yet.
    #[inline]
    fn next_single(&self) -> Block {
        Block {
            row: self.rows,
            rows: 0,
            ncol: 1,
            width: 1,
            cols: self.cols.len(),
            contiguous: ContiguousLanes::of(&[[0; 4]], 1),
            vals: self.used,
            run: 1,
        }
    }

    /// Appends rows that are one in a single column and zero elsewhere. No two neighbours have the same
    /// column.
    pub(crate) fn add_units(&mut self, cols: &[i32]) {
        let Some((first, rest)) = cols.split_first() else { return };
        self.add_single(*first, 1.0);
        let next = Block { rows: 1, ..self.next_single() };
        let block = |k: usize| Block { row: next.row + k, cols: next.cols + k, vals: next.vals + k, ..next };
        self.blocks.extend((0..rest.len()).map(block));
        self.cols.extend(rest.iter().map(|&col| [col; 4]));
        self.rows += rest.len();
        self.used += rest.len();
        if self.vals.len() < self.used {
            self.vals.resize(self.used);
        }
        self.vals[next.vals..self.used].fill(UNIT);
    }

    /// Finds the runs, after the last block was added or moved.
    pub(crate) fn find_runs(&mut self) {
        let mut blocks = &mut self.blocks[..];
        let mut run = 0;
        while let Some((block, before)) = blocks.split_last_mut() {
            run += 1;
            block.run = run;
            if !before.last().is_some_and(|before| before.is_followed_by(block)) {
                run = 0;
            }
            blocks = before;
        }
    }

    /// Appends rows to the last block, and returns where their values belong.
    #[inline]
    pub(crate) fn extend(&mut self, rows: usize) -> &mut [Lane] {
        let Some(block) = self.blocks.last_mut() else { return &mut [] };
        block.rows += rows;
        self.rows += rows;
        let start = self.used;
        self.used += rows * block.width;
        if self.vals.len() < self.used {
            self.vals.resize(self.used);
        }
        &mut self.vals[start..self.used]
    }

    /// Puts the blocks in the order of islands, with rows counted from the island's first one.
    pub(super) fn sort_by_island(&mut self, data: &Data, order: &mut IslandOrder) {
        let island = |block: &Block| data.efc_island[block.row] as usize;
        let IslandOrder { starts, next, blocks, cols } = order;
        next.clear();
        next.resize(data.nisland, 0);
        for block in &self.blocks {
            next[island(block)] += 1;
        }
        starts.clear();
        starts.push(0);
        let mut total = 0;
        for n in next.iter_mut() {
            (total, *n) = (total + *n, total);
            starts.push(total);
        }
        blocks.resize(total, Block::default());
        for block in &self.blocks {
            let at = island(block);
            let row = (data.map_efc2iefc[block.row] - data.island_iefcadr[at]) as usize;
            blocks[next[at]] = Block { row, ..*block };
            next[at] += 1;
        }
        cols.clear();
        for block in blocks.iter_mut() {
            let from = &self.cols[block.cols..block.cols + block.width];
            block.cols = cols.len();
            cols.extend_from_slice(from);
        }
        self.exchange(order);
        self.find_runs();
    }

    /// Exchanges the order of the step and the order of islands, so that each buffer has the same use in
    /// every step.
    pub(super) fn exchange(&mut self, order: &mut IslandOrder) {
        swap(&mut self.blocks, &mut order.blocks);
        swap(&mut self.cols, &mut order.cols);
    }

    /// The blocks of neighbouring rows.
    pub(super) fn of_rows(&self, rows: &Range<usize>) -> Range<usize> {
        let before = |row: usize| self.blocks.partition_point(|block| block.row < row);
        before(rows.start)..before(rows.end)
    }

    /// Counts the rows of the blocks from `first`.
    pub(super) fn count_rows_from(&mut self, blocks: Range<usize>, first: usize) {
        for block in &mut self.blocks[blocks] {
            block.row -= first;
        }
    }

    /// Counts the columns of the blocks from `first`.
    pub(super) fn shift_columns(&mut self, blocks: Range<usize>, first: i32) {
        let blocks = &self.blocks[blocks];
        if let (Some(start), Some(end)) = (blocks.first(), blocks.last())
            && first > 0
        {
            for c in self.cols[start.cols..end.cols + end.width].as_flattened_mut() {
                *c -= first;
            }
        }
    }

    /// Replaces each column `c` of the blocks by `map[c] − first`.
    pub(super) fn rename_columns(&mut self, blocks: Range<usize>, map: &[i32], first: i32) {
        for block in &self.blocks[blocks] {
            for c in self.cols[block.cols..block.cols + block.width].as_flattened_mut() {
                *c = map[*c as usize] - first;
            }
        }
    }

    /// Number of blocks.
    pub(super) fn count(&self) -> usize {
        self.blocks.len()
    }

    /// All blocks.
    pub(crate) fn all(&self) -> BlockJacobian<'_> {
        self.view(0..self.blocks.len())
    }

    /// Some of the blocks.
    pub(super) fn view(&self, blocks: Range<usize>) -> BlockJacobian<'_> {
        BlockJacobian {
            blocks: &self.blocks[blocks],
            cols: &self.cols,
            vals: &self.vals,
            widest: self.widest,
        }
    }
}

/// First dofs of two bodies with three dofs each, such as particles, if the columns of a row of `N` numbers
/// are theirs.
#[inline(always)]
fn two_bodies<const N: usize>(cols: &[i32]) -> Option<[usize; 2]> {
    let cols = cols.first_chunk::<6>()?;
    let found = N == 6 && cols[2] - cols[0] == 2 && cols[5] - cols[3] == 2;
    found.then_some([cols[0] as usize, cols[3] as usize])
}

impl<'a> BlockJacobian<'a> {
    /// Columns of a block.
    #[inline]
    pub(crate) fn cols(&self, block: &Block) -> &'a [i32] {
        &self.col_lanes(block).as_flattened()[..block.ncol]
    }

    #[inline]
    fn col_lanes(&self, block: &Block) -> &'a [[i32; 4]] {
        &self.cols[block.cols..block.cols + block.width]
    }

    /// Values of the `r`-th row of a block.
    #[inline]
    pub(crate) fn row(&self, block: &Block, r: usize) -> &'a [Lane] {
        &self.vals[block.vals + r * block.width..][..block.width]
    }

    /// Values of all rows of a block, row by row.
    #[inline]
    pub(crate) fn rows(&self, block: &Block) -> &'a [Lane] {
        &self.vals[block.vals..block.vals + block.rows * block.width]
    }

    /// Rows and columns of a block.
    #[inline]
    fn rows_at(&self, block: &Block) -> GatheredRows<'a> {
        let column_indices =
            ColumnIndices { ind: self.col_lanes(block), count: block.ncol, contiguous: block.contiguous };
        GatheredRows { rows: self.rows(block), column_indices }
    }

    /// Columns of all blocks, one after another, with padding.
    #[inline]
    pub(super) fn all_cols(&self) -> &'a [[i32; 4]] {
        match (self.blocks.first(), self.blocks.last()) {
            (Some(first), Some(last)) => &self.cols[first.cols..last.cols + last.width],
            _ => &[],
        }
    }

    /// Lanes of the longest row, here or in another part.
    #[inline]
    pub(crate) fn max_width(&self) -> usize {
        self.widest
    }

    /// `res = J v`; `buf` holds at least the longest row.
    pub(crate) fn mul(&self, res: &mut [f64], v: &[f64], buf: &mut [Lane]) {
        self.mul_each([res], [v], buf);
    }

    /// As [`Self::mul`], for two vectors in one pass.
    pub(super) fn mul_both(&self, res: [&mut [f64]; 2], v: [&[f64]; 2], buf: &mut [Lane]) {
        self.mul_each(res, v, buf);
    }

    #[inline(always)]
    fn mul_each<const V: usize>(&self, mut res: [&mut [f64]; V], v: [&[f64]; V], buf: &mut [Lane]) {
        let mut blocks = self.blocks;
        while let Some((block, others)) = blocks.split_first() {
            if block.rows > 1 || block.ncol > LONGEST_IN_RUN {
                blocks = others;
                let rows = block.row..block.row + block.rows;
                self.rows_at(block).mul(res.each_mut().map(|res| &mut res[rows.clone()]), v, buf);
                continue;
            }
            let (run, rest) = blocks.split_at(block.run.clamp(1, blocks.len()));
            blocks = rest;
            for (res, v) in res.iter_mut().zip(v) {
                let out = &mut res[block.row..];
                match block.ncol {
                    0 => out[..run.len()].fill(0.0),
                    1 => self.mul_run::<1, 1>(run, out, v),
                    2 => self.mul_run::<2, 1>(run, out, v),
                    3 => self.mul_run::<3, 1>(run, out, v),
                    4 => self.mul_run::<4, 1>(run, out, v),
                    5 => self.mul_run::<5, 2>(run, out, v),
                    _ => self.mul_run::<6, 2>(run, out, v),
                }
            }
        }
    }

    /// Product with rows of `N` columns in `W` lanes.
    #[inline]
    fn mul_run<const N: usize, const W: usize>(&self, run: &[Block], out: &mut [f64], v: &[f64]) {
        let (cols, vals) = self.run_rows::<W>(run);
        for ((out, cols), vals) in out.iter_mut().zip(cols).zip(vals) {
            let (cols, vals) = (cols.as_flattened(), vals.as_flattened());
            let mut sum = 0.0;
            if let Some([first, second]) = two_bodies::<N>(cols)
                && let (Some(a), Some(b)) = (v[first..].first_chunk::<3>(), v[second..].first_chunk::<3>())
            {
                for k in 0..3 {
                    sum += vals[k] * a[k];
                }
                for k in 0..3 {
                    sum += vals[3 + k] * b[k];
                }
            } else {
                for k in 0..N {
                    sum += vals[k] * v[cols[k] as usize];
                }
            }
            *out = sum;
        }
    }

    /// `res = Jᵀ f`; `buf` holds at least the longest row.
    pub(super) fn mul_t(&self, res: &mut [f64], f: &[f64], buf: &mut [Lane]) {
        res.fill(0.0);
        let mut blocks = self.blocks;
        while let Some((block, others)) = blocks.split_first() {
            if block.rows > 1 || block.ncol > LONGEST_IN_RUN {
                blocks = others;
                let forces = &f[block.row..block.row + block.rows];
                if forces.iter().any(|&s| s != 0.0) {
                    // added to what is there: the sum then runs over rows in order, as large forces that
                    // cancel need it
                    self.rows_at(block).add_scaled(res, forces, buf);
                }
                continue;
            }
            let (run, rest) = blocks.split_at(block.run.clamp(1, blocks.len()));
            blocks = rest;
            let f = &f[block.row..];
            match block.ncol {
                0 => {}
                1 => self.mul_t_run::<1, 1>(run, res, f),
                2 => self.mul_t_run::<2, 1>(run, res, f),
                3 => self.mul_t_run::<3, 1>(run, res, f),
                4 => self.mul_t_run::<4, 1>(run, res, f),
                5 => self.mul_t_run::<5, 2>(run, res, f),
                _ => self.mul_t_run::<6, 2>(run, res, f),
            }
        }
    }

    /// Product with the transposes of rows of `N` columns in `W` lanes.
    #[inline]
    fn mul_t_run<const N: usize, const W: usize>(&self, run: &[Block], res: &mut [f64], f: &[f64]) {
        let (cols, vals) = self.run_rows::<W>(run);
        for ((&s, cols), vals) in f.iter().zip(cols).zip(vals) {
            if s == 0.0 {
                continue;
            }
            let (cols, vals) = (cols.as_flattened(), vals.as_flattened());
            if let Some(bodies) = two_bodies::<N>(cols) {
                for (first, vals) in bodies.into_iter().zip(vals.as_chunks::<3>().0) {
                    let Some(res) = res[first..].first_chunk_mut::<3>() else { continue };
                    for k in 0..3 {
                        res[k] += vals[k] * s;
                    }
                }
            } else {
                for k in 0..N {
                    res[cols[k] as usize] += vals[k] * s;
                }
            }
        }
    }

    /// Columns and values of the rows of a run.
    #[inline]
    fn run_rows<const W: usize>(&self, run: &[Block]) -> (&'a [[[i32; 4]; W]], &'a [[Lane; W]]) {
        let (cols, vals) = run.first().map_or((0, 0), |block| (block.cols, block.vals));
        let size = run.len() * W;
        (self.cols[cols..cols + size].as_chunks().0, self.vals[vals..vals + size].as_chunks().0)
    }
}
