//! Depth is data: what is nested is read, written, copied, compiled and dropped in loops, or refused.

use kinetree_spec::codec::{Decoder, FileFormat};
use kinetree_spec::provider::{Resource, ResourceProvider};
use kinetree_spec::spec::{Body, Frame, Geom};
use kinetree_spec::{Spec, Vfs, load_model_str, load_model_str_with, load_model_with};
use std::sync::{Arc, LazyLock};

/// Nesting that no stack of a test (2 MB) would bear in recursive code.
const DEEP: usize = 20_000;

/// Bodies inside each other, the innermost with a ball.
fn chain_of_bodies(count: usize) -> Spec {
    let mut spec = Spec::new();
    let mut body = spec.world();
    for _ in 0..count {
        body = spec.add_body(body, Body::default());
    }
    spec.add_geom(body, Geom { size: [0.1, 0.0, 0.0], ..Geom::default() });
    spec
}

/// `depth` times an opening tag, the content, and as many closing tags.
fn nested(tag: &str, depth: usize, content: &str) -> String {
    let name = tag.split(' ').next().unwrap_or_default();
    format!("{}{content}{}", format!("<{tag}>").repeat(depth), format!("</{name}>").repeat(depth))
}

fn with_world(content: &str) -> String {
    format!("<mujoco><worldbody>{content}</worldbody></mujoco>")
}

#[test]
fn deep_trees_are_written_copied_and_dropped() {
    let spec = chain_of_bodies(DEEP);
    let text = spec.to_xml().unwrap();
    assert_eq!(text.matches("<body").count(), DEEP);
    assert_eq!(text.matches("</body>").count(), DEEP);
    let mut copy = spec.clone();
    let top = copy.bodies[copy.world()].bodies[0];
    assert!(copy.delete_body_and_referrers(top));
    assert_eq!(copy.bodies.len(), 1);
}

#[test]
fn deep_trees_are_compiled() {
    assert_eq!(chain_of_bodies(3000).compile().unwrap().nbody, 3001);
}

#[test]
fn deep_frames_and_classes_are_written() {
    let mut spec = Spec::new();
    let (world, mut parent, mut class) = (spec.world(), None, spec.find_default("").unwrap());
    for i in 0..3000 {
        parent = Some(spec.add_frame(world, Frame { parent, ..Frame::default() }));
        class = spec.add_default(&format!("c{i}"), class).unwrap();
    }
    spec.add_geom(world, Geom { size: [0.1, 0.0, 0.0], frame: parent, ..Geom::default() });
    let named = Frame { name: "empty".into(), parent, ..Frame::default() };
    spec.add_frame(world, named);
    let text = spec.to_xml().unwrap();
    assert_eq!((text.matches("<frame").count(), text.matches("<default").count()), (3001, 3001));
}

/// What the reference reads, which allows elements to be nested 500 deep.
#[test]
fn files_are_read_as_deep_as_by_the_reference() {
    let ball = "<geom size='.1'/>";
    assert_eq!(load_model_str(&with_world(&nested("body", 490, ball))).unwrap().nbody, 491);
    assert_eq!(load_model_str(&with_world(&nested("frame", 490, ball))).unwrap().ngeom, 1);
    assert_eq!(load_model_str(&with_world(&nested("replicate count='1'", 100, ball))).unwrap().ngeom, 1);
    let classes: String = (0..490).map(|i| format!("<default class='c{i}'>")).collect();
    let text =
        format!("<mujoco><default>{classes}<geom size='.1'/>{}</default></mujoco>", "</default>".repeat(490));
    load_model_str(&text).unwrap();
    let error = load_model_str(&with_world(&nested("body", 600, ball))).unwrap_err().to_string();
    assert!(error.contains("nested more than 500 deep"), "{error}");
}

/// Files that are nested 400 deep and include each other.
#[test]
fn files_that_include_each_other_can_be_deeper() {
    const FILES: usize = 20;
    let mut files = Vfs::new();
    for i in 0..FILES {
        let last = i + 1 == FILES;
        let inner =
            if last { "<geom size='.1'/>".to_owned() } else { format!("<include file='f{}.xml'/>", i + 1) };
        let text = format!("<mujocoinclude>{}</mujocoinclude>", nested("body", 400, &inner));
        files.add_buffer(&format!("f{i}.xml"), text.into_bytes()).unwrap();
    }
    let spec = Spec::from_xml_string(&with_world("<include file='f0.xml'/>"), Some(&files)).unwrap();
    assert_eq!(spec.bodies.len(), 400 * FILES + 1);
}

/// Names that lead to the next file, without end.
struct Endless(&'static str, &'static str);

impl ResourceProvider for Endless {
    fn open(&self, name: &str) -> std::io::Result<Resource> {
        let number: usize = name.trim_end_matches(".xml").parse().map_err(std::io::Error::other)?;
        let text = format!("{}{}{}", self.0, number + 1, self.1);
        Ok(Resource::from_bytes(text.into_bytes().into()))
    }
}

#[test]
fn chains_of_files_that_do_not_end_are_refused() {
    let mut files = Vfs::new();
    let includes = Endless("<mujocoinclude><include file='on:/", ".xml'/></mujocoinclude>");
    files.add_provider("on", Arc::new(includes)).unwrap();
    let models = Endless("<mujoco><asset><model name='m' file='at:/", ".xml'/></asset></mujoco>");
    files.add_provider("at", Arc::new(models)).unwrap();
    let text = with_world("<include file='on:/0.xml'/>");
    let error = load_model_str_with(&text, &files).unwrap_err().to_string();
    assert!(error.contains("include each other more than 1000 deep"), "{error}");
    let error = load_model_with("at:/0.xml", &files).unwrap_err().to_string();
    assert!(error.contains("name further models more than 1000 deep"), "{error}");
}

/// Six hundred model files, each of which attaches the next one.
#[test]
fn chains_of_attached_models_are_read() {
    const FILES: usize = 600;
    let mut files = Vfs::new();
    for i in 0..FILES {
        let (next, last) = (i + 1, i + 1 == FILES);
        let (asset, attach) = if last {
            (String::new(), String::new())
        } else {
            (
                format!("<asset><model name='m' file='m{next}.xml'/></asset>"),
                format!("<attach model='m' prefix='p' body='b{next}'/>"),
            )
        };
        let body = format!("<body name='b{i}'><geom size='.1'/><frame>{attach}</frame></body>");
        let text = format!("<mujoco>{asset}<worldbody>{body}</worldbody></mujoco>");
        files.add_buffer(&format!("m{i}.xml"), text.into_bytes()).unwrap();
    }
    assert_eq!(load_model_with("m0.xml", &files).unwrap().nbody, FILES + 1);
}

static FORMAT: LazyLock<FileFormat> = LazyLock::new(|| FileFormat::new("model/self", &[".self"]));

/// A decoder that loads the file which it is asked to decode.
struct Itself;

impl Decoder for Itself {
    fn format(&self) -> &FileFormat {
        &FORMAT
    }

    fn decode(&self, name: &str, _: &[u8], files: Option<&Vfs>) -> Result<Spec, String> {
        Spec::from_xml_file_in(name, files).map_err(|error| error.to_string())
    }
}

/// A decoder of meshes that compiles a model with two such meshes, on threads of the compiler.
struct ItsModel;

impl Decoder for ItsModel {
    fn format(&self) -> &FileFormat {
        &FORMAT
    }

    fn decode(&self, _: &str, bytes: &[u8], files: Option<&Vfs>) -> Result<Spec, String> {
        // one of the two goes on: with both there would be 65,536 models
        if bytes.is_empty() {
            return Err("empty".into());
        }
        let none = Vfs::new();
        let model = load_model_str_with(TWO_MESHES, files.unwrap_or(&none));
        Err(model.map_or_else(|error| error.to_string(), |_| "no error".to_owned()))
    }
}

const TWO_MESHES: &str = "<mujoco><asset><mesh file='a.self'/><mesh file='b.self'/></asset></mujoco>";

#[test]
fn decoders_that_load_their_own_file_are_refused() {
    let mut files = Vfs::new();
    files.add_decoder(Arc::new(Itself)).unwrap();
    files.add_buffer("a.self", b"text".to_vec()).unwrap();
    let error = load_model_with("a.self", &files).unwrap_err().to_string();
    assert!(error.contains("does one load its own file?"), "{error}");
}

#[test]
fn decoders_that_compile_their_own_model_are_refused() {
    let mut files = Vfs::new();
    files.add_decoder(Arc::new(ItsModel)).unwrap();
    files.add_buffer("a.self", b"text".to_vec()).unwrap();
    files.add_buffer("b.self", b"".to_vec()).unwrap();
    let error = load_model_str_with(TWO_MESHES, &files).unwrap_err().to_string();
    assert!(error.contains("does one load its own file?"), "{error}");
}
