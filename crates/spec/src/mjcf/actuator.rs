//! The actuator section. Shortcuts resolve to the general form while they are read.

use kinetree_model::enums::{GainType, TrnType};

use super::keywords as words;
use super::log::Log;
use super::plugin::read_plugin;
use super::reader::Reader;
use crate::spec::presets::{CylinderParams, DcMotorParams, MuscleParams, PresetError, ServoParams};
use crate::spec::{Actuator, DefaultId};
use crate::xml::Node;

/// Attributes that name a transmission target, with the kind of transmission.
const TARGETS: [(&str, TrnType); 6] = [
    ("joint", TrnType::Joint),
    ("jointinparent", TrnType::Jointinparent),
    ("tendon", TrnType::Tendon),
    ("cranksite", TrnType::Slidercrank),
    ("site", TrnType::Site),
    ("body", TrnType::Body),
];

impl Reader<'_> {
    /// Reads an actuator section.
    pub(super) fn read_actuators(&mut self, section: Node<'_>) {
        for node in section.children() {
            let class = self.class_of(node).unwrap_or(DefaultId(0));
            let mut actuator =
                Actuator { origin: self.origin(node, class), ..self.spec.defaults[class.0].actuator.clone() };
            read_actuator(&mut self.log, node, &mut actuator);
            self.spec.add_actuator(actuator);
        }
    }
}

/// Reads an actuator of any kind, or the prototype of a default class.
pub(super) fn read_actuator(log: &mut Log, node: Node<'_>, actuator: &mut Actuator) {
    log.set_text(node, "name", &mut actuator.name);
    log.number(node, "group", &mut actuator.group);
    log.number(node, "nsample", &mut actuator.nsample);
    log.keyword(node, "interp", words::INTERP, &mut actuator.interp);
    log.number(node, "delay", &mut actuator.delay);
    log.keyword(node, "ctrllimited", words::LIMITED, &mut actuator.ctrllimited);
    log.keyword(node, "forcelimited", words::LIMITED, &mut actuator.forcelimited);
    log.keyword(node, "actlimited", words::LIMITED, &mut actuator.actlimited);
    log.exact(node, "ctrlrange", &mut actuator.ctrlrange);
    log.exact(node, "forcerange", &mut actuator.forcerange);
    log.exact(node, "actrange", &mut actuator.actrange);
    log.exact(node, "lengthrange", &mut actuator.lengthrange);
    log.up_to(node, "gear", &mut actuator.gear);
    log.up_to(node, "damping", &mut actuator.damping);
    log.number(node, "armature", &mut actuator.armature);
    read_transmission(log, node, actuator);
    let result = match node.name() {
        "general" => {
            read_general(log, node, actuator);
            Ok(())
        }
        "plugin" => {
            read_plugin(log, node, &mut actuator.plugin);
            read_dynamics(log, node, actuator);
            Ok(())
        }
        _ => read_shortcut(log, node, actuator),
    };
    if let Err(error) = result {
        log.error(node.pos(), format!("<{}>: {error}", node.name()));
    }
    log.set_list(node, "user", &mut actuator.userdata);
}

fn read_transmission(log: &mut Log, node: Node<'_>, actuator: &mut Actuator) {
    let mut given = Vec::new();
    for (name, kind) in TARGETS {
        if log.set_text(node, name, &mut actuator.target) {
            actuator.trntype = kind;
            given.push(name);
        }
    }
    if given.len() > 1 {
        log.error(
            node.pos(),
            format!("an actuator has one target, not {}: {}", given.len(), given.join(", ")),
        );
    }
    let length = log.number(node, "cranklength", &mut actuator.cranklength);
    let slider = log.set_text(node, "slidersite", &mut actuator.slidersite);
    if (length || slider) && !matches!(actuator.trntype, TrnType::Slidercrank | TrnType::Undefined) {
        log.error(
            node.pos(),
            "'cranklength' and 'slidersite' need a slider-crank transmission ('cranksite')",
        );
    }
    let refsite = log.set_text(node, "refsite", &mut actuator.refsite);
    if refsite && !matches!(actuator.trntype, TrnType::Site | TrnType::Undefined) {
        log.error(node.pos(), "'refsite' needs a site transmission ('site')");
    }
}

fn read_general(log: &mut Log, node: Node<'_>, actuator: &mut Actuator) {
    read_dynamics(log, node, actuator);
    log.keyword(node, "gaintype", words::GAIN, &mut actuator.gaintype);
    log.keyword(node, "biastype", words::BIAS, &mut actuator.biastype);
    log.up_to(node, "gainprm", &mut actuator.gainprm);
    log.up_to(node, "biasprm", &mut actuator.biasprm);
}

fn read_dynamics(log: &mut Log, node: Node<'_>, actuator: &mut Actuator) {
    log.keyword(node, "dyntype", words::DYN, &mut actuator.dyntype);
    log.flag(node, "actearly", &mut actuator.actearly);
    log.up_to(node, "dynprm", &mut actuator.dynprm);
    log.number(node, "actdim", &mut actuator.actdim);
}

/// Reads the parameters of a shortcut and applies it.
fn read_shortcut(log: &mut Log, node: Node<'_>, actuator: &mut Actuator) -> Result<(), PresetError> {
    match node.name() {
        "motor" => {
            actuator.set_to_motor();
            Ok(())
        }
        "position" | "intvelocity" => {
            let mut servo = ServoParams {
                kp: actuator.gainprm[0],
                inheritrange: actuator.inheritrange,
                ..ServoParams::default()
            };
            log.number(node, "kp", &mut servo.kp);
            servo.kv = log.maybe_number(node, "kv");
            servo.dampratio = log.maybe_number(node, "dampratio");
            servo.timeconst = log.maybe_number(node, "timeconst");
            log.number(node, "inheritrange", &mut servo.inheritrange);
            if node.name() == "position" {
                actuator.set_to_position(&servo)
            } else {
                actuator.set_to_intvelocity(&servo)
            }
        }
        "velocity" => {
            let mut kv = actuator.gainprm[0];
            log.number(node, "kv", &mut kv);
            actuator.set_to_velocity(kv);
            Ok(())
        }
        "damper" => {
            let mut kv = 0.0;
            log.number(node, "kv", &mut kv);
            actuator.set_to_damper(kv)
        }
        "cylinder" => {
            let mut cylinder = CylinderParams {
                timeconst: actuator.dynprm[0],
                bias: [actuator.biasprm[0], actuator.biasprm[1], actuator.biasprm[2]],
                area: actuator.gainprm[0],
                diameter: None,
            };
            log.number(node, "timeconst", &mut cylinder.timeconst);
            log.exact(node, "bias", &mut cylinder.bias);
            log.number(node, "area", &mut cylinder.area);
            cylinder.diameter = log.maybe_number(node, "diameter");
            actuator.set_to_cylinder(&cylinder);
            Ok(())
        }
        "muscle" => {
            let mut muscle = MuscleParams { tausmooth: actuator.dynprm[2], ..MuscleParams::default() };
            log.exact(node, "timeconst", &mut muscle.timeconst);
            log.number(node, "tausmooth", &mut muscle.tausmooth);
            log.exact(node, "range", &mut muscle.range);
            log.number(node, "force", &mut muscle.force);
            log.number(node, "scale", &mut muscle.scale);
            log.number(node, "lmin", &mut muscle.lmin);
            log.number(node, "lmax", &mut muscle.lmax);
            log.number(node, "vmax", &mut muscle.vmax);
            log.number(node, "fpmax", &mut muscle.fpmax);
            log.number(node, "fvmax", &mut muscle.fvmax);
            actuator.set_to_muscle(&muscle)
        }
        "adhesion" => {
            let mut gain = actuator.gainprm[0];
            log.number(node, "gain", &mut gain);
            actuator.set_to_adhesion(gain)
        }
        "dcmotor" => read_dcmotor(log, node, actuator),
        _ => Ok(()),
    }
}

fn read_dcmotor(log: &mut Log, node: Node<'_>, actuator: &mut Actuator) -> Result<(), PresetError> {
    let mut motor = if actuator.gaintype == GainType::Dcmotor {
        DcMotorParams::of(actuator)
    } else {
        DcMotorParams::default()
    };
    log.up_to(node, "motorconst", &mut motor.motorconst);
    log.number(node, "resistance", &mut motor.resistance);
    log.up_to(node, "nominal", &mut motor.nominal);
    log.up_to(node, "saturation", &mut motor.saturation);
    log.up_to(node, "inductance", &mut motor.inductance);
    log.up_to(node, "cogging", &mut motor.cogging);
    log.up_to(node, "controller", &mut motor.controller);
    log.up_to(node, "thermal", &mut motor.thermal);
    log.up_to(node, "lugre", &mut motor.lugre);
    log.keyword(node, "input", words::DCMOTOR_INPUT, &mut motor.input);
    actuator.set_to_dcmotor(&motor)
}
