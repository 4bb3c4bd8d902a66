//! Puts the text of the manual into the program, and the page of `kinetree serve`: the files of the folder
//! that `KINETREE_PAGE` names.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The manual, as a link beside this file; in a package it is a folder.
const MANUAL: &str = "manual";
/// Folders of pages that a build of the site makes.
const GENERATED: [&str; 2] = ["reference/api", "inside/crates"];

fn main() {
    println!("cargo::rerun-if-env-changed=KINETREE_PAGE");
    println!("cargo::rerun-if-changed=build.rs");
    let page = std::env::var_os("KINETREE_PAGE").map(PathBuf::from);
    if let Some(page) = &page {
        assert!(page.join("index.html").is_file(), "KINETREE_PAGE: there is no page in {}", page.display());
        println!("cargo::rerun-if-changed={}", page.display());
    }
    write_page(page.as_deref());
    write_manual(Path::new(MANUAL));
}

/// The list of the files of the page.
fn write_page(page: Option<&Path>) {
    let mut text = String::from("&[");
    for path in page.map(files).unwrap_or_default() {
        // what is compressed with Brotli is sent, or the file itself
        if path.extension().is_none_or(|ending| ending != "gz") {
            let name = name_below(page.unwrap_or(&path), &path);
            let _ = write!(text, "({name:?}, include_bytes!({:?}).as_slice()), ", full(&path));
        }
    }
    text.push(']');
    write("page.rs", &text);
}

/// The list of the pages of the manual.
fn write_manual(manual: &Path) {
    let mut text = String::from("&[");
    for path in files(manual) {
        let name = name_below(manual, &path);
        let Some(name) = name.strip_suffix(".md") else { continue };
        if GENERATED.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        println!("cargo::rerun-if-changed={}", path.display());
        let _ = write!(text, "({name:?}, include_str!({:?})), ", full(&path));
    }
    text.push(']');
    write("manual.rs", &text);
}

/// All files below a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut list = Vec::new();
    collect(folder, &mut list);
    list.sort();
    list
}

fn collect(folder: &Path, list: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, list);
        } else {
            list.push(path);
        }
    }
}

/// The name of a file below a folder, with slashes.
fn name_below(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn full(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

fn write(name: &str, text: &str) {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join(name);
    if let Err(error) = std::fs::write(&out, text) {
        panic!("cannot write {}: {error}", out.display());
    }
}
