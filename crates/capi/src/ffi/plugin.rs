//! Plugins that programs and libraries of C register, with the records that programs ask for.
//!
//! The engine calls the functions of what is registered. The plugins that come along with the reference are
//! built in: they are used until somebody registers one of the same name, which takes over the slot.
//! Programs that ask for a plugin that nobody has registered get a record without functions.

#![allow(unsafe_code)]

use super::c_plugin::CPlugin;
#[cfg(not(unix))]
use super::fault::unsupported;
use super::fault::{Served, fault};
use super::plugin_table::{self, record, registry, slot_of};
use super::pointer::{In, Out, Text};
use crate::functions::plugins::PluginRecord;
use kinetree_model::plugin::Plugin;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Arc;

/// Told of each library that was loaded: its name, the first slot and the number of slots that it has filled.
type Loaded = extern "C-unwind" fn(*const c_char, c_int, c_int);

/// All symbols are looked up when the library is loaded.
const RTLD_NOW: c_int = 2;

#[cfg(unix)]
unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// Loads a library, whose initializers register plugins.
#[cfg(unix)]
fn load(path: &str) -> Served {
    let name = CString::new(path)?;
    // SAFETY: the program asks for the library to be loaded, and says that its initializers may run
    unsafe {
        if dlopen(name.as_ptr(), RTLD_NOW).is_null() {
            let problem = dlerror();
            let text = if problem.is_null() { "".into() } else { CStr::from_ptr(problem).to_string_lossy() };
            return fault(format!("Error loading plugin library '{path}': {text}"));
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn load(path: &str) -> Served {
    unsupported(&format!("loading plugin libraries ('{path}')"))
}

/// A text of a record.
fn text(given: *const c_char, what: &str) -> Served<String> {
    if given.is_null() {
        return fault(format!("mjp_registerPlugin: {what} is a null pointer"));
    }
    // SAFETY: the header says that this is a text
    Ok(unsafe { CStr::from_ptr(given) }.to_string_lossy().into_owned())
}

/// The names of the attributes of a record.
fn attributes(given: &PluginRecord) -> Served<Vec<String>> {
    let Ok(count @ 0..=MAX_ATTRIBUTES) = usize::try_from(given.nattribute) else {
        return fault(format!("mjp_registerPlugin: plugin.nattribute is {}", given.nattribute));
    };
    if count > 0 && given.attributes.is_null() {
        return fault("mjp_registerPlugin: plugin.attributes is a null pointer");
    }
    // SAFETY: the header says that so many texts lie there
    (0..count).map(|at| text(unsafe { given.attributes.add(at).read() }, "an attribute")).collect()
}

/// Most attributes that a plugin of C may have.
const MAX_ATTRIBUTES: usize = 255;

/// Registers a plugin of C; gives its slot.
fn register(given: PluginRecord) -> Served<i32> {
    let name = text(given.name, "plugin.name")?;
    if name.is_empty() {
        return fault("mjp_registerPlugin: plugin.name is an empty text");
    }
    let attributes = attributes(&given)?;
    let made = || Ok(Arc::new(CPlugin::new(&given, name.clone(), &attributes)?) as Arc<dyn Plugin>);
    plugin_table::register(given, &name, attributes.clone(), made)
}

crate::export! {
    fn mjp_registerPlugin(plugin: In<'_, PluginRecord>) -> i32 {
        let [given] = plugin.array()?;
        register(given)
    }
    fn mjp_pluginCount() -> i32 { Ok(registry().len() as i32) }
    fn mjp_getPlugin(name: Text<'_>, slot: Out<'_, i32>) -> *const PluginRecord {
        let name = name.get()?;
        slot.set_optional([slot_of(&name).unwrap_or(-1)]);
        Ok(record(&name))
    }
    fn mjp_getPluginAtSlot(slot: i32) -> *const PluginRecord {
        let registry = registry();
        let plugin = usize::try_from(slot).ok().and_then(|slot| registry.at(slot));
        Ok(plugin.map_or(std::ptr::null(), |plugin| record(plugin.name())))
    }
    fn mj_loadPluginLibrary(path: Text<'_>) { load(&path.get()?) }
    fn mj_loadAllPluginLibraries(directory: Text<'_>, callback: Option<Loaded>) {
        // the reference says nothing about folders without plugins, either
        let Ok(folder) = std::fs::read_dir(&*directory.get()?) else { return Ok(()) };
        let mut paths: Vec<_> = folder.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == std::env::consts::DLL_EXTENSION)) {
            let (path, before) = (path.to_string_lossy(), registry().len());
            load(&path)?;
            if let Some(callback) = callback {
                // what is built in has its slot already
                let file = Path::new(&*path).file_name().unwrap_or_default().to_string_lossy();
                let name = CString::new(&*file)?;
                let added = registry().len() - before;
                let first = if added > 0 { before as c_int } else { -1 };
                callback(name.as_ptr(), first, added as c_int);
            }
        }
        Ok(())
    }
}
