//! What the dual solvers share: access to `A + R`, states from forces, and the way back to accelerations.
//!
//! The dual problem is `min ½ fᵀ (A + R) f + fᵀ b` over forces that respect friction bounds, unilateral rows
//! and friction cones.

use crate::constraint::set_joint_forces;
use crate::inertia::mass_matrix::m_pattern;
use kinetree_math::MINVAL;
use kinetree_math::dense::{add_to, dot, norm};
use kinetree_math::qcqp::qcqp;
use kinetree_math::sparse::{dot_sparse_rows, ltdl_solve_many};
use kinetree_model::enums::{ConstraintState, ConstraintType};
use kinetree_model::{Data, Model};
use wide::f64x4;

/// The matrix `A + R`, or `A` alone.
#[derive(Clone, Copy)]
pub(crate) struct DualMatrix {
    sparse: bool,
    without_r: bool,
}

impl DualMatrix {
    pub(crate) fn new(model: &Model, without_r: bool) -> Self {
        Self { sparse: model.is_sparse(), without_r }
    }

    /// Where the entries of the diagonal are.
    pub(crate) fn diagonal_addresses(self, data: &Data, res: &mut Vec<usize>) {
        res.clear();
        res.extend((0..data.nefc).map(|i| self.address(data, i, i)));
    }

    /// Inverse of the diagonal.
    pub(crate) fn inverse_diagonal(self, data: &Data, res: &mut Vec<f64>) {
        res.resize(data.nefc, 0.0);
        for (i, inv) in res.iter_mut().enumerate() {
            let diagonal = data.efc_AR[self.address(data, i, i)];
            *inv = 1.0 / if self.without_r { MINVAL.max(diagonal - data.efc_R[i]) } else { diagonal };
        }
    }

    /// Where entry `(row, col)` is; it must exist.
    fn address(self, data: &Data, row: usize, col: usize) -> usize {
        if !self.sparse {
            return row * data.nefc + col;
        }
        let adr = data.efc_AR_rowadr[row] as usize;
        let cols = &data.efc_AR_colind[adr..adr + data.efc_AR_rownnz[row] as usize];
        adr + cols.binary_search(&(col as i32)).unwrap_or(0)
    }

    /// The diagonal block of `n` rows from `start`, row by row.
    pub(crate) fn block(self, data: &Data, res: &mut [f64], start: usize, n: usize) {
        for j in 0..n {
            // rows of one contact have the same columns, and their block is full
            let adr = self.address(data, start + j, start);
            res[j * n..(j + 1) * n].copy_from_slice(&data.efc_AR[adr..adr + n]);
            if self.without_r {
                let diagonal = &mut res[j * (n + 1)];
                *diagonal = (*diagonal - data.efc_R[start + j]).max(1e-10);
            }
        }
    }

    /// The diagonal blocks of all elliptic contacts, one after the other.
    pub(crate) fn cone_blocks(self, data: &Data, res: &mut Vec<f64>) {
        res.clear();
        let mut row = 0;
        while row < data.nefc {
            let mut dim = 1;
            if data.efc_type[row] == ConstraintType::ContactElliptic {
                dim = data.contact[data.efc_id[row] as usize].dim as usize;
                let mut block = [0.0; 36];
                self.block(data, &mut block, row, dim);
                res.extend_from_slice(&block[..dim * dim]);
            }
            row += dim;
        }
    }

    /// Gradient of the dual cost for rows from `start`, all of one constraint.
    #[inline]
    pub(crate) fn residual(self, data: &Data, res: &mut [f64], start: usize) {
        // four rows at a time, so that their sums do not wait for each other
        let (fours, rest) = res.as_chunks_mut::<4>();
        let mut row = start;
        for out in fours {
            *out = self.products(data, row);
            row += 4;
        }
        match rest {
            [a, b, c] => [*a, *b, *c] = self.products(data, row),
            [a, b] => [*a, *b] = self.products(data, row),
            [a] => [*a] = self.products(data, row),
            _ => {}
        }
        for (j, out) in res.iter_mut().enumerate() {
            let i = start + j;
            *out += data.efc_b[i];
            if self.without_r {
                *out -= data.efc_R[i] * data.efc_force[i];
            }
        }
    }

    /// Products of `N` rows, which have the same columns, with the forces.
    #[inline(always)]
    fn products<const N: usize>(self, data: &Data, start: usize) -> [f64; N] {
        if !self.sparse {
            let n = data.nefc;
            return dot_rows(&data.efc_AR[start * n..(start + N) * n], &data.efc_force[..n]);
        }
        let range = |row: usize| {
            let adr = data.efc_AR_rowadr[row] as usize;
            adr..adr + data.efc_AR_rownnz[row] as usize
        };
        let rows = std::array::from_fn(|j| &data.efc_AR[range(start + j)]);
        dot_sparse_rows(rows, &data.efc_AR_colind[range(start)], &data.efc_force)
    }

    /// Number of stored entries.
    pub(crate) fn nnz(self, data: &Data) -> i32 {
        if self.sparse { data.efc_AR_rownnz.iter().sum() } else { (data.nefc * data.nefc) as i32 }
    }
}

/// The dual cost may seem to grow by this much where it shrinks: rounding.
pub(crate) const MAX_INCREASE: f64 = 1e-10;

/// Products of `N` rows of a dense matrix with a vector. Each is summed as [`dot`] sums it, to the last bit;
/// the rows share what they load of the vector.
#[inline(always)]
fn dot_rows<const N: usize>(rows: &[f64], vector: &[f64]) -> [f64; N] {
    let n = vector.len();
    let (lanes, tail) = vector.as_chunks::<4>();
    let mut rows = rows.chunks_exact(n.max(1));
    let mut row = || rows.next().unwrap_or_default();
    let rows: [&[f64]; N] = [(); N].map(|()| row());
    let mut sums = [f64x4::ZERO; N];
    for (k, v) in lanes.iter().enumerate() {
        for (sum, row) in sums.iter_mut().zip(&rows) {
            let Some(of_row) = row[4 * k..].first_chunk::<4>() else { continue };
            *sum += f64x4::new(*of_row) * f64x4::new(*v);
        }
    }
    let mut products = [0.0; N];
    for ((product, sum), row) in products.iter_mut().zip(&sums).zip(&rows) {
        let [a, b, c, d] = sum.to_array();
        let mut rest = 0.0;
        for (x, y) in row[n - tail.len()..].iter().zip(tail) {
            rest += x * y;
        }
        *product = ((a + c) + (b + d)) + rest;
    }
    products
}

/// Change of the dual cost by moving from `old` to `force`; an increase is undone and counts as none.
#[inline(always)]
pub(crate) fn cost_change(a: &[f64], force: &mut [f64], old: &[f64], res: &[f64]) -> f64 {
    let n = force.len();
    let mut delta = [0.0; 6];
    for j in 0..n {
        delta[j] = force[j] - old[j];
    }
    let delta = &delta[..n];
    let mut quadratic = 0.0;
    for (j, x) in delta.iter().enumerate() {
        quadratic += x * dot(&a[j * n..(j + 1) * n], delta);
    }
    let change = 0.5 * quadratic + dot(delta, &res[..n]);
    if change > MAX_INCREASE {
        force.copy_from_slice(&old[..n]);
        return 0.0;
    }
    change
}

/// Minimizes over the friction components of an elliptic contact with the normal force fixed.
#[inline]
pub(crate) fn friction_minimum(a: &[f64], b: &[f64], friction: &[f64], normal: f64, res: &mut [f64]) {
    let n = res.len();
    let (v, active) = qcqp(a, b, friction, normal, n);
    res.copy_from_slice(&v[..n]);
    // the program is solved approximately: put an active solution exactly on the cone
    if active {
        let mut s = 0.0;
        for (v, mu) in res.iter().zip(friction) {
            s += v * v / (mu * mu);
        }
        let s = (normal * normal / MINVAL.max(s)).sqrt();
        for v in res.iter_mut() {
            *v *= s;
        }
    }
}

/// Sets `efc_state` from the forces; returns how many rows are active and how many changed.
pub(crate) fn dual_state(data: &mut Data) -> (i32, i32) {
    let (ne, nf) = (data.ne, data.nf);
    let mut active = (ne + nf) as i32;
    let mut changed = 0;
    let mut i = 0;
    while i < data.nefc {
        let f = data.efc_force[i];
        let mut dim = 1;
        let state = if i < ne {
            ConstraintState::Quadratic
        } else if i < ne + nf {
            let loss = data.efc_frictionloss[i];
            if f <= -loss {
                ConstraintState::Linearpos
            } else if f >= loss {
                ConstraintState::Linearneg
            } else {
                ConstraintState::Quadratic
            }
        } else if data.efc_type[i] != ConstraintType::ContactElliptic {
            if f <= 0.0 { ConstraintState::Satisfied } else { ConstraintState::Quadratic }
        } else {
            dim = data.contact[data.efc_id[i] as usize].dim as usize;
            cone_state(data, i)
        };
        if i >= ne + nf && state != ConstraintState::Satisfied {
            active += dim as i32;
        }
        for s in &mut data.efc_state[i..i + dim] {
            changed += i32::from(*s != state);
            *s = state as i32;
        }
        i += dim;
    }
    (active, changed)
}

/// Where the force of an elliptic contact lies in its cone.
fn cone_state(data: &Data, row: usize) -> ConstraintState {
    let contact = &data.contact[data.efc_id[row] as usize];
    let dim = contact.dim as usize;
    let mut f = [0.0; 6];
    f[0] = data.efc_force[row] / contact.mu;
    for j in 1..dim {
        f[j] = data.efc_force[row + j] / contact.friction[j - 1];
    }
    let tangent = norm(&f[1..dim]);
    if contact.mu * f[0] >= tangent {
        ConstraintState::Satisfied
    } else if f[0] + contact.mu * tangent <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}

/// Maps `efc_force` to `qfrc_constraint` and `qacc`.
pub(crate) fn map_forces_to_joints(model: &Model, data: &mut Data) {
    set_joint_forces(model, data);
    data.qacc.copy_from_slice(&data.qfrc_constraint);
    ltdl_solve_many(&mut data.qacc, model.nv, &data.qLD, &data.qLDiagInv, m_pattern(model), None);
    add_to(&mut data.qacc, &data.qacc_smooth);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_share_a_vector_are_summed_as_alone() {
        for n in 0..23 {
            let number = |i: usize| ((i * 37 + 11) % 101) as f64 / 7.0 - 6.1;
            let rows: Vec<f64> = (0..4 * n).map(number).collect();
            let vector: Vec<f64> = (0..n).map(|i| 1.0 / number(i + 1000)).collect();
            let alone = |k: usize| dot(&rows[k * n..(k + 1) * n], &vector).to_bits();
            assert_eq!(dot_rows::<1>(&rows[..n], &vector).map(f64::to_bits), [alone(0)]);
            assert_eq!(dot_rows::<3>(&rows[..3 * n], &vector).map(f64::to_bits), [0, 1, 2].map(alone));
            assert_eq!(dot_rows::<4>(&rows, &vector).map(f64::to_bits), [0, 1, 2, 3].map(alone));
        }
    }
}
