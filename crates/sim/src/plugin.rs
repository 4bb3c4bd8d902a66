//! Calls of plugins: instances of a data, what each stage hands them, and what is done when one fails.
//!
//! A call gets copies of the state and of what it writes. They are taken over only when the call returns
//! without an error and all numbers are finite, so that a plugin that fails leaves the data as it was. The
//! first failure is kept until an evaluation, a step or the inverse dynamics end, which return it.

use kinetree_model::enums::Stage;
use kinetree_model::plugin::{
    Capabilities, DirectInstance, Plugin, PluginError, PluginInstance, PluginResult, PluginSet, PluginWorld,
    Request, guard,
};
use kinetree_model::{Data, Model, StepError};
use std::ops::Range;

/// The instances of a data, and working memory for their calls.
#[derive(Default)]
pub(crate) struct PluginMemory {
    /// The plugins that the instances were made by.
    made_by: PluginSet,
    instances: Vec<Box<dyn PluginInstance>>,
    /// The state of one instance.
    state: Vec<f64>,
    /// What one call writes.
    numbers: Vec<f64>,
    failure: Option<PluginError>,
}

/// An error unless every instance of the model belongs to a plugin.
pub(crate) fn check_bound(model: &Model) -> Result<(), StepError> {
    if model.nplugin == model.plugins.len() {
        return Ok(());
    }
    let message = "the model is not bound to a registry: load it, or call `Model::bind_plugins` after making it by hand";
    Err(PluginError { plugin: String::new(), instance: None, message: message.into() }.into())
}

/// Makes the instances that work on the data itself.
pub(crate) fn make_plugins(
    model: &Model,
    data: &mut Data,
    plugins: &mut PluginMemory,
) -> Result<(), StepError> {
    plugins.call_each_direct(model, data, |direct, data, id| direct.make(model, data, id));
    plugins.report()
}

/// Lets the instances that work on the data itself copy what those of another data remember.
pub(crate) fn copy_plugins(
    model: &Model,
    data: &mut Data,
    plugins: &mut PluginMemory,
    source: &Data,
) -> Result<(), StepError> {
    plugins.call_each_direct(model, data, |direct, data, id| direct.copy_from(model, data, source, id));
    plugins.report()
}

/// What went wrong in a reset, if anything did.
pub(crate) fn report_reset(
    _model: &Model,
    _data: &mut Data,
    plugins: &mut PluginMemory,
) -> Result<(), StepError> {
    plugins.report()
}

/// Where the state of an instance is in `plugin_state`.
fn state_of(model: &Model, instance: usize) -> Range<usize> {
    let first = usize::try_from(model.plugin_stateadr[instance]).unwrap_or(0);
    first..first + usize::try_from(model.plugin_statenum[instance]).unwrap_or(0)
}

impl PluginMemory {
    /// The first failure since it was asked for last, as an error.
    #[inline]
    pub(crate) fn report(&mut self) -> Result<(), StepError> {
        match self.failure.take() {
            None => Ok(()),
            Some(failure) => Err(failure.into()),
        }
    }

    /// The first failure since it was asked for last.
    pub(crate) fn take_failure(&mut self) -> Option<PluginError> {
        self.failure.take()
    }

    /// Makes the instances of a model.
    pub(crate) fn make(&mut self, model: &Model) {
        self.prepare(model);
    }

    /// Keeps a failure of before, unless there is one.
    pub(crate) fn restore_failure(&mut self, failure: Option<PluginError>) {
        self.failure = self.failure.take().or(failure);
    }

    /// Keeps a failure.
    pub(crate) fn fail(&mut self, model: &Model, instance: usize, message: String) {
        self.failure.get_or_insert_with(|| model.plugins.error(instance, message));
    }

    /// Makes the instances unless they are there; whether there are any.
    fn prepare(&mut self, model: &Model) -> bool {
        if self.instances.len() == model.plugins.len() && self.made_by.same(&model.plugins) {
            return true;
        }
        self.instances.clear();
        for id in 0..model.plugins.len() {
            let (Some(plugin), Some(config)) = (model.plugins.plugin(id), model.plugins.config(id)) else {
                return false;
            };
            match guard(|| plugin.instance(model, id, config)) {
                Ok(instance) => self.instances.push(instance),
                Err(message) => {
                    self.fail(model, id, message);
                    return false;
                }
            }
        }
        self.made_by = model.plugins.clone();
        true
    }

    /// Sets the states of all instances for time zero.
    pub(crate) fn reset(&mut self, model: &Model, data: &mut Data) {
        if !self.prepare(model) {
            return;
        }
        for id in 0..self.instances.len() {
            if self.call_direct(model, data, id, |direct, data| direct.reset(model, data, id)) {
                continue;
            }
            self.state.clear();
            self.state.resize(state_of(model, id).len(), 0.0);
            let (instance, state) = (&mut self.instances[id], &mut self.state);
            let result = guard(|| {
                instance.reset(model, state);
                Ok(())
            });
            self.keep_state(model, data, id, result);
        }
    }

    /// Calls `f` with an instance that works on the data itself; `false` for others.
    fn call_direct(
        &mut self,
        model: &Model,
        data: &mut Data,
        id: usize,
        f: impl FnOnce(&dyn DirectInstance, &mut Data) -> PluginResult<()>,
    ) -> bool {
        let Some(direct) = data.direct_instance(model, id) else { return false };
        if let Err(message) = guard(|| f(&*direct, data)) {
            self.fail(model, id, message);
        }
        true
    }

    /// Calls `f` with each instance that works on the data itself.
    fn call_each_direct(
        &mut self,
        model: &Model,
        data: &mut Data,
        f: impl Fn(&dyn DirectInstance, &mut Data, usize) -> PluginResult<()>,
    ) {
        for id in 0..model.plugins.len() {
            self.call_direct(model, data, id, |direct, data| f(direct, data, id));
        }
    }

    /// Calls `f` with an instance, its world and the numbers that it may write; the result, if all went well.
    fn call<T>(
        &mut self,
        model: &Model,
        data: &mut Data,
        id: usize,
        f: impl FnOnce(&mut dyn PluginInstance, PluginWorld<'_>, &mut [f64]) -> PluginResult<T>,
    ) -> Option<T> {
        self.state.clear();
        self.state.extend_from_slice(&data.plugin_state[state_of(model, id)]);
        let (instance, state, numbers) = (&mut self.instances[id], &mut self.state, &mut self.numbers);
        let result = guard(|| {
            let value = f(&mut **instance, PluginWorld { model, data, instance: id, state }, numbers)?;
            if numbers.iter().all(|x| x.is_finite()) {
                Ok(value)
            } else {
                Err("it returned a number that is not finite".into())
            }
        });
        self.keep_state(model, data, id, result)
    }

    /// Takes the state over that a call has left, unless it failed.
    fn keep_state<T>(
        &mut self,
        model: &Model,
        data: &mut Data,
        id: usize,
        result: PluginResult<T>,
    ) -> Option<T> {
        let finite = || self.state.iter().all(|x| x.is_finite());
        match result {
            Ok(value) if finite() => {
                data.plugin_state[state_of(model, id)].copy_from_slice(&self.state);
                Some(value)
            }
            Ok(_) => {
                self.fail(model, id, "its state is not finite".into());
                None
            }
            Err(message) => {
                self.fail(model, id, message);
                None
            }
        }
    }

    /// Calls `f` for each instance whose plugin has a capability.
    fn for_each(
        &mut self,
        model: &Model,
        has: impl Fn(Capabilities) -> bool,
        mut f: impl FnMut(&mut Self, usize),
    ) {
        if !self.prepare(model) {
            return;
        }
        let can = |plugin: &dyn Plugin| has(plugin.capabilities());
        for id in 0..self.instances.len() {
            if model.plugins.plugin(id).is_some_and(|plugin| can(&**plugin)) {
                f(self, id);
            }
        }
    }

    /// Adds what plugins say to the derivatives of activations.
    pub(crate) fn set_act_dot(&mut self, model: &Model, data: &mut Data) {
        self.for_each(
            model,
            |can| can.actuator,
            |memory, id| {
                if memory.call_direct(model, data, id, |direct, data| direct.act_dot(model, data, id)) {
                    return;
                }
                for actuator in (0..model.nu).filter(|&i| model.actuator_plugin[i] == id as i32) {
                    let Ok(first) = usize::try_from(model.actuator_actadr[actuator]) else { continue };
                    let range = first..first + model.actuator_actnum[actuator] as usize;
                    memory.numbers.clear();
                    memory.numbers.extend_from_slice(&data.act_dot[range.clone()]);
                    let call =
                        |instance: &mut dyn PluginInstance, world: PluginWorld<'_>, out: &mut [f64]| {
                            instance.act_dot(world, actuator, out)
                        };
                    if memory.call(model, data, id, call).is_some() {
                        data.act_dot[range].copy_from_slice(&memory.numbers);
                    }
                }
            },
        );
    }

    /// Sets the forces of the actuators of plugins.
    pub(crate) fn set_actuator_forces(&mut self, model: &Model, data: &mut Data) {
        self.for_each(
            model,
            |can| can.actuator,
            |memory, id| {
                let actuators = Request::Actuator;
                if memory
                    .call_direct(model, data, id, |direct, data| direct.compute(model, data, id, actuators))
                {
                    return;
                }
                for actuator in (0..model.nu).filter(|&i| model.actuator_plugin[i] == id as i32) {
                    memory.numbers.clear();
                    memory.numbers.push(0.0);
                    let call =
                        |instance: &mut dyn PluginInstance, world: PluginWorld<'_>, out: &mut [f64]| {
                            out[0] = instance.actuator_force(world, actuator)?;
                            Ok(())
                        };
                    if memory.call(model, data, id, call).is_some() {
                        data.actuator_force[actuator] = memory.numbers[0];
                    }
                }
            },
        );
    }

    /// Adds the passive forces of plugins to `qfrc_passive`.
    pub(crate) fn add_passive_forces(&mut self, model: &Model, data: &mut Data) {
        self.for_each(
            model,
            |can| can.passive,
            |memory, id| {
                let passive = Request::Passive;
                if memory
                    .call_direct(model, data, id, |direct, data| direct.compute(model, data, id, passive))
                {
                    return;
                }
                memory.numbers.clear();
                memory.numbers.extend_from_slice(&data.qfrc_passive);
                if memory
                    .call(model, data, id, |instance, world, out| instance.passive_force(world, out))
                    .is_some()
                {
                    data.qfrc_passive.copy_from_slice(&memory.numbers);
                }
            },
        );
    }

    /// Computes the values of one sensor; `false` for one whose instance computes all of them at once.
    pub(crate) fn sense(&mut self, model: &Model, data: &mut Data, sensor: usize) -> bool {
        let Ok(id) = usize::try_from(model.sensor_plugin[sensor]) else { return true };
        if data.direct_instance(model, id).is_some() {
            return false;
        }
        if !self.prepare(model) || id >= self.instances.len() {
            return true;
        }
        let first = model.sensor_adr[sensor] as usize;
        let range = first..first + model.sensor_dim[sensor] as usize;
        self.numbers.clear();
        self.numbers.resize(range.len(), 0.0);
        if self.call(model, data, id, |instance, world, out| instance.sense(world, sensor, out)).is_some() {
            data.sensordata[range].copy_from_slice(&self.numbers);
        }
        true
    }

    /// Whether an instance computes sensors of a stage all at once.
    pub(crate) fn senses_at_once(model: &Model, data: &mut Data, id: usize, stage: Stage) -> bool {
        let Some(plugin) = model.plugins.plugin(id).filter(|plugin| plugin.capabilities().sensor) else {
            return false;
        };
        // what needs nothing is computed as early as possible
        let needed = match plugin.sensor_stage() {
            Stage::None => Stage::Pos,
            needed => needed,
        };
        needed == stage && data.direct_instance(model, id).is_some()
    }

    /// Computes all sensors of an instance that does so at once.
    pub(crate) fn sense_at_once(&mut self, model: &Model, data: &mut Data, id: usize) {
        self.call_direct(model, data, id, |direct, data| direct.compute(model, data, id, Request::Sensor));
    }

    /// Ends a step.
    pub(crate) fn advance(&mut self, model: &Model, data: &mut Data) {
        self.for_each(
            model,
            |_| true,
            |memory, id| {
                if memory.call_direct(model, data, id, |direct, data| direct.advance(model, data, id)) {
                    return;
                }
                memory.numbers.clear();
                memory.call(model, data, id, |instance, world, _| instance.advance(world));
            },
        );
    }
}
