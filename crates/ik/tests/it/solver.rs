//! Inverse kinematics of one chain, checked by independent forward kinematics.

use crate::support::{Random, chain_twist, load, random_q};
use kinetree_ik::{
    Chain, IkError, JointFrameCache, Pose, ReferenceFrame, Settings, Solution, Solver, Target,
};
use kinetree_model::Model;

/// An arm with six or seven axes, a shoulder, an elbow and a wrist with offsets.
fn arm(axes: &[&str], range: &str) -> Model {
    let mut xml =
        String::from(r#"<mujoco><compiler angle="radian"/><worldbody><body name="base" pos="0.1 0 0.2">"#);
    for (i, axis) in axes.iter().enumerate() {
        xml += &format!(
            r#"<body name="l{i}" pos="0.02 {} 0.2"><joint axis="{axis}" {range}/><geom size="0.03"/>"#,
            if i % 2 == 0 { 0.05 } else { -0.03 }
        );
    }
    xml += r#"<site name="tool" pos="0 0.02 0.1" euler="0.3 0 0.1"/>"#;
    xml += &"</body>".repeat(axes.len() + 1);
    xml += "</worldbody></mujoco>";
    load(&xml)
}

const SIX: [&str; 6] = ["0 0 1", "0 1 0", "0 1 0", "0 0 1", "0 1 0", "0 0 1"];
const SEVEN: [&str; 7] = ["0 0 1", "0 1 0", "0 0 1", "0 1 0", "0 0 1", "0 1 0", "0 0 1"];

fn solver(model: &Model) -> Solver {
    Solver::new(Chain::new(model, "base", "tool").unwrap(), Settings::default()).unwrap()
}

/// Errors of a solution by the independent route.
fn errors(model: &Model, chain: &Chain, q: &[f64], goal: &Pose) -> (f64, f64) {
    let (pos, mat, _) = chain_twist(model, chain, q, &vec![0.0; chain.nv()]);
    let mat = nalgebra::Matrix3::from_fn(|i, j| mat[i][j]);
    // |R₁ − R₂| = 2 √2 sin(θ/2)
    let angle = 2.0 * ((mat - goal.mat).norm() / 8.0_f64.sqrt()).asin();
    ((nalgebra::Vector3::from(pos) - goal.pos).norm(), angle)
}

fn within_limits(chain: &Chain, q: &[f64]) -> bool {
    chain.variables().iter().all(|v| (v.range[0]..=v.range[1]).contains(&q[v.q_index]))
}

#[test]
fn reaches_random_poses_within_limits() {
    for (axes, range) in [
        (&SIX[..], r#"range="-2.5 2.5""#),
        (&SIX[..], r#"range="-6.3 6.3""#),
        (&SIX[..], ""),
        (&SEVEN[..], r#"range="-2 1.5""#),
        (&SEVEN[..], r#"range="-2.9 2.9""#),
    ] {
        let model = arm(axes, range);
        let mut solver = solver(&model);
        let chain = solver.chain().clone();
        let mut cache = JointFrameCache::new(&chain);
        let mut random = Random(42);
        let mut failed = 0;
        for _ in 0..2000 {
            let goal = chain.fk(&random_q(&chain, &mut random), &mut cache).unwrap();
            let seed = random_q(&chain, &mut random);
            let solution = solver.solve(&Target::pose(&goal), Some(&seed)).unwrap();
            assert!(within_limits(&chain, &solution.q));
            let (position, rotation) = errors(&model, &chain, &solution.q, &goal);
            // what the result says is what it is
            assert!((position - solution.position_error).abs() < 1e-12);
            assert!((rotation - solution.rotation_error).abs() < 1e-12);
            assert_eq!(solution.converged, position <= 1e-5 && rotation <= 1e-5 + 1e-12);
            failed += usize::from(!solution.converged);
        }
        assert!(failed <= 2, "{failed} of 2000 with {range}");
    }
}

#[test]
fn joints_that_rotate_freely_stay_near_the_seed() {
    let model = arm(&SIX, r#"range="-9 9""#);
    let mut solver = solver(&model);
    let chain = solver.chain().clone();
    let mut random = Random(4);
    for _ in 0..200 {
        let seed = random_q(&chain, &mut random);
        let goal = solver.fk(&random_q(&chain, &mut random)).unwrap();
        let solution = solver.solve(&Target::pose(&goal), Some(&seed)).unwrap();
        for (q, seed) in solution.q.iter().zip(&seed) {
            let shifted = [q - std::f64::consts::TAU, q + std::f64::consts::TAU];
            let better = shifted.iter().any(|t| t.abs() <= 9.0 && (t - seed).abs() < (q - seed).abs() - 1e-9);
            assert!(!better, "{q} from {seed}");
        }
    }
}

#[test]
fn a_warm_start_takes_few_steps() {
    let model = arm(&SEVEN, r#"range="-2.9 2.9""#);
    let mut solver = solver(&model);
    let mut q = vec![0.3, -0.4, 0.2, -1.0, 0.1, 0.8, 0.0];
    let start = solver.fk(&q).unwrap();
    let (mut iterations, mut restarts) = (0, 0);
    for i in 0..500 {
        let t = f64::from(i) * 0.01;
        let mut goal = start;
        goal.pos.x += 0.1 * t.sin();
        goal.pos.y += 0.1 * (1.0 - t.cos());
        let solution = solver.solve(&Target::pose(&goal), Some(&q)).unwrap();
        assert!(solution.converged);
        (iterations, restarts) = (iterations + solution.iterations, restarts + solution.restarts);
        let jump = q.iter().zip(&solution.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(jump < 0.1, "the solution jumps by {jump}");
        q = solution.q;
    }
    assert!(iterations <= 1500 && restarts == 0, "{iterations} steps, {restarts} restarts");
}

#[test]
fn parts_of_a_pose() {
    let model = arm(&SIX, r#"range="-2.5 2.5""#);
    let mut solver = solver(&model);
    let chain = solver.chain().clone();
    let mut random = Random(8);
    for _ in 0..200 {
        let goal = solver.fk(&random_q(&chain, &mut random)).unwrap();
        let (pos, quat): ([f64; 3], _) = (goal.pos.into(), goal.quat());
        let mut solve = |target: Target| {
            let solution = solver.solve(&target, None).unwrap();
            assert!(solution.converged);
            solver.fk(&solution.q).unwrap()
        };
        let angle = |a: &Pose| kinetree_ik::rotation_vector(&(a.mat * goal.mat.transpose())).norm();
        assert!((solve(Target::position(&pos).unwrap()).pos - goal.pos).norm() < 1.1e-5);
        assert!(angle(&solve(Target::orientation(&quat).unwrap())) < 1.1e-5);

        let axis = goal.mat * nalgebra::Vector3::z();
        let aimed = solve(Target::axis(&[0.0, 0.0, 2.0], &axis.into()).unwrap().at(&pos).unwrap());
        let angle = (aimed.mat * nalgebra::Vector3::z()).cross(&axis).norm();
        assert!(angle < 1.1e-5 && (aimed.pos - goal.pos).norm() < 1.1e-5);

        // height and tilt do not count
        let free = Target::pose(&goal).weighted(&[1.0, 2.0, 0.0], &[0.0, 0.0, 1.0]).unwrap();
        let found = solve(free);
        assert!((found.pos - goal.pos).xy().norm() < 1.1e-5);
        let about = goal.mat.transpose() * kinetree_ik::rotation_vector(&(found.mat * goal.mat.transpose()));
        assert!(about.z.abs() < 1.1e-5);
    }
}

#[test]
fn unreachable_targets_end_at_the_nearest_pose() {
    let model = arm(&SIX, r#"range="-2.5 2.5""#);
    let mut solver = solver(&model);
    let chain = solver.chain().clone();
    let direction = nalgebra::Vector3::new(1.0, 0.5, 0.7).normalize();
    // far outside, and a position-only target: the arm stretches towards it
    let far: [f64; 3] = (direction * 5.0).into();
    let solution = solver.solve(&Target::position(&far).unwrap(), None).unwrap();
    assert!(!solution.converged && within_limits(&chain, &solution.q));
    let mut cache = JointFrameCache::new(&chain);
    let mut columns = vec![[0.0; 6]; 6];
    let pose = chain.jacobian(&solution.q, ReferenceFrame::ANALYTIC, &mut cache, &mut columns).unwrap();
    let error = pose.pos - nalgebra::Vector3::from(far);
    assert!((error.norm() - solution.position_error).abs() < 1e-12);
    // no joint that is free to move makes it better: the projected gradient vanishes
    for (column, side) in columns.iter().zip(&solution.active_limits) {
        let derivative = nalgebra::Vector3::new(column[0], column[1], column[2]).dot(&error);
        let held = (*side < 0 && derivative > 0.0) || (*side > 0 && derivative < 0.0);
        assert!(held || derivative.abs() < 1e-3, "{derivative} {side}");
    }
    // a dense sample finds nothing that is nearer
    let mut random = Random(77);
    for _ in 0..20_000 {
        let q = random_q(&chain, &mut random);
        let other = chain.fk(&q, &mut cache).unwrap();
        assert!((other.pos - nalgebra::Vector3::from(far)).norm() > solution.position_error - 1e-6);
    }
    // inside the reach but in no way with this orientation: ends within its budget
    let inside = Target::new(&[0.0, 0.05, 0.1], &[0.0, 1.0, 0.0, 0.0]).unwrap();
    let solution = solver.solve(&inside, None).unwrap();
    assert!(solution.converged || solution.iterations <= Settings::default().max_iterations + 240);
}

#[test]
fn all_solutions_of_six_axes() {
    let model = arm(&SIX, "");
    let mut solver = solver(&model);
    let chain = solver.chain().clone();
    let q = [0.3, 0.5, 0.9, 0.4, 0.7, -0.2];
    let goal = solver.fk(&q).unwrap();
    let all = solver.solve_all(&Target::pose(&goal), Some(&q), 64).unwrap();
    assert!(all.len() >= 4, "{}", all.len());
    let distance = |s: &Solution| s.q.iter().zip(&q).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    assert!(distance(&all[0]) < 1e-3, "the seed itself is the nearest");
    for (i, a) in all.iter().enumerate() {
        let (position, rotation) = errors(&model, &chain, &a.q, &goal);
        assert!(position < 1.01e-5 && rotation < 1.1e-5);
        assert!(i == 0 || distance(&all[i - 1]) <= distance(a));
        for b in &all[..i] {
            assert!(a.q.iter().zip(&b.q).any(|(a, b)| (a - b).abs() > 1e-3));
        }
    }
    let away = [2.0, -0.5, 0.9, 0.4, 0.7, -0.2];
    let nearest = solver.solve_nearest(&Target::pose(&goal), Some(&away)).unwrap();
    let other = solver.solve_all(&Target::pose(&goal), Some(&away), 64).unwrap();
    assert_eq!(nearest.q, other[0].q);
}

#[test]
fn batches_are_single_solutions() {
    let model = arm(&SEVEN, r#"range="-2.9 2.9""#);
    let mut solver = solver(&model);
    let chain = solver.chain().clone();
    let mut random = Random(3);
    let targets: Vec<Target> =
        (0..100).map(|_| Target::pose(&solver.fk(&random_q(&chain, &mut random)).unwrap())).collect();
    let seeds: Vec<f64> = (0..100).flat_map(|_| random_q(&chain, &mut random)).collect();
    let batch = solver.solve_batch(&targets, Some(&seeds)).unwrap();
    for (i, target) in targets.iter().enumerate() {
        assert_eq!(batch[i], solver.solve(target, Some(&seeds[i * 7..(i + 1) * 7])).unwrap());
    }
    assert!(matches!(solver.solve_batch(&targets, Some(&seeds[..14])), Err(IkError::Size { .. })));
}

#[test]
fn ball_prismatic_and_mimic_joints() {
    let model = load(
        r#"<mujoco><compiler angle="radian"/><worldbody><body name="base">
             <body pos="0 0 0.3"><joint type="ball"/><geom size="0.03"/>
               <body pos="0 0 0.3"><joint name="lift" type="slide" axis="0 0 1" range="0 0.4"/><geom size="0.03"/>
                 <body pos="0 0 0.2"><joint axis="0 1 0" range="-2 2"/><geom size="0.03"/>
                   <body pos="0 0 0.2"><joint name="follow" type="slide" axis="1 0 0"/><geom size="0.03"/>
                     <body pos="0 0 0.1"><joint axis="1 0 0" range="-2 2"/><geom size="0.03"/>
                       <site name="tool" pos="0 0 0.1"/></body></body></body></body></body>
           </body></worldbody>
           <equality><joint joint1="follow" joint2="lift" polycoef="0.01 0.5 0 0 0"/></equality></mujoco>"#,
    );
    let mut solver = solver(&model);
    let chain = solver.chain().clone();
    assert_eq!((chain.nq(), chain.nv()), (7, 6));
    let mut random = Random(6);
    for _ in 0..300 {
        let goal = solver.fk(&random_q(&chain, &mut random)).unwrap();
        let solution = solver.solve(&Target::pose(&goal), None).unwrap();
        let (position, rotation) = errors(&model, &chain, &solution.q, &goal);
        assert!(solution.converged && position < 1.01e-5 && rotation < 1.1e-5);
    }
}

#[test]
fn bad_input_is_named() {
    let model = arm(&SIX, "");
    let mut solver = solver(&model);
    let says = |error: IkError, words: &str| assert!(error.to_string().contains(words), "{error}");
    says(Target::new(&[0.0, f64::NAN, 0.0], &[1.0, 0.0, 0.0, 0.0]).unwrap_err(), "target position");
    says(Target::new(&[0.0; 3], &[2.0, 0.0, 0.0, 0.0]).unwrap_err(), "unit quaternion");
    says(Target::new(&[0.0; 3], &[0.0; 4]).unwrap_err(), "its length is 0");
    says(Target::axis(&[0.0; 3], &[1.0, 0.0, 0.0]).unwrap_err(), "axis of the end is zero");
    says(Target::position(&[0.0; 3]).unwrap().weighted(&[0.0; 3], &[1.0; 3]).unwrap_err(), "weight");
    says(Target::position(&[0.0; 3]).unwrap().weighted(&[-1.0; 3], &[1.0; 3]).unwrap_err(), "weight");
    let target = Target::position(&[0.1; 3]).unwrap();
    says(solver.solve(&target, Some(&[0.0; 5])).unwrap_err(), "q must have 6 numbers, it has 5");
    says(solver.solve(&target, Some(&[f64::NAN; 6])).unwrap_err(), "not a finite number");
    let settings = Settings { position_tolerance: -1.0, ..Settings::default() };
    says(
        Solver::new(solver.chain().clone(), settings).unwrap_err(),
        "position_tolerance must be a positive number",
    );
}
