//! Newton's matrix `H = M + Jᵀ D J`, assembled and factorized on its own sparsity pattern.
//!
//! Dofs are eliminated from the leaves of the tree to its root, `H = Lᵀ L` with `L` lower triangular, so that the inertia matrix
//! alone makes no fill. A row of `L` holds the columns that the dof is coupled to below its own index; the pattern of a row, without
//! its largest column `p`, is part of row `p`, its parent in the elimination tree. Constraints couple the columns of a block with each
//! other. The symbolic part is kept and only redone when columns change.

use super::blocks::{Block, BlockJacobian};
use kinetree_math::MINVAL;
use kinetree_math::sparse::{Csr, Pattern};
use kinetree_model::Contact;
use kinetree_model::enums::{ConstraintState, ConstraintType};

/// Pattern, assembly maps and values of the factor.
#[derive(Debug, Default)]
pub(crate) struct Hessian {
    /// What the symbolic part was made for.
    key: Vec<i32>,
    probe: Vec<i32>,
    rowadr: Vec<usize>,
    colind: Vec<i32>,
    /// Where each entry of `M` goes.
    m_map: Vec<u32>,
    /// Where the pairs of columns of each block go, and where each block's list begins.
    block_map: Vec<u32>,
    block_map_adr: Vec<usize>,
    /// Cost of a factorization and of a rank-one update of each block.
    factor_work: usize,
    update_work: Vec<usize>,
    /// Values, and inverse diagonal.
    l: Vec<f64>,
    diag_inv: Vec<f64>,
    buf: Vec<f64>,
    cone: Vec<f64>,
    vector: Vec<f64>,
    columns: Vec<Vec<i32>>,
}

/// Weights of the rows: those of the cost's quadratic parts and the Hessians of contacts in their cone.
pub(crate) struct Weights<'a> {
    pub d: &'a [f64],
    pub state: &'a [i32],
    pub id: &'a [i32],
    pub contact: &'a [Contact],
}

const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const CONE: i32 = ConstraintState::Cone as i32;

impl Hessian {
    /// Number of entries of the factor.
    pub(super) fn nnz(&self) -> usize {
        self.colind.len()
    }

    /// Prepares the pattern for the given matrices; cheap when it is the same as before.
    pub(super) fn prepare(&mut self, mass: Pattern<'_>, jac: &BlockJacobian<'_>) {
        self.probe.clear();
        self.probe.push(mass.nrow() as i32);
        for r in 0..mass.nrow() {
            self.probe.push(mass.rownnz[r]);
            self.probe.extend_from_slice(mass.cols(r));
        }
        for block in jac.blocks {
            self.probe.push(block.ncol as i32);
            self.probe.extend_from_slice(jac.cols(block));
        }
        if self.probe == self.key {
            return;
        }
        std::mem::swap(&mut self.probe, &mut self.key);
        // both buffers grow together: which of them is which depends on how often the pattern has changed
        self.probe.clear();
        self.probe.reserve(self.key.capacity());
        self.find_pattern(mass, jac);
        self.make_maps(mass, jac);
    }

    /// Row patterns from the last row to the first, each passed on to its parent.
    fn find_pattern(&mut self, mass: Pattern<'_>, jac: &BlockJacobian<'_>) {
        let n = mass.nrow();
        self.columns.resize_with(n.max(self.columns.len()), Vec::new);
        for (r, cols) in self.columns[..n].iter_mut().enumerate() {
            cols.clear();
            cols.extend_from_slice(mass.cols(r));
        }
        for block in jac.blocks {
            let cols = jac.cols(block);
            if let Some(&last) = cols.last() {
                let row = &mut self.columns[last as usize];
                if cols.len() > 1 {
                    row.extend_from_slice(cols);
                }
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
        self.rowadr.clear();
        self.colind.clear();
        for row in &self.columns[..n] {
            self.rowadr.push(self.colind.len());
            self.colind.extend_from_slice(row);
        }
        self.rowadr.push(self.colind.len());
        self.factor_work = self.columns[..n].iter().map(|row| row.len() * (row.len() + 1) / 2).sum();
        self.vector.clear();
        self.vector.resize(n, 0.0);
        self.diag_inv.clear();
        self.diag_inv.resize(n, 0.0);
    }

    /// Positions of the inertia's entries and of the blocks' column pairs.
    fn make_maps(&mut self, mass: Pattern<'_>, jac: &BlockJacobian<'_>) {
        self.m_map.clear();
        for r in 0..mass.nrow() {
            positions(&mut self.m_map, &self.colind, self.rowadr[r], mass.cols(r));
        }
        self.block_map.clear();
        self.block_map_adr.clear();
        self.update_work.clear();
        for block in jac.blocks {
            self.block_map_adr.push(self.block_map.len());
            let cols = jac.cols(block);
            for (i, &c) in cols.iter().enumerate() {
                positions(&mut self.block_map, &self.colind, self.rowadr[c as usize], &cols[..=i]);
            }
            let mut work = 0;
            let mut row = cols.last().copied();
            while let Some(r) = row {
                let cols = self.row_cols(r as usize);
                work += 2 * cols.len() + 4;
                row = if cols.len() > 1 { Some(cols[cols.len() - 2]) } else { None };
            }
            self.update_work.push(work);
        }
    }

    #[inline]
    fn row_cols(&self, r: usize) -> &[i32] {
        &self.colind[self.rowadr[r]..self.rowadr[r + 1]]
    }

    /// Assembles and factorizes `H`; returns whether it was positive definite.
    pub(super) fn factorize(
        &mut self,
        mass: Csr<'_>,
        jac: &BlockJacobian<'_>,
        weights: &Weights<'_>,
    ) -> bool {
        self.l.clear();
        self.l.resize(self.colind.len(), 0.0);
        let mut k = 0;
        for r in 0..mass.nrow() {
            for &x in mass.row(r).1 {
                self.l[self.m_map[k] as usize] = x;
                k += 1;
            }
        }
        for b in 0..jac.blocks.len() {
            self.add_block(b, jac, weights);
        }
        self.factor_in_place()
    }

    /// Adds `Jᵀ D J` of one block.
    fn add_block(&mut self, b: usize, jac: &BlockJacobian<'_>, weights: &Weights<'_>) {
        let block = &jac.blocks[b];
        let map = &self.block_map[self.block_map_adr[b]..];
        let n = block.ncol;
        if n == 1 {
            self.l[map[0] as usize] += single_column(jac, block, weights);
            return;
        }
        self.buf.clear();
        self.buf.resize(n * (n + 1) / 2, 0.0);
        // rows are added four at a time, so that the triangle is read and written once for all of them
        let mut pending = [(0, 0.0); 4];
        let mut count = 0;
        let mut any = false;
        let mut r = 0;
        while r < block.rows {
            let row = block.row + r;
            match weights.state[row] {
                QUADRATIC => {
                    pending[count] = (r, weights.d[row]);
                    count += 1;
                    if count == 4 {
                        rank_update::<4>(
                            &mut self.buf,
                            pending.map(|(r, _)| jac.row(block, r)),
                            pending.map(|(_, w)| w),
                        );
                        count = 0;
                    }
                    any = true;
                    r += 1;
                }
                CONE => {
                    let contact = &weights.contact[weights.id[row] as usize];
                    cone_term(&mut self.buf, &mut self.cone, jac, b, r, contact);
                    any = true;
                    r += contact.dim as usize;
                }
                _ => r += 1,
            }
        }
        for &(r, w) in &pending[..count] {
            rank_update::<1>(&mut self.buf, [jac.row(block, r)], [w]);
        }
        if any {
            for (&at, &x) in map.iter().zip(self.buf.iter()) {
                self.l[at as usize] += x;
            }
        }
    }

    /// `H = Lᵀ L` in place, from the last row to the first.
    fn factor_in_place(&mut self) -> bool {
        let n = self.diag_inv.len();
        let mut definite = true;
        for r in (0..n).rev() {
            let (above, rest) = self.l.split_at_mut(self.rowadr[r]);
            let cols = &self.colind[self.rowadr[r]..self.rowadr[r + 1]];
            let row = &mut rest[..cols.len()];
            let last = cols.len() - 1;
            let mut pivot = row[last];
            if pivot < MINVAL || pivot.is_nan() {
                pivot = MINVAL;
                definite = false;
            }
            let root = pivot.sqrt();
            let inv = 1.0 / root;
            row[last] = root;
            self.diag_inv[r] = inv;
            for x in &mut row[..last] {
                *x *= inv;
            }
            for i in (0..last).rev() {
                let s = row[i];
                if s == 0.0 {
                    continue;
                }
                let c = cols[i] as usize;
                let target = &mut above[self.rowadr[c]..self.rowadr[c + 1]];
                if target.len() == i + 1 {
                    for (t, &x) in target.iter_mut().zip(&row[..=i]) {
                        *t -= s * x;
                    }
                } else {
                    let target_cols = &self.colind[self.rowadr[c]..self.rowadr[c + 1]];
                    let mut k = 0;
                    for (&col, &x) in cols[..=i].iter().zip(&row[..=i]) {
                        while target_cols[k] != col {
                            k += 1;
                        }
                        target[k] -= s * x;
                        k += 1;
                    }
                }
            }
        }
        definite
    }

    /// Solves `H x = x` in place.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let n = self.diag_inv.len();
        for r in (0..n).rev() {
            if x[r] == 0.0 {
                continue;
            }
            let xr = x[r] * self.diag_inv[r];
            x[r] = xr;
            let (from, to) = (self.rowadr[r], self.rowadr[r + 1] - 1);
            for (&c, &v) in self.colind[from..to].iter().zip(&self.l[from..to]) {
                x[c as usize] -= v * xr;
            }
        }
        for r in 0..n {
            let (from, to) = (self.rowadr[r], self.rowadr[r + 1] - 1);
            let mut sum = x[r];
            for (&c, &v) in self.colind[from..to].iter().zip(&self.l[from..to]) {
                sum -= v * x[c as usize];
            }
            x[r] = sum * self.diag_inv[r];
        }
    }

    /// Whether updating the factor for the changed rows is less work than factorizing again.
    pub(super) fn update_is_cheaper(&self, jac: &BlockJacobian<'_>, old: &[i32], new: &[i32]) -> bool {
        let (mut update, mut assembly) = (0, 0);
        for (b, block) in jac.blocks.iter().enumerate() {
            let pair_count = block.ncol * (block.ncol + 1) / 2;
            for row in block.row..block.row + block.rows {
                update +=
                    usize::from((old[row] == QUADRATIC) != (new[row] == QUADRATIC)) * self.update_work[b];
                assembly += usize::from(new[row] == QUADRATIC) * pair_count;
            }
        }
        update < assembly + self.factor_work + self.m_map.len()
    }

    /// Adds to or takes from the factor the rows whose state became or ceased to be quadratic. Returns their number, or `None` when
    /// accuracy was lost and the factor must be made anew.
    pub(super) fn update(
        &mut self,
        jac: &BlockJacobian<'_>,
        d: &[f64],
        old: &[i32],
        new: &[i32],
    ) -> Option<i32> {
        let mut count = 0;
        for block in jac.blocks {
            let cols = jac.cols(block);
            for r in 0..block.rows {
                let row = block.row + r;
                let (was, is) = (old[row] == QUADRATIC, new[row] == QUADRATIC);
                if was == is {
                    continue;
                }
                let scale = d[row].sqrt();
                for (&c, &x) in cols.iter().zip(jac.row(block, r)) {
                    self.vector[c as usize] = x * scale;
                }
                if !self.rank_one_update(cols.last().copied(), is) {
                    self.vector.fill(0.0);
                    return None;
                }
                count += 1;
            }
        }
        Some(count)
    }

    /// `H ± x xᵀ` for the sparse `x` in `self.vector`, whose last entry is at `start`: rotations along the path to the root.
    fn rank_one_update(&mut self, start: Option<i32>, add: bool) -> bool {
        let mut next = start;
        let mut accurate = true;
        while let Some(r) = next {
            let r = r as usize;
            let (from, last) = (self.rowadr[r], self.rowadr[r + 1] - 1);
            next = if last > from { Some(self.colind[last - 1]) } else { None };
            let x = std::mem::take(&mut self.vector[r]);
            if x == 0.0 {
                continue;
            }
            let diag = self.l[last];
            let mut square = if add { diag * diag + x * x } else { diag * diag - x * x };
            if square < MINVAL || square.is_nan() {
                square = MINVAL;
                accurate = false;
            }
            let root = square.sqrt();
            let (c, s) = (diag / root, -x / root);
            let s_row = if add { -s } else { s };
            self.l[last] = root;
            self.diag_inv[r] = 1.0 / root;
            for (&col, v) in self.colind[from..last].iter().zip(&mut self.l[from..last]) {
                let y = &mut self.vector[col as usize];
                let (old_v, old_y) = (*v, *y);
                *v = c * old_v + s_row * old_y;
                *y = s * old_v + c * old_y;
            }
        }
        accurate
    }
}

/// `Jᵀ D J` of a block with one column: contacts of a body with a single dof.
fn single_column(jac: &BlockJacobian<'_>, block: &Block, weights: &Weights<'_>) -> f64 {
    let x = |r: usize| jac.row(block, r)[0];
    let (mut sum, mut r) = (0.0, 0);
    while r < block.rows {
        let row = block.row + r;
        match weights.state[row] {
            QUADRATIC => sum += weights.d[row] * x(r) * x(r),
            CONE => {
                let contact = &weights.contact[weights.id[row] as usize];
                let dim = contact.dim as usize;
                for a in 0..dim {
                    for c in 0..dim {
                        sum += x(r + a) * contact.H[a * dim + c] * x(r + c);
                    }
                }
                r += dim - 1;
            }
            _ => {}
        }
        r += 1;
    }
    sum
}

/// Appends the positions of `wanted` in the row that begins at `adr`; both are increasing.
fn positions(out: &mut Vec<u32>, colind: &[i32], adr: usize, wanted: &[i32]) {
    let mut k = adr;
    for &c in wanted {
        while colind[k] != c {
            k += 1;
        }
        out.push(k as u32);
        k += 1;
    }
}

/// Adds `Σ w x xᵀ` over `N` vectors to a packed lower triangle.
fn rank_update<const N: usize>(packed: &mut [f64], x: [&[f64]; N], w: [f64; N]) {
    let n = x[0].len();
    let x = x.map(|x| &x[..n]);
    let mut rest = packed;
    for i in 0..n {
        let (row, tail) = rest.split_at_mut(i + 1);
        let s: [f64; N] = std::array::from_fn(|k| w[k] * x[k][i]);
        for (j, p) in row.iter_mut().enumerate() {
            let mut sum = *p;
            for k in 0..N {
                sum += s[k] * x[k][j];
            }
            *p = sum;
        }
        rest = tail;
    }
}

/// Adds `Jᵀ C J` of a contact in its cone to a packed lower triangle; `C` is the contact's cone Hessian.
fn cone_term(
    packed: &mut [f64],
    scratch: &mut Vec<f64>,
    jac: &BlockJacobian<'_>,
    b: usize,
    r: usize,
    contact: &Contact,
) {
    let block = &jac.blocks[b];
    let (n, dim) = (block.ncol, contact.dim as usize);
    for a in 0..dim {
        // row a of C J
        scratch.clear();
        scratch.resize(n, 0.0);
        for c in 0..dim {
            let h = contact.H[a * dim + c];
            for (s, &x) in scratch.iter_mut().zip(jac.row(block, r + c)) {
                *s += h * x;
            }
        }
        let mut rest = &mut *packed;
        for (i, &xi) in jac.row(block, r + a).iter().enumerate() {
            let (row, tail) = rest.split_at_mut(i + 1);
            for (p, &y) in row.iter_mut().zip(scratch.iter()) {
                *p += xi * y;
            }
            rest = tail;
        }
    }
}

/// Whether a row belongs to an elliptic contact.
#[inline]
pub(crate) fn is_elliptic(kind: i32) -> bool {
    kind == ConstraintType::ContactElliptic as i32
}
