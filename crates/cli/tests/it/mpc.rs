//! Models that are controlled by planning ahead, and tasks that cannot be read.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A pole on a cart.
const CART: &str = "<mujoco><option timestep='0.01' integrator='implicitfast'/><worldbody>
    <body><joint name='cart' type='slide' axis='1 0 0' damping='0.1'/><geom type='box' size='0.2 0.1 0.1' mass='1'/>
    <body><joint name='pole' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 0.6' size='0.04' mass='0.2'/></body></body>
    </worldbody><actuator><motor name='push' joint='cart' ctrlrange='-10 10'/></actuator>
    <sensor><jointpos name='where' joint='cart'/></sensor>
    <keyframe><key name='up' qpos='0 0'/><key name='left' qpos='-0.5 0.2'/></keyframe></mujoco>";

const TASK: &str = r#"{
    "about": "the pole stays up, and the cart goes to 0.3 m",
    "horizon": 1.0, "start": "left",
    "joints": { "*": { "velocity": 0.1 }, "pole": { "position": 5, "final_position": 20 } },
    "sensors": { "where": { "target": [0.3], "weight": 1, "final_weight": 20 } },
    "controls": { "*": 0.001 } }"#;

/// A folder of one test with the cart and a task.
fn folder(name: &str, task: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mpc").join(name);
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("cart.xml"), CART).unwrap();
    std::fs::write(path.join("task.json"), task).unwrap();
    path
}

fn run(folder: &PathBuf, args: &[&str]) -> Output {
    let all = ["mpc", "cart.xml", "--task", "task.json", "--seconds", "2", "--replan", "5"];
    Command::new(env!("CARGO_BIN_EXE_kinetree")).current_dir(folder).args(all).args(args).output().unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_pole_is_kept_up_while_its_cart_moves() {
    let folder = folder("cart", TASK);
    let first = json(&run(&folder, &["--json", "--out", "way.csv"]));
    let position = |index: usize| first["qpos"][index].as_f64().unwrap();
    assert!((position(0) - 0.3).abs() < 0.05, "the cart is at {}", position(0));
    assert!(position(1).abs() < 0.05, "the pole leans by {}", position(1));
    assert_eq!(first["plans"], 40);
    assert!(first["final_cost"].as_f64() < first["mean_cost"].as_f64());

    // a world that waits for its plans is the same in every run
    let second = json(&run(&folder, &["--json"]));
    assert_eq!(second["qpos"], first["qpos"]);
    let rows = std::fs::read_to_string(folder.join("way.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1 + 201);
    assert!(rows.lines().nth(1).unwrap().starts_with("0,-0.5,0.2,"), "{rows:.200}");
}

#[test]
fn samplers_keep_the_pole_up() {
    for planner in [
        r#"{ "method": "predictive", "samples": 20, "knots": 6, "iterations": 2 }"#,
        r#"{ "method": "cem", "samples": 20, "knots": 6, "iterations": 2, "seed": 3 }"#,
        r#"{ "method": "mppi", "samples": 20, "knots": 6, "iterations": 2, "temperature": 0.05 }"#,
    ] {
        let task = TASK.replace("\"start\"", &format!("\"planner\": {planner}, \"start\""));
        let result = json(&run(&folder(&planner[13..17], &task), &["--json"]));
        assert!(result["qpos"][1].as_f64().unwrap().abs() < 0.3, "{planner}: {result}");
    }
}

#[test]
fn plans_are_made_while_the_world_goes_on() {
    let folder = folder("clock", TASK);
    let args = ["mpc", "cart.xml", "--task", "task.json", "--seconds", "0.5", "--json"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_kinetree")).current_dir(&folder).args(args).output().unwrap();
    let result = json(&output);
    assert_eq!(result["steps"], 50);
    assert!(result["plans"].as_u64() > Some(1), "{result}");
    // it followed the clock
    assert!(result["wall_seconds"].as_f64() > Some(0.45), "{result}");
}

#[test]
fn models_without_a_task_go_to_their_first_keyframe() {
    let folder = folder("rest", TASK);
    let args = ["mpc", "cart.xml", "--key", "left", "--seconds", "5", "--replan", "5", "--json"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_kinetree")).current_dir(&folder).args(args).output().unwrap();
    let result = json(&output);
    assert!(result["qpos"][0].as_f64().unwrap().abs() < 0.1, "{result}");
    assert!(result["qpos"][1].as_f64().unwrap().abs() < 0.1, "{result}");
}

#[test]
fn errors_in_tasks_say_where_they_are() {
    let cases = [
        ("{ \"horizn\": 1 }", "task: there is no field 'horizn'", "did you mean 'horizon'?"),
        (
            "{ \"horizon\": -1 }",
            "task.horizon: should be a time from one step of 0.01 s to 1000 s, not -1",
            "",
        ),
        ("{ \"horizon\": \"long\" }", "task.horizon: should be a number, not \"long\"", ""),
        ("{ \"horizon\": 1, ", "task: EOF while parsing", "line 1"),
        ("[]", "task: should be an object", ""),
        ("{ \"joints\": { \"pol\": {} } }", "the model has no joint called 'pol'", "did you mean 'pole'?"),
        (
            "{ \"joints\": { \"pole\": { \"positon\": 1 } } }",
            "task.joints.pole: there is no field 'positon'",
            "did you mean 'position'?",
        ),
        ("{ \"joints\": { \"*\": { \"position\": -1 } } }", "should not be negative", ""),
        ("{ \"controls\": { \"pull\": 1 } }", "the model has no actuator called 'pull'", "push"),
        ("{ \"sensors\": { \"where\": { \"target\": [1, 2] } } }", "should have 1 values, but has 2", ""),
        (
            "{ \"sensors\": { \"where\": { \"norm\": \"cosh\" } } }",
            "task.sensors.where.norm: 'cosh' is not known",
            "quadratic",
        ),
        ("{ \"target\": { \"keyframe\": \"down\" } }", "the model has no keyframe called 'down'", "up"),
        ("{ \"target\": { \"qpos\": [0] } }", "the target of positions should have 2 values, but has 1", ""),
        ("{ \"planner\": { \"method\": \"magic\" } }", "'magic' is not known", "ilqr, predictive, cem, mppi"),
        (
            "{ \"horizon\": 9, \"planner\": { \"method\": \"cem\", \"samples\": 1000000000000 } }",
            "GB of memory",
            "fewer",
        ),
        (
            "{ \"planner\": { \"method\": \"cem\", \"knots\": 1000000000000 } }",
            "knots should be at most 1024",
            "",
        ),
    ];
    for (number, (task, message, help)) in cases.into_iter().enumerate() {
        let output = run(&folder(&format!("wrong{number}"), task), &[]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{task}: {text}");
        assert!(text.contains(message) && text.contains(help), "{task}: {text}");
    }
}
