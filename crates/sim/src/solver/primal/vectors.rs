//! Vectors over the dofs of one problem, padded to lanes with zeros, and the passes of a primal solve over
//! them.
//!
//! Each pass does all that can be done while the vectors are at hand, and sums in lanes: short vectors cost
//! little more than their numbers, and have no rest that needs a loop of its own.

use kinetree_math::LaneVec;
use kinetree_math::lanes::{Lane, lanes, sum_lane, sum_lanes};
use wide::f64x4;

/// The vectors of a solve.
#[derive(Default)]
pub(crate) struct DofVectors {
    /// The acceleration, and the unconstrained one.
    pub qacc: LaneVec,
    pub smooth: LaneVec,
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
pub(crate) struct StartVectors<'a> {
    pub qacc: &'a [f64],
    pub qacc_smooth: &'a [f64],
    pub qfrc_smooth: &'a [f64],
    /// `M qacc`.
    pub ma: &'a [f64],
}

/// Products of the search direction.
pub(crate) struct Along {
    /// Its length.
    pub length: f64,
    /// First and second coefficient of the unconstrained cost along it.
    pub gauss: [f64; 2],
}

impl DofVectors {
    /// Takes in where to start.
    pub(crate) fn start(&mut self, from: &StartVectors<'_>) {
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

    /// Sets the gradient; returns the unconstrained cost of the acceleration, `½ (M a − f)ᵀ (a − a₀)`, and
    /// the length of the gradient.
    pub(crate) fn gauss_and_gradient(&mut self) -> (f64, f64) {
        let (mut gauss, mut square) = (f64x4::ZERO, f64x4::ZERO);
        let accelerations = self.qacc.iter().zip(self.smooth.iter());
        let forces = self.ma.iter().zip(self.qfrc_smooth.iter()).zip(self.qfrc_constraint.iter());
        for ((grad, (a, smooth)), ((ma, f), constraint)) in
            self.grad.iter_mut().zip(accelerations).zip(forces)
        {
            let force = f64x4::new(*ma) - f64x4::new(*f);
            gauss += force * (f64x4::new(*a) - f64x4::new(*smooth));
            let g = force - f64x4::new(*constraint);
            square += g * g;
            *grad = g.to_array();
        }
        (0.5 * sum_lane(&gauss.to_array()), sum_lane(&square.to_array()).sqrt())
    }

    /// Products of the search direction.
    pub(crate) fn along(&self) -> Along {
        let mut sums = [f64x4::ZERO; 4];
        let products = self.ma.iter().zip(self.qfrc_smooth.iter()).zip(self.mv.iter());
        for (search, ((ma, force), mv)) in self.search.iter().zip(products) {
            let s = f64x4::new(*search);
            sums[0] += s * s;
            sums[1] += s * f64x4::new(*ma);
            sums[2] += s * f64x4::new(*force);
            sums[3] += s * f64x4::new(*mv);
        }
        let [square, ma, force, mv] = sum_lanes(&sums.map(f64x4::to_array));
        Along { length: square.sqrt(), gauss: [ma - force, 0.5 * mv] }
    }

    /// Moves along the search direction.
    pub(crate) fn advance(&mut self, alpha: f64) {
        let alpha = f64x4::splat(alpha);
        let directions = self.search.iter().zip(self.mv.iter());
        for ((qacc, ma), (search, mv)) in self.qacc.iter_mut().zip(self.ma.iter_mut()).zip(directions) {
            *qacc = (f64x4::new(*qacc) + f64x4::new(*search) * alpha).to_array();
            *ma = (f64x4::new(*ma) + f64x4::new(*mv) * alpha).to_array();
        }
    }

    /// Searches along the preconditioned gradient, downwards.
    pub(crate) fn descend(&mut self) {
        for (search, mgrad) in self.search.iter_mut().zip(self.mgrad.iter()) {
            *search = (-f64x4::new(*mgrad)).to_array();
        }
    }

    /// Remembers gradients for the next conjugate direction.
    pub(crate) fn keep_gradients(&mut self) {
        std::mem::swap(&mut self.grad_old, &mut self.grad);
        std::mem::swap(&mut self.mgrad_old, &mut self.mgrad);
    }

    /// `½ gᵀ M⁻¹ g` when the preconditioned gradient is `M⁻¹ g`, and `½ gᵀ H⁻¹ g` when it is `H⁻¹ g`.
    pub(crate) fn decrement(&self) -> f64 {
        let products = self.grad.iter().zip(self.mgrad.iter());
        let sum = products.fold(f64x4::ZERO, |sum, (g, m)| sum + f64x4::new(*g) * f64x4::new(*m));
        0.5 * sum_lane(&sum.to_array())
    }

    /// The next conjugate direction (Hager and Zhang, 2005): with the change `y` of the gradient `g` along
    /// the direction `d`, `β = (y − 2 d yᵀM⁻¹y / dᵀy)ᵀ M⁻¹ g / dᵀy`, bounded from below. A curvature `dᵀy`
    /// below `least` means that conjugacy is lost: restart.
    pub(crate) fn conjugate_hager_zhang(&mut self, least: f64) {
        /// Gradients longer than this count as that long in the bound.
        const LONGEST: f64 = 0.01;
        let mut sums = [f64x4::ZERO; 6];
        let old = self.grad_old.iter().zip(self.mgrad_old.iter());
        let new = self.grad.iter().zip(self.mgrad.iter());
        for (d, ((g, m), (old_g, old_m))) in self.search.iter().zip(new.zip(old)) {
            let [d, g, m] = [d, g, m].map(|lane| f64x4::new(*lane));
            let (y, my) = (g - f64x4::new(*old_g), m - f64x4::new(*old_m));
            for (sum, product) in sums.iter_mut().zip([d * y, y * my, y * m, d * g, d * d, g * g]) {
                *sum += product;
            }
        }
        let [curvature, y_my, y_mg, d_g, d_d, g_g] = sums.map(|sum| sum_lane(&sum.to_array()));
        let beta = if curvature < least {
            0.0
        } else {
            let bound = -1.0 / least.max(d_d.sqrt() * g_g.sqrt().min(LONGEST));
            bound.max((y_mg - 2.0 * (y_my / curvature) * d_g) / curvature)
        };
        for (search, g) in self.search.iter_mut().zip(self.mgrad.iter()) {
            *search = std::array::from_fn(|k| -g[k] + beta * search[k]);
        }
    }

    /// The next conjugate direction (Polak–Ribière); a denominator below `least` is taken for it.
    pub(crate) fn conjugate(&mut self, least: f64) {
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
pub(crate) fn padded(rest: &[f64]) -> Lane {
    match *rest {
        [a] => [a, 0.0, 0.0, 0.0],
        [a, b] => [a, b, 0.0, 0.0],
        [a, b, c] => [a, b, c, 0.0],
        _ => [0.0; 4],
    }
}

/// `(a − b)ᵀ (c − d)`.
pub(crate) fn dot_of_differences(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> f64 {
    let ((a4, a), (b4, b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let ((c4, c), (d4, d)) = (c.as_chunks::<4>(), d.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (((a, b), c), d) in a4.iter().zip(b4).zip(c4).zip(d4) {
        for k in 0..4 {
            sums[k] += (a[k] - b[k]) * (c[k] - d[k]);
        }
    }
    let mut sum = sum_lane(&sums);
    for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
        sum += (a - b) * (c - d);
    }
    sum
}
