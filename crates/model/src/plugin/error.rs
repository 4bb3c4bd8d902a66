//! What can go wrong with plugins.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call of a plugin returns: a value, or what went wrong in words.
pub type PluginResult<T> = Result<T, String>;

/// A plugin failed: which one, and how.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("plugin '{plugin}'{}: {message}", instance.map_or_else(String::new, |id| format!(" (instance {id})")))]
pub struct PluginError {
    /// Name of the plugin.
    pub plugin: String,
    /// Number of the instance, once it has one.
    pub instance: Option<usize>,
    /// What went wrong.
    pub message: String,
}

/// Why a plugin cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// Its name is empty.
    #[error("a plugin needs a name")]
    EmptyName,
    /// There is one of that name.
    #[error("a plugin named '{0}' is already registered")]
    Repeated(String),
    /// Two attributes have the same name.
    #[error("plugin '{plugin}' has two attributes named '{attribute}'")]
    RepeatedAttribute {
        /// Name of the plugin.
        plugin: String,
        /// Name of the attributes.
        attribute: String,
    },
}

/// Calls code of a plugin: a panic becomes an error.
///
/// # Errors
/// What the call returns as its error, or what it panicked with.
pub fn guard<T>(call: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    // what a call that panics leaves behind is thrown away by the caller
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(format!("it panicked: {}", words.as_deref().unwrap_or("no message")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_errors() {
        assert_eq!(guard(|| Ok(3)), Ok(3));
        assert_eq!(guard::<()>(|| Err("no".into())), Err("no".into()));
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let caught = guard::<()>(|| panic!("slot {}", 7));
        std::panic::set_hook(hook);
        assert_eq!(caught, Err("it panicked: slot 7".into()));
    }
}
