//! Regulators against the Riccati recursion, the algebraic equation and simulated costs.

use kinetree_batch::Random;
use kinetree_control::{ControlError, lqr, tvlqr};

/// `x' = A x + B u` of a mass that is pushed, with steps of a tenth.
const A: [f64; 4] = [1.0, 0.1, 0.0, 1.0];
const B: [f64; 2] = [0.005, 0.1];
const Q: [f64; 4] = [2.0, 0.0, 0.0, 0.5];
const R: [f64; 1] = [0.1];

fn product(a: &[f64], x: &[f64]) -> Vec<f64> {
    a.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

#[test]
fn the_regulator_is_the_limit_of_the_riccati_recursion() {
    let regulator = lqr(&A, &B, &Q, &R, 2, 1).unwrap();
    let (a, b) = (A.repeat(400), B.repeat(400));
    let horizon = tvlqr(&a, &b, &Q, &R, &[0.0; 4], 2, 1).unwrap();
    for (long, short) in horizon.cost[..4].iter().zip(&regulator.cost) {
        assert!((long - short).abs() < 1e-9 * short.abs().max(1.0));
    }
    for (long, short) in horizon.gain[..2].iter().zip(&regulator.gain) {
        assert!((long - short).abs() < 1e-9);
    }
}

#[test]
fn random_systems_satisfy_the_algebraic_equation() {
    let mut random = Random::of_world(3, 0);
    for case in 0..20 {
        let (nx, nu) = (2 + case % 4, 1 + case % 2);
        let mut draw =
            |n: usize, scale: f64| (0..n).map(|_| random.uniform(-scale, scale)).collect::<Vec<_>>();
        let (a, b) = (draw(nx * nx, 1.2), draw(nx * nu, 1.0));
        let diagonal =
            |n: usize| (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect::<Vec<_>>();
        let found = lqr(&a, &b, &diagonal(nx), &diagonal(nu), nx, nu).unwrap();
        // one step more of the recursion changes nothing
        let next = tvlqr(&a, &b, &diagonal(nx), &diagonal(nu), &found.cost, nx, nu).unwrap();
        let size = found.cost.iter().fold(1.0, |size: f64, p| size.max(p.abs()));
        for (p, again) in found.cost.iter().zip(&next.cost) {
            assert!((p - again).abs() < 1e-9 * size, "case {case}");
        }
        // and the closed loop comes to rest
        let mut x = vec![1.0; nx];
        for _ in 0..3000 {
            let u = product(&found.gain, &x);
            let (free, pushed) = (product(&a, &x), product(&b, &u));
            x = free.iter().zip(&pushed).map(|(x, push)| x - push).collect();
        }
        assert!(x.iter().all(|x| x.abs() < 1e-6), "case {case}: {x:?}");
    }
}

#[test]
fn the_cost_that_remains_is_the_one_simulated() {
    let (steps, end) = (7, [3.0, 0.5, 0.5, 1.0]);
    let regulator = tvlqr(&A.repeat(steps), &B.repeat(steps), &Q, &R, &end, 2, 1).unwrap();
    let value = |p: &[f64], x: &[f64]| 0.5 * product(p, x).iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
    let simulate = |changed: f64| {
        let (mut x, mut cost) = (vec![0.7, -0.4], 0.0);
        for step in 0..steps {
            let u = changed - product(&regulator.gain[step * 2..][..2], &x)[0];
            cost += value(&Q, &x) + 0.5 * R[0] * u * u;
            x = product(&A, &x).iter().zip(&B).map(|(x, b)| x + b * u).collect();
        }
        cost + value(&end, &x)
    };
    let expected = value(&regulator.cost[..4], &[0.7, -0.4]);
    assert!((simulate(0.0) - expected).abs() < 1e-12 * expected);
    assert!(simulate(0.01) > expected && simulate(-0.01) > expected);
}

#[test]
fn states_that_take_turns_are_regulated() {
    for n in 2..9 {
        let identity: Vec<f64> = (0..n * n).map(|i| f64::from(u8::from(i % (n + 1) == 0))).collect();
        for size in [0.9, 1.0, 1.3] {
            let a: Vec<f64> = (0..n * n).map(|i| if i % n == (i / n + 1) % n { size } else { 0.0 }).collect();
            let found = lqr(&a, &identity, &identity, &identity, n, n).unwrap();
            // by symmetry P = p I, with p = 1 + size² p/(1 + p)
            let half = 0.5 * size * size;
            let p = half + (half * half + 1.0_f64).sqrt();
            for (i, (k, cost)) in found.gain.iter().zip(&found.cost).enumerate() {
                assert!((cost - p * identity[i]).abs() < 1e-12, "{n} {size}");
                assert!((k - p / (1.0 + p) * a[i]).abs() < 1e-12, "{n} {size}");
            }
        }
    }
    // nothing reaches the states, which neither rest nor explode
    let turn = lqr(&[0.0, 1.0, -1.0, 0.0], &[0.0, 0.0], &[0.0; 4], &R, 2, 1);
    assert!(matches!(turn, Err(ControlError::NoRegulator(_))), "{turn:?}");
}

#[test]
fn what_cannot_be_regulated_is_an_error() {
    // an unstable state that no control reaches
    let unreachable = lqr(&[2.0, 0.0, 0.0, 0.5], &[0.0, 1.0], &Q, &R, 2, 1);
    assert!(matches!(unreachable, Err(ControlError::NoRegulator(_))), "{unreachable:?}");
    // an unstable state that the cost does not see
    let unseen = lqr(&[2.0, 0.0, 0.0, 0.5], &[1.0, 1.0], &[0.0, 0.0, 0.0, 1.0], &R, 2, 1);
    assert!(unseen.is_err() || unseen.is_ok_and(|found| found.gain[0] > 1.0));
    let weights = lqr(&A, &B, &Q, &[-1.0], 2, 1);
    assert_eq!(weights, Err(ControlError::ControlWeights { step: 0 }));
    assert_eq!(
        lqr(&A, &B, &Q, &[1.0, 2.0], 2, 1).unwrap_err().to_string(),
        "R should have 1 values, but has 2"
    );
    assert_eq!(
        lqr(&A, &[f64::NAN, 1.0], &Q, &R, 2, 1).unwrap_err().to_string(),
        "B should be finite, but value 0 is not"
    );
    assert!(lqr(&[], &[], &[], &[], 0, 0).is_err() && tvlqr(&A, &B, &Q, &R, &Q, 2, 0).is_err());
}
