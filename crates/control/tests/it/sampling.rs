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
        spline.shift(5.0).unwrap();
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

#[test]
fn many_small_shifts_are_a_large_one() {
    let (steps, knots) = (11, [0.3, -1.0, 2.0, 0.7, 1.5]);
    let at = |spline: &Spline, step: f64| {
        let mut out = [0.0];
        spline.controls(step, &mut out);
        out[0]
    };
    for interpolation in [Interpolation::Zero, Interpolation::Linear, Interpolation::Cubic] {
        for count in 1..=knots.len() {
            let first = Spline::new(1, steps, interpolation, &knots[..count]).unwrap();
            let spacing = 10.0 / (count.max(2) - 1) as f64;
            // where a curve goes into the last knot it changes when that is held
            let end = if interpolation == Interpolation::Cubic { 10.0 - spacing } else { 1e9 };
            for amount in [1.0, 0.25, 3.0] {
                let mut spline = first.clone();
                for shift in 1..60 {
                    spline.shift(amount).unwrap();
                    assert!((0.0..spacing).contains(&spline.phase()));
                    let moved = amount * f64::from(shift);
                    for step in (0..steps).map(|step| step as f64).filter(|step| step + moved <= end) {
                        let (found, expected) = (at(&spline, step), at(&first, step + moved));
                        assert!((found - expected).abs() < 1e-12, "{interpolation:?} {count} {moved} {step}");
                    }
                }
                if interpolation != Interpolation::Cubic {
                    assert_eq!(at(&spline, 0.0), knots[count - 1]);
                }
                let mut once = first.clone();
                once.shift(amount * 59.0).unwrap();
                assert_eq!(once.knots(), spline.knots());
            }
            let mut spline = first.clone();
            for steps in [f64::NAN, f64::INFINITY, -1.0] {
                assert!(spline.shift(steps).is_err() && spline == first);
            }
            spline.shift(f64::MAX).unwrap();
            assert_eq!((at(&spline, 0.0), at(&spline, 4.5)), (knots[count - 1], knots[count - 1]));
        }
    }
}

#[test]
fn a_plan_that_is_shifted_often_remains_itself() {
    let model = cart_pole();
    let (cost, start) = (cost(&model), Data::new(&model));
    let (interpolation, noise) = (Interpolation::Zero, 1e-300);
    let settings = SamplerSettings { interpolation, knots: 3, noise, ..SamplerSettings::default() };
    let mut sampler = Sampler::new(&model, 21, settings).unwrap();
    sampler.set_knots(&[0.1, 0.2, 0.3]).unwrap();
    (0..10).for_each(|_| sampler.shift(1.0).unwrap());
    assert_eq!(sampler.plan().knots(), [0.2, 0.3, 0.3]);
    (0..5).for_each(|_| sampler.shift(1.0).unwrap());
    assert!(sampler.shift(f64::NAN).is_err());
    assert_eq!((sampler.plan().knots(), sampler.plan().phase()), (&[0.2, 0.3, 0.3][..], 5.0));
    // samples without noise are the plan from where it is now
    let controls = sampler.improve(&cost, &start).unwrap().controls.clone();
    let expected: Vec<f64> = (0..21).map(|step| if step < 5 { 0.2 } else { 0.3 }).collect();
    assert_eq!(controls, expected);
    sampler.set_knots(&[0.1, 0.2, 0.3]).unwrap();
    assert_eq!(sampler.plan().phase(), 0.0);
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
fn a_search_keeps_the_best_of_all_samples() {
    let (mut model, steps) = (cart_pole(), 60);
    let (cost, start) = (cost(&model), Data::new(&model));
    let method = Method::CrossEntropy { elites: 6, least_spread: 0.05 };
    let settings = SamplerSettings { method, noise: 0.5, ..SamplerSettings::default() };
    let mut sampler = Sampler::new(&model, steps, settings.clone()).unwrap();
    let found = sampler.solve(&cost, &start, 20).unwrap();
    assert!(found.costs.len() == 20 && found.costs.windows(2).all(|pair| pair[1] <= pair[0]));
    assert!(found.trajectory.cost == found.costs[19] && !found.is_interrupted);
    assert_eq!(found.knots, sampler.plan().knots());
    let mut again = Sampler::new(&model, steps, settings.clone()).unwrap();
    let costs: Vec<f64> = (0..20).map(|_| again.improve(&cost, &start).unwrap().cost).collect();
    assert_eq!(found.costs[19], costs.into_iter().fold(f64::INFINITY, f64::min));
    assert!(again.solve(&cost, &start, 0).is_err());
    // a cost that is not a number, and a range without room
    let far = QuadraticCost::new(&model).target(&[1e200, 0.0], &[0.0; 2]).unwrap();
    let far = far.running_weights(&[1e308, 0.0, 0.0, 0.0]).unwrap();
    let message = again.solve(&far, &start, 1).unwrap_err().to_string();
    assert!(message.contains("no sample has a finite cost"), "{message}");
    model.actuator_ctrlrange[0] = [1.0, 1.0];
    let message = Sampler::new(&model, steps, settings).map(|_| ()).unwrap_err().to_string();
    assert!(message.starts_with("the control range of actuator 0 should be from low to high"), "{message}");
}

#[test]
fn settings_that_make_no_sense_are_errors() {
    let model = cart_pole();
    let message = |settings| Sampler::new(&model, 10, settings).map(|_| ()).unwrap_err().to_string();
    let with = SamplerSettings::default;
    assert_eq!(message(SamplerSettings { samples: 1, ..with() }), "samples should be at least 2, but is 1");
    assert_eq!(message(SamplerSettings { knots: 0, ..with() }), "knots should be at least 1, but is 0");
    // a product with a number of knots must not overflow, nor filling them take for ever
    let many = message(SamplerSettings { knots: 1 << 40, ..with() });
    assert!(many.starts_with("knots should be at most 1024, or the number of steps"), "{many}");
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
