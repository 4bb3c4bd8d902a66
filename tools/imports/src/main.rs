//! Files that import each other, crates that import upwards, and public functions of `sim` that skip its
//! entry points.
//!
//! ```text
//! cargo run --manifest-path tools/imports/Cargo.toml -- [--arrows] [crate …]
//! ```
//!
//! In the root of the workspace: prints what it finds and fails if there is anything that `exceptions.txt`
//! beside this package does not allow, or an exception that nothing needs. `--arrows` lists all arrows
//! between files as well.
//!
//! Tests are left apart. A file imports another when a private `use` or a path in its code, inside macros
//! too, means something that is defined there; re-exports are followed to the definition and are no imports
//! by themselves, and neither are declarations of modules. Calls of methods are not seen: what is implemented
//! for a type counts where the type is named.

mod circles;
mod entry_points;
mod exceptions;
mod floors;
mod module_tree;
mod resolve;
mod syntax;
#[cfg(test)]
mod tests;

use exceptions::Exceptions;
use module_tree::{CrateTree, Disk};
use resolve::Arrows;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// Where the pipeline's public functions are.
const ENTRY_POINTS: &str = "crates/sim/src/entry.rs";
/// What is allowed; without this file nothing is.
const EXCEPTIONS: &str = "tools/imports/exceptions.txt";

fn main() -> ExitCode {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    let lists_arrows = wanted.iter().any(|word| word == "--arrows");
    wanted.retain(|word| word != "--arrows");
    match check(&wanted, lists_arrows) {
        Ok(0) => {
            println!("no circles of files, no floors broken, no entry points skipped");
            ExitCode::SUCCESS
        }
        Ok(faults) => {
            println!("{faults} faults");
            ExitCode::FAILURE
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Checks the wanted crates, or all; the number of faults.
fn check(wanted: &[String], lists_arrows: bool) -> Result<usize, String> {
    let root = Path::new(".");
    let read =
        |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let mut exceptions = Exceptions::read(&std::fs::read_to_string(EXCEPTIONS).unwrap_or_default())?;
    let mut faults = 0;
    let mut crates = BTreeMap::new();
    for name in crate_names(root)? {
        let folder = Path::new("crates").join(&name);
        crates.insert(name.clone(), floors::dependencies(&read(&root.join(&folder).join("Cargo.toml"))?));
        if !wanted.is_empty() && !wanted.contains(&name) {
            continue;
        }
        for start in ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file)) {
            if root.join(&start).is_file() {
                let tree = CrateTree::read(&Disk(root), &start)?;
                faults += check_crate(&name, &tree, lists_arrows, &mut exceptions);
            }
        }
    }
    let page = read(&root.join("docs/architecture.md"))?;
    for broken in floors::broken(&floors::read_floors(&page), &crates) {
        if !exceptions.allows(&broken) {
            println!("floor: {broken}");
            faults += 1;
        }
    }
    // a part of the crates does not need all exceptions
    if wanted.is_empty() {
        for subject in exceptions.superfluous() {
            println!("exception that nothing needs: {subject}");
            faults += 1;
        }
    }
    Ok(faults)
}

/// The folders of `crates/`, sorted.
fn crate_names(root: &Path) -> Result<Vec<String>, String> {
    let folders = std::fs::read_dir(root.join("crates")).map_err(|error| format!("crates: {error}"))?;
    let mut names: Vec<_> = folders
        .flatten()
        .filter(|entry| entry.path().join("Cargo.toml").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

/// Prints the circles of a crate and the entry points that it skips; how many there are.
fn check_crate(name: &str, tree: &CrateTree, lists_arrows: bool, exceptions: &mut Exceptions) -> usize {
    let path = |file: usize| tree.files[file].display().to_string();
    let arrows = tree.arrows();
    if lists_arrows {
        for ((from, to), names) in &arrows {
            println!("{} -> {}: {}", path(*from), path(*to), listed(names.iter()));
        }
    }
    let mut faults = report_circles(name, tree, &arrows, exceptions);
    if let Some(entry) = tree.files.iter().position(|file| file == Path::new(ENTRY_POINTS)) {
        for (file, function) in entry_points::skipping(tree, entry, ["Model", "Data"]) {
            let subject = format!("{}: {function}", path(file));
            if !exceptions.allows(&subject) {
                println!("entry point: {subject} takes a model and a data, and is not in {ENTRY_POINTS}");
                faults += 1;
            }
        }
    }
    faults
}

/// Prints the circles of a crate, without the arrows that exceptions allow.
fn report_circles(name: &str, tree: &CrateTree, arrows: &Arrows, exceptions: &mut Exceptions) -> usize {
    let subject =
        |from: usize, to: usize| format!("{} -> {}", tree.files[from].display(), tree.files[to].display());
    let count = tree.files.len();
    // an exception is needed if its arrow belongs to a circle
    for circle in circles::circles(count, arrows.keys().copied()) {
        for (from, to) in arrows.keys().filter(|(from, to)| circle.contains(from) && circle.contains(to)) {
            exceptions.allows(&subject(*from, *to));
        }
    }
    let rest = arrows.keys().copied().filter(|(from, to)| !exceptions.has(&subject(*from, *to)));
    let found = circles::circles(count, rest);
    for circle in &found {
        let inside = |file: &usize| circle.contains(file);
        let pairs = arrows.keys().filter(|(from, to)| {
            from < to && inside(from) && inside(to) && arrows.contains_key(&(*to, *from))
        });
        println!("circle in {name}: {} files, {} pairs that import each other", circle.len(), pairs.count());
        for ((from, to), names) in arrows.iter().filter(|((from, to), _)| inside(from) && inside(to)) {
            let mark = if arrows.contains_key(&(*to, *from)) { "<->" } else { " ->" };
            let short = |file: usize| {
                let path = tree.files[file].display().to_string();
                path.strip_prefix(&format!("crates/{name}/src/")).map_or(path.clone(), String::from)
            };
            println!("    {} {mark} {}: {}", short(*from), short(*to), listed(names.iter()));
        }
    }
    found.len()
}

/// Names in a line, the first few of many.
fn listed<'a>(names: impl ExactSizeIterator<Item = &'a String>) -> String {
    let count = names.len();
    let mut line = names.take(8).cloned().collect::<Vec<_>>().join(", ");
    if count > 8 {
        line += ", …";
    }
    line
}
