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

/// A prism over an L, whose corners wind both ways: its volume is that of three unit squares, whichever plane
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

/// Random polygons of eight corners that wind both ways, in planes along and across the axes: the corners in
/// hundredths, the way to a copy, and the triangles that the reference cuts the two into.
const CUT: [&str; 6] = [
    "-52 18 0 20 -56 0 44 -20 0 49 -1 0 4 18 0 -32 76 0 -16 32 0 -10 14 0 | 0 0 50 | 6 5 4 4 3 2 4 2 1 1 0 7 1 7 6 6 4 1 8 9 10 8 10 11 12 13 14 12 14 15 15 8 11 11 12 15",
    "-78 53 15 38 4 -16 83 -7 -31 61 -11 -21 75 -63 -11 16 -24 1 21 -91 19 15 -77 17 | 18 13 45 | 7 6 5 5 4 3 3 2 1 3 1 0 0 7 5 5 3 0 9 10 11 9 11 12 9 12 13 13 14 15 13 15 8 8 9 13",
    "21 -2 -9 14 1 -9 8 15 -36 13 31 -69 -39 -9 41 8 -41 77 16 -17 24 36 -17 13 | 13 43 22 | 6 5 4 4 3 2 4 2 1 4 1 0 4 0 7 7 6 4 10 11 12 10 12 13 10 13 14 14 15 8 14 8 9 9 10 14",
    "18 0 10 -46 0 28 -89 0 41 -18 0 7 -98 0 -18 8 0 -60 9 0 -24 46 0 -21 | 0 50 0 | 6 5 4 6 4 3 3 2 1 3 1 0 3 0 7 7 6 3 9 10 11 11 12 13 11 13 14 11 14 15 11 15 8 8 9 11",
    "7 -44 52 4 15 -51 6 22 -75 29 -39 -68 19 -35 -25 25 -48 -28 9 -20 -6 11 -35 13 | 46 18 9 | 6 5 4 6 4 3 6 3 2 6 2 1 6 1 0 7 6 0 8 9 10 10 11 12 12 13 14 14 15 8 14 8 10 10 12 14",
    "0 -69 21 0 -89 -42 0 55 -21 0 84 2 0 26 8 0 79 45 0 41 32 0 -44 78 | 50 0 0 | 6 5 4 4 3 2 4 2 1 4 1 0 4 0 7 7 6 4 8 9 10 10 11 12 12 13 14 12 14 15 12 15 8 8 10 12",
];

#[test]
fn polygons_are_cut_as_the_reference_cuts_them() {
    for line in CUT {
        let lists: Vec<Vec<[i32; 3]>> = line
            .split('|')
            .map(|list| {
                let numbers: Vec<i32> = list.split_whitespace().map(|word| word.parse().unwrap()).collect();
                numbers.as_chunks::<3>().0.to_vec()
            })
            .collect();
        let [corners, offset, triangles] = &lists[..] else { panic!("three lists in {line}") };
        let mut text = String::new();
        for height in 0..2 {
            for p in corners {
                let [x, y, z]: [f64; 3] =
                    std::array::from_fn(|k| f64::from(p[k] + height * offset[0][k]) / 100.0);
                writeln!(text, "v {x} {y} {z}").unwrap();
            }
        }
        // the copy, which has the last vertex of the file, comes second
        text += "f 8 7 6 5 4 3 2 1\nf 9 10 11 12 13 14 15 16\n";
        for i in 0..8 {
            let j = (i + 1) % 8;
            writeln!(text, "f {} {} {} {}", i + 1, j + 1, j + 9, i + 9).unwrap();
        }
        let mut files = Vfs::new();
        files.add_buffer("m.obj", text.into_bytes()).unwrap();
        let xml = "<mujoco><asset><mesh file='m.obj' inertia='shell'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
        let model = load_model_str_with(xml, &files).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(&model.mesh_face[..12], &triangles[..]);
    }
}
