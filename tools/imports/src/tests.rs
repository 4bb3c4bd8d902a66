//! Small crates, and the arrows between their files.

use crate::entry_points;
use crate::module_tree::{CrateTree, Sources};
use std::collections::BTreeSet;
use std::path::Path;

struct Files<'a>(&'a [(&'a str, &'a str)]);

impl Sources for Files<'_> {
    fn read(&self, path: &Path) -> Option<String> {
        self.0.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| text.to_string())
    }
}

fn read(files: &[(&str, &str)]) -> CrateTree {
    CrateTree::read(&Files(files), Path::new("lib.rs")).unwrap()
}

/// The arrows of a crate, as `from -> to: names`.
fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    let tree = read(files);
    let path = |file: usize| tree.files[file].display().to_string();
    let mut lines: Vec<_> = tree
        .arrows()
        .into_iter()
        .map(|((from, to), names)| {
            let names: Vec<_> = names.into_iter().collect();
            format!("{} -> {}: {}", path(from), path(to), names.join(" "))
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn declarations_and_re_exports_are_no_imports() {
    let found = arrows(&[
        ("lib.rs", "mod a; pub use a::A; pub(crate) use a::B;"),
        ("a/mod.rs", "mod b; pub use b::A; pub use self::b::*;"),
        ("a/b.rs", "pub struct A; pub struct B;"),
    ]);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn re_exports_lead_to_the_definition() {
    let found = arrows(&[
        ("lib.rs", "mod a; mod user; pub use a::A as Renamed;"),
        ("a/mod.rs", "mod b; pub use b::A; pub use b::inner::*;"),
        ("a/b.rs", "pub struct A; pub mod inner; "),
        ("a/b/inner.rs", "pub fn deep() {}"),
        ("user.rs", "use crate::{Renamed, a::{self, deep}}; fn f(_: a::A) { deep() }"),
    ]);
    assert_eq!(found, ["user.rs -> a/b.rs: A", "user.rs -> a/b/inner.rs: deep"]);
}

#[test]
fn a_parent_that_uses_its_child_and_is_used_by_it() {
    let found = arrows(&[
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod b; use b::run; pub struct Shared; fn f() { run(Shared) }"),
        ("a/b.rs", "use super::Shared; pub fn run(_: Shared) {}"),
    ]);
    assert_eq!(found, ["a/b.rs -> a/mod.rs: Shared", "a/mod.rs -> a/b.rs: run"]);
}

#[test]
fn what_is_re_exported_and_used_counts_where_it_is_used() {
    let found = arrows(&[
        ("lib.rs", "mod a; pub(crate) use a::{call, value, unused}; fn f() { call(); [1].map(value); }"),
        ("a.rs", "pub fn call() {} pub fn value(x: i32) -> i32 { x } pub fn unused() {}"),
    ]);
    assert_eq!(found, ["lib.rs -> a.rs: call value"]);
}

#[test]
fn inline_paths_globs_and_paths_inside_macros() {
    let found = arrows(&[
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "pub const N: usize = 1; pub enum Kind { One } pub mod x { pub fn y() {} }"),
        ("b.rs", "fn f() -> usize { crate::a::N + super::a::x::y() }"),
        ("c.rs", "use super::a::*; fn f() { assert_eq!(Kind::One, vec![x::y()][0..N]); }"),
        ("d.rs", "fn f(v: V) { v.a::<u8>(); v.N; let a = 1; for N in v { use crate::a::Kind; } }"),
    ]);
    assert_eq!(found, ["b.rs -> a.rs: N y", "c.rs -> a.rs: Kind N y", "d.rs -> a.rs: Kind"]);
}

#[test]
fn macros_are_found_in_the_modules_around() {
    let found = arrows(&[
        ("lib.rs", "#[macro_use] mod m; mod a; pub fn helper() {}"),
        ("m.rs", "macro_rules! make { () => { $crate::helper(); local() } } pub(crate) use make;"),
        ("a/mod.rs", "macro_rules! own { () => {} } mod b; use crate::m::make; make!();"),
        ("a/b.rs", "own!(); fn f() { own!() }"),
    ]);
    assert_eq!(found, ["a/b.rs -> a/mod.rs: own", "a/mod.rs -> m.rs: make", "m.rs -> lib.rs: helper"]);
}

#[test]
fn items_that_a_macro_makes_belong_to_the_file_that_calls_it() {
    let found = arrows(&[
        ("lib.rs", "mod table; mod user; pub use table::Model;"),
        ("table.rs", "fields! { Model }"),
        ("user.rs", "use crate::Model; use crate::table::Other;"),
    ]);
    assert_eq!(found, ["user.rs -> table.rs: Model Other"]);
}

#[test]
fn tests_are_left_apart() {
    let found = arrows(&[
        ("lib.rs", "mod a; pub struct A; #[cfg(test)] mod tests; #[cfg(test)] use a::B;"),
        (
            "a.rs",
            "pub struct B; #[cfg(all(test, unix))] mod tests { use crate::A; } #[cfg(not(test))] use crate::A;
             impl B { #[cfg(test)] fn f() -> crate::C {} }",
        ),
    ]);
    assert_eq!(found, ["a.rs -> lib.rs: A"]);
}

#[test]
fn names_that_only_look_alike_are_not_followed() {
    let found = arrows(&[
        ("lib.rs", "mod a; mod b; pub(crate) use a::{advance, size};"),
        ("a.rs", "pub fn advance() {} pub fn size() {}"),
        (
            "b.rs",
            "use super::*; struct S { size: u8 }
             impl S { fn advance(&self) { Self::advance(self); self.advance(); ::a::size(); } }",
        ),
    ]);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn re_exports_in_a_circle_end() {
    let found = arrows(&[
        ("lib.rs", "mod a; mod b; use a::Lost; pub use b::*;"),
        ("a.rs", "pub use crate::b::*;"),
        ("b.rs", "pub use crate::a::*; pub struct Found; fn f(_: crate::a::Found) {}"),
    ]);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn public_functions_that_take_both_types_are_entry_points() {
    let tree = read(&[
        ("lib.rs", "mod entry; mod a; pub use entry::*; pub use a::{open, Scene}; pub mod shown;"),
        ("entry.rs", "pub fn step(m: &Model, d: &mut Data) {}"),
        (
            "a.rs",
            "pub fn open(m: &Model, d: &mut Data) {} pub fn hidden(m: &Model, d: &mut Data) {}
             pub struct Scene; struct Inner;
             impl Scene {
                 pub fn update(&mut self, m: &Model, d: &Data) {}
                 pub fn size(&self, m: &Model) {}
                 fn private(m: &Model, d: &Data) {}
             }
             impl Inner { pub fn update(m: &Model, d: &Data) {} }",
        ),
        (
            "shown.rs",
            "use crate::entry; pub fn first(m: &Model, d: &Data) { second(m, d) }
             pub fn second(m: &Model, d: &Data) { [0].map(|_| entry::step(m, d)); }
             pub fn many(m: &Model, d: &[Data]) {} pub fn name(m: &Model, d: &DataName) {}",
        ),
    ]);
    let entry = tree.files.iter().position(|file| file == Path::new("entry.rs")).unwrap();
    let found: BTreeSet<_> =
        entry_points::skipping(&tree, entry, ["Model", "Data"]).into_iter().map(|(_, name)| name).collect();
    assert_eq!(found, ["Scene::update", "many", "open"].map(String::from).into());
}
