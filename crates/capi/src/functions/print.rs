//! Scenes as text, in the reference's layout.

use kinetree_model::FloatFormat;
use kinetree_render::scene::{MjvGLCamera, MjvGeom, MjvLight, MjvScene};
use std::fmt::{Display, Write};

/// A text of lines that begin with a name.
struct Page<'f> {
    text: String,
    format: &'f FloatFormat,
}

impl Page<'_> {
    fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.text, "{text}");
    }

    fn whole(&mut self, name: &str, value: impl Display) {
        let _ = writeln!(self.text, "{name:<21} {value}");
    }

    fn number(&mut self, name: &str, value: f32) {
        let _ = write!(self.text, "{name:<21}");
        self.format.push(&mut self.text, f64::from(value));
        self.text.push('\n');
    }

    fn numbers(&mut self, name: &str, values: &[f32]) {
        let _ = write!(self.text, "{name:<21}");
        for &value in values {
            self.format.push(&mut self.text, f64::from(value));
            self.text.push(' ');
        }
        self.text.push('\n');
    }

    fn geom(&mut self, geom: &MjvGeom) {
        self.whole("    type", geom.type_);
        self.whole("    category", geom.category);
        let label = geom.label.as_str();
        self.line(format_args!("{:<21}{label}", "    label"));
        self.whole("    objtype", geom.objtype);
        self.whole("    objid", geom.objid);
        self.numbers("    pos", &geom.pos);
        self.numbers("    mat", &geom.mat);
        self.numbers("    size", &geom.size);
        self.whole("    segid", geom.segid);
        self.whole("    dataid", geom.dataid);
        self.whole("    matid", geom.matid);
        self.whole("    texcoord", geom.texcoord);
        self.numbers("    rgba", &geom.rgba);
        self.number("    emission", geom.emission);
        self.number("    specular", geom.specular);
        self.number("    shininess", geom.shininess);
        self.number("    reflectance", geom.reflectance);
    }

    fn light(&mut self, light: &MjvLight) {
        self.whole("    id", light.id);
        self.numbers("    pos", &light.pos);
        self.numbers("    dir", &light.dir);
        self.whole("    type", light.type_);
        self.whole("    castshadow", u8::from(light.castshadow));
        self.whole("    headlight", u8::from(light.headlight));
        self.number("    intensity", light.intensity);
        self.number("    range", light.range);
        self.numbers("    ambient", &light.ambient);
        self.numbers("    diffuse", &light.diffuse);
        self.numbers("    specular", &light.specular);
        self.whole("    texid", light.texid);
        self.number("    exponent", light.exponent);
        self.numbers("    attenuation", &light.attenuation);
        self.number("    cutoff", light.cutoff);
        self.number("    bulbradius", light.bulbradius);
    }

    fn camera(&mut self, camera: &MjvGLCamera) {
        self.numbers("    pos", &camera.pos);
        self.numbers("    forward", &camera.forward);
        self.numbers("    up", &camera.up);
        self.whole("    orthographic", camera.orthographic);
        self.number("    frustum_center", camera.frustum_center);
        self.number("    frustum_width", camera.frustum_width);
        self.number("    frustum_bottom", camera.frustum_bottom);
        self.number("    frustum_top", camera.frustum_top);
        self.number("    frustum_near", camera.frustum_near);
        self.number("    frustum_far", camera.frustum_far);
    }

    /// Numbered elements under a title.
    fn elements<T>(&mut self, title: &str, list: &[T], show: impl Fn(&mut Self, &T)) {
        self.line(format_args!("{title}S {}", list.len()));
        for (i, element) in list.iter().enumerate() {
            self.line(format_args!("  {title} {i}"));
            show(self, element);
            self.line("");
        }
        self.line("");
    }

    /// Where surfaces are, without their many numbers.
    fn surfaces(&mut self, title: &str, count: usize, fields: &[(&str, &[i32])], large: &[&str]) {
        self.line(format_args!("{title} {count}"));
        for i in 0..count {
            self.line(format_args!("  {title} {i}"));
            for (name, values) in fields {
                self.line(format_args!("    {name:<17} {}", values.get(i).copied().unwrap_or(0)));
            }
            large.iter().for_each(|name| self.line(format_args!("    {name:<17}...")));
            self.line("");
        }
        self.line("");
    }
}

/// Names of the effects, by `mjtRndFlag`.
const FLAGS: [&str; 11] = [
    "Shadow",
    "Wireframe",
    "Reflection",
    "Additive",
    "Skybox",
    "Fog",
    "Haze",
    "Depth",
    "Segment",
    "Id Color",
    "Cull Face",
];

/// The scene as text.
pub fn scene_text(scene: &MjvScene, format: &FloatFormat) -> String {
    let mut page = Page { text: String::new(), format };
    page.elements("GEOM", &scene.geoms, Page::geom);
    page.elements("LIGHT", &scene.lights, Page::light);
    page.elements("CAMERA", &scene.camera, Page::camera);
    let flex = [
        ("face_used", &scene.flexfaceused[..]),
        ("edge_adr", &scene.flexedgeadr),
        ("edge_num", &scene.flexedgenum),
        ("vert_adr", &scene.flexvertadr),
        ("vert_num", &scene.flexvertnum),
        ("face_adr", &scene.flexfaceadr),
        ("face_num", &scene.flexfacenum),
    ];
    page.surfaces(
        "FLEX DATA",
        scene.flexvertadr.len(),
        &flex,
        &["edges", "verts", "faces", "normals", "texcoords"],
    );
    let skin = [
        ("face_num", &scene.skinfacenum[..]),
        ("vert_adr", &scene.skinvertadr),
        ("vert_num", &scene.skinvertnum),
    ];
    page.surfaces("SKIN DATA", scene.skinvertadr.len(), &skin, &["verts", "normals"]);
    page.line("FLAGS");
    FLAGS.iter().zip(scene.flags).for_each(|(name, value)| page.line(format_args!("  {name:<21} {value}")));
    page.whole("  flexvertopt", u8::from(scene.flexvertopt));
    page.whole("  flexedgeopt", u8::from(scene.flexedgeopt));
    page.whole("  flexfaceopt", u8::from(scene.flexfaceopt));
    page.whole("  flexskinopt", u8::from(scene.flexskinopt));
    page.whole("  stereo", scene.stereo);
    page.line(format_args!("\n\nTRANSFORM {}", u8::from(scene.enabletransform)));
    if scene.enabletransform {
        page.numbers("  translate", &scene.translate);
        page.numbers("  rotate", &scene.rotate);
        page.number("  scale", scene.scale);
        page.line("");
    }
    page.text.push_str("\n\n");
    page.text
}
