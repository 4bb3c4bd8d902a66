//! `CoreModel`: the compiled model that the Python class `MjModel` extends.

use crate::args::Text;
use crate::callbacks;
use crate::errors::{claim, diagnosed, fatal};
use crate::fields::{fill, shapes};
use crate::lock::Brief;
use crate::memory::{ModelViews, Reader, Shared};
use crate::panics::guarded;
use crate::signals::{raise_kept, watched};
use crate::{formats, plugin, provider};
use kinetree_model::enums::ObjType;
use kinetree_model::{
    FieldSlice, Model, Reference, Sizes, UnknownReference, ViewedIntegers, mj_id2name, mj_name2id,
    name_addresses,
};
use kinetree_spec::{Diagnostics, Loader, Spec, Vfs};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// About what a model takes besides its arrays: itself, and the place and shape of each of them for views.
const BYTES_BESIDES: usize = size_of::<Model>() + (64 << 10);

/// A model on its way into a `CoreModel`.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct Loaded(Brief<Option<Model>>);

impl Loaded {
    pub(crate) fn new(model: Model) -> Self {
        Self(Brief::new(Some(model)))
    }
}

/// A compiled model.
#[pyclass(frozen, subclass, weakref, module = "kinetree._core")]
pub(crate) struct CoreModel {
    model: Arc<Shared<Model>>,
    /// whether an edit has panicked half way, and none has succeeded since
    broken: AtomicBool,
    integers: ViewedIntegers,
    views: ModelViews,
    /// the model's signature
    pub(crate) signature: u64,
}

impl CoreModel {
    /// Shared access; an error while an edit is going on, or after one that failed half way.
    pub(crate) fn read(&self) -> PyResult<Reader<'_, Model>> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(fatal(
                "a change of this model has failed half way; run mj_setConst again, or load it again",
            ));
        }
        self.model.read()
    }

    /// An error when a program has written something to the model that is no index.
    pub(crate) fn check_indices(&self) -> PyResult<()> {
        self.integers.check(&*self.read()?).map_err(fatal)
    }

    /// Shared access to a model whose indices are indices.
    pub(crate) fn sound(&self) -> PyResult<Reader<'_, Model>> {
        self.check_indices()?;
        self.read()
    }

    /// Shared access, also to a model in which an edit has failed half way.
    pub(crate) fn unchecked(&self) -> PyResult<Reader<'_, Model>> {
        self.model.read()
    }

    /// As [`Self::check_indices`], also for a model in which an edit has failed half way.
    pub(crate) fn check_edited_indices(&self) -> PyResult<()> {
        self.integers.check(&*self.unchecked()?).map_err(fatal)
    }

    /// Changes the model; an error when somebody uses it, or when the change panics.
    pub(crate) fn edit<R>(&self, change: impl FnOnce(&mut Model) -> R) -> PyResult<R> {
        self.model.with(|model| {
            let result = guarded(|| change(model));
            self.broken.store(result.is_err(), Ordering::Relaxed);
            result
        })?
    }
}

#[pymethods]
impl CoreModel {
    #[new]
    fn new(py: Python<'_>, loaded: &Loaded) -> PyResult<Self> {
        claim("a model", BYTES_BESIDES)?;
        let model = loaded.0.with(Option::take);
        let mut model = model.ok_or_else(|| PyValueError::new_err("this model was taken already"))?;
        model.callbacks = callbacks::hooks();
        if model.plugins.len() != model.nplugin {
            model.bind_plugins(&plugin::registry()).map_err(|e| PyValueError::new_err(e.to_string()))?;
        }
        kinetree_sim::install_pipeline(&mut model);
        let signature = model.signature();
        let model = Shared::new(model);
        let views = ModelViews::new(py, &model, shapes)?;
        Ok(Self {
            model,
            broken: AtomicBool::new(false),
            integers: ViewedIntegers::default(),
            views,
            signature,
        })
    }

    /// A copy on its way into a new object.
    fn _clone(&self) -> PyResult<Loaded> {
        let model = self.read()?;
        claim("a copy of the model", model.sizes().model_bytes())?;
        Ok(Loaded::new(model.clone()))
    }

    /// The model as a binary file image.
    fn _to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        claim("the bytes of a model", self.read()?.sizes().model_bytes().saturating_mul(2))?;
        Ok(PyBytes::new(py, &self.read()?.to_bytes()))
    }

    /// Sizes by name.
    fn _sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.read()?.sizes().iter() {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// Names of all arrays, in order.
    fn _array_names(&self) -> PyResult<Vec<&'static str>> {
        Ok(self.unchecked()?.fields().iter().map(|field| field.name).collect())
    }

    /// A writable view of an array. What is written to one of integers is checked before each call from now
    /// on.
    fn _array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let missing = || PyKeyError::new_err(name.to_owned());
        let model = self.unchecked()?;
        let fields = model.fields();
        let place = fields.iter().position(|field| field.name == name).ok_or_else(missing)?;
        if matches!(fields[place].data, FieldSlice::I32(_)) {
            self.integers.add(&model, place);
        }
        self.views.array(py, place).ok_or_else(missing)
    }

    /// Writable views of the options: one dictionary for each of `opt`, `stat` and the groups of `vis`.
    fn _options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.views.options(py)
    }

    /// A number that tells which data fit this model.
    #[getter(signature)]
    fn get_signature(&self) -> u64 {
        self.signature
    }

    /// The version of MuJoCo whose meaning the model has: "3.8" or "4.0".
    #[getter]
    fn reference(&self) -> PyResult<&'static str> {
        Ok(self.read()?.reference().name())
    }

    /// Address of the memory, to tell objects apart.
    #[getter]
    fn _address(&self) -> usize {
        Arc::as_ptr(&self.model) as usize
    }

    /// Id of a named element; -1 when there is none.
    pub(crate) fn _name2id(&self, kind: i32, name: &str) -> PyResult<i32> {
        let kind = ObjType::try_from(kind).unwrap_or(ObjType::Unknown);
        let model = self.read()?;
        guarded(|| mj_name2id(&model, kind, name).map_or(-1, |id| id as i32))
    }

    /// Name of an element; None when it has none.
    pub(crate) fn _id2name(&self, kind: i32, id: i64) -> PyResult<Option<String>> {
        let (Ok(kind), Ok(id)) = (ObjType::try_from(kind), usize::try_from(id)) else { return Ok(None) };
        let model = self.read()?;
        guarded(|| mj_id2name(&model, kind, id).map(str::to_owned))
    }

    /// Number of elements of a kind.
    fn _count(&self, kind: i32) -> PyResult<usize> {
        let kind = ObjType::try_from(kind).unwrap_or(ObjType::Unknown);
        Ok(name_addresses(&*self.read()?, kind).map_or(0, <[i32]>::len))
    }
}

/// Virtual files made of a dictionary from names to bytes. Folders in names do not count, as with the
/// reference.
pub(crate) fn assets_vfs(assets: Option<&Bound<'_, PyDict>>) -> PyResult<Vfs> {
    let mut vfs = Vfs::new();
    provider::add_all(&mut vfs)?;
    formats::add_all(&mut vfs)?;
    for (name, bytes) in assets.into_iter().flatten() {
        let Text(name) = name.extract()?;
        let bytes = match bytes.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => bytes.extract::<String>().map(String::into_bytes).or_else(|_| bytes.extract())?,
        };
        let short = name.rsplit(['/', '\\']).next().unwrap_or(&name);
        if vfs.contains(short) {
            return Err(PyValueError::new_err(format!("Repeated file name in assets dict: {short}")));
        }
        vfs.add_buffer(short, bytes).map_err(|e| PyValueError::new_err(e.to_string()))?;
    }
    Ok(vfs)
}

/// Compiles the description that `read` reads with the plugins of the process, and tells what was found in
/// it.
fn compile(
    py: Python<'_>,
    vfs: &Vfs,
    read: impl FnOnce() -> Result<Spec, Diagnostics> + Send,
) -> PyResult<Loaded> {
    let compiled = away(py, || {
        let mut spec = read()?;
        spec.registry = plugin::registry();
        Ok((spec.compile_with(Some(vfs))?, std::mem::take(&mut spec.warnings)))
    })?;
    let (model, findings) = compiled.map_err(|found: Diagnostics| diagnosed(&found))?;
    callbacks::tell_findings(py, &findings)?;
    Ok(Loaded::new(model))
}

/// Runs work that needs nothing of the interpreter without its lock, until a signal handler raises an
/// exception.
pub(crate) fn away<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    raise_kept(py.detach(|| watched(|| guarded(work))).flatten())
}

/// The reference level of a name, that of version 3.8 without one.
pub(crate) fn reference_level(name: Option<&str>) -> PyResult<Reference> {
    name.map_or(Ok(Reference::default()), str::parse)
        .map_err(|unknown: UnknownReference| PyValueError::new_err(unknown.to_string()))
}

/// Compiles MJCF or URDF text.
#[pyfunction]
#[pyo3(signature = (xml, assets=None, reference=None))]
pub(crate) fn load_xml_string(
    py: Python<'_>,
    xml: &str,
    assets: Option<&Bound<'_, PyDict>>,
    reference: Option<&str>,
) -> PyResult<Loaded> {
    let (vfs, reference) = (assets_vfs(assets)?, reference_level(reference)?);
    compile(py, &vfs, || Loader::default().files(&vfs).reference(reference).spec_from_string(xml))
}

/// Compiles an MJCF or URDF file.
#[pyfunction]
#[pyo3(signature = (path, assets=None, reference=None))]
pub(crate) fn load_xml_path(
    py: Python<'_>,
    path: &str,
    assets: Option<&Bound<'_, PyDict>>,
    reference: Option<&str>,
) -> PyResult<Loaded> {
    let (vfs, reference) = (assets_vfs(assets)?, reference_level(reference)?);
    compile(py, &vfs, || Loader::default().files(&vfs).reference(reference).spec(path))
}

/// Reads a binary model.
#[pyfunction]
pub(crate) fn load_bytes(bytes: &[u8]) -> PyResult<Loaded> {
    let model = raise_kept(guarded(|| kinetree_spec::load_binary_with(bytes, &plugin::registry())))?;
    model.map(Loaded::new).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// An empty model of the given sizes; those not named are zero.
#[pyfunction]
pub(crate) fn load_sizes(sizes: &Bound<'_, PyDict>) -> PyResult<Loaded> {
    Ok(Loaded::new(with_sizes(sizes)?))
}

/// A model of zeros.
fn with_sizes(sizes: &Bound<'_, PyDict>) -> PyResult<Model> {
    let sizes = read_sizes(sizes)?;
    claim("a model of these sizes", sizes.model_bytes())?;
    Ok(Model::with_sizes(sizes))
}

fn read_sizes(sizes: &Bound<'_, PyDict>) -> PyResult<Sizes> {
    let mut s = Sizes::default();
    for (name, value) in sizes {
        let name: String = name.extract()?;
        s.set(&name, value.extract()?).ok_or_else(|| PyValueError::new_err(name))?;
    }
    Ok(s)
}

/// Builds a model from sizes, options and arrays, all flat.
#[pyfunction]
pub(crate) fn load_parts(
    name: String,
    sizes: &Bound<'_, PyDict>,
    opt: &Bound<'_, PyDict>,
    stat: &Bound<'_, PyDict>,
    vis: &Bound<'_, PyDict>,
    arrays: &Bound<'_, PyDict>,
) -> PyResult<Loaded> {
    let mut model = with_sizes(sizes)?;
    model.modelname = name;
    fill(model.opt.fields_mut(), opt)?;
    fill(model.stat.fields_mut(), stat)?;
    for (group, fields) in model.vis.groups_mut() {
        let values = vis.get_item(group)?.ok_or_else(|| PyKeyError::new_err(group))?;
        fill(fields, values.cast::<PyDict>()?)?;
    }
    fill(model.fields_mut(), arrays)?;
    Ok(Loaded::new(model))
}
