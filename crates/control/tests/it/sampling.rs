//! Splines, and searches by samples.

use crate::support::cart_pole;
use kinetree_control::{Interpolation, Method, QuadraticCost, Sampler, SamplerSettings, Spline};
use kinetree_model::{Data, Model};

#[test]
fn splines_go_through_their_knots() {
    let knots = [0.0, 1.0, 2.0, -1.0, 1.0, 0.5];
    for interpolation in [Interpolation::Zero, Interpolation::Linear, Interpolation::Cubic] {
        let mut spline = Spline::new(2, 11, interpolation, &knots).unwrap();
        let at = |spline: &Spline, step: f64| {
            let mut out = [0.0; 2];
            spline.controls(step, &mut out);
            out
        };
        for knot in 0..3 {
            assert_eq!(at(&spline, 5.0 * knot as f64), [knots[2 * knot], knots[2 * knot + 1]]);
        }
        assert_eq!(at(&spline, 1e9), [1.0, 0.5]);
        let middle = match interpolation {
            Interpolation::Zero => 0.0,
            Interpolation::Linear => 1.0,
            // tangents of 2 and (1 − 0)/2
            Interpolation::Cubic => 1.0 + (2.0 - 0.5) / 8.0,
        };
        assert!((at(&spline, 2.5)[0] - middle).abs() < 1e-15);
        spline.shift(5.0);
        assert_eq!(spline.knots(), [2.0, -1.0, 1.0, 0.5, 1.0, 0.5]);
    }
    // a cubic through knots on a line is that line
    let line = Spline::new(1, 7, Interpolation::Cubic, &[0.0, 1.0, 2.0, 3.0]).unwrap();
    let mut out = [0.0];
    line.controls(4.6, &mut out);
    assert!((out[0] - 2.3).abs() < 1e-14);
    assert!(Spline::new(1, 5, Interpolation::Zero, &[]).is_err());
    assert!(Spline::new(2, 5, Interpolation::Zero, &[0.0; 3]).is_err());
}

/// A cost of the cart's distance from half a metre to the right, with the pole at rest.
fn cost(model: &Model) -> QuadraticCost {
    QuadraticCost::new(model)
        .target(&[0.5, 0.0], &[0.0, 0.0])
        .and_then(|cost| {
            cost.running_weights(&[1.0, 0.1, 0.01, 0.01])?.terminal_weights(&[50.0, 5.0, 5.0, 1.0])
        })
        .unwrap()
}

#[test]
fn every_method_lowers_the_cost_and_repeats_it() {
    let (model, steps) = (cart_pole(), 80);
    let (cost, start) = (cost(&model), Data::new(&model));
    let methods = [
        Method::Predictive,
        Method::CrossEntropy { elites: 6, least_spread: 0.05 },
        Method::PathIntegral { temperature: 5.0 },
    ];
    for method in methods {
        let run = || {
            let settings = SamplerSettings { method, samples: 24, noise: 0.5, ..SamplerSettings::default() };
            let mut sampler = Sampler::new(&model, steps, settings).unwrap();
            let costs: Vec<f64> = (0..40).map(|_| sampler.improve(&cost, &start).unwrap().cost).collect();
            let inside = sampler.plan().knots().iter().all(|knot| knot.abs() <= 1.0);
            (costs, inside)
        };
        let (costs, inside) = run();
        assert!(inside);
        let (first, least) = (costs[0], costs.iter().copied().fold(f64::INFINITY, f64::min));
        assert!(least < 0.5 * first, "{method:?}: {first} {least}");
        if method == Method::Predictive {
            assert!(costs.windows(2).all(|pair| pair[1] <= pair[0]));
        }
        assert_eq!(run().0, costs, "the same seed gives the same bits");
    }
}

#[test]
fn settings_that_make_no_sense_are_errors() {
    let model = cart_pole();
    let message = |settings| Sampler::new(&model, 10, settings).map(|_| ()).unwrap_err().to_string();
    let with = SamplerSettings::default;
    assert_eq!(message(SamplerSettings { samples: 1, ..with() }), "samples should be at least 2, but is 1");
    assert_eq!(message(SamplerSettings { knots: 0, ..with() }), "knots should be at least 1, but is 0");
    assert!(message(SamplerSettings { noise: f64::NAN, ..with() }).starts_with("noise should be positive"));
    let elites = Method::CrossEntropy { elites: 99, least_spread: 0.1 };
    assert!(message(SamplerSettings { method: elites, ..with() }).starts_with("elites should be from 1"));
    let cold = Method::PathIntegral { temperature: 0.0 };
    assert!(
        message(SamplerSettings { method: cold, ..with() }).starts_with("temperature should be positive")
    );
    let mut sampler = Sampler::new(&model, 10, with()).unwrap();
    assert!(sampler.set_knots(&[0.0; 3]).is_err() && sampler.set_knots(&[f64::NAN; 8]).is_err());
    assert!(Sampler::new(&model, 0, with()).is_err());
}
