//! Many worlds of a model on the GPU of a browser, by WebGPU.
//!
//! Everything that waits for the device is a promise. A simulator is out of its place while a call is under
//! way, so that a second one is refused rather than mixed with the first.

use crate::errors::{Outcome, failure};
use crate::model::ModelHandle;
use js_sys::{Array, Float32Array, Promise, Reflect, Uint32Array};
use kinetree_gpu::{Gpu, GpuError, GpuOptions, GpuSim};
use kinetree_model::Model;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

/// Where a simulator is.
#[derive(Debug)]
enum Place {
    /// At home.
    Idle(Box<GpuSim>),
    /// With a call that is under way.
    Busy,
    /// Gone for good.
    Closed,
}

impl Place {
    /// Takes the simulator out.
    fn take(&mut self) -> Outcome<Box<GpuSim>> {
        match std::mem::replace(self, Self::Busy) {
            Self::Idle(sim) => Ok(sim),
            Self::Busy => Err(failure("a call to these worlds is under way: await it before the next")),
            Self::Closed => {
                *self = Self::Closed;
                Err(failure("these worlds are closed"))
            }
        }
    }

    /// Brings it back, or ends it where it was closed in the meantime.
    fn bring_back(&mut self, sim: Box<GpuSim>) {
        match self {
            Self::Closed => sim.gpu().device().destroy(),
            Self::Idle(_) | Self::Busy => *self = Self::Idle(sim),
        }
    }

    /// Closes the place. Memory goes back with the device, which no others use: buffers that are dropped are
    /// left to the browser's garbage collector.
    fn close(&mut self) {
        if let Self::Idle(sim) = std::mem::replace(self, Self::Closed) {
            sim.gpu().device().destroy();
        }
    }
}

/// Worlds of a model on a GPU.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GpuWorldsHandle {
    place: Rc<RefCell<Place>>,
    adapter: String,
    compilation: f64,
}

/// What went wrong, for readers in front of a browser.
#[allow(clippy::needless_pass_by_value)] // the form that `map_err` wants
fn gpu_failure(error: GpuError) -> JsValue {
    match error {
        GpuError::NoAdapter { reason } => failure(format!(
            "this browser has WebGPU, but no graphics device for it ({reason}); look for WebGPU in chrome://gpu or \
             about:support, or step worlds one by one with Data"
        )),
        GpuError::Unsupported(_) => {
            failure(error.to_string().replace("a batch on threads", "Data, which covers it,"))
        }
        other => failure(other),
    }
}

/// An error where a browser has no WebGPU at all.
fn check_webgpu() -> Outcome<()> {
    let property = |object: &JsValue, name: &str| Reflect::get(object, &name.into());
    let navigator = property(&js_sys::global(), "navigator").unwrap_or(JsValue::UNDEFINED);
    let gpu = if navigator.is_object() { property(&navigator, "gpu") } else { Ok(JsValue::UNDEFINED) };
    if gpu.is_ok_and(|gpu| gpu.is_object()) {
        return Ok(());
    }
    Err(failure(
        "there is no WebGPU here: it needs a browser that has it (Chrome and Edge 113, Safari 26, Firefox 141 and newer) \
         and a page from https or from this machine",
    ))
}

#[wasm_bindgen]
impl GpuWorldsHandle {
    /// A promise of `worlds` worlds of a model in its first state, with sensors where they are asked for.
    ///
    /// # Errors
    /// When JavaScript has written something to the model that is no index; the promise fails without WebGPU,
    /// when the model has something that is not covered, or when the worlds do not fit.
    pub fn create(model: &ModelHandle, worlds: usize, sensors: bool) -> Outcome<Promise> {
        let model = Arc::new(model.checked()?.clone());
        Ok(future_to_promise(async move { Ok(open(model, worlds, sensors).await?.into()) }))
    }

    /// Name of the graphics device.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn adapter(&self) -> String {
        self.adapter.clone()
    }

    /// Seconds that the kernels took to compile.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn compilation(&self) -> f64 {
        self.compilation
    }

    /// Sets the controls of all worlds, a row for each.
    ///
    /// # Errors
    /// When their number is wrong, or a call is under way.
    #[wasm_bindgen(js_name = setControls)]
    pub fn set_controls(&self, controls: &[f32]) -> Outcome<()> {
        self.at_once(|sim| sim.set_controls(controls))
    }

    /// Sets the states of all worlds, a row for each.
    ///
    /// # Errors
    /// When their number is wrong, or a call is under way.
    #[wasm_bindgen(js_name = setStates)]
    pub fn set_states(&self, states: &[f32]) -> Outcome<()> {
        self.at_once(|sim| sim.set_states(states))
    }

    /// Puts worlds into the first state of the model where the mask is not zero.
    ///
    /// # Errors
    /// When the mask does not have an entry for each world, or a call is under way.
    pub fn reset(&self, mask: &[u8]) -> Outcome<()> {
        let mask: Vec<bool> = mask.iter().map(|&chosen| chosen != 0).collect();
        self.at_once(|sim| sim.reset(&mask))
    }

    /// A promise that steps have been made.
    ///
    /// # Errors
    /// When a call is under way; the promise fails when the device does.
    pub fn step(&self, count: usize) -> Outcome<Promise> {
        self.begin(async move |sim| {
            sim.steps_async(count).await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// A promise of rows of a quantity: `positions`, `velocities`, `accelerations`, `activations`,
    /// `sensordata`, or whole states.
    ///
    /// # Errors
    /// When a call is under way; the promise fails when the device does.
    pub fn read(&self, what: String) -> Outcome<Promise> {
        self.begin(async move |sim| {
            let numbers = match &*what {
                "positions" => sim.positions_async().await,
                "velocities" => sim.velocities_async().await,
                "accelerations" => sim.accelerations_async().await,
                "activations" => sim.activations_async().await,
                "sensordata" => sim.sensordata_async().await,
                _ => sim.states_async().await,
            }?;
            Ok(Float32Array::from(&numbers[..]).into())
        })
    }

    /// A promise of the number of contacts of each world at the beginning of the last step.
    ///
    /// # Errors
    /// When a call is under way; the promise fails when the device does.
    pub fn contacts(&self) -> Outcome<Promise> {
        self.begin(async |sim| {
            let counts: Vec<u32> = sim.contacts_async().await?.into_iter().map(|n| n as u32).collect();
            Ok(Uint32Array::from(&counts[..]).into())
        })
    }

    /// A promise of why worlds began anew since this was asked last: null or a text for each.
    ///
    /// # Errors
    /// When a call is under way; the promise fails when the device does.
    #[wasm_bindgen(js_name = takeErrors)]
    pub fn take_errors(&self) -> Outcome<Promise> {
        self.begin(async |sim| {
            let texts = sim.take_errors_async().await?;
            Ok(texts
                .into_iter()
                .map(|text| text.map_or(JsValue::NULL, JsValue::from_str))
                .collect::<Array>()
                .into())
        })
    }

    /// A promise that each world has values of its own for an array of the model, or without a field those of
    /// the model.
    ///
    /// # Errors
    /// When a call is under way; the promise fails when the field or the values do not fit.
    pub fn vary(&self, field: Option<String>, values: Vec<f64>) -> Outcome<Promise> {
        self.begin(async move |sim| {
            match field {
                Some(field) => sim.vary_async(&field, &values).await?,
                None => sim.end_variations_async().await?,
            }
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Gives the memory of the device back.
    pub fn close(&self) {
        self.place.borrow_mut().close();
    }
}

impl GpuWorldsHandle {
    /// Calls what does not wait.
    fn at_once(&self, call: impl FnOnce(&mut GpuSim) -> Result<(), GpuError>) -> Outcome<()> {
        let mut place = self.place.borrow_mut();
        let mut sim = place.take()?;
        let outcome = call(&mut sim).map_err(gpu_failure);
        place.bring_back(sim);
        outcome
    }

    /// Begins what waits.
    fn begin(
        &self,
        call: impl AsyncFnOnce(&mut GpuSim) -> Result<JsValue, GpuError> + 'static,
    ) -> Outcome<Promise> {
        let mut sim = self.place.borrow_mut().take()?;
        let place = Rc::clone(&self.place);
        Ok(future_to_promise(async move {
            let outcome = call(&mut sim).await.map_err(gpu_failure);
            place.borrow_mut().bring_back(sim);
            outcome
        }))
    }
}

/// Opens the device and makes the simulator.
async fn open(model: Arc<Model>, worlds: usize, sensors: bool) -> Outcome<GpuWorldsHandle> {
    check_webgpu()?;
    let gpu = Gpu::open(None).await.map_err(gpu_failure)?;
    let options = GpuOptions { sensors, ..GpuOptions::default() };
    let sim = GpuSim::create(gpu, model, worlds, options).await.map_err(gpu_failure)?;
    let (adapter, compilation) = (sim.gpu().adapter().to_owned(), sim.compilation().as_secs_f64());
    Ok(GpuWorldsHandle { place: Rc::new(RefCell::new(Place::Idle(Box::new(sim)))), adapter, compilation })
}
