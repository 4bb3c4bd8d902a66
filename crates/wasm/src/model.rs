//! A model that JavaScript owns.

use crate::errors::{Outcome, failure, findings, model_failure};
use crate::fields;
use crate::files::Files;
use js_sys::Array;
use kinetree_model::enums::ObjType;
use kinetree_model::{Field, FieldSlice, Model, ViewedIntegers, mj_id2name, mj_name2id};
use kinetree_spec::diagnostics::Severity;
use kinetree_spec::{Diagnostic, Diagnostics, Spec};
use std::fmt::Write;
use wasm_bindgen::prelude::wasm_bindgen;

/// A compiled model.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ModelHandle {
    model: Model,
    integers: ViewedIntegers,
    warnings: Vec<Diagnostic>,
}

impl ModelHandle {
    fn new(model: Model, warnings: Vec<Diagnostic>) -> Self {
        Self { model, integers: ViewedIntegers::default(), warnings }
    }

    fn compile(spec: Result<Spec, Diagnostics>, files: &Files, fixed_links: bool) -> Outcome<Self> {
        let mut spec = spec.map_err(model_failure)?;
        if fixed_links {
            spec.compilers.iter_mut().for_each(|compiler| compiler.fusestatic = false);
        }
        let warnings = std::mem::take(&mut spec.warnings);
        Ok(Self::new(spec.compile_with(Some(&files.vfs)).map_err(model_failure)?, warnings))
    }

    /// The model, after a check of what JavaScript may have written.
    pub(crate) fn checked(&self) -> Outcome<&Model> {
        self.integers.check(&self.model).map_err(failure)?;
        Ok(&self.model)
    }
}

/// Groups of options: `opt`, `stat`, and those of `vis`.
fn options(model: &Model) -> Vec<(&'static str, Vec<Field<'_>>)> {
    let mut groups = vec![("opt", model.opt.fields()), ("stat", model.stat.fields())];
    groups.extend(model.vis.groups());
    groups
}

/// Kind of an object by its number.
fn kind(number: i32) -> Outcome<ObjType> {
    ObjType::try_from(number).map_err(|_| failure(format!("there is no kind {number} of objects")))
}

#[wasm_bindgen]
impl ModelHandle {
    /// Compiles MJCF or URDF text; with `fixed_links`, links that no joint moves are bodies of their own.
    ///
    /// # Errors
    /// With all findings, when there is something wrong.
    #[wasm_bindgen(js_name = fromText)]
    pub fn from_text(xml: &str, files: &Files, fixed_links: bool) -> Outcome<ModelHandle> {
        Self::compile(Spec::from_xml_string(xml, Some(&files.vfs)), files, fixed_links)
    }

    /// Compiles a model of the files; with `fixed_links`, links that no joint moves are bodies of their own.
    ///
    /// # Errors
    /// With all findings, when there is something wrong.
    #[wasm_bindgen(js_name = fromFile)]
    pub fn from_file(name: &str, files: &Files, fixed_links: bool) -> Outcome<ModelHandle> {
        Self::compile(Spec::from_xml_file_in(name, Some(&files.vfs)), files, fixed_links)
    }

    /// Compiles a model of the files for kinematics; what had to be left out is a warning.
    ///
    /// # Errors
    /// With all findings, when not even the kinematics can be read.
    #[wasm_bindgen(js_name = forKinematics)]
    pub fn for_kinematics(name: &str, files: &Files) -> Outcome<ModelHandle> {
        let loaded = kinetree_spec::load_kinematics(name, Some(&files.vfs)).map_err(model_failure)?;
        let warning = |message| Diagnostic { severity: Severity::Warning, ..Diagnostic::error(message) };
        let warnings = loaded.summary().map(warning).into_iter().collect();
        Ok(Self::new(loaded.model, warnings))
    }

    /// Reads a binary model.
    ///
    /// # Errors
    /// When it is none, is damaged, or is of another version.
    #[wasm_bindgen(js_name = fromBinary)]
    pub fn from_binary(bytes: &[u8]) -> Outcome<ModelHandle> {
        let model = kinetree_spec::load_binary(bytes).map_err(failure)?;
        Ok(Self::new(model, Vec::new()))
    }

    /// The model as a binary file.
    ///
    /// # Errors
    /// When JavaScript has written something to it that is no index.
    #[wasm_bindgen(js_name = toBinary)]
    pub fn to_binary(&self) -> Outcome<Vec<u8>> {
        Ok(self.checked()?.to_bytes())
    }

    /// Name of the model.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn name(&self) -> String {
        self.model.modelname.clone()
    }

    /// What was noticed when the model was read.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn warnings(&self) -> Array {
        findings(&self.warnings)
    }

    /// Sizes, a line for each: name and number.
    #[must_use]
    pub fn sizes(&self) -> String {
        self.model.sizes().iter().into_iter().fold(String::new(), |mut text, (name, size)| {
            let _ = writeln!(text, "{name}\t{size}");
            text
        })
    }

    /// Address, length and shape of an array; integers that are seen are checked from now on.
    ///
    /// # Errors
    /// When there is no such array.
    pub fn place(&self, field: usize) -> Outcome<Vec<u32>> {
        let fields = self.model.fields();
        let found = fields.get(field).ok_or_else(|| failure("there is no such array"))?;
        if matches!(found.data, FieldSlice::I32(_)) {
            self.integers.add(&self.model, field);
        }
        Ok(fields::place(found))
    }

    /// Address, length and shape of an option.
    ///
    /// # Errors
    /// When there is no such option.
    #[wasm_bindgen(js_name = optionPlace)]
    pub fn option_place(&self, group: usize, field: usize) -> Outcome<Vec<u32>> {
        let groups = options(&self.model);
        let found = groups.get(group).and_then(|(_, fields)| fields.get(field));
        found.map(fields::place).ok_or_else(|| failure("there is no such option"))
    }

    /// Number of an object by its kind and name; −1 when there is none.
    ///
    /// # Errors
    /// When there is no such kind.
    pub fn id(&self, kind_number: i32, name: &str) -> Outcome<i32> {
        Ok(mj_name2id(&self.model, kind(kind_number)?, name).map_or(-1, |id| id as i32))
    }

    /// Name of an object; nothing when it has none.
    ///
    /// # Errors
    /// When there is no such kind.
    #[wasm_bindgen(js_name = nameOf)]
    pub fn name_of(&self, kind_number: i32, id: usize) -> Outcome<Option<String>> {
        Ok(mj_id2name(&self.model, kind(kind_number)?, id).map(str::to_owned))
    }
}

/// Table of the arrays of a model.
#[wasm_bindgen(js_name = modelTable)]
#[must_use]
pub fn model_table() -> String {
    fields::table(&Model::default().fields())
}

/// Table of the options of a model: for each group its name in a line of its own, then its fields.
#[wasm_bindgen(js_name = optionTable)]
#[must_use]
pub fn option_table() -> String {
    let model = Model::default();
    options(&model).iter().map(|(name, list)| format!("{name}\n{}\n", fields::table(list))).collect()
}
