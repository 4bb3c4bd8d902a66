//! The sections that relate elements of the tree: contact, equality, tendon.

use kinetree_model::enums::{EqType, ObjType};

use super::keywords as words;
use super::log::Log;
use super::reader::Reader;
use crate::spec::{DefaultId, Equality, Exclude, Pair, Tendon, Wrap, WrapTarget};
use crate::xml::Node;

/// Reads the parameters of a `<pair>`.
pub(super) fn read_pair(log: &mut Log, node: Node<'_>, pair: &mut Pair) {
    log.set_text(node, "name", &mut pair.name);
    log.number(node, "condim", &mut pair.condim);
    log.up_to(node, "solref", &mut pair.solref);
    log.up_to(node, "solreffriction", &mut pair.solreffriction);
    log.up_to(node, "solimp", &mut pair.solimp);
    log.number(node, "margin", &mut pair.margin);
    log.number(node, "gap", &mut pair.gap);
    log.up_to(node, "friction", &mut pair.friction);
}

/// Reads what all equality constraints share.
pub(super) fn read_equality_common(log: &mut Log, node: Node<'_>, equality: &mut Equality) {
    log.flag(node, "active", &mut equality.active);
    log.up_to(node, "solref", &mut equality.solref);
    log.up_to(node, "solimp", &mut equality.solimp);
}

/// Reads the parameters of a tendon.
pub(super) fn read_tendon(log: &mut Log, node: Node<'_>, tendon: &mut Tendon) {
    log.set_text(node, "name", &mut tendon.name);
    log.number(node, "group", &mut tendon.group);
    log.set_text(node, "material", &mut tendon.material);
    log.keyword(node, "limited", words::LIMITED, &mut tendon.limited);
    log.keyword(node, "actuatorfrclimited", words::LIMITED, &mut tendon.actfrclimited);
    log.number(node, "width", &mut tendon.width);
    log.up_to(node, "solreflimit", &mut tendon.solref_limit);
    log.up_to(node, "solimplimit", &mut tendon.solimp_limit);
    log.up_to(node, "solreffriction", &mut tendon.solref_friction);
    log.up_to(node, "solimpfriction", &mut tendon.solimp_friction);
    log.exact(node, "range", &mut tendon.range);
    log.exact(node, "actuatorfrcrange", &mut tendon.actfrcrange);
    log.number(node, "margin", &mut tendon.margin);
    log.up_to(node, "stiffness", &mut tendon.stiffness);
    log.up_to(node, "damping", &mut tendon.damping);
    log.number(node, "armature", &mut tendon.armature);
    log.number(node, "frictionloss", &mut tendon.frictionloss);
    // one number stands for both ends of the dead band
    if log.up_to(node, "springlength", &mut tendon.springlength) == 1 {
        tendon.springlength[1] = tendon.springlength[0];
    }
    log.exact(node, "rgba", &mut tendon.rgba);
    log.set_list(node, "user", &mut tendon.userdata);
}

impl Reader<'_> {
    /// Reads a contact section.
    pub(super) fn read_contacts(&mut self, section: Node<'_>) {
        for node in section.children() {
            let class = self.class_of(node).unwrap_or(DefaultId(0));
            let origin = self.origin(node, class);
            match node.name() {
                "pair" => {
                    let mut pair = Pair { origin, ..self.spec.defaults[class.0].pair.clone() };
                    self.log.set_text(node, "geom1", &mut pair.geomname1);
                    self.log.set_text(node, "geom2", &mut pair.geomname2);
                    read_pair(&mut self.log, node, &mut pair);
                    self.spec.add_pair(pair);
                }
                "exclude" => {
                    let exclude = Exclude {
                        name: self.log.text(node, "name").unwrap_or_default().to_owned(),
                        origin,
                        bodyname1: self.log.required_text(node, "body1"),
                        bodyname2: self.log.required_text(node, "body2"),
                    };
                    self.spec.add_exclude(exclude);
                }
                _ => {}
            }
        }
    }

    /// Reads an equality section.
    pub(super) fn read_equalities(&mut self, section: Node<'_>) {
        for node in section.children() {
            let Some(&(_, kind)) = words::EQUALITY.iter().find(|(name, _)| *name == node.name()) else {
                continue;
            };
            let class = self.class_of(node).unwrap_or(DefaultId(0));
            let origin = self.origin(node, class);
            let mut equality =
                Equality { origin, r#type: kind, ..self.spec.defaults[class.0].equality.clone() };
            self.log.set_text(node, "name", &mut equality.name);
            self.read_equality(node, &mut equality);
            read_equality_common(&mut self.log, node, &mut equality);
            self.spec.add_equality(equality);
        }
    }

    fn read_equality(&mut self, node: Node<'_>, equality: &mut Equality) {
        let log = &mut self.log;
        match equality.r#type {
            EqType::Connect => {
                let anchor = log.exact(node, "anchor", &mut equality.data[..3]);
                read_equality_objects(log, node, equality, anchor, anchor);
            }
            EqType::Weld => {
                let anchor = log.exact(node, "anchor", &mut equality.data[..3]);
                let relpose = log.exact(node, "relpose", &mut equality.data[3..10]);
                if read_equality_objects(log, node, equality, true, anchor || relpose) && !anchor {
                    equality.data[..3].fill(0.0);
                }
                log.number(node, "torquescale", &mut equality.data[10]);
            }
            EqType::Joint | EqType::Tendon => {
                let [first, second] = if equality.r#type == EqType::Joint {
                    ["joint1", "joint2"]
                } else {
                    ["tendon1", "tendon2"]
                };
                equality.name1 = log.required_text(node, first);
                log.set_text(node, second, &mut equality.name2);
                log.up_to(node, "polycoef", &mut equality.data[..5]);
            }
            EqType::Flex | EqType::Flexvert | EqType::Flexstrain => {
                equality.name1 = log.required_text(node, "flex");
                if equality.r#type == EqType::Flexstrain {
                    log.exact(node, "cell", &mut equality.data[..3]);
                }
            }
            EqType::Distance => {}
        }
    }

    /// Reads a tendon section.
    pub(super) fn read_tendons(&mut self, section: Node<'_>) {
        for node in section.children() {
            let class = self.class_of(node).unwrap_or(DefaultId(0));
            let mut tendon =
                Tendon { origin: self.origin(node, class), ..self.spec.defaults[class.0].tendon.clone() };
            read_tendon(&mut self.log, node, &mut tendon);
            tendon.path =
                node.children().into_iter().filter_map(|child| read_wrap(&mut self.log, child)).collect();
            self.spec.add_tendon(tendon);
        }
    }
}

/// Reads the two objects of a connect or weld: bodies (with an anchor) or sites, never both. True for bodies.
fn read_equality_objects(
    log: &mut Log,
    node: Node<'_>,
    equality: &mut Equality,
    body_ready: bool,
    body_extra: bool,
) -> bool {
    let [body1, body2, site1, site2] = ["body1", "body2", "site1", "site2"].map(|name| log.text(node, name));
    if (site1.is_some() || site2.is_some()) && (body1.is_some() || body2.is_some() || body_extra) {
        log.error(node.pos(), format!("<{}>: body and site semantics cannot be mixed", node.name()));
        return false;
    }
    let by_body = body1.is_some() && body_ready;
    let by_site = site1.is_some() && site2.is_some();
    if by_body == by_site {
        let wanted = if equality.r#type == EqType::Connect {
            "both body1 and anchor must be defined, or both"
        } else {
            "body1 must be defined and optionally {body2, anchor, relpose}, or"
        };
        let message = format!("<{}>: either {wanted} site1 and site2 must be defined", node.name());
        log.error(node.pos(), message);
        return false;
    }
    let (first, second) = if by_body { (body1, body2) } else { (site1, site2) };
    equality.objtype = if by_body { ObjType::Body } else { ObjType::Site };
    equality.name1 = first.unwrap_or_default().to_owned();
    equality.name2 = second.unwrap_or_default().to_owned();
    by_body
}

/// Reads one step on the path of a tendon.
fn read_wrap(log: &mut Log, node: Node<'_>) -> Option<Wrap> {
    let target = match node.name() {
        "site" => WrapTarget::Site { name: log.required_text(node, "site") },
        "geom" => WrapTarget::Geom {
            name: log.required_text(node, "geom"),
            sidesite: log.text(node, "sidesite").unwrap_or_default().to_owned(),
        },
        "pulley" => {
            log.required(node, "divisor");
            WrapTarget::Pulley { divisor: log.maybe_number(node, "divisor").unwrap_or(1.0) }
        }
        "joint" => {
            log.required(node, "coef");
            let coef = log.maybe_number(node, "coef").unwrap_or(0.0);
            WrapTarget::Joint { name: log.required_text(node, "joint"), coef }
        }
        _ => return None,
    };
    Some(Wrap { target, pos: node.pos() })
}
