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
fn the_reader_knows_all_presets() {
    let names = |kind: &str, presets: String| {
        for preset in presets.trim_matches(['[', ']']).split(", ") {
            load(&format!("<{kind} name='c' preset='{preset}'/>"));
        }
    };
    names("cloth", format!("{:?}", kinetree_soft::ClothPreset::ALL));
    names("body", format!("{:?}", kinetree_soft::SoftBodyPreset::ALL));
    names("rope", format!("{:?}", kinetree_soft::ChainPreset::ALL));
}

#[test]
fn bodies_have_names_and_colours() {
    let model = load(
        "<cloth name='flag' preset='Silk' rgba='.1 .2 .3 .4'/><rope name='line' preset='Hair'/>
         <body name='jelly' preset='Gelatin' cells='1 1 1'/>",
    );
    let world = SoftWorld::from_model(&model).expect("a world");
    assert_eq!((world.name(0), world.rgba(0)), ("flag", Some([0.1, 0.2, 0.3, 0.4])));
    assert_eq!(world.rgba(1), Some(kinetree_soft::ChainPreset::Hair.rgba()));
    assert_eq!(world.rgba(2), Some(kinetree_soft::MaterialPreset::Gelatin.rgba()));
    assert_eq!((world.name(3), world.rgba(3)), ("", None));
}

/// Meshes of the model: a sheet as it lies in its file, and a solid that fills a closed surface.
#[test]
fn meshes_become_sheets_and_solids() {
    let text = "<mujoco><asset>
        <mesh name='strip' vertex='1 0 0  1.1 0 0  1.1 .1 0  1 .1 0  1.2 0 0  1.2 .1 0'
          face='0 1 2 0 2 3 1 4 5 1 5 2' inertia='shell'/>
        <mesh name='cube' builtin='sphere' params='2' scale='.1 .1 .1'/></asset>
        <soft><cloth name='c' mesh='strip' pos='0 0 1'/><body name='b' mesh='cube' cell='.04'/></soft></mujoco>";
    let model = kinetree_spec::load_model_str(text).unwrap_or_else(|faults| panic!("{faults}"));
    let world = SoftWorld::from_model(&model).expect("a world");
    let particles = |index: usize| world.body(index).expect("a body").particles();
    let found: Vec<_> = particles(0).position.iter().map(|x| [x.x, x.y, x.z]).collect();
    assert_eq!(found.len(), 6);
    for corner in [[1.0, 0.0, 1.0], [1.2, 0.1, 1.0]] {
        let near = |x: &[f64; 3]| (0..3).all(|k| (x[k] - corner[k]).abs() < 1e-6);
        assert!(found.iter().any(near), "{found:?}");
    }
    assert!(particles(1).position.iter().all(|x| x.norm() < 0.11));
    assert!(particles(1).len() > 20);
}

#[test]
fn a_step_of_the_model_alone_is_refused() {
    let model = load("<cloth name='c' cells='1 1'/>");
    let mut data = Data::new(&model);
    data.forward(&model).expect("poses need no step");
    let refused = data.step(&model).expect_err("nobody would step the cloth").to_string();
    assert!(refused.contains("SoftWorld"), "{refused}");
    assert_eq!(data.time, 0.0);
    SoftWorld::from_model(&model).expect("a world").step(&model, &mut data).expect("a step");
    assert_eq!(data.time, model.opt.timestep);
    // a text that only has such a name is no body
    let note = "<mujoco><custom><text name='soft/note' data='to do'/></custom></mujoco>";
    let model = kinetree_spec::load_model_str(note).expect("a model");
    Data::new(&model).step(&model).expect("a step");
}

/// Lines as a compiled model carries them: what a file could not say.
#[test]
fn mistakes_name_the_body() {
    for (lines, message) in [
        ("cloth|preset velvet", "unknown preset 'velvet': take one of [Cotton, "),
        ("cloth|cells 2", "'cells' has 1 numbers, and needs 2"),
        ("cloth|cells 2 1.5", "'cells' needs whole numbers"),
        ("body|poisson .5", "Poisson's ratio is 0.5"),
        ("body|selfcontact no", "'selfcontact' is 'true' or 'false', not 'no'"),
        ("rope|point 0 0 0 1", "'point' has 4 numbers: each point needs three"),
        ("rope|segments 0", "'segments' is 0"),
        ("rope|pin 21", "there is no vertex 21: there are 21"),
        ("rope|pin -1", "'-1' is no number of a vertex"),
        ("rope|attach 0", "'attach' cannot be read"),
        ("rope|rgba 1 1 1 2", "a number of rgba is 2"),
        ("rope|drag", "'drag' has no value"),
    ] {
        let data = lines.replace('|', "&#10;");
        let text = format!("<mujoco><custom><text name='soft/c' data='{data}'/></custom></mujoco>");
        let model = kinetree_spec::load_model_str(&text).unwrap_or_else(|faults| panic!("{faults}"));
        let found = SoftWorld::from_model(&model).err().map_or("no error".into(), |error| error.to_string());
        let message = format!("deformable body 'c': {message}");
        assert!(found.starts_with(&message), "{found}\nand not\n{message}");
    }
}

/// File, line, column and a way out, as for all other elements.
#[test]
fn the_reader_points_at_mistakes() {
    for (soft, at, message, help) in [
        ("<cloth name='c' preset='Silk' cels='2 2'/>", "cels", "unknown attribute 'cels'", "cells"),
        ("<cloht name='c'/>", "cloht", "cloht", "cloth"),
        ("<cloth/>", "cloth", "missing: 'name' of <cloth>", ""),
        ("<cloth name='c' pos='0 0 x'/>", "x'", "attribute 'pos' of <cloth>: 'x'", "a number"),
        ("<cloth name='c' cells='2'/>", "2'", "needs 2 numbers, got 1", ""),
        (
            "<cloth name='c' cells='2 1.5'/>",
            "2 1.5",
            "'cells' of <cloth> is 1.5",
            "a whole number between 1 and 4096",
        ),
        ("<body name='c' cells='1000 1000 2'/>", "1000", "makes 2000000 cells", "at most a million"),
        ("<cloth name='c' preset='slik'/>", "slik", "'slik' is not a valid 'preset'", "Silk"),
        ("<body name='c' poisson='.5'/>", ".5", "'poisson' of <body> is 0.5", "in [0, 0.5)"),
        ("<body name='c' young='nan'/>", "nan", "'young' of <body> is NaN", "positive"),
        ("<body name='c' selfcontact='no'/>", "no'", "'no' is not a valid 'selfcontact'", "false, true"),
        ("<body name='c' rgba='1 1 1 2'/>", "1 1 1 2", "'rgba' of <body> is 2", "between 0 and 1"),
        ("<rope name='c' point='0 0 0 1'/>", "0 0 0 1", "'point' of <rope> has 4 numbers", "three for each"),
        ("<rope name='c' segments='0'/>", "0'", "'segments' of <rope> is 0", "between 1 and 1000000"),
        ("<rope name='c'><pin vertex='21'/></rope>", "21", "there is no vertex 21", "from 0 to 20"),
        ("<rope name='c'><pin vertex='-1'/></rope>", "-1", "there is no vertex -1", "from 0"),
        ("<rope name='c'><attach vertex='0'/></rope>", "attach", "either a 'site' or a 'body'", ""),
        ("<rope name='c'><attach vertex='0' site='tip'/></rope>", "rope", "site 'tip' not found", "'top'"),
        ("<rope name='c'><attach vertex='0' body='t'/></rope>", "rope", "body 't' not found", ""),
        ("<cloth name='c' mesh='m'/>", "cloth", "mesh 'm' not found", ""),
        ("<body name='c' mesh='m'/>", "body", "needs the attribute 'cell'", "fill the mesh"),
        ("<cloth name='c' mesh='m' size='1 1'/>", "size", "'size' belongs to a body without 'mesh'", ""),
    ] {
        let text = format!(
            "<mujoco><worldbody><body name='b'><site name='top'/></body></worldbody>\n<soft>\n{soft}</soft></mujoco>"
        );
        let faults =
            kinetree_spec::load_model_str(&text).err().unwrap_or_else(|| panic!("{soft} is accepted"));
        let found = faults.list.iter().find(|fault| fault.message.contains(message));
        let found = found.unwrap_or_else(|| panic!("{faults}\ndoes not say\n{message}"));
        let column = soft.find(at).expect("the place") as u32 + 1;
        assert_eq!((found.line, found.column), (3, column), "{found}");
        assert!(found.suggestion.as_deref().unwrap_or_default().contains(help), "{found}");
    }
}

/// A model that becomes part of another one keeps its bodies, with its names.
#[test]
fn attached_models_bring_their_bodies() {
    let inner = "<mujoco model='inner'><worldbody><body name='b'><site name='top'/></body></worldbody>
        <soft><rope name='line' segments='2'><attach vertex='2' site='top'/></rope></soft></mujoco>";
    let outer = "<mujoco><asset><model name='inner' file='inner.xml'/></asset><worldbody>
        <frame><attach model='inner' prefix='left_'/></frame></worldbody></mujoco>";
    let mut files = kinetree_spec::Vfs::new();
    files.add_buffer("inner.xml", inner.as_bytes()).expect("a file");
    let model = kinetree_spec::load_model_str_with(outer, &files).unwrap_or_else(|faults| panic!("{faults}"));
    let world = SoftWorld::from_model(&model).expect("a world");
    assert_eq!(world.name(0), "left_line");
}
