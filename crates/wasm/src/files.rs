//! Files that models are read from: there is no disk here.

use crate::errors::{Outcome, failure};
use kinetree_spec::{Vfs, vfs};
use std::io::{Cursor, Read};
use wasm_bindgen::prelude::wasm_bindgen;

/// Most bytes that a zip file may unpack to.
const LARGEST: u64 = 1 << 30;

/// Files by name.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Files {
    pub(crate) vfs: Vfs,
}

#[wasm_bindgen]
impl Files {
    /// No files yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    ///
    /// # Errors
    /// When there is one of this name.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Outcome<()> {
        self.vfs.add_buffer(name, bytes.to_vec()).map_err(failure)
    }

    /// Adds the files of a zip file.
    ///
    /// # Errors
    /// When it is damaged or unpacks to more than a gibibyte.
    #[wasm_bindgen(js_name = addZip)]
    pub fn add_zip(&mut self, bytes: &[u8]) -> Outcome<()> {
        let problem = |p: zip::result::ZipError| failure(format!("the zip file cannot be read: {p}"));
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(problem)?;
        let mut left = LARGEST;
        for i in 0..archive.len() {
            let file = archive.by_index(i).map_err(problem)?;
            if file.is_dir() {
                continue;
            }
            let name = file.name().to_owned();
            let mut content = Vec::new();
            // a header may promise less than there is
            file.take(left + 1).read_to_end(&mut content).map_err(|p| failure(format!("'{name}': {p}")))?;
            left = left
                .checked_sub(content.len() as u64)
                .ok_or_else(|| failure(format!("the zip file unpacks to more than {} MiB", LARGEST >> 20)))?;
            self.vfs.add_buffer(&name, content).map_err(failure)?;
        }
        Ok(())
    }

    /// Content of a file.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn read(&self, name: &str) -> Outcome<Vec<u8>> {
        vfs::read(name, Some(&self.vfs)).map(std::borrow::Cow::into_owned).map_err(failure)
    }

    /// Names of all files.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.vfs.names().map(str::to_owned).collect()
    }
}
