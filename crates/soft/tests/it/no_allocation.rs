//! A step allocates nothing after the first ones; handing work to a pool of threads does.

use crate::counting_allocator::allocation_count;
use kinetree_model::Data;
use kinetree_soft::{
    CapsuleChain, ChainPreset, Cloth, ClothPreset, DeformableBody, MaterialPreset, SoftBody, SoftWorld, Vec3,
    XpbdSettings,
};

#[test]
fn steps_allocate_nothing_after_the_first_ones() {
    let text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>";
    let model = kinetree_spec::load_model_str(text).expect("a model");
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    let settings = XpbdSettings::default();
    let rope = CapsuleChain::straight(Vec3::zeros(), Vec3::x(), 8, ChainPreset::Rope).expect("a rope");
    world.add(Cloth::grid([4, 4], [0.4; 2], ClothPreset::Membrane).expect("a cloth"), settings);
    world.add(SoftBody::block([2, 2, 2], [0.1; 3], MaterialPreset::Gelatin).expect("a block"), settings);
    world.add(rope, settings);
    for _ in 0..100 {
        world.step(&model, &mut data).expect("the step succeeds");
    }
    let before = allocation_count();
    for _ in 0..20 {
        world.step(&model, &mut data).expect("the step succeeds");
    }
    assert_eq!(allocation_count() - before, 0);
}

#[test]
fn steps_with_contacts_of_moving_bodies_allocate_nothing_after_the_first_ones() {
    let text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
        <body pos='0 0 .12'><freejoint/><geom type='box' size='.06 .06 .02' mass='.2'/></body></worldbody></mujoco>";
    let model = kinetree_spec::load_model_str(text).expect("a model");
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    let mut block = SoftBody::block([2, 2, 2], [0.1; 3], MaterialPreset::Gelatin).expect("a block");
    block.particles_mut().position.iter_mut().for_each(|x| x.z += 0.05);
    world.add(block, XpbdSettings { drag: 5.0, ..XpbdSettings::default() });
    for _ in 0..300 {
        world.step(&model, &mut data).expect("the step succeeds");
    }
    assert!(data.ncon > 9, "the block touches box and floor");
    let before = allocation_count();
    for _ in 0..20 {
        world.step(&model, &mut data).expect("the step succeeds");
    }
    assert_eq!(allocation_count() - before, 0);
}

#[test]
fn steps_with_contacts_between_bodies_and_attached_ropes_allocate_nothing_after_the_first_ones() {
    let text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom size='.05' pos='0 0 .05'/>
        <body pos='1 0 .5'><freejoint/><geom size='.05' mass='.2'/><site name='top' pos='0 0 .05'/></body></worldbody></mujoco>";
    let model = kinetree_spec::load_model_str(text).expect("a model");
    let mut data = Data::new(&model);
    let mut world = SoftWorld::default();
    let settings = XpbdSettings { drag: 5.0, ..XpbdSettings::default() };
    for height in [0.105, 0.11] {
        let mut cloth = Cloth::grid([6, 6], [0.2; 2], ClothPreset::Membrane).expect("a cloth");
        cloth.particles_mut().position.iter_mut().for_each(|x| x.z += height);
        world.add(cloth, settings);
    }
    let (from, to) = (Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 0.55));
    let mut rope = CapsuleChain::straight(from, to, 8, ChainPreset::Rope).expect("a rope");
    rope.particles_mut().pin(0).expect("an end");
    let rope = world.add(rope, settings);
    world.attach_to_site((rope, 8), &model, 0).expect("an attachment");
    // the number of contacts changes until the sheets rest, and buffers grow with it
    for _ in 0..600 {
        world.step(&model, &mut data).expect("the step succeeds");
    }
    let before = allocation_count();
    for _ in 0..20 {
        world.step(&model, &mut data).expect("the step succeeds");
    }
    assert_eq!(allocation_count() - before, 0);
}

#[test]
fn steps_with_contacts_of_edges_and_faces_allocate_nothing_after_the_first_ones() {
    for joint in ["", "<freejoint/>"] {
        let text = format!(
            "<mujoco><option timestep='.004'/><worldbody><geom type='plane' size='1 1 1'/>
             <body pos='0 0 .06'>{joint}<geom type='box' size='.06 .06 .06' mass='.5'/></body></worldbody></mujoco>"
        );
        let model = kinetree_spec::load_model_str(&text).expect("a model");
        let mut data = Data::new(&model);
        let mut world = SoftWorld::default();
        let mut cloth = Cloth::grid([8, 8], [0.3; 2], ClothPreset::Membrane).expect("a cloth");
        cloth.particles_mut().position.iter_mut().for_each(|x| x.z += 0.125);
        world.add(cloth, XpbdSettings { drag: 10.0, ..XpbdSettings::default() });
        for _ in 0..200 {
            world.step(&model, &mut data).expect("the step succeeds");
        }
        let before = allocation_count();
        for _ in 0..10 {
            world.step(&model, &mut data).expect("the step succeeds");
        }
        assert_eq!(allocation_count() - before, 0, "with '{joint}'");
    }
}
