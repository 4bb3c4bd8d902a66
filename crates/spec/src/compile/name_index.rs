//! Lookup of elements by kind and name.

use std::collections::HashMap;

use kinetree_model::enums::ObjType;

/// Names of all elements by kind.
#[derive(Debug, Default)]
pub(crate) struct NameIndex<'s> {
    by_kind: HashMap<ObjType, HashMap<&'s str, usize>>,
}

impl<'s> NameIndex<'s> {
    /// Replaces the names of one kind; unnamed elements are left out.
    pub(crate) fn set(&mut self, kind: ObjType, names: impl Iterator<Item = &'s str>) {
        let map = names.enumerate().filter(|(_, name)| !name.is_empty()).map(|(i, name)| (name, i)).collect();
        self.by_kind.insert(kind, map);
    }

    /// Number of the element with this kind and name.
    pub(crate) fn find(&self, kind: ObjType, name: &str) -> Option<usize> {
        let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
        self.by_kind.get(&kind)?.get(name).copied()
    }

    /// All names of one kind, for suggestions.
    pub(crate) fn candidates(&self, kind: ObjType) -> Vec<&'s str> {
        let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
        let mut names: Vec<&str> =
            self.by_kind.get(&kind).map(|map| map.keys().copied().collect()).unwrap_or_default();
        names.sort_unstable();
        names
    }
}
