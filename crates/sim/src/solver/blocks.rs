//! The constraint Jacobian as a list of small dense blocks.
//!
//! Rows of one contact, and of neighbouring contacts between the same bodies, touch the same dofs. Such a run of rows is one dense
//! block with a list of columns: products gather the vector once per block and then work on contiguous memory. Rows are padded with
//! zeros to whole lanes, so that loops over them have no rest.
//!
//! Blocks are made once per solve, island after island, and count their rows from the island's first one.

use super::columns::{Columns, RawJacobian};
use kinetree_math::lanes::{
    Lane, add_scaled_lanes, add_scaled_lanes4, dot_lanes, dot_lanes4, gather_lanes, lanes, push_index_lanes,
};
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
    /// Where the values begin, row by row, in lanes.
    vals: usize,
}

/// Storage of the blocks.
#[derive(Debug, Default)]
pub(crate) struct BlockBuf {
    blocks: Vec<Block>,
    /// Columns, padded to whole lanes with the last one.
    cols: Vec<[i32; 4]>,
    vals: Vec<Lane>,
    found: Columns,
}

/// The Jacobian of one solve.
#[derive(Clone, Copy)]
pub(crate) struct BlockJacobian<'a> {
    pub blocks: &'a [Block],
    cols: &'a [[i32; 4]],
    vals: &'a [Lane],
}

impl BlockBuf {
    /// Forgets all blocks.
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.cols.clear();
        self.vals.clear();
    }

    /// Appends the blocks of the given rows, which are all rows of an island, and returns where the blocks are.
    pub(super) fn add_rows(&mut self, jac: &RawJacobian<'_>, rows: &impl Rows) -> Range<usize> {
        let first = self.blocks.len();
        let n = rows.count();
        self.found.forget();
        let mut k = 0;
        while k < n {
            let row = rows.at(k);
            let mut size = 1;
            while k + size < n && jac.same_object(row, rows.at(k + size)) {
                size += 1;
            }
            let changed = self.found.find(jac, row, size);
            if changed || self.blocks.len() == first {
                let found = &self.found.cols;
                let (cols, vals, ncol) = (self.cols.len(), self.vals.len(), found.len());
                push_index_lanes(&mut self.cols, found);
                self.blocks.push(Block { row: k, rows: 0, ncol, width: lanes(ncol), cols, vals });
            }
            jac.push_values(&mut self.vals, row, size, &self.found);
            if let Some(block) = self.blocks.last_mut() {
                block.rows += size;
            }
            k += size;
        }
        first..self.blocks.len()
    }

    /// Replaces each column `c` of the blocks by `map[c] − first`.
    pub(super) fn rename_columns(&mut self, blocks: Range<usize>, map: &[i32], first: i32) {
        for block in &self.blocks[blocks] {
            for c in self.cols[block.cols..block.cols + block.width].as_flattened_mut() {
                *c = map[*c as usize] - first;
            }
        }
    }

    /// Some of the blocks.
    pub(super) fn view(&self, blocks: Range<usize>) -> BlockJacobian<'_> {
        BlockJacobian { blocks: &self.blocks[blocks], cols: &self.cols, vals: &self.vals }
    }
}

/// A list of rows.
pub(crate) trait Rows {
    /// Number of rows.
    fn count(&self) -> usize;
    /// The `k`-th row.
    fn at(&self, k: usize) -> usize;
}

impl Rows for Range<usize> {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn at(&self, k: usize) -> usize {
        self.start + k
    }
}

impl Rows for &[i32] {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn at(&self, k: usize) -> usize {
        self[k] as usize
    }
}

impl<'a> BlockJacobian<'a> {
    /// Columns of a block.
    #[inline]
    pub(super) fn cols(&self, block: &Block) -> &'a [i32] {
        &self.col_lanes(block).as_flattened()[..block.ncol]
    }

    #[inline]
    fn col_lanes(&self, block: &Block) -> &'a [[i32; 4]] {
        &self.cols[block.cols..block.cols + block.width]
    }

    /// Values of the `r`-th row of a block.
    #[inline]
    pub(super) fn row(&self, block: &Block, r: usize) -> &'a [Lane] {
        &self.vals[block.vals + r * block.width..][..block.width]
    }

    /// Columns of all blocks, one after another, with padding.
    #[inline]
    pub(super) fn all_cols(&self) -> &'a [[i32; 4]] {
        match (self.blocks.first(), self.blocks.last()) {
            (Some(first), Some(last)) => &self.cols[first.cols..last.cols + last.width],
            _ => &[],
        }
    }

    /// Lanes of the longest row.
    pub(super) fn max_width(&self) -> usize {
        self.blocks.iter().map(|b| b.width).max().unwrap_or(0)
    }

    /// `res = J v`; `buf` holds at least the longest row.
    pub(super) fn mul(&self, res: &mut [f64], v: &[f64], buf: &mut [Lane]) {
        for block in self.blocks {
            let out = &mut res[block.row..block.row + block.rows];
            if block.width == 0 {
                out.fill(0.0);
                continue;
            }
            if let [out] = out {
                let mut sum = 0.0;
                for (&c, &x) in self.cols(block).iter().zip(self.row(block, 0).as_flattened()) {
                    sum += x * v[c as usize];
                }
                *out = sum;
                continue;
            }
            let buf = &mut buf[..block.width];
            gather_lanes(buf, v, self.col_lanes(block));
            let vals = &self.vals[block.vals..block.vals + block.rows * block.width];
            let (fours, rest) = out.as_chunks_mut::<4>();
            let (four_rows, rest_rows) = vals.split_at(4 * fours.len() * block.width);
            for (out, rows) in fours.iter_mut().zip(four_rows.chunks_exact(4 * block.width)) {
                *out = dot_lanes4(split_four(rows, block.width), buf);
            }
            for (out, row) in rest.iter_mut().zip(rest_rows.chunks_exact(block.width)) {
                *out = dot_lanes(row, buf);
            }
        }
    }

    /// `res = Jᵀ f`; `buf` holds at least the longest row.
    pub(super) fn mul_t(&self, res: &mut [f64], f: &[f64], buf: &mut [Lane]) {
        res.fill(0.0);
        for block in self.blocks {
            let forces = &f[block.row..block.row + block.rows];
            if block.width == 0 || forces.iter().all(|&s| s == 0.0) {
                continue;
            }
            let cols = self.cols(block);
            if let [s] = *forces {
                for (&c, &x) in cols.iter().zip(self.row(block, 0).as_flattened()) {
                    res[c as usize] += x * s;
                }
                continue;
            }
            // start from what is there: the sum then runs over rows in order, as large forces that cancel need it
            let buf = &mut buf[..block.width];
            gather_lanes(buf, res, self.col_lanes(block));
            let vals = &self.vals[block.vals..block.vals + block.rows * block.width];
            let (fours, rest) = forces.as_chunks::<4>();
            let (four_rows, rest_rows) = vals.split_at(4 * fours.len() * block.width);
            for (&s, rows) in fours.iter().zip(four_rows.chunks_exact(4 * block.width)) {
                add_scaled_lanes4(buf, split_four(rows, block.width), s);
            }
            for (&s, row) in rest.iter().zip(rest_rows.chunks_exact(block.width)) {
                add_scaled_lanes(buf, row, s);
            }
            for (&c, &x) in cols.iter().zip(buf.as_flattened()) {
                res[c as usize] = x;
            }
        }
    }
}

/// The four rows of a matrix with rows of the given width.
#[inline]
fn split_four(rows: &[Lane], width: usize) -> [&[Lane]; 4] {
    let (a, rest) = rows.split_at(width);
    let (b, rest) = rest.split_at(width);
    let (c, d) = rest.split_at(width);
    [a, b, c, d]
}
