//! Newton's matrix `H = M + Jᵀ D J`: assembly.
//!
//! Blocks of the Jacobian add their products `Σ d x xᵀ` straight to the rows of `H` where their columns are the first ones of these
//! rows, as they are for a contact with the world; otherwise to a triangle of their own, which is then spread over `H`.

use super::blocks::{Block, BlockJacobian};
use super::factor::Factor;
use super::pattern::FactorPattern;
use kinetree_math::lanes::{Lane, add_products4, add_scaled_lanes, lanes};
use kinetree_math::sparse::Csr;
use kinetree_model::Contact;
use kinetree_model::enums::{ConstraintState, ConstraintType};

/// Newton's matrix and its factor.
#[derive(Debug, Default)]
pub(crate) struct Hessian {
    pattern: FactorPattern,
    factor: Factor,
    /// The inertia matrix in the rows of the pattern.
    mass: Vec<Lane>,
    /// Triangle of a block that is not direct.
    buf: Vec<Lane>,
    /// `C J` of a contact in its cone.
    cone: Vec<Lane>,
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
        self.pattern.nnz
    }

    /// Takes in the inertia matrix and the columns of the Jacobian. Patterns are kept while they do not change.
    pub(super) fn prepare(&mut self, mass: Csr<'_>, jac: &BlockJacobian<'_>) {
        if self.pattern.prepare(mass.pattern, jac) {
            self.mass.clear();
            self.mass.resize(self.pattern.size(), [0.0; 4]);
            self.factor.resize(&self.pattern);
        }
        for r in 0..mass.nrow() {
            let values = mass.row(r).1;
            let row = self.mass[self.pattern.row_at[r] as usize..].as_flattened_mut();
            match self.pattern.mass_positions(r) {
                None => row[..values.len()].copy_from_slice(values),
                Some(positions) => {
                    for (&x, &at) in values.iter().zip(positions) {
                        row[at as usize] = x;
                    }
                }
            }
        }
    }

    /// `res = M v`, with the matrix that was taken in last.
    pub(super) fn mul_mass(&mut self, res: &mut [f64], v: &[f64]) {
        self.factor.mul_symmetric(&self.pattern, &self.mass, res, v);
    }

    /// Assembles and factorizes `H`; returns whether it was positive definite.
    pub(super) fn factorize(&mut self, jac: &BlockJacobian<'_>, weights: &Weights<'_>) -> bool {
        self.factor.l.copy_from_slice(&self.mass);
        for b in 0..jac.blocks.len() {
            self.add_block(b, jac, weights);
        }
        self.factor.factorize(&self.pattern)
    }

    /// Adds `Jᵀ D J` of one block.
    fn add_block(&mut self, b: usize, jac: &BlockJacobian<'_>, weights: &Weights<'_>) {
        let block = &jac.blocks[b];
        let spread = self.pattern.blocks[b];
        let n = block.ncol;
        if n <= 1 {
            self.add_diagonal(b, jac, weights);
            return;
        }
        let (target, rows) = if spread.direct {
            (&mut self.factor.l, self.pattern.target_rows(spread))
        } else {
            let rows = &self.pattern.triangle[..n];
            self.buf.clear();
            self.buf.resize(rows[n - 1] as usize + lanes(n), [0.0; 4]);
            (&mut self.buf, rows)
        };
        let mut any = false;
        let mut sum = Products::new(target, rows);
        let mut r = 0;
        while r < block.rows {
            let row = block.row + r;
            match weights.state[row] {
                QUADRATIC => {
                    let x = jac.row(block, r);
                    sum.add(weights.d[row], x, x);
                    any = true;
                    r += 1;
                }
                CONE => {
                    // the contact's rows use up the pending ones, since `C J` is overwritten by the next contact
                    sum.finish();
                    let contact = &weights.contact[weights.id[row] as usize];
                    let dim = contact.dim as usize;
                    let width = lanes(n);
                    cone_rows(&mut self.cone, jac, b, r, contact);
                    let mut cone = Products::new(sum.target, rows);
                    for (a, y) in self.cone.chunks_exact(width).enumerate() {
                        cone.add(1.0, jac.row(block, r + a), y);
                    }
                    cone.finish();
                    any = true;
                    r += dim;
                }
                _ => r += 1,
            }
        }
        sum.finish();
        if any && !spread.direct {
            self.scatter(b);
        }
    }

    /// Adds `Jᵀ D J` of a block with one column.
    fn add_diagonal(&mut self, b: usize, jac: &BlockJacobian<'_>, weights: &Weights<'_>) {
        let spread = self.pattern.blocks[b];
        for (i, &at) in self.pattern.target_rows(spread).iter().enumerate() {
            let row = self.factor.l[at as usize..].as_flattened_mut();
            row[self.pattern.positions(spread, i)[0] as usize] += single_column(jac, &jac.blocks[b], weights);
        }
    }

    /// Adds the triangle of a block to the rows it belongs to.
    fn scatter(&mut self, b: usize) {
        let spread = self.pattern.blocks[b];
        let rows = self.pattern.target_rows(spread);
        for (i, (&at, &from)) in rows.iter().zip(&self.pattern.triangle).enumerate() {
            add_spread(
                self.factor.l[at as usize..].as_flattened_mut(),
                self.buf[from as usize..].as_flattened(),
                self.pattern.positions(spread, i),
            );
        }
    }

    /// Solves `H x = x` in place.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.factor.solve(&self.pattern, x);
    }

    /// Whether updating the factor for the changed rows is less work than factorizing again.
    pub(super) fn update_is_cheaper(&self, jac: &BlockJacobian<'_>, old: &[i32], new: &[i32]) -> bool {
        let (mut update, mut again) = (0, self.pattern.factor_work);
        for (block, &(row_work, update_work)) in jac.blocks.iter().zip(&self.pattern.row_work) {
            let rows = block.row..block.row + block.rows;
            let (mut changed, mut active) = (0, 0);
            for (&a, &b) in old[rows.clone()].iter().zip(&new[rows]) {
                changed += usize::from((a == QUADRATIC) != (b == QUADRATIC));
                active += usize::from(b == QUADRATIC);
            }
            update += changed * update_work;
            again += active * row_work;
        }
        update < again
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
            for r in 0..block.rows {
                let row = block.row + r;
                let (was, is) = (old[row] == QUADRATIC, new[row] == QUADRATIC);
                if was == is {
                    continue;
                }
                let x = jac.row(block, r).as_flattened();
                if !self.factor.update(&self.pattern, jac.cols(block), x, d[row].sqrt(), is) {
                    return None;
                }
                count += 1;
            }
        }
        Some(count)
    }
}

/// `Jᵀ D J` of a block with one column: limits, friction losses, contacts of a body with a single dof.
fn single_column(jac: &BlockJacobian<'_>, block: &Block, weights: &Weights<'_>) -> f64 {
    let x = |r: usize| jac.row(block, r)[0][0];
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

/// Adds entries to the given positions of a row.
#[inline]
pub(super) fn add_spread(row: &mut [f64], entries: &[f64], positions: &[u32]) {
    for (&x, &at) in entries.iter().zip(positions) {
        row[at as usize] += x;
    }
}

/// Sum of products `w a bᵀ` in the lower triangle, where `Σ w a bᵀ` is symmetric. Products are added four at a time, so that the
/// triangle is read and written once for all of them.
pub(super) struct Products<'a, 'x> {
    target: &'a mut [Lane],
    /// First lane of each row of the triangle.
    rows: &'a [u32],
    weight: [f64; 4],
    left: [&'x [Lane]; 4],
    right: [&'x [Lane]; 4],
    count: usize,
}

impl<'a, 'x> Products<'a, 'x> {
    /// Products that will be added to the triangle with the given rows.
    pub(super) fn new(target: &'a mut [Lane], rows: &'a [u32]) -> Self {
        Self { target, rows, weight: [0.0; 4], left: [&[]; 4], right: [&[]; 4], count: 0 }
    }

    /// Adds `w a bᵀ`.
    #[inline]
    pub(super) fn add(&mut self, weight: f64, left: &'x [Lane], right: &'x [Lane]) {
        self.weight[self.count] = weight;
        self.left[self.count] = left;
        self.right[self.count] = right;
        self.count += 1;
        if self.count == 4 {
            self.flush();
        }
    }

    /// Adds what is pending.
    pub(super) fn finish(&mut self) {
        match self.count {
            0 => {}
            1 => self.flush_one(),
            _ => {
                for k in self.count..4 {
                    self.weight[k] = 0.0;
                    self.left[k] = self.left[0];
                    self.right[k] = self.right[0];
                }
                self.flush();
            }
        }
    }

    /// Adds four products.
    fn flush(&mut self) {
        for (g, rows) in self.rows.chunks(4).enumerate() {
            let right = self.right.map(|x| &x[..=g]);
            let scaled: [Lane; 4] = std::array::from_fn(|k| self.left[k][g].map(|x| self.weight[k] * x));
            add_products4(self.target, rows, right, &scaled);
        }
        self.count = 0;
    }

    /// Adds one product.
    fn flush_one(&mut self) {
        for (g, rows) in self.rows.chunks(4).enumerate() {
            let right = &self.right[0][..=g];
            let scaled = self.left[0][g].map(|x| self.weight[0] * x);
            for (&s, &at) in scaled.iter().zip(rows) {
                add_scaled_lanes(&mut self.target[at as usize..][..=g], right, s);
            }
        }
        self.count = 0;
    }
}

/// Rows of `C J` for a contact in its cone, whose first row is the `r`-th of block `b`; `C` is the contact's cone Hessian.
fn cone_rows(out: &mut Vec<Lane>, jac: &BlockJacobian<'_>, b: usize, r: usize, contact: &Contact) {
    let block = &jac.blocks[b];
    let dim = contact.dim as usize;
    let width = lanes(block.ncol);
    out.clear();
    out.resize(dim * width, [0.0; 4]);
    for (a, row) in out.chunks_exact_mut(width).enumerate() {
        for c in 0..dim {
            let h = contact.H[a * dim + c];
            add_scaled_lanes(row, jac.row(block, r + c), h);
        }
    }
}

/// Whether a row belongs to an elliptic contact.
#[inline]
pub(crate) fn is_elliptic(kind: i32) -> bool {
    kind == ConstraintType::ContactElliptic as i32
}
