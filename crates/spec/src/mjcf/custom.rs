//! The custom and keyframe sections.

use super::keywords as words;
use super::reader::Reader;
use crate::spec::{DefaultId, Key, Numeric, Text, Tuple, TupleEntry};
use crate::xml::Node;
use kinetree_model::enums::ObjType;

/// Largest custom array.
const MAX_NUMERIC: i32 = 500;

impl Reader<'_> {
    /// Reads a custom section.
    pub(super) fn read_custom(&mut self, section: Node<'_>) {
        for node in section.children() {
            match node.name() {
                "numeric" => self.read_numeric(node),
                "text" => self.read_text(node),
                "tuple" => self.read_tuple(node),
                _ => {}
            }
        }
    }

    fn read_numeric(&mut self, node: Node<'_>) {
        let mut numeric = Numeric {
            name: self.log.required_text(node, "name"),
            origin: self.origin(node, DefaultId(0)),
            ..Numeric::default()
        };
        let sized = self.log.number(node, "size", &mut numeric.size);
        let data = self.log.list::<f64>(node, "data").unwrap_or_default();
        if !sized {
            numeric.size = i32::try_from(data.len()).unwrap_or(i32::MAX);
        }
        if !(1..=MAX_NUMERIC).contains(&numeric.size) {
            self.log.error(node.pos(), format!("a custom array has between 1 and {MAX_NUMERIC} numbers"));
            return;
        }
        if data.len() > numeric.size as usize {
            self.log
                .error(node.pos(), format!("'data' has {} numbers, 'size' is {}", data.len(), numeric.size));
            return;
        }
        numeric.data = data;
        numeric.data.resize(numeric.size as usize, 0.0);
        self.spec.add_numeric(numeric);
    }

    fn read_text(&mut self, node: Node<'_>) {
        let name = self.log.required_text(node, "name");
        let data = self.log.required_text(node, "data");
        if node.attr("data").is_some() && data.is_empty() {
            self.log.error(node.pos(), "a custom text cannot be empty");
        }
        self.spec.add_text(Text { name, origin: self.origin(node, DefaultId(0)), data });
    }

    fn read_tuple(&mut self, node: Node<'_>) {
        let name = self.log.required_text(node, "name");
        let mut entries = Vec::new();
        for child in node.children_named("element") {
            self.log.required(child, "objtype");
            let objname = self.log.required_text(child, "objname");
            let objprm = self.log.maybe_number(child, "prm").unwrap_or(0.0);
            let Some(attr) = child.attr("objtype") else { continue };
            match words::object_type(attr.value()).filter(|&kind| kind != ObjType::Unknown) {
                Some(objtype) => entries.push(TupleEntry { objtype, objname, objprm }),
                None => {
                    self.log.error(attr.value_pos(), format!("'{}' is not a kind of object", attr.value()));
                }
            }
        }
        self.spec.add_tuple(Tuple { name, origin: self.origin(node, DefaultId(0)), entries });
    }

    /// Reads a keyframe section.
    pub(super) fn read_keyframes(&mut self, section: Node<'_>) {
        for node in section.children_named("key") {
            let mut key = Key { origin: self.origin(node, DefaultId(0)), ..Key::default() };
            let log = &mut self.log;
            log.set_text(node, "name", &mut key.name);
            log.number(node, "time", &mut key.time);
            log.set_list(node, "qpos", &mut key.qpos);
            log.set_list(node, "qvel", &mut key.qvel);
            log.set_list(node, "act", &mut key.act);
            log.set_list(node, "mpos", &mut key.mpos);
            log.set_list(node, "mquat", &mut key.mquat);
            log.set_list(node, "ctrl", &mut key.ctrl);
            self.spec.add_key(key);
        }
    }
}
