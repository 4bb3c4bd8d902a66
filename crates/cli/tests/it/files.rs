//! Files that models are made of: which there are, which are missing, and models that are read without them.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A robot whose mesh is missing and whose inertia no body can have.
const BROKEN: &str = "<robot name='r'><link name='base'/><link name='arm'>
    <inertial><mass value='1'/><inertia ixx='9' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>
    <collision><geometry><mesh filename='parts/missing.stl'/></geometry></collision></link><link name='tool0'/>
    <joint name='j' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/></joint>
    <joint name='f' type='fixed'><parent link='arm'/><child link='tool0'/><origin xyz='0.5 0 0'/></joint></robot>";

const MAIN: &str = "<mujoco><compiler meshdir='parts'/><include file='common.xml'/>
    <asset><mesh name='lid' file='lid.obj'/><mesh name='gone' file='gone.stl'/></asset></mujoco>";

/// A folder of one test, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("files").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(path.join("parts")).unwrap();
    for (file, text) in files {
        std::fs::write(path.join(file), text).unwrap();
    }
    path
}

fn run(folder: &PathBuf, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kinetree")).current_dir(folder).args(args).output().unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn lines(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn files_of_a_model_are_listed() {
    let files = [
        ("robot.xml", MAIN),
        ("common.xml", "<mujoco><option timestep='0.01'/></mujoco>"),
        ("parts/lid.obj", ""),
        ("arm.urdf", BROKEN),
    ];
    let folder = folder("deps", &files);
    let all = ["common.xml", "parts/gone.stl", "parts/lid.obj", "robot.xml"];
    assert_eq!(lines(&run(&folder, &["deps", "robot.xml"])), all);
    assert_eq!(lines(&run(&folder, &["deps", "--missing", "robot.xml"])), ["parts/gone.stl"]);
    assert_eq!(lines(&run(&folder, &["deps", "--missing", "arm.urdf"])), ["parts/missing.stl"]);
    let listed = &json(&run(&folder, &["deps", "robot.xml", "--json"]))["files"];
    assert_eq!(listed[1], serde_json::json!({ "file": "parts/gone.stl", "exists": false }));
    assert_eq!(listed[2], serde_json::json!({ "file": "parts/lid.obj", "exists": true }));

    // models that need no files
    assert!(lines(&run(&folder, &["deps", "humanoid"])).is_empty());
    assert!(run(&folder, &["convert", "arm", "arm.mjb"]).status.success());
    assert_eq!(lines(&run(&folder, &["deps", "arm.mjb"])), ["arm.mjb"]);
}

#[test]
fn files_of_what_is_no_model_are_an_error() {
    let folder = folder(
        "deps_faults",
        &[("robot.xml", "<mujoco><asset>"), ("more.xml", "<mujoco><include file='no.xml'/></mujoco>")],
    );
    let fails = |file: &str, words: &str| {
        let output = run(&folder, &["deps", file]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(1) && output.stdout.is_empty() && text.contains(words),
            "{text}"
        );
    };
    fails("robot.xml", "robot.xml:1");
    fails("more.xml", "no.xml");
    fails("humanoidd", "did you mean the embedded model 'humanoid'?");
    fails("parts", "is a folder");
}

#[test]
fn a_compiled_model_is_listed_as_text() {
    let folder = folder("listing", &[]);
    assert!(run(&folder, &["convert", "arm", "arm.txt"]).status.success());
    let text = std::fs::read_to_string(folder.join("arm.txt")).unwrap();
    for part in ["\nOPTION\n", "\nSTATISTIC\n", "\nJOINT 0:\n", "joint1"] {
        assert!(text.contains(part), "{part:?} is missing");
    }
    // a binary model has the same listing
    assert!(run(&folder, &["convert", "arm", "arm.mjb"]).status.success());
    assert!(run(&folder, &["convert", "arm.mjb", "again.txt"]).status.success());
    assert_eq!(std::fs::read_to_string(folder.join("again.txt")).unwrap(), text);
}

#[test]
fn what_was_left_out_for_kinematics_is_told() {
    let folder = folder("kinematics", &[("arm.urdf", BROKEN)]);
    assert_eq!(run(&folder, &["info", "arm.urdf"]).status.code(), Some(1));
    let output = run(&folder, &["info", "arm.urdf", "--all-links"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.starts_with("warning: loaded for kinematics alone"), "{said}");
    assert!(said.contains("missing.stl") && said.lines().count() == 1, "{said}");
    let value = json(&run(&folder, &["info", "arm.urdf", "--all-links", "--json"]));
    assert_eq!((&value["sizes"]["nbody"], &value["warnings"][0]["severity"]), (&4.into(), &"warning".into()));
    assert!(value["warnings"][0]["message"].as_str().unwrap().starts_with("loaded for kinematics alone"));
    // nothing is left out of a whole model
    let whole = run(&folder, &["info", "arm", "--all-links", "--json"]);
    assert!(whole.stderr.is_empty() && json(&whole)["warnings"].as_array().unwrap().is_empty());
}
