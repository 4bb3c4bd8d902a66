//! Numbers that a user may choose for a task.

use crate::error::TaskError;

/// Settings by name.
pub trait Settings {
    /// Changes a setting. A number or a flag is one value, a range is two.
    ///
    /// # Errors
    /// When there is no such setting, or it has another form.
    fn set(&mut self, name: &str, values: &[f64]) -> Result<(), TaskError>;
}

/// The form of a setting.
pub(crate) trait Setting: Sized {
    fn read(name: &str, values: &[f64]) -> Result<Self, TaskError>;
}

fn wrong<T>(name: &str, expected: &'static str) -> Result<T, TaskError> {
    Err(TaskError::Value { name: name.to_owned(), expected })
}

impl Setting for f64 {
    fn read(name: &str, values: &[f64]) -> Result<Self, TaskError> {
        match values {
            [value] if !value.is_nan() => Ok(*value),
            _ => wrong(name, "one number"),
        }
    }
}

impl Setting for bool {
    fn read(name: &str, values: &[f64]) -> Result<Self, TaskError> {
        match values {
            [value] => Ok(*value != 0.0),
            _ => wrong(name, "true or false"),
        }
    }
}

impl Setting for usize {
    fn read(name: &str, values: &[f64]) -> Result<Self, TaskError> {
        match values {
            [value] if *value >= 0.0 && value.fract() == 0.0 && *value < 1e9 => Ok(*value as Self),
            _ => wrong(name, "a number that counts or names something: 0, 1, 2…"),
        }
    }
}

impl Setting for [f64; 2] {
    fn read(name: &str, values: &[f64]) -> Result<Self, TaskError> {
        match values {
            [low, high] if low <= high => Ok([*low, *high]),
            _ => wrong(name, "two numbers, the lower one first"),
        }
    }
}

/// Defines a task: its settings with their usual values, and what it looks up in the model.
macro_rules! define_task {
    ($(#[$doc:meta])* pub struct $task:ident {
        $( $(#[$field_doc:meta])* $field:ident: $kind:ty = $default:expr, )*
    } of |$model:ident| {
        $( $found:ident: $found_kind:ty = $lookup:expr, )*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $task {
            $( $(#[$field_doc])* pub $field: $kind, )*
            $( $found: $found_kind, )*
        }

        impl $task {
            /// The task with its usual settings.
            ///
            /// # Errors
            /// When the model lacks something that the task refers to by name.
            pub fn new($model: &kinetree_model::Model) -> Result<Self, $crate::TaskError> {
                let _ = $model;
                Ok(Self { $( $field: $default, )* $( $found: $lookup, )* })
            }
        }

        impl $crate::Settings for $task {
            fn set(&mut self, name: &str, values: &[f64]) -> Result<(), $crate::TaskError> {
                const KNOWN: &[&str] = &[$( stringify!($field) ),*];
                $( if name == stringify!($field) {
                    self.$field = $crate::settings::Setting::read(name, values)?;
                    return Ok(());
                } )*
                let _ = values;
                Err($crate::TaskError::Setting { name: name.to_owned(), known: KNOWN.join(", ") })
            }
        }
    };
}
