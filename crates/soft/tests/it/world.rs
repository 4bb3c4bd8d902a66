//! Deformable bodies on the geoms of a model.

use kinetree_collide::ContactPoint;
use kinetree_model::{Data, Model};
use kinetree_sim::geom_pose;
use kinetree_soft::{
    CapsuleChain, ChainPreset, Cloth, ClothPreset, DeformableBody, Material, SoftBody, SoftWorld, Vec3,
    XpbdSettings,
};

fn model(geoms: &str) -> Model {
    let assets = "<asset>
        <mesh name='tent' vertex='-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  0 0 1' scale='.1 .1 .1'/>
        <mesh name='slab' scale='.3 .3 .1'
          vertex='-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  -1 -1 1  1 -1 1  1 1 1  -1 1 1'/>
        <hfield name='hill' nrow='3' ncol='3' size='.3 .3 .1 .1' elevation='0 0 0 0 1 0 0 0 0'/>
      </asset>";
    let text = format!("<mujoco>{assets}<worldbody>{geoms}</worldbody></mujoco>");
    kinetree_spec::load_model_str(&text).expect("a model")
}

fn raised(mut body: impl DeformableBody + 'static, height: f64) -> impl DeformableBody + 'static {
    body.particles_mut().position.iter_mut().for_each(|x| x.z += height);
    body
}

fn run(model: &Model, world: &mut SoftWorld, time: f64) -> Data {
    let mut data = Data::new(model);
    while data.time < time {
        world.step(model, &mut data).expect("the step succeeds");
    }
    data
}

fn damped() -> XpbdSettings {
    XpbdSettings { drag: 2.0, ..XpbdSettings::default() }
}

#[test]
fn cloth_comes_to_rest_on_a_sphere_without_passing_through() {
    // the few vertices at the top carry the others: contacts stiffer than the defaults keep them within a
    // millimetre
    let model = model(
        "<geom type='sphere' size='.15' friction='1' priority='1' solref='.005 1' solimp='.95 .99 .001'/>
         <geom type='plane' pos='0 0 -.3' size='2 2 1'/>",
    );
    let cloth = Cloth::grid([16, 16], [0.5, 0.5], ClothPreset::Membrane).expect("a cloth");
    let mut world = SoftWorld::default();
    world.add(raised(cloth, 0.17), XpbdSettings { drag: 5.0, ..damped() });
    run(&model, &mut world, 3.0);
    let particles = world.body(0).expect("a body").particles();
    let nearest = particles.position.iter().fold(1.0, |least: f64, x| least.min(x.norm()));
    assert!(nearest > 0.149, "a vertex is {nearest} from the centre");
    let lowest = particles.position.iter().fold(1.0, |least: f64, x| least.min(x.z));
    assert!(lowest < 0.0 && lowest > -0.301, "it hangs down to {lowest}");
    // folds may still snap, but what it had from its fall (20 mJ) is gone
    let energy = particles.kinetic_energy();
    assert!(energy < 1e-5, "it rests, but for {energy} J");
    assert!(particles.position.iter().any(|x| x.z > 0.149), "and has not slid off");
}

#[test]
fn bodies_rest_on_every_kind_of_geom() {
    let geoms = [
        "<geom type='plane' size='1 1 1'/>",
        "<geom type='box' size='.3 .3 .1' pos='0 0 -.1'/>",
        "<geom type='ellipsoid' size='.3 .3 .1' pos='0 0 -.1'/>",
        "<geom type='cylinder' size='.3 .1' pos='0 0 -.1'/>",
        "<geom type='capsule' size='.1 .1' zaxis='1 0 0' pos='0 0 -.1'/>",
        "<geom type='mesh' mesh='tent' quat='0 1 0 0'/>",
        "<geom type='hfield' hfield='hill'/>",
        "<body mocap='true'><geom type='box' size='.3 .3 .1' pos='0 0 -.1'/></body>",
        "<geom type='sdf' mesh='slab' pos='0 0 -.1'/>",
    ];
    for geom in geoms {
        let model = model(geom);
        let material = Material { friction: 2.0, ..Material::new(2e4, 0.3, 500.0).with_damping(5e-3) };
        let block = SoftBody::block([2, 2, 2], [0.06; 3], material).expect("a block");
        let rope = CapsuleChain::straight(
            Vec3::new(-0.03, 0.0, 0.0),
            Vec3::new(0.03, 0.0, 0.0),
            4,
            ChainPreset::SoftCable,
        );
        let mut world = SoftWorld::default();
        world.add(raised(block, 0.2), damped());
        world.add(raised(rope.expect("a rope"), 0.2), damped());
        let mut data = Data::new(&model);
        let mut lowest = f64::INFINITY;
        while data.time < 0.6 {
            world.step(&model, &mut data).expect("the step succeeds");
        }
        for body in world.bodies() {
            let heights = body.particles().position.iter().map(|x| x.z);
            lowest = heights.fold(lowest, f64::min);
        }
        assert!(lowest > -0.08, "{geom}: fell through to {lowest}");
    }
}

#[test]
fn cloth_comes_to_rest_on_a_distance_field() {
    // a ring of 0.35 m with a thickness of 0.15 m, the defaults of the plugin
    let text = "<mujoco><extension><plugin plugin='mujoco.sdf.torus'/></extension>
        <asset><mesh name='ring'><plugin plugin='mujoco.sdf.torus'/></mesh></asset>
        <worldbody><geom type='sdf' mesh='ring' quat='1 0 0 0' friction='1' solref='.005 1' solimp='.95 .99 .001'>
          <plugin plugin='mujoco.sdf.torus'/></geom></worldbody></mujoco>";
    let model = kinetree_spec::load_model_str(text).expect("a model");
    let field = model.plugins.field(model.geom_plugin[0] as usize).expect("a field");
    let cloth = Cloth::grid([12, 12], [0.9, 0.9], ClothPreset::Membrane).expect("a cloth");
    let mut world = SoftWorld::default();
    let cloth = world.add(raised(cloth, 0.17), XpbdSettings { drag: 5.0, ..damped() });
    let data = run(&model, &mut world, 1.0);
    let (pose, particles) = (geom_pose(&data, 0), world.body(cloth).expect("a body").particles());
    let depth = |x: &Vec3| field.distance(&pose.mat.tr_mul(&(x - pose.pos)));
    let nearest = particles.position.iter().map(depth).fold(1.0, f64::min);
    assert!(nearest > -1e-3, "a vertex is {nearest} deep inside");
    assert!(nearest < 1e-3, "it lies on the ring");
    assert!(particles.position.iter().any(|x| x.z > 0.14), "at its top, and has not fallen through");
}

#[test]
fn a_block_at_rest_is_carried_by_the_floor() {
    // the floor gives as much momentum as gravity takes: none is gained at rest
    let model = model(
        "<geom type='plane' size='1 1 1' priority='1' friction='0' solref='.004 1' solimp='.99 .999 .001'/>",
    );
    let material = Material::new(2e4, 0.3, 500.0).with_damping(1e-2);
    let block = SoftBody::block([3, 3, 3], [0.1; 3], material).expect("a block");
    let side = |z: f64| -> Vec<usize> {
        let position = &block.particles().position;
        (0..position.len()).filter(|&v| (position[v].z - z).abs() < 1e-9).collect()
    };
    let (bottom, top) = (side(-0.05), side(0.05));
    let mut world = SoftWorld::default();
    world.add(raised(block, 0.05), damped());
    run(&model, &mut world, 1.5);
    let particles = world.body(0).expect("a body").particles();
    let mass: f64 = particles.mass().iter().sum();
    assert!(particles.momentum().norm() < 1e-3 * mass * 9.81 * 0.002, "{}", particles.momentum());
    let mean =
        |side: &[usize]| side.iter().map(|&v| particles.position[v].z).sum::<f64>() / side.len() as f64;
    let height = mean(&top) - mean(&bottom);
    // a column that stands freely under its weight is shorter by ρ g L² / (2 E)
    let shorter = 500.0 * 9.81 * 0.1 * 0.1 / (2.0 * 2e4);
    assert!(((0.1 - height) / shorter - 1.0).abs() < 0.05, "pressed together to {height}");
}

#[test]
fn friction_holds_a_cloth_on_a_slope_up_to_its_angle() {
    for (friction, slides) in [(0.3, true), (0.8, false)] {
        // a slope of 30°: it holds above tan 30° = 0.577
        let slope = format!("<geom type='plane' size='1 1 1' euler='0 30 0' friction='{friction}'/>");
        let model = model(&slope);
        let material = Material { friction: 0.1, ..Material::new(1e5, 0.3, 1000.0) };
        let mesh = Cloth::grid([3, 3], [0.1; 2], ClothPreset::Membrane).expect("a cloth").mesh().clone();
        let mut cloth = Cloth::new(mesh, material, 1e-3).expect("a cloth");
        let (sin, cos) = 30f64.to_radians().sin_cos();
        for x in &mut cloth.particles_mut().position {
            *x = Vec3::new(x.x * cos, x.y, -x.x * sin) + 0.0005 * Vec3::new(sin, 0.0, cos);
        }
        let start = cloth.particles().position[0];
        let mut world = SoftWorld::default();
        world.add(cloth, XpbdSettings::default());
        let data = run(&model, &mut world, 0.5);
        let way = (world.body(0).expect("a body").particles().position[0] - start).norm();
        if slides {
            let expected = 0.5 * 9.81 * (sin - friction * cos) * data.time * data.time;
            assert!((way / expected - 1.0).abs() < 0.05, "{way} against {expected}");
        } else {
            assert!(way < 0.01, "{way}");
        }
    }
}

#[test]
fn a_world_without_bodies_steps_the_model_with_the_same_bits() {
    let model = model(
        "<body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body><geom type='plane' size='1 1 1'/>",
    );
    let (mut alone, mut beside) = (Data::new(&model), Data::new(&model));
    let mut world = SoftWorld::default();
    for _ in 0..300 {
        alone.step(&model).expect("the step succeeds");
        world.step(&model, &mut beside).expect("the step succeeds");
    }
    assert_eq!(alone.qpos[..], beside.qpos[..]);
}

#[test]
fn gains_of_contacts_are_those_of_constraint_rows() {
    for solref in ["0.02 1", "0.05 0.7", "-2000 -30"] {
        let geom = format!("<geom type='box' size='.1 .1 .1' solref='{solref}' solimp='.8 .97 .01 .4 3'/>");
        let text = format!("<body pos='0 0 .097'><freejoint/>{geom}</body><geom type='plane' size='1 1 1'/>");
        let model = model(&text);
        let mut data = Data::new(&model);
        data.forward(&model).expect("the evaluation succeeds");
        assert_eq!(data.contact.len(), 4);
        for contact in &data.contact {
            let [stiffness, damping, impedance, _] = data.efc_KBIP[contact.efc_address as usize];
            assert_eq!(kinetree_sim::contact_gains(&model, contact), [stiffness, damping, impedance]);
        }
    }
}

#[test]
fn points_bring_their_reference_unless_a_geom_has_priority() {
    let contact = |attributes: &str| {
        let model = model(&format!("<geom type='plane' size='1 1 1' {attributes}/>"));
        let at = ContactPoint { dist: -0.01, pos: Vec3::zeros(), normal: Vec3::z(), tangent: Vec3::x() };
        let found = kinetree_sim::point_contact(&model, 0, 0.5, &at, 0).expect("a contact");
        (found.solref, found.solimp)
    };
    let plain = contact("");
    for solref in ["0.05 0.7", "-2000 -30"] {
        assert_eq!(contact(&format!("solref='{solref}' solimp='.8 .97 .01 .4 3' solmix='1000'")), plain);
    }
    let own = contact("solref='-2000 -30' solimp='.8 .97 .01 .4 3' priority='1'");
    assert_eq!(own, ([-2000.0, -30.0], [0.8, 0.97, 0.01, 0.4, 3.0]));
}

/// What hangs over a ball or a box comes to rest, in steps that are long for so light a sheet: contacts have
/// the last word in a substep, and find what they hold before it is deep inside.
#[test]
fn draped_sheets_come_to_rest() {
    let ball = "<geom type='sphere' size='.25' pos='0 0 .25'/>";
    let cube = "<geom type='box' size='.2 .2 .25' pos='0 0 .25'/>";
    for geom in [ball, cube] {
        let model = kinetree_spec::load_model_str(&format!(
            "<mujoco><option timestep='.005'/><worldbody>{geom}</worldbody></mujoco>"
        ))
        .expect("a model");
        let (mut data, mut world) = (Data::new(&model), SoftWorld::default());
        let mut sheet = Cloth::grid([10, 10], [0.9, 0.9], ClothPreset::Silk).expect("a sheet");
        sheet.particles_mut().position.iter_mut().for_each(|x| x.z = 0.55);
        let sheet = world.add(sheet, XpbdSettings { drag: 1.0, ..XpbdSettings::default() });
        let (mut speed, mut deepest): (f64, f64) = (0.0, 0.0);
        for step in 0..800 {
            world.step(&model, &mut data).expect("the step succeeds");
            let particles = world.body(sheet).expect("the sheet").particles();
            if step >= 700 {
                speed += particles.velocity.iter().map(Vec3::norm).sum::<f64>() / particles.len() as f64;
                let depth = |x: &Vec3| 0.25 - (x - Vec3::new(0.0, 0.0, 0.25)).norm();
                deepest = particles.position.iter().map(depth).fold(deepest, f64::max);
            }
        }
        // 0.05 m/s and 1 mm, and no end of it, where contacts push only before the elastic corrections
        assert!(speed / 100.0 < 0.03, "{geom} mean speed {} m/s", speed / 100.0);
        assert!(geom == cube || deepest < 2e-4, "{geom} depth {deepest} m");
    }
}
