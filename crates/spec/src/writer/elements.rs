//! The elements that hang on a body, as attributes relative to their default class. Default classes are
//! written by the same functions, relative to the class around them.

use kinetree_model::enums::JointType;

use super::plugin::push_plugin;
use super::tag::Tag;
use crate::mjcf::keywords as words;
use crate::spec::{AlignFree, Body, Camera, Frame, Geom, Joint, Light, Site};

/// How many of the numbers of a vector are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// All of them: in default classes, whose elements may have any shape.
    Full,
    /// As many as differ from the default.
    Leading,
}

/// Position and orientation.
fn pose(tag: &mut Tag, pos: (&[f64; 3], &[f64; 3]), quat: (&[f64; 4], &[f64; 4])) {
    tag.numbers("pos", pos.0, pos.1);
    tag.numbers("quat", quat.0, quat.1);
}

pub(super) fn body(tag: &mut Tag, body: &Body) {
    let default = Body::default();
    tag.given("name", &body.name);
    tag.given("childclass", &body.childclass);
    pose(tag, (&body.pos, &default.pos), (&body.quat, &default.quat));
    tag.flag("mocap", body.mocap, default.mocap);
    tag.number("gravcomp", body.gravcomp, default.gravcomp);
    tag.keyword("sleep", words::SLEEP, &body.sleep, &default.sleep);
    tag.list("user", &body.userdata, &[]);
}

/// The inertial frame, when the body has one of its own.
pub(super) fn inertial(body: &Body) -> Option<Tag> {
    if !body.explicitinertial && body.ipos[0].is_nan() {
        return None;
    }
    let default = Body::default();
    let mut tag = Tag::new("inertial");
    tag.numbers("pos", &body.ipos, &default.ipos);
    tag.number("mass", body.mass, f64::NAN);
    if body.fullinertia[0].is_nan() {
        tag.numbers("quat", &body.iquat, &default.iquat);
        tag.numbers("diaginertia", &body.inertia, &default.inertia);
    } else {
        // the principal axes decide about the orientation
        tag.numbers("fullinertia", &body.fullinertia, &default.fullinertia);
    }
    Some(tag)
}

/// Attributes of a frame; a frame that is written in several pieces has its name on the first one.
pub(super) fn frame(tag: &mut Tag, frame: &Frame, named: bool) {
    let default = Frame::default();
    if named {
        tag.given("name", &frame.name);
    }
    tag.given("childclass", &frame.childclass);
    pose(tag, (&frame.pos, &default.pos), (&frame.quat, &default.quat));
}

/// A free joint that nothing but its own three attributes describe.
pub(super) fn is_plain_free(joint: &Joint) -> bool {
    let plain = Joint {
        name: joint.name.clone(),
        origin: joint.origin.clone(),
        group: joint.group,
        align: joint.align,
        body: joint.body,
        frame: joint.frame,
        r#type: JointType::Free,
        ..Joint::default()
    };
    *joint == plain
}

pub(super) fn freejoint(joint: &Joint) -> Tag {
    let mut tag = Tag::new("freejoint");
    tag.given("name", &joint.name);
    tag.number("group", joint.group, 0);
    tag.keyword("align", words::ALIGN, &joint.align, &AlignFree::Auto);
    tag
}

pub(super) fn joint(tag: &mut Tag, joint: &Joint, class: &Joint) {
    tag.keyword("type", words::JOINT, &joint.r#type, &class.r#type);
    tag.numbers("pos", &joint.pos, &class.pos);
    tag.numbers("axis", &joint.axis, &class.axis);
    tag.number("group", joint.group, class.group);
    tag.number("ref", joint.r#ref, class.r#ref);
    tag.numbers("springdamper", &joint.springdamper, &class.springdamper);
    tag.keyword("limited", words::LIMITED, &joint.limited, &class.limited);
    tag.keyword("actuatorfrclimited", words::LIMITED, &joint.actfrclimited, &class.actfrclimited);
    tag.leading("solreflimit", &joint.solref_limit, &class.solref_limit);
    tag.leading("solimplimit", &joint.solimp_limit, &class.solimp_limit);
    tag.leading("solreffriction", &joint.solref_friction, &class.solref_friction);
    tag.leading("solimpfriction", &joint.solimp_friction, &class.solimp_friction);
    tag.leading("stiffness", &joint.stiffness, &class.stiffness);
    tag.numbers("range", &joint.range, &class.range);
    tag.numbers("actuatorfrcrange", &joint.actfrcrange, &class.actfrcrange);
    tag.flag("actuatorgravcomp", joint.actgravcomp, class.actgravcomp);
    tag.number("margin", joint.margin, class.margin);
    tag.number("springref", joint.springref, class.springref);
    tag.number("armature", joint.armature, class.armature);
    tag.leading("damping", &joint.damping, &class.damping);
    tag.number("frictionloss", joint.frictionloss, class.frictionloss);
    tag.list("user", &joint.userdata, &class.userdata);
}

pub(super) fn geom(tag: &mut Tag, geom: &Geom, class: &Geom, length: Length) {
    size(tag, &geom.size, &class.size, length);
    tag.keyword("type", words::GEOM, &geom.r#type, &class.r#type);
    if !geom.fromto[0].is_nan() {
        tag.numbers("fromto", &geom.fromto, &class.fromto);
    }
    pose(tag, (&geom.pos, &class.pos), (&geom.quat, &class.quat));
    tag.number("contype", geom.contype, class.contype);
    tag.number("conaffinity", geom.conaffinity, class.conaffinity);
    tag.number("condim", geom.condim, class.condim);
    tag.number("group", geom.group, class.group);
    tag.number("priority", geom.priority, class.priority);
    tag.leading("friction", &geom.friction, &class.friction);
    tag.number("solmix", geom.solmix, class.solmix);
    tag.leading("solref", &geom.solref, &class.solref);
    tag.leading("solimp", &geom.solimp, &class.solimp);
    tag.number("margin", geom.margin, class.margin);
    tag.number("gap", geom.gap, class.gap);
    tag.keyword("fluidshape", words::FLUID, &geom.fluid_ellipsoid, &class.fluid_ellipsoid);
    tag.leading("fluidcoef", &geom.fluid_coefs, &class.fluid_coefs);
    if !geom.mass.is_nan() {
        tag.number("mass", geom.mass, class.mass);
    }
    tag.number("density", geom.density, class.density);
    tag.keyword("shellinertia", words::GEOM_INERTIA, &geom.typeinertia, &class.typeinertia);
    tag.text("hfield", &geom.hfieldname, &class.hfieldname);
    tag.text("mesh", &geom.meshname, &class.meshname);
    tag.number("fitscale", geom.fitscale, class.fitscale);
    tag.text("material", &geom.material, &class.material);
    tag.numbers("rgba", &geom.rgba, &class.rgba);
    tag.list("user", &geom.userdata, &class.userdata);
    if geom.plugin != class.plugin {
        push_plugin(tag, &geom.plugin);
    }
}

fn size(tag: &mut Tag, size: &[f64; 3], class: &[f64; 3], length: Length) {
    match length {
        Length::Full => tag.numbers("size", size, class),
        Length::Leading => tag.leading("size", size, class),
    }
}

pub(super) fn site(tag: &mut Tag, site: &Site, class: &Site, length: Length) {
    let of_body = length == Length::Leading && site.fromto[0].is_nan();
    tag.numbers("pos", &site.pos, &stated(&class.pos, of_body));
    tag.numbers("quat", &site.quat, &class.quat);
    size(tag, &site.size, &class.size, length);
    tag.keyword("type", words::GEOM, &site.r#type, &class.r#type);
    if !site.fromto[0].is_nan() {
        tag.numbers("fromto", &site.fromto, &class.fromto);
    }
    tag.number("group", site.group, class.group);
    tag.text("material", &site.material, &class.material);
    tag.numbers("rgba", &site.rgba, &class.rgba);
    tag.list("user", &site.userdata, &class.userdata);
}

/// What a vector differs from: as the reference writes them, sites, cameras and lights of a body always say
/// where they are, and lights where they shine.
fn stated<const N: usize>(class: &[f64; N], of_body: bool) -> [f64; N] {
    if of_body { [f64::NAN; N] } else { *class }
}

pub(super) fn camera(tag: &mut Tag, camera: &Camera, class: &Camera, of_body: bool) {
    tag.keyword("mode", words::CAM_LIGHT, &camera.mode, &class.mode);
    pose(tag, (&camera.pos, &stated(&class.pos, of_body)), (&camera.quat, &class.quat));
    tag.keyword("projection", words::PROJECTION, &camera.proj, &class.proj);
    tag.number("ipd", camera.ipd, class.ipd);
    tag.numbers("resolution", &camera.resolution, &class.resolution);
    if camera.output != class.output {
        let outputs = words::CAMERA_OUTPUT.iter().filter(|(_, bit)| camera.output & bit != 0);
        tag.set("output", outputs.map(|(word, _)| *word).collect::<Vec<_>>().join(" "));
    }
    tag.numbers("principalpixel", &camera.principal_pixel, &class.principal_pixel);
    tag.numbers("principal", &camera.principal_length, &class.principal_length);
    tag.numbers("focalpixel", &camera.focal_pixel, &class.focal_pixel);
    tag.numbers("focal", &camera.focal_length, &class.focal_length);
    // the size of the sensor decides about the field of view; only one of them can be given
    if camera.sensor_size == class.sensor_size {
        tag.number("fovy", camera.fovy, class.fovy);
    } else {
        tag.numbers("sensorsize", &camera.sensor_size, &class.sensor_size);
    }
    // not inherited from the class
    tag.list("user", &camera.userdata, &[]);
}

pub(super) fn light(tag: &mut Tag, light: &Light, class: &Light, of_body: bool) {
    tag.keyword("type", words::LIGHT, &light.r#type, &class.r#type);
    tag.keyword("mode", words::CAM_LIGHT, &light.mode, &class.mode);
    tag.numbers("pos", &light.pos, &stated(&class.pos, of_body));
    tag.numbers("dir", &light.dir, &stated(&class.dir, of_body));
    tag.flag("castshadow", light.castshadow, class.castshadow);
    tag.flag("active", light.active, class.active);
    tag.number("bulbradius", light.bulbradius, class.bulbradius);
    tag.number("intensity", light.intensity, class.intensity);
    tag.number("range", light.range, class.range);
    tag.numbers("attenuation", &light.attenuation, &class.attenuation);
    tag.number("cutoff", light.cutoff, class.cutoff);
    tag.number("exponent", light.exponent, class.exponent);
    tag.numbers("ambient", &light.ambient, &class.ambient);
    tag.numbers("diffuse", &light.diffuse, &class.diffuse);
    tag.numbers("specular", &light.specular, &class.specular);
}
