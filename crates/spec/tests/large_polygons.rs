//! Faces of an OBJ file may have any number of corners; the reference drops those with more than a hundred.

use kinetree_spec::{Vfs, load_model_str_with};
use std::f64::consts::PI;
use std::fmt::Write;

/// A prism of height one over a regular polygon in the unit circle.
fn prism(corners: usize) -> String {
    let mut text = String::new();
    for z in 0..2 {
        for i in 0..corners {
            let angle = 2.0 * PI * i as f64 / corners as f64;
            writeln!(text, "v {} {} {z}", angle.cos(), angle.sin()).unwrap();
        }
    }
    let list = |ids: &mut dyn Iterator<Item = usize>| ids.map(|id| format!(" {id}")).collect::<String>();
    writeln!(text, "f{}", list(&mut (1..=corners).rev())).unwrap();
    writeln!(text, "f{}", list(&mut (corners + 1..=2 * corners))).unwrap();
    for i in 0..corners {
        let j = (i + 1) % corners;
        writeln!(text, "f {} {} {} {}", i + 1, j + 1, corners + j + 1, corners + i + 1).unwrap();
    }
    text
}

#[test]
fn a_prism_keeps_its_ends() {
    for corners in [5, 99, 101, 300] {
        let mut files = Vfs::new();
        files.add_buffer("m.obj", prism(corners).into_bytes()).unwrap();
        let xml = "<mujoco><asset><mesh file='m.obj'/></asset><worldbody><body><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
        let model = load_model_str_with(xml, &files).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(model.mesh_facenum[0] as usize, 2 * (corners - 2) + 2 * corners);
        let area = 0.5 * corners as f64 * (2.0 * PI / corners as f64).sin();
        assert!((model.body_mass[1] / (1000.0 * area) - 1.0).abs() < 1e-5, "{}", model.body_mass[1]);
    }
}
