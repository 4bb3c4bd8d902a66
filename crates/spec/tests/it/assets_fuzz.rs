//! Damaged and invented asset files: decoders and compilers answer with a result or an error, quickly.

use std::borrow::Cow;

use kinetree_model::enums::TextureType;
use kinetree_spec::assets::gmsh;
use kinetree_spec::assets::hfield::compile_hfield;
use kinetree_spec::assets::mesh::{
    MeshInertia, MeshSettings, MeshSource, builtin_mesh, compile_mesh, decode_mesh,
};
use kinetree_spec::assets::texture::compile_texture;
use kinetree_spec::spec::{HField, MeshBuiltin, Texture};
use proptest::prelude::*;

const OBJ: &str = "o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 1e0\nvt 0 0\nvt 1 1\nvn 0 0 1\n\
f 4/1/1 3/2/1 2/1/1 1/2/1\nf 1 2 5\nf 2//1 3//1 5//1\nf 3/1 4/2 5/1\nf -2 -5 -1\ng b\nf 1 2 3\nl 1 2\n";

fn stl() -> Vec<u8> {
    let corners: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut out = vec![b' '; 80];
    out.extend(4i32.to_le_bytes());
    for face in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        out.extend([0; 12]);
        for corner in face {
            out.extend(corners[corner].iter().flat_map(|x| x.to_le_bytes()));
        }
        out.extend([0; 2]);
    }
    out
}

fn msh() -> Vec<u8> {
    let mut out: Vec<u8> = [4i32, 4, 4, 4].iter().flat_map(|n| n.to_le_bytes()).collect();
    let floats = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    for block in [&floats[..], &floats[..], &floats[..8]] {
        out.extend(block.iter().flat_map(|x| x.to_le_bytes()));
    }
    out.extend([0i32, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].iter().flat_map(|n| n.to_le_bytes()));
    out
}

fn png() -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 6, 4);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&(0..72).collect::<Vec<u8>>()).unwrap();
    writer.finish().unwrap();
    out
}

/// A change to a file: overwrite, cut off, insert or repeat.
#[derive(Clone, Debug)]
enum Damage {
    Set(usize, u8),
    Truncate(usize),
    Insert(usize, Vec<u8>),
    Repeat(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => (any::<usize>(), any::<u8>()).prop_map(|(at, value)| Damage::Set(at, value)),
        1 => any::<usize>().prop_map(Damage::Truncate),
        2 => (any::<usize>(), prop::collection::vec(any::<u8>(), 1..8)).prop_map(|(at, v)| Damage::Insert(at, v)),
        1 => (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Damage::Repeat(a, b)),
    ]
}

fn apply(mut bytes: Vec<u8>, changes: &[Damage]) -> Vec<u8> {
    for change in changes {
        let n = bytes.len() + 1;
        match change {
            Damage::Set(at, value) => {
                if let Some(slot) = bytes.get_mut(at % n) {
                    *slot = *value;
                }
            }
            Damage::Truncate(at) => bytes.truncate(at % n),
            Damage::Insert(at, values) => drop(bytes.splice(at % n..at % n, values.iter().copied())),
            Damage::Repeat(a, b) => {
                let (low, high) = ((a % n).min(b % n), (a % n).max(b % n));
                let part = bytes[low..high].to_vec();
                bytes.extend(part);
            }
        }
    }
    bytes
}

fn settings() -> impl Strategy<Value = MeshSettings> {
    let inertia = prop_oneof![
        Just(MeshInertia::Convex),
        Just(MeshInertia::Exact),
        Just(MeshInertia::Legacy),
        Just(MeshInertia::Shell),
    ];
    (inertia, any::<bool>(), prop::option::of(4u32..9), prop::array::uniform3(-2.0f64..2.0)).prop_map(
        |(inertia, needhull, maxhullvert, scale)| MeshSettings {
            inertia,
            needhull,
            maxhullvert,
            scale,
            ..MeshSettings::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_mesh_files(
        which in 0..3usize,
        changes in prop::collection::vec(damage(), 0..6),
        settings in settings(),
    ) {
        let (name, bytes) = match which {
            0 => ("a.obj", OBJ.as_bytes().to_vec()),
            1 => ("a.stl", stl()),
            _ => ("a.msh", msh()),
        };
        if let Ok(source) = decode_mesh(&apply(bytes, &changes), name, "") {
            let _ = compile_mesh(&source, &settings);
        }
    }

    #[test]
    fn invented_obj_lines(
        text in prop::collection::vec(
            (prop::sample::select(vec!["v", "f", "vt", "vn", "l", "p", "g", "o", "s", "usemtl"]),
             "[-0-9./e ]{0,20}"),
            0..60,
        ),
        settings in settings(),
    ) {
        let file: String = text.iter().map(|(key, rest)| format!("{key} {rest}\n")).collect();
        if let Ok(source) = decode_mesh(file.as_bytes(), "a.obj", "") {
            let _ = compile_mesh(&source, &settings);
        }
    }

    #[test]
    fn invented_inline_lists(
        vert in prop::collection::vec(prop_oneof![-1.0f32..1.0, Just(0.0), Just(1.0), any::<f32>()], 0..60),
        face in prop::collection::vec(-1..12i32, 0..30),
        normal in prop::collection::vec(any::<f32>(), 0..12),
        settings in settings(),
    ) {
        let source = MeshSource { vert, face, normal, ..MeshSource::default() };
        let _ = compile_mesh(&source, &settings);
    }

    #[test]
    fn damaged_images(
        changes in prop::collection::vec(damage(), 0..6),
        nchannel in -1..6,
        kind in 0..3usize,
        name in prop::sample::select(vec!["t.png", "t.ktx", "t.bin"]),
        grid in prop::array::uniform2(-1..5i32),
    ) {
        let bytes = apply(png(), &changes);
        let texture = Texture {
            r#type: [TextureType::T2d, TextureType::Cube, TextureType::Skybox][kind],
            file: name.to_owned(),
            nchannel,
            gridsize: grid,
            ..Texture::default()
        };
        let _ = compile_texture(&texture, |_| Ok(Cow::Borrowed(&bytes)));
        let hfield = HField { size: [1.0; 4], file: name.to_owned(), ..HField::default() };
        let _ = compile_hfield(&hfield, |_| Ok(Cow::Borrowed(&bytes)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn invented_builtin_parameters(
        kind in prop::sample::select(vec![
            MeshBuiltin::Sphere, MeshBuiltin::Hemisphere, MeshBuiltin::Cone, MeshBuiltin::Supersphere,
            MeshBuiltin::Supertorus, MeshBuiltin::Wedge, MeshBuiltin::Plate,
        ]),
        params in prop::collection::vec(prop_oneof![-3.0f64..12.0, any::<f64>()], 0..6),
    ) {
        if let Ok(mesh) = builtin_mesh(kind, &params)
            && mesh.source.vert.len() < 3000
        {
            let _ = compile_mesh(&mesh.source, &MeshSettings { needhull: true, ..MeshSettings::default() });
        }
    }

    /// Points on small grids: many coincide, are collinear or coplanar, which is where hulls break.
    #[test]
    fn hulls_of_degenerate_points_are_closed(
        points in prop::collection::vec(prop::array::uniform3(0..5i32), 4..120),
        stretch in prop::array::uniform3(0.01f32..3.0),
    ) {
        let vert = points.iter().flat_map(|p| [0, 1, 2].map(|k| p[k] as f32 * stretch[k])).collect();
        let settings = MeshSettings { inertia: MeshInertia::Shell, ..MeshSettings::default() };
        if let Ok(mesh) = compile_mesh(&MeshSource { vert, ..MeshSource::default() }, &settings) {
            let (nvert, nface) = (mesh.graph[0], mesh.graph[1]);
            prop_assert_eq!(nface, 2 * nvert - 4);
            let mut edges = std::collections::HashSet::new();
            for [a, b, c] in &mesh.face {
                for edge in [(a, b), (b, c), (c, a)] {
                    prop_assert!(edges.insert(edge));
                }
            }
            prop_assert!(edges.iter().all(|(a, b)| edges.contains(&(*b, *a))));
        }
    }
}

#[test]
fn lying_headers_do_not_allocate() {
    let mut huge = png();
    // width and height of the image header, with a matching checksum
    huge[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    let texture = Texture { file: "t.png".into(), r#type: TextureType::T2d, ..Texture::default() };
    assert!(compile_texture(&texture, |_| Ok(Cow::Borrowed(&huge))).is_err());

    let header: Vec<u8> =
        [i32::MAX, i32::MAX, i32::MAX, i32::MAX].iter().flat_map(|n| n.to_le_bytes()).collect();
    assert!(decode_mesh(&header, "a.msh", "").is_err());
    let binary: Vec<u8> = [i32::MAX, i32::MAX].iter().flat_map(|n| n.to_le_bytes()).collect();
    let hfield = HField { size: [1.0; 4], file: "h.bin".into(), ..HField::default() };
    assert!(compile_hfield(&hfield, |_| Ok(Cow::Borrowed(&binary))).is_err());
}

const GMSH_22: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
const GMSH_41: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n\
$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";

/// The same tetrahedron in the binary forms of both versions.
fn binary_gmsh(version: &str) -> Vec<u8> {
    let mut out = format!("$MeshFormat\n{version} 1 8\n").into_bytes();
    out.extend(1i32.to_le_bytes());
    out.extend(b"\n$EndMeshFormat\n$Nodes\n");
    let points = [[0.0f64, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let bytes = |p: &[f64; 3]| p.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let longs = |list: &[i64]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let ints = |list: &[i32]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    if version == "2.2" {
        out.extend(b"4\n");
        for (tag, point) in (1i32..).zip(&points) {
            out.extend(tag.to_le_bytes());
            out.extend(bytes(point));
        }
        out.extend(b"\n$EndNodes\n$Elements\n1\n");
        out.extend(ints(&[4, 1, 2, 1, 0, 1, 1, 2, 3, 4]));
    } else {
        out.extend(longs(&[1, 4, 1, 4]));
        out.extend(ints(&[3, 1, 0]));
        out.extend(longs(&[4, 1, 2, 3, 4]));
        points.iter().for_each(|point| out.extend(bytes(point)));
        out.extend(b"\n$EndNodes\n$Elements\n");
        out.extend(longs(&[1, 1, 1, 1]));
        out.extend(ints(&[3, 1, 4]));
        out.extend(longs(&[1, 1, 1, 2, 3, 4]));
    }
    out.extend(b"\n$EndElements\n");
    out
}

#[test]
fn all_forms_of_gmsh_files_say_the_same() {
    let expected = gmsh::decode(GMSH_22.as_bytes()).unwrap();
    assert_eq!((expected.dim, expected.point.len(), &expected.element[..]), (3, 4, &[0, 1, 2, 3][..]));
    assert_eq!(gmsh::decode(GMSH_41.as_bytes()), Ok(expected.clone()));
    assert_eq!(gmsh::decode(&binary_gmsh("2.2")), Ok(expected.clone()));
    assert_eq!(gmsh::decode(&binary_gmsh("4.1")), Ok(expected));
    let other = gmsh::decode(GMSH_22.replace("2.2 0", "3.0 0").as_bytes());
    assert_eq!(other, Err(gmsh::GmshError::Version(3.0)));
    let beyond = gmsh::decode(GMSH_22.replace("1 2 3 4\n$End", "1 2 3 9\n$End").as_bytes());
    assert_eq!(beyond, Err(gmsh::GmshError::Node { tag: 9, nodes: 4 }));
    // the first number of the first element is no count, though the file could be read with it
    let uncounted = gmsh::decode(GMSH_22.replace("$Elements\n1\n", "$Elements\n").as_bytes());
    assert_eq!(uncounted, Err(gmsh::GmshError::Count("Elements")));
    let promised = gmsh::decode(GMSH_41.replace("1 4 1 4", "1 4 1 5").as_bytes());
    assert_eq!(promised, Err(gmsh::GmshError::Tags));
}

proptest! {
    #[test]
    fn damaged_gmsh_files_are_decoded_or_refused(
        kind in 0..4usize,
        changes in prop::collection::vec(damage(), 1..6),
    ) {
        let bytes = match kind {
            0 => GMSH_22.as_bytes().to_vec(),
            1 => GMSH_41.as_bytes().to_vec(),
            2 => binary_gmsh("2.2"),
            _ => binary_gmsh("4.1"),
        };
        if let Ok(simplices) = gmsh::decode(&apply(bytes, &changes)) {
            let count = simplices.point.len() as i32;
            prop_assert!(simplices.element.iter().all(|id| (0..count).contains(id)));
        }
    }

    #[test]
    fn flex_composites_are_made_or_refused(
        kind in 0..8usize,
        dof in 0..5usize,
        dim in 0..5i32,
        count in prop::array::uniform3(-1..6i32),
        cells in prop::array::uniform3(-1..4i32),
        pins in prop::collection::vec(-1..30i32, 0..5),
        equality in 0..4usize,
        extra in 0..5usize,
    ) {
        let kind = ["grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "direct"][kind];
        let dof = ["full", "radial", "trilinear", "quadratic", "2d"][dof];
        let equality = ["false", "true", "vert", "strain"][equality];
        let extra = [
            "",
            r#"<elasticity young="1e3" poisson="0.2" thickness="0.01" elastic2d="both"/>"#,
            r#"<elasticity young="1e3" poisson="0.49"/>"#,
            r#"<contact internal="true" selfcollide="bvh" activelayers="2"/>"#,
            r#"<contact selfcollide="none"/>"#,
        ][extra];
        let list = |values: &[i32]| values.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        let xml = format!(
            r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><flexcomp name="f" type="{kind}" dof="{dof}" dim="{dim}"
            count="{}" cellcount="{}" spacing="0.1 0.1 0.1" radius="0.01" mass="1"
            point="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1" element="0 1 2 3 1 2 3 4"><edge equality="{equality}"/>{extra}
            <pin id="{}" grid="{}"/></flexcomp></worldbody></mujoco>"#,
            list(&count), list(&cells), list(&pins), list(&pins)
        );
        if let Ok(model) = kinetree_spec::load_model_str(&xml) {
            prop_assert_eq!(model.check_indices(), Ok(()));
            let mut data = kinetree_model::Data::new(&model);
            for _ in 0..3 {
                // a step may fail, but not panic
                if kinetree_sim::mj_step(&model, &mut data).is_err() {
                    break;
                }
            }
        }
    }
}
