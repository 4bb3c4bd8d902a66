//! Helpers that tests share.
#![allow(dead_code)] // each test uses some of them

use kinetree_soft::{DeformableBody, Substeps, Vec3, XpbdSettings, XpbdSolver};

/// Gravity of one metre per second squared, so that sags stay in the linear range.
pub(crate) const WEAK_GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -1.0);

/// Steps a body until drag has brought it to rest.
pub(crate) fn settle(body: &mut dyn DeformableBody, substeps: Substeps, gravity: Vec3, drag: f64, time: f64) {
    let mut solver = XpbdSolver::new(XpbdSettings { substeps, drag, ..XpbdSettings::default() });
    let dt = 0.01;
    for _ in 0..(time / dt).round() as usize {
        solver.step(body, gravity, dt).expect("the step succeeds");
    }
}

/// Pins all vertices whose position fulfils a condition.
pub(crate) fn pin_where(body: &mut dyn DeformableBody, pinned: impl Fn(&Vec3) -> bool) {
    for vertex in 0..body.particles().len() {
        if pinned(&body.particles().position[vertex]) {
            body.particles_mut().pin(vertex).expect("there is such a vertex");
        }
    }
}

/// Mean height of the vertices whose position fulfils a condition.
pub(crate) fn mean_height(body: &dyn DeformableBody, wanted: impl Fn(&Vec3) -> bool) -> f64 {
    let heights: Vec<f64> = body.particles().position.iter().filter(|x| wanted(x)).map(|x| x.z).collect();
    heights.iter().sum::<f64>() / heights.len() as f64
}

/// Gives every vertex a velocity of its own, the same in every run.
pub(crate) fn stir(body: &mut dyn DeformableBody, speed: f64) {
    for (k, v) in body.particles_mut().velocity.iter_mut().enumerate() {
        let phase = k as f64;
        *v = speed * Vec3::new((1.3 * phase).sin(), (2.7 * phase + 1.0).sin(), (4.1 * phase + 2.0).sin());
    }
}

/// `|value / expected − 1|`.
pub(crate) fn relative_error(value: f64, expected: f64) -> f64 {
    (value / expected - 1.0).abs()
}
