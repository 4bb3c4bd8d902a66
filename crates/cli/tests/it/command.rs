//! The command as a whole: results, failures, exit codes, files and pipes.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kinetree"))
}

fn run(args: &[&str]) -> Output {
    command().args(args).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = run(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {}", stdout(&output)))
}

#[test]
fn every_subcommand_has_help_with_an_example() {
    let names = [
        "info", "check", "step", "bench", "convert", "deps", "docs", "ik", "mpc", "plot", "models", "render",
        "rollout", "serve", "view",
    ];
    for name in names {
        let output = run(&[name, "--help"]);
        assert!(output.status.success());
        let text = stdout(&output);
        assert!(text.contains("Examples:") && text.contains(&format!("kinetree {name}")), "{text}");
    }
}

#[test]
fn embedded_models_are_listed_checked_and_shown() {
    let models = json(&["models", "--json"]);
    let names: Vec<&str> =
        models["models"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 9);
    for name in names {
        let info = json(&["info", name, "--json"]);
        assert!(info["sizes"]["nv"].as_i64().unwrap() > 0, "{name}");
        assert!(run(&["info", name]).status.success());
        assert_eq!(json(&["check", name, "--json"])["ok"], true, "{name}");
    }
}

#[test]
fn failures_have_an_exit_code_and_a_remedy() {
    let output = run(&["info", "humnoid"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean the embedded model 'humanoid'?"));
    assert!(json(&["info", "humnoid", "--json"])["error"].is_string());
    assert_eq!(json(&["check", "no_such_file.xml", "--json"])["ok"], false);
    assert_eq!(run(&["step", "arm", "--ctrl", "1,2"]).status.code(), Some(1));
    assert_eq!(run(&["step", "arm", "--ctrl", "joint9=1"]).status.code(), Some(1));
    assert_eq!(run(&["step", "arm", "--key", "hom"]).status.code(), Some(1));
    assert_eq!(run(&["convert", "arm", "arm.obj"]).status.code(), Some(1));
    assert_eq!(run(&["bench", "--threads", "0"]).status.code(), Some(2));
}

#[test]
fn many_worlds_are_rolled_out() {
    let folder = folder("rollout");
    let [one, two] = ["one.npz", "two.npz"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let common = ["rollout", "car", "--worlds", "5", "--steps", "40", "--every", "10", "--json", "--out"];
    let roll = |file: &str, threads: &str| json(&[&common[..], &[file, "--threads", threads]].concat());
    let result = roll(&one, "1");
    assert_eq!((&result["steps"], &result["rows"], &result["failures"]), (&40.into(), &4.into(), &0.into()));
    roll(&two, "2");
    let bytes = std::fs::read(&one).unwrap();
    assert_eq!(bytes, std::fs::read(&two).unwrap(), "the number of threads changes nothing");
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("qpos.npy") && text.contains("'shape': (4, 5, "));
    // controls of a trajectory that was recorded before
    let csv = folder.join("car.csv");
    assert!(run(&["step", "car", "--seconds", "0.1", "--out", csv.to_str().unwrap()]).status.success());
    let recorded = ["rollout", "car", "--worlds", "2", "--steps", "9", "--controls", csv.to_str().unwrap()];
    assert!(stdout(&run(&recorded)).contains("9 steps of 2 worlds"));
    let scaling =
        json(&["rollout", "car", "--worlds", "2", "--steps", "9", "--threads", "2", "--scaling", "--json"]);
    assert_eq!(scaling["scaling"][1]["threads"], 2);
    assert_eq!(run(&["rollout", "car", "--worlds", "0"]).status.code(), Some(2));
    assert_eq!(run(&["rollout", "car", "--out", "car.csv"]).status.code(), Some(1));
    assert_eq!(run(&["rollout", "car", "--amplitude", "nan"]).status.code(), Some(1));
}

#[test]
fn a_trajectory_is_recorded_and_plotted() {
    let folder = folder("trajectory");
    let (csv, svg) = (folder.join("car.csv"), folder.join("car.svg"));
    let output = run(&["step", "car", "--seconds", "0.2", "--out", csv.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&csv).unwrap();
    let columns = text.lines().next().unwrap().split(',').count();
    assert_eq!(text.lines().count(), 22);
    assert!(text.lines().all(|line| line.split(',').count() == columns));
    assert!(run(&["plot", csv.to_str().unwrap()]).status.success());
    let png = csv.with_extension("png");
    assert!(run(&["plot", csv.to_str().unwrap(), "--out", png.to_str().unwrap()]).status.success());
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG\r\n"));
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    assert_eq!(run(&["plot", csv.to_str().unwrap(), "--columns", "nonsense"]).status.code(), Some(1));
    assert_eq!(run(&["plot", csv.to_str().unwrap(), "--out", "car.bmp"]).status.code(), Some(1));
}

#[test]
fn numpy_archives_have_one_array_per_group() {
    let path = folder("numpy").join("arm.npz");
    let output = run(&["step", "arm", "--key", "home", "--seconds", "0.1", "--out", path.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes.starts_with(b"PK\x03\x04"));
    for name in ["time", "qpos", "qvel", "ctrl", "sensordata", "energy", "ncon"] {
        let file = format!("{name}.npy");
        assert!(bytes.windows(file.len()).any(|window| window == file.as_bytes()), "{name}");
    }
}

#[test]
fn a_binary_model_moves_like_its_source() {
    let path = folder("binary").join("quadruped.mjb");
    let path = path.to_str().unwrap();
    assert!(run(&["convert", "quadruped", path]).status.success());
    let source = json(&["step", "quadruped", "--seconds", "0.5", "--json"]);
    let binary = json(&["step", path, "--seconds", "0.5", "--json"]);
    assert_eq!(source["qpos"], binary["qpos"]);
}

#[test]
fn models_are_written_as_text() {
    let path = folder("text").join("quadruped.xml");
    let path = path.to_str().unwrap();
    assert!(run(&["convert", "quadruped", path]).status.success());
    let source = json(&["step", "quadruped", "--seconds", "0.5", "--json"]);
    let text = json(&["step", path, "--seconds", "0.5", "--json"]);
    assert_eq!(source["qpos"], text["qpos"]);
    // a compiled model has lost its description
    let binary = folder("text").join("arm.mjb");
    let binary = binary.to_str().unwrap();
    assert!(run(&["convert", "arm", binary]).status.success());
    assert_eq!(run(&["convert", binary, path]).status.code(), Some(1));
}

#[test]
fn a_model_is_converted_to_another_reference_level() {
    let folder = folder("level");
    let [old, new, back] =
        ["old.xml", "new.xml", "back.xml"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let text = "<mujoco><worldbody><body pos='0 0 .25'><freejoint/><geom name='g' size='.1' margin='.2' gap='.05'/></body>
        <geom type='plane' size='1 1 1'/></worldbody></mujoco>";
    std::fs::write(&old, text).unwrap();
    let output = run(&["convert", &old, &new, "--reference", "4.0"]);
    let said = stdout(&output);
    assert!(said.contains("changed: geom 'g': margin 0.2 is 0.15") && said.contains("wrote "), "{said}");
    let moved = json(&["step", &old, "--seconds", "0.1", "--json"]);
    let same = json(&["--reference", "4.0", "step", &new, "--seconds", "0.1", "--json"]);
    assert_eq!(moved["qpos"], same["qpos"]);
    let result = json(&["convert", &new, &back, "--from", "4.0", "--json"]);
    assert!(result["notes"].as_array().unwrap().iter().any(|note| note["element"] == "geom 'g'"), "{result}");
    assert_eq!(moved["qpos"], json(&["step", &back, "--seconds", "0.1", "--json"])["qpos"]);
    // a compiled model has its level
    let binary = folder.join("new.mjb").to_str().unwrap().to_owned();
    assert!(run(&["convert", &old, &binary, "--reference", "4.0"]).status.success());
    assert!(run(&["--reference", "4.0", "info", &binary]).status.success());
    assert_eq!(run(&["info", &binary]).status.code(), Some(1));
}

#[test]
fn what_moves_otherwise_at_another_level_is_an_error() {
    let folder = folder("differs");
    let [old, new] = ["old.xml", "new.xml"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let text = "<mujoco><option integrator='RK4'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
    std::fs::write(&old, text).unwrap();
    // of an earlier run
    let _ = std::fs::remove_file(&new);
    let output = run(&["convert", &old, &new, "--reference", "4.0"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("option: the integrator RK4") && said.contains("--allow-differences"), "{said}");
    assert!(output.status.code() == Some(1) && !std::path::Path::new(&new).exists());
    let output = run(&["convert", &old, &new, "--reference", "4.0", "--allow-differences"]);
    assert!(stdout(&output).contains("difference: option: the integrator RK4") && output.status.success());
}

#[test]
fn bench_counts_and_times() {
    let result = json(&["bench", "boxes", "--steps", "20", "--threads", "2", "--profile", "--json"]);
    let result = &result["results"][0];
    assert_eq!(result["steps"], 40);
    assert!(result["steps_per_second"].as_f64().unwrap() > 0.0);
    assert_eq!(result["stages"].as_array().unwrap().len(), 9);
}

#[test]
fn bench_counts_worlds_on_a_gpu() {
    // a small model: a software driver compiles the kernels of a humanoid for a minute
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/joint_springs.xml");
    let output = command().args(["bench", model, "--gpu", "3", "--steps", "20", "--json"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("no GPU was found") {
        eprintln!("skipped: {said}");
        return;
    }
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let result = &result["results"][0];
    assert_eq!((&result["worlds"], &result["steps"]), (&3.into(), &60.into()));
    assert!(result["steps_per_second"].as_f64().unwrap() > 0.0);
    let refused =
        command().args(["bench", "humanoid", "--gpu", "3", "--adapter", "imaginary"]).output().unwrap();
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no adapter is called 'imaginary'"));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = command()
        .args(["step", "humanoid", "--seconds", "1", "--rate", "1000", "--out", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // take a few bytes, then close the pipe
    let mut first = [0; 4];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"time");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_told_before_the_work() {
    // a folder that does not exist fails for every user; permissions would not stop the superuser
    let output = run(&["step", "humanoid", "--seconds", "1e6", "--out", "/proc/no_such_folder/t.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write '/proc/no_such_folder/t.csv'"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_recorded() {
    let path = folder("interrupt").join("long.csv");
    let _ = std::fs::remove_file(&path);
    let child = command()
        .args(["step", "boxes", "--seconds", "1e5", "--out", path.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // the file appears just before the handler is in place
    while !path.exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(std::fs::read_to_string(&path).unwrap().lines().count() > 1);
}

#[test]
fn inverse_kinematics_of_an_embedded_arm_and_of_a_urdf() {
    let pose = ["--target", "0.45", "0.1", "0.5", "0", "1", "0", "0"];
    let arm = ["ik", "arm", "--end", "grip"];
    let found = json(&[&arm[..], &pose, &["--json"]].concat());
    assert_eq!(found["joints"].as_array().unwrap().len(), 7);
    assert_eq!(found["solutions"][0]["converged"], true);
    assert!(found["solutions"][0]["position_error"].as_f64().unwrap() <= 1e-5);
    let text = stdout(&run(&[&arm[..], &pose, &["--color", "never"]].concat()));
    assert!(text.contains("joint4") && text.contains("reached: "), "{text}");

    // a link that no joint moves is found all the same
    let urdf = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/urdf_arm.urdf");
    let all = json(&["ik", urdf, "--end", "tool", "--target", "0.3", "0", "0.5", "--all", "--json"]);
    assert_eq!(all["joints"], serde_json::json!(["shoulder", "elbow"]));
    assert!(!all["solutions"].as_array().unwrap().is_empty());
}

#[test]
fn inverse_kinematics_fails_with_a_reason() {
    let fails = |args: &[&str], words: &str| {
        let output = run(&[&["ik", "arm"], args].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned() + &stdout(&output);
        assert!(!output.status.success() && text.contains(words), "{text}");
    };
    fails(&["--end", "grip", "--target", "9", "0", "0"], "not reached");
    fails(&["--end", "grip", "--target", "1", "2", "3", "4"], "3 or 7 numbers, not 4");
    fails(&["--end", "grip", "--target", "0", "0", "0", "1", "1", "0", "0"], "unit quaternion");
    fails(&["--end", "gripp", "--target", "0", "0", "0"], "did you mean grip");
    fails(&["--end", "grip", "--target", "nan", "0", "0"], "finite");
    fails(&["--end", "grip", "--target", "0", "0", "0.5", "--seed", "1"], "7 numbers");
}
