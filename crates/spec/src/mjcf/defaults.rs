//! Default classes.

use super::assets::read_material;
use super::reader::Reader;
use super::{actuator, elements, relations};
use crate::spec::DefaultId;
use crate::spec::default::MAIN_CLASS;
use crate::xml::Node;

impl Reader<'_> {
    /// Reads a default section at the top: the main class and the classes below it.
    pub(super) fn read_defaults(&mut self, section: Node<'_>) {
        if let Some(attr) = section.attr("class").filter(|attr| !matches!(attr.value(), "" | MAIN_CLASS)) {
            self.log.error_help(
                attr.value_pos(),
                format!("top-level default class '{MAIN_CLASS}' cannot be renamed to '{}'", attr.value()),
                format!("nest <default class=\"{}\"> inside a <default> without a name", attr.value()),
            );
        }
        self.read_class(section, DefaultId(0));
    }

    /// Reads the elements of a class, then its nested classes, which start as copies of it.
    fn read_class(&mut self, section: Node<'_>, class: DefaultId) {
        // classes to read, the next one last; a nested class is added when its turn comes, so that classes
        // are numbered in the order of the file
        let mut pending = self.read_prototypes(section, class);
        while let Some((node, around)) = pending.pop() {
            let name = self.log.text(node, "class").unwrap_or_default();
            if name.is_empty() {
                self.log.error_help(
                    node.pos(),
                    "a nested default class needs a name",
                    "add the attribute 'class'",
                );
                continue;
            }
            match self.spec.add_default(name, around) {
                Some(nested) => pending.extend(self.read_prototypes(node, nested)),
                None => {
                    let pos = node.attr("class").map_or(node.pos(), crate::xml::Attr::value_pos);
                    self.log.error(pos, format!("repeated default class name '{name}'"));
                }
            }
        }
    }

    /// Reads the elements of a class. Returns the classes that are nested in it, the first one last.
    fn read_prototypes<'n>(&mut self, section: Node<'n>, class: DefaultId) -> Vec<(Node<'n>, DefaultId)> {
        let mut nested = Vec::new();
        for node in section.children() {
            match node.name() {
                "default" => nested.push((node, class)),
                _ => self.read_prototype(node, class),
            }
        }
        nested.reverse();
        nested
    }

    fn read_prototype(&mut self, node: Node<'_>, class: DefaultId) {
        let mut prototypes = std::mem::take(&mut self.spec.defaults[class.0]);
        let log = &mut self.log;
        match node.name() {
            "mesh" => self.read_mesh(node, &mut prototypes.mesh),
            "material" => read_material(log, node, &mut prototypes.material),
            "joint" => elements::read_joint(log, node, &mut prototypes.joint),
            "geom" => elements::read_geom(log, node, &mut prototypes.geom),
            "site" => elements::read_site(log, node, &mut prototypes.site),
            "camera" => elements::read_camera(log, node, &mut prototypes.camera),
            "light" => elements::read_light(log, node, &mut prototypes.light),
            "pair" => relations::read_pair(log, node, &mut prototypes.pair),
            "equality" => relations::read_equality_common(log, node, &mut prototypes.equality),
            "tendon" => relations::read_tendon(log, node, &mut prototypes.tendon),
            _ => actuator::read_actuator(log, node, &mut prototypes.actuator),
        }
        self.spec.defaults[class.0] = prototypes;
    }
}
