//! Forward kinematics and Jacobians against dual numbers, differences of poses and the simulation's
//! kinematics, for each mix of joints.

use crate::support::{Random, chain_twist, load, random_q};
use kinetree_ik::{
    Chain, Frame, IkError, JointFrameCache, Pose, ReferenceFrame, Singularity, convert_jacobian,
};
use kinetree_model::{Data, Model};

const CONFIGURATIONS: usize = 10_000;

/// A chain of bodies with the given joints, the last of which carries the site `tip`.
fn arm(joints: &[&str], extra: &str) -> Model {
    let mut xml = String::from(r#"<mujoco><compiler angle="radian" autolimits="true"/><worldbody>"#);
    for (i, joint) in joints.iter().enumerate() {
        let angle = 0.4 * i as f64;
        xml += &format!(
            r#"<body name="b{i}" pos="0.1 {:.2} 0.3" euler="{angle} 0.3 -0.2">{joint}<geom size="0.05"/>"#,
            0.05 * i as f64
        );
    }
    xml += r#"<site name="tip" pos="0.02 -0.1 0.2" euler="0.5 -1 0.2"/>"#;
    xml += &"</body>".repeat(joints.len());
    xml += &format!("</worldbody>{extra}</mujoco>");
    load(&xml)
}

fn mixes() -> Vec<(&'static str, Model)> {
    let hinge = r#"<joint axis="0 0 1" range="-2 2"/>"#;
    let tilted = r#"<joint axis="1 2 -0.5" pos="0.1 0.02 -0.03" ref="0.3"/>"#;
    let reversed = r#"<joint axis="0 -1 0"/>"#;
    let slide = r#"<joint type="slide" axis="0.3 1 0.2" range="-0.5 0.5" ref="0.1"/>"#;
    let ball = r#"<joint type="ball" pos="0.03 0.1 0"/>"#;
    let double =
        r#"<joint axis="1 0 0" pos="0 0 0.1"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 1"/>"#;
    let follow = r#"<equality><joint joint1="m" joint2="l" polycoef="0.2 -0.7 0 0 0"/><joint joint1="c" polycoef="0.4 0 0 0 0"/></equality>"#;
    let lead = r#"<joint name="l" axis="0 0 1" range="-2 2"/>"#;
    let mimic = r#"<joint name="m" axis="1 0 1" ref="0.1" range="-1 1"/>"#;
    let held = r#"<joint name="c" type="slide" axis="1 0 0"/>"#;
    vec![
        ("revolute, six", arm(&[hinge, tilted, reversed, hinge, tilted, reversed], "")),
        ("parallel axes", arm(&[reversed, reversed, hinge, hinge, hinge], "")),
        ("seven", arm(&[hinge, reversed, hinge, reversed, hinge, reversed, tilted], "")),
        ("prismatic", arm(&[slide, slide, slide], "")),
        ("mixed", arm(&[hinge, slide, tilted, slide, reversed, double], "")),
        ("ball", arm(&[hinge, ball, slide, ball], "")),
        ("free", arm(&["<freejoint/>", hinge, ball, tilted], "")),
        ("mimic", arm(&[lead, hinge, mimic, held, reversed], follow)),
        ("nine hinges", arm(&[tilted; 9], "")),
    ]
}

fn largest(a: &[[f64; 6]], b: &[[f64; 6]]) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn jacobians_are_those_of_dual_numbers() {
    for (name, model) in mixes() {
        let chain = Chain::new(&model, "world", "tip").unwrap();
        let mut cache = JointFrameCache::new(&chain);
        let mut jacobian = vec![[0.0; 6]; chain.nv()];
        let mut exact = jacobian.clone();
        let mut random = Random(7);
        let (mut worst, mut worst_pose) = (0.0_f64, 0.0_f64);
        for _ in 0..CONFIGURATIONS {
            let q = random_q(&chain, &mut random);
            let pose = chain.jacobian(&q, ReferenceFrame::ANALYTIC, &mut cache, &mut jacobian).unwrap();
            for (dof, column) in exact.iter_mut().enumerate() {
                let mut v = vec![0.0; chain.nv()];
                v[dof] = 1.0;
                let (pos, mat, twist) = chain_twist(&model, &chain, &q, &v);
                *column = twist;
                for i in 0..3 {
                    worst_pose = worst_pose.max((pos[i] - pose.pos[i]).abs());
                    for j in 0..3 {
                        worst_pose = worst_pose.max((mat[i][j] - pose.mat[(i, j)]).abs());
                    }
                }
            }
            worst = worst.max(largest(&jacobian, &exact));
        }
        println!("{name}: Jacobian {worst:.1e}, pose {worst_pose:.1e}");
        assert!(worst < 1e-10 && worst_pose < 1e-12, "{name}: {worst:e} {worst_pose:e}");
    }
}

/// Twist between two poses over a small step, in the base's axes.
fn twist_between(a: &Pose, b: &Pose, step: f64) -> [f64; 6] {
    let linear = (b.pos - a.pos) / step;
    let angular = kinetree_ik::rotation_vector(&(b.mat * a.mat.transpose())) / step;
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

#[test]
fn jacobians_are_those_of_differences() {
    let step = 1e-6;
    for (name, model) in mixes() {
        let chain = Chain::new(&model, "", "tip").unwrap();
        let mut cache = JointFrameCache::new(&chain);
        let mut jacobian = vec![[0.0; 6]; chain.nv()];
        let mut random = Random(3);
        for _ in 0..CONFIGURATIONS {
            let mut q = random_q(&chain, &mut random);
            // quaternions of unit length, as integration makes them
            let zero = vec![0.0; chain.nv()];
            chain.integrate(&mut q, &zero, 1.0);
            chain.jacobian(&q, ReferenceFrame::LocalWorldAligned, &mut cache, &mut jacobian).unwrap();
            let dof = (random.unit() * chain.nv() as f64) as usize;
            let mut v = zero.clone();
            v[dof] = 1.0;
            let mut at = |sign: f64| {
                let mut moved = q.clone();
                chain.integrate(&mut moved, &v, sign * step);
                chain.fk(&moved, &mut cache).unwrap()
            };
            let differences = twist_between(&at(-1.0), &at(1.0), 2.0 * step);
            let error = largest(&[jacobian[dof]], &[differences]);
            assert!(error < 1e-6, "{name} dof {dof}: {error:e}");
        }
    }
}

#[test]
fn edge_cases() {
    for (name, model) in mixes() {
        let chain = Chain::new(&model, "world", "tip").unwrap();
        let mut cache = JointFrameCache::new(&chain);
        let mut jacobian = vec![[0.0; 6]; chain.nv()];
        let end = |k: usize| {
            let mut q = chain.neutral();
            for v in chain.variables().iter().filter(|v| v.range[0].is_finite()) {
                q[v.q_index] = v.range[k];
            }
            q
        };
        let zero: Vec<f64> = chain.variables().iter().flat_map(|v| zero_of(v.kind.nq())).collect();
        for q in [zero, chain.neutral(), end(0), end(1)] {
            chain.jacobian(&q, ReferenceFrame::ANALYTIC, &mut cache, &mut jacobian).unwrap();
            for dof in 0..chain.nv() {
                let mut v = vec![0.0; chain.nv()];
                v[dof] = 1.0;
                let (_, _, twist) = chain_twist(&model, &chain, &q, &v);
                assert!(largest(&[jacobian[dof]], &[twist]) < 1e-12, "{name} dof {dof}");
            }
        }
    }
}

fn zero_of(nq: usize) -> Vec<f64> {
    let mut q = vec![0.0; nq];
    if nq > 1 {
        q[nq - 4] = 1.0;
    }
    q
}

#[test]
fn derivatives_are_differences_of_jacobians() {
    let frames = [ReferenceFrame::World, ReferenceFrame::Local, ReferenceFrame::LocalWorldAligned];
    let step = 1e-6;
    for (name, model) in mixes() {
        let chain = Chain::new(&model, "world", "tip").unwrap();
        let mut cache = JointFrameCache::new(&chain);
        let mut random = Random(11);
        for i in 0..300 {
            let frame = frames[i % 3];
            let mut q = random_q(&chain, &mut random);
            chain.integrate(&mut q, &vec![0.0; chain.nv()], 1.0);
            let v: Vec<f64> = (0..chain.nv()).map(|_| random.between(-1.0, 1.0)).collect();
            let mut exact = vec![[0.0; 6]; chain.nv()];
            chain.jacobian_derivative(&q, &v, frame, &mut cache, &mut exact).unwrap();
            let mut at = |sign: f64| {
                let mut moved = q.clone();
                let mut jacobian = vec![[0.0; 6]; chain.nv()];
                chain.integrate(&mut moved, &v, sign * step);
                chain.jacobian(&moved, frame, &mut cache, &mut jacobian).unwrap();
                jacobian
            };
            let (before, after) = (at(-1.0), at(1.0));
            let mut differences = before.clone();
            for (d, (a, b)) in
                differences.iter_mut().flatten().zip(after.iter().flatten().zip(before.iter().flatten()))
            {
                *d = (a - b) / (2.0 * step);
            }
            let error = largest(&exact, &differences);
            assert!(error < 1e-6, "{name} {frame:?}: {error:e}");

            let weight: [f64; 6] = std::array::from_fn(|_| random.between(-1.0, 1.0));
            let mut product = vec![0.0; chain.nv()];
            chain.hessian_vector_product(&q, &v, &weight, frame, &mut cache, &mut product).unwrap();
            for (p, column) in product.iter().zip(&exact) {
                let expected: f64 = column.iter().zip(&weight).map(|(c, w)| c * w).sum();
                assert!((p - expected).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn reference_frames_convert_into_each_other() {
    let frames = [ReferenceFrame::World, ReferenceFrame::Local, ReferenceFrame::LocalWorldAligned];
    let (_, model) = mixes().swap_remove(4);
    let chain = Chain::new(&model, "b0", "tip").unwrap();
    let mut cache = JointFrameCache::new(&chain);
    let mut random = Random(5);
    for _ in 0..100 {
        let q = random_q(&chain, &mut random);
        for from in frames {
            for to in frames {
                let mut converted = vec![[0.0; 6]; chain.nv()];
                let mut direct = converted.clone();
                let pose = chain.jacobian(&q, from, &mut cache, &mut converted).unwrap();
                convert_jacobian(&mut converted, &pose, from, to);
                chain.jacobian(&q, to, &mut cache, &mut direct).unwrap();
                assert!(largest(&converted, &direct) < 1e-13, "{from:?} to {to:?}");
            }
        }
    }
}

#[test]
fn intermediate_frames_are_those_of_the_simulation() {
    for (name, model) in mixes() {
        if model.neq > 0 {
            continue; // the simulation does not move followers by kinematics
        }
        let chain = Chain::new(&model, "world", "tip").unwrap();
        let mut cache = JointFrameCache::new(&chain);
        let mut data = Data::new(&model);
        let q = random_q(&chain, &mut Random(9));
        for v in chain.variables() {
            data.qpos[v.qposadr..][..v.kind.nq()].copy_from_slice(&q[v.q_index..][..v.kind.nq()]);
        }
        kinetree_sim::mj_kinematics(&model, &mut data).unwrap();
        let pose = chain.fk(&q, &mut cache).unwrap();
        let same = |a: &Pose, b: &Pose| (a.pos - b.pos).norm() < 1e-13 && (a.mat - b.mat).norm() < 1e-13;
        assert!(same(&pose, &chain.end().world_pose(&data)), "{name}");
        for i in 0..chain.njoint() {
            let last = i + 1 == chain.njoint() || chain.body(i + 1) != chain.body(i);
            let body = Frame::Body(chain.body(i)).world_pose(&data);
            assert!(!last || same(&cache.link_pose(&chain, i), &body), "{name} joint {i}");
        }
    }
}

#[test]
fn batches_have_the_bits_of_single_calls() {
    for (name, model) in mixes() {
        let chain = Chain::new(&model, "world", "tip").unwrap();
        let mut cache = JointFrameCache::new(&chain);
        let mut random = Random(2);
        let count = 1003;
        let q: Vec<f64> = (0..count).flat_map(|_| random_q(&chain, &mut random)).collect();
        let mut poses = vec![Pose::IDENTITY; count];
        let mut jacobians = vec![[0.0; 6]; count * chain.nv()];
        chain.jacobian_batch(&q, ReferenceFrame::Local, &mut poses, &mut jacobians).unwrap();
        let mut only_poses = vec![Pose::IDENTITY; count];
        chain.fk_batch(&q, &mut only_poses).unwrap();
        assert_eq!(poses, only_poses);
        let mut jacobian = vec![[0.0; 6]; chain.nv()];
        for i in 0..count {
            let own = &q[i * chain.nq()..(i + 1) * chain.nq()];
            let pose = chain.jacobian(own, ReferenceFrame::Local, &mut cache, &mut jacobian).unwrap();
            assert_eq!(pose, poses[i], "{name} {i}");
            assert_eq!(jacobian, jacobians[i * chain.nv()..(i + 1) * chain.nv()], "{name} {i}");
        }
    }
}

#[test]
fn singular_values_and_null_space() {
    let (_, model) = mixes().swap_remove(2);
    let chain = Chain::new(&model, "world", "tip").unwrap();
    let mut cache = JointFrameCache::new(&chain);
    let mut jacobian = vec![[0.0; 6]; 7];
    let mut singularity = Singularity::new(7);
    let mut random = Random(21);
    for _ in 0..200 {
        let q = random_q(&chain, &mut random);
        chain.jacobian(&q, ReferenceFrame::ANALYTIC, &mut cache, &mut jacobian).unwrap();
        singularity.decompose(&jacobian);
        let matrix = nalgebra::Matrix6xX::from_iterator(7, jacobian.iter().flatten().copied());
        let mut expected: Vec<f64> =
            matrix.clone().svd(false, false).singular_values.iter().copied().collect();
        expected.sort_unstable_by(|a, b| b.total_cmp(a));
        for (found, expected) in singularity.values().zip(&expected) {
            assert!((found - expected).abs() < 1e-12);
        }
        let determinant = (&matrix * matrix.transpose()).determinant().sqrt();
        assert!((singularity.manipulability() - determinant).abs() < 1e-10);
        assert!((singularity.condition_number() / (expected[0] / expected[5]) - 1.0).abs() < 1e-6);
        let null: Vec<&[f64]> = singularity.null_space(1e-9).collect();
        assert_eq!(null.len(), 1);
        let moved = &matrix * nalgebra::DVector::from_column_slice(null[0]);
        assert!(moved.norm() < 1e-12 && (null[0].iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_stretched_arm_is_singular() {
    let joint = r#"<joint axis="0 1 0"/>"#;
    let mut xml = String::from("<mujoco><worldbody>");
    for _ in 0..3 {
        xml += &format!(r#"<body pos="0 0 0.3">{joint}<geom size="0.05"/>"#);
    }
    xml += r#"<site name="tip" pos="0 0 0.3"/></body></body></body></worldbody></mujoco>"#;
    let model = load(&xml);
    let chain = Chain::new(&model, "world", "tip").unwrap();
    let mut cache = JointFrameCache::new(&chain);
    let mut jacobian = vec![[0.0; 6]; 3];
    let mut singularity = Singularity::new(3);
    chain.jacobian(&[0.0; 3], ReferenceFrame::ANALYTIC, &mut cache, &mut jacobian).unwrap();
    singularity.decompose(&jacobian);
    assert!(singularity.is_singular(1e-6) && singularity.condition_number() > 1e10);
    assert!(singularity.null_space(1e-9).count() == 1);
    chain.jacobian(&[0.1, 1.0, -0.5], ReferenceFrame::ANALYTIC, &mut cache, &mut jacobian).unwrap();
    singularity.decompose(&jacobian);
    assert!(!singularity.is_singular(1e-6));
}

#[test]
fn bad_input_is_named() {
    let model = arm(&[r#"<joint axis="0 0 1"/>"#, r#"<joint axis="0 1 0"/>"#], "");
    let message = |result: Result<Chain, IkError>| result.unwrap_err().to_string();
    assert!(message(Chain::new(&model, "world", "tipp")).contains("no body, site or geom called 'tipp'"));
    assert!(message(Chain::new(&model, "b1", "b0")).contains("no path from 'b1' down to 'b0'"));
    assert!(message(Chain::new(&model, "b1", "tip")).contains("no joint moves 'tip' relative to 'b1'"));
    assert!(message(Chain::between(&model, Frame::Body(0), Frame::Site(7))).contains("no site 7"));
    let mut broken = model.clone();
    broken.jnt_axis[1] = [0.0; 3];
    assert!(message(Chain::new(&broken, "world", "tip")).contains("axis of joint 'joint 1' is zero"));

    let chain = Chain::new(&model, "world", "tip").unwrap();
    let mut cache = JointFrameCache::new(&chain);
    let fault = |q: &[f64], cache: &mut JointFrameCache| chain.fk(q, cache).unwrap_err().to_string();
    assert_eq!(fault(&[0.0], &mut cache), "q must have 2 numbers, it has 1");
    assert!(fault(&[0.0, f64::NAN], &mut cache).contains("not a finite number: NaN"));
    assert!(
        Pose::checked(&[0.0; 3], &[0.5, 0.0, 0.0, 0.0])
            .unwrap_err()
            .to_string()
            .contains("its length is 0.5")
    );
    assert!(Pose::checked(&[f64::INFINITY, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0]).is_err());
}
