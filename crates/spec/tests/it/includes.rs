//! Includes: which of several compilers counts, and where files are looked for. Expected values are those of
//! the reference.

use kinetree_spec::{Vfs, load_model_str_with};

/// A tetrahedron with edges of this length along the axes.
fn tetrahedron(size: f64) -> Vec<u8> {
    format!("v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        .into_bytes()
}

fn files(list: &[(&str, &str)]) -> Vfs {
    let mut files = Vfs::new();
    for (name, text) in list {
        files.add_buffer(name, format!("<mujoco>{text}</mujoco>").into_bytes()).unwrap();
    }
    for (name, size) in [("d1/m.obj", 1.0), ("d2/m.obj", 2.0), ("s/e/m.obj", 3.0)] {
        files.add_buffer(name, tetrahedron(size)).unwrap();
    }
    files
}

/// Edge of the first mesh, from its volume of a sixth of the cube.
fn edge(main: &str, list: &[(&str, &str)]) -> f64 {
    let xml = format!("<mujoco>{main}<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
    let model = load_model_str_with(&xml, &files(list)).unwrap_or_else(|problem| panic!("{problem}"));
    let aabb = model.geom_rbound[0];
    // circumscribed about the bounding box, so proportional to the edge
    let unit = {
        let xml = "<mujoco><compiler meshdir='d1'/><asset><mesh file='m.obj'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
        load_model_str_with(xml, &files(&[])).unwrap().geom_rbound[0]
    };
    aabb / unit
}

const MESH: &str = "<asset><mesh file='m.obj'/></asset>";

#[track_caller]
fn expect(main: &str, list: &[(&str, &str)], size: f64) {
    let found = edge(main, list);
    assert!((found - size).abs() < 1e-5, "the mesh has edges of {found}, not {size}");
}

#[test]
fn the_last_compiler_of_the_text_counts() {
    let (c1, c2) = ("<compiler meshdir='d1'/>", "<compiler meshdir='d2'/>");
    expect(&format!("{c1}{MESH}{c2}"), &[], 2.0);
    expect(&format!("{c2}{c1}{MESH}"), &[], 1.0);
    // what an included file says stands where it is included
    let part = format!("{c2}{MESH}");
    expect(&format!("{c1}<include file='s/i.xml'/>"), &[("s/i.xml", &part)], 2.0);
    expect(&format!("<include file='s/i.xml'/>{c1}"), &[("s/i.xml", &part)], 1.0);
    let nested = [("s/i.xml", "<include file='s/j.xml'/><compiler meshdir='d1'/>"), ("s/j.xml", &*part)];
    expect("<include file='s/i.xml'/>", &nested, 1.0);
    expect(&format!("<include file='s/i.xml'/>{c2}"), &nested, 2.0);
}

#[test]
fn an_include_of_the_same_name_in_a_nested_folder_is_another_file() {
    let list = [
        ("p/r.xml", "<worldbody><body name='a'/></worldbody><include file='z/r.xml'/>"),
        ("p/z/r.xml", "<worldbody><body name='b'/></worldbody>"),
    ];
    let model = load_model_str_with("<mujoco><include file='p/r.xml'/></mujoco>", &files(&list)).unwrap();
    assert_eq!(model.nbody, 3);
    // an exact name comes first, wherever it is looked for
    let mut both = list.to_vec();
    both.push(("z/r.xml", "<worldbody><body name='c'/><body name='d'/></worldbody>"));
    let model = load_model_str_with("<mujoco><include file='p/r.xml'/></mujoco>", &files(&both)).unwrap();
    assert_eq!(model.nbody, 4);
    // the last part of the name is enough where nothing else is there
    let list = [("r.xml", "<worldbody><body name='a'/></worldbody>")];
    let model = load_model_str_with("<mujoco><include file='x/r.xml'/></mujoco>", &files(&list)).unwrap();
    assert_eq!(model.nbody, 2);
}

#[test]
fn a_file_is_included_once() {
    let list = [("i.xml", "<worldbody><body name='a'/></worldbody>")];
    let twice = "<mujoco><include file='i.xml'/><include file='./i.xml'/></mujoco>";
    let problem = load_model_str_with(twice, &files(&list)).unwrap_err().to_string();
    assert!(problem.contains("already included"), "{problem}");
}
