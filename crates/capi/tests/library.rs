//! The library that is built: what it exports, and programs of C and C++ that are linked with it.
//!
//! Without the library these tests say that they were skipped; with `KINETREE_REQUIRE_LIBRARY=1` they fail.

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
        let problem = "the library is not built (cargo build --workspace --lib)";
        assert!(std::env::var_os("KINETREE_REQUIRE_LIBRARY").is_none(), "{problem}");
        eprintln!("skipped: {problem}");
        return None;
    }
    Some(path)
}

/// The folder with the reference's headers: from the variable `MUJOCO_INCLUDE`, or of its Python package.
fn headers() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("MUJOCO_INCLUDE") {
        let folder = PathBuf::from(folder);
        assert!(folder.join("mujoco/mujoco.h").is_file(), "no headers in {}", folder.display());
        return Some(folder);
    }
    let code = "import importlib.util as u; print(u.find_spec('mujoco').submodule_search_locations[0])";
    let output = Command::new("python3").args(["-c", code]).output().ok()?;
    let folder = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()).join("include");
    folder.join("mujoco/mujoco.h").is_file().then_some(folder)
}

/// The names that a library for Linux exports: the defined symbols of its dynamic table.
#[cfg(target_os = "linux")]
fn exported(file: &[u8]) -> std::collections::HashSet<String> {
    let number = |at: usize, size: usize| {
        file[at..at + size].iter().rev().fold(0, |value, &byte| value << 8 | usize::from(byte))
    };
    // where a section begins, its kind, the section that it refers to, offset and size of its bytes
    let headers = number(0x28, 8);
    let section = |index: usize| {
        let at = headers + index * number(0x3a, 2);
        (number(at + 4, 4), number(at + 0x28, 4), number(at + 0x18, 8), number(at + 0x20, 8))
    };
    let (_, names, start, size) = (0..number(0x3c, 2)).map(section).find(|section| section.0 == 11).unwrap();
    let names = section(names).2;
    let symbols = (start..start + size).step_by(24).filter(|&symbol| number(symbol + 6, 2) != 0);
    let text = |at: usize| file[at..].split(|&byte| byte == 0).next().unwrap_or_default();
    symbols.map(|symbol| String::from_utf8_lossy(text(names + number(symbol, 4))).into_owned()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn all_functions_of_the_header_are_exported() {
    let Some(library) = library() else { return };
    let exported = exported(&std::fs::read(library).unwrap());
    let missing: Vec<&str> =
        include_str!("functions.txt").lines().filter(|name| !exported.contains(*name)).collect();
    assert!(missing.is_empty(), "not exported: {missing:?}");
    assert!(!exported.contains("malloc"), "what is only used counts as exported");
}

/// Compiles a program of `examples/`, links it with the library and runs it with arguments in a folder of its
/// own, whose files `look` gets with what the program says. Where that is not possible, the test is skipped.
fn run_and_look(compiler: &str, source: &str, arguments: &[&str], look: impl FnOnce(&Path, &str)) {
    let Some(library) = library() else { return };
    let Some(headers) = headers() else {
        eprintln!("skipped: the headers of MuJoCo 3.8.0 are not there (set MUJOCO_INCLUDE)");
        return;
    };
    if Command::new(compiler).arg("--version").output().is_err() {
        eprintln!("skipped: there is no compiler '{compiler}'");
        return;
    }
    let folder = Folder::new(source);
    // the name by which the program looks for the library when it runs
    std::fs::copy(library, folder.0.join("libmujoco.so.3.8.0")).unwrap();
    let program = folder.0.join("program");
    check(
        Command::new(compiler)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(source))
            .arg("-I")
            .arg(headers)
            .arg("-o")
            .arg(&program)
            .arg(folder.0.join("libmujoco.so.3.8.0"))
            .args(["-lm", "-pthread"]),
    );
    let said = check(
        Command::new(&program).args(arguments).env("LD_LIBRARY_PATH", &folder.0).current_dir(&folder.0),
    );
    if said.starts_with("skipped") {
        eprintln!("{said}");
        return;
    }
    look(&folder.0, &said);
}

/// The same of a program that says by its status whether all is well.
fn run(compiler: &str, source: &str) {
    run_and_look(compiler, source, &[], |_, _| {});
}

/// A folder for a test, which is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("kinetree-capi-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a command, which must succeed, and gives what it says.
fn check(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
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

#[test]
#[cfg(target_os = "linux")]
fn promises_of_the_header_are_kept() {
    run("cc", "promises.c");
}

#[test]
#[cfg(target_os = "linux")]
fn rows_are_there_in_the_order_of_islands() {
    run("cc", "islands.c");
}

#[test]
#[cfg(target_os = "linux")]
fn functions_of_plugins_of_c_are_called() {
    run("cc", "plugin.c");
}

#[test]
#[cfg(target_os = "linux")]
fn plugin_instances_live_as_long_as_their_data() {
    run("cc", "plugin_lives.c");
}

#[test]
#[cfg(target_os = "linux")]
fn wrong_sizes_and_pointers_are_refused() {
    run("cc", "arguments.c");
}

#[test]
#[cfg(all(target_os = "linux", feature = "render"))]
fn pictures_off_screen_are_those_of_the_renderer() {
    use kinetree_render::gpu::Renderer;
    use kinetree_render::scene::{CAT_ALL, MjvCamera, MjvOption, MjvScene, mjv_update_scene};
    run_and_look("cc", "render.c", &["picture"], |folder, _| {
        let source = include_str!("../examples/render.c");
        let text = source.split_once("XML =").unwrap().1.split_once(';').unwrap().0;
        let text: String = text.split('"').skip(1).step_by(2).collect();
        let model = kinetree_spec::load_model_str(&text).unwrap();
        let mut data = kinetree_model::Data::new(&model);
        kinetree_sim::mj_forward(&model, &mut data).unwrap();
        // a fixed camera, the first one
        let mut camera = MjvCamera { type_: 2, fixedcamid: 0, ..MjvCamera::default() };
        let mut scene = MjvScene::new(&model, 100);
        mjv_update_scene(&model, &data, &MjvOption::default(), None, &mut camera, CAT_ALL, &mut scene)
            .unwrap();
        let picture = Renderer::new(&model).unwrap().color(&scene, 80, 60).unwrap();
        let rows: Vec<u8> = picture.rgb.chunks_exact(3 * 80).rev().flatten().copied().collect();
        assert!(rows == std::fs::read(folder.join("picture")).unwrap(), "pictures differ");
    });
}

/// `cmake`, or the one of the Python package of that name.
fn cmake() -> Option<Vec<&'static str>> {
    let ways = [vec!["cmake"], vec!["python3", "-m", "cmake"]];
    let works = |way: &Vec<&str>| {
        Command::new(way[0]).args(&way[1..]).arg("--version").output().is_ok_and(|out| out.status.success())
    };
    ways.into_iter().find(works)
}

#[test]
#[cfg(target_os = "linux")]
fn cmake_finds_what_was_installed() {
    let (Some(library), Some(headers)) = (library(), headers()) else {
        eprintln!("skipped: there is no library, or no headers");
        return;
    };
    let Some(cmake) = cmake() else {
        eprintln!("skipped: there is no CMake (pip install cmake)");
        return;
    };
    let folder = Folder::new("cmake");
    let (crate_folder, prefix) = (Path::new(env!("CARGO_MANIFEST_DIR")), folder.0.join("prefix"));
    let install = |more: &[&std::ffi::OsStr]| {
        let library = ["--library".as_ref(), library.as_os_str()];
        check(Command::new(crate_folder.join("install")).arg(&prefix).args(library).args(more))
    };
    install(&[]);
    let project = folder.0.join("project");
    std::fs::create_dir_all(&project).unwrap();
    std::fs::copy(crate_folder.join("examples/step.c"), project.join("step.c")).unwrap();
    let lists = "cmake_minimum_required(VERSION 3.10)\nproject(steps C)\nfind_package(mujoco 3.8 REQUIRED)\n\
                 add_executable(steps step.c)\ntarget_link_libraries(steps PRIVATE mujoco::mujoco)\n";
    std::fs::write(project.join("CMakeLists.txt"), lists).unwrap();
    let configure = |build: &Path| {
        let mut command = Command::new(cmake[0]);
        command.args(&cmake[1..]).args([
            "-S".as_ref(),
            project.as_os_str(),
            "-B".as_ref(),
            build.as_os_str(),
        ]);
        command.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())).env_remove("MUJOCO_INCLUDE");
        // headers of the system are none of the test's
        command.arg("-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF").env_remove("CPATH");
        command
    };
    let without = configure(&folder.0.join("without")).output().unwrap();
    let problem = String::from_utf8_lossy(&without.stderr).into_owned();
    assert!(!without.status.success() && problem.contains("MUJOCO_INCLUDE"), "{problem}");
    install(&["--headers".as_ref(), headers.as_os_str()]);
    let build = folder.0.join("build");
    check(&mut configure(&build));
    check(Command::new(cmake[0]).args(&cmake[1..]).arg("--build").arg(&build));
    let said = check(&mut Command::new(build.join("steps")));
    assert!(said.contains("1 contacts"), "{said}");
    // and pkg-config, where there is one
    let mut config = Command::new("pkg-config");
    config.args(["--libs", "--cflags", "mujoco"]).env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    if let Ok(output) = config.output() {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("-lmujoco"), "{text}");
    }
}
