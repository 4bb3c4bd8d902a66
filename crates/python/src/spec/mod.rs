//! `CoreSpec`: an editable model description. The Python class `MjSpec` and its elements are built on it.
//!
//! Elements are known by their kind and their index in the description; an index is never used again after a
//! deletion.

mod edit;
pub(crate) use edit::resolve_orientation;
mod preset;
mod table;
mod value;

use crate::args::Text;
use crate::call::{PyData, PyModel, check_pair};
use crate::errors::diagnosed;
use crate::lock::Brief;
use crate::model::{Loaded, away, reference_level};
use crate::{callbacks, formats, plugin, provider};
use kinetree_model::enums::ObjType;
use kinetree_model::{Model, checkpoint};
use kinetree_spec::spec::{BodyId, Key};
use kinetree_spec::{Diagnostics, Loader, MigrateError, MigrationNote, Spec, StateLayout, Vfs};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use table::{gone, no_such};
use value::Given;

/// A description with what is remembered about it.
#[derive(Default)]
struct State {
    spec: Spec,
    /// Indices of named elements by kind; `None` until it is needed.
    names: Option<HashMap<&'static str, HashMap<String, usize>>>,
    /// Which elements the state of the model compiled last belongs to.
    layout: Option<StateLayout>,
    /// Signature of that model.
    compiled: Option<u64>,
    /// Keyframes of attached parts, as that model has them.
    attached_keys: Vec<Key>,
}

impl State {
    fn new(spec: Spec) -> Self {
        State { spec, ..State::default() }
    }

    /// Indices of named elements of a kind.
    fn names_of(&mut self, kind: &'static str) -> &mut HashMap<String, usize> {
        let index = self.names.get_or_insert_default();
        index.entry(kind).or_insert_with(|| {
            // of two elements with one name, the first one is found
            let mut list = table::names(&self.spec, kind);
            list.reverse();
            list.into_iter().filter(|(name, _)| !name.is_empty()).collect()
        })
    }

    /// Index of a named element.
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

    /// What is wrong with a description, in the form that programs know: the cause, then the element.
    fn compile_error(&mut self, found: &Diagnostics) -> PyErr {
        if found.lack_memory() {
            return diagnosed(found);
        }
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
                && let Ok(order) = order(&self.spec, kind)
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
    state: Brief<State>,
}

impl CoreSpec {
    /// A copy of the description as it is now.
    pub(crate) fn spec_now(&self) -> Spec {
        self.state.with(|state| state.spec.clone())
    }

    /// Remembers what the description was compiled to last.
    fn remember(&self, spec: &Spec, model: &Model) {
        let (layout, compiled) = (Some(StateLayout::of(spec)), Some(model.signature()));
        let attached_keys =
            if spec.attached_keys.is_empty() { Vec::new() } else { spec.attached_keyframes(model) };
        self.state.with(|state| {
            (state.layout, state.compiled, state.attached_keys) = (layout, compiled, attached_keys);
        });
    }
}

/// Indices of all elements of a kind: those of the tree body by body, parents first, as in the model.
fn order(spec: &Spec, kind: &str) -> PyResult<Vec<usize>> {
    order_among(spec, &spec.subtree(spec.world()), kind)
}

/// As `order`, where the bodies in their order are known.
fn order_among(spec: &Spec, bodies: &[BodyId], kind: &str) -> PyResult<Vec<usize>> {
    macro_rules! in_tree {
        ($list:ident) => {
            bodies.iter().flat_map(|&b| spec.bodies[b].$list.iter().map(|id| id.index())).collect()
        };
    }
    Ok(match kind {
        "body" => bodies.iter().map(|id| id.index()).collect(),
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
fn signature(spec: &Spec) -> PyResult<u64> {
    let mut hasher = DefaultHasher::new();
    let bodies = spec.subtree(spec.world());
    for &kind in table::KINDS {
        checkpoint();
        order_among(spec, &bodies, kind)?.hash(&mut hasher);
        checkpoint();
        table::names(spec, kind).hash(&mut hasher);
    }
    Ok(hasher.finish())
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
    #[pyo3(signature = (xml=None, path=None, assets=None, content_type=None, reference=None))]
    fn new(
        py: Python<'_>,
        xml: Option<Text>,
        path: Option<Text>,
        assets: Option<&Bound<'_, PyDict>>,
        content_type: Option<Text>,
        reference: Option<&str>,
    ) -> PyResult<Self> {
        let content_type = content_type.map_or_else(String::new, |text| text.0);
        let (vfs, reference) = (asset_files(assets)?, reference_level(reference)?);
        let loader = Loader::default().files(&vfs).reference(reference);
        let spec = away(py, || match (xml, path) {
            (Some(xml), _) => loader.spec_from_string(&xml.0),
            (None, Some(path)) => loader.spec_of_type(&path.0, &content_type),
            (None, None) => Ok(Spec::at(reference)),
        });
        let spec = spec?.map_err(|found| diagnosed(&found))?;
        callbacks::tell_findings(py, &spec.warnings)?;
        Ok(Self { state: Brief::new(State::new(spec)) })
    }

    /// The version of MuJoCo whose meaning the description has: "3.8" or "4.0".
    #[getter]
    fn reference(&self) -> &'static str {
        self.state.with(|state| state.spec.reference().name())
    }

    /// Compiles the description as it is now. Returns the model and the signature of the description.
    #[pyo3(signature = (assets=None))]
    fn _compile(&self, py: Python<'_>, assets: Option<&Bound<'_, PyDict>>) -> PyResult<(Loaded, u64)> {
        let vfs = asset_files(assets)?;
        let spec = {
            let registry = plugin::registry();
            let (spec, _previous) = self.state.with(|state| {
                let previous = std::mem::replace(&mut state.spec.registry, registry);
                (state.spec.clone(), previous)
            });
            spec
        };
        // a copy of a large description takes a while
        py.check_signals()?;
        let signature = away(py, || signature(&spec))??;
        match away(py, || spec.compile_with(Some(&vfs)))? {
            Ok(model) => {
                self.remember(&spec, &model);
                Ok((Loaded::new(model), signature))
            }
            Err(found) => Err(self.state.with(|state| state.compile_error(&found))),
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
        let (spec, layout) = {
            let registry = plugin::registry();
            let (spec, layout, compiled, _previous) = self.state.with(|state| {
                let previous = std::mem::replace(&mut state.spec.registry, registry);
                (state.spec.clone(), state.layout.clone(), state.compiled, previous)
            });
            // a description that was not compiled yet is that of the model
            let layout = layout.unwrap_or_else(|| StateLayout::of(&spec));
            if compiled.is_some_and(|compiled| compiled != m.get().signature) {
                return Err(PyValueError::new_err("the model does not come from this description"));
            }
            (spec, layout)
        };
        py.check_signals()?;
        let signature = away(py, || signature(&spec))??;
        check_pair(m.get(), d.get())?;
        let result = {
            let (model, data) = (m.get().read()?, d.get().read(py)?);
            let (model, data) = (&*model, &*data);
            // without the interpreter lock: threads that load assets may call Python
            away(py, || spec.recompile(&layout, model, data, Some(&vfs)))?
        };
        let (model, data) = match result {
            Ok(pair) => pair,
            Err(kinetree_spec::RecompileError::Compile(found)) => {
                return Err(self.state.with(|state| state.compile_error(&found)));
            }
            Err(other) => return Err(PyValueError::new_err(other.to_string())),
        };
        self.remember(&spec, &model);
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
        let spec = self.spec_now();
        let text = away(py, || match folder {
            Some(Text(folder)) => spec.to_xml_in(&folder, Some(&vfs)),
            None => spec.to_xml_with(Some(&vfs)),
        });
        text?.map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// A copy.
    fn _clone(&self) -> Self {
        let copy = self.state.with(|state| State {
            spec: state.spec.clone(),
            names: None,
            layout: state.layout.clone(),
            compiled: state.compiled,
            attached_keys: state.attached_keys.clone(),
        });
        Self { state: Brief::new(copy) }
    }

    /// The same physics at another level: the description, and kind, element and text of each note.
    /// Differences are an error unless they are allowed.
    #[pyo3(signature = (reference, allow_differences, assets=None))]
    fn _migrate(
        &self,
        py: Python<'_>,
        reference: &str,
        allow_differences: bool,
        assets: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Self, Vec<(String, String, String)>)> {
        let (vfs, to) = (asset_files(assets)?, reference_level(Some(reference))?);
        let mut spec = self.spec_now();
        spec.registry = plugin::registry();
        let migration = match away(py, || spec.migrate_with(to, Some(&vfs)))? {
            Err(MigrateError::Differs(found)) if allow_differences => *found,
            Err(MigrateError::Compile(found)) => return Err(diagnosed(&found)),
            other => other.map_err(|error| PyValueError::new_err(error.to_string()))?,
        };
        let note = |note: MigrationNote| (note.kind.to_string(), note.element, note.text);
        let notes = migration.notes.into_iter().map(note).collect();
        Ok((Self { state: Brief::new(State::new(migration.spec)) }, notes))
    }

    /// Becomes a copy of another description.
    fn _take(&self, other: Bound<'_, CoreSpec>) {
        let copy = other.get()._clone();
        let copy = copy.state.into_inner();
        drop(self.state.with(|state| std::mem::replace(state, copy)));
    }

    /// Address of the description, to tell objects apart.
    #[getter]
    fn _address(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    /// Keyframes of attached parts, as the model compiled last has them: name, time, `qpos`, `qvel`, `act`,
    /// `ctrl`, `mpos` and `mquat`.
    #[allow(clippy::type_complexity)] // a row of plain values, unpacked at once
    fn _attached_keys(&self) -> Vec<(String, f64, [Vec<f64>; 6])> {
        let keys = self.state.with(|state| state.attached_keys.clone());
        keys.into_iter()
            .map(|key| (key.name, key.time, [key.qpos, key.qvel, key.act, key.ctrl, key.mpos, key.mquat]))
            .collect()
    }

    /// Hash of which elements there are and what they are called.
    fn _signature(&self) -> PyResult<u64> {
        self.state.with(|state| signature(&state.spec))
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
        let value = self.state.with(|state| table::read(&mut state.spec, kind, id, name))?;
        value.into_python(py)
    }

    /// Sets a field of an element.
    fn _set(&self, kind: &str, id: usize, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Given::from_python(value)?;
        self.state.with(|state| {
            if name == "name" && table::KINDS.contains(&kind) {
                return state.rename(known_kind(kind)?, id, &value);
            }
            table::write(&mut state.spec, kind, id, name, &value)
        })
    }

    /// Whether an element exists.
    fn _exists(&self, kind: &str, id: usize) -> bool {
        self.state.with(|state| table::with_element(&mut state.spec, kind, id, |_| ()).is_ok())
    }

    /// Index of a named element.
    fn _find(&self, kind: &str, name: &str) -> PyResult<Option<usize>> {
        let kind = known_kind(kind)?;
        Ok(self.state.with(|state| state.find(kind, name)))
    }

    /// Indices of all elements of a kind.
    fn _all(&self, kind: &str) -> PyResult<Vec<usize>> {
        self.state.with(|state| order(&state.spec, kind))
    }

    /// Number of an element in the compiled model; -1 when it does not exist.
    fn _number(&self, kind: &str, id: usize) -> PyResult<i64> {
        let order = self._all(kind)?;
        Ok(order.iter().position(|&other| other == id).map_or(-1, |number| number as i64))
    }

    /// The default class of an element.
    fn _class(&self, kind: &str, id: usize) -> PyResult<String> {
        let class = self.state.with(|state| {
            table::with_element(&mut state.spec, kind, id, |element| element.class().to_owned())
        })?;
        Ok(if class.is_empty() { "main".to_owned() } else { class })
    }

    /// Changes the default class of an element; its values stay.
    fn _set_class(&self, kind: &str, id: usize, class: Text) -> PyResult<()> {
        self.state.with(|state| {
            table::with_element(&mut state.spec, kind, id, |element| element.set_class(&class.0))
        })
    }

    /// Which compiler settings apply to an element.
    fn _compiler(&self, kind: &str, id: usize) -> PyResult<usize> {
        self.state.with(|state| table::with_element(&mut state.spec, kind, id, |element| element.compiler()))
    }
}

/// Virtual files made of a dictionary from names to contents. Unlike for models, folders in names count, so
/// that two files may have the same last part.
fn asset_files(assets: Option<&Bound<'_, PyDict>>) -> PyResult<Vfs> {
    let mut vfs = Vfs::new();
    provider::add_all(&mut vfs)?;
    formats::add_all(&mut vfs)?;
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

/// The kind that Python calls an object of the reference's kind.
fn kind_name(object: ObjType) -> PyResult<&'static str> {
    table::kind_of(object).ok_or_else(|| gone("element"))
}
