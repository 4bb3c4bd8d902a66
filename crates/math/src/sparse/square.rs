//! Lower triangle of `Jᵀ D J + M`, the Hessian of the constrained dynamics, from sparse rows `J` and a sparse
//! lower triangle `M`.
//!
//! Row `r` of the result sums, over the rows `k` of `J` that have column `r`, `D_k J(k,r)` times the part of
//! row `k` up to column `r`. The transposed pattern of `J` knows where in row `k` column `r` sits, so that
//! part is a slice. Columns that occur in the same rows of `J` are treated four at a time with the
//! accumulators side by side, one register per column of the result.

use super::convert::Transposed;
use super::csr::{Csr, CsrBuf, Pattern, pack_rows};
use super::map::{find_supernodes, sparse_map};

const BATCH: usize = 4;

/// Builds `Jᵀ D J + M`: first the pattern, then the values as often as `D` changes. Owns all scratch.
#[derive(Debug, Clone, Default)]
pub struct SquareBuilder {
    /// The result: lower triangle, diagonal last in each row.
    pub result: CsrBuf,
    jt: Transposed,
    jt_super: Vec<i32>,
    mt: Transposed,
    /// where the entries of `M` are in the result
    m_map: Vec<i32>,
    /// rows below the diagonal of each column, one column after another
    below: Vec<i32>,
    below_count: Vec<i32>,
    stamp: Vec<i32>,
    single: Vec<f64>,
    batch: Vec<[f64; BATCH]>,
}

impl SquareBuilder {
    /// Finds the pattern from that of `J` with `nc` columns and, if given, that of the lower triangle `M`.
    /// Every diagonal entry is in the pattern.
    pub fn symbolic(&mut self, j: Pattern, nc: usize, m: Option<Pattern>) {
        self.jt.build(j, nc);
        self.jt_super.resize(nc, 0);
        find_supernodes(&mut self.jt_super, self.jt.pattern());
        self.mt.build(m.unwrap_or_default(), nc);
        self.collect_columns(j, nc);
        self.fill_rows(nc);
        if let Some(m) = m {
            self.m_map.clear();
            self.m_map.resize(m.colind.len(), -1);
            // the pattern of M is part of the result, so this finds every entry
            sparse_map(&mut self.m_map, m, self.result.pattern());
        }
        self.single.clear();
        self.single.resize(nc, 0.0);
        self.batch.clear();
        self.batch.resize(nc, [0.0; BATCH]);
    }

    /// Lists, for each column, the rows below the diagonal; counts the entries of each row.
    fn collect_columns(&mut self, j: Pattern, nc: usize) {
        self.below.clear();
        self.below_count.clear();
        self.stamp.clear();
        self.stamp.resize(nc, -1);
        self.result.rownnz.clear();
        self.result.rownnz.resize(nc, 1);
        for c in 0..nc {
            let start = self.below.len();
            let mut visit = |row: i32| {
                let r = row as usize;
                if self.stamp[r] != c as i32 {
                    self.stamp[r] = c as i32;
                    self.result.rownnz[r] += 1;
                    self.below.push(row);
                }
            };
            let (rows, origins) = self.jt.row(c);
            for (&k, &adr) in rows.iter().zip(origins) {
                let end = j.range(k as usize).end;
                j.colind[adr as usize + 1..end].iter().for_each(|&r| visit(r));
            }
            self.mt.row(c).0.iter().filter(|&&r| r > c as i32).for_each(|&r| visit(r));
            self.below_count.push((self.below.len() - start) as i32);
        }
    }

    /// Turns the lists of columns into rows; columns come in increasing order, so rows come out sorted.
    fn fill_rows(&mut self, nc: usize) {
        let total = pack_rows(&mut self.result.rowadr, &self.result.rownnz);
        self.result.colind.resize(total, 0);
        self.result.val.resize(total, 0.0);
        let cursor = &mut self.stamp;
        cursor.copy_from_slice(&self.result.rowadr);
        let mut below = self.below.as_slice();
        for c in 0..nc {
            let (column, rest) = below.split_at(self.below_count[c] as usize);
            below = rest;
            for &r in column {
                let at = &mut cursor[r as usize];
                self.result.colind[*at as usize] = c as i32;
                *at += 1;
            }
            // rows above c are complete and c itself has all its smaller columns by now
            self.result.colind[cursor[c] as usize] = c as i32;
        }
    }

    /// Computes the values for `J`, the weights `d` of its rows and `M`, with the patterns given to
    /// [`symbolic`](Self::symbolic).
    pub fn numeric(&mut self, j: Csr, d: &[f64], m: Option<Csr>) {
        let nc = self.jt_super.len();
        let mut r = 0;
        while r < nc {
            let same = (self.jt_super[r] as usize + 1).min(BATCH);
            if same == 1 {
                self.numeric_single(j, d, r);
            } else {
                self.numeric_batch(j, d, r, same);
            }
            r += same;
        }
        if let Some(m) = m {
            for i in 0..m.nrow() {
                for k in m.pattern.range(i) {
                    self.result.val[self.m_map[k] as usize] += m.val[k];
                }
            }
        }
    }

    /// One row of the result.
    fn numeric_single(&mut self, j: Csr, d: &[f64], r: usize) {
        let sums = self.single.as_mut_slice();
        let (rows, origins) = self.jt.row(r);
        for (&k, &adr) in rows.iter().zip(origins) {
            let scale = d[k as usize] * j.val[adr as usize];
            if scale == 0.0 {
                continue;
            }
            let part = j.pattern.rowadr[k as usize] as usize..adr as usize + 1;
            for (&c, v) in j.pattern.colind[part.clone()].iter().zip(&j.val[part]) {
                sums[c as usize] += scale * v;
            }
        }
        let range = self.result.pattern().range(r);
        for (out, &c) in self.result.val[range.clone()].iter_mut().zip(&self.result.colind[range]) {
            *out = core::mem::take(&mut sums[c as usize]);
        }
    }

    /// `count` rows of the result whose columns in `J` have the same rows.
    fn numeric_batch(&mut self, j: Csr, d: &[f64], r: usize, count: usize) {
        let sums = self.batch.as_mut_slice();
        let rows = self.jt.row(r).0;
        let origins: [&[i32]; BATCH] = core::array::from_fn(|s| self.jt.row(r + s.min(count - 1)).1);
        for (at, &k) in rows.iter().enumerate() {
            let weight = d[k as usize];
            if weight == 0.0 {
                continue;
            }
            // lanes beyond `count` repeat the last row and are never read
            let scale: [f64; BATCH] = core::array::from_fn(|s| weight * j.val[origins[s][at] as usize]);
            let part = j.pattern.rowadr[k as usize] as usize..origins[BATCH - 1][at] as usize + 1;
            for (&c, v) in j.pattern.colind[part.clone()].iter().zip(&j.val[part]) {
                let sum = &mut sums[c as usize];
                for s in 0..BATCH {
                    sum[s] += scale[s] * v;
                }
            }
        }
        for s in 0..count {
            let range = self.result.pattern().range(r + s);
            for (out, &c) in self.result.val[range.clone()].iter_mut().zip(&self.result.colind[range.clone()])
            {
                *out = sums[c as usize][s];
            }
        }
        // the last row's columns include those of all rows of the batch
        for &c in self.result.pattern().cols(r + count - 1) {
            sums[c as usize] = [0.0; BATCH];
        }
    }
}
