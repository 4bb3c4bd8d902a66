//! Flexes and flex composites. They are read and checked; compiling them is not supported yet.

use super::Reader;
use super::keywords as words;
use super::log::Log;
use super::plugin::read_plugin_child;
use crate::spec::{DefaultId, Flex, Orientation, PluginRef};
use crate::xml::Node;

impl Reader<'_> {
    /// Reads a deformable section.
    pub(super) fn read_deformables(&mut self, section: Node<'_>) {
        for node in section.children() {
            match node.name() {
                "flex" => self.read_flex(node),
                "skin" => self.read_skin(node),
                _ => {}
            }
        }
    }

    fn read_flex(&mut self, node: Node<'_>) {
        self.unsupported(node, "flex".to_owned());
        let mut flex = Flex { origin: self.origin(node, DefaultId(0)), ..Flex::default() };
        let log = &mut self.log;
        log.set_text(node, "name", &mut flex.name);
        read_flex_look(log, node, &mut flex);
        log.exact(node, "cellcount", &mut flex.cellcount);
        log.keyword(node, "dof", words::FLEX_DOF, &mut flex.order);
        flex.vertbody = log.required_text(node, "body").split_whitespace().map(str::to_owned).collect();
        flex.nodebody =
            log.text(node, "node").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        log.set_list(node, "vertex", &mut flex.vert);
        log.required(node, "element");
        log.set_list(node, "element", &mut flex.elem);
        log.set_list(node, "texcoord", &mut flex.texcoord);
        log.set_list(node, "elemtexcoord", &mut flex.elemtexcoord);
        read_flex_children(log, node, &mut flex);
        self.spec.add_flex(flex);
    }

    /// Checks a `<flexcomp>`.
    pub(super) fn read_flexcomp(&mut self, node: Node<'_>) {
        self.unsupported(node, "flexcomp".to_owned());
        let log = &mut self.log;
        let mut flex = Flex::default();
        log.required(node, "name");
        let kind = log.text(node, "type");
        log.maybe_keyword(node, "type", words::FLEXCOMP);
        let (mut three, mut counts, mut one) = ([0.0; 3], [0i32; 3], 0.0);
        for name in ["spacing", "scale", "pos"] {
            log.exact(node, name, &mut three);
        }
        for name in ["count", "cellcount"] {
            log.exact(node, name, &mut counts);
        }
        for name in ["mass", "inertiabox"] {
            log.number::<f64>(node, name, &mut one);
        }
        read_flex_look(log, node, &mut flex);
        let origin = log.exact(node, "origin", &mut three);
        if !origin && kind == Some("mesh") && flex.dim == 3 {
            log.error(node.pos(), "a <flexcomp> of type 'mesh' with dim=\"3\" needs the attribute 'origin'");
        }
        log.exact(node, "quat", &mut [0.0; 4]);
        log.orientation(node, &mut Orientation::default());
        log.flag(node, "rigid", &mut false);
        log.list::<f64>(node, "point");
        log.list::<i32>(node, "element");
        log.list::<f32>(node, "texcoord");
        log.maybe_keyword(node, "dof", words::FLEX_DOF);
        let mut equality = 0;
        if let Some(edge) = node.child("edge") {
            log.keyword(edge, "equality", words::FLEX_EQUALITY, &mut equality);
            log.up_to(edge, "solref", &mut [0.0; 2]);
            log.up_to(edge, "solimp", &mut [0.0; 5]);
        }
        read_flex_children(log, node, &mut flex);
        if flex.elastic2d >= 2 && equality != 0 {
            log.error(node.pos(), "elasticity and edge constraints cannot both be given");
        }
        if equality == 3 && flex.young > 0.0 {
            log.error(node.pos(), "a strain constraint and elasticity (young) cannot both be given");
        }
        for pin in node.children_named("pin") {
            for name in ["id", "range", "grid", "gridrange"] {
                log.list::<i32>(pin, name);
            }
        }
        read_plugin_child(log, node, &mut PluginRef::default());
    }
}

/// Reads what flexes and flex composites share on the element itself.
fn read_flex_look(log: &mut Log, node: Node<'_>, flex: &mut Flex) {
    log.set_text(node, "material", &mut flex.material);
    log.number(node, "radius", &mut flex.radius);
    log.exact(node, "rgba", &mut flex.rgba);
    log.flag(node, "flatskin", &mut flex.flatskin);
    log.number(node, "dim", &mut flex.dim);
    log.number(node, "group", &mut flex.group);
}

/// Reads the contact, edge and elasticity children.
fn read_flex_children(log: &mut Log, node: Node<'_>, flex: &mut Flex) {
    if let Some(contact) = node.child("contact") {
        log.number(contact, "contype", &mut flex.contype);
        log.number(contact, "conaffinity", &mut flex.conaffinity);
        log.number(contact, "condim", &mut flex.condim);
        log.number(contact, "priority", &mut flex.priority);
        log.up_to(contact, "friction", &mut flex.friction);
        log.number(contact, "solmix", &mut flex.solmix);
        log.up_to(contact, "solref", &mut flex.solref);
        log.up_to(contact, "solimp", &mut flex.solimp);
        log.number(contact, "margin", &mut flex.margin);
        log.number(contact, "gap", &mut flex.gap);
        log.flag(contact, "internal", &mut flex.internal);
        log.keyword(contact, "selfcollide", words::FLEX_SELF, &mut flex.selfcollide);
        log.flag(contact, "passive", &mut flex.passive);
        log.number(contact, "activelayers", &mut flex.activelayers);
    }
    if let Some(edge) = node.child("edge") {
        log.number(edge, "stiffness", &mut flex.edgestiffness);
        log.number(edge, "damping", &mut flex.edgedamping);
    }
    if let Some(elasticity) = node.child("elasticity") {
        log.number(elasticity, "young", &mut flex.young);
        log.number(elasticity, "poisson", &mut flex.poisson);
        log.number(elasticity, "thickness", &mut flex.thickness);
        log.number(elasticity, "damping", &mut flex.damping);
        log.keyword(elasticity, "elastic2d", words::ELASTIC_2D, &mut flex.elastic2d);
    }
}
