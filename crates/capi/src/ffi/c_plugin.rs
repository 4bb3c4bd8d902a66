//! Plugins whose functions are written in C.
//!
//! An instance belongs to one data: `init` makes it when the data is made, what it remembers is in the data's
//! `plugin_data`, and `destroy` gives it back when the data is deleted.

#![allow(unsafe_code)]

use super::c_field::{CField, FieldFunctions, SearchFunctions, StaticField};
use super::fault::Served;
use super::handle::{DataPtr, ModelPtr, lend, lend_data, lend_model, run};
use crate::functions::plugins::PluginRecord;
use crate::layout::data::MjData;
use crate::layout::model::MjModel;
use kinetree_math::field::SignedDistance;
use kinetree_model::enums::Stage;
use kinetree_model::plugin::{
    Attribute, AttributeKind, Capabilities, DirectInstance, Field, Plugin, PluginConfig, PluginResult,
    Request,
};
use kinetree_model::{Data, Model};
use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// The functions of a plugin, in the order of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Functions {
    nstate: Option<extern "C-unwind" fn(*const MjModel, c_int) -> c_int>,
    nsensordata: Option<extern "C-unwind" fn(*const MjModel, c_int, c_int) -> c_int>,
    init: Option<extern "C-unwind" fn(*const MjModel, *mut MjData, c_int) -> c_int>,
    destroy: Option<extern "C-unwind" fn(*mut MjData, c_int)>,
    copy: Option<extern "C-unwind" fn(*mut MjData, *const MjModel, *const MjData, c_int)>,
    reset: Option<extern "C-unwind" fn(*const MjModel, *mut f64, *mut c_void, c_int)>,
    compute: Option<extern "C-unwind" fn(*const MjModel, *mut MjData, c_int, c_int)>,
    advance: Option<extern "C-unwind" fn(*const MjModel, *mut MjData, c_int)>,
    visualize: Option<extern "C-unwind" fn(*const MjModel, *mut MjData, *const c_void, *mut c_void, c_int)>,
    actuator_act_dot: Option<extern "C-unwind" fn(*const MjModel, *mut MjData, c_int)>,
    field: FieldFunctions,
}

/// A plugin of C.
pub struct CPlugin {
    name: String,
    attributes: Vec<Attribute>,
    capabilities: Capabilities,
    stage: Stage,
    functions: Functions,
}

impl CPlugin {
    /// The plugin of a record.
    ///
    /// # Errors
    /// When the stage that it needs does not exist.
    pub fn new(record: &PluginRecord, name: String, attributes: &[String]) -> Served<Self> {
        let text = |name: &String| {
            let kind = AttributeKind::Text;
            Attribute { name: name.clone().into(), kind, default: "".into(), doc: "".into() }
        };
        let bit = |bit: i32| record.capabilityflags & bit != 0;
        // SAFETY: the header says which functions these are; null pointers are none
        let functions = unsafe { std::mem::transmute::<[usize; 15], Functions>(record.functions) };
        Ok(Self {
            name,
            attributes: attributes.iter().map(text).collect(),
            capabilities: Capabilities { actuator: bit(1), sensor: bit(2), passive: bit(4), sdf: bit(8) },
            stage: Stage::try_from(record.needstage)?,
            functions,
        })
    }
}

/// A count that a plugin tells.
fn counted(name: &str, number: c_int) -> PluginResult<usize> {
    usize::try_from(number).map_err(|_| format!("{name} is {number}"))
}

impl Plugin for CPlugin {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn sensor_stage(&self) -> Stage {
        self.stage
    }

    fn sensor_size(&self, _config: &PluginConfig) -> PluginResult<usize> {
        // told when the model is there
        Ok(0)
    }

    fn state_size_in(&self, model: &Model, id: usize, _config: &PluginConfig) -> PluginResult<usize> {
        let nstate = self.functions.nstate.ok_or("nstate is a null function pointer")?;
        counted("nstate", lend_model(model, |m| nstate(m, id as c_int)))
    }

    fn sensor_size_in(
        &self,
        model: &Model,
        id: usize,
        sensor: usize,
        _config: &PluginConfig,
    ) -> PluginResult<usize> {
        let nsensordata = self.functions.nsensordata.ok_or("nsensordata is a null function pointer")?;
        counted("nsensordata", lend_model(model, |m| nsensordata(m, id as c_int, sensor as c_int)))
    }

    fn field(&self, config: &PluginConfig) -> PluginResult<Field> {
        StaticField::of(&self.functions.field, config)
    }

    fn field_in<'a>(
        &'a self,
        model: &'a Model,
        data: &'a Data,
        id: usize,
    ) -> Option<Box<dyn SignedDistance + 'a>> {
        let search = SearchFunctions { reset: self.functions.reset, compute: self.functions.compute };
        Some(Box::new(CField::new(&self.functions.field, search, model, data, id)?))
    }

    fn kept_field(&self, config: &PluginConfig) -> PluginResult<Option<Field>> {
        // what a mesh is made from is not wanted where no mesh is
        if self.functions.field.is_static() { self.field(config).map(Some) } else { Ok(None) }
    }

    fn direct_instance(&self) -> Option<Arc<dyn DirectInstance>> {
        Some(Arc::new(CInstance { functions: self.functions, progress: AtomicU8::new(NEW) }))
    }
}

/// The functions of an instance of a model, if its plugin is written in C.
fn functions_of(model: &Model, id: usize) -> Option<Functions> {
    let plugin = model.plugins.plugin(id)?;
    let built_in = kinetree_spec::plugins::shared_registry();
    if built_in.get(plugin.name()).is_some_and(|(_, own)| Arc::ptr_eq(own, plugin)) {
        return None;
    }
    let record = super::plugin_table::given(plugin.name())?;
    // SAFETY: the header says which functions these are; null pointers are none
    Some(unsafe { std::mem::transmute::<[usize; 15], Functions>(record.functions) })
}

/// Lets plugins add to a scene, whose struct the program has.
///
/// # Errors
/// When model or data are none.
pub fn visualize(m: ModelPtr<'_>, d: DataPtr<'_>, opt: *const c_void, scene: *mut c_void) -> Served {
    run(m, d, |m, d| -> Served {
        for id in 0..m.plugins.len() {
            if let Some(visualize) = functions_of(m, id).and_then(|functions| functions.visualize) {
                lend(m, d, |m, d| visualize(m, d, opt, scene, id as c_int));
            }
        }
        Ok(())
    })
}

/// How far an instance is: not made, made (or being made), refused by `init`, or given back.
const NEW: u8 = 0;
const MADE: u8 = 1;
const REFUSED: u8 = 2;
const GONE: u8 = 3;

/// An instance of one data. What the plugin remembers is in the data's `plugin_data`.
struct CInstance {
    functions: Functions,
    progress: AtomicU8,
}

impl CInstance {
    /// Calls `f` with the structs of model and data, in which the instance is there.
    fn call<R>(
        &self,
        model: &Model,
        data: &mut Data,
        id: usize,
        f: impl FnOnce(*const MjModel, *mut MjData) -> R,
    ) -> PluginResult<R> {
        self.make(model, data, id)?;
        Ok(lend(model, data, f))
    }
}

impl DirectInstance for CInstance {
    fn make(&self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()> {
        let refused = || Err(format!("plugin->init failed for plugin id {id}"));
        match self.progress.load(Ordering::Relaxed) {
            NEW => {}
            MADE => return Ok(()),
            REFUSED => return refused(),
            _ => return Err(format!("plugin instance {id} was given back")),
        }
        // `init` may call the engine, which must not make the instance again
        self.progress.store(MADE, Ordering::Relaxed);
        data.plugin_data[id] = 0;
        if let Some(init) = self.functions.init
            && lend(model, data, |m, d| init(m, d, id as c_int)) < 0
        {
            self.progress.store(REFUSED, Ordering::Relaxed);
            return refused();
        }
        Ok(())
    }

    fn reset(&self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()> {
        self.make(model, data, id)?;
        let Some(reset) = self.functions.reset else { return Ok(()) };
        let first = usize::try_from(model.plugin_stateadr[id]).unwrap_or(0).min(data.plugin_state.len());
        let state = data.plugin_state[first..].as_mut_ptr();
        let memory = data.plugin_data[id] as usize as *mut c_void;
        lend(model, data, |m, _| reset(m, state, memory, id as c_int));
        Ok(())
    }

    fn act_dot(&self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()> {
        self.call(model, data, id, |m, d| {
            if let Some(act_dot) = self.functions.actuator_act_dot {
                act_dot(m, d, id as c_int);
            }
        })
    }

    fn compute(&self, model: &Model, data: &mut Data, id: usize, what: Request) -> PluginResult<()> {
        let bit = match what {
            Request::Actuator => 1,
            Request::Sensor => 2,
            Request::Passive => 4,
        };
        let compute = self.functions.compute.ok_or("`compute` is a null function pointer")?;
        self.call(model, data, id, |m, d| compute(m, d, id as c_int, bit))
    }

    fn advance(&self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()> {
        self.call(model, data, id, |m, d| {
            if let Some(advance) = self.functions.advance {
                advance(m, d, id as c_int);
            }
        })
    }

    fn copy_from(&self, model: &Model, data: &mut Data, source: &Data, id: usize) -> PluginResult<()> {
        let source = std::ptr::from_ref(source).cast_mut();
        self.call(model, data, id, |m, d| {
            if let Some(copy) = self.functions.copy {
                lend(model, source, |_, source| copy(d, m, source, id as c_int));
            }
        })
    }

    fn destroy(&self, data: &mut Data, id: usize) {
        if self.progress.swap(GONE, Ordering::Relaxed) == MADE
            && let Some(destroy) = self.functions.destroy
        {
            lend_data(data, |d| destroy(d, id as c_int));
        }
    }
}
