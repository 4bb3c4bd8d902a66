//! Files of the page: inside this program, or in a folder.

use crate::failure::Failure;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// Files inside this program, by name; none unless it was built with `KINETREE_PAGE`.
const INSIDE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Where the page comes from.
#[derive(Debug)]
pub(crate) enum Page {
    /// From inside this program.
    Inside,
    /// From a folder.
    Folder(PathBuf),
}

impl Page {
    /// The page in a folder, or the one inside this program.
    pub(crate) fn find(folder: Option<&Path>) -> Result<Self, Failure> {
        let help = "build the page with `tools/web/build.sh page`; `--page target/page` then serves it, and \
                    `KINETREE_PAGE=$PWD/target/page cargo install --path crates/cli` makes a program with the page inside";
        match folder {
            Some(folder) if folder.join("index.html").is_file() => Ok(Page::Folder(folder.to_owned())),
            Some(folder) => {
                Err(Failure::WithHelp(format!("there is no page in '{}'", folder.display()), help.into()))
            }
            None if INSIDE.is_empty() => {
                Err(Failure::WithHelp("this program was built without the page".into(), help.into()))
            }
            None => Ok(Page::Inside),
        }
    }

    /// The content of a file.
    pub(crate) fn read(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        match self {
            Page::Inside => {
                INSIDE.iter().find(|(known, _)| *known == name).map(|(_, bytes)| Cow::Borrowed(*bytes))
            }
            Page::Folder(folder) => read_below(folder, name).map(Cow::Owned),
        }
    }
}

/// The content of a file below a folder; nothing outside it is read, whatever the name says.
pub(crate) fn read_below(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let name = Path::new(name);
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    // links may lead out
    let path = folder.join(name).canonicalize().ok()?;
    let inside = path.starts_with(folder.canonicalize().ok()?) && path.is_file();
    inside.then(|| std::fs::read(path).ok()).flatten()
}
