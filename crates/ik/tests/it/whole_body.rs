//! Whole-body inverse kinematics: Jacobians of tasks against differences, limits, priorities, distances,
//! closed loops.

use crate::support::load;
use kinetree_ik::whole_body::{
    CollisionAvoidanceLimit, ComTask, Configuration, ConfigurationLimit, DampingTask, EqualityConstraintTask,
    FrameTask, GlobalSettings, Limit, LookAtTask, PostureTask, Task, VelocityLimit, WholeBodySolver,
};
use kinetree_ik::{Frame, IkError, Pose};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_geom_distance;

const HUMANOID: &str = include_str!("../../../../models/showcase/humanoid.xml");

fn humanoid() -> Model {
    load(HUMANOID)
}

/// An arm of three hinges in a plane, with room for tasks that contradict each other.
fn planar() -> Model {
    load(
        r#"<mujoco><compiler angle="radian"/><worldbody>
             <body><joint name="a" axis="0 0 1" range="-1 1"/><geom name="one" type="capsule" fromto="0 0 0 1 0 0" size="0.02"/>
               <body pos="1 0 0"><joint name="b" axis="0 0 1" range="-2 2"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.02"/>
                 <body name="last" pos="1 0 0"><joint name="c" axis="0 0 1" range="-2 2"/>
                   <geom name="three" type="capsule" fromto="0 0 0 1 0 0" size="0.02"/><site name="tip" pos="1 0 0"/></body></body></body>
             <geom name="post" type="sphere" pos="1.5 1.2 0" size="0.2"/>
           </worldbody></mujoco>"#,
    )
}

fn solve(model: &Model, configuration: &mut Configuration, tasks: &[Task], limits: &[Limit]) -> Vec<f64> {
    let mut velocity = vec![0.0; model.nv];
    WholeBodySolver::new()
        .solve_ik(model, configuration, tasks, 1.0, 1e-10, limits, &[], &mut velocity)
        .unwrap();
    velocity
}

#[test]
fn steps_reduce_all_errors_of_a_humanoid() {
    let model = humanoid();
    let mut configuration = Configuration::new(&model).unwrap();
    let mut tasks: Vec<Task> = Vec::new();
    let goals = [("hand_right", [0.1, 0.02, 0.15]), ("hand_left", [0.08, -0.03, 0.1])];
    for (name, shift) in goals {
        let frame = Frame::find(&model, name).unwrap();
        let mut task = FrameTask::new(&model, frame, [1.0; 3], [0.0; 3]).unwrap();
        let mut goal = configuration.frame_pose(&model, frame).unwrap();
        goal.pos += nalgebra::Vector3::from(shift);
        task.set_target(&goal);
        tasks.push(task.into());
    }
    for name in ["foot_right", "foot_left"] {
        let mut task =
            FrameTask::new(&model, Frame::find(&model, name).unwrap(), [1.0; 3], [1.0; 3]).unwrap();
        task.set_target_from_configuration(&configuration);
        tasks.push(task.into());
    }
    let mut com = ComTask::new([1.0, 1.0, 0.0]).unwrap();
    com.set_target_from_configuration(&configuration);
    tasks.push(com.into());
    let mut posture = PostureTask::new(&model, &[1e-4]).unwrap();
    posture.set_target_from_configuration(&configuration);
    tasks.push(posture.into());
    let limits = [ConfigurationLimit::default().into()];
    let mut solver = WholeBodySolver::new();
    let settings = GlobalSettings { error_tolerance: 2e-4, ..GlobalSettings::default() };
    let end = solver.solve_global(&model, &mut configuration, &tasks, &limits, &[], &settings).unwrap();
    assert!(end.converged, "{end:?}");
    for joint in 0..model.njnt {
        let q = configuration.q()[model.jnt_qposadr[joint] as usize];
        let [low, high] = model.jnt_range[joint];
        assert!(model.jnt_limited[joint] == 0 || (low - 1e-9..=high + 1e-9).contains(&q));
    }
}

/// Error of a single task, as its weighted norm along a direction shows it.
fn error_along(model: &Model, task: &Task, q: &[f64], direction: &[f64], step: f64) -> f64 {
    let mut configuration = Configuration::new(model).unwrap();
    configuration.update(model, q).unwrap();
    configuration.integrate_inplace(model, direction, step).unwrap();
    let settings = GlobalSettings { max_iterations: 0, ..GlobalSettings::default() };
    let end = WholeBodySolver::new()
        .solve_global(model, &mut configuration, std::slice::from_ref(task), &[], &[], &settings)
        .unwrap();
    0.5 * end.error * end.error
}

/// The step of a single task with strong damping is along its negative gradient: `−Jᵀ W² e / μ`.
#[test]
fn gradients_are_those_of_differences() {
    let model = humanoid();
    let mut configuration = Configuration::new(&model).unwrap();
    let bend: Vec<f64> = (0..model.nv).map(|i| 0.2 * (i as f64).sin()).collect();
    configuration.integrate_inplace(&model, &bend, 1.0).unwrap();
    let hand = Frame::find(&model, "hand_right").unwrap();
    let head = Frame::find(&model, "head").unwrap();
    let foot = Frame::find(&model, "foot_left").unwrap();
    let goal = Pose::new(&[0.3, -0.2, 1.1], &[0.8, 0.6, 0.0, 0.0]);
    let mut frame = FrameTask::new(&model, hand, [1.0, 2.0, 0.5], [0.7; 3]).unwrap();
    frame.set_target(&goal);
    let mut relative = FrameTask::relative(&model, hand, foot, [1.0; 3], [0.3; 3]).unwrap();
    relative.set_target(&goal);
    let mut com = ComTask::new([1.0, 0.5, 2.0]).unwrap();
    com.set_target(&[0.1, 0.1, 0.8]).unwrap();
    let mut posture = PostureTask::new(&model, &[0.4]).unwrap();
    posture.set_target(&model, &model.qpos0).unwrap();
    let mut look = LookAtTask::new(&model, head, [1.0, 0.0, 0.0], 1.0).unwrap();
    look.set_target(&[2.0, 0.5, 1.0]).unwrap();
    let damping = 1e7;
    for task in [Task::from(frame), relative.into(), com.into(), posture.into(), look.into()] {
        let mut velocity = vec![0.0; model.nv];
        WholeBodySolver::new()
            .solve_ik(
                &model,
                &mut configuration,
                std::slice::from_ref(&task),
                1.0,
                damping,
                &[],
                &[],
                &mut velocity,
            )
            .unwrap();
        for dof in 0..model.nv {
            let mut direction = vec![0.0; model.nv];
            direction[dof] = 1.0;
            let step = 1e-5;
            let at = |step: f64| error_along(&model, &task, configuration.q(), &direction, step);
            let derivative = (at(step) - at(-step)) / (2.0 * step);
            let found = -damping * velocity[dof];
            assert!(
                (derivative - found).abs() < 1e-5 * (1.0 + derivative.abs()),
                "{task:?} dof {dof}: {derivative} {found}"
            );
        }
    }
}

#[test]
fn limits_are_kept_inside_the_step() {
    let model = planar();
    let mut configuration = Configuration::new(&model).unwrap();
    let tip = Frame::find(&model, "tip").unwrap();
    let mut task = FrameTask::new(&model, tip, [1.0; 3], [0.0; 3]).unwrap();
    task.set_target(&Pose::new(&[-1.0, 1.5, 0.0], &[1.0, 0.0, 0.0, 0.0]));
    let limits = [
        ConfigurationLimit { gain: 1.0, ..ConfigurationLimit::default() }.into(),
        VelocityLimit::by_joint(&model, &[("b", 0.3)]).unwrap().into(),
    ];
    let tasks = [task.into(), DampingTask::new(&model, &[0.05]).unwrap().into()];
    for _ in 0..60 {
        let velocity = solve(&model, &mut configuration, &tasks, &limits);
        assert!(velocity[1].abs() <= 0.3 + 1e-9);
        configuration.integrate_inplace(&model, &velocity, 1.0).unwrap();
        for joint in 0..3 {
            let [low, high] = model.jnt_range[joint];
            assert!((low - 1e-9..=high + 1e-9).contains(&configuration.q()[joint]));
        }
    }
}

#[test]
fn higher_priorities_are_not_disturbed() {
    let model = planar();
    let mut configuration = Configuration::new(&model).unwrap();
    configuration.update(&model, &[0.3, 0.5, 0.4]).unwrap();
    let tip = Frame::find(&model, "tip").unwrap();
    let goal = configuration.frame_pose(&model, tip).unwrap().pos + nalgebra::Vector3::new(0.02, 0.05, 0.0);
    let mut first = FrameTask::new(&model, tip, [1.0, 1.0, 0.0], [0.0; 3]).unwrap();
    first.set_target(&Pose { pos: goal, ..Pose::IDENTITY });
    let mut second = PostureTask::new(&model, &[100.0]).unwrap();
    second.set_target(&model, &[0.0, 1.0, 0.0]).unwrap();
    let alone = solve(&model, &mut configuration, &[first.clone().into()], &[]);
    second.options.priority = 1;
    let both = solve(&model, &mut configuration, &[first.clone().into(), second.clone().into()], &[]);
    let mut jacobian = vec![0.0; 18];
    configuration.frame_jacobian(&model, tip, &mut jacobian).unwrap();
    let moved = |v: &[f64], row: usize| (0..3).map(|i| jacobian[row * 3 + i] * v[i]).sum::<f64>();
    for row in 0..2 {
        assert!((moved(&alone, row) - moved(&both, row)).abs() < 1e-7);
    }
    // in what is left, the posture gets nearer
    let way =
        |v: &[f64]| (0..3).map(|i| (configuration.q()[i] + v[i] - [0.0, 1.0, 0.0][i]).powi(2)).sum::<f64>();
    assert!(way(&both) < way(&alone) - 1e-3);
    // with weights instead, the heavy posture wins
    second.options.priority = 0;
    let weighted = solve(&model, &mut configuration, &[first.into(), second.into()], &[]);
    assert!((moved(&alone, 1) - moved(&weighted, 1)).abs() > 0.01);
}

#[test]
fn distances_are_kept() {
    let model = planar();
    let geom = |name: &str| match Frame::find_kind(&model, name, "geom").unwrap() {
        Frame::Geom(id) => id,
        other => panic!("{other:?}"),
    };
    let mut collision =
        CollisionAvoidanceLimit::new(&model, &[(vec![geom("three")], vec![geom("post")])]).unwrap();
    collision.minimum_distance_from_collisions = 0.05;
    collision.collision_detection_distance = 0.3;
    let mut configuration = Configuration::new(&model).unwrap();
    configuration.update(&model, &[0.0, 0.3, 0.2]).unwrap();
    let tip = Frame::find(&model, "tip").unwrap();
    let mut task = FrameTask::new(&model, tip, [1.0; 3], [0.0; 3]).unwrap();
    task.options.gain = 0.2;
    // the straight way leads through the post
    task.set_target(&Pose::new(&[0.9, 1.7, 0.0], &[1.0, 0.0, 0.0, 0.0]));
    // a step is shorter than the distance from which on the post counts
    let slow = VelocityLimit::new(&model, &[0.04; 3]).unwrap();
    let limits = [ConfigurationLimit::default().into(), slow.into(), collision.into()];
    let tasks = [task.into(), DampingTask::new(&model, &[0.1]).unwrap().into()];
    let mut data = Data::new(&model);
    let mut closest = f64::MAX;
    for _ in 0..200 {
        let velocity = solve(&model, &mut configuration, &tasks, &limits);
        configuration.integrate_inplace(&model, &velocity, 1.0).unwrap();
        data.qpos.copy_from_slice(configuration.q());
        kinetree_sim::mj_kinematics(&model, &mut data).unwrap();
        closest =
            closest.min(mj_geom_distance(&model, &mut data, geom("three"), geom("post"), 1.0).unwrap().0);
    }
    assert!(closest > 0.045 && closest < 0.07, "{closest}");
}

#[test]
fn closed_loops_close() {
    let model = load(
        r#"<mujoco><compiler angle="radian"/><worldbody>
             <body name="crank"><joint name="drive" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
               <body name="rod" pos="0.3 0 0"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.02"/></body></body>
             <body name="rocker" pos="0.9 -0.4 0"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0.5 0.4 0" size="0.02"/></body>
           </worldbody><equality><connect body1="rod" body2="rocker" anchor="1 0 0"/></equality></mujoco>"#,
    );
    let mut configuration = Configuration::new(&model).unwrap();
    let task = EqualityConstraintTask::new(&model, 1.0, None).unwrap();
    let mut drive = PostureTask::new(&model, &[1.0, 0.0, 0.0]).unwrap();
    drive.set_target(&model, &[1.0, 0.0, 0.0]).unwrap();
    let mut solver = WholeBodySolver::new();
    let tasks = [drive.into()];
    let constraints = [task.into()];
    let end = solver
        .solve_global(&model, &mut configuration, &tasks, &[], &constraints, &GlobalSettings::default())
        .unwrap();
    assert!(end.converged && (configuration.q()[0] - 1.0).abs() < 1e-4, "{end:?} {:?}", configuration.q());
    let mut data = Data::new(&model);
    data.qpos.copy_from_slice(configuration.q());
    kinetree_sim::mj_forward(&model, &mut data).unwrap();
    assert!(data.efc_pos[..2].iter().all(|e| e.abs() < 1e-4), "{:?}", data.efc_pos);
}

#[test]
fn bad_input_is_named() {
    let model = planar();
    let mut configuration = Configuration::new(&model).unwrap();
    let tip = Frame::find(&model, "tip").unwrap();
    let mut velocity = vec![0.0; 3];
    let mut run = |tasks: &[Task], dt: f64, limits: &[Limit]| {
        WholeBodySolver::new()
            .solve_ik(&model, &mut configuration, tasks, dt, 1e-6, limits, &[], &mut velocity)
            .unwrap_err()
            .to_string()
    };
    let task = FrameTask::new(&model, tip, [1.0; 3], [0.0; 3]).unwrap();
    assert!(run(&[task.clone().into()], 0.1, &[]).contains("without target: set one for 'tip'"));
    assert!(run(&[], 0.0, &[]).contains("dt must be a positive number"));
    let mut wild = task.clone();
    wild.options.gain = 2.0;
    wild.set_target(&Pose::IDENTITY);
    assert!(run(&[wild.into()], 0.1, &[]).contains("gain must be above zero"));
    assert!(FrameTask::new(&model, Frame::Site(9), [1.0; 3], [0.0; 3]).is_err());
    assert!(FrameTask::new(&model, tip, [-1.0; 3], [0.0; 3]).is_err());
    assert!(
        VelocityLimit::by_joint(&model, &[("nope", 1.0)])
            .unwrap_err()
            .to_string()
            .contains("no joint called 'nope'")
    );
    assert!(matches!(PostureTask::new(&model, &[1.0, 2.0]), Err(IkError::Size { .. })));
    assert!(EqualityConstraintTask::new(&model, 1.0, None).is_err());
    let mut outside = Configuration::new(&model).unwrap();
    outside.update(&model, &[1.5, 0.0, 0.0]).unwrap();
    let limits: [Limit; 2] = [
        ConfigurationLimit::default().into(),
        VelocityLimit::by_joint(&model, &[("a", 0.1)]).unwrap().into(),
    ];
    let error = WholeBodySolver::new()
        .solve_ik(&model, &mut outside, &[], 1.0, 1e-6, &limits, &[], &mut velocity)
        .unwrap_err()
        .to_string();
    assert!(error.contains("joint 'a' is too far outside of its range"), "{error}");
}
