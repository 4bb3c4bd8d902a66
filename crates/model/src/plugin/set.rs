//! The plugins that a model uses, one for each instance.

use super::{Plugin, PluginConfig, PluginError, PluginRegistry, guard};
use crate::Model;
use kinetree_math::field::SignedDistance;
use std::sync::Arc;

/// An instance of a model: its plugin, its configuration and, for a distance field, the field.
struct Bound {
    plugin: Arc<dyn Plugin>,
    config: PluginConfig,
    field: Option<Arc<dyn SignedDistance>>,
}

/// The plugins of a model, by instance. Clones share them.
#[derive(Clone, Default)]
pub struct PluginSet(Option<Arc<[Bound]>>);

impl PluginSet {
    fn bound(&self, instance: usize) -> Option<&Bound> {
        self.0.as_deref().and_then(|all| all.get(instance))
    }

    /// Number of instances.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_deref().map_or(0, <[Bound]>::len)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The plugin of an instance.
    #[must_use]
    pub fn plugin(&self, instance: usize) -> Option<&Arc<dyn Plugin>> {
        self.bound(instance).map(|bound| &bound.plugin)
    }

    /// The configuration of an instance.
    #[must_use]
    pub fn config(&self, instance: usize) -> Option<&PluginConfig> {
        self.bound(instance).map(|bound| &bound.config)
    }

    /// The distance field of an instance, when it has one.
    #[must_use]
    pub fn field(&self, instance: usize) -> Option<&dyn SignedDistance> {
        self.bound(instance).and_then(|bound| bound.field.as_deref())
    }

    /// Whether two models share their plugins.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// The error of an instance.
    #[must_use]
    pub fn error(&self, instance: usize, message: String) -> PluginError {
        let name = self.plugin(instance).map_or("", |plugin| plugin.name());
        PluginError { plugin: name.to_owned(), instance: Some(instance), message }
    }
}

impl std::fmt::Debug for PluginSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = (0..self.len()).filter_map(|i| self.plugin(i).map(|plugin| plugin.name()));
        f.debug_list().entries(names).finish()
    }
}

impl Model {
    /// Ties the instances of this model to the plugins of a registry, by their slots. Every way to load a
    /// model does this.
    ///
    /// # Errors
    /// When a slot is empty or a plugin refuses its configuration.
    pub fn bind_plugins(&mut self, registry: &PluginRegistry) -> Result<(), PluginError> {
        if self.nplugin == 0 {
            self.plugins = PluginSet::default();
            return Ok(());
        }
        let instances: Result<Vec<Bound>, PluginError> =
            (0..self.nplugin).map(|instance| self.bind(instance, registry)).collect();
        self.plugins = PluginSet(Some(instances?.into()));
        Ok(())
    }

    fn bind(&self, instance: usize, registry: &PluginRegistry) -> Result<Bound, PluginError> {
        let slot = self.plugin[instance];
        let plugin = usize::try_from(slot).ok().and_then(|slot| registry.at(slot));
        let Some(plugin) = plugin else {
            let message = format!("no plugin is registered in slot {slot}");
            return Err(PluginError { plugin: String::new(), instance: Some(instance), message });
        };
        let fail =
            |message| PluginError { plugin: plugin.name().to_owned(), instance: Some(instance), message };
        let first = usize::try_from(self.plugin_attradr[instance]).unwrap_or(usize::MAX);
        let bytes = self.plugin_attr.get(first..).unwrap_or_default();
        let config = PluginConfig::from_bytes(plugin.attributes(), bytes).map_err(fail)?;
        let field = if plugin.capabilities().sdf {
            guard(|| plugin.kept_field(&config)).map_err(fail)?.map(|field| field.distance)
        } else {
            None
        };
        Ok(Bound { plugin: Arc::clone(plugin), config, field })
    }
}
