//! Failures as JavaScript errors.

use js_sys::{Array, Error, Object, Reflect};
use kinetree_spec::diagnostics::Severity;
use kinetree_spec::{Diagnostic, Diagnostics};
use std::fmt::Display;
use wasm_bindgen::JsValue;

/// Result of a call from JavaScript.
pub(crate) type Outcome<T> = Result<T, JsValue>;

/// An error with a text.
#[allow(clippy::needless_pass_by_value)] // the form that `map_err` wants
pub(crate) fn failure(problem: impl Display) -> JsValue {
    Error::new(&problem.to_string()).into()
}

/// Sets a property; a plain object takes all of them.
pub(crate) fn set(object: &JsValue, name: &str, value: impl Into<JsValue>) {
    let _ = Reflect::set(object, &name.into(), &value.into());
}

/// What is wrong with a model: the text that `kinetree check` prints, and in `diagnostics` an object for each
/// finding.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn model_failure(found: Diagnostics) -> JsValue {
    let error: JsValue = Error::new(found.to_string().trim_end()).into();
    set(&error, "diagnostics", findings(&found.list));
    error
}

/// An object for each finding.
pub(crate) fn findings(found: &[Diagnostic]) -> Array {
    let list = Array::new();
    for finding in found {
        let object: JsValue = Object::new().into();
        let severity = if finding.severity == Severity::Error { "error" } else { "warning" };
        set(&object, "severity", severity);
        set(&object, "message", finding.message.as_str());
        set(&object, "file", finding.file.as_str());
        set(&object, "line", finding.line);
        set(&object, "column", finding.column);
        set(&object, "length", finding.length);
        set(&object, "snippet", finding.snippet.as_str());
        let help = finding.suggestion.as_deref();
        set(&object, "help", help.map_or(JsValue::NULL, JsValue::from_str));
        list.push(&object);
    }
    list
}
