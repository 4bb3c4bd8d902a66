//! Deformable bodies and bodies of a model that push on each other.

use kinetree_model::{Data, Model};
use kinetree_soft::{Cloth, ClothPreset, DeformableBody, Material, SoftBody, SoftWorld, Vec3, XpbdSettings};

fn model(option: &str, bodies: &str) -> Model {
    let text = format!("<mujoco><option {option}/><worldbody>{bodies}</worldbody></mujoco>");
    kinetree_spec::load_model_str(&text).expect("the model compiles")
}

/// All solvers with both cones.
fn options() -> impl Iterator<Item = String> {
    let solvers = ["Newton", "CG", "PGS"];
    let cones = ["pyramidal", "elliptic"];
    solvers.into_iter().flat_map(move |solver| {
        cones.map(|cone| {
            let iterations = if solver == "Newton" { 100 } else { 2000 };
            format!(
                "solver='{solver}' cone='{cone}' iterations='{iterations}' tolerance='1e-12' ls_iterations='200'"
            )
        })
    })
}

/// A block of soft material that stands on the floor, with its top at 0.1 m.
fn block() -> SoftBody {
    let material = Material { friction: 1.0, ..Material::new(3e4, 0.3, 500.0).with_damping(2e-2) };
    let mut block = SoftBody::block([3, 3, 2], [0.1; 3], material).expect("a block");
    block.particles_mut().position.iter_mut().for_each(|x| x.z += 0.05);
    block
}

fn step(world: &mut SoftWorld, model: &Model, data: &mut Data, time: f64) {
    let end = data.time + time;
    while data.time < end {
        world.step(model, data).expect("the step succeeds");
    }
}

/// Force on a free body by all constraints, along z.
fn lift(data: &Data) -> f64 {
    data.qfrc_constraint[2]
}

#[test]
fn a_box_on_a_soft_block_is_carried_as_on_a_rigid_one() {
    for option in options() {
        let bodies = "<geom type='plane' size='1 1 1'/>
            <body pos='0 0 .121'><freejoint/><geom type='box' size='.06 .06 .02' mass='.2'/></body>";
        let model = model(&option, bodies);
        let mut data = Data::new(&model);
        let mut world = SoftWorld::default();
        world.add(block(), XpbdSettings { drag: 2.0, ..XpbdSettings::default() });
        step(&mut world, &model, &mut data, 1.5);
        let weight = 0.2 * 9.81;
        assert!((lift(&data) / weight - 1.0).abs() < 1e-3, "{option}: carried by {}", lift(&data));
        assert!(data.qvel.iter().all(|v| v.abs() < 1e-3), "{option}: it rests, {:?}", data.qvel);
        // the sum of the listed contact forces is the same
        let mut listed = 0.0;
        for (index, contact) in data.contact.iter().enumerate() {
            let force = kinetree_sim::mj_contact_force(&model, &data, index).expect("a force");
            listed -= contact.frame[2] * force[0] + contact.frame[5] * force[1] + contact.frame[8] * force[2];
        }
        assert!((listed / weight - 1.0).abs() < 1e-3, "{option}: contacts carry {listed}");
        // it stands on the block, which is pressed together as its stiffness says: W L / (E A) or less, where the
        // ends are held by friction, below a box that pushes on all of it
        let sunk = 0.12 - data.qpos[2];
        let expected = (weight + 0.5 * 0.5 * 9.81) * 0.1 / (3e4 * 0.01);
        assert!(sunk > 0.5 * expected && sunk < 1.3 * expected, "{option}: {sunk} against {expected}");
    }
}

#[test]
fn solvers_and_cones_agree_where_the_forces_are_the_same() {
    let bodies = "<geom type='plane' size='1 1 1'/>
        <body pos='0 0 .121'><freejoint/><geom type='box' size='.06 .06 .02' mass='.2'/></body>";
    let mut heights = Vec::new();
    for option in options() {
        let model = model(&option, bodies);
        let mut data = Data::new(&model);
        let mut world = SoftWorld::default();
        world.add(block(), XpbdSettings::default());
        step(&mut world, &model, &mut data, 0.1);
        heights.push(data.qpos[2]);
    }
    for pair in heights.chunks(2).collect::<Vec<_>>().windows(2) {
        assert!((pair[0][0] - pair[1][0]).abs() < 1e-6, "pyramidal: {heights:?}");
        assert!((pair[0][1] - pair[1][1]).abs() < 1e-6, "elliptic: {heights:?}");
    }
}

#[test]
fn momentum_goes_from_one_to_the_other() {
    // a ball hits a sheet that floats without weight
    for option in options() {
        let option = format!("gravity='0 0 0' {option}");
        let model = model(&option, "<body pos='0 0 .1'><freejoint/><geom size='.05' mass='.05'/></body>");
        let mut data = Data::new(&model);
        data.qvel[2] = -1.0;
        let mut world = SoftWorld::default();
        let cloth = Cloth::grid([6, 6], [0.3, 0.3], ClothPreset::Rubber).expect("a cloth");
        world.add(cloth, XpbdSettings::default());
        let momentum = |world: &SoftWorld, data: &Data| {
            let ball = 0.05 * Vec3::new(data.qvel[0], data.qvel[1], data.qvel[2]);
            world.body(0).expect("a cloth").particles().momentum() + ball
        };
        let before = momentum(&world, &data);
        step(&mut world, &model, &mut data, 0.15);
        assert!(data.qvel[2] > -0.95, "{option}: it has hit: {}", data.qvel[2]);
        let after = momentum(&world, &data);
        assert!((after - before).norm() < 1e-9 * before.norm(), "{option}: {before} became {after}");
    }
}

#[test]
fn bodies_that_are_not_touched_keep_their_bits() {
    let bodies = "<geom type='plane' size='1 1 1'/>
        <body pos='3 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>";
    let model = model("", bodies);
    let (mut alone, mut beside) = (Data::new(&model), Data::new(&model));
    let mut world = SoftWorld::default();
    world.add(block(), XpbdSettings::default());
    for _ in 0..200 {
        alone.step(&model).expect("the step succeeds");
        world.step(&model, &mut beside).expect("the step succeeds");
    }
    assert_eq!(alone.qpos[..], beside.qpos[..]);
    assert_eq!(alone.qvel[..], beside.qvel[..]);
}
