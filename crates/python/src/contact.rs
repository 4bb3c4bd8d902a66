//! Contacts as arrays: one NumPy array for each field, a row for each contact.

use kinetree_model::Contact;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

macro_rules! contact_fields {
    ([$( $scalar:ident: $st:ty ),*] [$( $vector:ident: $vt:ty, $n:literal ),*]) => {
        /// An array for each field of the contacts.
        pub(crate) fn contact_arrays<'py>(py: Python<'py>, contacts: &[Contact]) -> PyResult<Bound<'py, PyDict>> {
            let dict = PyDict::new(py);
            $( dict.set_item(
                stringify!($scalar),
                PyArray1::from_iter(py, contacts.iter().map(|c| c.$scalar)),
            )?; )*
            $( {
                let flat = PyArray1::<$vt>::from_iter(py, contacts.iter().flat_map(|c| c.$vector));
                dict.set_item(stringify!($vector), flat.reshape([contacts.len(), $n])?)?;
            } )*
            Ok(dict)
        }

        /// Copies the arrays into as many contacts. Fields that are missing stay as they are.
        pub(crate) fn contacts_from_arrays(arrays: &Bound<'_, PyDict>, contacts: &mut [Contact]) -> PyResult<()> {
            let wrong = || PyValueError::new_err("contact arrays must have one row for each contact");
            $( if let Some(value) = arrays.get_item(stringify!($scalar))? {
                let array = value.cast::<PyArray1<$st>>()?.readonly();
                let values = array.as_slice()?;
                if values.len() != contacts.len() {
                    return Err(wrong());
                }
                for (c, &v) in contacts.iter_mut().zip(values) {
                    c.$scalar = v;
                }
            } )*
            $( if let Some(value) = arrays.get_item(stringify!($vector))? {
                let array = value.cast::<PyArray2<$vt>>()?.readonly();
                let values = array.as_slice()?;
                if values.len() != contacts.len() * $n {
                    return Err(wrong());
                }
                for (c, v) in contacts.iter_mut().zip(values.chunks_exact($n)) {
                    c.$vector = v.try_into().map_err(|_| PyKeyError::new_err(stringify!($vector)))?;
                }
            } )*
            Ok(())
        }
    };
}

contact_fields! {
    [dist: f64, includemargin: f64, mu: f64, dim: i32, geom1: i32, geom2: i32, exclude: i32, efc_address: i32]
    [pos: f64, 3, frame: f64, 9, friction: f64, 5, solref: f64, 2, solreffriction: f64, 2, solimp: f64, 5, H: f64, 36,
     geom: i32, 2, flex: i32, 2, elem: i32, 2, vert: i32, 2]
}
