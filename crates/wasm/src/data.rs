//! A world that JavaScript owns.

use crate::errors::{Outcome, failure, set};
use crate::fields;
use crate::model::ModelHandle;
use js_sys::{
    Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int32Array, Object, Uint8Array,
};
use kinetree_model::{Contact, Data, FieldSlice, Model};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A world.
#[wasm_bindgen]
#[derive(Debug)]
pub struct DataHandle {
    pub(crate) data: Data,
}

impl DataHandle {
    /// Runs `f` with the model that the caller says this world belongs to.
    pub(crate) fn with<R, E: std::fmt::Display>(
        &mut self,
        model: &ModelHandle,
        f: impl FnOnce(&Model, &mut Data) -> Result<R, E>,
    ) -> Outcome<R> {
        let model = model.checked()?;
        self.data.check_lists(model).map_err(failure)?;
        f(model, &mut self.data).map_err(failure)
    }

    /// As [`Self::with`], for what only looks.
    pub(crate) fn peek<R, E: std::fmt::Display>(
        &self,
        model: &ModelHandle,
        f: impl FnOnce(&Model, &Data) -> Result<R, E>,
    ) -> Outcome<R> {
        let model = model.checked()?;
        self.data.check_lists(model).map_err(failure)?;
        f(model, &self.data).map_err(failure)
    }
}

/// A copy of numbers as an array of JavaScript.
fn copy(data: &FieldSlice<'_>) -> JsValue {
    match data {
        FieldSlice::F64(s) => Float64Array::from(*s).into(),
        FieldSlice::F32(s) => Float32Array::from(*s).into(),
        FieldSlice::I32(s) => Int32Array::from(*s).into(),
        FieldSlice::I64(s) => BigInt64Array::from(*s).into(),
        FieldSlice::U64(s) => BigUint64Array::from(*s).into(),
        FieldSlice::U8(s) => Uint8Array::from(*s).into(),
    }
}

fn floats(values: &[f64]) -> Float64Array {
    Float64Array::from(values)
}

/// A contact as an object with the reference's names.
fn contact(contact: &Contact) -> JsValue {
    let object: JsValue = Object::new().into();
    set(&object, "dist", contact.dist);
    set(&object, "pos", floats(&contact.pos));
    set(&object, "frame", floats(&contact.frame));
    set(&object, "includemargin", contact.includemargin);
    set(&object, "friction", floats(&contact.friction));
    set(&object, "solref", floats(&contact.solref));
    set(&object, "solreffriction", floats(&contact.solreffriction));
    set(&object, "solimp", floats(&contact.solimp));
    set(&object, "mu", contact.mu);
    set(&object, "dim", contact.dim);
    set(&object, "geom1", contact.geom1);
    set(&object, "geom2", contact.geom2);
    set(&object, "exclude", contact.exclude);
    set(&object, "efc_address", contact.efc_address);
    object
}

#[wasm_bindgen]
impl DataHandle {
    /// A new world in the first state of a model.
    ///
    /// # Errors
    /// When JavaScript has written something to the model that is no index.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &ModelHandle) -> Outcome<DataHandle> {
        Ok(Self { data: Data::new(model.checked()?) })
    }

    /// A copy.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self { data: self.data.clone() }
    }

    /// Address, length and shape of an array that keeps its place.
    ///
    /// # Errors
    /// When there is no such array.
    pub fn place(&self, field: usize) -> Outcome<Vec<u32>> {
        let fields = self.data.fields();
        let found = fields.get(field).ok_or_else(|| failure("there is no such array"))?;
        Ok(fields::place(found))
    }

    /// A copy of an array.
    ///
    /// # Errors
    /// When there is no such array.
    #[wasm_bindgen(js_name = copyOf)]
    pub fn copy_of(&self, field: usize) -> Outcome<JsValue> {
        let fields = self.data.fields();
        fields.get(field).map(|found| copy(&found.data)).ok_or_else(|| failure("there is no such array"))
    }

    /// Simulation time.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn time(&self) -> f64 {
        self.data.time
    }

    /// Sets the simulation time.
    #[wasm_bindgen(setter)]
    pub fn set_time(&mut self, time: f64) {
        self.data.time = time;
    }

    /// Potential and kinetic energy.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn energy(&self) -> Vec<f64> {
        self.data.energy.to_vec()
    }

    /// A count or flag.
    ///
    /// # Errors
    /// When there is no such count.
    pub fn count(&self, index: usize) -> Outcome<usize> {
        let scalar = Data::SCALARS.get(index).ok_or_else(|| failure("there is no such count"))?;
        Ok((scalar.get)(&self.data))
    }

    /// How often each warning was raised.
    #[must_use]
    pub fn warnings(&self) -> Vec<i32> {
        self.data.warning.iter().map(|warning| warning.number).collect()
    }

    /// Texts of the warnings, and of a constraint solver that did not converge.
    ///
    /// # Errors
    /// When the world belongs to another model.
    #[wasm_bindgen(js_name = warningTexts)]
    pub fn warning_texts(&self, model: &ModelHandle) -> Outcome<Vec<String>> {
        self.peek(model, |model, data| {
            Ok::<_, std::convert::Infallible>(data.warning_texts().chain(data.solver_text(model)).collect())
        })
    }

    /// All contacts, as objects.
    #[must_use]
    pub fn contacts(&self) -> Array {
        self.data.contact.iter().take(self.data.ncon).map(contact).collect()
    }
}

/// Table of the arrays of a world. Those after the first `fixedArrays()` change their size.
#[wasm_bindgen(js_name = dataTable)]
#[must_use]
pub fn data_table() -> String {
    fields::table(&Data::new(&Model::default()).fields())
}

/// Number of arrays of a world whose size the model fixes; they come first.
#[wasm_bindgen(js_name = fixedArrays)]
#[must_use]
pub fn fixed_arrays() -> usize {
    Data::new(&Model::default()).fields().len() - Data::DYNAMIC.len()
}

/// Names of counts and flags with their documentation, a line each.
#[wasm_bindgen(js_name = countTable)]
#[must_use]
pub fn count_table() -> String {
    Data::SCALARS.iter().map(|scalar| format!("{}\t{}\n", scalar.name, scalar.doc)).collect()
}
