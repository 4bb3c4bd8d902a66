//! Virtual files: named buffers that every loader consults before the disk.
//!
//! A name is looked up as a whole path first, then as a path under a mounted folder, then by its last part
//! regardless of case, which is how models that were written for a flat set of assets find them.
//!
//! ```
//! use kinetree_spec::Vfs;
//!
//! let mut files = Vfs::new();
//! files.add_buffer("ball.xml", *b"<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>")?;
//! assert_eq!(kinetree_spec::load_model_with("ball.xml", &files)?.ngeom, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::codec::Codecs;
use crate::nesting;
use crate::provider::ResourceProvider;

/// Why a virtual file could not be added, found or read.
#[derive(Debug, thiserror::Error)]
pub enum VfsError {
    /// The name is taken.
    #[error("virtual file '{0}' already exists")]
    Repeated(String),
    /// No such file.
    #[error("Error opening file '{0}': it is not there")]
    NotFound(String),
    /// The name is empty.
    #[error("a virtual file needs a name")]
    EmptyName,
    /// A provider failed.
    #[error("provider '{prefix}' cannot read '{name}': {source}")]
    Provider {
        /// The prefix of the provider.
        prefix: String,
        /// The resource.
        name: String,
        /// What the provider says.
        source: std::io::Error,
    },
    /// The prefix of a provider is no word of letters, digits, `+`, `-` and `.`.
    #[error("'{0}' cannot be the prefix of a provider: use letters, digits, '+', '-' and '.'")]
    Prefix(String),
    /// A decoder or encoder says neither a content type nor an extension with its dot.
    #[error("the format '{0}' needs a content type, or extensions that begin with a dot")]
    NoFormat(String),
    /// A content type or extension belongs to another decoder or encoder, or is built in.
    #[error("the format '{0}' is already there")]
    RepeatedFormat(String),
    /// Nobody writes files of this kind.
    #[error("there is no encoder for '{path}' (content type '{content_type}')")]
    NoEncoder {
        /// The file.
        path: String,
        /// The content type that was asked for.
        content_type: String,
    },
    /// An encoder failed.
    #[error("the encoder of '{format}' cannot write '{path}': {message}")]
    Encoder {
        /// The format.
        format: String,
        /// The file.
        path: String,
        /// What the encoder says.
        message: String,
    },
    /// The disk refused.
    #[error("cannot read '{path}': {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
}

/// A set of virtual files, mounted folders, resource providers, decoders and encoders.
#[derive(Clone, Default)]
pub struct Vfs {
    files: BTreeMap<String, Arc<[u8]>>,
    mounts: BTreeMap<String, PathBuf>,
    providers: BTreeMap<String, Arc<dyn ResourceProvider>>,
    pub(crate) codecs: Codecs,
}

impl std::fmt::Debug for Vfs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (files, providers): (Vec<_>, Vec<_>) = (self.names().collect(), self.providers.keys().collect());
        let mut debug = f.debug_struct("Vfs");
        debug.field("files", &files).field("mounts", &self.mounts).field("providers", &providers).finish()
    }
}

impl Vfs {
    /// An empty set.
    pub fn new() -> Self {
        Vfs::default()
    }

    /// Adds a buffer under a name.
    pub fn add_buffer(&mut self, name: &str, bytes: impl Into<Arc<[u8]>>) -> Result<(), VfsError> {
        let key = reduce(name);
        if key.is_empty() {
            return Err(VfsError::EmptyName);
        }
        if self.files.contains_key(&key) || self.mounts.contains_key(&key) {
            return Err(VfsError::Repeated(key));
        }
        self.files.insert(key, bytes.into());
        Ok(())
    }

    /// Adds a file from the disk under its own last part, in lower case.
    pub fn add_file(&mut self, directory: &str, filename: &str) -> Result<(), VfsError> {
        let path = combine(directory, filename);
        let key = reduce(&strip_path(&path).to_lowercase());
        if self.files.contains_key(&key) {
            return Err(VfsError::Repeated(key));
        }
        let bytes = std::fs::read(&path).map_err(|source| VfsError::Io { path: path.clone(), source })?;
        self.add_buffer(&strip_path(&path).to_lowercase(), bytes)
    }

    /// Makes a folder of the disk visible under a prefix.
    pub fn mount(&mut self, prefix: &str, folder: impl Into<PathBuf>) -> Result<(), VfsError> {
        let key = reduce(prefix.trim_end_matches(['/', '\\']));
        if key.is_empty() {
            return Err(VfsError::EmptyName);
        }
        if self.files.contains_key(&key) || self.mounts.contains_key(&key) {
            return Err(VfsError::Repeated(key));
        }
        self.mounts.insert(key, folder.into());
        Ok(())
    }

    /// Lets a provider answer for all names that begin with a prefix in any case and a colon.
    pub fn add_provider(
        &mut self,
        prefix: &str,
        provider: Arc<dyn ResourceProvider>,
    ) -> Result<(), VfsError> {
        let letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        if prefix.len() < 2 || !prefix.chars().all(letter) {
            return Err(VfsError::Prefix(prefix.to_owned()));
        }
        if self.providers.contains_key(prefix) {
            return Err(VfsError::Repeated(prefix.to_owned()));
        }
        self.providers.insert(prefix.to_owned(), provider);
        Ok(())
    }

    /// True when a buffer with exactly this name exists.
    pub fn contains(&self, name: &str) -> bool {
        self.files.contains_key(&reduce(name))
    }

    /// Removes a buffer or a mount.
    pub fn delete(&mut self, name: &str) -> Result<(), VfsError> {
        let key = reduce(name);
        // files of the disk are known by the last part of their names
        let last = reduce(&strip_path(&key).to_lowercase());
        let found = self.files.remove(&key).is_some() || self.mounts.remove(&key).is_some();
        if found || self.files.remove(&last).is_some() {
            return Ok(());
        }
        Err(VfsError::NotFound(key))
    }

    /// Number of buffers.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// True when there is no buffer.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Names of the buffers, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// What stands behind a path: a buffer, or a file of the disk under a mount; else a buffer of this name
    /// in another folder.
    fn find<'p>(&self, path: &'p str) -> Option<Entry<'_, 'p>> {
        self.find_exactly(path).or_else(|| {
            let last = strip_path(path).to_lowercase();
            let same_name = self.files.iter().find(|(name, _)| strip_path(name).to_lowercase() == last);
            same_name.map(|(_, bytes)| Entry::Buffer(bytes))
        })
    }

    fn find_exactly<'p>(&self, path: &'p str) -> Option<Entry<'_, 'p>> {
        if let Some((prefix, name)) = path.split_once(':')
            && let Some((_, provider)) =
                self.providers.iter().find(|(known, _)| known.eq_ignore_ascii_case(prefix))
        {
            return Some(Entry::Provider {
                provider: &**provider,
                prefix,
                name: name.trim_start_matches('/'),
            });
        }
        let mut prefix = path;
        loop {
            if let Some(bytes) = self.files.get(prefix) {
                return Some(Entry::Buffer(bytes));
            }
            if let Some(folder) = self.mounts.get(prefix) {
                return Some(Entry::Disk(folder.join(path[prefix.len()..].trim_start_matches(['/', '\\']))));
            }
            match prefix.rfind(['/', '\\']) {
                Some(n) if n > 0 => prefix = &prefix[..n],
                _ => return None,
            }
        }
    }
}

enum Entry<'a, 'p> {
    Buffer(&'a Arc<[u8]>),
    Disk(PathBuf),
    Provider { provider: &'a dyn ResourceProvider, prefix: &'p str, name: &'p str },
}

/// True when a path names a file, virtual or on the disk.
pub fn exists(path: &str, vfs: Option<&Vfs>) -> bool {
    let path = reduce(path);
    is_file(vfs.and_then(|vfs| vfs.find(&path)), &path)
}

/// As [`exists`], but a virtual file of the same name in another folder does not count.
pub(crate) fn exists_exactly(path: &str, vfs: Option<&Vfs>) -> bool {
    let path = reduce(path);
    is_file(vfs.and_then(|vfs| vfs.find_exactly(&path)), &path)
}

fn is_file(entry: Option<Entry<'_, '_>>, path: &str) -> bool {
    match entry {
        Some(Entry::Buffer(_)) => true,
        Some(Entry::Disk(file)) => file.is_file(),
        // when it cannot be asked, reading tells why
        Some(Entry::Provider { provider, name, .. }) => {
            nesting::enter(|| provider.contains(name)).unwrap_or(true)
        }
        None => Path::new(path).is_file(),
    }
}

/// True when a path names a file on the disk.
pub(crate) fn exists_on_disk(path: &str) -> bool {
    Path::new(path).is_file()
}

/// The bytes of a file, virtual or on the disk.
pub fn read<'a>(path: &str, vfs: Option<&'a Vfs>) -> Result<Cow<'a, [u8]>, VfsError> {
    let path = reduce(path);
    let file = match vfs.and_then(|vfs| vfs.find(&path)) {
        Some(Entry::Buffer(bytes)) => return Ok(Cow::Borrowed(bytes)),
        Some(Entry::Disk(file)) => file,
        Some(Entry::Provider { provider, prefix, name }) => {
            let bytes = || provider.open(name).and_then(crate::provider::Resource::read_all);
            return nesting::enter(bytes)
                .unwrap_or_else(|reason| Err(std::io::Error::other(reason)))
                .map(Cow::Owned)
                .map_err(|source| VfsError::Provider {
                    prefix: prefix.to_owned(),
                    name: name.to_owned(),
                    source,
                });
        }
        None => PathBuf::from(&path),
    };
    std::fs::read(&file).map(Cow::Owned).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => VfsError::NotFound(path),
        _ => VfsError::Io { path, source },
    })
}

/// The part of a path that makes it absolute: a leading slash or a scheme; empty for relative paths.
fn absolute_prefix(path: &str) -> &str {
    if path.starts_with(['/', '\\']) {
        return &path[..1];
    }
    path.find(":/").or_else(|| path.find(":\\")).map_or("", |n| &path[..n + 2])
}

/// True for paths that do not depend on a folder.
pub fn is_absolute(path: &str) -> bool {
    !absolute_prefix(path).is_empty()
}

/// A path within a folder; absolute paths stay as they are. Dots are resolved.
pub fn combine(folder: &str, path: &str) -> String {
    if is_absolute(path) || folder.is_empty() {
        return reduce(path);
    }
    let slash = if folder.ends_with(['/', '\\']) { "" } else { "/" };
    reduce(&format!("{folder}{slash}{path}"))
}

/// A path without `.` and, where possible, without `..`; separators become slashes.
pub fn reduce(path: &str) -> String {
    let prefix = absolute_prefix(path);
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = path[prefix.len()..].split(['/', '\\']).peekable();
    while let Some(part) = rest.next() {
        let last = rest.peek().is_none();
        match part {
            ".." if !last && parts.last().is_some_and(|&p| p != "..") => drop(parts.pop()),
            "." if !last => {}
            _ => parts.push(part),
        }
    }
    format!("{prefix}{}", parts.join("/"))
}

/// The last part of a path.
pub fn strip_path(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or(path, |n| &path[n + 1..])
}

/// A path without its last extension.
pub fn strip_extension(path: &str) -> &str {
    path.rfind('.').map_or(path, |n| &path[..n])
}

/// The folder of a path, with its closing slash; empty when the path has none.
pub fn folder_of(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or("", |n| &path[..=n])
}

/// The text of a file, virtual or on the disk.
pub(crate) fn read_text(path: &str, vfs: Option<&Vfs>) -> Result<String, String> {
    let bytes = read(path, vfs).map_err(|error| error.to_string())?;
    if bytes.is_empty() {
        return Err(format!("the file '{path}' is empty"));
    }
    // a file that is not UTF-8 is usually Latin text in comments: keep what can be kept
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_combine_and_reduce() {
        assert_eq!(combine("a/b", "../c.obj"), "a/c.obj");
        assert_eq!(combine("a/b/", "./c.obj"), "a/b/c.obj");
        assert_eq!(combine("a", "/c.obj"), "/c.obj");
        assert_eq!(combine("", "c.obj"), "c.obj");
        assert_eq!(combine("../..", "../c"), "../../../c");
        assert_eq!(reduce("/a/./b//../c"), "/a/b/c");
        assert!(is_absolute("package://x") && is_absolute("C:/x") && !is_absolute("x/y"));
        assert_eq!(
            (strip_path("a/b.c"), strip_extension("b.c.d"), folder_of("a/b.c"), folder_of("b")),
            ("b.c", "b.c", "a/", "")
        );
    }

    #[test]
    fn virtual_files_come_before_the_disk() {
        let mut vfs = Vfs::new();
        assert!(vfs.is_empty());
        vfs.add_buffer("Assets/Cube.OBJ", *b"cube").unwrap();
        assert!(vfs.len() == 1 && !vfs.is_empty());
        assert!(matches!(vfs.add_buffer("Assets/./Cube.OBJ", *b"again"), Err(VfsError::Repeated(_))));
        assert!(vfs.contains("Assets/Cube.OBJ") && !vfs.contains("cube.obj"));
        assert_eq!(&*read("Assets/Cube.OBJ", Some(&vfs)).unwrap(), b"cube");
        // by its last part, whatever the folder and case
        assert_eq!(&*read("elsewhere/cube.obj", Some(&vfs)).unwrap(), b"cube");
        assert!(read("sphere.obj", Some(&vfs)).is_err());
        vfs.delete("Assets/Cube.OBJ").unwrap();
        assert!(matches!(vfs.delete("Assets/Cube.OBJ"), Err(VfsError::NotFound(_))));
    }

    #[test]
    fn folders_can_be_mounted() {
        let folder = std::env::temp_dir().join(format!("kinetree-vfs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("part.txt"), "text").unwrap();
        let mut vfs = Vfs::new();
        vfs.mount("pack", &folder).unwrap();
        assert!(exists("pack/part.txt", Some(&vfs)) && !exists("pack/other.txt", Some(&vfs)));
        assert_eq!(&*read("pack/part.txt", Some(&vfs)).unwrap(), b"text");
        vfs.add_file(&folder.to_string_lossy(), "part.txt").unwrap();
        assert!(vfs.contains("part.txt"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
