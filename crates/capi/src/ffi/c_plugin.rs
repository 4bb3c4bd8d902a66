//! Plugins whose functions are written in C.
//!
//! An instance belongs to one data: it is made by `init` when it is used first, keeps what the plugin has put
//! into `plugin_data`, and is given back by `destroy` with the working memory of its data.

#![allow(unsafe_code)]

use super::c_field::{CField, FieldFunctions, StaticField};
use super::fault::Served;
use super::handle::{DataPtr, ModelPtr, lend, lend_model, lend_plugin_data, run};
use crate::functions::plugins::PluginRecord;
use crate::layout::data::MjData;
use crate::layout::model::MjModel;
use kinetree_math::field::SignedDistance;
use kinetree_model::enums::Stage;
use kinetree_model::plugin::{
    Attribute, AttributeKind, Capabilities, DirectInstance, Field, Plugin, PluginConfig, PluginInstance,
    PluginResult, Request,
};
use kinetree_model::{Data, Model};
use kinetree_sim as sim;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

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
        Some(Box::new(CField::new(&self.functions.field, model, data, id)?))
    }

    fn instance(
        &self,
        _model: &Model,
        id: usize,
        _config: &PluginConfig,
    ) -> PluginResult<Box<dyn PluginInstance>> {
        Ok(Box::new(CInstance { functions: self.functions, id, handle: 0, made: false }))
    }
}

thread_local! {
    /// Whether resets of instances are left for [`reset`] and [`make`].
    static LATER: Cell<bool> = const { Cell::new(false) };
}

/// Calls `f`, in which a data is made or reset; the instances of C are left alone.
pub fn reset_later<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            LATER.set(self.0);
        }
    }
    let _restore = Restore(LATER.replace(true));
    f()
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

/// Whether a model has plugins that are written in C.
fn has_direct(model: &Model) -> bool {
    (0..model.plugins.len()).any(|id| functions_of(model, id).is_some())
}

/// Resets the instances of a data that was made or reset, with the struct that the program has.
///
/// # Errors
/// When a plugin fails.
pub fn reset_now(m: ModelPtr<'_>, d: DataPtr<'_>) -> Served {
    if has_direct(m.get()?) { run(m, d, sim::reset_direct_plugins) } else { Ok(()) }
}

/// Puts the states back that the instances of C had before a reset.
///
/// # Errors
/// When model or data are none.
pub fn keep_state(m: ModelPtr<'_>, d: DataPtr<'_>, before: &[f64]) -> Served {
    let model = m.get()?;
    d.write(|data| {
        for id in (0..model.plugins.len()).filter(|&id| functions_of(model, id).is_some()) {
            let first = usize::try_from(model.plugin_stateadr[id]).unwrap_or(0);
            let own = first..first + usize::try_from(model.plugin_statenum[id]).unwrap_or(0);
            if let (Some(to), Some(from)) = (data.plugin_state.get_mut(own.clone()), before.get(own)) {
                to.copy_from_slice(from);
            }
        }
    })
}

/// Lets the instances of a data copy what those of another one remember.
///
/// # Errors
/// When a plugin fails.
pub fn copy(m: ModelPtr<'_>, d: DataPtr<'_>, source: &Data) -> Served {
    if !has_direct(m.get()?) {
        return Ok(());
    }
    run(m, d, |m, d| sim::copy_plugins(m, d, source))
}

/// Lets plugins add to a scene, whose struct the program has.
///
/// # Errors
/// When model or data are none.
pub fn visualize(m: ModelPtr<'_>, d: DataPtr<'_>, opt: *const c_void, scene: *mut c_void) -> Served {
    if !has_direct(m.get()?) {
        return Ok(());
    }
    run(m, d, |m, d| -> Served {
        for id in 0..m.plugins.len() {
            if let Some(visualize) = functions_of(m, id).and_then(|functions| functions.visualize) {
                lend(m, d, |m, d| visualize(m, d, opt, scene, id as c_int));
            }
        }
        Ok(())
    })
}

/// An instance of one data.
struct CInstance {
    functions: Functions,
    id: usize,
    /// What the plugin has put into `plugin_data`.
    handle: u64,
    made: bool,
}

impl CInstance {
    /// Calls `f` with the structs of model and data, in which the instance is there.
    fn call<R>(
        &mut self,
        model: &Model,
        data: &mut Data,
        f: impl FnOnce(&Functions, *const MjModel, *mut MjData) -> R,
    ) -> PluginResult<R> {
        self.make(model, data)?;
        data.plugin_data[self.id] = self.handle;
        let functions = self.functions;
        let result = lend(model, data, |m, d| f(&functions, m, d));
        self.handle = data.plugin_data[self.id];
        Ok(result)
    }

    /// Makes the instance unless it is there.
    fn make(&mut self, model: &Model, data: &mut Data) -> PluginResult<()> {
        if self.made {
            return Ok(());
        }
        data.plugin_data[self.id] = 0;
        if let Some(init) = self.functions.init
            && lend(model, data, |m, d| init(m, d, self.id as c_int)) < 0
        {
            return Err("plugin->init failed".into());
        }
        (self.made, self.handle) = (true, data.plugin_data[self.id]);
        Ok(())
    }
}

impl PluginInstance for CInstance {
    fn direct(&mut self) -> Option<&mut dyn DirectInstance> {
        Some(self)
    }
}

impl DirectInstance for CInstance {
    fn reset(&mut self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()> {
        if LATER.get() {
            return Ok(());
        }
        self.make(model, data)?;
        data.plugin_data[id] = self.handle;
        let Some(reset) = self.functions.reset else { return Ok(()) };
        let first = usize::try_from(model.plugin_stateadr[id]).unwrap_or(0).min(data.plugin_state.len());
        let state = data.plugin_state[first..].as_mut_ptr();
        let handle = self.handle as usize as *mut c_void;
        lend(model, data, |m, _| reset(m, state, handle, id as c_int));
        Ok(())
    }

    fn act_dot(&mut self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()> {
        self.call(model, data, |functions, m, d| {
            if let Some(act_dot) = functions.actuator_act_dot {
                act_dot(m, d, id as c_int);
            }
        })
    }

    fn compute(&mut self, model: &Model, data: &mut Data, id: usize, what: Request) -> PluginResult<()> {
        let bit = match what {
            Request::Actuator => 1,
            Request::Sensor => 2,
            Request::Passive => 4,
        };
        self.call(model, data, |functions, m, d| {
            let compute = functions.compute.ok_or("`compute` is a null function pointer")?;
            compute(m, d, id as c_int, bit);
            Ok(())
        })?
    }

    fn advance(&mut self, model: &Model, data: &mut Data, id: usize) -> PluginResult<()> {
        self.call(model, data, |functions, m, d| {
            if let Some(advance) = functions.advance {
                advance(m, d, id as c_int);
            }
        })
    }

    fn copy_from(&mut self, model: &Model, data: &mut Data, source: &Data, id: usize) -> PluginResult<()> {
        // what is made now begins with a state of its own, which is not that of the source
        self.make(model, data)?;
        data.plugin_state.copy_from_slice(&source.plugin_state);
        let source = std::ptr::from_ref(source).cast_mut();
        self.call(model, data, |functions, m, d| {
            if let Some(copy) = functions.copy {
                lend(model, source, |_, source| copy(d, m, source, id as c_int));
            }
        })
    }
}

impl Drop for CInstance {
    fn drop(&mut self) {
        if let Some(destroy) = self.functions.destroy.filter(|_| self.made) {
            let mut handles = vec![0; self.id + 1];
            handles[self.id] = self.handle as usize;
            lend_plugin_data(&mut handles, |d| destroy(d, self.id as c_int));
        }
    }
}
