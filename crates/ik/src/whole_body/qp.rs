//! Strictly convex quadratic programs: minimize `½ xᵀ H x + gᵀ x` subject to rows `aᵀ x = b`, rows `aᵀ x ≥ b`
//! and bounds.
//!
//! The dual active-set method of Goldfarb and Idnani (1983). It starts at the unconstrained minimum and takes
//! in one violated constraint after the other, so that a program with few active constraints costs little
//! more than a Cholesky factorization. With `H = L Lᵀ`, the matrix `J = L⁻ᵀ Q` and the triangle `R` follow
//! the active normals `N`: `Jᵀ N = [R; 0]`; its last columns span the directions that keep the active
//! constraints.

use kinetree_math::dense::dot;

/// Violations up to this, relative to the size of a constraint's terms, count as satisfied.
const TOLERANCE: f64 = 1e-10;
/// Directions shorter than this, relative to the normal, count as zero: the constraint depends on the active
/// ones.
const DEPENDENT: f64 = 1e-11;

/// A constraint of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constraint {
    /// A row, by number.
    Row(usize),
    /// The lower bound of a variable.
    Lower(usize),
    /// The upper bound of a variable.
    Upper(usize),
}

/// No point satisfies all constraints: this one contradicts others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QpError {
    /// The Hessian is not positive definite.
    NotPositiveDefinite,
    /// No point satisfies all constraints: this one contradicts others.
    Infeasible(Constraint),
    /// Rounding kept the method from ending.
    Stuck,
}

/// A program with the memory to solve it, which is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuadraticProgram {
    n: usize,
    /// Row-major Hessian; the lower triangle is used.
    pub(crate) hessian: Vec<f64>,
    pub(crate) gradient: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    /// Coefficients of the rows, one after the other, equalities first.
    rows: Vec<f64>,
    bounds: Vec<f64>,
    equalities: usize,
    pub(crate) x: Vec<f64>,
    factor: Vec<f64>,
    /// `J`, column by column.
    j: Vec<f64>,
    /// `R`, column by column of length `n`.
    r: Vec<f64>,
    active: Vec<Constraint>,
    multipliers: Vec<f64>,
    d: Vec<f64>,
    z: Vec<f64>,
    dual: Vec<f64>,
}

impl QuadraticProgram {
    /// Starts a program of `n` variables: zero Hessian and gradient, no bounds, no rows.
    pub(crate) fn reset(&mut self, n: usize) {
        self.n = n;
        refill(&mut self.hessian, n * n, 0.0);
        refill(&mut self.gradient, n, 0.0);
        refill(&mut self.lower, n, f64::NEG_INFINITY);
        refill(&mut self.upper, n, f64::INFINITY);
        self.rows.clear();
        self.bounds.clear();
        self.equalities = 0;
    }

    /// Drops the objective and keeps the constraints.
    pub(crate) fn reset_objective(&mut self) {
        self.hessian.fill(0.0);
        self.gradient.fill(0.0);
    }

    /// Adds `aᵀ x = b`.
    pub(crate) fn add_equality(&mut self, row: &[f64], bound: f64) {
        let at = self.equalities;
        self.rows.extend_from_slice(row);
        self.bounds.push(bound);
        // equalities stand before the other rows
        let (n, last) = (self.n, self.bounds.len() - 1);
        self.bounds.swap(at, last);
        for k in 0..n {
            self.rows.swap(at * n + k, last * n + k);
        }
        self.equalities += 1;
    }

    /// Adds `aᵀ x ≥ b`.
    pub(crate) fn add_inequality(&mut self, row: &[f64], bound: f64) {
        self.rows.extend_from_slice(row);
        self.bounds.push(bound);
    }

    /// Adds `½ weight (aᵀ x − b)²` to the objective.
    pub(crate) fn add_square(&mut self, row: &[f64], b: f64, weight: f64) {
        let n = self.n;
        for i in 0..n {
            let scaled = weight * row[i];
            if scaled == 0.0 {
                continue;
            }
            self.gradient[i] -= scaled * b;
            for (h, a) in self.hessian[i * n..i * n + i + 1].iter_mut().zip(row) {
                *h += scaled * a;
            }
        }
    }

    /// Solves the program; the minimum is in `x`.
    pub(crate) fn solve(&mut self) -> Result<(), QpError> {
        self.unconstrained()?;
        self.active.clear();
        self.multipliers.clear();
        for row in 0..self.equalities {
            self.enforce(Constraint::Row(row))?;
        }
        // each constraint enters and leaves a few times at most
        for _ in 0..50 * (self.n + self.bounds.len()).max(10) {
            match self.most_violated() {
                Some(constraint) => self.enforce(constraint)?,
                None => return Ok(()),
            }
        }
        Err(QpError::Stuck)
    }

    /// Factors the Hessian, sets `x = −H⁻¹ g` and `J = L⁻ᵀ`.
    fn unconstrained(&mut self) -> Result<(), QpError> {
        let n = self.n;
        self.factor.clear();
        self.factor.extend_from_slice(&self.hessian);
        let l = &mut self.factor;
        for i in 0..n {
            let (above, rest) = l.split_at_mut(i * n);
            let row = &mut rest[..n];
            for j in 0..i {
                let other = &above[j * n..j * n + n];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let pivot = row[i] - dot(&row[..i], &row[..i]);
            if !(pivot > 0.0 && pivot.is_finite()) {
                return Err(QpError::NotPositiveDefinite);
            }
            row[i] = pivot.sqrt();
        }
        refill(&mut self.j, n * n, 0.0);
        refill(&mut self.r, n * n, 0.0);
        refill(&mut self.x, n, 0.0);
        refill(&mut self.d, n, 0.0);
        refill(&mut self.z, n, 0.0);
        refill(&mut self.dual, n, 0.0);
        // column k of L⁻ᵀ is row k of L⁻¹, by forward substitution on rows
        for k in 0..n {
            let (before, rest) = self.j.split_at_mut(k * n);
            let row = &mut rest[..n];
            let factor = &l[k * n..k * n + n];
            for (i, &f) in factor[..k].iter().enumerate() {
                for (r, b) in row[..i + 1].iter_mut().zip(&before[i * n..i * n + i + 1]) {
                    *r -= f * b;
                }
            }
            let inverse = 1.0 / factor[k];
            for r in &mut row[..k] {
                *r *= inverse;
            }
            row[k] = inverse;
        }
        // x = −L⁻ᵀ (L⁻¹ g)
        for column in self.j.chunks_exact(n.max(1)) {
            let y = -dot(column, &self.gradient);
            for (x, c) in self.x.iter_mut().zip(column) {
                *x += y * c;
            }
        }
        Ok(())
    }

    /// Value of `aᵀ x − b`, and the size of its terms.
    fn slack(&self, constraint: Constraint) -> (f64, f64) {
        match constraint {
            Constraint::Row(row) => {
                let a = &self.rows[row * self.n..(row + 1) * self.n];
                let value = dot(a, &self.x);
                let size = a.iter().zip(&self.x).map(|(a, x)| (a * x).abs()).fold(0.0, f64::max);
                (value - self.bounds[row], 1.0 + size.max(self.bounds[row].abs()))
            }
            Constraint::Lower(i) => (self.x[i] - self.lower[i], 1.0 + self.lower[i].abs()),
            Constraint::Upper(i) => (self.upper[i] - self.x[i], 1.0 + self.upper[i].abs()),
        }
    }

    /// The inequality that is violated most.
    fn most_violated(&self) -> Option<Constraint> {
        let mut worst = (-TOLERANCE, None);
        let mut consider = |constraint: Constraint| {
            let (slack, size) = self.slack(constraint);
            if slack / size < worst.0 {
                worst = (slack / size, Some(constraint));
            }
        };
        for i in 0..self.n {
            if self.lower[i] > f64::NEG_INFINITY {
                consider(Constraint::Lower(i));
            }
            if self.upper[i] < f64::INFINITY {
                consider(Constraint::Upper(i));
            }
        }
        for row in self.equalities..self.bounds.len() {
            consider(Constraint::Row(row));
        }
        worst.1
    }

    /// `d = Jᵀ a`, times a sign.
    fn project(&mut self, constraint: Constraint, sign: f64) {
        let n = self.n;
        for (k, d) in self.d.iter_mut().enumerate() {
            let column = &self.j[k * n..(k + 1) * n];
            *d = sign
                * match constraint {
                    Constraint::Row(row) => dot(&self.rows[row * n..(row + 1) * n], column),
                    Constraint::Lower(i) => column[i],
                    Constraint::Upper(i) => -column[i],
                };
        }
    }

    /// Moves to the minimum that also satisfies this constraint, dropping active ones on the way.
    fn enforce(&mut self, constraint: Constraint) -> Result<(), QpError> {
        let equality = matches!(constraint, Constraint::Row(row) if row < self.equalities);
        let (slack, size) = self.slack(constraint);
        // an equality is approached from its violated side
        let sign = if equality && slack > 0.0 { -1.0 } else { 1.0 };
        let mut slack = sign * slack;
        if equality && slack > -TOLERANCE * size {
            // satisfied already, which dependent equalities always are
            self.project(constraint, 1.0);
            if !self.independent() {
                return Ok(());
            }
        }
        let mut multiplier = 0.0;
        loop {
            self.project(constraint, sign);
            self.directions();
            let curvature = dot(&self.d[self.active.len()..], &self.d[self.active.len()..]);
            let free = self.independent();
            let (partial, dropped) = self.longest_dual_step();
            let full = if free { -slack / curvature } else { f64::INFINITY };
            let step = full.min(partial);
            if step == f64::INFINITY {
                if slack >= -1e-7 * size {
                    return Ok(());
                }
                return Err(QpError::Infeasible(constraint));
            }
            for (u, r) in self.multipliers.iter_mut().zip(&self.dual) {
                *u -= step * r;
            }
            multiplier += step;
            if free {
                for (x, z) in self.x.iter_mut().zip(&self.z) {
                    *x += step * z;
                }
                slack += step * curvature;
            }
            if full <= partial {
                self.activate(constraint, sign, multiplier);
                return Ok(());
            }
            match dropped {
                Some(index) => self.drop_active(index),
                None => return Err(QpError::Stuck),
            }
        }
    }

    /// Whether the projected normal has a part outside of the active ones.
    fn independent(&self) -> bool {
        let q = self.active.len();
        let total: f64 = dot(&self.d, &self.d);
        q < self.n && dot(&self.d[q..], &self.d[q..]) > DEPENDENT * DEPENDENT * total && total > 0.0
    }

    /// Primal direction `z = J₂ d₂` and dual direction `R⁻¹ d₁`.
    fn directions(&mut self) {
        let (n, q) = (self.n, self.active.len());
        self.z.fill(0.0);
        for k in q..n {
            let d = self.d[k];
            for (z, c) in self.z.iter_mut().zip(&self.j[k * n..(k + 1) * n]) {
                *z += d * c;
            }
        }
        self.dual[..q].copy_from_slice(&self.d[..q]);
        for k in (0..q).rev() {
            self.dual[k] /= self.r[k * n + k];
            let value = self.dual[k];
            for i in 0..k {
                self.dual[i] -= self.r[k * n + i] * value;
            }
        }
    }

    /// How far the multipliers of active inequalities stay positive, and the one that vanishes first.
    fn longest_dual_step(&self) -> (f64, Option<usize>) {
        let mut longest = (f64::INFINITY, None);
        for (k, constraint) in self.active.iter().enumerate() {
            if matches!(constraint, Constraint::Row(row) if *row < self.equalities) || self.dual[k] <= 0.0 {
                continue;
            }
            let step = self.multipliers[k].max(0.0) / self.dual[k];
            if step < longest.0 {
                longest = (step, Some(k));
            }
        }
        longest
    }

    /// Takes a constraint into the active set: rotates the columns of `J` until its projection has one last
    /// entry.
    fn activate(&mut self, constraint: Constraint, sign: f64, multiplier: f64) {
        let (n, q) = (self.n, self.active.len());
        for k in (q + 1..n).rev() {
            let (cos, sin, length) = rotation(self.d[k - 1], self.d[k]);
            if sin == 0.0 {
                continue;
            }
            (self.d[k - 1], self.d[k]) = (length, 0.0);
            rotate_columns(&mut self.j, n, k - 1, cos, sin);
        }
        // normal and multiplier of the constraint as it was given
        for (r, d) in self.r[q * n..q * n + q + 1].iter_mut().zip(&self.d) {
            *r = sign * d;
        }
        self.active.push(constraint);
        self.multipliers.push(sign * multiplier);
    }

    /// Removes an active constraint and makes `R` triangular again.
    fn drop_active(&mut self, index: usize) {
        let n = self.n;
        self.active.remove(index);
        self.multipliers.remove(index);
        let q = self.active.len();
        for k in index..q {
            self.r.copy_within((k + 1) * n..(k + 2) * n, k * n);
        }
        for k in index..q {
            let (cos, sin, length) = rotation(self.r[k * n + k], self.r[k * n + k + 1]);
            (self.r[k * n + k], self.r[k * n + k + 1]) = (length, 0.0);
            for column in k + 1..q {
                let (a, b) = (self.r[column * n + k], self.r[column * n + k + 1]);
                (self.r[column * n + k], self.r[column * n + k + 1]) = (cos * a + sin * b, cos * b - sin * a);
            }
            rotate_columns(&mut self.j, n, k, cos, sin);
        }
    }
}

/// Cosine and sine of the rotation that takes `(a, b)` to `(length, 0)`.
fn rotation(a: f64, b: f64) -> (f64, f64, f64) {
    if b == 0.0 {
        return (1.0, 0.0, a);
    }
    let length = libm::hypot(a, b);
    (a / length, b / length, length)
}

/// Rotates column `k` with the one after it.
fn rotate_columns(j: &mut [f64], n: usize, k: usize, cos: f64, sin: f64) {
    let (first, second) = j[k * n..(k + 2) * n].split_at_mut(n);
    for (a, b) in first.iter_mut().zip(second) {
        (*a, *b) = (cos * *a + sin * *b, cos * *b - sin * *a);
    }
}

/// Gives a vector a length and one value everywhere.
fn refill(v: &mut Vec<f64>, len: usize, value: f64) {
    v.clear();
    v.resize(len, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    /// Conditions of Karush, Kuhn and Tucker: feasible, and the gradient is a combination of active normals
    /// with multipliers of the right sign.
    fn check(program: &QuadraticProgram) {
        let n = program.n;
        let mut residual = program.gradient.clone();
        for i in 0..n {
            for k in 0..n {
                let (a, b) = (i.max(k), i.min(k));
                residual[i] += program.hessian[a * n + b] * program.x[k];
            }
        }
        for (constraint, &u) in program.active.iter().zip(&program.multipliers) {
            match *constraint {
                Constraint::Row(row) => {
                    assert!(row < program.equalities || u >= -1e-9);
                    for k in 0..n {
                        residual[k] -= u * program.rows[row * n + k];
                    }
                }
                Constraint::Lower(i) => {
                    assert!(u >= -1e-9);
                    residual[i] -= u;
                }
                Constraint::Upper(i) => {
                    assert!(u >= -1e-9);
                    residual[i] += u;
                }
            }
            assert!(program.slack(*constraint).0.abs() < 1e-8);
        }
        assert!(residual.iter().all(|r| r.abs() < 1e-7), "{residual:?}");
        assert!(program.most_violated().is_none());
        for row in 0..program.equalities {
            assert!(program.slack(Constraint::Row(row)).0.abs() < 1e-7);
        }
    }

    #[test]
    fn random_programs_end_at_their_minimum() {
        let mut random = Random(5);
        let mut program = QuadraticProgram::default();
        let mut active = 0;
        for round in 0..500 {
            let n = 2 + round % 12;
            program.reset(n);
            for _ in 0..n + 2 {
                let row: Vec<f64> = (0..n).map(|_| random.next()).collect();
                program.add_square(&row, 3.0 * random.next(), 1.0 + random.next());
            }
            for i in 0..n {
                program.hessian[i * n + i] += 1e-3;
            }
            for k in 0..n / 2 {
                let row: Vec<f64> = (0..n).map(|_| random.next()).collect();
                program.add_inequality(&row, -random.next().abs());
                if k % 3 == 0 {
                    // passes through a point that satisfies everything, so that the program stays feasible
                    let row: Vec<f64> = (0..n).map(|_| random.next()).collect();
                    program.add_equality(&row, 0.0);
                    // a second time: dependent
                    program.add_equality(&row, 0.0);
                }
            }
            for i in 0..n {
                (program.lower[i], program.upper[i]) =
                    (-0.5 * random.next().abs(), 0.5 * random.next().abs());
            }
            program.solve().unwrap();
            active += program.active.len();
            check(&program);
        }
        assert!(active > 1000, "{active}");
    }

    #[test]
    fn contradictions_are_found() {
        let mut program = QuadraticProgram::default();
        program.reset(2);
        program.hessian.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        program.add_inequality(&[1.0, 1.0], 1.0);
        (program.upper[0], program.upper[1]) = (0.2, 0.3);
        assert!(matches!(program.solve(), Err(QpError::Infeasible(_))));
        program.reset(2);
        assert_eq!(program.solve(), Err(QpError::NotPositiveDefinite));
    }
}
