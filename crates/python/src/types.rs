//! The owners of memory: `CoreModel` and `CoreData`.

use crate::fields::{assign, field_view};
use crate::memory::Shared;
use kinetree_model::{Contact, Data, Field, FieldMut, Model, Sizes};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A compiled model.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreModel {
    pub(crate) model: Shared<Model>,
}

/// Drops trailing ones of a shape, except the first.
fn numpy_shape(shape: [usize; 3]) -> Vec<usize> {
    let mut s = shape.to_vec();
    while s.len() > 1 && s.last() == Some(&1) {
        s.pop();
    }
    s
}

/// Views of all fields by name.
fn views<'py>(
    py: Python<'py>,
    fields: Vec<FieldMut<'_>>,
    shapes: &[Vec<usize>],
    owner: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (field, shape) in fields.into_iter().zip(shapes) {
        dict.set_item(field.name, field_view(field, shape, owner.clone()))?;
    }
    Ok(dict)
}

fn shapes(fields: &[Field<'_>]) -> Vec<Vec<usize>> {
    fields.iter().map(|f| numpy_shape(f.shape)).collect()
}

fn fill(fields: Vec<FieldMut<'_>>, values: &Bound<'_, PyDict>) -> PyResult<()> {
    for field in fields {
        let value = values.get_item(field.name)?.ok_or_else(|| PyKeyError::new_err(field.name))?;
        assign(field, &value)?;
    }
    Ok(())
}

#[pymethods]
impl CoreModel {
    /// Builds a model from sizes, options and arrays, all flat.
    #[staticmethod]
    fn from_parts(
        name: String,
        sizes: &Bound<'_, PyDict>,
        opt: &Bound<'_, PyDict>,
        stat: &Bound<'_, PyDict>,
        vis: &Bound<'_, PyDict>,
        arrays: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let mut s = Sizes::default();
        for &size in Sizes::NAMES {
            let value = sizes.get_item(size)?.ok_or_else(|| PyKeyError::new_err(size))?;
            s.set(size, value.extract()?).ok_or_else(|| PyValueError::new_err(size))?;
        }
        let mut model = Model::with_sizes(s);
        model.modelname = name;
        fill(model.opt.fields_mut(), opt)?;
        fill(model.stat.fields_mut(), stat)?;
        for (group, fields) in model.vis.groups_mut() {
            let values = vis.get_item(group)?.ok_or_else(|| PyKeyError::new_err(group))?;
            fill(fields, values.cast::<PyDict>()?)?;
        }
        fill(model.fields_mut(), arrays)?;
        Ok(Self { model: Shared::new(model) })
    }

    /// An empty model of the given sizes; those not named are zero.
    #[staticmethod]
    fn with_sizes(sizes: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut s = Sizes::default();
        for (name, value) in sizes {
            let name: String = name.extract()?;
            s.set(&name, value.extract()?).ok_or_else(|| PyValueError::new_err(name))?;
        }
        Ok(Self { model: Shared::new(Model::with_sizes(s)) })
    }

    /// Reads a binary model.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let model = Model::from_bytes(bytes).map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(Self { model: Shared::new(model) })
    }

    /// Writes a binary model.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.model.with(|m| m.to_bytes())?))
    }

    /// Sizes by name.
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.model.read().sizes.iter() {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// Writable views of all arrays by name.
    fn arrays<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        slf.get().model.with(|m| {
            let shapes = shapes(&m.fields());
            views(slf.py(), m.fields_mut(), &shapes, slf.as_any())
        })?
    }

    /// Writable views of the options: one dictionary for each of `opt`, `stat` and the groups of `vis`.
    fn options<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let py = slf.py();
        slf.get().model.with(|m| {
            let dict = PyDict::new(py);
            let s = shapes(&m.opt.fields());
            dict.set_item("opt", views(py, m.opt.fields_mut(), &s, slf.as_any())?)?;
            let s = shapes(&m.stat.fields());
            dict.set_item("stat", views(py, m.stat.fields_mut(), &s, slf.as_any())?)?;
            let s: Vec<_> = m.vis.groups().iter().map(|(_, f)| shapes(f)).collect();
            for ((group, fields), s) in m.vis.groups_mut().into_iter().zip(&s) {
                dict.set_item(group, views(py, fields, s, slf.as_any())?)?;
            }
            Ok(dict)
        })?
    }
}

/// One world.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreData {
    pub(crate) data: Shared<Data>,
}

#[pymethods]
impl CoreData {
    #[new]
    fn new(model: &CoreModel) -> PyResult<Self> {
        Ok(Self { data: Shared::new(Data::new(model.model.read())) })
    }

    /// Writable views of all arrays by name. Those of dynamic arrays are valid until the next call that changes them.
    fn arrays<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        slf.get().data.with(|d| {
            let shapes = shapes(&d.fields());
            views(slf.py(), d.fields_mut(), &shapes, slf.as_any())
        })?
    }

    /// Sets a dynamic array, its length included.
    fn set_dynamic(&self, name: &str, value: &Bound<'_, PyAny>, rows: usize) -> PyResult<()> {
        self.data.with(|d| {
            if !d.resize_dynamic(name, rows) {
                return Err(PyKeyError::new_err(name.to_string()));
            }
            match d.fields_mut().into_iter().find(|f| f.name == name) {
                Some(field) => assign(field, value),
                None => Err(PyKeyError::new_err(name.to_string())),
            }
        })?
    }

    /// Counts, flags and time by name.
    fn scalars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.data.with(|d| {
            let dict = PyDict::new(py);
            dict.set_item("time", d.time)?;
            dict.set_item("energy", d.energy.to_vec())?;
            for (name, value) in [
                ("ncon", d.ncon),
                ("ne", d.ne),
                ("nf", d.nf),
                ("nl", d.nl),
                ("nefc", d.nefc),
                ("nJ", d.nJ),
                ("nA", d.nA),
                ("nisland", d.nisland),
                ("nidof", d.nidof),
                ("nv_awake", d.nv_awake),
                ("nbody_awake", d.nbody_awake),
                ("ntree_awake", d.ntree_awake),
            ] {
                dict.set_item(name, value)?;
            }
            dict.set_item("solver_niter", d.solver_niter.to_vec())?;
            dict.set_item("solver_fwdinv", d.solver_fwdinv.to_vec())?;
            dict.set_item("warning", d.warning.iter().map(|w| (w.lastinfo, w.number)).collect::<Vec<_>>())?;
            Ok(dict)
        })?
    }

    /// Sets time or a count by name.
    fn set_scalar(&self, name: &str, value: f64) -> PyResult<()> {
        self.data.with(|d| {
            let n = value as usize;
            match name {
                "time" => d.time = value,
                "ncon" => d.ncon = n,
                "ne" => d.ne = n,
                "nf" => d.nf = n,
                "nl" => d.nl = n,
                "nefc" => d.nefc = n,
                "nJ" => d.nJ = n,
                "nA" => d.nA = n,
                "nisland" => d.nisland = n,
                "nidof" => d.nidof = n,
                _ => return Err(PyKeyError::new_err(name.to_string())),
            }
            Ok(())
        })?
    }

    /// All contacts as dictionaries.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.data.with(|d| d.contact.iter().map(|c| contact_dict(py, c)).collect())?
    }

    /// Replaces the contact list.
    #[allow(clippy::needless_pass_by_value)] // a vector is what Python lists become
    fn set_contacts(&self, contacts: Vec<Bound<'_, PyDict>>) -> PyResult<()> {
        let list = contacts.iter().map(contact_from_dict).collect::<PyResult<Vec<_>>>()?;
        self.data.with(|d| {
            d.ncon = list.len();
            d.contact = list;
        })
    }
}

fn contact_dict<'py>(py: Python<'py>, c: &Contact) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("dist", c.dist)?;
    dict.set_item("pos", c.pos)?;
    dict.set_item("frame", c.frame)?;
    dict.set_item("includemargin", c.includemargin)?;
    dict.set_item("friction", c.friction)?;
    dict.set_item("solref", c.solref)?;
    dict.set_item("solreffriction", c.solreffriction)?;
    dict.set_item("solimp", c.solimp)?;
    dict.set_item("mu", c.mu)?;
    dict.set_item("H", c.H.to_vec())?;
    dict.set_item("dim", c.dim)?;
    dict.set_item("geom1", c.geom1)?;
    dict.set_item("geom2", c.geom2)?;
    dict.set_item("exclude", c.exclude)?;
    dict.set_item("efc_address", c.efc_address)?;
    Ok(dict)
}

fn contact_from_dict(dict: &Bound<'_, PyDict>) -> PyResult<Contact> {
    fn get<'py, T: for<'a> FromPyObject<'a, 'py>>(dict: &Bound<'py, PyDict>, name: &str) -> PyResult<T> {
        let value = dict.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name.to_string()))?;
        value.extract().map_err(Into::into)
    }
    let mut c = Contact {
        dist: get(dict, "dist")?,
        pos: get(dict, "pos")?,
        frame: get(dict, "frame")?,
        includemargin: get(dict, "includemargin")?,
        friction: get(dict, "friction")?,
        solref: get(dict, "solref")?,
        solreffriction: get(dict, "solreffriction")?,
        solimp: get(dict, "solimp")?,
        mu: get(dict, "mu")?,
        dim: get(dict, "dim")?,
        geom1: get(dict, "geom1")?,
        geom2: get(dict, "geom2")?,
        exclude: get(dict, "exclude")?,
        efc_address: get(dict, "efc_address")?,
        ..Contact::default()
    };
    c.geom = [c.geom1, c.geom2];
    Ok(c)
}
