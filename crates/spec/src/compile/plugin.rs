//! Plugins: instances with their configuration, which elements use them, and their model arrays.
//!
//! Named instances come first, in the order of the description, then those that elements configure
//! themselves: of meshes, actuators and sensors, and those of the tree: composites, then bodies and geoms.

use kinetree_model::Model;
use kinetree_model::plugin::{Attribute, Capabilities, PluginConfig, PluginRegistry, guard};
use std::sync::Arc;

use super::draft::Draft;
use super::plugin_draft::{InstanceDraft, PluginDrafts, bounded};
use super::report::label;
use crate::diagnostics::{SourcePos, nearest};
use crate::spec::{Element, PluginRef, Spec};

/// Resolves all instances and their uses.
pub(crate) fn collect<'s>(draft: &mut Draft<'s>) {
    let spec = draft.spec;
    let mut plugins = PluginDrafts::default();
    for (name, pos) in &spec.active_plugins {
        if spec.registry.get(name).is_none() {
            unknown_plugin(draft, *pos, name);
        }
    }
    add_named(draft, &mut plugins, false);
    let field = |can: Capabilities| can.sdf;
    for src in spec.meshes.values() {
        let used = resolve(draft, &mut plugins, src, &src.plugin, (field, "signed distance fields"));
        plugins.meshes.push(used);
    }
    for src in spec.actuators.values() {
        let actuator = |can: Capabilities| can.actuator;
        let used = resolve(draft, &mut plugins, src, &src.plugin, (actuator, "actuators"));
        plugins.actuators.push(used);
    }
    for src in spec.sensors.values() {
        let sensor = |can: Capabilities| can.sensor;
        let used = resolve(draft, &mut plugins, src, &src.plugin, (sensor, "sensors"));
        plugins.sensors.push(used);
    }
    add_named(draft, &mut plugins, true);
    for b in 0..draft.bodies.len() {
        let src = draft.bodies[b].src;
        let passive = |can: Capabilities| can.passive;
        draft.bodies[b].plugin = resolve(draft, &mut plugins, src, &src.plugin, (passive, "passive forces"));
        for i in 0..draft.bodies[b].geoms.len() {
            let g = draft.bodies[b].geoms[i];
            let src = draft.geoms[g].src;
            draft.geoms[g].plugin =
                resolve(draft, &mut plugins, src, &src.plugin, (field, "signed distance fields"));
        }
    }
    draft.plugins = plugins;
}

/// Adds the named instances: those of the extension section, or those of composites.
fn add_named<'s>(draft: &mut Draft<'s>, plugins: &mut PluginDrafts<'s>, composite: bool) {
    let spec: &'s Spec = draft.spec;
    for src in spec.plugins.values().filter(|src| src.composite == composite) {
        let pair = (src.plugin_name.as_str(), &src.config[..]);
        if let Some(instance) = make_instance(draft, src, &src.name, pair) {
            plugins.instances.push(instance);
        }
    }
}

/// The instance that an element uses; what is wrong is reported.
fn resolve<'s, E: Element>(
    draft: &mut Draft<'s>,
    plugins: &mut PluginDrafts<'s>,
    element: &'s E,
    used: &'s PluginRef,
    (capability, what): (fn(Capabilities) -> bool, &str),
) -> Option<usize> {
    if !used.active {
        return None;
    }
    let number = if used.instance.is_empty() {
        if used.plugin_name.is_empty() {
            let message = format!("neither 'plugin' nor 'instance' is specified for {}", label(element));
            draft.report.error(element, message);
            return None;
        }
        let pair = (used.plugin_name.as_str(), &used.config[..]);
        plugins.instances.push(make_instance(draft, element, "", pair)?);
        plugins.instances.len() - 1
    } else {
        find_instance(draft, plugins, element, used)?
    };
    let plugin = &plugins.instances[number].plugin;
    if !capability(plugin.capabilities()) {
        draft.report.error(element, format!("plugin '{}' does not support {what}", plugin.name()));
        return None;
    }
    Some(number)
}

/// The named instance that an element uses.
fn find_instance<E: Element>(
    draft: &mut Draft<'_>,
    plugins: &PluginDrafts<'_>,
    element: &E,
    used: &PluginRef,
) -> Option<usize> {
    let Some(number) = plugins.instances.iter().position(|instance| instance.name == used.instance) else {
        // one that was refused has been reported
        if !draft.spec.plugins.values().any(|instance| instance.name == used.instance) {
            let names = draft.spec.plugins.values().map(|instance| instance.name.as_str());
            let message = format!("plugin instance '{}' not found", used.instance);
            match nearest(&used.instance, names) {
                Some(meant) => {
                    draft.report.error_help(element, &message, &format!("did you mean '{meant}'?"));
                }
                None => draft.report.error(element, message),
            }
        }
        return None;
    };
    let found = plugins.instances[number].plugin.name();
    if !used.plugin_name.is_empty() && used.plugin_name != found {
        let message =
            format!("instance '{}' is one of '{found}', not of '{}'", used.instance, used.plugin_name);
        draft.report.error(element, message);
        return None;
    }
    Some(number)
}

/// An instance with the configuration of an element; what is wrong is reported.
fn make_instance<'s, E: Element>(
    draft: &mut Draft<'s>,
    element: &E,
    name: &'s str,
    (plugin_name, config): (&str, &[(String, String)]),
) -> Option<InstanceDraft<'s>> {
    let spec: &'s Spec = draft.spec;
    let pos = element.origin().pos;
    let Some((slot, plugin)) = spec.registry.get(plugin_name) else {
        unknown_plugin(draft, pos, plugin_name);
        return None;
    };
    if !spec.active_plugins.iter().any(|(active, _)| active == plugin_name) {
        let help = format!("add <extension><plugin plugin=\"{plugin_name}\"/></extension>");
        draft.report.error_help(element, &format!("plugin '{plugin_name}' is not declared"), &help);
        return None;
    }
    let config = match read_config(plugin.attributes(), config) {
        Ok(config) => config,
        Err((message, help)) => {
            let message = format!("plugin '{plugin_name}': {message}");
            match help {
                Some(help) => draft.report.error_help(element, &message, &help),
                None => draft.report.error(element, message),
            }
            return None;
        }
    };
    match guard(|| bounded(plugin.state_size(&config)?)) {
        Ok(nstate) => {
            let (plugin, owner) = (Arc::clone(plugin), label(element));
            Some(InstanceDraft { name, slot, plugin, config, nstate, pos, owner })
        }
        Err(message) => {
            draft.report.error(element, format!("plugin '{plugin_name}': {message}"));
            None
        }
    }
}

/// The configuration; or what is wrong, and what may be meant.
fn read_config(
    attributes: &[Attribute],
    pairs: &[(String, String)],
) -> Result<PluginConfig, (String, Option<String>)> {
    let made = PluginConfig::new(attributes, pairs.iter().map(|(key, value)| (&**key, &**value)));
    made.map_err(|message| {
        let unknown = pairs.iter().find(|(key, _)| !attributes.iter().any(|a| a.name == *key));
        let names = || attributes.iter().map(|attribute| &*attribute.name);
        let help = unknown.map(|(key, _)| match nearest(key, names()) {
            Some(meant) => format!("did you mean '{meant}'?"),
            None => format!("one of: {}", names().collect::<Vec<_>>().join(", ")),
        });
        (message, help)
    })
}

fn unknown_plugin(draft: &mut Draft<'_>, pos: SourcePos, name: &str) {
    let registry: &PluginRegistry = &draft.spec.registry;
    let names = || registry.iter().map(|plugin| plugin.name());
    let help = match nearest(name, names()) {
        Some(meant) => format!("did you mean '{meant}'?"),
        None => format!("registered are: {}", names().collect::<Vec<_>>().join(", ")),
    };
    draft.report.error_at_help(pos, format!("plugin '{name}' is not registered"), &help);
}

/// Sizes of the arrays of plugins.
pub(crate) fn count(draft: &Draft<'_>, sizes: &mut kinetree_model::Sizes) {
    let instances = &draft.plugins.instances;
    sizes.nplugin = instances.len();
    sizes.npluginattr = instances.iter().map(|instance| instance.config.to_bytes().len()).sum();
    sizes.npluginstate = instances.iter().map(|instance| instance.nstate).sum();
}

/// Fills the arrays of plugins and binds the model to them.
pub(crate) fn write(draft: &mut Draft<'_>, model: &mut Model) {
    let (mut attr, mut state) = (0, 0);
    for (i, instance) in draft.plugins.instances.iter().enumerate() {
        let bytes = instance.config.to_bytes();
        model.plugin[i] = instance.slot as i32;
        model.plugin_stateadr[i] = state as i32;
        model.plugin_statenum[i] = instance.nstate as i32;
        model.plugin_attradr[i] = attr as i32;
        model.plugin_attr[attr..attr + bytes.len()].copy_from_slice(&bytes);
        attr += bytes.len();
        state += instance.nstate;
    }
    if let Err(error) = model.bind_plugins(&draft.spec.registry) {
        report(draft, &error);
    }
}

/// Takes over the sizes that plugins tell only of a model; whether any of them differ from what the
/// configurations say.
pub(crate) fn size_by_model(draft: &mut Draft<'_>, model: &mut Model) -> bool {
    let (mut total, mut changed) = (0, false);
    for id in 0..draft.plugins.instances.len() {
        let instance = &draft.plugins.instances[id];
        match guard(|| bounded(instance.plugin.state_size_in(model, id, &instance.config)?)) {
            Ok(size) => {
                changed |= size != instance.nstate;
                model.plugin_stateadr[id] = total as i32;
                model.plugin_statenum[id] = size as i32;
                total += size;
                draft.plugins.instances[id].nstate = size;
            }
            Err(message) => {
                let error = model.plugins.error(id, message);
                report(draft, &error);
                return false;
            }
        }
    }
    for sensor in 0..draft.sensors.len() {
        let Some(id) = draft.sensors[sensor].plugin else { continue };
        let instance = &draft.plugins.instances[id];
        match guard(|| bounded(instance.plugin.sensor_size_in(model, id, sensor, &instance.config)?)) {
            Ok(size) => {
                changed |= size != draft.sensors[sensor].dim;
                draft.sensors[sensor].dim = size;
            }
            Err(message) => {
                let error = model.plugins.error(id, message);
                report(draft, &error);
                return false;
            }
        }
    }
    let (nsensordata, nhistory) = super::sensor::count(draft);
    model.set_plugin_sizes(total, nsensordata, nhistory);
    changed
}

/// Makes every instance once, as a new data does.
pub(crate) fn check(draft: &mut Draft<'_>, model: &Model) {
    if let Err(error) = kinetree_sim::check_plugins(model) {
        report(draft, &error);
    }
}

/// Reports the failure of an instance where it is configured.
fn report(draft: &mut Draft<'_>, error: &kinetree_model::plugin::PluginError) {
    match error.instance.and_then(|i| draft.plugins.instances.get(i)) {
        Some(InstanceDraft { pos, owner, .. }) => {
            let message = format!("{owner}: plugin '{}': {}", error.plugin, error.message);
            draft.report.error_at(*pos, message);
        }
        None => draft.report.error_global(error.to_string()),
    }
}
