//! `CoreSpec`: an editable model description. The Python class `MjSpec` and its elements are built on it.
//!
//! Elements are known by their kind and their place in the description; a place is never used again after a deletion. Each
//! field is read and written by its name through one table, so that an unknown name is an error that says so.

use crate::args::{Text, Values};
use crate::call::guarded;
use crate::model::{Loaded, assets_vfs};
use kinetree_model::enums::{GeomType, JointType, SleepPolicy};
use kinetree_spec::spec::{Body, BodyId, Camera, Geom, Id, Joint, Light, Limited, Site};
use kinetree_spec::{Spec, Vfs};
use numpy::PyArray1;
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A value on its way between Python and a field. Python objects are read and made while no lock is held.
enum Given {
    Text(String),
    Integer(i64),
    Number(f64),
    Vector(Vec<f64>),
}

impl Given {
    fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(Text(text)) = value.extract() {
            return Ok(Self::Text(text));
        }
        if let Ok(integer) = value.extract() {
            return Ok(Self::Integer(integer));
        }
        match value.extract() {
            Ok(number) => Ok(Self::Number(number)),
            Err(_) => Ok(Self::Vector(value.extract::<Values>()?.values)),
        }
    }

    /// Vectors are read-only copies: they are changed by assignment.
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Self::Text(text) => text.into_pyobject(py)?.into_any(),
            Self::Integer(integer) => integer.into_pyobject(py)?.into_any(),
            Self::Number(number) => number.into_pyobject(py)?.into_any(),
            Self::Vector(values) => {
                let array = PyArray1::from_vec(py, values).into_any();
                array.call_method1("setflags", (false,))?;
                array
            }
        })
    }

    fn number(&self) -> PyResult<f64> {
        match self {
            Self::Integer(integer) => Ok(*integer as f64),
            Self::Number(number) => Ok(*number),
            Self::Text(_) | Self::Vector(_) => Err(PyTypeError::new_err("a number is expected")),
        }
    }

    fn integer(&self) -> PyResult<i32> {
        match self {
            Self::Integer(integer) => Ok(i32::try_from(*integer)?),
            _ => Err(PyTypeError::new_err("an integer is expected")),
        }
    }

    fn vector(&self) -> PyResult<Vec<f64>> {
        match self {
            Self::Vector(values) => Ok(values.clone()),
            _ => Ok(vec![self.number()?]),
        }
    }
}

/// A field of an element.
trait FieldValue {
    fn read(&self) -> Given;
    fn write(&mut self, value: &Given) -> PyResult<()>;
}

impl FieldValue for String {
    fn read(&self) -> Given {
        Given::Text(self.clone())
    }

    fn write(&mut self, value: &Given) -> PyResult<()> {
        let Given::Text(text) = value else { return Err(PyTypeError::new_err("a string is expected")) };
        self.clone_from(text);
        Ok(())
    }
}

impl FieldValue for f64 {
    fn read(&self) -> Given {
        Given::Number(*self)
    }

    fn write(&mut self, value: &Given) -> PyResult<()> {
        *self = value.number()?;
        Ok(())
    }
}

impl FieldValue for i32 {
    fn read(&self) -> Given {
        Given::Integer(i64::from(*self))
    }

    fn write(&mut self, value: &Given) -> PyResult<()> {
        *self = value.integer()?;
        Ok(())
    }
}

impl FieldValue for bool {
    fn read(&self) -> Given {
        Given::Integer(i64::from(*self))
    }

    fn write(&mut self, value: &Given) -> PyResult<()> {
        *self = value.integer()? != 0;
        Ok(())
    }
}

impl<const N: usize> FieldValue for [f64; N] {
    fn read(&self) -> Given {
        Given::Vector(self.to_vec())
    }

    fn write(&mut self, value: &Given) -> PyResult<()> {
        let values = value.vector()?;
        let count = values.len();
        // as in a file, values at the end may be left out
        let target = self
            .get_mut(..count)
            .ok_or_else(|| PyValueError::new_err(format!("{count} values for a vector of {N}")))?;
        target.copy_from_slice(&values);
        Ok(())
    }
}

impl<const N: usize> FieldValue for [f32; N] {
    fn read(&self) -> Given {
        self.map(f64::from).read()
    }

    fn write(&mut self, value: &Given) -> PyResult<()> {
        let mut wide = self.map(f64::from);
        wide.write(value)?;
        *self = wide.map(|x| x as f32);
        Ok(())
    }
}

impl FieldValue for Vec<f64> {
    fn read(&self) -> Given {
        Given::Vector(self.clone())
    }

    fn write(&mut self, value: &Given) -> PyResult<()> {
        *self = value.vector()?;
        Ok(())
    }
}

macro_rules! enum_values {
    ($( $t:ty ),*) => { $(
        impl FieldValue for $t {
            fn read(&self) -> Given {
                Given::Integer(*self as i64)
            }

            fn write(&mut self, value: &Given) -> PyResult<()> {
                *self = Self::try_from(value.integer()?).map_err(|e| PyValueError::new_err(e.to_string()))?;
                Ok(())
            }
        }
    )* };
}
enum_values!(GeomType, JointType, SleepPolicy);

impl FieldValue for Limited {
    fn read(&self) -> Given {
        Given::Integer(*self as i64)
    }

    fn write(&mut self, value: &Given) -> PyResult<()> {
        *self = match value.integer()? {
            0 => Self::False,
            1 => Self::True,
            2 => Self::Auto,
            other => return Err(PyValueError::new_err(format!("{other} is not 0, 1 or 2"))),
        };
        Ok(())
    }
}

/// Defines access to fields by kind of element and name.
macro_rules! elements {
    ($( $kind:literal $ty:ty, $arena:ident: $( $field:ident )*; )*) => {
        /// Names of the fields of a kind of element.
        fn field_names(kind: &str) -> Option<Vec<&'static str>> {
            match kind {
                $( $kind => Some(vec![$( stringify!($field).trim_start_matches("r#") ),*]), )*
                _ => None,
            }
        }

        /// Calls `f` with a field.
        fn with_field<R>(
            spec: &mut Spec,
            kind: &str,
            id: usize,
            name: &str,
            f: impl FnOnce(&mut dyn FieldValue) -> PyResult<R>,
        ) -> PyResult<R> {
            match kind {
                $( $kind => {
                    let element = spec.$arena.get_mut(Id::<$ty>::new(id)).ok_or_else(|| gone(kind))?;
                    $( if name == stringify!($field).trim_start_matches("r#") {
                        return f(&mut element.$field);
                    } )*
                } )*
                _ => {}
            }
            Err(PyAttributeError::new_err(format!("unsupported: field '{name}' of a {kind}")))
        }

        /// Places of all elements of a kind, in order.
        fn all(spec: &Spec, kind: &str) -> PyResult<Vec<usize>> {
            if kind == "body" {
                // as in the compiled model, parents come first
                return Ok(spec.subtree(spec.world()).iter().map(|id| id.index()).collect());
            }
            match kind {
                $( $kind => Ok(spec.$arena.ids().iter().map(|id| id.index()).collect()), )*
                _ => Err(no_such(kind)),
            }
        }
    };
}

elements! {
    "body" Body, bodies: name childclass pos quat mass ipos iquat inertia fullinertia mocap gravcomp sleep userdata
        explicitinertial;
    "geom" Geom, geoms: name r#type pos quat fromto size contype conaffinity condim priority friction solmix solref solimp
        margin gap mass density fluid_ellipsoid fluid_coefs material rgba group hfieldname meshname fitscale userdata;
    "joint" Joint, joints: name r#type pos axis r#ref stiffness springref springdamper limited range margin solref_limit
        solimp_limit actfrclimited actfrcrange armature damping frictionloss solref_friction solimp_friction group
        actgravcomp userdata;
    "site" Site, sites: name pos quat fromto size r#type material group rgba userdata;
    "camera" Camera, cameras: name pos quat targetbody fovy ipd intrinsic sensor_size userdata;
    "light" Light, lights: name pos dir targetbody active texture castshadow attenuation ambient diffuse specular;
}

fn gone(kind: &str) -> PyErr {
    PyValueError::new_err(format!("this {kind} was deleted"))
}

fn no_such(kind: &str) -> PyErr {
    PyTypeError::new_err(format!("unsupported: elements of kind '{kind}'"))
}

/// An editable model description.
#[pyclass(frozen, subclass, weakref, module = "kinetree._core")]
pub(crate) struct CoreSpec {
    spec: Mutex<Spec>,
    vfs: Vfs,
}

impl CoreSpec {
    fn lock(&self) -> MutexGuard<'_, Spec> {
        self.spec.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // arguments are made for the call
impl CoreSpec {
    /// An empty description, or one read from text or from a file.
    #[new]
    #[pyo3(signature = (xml=None, path=None, assets=None))]
    fn new(xml: Option<Text>, path: Option<Text>, assets: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let vfs = assets_vfs(assets)?;
        let spec = guarded(|| match (xml, path) {
            (Some(xml), _) => Spec::from_xml_string(&xml.0, Some(&vfs)),
            (None, Some(path)) => Spec::from_xml_file_in(&path.0, Some(&vfs)),
            (None, None) => Ok(Spec::new()),
        })?;
        let spec = Mutex::new(spec.map_err(|e| PyValueError::new_err(e.to_string()))?);
        Ok(Self { spec, vfs })
    }

    /// Compiles the description as it is now.
    fn _compile(&self, py: Python<'_>) -> PyResult<Loaded> {
        let spec = self.lock().clone();
        let model = guarded(|| py.detach(|| spec.compile_with(Some(&self.vfs))))?;
        model.map(Loaded::new).map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// A copy.
    fn _clone(&self) -> Self {
        Self { spec: Mutex::new(self.lock().clone()), vfs: self.vfs.clone() }
    }

    /// Name of the model.
    #[getter]
    fn modelname(&self) -> String {
        self.lock().modelname.clone()
    }

    #[setter]
    fn set_modelname(&self, name: Text) {
        self.lock().modelname = name.0;
    }

    /// Names of the fields of a kind of element.
    #[staticmethod]
    fn _field_names(kind: &str) -> PyResult<Vec<&'static str>> {
        field_names(kind).ok_or_else(|| no_such(kind))
    }

    /// A field of an element.
    fn _get<'py>(&self, py: Python<'py>, kind: &str, id: usize, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = with_field(&mut self.lock(), kind, id, name, |field| Ok(field.read()))?;
        value.into_python(py)
    }

    /// Sets a field of an element.
    fn _set(&self, kind: &str, id: usize, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Given::from_python(value)?;
        with_field(&mut self.lock(), kind, id, name, |field| field.write(&value))
    }

    /// Places of all elements of a kind.
    fn _all(&self, kind: &str) -> PyResult<Vec<usize>> {
        all(&self.lock(), kind)
    }

    /// Places of the elements of a kind that belong to a body.
    fn _children(&self, body: usize, kind: &str) -> PyResult<Vec<usize>> {
        let spec = self.lock();
        let body = spec.bodies.get(BodyId::new(body)).ok_or_else(|| gone("body"))?;
        Ok(match kind {
            "body" => body.bodies.iter().map(|id| id.index()).collect(),
            "joint" => body.joints.iter().map(|id| id.index()).collect(),
            "geom" => body.geoms.iter().map(|id| id.index()).collect(),
            "site" => body.sites.iter().map(|id| id.index()).collect(),
            "camera" => body.cameras.iter().map(|id| id.index()).collect(),
            "light" => body.lights.iter().map(|id| id.index()).collect(),
            _ => return Err(no_such(kind)),
        })
    }

    /// The body that an element belongs to; None for the world.
    fn _parent(&self, kind: &str, id: usize) -> PyResult<Option<usize>> {
        let spec = self.lock();
        let parent = match kind {
            "body" => {
                return Ok(spec.bodies.get(BodyId::new(id)).ok_or_else(|| gone(kind))?.parent.map(Id::index));
            }
            "joint" => spec.joints.get(Id::new(id)).map(|e| e.body),
            "geom" => spec.geoms.get(Id::new(id)).map(|e| e.body),
            "site" => spec.sites.get(Id::new(id)).map(|e| e.body),
            "camera" => spec.cameras.get(Id::new(id)).map(|e| e.body),
            "light" => spec.lights.get(Id::new(id)).map(|e| e.body),
            _ => return Err(no_such(kind)),
        };
        Ok(Some(parent.ok_or_else(|| gone(kind))?.index()))
    }

    /// Adds an element to a body, with the values of a default class, and returns its place.
    fn _add(&self, body: usize, kind: &str, class: &str) -> PyResult<usize> {
        let mut spec = self.lock();
        let body = BodyId::new(body);
        if spec.bodies.get(body).is_none() {
            return Err(gone("body"));
        }
        let wanted = if class.is_empty() { "main" } else { class };
        let class = spec.find_default(wanted).map(|id| spec.default_class(id).clone());
        let class =
            class.ok_or_else(|| PyValueError::new_err(format!("there is no default class '{wanted}'")))?;
        Ok(match kind {
            "body" => spec.add_body(body, Body::default()).index(),
            "joint" => spec.add_joint(body, class.joint).index(),
            "geom" => spec.add_geom(body, class.geom).index(),
            "site" => spec.add_site(body, class.site).index(),
            "camera" => spec.add_camera(body, class.camera).index(),
            "light" => spec.add_light(body, class.light).index(),
            _ => return Err(no_such(kind)),
        })
    }

    /// Deletes an element, a body with all that hangs on it.
    fn _delete(&self, kind: &str, id: usize) -> PyResult<()> {
        let mut spec = self.lock();
        let found = match kind {
            "body" if id == spec.world().index() => {
                return Err(PyValueError::new_err("the world cannot be deleted"));
            }
            "body" => spec.delete_body(BodyId::new(id)),
            "joint" => spec.delete_joint(Id::new(id)).is_some(),
            "geom" => spec.delete_geom(Id::new(id)).is_some(),
            "site" => spec.delete_site(Id::new(id)).is_some(),
            "camera" => spec.delete_camera(Id::new(id)).is_some(),
            "light" => spec.delete_light(Id::new(id)).is_some(),
            _ => return Err(no_such(kind)),
        };
        if found { Ok(()) } else { Err(gone(kind)) }
    }
}
