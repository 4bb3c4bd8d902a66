//! Compiled meshes, textures and height fields against arrays made by the reference (see
//! `golden/make_assets.py`).

use std::borrow::Cow;
use std::collections::HashMap;

use kinetree_model::enums::{ColorSpace, TextureType};
use kinetree_spec::assets::hfield::compile_hfield;
use kinetree_spec::assets::mesh::{
    CompiledMesh, FitShape, MeshInertia, MeshSettings, MeshSource, builtin_mesh, compile_mesh, decode_mesh,
};
use kinetree_spec::assets::texture::compile_texture;
use kinetree_spec::spec::{HField, MeshBuiltin, Texture, TextureBuiltin, TextureMark};

const GOLDEN: &str = include_str!("../golden/assets.txt");

#[derive(Default)]
struct Case {
    name: String,
    files: HashMap<String, Vec<u8>>,
    settings: HashMap<String, String>,
    floats: HashMap<String, Vec<f64>>,
    ints: HashMap<String, Vec<i32>>,
    bytes: Vec<u8>,
    fails: bool,
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn cases(kind: &str) -> Vec<Case> {
    let mut all = Vec::new();
    let mut current: Option<Case> = None;
    for line in GOLDEN.lines() {
        let mut words = line.splitn(3, ' ');
        let (tag, first, rest) =
            (words.next().unwrap(), words.next().unwrap_or(""), words.next().unwrap_or(""));
        if tag == "case" {
            current = (first == kind).then(|| Case { name: rest.to_owned(), ..Case::default() });
        }
        let Some(case) = &mut current else { continue };
        match tag {
            "file" => drop(case.files.insert(first.to_owned(), unhex(rest))),
            "set" => drop(case.settings.insert(first.to_owned(), rest.to_owned())),
            "arr" => read_array(case, first, rest),
            "fails" => case.fails = true,
            "end" => all.extend(current.take()),
            _ => {}
        }
    }
    assert!(!all.is_empty());
    all
}

fn read_array(case: &mut Case, name: &str, text: &str) {
    let (kind, values) = text.split_once(' ').unwrap_or((text, ""));
    let words = values.split_whitespace();
    match kind {
        "f32" => {
            let list = words.map(|w| f64::from(f32::from_bits(u32::from_str_radix(w, 16).unwrap())));
            case.floats.insert(name.to_owned(), list.collect());
        }
        "f64" => {
            let list = words.map(|w| f64::from_bits(u64::from_str_radix(w, 16).unwrap()));
            case.floats.insert(name.to_owned(), list.collect());
        }
        "i32" => drop(case.ints.insert(name.to_owned(), words.map(|w| w.parse().unwrap()).collect())),
        _ => case.bytes = unhex(values),
    }
}

impl Case {
    fn text(&self, key: &str) -> &str {
        self.settings.get(key).map_or("", String::as_str)
    }

    fn numbers<T: std::str::FromStr>(&self, key: &str) -> Vec<T> {
        self.text(key).split_whitespace().map(|w| w.parse().ok().unwrap()).collect()
    }

    fn triple(&self, key: &str, default: [f64; 3]) -> [f64; 3] {
        self.numbers(key).try_into().unwrap_or(default)
    }

    fn read(&self, file: &str) -> Result<Cow<'_, [u8]>, String> {
        self.files.get(file).map(|b| Cow::Borrowed(b.as_slice())).ok_or_else(|| format!("no file {file}"))
    }

    fn check_floats(&self, name: &str, got: &[f64]) {
        let want = &self.floats[name];
        assert_eq!(got.len(), want.len(), "{} {name}", self.name);
        let scale = want.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (i, (g, w)) in got.iter().zip(want).enumerate() {
            assert!((g - w).abs() <= 1e-7 * scale, "{} {name}[{i}]: {g} {w}", self.name);
        }
    }

    fn check_ints(&self, name: &str, got: &[i32]) {
        assert_eq!(got, self.ints[name], "{} {name}", self.name);
    }
}

fn compile_case(case: &Case) -> Result<CompiledMesh, String> {
    let mut settings = MeshSettings {
        scale: case.triple("scale", [1.0; 3]),
        refpos: case.triple("refpos", [0.0; 3]),
        refquat: case.numbers("refquat").try_into().unwrap_or([1.0, 0.0, 0.0, 0.0]),
        inertia: match case.text("inertia") {
            "convex" => MeshInertia::Convex,
            "exact" => MeshInertia::Exact,
            "shell" => MeshInertia::Shell,
            _ => MeshInertia::Legacy,
        },
        smoothnormal: case.text("smoothnormal") == "true",
        maxhullvert: case.numbers("maxhullvert").first().copied(),
        needhull: case.text("hull") == "1",
        needsdf: false,
        reference: kinetree_model::Reference::default(),
    };
    let inline = MeshSource {
        vert: case.numbers("vertex"),
        normal: case.numbers("normal"),
        texcoord: case.numbers("texcoord"),
        face: case.numbers("face"),
        ..MeshSource::default()
    };
    let kind = match case.text("builtin") {
        "sphere" => MeshBuiltin::Sphere,
        "hemisphere" => MeshBuiltin::Hemisphere,
        "cone" => MeshBuiltin::Cone,
        "supersphere" => MeshBuiltin::Supersphere,
        "supertorus" => MeshBuiltin::Supertorus,
        "wedge" => MeshBuiltin::Wedge,
        "plate" => MeshBuiltin::Plate,
        _ => MeshBuiltin::None,
    };
    let source = if kind != MeshBuiltin::None {
        let built = builtin_mesh(kind, &case.numbers("params")).map_err(|e| e.to_string())?;
        settings.inertia = built.inertia.unwrap_or(settings.inertia);
        built.source
    } else if let Some((file, bytes)) = case.files.iter().next() {
        let decoded = decode_mesh(bytes, file, "").map_err(|e| e.to_string())?;
        decoded.with_inline(inline).map_err(|e| e.to_string())?
    } else {
        inline
    };
    compile_mesh(&source, &settings).map_err(|e| e.to_string())
}

#[test]
fn meshes_equal_the_reference() {
    for case in cases("mesh") {
        let result = compile_case(&case);
        if case.fails {
            assert!(result.is_err(), "{} should be refused", case.name);
            continue;
        }
        let mesh = result.unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let wide = |list: &[[f32; 3]]| list.iter().flatten().map(|x| f64::from(*x)).collect::<Vec<f64>>();
        case.check_floats("vert", &wide(&mesh.vert));
        case.check_floats("normal", &wide(&mesh.normal));
        let texcoord: Vec<f64> = mesh.texcoord.iter().flatten().map(|x| f64::from(*x)).collect();
        case.check_floats("texcoord", &texcoord);
        case.check_ints("face", mesh.face.as_flattened());
        case.check_ints("facenormal", mesh.facenormal.as_flattened());
        if !texcoord.is_empty() {
            case.check_ints("facetexcoord", mesh.facetexcoord.as_flattened());
        }
        case.check_ints("graph", &mesh.graph);
        case.check_floats("polynormal", mesh.polynormal.as_flattened());
        case.check_ints("polyvertadr", &mesh.polyvertadr);
        case.check_ints("polyvertnum", &mesh.polyvertnum);
        case.check_ints("polyvert", &mesh.polyvert);
        case.check_ints("polymapadr", &mesh.polymapadr);
        case.check_ints("polymapnum", &mesh.polymapnum);
        case.check_ints("polymap", &mesh.polymap);
        case.check_floats("pos", &mesh.pos);
        case.check_floats("quat", &mesh.quat);
        if case.floats.contains_key("volume") {
            case.check_floats("volume", &[mesh.volume]);
            case.check_floats("inertia", &mesh.inertia);
        }
    }
}

#[test]
fn fitted_primitives_equal_the_reference() {
    let shapes = [
        ("sphere", FitShape::Sphere, 1),
        ("capsule", FitShape::Capsule, 2),
        ("cylinder", FitShape::Cylinder, 2),
        ("ellipsoid", FitShape::Ellipsoid, 3),
        ("box", FitShape::Box, 3),
    ];
    let mut compared = 0;
    for case in cases("mesh").iter().filter(|c| !c.fails) {
        let mesh = compile_case(case).unwrap();
        for (name, shape, count) in shapes {
            for use_aabb in [false, true] {
                let key = format!("fit_{name}_{use_aabb}");
                if case.floats.contains_key(&key) {
                    let fit = mesh.fit(shape, [0.0; 3], 0.9, use_aabb);
                    case.check_floats(&key, &fit.size[..count]);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100);
}

fn texture_of(case: &Case) -> Texture {
    let mut texture = Texture {
        r#type: match case.text("type") {
            "2d" => TextureType::T2d,
            "skybox" => TextureType::Skybox,
            _ => TextureType::Cube,
        },
        colorspace: if case.text("colorspace") == "linear" { ColorSpace::Linear } else { ColorSpace::Auto },
        builtin: match case.text("builtin") {
            "gradient" => TextureBuiltin::Gradient,
            "checker" => TextureBuiltin::Checker,
            "flat" => TextureBuiltin::Flat,
            _ => TextureBuiltin::None,
        },
        mark: match case.text("mark") {
            "edge" => TextureMark::Edge,
            "cross" => TextureMark::Cross,
            "random" => TextureMark::Random,
            _ => TextureMark::None,
        },
        rgb1: case.triple("rgb1", [0.8; 3]),
        rgb2: case.triple("rgb2", [0.5; 3]),
        markrgb: case.triple("markrgb", [0.0; 3]),
        random: case.numbers("random").first().copied().unwrap_or(0.01),
        width: case.numbers("width").first().copied().unwrap_or(0),
        height: case.numbers("height").first().copied().unwrap_or(0),
        nchannel: case.numbers("nchannel").first().copied().unwrap_or(3),
        file: case.text("file").to_owned(),
        gridsize: case.numbers("gridsize").try_into().unwrap_or([1, 1]),
        hflip: case.text("hflip") == "true",
        vflip: case.text("vflip") == "true",
        ..Texture::default()
    };
    for (slot, symbol) in texture.gridlayout.iter_mut().zip(case.text("gridlayout").bytes()) {
        *slot = symbol;
    }
    for (slot, key) in texture.cubefiles.iter_mut().zip([
        "fileright",
        "fileleft",
        "fileup",
        "filedown",
        "filefront",
        "fileback",
    ]) {
        case.text(key).clone_into(slot);
    }
    texture
}

#[test]
fn textures_equal_the_reference() {
    for case in cases("texture") {
        let result = compile_texture(&texture_of(&case), |file| case.read(file));
        if case.fails {
            assert!(result.is_err(), "{} should be refused", case.name);
            continue;
        }
        let texture = result.unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let shape = [texture.width, texture.height, texture.nchannel, texture.colorspace as i32];
        case.check_ints("shape", &shape);
        assert_eq!(texture.data, case.bytes, "{}", case.name);
    }
}

#[test]
fn height_fields_equal_the_reference() {
    for case in cases("hfield") {
        let (nrow, ncol) = (case.numbers("nrow"), case.numbers("ncol"));
        let (nrow, ncol) = (nrow.first().copied().unwrap_or(0), ncol.first().copied().unwrap_or(0));
        // the model text lists the top row first
        let mut userdata: Vec<f32> = case.numbers("elevation");
        if userdata.is_empty() {
            userdata = vec![0.0; (nrow * ncol) as usize];
        } else {
            userdata = userdata.chunks(ncol as usize).rev().flatten().copied().collect();
        }
        let hfield = HField {
            size: [1.0; 4],
            file: case.text("file").to_owned(),
            nrow,
            ncol,
            userdata,
            ..HField::default()
        };
        let result = compile_hfield(&hfield, |file| case.read(file));
        if case.fails {
            assert!(result.is_err(), "{} should be refused", case.name);
            continue;
        }
        let field = result.unwrap_or_else(|e| panic!("{}: {e}", case.name));
        case.check_ints("shape", &[field.nrow, field.ncol]);
        let data: Vec<f64> = field.data.iter().map(|x| f64::from(*x)).collect();
        case.check_floats("data", &data);
    }
}
