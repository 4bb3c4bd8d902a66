//! Scalar functions against definitions, finite differences and values from the reference.

use crate::common::{self, *};
use kinetree_math::misc::*;
use proptest::prelude::*;

const PRM: [f64; 9] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
const RANGE: [f64; 2] = [0.2, 0.5];

proptest! {
    #![proptest_config(common::cases(200))]

    #[test]
    fn pyramids_decode_what_they_encode(seed: u64, dim in 3usize..=6) {
        let mut rng = TestRng(seed);
        let mu: Vec<f64> = (1..dim).map(|_| rng.unit().abs() + 0.1).collect();
        // tangential forces inside the pyramid
        let normal = rng.unit().abs() + 0.1;
        let share = normal / (dim - 1) as f64;
        let mut force = vec![normal];
        force.extend(mu.iter().map(|m| m * share * 0.9 * rng.unit()));
        let mut pyramid = vec![0.0; 2 * (dim - 1)];
        encode_pyramid(&mut pyramid, &force, &mu);
        prop_assert!(pyramid.iter().all(|&p| p >= 0.0));
        let mut back = vec![0.0; dim];
        decode_pyramid(&mut back, &pyramid, &mu);
        prop_assert!(max_diff(&back, &force) < 1e-14);
    }

    #[test]
    fn spring_damper_obeys_its_equation(seed: u64, k in 0.1f64..30.0, b in 0.0f64..10.0, t in 0.1f64..1.0) {
        let mut rng = TestRng(seed);
        let (x0, v0, h) = (rng.unit(), rng.unit(), 1e-3);
        let x = |t: f64| spring_damper(x0, v0, k, b, t);
        prop_assert!((x(0.0) - x0).abs() < 1e-12);
        prop_assert!(((x(h) - x(-h)) / (2.0 * h) - v0).abs() < 1e-3);
        let (vel, acc) = ((x(t + h) - x(t - h)) / (2.0 * h), (x(t + h) - 2.0 * x(t) + x(t - h)) / (h * h));
        prop_assert!((acc + b * vel + k * x(t)).abs() < 1e-2);
    }

    #[test]
    fn polynomial_force_is_the_derivative_of_its_potential(seed: u64, x in -1.0f64..1.0) {
        let mut rng = TestRng(seed);
        let (linear, poly): (f64, [f64; 3]) = (rng.unit(), rng.array());
        prop_assume!(x.abs() > 1e-3);
        let h = 1e-6;
        for kind in [PolyKind::Signed, PolyKind::Odd] {
            let derivative = |f: &dyn Fn(f64) -> f64| (f(x + h) - f(x - h)) / (2.0 * h);
            let force = |x: f64| x * poly_force(linear, &poly, x, kind);
            prop_assert!((derivative(&force) - poly_force_deriv(linear, &poly, x, kind)).abs() < 1e-8);
            let potential = |x: f64| poly_potential(linear, &poly, x, kind);
            prop_assert!((derivative(&potential) - force(x)).abs() < 1e-8);
        }
        prop_assert_eq!(poly_force(linear, &poly, x, PolyKind::Odd), poly_force(linear, &poly, -x, PolyKind::Odd));
    }

    #[test]
    fn sigmoid_is_symmetric_and_monotone(x in 0.0f64..1.0, y in 0.0f64..1.0) {
        prop_assert!((sigmoid(x) + sigmoid(1.0 - x) - 1.0).abs() < 1e-14);
        prop_assert!(x > y || sigmoid(x) <= sigmoid(y) + 1e-15);
        let derivative = (sigmoid(x + 1e-6) - sigmoid(x - 1e-6)) / 2e-6;
        prop_assert!((derivative - 30.0 * x * x * (1.0 - x) * (1.0 - x)).abs() < 1e-8);
    }

    #[test]
    fn halton_mirrors_digits(index in 1i32..100_000, base in 2i32..20) {
        let (mut digits, mut n) = (vec![], index);
        while n > 0 {
            digits.push(n % base);
            n /= base;
        }
        let mut expected = 0.0;
        for &d in digits.iter().rev() {
            expected = (expected + f64::from(d)) / f64::from(base);
        }
        prop_assert!((halton(index, base) - expected).abs() < 1e-14);
    }

    #[test]
    fn muscle_curves_are_continuous_and_bounded(length in 0.0f64..2.0, vel in -1.0f64..1.0) {
        let h = 1e-7;
        prop_assert!((muscle_gain_length(length + h, 0.5, 1.6) - muscle_gain_length(length, 0.5, 1.6)).abs() < 1e-5);
        let (len, peak) = (0.2 + length * 0.3, 200.0 / 0.7);
        let gain = muscle_gain(len, vel, &RANGE, 0.7, &PRM);
        prop_assert!(gain <= 0.0 && gain >= -peak * 1.2 * (1.0 + 1e-12));
        prop_assert!((muscle_gain(len + h, vel, &RANGE, 0.7, &PRM) - gain).abs() < 1e-2);
        prop_assert!((muscle_gain(len, vel + h, &RANGE, 0.7, &PRM) - gain).abs() < 1e-2);
        let bias = muscle_bias(len, &RANGE, 0.7, &PRM);
        prop_assert!(bias <= 0.0 && (muscle_bias(len + h, &RANGE, 0.7, &PRM) - bias).abs() < 1e-2);
    }

    #[test]
    fn activation_moves_towards_control(ctrl in 0.0f64..1.0, act in 0.0f64..1.0, width in 0.0f64..1.0) {
        let rate = muscle_dynamics(ctrl, act, &[0.01, 0.04, width]);
        prop_assert!(rate * (ctrl - act) >= 0.0);
        // between the rates of activation and deactivation
        let slow = 0.5 + 1.5 * act;
        let tau = (ctrl - act) / rate;
        let (lo, hi) = ((0.01 * slow).min(0.04 / slow), (0.01 * slow).max(0.04 / slow));
        prop_assert!(rate == 0.0 || (tau >= lo * 0.999 && tau <= hi * 1.001));
    }
}

#[test]
fn simple_scalars() {
    assert_eq!([2.5, -2.5, 1.49, -0.51].map(round), [3, -2, 1, -1]);
    assert_eq!([-2.0, 0.0, 3.0].map(sign), [-1.0, 0.0, 1.0]);
    assert_eq!((clip(-2.0, -1.0, 1.0), clip(0.5, -1.0, 1.0), clip(2.0, -1.0, 1.0)), (-1.0, 0.5, 1.0));
    assert!(clip(f64::NAN, 0.0, 1.0).is_nan());
    assert!(is_bad(f64::NAN) && is_bad(f64::INFINITY) && is_bad(-1.1e10) && !is_bad(1e10));
    assert!(is_zero(&[0.0, -0.0]) && !is_zero(&[0.0, 1e-300]) && is_zero(&[]));
    assert_eq!((halton(5, 1), halton(-3, 2)), (0.0, 0.0));
    assert_eq!(stribeck(0.0, 1.0, 3.0, 0.1), 3.0);
    assert!((stribeck(0.1, 1.0, 3.0, 0.1) - (1.0 + 2.0 / std::f64::consts::E)).abs() < 1e-15);
    assert_eq!(muscle_gain_length(f64::NAN, 0.5, 1.6), 0.0);
    let mut frictionless = [0.0];
    decode_pyramid(&mut frictionless, &[2.0], &[]);
    assert_eq!(frictionless, [2.0]);
    // tangential force beyond the share of the normal force is cut off on the positive side
    let mut pyramid = [0.0; 4];
    encode_pyramid(&mut pyramid, &[3.0, 4.0, 0.25], &[1.0, 0.5]);
    assert_eq!(pyramid, [1.5, 0.0, 1.0, 0.5]);
}

/// Values computed by MuJoCo 3.8.0.
#[test]
fn agrees_with_the_reference() {
    let close = |x: f64, y: f64| assert!((x - y).abs() <= 1e-14 * y.abs().max(1.0), "{x} {y}");
    for (len, vel, gain) in [
        (0.1, 0.0, -51.428571428571374),
        (0.25, -0.2, -145.93015873015872),
        (0.4, 0.05, -297.1111111111112),
        (0.5, 0.4, -338.0952380952381),
        (0.8, -0.1, -86.41975308641975),
    ] {
        close(muscle_gain(len, vel, &RANGE, 0.7, &PRM), gain);
    }
    for (len, bias) in [(0.3, 0.0), (0.5, -5.158730158730167), (0.9, -371.4285714285716)] {
        close(muscle_bias(len, &RANGE, 0.7, &PRM), bias);
    }
    for (ctrl, act, width, rate) in [
        (0.8, 0.2, 0.0, 75.00000000000001),
        (0.1, 0.6, 0.0, -17.5),
        (0.5, 0.45, 0.3, 3.043457405986184),
        (2.0, -0.5, 0.1, 299.9999999999997),
    ] {
        close(muscle_dynamics(ctrl, act, &[0.01, 0.04, width]), rate);
    }
    for (k, b, x) in
        [(1.0, 5.0, 0.11789461916233128), (4.0, 4.0, 0.062906054976411), (30.0, 1.0, -0.24540733760141034)]
    {
        close(spring_damper(0.3, -1.0, k, b, 0.4), x);
    }
    close(halton(11, 3), 0.7037037037037037);
    close(halton(1234, 7), 0.31903373594335693);
    close(sigmoid(0.25), 0.103515625);
    close(sigmoid(0.7), 0.8369200000000002);
}

/// Far from zero each time constant applies alone, between them the change is monotonic, and halfway both
/// weigh the same.
#[test]
fn muscle_time_constants_blend() {
    let (act, deact, width) = (0.01, 0.04, 0.2);
    assert_eq!(muscle_dynamics_timescale(1e-9, act, deact, 0.0), act);
    assert_eq!(muscle_dynamics_timescale(-1e-9, act, deact, 0.0), deact);
    for (dctrl, expected) in [(0.5 * width, act), (-0.5 * width, deact), (0.0, 0.5 * (act + deact))] {
        assert!((muscle_dynamics_timescale(dctrl, act, deact, width) - expected).abs() < 1e-15);
    }
    let curve: Vec<f64> =
        (-20..=20).map(|i| muscle_dynamics_timescale(f64::from(i) * 0.01, act, deact, width)).collect();
    assert!(curve.windows(2).all(|w| w[1] <= w[0]));
}
