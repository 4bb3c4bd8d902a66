//! The sensor section.

use kinetree_model::enums::{ObjType, SensorType};

use super::keywords::{self as words, Keywords};
use super::plugin::read_plugin;
use super::reader::Reader;
use crate::spec::{DefaultId, Sensor};
use crate::xml::Node;

/// What a sensor element measures and how it names its object.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// One attribute names an object of a fixed kind.
    Named(&'static str, ObjType),
    /// The attributes `objtype` and `objname` name an object with a frame, `reftype` and `refname` a
    /// reference.
    Framed,
    /// Two geoms or bodies.
    TwoGeoms,
    /// No object.
    Global,
    /// Read by its own function.
    Special,
}

/// Sensor elements with their kind and target.
pub(crate) const SENSORS: &[(&str, SensorType, Target)] = &[
    ("touch", SensorType::Touch, Target::Named("site", ObjType::Site)),
    ("accelerometer", SensorType::Accelerometer, Target::Named("site", ObjType::Site)),
    ("velocimeter", SensorType::Velocimeter, Target::Named("site", ObjType::Site)),
    ("gyro", SensorType::Gyro, Target::Named("site", ObjType::Site)),
    ("force", SensorType::Force, Target::Named("site", ObjType::Site)),
    ("torque", SensorType::Torque, Target::Named("site", ObjType::Site)),
    ("magnetometer", SensorType::Magnetometer, Target::Named("site", ObjType::Site)),
    ("camprojection", SensorType::Camprojection, Target::Special),
    ("rangefinder", SensorType::Rangefinder, Target::Special),
    ("jointpos", SensorType::Jointpos, Target::Named("joint", ObjType::Joint)),
    ("jointvel", SensorType::Jointvel, Target::Named("joint", ObjType::Joint)),
    ("tendonpos", SensorType::Tendonpos, Target::Named("tendon", ObjType::Tendon)),
    ("tendonvel", SensorType::Tendonvel, Target::Named("tendon", ObjType::Tendon)),
    ("actuatorpos", SensorType::Actuatorpos, Target::Named("actuator", ObjType::Actuator)),
    ("actuatorvel", SensorType::Actuatorvel, Target::Named("actuator", ObjType::Actuator)),
    ("actuatorfrc", SensorType::Actuatorfrc, Target::Named("actuator", ObjType::Actuator)),
    ("jointactuatorfrc", SensorType::Jointactfrc, Target::Named("joint", ObjType::Joint)),
    ("tendonactuatorfrc", SensorType::Tendonactfrc, Target::Named("tendon", ObjType::Tendon)),
    ("ballquat", SensorType::Ballquat, Target::Named("joint", ObjType::Joint)),
    ("ballangvel", SensorType::Ballangvel, Target::Named("joint", ObjType::Joint)),
    ("jointlimitpos", SensorType::Jointlimitpos, Target::Named("joint", ObjType::Joint)),
    ("jointlimitvel", SensorType::Jointlimitvel, Target::Named("joint", ObjType::Joint)),
    ("jointlimitfrc", SensorType::Jointlimitfrc, Target::Named("joint", ObjType::Joint)),
    ("tendonlimitpos", SensorType::Tendonlimitpos, Target::Named("tendon", ObjType::Tendon)),
    ("tendonlimitvel", SensorType::Tendonlimitvel, Target::Named("tendon", ObjType::Tendon)),
    ("tendonlimitfrc", SensorType::Tendonlimitfrc, Target::Named("tendon", ObjType::Tendon)),
    ("framepos", SensorType::Framepos, Target::Framed),
    ("framequat", SensorType::Framequat, Target::Framed),
    ("framexaxis", SensorType::Framexaxis, Target::Framed),
    ("frameyaxis", SensorType::Frameyaxis, Target::Framed),
    ("framezaxis", SensorType::Framezaxis, Target::Framed),
    ("framelinvel", SensorType::Framelinvel, Target::Framed),
    ("frameangvel", SensorType::Frameangvel, Target::Framed),
    ("framelinacc", SensorType::Framelinacc, Target::Framed),
    ("frameangacc", SensorType::Frameangacc, Target::Framed),
    ("subtreecom", SensorType::Subtreecom, Target::Named("body", ObjType::Body)),
    ("subtreelinvel", SensorType::Subtreelinvel, Target::Named("body", ObjType::Body)),
    ("subtreeangmom", SensorType::Subtreeangmom, Target::Named("body", ObjType::Body)),
    ("insidesite", SensorType::Insidesite, Target::Special),
    ("distance", SensorType::Geomdist, Target::TwoGeoms),
    ("normal", SensorType::Geomnormal, Target::TwoGeoms),
    ("fromto", SensorType::Geomfromto, Target::TwoGeoms),
    ("contact", SensorType::Contact, Target::Special),
    ("e_potential", SensorType::EPotential, Target::Global),
    ("e_kinetic", SensorType::EKinetic, Target::Global),
    ("clock", SensorType::Clock, Target::Global),
    ("tactile", SensorType::Tactile, Target::Special),
    ("plugin", SensorType::Plugin, Target::Special),
    ("user", SensorType::User, Target::Special),
];

impl Reader<'_> {
    /// Reads a sensor section.
    pub(super) fn read_sensors(&mut self, section: Node<'_>) {
        for node in section.children() {
            let Some(&(_, kind, target)) = SENSORS.iter().find(|(name, ..)| *name == node.name()) else {
                continue;
            };
            let mut sensor =
                Sensor { origin: self.origin(node, DefaultId(0)), r#type: kind, ..Sensor::default() };
            self.read_common(node, &mut sensor);
            match target {
                Target::Named(attr, objtype) => {
                    sensor.objtype = objtype;
                    sensor.objname = self.log.required_text(node, attr);
                }
                Target::Framed => self.read_framed(node, &mut sensor),
                Target::TwoGeoms => self.read_two_geoms(node, &mut sensor),
                Target::Global => {}
                Target::Special => self.read_special(node, &mut sensor),
            }
            self.spec.add_sensor(sensor);
        }
    }

    fn read_common(&mut self, node: Node<'_>, sensor: &mut Sensor) {
        let log = &mut self.log;
        log.set_text(node, "name", &mut sensor.name);
        log.number(node, "cutoff", &mut sensor.cutoff);
        log.number(node, "noise", &mut sensor.noise);
        log.number(node, "nsample", &mut sensor.nsample);
        log.keyword(node, "interp", words::INTERP, &mut sensor.interp);
        log.number(node, "delay", &mut sensor.delay);
        log.up_to(node, "interval", &mut sensor.interval);
        log.set_list(node, "user", &mut sensor.userdata);
    }

    /// The kind of object an attribute names. The reference takes an unknown kind for "no object".
    fn object_type(&mut self, node: Node<'_>, attr: &str) -> ObjType {
        let Some(attr) = node.attr(attr) else { return ObjType::Unknown };
        words::object_type(attr.value()).unwrap_or_else(|| {
            let message = format!("'{}' is not a kind of object and is ignored", attr.value());
            self.log.warning(attr.value_pos(), message);
            ObjType::Unknown
        })
    }

    fn read_object(&mut self, node: Node<'_>, sensor: &mut Sensor) {
        self.log.required(node, "objtype");
        sensor.objtype = self.object_type(node, "objtype");
        sensor.objname = self.log.required_text(node, "objname");
    }

    fn read_framed(&mut self, node: Node<'_>, sensor: &mut Sensor) {
        self.read_object(node, sensor);
        match (node.attr("reftype"), node.attr("refname")) {
            (Some(_), _) => {
                sensor.reftype = self.object_type(node, "reftype");
                sensor.refname = self.log.required_text(node, "refname");
            }
            (None, Some(name)) => {
                self.log.error(name.name_pos(), "'refname' is given but reftype is missing");
            }
            (None, None) => {}
        }
    }

    /// Reads which of several attributes names the object; reports when their number is not accepted.
    fn one_of(
        &mut self,
        node: Node<'_>,
        attrs: &[(&'static str, ObjType)],
        optional: bool,
    ) -> (ObjType, String) {
        let given: Vec<_> = attrs.iter().filter(|(name, _)| node.attr(name).is_some()).collect();
        if given.len() > 1 || (given.is_empty() && !optional) {
            let names: Vec<_> = attrs.iter().map(|(name, _)| *name).collect();
            let wanted = if optional { "at most one" } else { "exactly one" };
            self.log.error(node.pos(), format!("<{}> takes {wanted} of: {}", node.name(), names.join(", ")));
        }
        match given.first() {
            Some(&&(name, objtype)) => (objtype, self.log.text(node, name).unwrap_or_default().to_owned()),
            None => (ObjType::Unknown, String::new()),
        }
    }

    fn read_two_geoms(&mut self, node: Node<'_>, sensor: &mut Sensor) {
        (sensor.objtype, sensor.objname) =
            self.one_of(node, &[("body1", ObjType::Body), ("geom1", ObjType::Geom)], false);
        (sensor.reftype, sensor.refname) =
            self.one_of(node, &[("body2", ObjType::Body), ("geom2", ObjType::Geom)], false);
    }

    fn read_special(&mut self, node: Node<'_>, sensor: &mut Sensor) {
        match sensor.r#type {
            SensorType::Camprojection => {
                (sensor.objtype, sensor.reftype) = (ObjType::Site, ObjType::Camera);
                sensor.objname = self.log.required_text(node, "site");
                sensor.refname = self.log.required_text(node, "camera");
            }
            SensorType::Rangefinder => {
                let targets = [("site", ObjType::Site), ("camera", ObjType::Camera)];
                (sensor.objtype, sensor.objname) = self.one_of(node, &targets, false);
                sensor.intprm[0] = self.data_bits(node, words::RAY_DATA);
            }
            SensorType::Insidesite => {
                sensor.reftype = ObjType::Site;
                sensor.refname = self.log.required_text(node, "site");
                self.read_object(node, sensor);
            }
            SensorType::Contact => self.read_contact_sensor(node, sensor),
            SensorType::Tactile => {
                (sensor.objtype, sensor.reftype) = (ObjType::Mesh, ObjType::Geom);
                sensor.refname = self.log.required_text(node, "geom");
                sensor.objname = self.log.required_text(node, "mesh");
            }
            SensorType::User => self.read_user(node, sensor),
            SensorType::Plugin => self.read_plugin_sensor(node, sensor),
            _ => {}
        }
    }

    fn read_contact_sensor(&mut self, node: Node<'_>, sensor: &mut Sensor) {
        let first = [
            ("site", ObjType::Site),
            ("body1", ObjType::Body),
            ("subtree1", ObjType::Xbody),
            ("geom1", ObjType::Geom),
        ];
        let second = [("body2", ObjType::Body), ("subtree2", ObjType::Xbody), ("geom2", ObjType::Geom)];
        (sensor.objtype, sensor.objname) = self.one_of(node, &first, true);
        (sensor.reftype, sensor.refname) = self.one_of(node, &second, true);
        sensor.intprm = [self.data_bits(node, words::CONTACT_DATA), 0, 1];
        self.log.keyword(node, "reduce", words::REDUCE, &mut sensor.intprm[1]);
        self.log.number(node, "num", &mut sensor.intprm[2]);
        if sensor.intprm[2] <= 0 {
            self.log.error(node.pos(), "'num' must be positive");
        }
    }

    /// Bits of the requested data, which must be listed in order; the first kind alone when none is given.
    fn data_bits(&mut self, node: Node<'_>, known: Keywords<i32>) -> i32 {
        let fields = self.log.keywords(node, "data", known).unwrap_or_default();
        if fields.windows(2).any(|pair| pair[1] <= pair[0]) {
            let order: Vec<_> = known.iter().map(|(word, _)| *word).collect();
            let message = format!("the words in 'data' must be in order: {}", order.join(", "));
            self.log.error(node.pos(), message);
        }
        if fields.is_empty() { 1 } else { fields.iter().fold(0, |bits, field| bits | 1 << field) }
    }

    fn read_user(&mut self, node: Node<'_>, sensor: &mut Sensor) {
        self.log.set_text(node, "objname", &mut sensor.objname);
        sensor.objtype = self.object_type(node, "objtype");
        self.check_together(node, "objtype", "objname");
        self.log.required(node, "dim");
        self.log.number(node, "dim", &mut sensor.dim);
        self.log.keyword(node, "needstage", words::STAGE, &mut sensor.needstage);
        self.log.keyword(node, "datatype", words::DATATYPE, &mut sensor.datatype);
    }

    fn read_plugin_sensor(&mut self, node: Node<'_>, sensor: &mut Sensor) {
        read_plugin(&mut self.log, node, &mut sensor.plugin);
        sensor.objtype = self.object_type(node, "objtype");
        sensor.reftype = self.object_type(node, "reftype");
        self.log.set_text(node, "objname", &mut sensor.objname);
        self.log.set_text(node, "refname", &mut sensor.refname);
        self.check_together(node, "objtype", "objname");
        self.check_together(node, "reftype", "refname");
    }

    fn check_together(&mut self, node: Node<'_>, first: &str, second: &str) {
        let (given, missing) = match (node.attr(first), node.attr(second)) {
            (Some(given), None) => (given, second),
            (None, Some(given)) => (given, first),
            _ => return,
        };
        let message = format!("{} '{}' given but {missing} is missing", given.name(), given.value());
        self.log.error(node.pos(), message);
    }
}
