//! Plugins that are Python classes, and the registry of the process.
//!
//! A class says what it is by attributes, and an object of it is made for each instance of a data. While one
//! of its methods runs, the call that caused it lends its data, as to a callback. An exception becomes the
//! error of the step, with the name of the plugin.

use crate::callbacks::{self, with_objects};
use crate::lock::Brief;
use crate::memory::copy_out;
use crate::signals;
use kinetree_math::Vec3;
use kinetree_math::field::SignedDistance;
use kinetree_model::Model;
use kinetree_model::enums::Stage;
use kinetree_model::plugin::{
    Attribute, AttributeKind, Capabilities, Field, Plugin, PluginConfig, PluginInstance, PluginRegistry,
    PluginResult, PluginWorld,
};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

static REGISTRY: LazyLock<Brief<Arc<PluginRegistry>>> =
    LazyLock::new(|| Brief::new(kinetree_spec::plugins::shared_registry()));

/// The plugins that models are loaded with from now on.
pub(crate) fn registry() -> Arc<PluginRegistry> {
    REGISTRY.with(|registry| Arc::clone(registry))
}

/// A Python class as a plugin.
struct PyPlugin {
    name: String,
    attributes: Vec<Attribute>,
    capabilities: Capabilities,
    stage: Stage,
    class: Py<PyAny>,
}

/// An exception in words; one that is meant for the program is kept.
pub(crate) fn words(py: Python<'_>, error: &PyErr) -> String {
    signals::keep(py, error);
    let kind = error.get_type(py).name().map_or_else(|_| "an exception".into(), |name| name.to_string());
    format!("it raised {kind}: {}", error.value(py))
}

/// Calls `f` with the interpreter; an exception becomes words.
fn python<R>(f: impl FnOnce(Python<'_>) -> PyResult<R>) -> PluginResult<R> {
    Python::attach(|py| f(py).map_err(|error| words(py, &error)))
}

/// The kind and the text of a default that a class gives.
fn attribute(name: &str, default: &Bound<'_, PyAny>) -> PyResult<Attribute> {
    let (kind, text) = if default.is_none() {
        (AttributeKind::Number, String::new())
    } else if default.is_instance_of::<PyBool>() {
        (AttributeKind::Flag, default.extract::<bool>()?.to_string())
    } else if default.is_instance_of::<PyFloat>() || default.is_instance_of::<PyInt>() {
        (AttributeKind::Number, default.extract::<f64>()?.to_string())
    } else if default.is_instance_of::<PyString>() {
        (AttributeKind::Text, default.extract()?)
    } else {
        let numbers: Vec<f64> = default.extract().map_err(|_| {
            PyTypeError::new_err(format!(
                "the default of attribute '{name}' must be a number, numbers, a bool, a str or None"
            ))
        })?;
        let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
        (AttributeKind::Numbers, texts.join(" "))
    };
    let owned = |text: String| text.into();
    Ok(Attribute { name: owned(name.to_owned()), kind, default: owned(text), doc: "".into() })
}

/// What a class says that it can do.
fn capabilities(class: &Bound<'_, PyAny>) -> PyResult<Capabilities> {
    let mut can = Capabilities::NONE;
    let names: Vec<String> = class.getattr("capabilities")?.extract()?;
    for name in names {
        match name.as_str() {
            "actuator" => can.actuator = true,
            "sensor" => can.sensor = true,
            "passive" => can.passive = true,
            "sdf" => can.sdf = true,
            other => {
                return Err(PyValueError::new_err(format!(
                    "there is no capability '{other}': use 'actuator', 'sensor', 'passive' or 'sdf'"
                )));
            }
        }
    }
    Ok(can)
}

impl PyPlugin {
    fn new(class: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut attributes = Vec::new();
        if let Ok(given) = class.getattr("attributes") {
            for (name, default) in given.cast::<PyDict>()? {
                attributes.push(attribute(&name.extract::<String>()?, &default)?);
            }
        }
        let stage = match class.getattr("sensor_stage") {
            Ok(stage) => Stage::try_from(stage.extract::<i32>()?)
                .map_err(|_| PyValueError::new_err("'sensor_stage' must be an mjtStage"))?,
            Err(_) => Stage::Acc,
        };
        Ok(Self {
            name: class.getattr("name")?.extract()?,
            attributes,
            capabilities: capabilities(class)?,
            stage,
            class: class.clone().unbind(),
        })
    }

    /// The configuration as a dictionary of values of the right types; None where there is neither a text nor
    /// a default.
    fn config<'py>(&self, py: Python<'py>, config: &PluginConfig) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        let invalid = PyValueError::new_err::<String>;
        for Attribute { name, kind, .. } in &self.attributes {
            match kind {
                AttributeKind::Number if config.text(name).trim().is_empty() => {
                    values.set_item(&**name, py.None())?;
                }
                AttributeKind::Number => values.set_item(&**name, config.number(name).map_err(invalid)?)?,
                AttributeKind::Numbers => values.set_item(&**name, config.numbers(name).map_err(invalid)?)?,
                AttributeKind::Flag => values.set_item(&**name, config.flag(name))?,
                AttributeKind::Text => values.set_item(&**name, config.text(name))?,
            }
        }
        Ok(values)
    }

    /// A size that a function of the class returns.
    fn size(&self, function: &str, config: &PluginConfig) -> PluginResult<usize> {
        let size: i64 = python(|py| {
            let class = self.class.bind(py);
            class.call_method1(function, (self.config(py, config)?,))?.extract()
        })?;
        usize::try_from(size).map_err(|_| format!("'{function}' returned {size}: a size cannot be negative"))
    }

    fn object(&self, config: &PluginConfig) -> PluginResult<Py<PyAny>> {
        python(|py| Ok(self.class.bind(py).call1((self.config(py, config)?,))?.unbind()))
    }
}

impl Plugin for PyPlugin {
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

    fn state_size(&self, config: &PluginConfig) -> PluginResult<usize> {
        let has = python(|py| self.class.bind(py).hasattr("state_size"))?;
        if has { self.size("state_size", config) } else { Ok(0) }
    }

    fn sensor_size(&self, config: &PluginConfig) -> PluginResult<usize> {
        self.size("sensor_size", config)
    }

    fn field(&self, config: &PluginConfig) -> PluginResult<Field> {
        let object = self.object(config)?;
        let aabb: Vec<f64> = python(|py| object.bind(py).call_method0("sdf_aabb")?.extract())?;
        let aabb = aabb.try_into().map_err(|_| "'sdf_aabb' must return six numbers".to_owned())?;
        let has_gradient = python(|py| object.bind(py).hasattr("sdf_gradient"))?;
        Ok(Field { distance: Arc::new(PyField { object, has_gradient }), aabb })
    }

    fn instance(&self, _: &Model, _: usize, config: &PluginConfig) -> PluginResult<Box<dyn PluginInstance>> {
        Ok(Box::new(PyInstance(self.object(config)?)))
    }
}

/// An object that is a distance field.
struct PyField {
    object: Py<PyAny>,
    has_gradient: bool,
}

impl PyField {
    /// Calls a method with a point. What it raises is passed on as a panic, which the caller of the field
    /// turns into its error: distances have no other way to fail.
    fn call<R>(&self, method: &str, point: &Vec3, read: fn(&Bound<'_, PyAny>) -> PyResult<R>) -> R {
        let result = python(|py| {
            let point = PyArray1::from_slice(py, point.as_slice());
            read(&self.object.bind(py).call_method1(method, (point,))?)
        });
        result.unwrap_or_else(|message| std::panic::panic_any(message))
    }
}

impl SignedDistance for PyField {
    fn distance(&self, point: &Vec3) -> f64 {
        self.call("sdf_distance", point, |value| value.extract())
    }

    fn distance_and_gradient(&self, point: &Vec3) -> (f64, Vec3) {
        let here = self.distance(point);
        if self.has_gradient {
            return (
                here,
                self.call("sdf_gradient", point, |value| Ok(Vec3::from(value.extract::<[f64; 3]>()?))),
            );
        }
        let derivative = |k: usize| {
            let mut ahead = *point;
            ahead[k] += kinetree_math::field::GRADIENT_STEP;
            (self.distance(&ahead) - here) / kinetree_math::field::GRADIENT_STEP
        };
        (here, Vec3::new(derivative(0), derivative(1), derivative(2)))
    }
}

/// An object that is an instance.
struct PyInstance(Py<PyAny>);

impl PyInstance {
    /// Calls a method, if the object has it, with the model, the data, further numbers, the state and what it
    /// may write; both arrays are copies that are read back.
    fn call(
        &self,
        method: &str,
        world: PluginWorld<'_>,
        id: Option<usize>,
        out: &mut [f64],
    ) -> PluginResult<Option<f64>> {
        let PluginWorld { data, state, .. } = world;
        let called = with_objects(data, |py, model, data| {
            let object = self.0.bind(py);
            if !object.hasattr(method)? {
                return Ok(None);
            }
            let mut arguments = vec![model.clone(), data.clone()];
            if let Some(id) = id {
                arguments.push(id.into_pyobject(py)?.into_any());
            }
            let numbers = PyArray1::from_slice(py, state);
            arguments.push(numbers.clone().into_any());
            let written = PyArray1::from_slice(py, out);
            if !out.is_empty() {
                arguments.push(written.clone().into_any());
            }
            let result = object.call_method1(method, pyo3::types::PyTuple::new(py, arguments)?)?;
            if !copy_out(numbers.to_dyn(), state) || !copy_out(written.to_dyn(), out) {
                return Err(PyValueError::new_err("the size of an array was changed"));
            }
            Ok(if result.is_none() { None } else { Some(result.extract::<f64>()?) })
        });
        match called {
            Some(Ok(value)) => Ok(value),
            Some(Err(error)) => Err(Python::attach(|py| words(py, &error))),
            None => Err("it is written in Python and works only in functions of a model and a data".into()),
        }
    }
}

impl PluginInstance for PyInstance {
    fn reset(&mut self, _: &Model, state: &mut [f64]) {
        let result = python(|py| {
            let object = self.0.bind(py);
            if !object.hasattr("reset")? {
                return Ok(());
            }
            let numbers = PyArray1::from_slice(py, state);
            object.call_method1("reset", (numbers.clone(),))?;
            copy_out(numbers.to_dyn(), state);
            Ok(())
        });
        if let Err(message) = result {
            std::panic::panic_any(message);
        }
    }

    fn act_dot(&mut self, world: PluginWorld<'_>, actuator: usize, act_dot: &mut [f64]) -> PluginResult<()> {
        self.call("actuator_act_dot", world, Some(actuator), act_dot).map(drop)
    }

    fn actuator_force(&mut self, world: PluginWorld<'_>, actuator: usize) -> PluginResult<f64> {
        let force = self.call("actuator_force", world, Some(actuator), &mut [])?;
        force.ok_or_else(|| "'actuator_force' must return a number".to_owned())
    }

    fn passive_force(&mut self, world: PluginWorld<'_>, qfrc: &mut [f64]) -> PluginResult<()> {
        self.call("passive_force", world, None, qfrc).map(drop)
    }

    fn sense(&mut self, world: PluginWorld<'_>, sensor: usize, values: &mut [f64]) -> PluginResult<()> {
        self.call("sense", world, Some(sensor), values).map(drop)
    }

    fn advance(&mut self, world: PluginWorld<'_>) -> PluginResult<()> {
        self.call("advance", world, None, &mut []).map(drop)
    }
}

/// Names of the plugins that are Python classes.
static PYTHON: Brief<BTreeSet<String>> = Brief::new(BTreeSet::new());

/// An error when a model has plugins that are written in Python: they need the interpreter lock, for which
/// all threads of a batch would wait.
pub(crate) fn refuse_python(model: &Model, what: &str) -> PyResult<()> {
    let plugins = (0..model.plugins.len()).filter_map(|instance| model.plugins.plugin(instance));
    let names: Vec<&str> = plugins.map(|plugin| plugin.name()).collect();
    let found = PYTHON.with(|known| names.into_iter().find(|name| known.contains(*name)));
    match found {
        Some(name) => Err(PyRuntimeError::new_err(format!(
            "{what} cannot call the plugin '{name}', which is written in Python: use kinetree.rollout"
        ))),
        None => Ok(()),
    }
}

/// Adds a plugin that is written in Python to those that models can name; returns its slot.
///
/// Args:
///     plugin: a class with a `name` and methods such as `init`, `compute` and `reset`; the guide on
///         plugins shows one.
#[pyfunction]
fn register_plugin(plugin: &Bound<'_, PyAny>) -> PyResult<usize> {
    let plugin = PyPlugin::new(plugin)?;
    let name = plugin.name.clone();
    let mut registry = PluginRegistry::clone(&self::registry());
    let slot = registry.register(plugin).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let registry = Arc::new(registry);
    drop(REGISTRY.with(|current| std::mem::replace(current, registry)));
    PYTHON.with(|known| known.insert(name));
    callbacks::plugins_take_part();
    Ok(slot)
}

/// All plugins by slot: the name, the capabilities, and for each attribute its name, kind, default and
/// description.
#[pyfunction]
fn plugins() -> Vec<(String, Vec<&'static str>, Vec<(String, &'static str, String, String)>)> {
    let about = |a: &Attribute| (a.name.to_string(), a.kind.name(), a.default.to_string(), a.doc.to_string());
    let describe = |plugin: &Arc<dyn Plugin>| {
        let attributes = plugin.attributes().iter().map(about).collect();
        (plugin.name().to_owned(), plugin.capabilities().names().collect(), attributes)
    };
    registry().iter().map(describe).collect()
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(register_plugin, module)?)?;
    module.add_function(wrap_pyfunction!(plugins, module)?)
}
