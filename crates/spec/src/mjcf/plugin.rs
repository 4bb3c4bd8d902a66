//! Plugins: the extension section and the references of elements.

use super::Reader;
use super::log::Log;
use crate::diagnostics::nearest;
use crate::spec::{Origin, Plugin, PluginRef};
use crate::xml::Node;

/// Plugins that come with the reference. None can be compiled yet, but a model may declare them without using
/// them.
const KNOWN: &[&str] = &[
    "mujoco.elasticity.cable",
    "mujoco.pid",
    "mujoco.sdf.bolt",
    "mujoco.sdf.bowl",
    "mujoco.sdf.gear",
    "mujoco.sdf.nut",
    "mujoco.sdf.torus",
    "mujoco.sensor.touch_grid",
];

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
            if let Some(attr) = node.attr("plugin").filter(|attr| !KNOWN.contains(&attr.value())) {
                let help = nearest(attr.value(), KNOWN.iter().copied()).map_or_else(
                    || format!("one of: {}", KNOWN.join(", ")),
                    |name| format!("did you mean '{name}'?"),
                );
                self.log.error_help(attr.value_pos(), format!("unsupported: plugin '{plugin_name}'"), help);
            }
            for child in node.children_named("instance") {
                let plugin = Plugin {
                    name: self.log.required_text(child, "name"),
                    origin: Origin { pos: child.pos(), ..Origin::default() },
                    plugin_name: plugin_name.clone(),
                    active: true,
                    config: read_config(&mut self.log, child),
                };
                self.spec.add_plugin(plugin);
            }
            if !self.spec.active_plugins.contains(&plugin_name) {
                self.spec.active_plugins.push(plugin_name);
            }
        }
    }

    /// Notes that an element uses a plugin, which cannot be compiled yet.
    pub(super) fn note_plugin(&mut self, node: Node<'_>, plugin: &PluginRef) {
        if plugin.active {
            let name = if plugin.plugin_name.is_empty() { &plugin.instance } else { &plugin.plugin_name };
            self.unsupported(node, format!("plugin '{name}'"));
        }
    }
}
