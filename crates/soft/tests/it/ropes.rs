//! Ropes that pull and push on bodies of a model.

use kinetree_model::{Data, Model};
use kinetree_soft::{
    CapsuleChain, ChainPreset, ChainSection, Cloth, ClothPreset, DeformableBody, Material, SoftWorld, Vec3,
    XpbdSettings,
};

fn model(option: &str, bodies: &str) -> Model {
    let text = format!("<mujoco><option {option}/><worldbody>{bodies}</worldbody></mujoco>");
    kinetree_spec::load_model_str(&text).expect("the model compiles")
}

fn step(world: &mut SoftWorld, model: &Model, data: &mut Data, time: f64) {
    let end = data.time + time;
    while data.time < end {
        world.step(model, data).expect("the step succeeds");
    }
}

fn damped() -> XpbdSettings {
    XpbdSettings { drag: 2.0, ..XpbdSettings::default() }
}

fn mass(body: &dyn DeformableBody) -> f64 {
    body.particles().mass().iter().sum()
}

/// A rope from the origin down, pinned at its upper end.
fn hanging(length: f64, preset: ChainPreset) -> CapsuleChain {
    let end = Vec3::new(0.0, 0.0, -length);
    let mut rope = CapsuleChain::straight(Vec3::zeros(), end, 12, preset).expect("a rope");
    rope.particles_mut().pin(0).expect("an end");
    rope
}

#[test]
fn a_rope_carries_a_weight() {
    // weights from a third of the rope's to a thousand times as much
    for (preset, weight) in [
        (ChainPreset::Rope, 0.015),
        (ChainPreset::Rope, 0.3),
        (ChainPreset::Rope, 30.0),
        (ChainPreset::SteelCable, 1.0),
        (ChainPreset::SoftCable, 0.05),
        (ChainPreset::Hair, 1e-4),
        (ChainPreset::Chain, 2.0),
    ] {
        let body = format!(
            "<body pos='0 0 -.5'><freejoint/><geom size='.05' mass='{weight}'/><site pos='0 0 .05'/></body>"
        );
        let model = model("", &body);
        let mut data = Data::new(&model);
        let mut world = SoftWorld::default();
        let rope = world.add(hanging(0.45, preset), damped());
        world.attach_to_site((rope, 12), &model, 0).expect("an attachment");
        step(&mut world, &model, &mut data, 2.0);
        // the site is where an elastic rope under the weight ends
        let section = preset.section();
        let stiffness = preset.material().young * section.area();
        let own = 0.5 * mass(world.body(rope).expect("a rope"));
        let stretch = 0.45 * (weight + own) * 9.81 / stiffness;
        let depth = -(data.site_xpos[0][2] + 0.45);
        assert!(
            (depth - stretch).abs() < 1e-3 * stretch + 1e-6,
            "{preset:?}, {weight} kg: {depth} of {stretch}"
        );
        assert!(data.qvel.iter().all(|v| v.abs() < 1e-3), "{preset:?}, {weight} kg rests: {:?}", data.qvel);
        // the mean acceleration over a step is that of nothing: the rope pulls with the weight
        let missing = data.qacc[2] / 9.81;
        assert!(
            missing.abs() < 1e-3,
            "{preset:?}, {weight} kg: the tension differs by {missing} of the weight"
        );
    }
}

#[test]
fn a_rope_holds_a_lever() {
    // a lever on a hinge, its end held up by a rope at a right angle: T L = m g L/2
    let bodies = "<body pos='-.3 0 -.4'><joint type='hinge' axis='0 1 0'/>
        <geom type='capsule' fromto='0 0 0 .3 0 0' size='.01' mass='.5'/><site pos='.3 0 0'/></body>";
    for solver in ["Newton", "CG", "PGS"] {
        let model = model(&format!("solver='{solver}'"), bodies);
        let mut data = Data::new(&model);
        let mut world = SoftWorld::default();
        let rope = world.add(hanging(0.4, ChainPreset::Rope), damped());
        world.attach_to_site((rope, 12), &model, 0).expect("an attachment");
        step(&mut world, &model, &mut data, 2.0);
        let missing = data.qacc[0] / (0.5 * 9.81 * 0.15 / (0.5 * 0.3 * 0.3 / 3.0));
        assert!(missing.abs() < 1e-3, "{solver}: the moment differs by {missing}");
        assert!(
            data.qpos[0].abs() < 1e-3 && data.qvel[0].abs() < 1e-4,
            "{solver}: {} {}",
            data.qpos[0],
            data.qvel[0]
        );
    }
}

#[test]
fn a_thick_rope_of_short_segments_bends_as_its_material_says() {
    // a beam clamped at one end, whose segments are a quarter of its thickness long: what lies so near along
    // it does not touch: contacts would cost more than all else, and stiffen each bend
    let model = model("timestep='.005'", "");
    let tip = |self_contact: bool, segments: usize| {
        let mut data = Data::new(&model);
        let section = ChainSection::solid(0.01);
        let points = (0..=segments).map(|k| Vec3::new(0.3 * k as f64 / segments as f64, 0.0, 0.0));
        let mut beam =
            CapsuleChain::new(points.collect(), section, Material::new(1e7, 0.3, 1000.0)).expect("a beam");
        beam.clamp_start();
        let mut world = SoftWorld::default();
        world.add(beam, XpbdSettings { self_contact, drag: 4.0, ..XpbdSettings::default() });
        step(&mut world, &model, &mut data, 2.0);
        world.body(0).expect("a beam").particles().position[segments].z
    };
    let alone = tip(false, 60);
    assert!(alone < -0.02, "it sags by {alone}");
    assert_eq!(tip(true, 60), alone);
    let coarse = tip(true, 8);
    assert!((alone / coarse - 1.0).abs() < 0.1, "{alone} and with long segments {coarse}");
}

#[test]
fn several_ropes_share_a_load() {
    // a swing on four ropes
    let bodies = "<body pos='0 0 -.4'><freejoint/><geom type='box' size='.2 .1 .01' mass='4'/>
        <site pos='.2 .1 0'/><site pos='-.2 .1 0'/><site pos='.2 -.1 0'/><site pos='-.2 -.1 0'/></body>";
    let model = model("", bodies);
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    for (site, (x, y)) in [(0.2, 0.1), (-0.2, 0.1), (0.2, -0.1), (-0.2, -0.1)].into_iter().enumerate() {
        let from = Vec3::new(x, y, 0.0);
        let mut rope =
            CapsuleChain::straight(from, from - 0.4 * Vec3::z(), 10, ChainPreset::Rope).expect("a rope");
        rope.particles_mut().pin(0).expect("an end");
        let rope = world.add(rope, damped());
        world.attach_to_site((rope, 10), &model, site).expect("an attachment");
    }
    step(&mut world, &model, &mut data, 1.0);
    assert!(data.qacc[2].abs() < 1e-3 * 9.81, "{:?}", data.qacc);
    assert!((data.qpos[2] + 0.4).abs() < 1e-3 && data.qvel[2].abs() < 1e-3, "{:?}", data.qpos);
}

#[test]
fn a_rope_gives_as_much_momentum_as_it_takes() {
    // two balls at the ends of a rope fly apart until it is taut
    let bodies = "<body pos='-.2 0 0'><freejoint/><geom size='.02' mass='.1'/><site/></body>
        <body pos='.2 0 0'><freejoint/><geom size='.02' mass='.3'/><site/></body>";
    let model = model("gravity='0 0 0'", bodies);
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    // slack: an arc between them
    let points = (0..=16).map(|k| {
        let along = f64::from(k) / 16.0;
        Vec3::new(0.4 * along - 0.2, 0.6 * along * (1.0 - along), 0.0)
    });
    let preset = ChainPreset::Rope;
    let rope = CapsuleChain::new(points.collect(), preset.section(), preset.material()).expect("a rope");
    let rope = world.add(rope, XpbdSettings::default());
    world.attach_to_site((rope, 0), &model, 0).expect("an attachment");
    world.attach_to_site((rope, 16), &model, 1).expect("an attachment");
    data.qvel[0] = -1.0;
    let momentum = |world: &SoftWorld, data: &Data| {
        let of = |k: usize, m: f64| m * Vec3::new(data.qvel[k], data.qvel[k + 1], data.qvel[k + 2]);
        world.body(rope).expect("a rope").particles().momentum() + of(0, 0.1) + of(6, 0.3)
    };
    let before = 0.1 * Vec3::new(-1.0, 0.0, 0.0);
    step(&mut world, &model, &mut data, 0.5);
    let after = momentum(&world, &data);
    assert!(data.qvel[0] > -0.9 && data.qvel[6] < -0.01, "the rope is taut: {:?}", data.qvel);
    assert!((after - before).norm() < 1e-12, "{before} became {after}");
}

#[test]
fn a_rope_lies_on_a_body_that_can_move() {
    let bodies = "<geom type='plane' size='1 1 1'/>
        <body pos='0 0 .05'><freejoint/><geom type='box' size='.1 .1 .05' mass='1'/></body>";
    let model = model("", bodies);
    let mut data = Data::new(&model);
    let (from, to) = (Vec3::new(-0.25, 0.0, 0.12), Vec3::new(0.25, 0.0, 0.12));
    let rope = CapsuleChain::straight(from, to, 20, ChainPreset::Rope).expect("a rope");
    let weight = mass(&rope) * 9.81;
    let mut world = SoftWorld::default();
    let rope = world.add(rope, damped());
    step(&mut world, &model, &mut data, 1.0);
    // where it bends over the edges it trembles: its energy is a few microjoules, and now and then more
    let energy = (0..50).map(|_| {
        step(&mut world, &model, &mut data, 0.01);
        world.body(rope).expect("a rope").particles().kinetic_energy()
    });
    let energy = energy.sum::<f64>() / 50.0;
    assert!(energy < 1e-5, "it rests: {energy}");
    let particles = world.body(rope).expect("a rope").particles();
    // two vertices at the edges of the box carry it; between them it is bent upwards by its ends
    let above: Vec<f64> = particles.position.iter().filter(|x| x.x.abs() < 0.1).map(|x| x.z).collect();
    assert!(above.iter().all(|z| (0.1035..0.125).contains(z)), "{above:?}");
    assert!(particles.position[0].z < 0.06, "its ends hang down: {}", particles.position[0]);
    // what the box feels is its own weight: floor and rope together
    assert!((data.qfrc_constraint[2] / 9.81 - 1.0).abs() < 1e-3 * weight, "{}", data.qfrc_constraint[2]);
}

#[test]
fn a_leather_sheet_carries_a_weight() {
    let bodies = "<body pos='0 0 -.33'><freejoint/><geom size='.03' mass='.2'/><site pos='0 0 .03'/></body>";
    let model = model("", bodies);
    let mut data = Data::new(&model);
    let mut sheet = Cloth::grid([2, 6], [0.1, 0.3], ClothPreset::Leather).expect("a sheet");
    for x in &mut sheet.particles_mut().position {
        *x = Vec3::new(x.x, 0.0, x.y - 0.15);
    }
    for vertex in 18..21 {
        sheet.particles_mut().pin(vertex).expect("a vertex");
    }
    let mut world = SoftWorld::default();
    let sheet = world.add(sheet, damped());
    world.attach_to_site((sheet, 1), &model, 0).expect("an attachment");
    step(&mut world, &model, &mut data, 1.0);
    assert!(data.qacc[2].abs() < 1e-3 * 9.81, "the pull differs: {:?}", data.qacc);
    assert!(data.qvel.iter().all(|v| v.abs() < 1e-3), "{:?}", data.qvel);
}
