//! Plugins and resource providers of the process.

use crate::export;
use crate::ffi::fault::{Served, unsupported};
use crate::functions::texts::returned;
use kinetree_model::Model;
use kinetree_model::plugin::PluginRegistry;
use kinetree_spec::Vfs;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// The plugins that models are compiled with.
pub fn registry() -> Arc<PluginRegistry> {
    kinetree_spec::plugins::shared_registry()
}

/// Adds the resource providers and decoders of the process to virtual files.
pub fn add_providers(files: &mut Vfs) {
    crate::ffi::resource::add_all(files);
    crate::ffi::codec::add_all(files);
}

/// The text of an attribute of a plugin instance.
pub fn config_text(model: &Model, instance: i32, attribute: &str) -> Served<*const c_char> {
    let Some(config) = usize::try_from(instance).ok().and_then(|id| model.plugins.config(id)) else {
        return Ok(std::ptr::null());
    };
    let found = config.iter().find(|(name, _)| *name == attribute);
    Ok(found.map_or(std::ptr::null(), |(_, text)| returned(text)))
}

/// `mjpPlugin` of the header: names, sizes and functions, of which this library keeps a copy.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PluginRecord {
    pub name: *const c_char,
    pub nattribute: i32,
    pub attributes: *const *const c_char,
    pub capabilityflags: i32,
    pub needstage: i32,
    pub functions: [usize; 15],
}

const EMPTY: PluginRecord = PluginRecord {
    name: std::ptr::null(),
    nattribute: 0,
    attributes: std::ptr::null(),
    capabilityflags: 0,
    needstage: 0,
    functions: [0; 15],
};

export! {
    fn mjp_defaultPlugin(plugin: crate::ffi::pointer::Out<'_, PluginRecord>) { plugin.set([EMPTY]) }
    fn mjc_getSDF() -> *const c_void { unsupported("distance fields of C") }
    fn mjc_distance() -> f64 { unsupported("distance fields of C") }
    fn mjc_gradient() { unsupported("distance fields of C") }
}
