//! Deformable bodies and bodies of a model that push on each other.

use kinetree_model::{Data, Model};
use kinetree_soft::{
    CapsuleChain, ChainPreset, Cloth, ClothPreset, DeformableBody, Material, MaterialPreset, SleepSettings,
    SoftBody, SoftBodyPreset, SoftWorld, Vec3, XpbdSettings,
};

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
        // the sum of the listed contact forces on the box is the same
        let mut listed = 0.0;
        for (index, contact) in data.contact.iter().enumerate().filter(|(_, contact)| contact.geom[0] == 1) {
            let force = kinetree_sim::mj_contact_force(&model, &data, index).expect("a force");
            listed -= contact.frame[2] * force[0] + contact.frame[5] * force[1] + contact.frame[8] * force[2];
        }
        assert!((listed / weight - 1.0).abs() < 1e-3, "{option}: contacts carry {listed}");
        // the block is pressed together as its stiffness says: W L / (E A), or less where friction holds its
        // ends
        let heights = || world.body(0).expect("the block").particles().position.iter().map(|x| x.z);
        let layer = |low: f64, high: f64| {
            let (count, sum) =
                heights().filter(|z| (low..high).contains(z)).fold((0.0, 0.0), |(n, s), z| (n + 1.0, s + z));
            sum / count
        };
        let pressed = 0.1 - (layer(0.08, 0.2) - layer(-0.02, 0.02));
        let expected = (weight + 0.5 * 0.5 * 9.81) * 0.1 / (3e4 * 0.01);
        assert!(
            pressed > 0.5 * expected && pressed < 1.1 * expected,
            "{option}: {pressed} against {expected}"
        );
    }
}

#[test]
fn internal_constraints_hold_under_a_load() {
    // a nearly incompressible block under a box of twice its weight per area: E ε = p, ΔV/V = p (1 − 2ν) / E
    let bodies = "<geom type='plane' size='1 1 1'/>
        <body pos='0 0 .121'><freejoint/><geom type='box' size='.06 .06 .02' mass='.5'/></body>";
    let model = model("", bodies);
    let mut data = Data::new(&model);
    let (young, poisson) = (5e4, 0.45);
    let material = Material { friction: 1.0, ..Material::new(young, poisson, 500.0).with_damping(2e-2) };
    let mut block = SoftBody::block([3, 3, 3], [0.1; 3], material).expect("a block");
    block.particles_mut().position.iter_mut().for_each(|x| x.z += 0.05);
    let (mesh, rest) = (block.mesh().clone(), block.particles().rest().to_vec());
    let edges = block.edges();
    let mut world = SoftWorld::default();
    world.add(block, XpbdSettings { drag: 2.0, ..XpbdSettings::default() });
    step(&mut world, &model, &mut data, 1.0);
    let x = &world.body(0).expect("the block").particles().position;
    let volume = |t: &[u32; 4]| {
        let [a, b, c, d] = t.map(|v| x[v as usize]);
        (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
    };
    let change = mesh.tetrahedra().iter().map(volume).sum::<f64>() / mesh.volume() - 1.0;
    let pressure = (0.5 + 0.5 * 0.5) * 9.81 / 0.01;
    let expected = pressure * (1.0 - 2.0 * poisson) / young;
    assert!((-2.0 * expected..0.0).contains(&change), "the volume changes by {change}, {expected} by theory");
    let strain = edges.iter().fold(0.0, |most: f64, [a, b]| {
        let (a, b) = (*a as usize, *b as usize);
        most.max(((x[a] - x[b]).norm() / (rest[a] - rest[b]).norm() - 1.0).abs())
    });
    // four vertices at the corners of the box carry more than the mean
    assert!(
        strain < 4.0 * pressure / young,
        "an edge is strained by {strain}, the mean is {}",
        pressure / young
    );
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

#[test]
fn an_attached_body_swings_with_what_hangs_on_it() {
    // a ball on a sheet's corner: both fall together, and the sheet's weight counts
    for option in options() {
        for bodies in [
            "<body name='b' pos='0 0 .5'><joint type='slide' axis='0 0 1'/><geom size='.05' mass='.1'/></body>",
            "<body name='b' pos='0 0 .5'><freejoint/><geom size='.05' mass='.1'/></body>",
        ] {
            let model = model(&option, bodies);
            let mut data = Data::new(&model);
            data.forward(&model).expect("an evaluation");
            let mut cloth = Cloth::grid([4, 4], [0.2, 0.2], ClothPreset::Membrane).expect("a cloth");
            cloth.particles_mut().position.iter_mut().for_each(|x| x.z += 0.3);
            let mass: f64 = cloth.particles().mass().iter().sum();
            let mut world = SoftWorld::default();
            let cloth = world.add(cloth, XpbdSettings::default());
            world.attach_to_body((cloth, 12), &model, &data, 1).expect("an attachment");
            let steps = 100;
            for _ in 0..steps {
                world.step(&model, &mut data).expect("the step succeeds");
            }
            // no constraint holds them up: momentum is that of free fall
            let speed = if model.nv == 1 { data.qvel[0] } else { data.qvel[2] };
            let momentum = world.body(cloth).expect("a cloth").particles().momentum().z + 0.1 * speed;
            let expected = -9.81 * 0.002 * f64::from(steps) * (0.1 + mass);
            assert!((momentum / expected - 1.0).abs() < 1e-9, "{option}: {momentum} against {expected}");
        }
    }
}

#[test]
fn a_block_that_is_attached_by_its_upper_side_hangs_on_a_spring() {
    // nine of 27 vertices are fixed to a plate, the others are free: the spring carries plate and block
    let bodies =
        "<body name='plate' pos='0 0 .5'><joint type='slide' axis='0 0 1' stiffness='100' damping='4'/>
        <geom type='box' size='.05 .05 .01' mass='.1' contype='0' conaffinity='0'/></body>";
    let model = model("", bodies);
    let mut data = Data::new(&model);
    data.forward(&model).expect("an evaluation");
    let material = Material::new(2e4, 0.3, 500.0).with_damping(1e-2);
    let mut block = SoftBody::block([2; 3], [0.08; 3], material).expect("a block");
    block.particles_mut().position.iter_mut().for_each(|x| x.z += 0.45);
    let (mass, start) = (block.particles().mass().iter().sum::<f64>(), block.particles().position.to_vec());
    let mut world = SoftWorld::default();
    let block = world.add(block, XpbdSettings { drag: 2.0, ..XpbdSettings::default() });
    let top: Vec<usize> = (0..start.len()).filter(|&v| start[v].z > 0.489).collect();
    assert_eq!(top.len(), 9);
    for &vertex in &top {
        world.attach_to_body((block, vertex), &model, &data, 1).expect("an attachment");
    }
    step(&mut world, &model, &mut data, 4.0);
    let sag = (0.1 + mass) * 9.81 / 100.0;
    assert!((data.qpos[0] / -sag - 1.0).abs() < 1e-3, "{} against {}", data.qpos[0], -sag);
    let position = &world.body(block).expect("a block").particles().position;
    for &vertex in &top {
        let expected = start[vertex] + Vec3::new(0.0, 0.0, data.qpos[0]);
        assert!((position[vertex] - expected).norm() < 1e-6, "vertex {vertex} stays on the plate");
    }
    // the free ones hang below where a rigid block had them: ρ g L² / 2E of a rod, more or less
    let stretch = |v: usize| data.qpos[0] - (position[v].z - start[v].z);
    let lowest = (0..start.len()).filter(|&v| start[v].z < 0.411).map(stretch).fold(0.0, f64::max);
    let rod = 500.0 * 9.81 * 0.08 * 0.08 / (2.0 * 2e4);
    assert!(lowest > 0.7 * rod && lowest < 1.3 * rod, "{lowest} against {rod}");
}

/// A plate on a spring that carries a rope and a block, beside its middle, on a body that a sensor weighs.
#[test]
fn sensors_feel_the_pull_of_attached_vertices() {
    let bodies = "<body pos='0 0 1'><joint name='z' type='slide' axis='0 0 1' stiffness='200' damping='4'/>
          <geom size='.02' mass='.1'/>
          <body name='hand'><geom type='box' size='.2 .02 .01' mass='.3'/>
            <site name='s'/><site name='right' pos='.2 0 0'/></body></body>";
    for solver in ["Newton", "PGS"] {
        let text = format!(
            "<mujoco><option solver='{solver}'/><worldbody>{bodies}</worldbody>
             <sensor><force site='s'/><torque site='s'/></sensor></mujoco>"
        );
        let model = kinetree_spec::load_model_str(&text).expect("a model");
        let mut data = Data::new(&model);
        data.forward(&model).expect("poses");
        let mut world = SoftWorld::default();
        let settings = XpbdSettings { drag: 4.0, ..XpbdSettings::default() };
        let ends = (Vec3::new(0.2, 0.0, 1.0), Vec3::new(0.2, 0.0, 0.6));
        let rope = CapsuleChain::straight(ends.0, ends.1, 8, ChainPreset::Rope).expect("a rope");
        let mut soft = SoftBody::block([2; 3], [0.1; 3], MaterialPreset::Foam).expect("a block");
        soft.particles_mut().position.iter_mut().for_each(|x| *x += Vec3::new(-0.1, 0.0, 0.95));
        let weight = |body: &dyn DeformableBody| 9.81 * body.particles().mass().iter().sum::<f64>();
        let [of_rope, of_block] = [weight(&rope), weight(&soft)];
        let (rope, soft) = (world.add(rope, settings), world.add(soft, settings));
        world.attach_to_site((rope, 0), &model, 1).expect("an attachment");
        for vertex in 0..27 {
            if world.body(soft).expect("a block").particles().position[vertex].z > 0.99 {
                world.attach_to_body((soft, vertex), &model, &data, 2).expect("an attachment");
            }
        }
        step(&mut world, &model, &mut data, 5.0);
        let expected = 0.3 * 9.81 + of_rope + of_block;
        assert!((data.sensordata[2] / expected - 1.0).abs() < 1e-3, "{} N", data.sensordata[2]);
        // torque of the parent about the axis y, which balances both weights
        let expected = 0.1 * of_block - 0.2 * of_rope;
        assert!(
            (data.sensordata[4] / expected - 1.0).abs() < 2e-3,
            "{} against {expected}",
            data.sensordata[4]
        );
        // [torque, force] on the hand by the outside world, about the centre of mass of the tree
        let pull = data.cfrc_ext[2];
        assert!((pull[5] / -(of_rope + of_block) - 1.0).abs() < 2e-3, "{pull:?}");
    }
}

/// While everything moves, all forces on a body together make its momentum.
#[test]
fn the_pull_of_attached_vertices_balances_momentum() {
    let bodies = "<body pos='0 0 1'><freejoint/><geom size='.05' mass='.2'/><site name='s'/></body>";
    let text = format!("<mujoco><worldbody>{bodies}</worldbody><sensor><force site='s'/></sensor></mujoco>");
    let model = kinetree_spec::load_model_str(&text).expect("a model");
    let mut data = Data::new(&model);
    data.forward(&model).expect("poses");
    let mut world = SoftWorld::default();
    let mut cloth = Cloth::grid([4, 4], [0.2; 2], ClothPreset::Leather).expect("a cloth");
    cloth.particles_mut().position.iter_mut().for_each(|x| *x += Vec3::new(0.1, 0.1, 1.0));
    let cloth = world.add(cloth, XpbdSettings::default());
    world.attach_to_body((cloth, 0), &model, &data, 1).expect("an attachment");
    data.qvel[0] = -1.0;
    let mut most = 0.0_f64;
    for _ in 0..100 {
        let before = Vec3::from_column_slice(&data.qvel[..3]);
        world.step(&model, &mut data).expect("the step succeeds");
        let change = (Vec3::from_column_slice(&data.qvel[..3]) - before) / model.opt.timestep;
        let pull = Vec3::from_column_slice(&data.cfrc_ext[1][3..]);
        let expected = 0.2 * (change + Vec3::new(0.0, 0.0, 9.81));
        assert!((pull - expected).norm() < 1e-9 * (1.0 + expected.norm()), "{pull} against {expected}");
        most = most.max(pull.norm());
        // nothing but the joint, which is free, holds the body
        assert!(data.sensordata.iter().all(|force| force.abs() < 1e-9), "{:?}", data.sensordata);
    }
    assert!(most > 0.5, "the cloth pulls with {most} N");
}

#[test]
fn sensors_of_what_holds_pinned_vertices_are_refused() {
    let fixed = "<body><geom size='.05' mass='.1'/><site name='s'/></body>";
    let below = "<body><freejoint/><geom size='.05' mass='.1'/><site name='s'/></body>
        <body><geom size='.05' mass='.1'/><site name='t'/></body>";
    for (bodies, sensor, site, refused) in [
        (fixed, "force", 0, true),
        (fixed, "torque", 0, true),
        (fixed, "accelerometer", 0, false),
        (below, "force", 1, false),
    ] {
        let text =
            format!("<mujoco><worldbody>{bodies}</worldbody><sensor><{sensor} site='s'/></sensor></mujoco>");
        let model = kinetree_spec::load_model_str(&text).expect("a model");
        let mut data = Data::new(&model);
        let mut world = SoftWorld::default();
        let cloth = Cloth::grid([2, 2], [0.1; 2], ClothPreset::Silk).expect("a cloth");
        let cloth = world.add(cloth, XpbdSettings::default());
        world.step(&model, &mut data).expect("nothing is attached");
        world.attach_to_site((cloth, 0), &model, site).expect("an attachment");
        let result = world.step(&model, &mut data);
        assert_eq!(result.is_err(), refused, "{sensor}: {result:?}");
        let Err(error) = result else { continue };
        assert!(error.to_string().starts_with("unsupported: "), "{error}");
    }
}

/// Vertices that are attached many edges away arrive, and nothing is torn.
#[test]
fn vertices_come_from_afar() {
    let bodies = "<body pos='0 0 1'><joint type='slide' axis='0 0 1' stiffness='500' damping='10'/>
        <geom size='.05' mass='1' contype='0' conaffinity='0'/><site name='moving' pos='0 .1 0'/></body>
        <site name='fixed' pos='.5 0 1'/>";
    let model = model("", bodies);
    for site in 0..2 {
        let ends = (Vec3::new(0.0, 0.1, 0.0), Vec3::new(0.2, 0.1, 0.0));
        let settings = XpbdSettings { drag: 5.0, ..XpbdSettings::default() };
        let cloth = |preset| Cloth::grid([4, 4], [0.1; 2], preset).expect("a cloth");
        let block = |preset| SoftBody::block([2; 3], [0.05; 3], preset).expect("a block");
        let rope = || CapsuleChain::straight(ends.0, ends.1, 8, ChainPreset::Rope).expect("a rope");
        for index in 0..5 {
            let (mut world, mut data) = (SoftWorld::default(), Data::new(&model));
            let soft = match index {
                0 => world.add(cloth(ClothPreset::Silk), settings),
                1 => world.add(cloth(ClothPreset::Membrane), settings),
                2 => world.add(block(SoftBodyPreset::Gelatin), settings),
                3 => world.add(block(SoftBodyPreset::Rubber), settings),
                _ => world.add(rope(), settings),
            };
            world.attach_to_site((soft, 0), &model, site).expect("an attachment");
            step(&mut world, &model, &mut data, 2.0);
            let particles = world.body(soft).expect("a body").particles();
            let place = Vec3::from(data.site_xpos[site]);
            let away = (particles.position[0] - place).norm();
            assert!(away < 1e-2, "body {index} on site {site} is {away} m away");
            let speed = particles.velocity.iter().map(Vec3::norm).fold(0.0, f64::max);
            let reach = particles.position.iter().map(|x| (x - place).norm()).fold(0.0, f64::max);
            assert!(speed < 3.0 && reach < 0.5, "body {index} on site {site}: {speed} m/s, {reach} m");
        }
    }
}

#[test]
fn sites_at_infinity_hold_no_vertices() {
    let bodies = "<body><freejoint/><geom size='.05'/><site name='s' pos='inf 0 .05'/></body>";
    let model = model("", bodies);
    let mut world = SoftWorld::default();
    let cloth = world
        .add(Cloth::grid([2, 2], [0.1; 2], ClothPreset::Silk).expect("a cloth"), XpbdSettings::default());
    let error = world.attach_to_site((cloth, 3), &model, 0).expect_err("there is no such place");
    assert_eq!(error.to_string(), "the position of attached vertex 3 is not a finite number");
    world.step(&model, &mut Data::new(&model)).expect("nothing is attached");
}

#[test]
fn time_steps_must_be_positive() {
    let mut model = model("", "<body><freejoint/><geom size='.05'/></body>");
    model.opt.timestep = -1.0;
    let mut world = SoftWorld::default();
    world.add(Cloth::grid([2, 2], [0.1; 2], ClothPreset::Silk).expect("a cloth"), XpbdSettings::default());
    let error = world.step(&model, &mut Data::new(&model)).expect_err("time goes forward");
    assert!(error.to_string().contains("the time step is -1"), "{error}");
}

#[test]
fn states_are_saved_restored_and_reset() {
    let bodies = "<geom type='plane' size='1 1 1'/>
        <body pos='0 0 .125'><freejoint/><geom type='box' size='.06 .06 .02' mass='.2'/></body>";
    let model = model("", bodies);
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    world.add(block(), XpbdSettings::default());
    let ends = (Vec3::new(0.3, 0.0, 0.1), Vec3::new(0.3, 0.2, 0.2));
    let rope = CapsuleChain::straight(ends.0, ends.1, 6, ChainPreset::SoftCable).expect("a rope");
    world.add(rope, XpbdSettings::default());
    let start = world.state(&model, &data).expect("a state");
    step(&mut world, &model, &mut data, 0.06);
    let middle = world.state(&model, &data).expect("a state");
    step(&mut world, &model, &mut data, 0.06);
    let end = world.state(&model, &data).expect("a state");
    world.set_state(&model, &mut data, &middle).expect("the state fits");
    assert_eq!(world.state(&model, &data).expect("a state"), middle);
    step(&mut world, &model, &mut data, 0.06);
    assert_eq!(world.state(&model, &data).expect("a state"), end, "the same bits again");
    world.reset(&model, &mut data).expect("a reset");
    assert_eq!(world.state(&model, &data).expect("a state"), start);
    let error = world.set_state(&model, &mut data, &middle[1..]).expect_err("it is too short");
    assert!(error.to_string().contains("the state has"), "{error}");
}

#[test]
fn what_is_not_there_cannot_be_attached() {
    let model = model("", "<body><freejoint/><geom size='.1'/></body>");
    let data = Data::new(&model);
    let mut world = SoftWorld::default();
    let cloth = Cloth::grid([1, 1], [0.1; 2], ClothPreset::Silk).expect("a cloth");
    let cloth = world.add(cloth, XpbdSettings::default());
    for (index, vertex, body, message) in [
        (1, 0, 1, "there is no deformable body 1: there are 1"),
        (cloth, 4, 1, "there is no vertex 4: there are 4"),
        (cloth, 0, 2, "there is no body of the model 2: there are 2"),
    ] {
        let error = world.attach_to_body((index, vertex), &model, &data, body).expect_err("it is not there");
        assert_eq!(error.to_string(), message);
    }
    let error = world.attach_to_site((cloth, 0), &model, 0).expect_err("there is no site");
    assert_eq!(error.to_string(), "there is no site 0: there are 0");
}

#[test]
fn integrators_of_several_evaluations_are_refused() {
    let model = model("integrator='RK4'", "<body><freejoint/><geom size='.1'/></body>");
    let mut world = SoftWorld::default();
    world.add(block(), XpbdSettings::default());
    let error = world.step(&model, &mut Data::new(&model)).expect_err("RK4");
    assert!(error.to_string().starts_with("unsupported: "), "{error}");
}

#[test]
fn a_block_that_carries_a_box_stays_awake() {
    let bodies = "<geom type='plane' size='1 1 1'/>
        <body pos='0 0 .121'><freejoint/><geom type='box' size='.06 .06 .02' mass='.2'/></body>";
    let model = model("", bodies);
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    let sleep = Some(SleepSettings { speed: 2e-3, time: 0.1 });
    world.add(block(), XpbdSettings { drag: 2.0, sleep, ..XpbdSettings::default() });
    step(&mut world, &model, &mut data, 1.5);
    assert!(!world.is_asleep(0));
    assert!((lift(&data) / (0.2 * 9.81) - 1.0).abs() < 1e-3, "carried by {}", lift(&data));
}
