//! Plugin libraries of C: loaded, with what they register, as far as plugins of the same names are here.
//!
//! The plugins that come along with the reference are built in. A library of C that registers one of them is
//! content with that: its functions are kept for programs that ask for them, and not called. A plugin of
//! another name is refused.

#![allow(unsafe_code)]

use super::fault::{Served, fault, unsupported};
use super::pointer::{In, Out, Text};
use crate::functions::plugins::{PluginRecord, registry};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::{Mutex, PoisonError};

/// Told of each library that was loaded: its name, the first slot and the number of slots that it has filled.
type Loaded = extern "C-unwind" fn(*const c_char, c_int, c_int);

/// A record of the process, which is never taken away, and its name.
#[derive(Clone)]
struct Known(&'static PluginRecord, String);

// SAFETY: the program says that its plugin may be used from any thread
unsafe impl Send for Known {}

static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

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

/// The slot of a plugin that is built in.
fn slot_of(name: &str) -> Option<i32> {
    registry().get(name).map(|(slot, _)| slot as i32)
}

/// What a program has registered under a name.
fn record(name: &str) -> *const PluginRecord {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().find(|known| known.1 == name).map_or(std::ptr::null(), |known| std::ptr::from_ref(known.0))
}

crate::export! {
    fn mjp_registerPlugin(plugin: In<'_, PluginRecord>) -> i32 {
        let [given] = plugin.array()?;
        if given.name.is_null() {
            return fault("mjp_registerPlugin: plugin.name is a null pointer");
        }
        // SAFETY: the header says that this is a text
        let name = unsafe { CStr::from_ptr(given.name) }.to_string_lossy().into_owned();
        let Some(slot) = slot_of(&name) else {
            return unsupported(&format!("the plugin '{name}' is written in C; those that come along are built in"));
        };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.iter().any(|other| other.1 == name) {
            known.push(Known(Box::leak(Box::new(given)), name));
        }
        Ok(slot)
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
            let path = path.to_string_lossy();
            load(&path)?;
            if let Some(callback) = callback {
                // what is built in has its slot already
                let name = CString::new(&*path)?;
                callback(name.as_ptr(), registry().len() as c_int, 0);
            }
        }
        Ok(())
    }
}
