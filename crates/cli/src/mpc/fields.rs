//! Reading objects of JSON, with errors that say where something is wrong.

use crate::failure::Failure;
use kinetree::spec::diagnostics::nearest;
use serde_json::{Map, Value};

/// An object, and where it stands.
pub(super) struct Fields<'a> {
    place: String,
    map: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// An object with names that are the user's own.
    pub(super) fn of_names(place: &str, value: &'a Value) -> Result<Self, Failure> {
        match value.as_object() {
            Some(map) => Ok(Self { place: place.to_owned(), map }),
            None => Err(Failure::Message(format!("{place}: should be an object, {{…}}, not {value}"))),
        }
    }

    /// An object that has no other fields than these.
    pub(super) fn new(place: &str, value: &'a Value, known: &[&str]) -> Result<Self, Failure> {
        let fields = Self::of_names(place, value)?;
        match fields.map.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(fields),
            Some(key) => {
                let help = match nearest(key, known.iter().copied()) {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => format!("there are: {}", known.join(", ")),
                };
                Err(Failure::WithHelp(format!("{place}: there is no field '{key}'"), help))
            }
        }
    }

    /// Where a field stands.
    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.place)
    }

    /// All fields, with their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, String, &'a Value)> {
        self.map.iter().map(|(key, value)| (key.as_str(), self.at(key), value))
    }

    /// A field that is an object with these fields.
    pub(super) fn object(&self, key: &str, known: &[&str]) -> Result<Option<Fields<'a>>, Failure> {
        self.map.get(key).map(|value| Fields::new(&self.at(key), value, known)).transpose()
    }

    /// A field that is an object of names.
    pub(super) fn names(&self, key: &str) -> Result<Option<Fields<'a>>, Failure> {
        self.map.get(key).map(|value| Fields::of_names(&self.at(key), value)).transpose()
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, Failure> {
        self.read(key, "a text", Value::as_str)
    }

    pub(super) fn number(&self, key: &str) -> Result<Option<f64>, Failure> {
        self.read(key, "a number", Value::as_f64)
    }

    /// A whole number that is not negative.
    pub(super) fn count(&self, key: &str) -> Result<Option<usize>, Failure> {
        self.read(key, "a whole number, 0 or more", |value| {
            value.as_u64().and_then(|count| count.try_into().ok())
        })
    }

    pub(super) fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, Failure> {
        self.read(key, "a list of numbers", |value| value.as_array()?.iter().map(Value::as_f64).collect())
    }

    fn read<T>(
        &self,
        key: &str,
        what: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let Some(value) = self.map.get(key) else { return Ok(None) };
        let wrong = || Failure::Message(format!("{}: should be {what}, not {value}", self.at(key)));
        read(value).map(Some).ok_or_else(wrong)
    }
}

/// A number that stands at a place.
pub(super) fn number(place: &str, value: &Value) -> Result<f64, Failure> {
    value.as_f64().ok_or_else(|| Failure::Message(format!("{place}: should be a number, not {value}")))
}
