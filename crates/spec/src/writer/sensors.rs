//! Sensors.

use kinetree_model::enums::{ObjType, SensorType};

use super::error::WriteError;
use super::plugin;
use super::tag::Tag;
use crate::mjcf::keywords::{self as words, Keywords};
use crate::mjcf::sensor::{SENSORS, Target};
use crate::spec::{Sensor, Spec};

pub(super) fn section(spec: &Spec) -> Result<Tag, WriteError> {
    let mut section = Tag::new("sensor");
    for sensor in spec.sensors.values() {
        section.push(element(sensor)?);
    }
    Ok(section)
}

fn element(sensor: &Sensor) -> Result<Tag, WriteError> {
    let known = SENSORS.iter().find(|(_, kind, _)| *kind == sensor.r#type);
    let Some(&(name, _, target)) = known else {
        let cause = "this kind of sensor has no element".to_owned();
        return Err(WriteError::Element { kind: "sensor", name: sensor.name.clone(), cause });
    };
    let default = Sensor::default();
    let mut tag = Tag::new(name);
    tag.given("name", &sensor.name);
    match target {
        Target::Named(attr, _) => tag.set(attr, &sensor.objname),
        Target::Framed => {
            object(&mut tag, ["objtype", "objname"], sensor.objtype, &sensor.objname);
            object(&mut tag, ["reftype", "refname"], sensor.reftype, &sensor.refname);
        }
        Target::TwoGeoms => two_objects(&mut tag, sensor),
        Target::Global => {}
        Target::Special => special(&mut tag, sensor),
    }
    tag.number("cutoff", sensor.cutoff, default.cutoff);
    tag.number("noise", sensor.noise, default.noise);
    tag.number("nsample", sensor.nsample, default.nsample);
    tag.keyword("interp", words::INTERP, &sensor.interp, &default.interp);
    tag.number("delay", sensor.delay, default.delay);
    tag.leading("interval", &sensor.interval, &default.interval);
    tag.list("user", &sensor.userdata, &[]);
    Ok(tag)
}

/// A kind and a name, where there is an object.
fn object(tag: &mut Tag, [kind_attr, name_attr]: [&'static str; 2], kind: ObjType, name: &str) {
    if kind != ObjType::Unknown {
        tag.word(kind_attr, words::OBJECT, &kind);
        tag.set(name_attr, name);
    }
}

/// One of several attributes, by the kind of object.
fn by_kind(tag: &mut Tag, attrs: &[(ObjType, &'static str)], kind: ObjType, name: &str) {
    if let Some((_, attr)) = attrs.iter().find(|(known, _)| *known == kind) {
        tag.set(attr, name);
    }
}

const FIRST: &[(ObjType, &str)] = &[
    (ObjType::Site, "site"),
    (ObjType::Body, "body1"),
    (ObjType::Xbody, "subtree1"),
    (ObjType::Geom, "geom1"),
];
const SECOND: &[(ObjType, &str)] =
    &[(ObjType::Body, "body2"), (ObjType::Xbody, "subtree2"), (ObjType::Geom, "geom2")];

fn two_objects(tag: &mut Tag, sensor: &Sensor) {
    by_kind(tag, FIRST, sensor.objtype, &sensor.objname);
    by_kind(tag, SECOND, sensor.reftype, &sensor.refname);
}

/// The words for the bits of a data field; the first kind alone needs none.
fn data_bits(tag: &mut Tag, known: Keywords<i32>, bits: i32) {
    if bits != 1 {
        let used = known.iter().filter(|(_, bit)| bits & (1 << bit) != 0).map(|(word, _)| *word);
        tag.set("data", used.collect::<Vec<_>>().join(" "));
    }
}

fn special(tag: &mut Tag, sensor: &Sensor) {
    let default = Sensor::default();
    match sensor.r#type {
        SensorType::Camprojection => {
            tag.set("site", &sensor.objname);
            tag.set("camera", &sensor.refname);
        }
        SensorType::Rangefinder => {
            by_kind(
                tag,
                &[(ObjType::Site, "site"), (ObjType::Camera, "camera")],
                sensor.objtype,
                &sensor.objname,
            );
            data_bits(tag, words::RAY_DATA, sensor.intprm[0]);
        }
        SensorType::Insidesite => {
            tag.set("site", &sensor.refname);
            object(tag, ["objtype", "objname"], sensor.objtype, &sensor.objname);
        }
        SensorType::Contact => {
            two_objects(tag, sensor);
            tag.number("num", sensor.intprm[2], 1);
            data_bits(tag, words::CONTACT_DATA, sensor.intprm[0]);
            tag.keyword("reduce", words::REDUCE, &sensor.intprm[1], &0);
        }
        SensorType::Tactile => {
            tag.set("geom", &sensor.refname);
            tag.set("mesh", &sensor.objname);
        }
        SensorType::User => {
            object(tag, ["objtype", "objname"], sensor.objtype, &sensor.objname);
            tag.number("dim", sensor.dim, i32::MIN);
            tag.keyword("needstage", words::STAGE, &sensor.needstage, &default.needstage);
            tag.word("datatype", words::DATATYPE, &sensor.datatype);
        }
        SensorType::Plugin => {
            plugin::plugin(tag, &sensor.plugin);
            object(tag, ["objtype", "objname"], sensor.objtype, &sensor.objname);
            object(tag, ["reftype", "refname"], sensor.reftype, &sensor.refname);
        }
        _ => {}
    }
}
