//! Newton's directions of problems that have few rows, without a factor of Newton's matrix.
//!
//! The factor of the inertia matrix is known. By Woodbury's identity the direction of a gradient `g` is
//! `(M + Jᵀ D J)⁻¹ g = M⁻¹ g − Z q`, where `(D⁻¹ + A) q = J M⁻¹ g` over the rows that are quadratic, with
//! `Z = M⁻¹ Jᵀ` and `A = J Z`: a matrix that is only as large as there are rows. Neither is `g` needed: at an
//! acceleration `a` with forces `f` at the rows, `M⁻¹ g = a − a₀ − Z f`, and `J M⁻¹ g` is the difference of
//! the residuals of `a` and `a₀` less `A f`.
//!
//! `J` and `Z` lie here as full matrices with all rows of a dof side by side: with so few of them, products
//! cost less than finding out what is zero.

use super::vectors::padded;
use crate::solver::problem::Problem;
use kinetree_math::lanes::{Lane, lanes, numbers, numbers_mut, pick_mask, sum_lanes};
use kinetree_model::enums::ConstraintState;
use wide::f64x4;

/// Most rows of such a problem.
const MOST_ROWS: usize = 16;
/// Least part of a diagonal entry that elimination may leave of it.
const LEAST_PIVOT: f64 = 1e-10;

const QUADRATIC: i32 = ConstraintState::Quadratic as i32;

/// Numbers of all rows.
type Rows<const W: usize> = [f64x4; W];

/// Calls a method for the number of lanes that hold a number for each row.
macro_rules! by_width {
    ($rows:expr, $this:ident . $method:ident ( $($argument:expr),* )) => {
        match lanes($rows) {
            0 | 1 => $this.$method::<1, 4>($($argument),*),
            2 => $this.$method::<2, 8>($($argument),*),
            3 => $this.$method::<3, 12>($($argument),*),
            _ => $this.$method::<4, MOST_ROWS>($($argument),*),
        }
    };
}

/// Whether a problem has few rows, and none of them of an elliptic cone.
pub(crate) fn has_few_rows(problem: &Problem<'_>) -> bool {
    problem.start.smooth.len() == problem.aref.len()
        && problem.aref.len() <= MOST_ROWS.min(problem.qacc.len())
        && !problem.rows.has_cones
}

/// Where a direction begins.
pub(crate) struct Point<'a> {
    pub qacc: &'a [Lane],
    pub qacc_smooth: &'a [Lane],
    /// `J qacc − aref`.
    pub jaref: &'a [f64],
}

/// What makes directions.
#[derive(Default)]
pub(crate) struct RowSpace {
    /// `Jᵀ`: the numbers of all rows for each dof, of which there are whole lanes.
    jacobian: Vec<f64x4>,
    /// `Z`, likewise.
    motion: Vec<f64x4>,
    /// `A`, row by row.
    response: Vec<f64x4>,
    /// What the entries of the factor at each depth are multiplied with.
    levels: Vec<f64x4>,
    /// `q` of the last direction.
    forces: [f64x4; MOST_ROWS / 4],
}

impl RowSpace {
    /// Takes in the Jacobian and the factor of the inertia matrix.
    pub(crate) fn prepare(&mut self, problem: &Problem<'_>) {
        by_width!(problem.aref.len(), self.prepare_lanes(problem));
    }

    /// Sets `x` to `H⁻¹ g` for the acceleration `qacc` with the residual `jaref`; `false` if accuracy was
    /// lost, and nothing was set.
    pub(crate) fn solve(&mut self, problem: &Problem<'_>, at: &Point<'_>, x: &mut [Lane]) -> bool {
        by_width!(problem.aref.len(), self.solve_lanes(problem, at, x))
    }

    /// `res = J v`; `v` is padded.
    pub(crate) fn mul(&self, res: &mut [f64], v: &[Lane]) {
        by_width!(res.len(), self.mul_lanes(res, v));
    }

    /// `res = Jᵀ f`.
    pub(crate) fn mul_t(&self, res: &mut [Lane], f: &[f64]) {
        by_width!(f.len(), self.mul_t_lanes(res, f));
    }

    /// The product of the inertia matrix with the last direction, for the gradient that it was made from: of
    /// a problem with the given number of rows.
    pub(crate) fn mass_times_direction(&self, mv: &mut [Lane], grad: &[Lane], rows: usize) {
        by_width!(rows, self.mass_times_direction_lanes(mv, grad));
    }

    fn prepare_lanes<const W: usize, const N: usize>(&mut self, p: &Problem<'_>) {
        let (dofs, used) = (4 * W * lanes(p.qacc.len()), W * p.qacc.len());
        self.jacobian.clear();
        self.jacobian.resize(dofs, f64x4::ZERO);
        let jacobian = numbers_mut(&mut self.jacobian);
        for block in p.jac.blocks {
            let cols = p.jac.cols(block);
            for r in 0..block.rows {
                for (&col, &x) in cols.iter().zip(p.jac.row(block, r).as_flattened()) {
                    jacobian[4 * W * col as usize + block.row + r] = x;
                }
            }
        }
        self.motion.resize(dofs, f64x4::ZERO);
        self.motion[used..].fill(f64x4::ZERO);
        let deepest = p.mass.pattern.rownnz.iter().fold(1, |deepest, &depth| depth.max(deepest));
        self.levels.clear();
        self.levels.resize(deepest as usize * W, f64x4::ZERO);
        self.solve_half::<W, N>(p);
        self.solve_rest::<W>(p);
    }

    /// `L⁻ᵀ` from the leaves on, and `D⁻¹`; sets the response. A list by depth holds what the dofs so far
    /// take from their ancestors.
    #[inline(always)]
    fn solve_half<const W: usize, const N: usize>(&mut self, p: &Problem<'_>) {
        self.response.clear();
        self.response.resize(W * N, f64x4::ZERO);
        let response = self.response.as_chunks_mut::<W>().0;
        // those of the first four rows stay in registers
        let mut first = [[f64x4::ZERO; W]; 4];
        let levels = self.levels.as_chunks_mut::<W>().0;
        let factor = FactorRows::of(p);
        let n = factor.len();
        let (jacobian, inverse) = (&self.jacobian.as_chunks::<W>().0[..n], &p.mass_diag_inv[..n]);
        let motion = &mut self.motion.as_chunks_mut::<W>().0[..n];
        for dof in (0..n).rev() {
            let row = factor.row(dof);
            let (above, own) = levels.split_at_mut(row.len());
            let Some(own) = own.first_mut() else { continue };
            let x: Rows<W> = std::array::from_fn(|k| jacobian[dof][k] - own[k]);
            *own = [f64x4::ZERO; W];
            if x.iter().all(|x| *x == f64x4::ZERO) {
                motion[dof] = x;
                continue;
            }
            for (taken, &l) in above.iter_mut().zip(row) {
                add_scaled(taken, &x, l);
            }
            let scaled = x.map(|x| x * f64x4::splat(inverse[dof]));
            motion[dof] = scaled;
            for (sum, &s) in first.iter_mut().zip(scaled[0].as_array_ref()) {
                add_scaled(sum, &x, s);
            }
            for (sums, scaled) in response.as_chunks_mut::<4>().0.iter_mut().zip(&scaled).skip(1) {
                // dofs of a limb move few of the rows
                if *scaled != f64x4::ZERO {
                    for (sum, &s) in sums.iter_mut().zip(scaled.as_array_ref()) {
                        add_scaled(sum, &x, s);
                    }
                }
            }
        }
        response.iter_mut().zip(first).for_each(|(row, first)| *row = first);
    }

    /// `L⁻¹` from the roots on; the list holds the ancestors.
    #[inline(always)]
    fn solve_rest<const W: usize>(&mut self, p: &Problem<'_>) {
        let levels = self.levels.as_chunks_mut::<W>().0;
        let factor = FactorRows::of(p);
        for (dof, x) in self.motion.as_chunks_mut::<W>().0[..factor.len()].iter_mut().enumerate() {
            let row = factor.row(dof);
            let (above, own) = levels.split_at_mut(row.len());
            let mut solved = *x;
            for (ancestor, &l) in above.iter().zip(row) {
                add_scaled(&mut solved, ancestor, -l);
            }
            *x = solved;
            if let Some(own) = own.first_mut() {
                *own = solved;
            }
        }
    }

    fn solve_lanes<const W: usize, const N: usize>(
        &mut self,
        p: &Problem<'_>,
        at: &Point<'_>,
        x: &mut [Lane],
    ) -> bool {
        let response = self.response.as_chunks::<W>().0;
        let (mut forces, start) = (lanes_of::<W>(p.force), lanes_of::<W>(p.start.smooth));
        let moved = lanes_of::<W>(at.jaref);
        let mut right: Rows<W> = std::array::from_fn(|k| moved[k] - start[k]);
        for (row, &force) in response.iter().zip(p.force.iter()) {
            add_scaled(&mut right, row, -force);
        }
        let Some(change) = forces_at::<W, N>(response, right, p) else { return false };
        self.forces[..W].copy_from_slice(&change);
        add_scaled(&mut forces, &change, 1.0);
        let targets = x.iter_mut().zip(at.qacc.iter().zip(at.qacc_smooth));
        mul_rows(&self.motion, &forces, targets, |(x, (a, smooth)), moved| {
            *x = (f64x4::new(*a) - f64x4::new(*smooth) - moved).to_array();
        });
        true
    }

    fn mul_lanes<const W: usize, const N: usize>(&self, res: &mut [f64], v: &[Lane]) {
        let mut sums = [[f64x4::ZERO; W]; 4];
        for (dofs, v) in self.jacobian.as_chunks::<W>().0.as_chunks::<4>().0.iter().zip(v) {
            for k in 0..4 {
                add_scaled(&mut sums[k], &dofs[k], v[k]);
            }
        }
        let [a, b, c, d] = &sums;
        let total: Rows<W> = std::array::from_fn(|k| (a[k] + c[k]) + (b[k] + d[k]));
        let (full, rest) = res.as_chunks_mut::<4>();
        full.iter_mut().zip(&total).for_each(|(res, lane)| *res = lane.to_array());
        if let Some(lane) = total.get(full.len()) {
            rest.iter_mut().zip(lane.as_array_ref()).for_each(|(res, x)| *res = *x);
        }
    }

    fn mul_t_lanes<const W: usize, const N: usize>(&self, res: &mut [Lane], f: &[f64]) {
        mul_rows(&self.jacobian, &lanes_of::<W>(f), res.iter_mut(), |res, force| *res = force.to_array());
    }

    fn mass_times_direction_lanes<const W: usize, const N: usize>(&self, mv: &mut [Lane], grad: &[Lane]) {
        let Some(forces) = self.forces.first_chunk::<W>() else { return };
        // the direction was made from this force
        mul_rows(&self.jacobian, forces, mv.iter_mut().zip(grad), |(mv, grad), force| {
            *mv = (force - f64x4::new(*grad)).to_array();
        });
    }
}

/// Scalar products of the numbers of each dof with those of the rows, for four dofs at a time.
#[inline(always)]
fn mul_rows<T, const W: usize>(
    dofs: &[f64x4],
    rows: &Rows<W>,
    targets: impl Iterator<Item = T>,
    set: impl Fn(T, f64x4),
) {
    for (four, target) in dofs.as_chunks::<W>().0.as_chunks::<4>().0.iter().zip(targets) {
        let products = four.each_ref().map(|x| {
            let mut sum = x[0] * rows[0];
            for k in 1..W {
                sum += x[k] * rows[k];
            }
            sum.to_array()
        });
        set(target, f64x4::new(sum_lanes(&products)));
    }
}

/// The rows of the factor of the inertia matrix.
struct FactorRows<'a> {
    start: &'a [i32],
    count: &'a [i32],
    ld: &'a [f64],
}

impl<'a> FactorRows<'a> {
    fn of(p: &Problem<'a>) -> Self {
        let (pattern, n) = (p.mass.pattern, p.qacc.len());
        Self { start: &pattern.rowadr[..n], count: &pattern.rownnz[..n], ld: p.mass_ld }
    }

    fn len(&self) -> usize {
        self.start.len()
    }

    /// The row of a dof without its diagonal: the position of an entry is the depth of the ancestor that it
    /// belongs to.
    #[inline(always)]
    fn row(&self, dof: usize) -> &'a [f64] {
        let (start, count) = (self.start[dof] as usize, self.count[dof] as usize);
        &self.ld[start..start + count.saturating_sub(1)]
    }
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
            matrix[count][r / 4] += pick_mask(r % 4) & f64x4::splat(1.0 / d);
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
    let (full, rest) = list.as_chunks::<4>();
    std::array::from_fn(|k| match full.get(k) {
        Some(lane) => f64x4::new(*lane),
        None if k == full.len() => f64x4::new(padded(rest)),
        None => f64x4::ZERO,
    })
}

#[inline(always)]
fn add_scaled<const W: usize>(sum: &mut Rows<W>, x: &Rows<W>, s: f64) {
    for k in 0..W {
        sum[k] += x[k] * f64x4::splat(s);
    }
}
