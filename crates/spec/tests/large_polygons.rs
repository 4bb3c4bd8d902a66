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

/// A prism over an L, whose corners turn both ways: its volume is that of three unit squares, whichever plane
/// the L lies in and from whichever corner it is listed.
#[test]
fn a_polygon_that_is_not_convex_keeps_its_area() {
    let outline = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    for axes in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
        for start in 0..outline.len() {
            let mut text = String::new();
            for height in 0..2 {
                for i in 0..6 {
                    let [x, y] = outline[(start + i) % 6];
                    let mut p = [0; 3];
                    (p[axes[0]], p[axes[1]], p[axes[2]]) = (x, y, height);
                    writeln!(text, "v {} {} {}", p[0], p[1], p[2]).unwrap();
                }
            }
            text += "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n";
            for i in 0..6 {
                let j = (i + 1) % 6;
                writeln!(text, "f {} {} {} {}", i + 1, j + 1, j + 7, i + 7).unwrap();
            }
            let mut files = Vfs::new();
            files.add_buffer("m.obj", text.into_bytes()).unwrap();
            let xml = "<mujoco><asset><mesh file='m.obj' inertia='exact'/></asset><worldbody><body><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
            let model = load_model_str_with(xml, &files).unwrap_or_else(|problem| panic!("{problem}"));
            assert_eq!(model.mesh_facenum[0], 2 * 4 + 2 * 6);
            assert!(
                (model.body_mass[1] / 3000.0 - 1.0).abs() < 1e-6,
                "{axes:?} {start}: {}",
                model.body_mass[1]
            );
        }
    }
}
