//! Plugins and resource providers of the process.

use crate::export;
use crate::ffi::fault::Served;
use kinetree_model::Model;
use kinetree_spec::Vfs;
use std::ffi::c_char;

pub use crate::ffi::plugin_table::registry;

/// Adds the resource providers and decoders of the process to virtual files.
pub fn add_providers(files: &mut Vfs) {
    crate::ffi::resource::add_all(files);
    crate::ffi::codec::add_all(files);
}

/// The text of an attribute of a plugin instance, where it lies in the model: texts of an instance stand one
/// behind another in the order of the attributes, each with a zero at its end.
pub fn config_text(model: &Model, instance: i32, attribute: &str) -> Served<*const c_char> {
    let Some(instance) = usize::try_from(instance).ok().filter(|&id| id < model.nplugin) else {
        return Ok(std::ptr::null());
    };
    let place = model
        .plugins
        .plugin(instance)
        .and_then(|plugin| plugin.attributes().iter().position(|declared| declared.name == attribute));
    let start = model.plugin_attradr.get(instance).and_then(|&start| usize::try_from(start).ok());
    let Some((place, start)) = place.zip(start) else { return Ok(std::ptr::null()) };
    let bytes = model.plugin_attr.get(start..).unwrap_or_default();
    let mut texts = bytes.split_inclusive(|&byte| byte == 0).filter(|text| text.ends_with(&[0]));
    Ok(texts.nth(place).map_or(std::ptr::null(), |text| text.as_ptr().cast()))
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

/// A plugin that nothing is said about.
pub const EMPTY: PluginRecord = PluginRecord {
    name: std::ptr::null(),
    nattribute: 0,
    attributes: std::ptr::null(),
    capabilityflags: 0,
    needstage: 0,
    functions: [0; 15],
};

export! {
    fn mjp_defaultPlugin(plugin: crate::ffi::pointer::Out<'_, PluginRecord>) { plugin.set([EMPTY]) }
}
