//! Momentum, energy, sleep and equal bits.

use crate::common::{settle, stir};
use kinetree_soft::{
    CapsuleChain, ChainPreset, Cloth, ClothPreset, Constraint, DeformableBody, Material, MaterialPreset,
    Network, Particles, SleepSettings, SoftBody, SoftBodyPreset, SoftError, Substeps, TriangleMesh, Vec3,
    XpbdSettings, XpbdSolver,
};

/// Fold between a face at the corner of a cube and the face that cuts the corner off.
const FOLD: f64 = 2.186_276_035_465_284;

fn bodies() -> Vec<Box<dyn DeformableBody>> {
    let tetrahedron = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let particles = Particles::new(tetrahedron.to_vec(), vec![1.0, 2.0, 0.5, 1.5]).expect("four vertices");
    let edges = [[0, 1], [0, 2], [1, 2], [1, 3]].map(|vertices| {
        let [a, b] = vertices.map(|v| tetrahedron[v as usize]);
        Constraint::Distance { vertices, length: (a - b).norm(), compliance: 1e-3 }
    });
    let mut constraints = edges.to_vec();
    constraints.push(Constraint::Volume { vertices: [0, 1, 2, 3], volume: 1.0 / 6.0, compliance: 1e-4 });
    constraints.push(Constraint::Dihedral { vertices: [1, 2, 0, 3], angle: FOLD, compliance: 1e-2 });
    let material = Material::new(1e5, 0.3, 1000.0);
    vec![
        Box::new(SoftBody::block([3, 2, 2], [0.3, 0.2, 0.2], material).expect("a block")),
        Box::new(Cloth::grid([5, 4], [0.5, 0.4], ClothPreset::Membrane).expect("a cloth")),
        Box::new(CapsuleChain::straight(Vec3::x(), Vec3::y(), 12, ChainPreset::SoftCable).expect("a chain")),
        Box::new(Network::new(particles, &constraints, material, 0.0).expect("a network")),
    ]
}

#[test]
fn free_bodies_keep_their_momentum() {
    for (index, body) in bodies().iter_mut().enumerate() {
        let body = body.as_mut();
        stir(body, 0.3);
        let start = (body.particles().momentum(), body.particles().angular_momentum());
        settle(body, Substeps::Auto, Vec3::zeros(), 0.0, 0.5);
        let end = (body.particles().momentum(), body.particles().angular_momentum());
        assert!((end.0 - start.0).norm() < 1e-10, "body {index}: {} to {}", start.0, end.0);
        // segments of a chain take a part of it
        if index != 2 {
            assert!((end.1 - start.1).norm() < 1e-10, "body {index}: {} to {}", start.1, end.1);
        }
    }
}

#[test]
fn free_chain_keeps_its_angular_momentum_with_that_of_its_segments() {
    let mut chain =
        CapsuleChain::straight(Vec3::x(), Vec3::y(), 12, ChainPreset::SoftCable).expect("a chain");
    stir(&mut chain, 0.3);
    chain.spin_mut().iter_mut().enumerate().for_each(|(k, spin)| *spin = Vec3::new(k as f64, 1.0, 2.0));
    let start = chain.angular_momentum();
    settle(&mut chain, Substeps::Auto, Vec3::zeros(), 0.0, 0.5);
    assert!((chain.angular_momentum() - start).norm() < 1e-10);
}

#[test]
fn energy_never_grows() {
    for (index, body) in bodies().iter_mut().enumerate() {
        let body = body.as_mut();
        stir(body, 0.2);
        let mut solver = XpbdSolver::default();
        let total = |body: &mut dyn DeformableBody| {
            body.particles().kinetic_energy() + body.elastic_energy().expect("an energy")
        };
        let start = total(body);
        for _ in 0..500 {
            solver.step(body, Vec3::zeros(), 0.002).expect("the step succeeds");
            let now = total(body);
            assert!(now <= 1.02 * start, "body {index}: {start} to {now}");
        }
        assert!(total(body) < 0.9 * start, "body {index} is damped");
    }
}

#[test]
fn stiff_sheets_and_solids_with_much_viscosity_are_stable() {
    let mesh = TriangleMesh::grid([8; 2], [0.16; 2]).expect("a grid");
    for substeps in [Substeps::Auto, Substeps::Fixed(1), Substeps::Fixed(20)] {
        let bodies: [Box<dyn DeformableBody>; 3] = [
            Box::new(Cloth::preset(mesh.clone(), ClothPreset::Cotton).expect("a cloth")),
            Box::new(Cloth::preset(mesh.clone(), ClothPreset::Leather).expect("a cloth")),
            Box::new(SoftBody::block([4; 3], [0.08; 3], SoftBodyPreset::Rubber).expect("a block")),
        ];
        for (index, mut body) in bodies.into_iter().enumerate() {
            stir(body.as_mut(), 0.01);
            let start = body.particles().kinetic_energy();
            settle(body.as_mut(), substeps, Vec3::zeros(), 0.0, 0.1);
            let end = body.particles().kinetic_energy();
            assert!(end < start, "body {index}, {substeps:?}: {start} to {end}");
        }
    }
}

#[test]
fn angles_are_compared_on_the_shorter_way() {
    // a fold of +170° wants to be one of −170°: it lacks 20°, not 340°
    let (sin, cos) = 170f64.to_radians().sin_cos();
    let flap = Vec3::new(0.0, -cos, sin);
    let position = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), flap];
    let particles = Particles::new(position, vec![1.0; 4]).expect("four vertices");
    let fold = Constraint::Dihedral { vertices: [0, 1, 2, 3], angle: -170f64.to_radians(), compliance: 1.0 };
    let mut hinge = Network::new(particles, &[fold], Material::new(1.0, 0.0, 1.0), 0.0).expect("a network");
    let energy = hinge.elastic_energy().expect("an energy");
    let expected = 0.5 * 20f64.to_radians().powi(2);
    assert!((energy - expected).abs() < 1e-12, "{energy} against {expected}");
}

#[test]
fn few_substeps_are_stable() {
    for (index, body) in bodies().iter_mut().enumerate() {
        let body = body.as_mut();
        stir(body, 1.0);
        let start = body.particles().kinetic_energy();
        settle(body, Substeps::Fixed(1), Vec3::zeros(), 0.0, 5.0);
        assert!(body.particles().kinetic_energy() < 2.0 * start, "body {index}");
    }
}

#[test]
fn equal_runs_have_equal_bits() {
    let run = || {
        let mut body = SoftBody::block([8, 8, 8], [0.3; 3], MaterialPreset::Gelatin).expect("a block");
        stir(&mut body, 0.3);
        settle(&mut body, Substeps::Auto, Vec3::new(0.0, 0.0, -9.81), 0.0, 0.05);
        body.particles().position.to_vec()
    };
    assert_eq!(run(), run());
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let mut block = SoftBody::block([9, 9, 9], [0.3; 3], MaterialPreset::Gelatin).expect("a block");
            let mut cloth = Cloth::grid([40, 40], [0.5; 2], ClothPreset::Membrane).expect("a cloth");
            for body in [&mut block as &mut dyn DeformableBody, &mut cloth] {
                stir(body, 0.3);
                settle(body, Substeps::Auto, Vec3::new(0.0, 0.0, -9.81), 0.0, 0.03);
            }
            (block.particles().position.to_vec(), cloth.particles().position.to_vec())
        })
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn a_body_at_rest_falls_asleep_and_wakes_when_it_is_pushed() {
    let mut cloth = Cloth::grid([3, 3], [0.3; 2], ClothPreset::Membrane).expect("a cloth");
    let sleep = Some(SleepSettings { speed: 1e-3, time: 0.1 });
    let mut solver = XpbdSolver::new(XpbdSettings { sleep, ..XpbdSettings::default() });
    for _ in 0..11 {
        solver.step(&mut cloth, Vec3::zeros(), 0.01).expect("the step succeeds");
    }
    assert!(solver.is_asleep());
    let before = cloth.particles().position.to_vec();
    solver.step(&mut cloth, Vec3::new(0.0, 0.0, -9.81), 0.01).expect("the step succeeds");
    assert_eq!(cloth.particles().position[..], before, "asleep");
    cloth.particles_mut().velocity[5].z = 1.0;
    solver.step(&mut cloth, Vec3::zeros(), 0.01).expect("the step succeeds");
    assert!(!solver.is_asleep() && cloth.particles().position[5].z > 0.0);
}

#[test]
fn distances_at_rest_are_not_negative() {
    let particles = Particles::new(vec![Vec3::zeros(), Vec3::x()], vec![1.0; 2]).expect("two vertices");
    let pair = Constraint::Distance { vertices: [0, 1], length: -1.0, compliance: 0.0 };
    let error = Network::new(particles, &[pair], Material::new(1.0, 0.0, 1.0), 0.0).expect_err("an error");
    assert!(matches!(error, SoftError::Degenerate { what: "constraint", index: 0, measure: "length", .. }));
}
