//! The structs have the sizes and offsets of the reference's headers: a C compiler says so.

use super::context::ContextRecord;
use super::data::MjData;
use super::model::MjModel;
use super::options::MjLrOpt;
use super::scene::{GeomRecord, LightRecord, SceneRecord};
use super::spec::*;
use super::spec_settings::{MjSpec, MjsCompiler};
use kinetree_model::{Contact, Opt, SolverStat, Statistic, TimerStat, Visual, WarningStat};
use kinetree_render::scene::{MjvCamera, MjvGLCamera, MjvOption, MjvPerturb};
use std::fmt::Write;
use std::process::{Command, Stdio};

/// The folder with the reference's headers: from the variable `MUJOCO_INCLUDE`, or of its Python package.
fn headers() -> Option<String> {
    if let Ok(folder) = std::env::var("MUJOCO_INCLUDE") {
        return Some(folder);
    }
    let code = "import importlib.util as u; print(u.find_spec('mujoco').submodule_search_locations[0])";
    let output = Command::new("python3").args(["-c", code]).output().ok()?;
    let folder = format!("{}/include", String::from_utf8(output.stdout).ok()?.trim());
    std::path::Path::new(&folder).join("mujoco/mujoco.h").is_file().then_some(folder)
}

/// A C program that compiles only if the layouts agree.
fn program() -> String {
    let mut text = String::from("#include <stddef.h>\n#include <mujoco/mujoco.h>\n");
    macro_rules! sizes {
        ($( $name:literal $t:ty; )*) => { $(
            let _ = writeln!(text, "_Static_assert(sizeof({}) == {}, \"size of {}\");", $name, size_of::<$t>(), $name);
        )* };
    }
    sizes! {
        "mjModel" MjModel; "mjData" MjData; "mjOption" Opt; "mjVisual" Visual; "mjStatistic" Statistic;
        "mjContact" Contact; "mjSolverStat" SolverStat; "mjTimerStat" TimerStat; "mjWarningStat" WarningStat;
        "mjLROpt" MjLrOpt; "mjSpec" MjSpec; "mjsCompiler" MjsCompiler; "mjsOrientation" MjsOrientation;
        "mjsPlugin" MjsPlugin; "mjsWrap" MjsWrap; "mjsDefault" MjsDefault; "mjvScene" SceneRecord; "mjvGeom" GeomRecord;
        "mjvLight" LightRecord; "mjvCamera" MjvCamera; "mjvGLCamera" MjvGLCamera; "mjvOption" MjvOption;
        "mjvPerturb" MjvPerturb; "mjrRect" kinetree_render::canvas::MjrRect;
        "mjvFigure" crate::functions::figure::Figure; "mjuiThemeSpacing" crate::functions::refused::Spacing; "mjuiThemeColor" crate::functions::refused::Colors;
    }
    macro_rules! offsets {
        ($( $name:literal $t:ty; )*) => { $(
            let _ = writeln!(text, "_Static_assert(sizeof({}) == {}, \"size of {}\");", $name, size_of::<$t>(), $name);
            for (field, offset) in <$t>::OFFSETS {
                let field = field.trim_start_matches("r#");
                let _ = writeln!(text, "_Static_assert(offsetof({}, {field}) == {offset}, \"{}.{field}\");", $name, $name);
            }
        )* };
    }
    offsets! {
        "mjModel" MjModel; "mjData" MjData; "mjsBody" MjsBody; "mjsFrame" MjsFrame; "mjsJoint" MjsJoint;
        "mjsGeom" MjsGeom; "mjsSite" MjsSite; "mjsCamera" MjsCamera; "mjsLight" MjsLight; "mjsFlex" MjsFlex;
        "mjsMesh" MjsMesh; "mjsHField" MjsHField; "mjsSkin" MjsSkin; "mjsTexture" MjsTexture;
        "mjsMaterial" MjsMaterial; "mjsPair" MjsPair; "mjsExclude" MjsExclude; "mjsEquality" MjsEquality;
        "mjsTendon" MjsTendon; "mjsActuator" MjsActuator; "mjsSensor" MjsSensor; "mjsNumeric" MjsNumeric;
        "mjsText" MjsText; "mjrContext" ContextRecord; "mjsTuple" MjsTuple; "mjsKey" MjsKey;
    }
    text
}

#[test]
fn structs_have_the_layout_of_the_headers() {
    let Some(folder) = headers() else {
        eprintln!("skipped: the headers of MuJoCo 3.8.0 are not there (set MUJOCO_INCLUDE)");
        return;
    };
    let compiler = Command::new("cc")
        .args(["-x", "c", "-std=c11", "-fsyntax-only", "-I", &folder, "-"])
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut compiler) = compiler else {
        eprintln!("skipped: there is no C compiler");
        return;
    };
    std::io::Write::write_all(&mut compiler.stdin.take().unwrap(), program().as_bytes()).unwrap();
    assert!(compiler.wait().unwrap().success(), "layouts differ from the headers");
}
