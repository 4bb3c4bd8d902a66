//! The records of plugins: those that programs and libraries of C have registered, and those of the plugins
//! that are built in; and the plugins that models are compiled with.

#![allow(unsafe_code)]

use super::fault::{Served, fault};
use crate::functions::plugins::{EMPTY, PluginRecord};
use kinetree_model::plugin::{Plugin, PluginRegistry};
use std::ffi::{CString, c_char};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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

/// The slot of a plugin.
pub fn slot_of(name: &str) -> Option<i32> {
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
    fn built_in(plugin: &dyn Plugin, room: &mut &'static mut [PluginRecord]) -> Served<Self> {
        let attributes: Vec<String> = plugin.attributes().iter().map(|a| a.name.to_string()).collect();
        let can = plugin.capabilities();
        let flags = [can.actuator, can.sensor, can.passive, can.sdf];
        let record = PluginRecord {
            nattribute: attributes.len() as i32,
            capabilityflags: flags.iter().rev().fold(0, |bits, &flag| bits << 1 | i32::from(flag)),
            needstage: plugin.sensor_stage() as i32,
            ..EMPTY
        };
        Self::new(record, (plugin.name().to_owned(), attributes), room)
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
        find(BUILT_IN.get_or_init(|| {
            let mut room: &'static mut [PluginRecord] = &mut [];
            let plugins = kinetree_spec::plugins::shared_registry();
            plugins.iter().filter_map(|plugin| Known::built_in(&**plugin, &mut room).ok()).collect()
        }))
    });
    found.map_or(std::ptr::null(), std::ptr::from_ref)
}

/// The record that a program or library has registered, if any.
pub fn given(name: &str) -> Option<PluginRecord> {
    let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    registered.known.iter().find(|known| known.1 == name).map(|known| *known.0)
}

/// Keeps the record of a plugin, which models are compiled with from now on; gives its slot.
pub fn register(
    given: PluginRecord,
    name: &str,
    attributes: Vec<String>,
    plugin: impl FnOnce() -> Served<Arc<dyn Plugin>>,
) -> Served<i32> {
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let registry = registered.registry.take().unwrap_or_else(kinetree_spec::plugins::shared_registry);
    registered.registry = Some(Arc::clone(&registry));
    match registered.known.iter().find(|other| other.1 == *name) {
        Some(other) if other.same(&given, &attributes) => {}
        Some(_) => {
            return fault(format!("mjp_registerPlugin: a different plugin '{name}' is already registered"));
        }
        None => {
            let mut more = PluginRegistry::clone(&registry);
            more.replace(plugin()?)?;
            let known = Known::new(given, (name.to_owned(), attributes), &mut registered.room)?;
            registered.known.push(known);
            registered.registry = Some(Arc::new(more));
        }
    }
    let slot = registered.registry.as_ref().and_then(|registry| registry.get(name)).map(|(slot, _)| slot);
    Ok(slot.map_or(-1, |slot| slot as i32))
}
