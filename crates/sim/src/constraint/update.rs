//! Forces, states and cost of all rows for a given constraint-space residual.
//!
//! With `x = J qacc − aref`, each row has a convex cost `s(x)`, and its force is `−∂s/∂x`. Equalities are
//! quadratic; friction losses are quadratic inside a band and linear outside (Huber); limits and pyramid
//! edges are quadratic below zero and free above. An elliptic contact is mapped to a circular cone by `U = (μ
//! x₀, μ₁ x₁, …)`, with normal `N = U₀` and tangent length `T`: free where `N ≥ μ T`, quadratic where `μ N +
//! T ≤ 0`, and `½ Dₘ (N − μ T)²` between.

use super::fill::fill;
use super::product::set_joint_forces;
use kinetree_math::dense::norm;
use kinetree_math::lanes::sum_lane;
use kinetree_model::enums::{ConstraintState, ConstraintType};
use kinetree_model::{Contact, Data, Model};
use wide::{CmpGe, f64x4};

/// The rows that an update works on: all of them, or those of one island.
pub(crate) struct RowsView<'a> {
    /// Number of equality rows.
    pub ne: usize,
    /// Number of friction-loss rows.
    pub nf: usize,
    /// Inverse regularizer.
    pub d: &'a [f64],
    /// Regularizer.
    pub r: &'a [f64],
    /// Friction loss.
    pub floss: &'a [f64],
    /// Row types.
    pub kind: &'a [i32],
    /// Object of each row.
    pub id: &'a [i32],
    /// Whether rows of elliptic contacts are among them.
    pub has_cones: bool,
}

impl<'a> RowsView<'a> {
    /// Rows with numbers of equalities and friction losses, and arrays that begin with these: `efc_D`,
    /// `efc_R` and `efc_frictionloss`, `efc_type` and `efc_id`.
    pub(crate) fn new(
        (ne, nf): (usize, usize),
        [d, r, floss]: [&'a [f64]; 3],
        [kind, id]: [&'a [i32]; 2],
    ) -> Self {
        Self { ne, nf, d, r, floss, kind, id, has_cones: has_cones(kind) }
    }
}

/// Whether rows of elliptic contacts are among rows of the given types.
#[inline]
pub(crate) fn has_cones(kind: &[i32]) -> bool {
    kind.contains(&ELLIPTIC)
}

const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const SATISFIED: i32 = ConstraintState::Satisfied as i32;
const ELLIPTIC: i32 = ConstraintType::ContactElliptic as i32;

/// Sets states and forces for the residual `jar` and returns the cost; with `cone_hessian`, also the Hessians
/// of contacts in the middle of their cone.
pub(crate) fn constraint_update(
    rows: &RowsView<'_>,
    jar: &[f64],
    contact: &mut [Contact],
    state: &mut [i32],
    force: &mut [f64],
    cone_hessian: bool,
) -> f64 {
    let first = rows.ne + rows.nf;
    let cost = if first > 0 { two_sided_rows(rows, jar, state, force) } else { 0.0 };
    if rows.has_cones {
        return cone_and_inequality_rows(rows, jar, contact, (state, force), cone_hessian, cost);
    }
    let all = first..jar.len();
    cost + inequality_rows(&jar[all.clone()], &rows.d[all.clone()], &mut state[all.clone()], &mut force[all])
}

/// Sets states and forces of equalities and friction losses; returns their cost.
fn two_sided_rows(rows: &RowsView<'_>, jar: &[f64], state: &mut [i32], force: &mut [f64]) -> f64 {
    let n = rows.ne + rows.nf;
    let (d, r, jar) = (&rows.d[..n], &rows.r[..n], &jar[..n]);
    let (state, force) = (&mut state[..n], &mut force[..n]);
    let mut cost = 0.0;
    for i in 0..rows.ne {
        force[i] = -d[i] * jar[i];
        cost += 0.5 * d[i] * jar[i] * jar[i];
        state[i] = QUADRATIC;
    }
    for i in rows.ne..n {
        let (s, row_force, row_cost) = friction_row(jar[i], d[i], r[i], rows.floss[i]);
        state[i] = s;
        force[i] = row_force;
        cost += row_cost;
    }
    cost
}

/// Sets states and forces of the rows behind equalities and friction losses, some of which belong to elliptic
/// contacts; returns the given cost with theirs.
fn cone_and_inequality_rows(
    rows: &RowsView<'_>,
    jar: &[f64],
    contact: &mut [Contact],
    (state, force): (&mut [i32], &mut [f64]),
    cone_hessian: bool,
    mut cost: f64,
) -> f64 {
    let n = jar.len();
    let (d, state, force) = (&rows.d[..n], &mut state[..n], &mut force[..n]);
    let mut i = rows.ne + rows.nf;
    while i < n {
        if rows.kind[i] != ELLIPTIC {
            let end = i + count_before_cone(&rows.kind[i..n]);
            cost += inequality_rows(&jar[i..end], &d[i..end], &mut state[i..end], &mut force[i..end]);
            i = end;
        } else {
            let con = &mut contact[rows.id[i] as usize];
            let end = i + con.dim as usize;
            let (s, c) = cone_rows(con, &d[i..end], &jar[i..end], &mut force[i..end], cone_hessian);
            fill(&mut state[i..end], s);
            cost += c;
            i = end;
        }
    }
    cost
}

/// Number of rows before the first elliptic contact.
fn count_before_cone(kind: &[i32]) -> usize {
    kind.iter().position(|&kind| kind == ELLIPTIC).unwrap_or(kind.len())
}

/// States of four rows that only push, by the bits of those that are satisfied.
const STATES: [[i32; 4]; 16] = {
    let mut states = [[QUADRATIC; 4]; 16];
    let mut bits = 0;
    while bits < 64 {
        if (bits / 4) >> (bits % 4) & 1 == 1 {
            states[bits / 4][bits % 4] = SATISFIED;
        }
        bits += 1;
    }
    states
};

/// Sets states and forces of rows that only push; returns their cost.
#[inline]
fn inequality_rows(x: &[f64], d: &[f64], state: &mut [i32], force: &mut [f64]) -> f64 {
    let ((x4, x), (d4, d)) = (x.as_chunks::<4>(), d.as_chunks::<4>());
    let (state4, state) = state.as_chunks_mut::<4>();
    let (force4, force) = force.as_chunks_mut::<4>();
    let mut cost = f64x4::ZERO;
    for (((x, d), state), force) in x4.iter().zip(d4).zip(state4).zip(force4) {
        let (x, d) = (f64x4::new(*x), f64x4::new(*d));
        let inactive = x.cmp_ge(f64x4::ZERO);
        *state = STATES[inactive.move_mask() as usize % 16];
        *force = (!inactive & (-d * x)).to_array();
        cost += !inactive & (f64x4::splat(0.5) * d * x * x);
    }
    let mut total = sum_lane(&cost.to_array());
    for (((&x, &d), state), force) in x.iter().zip(d).zip(state).zip(force) {
        if x >= 0.0 {
            (*state, *force) = (SATISFIED, 0.0);
        } else {
            (*state, *force) = (QUADRATIC, -d * x);
            total += 0.5 * d * x * x;
        }
    }
    total
}

/// State, force and cost of a friction-loss row.
#[inline]
fn friction_row(x: f64, d: f64, r: f64, f: f64) -> (i32, f64, f64) {
    if x <= -r * f {
        (ConstraintState::Linearneg as i32, f, -0.5 * r * f * f - f * x)
    } else if x >= r * f {
        (ConstraintState::Linearpos as i32, -f, -0.5 * r * f * f + f * x)
    } else {
        (QUADRATIC, -d * x, 0.5 * d * x * x)
    }
}

/// State and cost of an elliptic contact; sets its forces. Each usual dimension has a form without loops.
#[inline]
fn cone_rows(con: &mut Contact, d: &[f64], jar: &[f64], force: &mut [f64], hessian: bool) -> (i32, f64) {
    match jar.len() {
        3 => cone_fixed::<3>(con, d, jar, force, hessian),
        4 => cone_fixed::<4>(con, d, jar, force, hessian),
        6 => cone_fixed::<6>(con, d, jar, force, hessian),
        _ => cone_any(con, d, jar, force, hessian),
    }
}

fn cone_fixed<const D: usize>(
    con: &mut Contact,
    d: &[f64],
    jar: &[f64],
    force: &mut [f64],
    hessian: bool,
) -> (i32, f64) {
    match (d.first_chunk::<D>(), jar.first_chunk::<D>(), force.first_chunk_mut::<D>()) {
        (Some(d), Some(jar), Some(force)) => cone_any(con, d, jar, force, hessian),
        _ => (SATISFIED, 0.0),
    }
}

#[inline(always)]
fn cone_any(con: &mut Contact, d: &[f64], jar: &[f64], force: &mut [f64], hessian: bool) -> (i32, f64) {
    let dim = jar.len();
    let mu = con.mu;
    let mut u = [0.0; 6];
    u[0] = jar[0] * mu;
    for j in 1..dim {
        u[j] = jar[j] * con.friction[j - 1];
    }
    let normal = u[0];
    let tangent = norm(&u[1..dim]);
    if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
        force.fill(0.0);
        return (SATISFIED, 0.0);
    }
    if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
        let mut cost = 0.0;
        for j in 0..dim {
            force[j] = -d[j] * jar[j];
            cost += 0.5 * d[j] * jar[j] * jar[j];
        }
        return (QUADRATIC, cost);
    }
    let dm = d[0] / (mu * mu * (1.0 + mu * mu));
    let gap = normal - mu * tangent;
    force[0] = -dm * gap * mu;
    for j in 1..dim {
        force[j] = -force[0] / tangent * u[j] * con.friction[j - 1];
    }
    if hessian {
        cone_hessian(con, &u[..dim], normal, tangent, dm);
    }
    (ConstraintState::Cone as i32, 0.5 * dm * gap * gap)
}

/// Hessian of the cone cost, `dim × dim`, in the rows' own coordinates.
fn cone_hessian(con: &mut Contact, u: &[f64], normal: f64, tangent: f64, dm: f64) {
    let dim = u.len();
    let mu = con.mu;
    let scale = |k: usize| if k == 0 { mu } else { con.friction[k - 1] };
    let outer = mu * normal / (tangent * tangent * tangent);
    let diagonal = mu * mu - mu * normal / tangent;
    for k in 0..dim {
        for j in k..dim {
            let x = match (k, j) {
                (0, 0) => 1.0,
                (0, _) => -mu / tangent * u[j],
                _ if k == j => outer * u[j] * u[k] + diagonal,
                _ => outer * u[j] * u[k],
            };
            let x = x * (dm * scale(k) * scale(j));
            con.H[k * dim + j] = x;
            con.H[j * dim + k] = x;
        }
    }
}

/// Sets `efc_state`, `efc_force` and `qfrc_constraint` for the residual `jar = J qacc − aref`; returns the
/// constraint cost.
pub(crate) fn mj_constraint_update(model: &Model, data: &mut Data, jar: &[f64], cone_hessian: bool) -> f64 {
    if data.nefc == 0 {
        return 0.0;
    }
    let cost = update_all_rows(data, &jar[..data.nefc], cone_hessian);
    set_joint_forces(model, data);
    cost
}

/// Sets `efc_state` and `efc_force` for the residual `jar`; returns the constraint cost.
pub(crate) fn update_all_rows(data: &mut Data, jar: &[f64], cone_hessian: bool) -> f64 {
    let Data { efc_D, efc_R, efc_frictionloss, efc_type, efc_id, contact, efc_state, efc_force, .. } = data;
    let rows = RowsView::new((data.ne, data.nf), [efc_D, efc_R, efc_frictionloss], [efc_type, efc_id]);
    constraint_update(&rows, jar, contact, efc_state, efc_force, cone_hessian)
}
