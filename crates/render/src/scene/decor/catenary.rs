//! The catenary: the curve of a chain of given length that hangs between two points.
//!
//! In the plane of the points, with `h` their horizontal and `v` their vertical distance, a chain of length
//! `l` follows `y = b h cosh((x − x₀)/(b h)) + y₀`, where `b` solves `1/√(2 b sinh(1/(2b)) − 1) = 1/√(√(l² −
//! v²)/h − 1)`. In this form the left side is nearly linear in `b`, and Newton's method converges in a few
//! steps.

use kinetree_math::{MINVAL, Vec3};

/// Largest number of points of a catenary.
pub(super) const MAX_POINTS: usize = 100;
/// At which residual the search for the flatness stops.
const TOLERANCE: f64 = 1e-9;
/// A chain this much longer than its horizontal distance is drawn as a bead on a string.
const STEEP: f64 = 100.0;

/// Points along the catenary from `x0` to `x1` under `gravity`; returns how many there are, at most `count`.
///
/// A chain that is too short is a straight line, and a nearly vertical one has one point at its lowest
/// position.
pub(super) fn catenary(
    [x0, x1]: [&Vec3; 2],
    gravity: &Vec3,
    length: f64,
    points: &mut [Vec3; MAX_POINTS],
    count: usize,
) -> usize {
    let span = x1 - x0;
    points[0] = *x0;
    if span.norm() > length {
        points[1] = *x1;
        return 2;
    }
    let mut up = -gravity;
    kinetree_math::rot::normalize3(&mut up);
    let mut across = span - up * up.dot(&span);
    if kinetree_math::rot::normalize3(&mut across) < MINVAL {
        across = Vec3::zeros();
    }
    let (h, v) = (span.dot(&across), span.dot(&up));
    if length > STEEP * h {
        let down = -0.5 * ((length * length - h * h).sqrt() - v);
        points[1] = x0 + up * down + across * (h * down / (2.0 * down - v));
        points[2] = *x1;
        return 3;
    }
    let bh = flatness(v, h, length) * h;
    let lowest = -0.5 * (libm::log((length + v) / (length - v)) * bh - h);
    let level = -libm::cosh(lowest / bh) * bh;
    for (i, point) in points.iter_mut().enumerate().take(count - 1).skip(1) {
        let x = i as f64 * h / count as f64;
        let y = bh * libm::cosh((x - lowest) / bh) + level;
        *point = x0 + across * x + up * y;
    }
    points[count - 1] = *x1;
    count
}

/// The flatness `b`, by Newton's method with halved steps where the residual would grow.
fn flatness(v: f64, h: f64, length: f64) -> f64 {
    let target = 1.0 / ((length * length - v * v).sqrt() / h - 1.0).sqrt();
    let excess = |b: f64| 2.0 * b * libm::sinh(0.5 / b) - 1.0;
    let residual = |b: f64| 1.0 / excess(b).sqrt() - target;
    let mut b = target / 24.0_f64.sqrt();
    for _ in 0..50 {
        let now = residual(b);
        if now.abs() < TOLERANCE {
            break;
        }
        let a = 0.5 / b;
        let derivative = (a * libm::cosh(a) - libm::sinh(a)) * libm::pow(excess(b), -1.5);
        let mut step = -now / derivative;
        for _ in 0..10 {
            if residual(b + step).abs() < now.abs() {
                break;
            }
            step *= 0.5;
        }
        b += step;
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The polygon through many points is as long as the chain.
    #[test]
    fn a_catenary_has_the_length_it_should() {
        let mut points = [Vec3::zeros(); MAX_POINTS];
        let (x0, x1) = (Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.7, 0.3, 1.4));
        let count = catenary([&x0, &x1], &Vec3::new(0.0, 0.0, -9.81), 1.3, &mut points, MAX_POINTS);
        assert_eq!(count, MAX_POINTS);
        let length: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        assert!((length - 1.3).abs() < 0.03, "{length}");
        assert_eq!(points[count - 1], x1);
    }

    #[test]
    fn a_short_chain_is_straight_and_a_steep_one_has_a_bead() {
        let mut points = [Vec3::zeros(); MAX_POINTS];
        let (x0, x1) = (Vec3::zeros(), Vec3::new(0.0, 0.0, 1.0));
        let gravity = Vec3::new(0.0, 0.0, -1.0);
        assert_eq!(catenary([&x0, &x1], &gravity, 0.5, &mut points, 10), 2);
        assert_eq!(catenary([&x0, &x1], &gravity, 2.0, &mut points, 10), 3);
        assert!((points[1] - Vec3::new(0.0, 0.0, -0.5)).norm() < 1e-12);
    }
}
