//! `kinetree view` where it cannot open a window. The window itself is driven by `.ci/window.py`.

use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinetree"));
    command.arg("view").args(args);
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    command.output().unwrap()
}

fn refusal(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Other systems have a display wherever a user is.
#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_error_says_what_to_do() {
    let said = refusal(&["humanoid"]);
    assert!(said.contains("cannot open a window") && said.contains("xvfb-run"), "{said}");
}

#[test]
fn models_and_folders_that_do_not_exist_are_errors_before_a_window_opens() {
    let said = refusal(&["humanoit"]);
    assert!(said.contains("did you mean the embedded model 'humanoid'?"), "{said}");
    let said = refusal(&["humanoid", "--out", "no/such/folder"]);
    assert!(said.contains("'no/such/folder' is not a folder"), "{said}");
}
