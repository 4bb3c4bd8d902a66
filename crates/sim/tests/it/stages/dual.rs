//! Dual solvers and noslip: the state of each row is what its force says, and the forces are those of the
//! primal solution.

use super::{all_close, forward, load, steps};
use kinetree_model::enums::{Cone, ConstraintState, ConstraintType, Solver};
use kinetree_model::{Data, Model};

/// A body on the ground, a limit that is reached, a joint with dry friction that slips and one that sticks,
/// and an equality.
const SCENE: &str = r#"<mujoco><worldbody><geom type="plane" size="3 3 1"/>
    <body pos="0 0 0.099"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="1 0 1"><joint axis="0 1 0" frictionloss="0.05"/><geom size="0.05" pos="0.3 0 0"/></body>
    <body pos="2 0 1"><joint axis="0 1 0" frictionloss="50"/><geom size="0.05" pos="0.3 0 0"/></body>
    <body pos="3 0 1"><joint axis="0 1 0" limited="true" range="-5 5"/><geom size="0.05" pos="0.3 0 0"/></body>
    <body name="w" pos="4 0 1"><joint axis="0 1 0"/><geom size="0.05" pos="0.3 0 0"/></body></worldbody>
    <equality><connect body1="w" anchor="0.3 0 0"/></equality></mujoco>"#;

fn solved(solver: Solver, cone: Cone, noslip: i32) -> (Model, Data) {
    let mut model = load(SCENE);
    model.opt.solver = solver as i32;
    model.opt.cone = cone as i32;
    model.opt.iterations = 5000;
    model.opt.tolerance = 1e-14;
    model.opt.noslip_iterations = noslip;
    let mut data = Data::new(&model);
    steps(&model, &mut data, 60);
    forward(&model, &mut data);
    (model, data)
}

fn check_states(data: &Data) -> usize {
    let mut seen = [false; 5];
    for row in 0..data.nefc {
        let (state, force) = (data.efc_state[row], data.efc_force[row]);
        seen[state as usize] = true;
        let friction = data.efc_frictionloss[row];
        let kind = data.efc_type[row];
        if kind == ConstraintType::Equality {
            assert_eq!(state, ConstraintState::Quadratic as i32);
        } else if kind == ConstraintType::FrictionDof {
            let expected = if force <= -friction {
                ConstraintState::Linearpos
            } else if force >= friction {
                ConstraintState::Linearneg
            } else {
                ConstraintState::Quadratic
            };
            assert_eq!(state, expected as i32, "row {row}: force {force} of {friction}");
        } else if kind != ConstraintType::ContactElliptic {
            let expected = if force > 0.0 { ConstraintState::Quadratic } else { ConstraintState::Satisfied };
            assert_eq!(state, expected as i32, "row {row}: force {force}");
        }
    }
    seen.into_iter().filter(|&seen| seen).count()
}

#[test]
fn states_follow_from_forces() {
    for (solver, noslip) in [(Solver::Newton, 0), (Solver::Pgs, 0), (Solver::Pgs, 5), (Solver::Newton, 5)] {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            let (_, data) = solved(solver, cone, noslip);
            assert!(check_states(&data) >= 2, "{solver:?} {cone:?}");
        }
    }
}

#[test]
fn dual_and_primal_solvers_agree() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let (_, newton) = solved(Solver::Newton, cone, 0);
        let (model, _) = solved(Solver::Pgs, cone, 0);
        let mut pgs = newton.clone();
        forward(&model, &mut pgs);
        all_close(&pgs.qacc, &newton.qacc, 1e-4);
        all_close(&pgs.qfrc_constraint, &newton.qfrc_constraint, 1e-4);
    }
}
