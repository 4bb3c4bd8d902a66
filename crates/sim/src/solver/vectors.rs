//! Vectors over the dofs of one problem, padded to lanes with zeros, and the passes of a primal solve over
//! them.
//!
//! Each pass does all that can be done while the vectors are at hand, and sums in lanes: short vectors cost
//! little more than their numbers, and have no rest that needs a loop of its own.

use kinetree_math::LaneVec;
use kinetree_math::lanes::{Lane, lanes, sum_lane};

/// The vectors of a solve.
#[derive(Default)]
pub(super) struct DofVectors {
    /// The acceleration, and the unconstrained one.
    pub qacc: LaneVec,
    smooth: LaneVec,
    /// Unconstrained force, and that of the constraints.
    qfrc_smooth: LaneVec,
    pub qfrc_constraint: LaneVec,
    /// `M qacc` and `M search`.
    ma: LaneVec,
    pub mv: LaneVec,
    pub grad: LaneVec,
    /// Preconditioned gradient.
    pub mgrad: LaneVec,
    pub search: LaneVec,
    grad_old: LaneVec,
    mgrad_old: LaneVec,
}

/// Where a solve starts.
pub(super) struct StartVectors<'a> {
    pub qacc: &'a [f64],
    pub qacc_smooth: &'a [f64],
    pub qfrc_smooth: &'a [f64],
    /// `M qacc`.
    pub ma: &'a [f64],
}

/// Products of the search direction.
pub(super) struct Along {
    /// Its length.
    pub length: f64,
    /// First and second coefficient of the unconstrained cost along it.
    pub gauss: [f64; 2],
}

impl DofVectors {
    /// Takes in where to start.
    pub(super) fn start(&mut self, from: &StartVectors<'_>) {
        copy_padded(&mut self.qacc, from.qacc);
        copy_padded(&mut self.smooth, from.qacc_smooth);
        copy_padded(&mut self.qfrc_smooth, from.qfrc_smooth);
        copy_padded(&mut self.ma, from.ma);
        let width = lanes(from.qacc.len());
        for v in [
            &mut self.qfrc_constraint,
            &mut self.mv,
            &mut self.grad,
            &mut self.mgrad,
            &mut self.search,
            &mut self.grad_old,
            &mut self.mgrad_old,
        ] {
            v.resize(width);
        }
    }

    /// Unconstrained cost of the acceleration, `½ (M a − f)ᵀ (a − a₀)`.
    pub(super) fn gauss(&self) -> f64 {
        let n = self.qacc.len();
        let (qacc, smooth) = (&self.qacc[..n], &self.smooth[..n]);
        let (ma, force) = (&self.ma[..n], &self.qfrc_smooth[..n]);
        let mut sum = [0.0; 4];
        for i in 0..n {
            let (a, b, c, d) = (ma[i], force[i], qacc[i], smooth[i]);
            sum = std::array::from_fn(|k| sum[k] + (a[k] - b[k]) * (c[k] - d[k]));
        }
        0.5 * sum_lane(&sum)
    }

    /// Sets the gradient; returns its length.
    pub(super) fn gradient(&mut self) -> f64 {
        let n = self.grad.len();
        let (ma, smooth, constraint) = (&self.ma[..n], &self.qfrc_smooth[..n], &self.qfrc_constraint[..n]);
        let mut sum = [0.0; 4];
        for (i, grad) in self.grad.iter_mut().enumerate() {
            let (a, b, c) = (ma[i], smooth[i], constraint[i]);
            let g: Lane = std::array::from_fn(|k| a[k] - b[k] - c[k]);
            sum = std::array::from_fn(|k| sum[k] + g[k] * g[k]);
            *grad = g;
        }
        sum_lane(&sum).sqrt()
    }

    /// Products of the search direction.
    pub(super) fn along(&self) -> Along {
        let n = self.search.len();
        let (search, mv) = (&self.search[..n], &self.mv[..n]);
        let (ma, force) = (&self.ma[..n], &self.qfrc_smooth[..n]);
        let mut sums = [[0.0; 4]; 4];
        for i in 0..n {
            for (sum, other) in sums.iter_mut().zip([search[i], ma[i], force[i], mv[i]]) {
                let s = search[i];
                *sum = std::array::from_fn(|k| sum[k] + s[k] * other[k]);
            }
        }
        let [square, ma, force, mv] = sums.map(|sum| sum_lane(&sum));
        Along { length: square.sqrt(), gauss: [ma - force, 0.5 * mv] }
    }

    /// Moves along the search direction.
    pub(super) fn advance(&mut self, alpha: f64) {
        let n = self.qacc.len();
        let (search, mv, ma) = (&self.search[..n], &self.mv[..n], &mut self.ma[..n]);
        for (i, qacc) in self.qacc.iter_mut().enumerate() {
            let (a, b, x, y) = (*qacc, ma[i], search[i], mv[i]);
            *qacc = std::array::from_fn(|k| a[k] + x[k] * alpha);
            ma[i] = std::array::from_fn(|k| b[k] + y[k] * alpha);
        }
    }

    /// Searches along the preconditioned gradient, downwards.
    pub(super) fn descend(&mut self) {
        for (search, mgrad) in self.search.iter_mut().zip(self.mgrad.iter()) {
            *search = mgrad.map(|g| -g);
        }
    }

    /// Remembers gradients for the next conjugate direction.
    pub(super) fn keep_gradients(&mut self) {
        std::mem::swap(&mut self.grad_old, &mut self.grad);
        std::mem::swap(&mut self.mgrad_old, &mut self.mgrad);
    }

    /// The next conjugate direction (Polak–Ribière); a denominator below `least` is taken for it.
    pub(super) fn conjugate(&mut self, least: f64) {
        let mut sums = [[0.0; 4]; 2];
        let old = self.grad_old.iter().zip(self.mgrad_old.iter());
        for ((g, m), (old_g, old_m)) in self.grad.iter().zip(self.mgrad.iter()).zip(old) {
            sums[0] = std::array::from_fn(|k| sums[0][k] + g[k] * (m[k] - old_m[k]));
            sums[1] = std::array::from_fn(|k| sums[1][k] + old_g[k] * old_m[k]);
        }
        let [change, square] = sums.map(|sum| sum_lane(&sum));
        // a negative value means that conjugacy is lost: restart
        let beta = (change / least.max(square)).max(0.0);
        for (search, g) in self.search.iter_mut().zip(self.mgrad.iter()) {
            *search = std::array::from_fn(|k| -g[k] + beta * search[k]);
        }
    }
}

/// Copies a vector and pads it with zeros.
fn copy_padded(to: &mut LaneVec, from: &[f64]) {
    let (full, rest) = from.as_chunks::<4>();
    to.resize(lanes(from.len()));
    let (head, tail) = to.split_at_mut(full.len());
    head.copy_from_slice(full);
    if let [last] = tail {
        *last = padded(rest);
    }
}

/// Up to three numbers, and zeros.
#[inline]
pub(super) fn padded(rest: &[f64]) -> Lane {
    match *rest {
        [a] => [a, 0.0, 0.0, 0.0],
        [a, b] => [a, b, 0.0, 0.0],
        [a, b, c] => [a, b, c, 0.0],
        _ => [0.0; 4],
    }
}
