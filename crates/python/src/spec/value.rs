//! Values on their way between Python and the fields of a description. Python objects are read and made while
//! no lock is held.

use crate::args::Values;
use kinetree_model::enums::{
    BiasType, CamLight, ColorSpace, DataType, DynType, EqType, FlexSelf, GainType, GeomType, JointType,
    LengthRangeMode, LightType, ObjType, Projection, SensorType, SleepPolicy, Stage, TextureType, TrnType,
};
use kinetree_model::{FieldSlice, FieldSliceMut};
use kinetree_spec::spec::{
    AlignFree, GeomInertia, InertiaFromGeom, Limited, MeshBuiltin, MeshInertia, TextureBuiltin, TextureMark,
};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

/// A value of a field.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Text(String),
    Integer(i64),
    Number(f64),
    Floats(Vec<f64>),
    Singles(Vec<f32>),
    Integers(Vec<i32>),
    Bytes(Vec<u8>),
    Texts(Vec<String>),
    /// Lists of different lengths.
    Lists(Vec<Vec<f64>>),
    /// Keys and values.
    Pairs(Vec<(String, String)>),
}

impl Given {
    pub(super) fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Self::Text(text.to_str()?.to_owned()));
        }
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.as_bytes().to_vec()));
        }
        if let Ok(dict) = value.cast::<PyDict>() {
            let pair =
                |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((key.extract()?, value.extract()?));
            return dict.iter().map(pair).collect::<PyResult<_>>().map(Self::Pairs);
        }
        if let Ok(integer) = value.extract() {
            return Ok(Self::Integer(integer));
        }
        if let Ok(number) = value.extract() {
            return Ok(Self::Number(number));
        }
        if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            if let Ok(texts) = value.extract::<Vec<String>>()
                && !texts.is_empty()
            {
                return Ok(Self::Texts(texts));
            }
            if let Ok(lists) = value.extract::<Vec<Vec<f64>>>()
                && !lists.is_empty()
            {
                return Ok(Self::Lists(lists));
            }
        }
        Ok(Self::Floats(value.extract::<Values>()?.values))
    }

    pub(super) fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Self::Text(text) => text.into_pyobject(py)?.into_any(),
            Self::Integer(integer) => integer.into_pyobject(py)?.into_any(),
            Self::Number(number) => number.into_pyobject(py)?.into_any(),
            Self::Floats(values) => PyArray1::from_vec(py, values).into_any(),
            Self::Singles(values) => PyArray1::from_vec(py, values).into_any(),
            Self::Integers(values) => PyArray1::from_vec(py, values).into_any(),
            Self::Bytes(bytes) => PyBytes::new(py, &bytes).into_any(),
            Self::Texts(texts) => texts.into_pyobject(py)?.into_any(),
            Self::Lists(lists) => lists.into_pyobject(py)?.into_any(),
            Self::Pairs(pairs) => {
                let dict = PyDict::new(py);
                pairs.iter().try_for_each(|(key, value)| dict.set_item(key, value))?;
                dict.into_any()
            }
        })
    }

    fn number(&self) -> PyResult<f64> {
        match self {
            Self::Integer(integer) => Ok(*integer as f64),
            Self::Number(number) => Ok(*number),
            // an array of one number is a number
            Self::Floats(values) if values.len() == 1 => Ok(values[0]),
            _ => Err(PyTypeError::new_err("a number is expected")),
        }
    }

    pub(super) fn integer(&self) -> PyResult<i64> {
        match self {
            Self::Integer(integer) => Ok(*integer),
            Self::Floats(values) if values.len() == 1 && values[0].fract() == 0.0 => Ok(values[0] as i64),
            _ => Err(PyTypeError::new_err("an integer is expected")),
        }
    }

    pub(super) fn floats(&self) -> PyResult<Vec<f64>> {
        match self {
            Self::Floats(values) => Ok(values.clone()),
            Self::Lists(lists) => Ok(lists.concat()),
            _ => Ok(vec![self.number()?]),
        }
    }

    fn integers(&self) -> PyResult<Vec<i32>> {
        let whole = |value: f64| {
            let integer = value as i32;
            (f64::from(integer) == value)
                .then_some(integer)
                .ok_or_else(|| PyTypeError::new_err("integers are expected"))
        };
        self.floats()?.into_iter().map(whole).collect()
    }

    pub(super) fn text(&self) -> PyResult<String> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            Self::Bytes(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            _ => Err(PyTypeError::new_err("a string is expected")),
        }
    }

    pub(super) fn texts(&self) -> PyResult<Vec<String>> {
        match self {
            Self::Texts(texts) => Ok(texts.clone()),
            // an empty list holds no strings
            Self::Floats(values) if values.is_empty() => Ok(Vec::new()),
            _ => Err(PyTypeError::new_err("a list of strings is expected")),
        }
    }

    pub(super) fn lists(&self) -> PyResult<Vec<Vec<f64>>> {
        match self {
            Self::Lists(lists) => Ok(lists.clone()),
            Self::Floats(values) if values.is_empty() => Ok(Vec::new()),
            _ => Err(PyTypeError::new_err("a list of lists of numbers is expected")),
        }
    }

    pub(super) fn pairs(&self) -> PyResult<Vec<(String, String)>> {
        match self {
            Self::Pairs(pairs) => Ok(pairs.clone()),
            _ => Err(PyTypeError::new_err("a dictionary of strings is expected")),
        }
    }
}

/// A field that can be read and written. `name` is for messages.
pub(super) trait FieldValue {
    fn read(&self) -> Given;
    fn write(&mut self, name: &str, value: &Given) -> PyResult<()>;
}

impl FieldValue for String {
    fn read(&self) -> Given {
        Given::Text(self.clone())
    }
    fn write(&mut self, _: &str, value: &Given) -> PyResult<()> {
        *self = value.text()?;
        Ok(())
    }
}

macro_rules! scalars {
    ($( $t:ty, $read:ident as $wide:ty, $get:ident; )*) => { $(
        impl FieldValue for $t {
            fn read(&self) -> Given {
                Given::$read(*self as $wide)
            }
            fn write(&mut self, name: &str, value: &Given) -> PyResult<()> {
                let wide = value.$get()?;
                let narrow = wide as $t;
                if wide.ne(&(narrow as $wide)) && stringify!($read) == "Integer" {
                    return Err(PyValueError::new_err(format!("{wide} is out of range for {name}")));
                }
                *self = narrow;
                Ok(())
            }
        }
    )* };
}
scalars! {
    f64, Number as f64, number;
    f32, Number as f64, number;
    i32, Integer as i64, integer;
    i64, Integer as i64, integer;
}

impl FieldValue for bool {
    fn read(&self) -> Given {
        Given::Integer(i64::from(*self))
    }
    fn write(&mut self, _: &str, value: &Given) -> PyResult<()> {
        *self = value.number()? != 0.0;
        Ok(())
    }
}

/// Vectors that may be given in part; the rest is zero.
fn may_be_short(name: &str, length: usize) -> bool {
    length == 3 && matches!(name, "size" | "stiffness" | "damping")
}

fn fill<T: Copy + Default>(name: &str, target: &mut [T], values: &[T]) -> PyResult<()> {
    let n = target.len();
    if may_be_short(name, n) && (1..=n).contains(&values.len()) {
        target.fill(T::default());
        target[..values.len()].copy_from_slice(values);
    } else if values.len() == n {
        target.copy_from_slice(values);
    } else if may_be_short(name, n) {
        return Err(PyValueError::new_err(format!("{name} should be a list/array of size 1 to {n}.")));
    } else {
        return Err(PyValueError::new_err(format!("{name} should be a list/array of size {n}.")));
    }
    Ok(())
}

macro_rules! vectors {
    ($( $t:ty, $read:ident, $get:ident; )*) => { $(
        impl<const N: usize> FieldValue for [$t; N] {
            fn read(&self) -> Given {
                Given::$read(self.to_vec())
            }
            fn write(&mut self, name: &str, value: &Given) -> PyResult<()> {
                let values: Vec<$t> = value.$get()?.into_iter().map(|x| x as $t).collect();
                fill(name, self, &values)
            }
        }
        impl FieldValue for Vec<$t> {
            fn read(&self) -> Given {
                Given::$read(self.clone())
            }
            fn write(&mut self, _: &str, value: &Given) -> PyResult<()> {
                *self = value.$get()?.into_iter().map(|x| x as $t).collect();
                Ok(())
            }
        }
    )* };
}
vectors! {
    f64, Floats, floats;
    f32, Singles, floats;
    i32, Integers, integers;
}

impl FieldValue for Vec<u8> {
    fn read(&self) -> Given {
        Given::Bytes(self.clone())
    }
    fn write(&mut self, name: &str, value: &Given) -> PyResult<()> {
        match value {
            Given::Bytes(bytes) => self.clone_from(bytes),
            _ => {
                let byte = |x: i32| {
                    u8::try_from(x).map_err(|_| PyValueError::new_err(format!("{name} holds bytes, not {x}")))
                };
                *self = value.integers()?.into_iter().map(byte).collect::<PyResult<_>>()?;
            }
        }
        Ok(())
    }
}

/// Characters: a string, or a list of strings of one character each.
impl<const N: usize> FieldValue for [u8; N] {
    fn read(&self) -> Given {
        Given::Texts(self.iter().map(|&c| char::from(c).to_string()).collect())
    }
    fn write(&mut self, name: &str, value: &Given) -> PyResult<()> {
        let letters: Vec<u8> = match value {
            Given::Texts(list) => {
                if list.iter().any(|text| text.len() != 1) {
                    return Err(PyValueError::new_err(format!(
                        "{name}: list elements must be single characters"
                    )));
                }
                list.concat().into_bytes()
            }
            _ => value.text()?.into_bytes(),
        };
        let wrong =
            |_| PyValueError::new_err(format!("{name} should have length {N}, got {}", letters.len()));
        *self = <[u8; N]>::try_from(letters.as_slice()).map_err(wrong)?;
        Ok(())
    }
}

impl FieldValue for Vec<String> {
    fn read(&self) -> Given {
        Given::Texts(self.clone())
    }
    fn write(&mut self, _: &str, value: &Given) -> PyResult<()> {
        *self = value.texts()?;
        Ok(())
    }
}

impl<const N: usize> FieldValue for [String; N] {
    fn read(&self) -> Given {
        Given::Texts(self.to_vec())
    }
    fn write(&mut self, name: &str, value: &Given) -> PyResult<()> {
        let texts = value.texts()?;
        let count = texts.len();
        let wrong = |_| PyValueError::new_err(format!("{name} must have exactly {N} elements, got {count}"));
        *self = texts.try_into().map_err(wrong)?;
        Ok(())
    }
}

macro_rules! enum_values {
    ($( $t:ty ),*) => { $(
        impl FieldValue for $t {
            fn read(&self) -> Given {
                Given::Integer(*self as i64)
            }
            fn write(&mut self, name: &str, value: &Given) -> PyResult<()> {
                let number = value.integer()?;
                let known = i32::try_from(number).ok().and_then(|n| Self::try_from(n).ok());
                *self = known.ok_or_else(|| PyValueError::new_err(format!("{number} is not a valid {name}")))?;
                Ok(())
            }
        }
    )* };
}
enum_values!(
    BiasType,
    CamLight,
    ColorSpace,
    DataType,
    DynType,
    EqType,
    FlexSelf,
    GainType,
    GeomType,
    JointType,
    LengthRangeMode,
    LightType,
    ObjType,
    Projection,
    SensorType,
    SleepPolicy,
    Stage,
    TextureType,
    TrnType
);

/// Enums of the description, by the reference's numbers.
macro_rules! numbered {
    ($( $t:ty: $( $variant:ident )*; )*) => { $(
        impl FieldValue for $t {
            fn read(&self) -> Given {
                let all = [$( Self::$variant ),*];
                Given::Integer(all.iter().position(|known| known == self).unwrap_or(0) as i64)
            }
            fn write(&mut self, name: &str, value: &Given) -> PyResult<()> {
                let number = value.integer()?;
                let known = usize::try_from(number).ok().and_then(|n| [$( Self::$variant ),*].get(n).copied());
                *self = known.ok_or_else(|| PyValueError::new_err(format!("{number} is not a valid {name}")))?;
                Ok(())
            }
        }
    )* };
}
numbered! {
    Limited: False True Auto;
    AlignFree: False True Auto;
    InertiaFromGeom: False True Auto;
    GeomInertia: Volume Shell;
    MeshInertia: Convex Exact Legacy Shell;
    MeshBuiltin: None Sphere Hemisphere Cone Supersphere Supertorus Wedge Plate;
    TextureBuiltin: None Gradient Checker Flat;
    TextureMark: None Edge Cross Random;
}

/// Reads a field of an option struct: one number stands for itself.
pub(super) fn read_slice(data: FieldSlice<'_>) -> Given {
    match data {
        FieldSlice::F64(&[x]) => Given::Number(x),
        FieldSlice::F32(&[x]) => Given::Number(f64::from(x)),
        FieldSlice::I32(&[x]) => Given::Integer(i64::from(x)),
        FieldSlice::F64(values) => Given::Floats(values.to_vec()),
        FieldSlice::F32(values) => Given::Singles(values.to_vec()),
        FieldSlice::I32(values) => Given::Integers(values.to_vec()),
        FieldSlice::I64(values) => Given::Integers(values.iter().map(|&x| x as i32).collect()),
        FieldSlice::U64(values) => Given::Integers(values.iter().map(|&x| x as i32).collect()),
        FieldSlice::U8(values) => Given::Bytes(values.to_vec()),
    }
}

/// Writes a field of an option struct.
pub(super) fn write_slice(name: &str, data: FieldSliceMut<'_>, value: &Given) -> PyResult<()> {
    match data {
        FieldSliceMut::F64(target) => fill(name, target, &value.floats()?),
        FieldSliceMut::F32(target) => {
            fill(name, target, &value.floats()?.into_iter().map(|x| x as f32).collect::<Vec<_>>())
        }
        FieldSliceMut::I32(target) => fill(name, target, &value.integers()?),
        _ => Err(PyTypeError::new_err(format!("{name} cannot be changed"))),
    }
}
