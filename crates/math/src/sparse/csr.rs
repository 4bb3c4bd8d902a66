//! Borrowed and owned matrices of compressed rows.

use core::ops::Range;

/// Where the entries of a sparse matrix are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pattern<'a> {
    /// Number of entries of each row.
    pub rownnz: &'a [i32],
    /// Index of each row's first entry.
    pub rowadr: &'a [i32],
    /// Column of each entry, increasing within a row.
    pub colind: &'a [i32],
}

impl<'a> Pattern<'a> {
    /// Pattern from its three arrays.
    #[inline]
    #[must_use]
    pub fn new(rownnz: &'a [i32], rowadr: &'a [i32], colind: &'a [i32]) -> Self {
        Self { rownnz, rowadr, colind }
    }

    /// Number of rows.
    #[inline]
    #[must_use]
    pub fn nrow(&self) -> usize {
        self.rownnz.len()
    }

    /// Indices of the entries of row `r`.
    #[inline]
    #[must_use]
    pub fn range(&self, r: usize) -> Range<usize> {
        let start = self.rowadr[r] as usize;
        start..start + self.rownnz[r] as usize
    }

    /// Columns of row `r`.
    #[inline]
    #[must_use]
    pub fn cols(&self, r: usize) -> &'a [i32] {
        &self.colind[self.range(r)]
    }

    /// Number of entries in all rows.
    #[inline]
    #[must_use]
    pub fn nnz(&self) -> usize {
        self.rownnz.iter().map(|&n| n as usize).sum()
    }
}

/// Sparse matrix: a pattern and its values.
#[derive(Debug, Clone, Copy, Default)]
pub struct Csr<'a> {
    /// Where the entries are.
    pub pattern: Pattern<'a>,
    /// Value of each entry.
    pub val: &'a [f64],
}

impl<'a> Csr<'a> {
    /// Matrix from its pattern and values.
    #[inline]
    #[must_use]
    pub fn new(pattern: Pattern<'a>, val: &'a [f64]) -> Self {
        Self { pattern, val }
    }

    /// Number of rows.
    #[inline]
    #[must_use]
    pub fn nrow(&self) -> usize {
        self.pattern.nrow()
    }

    /// Columns and values of row `r`.
    #[inline]
    #[must_use]
    pub fn row(&self, r: usize) -> (&'a [i32], &'a [f64]) {
        let range = self.pattern.range(r);
        (&self.pattern.colind[range.clone()], &self.val[range])
    }

    /// The diagonal, if there is nothing else.
    #[inline]
    #[must_use]
    pub fn as_diagonal(&self) -> Option<&'a [f64]> {
        let Pattern { rownnz, rowadr, colind } = self.pattern;
        // most matrices are ruled out by their first rows; the rest is looked at without leaving early, in
        // lanes
        if rownnz.iter().take(4).any(|&n| n != 1) || colind.len() < rownnz.len() {
            return None;
        }
        let rows = rownnz.iter().zip(rowadr).zip(colind);
        let only =
            rows.zip(0..).fold(true, |only, (((&n, &at), &col), i)| only & (n == 1) & (at == i) & (col == i));
        only.then(|| &self.val[..rownnz.len()])
    }
}

/// Sparse matrix that owns its arrays and keeps their memory when it is built again.
#[derive(Debug, Clone, Default)]
pub struct CsrBuf {
    /// Number of entries of each row.
    pub rownnz: Vec<i32>,
    /// Index of each row's first entry.
    pub rowadr: Vec<i32>,
    /// Column of each entry, increasing within a row.
    pub colind: Vec<i32>,
    /// Value of each entry.
    pub val: Vec<f64>,
}

impl CsrBuf {
    /// Borrowed pattern.
    #[inline]
    #[must_use]
    pub fn pattern(&self) -> Pattern<'_> {
        Pattern::new(&self.rownnz, &self.rowadr, &self.colind)
    }

    /// Borrowed matrix.
    #[inline]
    #[must_use]
    pub fn view(&self) -> Csr<'_> {
        Csr::new(self.pattern(), &self.val)
    }

    /// Empty matrix without rows; capacity is kept.
    pub fn clear(&mut self) {
        self.rownnz.clear();
        self.rowadr.clear();
        self.colind.clear();
        self.val.clear();
    }

    /// Appends a row.
    pub fn push_row(&mut self, cols: &[i32], val: &[f64]) {
        debug_assert_eq!(cols.len(), val.len());
        self.rowadr.push(self.colind.len() as i32);
        self.rownnz.push(cols.len() as i32);
        self.colind.extend_from_slice(cols);
        self.val.extend_from_slice(val);
    }
}

/// Sets `rowadr` so that rows of the given lengths lie one after another, and returns the total.
pub(super) fn pack_rows(rowadr: &mut Vec<i32>, rownnz: &[i32]) -> usize {
    rowadr.clear();
    let mut total = 0;
    for &n in rownnz {
        rowadr.push(total);
        total += n;
    }
    total as usize
}
