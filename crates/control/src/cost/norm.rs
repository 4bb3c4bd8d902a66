//! Norms of residuals: how a residual of several numbers becomes a cost.

use crate::error::{ControlError, unknown};

/// How residuals become a cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Norm {
    /// `½ |r|²`.
    Quadratic,
    /// `√(|r|² + p²) − p`: quadratic near zero, the length of the vector far away.
    Length {
        /// Width `p` of the quadratic part.
        width: f64,
    },
    /// `Σ √(rᵢ² + p²) − p`: quadratic near zero, the sum of absolute values far away.
    Absolute {
        /// Width `p` of the quadratic part.
        width: f64,
    },
}

impl Norm {
    /// The names of all norms.
    pub const NAMES: &[&str] = &["quadratic", "length", "absolute"];

    /// The norm of a name, with this width if it has one.
    ///
    /// # Errors
    /// When there is no such norm.
    pub fn named(name: &str, width: f64) -> Result<Self, ControlError> {
        match name {
            "quadratic" => Ok(Self::Quadratic),
            "length" => Ok(Self::Length { width }),
            "absolute" => Ok(Self::Absolute { width }),
            other => Err(unknown("norm", other, Self::NAMES)),
        }
    }

    /// The width, for norms that have one.
    #[must_use]
    pub fn width(self) -> Option<f64> {
        match self {
            Self::Quadratic => None,
            Self::Length { width } | Self::Absolute { width } => Some(width),
        }
    }

    /// The norm of residuals.
    #[must_use]
    pub fn value(self, residuals: &[f64]) -> f64 {
        let squares = residuals.iter().map(|r| r * r);
        match self {
            Self::Quadratic => 0.5 * squares.sum::<f64>(),
            Self::Length { width } => (squares.sum::<f64>() + width * width).sqrt() - width,
            Self::Absolute { width } => squares.map(|square| (square + width * width).sqrt() - width).sum(),
        }
    }

    /// Writes gradient and Hessian (`n × n`, positive semidefinite) with respect to the residuals.
    pub fn derivatives(self, residuals: &[f64], gradient: &mut [f64], hessian: &mut [f64]) {
        let n = residuals.len();
        hessian.fill(0.0);
        match self {
            Self::Quadratic => {
                gradient.copy_from_slice(residuals);
                (0..n).for_each(|i| hessian[i * n + i] = 1.0);
            }
            Self::Length { width } => {
                let length = (residuals.iter().map(|r| r * r).sum::<f64>() + width * width).sqrt();
                for i in 0..n {
                    gradient[i] = residuals[i] / length;
                    for j in 0..n {
                        let identity = f64::from(u8::from(i == j));
                        hessian[i * n + j] =
                            (identity - residuals[i] * residuals[j] / (length * length)) / length;
                    }
                }
            }
            Self::Absolute { width } => {
                for (i, r) in residuals.iter().enumerate() {
                    let length = (r * r + width * width).sqrt();
                    gradient[i] = r / length;
                    hessian[i * n + i] = width * width / (length * length * length);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_value() {
        let r = [0.3, -1.2, 0.05];
        for norm in [Norm::Quadratic, Norm::Length { width: 0.2 }, Norm::Absolute { width: 0.2 }] {
            let (mut gradient, mut hessian) = ([0.0; 3], [0.0; 9]);
            norm.derivatives(&r, &mut gradient, &mut hessian);
            for i in 0..3 {
                let moved = |h: f64| {
                    let mut moved = r;
                    moved[i] += h;
                    moved
                };
                let difference = (norm.value(&moved(1e-6)) - norm.value(&moved(-1e-6))) / 2e-6;
                assert!((difference - gradient[i]).abs() < 1e-9, "{norm:?}");
                let (mut up, mut down, mut unused) = ([0.0; 3], [0.0; 3], [0.0; 9]);
                norm.derivatives(&moved(1e-6), &mut up, &mut unused);
                norm.derivatives(&moved(-1e-6), &mut down, &mut unused);
                for j in 0..3 {
                    assert!(((up[j] - down[j]) / 2e-6 - hessian[i * 3 + j]).abs() < 1e-8, "{norm:?}");
                }
            }
        }
    }
}
