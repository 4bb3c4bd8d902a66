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
use super::pointer::{In, Out, Text};
use crate::functions::plugins::{EMPTY, PluginRecord};
use kinetree_model::plugin::Plugin;
use kinetree_model::plugin::PluginRegistry;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Told of each library that was loaded: its name, the first slot and the number of slots that it has filled.
type Loaded = extern "C-unwind" fn(*const c_char, c_int, c_int);

/// A record of the process, which is never taken away, with its name and its attributes.
#[derive(Clone)]
struct Known(&'static PluginRecord, String, Vec<String>);

// SAFETY: the program says that its plugin may be used from any thread
unsafe impl Send for Known {}
// SAFETY: as above
unsafe impl Sync for Known {}

/// Records of one block: those of plugins that are registered one after the other lie side by side.
const BLOCK: usize = 15;

/// What programs and libraries of C have registered, and the plugins that models are compiled with.
struct Registered {
    known: Vec<Known>,
    /// Memory for the next records.
    room: &'static mut [PluginRecord],
    registry: Option<Arc<PluginRegistry>>,
}

// SAFETY: records lead to texts that are never written to or given back
unsafe impl Send for Registered {}

static REGISTERED: Mutex<Registered> =
    Mutex::new(Registered { known: Vec::new(), room: &mut [], registry: None });

/// The plugins that models are compiled with.
pub fn registry() -> Arc<PluginRegistry> {
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(registered.registry.get_or_insert_with(kinetree_spec::plugins::shared_registry))
}

/// Records of the plugins that are built in, for those that no library has registered.
static BUILT_IN: OnceLock<Vec<Known>> = OnceLock::new();

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

/// A text of C that stays for the life of the process.
fn stay(text: &str) -> Served<*const c_char> {
    Ok(CString::new(text)?.into_raw().cast_const())
}

impl Known {
    /// A record with texts of its own, in the room for it.
    fn new(
        given: PluginRecord,
        (name, attributes): (String, Vec<String>),
        room: &mut &'static mut [PluginRecord],
    ) -> Served<Self> {
        let texts = attributes.iter().map(|text| stay(text)).collect::<Served<Vec<_>>>()?;
        let texts: &'static [*const c_char] = Box::leak(texts.into_boxed_slice());
        if room.is_empty() {
            *room = Box::leak(vec![EMPTY; BLOCK].into_boxed_slice());
        }
        let Some((record, rest)) = std::mem::take(room).split_first_mut() else {
            return fault("there is no room for a plugin");
        };
        *room = rest;
        *record = PluginRecord { name: stay(&name)?, attributes: texts.as_ptr(), ..given };
        Ok(Self(record, name, attributes))
    }

    /// The record of a plugin that is built in: it has no functions of C.
    fn built_in(plugin: &dyn Plugin) -> Served<Self> {
        let attributes: Vec<String> = plugin.attributes().iter().map(|a| a.name.to_string()).collect();
        let can = plugin.capabilities();
        let flags = [can.actuator, can.sensor, can.passive, can.sdf];
        let record = PluginRecord {
            nattribute: attributes.len() as i32,
            capabilityflags: flags.iter().rev().fold(0, |bits, &flag| bits << 1 | i32::from(flag)),
            needstage: plugin.sensor_stage() as i32,
            ..EMPTY
        };
        Self::new(
            record,
            (plugin.name().to_owned(), attributes),
            &mut (&mut [] as &'static mut [PluginRecord]),
        )
    }

    /// Whether a plugin is this one: equal numbers, functions and texts.
    fn same(&self, given: &PluginRecord, attributes: &[String]) -> bool {
        self.0.capabilityflags == given.capabilityflags
            && self.0.needstage == given.needstage
            && self.0.functions == given.functions
            && self.2 == attributes
    }
}

/// The record of a plugin: the one that a library has registered, or else our own.
pub fn record(name: &str) -> *const PluginRecord {
    let find = |list: &[Known]| list.iter().find(|known| known.1 == name).map(|known| known.0);
    let registered = find(&REGISTERED.lock().unwrap_or_else(PoisonError::into_inner).known);
    let found = registered.or_else(|| {
        let built_in = |plugin: &std::sync::Arc<dyn Plugin>| Known::built_in(&**plugin).ok();
        find(BUILT_IN.get_or_init(|| registry().iter().filter_map(built_in).collect()))
    });
    found.map_or(std::ptr::null(), std::ptr::from_ref)
}

/// The record that a program or library has registered, if any.
pub fn given(name: &str) -> Option<PluginRecord> {
    let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    registered.known.iter().find(|known| known.1 == name).map(|known| *known.0)
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

/// Keeps the record of a plugin, which models are compiled with from now on; gives its slot.
fn register(given: PluginRecord) -> Served<i32> {
    let name = text(given.name, "plugin.name")?;
    if name.is_empty() {
        return fault("mjp_registerPlugin: plugin.name is an empty text");
    }
    let attributes = attributes(&given)?;
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let registry = registered.registry.take().unwrap_or_else(kinetree_spec::plugins::shared_registry);
    registered.registry = Some(Arc::clone(&registry));
    match registered.known.iter().find(|other| other.1 == name) {
        Some(other) if other.same(&given, &attributes) => {}
        Some(_) => {
            return fault(format!("mjp_registerPlugin: a different plugin '{name}' is already registered"));
        }
        None => {
            let plugin = CPlugin::new(&given, name.clone(), &attributes)?;
            let mut more = PluginRegistry::clone(&registry);
            more.replace(Arc::new(plugin))?;
            let known = Known::new(given, (name.clone(), attributes), &mut registered.room)?;
            registered.known.push(known);
            registered.registry = Some(Arc::new(more));
        }
    }
    let slot = registered.registry.as_ref().and_then(|registry| registry.get(&name)).map(|(slot, _)| slot);
    Ok(slot.map_or(-1, |slot| slot as i32))
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
