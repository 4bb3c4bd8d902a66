//! The noslip pass: a box on a slope creeps without it, and stays with it.

use super::{forward, load, steps};
use kinetree_model::Data;
use kinetree_model::enums::Cone;

/// Distance that a box has moved along the slope within a second, after it has come to rest.
fn slip(iterations: i32, cone: Cone, friction: f64) -> f64 {
    // a slope of 20°: friction holds the box when it is above tan 20° = 0.364
    let mut model = load(&format!(
        r#"<mujoco><option gravity="3.355 0 -9.218"/><worldbody><geom type="plane" size="9 9 1" friction="{friction}"/>
           <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" friction="{friction}"/></body></worldbody></mujoco>"#
    ));
    model.opt.noslip_iterations = iterations;
    model.opt.cone = cone as i32;
    let mut data = Data::new(&model);
    steps(&model, &mut data, 500);
    let from = data.qpos[0];
    steps(&model, &mut data, 500);
    data.qpos[0] - from
}

#[test]
fn friction_holds_without_creep() {
    let (without, with) = (slip(0, Cone::Elliptic, 0.6), slip(50, Cone::Elliptic, 0.6));
    assert!(without > 1e-4, "soft constraints creep: {without}");
    assert!(with.abs() < 1e-4 * without, "slips by {with} of {without}");
}

#[test]
fn a_steep_slope_is_no_slip_either() {
    // below the angle of friction, a = g (sin − µ cos): the pass must not hold what slides
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let moved = slip(50, cone, 0.2);
        let acceleration = 3.355 - 0.2 * 9.218;
        let expected = acceleration * (0.5 * 4.0 - 0.5);
        assert!((moved / expected - 1.0).abs() < 0.05, "{cone:?}: {moved} is not {expected}");
    }
}

/// Sweeps are counted with the iterations of the main solver, in the first island's count as the reference
/// has it: without a tolerance every sweep that is allowed is made.
#[test]
fn sweeps_are_counted() {
    let iterations = |sweeps: i32| {
        let mut model = load(
            r#"<mujoco><option gravity="3 0 -9" noslip_tolerance="0"/><worldbody><geom type="plane" size="9 9 1"/>
               <body pos="0 0 0.099"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
               <body pos="2 0 0.099"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>"#,
        );
        model.opt.noslip_iterations = sweeps;
        let mut data = Data::new(&model);
        forward(&model, &mut data);
        data.solver_niter[..2].to_vec()
    };
    let (without, with) = (iterations(0), iterations(7));
    assert_eq!((without, with), (vec![1, 1], vec![1 + 7, 0]));
}
