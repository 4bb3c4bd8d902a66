//! The plugins that come with the engine, written against the same traits as anybody's:
//! [`Plugin`](kinetree_model::plugin::Plugin) and [`PluginInstance`](kinetree_model::plugin::PluginInstance).
//!
//! ```
//! let registry = kinetree_plugins::registry();
//! assert!(registry.iter().count() >= 8, "those that come with the engine");
//! ```
#![forbid(unsafe_code)]

mod cable;
mod pid;
mod sdf;
mod touch_grid;

pub use cable::Cable;
pub use pid::Pid;
pub use sdf::{Bolt, Bowl, Gear, Nut, Torus};
pub use touch_grid::TouchGrid;

use kinetree_model::plugin::PluginRegistry;
use std::sync::{Arc, LazyLock};

/// A registry with the plugins of this crate, to which a program can add its own.
#[must_use]
pub fn registry() -> PluginRegistry {
    (*shared_registry()).clone()
}

/// The registry that models are loaded with unless a program hands over another.
#[must_use]
pub fn shared_registry() -> Arc<PluginRegistry> {
    static REGISTRY: LazyLock<Arc<PluginRegistry>> = LazyLock::new(|| Arc::new(first_party()));
    Arc::clone(&REGISTRY)
}

fn first_party() -> PluginRegistry {
    let mut registry = PluginRegistry::new();
    let added = [
        registry.register(Pid),
        registry.register(Cable),
        registry.register(TouchGrid),
        registry.register(Bolt),
        registry.register(Bowl),
        registry.register(Gear),
        registry.register(Nut),
        registry.register(Torus),
    ];
    debug_assert!(added.iter().all(Result::is_ok), "names of plugins and attributes are different");
    registry
}
