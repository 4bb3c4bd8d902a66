//! `CoreSpec`: an editable model description. The Python class `MjSpec` and its elements are built on it.
//!
//! Elements are known by their kind and their place in the description; a place is never used again after a
//! deletion.

mod edit;
pub(crate) use edit::resolve_orientation;
mod preset;
mod table;
mod value;

use crate::args::Text;
use crate::call::{PyData, PyModel};
use crate::model::Loaded;
use crate::panics::guarded;
use crate::{codec, plugin, provider};
use kinetree_model::enums::ObjType;
use kinetree_spec::{Diagnostics, Spec, StateLayout, Vfs};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use table::{gone, no_such};
use value::Given;

/// A description with what is remembered about it.
#[derive(Default)]
struct State {
    spec: Spec,
    /// Places of named elements by kind; `None` until it is needed.
    names: Option<HashMap<&'static str, HashMap<String, usize>>>,
    /// Which elements the state of the model compiled last belongs to.
    layout: Option<StateLayout>,
}

impl State {
    fn new(spec: Spec) -> Self {
        State { spec, ..State::default() }
    }

    /// Places of named elements of a kind.
    fn names_of(&mut self, kind: &'static str) -> &mut HashMap<String, usize> {
        let index = self.names.get_or_insert_default();
        index.entry(kind).or_insert_with(|| {
            // of two elements with one name, the first one is found
            let mut list = table::names(&self.spec, kind);
            list.reverse();
            list.into_iter().filter(|(name, _)| !name.is_empty()).collect()
        })
    }

    /// Place of a named element.
    fn find(&mut self, kind: &'static str, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        if let Some(&id) = self.names_of(kind).get(name) {
            return Some(id);
        }
        // assets without a name are called after their file
        let named_by_file = |file: &str| {
            let last = file.rsplit(['/', '\\']).next().unwrap_or_default();
            last.rsplit_once('.').map_or(last, |(stem, _)| stem) == name
        };
        let spec = &self.spec;
        match kind {
            "mesh" => spec
                .meshes
                .iter()
                .find(|(_, e)| e.name.is_empty() && named_by_file(&e.file))
                .map(|(id, _)| id.index()),
            "texture" => spec
                .textures
                .iter()
                .find(|(_, e)| e.name.is_empty() && named_by_file(&e.file))
                .map(|(id, _)| id.index()),
            "hfield" => spec
                .hfields
                .iter()
                .find(|(_, e)| e.name.is_empty() && named_by_file(&e.file))
                .map(|(id, _)| id.index()),
            "skin" => spec
                .skins
                .iter()
                .find(|(_, e)| e.name.is_empty() && named_by_file(&e.file))
                .map(|(id, _)| id.index()),
            _ => None,
        }
    }

    /// Renames an element, unless the name is taken.
    fn rename(&mut self, kind: &'static str, id: usize, name: &Given) -> PyResult<()> {
        let new = name.text()?;
        let Given::Text(old) = table::read(&mut self.spec, kind, id, "name")? else {
            return Err(no_such(kind));
        };
        let names = self.names_of(kind);
        if names.get(&new).is_some_and(|&other| other != id) {
            return Err(PyValueError::new_err(format!("Error: repeated name '{new}' in {kind}")));
        }
        if names.get(&old) == Some(&id) {
            names.remove(&old);
        }
        if !new.is_empty() {
            names.insert(new, id);
        }
        table::write(&mut self.spec, kind, id, "name", name)
    }

    /// Places of all elements of a kind: those of the tree body by body, parents first, as in the compiled
    /// model.
    fn order(&self, kind: &str) -> PyResult<Vec<usize>> {
        let spec = &self.spec;
        let bodies = || spec.subtree(spec.world());
        macro_rules! in_tree {
            ($list:ident) => {
                bodies().iter().flat_map(|&b| spec.bodies[b].$list.iter().map(|id| id.index())).collect()
            };
        }
        Ok(match kind {
            "body" => bodies().iter().map(|id| id.index()).collect(),
            "frame" => in_tree!(frames),
            "joint" => in_tree!(joints),
            "geom" => in_tree!(geoms),
            "site" => in_tree!(sites),
            "camera" => in_tree!(cameras),
            "light" => in_tree!(lights),
            _ => table::arena_order(spec, kind).ok_or_else(|| no_such(kind))?,
        })
    }

    /// Hash of which elements there are and what they are called: models and descriptions with the same one
    /// belong together.
    fn signature(&self) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        for &kind in table::KINDS {
            let order = self.order(kind)?;
            order.hash(&mut hasher);
            table::names(&self.spec, kind).hash(&mut hasher);
        }
        Ok(hasher.finish())
    }

    /// What is wrong with a description, in the form that programs know: the cause, then the element.
    fn compile_error(&mut self, found: &Diagnostics) -> PyErr {
        let mut text = String::new();
        for diagnostic in &found.list {
            let Some(subject) = diagnostic.subject.as_deref().filter(|_| diagnostic.line == 0) else {
                continue;
            };
            let place =
                if matches!(subject.kind, "mesh" | "hfield" | "texture" | "skin") { "" } else { " in " };
            let kind = if place.is_empty() { "" } else { subject.kind };
            text += &format!("Error: {}{place}{kind}\nElement name '{}'", subject.problem, subject.name);
            if let Some(&kind) = table::KINDS.iter().find(|kind| **kind == subject.kind)
                && let Some(id) = self.find(kind, &subject.name)
                && let Ok(order) = self.order(kind)
                && let Some(number) = order.iter().position(|&other| other == id)
            {
                text += &format!(", id {number}");
            }
            if !subject.info.is_empty() {
                text += &format!(", {}", subject.info);
            }
            text.push('\n');
        }
        if text.is_empty() {
            return PyValueError::new_err(found.to_string());
        }
        PyValueError::new_err(format!("{text}\n{found}"))
    }
}

/// An editable model description.
#[pyclass(frozen, subclass, weakref, module = "kinetree._core")]
pub(crate) struct CoreSpec {
    state: Mutex<State>,
}

impl CoreSpec {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy of the description as it is now.
    pub(crate) fn spec_now(&self) -> Spec {
        self.lock().spec.clone()
    }
}

/// A kind that outlives the call.
fn known_kind(kind: &str) -> PyResult<&'static str> {
    table::KINDS.iter().copied().find(|known| *known == kind).ok_or_else(|| no_such(kind))
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // arguments are made for the call
impl CoreSpec {
    /// An empty description, or one read from text or from a file.
    #[new]
    #[pyo3(signature = (xml=None, path=None, assets=None, content_type=None))]
    fn new(
        xml: Option<Text>,
        path: Option<Text>,
        assets: Option<&Bound<'_, PyDict>>,
        content_type: Option<Text>,
    ) -> PyResult<Self> {
        let content_type = content_type.map_or_else(String::new, |text| text.0);
        let vfs = asset_files(assets)?;
        let spec = guarded(|| match (xml, path) {
            (Some(xml), _) => Spec::from_xml_string(&xml.0, Some(&vfs)),
            (None, Some(path)) => Spec::from_file_of_type(&path.0, &content_type, Some(&vfs)),
            (None, None) => Ok(Spec::new()),
        })?;
        let spec = spec.map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(Self { state: Mutex::new(State::new(spec)) })
    }

    /// Compiles the description as it is now. Returns the model and the signature of the description.
    #[pyo3(signature = (assets=None))]
    fn _compile(&self, py: Python<'_>, assets: Option<&Bound<'_, PyDict>>) -> PyResult<(Loaded, u64)> {
        let vfs = asset_files(assets)?;
        let (spec, signature) = {
            let mut state = self.lock();
            state.spec.registry = plugin::registry();
            (state.spec.clone(), state.signature()?)
        };
        match guarded(|| py.detach(|| compile(&spec, &vfs)))? {
            Ok(model) => {
                self.lock().layout = Some(StateLayout::of(&spec));
                Ok((Loaded::new(model), signature))
            }
            Err(found) => Err(self.lock().compile_error(&found)),
        }
    }

    /// Compiles the description and carries over the state of what existed when it was compiled last. Returns
    /// the model, a state in the layout of `mjSTATE_*` parts by name, and the signature.
    #[pyo3(signature = (m, d, assets=None))]
    fn _recompile<'py>(
        &self,
        m: PyModel<'_, 'py>,
        d: PyData<'_, 'py>,
        assets: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Loaded, Bound<'py, PyDict>, u64)> {
        let py = m.py();
        let vfs = asset_files(assets)?;
        let (spec, layout, signature) = {
            let mut state = self.lock();
            state.spec.registry = plugin::registry();
            let layout = state.layout.clone();
            let layout =
                layout.ok_or_else(|| PyValueError::new_err("this description was not compiled before"))?;
            (state.spec.clone(), layout, state.signature()?)
        };
        let result = {
            let (model, data) = (m.get().read()?, d.get().read(py)?);
            let (model, data) = (&*model, &*data);
            // without the interpreter lock: threads that load assets may call Python
            guarded(|| py.detach(|| spec.recompile(&layout, model, data, Some(&vfs))))?
        };
        let (model, data) = match result {
            Ok(pair) => pair,
            Err(kinetree_spec::RecompileError::Compile(found)) => {
                return Err(self.lock().compile_error(&found));
            }
            Err(other) => return Err(PyValueError::new_err(other.to_string())),
        };
        self.lock().layout = Some(StateLayout::of(&spec));
        let state = PyDict::new(py);
        let array = |values: &[f64]| numpy::PyArray1::from_slice(py, values);
        state.set_item("time", data.time)?;
        for (name, values) in [
            ("qpos", &data.qpos[..]),
            ("qvel", &data.qvel[..]),
            ("act", &data.act[..]),
            ("ctrl", &data.ctrl[..]),
            ("mocap_pos", data.mocap_pos.as_flattened()),
            ("mocap_quat", data.mocap_quat.as_flattened()),
        ] {
            state.set_item(name, array(values))?;
        }
        Ok((Loaded::new(model), state, signature))
    }

    /// The description as MJCF text.
    #[pyo3(signature = (assets=None, folder=None))]
    fn _to_xml(
        &self,
        py: Python<'_>,
        assets: Option<&Bound<'_, PyDict>>,
        folder: Option<Text>,
    ) -> PyResult<String> {
        let vfs = asset_files(assets)?;
        let spec = self.lock().spec.clone();
        let text = guarded(|| {
            py.detach(|| match folder {
                Some(Text(folder)) => spec.to_xml_in(&folder, Some(&vfs)),
                None => spec.to_xml_with(Some(&vfs)),
            })
        })?;
        text.map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// A copy.
    fn _clone(&self) -> Self {
        let state = self.lock();
        let copy = State { spec: state.spec.clone(), names: None, layout: state.layout.clone() };
        Self { state: Mutex::new(copy) }
    }

    /// Becomes a copy of another description.
    fn _take(&self, other: Bound<'_, CoreSpec>) {
        let copy = other.get()._clone();
        *self.lock() = copy.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    }

    /// Address of the description, to tell objects apart.
    #[getter]
    fn _address(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    /// Hash of which elements there are and what they are called.
    fn _signature(&self) -> PyResult<u64> {
        self.lock().signature()
    }

    /// Names of the fields of a kind of element.
    #[staticmethod]
    fn _field_names(kind: &str) -> PyResult<Vec<&'static str>> {
        let mut names = table::field_names(kind).ok_or_else(|| no_such(kind))?;
        names.extend(table::part_names(kind));
        names.push("info");
        Ok(names)
    }

    /// A field of an element.
    fn _get<'py>(&self, py: Python<'py>, kind: &str, id: usize, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = table::read(&mut self.lock().spec, kind, id, name)?;
        value.into_python(py)
    }

    /// Sets a field of an element.
    fn _set(&self, kind: &str, id: usize, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Given::from_python(value)?;
        let mut state = self.lock();
        if name == "name" && table::KINDS.contains(&kind) {
            return state.rename(known_kind(kind)?, id, &value);
        }
        table::write(&mut state.spec, kind, id, name, &value)
    }

    /// Whether an element exists.
    fn _exists(&self, kind: &str, id: usize) -> bool {
        table::with_element(&mut self.lock().spec, kind, id, |_| ()).is_ok()
    }

    /// Place of a named element.
    fn _find(&self, kind: &str, name: &str) -> PyResult<Option<usize>> {
        Ok(self.lock().find(known_kind(kind)?, name))
    }

    /// Places of all elements of a kind.
    fn _all(&self, kind: &str) -> PyResult<Vec<usize>> {
        self.lock().order(kind)
    }

    /// Number of an element in the compiled model; -1 when it does not exist.
    fn _number(&self, kind: &str, id: usize) -> PyResult<i64> {
        let order = self.lock().order(kind)?;
        Ok(order.iter().position(|&other| other == id).map_or(-1, |number| number as i64))
    }

    /// The default class of an element.
    fn _class(&self, kind: &str, id: usize) -> PyResult<String> {
        let class =
            table::with_element(&mut self.lock().spec, kind, id, |element| element.class().to_owned())?;
        Ok(if class.is_empty() { "main".to_owned() } else { class })
    }

    /// Changes the default class of an element; its values stay.
    fn _set_class(&self, kind: &str, id: usize, class: Text) -> PyResult<()> {
        table::with_element(&mut self.lock().spec, kind, id, |element| element.set_class(&class.0))
    }

    /// Which compiler settings apply to an element.
    fn _compiler(&self, kind: &str, id: usize) -> PyResult<usize> {
        table::with_element(&mut self.lock().spec, kind, id, |element| element.compiler())
    }
}

/// Virtual files made of a dictionary from names to contents. Unlike for models, folders in names count, so
/// that two files may have the same last part.
fn asset_files(assets: Option<&Bound<'_, PyDict>>) -> PyResult<Vfs> {
    let mut vfs = Vfs::new();
    provider::add_all(&mut vfs)?;
    codec::add_all(&mut vfs)?;
    for (name, content) in assets.into_iter().flatten() {
        let Text(name) = name.extract()?;
        let bytes = match content.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => content.extract::<String>().map(String::into_bytes).or_else(|_| content.extract())?,
        };
        vfs.add_buffer(&name, bytes).map_err(|e| PyValueError::new_err(e.to_string()))?;
    }
    Ok(vfs)
}

fn compile(spec: &Spec, vfs: &Vfs) -> Result<kinetree_model::Model, Diagnostics> {
    spec.compile_with(Some(vfs))
}

/// The kind that Python calls an object of the reference's kind.
fn kind_name(object: ObjType) -> PyResult<&'static str> {
    table::kind_of(object).ok_or_else(|| gone("element"))
}
