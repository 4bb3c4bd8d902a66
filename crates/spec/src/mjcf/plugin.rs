//! Plugins: the extension section and the references of elements.

use super::log::Log;
use super::reader::Reader;
use crate::spec::{Origin, Plugin, PluginRef};
use crate::xml::Node;

/// Reads the configuration pairs of an element.
fn read_config(log: &mut Log, node: Node<'_>) -> Vec<(String, String)> {
    let mut config: Vec<(String, String)> = Vec::new();
    for child in node.children_named("config") {
        let key = log.required_text(child, "key");
        let value = log.required_text(child, "value");
        if config.iter().any(|(known, _)| *known == key) {
            log.error(child.pos(), format!("configuration key '{key}' is given twice"));
        }
        config.push((key, value));
    }
    config
}

/// Reads a plugin reference from an element that carries the attributes itself.
pub(super) fn read_plugin(log: &mut Log, node: Node<'_>, plugin: &mut PluginRef) {
    plugin.active = true;
    plugin.plugin_name = log.text(node, "plugin").unwrap_or_default().to_owned();
    plugin.instance = log.text(node, "instance").unwrap_or_default().to_owned();
    plugin.config = read_config(log, node);
    if !plugin.instance.is_empty() && !plugin.config.is_empty() {
        log.error(node.pos(), "an element that names a plugin instance cannot configure it");
    }
}

/// Reads the `<plugin>` child of an element, when there is one.
pub(super) fn read_plugin_child(log: &mut Log, node: Node<'_>, plugin: &mut PluginRef) {
    if let Some(child) = node.child("plugin") {
        read_plugin(log, child, plugin);
    }
}

impl Reader<'_> {
    /// Reads an extension section.
    pub(super) fn read_extension(&mut self, section: Node<'_>) {
        for node in section.children_named("plugin") {
            let plugin_name = self.log.required_text(node, "plugin");
            for child in node.children_named("instance") {
                let plugin = Plugin {
                    name: self.log.required_text(child, "name"),
                    origin: Origin { pos: child.pos(), ..Origin::default() },
                    plugin_name: plugin_name.clone(),
                    active: true,
                    composite: false,
                    config: read_config(&mut self.log, child),
                };
                self.spec.add_plugin(plugin);
            }
            let pos = node.attr("plugin").map_or(node.pos(), super::super::xml::Attr::value_pos);
            self.spec.activate_plugin(&plugin_name, pos);
        }
    }
}
