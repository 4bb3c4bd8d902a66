//! Plugin instances that come and go with the elements that use them.

use crate::ffi::spec::{Key, Kind};
use kinetree_spec::Spec;
use kinetree_spec::spec::{Id, Plugin};

/// Whether an element uses a plugin instance by its name.
fn is_used(spec: &Spec, name: &str) -> bool {
    macro_rules! among {
        ($( $list:ident )*) => { false $( || spec.$list.iter().any(|(_, e)| e.plugin.instance == name) )* };
    }
    !name.is_empty() && among!(bodies geoms meshes actuators sensors)
}

/// The plugin instances that elements use.
pub(super) fn used(spec: &Spec) -> Vec<Id<Plugin>> {
    spec.plugins.iter().filter(|(_, plugin)| is_used(spec, &plugin.name)).map(|(id, _)| id).collect()
}

/// Deletes those of some plugin instances that no element uses. An instance without a name is the program's,
/// which has put it into an element.
pub(super) fn delete_unused(spec: &mut Spec, instances: &[Id<Plugin>]) {
    for &id in instances {
        let name = spec.plugins.get(id).map(|plugin| plugin.name.clone()).unwrap_or_default();
        if !name.is_empty() && !is_used(spec, &name) {
            spec.delete_plugin(id);
        }
    }
}

/// Deletes copies of plugin instances that no element uses after a part of a description was attached, and
/// takes them off the list of what was moved.
pub(super) fn delete_unused_copies(spec: &mut Spec, moves: &mut Vec<(Key, Key)>) {
    let is_plugin = |key: &Key| key.kind == Kind::Plugin;
    let copies: Vec<_> = moves.iter().filter(|(_, to)| is_plugin(to)).map(|(_, to)| Id::new(to.id)).collect();
    delete_unused(spec, &copies);
    moves.retain(|(_, to)| !is_plugin(to) || spec.plugins.get(Id::new(to.id)).is_some());
}
