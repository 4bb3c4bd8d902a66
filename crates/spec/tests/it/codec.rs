//! File formats that a program brings along: decoders of meshes and models, and encoders.

use kinetree_spec::codec::{Decoder, Encoder, FileFormat, encode};
use kinetree_spec::spec::Mesh;
use kinetree_spec::{Spec, Vfs, load_model_str_with, load_model_with};
use std::sync::{Arc, LazyLock};

/// A toy format: a word, then the coordinates of a tetrahedron's corners; `balls` and radii make a model.
struct Toy;

static TOY: LazyLock<FileFormat> = LazyLock::new(|| FileFormat::new("model/toy", &[".toy", ".toys"]));

impl Decoder for Toy {
    fn format(&self) -> &FileFormat {
        &TOY
    }

    fn can_decode(&self, _: &str, bytes: &[u8]) -> bool {
        assert!(!bytes.starts_with(b"bomb"), "it ticks");
        !bytes.starts_with(b"other")
    }

    fn decode(&self, name: &str, bytes: &[u8], _: Option<&Vfs>) -> Result<Spec, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default();
        assert!(kind != "panic", "cannot bear {name}");
        let numbers: Result<Vec<f32>, _> = words.map(str::parse).collect();
        let numbers = numbers.map_err(|error| format!("a coordinate: {error}"))?;
        let mut spec = Spec::new();
        match kind {
            "tetrahedron" => {
                let userface = vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
                spec.add_mesh(Mesh { uservert: numbers, userface, ..Mesh::default() });
            }
            "star" => {
                spec.add_mesh(Mesh { uservert: numbers, userface: vec![0, 1, 9], ..Mesh::default() });
            }
            "balls" => {
                let geoms: String =
                    numbers.iter().map(|r| format!("<body><geom size='{r}'/></body>")).collect();
                let text = format!("<mujoco model='toy'><worldbody>{geoms}</worldbody></mujoco>");
                return text.parse().map_err(|error: kinetree_spec::Diagnostics| error.to_string());
            }
            "nothing" => {}
            _ => return Err(format!("'{kind}' is no toy")),
        }
        Ok(spec)
    }
}

const CORNERS: &str = "tetrahedron 0 0 0  1 0 0  0 1 0  0 0 1";

fn files(contents: &[(&str, &str)]) -> Vfs {
    let mut files = Vfs::new();
    files.add_decoder(Arc::new(Toy)).unwrap();
    for (name, text) in contents {
        files.add_buffer(name, text.as_bytes().to_vec()).unwrap();
    }
    files
}

fn mesh_model(file: &str, extra: &str) -> String {
    format!(
        "<mujoco><asset><mesh name='m' file='{file}' {extra}/></asset>\
         <worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    )
}

#[test]
fn meshes_are_decoded_by_extension_and_by_content_type() {
    let inline = "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' \
                  face='0 2 1 0 1 3 0 3 2 1 2 3'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
    let expected = load_model_str_with(inline, &Vfs::new()).unwrap();
    let files = files(&[("corner.toy", CORNERS), ("corner.bin", CORNERS), ("CORNER2.TOYS", CORNERS)]);
    for text in [
        mesh_model("corner.toy", ""),
        mesh_model("CORNER2.TOYS", ""),
        mesh_model("corner.bin", "content_type='model/toy;version=1'"),
    ] {
        let model = load_model_str_with(&text, &files).unwrap();
        assert_eq!(model.mesh_vert, expected.mesh_vert);
        assert_eq!(model.mesh_face, expected.mesh_face);
    }
    // lists of the model file and of the decoder must not be both there
    let error = load_model_str_with(&mesh_model("corner.toy", "vertex='0 0 0 1 0 0 0 1 0 0 0 1'"), &files);
    assert!(error.unwrap_err().to_string().contains("repeated vertex"));
}

#[test]
fn two_programs_may_read_the_same_bytes_differently() {
    struct Twice;
    impl Decoder for Twice {
        fn format(&self) -> &FileFormat {
            &TOY
        }
        fn decode(&self, name: &str, bytes: &[u8], files: Option<&Vfs>) -> Result<Spec, String> {
            let mut spec = Toy.decode(name, bytes, files)?;
            let (_, mesh) = spec.meshes.iter_mut().next().ok_or("no mesh")?;
            mesh.uservert.iter_mut().for_each(|x| *x *= 2.0);
            Ok(spec)
        }
    }
    let mut other = Vfs::new();
    other.add_decoder(Arc::new(Twice)).unwrap();
    other.add_buffer("corner.toy", CORNERS.as_bytes().to_vec()).unwrap();
    let text = mesh_model("corner.toy", "");
    let once = load_model_str_with(&text, &files(&[("corner.toy", CORNERS)])).unwrap();
    let twice = load_model_str_with(&text, &other).unwrap();
    assert!((twice.geom_rbound[0] - 2.0 * once.geom_rbound[0]).abs() < 1e-6);
}

#[test]
fn models_and_attached_models_are_decoded() {
    let files = files(&[("two.toy", "balls 0.1 0.2"), ("three.bin", "balls 0.1 0.2 0.3")]);
    assert_eq!(load_model_with("two.toy", &files).unwrap().ngeom, 2);
    let text = "<mujoco><asset><model name='t' file='three.bin' content_type='model/toy'/></asset>\
                <worldbody><frame><attach model='t' prefix='t-'/></frame></worldbody></mujoco>";
    assert_eq!(load_model_str_with(text, &files).unwrap().ngeom, 3);
    let read = |content_type| Spec::from_file_of_type("three.bin", content_type, Some(&files));
    assert_eq!(read("model/toy").unwrap().compile().unwrap().ngeom, 3);
    assert!(read("").is_err());
}

/// What goes wrong names the decoder and the file.
#[test]
fn decoders_that_fail_are_named() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let message = |content: &str| {
        let files = files(&[("a.toy", content)]);
        load_model_str_with(&mesh_model("a.toy", ""), &files).unwrap_err().to_string()
    };
    let cannot = "the decoder of 'model/toy' cannot read 'a.toy': ";
    let panics = message("panic");
    let ticks = message("bomb");
    std::panic::set_hook(hook);
    assert!(panics.contains(&format!("{cannot}it panicked: cannot bear a.toy")), "{panics}");
    assert!(ticks.contains(&format!("{cannot}it panicked: it ticks")), "{ticks}");
    assert!(message("kite").contains(&format!("{cannot}'kite' is no toy")));
    assert!(message("nothing").contains("'a.toy' returns a description without a mesh that has vertices"));
    // faces that name corners which do not exist, and coordinates that are no numbers
    let short = message("tetrahedron 0 0 0 1 0 0 0 1 0");
    assert!(short.contains("file 'a.toy': at least 4 vertices required"), "{short}");
    let star = message("star 0 0 0  1 0 0  0 1 0  0 0 1");
    assert!(star.contains("file 'a.toy': ") && star.contains('9'), "{star}");
    assert!(message("tetrahedron 0 0 0 1 0 0 0 1 0 0 0 nan").contains("file 'a.toy': "));
    // a file that the decoder does not take is nobody's
    assert!(message("other").contains("no decoder found for mesh file 'a.toy'"));
    let files = files(&[("a.toy", "kite")]);
    assert!(load_model_with("a.toy", &files).unwrap_err().to_string().contains("'kite' is no toy"));
}

#[test]
fn formats_are_claimed_once() {
    struct Claim(FileFormat);
    impl Decoder for Claim {
        fn format(&self) -> &FileFormat {
            &self.0
        }
        fn decode(&self, _: &str, _: &[u8], _: Option<&Vfs>) -> Result<Spec, String> {
            Ok(Spec::new())
        }
    }
    let mut files = files(&[]);
    let mut claim = |content_type, extensions: &[&'static str]| {
        let decoder = Claim(FileFormat::new(content_type, extensions));
        files.add_decoder(Arc::new(decoder)).map_err(|error| error.to_string())
    };
    assert_eq!(claim("model/toy", &[]), Err("the format 'model/toy' is already there".into()));
    assert_eq!(claim("", &[".b", ".Toy"]), Err("the format '.Toy' is already there".into()));
    assert_eq!(claim("", &[".STL"]), Err("the format '.STL' is already there".into()));
    assert!(claim("", &[]).is_err() && claim("model/new", &["new"]).is_err());
    assert_eq!(claim("model/new", &[".new"]), Ok(()));
}

#[test]
fn encoders_write_files() {
    struct Radii(FileFormat);
    impl Encoder for Radii {
        fn format(&self) -> &FileFormat {
            &self.0
        }
        fn encode(
            &self,
            _: &str,
            _: &Spec,
            model: Option<&kinetree_model::Model>,
            files: &Vfs,
        ) -> Result<Vec<u8>, String> {
            assert!(files.contains("known.txt"), "virtual files are those of the call");
            let model = model.ok_or("it needs the model")?;
            let radii: Vec<String> = model.geom_size.iter().map(|size| size[0].to_string()).collect();
            Ok(format!("balls {}", radii.join(" ")).into_bytes())
        }
    }
    let mut files = files(&[("known.txt", "")]);
    files.add_encoder(Arc::new(Radii(FileFormat::new("model/toy", &[".toy"])))).unwrap();
    let folder = std::env::temp_dir().join(format!("kinetree-codec-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("pair.toy");
    let spec: Spec =
        "<mujoco><worldbody><geom size='0.1'/><geom size='0.25'/></worldbody></mujoco>".parse().unwrap();
    let model = spec.compile().unwrap();
    let written = encode(&spec, Some(&model), &path, "", &files).unwrap();
    assert_eq!(written, std::fs::read(&path).unwrap().len());
    let back = load_model_with(&path, &files).unwrap();
    assert_eq!(back.geom_size[1][0], 0.25);
    encode(&spec, Some(&model), folder.join("pair.bin"), "model/toy", &files).unwrap();
    assert!(folder.join("pair.bin").is_file());
    let message =
        |file: &str, model| encode(&spec, model, folder.join(file), "", &files).unwrap_err().to_string();
    assert!(message("pair.xyz", Some(&model)).contains("there is no encoder for"));
    assert!(message("none.toy", None).contains("cannot write") && !folder.join("none.toy").exists());
    assert!(message("none/pair.toy", Some(&model)).contains("pair.toy"));
    std::fs::remove_dir_all(&folder).unwrap();
}
