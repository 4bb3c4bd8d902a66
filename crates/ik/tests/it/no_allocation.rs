//! Kinematics, Jacobians, solutions and whole-body steps allocate nothing after a first call.

use crate::counting_allocator::allocation_count;
use crate::support::{Random, load, random_q};
use kinetree_ik::whole_body::{
    CollisionAvoidanceLimit, ComTask, Configuration, ConfigurationLimit, FrameTask, Limit, PostureTask, Task,
    WholeBodySolver,
};
use kinetree_ik::{Chain, Frame, JointFrameCache, ReferenceFrame, Settings, Singularity, Solver, Target};

fn allocations(f: impl FnOnce()) -> usize {
    let before = allocation_count();
    f();
    allocation_count() - before
}

#[test]
fn chains_and_solvers() {
    let model = load(include_str!("../../../../models/showcase/arm.xml"));
    let chain = Chain::new(&model, "world", "grip").unwrap();
    let mut cache = JointFrameCache::new(&chain);
    let mut columns = vec![[0.0; 6]; chain.nv()];
    let mut product = vec![0.0; chain.nv()];
    let mut singularity = Singularity::new(chain.nv());
    let mut solver = Solver::new(chain.clone(), Settings::default()).unwrap();
    let mut solution = solver.empty_solution();
    // some kilobytes, of which the frames of the joints are a part twice
    let bytes = [cache.bytes(), solver.bytes()];
    assert!(bytes[0] > 100 * chain.njoint() && bytes[1] > 2 * bytes[0] && bytes[1] < 10_000, "{bytes:?}");
    let mut random = Random(1);
    let configurations: Vec<Vec<f64>> = (0..50).map(|_| random_q(&chain, &mut random)).collect();
    let count = allocations(|| {
        for q in &configurations {
            let pose = chain.jacobian(q, ReferenceFrame::Local, &mut cache, &mut columns).unwrap();
            singularity.decompose(&columns);
            let frame = ReferenceFrame::World;
            chain.hessian_vector_product(q, q, &[1.0; 6], frame, &mut cache, &mut product).unwrap();
            solver.solve_into(&Target::pose(&pose), None, &mut solution).unwrap();
            let far = Target::position(&[5.0, 0.0, 0.0]).unwrap();
            solver.solve_into(&far, Some(q), &mut solution).unwrap();
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn whole_body_steps() {
    let model = load(include_str!("../../../../models/showcase/humanoid.xml"));
    let mut configuration = Configuration::new(&model).unwrap();
    let mut tasks: Vec<Task> = Vec::new();
    for name in ["hand_right", "hand_left"] {
        let frame = Frame::find(&model, name).unwrap();
        let mut task = FrameTask::new(&model, frame, [1.0; 3], [0.0; 3]).unwrap();
        let mut goal = configuration.frame_pose(&model, frame).unwrap();
        goal.pos.y *= 0.2;
        task.options.gain = 0.05;
        task.set_target(&goal);
        tasks.push(task.into());
    }
    let mut com = ComTask::new([1.0; 3]).unwrap();
    com.set_target_from_configuration(&configuration);
    let mut posture = PostureTask::new(&model, &[0.01]).unwrap();
    posture.set_target_from_configuration(&configuration);
    posture.options.priority = 1;
    tasks.extend([com.into(), posture.into()]);
    let collision =
        CollisionAvoidanceLimit::new(&model, &[((0..8).collect(), (8..model.ngeom).collect())]).unwrap();
    let limits: [Limit; 2] = [ConfigurationLimit::default().into(), collision.into()];
    let mut solver = WholeBodySolver::new();
    let mut velocity = vec![0.0; model.nv];
    let mut run = |configuration: &mut Configuration, steps: usize| {
        for _ in 0..steps {
            solver.solve_ik(&model, configuration, &tasks, 0.01, 1e-8, &limits, &[], &mut velocity).unwrap();
            configuration.integrate_inplace(&model, &velocity, 0.01).unwrap();
        }
    };
    let start = configuration.q().to_vec();
    run(&mut configuration, 100);
    configuration.update(&model, &start).unwrap();
    assert_eq!(allocations(|| run(&mut configuration, 100)), 0);
}
