//! User callbacks. They belong to a `Model`, are shared by its clones and may be called from many threads at
//! once.

use crate::{Data, Model};
use std::sync::Arc;

/// A shared, thread-safe callback.
pub struct Callback<F: ?Sized>(pub Arc<F>);

impl<F: ?Sized> Clone for Callback<F> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<F: ?Sized> std::fmt::Debug for Callback<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Callback")
    }
}

/// Called with the model and the data of the world being stepped.
pub type DataFn = dyn Fn(&Model, &mut Data) + Send + Sync;
/// Decides about a geom pair: `true` rejects the collision.
pub type ContactFilterFn = dyn Fn(&Model, &Data, usize, usize) -> bool + Send + Sync;
/// Called per sensor with its id and stage; writes `sensordata`.
pub type SensorFn = dyn Fn(&Model, &mut Data, i32) + Send + Sync;
/// Called per actuator; returns the derivative of its activation. Of an actuator with several activations it
/// writes `act_dot` itself, and what it returns is not used.
pub type ActDynFn = dyn Fn(&Model, &mut Data, usize) -> f64 + Send + Sync;
/// Called per actuator; returns gain or bias.
pub type ActFn = dyn Fn(&Model, &Data, usize) -> f64 + Send + Sync;

/// The callbacks of a model. All are optional.
#[derive(Clone, Debug, Default)]
pub struct Callbacks {
    /// Sets `ctrl`, `qfrc_applied` or `xfrc_applied` before the actuation stage.
    pub control: Option<Callback<DataFn>>,
    /// Adds to `qfrc_passive`.
    pub passive: Option<Callback<DataFn>>,
    /// Rejects geom pairs; while it is there, the geoms' own contact bits do not count.
    pub contactfilter: Option<Callback<ContactFilterFn>>,
    /// Whether `contactfilter` is to be used now; without this it always is.
    pub contactfilter_active: Option<fn() -> bool>,
    /// Computes user sensors of one stage.
    pub sensor: Option<Callback<SensorFn>>,
    /// Whether `control`, `passive`, `sensor` or `act_dyn` may do something in the evaluation that begins
    /// now; without this they may.
    ///
    /// For callbacks that are always there and look up what to do: an evaluation in which they do nothing
    /// need not compute anew what they could have changed.
    pub writers_active: Option<fn() -> bool>,
    /// Activation dynamics of user actuators.
    pub act_dyn: Option<Callback<ActDynFn>>,
    /// Gain of user actuators.
    pub act_gain: Option<Callback<ActFn>>,
    /// Bias of user actuators.
    pub act_bias: Option<Callback<ActFn>>,
}

impl Callbacks {
    /// Whether one of the callbacks may write to the data in the middle of an evaluation.
    #[must_use]
    pub fn may_write_data(&self) -> bool {
        let there = self.control.is_some()
            || self.passive.is_some()
            || self.sensor.is_some()
            || self.act_dyn.is_some();
        there && self.writers_active.is_none_or(|are_active| are_active())
    }

    /// The filter of geom pairs, when there is one and it is active.
    #[must_use]
    pub fn contact_filter(&self) -> Option<&ContactFilterFn> {
        let active = self.contactfilter_active.is_none_or(|is_active| is_active());
        self.contactfilter.as_ref().filter(|_| active).map(|callback| &*callback.0)
    }
}

/// Callbacks are shared by the clones of a model and may be called from many threads at once.
impl Model {
    /// Sets what chooses `ctrl`, `qfrc_applied` or `xfrc_applied` before the actuation stage of each
    /// evaluation.
    pub fn set_control(&mut self, callback: impl Fn(&Model, &mut Data) + Send + Sync + 'static) {
        self.callbacks.control = Some(Callback(Arc::new(callback)));
    }

    /// Sets what adds to `qfrc_passive`.
    pub fn set_passive(&mut self, callback: impl Fn(&Model, &mut Data) + Send + Sync + 'static) {
        self.callbacks.passive = Some(Callback(Arc::new(callback)));
    }

    /// Sets what rejects geom pairs by returning `true`; the geoms' own contact bits then do not count.
    pub fn set_contact_filter(
        &mut self,
        callback: impl Fn(&Model, &Data, usize, usize) -> bool + Send + Sync + 'static,
    ) {
        self.callbacks.contactfilter = Some(Callback(Arc::new(callback)));
    }

    /// Sets what computes the user sensors of a stage, whose number is the last argument, in `sensordata`.
    pub fn set_sensor(&mut self, callback: impl Fn(&Model, &mut Data, i32) + Send + Sync + 'static) {
        self.callbacks.sensor = Some(Callback(Arc::new(callback)));
    }

    /// Sets the activation dynamics of user actuators: the derivative of an activation, for each actuator.
    pub fn set_act_dyn(
        &mut self,
        callback: impl Fn(&Model, &mut Data, usize) -> f64 + Send + Sync + 'static,
    ) {
        self.callbacks.act_dyn = Some(Callback(Arc::new(callback)));
    }

    /// Sets the gain of user actuators.
    pub fn set_act_gain(&mut self, callback: impl Fn(&Model, &Data, usize) -> f64 + Send + Sync + 'static) {
        self.callbacks.act_gain = Some(Callback(Arc::new(callback)));
    }

    /// Sets the bias of user actuators.
    pub fn set_act_bias(&mut self, callback: impl Fn(&Model, &Data, usize) -> f64 + Send + Sync + 'static) {
        self.callbacks.act_bias = Some(Callback(Arc::new(callback)));
    }

    /// Takes all callbacks away.
    pub fn clear_callbacks(&mut self) {
        self.callbacks = Callbacks::default();
    }
}
