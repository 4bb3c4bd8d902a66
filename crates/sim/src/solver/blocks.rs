//! The constraint Jacobian as a list of small dense blocks.
//!
//! Rows of one contact, and of neighbouring contacts between the same bodies, touch the same dofs. Such a run of rows is one dense
//! block with a list of columns: products gather the vector once per block and then work on contiguous memory. A sparse Jacobian is
//! used in place; a dense one is compressed, since most of its entries are zero.

use kinetree_math::dense::{add_scaled, dot};

/// A run of rows with the same columns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    /// First row.
    pub row: usize,
    /// Number of rows.
    pub rows: usize,
    /// Where the columns begin.
    pub cols: usize,
    /// Number of columns.
    pub ncol: usize,
    /// Where the values begin, row by row.
    pub vals: usize,
}

/// Storage of the blocks; values and columns are only filled for a dense Jacobian.
#[derive(Debug, Default)]
pub(crate) struct BlockBuf {
    pub blocks: Vec<Block>,
    cols: Vec<i32>,
    vals: Vec<f64>,
    used: Vec<bool>,
}

/// The Jacobian of one solve.
#[derive(Clone, Copy)]
pub(crate) struct BlockJacobian<'a> {
    pub blocks: &'a [Block],
    cols: &'a [i32],
    vals: &'a [f64],
}

impl BlockBuf {
    /// Finds the blocks of a dense Jacobian with `nv` columns. Rows of one object (`kind` and `id` equal) stay together.
    pub(super) fn set_dense<'a>(
        &'a mut self,
        jac: &[f64],
        nv: usize,
        kind: &[i32],
        id: &[i32],
    ) -> BlockJacobian<'a> {
        let n = kind.len();
        self.blocks.clear();
        self.cols.clear();
        self.vals.clear();
        let mut row = 0;
        while row < n {
            let mut end = row + 1;
            while end < n && kind[end] == kind[row] && id[end] == id[row] {
                end += 1;
            }
            self.compress(&jac[row * nv..end * nv], nv, row, end - row);
            row = end;
        }
        BlockJacobian { blocks: &self.blocks, cols: &self.cols, vals: &self.vals }
    }

    /// Appends rows of one object, to the last block when the columns are the same.
    fn compress(&mut self, jac: &[f64], nv: usize, row: usize, rows: usize) {
        let start = self.cols.len();
        if nv <= 64 {
            let mut mask = 0u64;
            for r in jac.chunks_exact(nv) {
                for (c, &x) in r.iter().enumerate() {
                    mask |= u64::from(x != 0.0) << c;
                }
            }
            while mask != 0 {
                self.cols.push(mask.trailing_zeros() as i32);
                mask &= mask - 1;
            }
        } else {
            self.used.clear();
            self.used.resize(nv, false);
            for r in jac.chunks_exact(nv) {
                for (used, &x) in self.used.iter_mut().zip(r) {
                    *used |= x != 0.0;
                }
            }
            self.cols.extend(self.used.iter().enumerate().filter(|(_, used)| **used).map(|(c, _)| c as i32));
        }
        let cols = &self.cols[start..];
        let ncol = cols.len();
        let vals = self.vals.len();
        for r in jac.chunks_exact(nv) {
            self.vals.extend(cols.iter().map(|&c| r[c as usize]));
        }
        if let Some(last) = self.blocks.last_mut()
            && last.ncol == ncol
            && self.cols[last.cols..last.cols + ncol] == *cols
        {
            last.rows += rows;
            self.cols.truncate(start);
            return;
        }
        self.blocks.push(Block { row, rows, cols: start, ncol, vals });
    }

    /// Finds the blocks of a sparse Jacobian whose rows lie one after another.
    pub(super) fn set_sparse<'a>(
        &'a mut self,
        rownnz: &[i32],
        rowadr: &[i32],
        colind: &'a [i32],
        jac: &'a [f64],
    ) -> BlockJacobian<'a> {
        self.blocks.clear();
        for (row, (&nnz, &adr)) in rownnz.iter().zip(rowadr).enumerate() {
            let (ncol, adr) = (nnz as usize, adr as usize);
            if let Some(last) = self.blocks.last_mut()
                && last.ncol == ncol
                && colind[last.cols..last.cols + ncol] == colind[adr..adr + ncol]
            {
                last.rows += 1;
                continue;
            }
            self.blocks.push(Block { row, rows: 1, cols: adr, ncol, vals: adr });
        }
        BlockJacobian { blocks: &self.blocks, cols: colind, vals: jac }
    }
}

impl<'a> BlockJacobian<'a> {
    /// Columns of a block.
    #[inline]
    pub(super) fn cols(&self, block: &Block) -> &'a [i32] {
        &self.cols[block.cols..block.cols + block.ncol]
    }

    /// Values of the `r`-th row of a block.
    #[inline]
    pub(super) fn row(&self, block: &Block, r: usize) -> &'a [f64] {
        &self.vals[block.vals + r * block.ncol..][..block.ncol]
    }

    /// `res = J v`; `buf` is scratch.
    pub(super) fn mul(&self, res: &mut [f64], v: &[f64], buf: &mut Vec<f64>) {
        for block in self.blocks {
            let cols = self.cols(block);
            let out = &mut res[block.row..block.row + block.rows];
            if block.rows == 1 {
                let mut sum = 0.0;
                for (&c, &x) in cols.iter().zip(self.row(block, 0)) {
                    sum += x * v[c as usize];
                }
                out[0] = sum;
                continue;
            }
            buf.clear();
            buf.extend(cols.iter().map(|&c| v[c as usize]));
            let vals = &self.vals[block.vals..block.vals + block.rows * block.ncol];
            if block.ncol == 0 {
                out.fill(0.0);
                continue;
            }
            for (o, row) in out.iter_mut().zip(vals.chunks_exact(block.ncol)) {
                *o = dot(row, buf);
            }
        }
    }

    /// `res = Jᵀ f`; `buf` is scratch.
    pub(super) fn mul_t(&self, res: &mut [f64], f: &[f64], buf: &mut Vec<f64>) {
        res.fill(0.0);
        for block in self.blocks {
            let cols = self.cols(block);
            let forces = &f[block.row..block.row + block.rows];
            if block.rows == 1 {
                let s = forces[0];
                if s != 0.0 {
                    for (&c, &x) in cols.iter().zip(self.row(block, 0)) {
                        res[c as usize] += x * s;
                    }
                }
                continue;
            }
            if forces.iter().all(|&s| s == 0.0) {
                continue;
            }
            // start from what is there: the sum then runs over rows in order, as large forces that cancel need it
            buf.clear();
            buf.extend(cols.iter().map(|&c| res[c as usize]));
            for (r, &s) in forces.iter().enumerate() {
                if s != 0.0 {
                    add_scaled(buf, self.row(block, r), s);
                }
            }
            for (&c, &x) in cols.iter().zip(buf.iter()) {
                res[c as usize] = x;
            }
        }
    }
}
