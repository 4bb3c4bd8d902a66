//! `kinetree docs`: pages, a search, and the address of the site.

use std::path::PathBuf;
use std::process::{Command, Output};

fn docs(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinetree"));
    // a folder without a site, so that it does not depend on what was built before
    command.arg("docs").args(args).current_dir(env!("CARGO_TARGET_TMPDIR")).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_slice(&docs(&[args, &["--json"]].concat()).stdout).unwrap()
}

#[test]
fn pages_are_listed_and_printed() {
    let pages = json(&[])["pages"].clone();
    let names: Vec<&str> =
        pages.as_array().unwrap().iter().map(|page| page["name"].as_str().unwrap()).collect();
    for name in ["index", "start/quickstart", "guides/control", "concepts/constraints", "conformance"] {
        assert!(names.contains(&name), "{names:?}");
    }
    // what a build of the site makes is not there
    assert!(!names.iter().any(|name| name.starts_with("reference/api")), "{names:?}");
    let page = stdout(&docs(&["guides/control"]));
    assert!(page.starts_with("# Control it\n") && page.contains("```python"), "{page}");
    // the only page whose file is called so
    assert_eq!(stdout(&docs(&["control"])), page);
    // settings, lists of pages and comments are for the site
    for name in ["guides/index", "guides/cluster", "index"] {
        let page = stdout(&docs(&[name]));
        assert!(page.starts_with("# "), "{page}");
        for word in ["toctree", "<!-- test:", "html_meta"] {
            assert!(!page.contains(word), "{name}: {page}");
        }
    }
}

#[test]
fn words_are_searched_for() {
    let first = |words: &[&str]| json(words)["results"][0]["name"].as_str().unwrap().to_owned();
    assert_eq!(first(&["contact", "force"]), "concepts/constraints");
    assert_eq!(first(&["inverse kinematics"]), "guides/inverse-kinematics");
    assert_eq!(first(&["URDF"]), "guides/load-your-robot");
    let text = stdout(&docs(&["randomize", "friction"]));
    assert!(text.contains("guides/many-worlds"), "{text}");
    let output = docs(&["no", "such", "wordlet"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("no page of the manual has the words"), "{message}");
}

#[test]
fn the_address_of_the_site_is_told_and_opened() {
    assert!(json(&[])["address"].as_str().unwrap().starts_with("https://"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let site = folder.to_str().unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    let _ = std::fs::remove_file(folder.join("index.html"));
    let output = docs(&["--site", site]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("tools/docs/build"));
    std::fs::write(folder.join("index.html"), "<title>manual</title>").unwrap();
    let address = json(&["--site", site])["address"].as_str().unwrap().to_owned();
    assert!(address.starts_with("file://") && address.ends_with("index.html"), "{address}");
    // a browser that does not exist is a failure that says the address
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinetree"));
    let output =
        command.args(["docs", "--open", "--site", site]).env("BROWSER", "no-such-browser").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("cannot start the browser 'no-such-browser'") && message.contains(&address),
        "{message}"
    );
}
