//! Plugins: the extension section and the references of elements.

use super::tag::Tag;
use crate::spec::{PluginRef, Spec};

fn push_config(tag: &mut Tag, config: &[(String, String)]) {
    for (key, value) in config {
        let mut child = Tag::new("config");
        child.set("key", key);
        child.set("value", value);
        tag.push(child);
    }
}

/// Attributes and configuration of an element that is a plugin itself.
pub(super) fn plugin(tag: &mut Tag, plugin: &PluginRef) {
    if plugin.instance.is_empty() {
        tag.given("plugin", &plugin.plugin_name);
        push_config(tag, &plugin.config);
    } else {
        tag.given("instance", &plugin.instance);
    }
}

/// The `<plugin>` child of an element that uses one.
pub(super) fn push_plugin(tag: &mut Tag, used: &PluginRef) {
    if used.active {
        let mut child = Tag::new("plugin");
        plugin(&mut child, used);
        tag.push(child);
    }
}

/// The extension section: plugins with their instances.
pub(super) fn extension(spec: &Spec) -> Tag {
    let mut section = Tag::new("extension");
    let mut names: Vec<&str> = spec.active_plugins.iter().map(|(name, _)| name.as_str()).collect();
    for instance in spec.plugins.values() {
        if !names.contains(&instance.plugin_name.as_str()) {
            names.push(&instance.plugin_name);
        }
    }
    for name in names {
        let mut tag = Tag::new("plugin");
        tag.set("plugin", name);
        for instance in spec.plugins.values().filter(|instance| instance.plugin_name == name) {
            let mut child = Tag::new("instance");
            child.set("name", &instance.name);
            push_config(&mut child, &instance.config);
            tag.push(child);
        }
        section.push(tag);
    }
    section
}
