//! What can be wrong with a pair of model and data.

/// A data was given that was made for a model of other sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the data was made for a model of other sizes{}; make one with `Data::new`", self.example())]
pub struct Mismatch {
    /// An array whose length differs, if there is one: some sizes are those of no array.
    pub array: Option<&'static str>,
}

impl Mismatch {
    fn example(self) -> String {
        self.array.map_or_else(String::new, |name| format!(": `{name}` has another length"))
    }
}
