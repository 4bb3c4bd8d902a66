//! `kinetree render`: pictures, films and what it refuses.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kinetree")).arg("render").args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Says why a test did not test; straight to the terminal, since the harness hides what tests that pass
/// print.
fn skipped(reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {}", reason.trim());
}

/// A file in a folder of these tests.
fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("render");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Draws into a file; `false` on a machine without graphics, which says what to install.
fn draws(name: &str, args: &[&str]) -> bool {
    let path = file(name);
    let output = run(&[args, &["--out", path.to_str().unwrap()]].concat());
    let said = stderr(&output);
    if said.contains("no graphics adapter") {
        assert!(said.contains("mesa-vulkan-drivers"), "{said}");
        skipped(&said);
        return false;
    }
    assert!(output.status.success(), "{said}");
    true
}

fn decode(name: &str) -> (png::OutputInfo, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(file(name)).unwrap()))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info, pixels)
}

#[test]
fn a_picture_has_the_size_that_was_asked_for() {
    if !draws("humanoid.png", &["humanoid", "--size", "96x64"]) {
        return;
    }
    let (info, pixels) = decode("humanoid.png");
    assert_eq!((info.width, info.height, info.color_type), (96, 64, png::ColorType::Rgb));
    let colors: std::collections::HashSet<&[u8]> = pixels.chunks_exact(3).collect();
    assert!(colors.len() > 50, "only {} colours", colors.len());
}

#[test]
fn distances_are_in_millimetres() {
    let above = ["--lookat", "0,0,0", "--elevation", "-90", "--distance", "2.5"];
    let args = [&["boxes", "--size", "64x64", "--depth"][..], &above].concat();
    if !draws("depth.png", &args) {
        return;
    }
    let (info, pixels) = decode("depth.png");
    assert_eq!(info.bit_depth, png::BitDepth::Sixteen);
    // the floor in a corner of the picture
    let corner = u16::from_be_bytes([pixels[0], pixels[1]]);
    assert!((2400..=2600).contains(&corner), "{corner} mm");
}

#[test]
fn films_have_all_their_frames() {
    if !draws("fall.gif", &["humanoid", "--size", "48x32", "--seconds", "0.5", "--fps", "10"]) {
        return;
    }
    let mut decoder =
        gif::DecodeOptions::new().read_info(std::fs::File::open(file("fall.gif")).unwrap()).unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!(delays, [10; 6]);
}

#[test]
fn segmentation_has_few_colours() {
    if !draws("objects.png", &["arm", "--size", "64x48", "--segmentation"]) {
        return;
    }
    let (_, pixels) = decode("objects.png");
    let colors: std::collections::HashSet<&[u8]> = pixels.chunks_exact(3).collect();
    assert!((3..60).contains(&colors.len()), "{} colours", colors.len());
}

#[test]
fn wrong_arguments_are_explained() {
    let path = file("never.png");
    let out = path.to_str().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["humanoid", "--out", "picture.jpg"], "should end in .png, .gif or .mp4"),
        (&["humanoid", "--out", out, "--size", "640"], "640x480"),
        (&["humanoid", "--out", out, "--camera", "nowhere"], "nowhere"),
        (&["humanoid", "--out", out, "--seconds", "-1"], "--seconds must be 0 or a positive number"),
        (&["humanoid", "--out", out, "--fps", "0"], "--fps must be a positive number"),
        (&["humanoid", "--out", out, "--fps", "inf"], "--fps must be a positive number"),
        (&["no/such/model.xml", "--out", out], "no/such/model.xml"),
        (&["humanoid", "--out", out, "--distance", "0"], "distance"),
        (&["humnoid", "--out", out], "did you mean the embedded model 'humanoid'?"),
    ];
    for (args, text) in cases {
        let output = run(args);
        assert!(!output.status.success());
        assert!(stderr(&output).contains(text), "{args:?}: {}", stderr(&output));
    }
    assert!(!path.exists(), "nothing is left behind");
}

#[test]
fn pictures_that_do_not_fit_are_refused() {
    let path = file("huge.png");
    let output = run(&["humanoid", "--size", "16384x16384", "--out", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("16384 × 16384") || said.contains("no graphics adapter"), "{said}");
    assert!(!path.exists());
}

#[test]
fn a_model_without_geoms_is_black() {
    let model = file("empty.xml");
    std::fs::write(&model, "<mujoco/>").unwrap();
    if draws("empty.png", &[model.to_str().unwrap(), "--size", "32x24"]) {
        assert!(decode("empty.png").1.iter().all(|&v| v == 0));
    }
}

/// The interface of another system stands for a machine without graphics.
#[test]
#[cfg(not(windows))]
fn a_machine_without_adapter_is_told_what_to_install() {
    let path = file("nowhere.png");
    let output = Command::new(env!("CARGO_BIN_EXE_kinetree"))
        .args(["render", "humanoid", "--out", path.to_str().unwrap()])
        .env("WGPU_BACKEND", "dx12")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("no graphics adapter") && said.contains("mesa-vulkan-drivers"), "{said}");
    assert!(!path.exists());
}

/// Without ffmpeg, films can still be GIFs.
#[test]
fn films_in_mp4_need_an_encoder() {
    let path = file("film.mp4");
    let output = Command::new(env!("CARGO_BIN_EXE_kinetree"))
        .args(["render", "boxes", "--size", "32x24", "--seconds", "0.1", "--out", path.to_str().unwrap()])
        .env("PATH", "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        (said.contains("ffmpeg") && said.contains(".gif")) || said.contains("no graphics adapter"),
        "{said}"
    );
}

#[test]
fn controls_come_from_a_file() {
    let table = file("controls.csv");
    std::fs::write(&table, "time,ctrl.drive\n0,1\n0.1,oops\n").unwrap();
    let output =
        run(&["arm", "--controls", table.to_str().unwrap(), "--out", file("c.png").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("no actuator called 'drive'") || said.contains("oops"), "{said}");
}

/// The section `<soft>` is stepped and drawn: a red sheet falls onto a blue floor.
#[test]
fn deformable_bodies_are_stepped_and_drawn() {
    let model = file("sheet.xml");
    let text = r#"<mujoco><visual><headlight ambient=".5 .5 .5"/></visual><statistic extent="1" center="0 0 0"/>
        <worldbody><camera pos="0 0 1"/><geom type="plane" size="1 1 .1" rgba="0 0 1 1"/></worldbody>
        <soft><cloth name="sheet" preset="Membrane" cells="4 4" size=".4 .4" pos="2 0 .05" thickness=".01" rgba="1 0 0 1" drag="2"/></soft>
        </mujoco>"#;
    let place = |pos: &str| std::fs::write(&model, text.replace("2 0 .05", pos)).unwrap();
    let centre = |name: &str, args: &[&str]| {
        let all = [&[model.to_str().unwrap(), "--camera", "0", "--size", "33x33"], args].concat();
        if !draws(name, &all) {
            return None;
        }
        let at = 3 * (16 * 33 + 16);
        Some(decode(name).1[at..at + 3].to_vec())
    };
    place("0 0 .05");
    let Some(seen) = centre("sheet.png", &[]) else { return };
    let red = |rgb: &[u8]| rgb[0] / 2 > rgb[2];
    assert!(red(&seen), "the sheet is red: {seen:?}");
    let fallen = centre("fallen.png", &["--seconds", "0.3"]).unwrap();
    assert!(red(&fallen), "the sheet lies on the floor: {fallen:?}");
    place("2 0 .05");
    let floor = centre("floor.png", &[]).unwrap();
    assert!(floor[2] / 2 > floor[0], "the sheet is elsewhere: {floor:?}");
}

/// Only the description of bodies is wrong, and the message says where.
#[test]
fn mistakes_in_deformable_bodies_have_a_place() {
    let model = file("mistake.xml");
    std::fs::write(&model, "<mujoco>\n<soft>\n<cloth name='c' preset='slik'/></soft></mujoco>").unwrap();
    let output = run(&[model.to_str().unwrap(), "--out", file("mistake.png").to_str().unwrap()]);
    let said = stderr(&output);
    assert!(!output.status.success());
    assert!(said.contains("mistake.xml:3:25") && said.contains("'Silk'"), "{said}");
}
