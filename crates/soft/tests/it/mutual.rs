//! Deformable bodies that touch each other, and themselves.

use crate::common::stir;
use kinetree_model::{Data, Model};
use kinetree_soft::{
    CapsuleChain, ChainPreset, Cloth, ClothPreset, DeformableBody, Material, SleepSettings, SoftBody,
    SoftWorld, Vec3, XpbdSettings,
};

fn model(option: &str, bodies: &str) -> Model {
    let text = format!("<mujoco><option {option}/><worldbody>{bodies}</worldbody></mujoco>");
    kinetree_spec::load_model_str(&text).expect("the model compiles")
}

/// A floor into which vertices that carry several blocks do not sink.
const HARD_FLOOR: &str =
    "<geom type='plane' size='1 1 1' priority='1' friction='1' solref='.004 1' solimp='.99 .999 .001'/>";

fn placed<B: DeformableBody>(mut body: B, by: Vec3) -> B {
    body.particles_mut().position.iter_mut().for_each(|x| *x += by);
    body
}

fn step(world: &mut SoftWorld, model: &Model, data: &mut Data, time: f64) {
    let end = data.time + time;
    while data.time < end {
        world.step(model, data).expect("the step succeeds");
    }
}

fn heights(world: &SoftWorld, index: usize) -> impl Iterator<Item = f64> + '_ {
    world.body(index).expect("a body").particles().position.iter().map(|x| x.z)
}

fn damped() -> XpbdSettings {
    XpbdSettings { drag: 2.0, ..XpbdSettings::default() }
}

fn block() -> SoftBody {
    let material = Material { friction: 1.0, ..Material::new(3e4, 0.3, 500.0).with_damping(2e-2) };
    SoftBody::block([2, 2, 2], [0.1; 3], material).expect("a block")
}

#[test]
fn a_cloth_is_caught_by_another_one() {
    let model = model("", "");
    let mut data = Data::new(&model);
    let mut net = Cloth::grid([12, 12], [0.4; 2], ClothPreset::Rubber).expect("a cloth");
    for vertex in 0..net.particles().len() {
        let x = net.particles().position[vertex];
        if x.x.abs().max(x.y.abs()) > 0.199 {
            net.particles_mut().pin(vertex).expect("a vertex");
        }
    }
    // the falling one is turned, so that no vertex lies above another
    let mut falling = Cloth::grid([7, 7], [0.2; 2], ClothPreset::Rubber).expect("a cloth");
    let (sin, cos) = 0.4_f64.sin_cos();
    for x in &mut falling.particles_mut().position {
        *x = Vec3::new(cos * x.x - sin * x.y, sin * x.x + cos * x.y, 0.05);
    }
    let mut world = SoftWorld::default();
    world.add(net, damped());
    world.add(falling, damped());
    for _ in 0..300 {
        world.step(&model, &mut data).expect("the step succeeds");
    }
    let deepest = heights(&world, 0).fold(0.0, f64::min);
    let lowest = heights(&world, 1).fold(1.0, f64::min);
    assert!(deepest > -0.15 && lowest > deepest - 1e-3, "{lowest} above {deepest}");
    let speed =
        world.body(1).expect("a cloth").particles().velocity.iter().fold(0.0, |v: f64, w| v.max(w.norm()));
    assert!(speed < 0.3, "it is caught: {speed}");
}

#[test]
fn momentum_goes_from_one_body_to_the_other() {
    let model = model("gravity='0 0 0'", "");
    let mut data = Data::new(&model);
    let soft = Material { friction: 0.0, ..Material::new(1e5, 0.3, 500.0) };
    let first = SoftBody::block([2, 2, 2], [0.1; 3], soft).expect("a block");
    let second = SoftBody::block([3, 3, 2], [0.1; 3], soft).expect("a block");
    let mut first = placed(first, Vec3::new(-0.08, 0.02, 0.01));
    first.particles_mut().velocity.fill(Vec3::new(1.0, 0.0, 0.0));
    let second = placed(second, Vec3::new(0.08, 0.0, 0.0));
    let mut world = SoftWorld::default();
    world.add(first, XpbdSettings::default());
    world.add(second, XpbdSettings::default());
    let sum = |world: &SoftWorld| {
        world.bodies().fold([Vec3::zeros(); 2], |[p, l], body| {
            [p + body.particles().momentum(), l + body.particles().angular_momentum()]
        })
    };
    let energy =
        |world: &SoftWorld| world.bodies().map(|body| body.particles().kinetic_energy()).sum::<f64>();
    let (before, start) = (sum(&world), energy(&world));
    step(&mut world, &model, &mut data, 0.3);
    let after = sum(&world);
    let given = world.body(1).expect("a block").particles().momentum().x;
    assert!(given > 0.3 * before[0].x, "they have hit each other: {given}");
    assert!((after[0] - before[0]).norm() < 1e-10, "{} became {}", before[0], after[0]);
    assert!((after[1] - before[1]).norm() < 1e-10, "{} became {}", before[1], after[1]);
    assert!(energy(&world) < start, "{} of {start}", energy(&world));
}

#[test]
fn blocks_rest_on_each_other() {
    let model = model("", HARD_FLOOR);
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    world.add(placed(block(), Vec3::new(0.0, 0.0, 0.05)), damped());
    world.add(placed(block(), Vec3::new(0.01, 0.02, 0.152)), damped());
    step(&mut world, &model, &mut data, 1.5);
    let mean = |index| heights(&world, index).sum::<f64>() / heights(&world, index).count() as f64;
    assert!((mean(0) - 0.05).abs() < 0.004, "the lower one is at {}", mean(0));
    assert!((mean(1) - 0.15).abs() < 0.008, "the upper one is at {}", mean(1));
    // it had 10 mJ from its fall
    for body in world.bodies() {
        assert!(body.particles().kinetic_energy() < 1e-5, "it rests: {}", body.particles().kinetic_energy());
    }
    // the lower one is shortened by its own weight and by all of the upper one's: ρ g L² (1/2 + 1) / E; faces
    // at the floor and between them are held by friction
    let layers = |index: usize, side: f64| {
        let middle = mean(index);
        heights(&world, index).filter(|z| (z - middle) * side > 0.03).sum::<f64>() / 9.0
    };
    let shorter = 0.1 - (layers(0, 1.0) - layers(0, -1.0));
    let expected = 500.0 * 9.81 * 0.01 / 3e4;
    assert!((shorter / (1.5 * expected) - 1.0).abs() < 0.15, "{shorter} of {}", 1.5 * expected);
}

#[test]
fn a_box_on_a_cloth_on_a_block_is_carried() {
    let bodies = "<geom type='plane' size='1 1 1'/>
        <body pos='0 0 .124'><freejoint/><geom type='box' size='.06 .06 .02' mass='.2'/></body>";
    let model = model("", bodies);
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    world.add(placed(block(), Vec3::new(0.0, 0.0, 0.05)), damped());
    let cloth = Cloth::grid([6, 6], [0.15; 2], ClothPreset::Rubber).expect("a cloth");
    world.add(placed(cloth, Vec3::new(0.0, 0.0, 0.1015)), damped());
    step(&mut world, &model, &mut data, 1.5);
    let lift = data.qfrc_constraint[2] / (0.2 * 9.81);
    assert!((lift - 1.0).abs() < 1e-3, "carried by {lift} of its weight");
    assert!((data.qpos[2] - 0.12).abs() < 0.01, "at {}", data.qpos[2]);
}

#[test]
fn a_strip_that_folds_does_not_pass_through_itself() {
    // a strip stands on its edge, falls over itself and comes to rest as a heap; what it was made with keeps
    // its layers apart
    let model = model("", "<geom type='plane' size='1 1 1'/>");
    for (self_contact, least, most) in [(true, 0.7, 1.1), (false, 0.0, 0.7)] {
        let mut data = Data::new(&model);
        let mesh = Cloth::grid([24, 3], [0.24, 0.03], ClothPreset::Membrane).expect("a grid").mesh().clone();
        let mut strip =
            Cloth::new(mesh, Material::new(1e5, 0.3, 1000.0).with_damping(2e-3), 2e-3).expect("a strip");
        for x in &mut strip.particles_mut().position {
            let along = x.x + 0.12;
            *x = Vec3::new(1e-3 * (20.0 * along).sin(), x.y, along + 1e-3);
        }
        let mut world = SoftWorld::default();
        world.add(strip, XpbdSettings { drag: 3.0, self_contact, ..XpbdSettings::default() });
        step(&mut world, &model, &mut data, 1.2);
        let x = &world.body(0).expect("a strip").particles().position;
        let mut nearest = f64::INFINITY;
        for a in 0..x.len() {
            // other vertices than neighbours, of which the nearest ones are 10 mm away
            let far = |b: &usize| (b % 25).abs_diff(a % 25) > 2;
            nearest = (0..a).filter(far).fold(nearest, |d, b| d.min((x[a] - x[b]).norm()));
        }
        let layers = nearest / 2e-3;
        assert!(layers >= least && (self_contact || layers < most), "{self_contact}: {layers} thicknesses");
    }
}

#[test]
fn a_rope_hangs_over_another_one() {
    let model = model("", "");
    let mut data = Data::new(&model);
    let chain =
        |from: Vec3, to: Vec3| CapsuleChain::straight(from, to, 20, ChainPreset::SoftCable).expect("a rope");
    let mut line = chain(Vec3::new(-0.2, 0.0, 0.0), Vec3::new(0.2, 0.0, 0.0));
    line.particles_mut().pin(0).expect("an end");
    line.particles_mut().pin(20).expect("an end");
    let mut world = SoftWorld::default();
    world.add(line, damped());
    // its vertices lie beside those of the line, so that segments have to meet
    world.add(chain(Vec3::new(0.01, -0.2, 0.01), Vec3::new(0.01, 0.2, 0.01)), damped());
    step(&mut world, &model, &mut data, 1.0);
    let middle = world.body(1).expect("a rope").particles().position[10];
    assert!(middle.z > -0.1, "it hangs: {middle}");
    assert!(heights(&world, 1).fold(1.0, f64::min) < -0.05, "and its ends hang down");
}

#[test]
fn bodies_that_touch_sleep_and_wake_together() {
    let model = model("", HARD_FLOOR);
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    let sleep = Some(SleepSettings { speed: 2e-3, time: 0.1 });
    let settings = XpbdSettings { sleep, ..damped() };
    world.add(placed(block(), Vec3::new(0.0, 0.0, 0.05)), settings);
    world.add(placed(block(), Vec3::new(0.0, 0.0, 0.152)), settings);
    step(&mut world, &model, &mut data, 0.05);
    assert!(!world.is_asleep(0) && !world.is_asleep(1));
    step(&mut world, &model, &mut data, 2.0);
    assert!(world.is_asleep(0) && world.is_asleep(1), "they have come to rest");
    let state = world.state(&model, &data).expect("a state");
    // a third one falls onto them
    let mut falling = placed(block(), Vec3::new(0.0, 0.0, 0.27));
    falling.particles_mut().velocity.fill(Vec3::new(0.0, 0.0, -1.0));
    world.add(falling, settings);
    step(&mut world, &model, &mut data, 0.01);
    assert!(world.is_asleep(0) && world.is_asleep(1), "it has not arrived yet");
    step(&mut world, &model, &mut data, 0.05);
    assert!(!world.is_asleep(0) && !world.is_asleep(1), "it has");
    assert!(world.state(&model, &data).expect("a state").len() > state.len());
    step(&mut world, &model, &mut data, 3.0);
    assert!((0..3).all(|index| world.is_asleep(index)), "all rest again");
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let model = model("", "<geom size='.1'/>");
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let mut data = Data::new(&model);
            let mut world = SoftWorld::default();
            for height in [0.11, 0.13] {
                let mut cloth = Cloth::grid([24, 24], [0.4; 2], ClothPreset::Membrane).expect("a cloth");
                stir(&mut cloth, 0.1);
                world.add(placed(cloth, Vec3::new(0.0, 0.0, height)), XpbdSettings::default());
            }
            step(&mut world, &model, &mut data, 0.1);
            world.state(&model, &data).expect("a state")
        })
    };
    let one = run(1);
    for threads in [2, 5] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn bodies_that_start_inside_each_other_part_slowly() {
    let model = model("gravity='0 0 0'", "");
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    world.add(block(), XpbdSettings::default());
    let mut other = placed(block(), Vec3::new(0.0995, 0.013, 0.007));
    stir(&mut other, 1e-3);
    world.add(other, XpbdSettings::default());
    step(&mut world, &model, &mut data, 0.2);
    for body in world.bodies() {
        let fastest = body.particles().velocity.iter().fold(0.0, |v: f64, w| v.max(w.norm()));
        assert!(fastest < 0.2, "nothing is thrown: {fastest}");
    }
}
