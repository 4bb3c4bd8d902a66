//! What the dual solvers share: access to `A + R`, states from forces, and the way back to accelerations.
//!
//! The dual problem is `min ½ fᵀ (A + R) f + fᵀ b` over forces that respect friction bounds, unilateral rows
//! and friction cones.

use crate::constraint::set_joint_forces;
use crate::inertia::mass_matrix::m_pattern;
use kinetree_math::MINVAL;
use kinetree_math::dense::{add_to, dot, mul_vec_mat_vec, norm};
use kinetree_math::qcqp::qcqp;
use kinetree_math::sparse::{dot_sparse_rows, ltdl_solve_many};
use kinetree_model::enums::{ConstraintState, ConstraintType};
use kinetree_model::{Data, Model};

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
        for (j, out) in rest.iter_mut().enumerate() {
            [*out] = self.products(data, row + j);
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
    #[inline]
    fn products<const N: usize>(self, data: &Data, start: usize) -> [f64; N] {
        if !self.sparse {
            let row = |j: usize| &data.efc_AR[(start + j) * data.nefc..][..data.nefc];
            return std::array::from_fn(|j| dot(row(j), &data.efc_force));
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

/// Change of the dual cost by moving from `old` to `force`; an increase is undone and counts as none.
pub(crate) fn cost_change(a: &[f64], force: &mut [f64], old: &[f64], res: &[f64]) -> f64 {
    let n = force.len();
    let mut delta = [0.0; 6];
    for j in 0..n {
        delta[j] = force[j] - old[j];
    }
    let delta = &delta[..n];
    let change = 0.5 * mul_vec_mat_vec(delta, a, delta) + dot(delta, &res[..n]);
    if change > MAX_INCREASE {
        force.copy_from_slice(&old[..n]);
        return 0.0;
    }
    change
}

/// Minimizes over the friction components of an elliptic contact with the normal force fixed.
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
