//! Puts the page of `kinetree serve` into the program: the files of the folder that `KINETREE_PAGE` names.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-env-changed=KINETREE_PAGE");
    let page = std::env::var_os("KINETREE_PAGE").map(PathBuf::from);
    let mut list = Vec::new();
    if let Some(page) = &page {
        assert!(page.join("index.html").is_file(), "KINETREE_PAGE: there is no page in {}", page.display());
        println!("cargo::rerun-if-changed={}", page.display());
        collect(page, &mut list);
    }
    list.sort();
    let mut text = String::from("&[");
    for path in &list {
        let name = page.as_deref().and_then(|page| path.strip_prefix(page).ok()).unwrap_or(path);
        let name =
            name.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        let full = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let _ = write!(text, "({name:?}, include_bytes!({:?}).as_slice()), ", full.to_string_lossy());
    }
    text.push(']');
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("page.rs");
    if let Err(error) = std::fs::write(&out, text) {
        panic!("cannot write {}: {error}", out.display());
    }
}

fn collect(folder: &Path, list: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, list);
        } else if path.extension().is_none_or(|ending| ending != "gz") {
            // what is compressed with Brotli is sent, or the file itself
            list.push(path);
        }
    }
}
