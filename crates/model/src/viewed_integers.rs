//! The integers of a model that a program may have written: indices are checked before the engine follows
//! them.
//!
//! A compiled model is sound. A program that has been given a view of an array of integers may have written
//! to it, so such arrays are compared with a copy before each call, and the whole model is checked when one
//! has changed.

use crate::indices::IndexError;
use crate::model::Model;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Arrays of integers that a program has views of.
#[derive(Debug, Default)]
pub struct ViewedIntegers {
    any: AtomicBool,
    /// index of each array in the field table, and what it held when the model was last found sound
    arrays: Mutex<Vec<(usize, Vec<i32>)>>,
}

impl ViewedIntegers {
    /// Takes an array into account from now on; `field` is its index in the table of fields.
    ///
    /// # Panics
    /// When there is no such array.
    pub fn add(&self, model: &Model, field: usize) {
        let mut arrays = self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
        if !arrays.iter().any(|(known, _)| *known == field) {
            arrays.push((field, Model::INTEGERS[field](model).to_vec()));
        }
        self.any.store(true, Ordering::Release);
    }

    /// An error when a program has written something to the model that is no index.
    ///
    /// # Errors
    /// At the first value that is no index.
    pub fn check(&self, model: &Model) -> Result<(), IndexError> {
        if !self.any.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut arrays = self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
        if arrays.iter().all(|(field, checked)| Model::INTEGERS[*field](model) == checked) {
            return Ok(());
        }
        model.check_indices()?;
        for (field, checked) in arrays.iter_mut() {
            checked.copy_from_slice(Model::INTEGERS[*field](model));
        }
        Ok(())
    }
}
