//! Deformable bodies in model files.

use kinetree_model::{Data, Model};
use kinetree_soft::{DeformableBody, SoftWorld};

fn load(soft: &str) -> Model {
    let text = format!(
        "<mujoco><worldbody><body name='b' pos='0 0 -.5'><freejoint/><geom size='.05' mass='.3'/>
         <site name='top' pos='0 0 .05'/></body></worldbody><soft>{soft}</soft></mujoco>"
    );
    kinetree_spec::load_model_str(&text).expect("the model compiles")
}

fn fault(soft: &str) -> String {
    match SoftWorld::from_model(&load(soft)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn bodies_are_made_as_the_file_says() {
    let model = load(
        "<cloth name='flag' preset='silk' cells='4 2' size='.4 .2' pos='0 0 1' substeps='10' quat='.5 .5 .5 .5' thickness='1e-3'>
           <pin vertex='0 10'/></cloth>
         <body name='jelly' preset='Gelatin' cells='2 2 2' size='.1 .1 .1' pos='1 0 0' young='8e3' substeps='10'/>
         <rope name='line' fromto='0 0 0 0 0 -.45' segments='12' drag='2'><pin vertex='0'/><attach vertex='12' site='top'/></rope>",
    );
    let mut world = SoftWorld::from_model(&model).expect("a world");
    assert_eq!(world.len(), 3);
    let bodies: Vec<&dyn DeformableBody> = world.bodies().map(|body| body as &dyn DeformableBody).collect();
    let [flag, jelly, line] = bodies[..] else { panic!("three bodies") };
    assert_eq!(flag.particles().len(), 15);
    assert!((flag.radius() - 0.5e-3).abs() < 1e-15 && flag.material().density == 400.0);
    // the quaternion turns x to y and y to z
    assert!((flag.particles().position[0] - kinetree_soft::Vec3::new(0.0, -0.2, 0.9)).norm() < 1e-12);
    assert_eq!([flag.particles().inverse_mass()[0], flag.particles().inverse_mass()[10]], [0.0; 2]);
    assert_eq!(jelly.material().young, 8e3);
    assert_eq!(line.particles().len(), 13);
    let mut data = Data::new(&model);
    while data.time < 1.0 {
        world.step(&model, &mut data).expect("the step succeeds");
    }
    assert!(data.qacc[2].abs() < 1e-3 * 9.81, "the rope carries the ball: {:?}", data.qacc);
}

#[test]
fn a_model_without_the_section_has_no_bodies() {
    let model =
        kinetree_spec::load_model_str("<mujoco><custom><text name='note' data='soft'/></custom></mujoco>");
    assert!(SoftWorld::from_model(&model.expect("a model")).expect("a world").is_empty());
}

#[test]
fn mistakes_name_the_body() {
    for (soft, message) in [
        (
            "<cloth name='c' preset='velvet'/>",
            "deformable body 'c': unknown preset 'velvet': take one of [Cotton, ",
        ),
        ("<cloth name='c' cells='2'/>", "deformable body 'c': 'cells' has 1 numbers, and needs 2"),
        ("<cloth name='c' cells='2 1.5'/>", "deformable body 'c': 'cells' needs whole numbers"),
        ("<body name='c' poisson='.5'/>", "deformable body 'c': Poisson's ratio is 0.5"),
        (
            "<body name='c' selfcontact='no'/>",
            "deformable body 'c': 'selfcontact' is 'true' or 'false', not 'no'",
        ),
        (
            "<rope name='c' point='0 0 0 1'/>",
            "deformable body 'c': 'point' has 4 numbers: each point needs three",
        ),
        ("<rope name='c' segments='0'/>", "deformable body 'c': 'segments' is 0"),
        (
            "<rope name='c'><pin vertex='21'/></rope>",
            "deformable body 'c': there is no vertex 21: there are 21",
        ),
        ("<rope name='c'><pin vertex='-1'/></rope>", "deformable body 'c': '-1' is no number of a vertex"),
        (
            "<rope name='c'><attach vertex='0' site='t'/></rope>",
            "deformable body 'c': there is no site 't' to attach to",
        ),
        (
            "<rope name='c'><attach vertex='0' body='t'/></rope>",
            "deformable body 'c': there is no body 't' to attach to",
        ),
    ] {
        let found = fault(soft);
        assert!(found.starts_with(message), "{found}\nand not\n{message}");
    }
}

#[test]
fn the_reader_points_at_what_it_does_not_know() {
    for (soft, message, help) in [
        ("<cloth name='c' preset='Silk' cels='2 2'/>", "cels", "cells"),
        ("<cloht name='c'/>", "cloht", "cloth"),
        ("<cloth/>", "name", ""),
        ("<cloth name='c' pos='0 0 x'/>", "pos", ""),
        ("<rope name='c'><attach vertex='0'/></rope>", "either a 'site' or a 'body'", ""),
    ] {
        let text = format!("<mujoco><soft>{soft}</soft></mujoco>");
        let found = kinetree_spec::load_model_str(&text).expect_err("a mistake").to_string();
        assert!(found.contains(message) && found.contains(help), "{found}");
    }
}
