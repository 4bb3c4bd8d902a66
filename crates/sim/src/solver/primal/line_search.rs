//! Exact line search on the convex cost along a direction.
//!
//! Along `qacc + α v` the cost is a sum of quadratics whose terms switch on and off, plus cone terms. The
//! search takes Newton steps in `α`, first from one side until the derivative changes sign, then inside a
//! bracket with three candidates per round, until the derivative is below the tolerance.

use super::vectors::padded;
use crate::constraint::RowsView;
use crate::solver::factor::hessian::is_elliptic;
use crate::solver::rounds::ends_early;
use kinetree_math::MINVAL;
use kinetree_math::lanes::{Lane, sum_lane};
use kinetree_model::Contact;
use wide::{CmpLt, f64x4};

/// A quadratic `q₀ + q₁ α + q₂ α²`.
type Quad = [f64; 3];

/// A friction-loss row along the direction.
struct FrictionLine {
    start: f64,
    slope: f64,
    floss: f64,
    bound: f64,
    quad: Quad,
}

/// Four inequality rows along the direction: active where `start + α slope < 0`.
struct HalfLines {
    start: f64x4,
    slope: f64x4,
    quad: [f64x4; 3],
}

/// An elliptic contact along the direction: normal `u₀ + α v₀`, squared tangent `uu + 2 α uv + α² vv`.
struct ConeLine {
    u0: f64,
    v0: f64,
    uu: f64,
    uv: f64,
    vv: f64,
    dm: f64,
    mu: f64,
    quad: Quad,
}

/// The cost along one direction.
#[derive(Default)]
pub(crate) struct LineCost {
    fixed: Quad,
    friction: Vec<FrictionLine>,
    half: Vec<HalfLines>,
    cone: Vec<ConeLine>,
    /// Number of evaluations of the last search.
    pub evaluations: i32,
    /// Scaled derivative at the result of the last search.
    pub slope: f64,
}

/// What ends a search.
pub(crate) struct SearchLimits {
    /// Derivative below which the search has converged.
    pub gtol: f64,
    /// Factor that makes the derivative comparable between models.
    pub slope_scale: f64,
    pub iterations: i32,
}

#[derive(Clone, Copy, Default)]
struct Point {
    alpha: f64,
    cost: f64,
    d1: f64,
    d2: f64,
}

#[inline]
fn row_quad(d: f64, start: f64, slope: f64) -> Quad {
    let ds = d * start;
    [0.5 * start * ds, slope * ds, 0.5 * slope * d * slope]
}

#[inline]
fn half_lines(d: &Lane, start: &Lane, slope: &Lane) -> HalfLines {
    let [d, start, slope] = [d, start, slope].map(|lane| f64x4::new(*lane));
    let (half, ds) = (f64x4::splat(0.5), d * start);
    HalfLines { start, slope, quad: [half * start * ds, slope * ds, half * slope * d * slope] }
}

#[inline]
fn add_quad(total: &mut Quad, q: &Quad) {
    for k in 0..3 {
        total[k] += q[k];
    }
}

impl LineCost {
    /// Sets up the cost for the residual `start` and its change `slope` per unit of `α`; `gauss` is the
    /// unconstrained part.
    pub(crate) fn prepare(
        &mut self,
        rows: &RowsView<'_>,
        contact: &[Contact],
        (start, slope): (&[f64], &[f64]),
        gauss: Quad,
    ) {
        self.fixed = gauss;
        self.friction.clear();
        self.half.clear();
        self.cone.clear();
        let n = start.len();
        for i in 0..rows.ne {
            add_quad(&mut self.fixed, &row_quad(rows.d[i], start[i], slope[i]));
        }
        for i in rows.ne..rows.ne + rows.nf {
            let floss = rows.floss[i];
            self.friction.push(FrictionLine {
                start: start[i],
                slope: slope[i],
                floss,
                bound: rows.r[i] * floss,
                quad: row_quad(rows.d[i], start[i], slope[i]),
            });
        }
        let mut i = rows.ne + rows.nf;
        if !rows.has_cones {
            self.add_half_lines(&rows.d[i..n], &start[i..], &slope[i..]);
            return;
        }
        while i < n {
            if is_elliptic(rows.kind[i]) {
                let contact = &contact[rows.id[i] as usize];
                let end = i + contact.dim as usize;
                self.cone.push(cone_line(contact, &rows.d[i..end], &start[i..end], &slope[i..end]));
                i = end;
            } else {
                let end = rows.kind[i..].iter().position(|&kind| is_elliptic(kind)).map_or(n, |k| i + k);
                self.add_half_lines(&rows.d[i..end], &start[i..end], &slope[i..end]);
                i = end;
            }
        }
    }

    /// Adds inequality rows.
    fn add_half_lines(&mut self, d: &[f64], start: &[f64], slope: &[f64]) {
        let (d4, d_rest) = d.as_chunks::<4>();
        let (start4, start_rest) = start.as_chunks::<4>();
        let (slope4, slope_rest) = slope.as_chunks::<4>();
        self.half.extend(d4.iter().zip(start4).zip(slope4).map(|((d, a), b)| half_lines(d, a, b)));
        if !d_rest.is_empty() {
            // rows without weight add nothing
            self.half.push(half_lines(&padded(d_rest), &padded(start_rest), &padded(slope_rest)));
        }
    }

    /// Cost and derivatives at `alpha`.
    fn eval(&mut self, alpha: f64) -> Point {
        self.evaluations += 1;
        let mut total = self.fixed;
        for row in &self.friction {
            let x = row.start + alpha * row.slope;
            if -row.bound < x && x < row.bound {
                add_quad(&mut total, &row.quad);
            } else {
                let side = if x <= -row.bound { -1.0 } else { 1.0 };
                total[0] += row.floss * (-0.5 * row.bound + side * row.start);
                total[1] += side * row.floss * row.slope;
            }
        }
        let mut half = [f64x4::ZERO; 3];
        for rows in &self.half {
            let active = (rows.start + f64x4::splat(alpha) * rows.slope).cmp_lt(f64x4::ZERO);
            for (sum, quad) in half.iter_mut().zip(&rows.quad) {
                *sum += active & *quad;
            }
        }
        add_quad(&mut total, &half.map(|lane| sum_lane(&lane.to_array())));
        let (mut cost, mut d1, mut d2) = (0.0, 0.0, 0.0);
        for cone in &self.cone {
            let n = cone.u0 + alpha * cone.v0;
            let t_sqr = cone.uu + alpha * (2.0 * cone.uv + alpha * cone.vv);
            if t_sqr <= 0.0 {
                if n < 0.0 {
                    add_quad(&mut total, &cone.quad);
                }
                continue;
            }
            let t = t_sqr.sqrt();
            let mu = cone.mu;
            if n >= mu * t {
                continue;
            }
            if mu * n + t <= 0.0 {
                add_quad(&mut total, &cone.quad);
                continue;
            }
            let t1 = (cone.uv + alpha * cone.vv) / t;
            let t2 = cone.vv / t - (cone.uv + alpha * cone.vv) * t1 / (t * t);
            let (gap, gap1) = (n - mu * t, cone.v0 - mu * t1);
            cost += 0.5 * cone.dm * gap * gap;
            d1 += cone.dm * gap * gap1;
            d2 += cone.dm * (gap1 * gap1 + gap * (-mu * t2));
        }
        cost += alpha * alpha * total[2] + alpha * total[1] + total[0];
        d1 += 2.0 * alpha * total[2] + total[1];
        d2 += 2.0 * total[2];
        // the cost is convex; rounding may still flatten it
        if d2 <= 0.0 {
            d2 = MINVAL;
        }
        Point { alpha, cost, d1, d2 }
    }

    /// The Newton point of `p`, evaluated.
    fn newton(&mut self, p: &Point) -> Point {
        self.eval(p.alpha - p.d1 / p.d2)
    }

    /// Whether the cost may be evaluated again.
    fn goes_on(&self, limits: &SearchLimits) -> bool {
        self.evaluations < limits.iterations && !ends_early(self.evaluations)
    }

    /// The best step along the direction; zero when there is no improvement.
    pub(crate) fn search(&mut self, limits: &SearchLimits) -> f64 {
        self.evaluations = 0;
        self.slope = 1.0;
        let p0 = self.eval(0.0);
        let mut p1 = self.newton(&p0);
        if p1.d1.abs() < limits.gtol {
            return self.accept(&p1, limits);
        }

        // one side: Newton steps until the derivative changes sign
        let direction = if p1.d1 < 0.0 { 1.0 } else { -1.0 };
        let mut p2 = p0;
        while p1.d1 * direction <= -limits.gtol && self.goes_on(limits) {
            p2 = p1;
            p1 = self.newton(&p1);
            if p1.d1.abs() < limits.gtol {
                return self.accept(&p1, limits);
            }
        }
        if self.evaluations >= limits.iterations {
            return self.accept(&p1, limits);
        }
        self.bracketed(p0, p1, p2, limits)
    }

    /// Narrows the bracket between `p1` and `p2`.
    fn bracketed(&mut self, p0: Point, mut p1: Point, mut p2: Point, limits: &SearchLimits) -> f64 {
        let mut p2_next = p1;
        let mut p1_next = self.newton(&p1);
        while self.goes_on(limits) {
            let middle = self.eval(0.5 * (p1.alpha + p2.alpha));
            let candidates = [p1_next, p2_next, middle];
            let mut best: Option<&Point> = None;
            for p in &candidates {
                if p.d1.abs() < limits.gtol && best.is_none_or(|b| p.cost < b.cost) {
                    best = Some(p);
                }
            }
            if let Some(p) = best {
                return self.accept(p, limits);
            }
            let moved1 = self.update_bracket(&mut p1, &candidates, &mut p1_next);
            let moved2 = self.update_bracket(&mut p2, &candidates, &mut p2_next);
            if !moved1 && !moved2 {
                // numerical accuracy is reached
                return self.accept(&middle, limits);
            }
        }
        if p1.cost <= p2.cost && p1.cost < p0.cost {
            self.accept(&p1, limits)
        } else if p2.cost <= p1.cost && p2.cost < p0.cost {
            self.accept(&p2, limits)
        } else {
            0.0
        }
    }

    /// Moves one end of the bracket to a candidate on its side that is closer to the minimum.
    fn update_bracket(&mut self, p: &mut Point, candidates: &[Point; 3], next: &mut Point) -> bool {
        let mut moved = false;
        for c in candidates {
            let closer_below = p.d1 < 0.0 && c.d1 < 0.0 && p.d1 < c.d1;
            let closer_above = p.d1 > 0.0 && c.d1 > 0.0 && p.d1 > c.d1;
            if closer_below || closer_above {
                *p = *c;
                moved = true;
            }
        }
        if moved {
            *next = self.newton(p);
        }
        moved
    }

    fn accept(&mut self, p: &Point, limits: &SearchLimits) -> f64 {
        self.slope = p.d1.abs() * limits.slope_scale;
        p.alpha
    }
}

fn cone_line(contact: &Contact, d: &[f64], start: &[f64], slope: &[f64]) -> ConeLine {
    let mu = contact.mu;
    let mut quad = row_quad(d[0], start[0], slope[0]);
    let (mut uu, mut uv, mut vv) = (0.0, 0.0, 0.0);
    for j in 1..d.len() {
        add_quad(&mut quad, &row_quad(d[j], start[j], slope[j]));
        let friction = contact.friction[j - 1];
        let (u, v) = (start[j] * friction, slope[j] * friction);
        uu += u * u;
        uv += u * v;
        vv += v * v;
    }
    let dm = d[0] / ((mu * mu) * (1.0 + mu * mu));
    ConeLine { u0: start[0] * mu, v0: slope[0] * mu, uu, uv, vv, dm, mu, quad }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinetree_model::enums::ConstraintType;

    /// Numbers in −1..1 that are the same in every run.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    /// Rows of each kind with random weights: equalities, dry friction, limits and elliptic contacts.
    struct Problem {
        d: Vec<f64>,
        r: Vec<f64>,
        floss: Vec<f64>,
        kind: Vec<i32>,
        id: Vec<i32>,
        contact: Vec<Contact>,
        start: Vec<f64>,
        slope: Vec<f64>,
        gauss: Quad,
    }

    const COUNTS: [usize; 4] = [2, 3, 6, 3];

    impl Problem {
        fn new(seed: u64) -> Self {
            let mut random = Random(seed);
            let kinds = [
                ConstraintType::Equality,
                ConstraintType::FrictionDof,
                ConstraintType::LimitJoint,
                ConstraintType::ContactElliptic,
            ];
            let mut kind: Vec<i32> = Vec::new();
            for (count, row) in COUNTS.into_iter().zip(kinds) {
                kind.extend(std::iter::repeat_n(row as i32, count));
            }
            let n = kind.len();
            let mut numbers = |scale: f64| (0..n).map(|_| scale * random.next()).collect::<Vec<_>>();
            let mut d: Vec<f64> = numbers(1.0).iter().map(|x| (3.0 * x).exp()).collect();
            let friction = [0.8, 0.5, 0.1, 0.1, 0.1];
            let mu = 0.7;
            // weights of a contact belong together: D of friction is D of the normal times (friction / µ)²
            for j in 1..COUNTS[3] {
                let normal = n - COUNTS[3];
                d[normal + j] = d[normal] * (friction[j - 1] / mu * friction[j - 1] / mu);
            }
            let contact = vec![Contact { dim: COUNTS[3] as i32, mu, friction, ..Contact::default() }];
            Self {
                r: d.iter().map(|d| 1.0 / d).collect(),
                floss: numbers(1.0).iter().map(|x| 0.6 + 0.5 * x).collect(),
                kind,
                id: vec![0; n],
                contact,
                start: numbers(1.0),
                slope: numbers(2.0),
                gauss: [0.3, -0.4, 0.2],
                d,
            }
        }

        fn line(&self) -> LineCost {
            let rows = RowsView {
                ne: COUNTS[0],
                nf: COUNTS[1],
                d: &self.d,
                r: &self.r,
                floss: &self.floss,
                kind: &self.kind,
                id: &self.id,
                has_cones: true,
            };
            let mut line = LineCost::default();
            line.prepare(&rows, &self.contact, (&self.start, &self.slope), self.gauss);
            line
        }

        /// The cost by its definition, row by row: a parabola, Huber's loss, half a parabola, and the squared
        /// distance to the friction cone in the metric of the contact.
        fn cost(&self, alpha: f64) -> f64 {
            let x: Vec<f64> = self.start.iter().zip(&self.slope).map(|(a, b)| a + alpha * b).collect();
            let mut cost = self.gauss[0] + alpha * (self.gauss[1] + alpha * self.gauss[2]);
            let [ne, nf, nl, nc] = COUNTS;
            for i in 0..ne {
                cost += 0.5 * self.d[i] * x[i] * x[i];
            }
            for i in ne..ne + nf {
                let knee = self.floss[i] / self.d[i];
                cost += if x[i].abs() < knee {
                    0.5 * self.d[i] * x[i] * x[i]
                } else {
                    self.floss[i] * (x[i].abs() - 0.5 * knee)
                };
            }
            for i in ne + nf..ne + nf + nl {
                cost += 0.5 * self.d[i] * x[i].min(0.0).powi(2);
            }
            // in coordinates scaled by the friction coefficients the cone is round
            let first = ne + nf + nl;
            let contact = &self.contact[0];
            let normal = contact.mu * x[first];
            let tangent =
                (1..nc).map(|j| (contact.friction[j - 1] * x[first + j]).powi(2)).sum::<f64>().sqrt();
            let metric = self.d[first] / (contact.mu * contact.mu);
            cost + if normal >= contact.mu * tangent {
                0.0
            } else if contact.mu * normal + tangent <= 0.0 {
                0.5 * metric * (normal * normal + tangent * tangent)
            } else {
                let gap = (normal - contact.mu * tangent) / (1.0 + contact.mu * contact.mu).sqrt();
                0.5 * metric * gap * gap
            }
        }
    }

    #[test]
    fn the_cost_is_the_sum_over_rows() {
        const H: f64 = 1e-5;
        for seed in 1..200 {
            let problem = Problem::new(seed);
            let mut line = problem.line();
            for k in -8..=8 {
                let alpha = 0.25 * f64::from(k) + 0.01;
                let point = line.eval(alpha);
                let [below, here, above] = [-H, 0.0, H].map(|h| problem.cost(alpha + h));
                let close = |a: f64, b: f64, tolerance: f64| (a - b).abs() <= tolerance * b.abs().max(1.0);
                assert!(close(point.cost, here, 1e-12), "{seed} {alpha}: cost {} {here}", point.cost);
                let slope = (above - below) / (2.0 * H);
                assert!(close(point.d1, slope, 1e-3), "{seed} {alpha}: slope {} {slope}", point.d1);
            }
        }
    }

    /// The search stops where the derivative is, scaled, below the tolerance, and tells it; where it gives up
    /// without an improvement, the step is zero and the slope is reported as one.
    #[test]
    fn a_search_tells_the_slope_it_stops_at() {
        let (mut improved, mut in_vain) = (0, 0);
        for seed in 1..2000 {
            let problem = Problem::new(seed);
            for iterations in [3, 4, 5, 50] {
                let mut line = problem.line();
                let limits = SearchLimits { gtol: 1e-8, slope_scale: 0.25, iterations };
                let alpha = line.search(&limits);
                let slope = line.slope;
                if alpha == 0.0 {
                    assert_eq!(slope, 1.0);
                    in_vain += 1;
                    continue;
                }
                let here = line.eval(alpha).d1.abs();
                assert!((slope - 0.25 * here).abs() <= 1e-12 * here.max(1.0), "{slope} {here}");
                if iterations == 50 {
                    assert!(here < 1e-6 && problem.cost(alpha) <= problem.cost(0.0), "{seed}: {here}");
                }
                improved += 1;
            }
        }
        assert!(improved > 1000 && in_vain > 0, "{improved} {in_vain}");
    }
}
