//! Where the manual is as a site, and the browser that shows it.

use crate::failure::Failure;
use std::path::Path;
use std::process::{Command, Stdio};

/// The folder that `tools/docs/build` writes to, from the root of the repository.
const BUILT: &str = "target/manual";
/// The pages on the web.
const ONLINE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/index.md");

/// The address of the manual: of the site in a folder, or of the pages on the web where there is none.
pub(super) fn address(site: Option<&Path>) -> Result<String, Failure> {
    let index = site.unwrap_or(Path::new(BUILT)).join("index.html");
    if index.is_file() {
        let path = std::path::absolute(&index).unwrap_or(index).to_string_lossy().replace('\\', "/");
        // a path of Windows begins with a drive
        let root = if path.starts_with('/') { "" } else { "/" };
        return Ok(format!("file://{root}{path}"));
    }
    match site {
        Some(folder) => Err(Failure::WithHelp(
            format!("there is no manual in '{}'", folder.display()),
            format!("`tools/docs/build` in a clone of the repository builds it in {BUILT}"),
        )),
        None => Ok(ONLINE.into()),
    }
}

/// Shows an address in the browser that `BROWSER` names, or in that of the system.
pub(super) fn open(address: &str) -> Result<(), Failure> {
    let chosen = std::env::var_os("BROWSER").filter(|name| !name.is_empty());
    let mut command = match chosen {
        Some(name) => Command::new(name),
        None if cfg!(target_os = "macos") => Command::new("open"),
        None if cfg!(windows) => Command::new("explorer"),
        None => Command::new("xdg-open"),
    };
    let name = command.get_program().to_string_lossy().into_owned();
    // what a browser prints is not the output of this command
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop).map_err(|error| {
        Failure::WithHelp(
            format!("cannot start the browser '{name}': {error}"),
            format!("open {address} yourself, or name a browser in the variable BROWSER"),
        )
    })
}
