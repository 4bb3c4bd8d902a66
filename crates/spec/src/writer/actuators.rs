//! Actuators in their general form; servos that take their range from the target keep the shortcut that says
//! so.

use kinetree_model::enums::{BiasType, DynType, GainType, TrnType};

use super::book::Book;
use super::error::WriteError;
use super::plugin;
use super::tag::Tag;
use crate::mjcf::keywords as words;
use crate::spec::Actuator;

pub(super) fn section(spec: &Book<'_>) -> Result<Tag, WriteError> {
    let mut section = Tag::new("actuator");
    for actuator in spec.actuators.values() {
        let class = &spec.class_of(&actuator.origin).actuator;
        let mut tag = Tag::new(element_name(actuator, class)?);
        tag.given("name", &actuator.name);
        spec.set_class(&mut tag, &actuator.origin, "main");
        target(&mut tag, actuator, class);
        tag.numbers("lengthrange", &actuator.lengthrange, &class.lengthrange);
        parameters(&mut tag, actuator, class);
        section.push(tag);
    }
    Ok(section)
}

/// The actuator of a default class.
pub(super) fn prototype(actuator: &Actuator, around: &Actuator) -> Result<Tag, WriteError> {
    let name = element_name(actuator, around)?;
    // plugins belong to single actuators
    let mut tag = Tag::new(if name == "plugin" { "general" } else { name });
    tag.number("cranklength", actuator.cranklength, around.cranklength);
    parameters(&mut tag, actuator, around);
    Ok(tag)
}

/// The element that can express how an actuator differs from its class.
fn element_name(actuator: &Actuator, class: &Actuator) -> Result<&'static str, WriteError> {
    if actuator.plugin.active {
        return Ok("plugin");
    }
    if actuator.inheritrange == class.inheritrange {
        return Ok("general");
    }
    let servo = actuator.gaintype == GainType::Fixed
        && actuator.biastype == BiasType::Affine
        && actuator.biasprm[1] == -actuator.gainprm[0]
        && actuator.gainprm[1..] == class.gainprm[1..]
        && actuator.biasprm[0] == class.biasprm[0]
        && actuator.biasprm[3..] == class.biasprm[3..]
        && actuator.dynprm[1..] == class.dynprm[1..];
    match actuator.dyntype {
        DynType::Integrator if servo => Ok("intvelocity"),
        DynType::None | DynType::Filterexact if servo => Ok("position"),
        _ => Err(WriteError::Element {
            kind: "actuator",
            name: actuator.name.clone(),
            cause: "'inheritrange' can only be written for position servos".to_owned(),
        }),
    }
}

fn target(tag: &mut Tag, actuator: &Actuator, class: &Actuator) {
    let name = match actuator.trntype {
        TrnType::Joint => "joint",
        TrnType::Jointinparent => "jointinparent",
        TrnType::Tendon => "tendon",
        TrnType::Slidercrank => "cranksite",
        TrnType::Site => "site",
        TrnType::Body => "body",
        TrnType::Undefined => return,
    };
    tag.set(name, &actuator.target);
    if actuator.trntype == TrnType::Site {
        tag.given("refsite", &actuator.refsite);
    }
    if actuator.trntype == TrnType::Slidercrank {
        tag.given("slidersite", &actuator.slidersite);
        tag.number("cranklength", actuator.cranklength, class.cranklength);
    }
}

/// Everything that a default class can set.
fn parameters(tag: &mut Tag, actuator: &Actuator, class: &Actuator) {
    tag.number("group", actuator.group, class.group);
    tag.number("nsample", actuator.nsample, class.nsample);
    tag.keyword("interp", words::INTERP, &actuator.interp, &class.interp);
    tag.number("delay", actuator.delay, class.delay);
    tag.keyword("ctrllimited", words::LIMITED, &actuator.ctrllimited, &class.ctrllimited);
    tag.numbers("ctrlrange", &actuator.ctrlrange, &class.ctrlrange);
    tag.keyword("forcelimited", words::LIMITED, &actuator.forcelimited, &class.forcelimited);
    tag.numbers("forcerange", &actuator.forcerange, &class.forcerange);
    match tag.name() {
        "position" | "intvelocity" => servo(tag, actuator, class),
        "plugin" => {
            activation(tag, actuator, class);
            tag.number("actdim", actuator.actdim, class.actdim);
            tag.keyword("dyntype", words::DYN, &actuator.dyntype, &class.dyntype);
            tag.leading("dynprm", &actuator.dynprm, &class.dynprm);
            tag.flag("actearly", actuator.actearly, class.actearly);
        }
        _ => {
            activation(tag, actuator, class);
            tag.number("actdim", actuator.actdim, class.actdim);
            tag.keyword("dyntype", words::DYN, &actuator.dyntype, &class.dyntype);
            tag.keyword("gaintype", words::GAIN, &actuator.gaintype, &class.gaintype);
            tag.keyword("biastype", words::BIAS, &actuator.biastype, &class.biastype);
            tag.leading("dynprm", &actuator.dynprm, &class.dynprm);
            tag.leading("gainprm", &actuator.gainprm, &class.gainprm);
            tag.leading("biasprm", &actuator.biasprm, &class.biasprm);
            tag.flag("actearly", actuator.actearly, class.actearly);
        }
    }
    tag.leading("gear", &actuator.gear, &class.gear);
    tag.leading("damping", &actuator.damping, &class.damping);
    tag.number("armature", actuator.armature, class.armature);
    tag.list("user", &actuator.userdata, &class.userdata);
    if tag.name() == "plugin" {
        plugin::plugin(tag, &actuator.plugin);
    }
}

fn activation(tag: &mut Tag, actuator: &Actuator, class: &Actuator) {
    tag.keyword("actlimited", words::LIMITED, &actuator.actlimited, &class.actlimited);
    tag.numbers("actrange", &actuator.actrange, &class.actrange);
}

/// A position servo: the sign of the third bias parameter tells damping (negative) from a damping ratio
/// (positive).
fn servo(tag: &mut Tag, actuator: &Actuator, class: &Actuator) {
    tag.number("inheritrange", actuator.inheritrange, f64::NAN);
    tag.number("kp", actuator.gainprm[0], class.gainprm[0]);
    if actuator.biasprm[2] > 0.0 {
        tag.number("dampratio", actuator.biasprm[2], class.biasprm[2]);
    } else if actuator.biasprm[2] != class.biasprm[2] {
        tag.number("kv", -actuator.biasprm[2], f64::NAN);
    }
    if tag.name() == "position" && (actuator.dyntype, actuator.dynprm[0]) != (class.dyntype, class.dynprm[0])
    {
        let time = if actuator.dyntype == DynType::None { 0.0 } else { actuator.dynprm[0] };
        tag.number("timeconst", time, f64::NAN);
    }
    if tag.name() == "intvelocity" {
        tag.numbers("actrange", &actuator.actrange, &class.actrange);
    }
}
