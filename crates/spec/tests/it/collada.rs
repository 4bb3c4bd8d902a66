//! COLLADA meshes: geometry, poses and units.

use kinetree_spec::assets::mesh::{MeshError, decode_mesh};
use kinetree_spec::{Vfs, load_model_with};

/// A tetrahedron, twice in a scene: once mirrored, once rotated and moved.
const SCENE: &str = r##"<?xml version="1.0"?>
<COLLADA version="1.4.1"><asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
  <source id="p"><float_array count="12">0 0 0 10 0 0 0 20 0 0 0 30</float_array>
    <technique_common><accessor stride="3"/></technique_common></source>
  <source id="n"><float_array count="3">0 0 1</float_array></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <triangles><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>
    <p>0 0 2 0 1 0  0 0 1 0 3 0</p></triangles>
  <polylist><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3</vcount><p>0 3 2 1 2 3</p></polylist>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">
  <node><scale>1 1 -1</scale><instance_geometry url="#g"/></node>
  <node><translate>100 0 0</translate><node><rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></node>
</visual_scene></library_visual_scenes></COLLADA>"##;

#[test]
fn geometries_are_placed_in_metres() {
    let mesh = decode_mesh(SCENE.as_bytes(), "part.dae", "").unwrap();
    assert_eq!((mesh.vert.len(), mesh.face.len()), (3 * 8, 3 * 8));
    let vertex = |i: usize| [mesh.vert[3 * i], mesh.vert[3 * i + 1], mesh.vert[3 * i + 2]];
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near(vertex(1), [0.1, 0.0, 0.0]) && near(vertex(3), [0.0, 0.0, -0.3]));
    assert!(near(vertex(4), [1.0, 0.0, 0.0]) && near(vertex(5), [1.0, 0.1, 0.0]));
    assert!(near(vertex(6), [0.8, 0.0, 0.0]));
    // the mirrored one faces outward as well: both volumes are positive
    for part in [0..4, 4..8] {
        let volume: f64 = part.map(|f| signed_volume(&mesh.vert, &mesh.face[3 * f..3 * f + 3])).sum();
        assert!((volume - 0.1 * 0.2 * 0.3 / 6.0).abs() < 1e-8, "{volume}");
    }
}

fn signed_volume(vert: &[f32], face: &[i32]) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|k| [0, 1, 2].map(|i| f64::from(vert[3 * face[k] as usize + i])));
    let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0
}

#[test]
fn models_take_them_like_other_meshes() {
    let mut files = Vfs::new();
    files.add_buffer("part.dae", SCENE.as_bytes()).unwrap();
    let model = "<mujoco><asset><mesh file='part.dae' inertia='exact'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='part'/></body></worldbody></mujoco>";
    files.add_buffer("model.xml", model.as_bytes()).unwrap();
    let model = load_model_with("model.xml", &files).unwrap();
    assert_eq!((model.nmeshvert, model.nmeshface), (8, 8));
    assert!((model.body_mass[1] - 2.0 * 1000.0 * 0.001).abs() < 1e-3, "{}", model.body_mass[1]);
}

#[test]
fn damaged_files_are_refused() {
    for (old, new, why) in [
        ("0 3 2 1 2 3", "0 3 2 1 2 9", "no vertex 9"),
        ("0 3 2 1 2 3", "0 3 2 1 2", "too early"),
        ("0 0 30", "0 0 x", "'x' is not a number"),
        ("url=\"#g\"", "url=\"#h\"", "no geometry 'h'"),
        ("100 0 0", "100 0", "2 numbers instead of 3"),
        ("<rotate>0 0 1 90</rotate>", "<lookat>0</lookat>", "lookat"),
        ("</COLLADA>", "", "COLLADA"),
        ("#p", "#q", "no positions 'q'"),
    ] {
        let damaged = SCENE.replacen(old, new, 1);
        let Err(MeshError::Collada(found)) = decode_mesh(damaged.as_bytes(), "part.dae", "") else {
            panic!("accepted: {old} -> {new}");
        };
        assert!(found.contains(why), "'{why}' is not in: {found}");
    }
    assert_eq!(decode_mesh(b"", "part.dae", ""), Err(MeshError::EmptyFile));
}
