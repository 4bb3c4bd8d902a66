//! Conversions: dense to sparse and back, transposition, removal of small entries.

use super::csr::{Csr, CsrBuf, Pattern, pack_rows};

/// Keeps the non-zero entries of a row-major matrix of size `nr × nc`.
pub fn dense_to_sparse(out: &mut CsrBuf, mat: &[f64], nr: usize, nc: usize) {
    out.clear();
    for r in 0..nr {
        let start = out.colind.len();
        for (c, &x) in mat[r * nc..(r + 1) * nc].iter().enumerate() {
            if x != 0.0 {
                out.colind.push(c as i32);
                out.val.push(x);
            }
        }
        out.rowadr.push(start as i32);
        out.rownnz.push((out.colind.len() - start) as i32);
    }
}

/// Writes a sparse matrix into a row-major one with `nc` columns; entries that are not stored become zero.
pub fn sparse_to_dense(res: &mut [f64], mat: Csr, nc: usize) {
    res[..mat.nrow() * nc].fill(0.0);
    for r in 0..mat.nrow() {
        let (cols, val) = mat.row(r);
        let row = &mut res[r * nc..(r + 1) * nc];
        for (&c, &v) in cols.iter().zip(val) {
            row[c as usize] = v;
        }
    }
}

/// Pattern of a transposed matrix, with the origin of each entry instead of a copy of its value.
#[derive(Debug, Clone, Default)]
pub struct Transposed {
    /// Number of entries of each row of the transposed matrix.
    pub rownnz: Vec<i32>,
    /// Index of each row's first entry.
    pub rowadr: Vec<i32>,
    /// Column of each entry, that is row of the original.
    pub colind: Vec<i32>,
    /// Index of each entry in the arrays of the original matrix.
    pub map: Vec<i32>,
}

impl Transposed {
    /// Transposes a pattern with `nc` columns, reusing memory.
    pub fn build(&mut self, pattern: Pattern, nc: usize) {
        self.rownnz.clear();
        self.rownnz.resize(nc, 0);
        for r in 0..pattern.nrow() {
            for &c in pattern.cols(r) {
                self.rownnz[c as usize] += 1;
            }
        }
        let total = pack_rows(&mut self.rowadr, &self.rownnz);
        self.colind.resize(total, 0);
        self.map.resize(total, 0);
        // rowadr serves as a cursor and is shifted back afterwards
        for r in 0..pattern.nrow() {
            let range = pattern.range(r);
            for (adr, &c) in range.clone().zip(&pattern.colind[range]) {
                let cursor = &mut self.rowadr[c as usize];
                self.colind[*cursor as usize] = r as i32;
                self.map[*cursor as usize] = adr as i32;
                *cursor += 1;
            }
        }
        for (adr, n) in self.rowadr.iter_mut().zip(&self.rownnz) {
            *adr -= n;
        }
    }

    /// Borrowed pattern of the transposed matrix.
    #[inline]
    #[must_use]
    pub fn pattern(&self) -> Pattern<'_> {
        Pattern::new(&self.rownnz, &self.rowadr, &self.colind)
    }

    /// Columns and origins of row `r` of the transposed matrix.
    #[inline]
    #[must_use]
    pub fn row(&self, r: usize) -> (&[i32], &[i32]) {
        let range = self.pattern().range(r);
        (&self.colind[range.clone()], &self.map[range])
    }
}

/// Transposes a matrix with `nc` columns into `out`, reusing its memory.
pub fn transpose(out: &mut CsrBuf, mat: Csr, nc: usize) {
    out.rownnz.clear();
    out.rownnz.resize(nc, 0);
    for r in 0..mat.nrow() {
        for &c in mat.row(r).0 {
            out.rownnz[c as usize] += 1;
        }
    }
    let total = pack_rows(&mut out.rowadr, &out.rownnz);
    out.colind.resize(total, 0);
    out.val.resize(total, 0.0);
    // rowadr serves as a cursor and is shifted back afterwards
    for r in 0..mat.nrow() {
        let (cols, vals) = mat.row(r);
        for (&c, &value) in cols.iter().zip(vals) {
            let cursor = &mut out.rowadr[c as usize];
            out.colind[*cursor as usize] = r as i32;
            out.val[*cursor as usize] = value;
            *cursor += 1;
        }
    }
    for (adr, n) in out.rowadr.iter_mut().zip(&out.rownnz) {
        *adr -= n;
    }
}
