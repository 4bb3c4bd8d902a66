//! Callbacks of programs: global variables that hold functions of C, and the hooks of a model that call them.

#![allow(unsafe_code)]

use super::handle::lend;
use crate::layout::data::MjData;
use crate::layout::model::MjModel;
use kinetree_model::{Callback, Callbacks, Data, Model};
use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

type Generic = extern "C-unwind" fn(*const MjModel, *mut MjData);
type Filter = extern "C-unwind" fn(*const MjModel, *mut MjData, c_int, c_int) -> c_int;
type Sensor = extern "C-unwind" fn(*const MjModel, *mut MjData, c_int);
type Time = extern "C-unwind" fn() -> f64;
type Act = extern "C-unwind" fn(*const MjModel, *const MjData, c_int) -> f64;

/// Defines the variables of the header, and a function for each that reads it.
macro_rules! variables {
    ($( $name:ident $get:ident $t:ty; )*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of the header.")]
            #[unsafe(no_mangle)]
            #[allow(non_upper_case_globals)]
            pub static $name: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

            fn $get() -> Option<$t> {
                let pointer = $name.load(Ordering::Acquire);
                // SAFETY: the header says that this variable holds null or such a function
                unsafe { std::mem::transmute::<*mut c_void, Option<$t>>(pointer) }
            }
        )*

        /// Takes all callbacks away.
        pub fn reset() {
            $( $name.store(std::ptr::null_mut(), Ordering::Release); )*
        }
    };
}

variables! {
    mjcb_passive passive Generic;
    mjcb_control control Generic;
    mjcb_contactfilter contactfilter Filter;
    mjcb_sensor sensor Sensor;
    mjcb_time time Time;
    mjcb_act_dyn act_dyn Act;
    mjcb_act_gain act_gain Act;
    mjcb_act_bias act_bias Act;
}

/// Whether there is a clock for timers.
pub fn has_clock() -> bool {
    time().is_some()
}

/// The time by the program's clock.
pub fn clock() -> f64 {
    time().map_or(0.0, |time| time())
}

/// Whether plugins of a model may write to the data in the middle of an evaluation, as callbacks may.
fn has_direct_plugins(model: &Model) -> bool {
    let direct = |id| model.plugins.plugin(id).is_some_and(|plugin| plugin.direct_instance().is_some());
    (0..model.plugins.len()).any(direct)
}

/// The hooks of a model: they look up the callback each time, and do what the engine does without one when
/// there is none.
pub fn hooks(model: &Model) -> Callbacks {
    let generic = |get: fn() -> Option<Generic>| -> Option<Callback<kinetree_model::DataFn>> {
        Some(Callback(Arc::new(move |m: &Model, d: &mut Data| {
            if let Some(f) = get() {
                lend(m, d, |m, d| f(m, d));
            }
        })))
    };
    let act = |get: fn() -> Option<Act>, default: f64| -> Option<Callback<kinetree_model::ActFn>> {
        Some(Callback(Arc::new(move |m: &Model, d: &Data, i: usize| {
            let data = std::ptr::from_ref(d).cast_mut();
            get().map_or(default, |f| lend(m, data, |m, d| f(m, d, i as c_int)))
        })))
    };
    // the bits of the geoms decide when there is no callback
    let filter = |m: &Model, d: &Data, g1: usize, g2: usize| match contactfilter() {
        Some(f) => lend(m, std::ptr::from_ref(d).cast_mut(), |m, d| f(m, d, g1 as c_int, g2 as c_int)) != 0,
        None => {
            m.geom_contype[g1] & m.geom_conaffinity[g2] == 0
                && m.geom_contype[g2] & m.geom_conaffinity[g1] == 0
        }
    };
    Callbacks {
        control: generic(control),
        passive: generic(passive),
        contactfilter: Some(Callback(Arc::new(filter))),
        contactfilter_active: Some(|| contactfilter().is_some()),
        sensor: Some(Callback(Arc::new(|m: &Model, d: &mut Data, stage: i32| {
            if let Some(f) = sensor() {
                lend(m, d, |m, d| f(m, d, stage));
            }
        }))),
        writers_active: Some(if has_direct_plugins(model) {
            || true
        } else {
            || passive().is_some() || control().is_some() || sensor().is_some() || act_dyn().is_some()
        }),
        act_dyn: Some(Callback(Arc::new(|m: &Model, d: &mut Data, i: usize| {
            act_dyn().map_or(0.0, |f| lend(m, d, |m, d| f(m, d, i as c_int)))
        }))),
        act_gain: act(act_gain, 1.0),
        act_bias: act(act_bias, 0.0),
    }
}
