//! Mutants that were judged by hand to change no result.

use std::collections::HashSet;
use std::path::Path;

/// Keys of the mutants in a list with lines `file: before -> after    # why`.
pub(crate) fn read(path: &Path) -> std::io::Result<HashSet<String>> {
    let text = std::fs::read_to_string(path)?;
    let keys =
        text.lines().filter_map(|line| line.split_once("    # ")).map(|(key, _)| key.trim().to_owned());
    Ok(keys.collect())
}
