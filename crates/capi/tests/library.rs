//! The library that is built: what it exports, and programs of C and C++ that are linked with it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The library, beside the folder of this test. Tests do not build it: a build of it alone takes other
/// features of its dependencies, and so minutes.
fn library() -> Option<PathBuf> {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    let name = format!("{}kinetree_mujoco{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = folder.join(name);
    if !path.is_file() {
        eprintln!("skipped: the library is not built (cargo build --workspace --lib)");
        return None;
    }
    Some(path)
}

/// The folder with the reference's headers: from the variable `MUJOCO_INCLUDE`, or of its Python package.
fn headers() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("MUJOCO_INCLUDE") {
        return Some(folder.into());
    }
    let code = "import importlib.util as u; print(u.find_spec('mujoco').submodule_search_locations[0])";
    let output = Command::new("python3").args(["-c", code]).output().ok()?;
    let folder = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()).join("include");
    folder.join("mujoco/mujoco.h").is_file().then_some(folder)
}

#[test]
fn all_functions_of_the_header_are_exported() {
    let Some(library) = library() else { return };
    let bytes = std::fs::read(library).unwrap();
    let missing: Vec<&str> = include_str!("functions.txt")
        .lines()
        .filter(|name| {
            let symbol = [b"\0", name.as_bytes(), b"\0"].concat();
            !bytes.windows(symbol.len()).any(|window| window == symbol)
        })
        .collect();
    assert!(missing.is_empty(), "not exported: {missing:?}");
}

/// Compiles a program of `examples/`, links it with the library and runs it.
fn run(compiler: &str, source: &str) {
    let Some(library) = library() else { return };
    let Some(headers) = headers() else {
        eprintln!("skipped: the headers of MuJoCo 3.8.0 are not there (set MUJOCO_INCLUDE)");
        return;
    };
    if Command::new(compiler).arg("--version").output().is_err() {
        eprintln!("skipped: there is no compiler '{compiler}'");
        return;
    }
    let folder = std::env::temp_dir().join(format!("kinetree-capi-{}-{source}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // the name by which the program looks for the library when it runs
    std::fs::copy(library, folder.join("libmujoco.so.3.8.0")).unwrap();
    let program = folder.join("program");
    let built = Command::new(compiler)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(source))
        .arg("-I")
        .arg(headers)
        .arg("-o")
        .arg(&program)
        .arg(folder.join("libmujoco.so.3.8.0"))
        .args(["-lm", "-pthread"])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).env("LD_LIBRARY_PATH", &folder).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_of_c_steps_a_model() {
    run("cc", "step.c");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_of_cpp_builds_a_model() {
    run("c++", "edit.cc");
}

#[test]
#[cfg(target_os = "linux")]
fn nonsense_from_c_crashes_nothing() {
    run("cc", "hostile.c");
}
