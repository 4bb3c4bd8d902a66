//! What can be wrong with a pair of model and data.

/// A data does not fit a model, or itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The data was made for a model of other sizes.
    #[error("the data was made for a model of other sizes{}; make one with `Data::new`", example(*array))]
    Sizes {
        /// An array whose length differs, if there is one: some sizes are those of no array.
        array: Option<&'static str>,
    },
    /// A count says that there is more, or less, than there is.
    #[error("`{count}` is {value}, but there are {found}; reset the data or run the stage that counts them")]
    Count {
        /// Name of the count.
        count: &'static str,
        /// Its value.
        value: usize,
        /// How many there are.
        found: usize,
    },
}

fn example(array: Option<&'static str>) -> String {
    array.map_or_else(String::new, |name| format!(": `{name}` has another length"))
}
