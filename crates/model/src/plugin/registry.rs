//! Registries: sets of plugins by name.

use super::{Plugin, RegistryError};
use std::sync::Arc;

/// The plugins that models may use, each with a slot: its number in the order of registration.
///
/// A registry is a value. The caller who loads a model hands one over; to add to one that others use, clone
/// it.
#[derive(Clone, Default)]
pub struct PluginRegistry {
    plugins: Vec<Arc<dyn Plugin>>,
}

impl PluginRegistry {
    /// An empty registry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a plugin; returns its slot.
    ///
    /// # Errors
    /// When its name is empty or taken, or two of its attributes have the same name.
    pub fn register(&mut self, plugin: impl Plugin + 'static) -> Result<usize, RegistryError> {
        self.register_shared(Arc::new(plugin))
    }

    /// As [`PluginRegistry::register`], for a plugin that is shared.
    ///
    /// # Errors
    /// As [`PluginRegistry::register`].
    pub fn register_shared(&mut self, plugin: Arc<dyn Plugin>) -> Result<usize, RegistryError> {
        if self.get(plugin.name()).is_some() {
            return Err(RegistryError::Repeated(plugin.name().to_owned()));
        }
        check(&*plugin)?;
        self.plugins.push(plugin);
        Ok(self.plugins.len() - 1)
    }

    /// As [`PluginRegistry::register_shared`]; a plugin that has the name already is replaced, in its slot.
    ///
    /// # Errors
    /// As [`PluginRegistry::register`], but for names that are taken.
    pub fn replace(&mut self, plugin: Arc<dyn Plugin>) -> Result<usize, RegistryError> {
        let Some((slot, _)) = self.get(plugin.name()) else { return self.register_shared(plugin) };
        check(&*plugin)?;
        self.plugins[slot] = plugin;
        Ok(slot)
    }

    /// The plugin of this name and its slot.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<(usize, &Arc<dyn Plugin>)> {
        self.plugins.iter().enumerate().find(|(_, plugin)| plugin.name() == name)
    }

    /// The plugin in a slot.
    #[must_use]
    pub fn at(&self, slot: usize) -> Option<&Arc<dyn Plugin>> {
        self.plugins.get(slot)
    }

    /// All plugins, by slot.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Plugin>> {
        self.plugins.iter()
    }

    /// Number of plugins.
    #[must_use]
    pub fn len(&self) -> usize {
        self.plugins.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plugins.is_empty()
    }
}

/// An error unless a plugin has a name, and its attributes different ones.
fn check(plugin: &dyn Plugin) -> Result<(), RegistryError> {
    let name = plugin.name();
    if name.is_empty() {
        return Err(RegistryError::EmptyName);
    }
    let attributes = plugin.attributes();
    let repeated = |i: &usize| attributes[..*i].iter().any(|other| other.name == attributes[*i].name);
    match (0..attributes.len()).find(repeated) {
        Some(i) => {
            let attribute = attributes[i].name.to_string();
            Err(RegistryError::RepeatedAttribute { plugin: name.to_owned(), attribute })
        }
        None => Ok(()),
    }
}

impl std::fmt::Debug for PluginRegistry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.plugins.iter().map(|plugin| plugin.name())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::{Attribute, AttributeKind, Capabilities};

    struct Named(&'static str, Vec<Attribute>);

    impl Plugin for Named {
        fn name(&self) -> &str {
            self.0
        }
        fn attributes(&self) -> &[Attribute] {
            &self.1
        }
        fn capabilities(&self) -> Capabilities {
            Capabilities::NONE
        }
    }

    #[test]
    fn names_are_unique() {
        let mut registry = PluginRegistry::new();
        assert_eq!(registry.register(Named("a", vec![])), Ok(0));
        assert_eq!(registry.register(Named("b", vec![])), Ok(1));
        assert_eq!(registry.register(Named("a", vec![])), Err(RegistryError::Repeated("a".into())));
        assert_eq!(registry.register(Named("", vec![])), Err(RegistryError::EmptyName));
        let twice = vec![Attribute::new("x", AttributeKind::Text, "", ""); 2];
        assert!(matches!(registry.register(Named("c", twice)), Err(RegistryError::RepeatedAttribute { .. })));
        assert_eq!(registry.get("b").map(|(slot, _)| slot), Some(1));
        let other = std::sync::Arc::new(Named("a", vec![Attribute::new("y", AttributeKind::Text, "", "")]));
        assert_eq!(registry.replace(other), Ok(0), "a plugin keeps the slot of the one that it replaces");
        assert_eq!(registry.at(0).map(|plugin| plugin.attributes().len()), Some(1));
        assert_eq!((registry.len(), registry.is_empty()), (2, false));
        assert_eq!(format!("{registry:?}"), r#"["a", "b"]"#);
    }
}
