//! Singular values of a Jacobian, and what follows from them: manipulability, condition number, null space.
//!
//! One-sided Jacobi rotations (Hestenes, 1958) of the columns: `J V = U Σ`. They find small singular values
//! with full relative accuracy, which products such as `J Jᵀ` would lose.

/// Rounds of rotations; six or seven are enough in practice.
const MAX_SWEEPS: usize = 40;

/// Singular value decomposition of a 6 × n Jacobian. It allocates when it is made.
#[derive(Clone, Debug)]
pub struct Singularity {
    /// Columns of `J V`.
    columns: Vec<[f64; 6]>,
    /// Right singular vectors, one after the other.
    vectors: Vec<f64>,
    /// Columns from the largest singular value to the smallest.
    order: Vec<usize>,
    values: Vec<f64>,
}

impl Singularity {
    /// Memory for Jacobians of `nv` columns.
    #[must_use]
    pub fn new(nv: usize) -> Self {
        Self {
            columns: vec![[0.0; 6]; nv],
            vectors: vec![0.0; nv * nv],
            order: (0..nv).collect(),
            values: vec![0.0; nv],
        }
    }

    /// Decomposes a Jacobian.
    ///
    /// # Panics
    /// When the number of columns is not the one that memory was made for.
    pub fn decompose(&mut self, jacobian: &[[f64; 6]]) {
        let n = self.columns.len();
        assert_eq!(jacobian.len(), n, "columns of the Jacobian");
        self.columns.copy_from_slice(jacobian);
        self.vectors.fill(0.0);
        for i in 0..n {
            self.vectors[i * n + i] = 1.0;
        }
        for _ in 0..MAX_SWEEPS {
            let mut rotated = false;
            for i in 0..n {
                for j in i + 1..n {
                    rotated |= self.rotate(i, j);
                }
            }
            if !rotated {
                break;
            }
        }
        let norms: &mut [f64] = &mut self.values;
        for (norm, column) in norms.iter_mut().zip(&self.columns) {
            *norm = dot(column, column).sqrt();
        }
        self.order.sort_unstable_by(|&a, &b| norms[b].total_cmp(&norms[a]));
    }

    /// Makes two columns orthogonal; returns whether they were not.
    fn rotate(&mut self, i: usize, j: usize) -> bool {
        let (a, b) = (self.columns[i], self.columns[j]);
        let (aa, bb, ab) = (dot(&a, &a), dot(&b, &b), dot(&a, &b));
        if ab.abs() <= f64::EPSILON * (aa * bb).sqrt() || ab == 0.0 {
            return false;
        }
        let ratio = (bb - aa) / (2.0 * ab);
        let tangent = 1.0_f64.copysign(ratio) / (ratio.abs() + (1.0 + ratio * ratio).sqrt());
        let cos = 1.0 / (1.0 + tangent * tangent).sqrt();
        let sin = cos * tangent;
        for k in 0..6 {
            (self.columns[i][k], self.columns[j][k]) = (cos * a[k] - sin * b[k], sin * a[k] + cos * b[k]);
        }
        let n = self.columns.len();
        for k in 0..n {
            let (u, v) = (self.vectors[i * n + k], self.vectors[j * n + k]);
            (self.vectors[i * n + k], self.vectors[j * n + k]) = (cos * u - sin * v, sin * u + cos * v);
        }
        true
    }

    /// The singular values, largest first: as many as the smaller side of the Jacobian.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.order.iter().take(6).map(|&i| self.values[i])
    }

    /// Product of the singular values, `√det(J Jᵀ)`: the manipulability of Yoshikawa (1985).
    #[must_use]
    pub fn manipulability(&self) -> f64 {
        self.values().product()
    }

    /// Largest singular value divided by the smallest; infinite when that is zero.
    #[must_use]
    pub fn condition_number(&self) -> f64 {
        let (largest, smallest) = (self.values().next().unwrap_or(0.0), self.smallest());
        if smallest > 0.0 { largest / smallest } else { f64::INFINITY }
    }

    /// Smallest singular value.
    #[must_use]
    pub fn smallest(&self) -> f64 {
        self.values().last().unwrap_or(0.0)
    }

    /// Whether the smallest singular value is below the threshold.
    #[must_use]
    pub fn is_singular(&self, threshold: f64) -> bool {
        self.smallest() < threshold
    }

    /// Orthonormal vectors of joint velocities that do not move the end: those whose singular value is at
    /// most `tolerance`, and those beyond the sixth.
    pub fn null_space(&self, tolerance: f64) -> impl Iterator<Item = &[f64]> + '_ {
        let n = self.columns.len();
        let null = move |&(k, &i): &(usize, &usize)| k >= 6 || self.values[i] <= tolerance;
        self.order.iter().enumerate().filter(null).map(move |(_, &i)| &self.vectors[i * n..(i + 1) * n])
    }
}

fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
