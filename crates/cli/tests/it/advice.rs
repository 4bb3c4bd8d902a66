//! What `kinetree check` advises, and what experts ask of other subcommands.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kinetree")).args(args).output().unwrap()
}

fn file(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advice");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = run(args);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{args:?}: {e}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Messages about a model with these parts.
fn advice(name: &str, before: &str, world: &str, after: &str) -> Vec<String> {
    let text = format!("<mujoco>{before}<worldbody>{world}</worldbody>{after}</mujoco>");
    let path = file(name, &text);
    let found = json(&["check", "--json", path.to_str().unwrap()]);
    let list = found["models"][0]["diagnostics"].as_array().unwrap();
    assert_eq!(found["ok"], true, "advice is no error: {found}");
    list.iter().map(|finding| finding["message"].as_str().unwrap().to_owned()).collect()
}

fn hinge(attributes: &str) -> String {
    format!("<body><joint name='j' {attributes}/><geom size='0.1' pos='0.3 0 0'/></body>")
}

#[test]
fn what_is_rarely_meant_is_told() {
    let radian = "<compiler angle='radian'/>";
    let two = |range: &str| {
        let other = hinge(&format!("range='{range}'")).replace("'j'", "'k'");
        hinge(&format!("range='{range}'")) + &other.replace("<body>", "<body pos='0 0 1'>")
    };
    let motor = "<actuator><motor name='m' joint='j'/></actuator>";
    let limited = "<actuator><motor name='m' joint='j' ctrlrange='-1 1'/></actuator>";
    let servo = "<actuator><position name='m' joint='j' kp='1e7' ctrlrange='-1 1'/></actuator>";
    let heavy = "<body name='light'><freejoint/><geom size='0.1' mass='1e-3' contype='0'/>
        <body name='heavy'><joint/><geom size='0.1' mass='1e3' contype='0'/></body></body>";
    let overlapping = "<geom name='table' type='box' size='1 1 0.5'/>
        <body name='deep'><freejoint/><geom name='stone' type='box' size='0.2 0.2 0.2' mass='1'/></body>";
    let visual = "<body><freejoint/><geom size='0.1' contype='0' conaffinity='0'/></body>";
    let unlike = [
        ("degrees.xml", radian, two("-170 170"), "", "degrees read as radians"),
        ("radians.xml", "", two("-1.57 1.57"), "", "radians read as degrees"),
        ("overlap.xml", "", overlapping.into(), "", "overlap by"),
        ("ratio.xml", "", heavy.into(), "", "times as heavy as 'light'"),
        ("visual.xml", "", visual.into(), "", "no geom of a moving body collides"),
        ("spring.xml", "", hinge("stiffness='1e8'"), "", "too long for the stiffness of 'j'"),
        ("servo.xml", "", hinge(""), servo, "too long for the gain of 'm'"),
        ("motor.xml", "", hinge(""), motor, "neither control nor force of m has a limit"),
    ];
    for (name, before, world, after, words) in unlike {
        let found = advice(name, before, &world, after);
        assert!(found.len() == 1 && found[0].contains(words), "{name}: {found:?}");
    }
    for (name, before, world, after) in [
        ("sound.xml", radian, two("-1.57 1.57"), limited),
        ("turns.xml", "", two("-360 360"), limited),
        (
            "narrow.xml",
            "",
            two("-170 170")
                + &hinge("range='-2 2'").replace("'j'", "'l'").replace("<body>", "<body pos='0 0 2'>"),
            "",
        ),
        (
            "rest.xml",
            "",
            "<geom type='plane' size='1 1 1'/><body pos='0 0 0.099'><freejoint/><geom size='0.1'/></body>"
                .into(),
            "",
        ),
        ("springy.xml", "", hinge("stiffness='100'"), ""),
    ] {
        assert_eq!(advice(name, before, &world, after), [""; 0], "{name}");
    }
}

const ROBOT: &str = "<robot name='r'><link name='base'/><link name='arm'>
    <inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='tool0'/>
    <joint name='j' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/></joint>
    <joint name='f' type='fixed'><parent link='arm'/><child link='tool0'/><origin xyz='0.5 0 0'/></joint></robot>";

#[test]
fn fused_links_are_shown_with_their_frames() {
    let path = file("robot.urdf", ROBOT);
    let path = path.to_str().unwrap();
    let fused = json(&["info", path, "--json"])["fused_links"].clone();
    assert_eq!((&fused[1]["name"], &fused[1]["parent"]), (&"tool0".into(), &"arm".into()));
    assert_eq!(fused[1]["pos"], serde_json::json!([0.5, 0.0, 0.0]));
    let text = String::from_utf8(run(&["info", path]).stdout).unwrap();
    assert!(text.contains("links fused with their parents") && text.contains("tool0"), "{text}");
    let all = json(&["info", path, "--json", "--all-links"]);
    assert_eq!((&all["sizes"]["nbody"], all["fused_links"].as_array().unwrap().len()), (&4.into(), 0));
}

#[test]
fn numbers_may_begin_with_a_point() {
    let path = file("reach.urdf", ROBOT);
    let found =
        json(&["ik", path.to_str().unwrap(), "--json", "--end", "tool0", "--target", "-.3", "-.4", "0"]);
    let text = found.to_string();
    assert!(text.contains("\"converged\":true"), "{text}");
}

#[test]
fn benchmarks_take_noise_and_a_keyframe() {
    let path = file(
        "bench.xml",
        "<mujoco><worldbody><body><joint name='j'/><geom size='0.1' pos='0.3 0 0'/></body></worldbody>
         <actuator><motor joint='j' ctrlrange='-1 1'/></actuator><keyframe><key name='up' qpos='1'/></keyframe></mujoco>",
    );
    let path = path.to_str().unwrap();
    for more in [&["--key", "up"][..], &["--key", "0", "--noise", "0.5"]] {
        let args = [&["bench", path, "--json", "--steps", "20"], more].concat();
        assert_eq!(json(&args)["results"][0]["steps"], 20);
    }
    assert!(!run(&["bench", path, "--key", "down"]).status.success());
}
