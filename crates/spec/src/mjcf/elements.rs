//! Readers of the elements that hang on a body. Each fills a struct that starts as a copy of its default
//! class; default classes themselves are read by the same functions.

use super::keywords as words;
use super::log::Log;
use super::plugin::read_plugin_child;
use crate::spec::{Body, Camera, Frame, Geom, Joint, Light, Orientation, Site};
use crate::xml::Node;
use kinetree_model::enums::LightType;

/// Reads an `<inertial>` into its body.
pub(super) fn read_inertial(log: &mut Log, node: Node<'_>, body: &mut Body) {
    body.explicitinertial = true;
    log.required(node, "pos");
    log.required(node, "mass");
    log.exact(node, "pos", &mut body.ipos);
    log.quat(node, "quat", &mut body.iquat);
    log.number(node, "mass", &mut body.mass);
    log.exact(node, "diaginertia", &mut body.inertia);
    let oriented = log.orientation(node, &mut body.ialt);
    let full = log.exact(node, "fullinertia", &mut body.fullinertia);
    if oriented && full {
        log.error(node.pos(), "fullinertia and inertial orientation cannot both be specified");
    }
}

/// Reads position and orientation.
pub(super) fn read_pose(
    log: &mut Log,
    node: Node<'_>,
    pos: &mut [f64; 3],
    quat: &mut [f64; 4],
    alt: &mut Orientation,
) {
    log.exact(node, "pos", pos);
    log.quat(node, "quat", quat);
    log.orientation(node, alt);
}

/// Reads the attributes of a `<body>`.
pub(super) fn read_body(log: &mut Log, node: Node<'_>, body: &mut Body) {
    log.set_text(node, "name", &mut body.name);
    log.set_text(node, "childclass", &mut body.childclass);
    read_pose(log, node, &mut body.pos, &mut body.quat, &mut body.alt);
    log.flag(node, "mocap", &mut body.mocap);
    log.number(node, "gravcomp", &mut body.gravcomp);
    log.keyword(node, "sleep", words::SLEEP, &mut body.sleep);
    log.set_list(node, "user", &mut body.userdata);
}

/// Reads the attributes of a `<frame>`.
pub(super) fn read_frame(log: &mut Log, node: Node<'_>, frame: &mut Frame) {
    log.set_text(node, "name", &mut frame.name);
    log.set_text(node, "childclass", &mut frame.childclass);
    read_pose(log, node, &mut frame.pos, &mut frame.quat, &mut frame.alt);
}

/// Reads a `<joint>`.
pub(super) fn read_joint(log: &mut Log, node: Node<'_>, joint: &mut Joint) {
    log.set_text(node, "name", &mut joint.name);
    log.keyword(node, "type", words::JOINT, &mut joint.r#type);
    log.keyword(node, "limited", words::LIMITED, &mut joint.limited);
    log.keyword(node, "actuatorfrclimited", words::LIMITED, &mut joint.actfrclimited);
    log.number(node, "group", &mut joint.group);
    log.up_to(node, "solreflimit", &mut joint.solref_limit);
    log.up_to(node, "solimplimit", &mut joint.solimp_limit);
    log.up_to(node, "solreffriction", &mut joint.solref_friction);
    log.up_to(node, "solimpfriction", &mut joint.solimp_friction);
    log.exact(node, "pos", &mut joint.pos);
    log.exact(node, "axis", &mut joint.axis);
    log.exact(node, "springdamper", &mut joint.springdamper);
    log.up_to(node, "stiffness", &mut joint.stiffness);
    log.exact(node, "range", &mut joint.range);
    log.exact(node, "actuatorfrcrange", &mut joint.actfrcrange);
    log.number(node, "margin", &mut joint.margin);
    log.number(node, "ref", &mut joint.r#ref);
    log.number(node, "springref", &mut joint.springref);
    log.number(node, "armature", &mut joint.armature);
    log.up_to(node, "damping", &mut joint.damping);
    log.number(node, "frictionloss", &mut joint.frictionloss);
    log.flag(node, "actuatorgravcomp", &mut joint.actgravcomp);
    log.set_list(node, "user", &mut joint.userdata);
}

/// Reads a `<freejoint>`.
pub(super) fn read_freejoint(log: &mut Log, node: Node<'_>, joint: &mut Joint) {
    log.set_text(node, "name", &mut joint.name);
    log.number(node, "group", &mut joint.group);
    log.keyword(node, "align", words::ALIGN, &mut joint.align);
}

/// Reads a `<geom>`.
pub(super) fn read_geom(log: &mut Log, node: Node<'_>, geom: &mut Geom) {
    log.set_text(node, "name", &mut geom.name);
    log.keyword(node, "type", words::GEOM, &mut geom.r#type);
    log.up_to(node, "size", &mut geom.size);
    log.number(node, "contype", &mut geom.contype);
    log.number(node, "conaffinity", &mut geom.conaffinity);
    log.number(node, "condim", &mut geom.condim);
    log.number(node, "group", &mut geom.group);
    log.number(node, "priority", &mut geom.priority);
    log.up_to(node, "friction", &mut geom.friction);
    log.number(node, "solmix", &mut geom.solmix);
    log.up_to(node, "solref", &mut geom.solref);
    log.up_to(node, "solimp", &mut geom.solimp);
    log.number(node, "margin", &mut geom.margin);
    log.number(node, "gap", &mut geom.gap);
    log.set_text(node, "hfield", &mut geom.hfieldname);
    log.set_text(node, "mesh", &mut geom.meshname);
    log.number(node, "fitscale", &mut geom.fitscale);
    log.set_text(node, "material", &mut geom.material);
    log.exact(node, "rgba", &mut geom.rgba);
    log.keyword(node, "fluidshape", words::FLUID, &mut geom.fluid_ellipsoid);
    log.up_to(node, "fluidcoef", &mut geom.fluid_coefs);
    log.set_list(node, "user", &mut geom.userdata);
    read_plugin_child(log, node, &mut geom.plugin);
    log.number(node, "mass", &mut geom.mass);
    log.number(node, "density", &mut geom.density);
    log.exact(node, "fromto", &mut geom.fromto);
    read_pose(log, node, &mut geom.pos, &mut geom.quat, &mut geom.alt);
    log.keyword(node, "shellinertia", words::GEOM_INERTIA, &mut geom.typeinertia);
}

/// Reads a `<site>`.
pub(super) fn read_site(log: &mut Log, node: Node<'_>, site: &mut Site) {
    log.set_text(node, "name", &mut site.name);
    log.keyword(node, "type", words::GEOM, &mut site.r#type);
    log.up_to(node, "size", &mut site.size);
    log.number(node, "group", &mut site.group);
    log.set_text(node, "material", &mut site.material);
    log.exact(node, "rgba", &mut site.rgba);
    log.exact(node, "fromto", &mut site.fromto);
    read_pose(log, node, &mut site.pos, &mut site.quat, &mut site.alt);
    log.set_list(node, "user", &mut site.userdata);
}

/// Reads a `<camera>`.
pub(super) fn read_camera(log: &mut Log, node: Node<'_>, camera: &mut Camera) {
    log.set_text(node, "name", &mut camera.name);
    log.set_text(node, "target", &mut camera.targetbody);
    log.keyword(node, "mode", words::CAM_LIGHT, &mut camera.mode);
    read_pose(log, node, &mut camera.pos, &mut camera.quat, &mut camera.alt);
    log.number(node, "ipd", &mut camera.ipd);
    log.keyword(node, "projection", words::PROJECTION, &mut camera.proj);
    log.exact(node, "principalpixel", &mut camera.principal_pixel);
    log.exact(node, "principal", &mut camera.principal_length);
    log.exact(node, "focalpixel", &mut camera.focal_pixel);
    log.exact(node, "focal", &mut camera.focal_length);
    log.exact(node, "resolution", &mut camera.resolution);
    if let Some(outputs) = log.keywords(node, "output", words::CAMERA_OUTPUT).filter(|list| !list.is_empty())
    {
        camera.output = outputs.into_iter().fold(0, |bits, bit| bits | bit);
    }
    let sensor = log.exact(node, "sensorsize", &mut camera.sensor_size);
    let fovy = log.number(node, "fovy", &mut camera.fovy);
    if sensor && fovy {
        log.error(node.pos(), "either 'fovy' or 'sensorsize' can be given, not both");
    }
    // unlike elsewhere, user data is not inherited from the class
    camera.userdata = log.list(node, "user").unwrap_or_default();
}

/// Reads a `<light>`.
pub(super) fn read_light(log: &mut Log, node: Node<'_>, light: &mut Light) {
    log.set_text(node, "name", &mut light.name);
    log.set_text(node, "texture", &mut light.texture);
    log.set_text(node, "target", &mut light.targetbody);
    log.keyword(node, "mode", words::CAM_LIGHT, &mut light.mode);
    if let Some(directional) = log.maybe_keyword(node, "directional", words::BOOL) {
        light.r#type = if directional { LightType::Directional } else { LightType::Spot };
        if node.attr("type").is_some() {
            log.error(node.pos(), "'type' and 'directional' cannot both be given");
        }
    }
    log.keyword(node, "type", words::LIGHT, &mut light.r#type);
    log.flag(node, "castshadow", &mut light.castshadow);
    log.flag(node, "active", &mut light.active);
    log.exact(node, "pos", &mut light.pos);
    log.exact(node, "dir", &mut light.dir);
    log.number(node, "bulbradius", &mut light.bulbradius);
    log.number(node, "intensity", &mut light.intensity);
    log.number(node, "range", &mut light.range);
    log.exact(node, "attenuation", &mut light.attenuation);
    log.number(node, "cutoff", &mut light.cutoff);
    log.number(node, "exponent", &mut light.exponent);
    log.exact(node, "ambient", &mut light.ambient);
    log.exact(node, "diffuse", &mut light.diffuse);
    log.exact(node, "specular", &mut light.specular);
}
