//! Newton's matrix `H = M + Jᵀ D J`: assembly.
//!
//! Blocks of the Jacobian add their products `Σ d x xᵀ` straight to the rows of `H` where their columns are
//! the first ones of these rows, as they are for a contact with the world; otherwise to a triangle of their
//! own, which is then added to `H` piece by piece or scatter over it.

use super::packed_triangle::{Triangle, add_products, add_weighted_squares};
use super::pattern::{FactorPattern, MassLane, TooLarge};
use super::supernodes::Factor;
use crate::row_blocks::{Block, BlockJacobian};
use kinetree_math::LaneVec;
use kinetree_math::lanes::{Lane, add_scaled_lanes, keep_mask, lanes};
use kinetree_math::sparse::Csr;
use kinetree_model::Contact;
use kinetree_model::enums::{ConstraintState, ConstraintType};
use wide::f64x4;

/// Newton's matrix and its factor.
#[derive(Debug, Default)]
pub(crate) struct Hessian {
    pattern: FactorPattern,
    factor: Factor,
    /// The inertia matrix in the rows of the pattern.
    mass: LaneVec,
    /// The active ones of a block's rows and their weights; with contacts in their cone, each row with and
    /// without its weight.
    rows: LaneVec,
    weights: Vec<f64>,
    /// Products that are not made in place.
    triangle: Triangle,
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
    pub(crate) fn nnz(&self) -> usize {
        self.pattern.nnz
    }

    /// Takes in the inertia matrix and the columns of the Jacobian. Patterns are kept while they do not
    /// change.
    pub(crate) fn prepare(&mut self, mass: Csr<'_>, jac: &BlockJacobian<'_>) -> Result<(), TooLarge> {
        if self.pattern.prepare(mass.pattern, jac)? {
            self.mass.clear();
            self.mass.resize(self.pattern.size());
            self.factor.resize(&self.pattern);
        }
        let first = mass.pattern.rowadr.first().map_or(0, |&at| at as usize);
        let values = &mass.val[first..];
        let matrix = &mut self.mass[..];
        for &MassLane { from, to, .. } in &self.pattern.full_lanes {
            if let Some(&[a, b, c, d]) = values.get(from as usize..from as usize + 4) {
                matrix[to as usize] = [a, b, c, d];
            }
        }
        for &MassLane { from, to, count } in &self.pattern.partial_lanes {
            let (from, count) = (from as usize, count as usize);
            let target = &mut matrix[to as usize];
            match values.get(from..from + 4) {
                // what follows a row is not part of it
                Some(&[a, b, c, d]) => *target = (f64x4::new([a, b, c, d]) & keep_mask(count)).to_array(),
                _ => target[..count].copy_from_slice(&values[from..from + count]),
            }
        }
        for (r, positions) in self.pattern.mass_positions() {
            let row = self.mass[self.pattern.row_at[r] as usize..].as_flattened_mut();
            for (&x, &at) in mass.row(r).1.iter().zip(positions) {
                row[at as usize] = x;
            }
        }
        Ok(())
    }

    /// `res = M v` for padded vectors, with the matrix that was taken in last.
    pub(crate) fn mul_mass(&mut self, res: &mut [Lane], v: &[Lane]) {
        self.factor.mul_symmetric(&self.pattern, &self.mass, res, v);
    }

    /// Assembles and factorizes `H`; returns whether it was positive definite.
    pub(crate) fn factorize(&mut self, jac: &BlockJacobian<'_>, weights: &Weights<'_>) -> bool {
        self.factor.l.copy_from_slice(&self.mass);
        for b in 0..jac.blocks.len() {
            self.add_block(b, jac, weights);
        }
        self.factor.factorize(&self.pattern)
    }

    /// Adds `Jᵀ D J` of one block.
    fn add_block(&mut self, b: usize, jac: &BlockJacobian<'_>, weights: &Weights<'_>) {
        let block = &jac.blocks[b];
        if block.ncol <= 1 {
            for &c in jac.cols(block) {
                let l = self.factor.l.as_flattened_mut();
                l[self.pattern.diagonal(c)] += single_column(jac, block, weights);
            }
            return;
        }
        let width = lanes(block.ncol);
        let states = &weights.state[block.row..block.row + block.rows];
        let all_active = states.iter().all(|&s| s == QUADRATIC);
        if !all_active && !states.iter().any(|&s| s == QUADRATIC || s == CONE) {
            return;
        }
        let scatter = &self.pattern.blocks[b];
        let direct = self.pattern.direct_offset(scatter);
        let target = match direct {
            Some(offset) => &mut self.factor.l[offset..],
            None => self.triangle.zeros(width),
        };
        if all_active {
            let d = &weights.d[block.row..block.row + block.rows];
            add_weighted_squares(target, width, jac.rows(block), d);
        } else if states.contains(&CONE) {
            add_products(target, width, weighted_pairs(&mut self.rows, block, jac, weights));
        } else {
            collect_active(&mut self.rows, &mut self.weights, block, jac, weights);
            add_weighted_squares(target, width, &self.rows, &self.weights);
        }
        if direct.is_none() {
            self.pattern.scatter_triangle(scatter, &mut self.factor.l, self.triangle.values());
        }
    }

    /// The smallest pivot of the factor relative to the largest.
    pub(crate) fn pivot_ratio(&self) -> f64 {
        self.factor.pivot_ratio()
    }

    /// Solves `H x = x` in place; `x` is padded.
    pub(crate) fn solve(&mut self, x: &mut [Lane]) {
        self.factor.solve(&self.pattern, x);
    }

    /// Whether updating the factor for the changed rows is less work than factorizing again.
    pub(crate) fn update_is_cheaper(&self, jac: &BlockJacobian<'_>, old: &[i32], new: &[i32]) -> bool {
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

    /// Adds to or takes from the factor the rows whose state became or ceased to be quadratic. Returns their
    /// number, or `None` when accuracy was lost and the factor must be made anew.
    pub(crate) fn update(
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

/// Collects the rows of a block that are quadratic, and their weights.
fn collect_active(
    rows: &mut LaneVec,
    row_weights: &mut Vec<f64>,
    block: &Block,
    jac: &BlockJacobian<'_>,
    weights: &Weights<'_>,
) {
    rows.clear();
    row_weights.clear();
    let range = block.row..block.row + block.rows;
    let (d, state) = (&weights.d[range.clone()], &weights.state[range]);
    let all = jac.rows(block).chunks_exact(lanes(block.ncol));
    for ((&d, &state), row) in d.iter().zip(state).zip(all) {
        if state == QUADRATIC {
            row_weights.push(d);
            rows.extend_from_slice(row);
        }
    }
}

/// Collects the pairs of rows with `Jᵀ D J = Σ a bᵀ` for one block.
fn weighted_pairs<'a>(
    pairs: &'a mut LaneVec,
    block: &Block,
    jac: &BlockJacobian<'_>,
    weights: &Weights<'_>,
) -> &'a [Lane] {
    let width = lanes(block.ncol);
    let size = block.rows * 2 * width;
    if pairs.len() < size {
        pairs.resize(size);
    }
    let rows = block.row..block.row + block.rows;
    let (d, state) = (&weights.d[rows.clone()], &weights.state[rows]);
    let (mut count, mut r) = (0, 0);
    while r < block.rows {
        let pair = &mut pairs[count * 2 * width..];
        match state[r] {
            QUADRATIC => {
                copy_pair(&mut pair[..2 * width], jac.row(block, r), d[r]);
                count += 1;
                r += 1;
            }
            CONE => {
                let contact = &weights.contact[weights.id[block.row + r] as usize];
                let dim = contact.dim as usize;
                for (a, pair) in pair.chunks_exact_mut(2 * width).take(dim).enumerate() {
                    let (left, right) = pair.split_at_mut(width);
                    left.copy_from_slice(jac.row(block, r + a));
                    right.fill([0.0; 4]);
                    for c in 0..dim {
                        add_scaled_lanes(right, jac.row(block, r + c), contact.H[a * dim + c]);
                    }
                }
                count += dim;
                r += dim;
            }
            _ => r += 1,
        }
    }
    &pairs[..count * 2 * width]
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

/// Sets a pair of rows to a row with and without its weight.
#[inline]
fn copy_pair(pair: &mut [Lane], row: &[Lane], weight: f64) {
    match row.len() {
        1 => copy_pair_fixed::<1>(pair, row, weight),
        2 => copy_pair_fixed::<2>(pair, row, weight),
        3 => copy_pair_fixed::<3>(pair, row, weight),
        4 => copy_pair_fixed::<4>(pair, row, weight),
        _ => {
            let (left, right) = pair.split_at_mut(row.len());
            for ((a, b), x) in left.iter_mut().zip(right).zip(row) {
                (*a, *b) = (x.map(|x| weight * x), *x);
            }
        }
    }
}

#[inline]
fn copy_pair_fixed<const W: usize>(pair: &mut [Lane], row: &[Lane], weight: f64) {
    if let ([left, right], Some(row)) = (pair.as_chunks_mut::<W>().0, row.first_chunk::<W>()) {
        *left = row.map(|x| x.map(|x| weight * x));
        *right = *row;
    }
}

/// Whether a row belongs to an elliptic contact.
#[inline]
pub(crate) fn is_elliptic(kind: i32) -> bool {
    kind == ConstraintType::ContactElliptic
}
