//! Lagrange polynomials of first and second order on the unit interval, with equally spaced nodes.
//!
//! ```
//! use kinetree_math::lagrange::values;
//!
//! assert_eq!(values(0.25, 1), [0.75, 0.25, 0.0]);
//! assert_eq!(values(0.5, 2), [0.0, 1.0, 0.0], "the second node");
//! ```

/// Values of the basis functions at `s`; of first order the last one is zero.
#[inline]
#[must_use]
pub fn values(s: f64, order: usize) -> [f64; 3] {
    if order == 1 {
        [1.0 - s, s, 0.0]
    } else {
        [2.0 * s * s - 3.0 * s + 1.0, 4.0 * (s - s * s), 2.0 * s * s - s]
    }
}

/// Their derivatives.
#[inline]
#[must_use]
pub fn derivatives(s: f64, order: usize) -> [f64; 3] {
    if order == 1 { [-1.0, 1.0, 0.0] } else { [4.0 * s - 3.0, 4.0 * (1.0 - 2.0 * s), 4.0 * s - 1.0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_one_at_its_node_and_all_sum_to_one() {
        for order in 1..=2 {
            for node in 0..=order {
                let at = values(node as f64 / order as f64, order);
                for (i, value) in at.iter().enumerate().take(order + 1) {
                    assert!((value - f64::from(u8::from(i == node))).abs() < 1e-15);
                }
            }
            for s in [0.1, 0.37, 0.9] {
                assert!((values(s, order).iter().sum::<f64>() - 1.0).abs() < 1e-15);
                assert!(derivatives(s, order).iter().sum::<f64>().abs() < 1e-14);
                let h = 1e-6;
                let (low, high) = (values(s - h, order), values(s + h, order));
                for (i, derivative) in derivatives(s, order).iter().enumerate().take(order + 1) {
                    assert!(((high[i] - low[i]) / (2.0 * h) - derivative).abs() < 1e-8);
                }
            }
        }
    }
}
