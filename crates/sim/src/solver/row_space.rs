//! Newton's directions of problems that have few rows, without a factor of Newton's matrix.
//!
//! The factor of the inertia matrix is known. By Woodbury's identity the direction of a gradient `g` is
//! `(M + Jᵀ D J)⁻¹ g = M⁻¹ g − Z q`, where `(D⁻¹ + A) q = J M⁻¹ g` over the rows that are quadratic, with
//! `Z = M⁻¹ Jᵀ` and `A = J Z`: a matrix that is only as large as there are rows. Neither is `g` needed: at an
//! acceleration `a` with forces `f` at the rows, `M⁻¹ g = a − a₀ − Z f`, and `J M⁻¹ g` is the difference of
//! the residuals of `a` and `a₀` less `A f`.

use super::hessian::is_elliptic;
use super::primal::Problem;
use kinetree_math::lanes::{numbers, numbers_mut, sum_lane};
use kinetree_model::enums::ConstraintState;
use wide::f64x4;

/// Most rows of such a problem.
const MOST_ROWS: usize = 16;
/// Least part of a diagonal entry that elimination may leave of it.
const LEAST_PIVOT: f64 = 1e-10;

const QUADRATIC: i32 = ConstraintState::Quadratic as i32;

/// Numbers of all rows.
type Rows<const W: usize> = [f64x4; W];

/// Whether a problem has few rows, and none of them of an elliptic cone.
pub(super) fn has_few_rows(problem: &Problem<'_>) -> bool {
    problem.start.smooth.len() == problem.aref.len()
        && problem.aref.len() <= MOST_ROWS.min(problem.qacc.len())
        && !problem.rows.kind.iter().any(|&kind| is_elliptic(kind))
}

/// Where a direction begins.
pub(super) struct Point<'a> {
    pub qacc: &'a [f64],
    /// `J qacc − aref`.
    pub jaref: &'a [f64],
}

/// What makes directions.
#[derive(Default)]
pub(super) struct RowSpace {
    /// `Z`: the numbers of all rows for each dof.
    motion: Vec<f64x4>,
    /// `A`, row by row.
    response: Vec<f64x4>,
    /// What the entries of the factor at each depth are multiplied with.
    levels: Vec<f64x4>,
    /// `q` of the last direction.
    forces: [f64; MOST_ROWS],
}

impl RowSpace {
    /// Takes in the Jacobian and the factor of the inertia matrix.
    pub(super) fn prepare(&mut self, problem: &Problem<'_>) {
        match problem.aref.len().div_ceil(4) {
            0 | 1 => self.prepare_lanes::<1>(problem),
            2 => self.prepare_lanes::<2>(problem),
            3 => self.prepare_lanes::<3>(problem),
            _ => self.prepare_lanes::<4>(problem),
        }
    }

    /// Sets `x` to `H⁻¹ g` for the acceleration `qacc` with the residual `jaref`; `false` if accuracy was
    /// lost, and nothing was set.
    pub(super) fn solve(&mut self, problem: &Problem<'_>, at: &Point<'_>, x: &mut [f64]) -> bool {
        match problem.aref.len().div_ceil(4) {
            0 | 1 => self.solve_lanes::<1, 4>(problem, at, x),
            2 => self.solve_lanes::<2, 8>(problem, at, x),
            3 => self.solve_lanes::<3, 12>(problem, at, x),
            _ => self.solve_lanes::<4, 16>(problem, at, x),
        }
    }

    /// The forces `q` at the rows of the last direction.
    pub(super) fn forces(&self, problem: &Problem<'_>) -> &[f64] {
        &self.forces[..problem.aref.len()]
    }

    fn prepare_lanes<const W: usize>(&mut self, p: &Problem<'_>) {
        self.motion.clear();
        self.motion.resize(p.qacc.len() * W, f64x4::ZERO);
        let motion = numbers_mut(&mut self.motion);
        for block in p.jac.blocks {
            for r in 0..block.rows {
                for (&col, &x) in p.jac.cols(block).iter().zip(p.jac.row(block, r).as_flattened()) {
                    motion[4 * W * col as usize + block.row + r] = x;
                }
            }
        }
        self.response.clear();
        self.response.resize(p.aref.len() * W, f64x4::ZERO);
        let deepest = p.mass.pattern.rownnz.iter().fold(1, |deepest, &depth| deepest.max(depth as usize));
        self.levels.clear();
        self.levels.resize(deepest * W, f64x4::ZERO);
        // L⁻ᵀ from the leaves on; a list by depth holds what the dofs so far take from their ancestors
        let (motion, response) = (self.motion.as_chunks_mut::<W>().0, self.response.as_chunks_mut::<W>().0);
        let levels = self.levels.as_chunks_mut::<W>().0;
        for (dof, x) in motion.iter_mut().enumerate().rev() {
            let row = factor_row(p, dof);
            let (above, own) = levels.split_at_mut(row.len());
            let Some(own) = own.first_mut() else { continue };
            *x = std::array::from_fn(|k| x[k] - own[k]);
            *own = [f64x4::ZERO; W];
            if x.iter().all(|x| *x == f64x4::ZERO) {
                continue;
            }
            for (taken, &l) in above.iter_mut().zip(row) {
                add_scaled(taken, x, l);
            }
            let inverse = f64x4::splat(p.mass_diag_inv[dof]);
            let scaled = x.map(|x| x * inverse);
            for (sum, &s) in response.iter_mut().zip(numbers(&scaled)) {
                add_scaled(sum, x, s);
            }
            *x = scaled;
        }
        // L⁻¹ from the roots on; the list holds the ancestors
        for (dof, x) in motion.iter_mut().enumerate() {
            let row = factor_row(p, dof);
            let (above, own) = levels.split_at_mut(row.len());
            for (ancestor, &l) in above.iter().zip(row) {
                add_scaled(x, ancestor, -l);
            }
            if let Some(own) = own.first_mut() {
                *own = *x;
            }
        }
    }

    fn solve_lanes<const W: usize, const N: usize>(
        &mut self,
        p: &Problem<'_>,
        at: &Point<'_>,
        x: &mut [f64],
    ) -> bool {
        let response = self.response.as_chunks::<W>().0;
        let (mut forces, start) = (lanes_of::<W>(p.force), lanes_of::<W>(p.start.smooth));
        let moved = lanes_of::<W>(at.jaref);
        let mut right: Rows<W> = std::array::from_fn(|k| moved[k] - start[k]);
        for (row, &force) in response.iter().zip(p.force.iter()) {
            add_scaled(&mut right, row, -force);
        }
        let Some(change) = forces_at::<W, N>(response, right, p) else { return false };
        let n = p.aref.len();
        self.forces[..n].copy_from_slice(&numbers(&change)[..n]);
        add_scaled(&mut forces, &change, 1.0);
        let motion = self.motion.as_chunks::<W>().0;
        for (((x, motion), a), smooth) in x.iter_mut().zip(motion).zip(at.qacc).zip(p.qacc_smooth) {
            *x = a - smooth - dot(motion, &forces);
        }
        true
    }
}

/// The row of a dof in the factor, without its diagonal: the position of an entry is the depth of the
/// ancestor that it belongs to.
#[inline(always)]
fn factor_row<'a>(p: &Problem<'a>, dof: usize) -> &'a [f64] {
    let pattern = p.mass.pattern;
    let (start, count) = (pattern.rowadr[dof] as usize, pattern.rownnz[dof] as usize);
    &p.mass_ld[start..start + count.saturating_sub(1)]
}

/// Solves `(D⁻¹ + A) q = right` over the rows that are quadratic, by elimination; `None` if rounding has made
/// the matrix indefinite.
fn forces_at<const W: usize, const N: usize>(
    response: &[Rows<W>],
    mut right: Rows<W>,
    p: &Problem<'_>,
) -> Option<Rows<W>> {
    let mut matrix = [[f64x4::ZERO; W]; N];
    let mut list = [0; N];
    let mut count = 0;
    for (r, (&state, &d)) in p.state.iter().zip(p.rows.d).enumerate() {
        if state == QUADRATIC {
            matrix[count] = response[r];
            numbers_mut(&mut matrix[count])[r] += 1.0 / d;
            list[count] = r;
            count += 1;
        }
    }
    let (list, matrix) = (&list[..count], &mut matrix[..count]);
    for (k, &r) in list.iter().enumerate() {
        let (done, rest) = matrix.split_at_mut(k + 1);
        let pivot_row = &done[k];
        let pivot = numbers(pivot_row)[r];
        if pivot.is_nan() || pivot <= LEAST_PIVOT * numbers(&response[r])[r] {
            return None;
        }
        let (inverse, force) = (1.0 / pivot, numbers(&right)[r]);
        for (other_row, &other) in rest.iter_mut().zip(&list[k + 1..]) {
            // by symmetry the column is the row
            let factor = numbers(pivot_row)[other] * inverse;
            add_scaled(other_row, pivot_row, -factor);
            numbers_mut(&mut right)[other] -= factor * force;
        }
    }
    let mut forces = [f64x4::ZERO; W];
    for (k, &r) in list.iter().enumerate().rev() {
        let row = numbers(&matrix[k]);
        let mut force = numbers(&right)[r];
        for &other in &list[k + 1..] {
            force -= row[other] * numbers(&forces)[other];
        }
        numbers_mut(&mut forces)[r] = force / row[r];
    }
    Some(forces)
}

/// Numbers of the rows in lanes, with zeros behind them.
#[inline(always)]
fn lanes_of<const W: usize>(list: &[f64]) -> Rows<W> {
    let mut rows = [f64x4::ZERO; W];
    numbers_mut(&mut rows)[..list.len()].copy_from_slice(list);
    rows
}

#[inline(always)]
fn dot<const W: usize>(x: &Rows<W>, y: &Rows<W>) -> f64 {
    let mut sum = x[0] * y[0];
    for k in 1..W {
        sum += x[k] * y[k];
    }
    sum_lane(&sum.to_array())
}

#[inline(always)]
fn add_scaled<const W: usize>(sum: &mut Rows<W>, x: &Rows<W>, s: f64) {
    for k in 0..W {
        sum[k] += x[k] * f64x4::splat(s);
    }
}
