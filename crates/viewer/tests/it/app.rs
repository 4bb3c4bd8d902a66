//! The whole app, driven without a display: what a user does, and what is seen then.

use crate::common::{Files, Stage, pixel_share};
use egui::{Key, Modifiers, PointerButton};
use egui_kittest::kittest::Queryable;
use kinetree_model::enums::{DisableBit, EnableBit};
use kinetree_viewer::LoadedModel;

const WORLD: &str = r#"<mujoco model="two boxes">
  <visual><global azimuth="90" elevation="-15"/></visual>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="0.5 0.7 0.9" rgb2="0.2 0.3 0.5" width="64" height="64"/>
    <texture name="grid" type="2d" builtin="checker" rgb1="0.3 0.34 0.38" rgb2="0.24 0.27 0.3" width="128" height="128"/>
    <material name="grid" texture="grid" texrepeat="4 4" texuniform="true"/>
  </asset>
  <worldbody>
    <light pos="1 -1 4" dir="-0.2 0.2 -1"/>
    <geom name="floor" type="plane" size="0 0 0.1" material="grid"/>
    <body name="red" pos="0 0 0.5"><freejoint/><geom type="box" size="0.2 0.2 0.2" rgba="0.9 0.1 0.1 1"/></body>
    <body name="pendulum" pos="0.8 0 1">
      <joint name="swing" axis="0 1 0" range="-90 90"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04" rgba="0.1 0.5 0.9 1"/>
    </body>
  </worldbody>
  <actuator><motor name="torque" joint="swing" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos name="angle" joint="swing"/></sensor>
  <keyframe><key name="high" qpos="0 0 1.5 1 0 0 0 0.5"/></keyframe>
</mujoco>"#;

fn is_red(rgb: [u8; 3]) -> bool {
    rgb[0] > 90 && rgb[1] < 60 && rgb[2] < 60
}

#[test]
fn a_world_is_shown_played_pulled_and_mended() {
    let files = Files::new("app");
    let path = files.write("two_boxes.xml", WORLD);
    let Some(mut stage) = Stage::open(Some(&path)) else { return };

    // open: the red box is in the picture
    stage.until("the model is shown", |stage| stage.app().snapshot().is_some());
    stage.steps(3);
    let image = stage.picture("opened");
    assert!(pixel_share(&image, is_red) > 0.005, "the red box is seen");

    // play: the box falls
    stage.harness.get_by_label("Play").click();
    stage.seconds(0.4);
    let fallen = stage.body("red");
    assert!(fallen[2] < 0.35, "{fallen:?}");
    stage.harness.get_by_label("Pause").click();
    stage.steps(2);
    let paused = stage.time();
    stage.seconds(0.2);
    assert_eq!(stage.time(), paused);

    // select by a double click, pull with Ctrl and the right button
    let at = stage.find(is_red);
    stage.double_click(at);
    stage.picture("selected");
    assert!(stage.harness.query_by_label("red").is_some(), "the inspector names the selected body");
    stage.harness.get_by_label("Play").click();
    stage.steps(2);
    stage.drag(at, egui::vec2(0.0, -120.0), PointerButton::Secondary, Modifiers::CTRL, |stage| {
        stage.seconds(0.15);
        let force = stage.app().snapshot().map(|s| s.data.xfrc_applied[1]);
        assert!(force.is_some_and(|f| f[2] > 1.0), "{force:?}");
        stage.picture("pulled");
    });
    stage.steps(2);
    assert_eq!(stage.app().snapshot().map(|s| s.data.xfrc_applied[1]), Some([0.0; 6]));

    // a fault in the file: the message of `kinetree check`, and the last good model
    let before = stage.time();
    files.write("two_boxes.xml", &WORLD.replace("rgba=\"0.9", "rgab=\"0.9"));
    stage.until("the fault is shown", |stage| {
        stage.harness.query_by_label_contains("unknown attribute 'rgab' in <geom>").is_some()
    });
    assert!(stage.time() >= before);
    let image = stage.picture("broken");
    assert!(pixel_share(&image, is_red) > 0.001, "the last good model is kept");

    // mended: the message goes, the state stays
    files.write("two_boxes.xml", &WORLD.replace("0.9 0.1 0.1 1", "0.1 0.8 0.1 1"));
    stage.until("the fault is gone", |stage| {
        stage.harness.query_by_label_contains("unknown attribute").is_none()
    });
    stage.steps(3);
    assert!(stage.time() >= before);
    let image = stage.picture("mended");
    assert!(pixel_share(&image, is_red) < 0.001 && pixel_share(&image, |c| c[1] > 90 && c[0] < 60) > 0.001);
}

#[test]
fn panels_plots_keys_and_themes() {
    let files = Files::new("panels");
    let path = files.write("two_boxes.xml", WORLD);
    let Some(mut stage) = Stage::open(Some(&path)) else { return };
    stage.until("the model is shown", |stage| stage.app().snapshot().is_some());
    stage.key(Key::F3);
    stage.key(Key::Space);
    stage.seconds(1.0);
    stage.key(Key::C);
    stage.key(Key::F8);
    stage.seconds(0.2);
    stage.picture("light");
    stage.key(Key::F8);
    stage.key(Key::Space);
    stage.key(Key::F1);
    stage.steps(3);
    stage.picture("help");
    assert!(stage.harness.query_by_label("play or pause").is_some());
    stage.key(Key::F1);

    // the keyboard moves through time
    let now = stage.time();
    stage.key(Key::ArrowLeft);
    stage.steps(2);
    assert!(stage.time() < now);
    stage.key(Key::ArrowRight);
    stage.steps(2);
    stage.key(Key::Backspace);
    stage.steps(2);
    assert_eq!(stage.time(), 0.0);

    // a picture is saved as a file
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    stage.steps(3);
    let saved = std::fs::read(files.path("kinetree-1.png"));
    assert!(saved.is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
}

/// What a key puts on the clipboard.
fn copied(stage: &mut Stage, key: Key) -> Option<String> {
    // in one frame: events of the harness take one each, and only the last one is seen
    let (physical_key, modifiers) = (None, Modifiers::NONE);
    let pressed = egui::Event::Key { key, physical_key, pressed: true, repeat: false, modifiers };
    stage.harness.input_mut().events.push(pressed);
    stage.steps(1);
    stage.harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    })
}

#[test]
fn state_camera_and_model_are_taken_along() {
    let files = Files::new("taken");
    let path = files.write("two_boxes.xml", WORLD);
    let Some(mut stage) = Stage::open(Some(&path)) else { return };
    stage.until("the model is shown", |stage| stage.app().snapshot().is_some());
    stage.steps(2);
    let key = copied(&mut stage, Key::F9).unwrap_or_default();
    assert!(key.starts_with("<key time=\"0\" qpos=\"0 0 0.5 1 0 0 0 0\""), "{key}");
    let camera = copied(&mut stage, Key::F10).unwrap_or_default();
    assert!(camera.starts_with("<camera pos=") && camera.ends_with("fovy=\"45\"/>"), "{camera}");

    // saved models load again, and the text has what was copied when it is put in
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::B);
    stage.steps(2);
    for name in ["kinetree-1.xml", "kinetree-1.mjb"] {
        let path = files.path(name).to_string_lossy().into_owned();
        let saved = LoadedModel::read(&path).unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        assert_eq!((saved.model.nbody, saved.model.nkey), (3, 1), "{name}");
    }

    // groups and cameras
    stage.key(Key::Num0);
    assert_eq!(stage.app().view().option.geomgroup[0], 0);
    stage.key(Key::Num0);
    assert_eq!(stage.app().view().option.geomgroup[0], 1);
    stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::Home);
    stage.steps(2);
    let seen = stage.app().view().camera;
    assert!(seen.lookat[2] > 0.3 && seen.distance < 5.0, "{seen:?}");
}

#[test]
fn a_state_is_kept_saved_and_a_field_watched() {
    let files = Files::new("kept");
    let path = files.write("two_boxes.xml", WORLD);
    let Some(mut stage) = Stage::open(Some(&path)) else { return };
    stage.until("the model is shown", |stage| stage.app().snapshot().is_some());
    stage.harness.get_by_label("Play").click();
    stage.seconds(0.1);
    stage.harness.get_by_label("Pause").click();
    stage.steps(2);
    let state = stage.app().snapshot().map(|s| s.data.qpos.to_vec()).unwrap_or_default();
    stage.harness.get_by_label("keyframe").click();
    stage.steps(2);
    stage.harness.get_by_label("keep as high").click();
    stage.steps(2);
    stage.harness.key_press(Key::Escape);
    stage.steps(2);
    let kept = stage.app().snapshot().map(|s| s.model.key_qpos.to_vec()).unwrap_or_default();
    assert_eq!(kept, state);
    // the text that is saved has it, too
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    stage.steps(2);
    let saved = LoadedModel::read(&files.path("kinetree-1.xml").to_string_lossy());
    let saved = saved.unwrap_or_else(|faults| panic!("{faults:?}")).model;
    for (a, b) in saved.key_qpos.iter().zip(&state) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }

    // a field by name
    stage.harness.get_by_label("Watch").click_accesskit();
    stage.seconds(0.5);
    let field = stage.harness.get_by_label("Field to watch");
    field.scroll_to_me();
    field.focus();
    stage.steps(3);
    stage.harness.get_by_label("Field to watch").type_text("qpos[2]");
    stage.steps(2);
    stage.key(Key::Enter);
    stage.steps(2);
    stage.picture("watched");
    assert!(stage.harness.query_by_label("Do not watch qpos[2]").is_some());
    assert!(stage.harness.query_by_label(&format!("{:.5}", state[2])).is_some(), "{}", state[2]);
}

#[test]
fn physics_options_are_shown_and_changed() {
    let files = Files::new("physics");
    let path = files.write("two_boxes.xml", WORLD);
    let Some(mut stage) = Stage::open(Some(&path)) else { return };
    stage.until("the model is shown", |stage| stage.app().snapshot().is_some());
    let options = |stage: &Stage| stage.app().snapshot().map(|s| s.model.opt.clone());
    let before = options(&stage);
    stage.harness.get_by_label("Physics").click_accesskit();
    stage.seconds(0.5);
    for name in
        ["wind z", "magnetic field x", "viscosity", "line search iterations", "solimp 5", "friction 5"]
    {
        assert!(stage.harness.query_by_label(name).is_some(), "{name}");
    }
    // to look changes nothing
    assert_eq!(options(&stage), before);
    stage.harness.get_by_label("actuation").click_accesskit();
    stage.harness.get_by_label("actuator group 2").click_accesskit();
    stage.harness.get_by_label("energy").click_accesskit();
    stage.steps(3);
    let changed = options(&stage).map(|o| (o.disableflags, o.disableactuator, o.enableflags));
    assert_eq!(changed, Some((DisableBit::Actuation as i32, 4, EnableBit::Energy as i32)));
}

#[test]
fn without_a_model_there_is_a_choice_and_a_bad_first_file_is_explained() {
    let files = Files::new("welcome");
    let Some(mut stage) = Stage::open(None) else { return };
    stage.steps(2);
    stage.picture("welcome");
    stage.harness.get_by_label("ball").click();
    stage.until("the example is shown", |stage| stage.app().snapshot().is_some());

    let path = files.write("bad.xml", "<mujoco><worldbody><geom siez='1'/></worldbody></mujoco>");
    let Some(mut stage) = Stage::open(Some(&path)) else { return };
    stage.until("the fault is shown", |stage| {
        stage.harness.query_by_label_contains("did you mean 'size'?").is_some()
    });
    stage.picture("bad_first");
    files.write("bad.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
    stage.until("the mended model is shown", |stage| stage.app().snapshot().is_some());
    // a file that is gone is a fault like others
    assert!(std::fs::remove_file(files.path("bad.xml")).is_ok());
    stage.until("the loss is told", |stage| {
        stage.harness.query_by_label_contains("bad.xml: 1 finding").is_some()
    });
}

#[test]
fn a_world_without_geoms_is_empty_and_no_error() {
    let files = Files::new("empty");
    let path = files.write("empty.xml", "<mujoco><worldbody/></mujoco>");
    let Some(mut stage) = Stage::open(Some(&path)) else { return };
    stage.until("the model is shown", |stage| stage.app().snapshot().is_some());
    stage.key(Key::Space);
    stage.seconds(0.1);
    stage.picture("empty");
    assert!(stage.time() > 0.0);
}

#[test]
fn a_folder_is_dropped_and_asks_which_model() {
    let files = Files::new("folder");
    files.write("scene.xml", WORLD);
    files.write("robot.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
    files.write("notes.xml", "<notes/>");
    let Some(mut stage) = Stage::open(None) else { return };
    stage.drop_path(&files.path(""));
    stage.steps(2);
    assert!(stage.harness.query_by_label_contains("notes.xml").is_none());
    stage.picture("folder");
    stage.harness.get_by_label_contains("scene.xml").click();
    stage.until("the model is shown", |stage| stage.app().snapshot().is_some_and(|s| s.model.nbody == 3));
}
