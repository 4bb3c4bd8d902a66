//! `kinetree info --plugins`: what is registered, and what can be configured.

use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output};
use kinetree::model::plugin::Plugin;
use serde_json::{Value, json};
use std::io::Write;

/// Lists the plugins that models are loaded with.
pub(crate) fn run(out: &mut Output) -> Result<(), Failure> {
    let registry = kinetree::spec::plugins::shared_registry();
    if out.json {
        let all: Vec<Value> = registry.iter().map(|plugin| as_json(&**plugin)).collect();
        return Ok(out.value(&json!({ "plugins": all }))?);
    }
    for plugin in registry.iter() {
        let capabilities: Vec<&str> = plugin.capabilities().names().collect();
        writeln!(out, "{BOLD}{}{BOLD:#} {DIM}{}{DIM:#}", plugin.name(), capabilities.join(", "))?;
        for attribute in plugin.attributes() {
            let default = match &*attribute.default {
                "" => String::new(),
                text => format!(", default {text}"),
            };
            let kind = attribute.kind.name();
            writeln!(out, "  {} {DIM}{kind}{default}{DIM:#}  {}", attribute.name, attribute.doc)?;
        }
    }
    Ok(())
}

fn as_json(plugin: &dyn Plugin) -> Value {
    let attributes: Vec<Value> = plugin
        .attributes()
        .iter()
        .map(|a| json!({ "name": a.name, "kind": a.kind.name(), "default": a.default, "doc": a.doc }))
        .collect();
    let capabilities: Vec<&str> = plugin.capabilities().names().collect();
    json!({ "name": plugin.name(), "capabilities": capabilities, "attributes": attributes })
}
